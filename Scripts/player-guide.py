#!/usr/bin/env python3
"""Imports every guide of a folder, exports it for players, and compares the airings that a player keeps with the guide.

    player-guide.py EPG FOLDER [--times published]

The player is Kodi 20 with pvr.iptvsimple: it skips programmes without a start or a stop, keeps the last of a channel's
programmes with the same start, deletes a programme that ends no later than its predecessor, and truncates a programme when
the next one starts. Prints for each guide how many of its airings the player has with the same times, and skips files that
aren't guides. Exits with 1 if a player lacks an airing, an export fails or there was no guide. `make player-test` calls it.
"""

import datetime
import sqlite3
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from pathlib import Path

from guides import guides

#: An airing's station, start, stop and title, if any.
SHOWN = """
    SELECT s.feed_id, a.start, a.stop, p.title,
        row_number() OVER slot - 1, count(*) OVER (PARTITION BY a.station_id, a.start)
    FROM airing a JOIN station s ON s.id = a.station_id JOIN programme p ON p.id = a.programme_id
    WINDOW slot AS (PARTITION BY a.station_id, a.start ORDER BY a.part)
    """
EPOCH = datetime.datetime(1970, 1, 1)


def shown(database: Path) -> set[tuple]:
    """Returns the airings of the guide: members of a clump have equal shares of its window, in full seconds, at least one."""
    with sqlite3.connect(database) as connection:
        rows = connection.execute(SHOWN).fetchall()
    airings = set()
    for station, start, stop, title, position, count in rows:
        length = stop - start
        begin, end = start + length * position // count, start + length * (position + 1) // count
        if begin < end:
            airings.add((station, begin, end, title or ""))
    return airings


def seconds(time: str) -> int:
    assert time.endswith(" +0000"), time
    return int((datetime.datetime.strptime(time[:14], "%Y%m%d%H%M%S") - EPOCH).total_seconds())


def kept(feed: Path) -> set[tuple]:
    """Returns the broadcasts that the player keeps from a feed."""
    entries: dict[str, dict[int, tuple]] = {}
    for _, element in xml.etree.ElementTree.iterparse(feed):
        if element.tag != "programme":
            continue
        start, stop, station = (element.get(name) for name in ("start", "stop", "channel"))
        if start and stop and station is not None:
            title = element.find("title")
            text = "" if title is None else "".join(title.itertext())
            entries.setdefault(station, {})[seconds(start)] = (seconds(stop), text)
        element.clear()
    broadcasts = set()
    for station, programmes in entries.items():
        row: list[list] = []
        for start, (stop, title) in sorted(programmes.items()):
            if row and row[-1][1] >= stop:
                continue
            if row and row[-1][1] > start:
                row[-1][1] = start
            row.append([start, stop, title])
        broadcasts.update((station, *broadcast) for broadcast in row)
    return broadcasts


def run(*command: str) -> str | None:
    """Runs a command and returns the last line of its standard error if it fails."""
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
    if result.returncode == 0:
        return None
    return (result.stderr.decode(errors="replace").strip().splitlines() or [f"exit code {result.returncode}"])[-1]


def main() -> int:
    epg, folder, options = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
    counts, failures = [0, 0, 0], 0
    for guide in guides(folder):
        with tempfile.TemporaryDirectory() as working:
            database, feed = Path(working) / "guide.sqlite", Path(working) / "guide.xml"
            name = guide.relative_to(folder)
            if reason := run(epg, "import", str(guide), "--partial", "--source", "player", "--database", str(database)):
                print(f"skipped {name}: {reason}", flush=True)
                continue
            if reason := run(epg, "export", "--output", str(feed), "--database", str(database), *options):
                failures += 1
                print(f"FAILED  {name}: {reason}", flush=True)
                continue
            wanted = shown(database)
            found = len(wanted & kept(feed))
        if wanted:
            counts = [counts[0] + 1, counts[1] + found, counts[2] + len(wanted)]
            mark = "ok     " if found == len(wanted) else "FAILED "
            print(f"{mark} {name}: {found:,} of {len(wanted):,}", flush=True)
    print(f"{counts[0]} guides: {counts[1]:,} of {counts[2]:,}")
    return 0 if counts[0] and counts[1] == counts[2] and not failures else 1


if __name__ == "__main__":
    sys.exit(main())
