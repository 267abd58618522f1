"""A private PostgreSQL server on a Unix socket, with standbys."""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

from support.processes import run, stop, wait_until
from support.report import ExpectationFailed, expect

PROGRAMS = Path("/usr/lib/postgresql/15/bin")
#: The user of the guides. It owns its databases and has no other rights.
USER = "guide"
#: The server's defaults, except where the comment says why. fsync is on.
SETTINGS = """
listen_addresses = ''
# Fewer writes of the whole suite to the disk; durability is the same.
max_wal_size = 4GB
# Standbys, and their queries.
wal_level = replica
hot_standby = on
hot_standby_feedback = on
max_wal_senders = 4
wal_keep_size = 512MB
# Restarts after a crash within seconds.
checkpoint_timeout = 5min
shared_buffers = 512MB
autovacuum_naptime = 10s
log_min_messages = warning
"""


def words_as_postgres(*words: object) -> list[str]:
    """Returns a command that runs another one as a user who may run PostgreSQL, which refuses root."""
    drop = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] if os.geteuid() == 0 else []
    return [*drop, *map(str, words)]


class PostgreSQL:
    """A server with its data in a folder. The folder has the socket, too, so servers can share a port."""

    port = 5432

    def __init__(self, folder: Path, primary: "PostgreSQL | None" = None) -> None:
        """Creates a primary, or a streaming standby of one."""
        self.folder = folder
        self.data = folder / "data"
        self.process: subprocess.Popen | None = None
        folder.mkdir()
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        if primary:
            run(*words_as_postgres(
                PROGRAMS / "pg_basebackup", "--checkpoint=fast", "--write-recovery-conf", f"--host={primary.folder}",
                "--username=postgres", f"--pgdata={self.data}"), cwd=folder)
        else:
            run(*words_as_postgres(
                PROGRAMS / "initdb", f"--pgdata={self.data}", "--username=postgres", "--auth=trust", "--encoding=UTF8",
                "--locale=C.UTF-8", "--no-sync"), cwd=folder)
            with open(self.data / "postgresql.conf", "a", encoding="utf-8") as file:
                file.write(SETTINGS)
        self.start()
        if not primary:
            self.sql(f"CREATE ROLE {USER} LOGIN")

    # MARK: The process

    def start(self, seconds: float = 60) -> None:
        """Starts the server and waits until it accepts connections; tries again while processes of a killed one end."""
        def is_ready() -> bool:
            if self.process is None or self.process.poll() is not None:
                with open(self.folder / "log", "ab") as log:
                    self.process = subprocess.Popen(
                        words_as_postgres(PROGRAMS / "postgres", "-D", self.data, "-k", self.folder, "-p", self.port),
                        stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder)
            ready = subprocess.run(
                [PROGRAMS / "pg_isready", "-q", f"--host={self.folder}", f"--port={self.port}"], capture_output=True)
            return ready.returncode == 0
        try:
            wait_until(is_ready, "PostgreSQL accepts connections", seconds, 0.05)
        except ExpectationFailed as error:
            raise ExpectationFailed(f"{error}: {(self.folder / 'log').read_text()[-500:]}") from None

    def kill(self) -> None:
        """Kills the postmaster; its other processes end by themselves."""
        process, self.process = self.process, None
        process.send_signal(signal.SIGKILL)
        process.wait()

    def close(self) -> None:
        if self.process:
            self.process.send_signal(signal.SIGINT)
            stop(self.process)

    # MARK: Databases

    def url(self, database: str, *others: "PostgreSQL") -> str:
        """Returns the location of a guide, with other servers that libpq tries after this one."""
        hosts = ",".join(str(server.folder) for server in (self, *others))
        return f"postgresql:///{database}?host={hosts}&port={self.port}&user={USER}"

    def create(self, database: str) -> str:
        """Creates an empty database, replacing one of this name, and returns the location of its guide."""
        self.sql(f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)')
        self.sql(f'CREATE DATABASE "{database}" OWNER {USER}')
        return self.url(database)

    def sql(self, statement: str, database: str = "postgres", timeout: float = 60) -> str:
        """Runs statements as the superuser and returns their rows, one a line, with `|` between columns."""
        return run(
            "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", f"--host={self.folder}", f"--port={self.port}", "--username=postgres",
            f"--dbname={database}", input=statement, timeout=timeout).strip()

    def writes(self, database: str) -> dict[str, tuple[int, ...]]:
        """Returns for each table how many rows were inserted, updated and deleted so far."""
        self.wait_for_quiet(database)
        rows = self.sql("SELECT relname, n_tup_ins, n_tup_upd, n_tup_del FROM pg_stat_user_tables", database).split("\n")
        return {name: tuple(map(int, counts)) for name, *counts in (row.split("|") for row in rows if row)}

    def wait_for_quiet(self, database: str) -> None:
        """Waits until no program is connected, because processes add their counts to the statistics at their end."""
        count = f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{database}' AND pid <> pg_backend_pid()"
        wait_until(lambda: self.sql(count, database) == "0", "all connections end", 20, 0.05)

    # MARK: Measurements

    def cpu_seconds(self) -> float:
        """Returns the CPU time of all processes of the server, those that ended included."""
        ticks = 0
        for path in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                # After the name: state, parent, … utime and stime of the process, then those of children that were waited for.
                fields = path.read_text().rsplit(")", 1)[1].split()
                process, parent = int(path.parent.name), int(fields[1])
                if process == self.process.pid:
                    ticks += sum(map(int, fields[11:15]))
                elif parent == self.process.pid:
                    ticks += sum(map(int, fields[11:13]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def wait_for_replay(self, primary: "PostgreSQL") -> float:
        """Waits until this standby has applied all that the primary has written; returns the seconds."""
        begin = time.monotonic()
        position = primary.sql("SELECT pg_current_wal_flush_lsn()")
        wait_until(lambda: self.sql(f"SELECT pg_last_wal_replay_lsn() >= '{position}'") == "t", "the standby has caught up", 60)
        expect(self.sql("SELECT pg_is_in_recovery()") == "t", "the standby is no standby")
        return time.monotonic() - begin
