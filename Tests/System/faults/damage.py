"""Flipped bits and truncated files: no crash, a clear message, and `epg check` suggests a remedy."""

import contextlib
import shutil
import sqlite3
import subprocess
import threading
import time

from guides import Guide
from harness import Fault, Harness
from support.processes import StartFailed
from support.report import Skipped, expect
from support.times import iso_time
from workspace import Editions, Workspace

#: Exit codes that a damaged guide may cause (Documentation/exit-codes.md): 65, and 74 for a refresh; 66, 73 and 78 if the file
#: isn't recognized as a guide or has another version.
CODES = (0, 65, 66, 73, 74, 78)
#: Seconds after which a command counts as hung.
TIMEOUT = 30
#: Words that show that a message suggests a remedy.
ADVICE = ("restore", "import", "backup", "move it", "Move it", "another file", "anew", "Update epg")


def run(harness: Harness) -> None:
    guide = Guide(harness.scaled(20, 8), 3, harness.now - 86_400)
    editions = Editions(harness, "damage", guide)
    count = harness.scaled(500, 16)
    with harness.fault("a flipped bit in the database") as fault:
        damaged(harness, editions, fault, count, flip)
    with harness.fault("a truncated database") as fault:
        damaged(harness, editions, fault, count, truncate)
    with harness.fault("a backup while the service runs and the guide is refreshed") as fault:
        backups(harness, editions, fault)


def flip(harness: Harness, path) -> str:
    """Flips a random bit; with a probability of 30% in the first two pages, which hold the header and the schema."""
    size = path.stat().st_size
    offset = harness.random.randrange(8192 if harness.random.random() < 0.3 else size)
    bit = harness.random.randrange(8)
    with open(path, "r+b") as file:
        file.seek(offset)
        byte = file.read(1)[0]
        file.seek(offset)
        file.write(bytes([byte ^ 1 << bit]))
    return f"bit {bit} of byte {offset}"


def truncate(harness: Harness, path) -> str:
    """Truncates the file at a random offset; half of the time at the end of a page."""
    size = harness.random.randrange(path.stat().st_size)
    if harness.random.random() < 0.5:
        size -= size % 4096
    with open(path, "r+b") as file:
        file.truncate(size)
    return f"{size} bytes"


def damaged(harness: Harness, editions: Editions, fault: Fault, count: int, damage) -> None:
    base = editions.old.copy("clean", with_shared_memory=False)
    guide = editions.guide
    found = 0
    for turn in range(count):
        # Damages the search index in one case out of ten.
        name = "guide.sqlite-search" if turn % 10 == 9 else "guide.sqlite"
        workspace = base.copy("run")
        what = f"{name}, {damage(harness, workspace.folder / name)}"
        with fault.case(what):
            at = f"@{guide.start}"
            ends = {
                command[0]: workspace.epg(*command, timeout=TIMEOUT) for command in (
                    ("check",), ("grid", "--json", "--from", at, "--at", at, "--hours", "24", "--zone", "UTC"),
                    ("search", "lighthouse", "--at", at, "--zone", "UTC"), ("refresh",))}
            for command, end in ends.items():
                expect(end.returncode >= 0, f"epg {command}: signal {-end.returncode}")
                expect(end.returncode in CODES, f"epg {command}: exit {end.returncode}: {end.stderr.strip()[:300]}")
                if end.returncode != 0:
                    message = (end.stderr + end.stdout).strip()
                    # An index truncated to zero bytes counts as missing.
                    expect(
                        str(workspace.folder) in message or "The search index is missing" in message,
                        f"epg {command} names no file: {message[:300]}")
            check = ends["check"]
            if check.returncode != 0:
                found += 1
                message = check.stderr + check.stdout
                expect(any(word in message for word in ADVICE), f"epg check doesn't suggest a remedy: {message.strip()[:300]}")
            if turn % 25 == 0:
                served(workspace, guide)
    fault.note = f"epg check detected {found} of them"


def served(workspace: Workspace, guide: Guide) -> None:
    """Verifies that epgd doesn't crash: it refuses to start, or responds."""
    before = time.monotonic()
    try:
        with workspace.serve() as service:
            start = iso_time(guide.start)
            for path in (f"/api/v1/grid?from={start}&hours=12&rows=0-7&at={start}", "/api/v1/search?q=lighthouse", "/"):
                status = service.request(path).status
                expect(status in (200, 500, 503), f"epgd: status {status} for {path}")
            service.expect_running()
    except StartFailed as error:
        # A service that refuses to start exits by itself and at once.
        expect(error.code is not None and error.code > 0 and time.monotonic() - before < 10, str(error))


def backups(harness: Harness, editions: Editions, fault: Fault) -> None:
    """Verifies that each backup is consistent and contains exactly one edition."""
    workspace = editions.old.copy("run")
    if "  backup " not in subprocess.run([harness.epg, "--help"], capture_output=True, text=True).stdout:
        raise Skipped("this epg has no backup command")
    finished = threading.Event()

    def refresh() -> None:
        turn = 0
        while not finished.is_set():
            harness.server.body = editions.bodies[turn % 2]
            turn += 1
            workspace.epg("refresh")

    with workspace.serve() as service:
        worker = threading.Thread(target=refresh)
        worker.start()
        try:
            for turn in range(harness.scaled(50, 4)):
                with fault.case(f"backup {turn + 1}"):
                    copy = Workspace(harness, harness.subfolder("backup"))
                    workspace.succeed("backup", copy.database)
                    copy.expect_integrity()
                    with contextlib.closing(sqlite3.connect(copy.database)) as connection:
                        titles = connection.execute("SELECT title FROM programme JOIN airing ON programme_id = programme.id")
                        seen = {title.rsplit(" ", 1)[1] for (title,) in titles if " edition " in title}
                    expect(len(seen) == 1, f"editions {sorted(seen)} in one copy")
                    expect(service.request("/healthz").status == 200, "the service doesn't respond")
        finally:
            finished.set()
            worker.join()
    shutil.rmtree(workspace.folder, ignore_errors=True)
