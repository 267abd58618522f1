"""epg migrate: a kill at any instant and a full disk leave the old database, which the next migration brings up to date."""

import gzip
import hashlib
import resource
import shutil
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

from disk import tmpfs
from frame import Bench, Fault, expect

FIXTURE = Path(__file__).resolve().parents[1] / "EPGStoreTests/Schema/Fixtures/guide-5.sqlite.gz"


def run(bench: Bench) -> None:
    original = bench.folder / "version-5.sqlite"
    make(original, bench.scaled(300, 40))
    before = digest(original)
    with bench.fault("kill -9 at random moments of a migration") as fault:
        kills(bench, original, before, fault)
    with bench.fault("no room for a migration") as fault:
        full_disk(bench, original, before, fault)
    with bench.fault("a limit of file sizes in a migration") as fault:
        file_limit(bench, original, before, fault)


def make(path: Path, copies: int) -> None:
    """A database of version 5, with so many copies of its programmes."""
    path.write_bytes(gzip.decompress(FIXTURE.read_bytes()))
    with sqlite3.connect(path) as database:
        step = database.execute("SELECT next_programme FROM guide").fetchone()[0]
        for copy in range(1, copies + 1):
            database.execute(
                "INSERT INTO programme SELECT id + ?, title, subtitle, category, description, document FROM programme WHERE id < ?",
                (copy * step, step))
            database.execute(
                "INSERT INTO programme_digest SELECT first_id + ?, digests FROM programme_digest WHERE first_id < ?", (copy * step, step))
        database.execute("UPDATE guide SET next_programme = ?", ((copies + 1) * step,))
    database.close()


def digest(path: Path) -> str:
    """All rows of a database of version 5."""
    hasher = hashlib.sha256()
    database = sqlite3.connect(path)
    for (name,) in database.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'grdb_migrations' ORDER BY name").fetchall():
        for row in database.execute(f"SELECT * FROM {name}"):
            hasher.update(repr((name, row)).encode())
    database.close()
    return hasher.hexdigest()


def version(path: Path) -> int:
    database = sqlite3.connect(path)
    found = database.execute("PRAGMA user_version").fetchone()[0]
    database.close()
    return found


def current_version(bench: Bench) -> int:
    """The version of a database that the program makes anew."""
    path = bench.folder / "new.sqlite"
    if not path.exists():
        subprocess.run([bench.epg, "import", "/dev/stdin", "--database", path], input=b"<tv/>", check=True, capture_output=True)
    return version(path)


def copied(original: Path, folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return Path(shutil.copy(original, folder / "guide.sqlite"))


def judge(bench: Bench, path: Path, before: str) -> str:
    """The whole old database, or the whole new one."""
    if version(path) == 5:
        expect(digest(path) == before, "the old database is another one")
        return "old"
    expect_sound(bench, path)
    return "new"


def expect_sound(bench: Bench, path: Path) -> None:
    answer = subprocess.run([bench.epg, "check", "--database", path], capture_output=True, text=True, timeout=600)
    expect(answer.returncode == 0, f"check: exit {answer.returncode}: {answer.stdout[-300:]} {answer.stderr[-300:]}")


def migrate(bench: Bench, path: Path, **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        [bench.epg, "migrate", "--database", path], capture_output=True, text=True, timeout=600, **options)


def expect_recovery(bench: Bench, path: Path) -> None:
    answer = migrate(bench, path)
    expect(answer.returncode == 0, f"the next migration: exit {answer.returncode}: {answer.stderr}")
    expect(version(path) == current_version(bench), "the next migration did not migrate")
    expect_sound(bench, path)


def kills(bench: Bench, original: Path, before: str, fault: Fault) -> None:
    path = copied(original, bench.folder / "migration")
    begin = time.monotonic()
    expect_recovery(bench, path)
    path = copied(original, bench.folder / "migration")
    begin = time.monotonic()
    expect(migrate(bench, path).returncode == 0, "it cannot be migrated")
    duration = time.monotonic() - begin
    seen = {"old": 0, "new": 0}
    for number in range(bench.scaled(50, 6)):
        delay = bench.random.uniform(0, duration)
        with fault.case(f"after {delay:.3f} of {duration:.3f} s"):
            path = copied(original, bench.folder / "migration")
            process = subprocess.Popen(
                [bench.epg, "migrate", "--database", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
            process.wait(timeout=60)
            seen[judge(bench, path, before)] += 1
            expect_recovery(bench, path)
    fault.note = f"{seen['old']} times the old database, {seen['new']} times the new one"
    expect(seen["old"] > 0, "no kill left the old database")


def full_disk(bench: Bench, original: Path, before: str, fault: Fault) -> None:
    size = original.stat().st_size
    for share in (1.3, 2, 3.5, 5):
        with fault.case(f"{share} times the size of the database"), tmpfs(bench, (int(size * share) >> 20) + 1) as folder:
            path = copied(original, Path(folder) / "guide")
            answer = migrate(bench, path)
            if share < 4:
                expect(answer.returncode == 74, f"exit {answer.returncode}")
                expect("MiB" in answer.stderr, answer.stderr)
                expect(judge(bench, path, before) == "old", "it was migrated")
            else:
                expect(answer.returncode == 0, f"exit {answer.returncode}: {answer.stderr}")
                expect_sound(bench, path)


def file_limit(bench: Bench, original: Path, before: str, fault: Fault) -> None:
    """The log cannot grow beyond a limit, wherever that is."""
    size = original.stat().st_size
    ends = []
    for share in (0.1, 0.3, 0.6, 0.9):
        with fault.case(f"{share} times the size of the database"):
            path = copied(original, bench.folder / "migration")
            limit = int(size * share)
            answer = migrate(
                bench, path, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            ends.append(answer.returncode)
            if answer.returncode != 0:
                expect(answer.returncode == 74, f"exit {answer.returncode}: {answer.stderr}")
            judge(bench, path, before)
            expect_recovery(bench, path)
    expect(74 in ends, f"the limit was never reached: {ends}")
    fault.note = f"{ends.count(74)} of {len(ends)} times reached"
