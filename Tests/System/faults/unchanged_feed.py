"""A refresh of an unchanged feed: no new generation, no writes except the source's state, and little time."""

import contextlib
import sqlite3
import statistics
import subprocess
import time

from guides import Guide
from harness import Harness
from support.report import expect, need
from workspace import Workspace, digest_of

#: Maximum milliseconds of a refresh in addition to the request.
LIMIT = 50


def run(harness: Harness) -> None:
    rounds = harness.scaled(20, 5)
    guide = Guide(harness.scaled(200, 40), harness.scaled(7, 3), harness.now - 86_400)
    workspace = Workspace.with_source(harness, "unchanged", guide.xml(0))
    for title, tags in (("304", True), ("the same bytes with a new tag", False)):
        with harness.fault(f"an unchanged feed ({title}) causes no new generation and no writes") as fault:
            before = tables(workspace)
            generation = workspace.generation()
            for turn in range(rounds):
                with fault.case(f"refresh {turn + 1}"):
                    harness.server.tags = tags
                    workspace.succeed("refresh")
                    harness.server.tags = True
                    expect(workspace.generation() == generation, f"generation {workspace.generation()} after {generation}")
                    after = tables(workspace)
                    changed = [name for name in after if after[name] != before.get(name)]
                    expect(not changed, f"changed: {', '.join(changed)}")
    with harness.fault(f"an unchanged feed takes less than {LIMIT} ms in addition to the request") as fault:
        harness.require_timing()
        need("curl")
        workspace.succeed("refresh")
        pairs = [(timed(refresh(workspace)), timed(request(harness))) for _ in range(rounds)]
        fault.count = rounds
        ours, curls = (statistics.median(times) for times in zip(*pairs))
        fault.note = (f"median of a refresh {ours:.1f} ms, of curl {curls:.1f} ms, the difference {ours - curls:.1f} ms; "
                      f"{guide.programmes} programmes")
        expect(ours - curls < LIMIT, "the refresh takes longer")


def refresh(workspace: Workspace) -> list[str]:
    return [str(workspace.harness.epg), "refresh", "--database", str(workspace.database)]


def request(harness: Harness) -> list[str]:
    return ["curl", "-sS", "-o", "/dev/null", "-H", f"If-None-Match: {harness.server.tag}", harness.server.url]


def timed(command: list[str]) -> float:
    """Returns the milliseconds that a command takes."""
    begin = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return (time.perf_counter() - begin) * 1000


def tables(workspace: Workspace) -> dict[str, str]:
    """Returns a digest of every table of the guide and of the search index, except for the sources' state."""
    digests = {}
    for name in ("guide.sqlite", "guide.sqlite-search"):
        path = workspace.folder / name
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            names = connection.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'").fetchall()
            for (table,) in names:
                if table != "source_state":
                    digests[f"{name} {table}"] = digest_of(connection.execute(f'SELECT * FROM "{table}"'))
    return digests
