"""A refresh of a feed that didn't change: no generation, nothing written but the source's state, and soon over."""

import contextlib
import hashlib
import shutil
import sqlite3
import statistics
import subprocess
import time

from frame import Bench, LeftOut, expect
from guides import Guide
from place import Place
from server import GuideServer

#: Milliseconds that a refresh may take beyond the request.
LIMIT = 50


def run(bench: Bench) -> None:
    server = GuideServer()
    rounds = bench.scaled(20, 5)
    guide = Guide(bench.scaled(200, 40), bench.scaled(7, 3), bench.now - 86_400)
    place = Place(bench, bench.subfolder("quiet"))
    server.body = guide.xml(0)
    place.done("source", "add", "nightly", server.address)
    place.done("refresh")
    for title, tags in (("304", True), ("the same bytes under another tag", False)):
        with bench.fault(f"an unchanged feed ({title}) raises no generation and writes nothing") as fault:
            before = tables(place)
            generation = place.generation()
            for turn in range(rounds):
                with fault.case(f"refresh {turn + 1}"):
                    server.tags = tags
                    place.done("refresh")
                    server.tags = True
                    expect(place.generation() == generation, f"generation {place.generation()} after {generation}")
                    after = tables(place)
                    changed = [name for name in after if after[name] != before.get(name)]
                    expect(not changed, f"changed: {', '.join(changed)}")
    with bench.fault(f"an unchanged feed takes less than {LIMIT} ms beyond the request") as fault:
        bench.need_times()
        if not shutil.which("curl"):
            raise LeftOut("curl is missing")
        place.done("refresh")
        pairs = [(timed(refresh(place)), timed(request(server))) for _ in range(rounds)]
        fault.count = rounds
        ours, curls = (statistics.median(times) for times in zip(*pairs))
        fault.note = (f"median of a refresh {ours:.1f} ms, of curl {curls:.1f} ms, beyond it {ours - curls:.1f} ms; "
                      f"{guide.programmes} programmes")
        expect(ours - curls < LIMIT, "it takes longer")
    server.close()


def refresh(place: Place) -> list[str]:
    return [str(place.bench.epg), "refresh", "--database", str(place.database)]


def request(server: GuideServer) -> list[str]:
    return ["curl", "-sS", "-o", "/dev/null", "-H", f"If-None-Match: {server.tag}", server.address]


def timed(command: list[str]) -> float:
    """Milliseconds of a command."""
    begin = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return (time.perf_counter() - begin) * 1000


def tables(place: Place) -> dict[str, str]:
    """A digest of every table of the guide and of the index for searches, but for the state of the sources."""
    digests = {}
    for name in ("guide.sqlite", "guide.sqlite-search"):
        path = place.folder / name
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            names = connection.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'").fetchall()
            for (table,) in names:
                if table != "source_state":
                    digest = hashlib.sha256()
                    for row in connection.execute(f'SELECT * FROM "{table}"'):
                        digest.update(repr(row).encode())
                    digests[f"{name} {table}"] = digest.hexdigest()
    return digests
