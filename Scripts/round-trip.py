#!/usr/bin/env python3
"""Imports every guide of a folder, exports it, imports the export, and compares the databases. `make round-trip` calls it.

    round-trip.py EPG FOLDER [WORKING-FOLDER]

Stations, airings, programmes and transmissions must be equal; identifiers, the log and diagnostics may differ. Exits with 1 if
anything else differs.
"""

import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

from guides import guides, lines

TABLES = {
    "station": "SELECT feed_id, name, number, hex(document), ordinal, position FROM station ORDER BY feed_id",
    "airing": """
        SELECT s.feed_id, a.start, a.part, a.parts, a.stop, a.inferred, a.published_start, a.published_stop,
               p.title, p.subtitle, p.category, p.description, hex(p.document), hex(t.attributes)
        FROM airing a JOIN station s ON s.id = a.station_id JOIN programme p ON p.id = a.programme_id
        LEFT JOIN transmission t ON t.id = a.transmission_id ORDER BY s.feed_id, a.start, a.part
        """,
    "coverage": """
        SELECT s.feed_id, c.start, c.stop FROM coverage c JOIN station s ON s.id = c.station_id ORDER BY s.feed_id
        """,
    "header": "SELECT hex(header) FROM source_state",
}


def run(*command: str) -> subprocess.CompletedProcess:
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def rows(database: Path, query: str) -> list[tuple]:
    with sqlite3.connect(database) as connection:
        return connection.execute(query).fetchall()


def difference(first: Path, second: Path) -> str | None:
    """Returns the first rows that differ, or None."""
    for table, query in TABLES.items():
        one, two = rows(first, query), rows(second, query)
        # If the source has no header, the export contains the name of the program that wrote it.
        if table == "header" and one in ([], [("",)], [(b"{}".hex().upper(),)]):
            continue
        if one == two:
            continue
        only = [row for row in one if row not in set(two)] or [row for row in two if row not in set(one)]
        return f"{table}: {len(one)} rows and {len(two)}; {str(only[:2])[:600]}"
    return None


def trip(epg: str, guide: Path, form: str, folder: Path) -> str | None:
    """Runs the round trip of one guide and returns the failure, or None."""
    for file in folder.iterdir():
        file.unlink()
    first, second, exported = folder / "first.sqlite", folder / "second.sqlite", folder / f"exported.{form}"
    done = run(epg, "import", str(guide), "--partial", "--source", "trip", "--database", str(first))
    if done.returncode:
        return f"import: {done.stderr.strip()[:300]}"
    done = run(epg, "export", "--format", form, "--times", "published", "--output", str(exported), "--database", str(first))
    if done.returncode:
        return f"export: {done.stderr.strip()[:300]}"
    done = run(epg, "import", str(exported), "--source", "trip", "--strict", "--database", str(second))
    if done.returncode:
        return f"import of the export: {done.stderr.strip()[:300]}"
    return difference(first, second)


def main() -> int:
    epg, folder = sys.argv[1], Path(sys.argv[2])
    failures, passed, skipped = [], 0, 0
    with tempfile.TemporaryDirectory(dir=sys.argv[3] if len(sys.argv) > 3 else None) as working:
        for guide in guides(folder):
            result = lines(run(epg, "validate", "--json", "--partial", str(guide)).stdout)
            # Skip playlists and files that are not guides.
            if not result or result[0].get("refusal"):
                skipped += 1
                continue
            for form in ("xmltv", "json"):
                failure = trip(epg, guide, form, Path(working))
                if failure:
                    failures.append(f"{guide.relative_to(folder)} as {form}: {failure}")
                    print(f"FAILED {failures[-1]}", flush=True)
                else:
                    passed += 1
    print(f"{passed} round trips passed, {len(failures)} failed; {skipped} files are not guides")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
