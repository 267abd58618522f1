"""epg migrate: after a kill at any time or on a full disk, the old database is intact and the next migration succeeds."""

import contextlib
import gzip
import resource
import shutil
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

from disk import tmpfs
from harness import Fault, Harness
from support import ROOT
from support.report import expect
from workspace import digest_of

FIXTURE = ROOT / "Tests/EPGStoreTests/Schema/Fixtures/guide-9.sqlite.gz"


def run(harness: Harness) -> None:
    original = harness.folder / "version-9.sqlite"
    make(original, harness.scaled(300, 40))
    before = digest(original)
    with harness.fault("kill -9 at random moments of a migration") as fault:
        kills(harness, original, before, fault)
    with harness.fault("no space for a migration") as fault:
        full_disk(harness, original, before, fault)
    with harness.fault("a file size limit during a migration") as fault:
        file_limit(harness, original, before, fault)


def make(path: Path, copies: int) -> None:
    """Creates a database of version 9 with `copies` additional copies of its programmes."""
    path.write_bytes(gzip.decompress(FIXTURE.read_bytes()))
    with sqlite3.connect(path) as database:
        step = database.execute("SELECT next_programme FROM guide").fetchone()[0]
        for copy in range(1, copies + 1):
            database.execute(
                "INSERT INTO programme SELECT id + ?, title, subtitle, category, description, is_new, is_premiere, is_live, document, is_derived "
                "FROM programme WHERE id < ?",
                (copy * step, step))
            database.execute(
                "INSERT INTO programme_digest SELECT first_id + ?, digests FROM programme_digest WHERE first_id < ?", (copy * step, step))
        database.execute("UPDATE guide SET next_programme = ?", ((copies + 1) * step,))
    database.close()


def digest(path: Path) -> str:
    """Returns a digest of all rows of a database of version 9."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        names = database.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'grdb_migrations' ORDER BY name").fetchall()
        return digest_of((name, row) for (name,) in names for row in database.execute(f"SELECT * FROM {name}"))


def version(path: Path) -> int:
    database = sqlite3.connect(path)
    found = database.execute("PRAGMA user_version").fetchone()[0]
    database.close()
    return found


def current_version(harness: Harness) -> int:
    """Returns the schema version of a new database."""
    path = harness.folder / "new.sqlite"
    if not path.exists():
        subprocess.run([harness.epg, "import", "/dev/stdin", "--database", path], input=b"<tv/>", check=True, capture_output=True)
    return version(path)


def copied(original: Path, folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return Path(shutil.copy(original, folder / "guide.sqlite"))


def verify(harness: Harness, path: Path, before: str) -> str:
    """Verifies that the database is the complete old one or the complete new one, and returns which."""
    if version(path) == 9:
        expect(digest(path) == before, "the old database changed")
        return "old"
    expect_sound(harness, path)
    return "new"


def expect_sound(harness: Harness, path: Path) -> None:
    result = subprocess.run([harness.epg, "check", "--database", path], capture_output=True, text=True, timeout=600)
    expect(result.returncode == 0, f"check: exit {result.returncode}: {result.stdout[-300:]} {result.stderr[-300:]}")


def migrate(harness: Harness, path: Path, **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        [harness.epg, "migrate", "--database", path], capture_output=True, text=True, timeout=600, **options)


def expect_recovery(harness: Harness, path: Path) -> None:
    result = migrate(harness, path)
    expect(result.returncode == 0, f"the next migration: exit {result.returncode}: {result.stderr}")
    expect(version(path) == current_version(harness), "the next migration did not change the version")
    expect_sound(harness, path)


def kills(harness: Harness, original: Path, before: str, fault: Fault) -> None:
    path = copied(original, harness.folder / "migration")
    begin = time.monotonic()
    expect_recovery(harness, path)
    path = copied(original, harness.folder / "migration")
    begin = time.monotonic()
    expect(migrate(harness, path).returncode == 0, "the migration failed")
    duration = time.monotonic() - begin
    seen = {"old": 0, "new": 0}
    for number in range(harness.scaled(50, 6)):
        delay = harness.random.uniform(0, duration)
        with fault.case(f"after {delay:.3f} of {duration:.3f} s"):
            path = copied(original, harness.folder / "migration")
            process = subprocess.Popen(
                [harness.epg, "migrate", "--database", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
            process.wait(timeout=60)
            seen[verify(harness, path, before)] += 1
            expect_recovery(harness, path)
    fault.note = f"{seen['old']} times the old database, {seen['new']} times the new one"
    expect(seen["old"] > 0, "no kill left the old database")


def full_disk(harness: Harness, original: Path, before: str, fault: Fault) -> None:
    size = original.stat().st_size
    for share in (1.3, 2, 2.5, 4):
        with fault.case(f"{share} times the size of the database"), tmpfs(harness, (int(size * share) >> 20) + 1) as folder:
            path = copied(original, Path(folder) / "guide")
            result = migrate(harness, path)
            if share < 3:
                expect(result.returncode == 74, f"exit {result.returncode}")
                expect("MiB" in result.stderr, result.stderr)
                expect(verify(harness, path, before) == "old", "the database was migrated")
            else:
                expect(result.returncode == 0, f"exit {result.returncode}: {result.stderr}")
                expect_sound(harness, path)


def file_limit(harness: Harness, original: Path, before: str, fault: Fault) -> None:
    """Limits the size of the write-ahead log to several shares of the database size."""
    size = original.stat().st_size
    ends = []
    for share in (0.1, 0.3, 0.6, 0.9):
        with fault.case(f"{share} times the size of the database"):
            path = copied(original, harness.folder / "migration")
            limit = int(size * share)
            result = migrate(
                harness, path, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            ends.append(result.returncode)
            if result.returncode != 0:
                expect(result.returncode == 74, f"exit {result.returncode}: {result.stderr}")
            verify(harness, path, before)
            expect_recovery(harness, path)
    expect(74 in ends, f"the limit was never reached: {ends}")
    fault.note = f"the limit was reached in {ends.count(74)} of {len(ends)} cases"
