"""Bits that flip and files that end too early: no crash, a clear message, and `epg check` says what to do."""

import contextlib
import shutil
import sqlite3
import subprocess
import threading
import time

from frame import Bench, Fault, LeftOut, expect
from guides import Guide
from place import Editions, Place
from readers import stamp_iso
from server import GuideServer
from service import get, service

#: What a damaged guide may make a command end with (architecture.md, "The face"): 65, and 74 for a refresh; 66, 73 and 78
#: where the file is taken for none, or for one of another version.
CODES = (0, 65, 66, 73, 74, 78)
#: Seconds after which a command counts as hanging.
PATIENCE = 30
#: Words by which a message says what to do.
ADVICE = ("restore", "import", "backup", "move it", "Move it", "another file", "anew", "Update epg")


def run(bench: Bench) -> None:
    server = GuideServer()
    guide = Guide(bench.scaled(20, 8), 3, bench.now - 86_400)
    editions = Editions(bench, "damage", guide, server)
    count = bench.scaled(500, 16)
    with bench.fault("a bit of the database flips") as fault:
        damaged(bench, editions, fault, count, flip)
    with bench.fault("the database ends too early") as fault:
        damaged(bench, editions, fault, count, truncate)
    with bench.fault("a backup while the service runs and the guide is refreshed") as fault:
        backups(bench, editions, server, fault)
    server.close()


def flip(bench: Bench, path) -> str:
    """Half of them in the first two pages, where the header and the schema stand."""
    size = path.stat().st_size
    place = bench.random.randrange(8192 if bench.random.random() < 0.3 else size)
    bit = bench.random.randrange(8)
    with open(path, "r+b") as file:
        file.seek(place)
        byte = file.read(1)[0]
        file.seek(place)
        file.write(bytes([byte ^ 1 << bit]))
    return f"bit {bit} of byte {place}"


def truncate(bench: Bench, path) -> str:
    """At a page's end half of the time."""
    size = bench.random.randrange(path.stat().st_size)
    if bench.random.random() < 0.5:
        size -= size % 4096
    with open(path, "r+b") as file:
        file.truncate(size)
    return f"{size} bytes"


def damaged(bench: Bench, editions: Editions, fault: Fault, count: int, damage) -> None:
    base = editions.old.copy("clean", with_shared_memory=False)
    guide = editions.guide
    found = 0
    for turn in range(count):
        # One time in ten it is the index for searches.
        name = "guide.sqlite-search" if turn % 10 == 9 else "guide.sqlite"
        place = base.copy("run")
        what = f"{name}, {damage(bench, place.folder / name)}"
        with fault.case(what):
            at = f"@{guide.start}"
            ends = {
                command[0]: place.epg(*command, timeout=PATIENCE) for command in (
                    ("check",), ("grid", "--json", "--from", at, "--at", at, "--hours", "24", "--zone", "UTC"),
                    ("search", "lighthouse", "--at", at, "--zone", "UTC"), ("refresh",))}
            for command, end in ends.items():
                expect(end.returncode >= 0, f"epg {command}: signal {-end.returncode}")
                expect(end.returncode in CODES, f"epg {command}: exit {end.returncode}: {end.stderr.strip()[:300]}")
                if end.returncode != 0:
                    words = (end.stderr + end.stdout).strip()
                    # An index truncated to nothing counts as missing.
                    expect(
                        str(place.folder) in words or "The search index is missing" in words,
                        f"epg {command} names no file: {words[:300]}")
            check = ends["check"]
            if check.returncode != 0:
                found += 1
                words = check.stderr + check.stdout
                expect(any(word in words for word in ADVICE), f"epg check doesn't say what to do: {words.strip()[:300]}")
            if turn % 25 == 0:
                served(place, guide)
    fault.note = f"epg check found {found} of them"


def served(place: Place, guide: Guide) -> None:
    """epgd doesn't crash over it: it refuses to begin, or answers."""
    before = time.monotonic()
    try:
        with service(place) as (process, port):
            start = stamp_iso(guide.start)
            for path in (f"/api/v1/grid?from={start}&hours=12&rows=0-7&at={start}", "/api/v1/search?q=lighthouse", "/"):
                status, _ = get(port, path)
                expect(status in (200, 500, 503), f"epgd: status {status} for {path}")
            expect(process.poll() is None, f"epgd ended: {process.poll()}")
    except AssertionError as error:
        # One that refuses to begin does so at once, and by itself.
        refused = "didn't begin: exit" in str(error) and "exit None" not in str(error) and "exit -" not in str(error)
        expect(refused and time.monotonic() - before < 10, str(error))


def backups(bench: Bench, editions: Editions, server: GuideServer, fault: Fault) -> None:
    """Each copy is sound, and is one edition."""
    place = editions.old.copy("run")
    if "  backup " not in subprocess.run([bench.epg, "--help"], capture_output=True, text=True).stdout:
        raise LeftOut("this epg has no command backup")
    over = threading.Event()

    def refresh() -> None:
        turn = 0
        while not over.is_set():
            server.body = editions.bodies[turn % 2]
            turn += 1
            place.epg("refresh")

    with service(place) as (_, port):
        worker = threading.Thread(target=refresh)
        worker.start()
        try:
            for turn in range(bench.scaled(50, 4)):
                with fault.case(f"backup {turn + 1}"):
                    copy = Place(bench, bench.subfolder("backup"))
                    place.done("backup", copy.database)
                    copy.expect_integrity()
                    with contextlib.closing(sqlite3.connect(copy.database)) as connection:
                        titles = connection.execute("SELECT title FROM programme JOIN airing ON programme_id = programme.id")
                        seen = {title.rsplit(" ", 1)[1] for (title,) in titles if " edition " in title}
                    expect(len(seen) == 1, f"editions {sorted(seen)} in one copy")
                    expect(get(port, "/healthz")[0] == 200, "the service doesn't answer")
        finally:
            over.set()
            worker.join()
    shutil.rmtree(place.folder, ignore_errors=True)
