"""The same guide in the two engines, SQLite and PostgreSQL, accessed through the programs."""

import contextlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from postgresql import PostgreSQL
from support import ROOT
from support.clocks import still_clock
from support.processes import Service
from support.report import expect, need

sys.path.append(str(ROOT / "Tests/System/faults"))

#: The clock of the programs in comparisons, which stands still: an evening of the sample guide.
NOW = 1_792_870_800
#: In the output of epg check, the size of the database, after what is kept.
DATABASE_SIZE = re.compile(rb'("bytes":|database +LOCATION, )[\d.,]+( [kMG]?B)?')
#: The clients of a test share few addresses, and a debug build on a busy machine takes its time.
UNLIMITED = (
    "--limits-requests-per-minute", "0", "--limits-per-address", "4096", "--limits-query-deadline", "120 s")


def differing(first: object, other: object) -> str:
    """Returns where two values differ, with the texts around that place."""
    if not isinstance(first, bytes) or not isinstance(other, bytes):
        return f"{first!r} and {other!r}"
    place = len(os.path.commonprefix([first, other]))
    start = max(0, place - 80)
    return f"at {place}: {first[start:place + 120]!r} and {other[start:place + 120]!r}"


class Engine:
    """A guide in one of the engines: a location, and a folder for everything else."""

    def __init__(self, engines: "Engines", folder: Path, location: str = "") -> None:
        """Creates a guide in PostgreSQL, or without a location in SQLite."""
        self.programs = engines.programs
        self.folder = folder
        self.is_sqlite = not location
        self.tokens = 0
        self.location = location or str(folder / "guide.sqlite")
        folder.mkdir(parents=True, exist_ok=True)
        self.variables = {
            "PATH": os.environ["PATH"], "EPG_CACHE": str(folder / "cache"), "HOME": str(folder), "TZ": "UTC", "LC_ALL": "C.UTF-8"}

    def __str__(self) -> str:
        return "SQLite" if self.is_sqlite else "PostgreSQL"

    def command(self, *arguments: object) -> list[str]:
        return [str(self.programs.epg), *map(str, arguments), "--database", self.location]

    def epg(self, *arguments: object, clock: int | None = None, timeout: float = 600, **settings) -> subprocess.CompletedProcess:
        """Runs epg on the guide, with a clock that stands still if `clock` is given."""
        variables = self.variables | (still_clock(clock) if clock else {})
        return subprocess.run(
            self.command(*arguments), capture_output=True, timeout=timeout, env=variables, cwd=self.folder,
            **({"stdin": subprocess.DEVNULL} if "input" not in settings else {}), **settings)

    def epg_alone(self, *arguments: object) -> subprocess.CompletedProcess:
        """Runs epg without the option --database."""
        return subprocess.run(
            [self.programs.epg, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=600, env=self.variables,
            cwd=self.folder)

    def succeed(self, *arguments: object, **settings) -> bytes:
        """Runs epg, expects success, and returns its output."""
        result = self.epg(*arguments, **settings)
        messages = result.stderr.decode()[-400:]
        expect(result.returncode == 0, f"{self}: epg {arguments[0]} exited with {result.returncode}: {messages}")
        return result.stdout

    def add_token(self, scope: str) -> str:
        """Adds a token of the service, and returns its text."""
        self.tokens += 1
        return self.succeed("admin", "token", "add", f"token {self.tokens}", "--scope", scope).decode().strip()

    def start(self, *arguments: object, **settings) -> subprocess.Popen:
        """Starts epg on the guide."""
        return subprocess.Popen(
            self.command(*arguments), env=self.variables, cwd=self.folder,
            **({"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | settings))

    @contextlib.contextmanager
    def serve(self, *arguments: object, clock: int | None = None):
        """Runs epgd on the guide."""
        # Answers contain the URL of the service.
        service = Service(
            self.programs, self.location, *UNLIMITED, "--zone", "Europe/London", "--public-url", "https://tv.example", *arguments,
            zone="UTC", log=self.folder / "epgd.log", environment=self.variables | (still_clock(clock) if clock else {}))
        try:
            yield service
            service.expect_running()
        finally:
            if clock:
                # libfaketime breaks the waiting for the end of connections.
                service.process.kill()
            service.close()


class Engines:
    """A PostgreSQL server, and guides in both engines, in a temporary folder."""

    def __init__(self, options) -> None:
        self.options = options
        self.programs = options.programs
        self.short = options.short
        self.seed = 1 if options.seed is None else options.seed
        self.folder = Path(tempfile.mkdtemp(prefix="engines-"))
        self.folder.chmod(0o755)
        self.server = PostgreSQL(self.folder / "primary")
        self.standbys: list[PostgreSQL] = []

    def scaled(self, long: int, short: int) -> int:
        """Returns the count of the full run or the short one; a value between them if only a part of the full run is requested."""
        return short if self.short else max(min(long, short), round(long * self.options.scale))

    def sqlite(self, name: str) -> Engine:
        """Returns a new guide in SQLite."""
        folder = self.folder / f"{name}-sqlite"
        shutil.rmtree(folder, ignore_errors=True)
        return Engine(self, folder)

    def postgresql(self, name: str) -> Engine:
        """Returns a new guide in PostgreSQL."""
        folder = self.folder / f"{name}-postgresql"
        shutil.rmtree(folder, ignore_errors=True)
        return Engine(self, folder, self.server.create(name))

    def pair(self, name: str) -> "Pair":
        pair = Pair(self, name, [self.sqlite(name), self.postgresql(name)])
        # The random key of hashes is in the versions of days.
        for words in (["add", "none", "https://guide.example/"], ["remove", "none"]):
            pair.succeed("source", *words)
        with contextlib.closing(sqlite3.connect(pair.members[0].location)) as connection:
            key = connection.execute("SELECT hex(content_key) FROM guide").fetchone()[0]
        self.server.sql(f"UPDATE guide SET content_key = decode('{key}', 'hex')", name)
        return pair

    def standby(self) -> PostgreSQL:
        """Returns a new streaming standby."""
        self.standbys.append(PostgreSQL(self.folder / f"standby-{len(self.standbys) + 1}", self.server))
        return self.standbys[-1]

    def close(self) -> None:
        for server in [*self.standbys, self.server]:
            server.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Pair:
    """Guides whose contents and history are the same, the first of them in SQLite."""

    def __init__(self, engines: Engines, name: str, members: list[Engine], *, has_standby: bool = False) -> None:
        self.engines = engines
        self.has_standby = has_standby
        self.name = name
        self.members = members
        self.clock = NOW
        #: What differed between the commands so far.
        self.differences: list[str] = []

    def run(self, *arguments: object, **settings) -> int:
        """Runs epg on all members, compares the exit codes and the outputs, and returns the exit code."""
        def result(member: Engine) -> tuple[int, bytes, bytes]:
            done = member.epg(*arguments, clock=self.clock, **settings)
            return done.returncode, self._neutral(member, done.stdout), self._neutral(member, done.stderr)

        with ThreadPoolExecutor(len(self.members)) as pool:
            first, *others = pool.map(result, self.members)
        for other in others:
            for what, one, two in zip(("exit code", "output", "messages"), first, other):
                if one != two:
                    self.differences.append(f"epg {' '.join(map(str, arguments))}: {what}: {differing(one, two)}")
        return first[0]

    @staticmethod
    def _neutral(member: Engine, text: bytes) -> bytes:
        """Returns an output without the location of the guide and the size of its database."""
        text = text.replace(member.location.encode(), b"LOCATION").replace(str(member.folder).encode(), b"FOLDER")
        return DATABASE_SIZE.sub(rb"\1", text)

    def succeed(self, *arguments: object, **settings) -> None:
        """Runs epg on all members, and expects success and equal outputs."""
        code = self.run(*arguments, **settings)
        self.expect_equal()
        expect(code == 0, f"epg {arguments[0]} exited with {code}")

    def upload(self, body: bytes, source: str) -> None:
        """Imports a guide over HTTP, and expects success and equal responses."""
        responses = []
        for member in self.members:
            token = member.add_token("import")
            with member.serve("--spool", member.folder, clock=self.clock) as service:
                responses.append(service.request(
                    f"/api/v1/import?source={source}", {"Authorization": f"Bearer {token}"}, "POST", body))
        first, *others = responses
        expect(first.status == 200, f"status {first.status}: {first.body!r}")
        for other in others:
            expect(first.body == other.body, f"the import over HTTP: {differing(first.body, other.body)}")

    def align(self) -> None:
        """Makes what is random or measured equal: the nonces of generations, and the durations of refreshes."""
        reference = self.members[0]
        with contextlib.closing(sqlite3.connect(f"file:{reference.location}?mode=ro", uri=True)) as connection:
            nonces = connection.execute("SELECT generation, nonce FROM generation").fetchall()
            durations = connection.execute("SELECT source_id, last_duration FROM source_state").fetchall()
        statements = [f"UPDATE generation SET nonce = {nonce} WHERE generation = {generation};" for generation, nonce in nonces]
        statements += [
            f"UPDATE source_state SET last_duration = {'NULL' if duration is None else duration} WHERE source_id = {source};"
            for source, duration in durations]
        for member in self.members[1:]:
            if not member.is_sqlite:
                self.engines.server.sql("\n".join(statements), self.name)

    def expect_equal(self) -> None:
        """Expects that no command so far had different results."""
        expect(not self.differences, f"{len(self.differences)} differences: " + "\n".join(self.differences[:5]))
