"""Imports every real guide, exports it for players, and compares the airings that a player keeps with the guide.

The player is Kodi 20 with pvr.iptvsimple: it skips programmes without a start or a stop, keeps the last of a channel's
programmes with the same start, deletes a programme that ends no later than its predecessor, and truncates a programme when
the next one starts.
"""

import datetime
import sqlite3
import subprocess
import tempfile
import xml.etree.ElementTree
from pathlib import Path

from guides import guides
from support.processes import run as output_of
from support.report import Skipped, expect

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


def comparison(epg: Path, guide: Path) -> str:
    """Compares one guide and returns the number of its airings."""
    with tempfile.TemporaryDirectory() as working:
        database, feed = Path(working) / "guide.sqlite", Path(working) / "guide.xml"
        imported = subprocess.run(
            [epg, "import", guide, "--partial", "--source", "player", "--database", database], stdin=subprocess.DEVNULL,
            capture_output=True, text=True)
        if imported.returncode:
            raise Skipped((imported.stderr.strip().splitlines() or [f"exit code {imported.returncode}"])[-1])
        output_of(epg, "export", "--output", feed, "--database", database)
        wanted = shown(database)
        found = len(wanted & kept(feed))
    expect(found == len(wanted), f"the player has {found:,} of {len(wanted):,} airings")
    return f"{found:,} airings"


def run(options, report) -> None:
    for guide in guides(options.guides):
        report.check(str(guide.relative_to(options.guides)), comparison, options.programs.epg, guide)
