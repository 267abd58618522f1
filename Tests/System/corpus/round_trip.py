"""Imports every real guide, exports it, imports the export, and compares the databases.

Stations, airings, programmes and transmissions must be equal; identifiers, the log and diagnostics may differ. XMLTV has no C1
controls: the export writes the characters of windows-1252 that most of them were. The parts of a clump are joined by their common window,
so that the export has no earlier stop of one of them (Rules.md, rule 20).
"""

import re
import sqlite3
import subprocess
import tempfile
from pathlib import Path

from guides import guides, lines
from support.report import expect

TABLES = {
    "station": "SELECT feed_id, name, number, hex(document), ordinal, position FROM station ORDER BY feed_id",
    "airing": """
        SELECT s.feed_id, a.start, a.part, a.parts, a.stop, a.inferred,
               iif(a.parts > 1 AND coalesce(a.published_stop, 0) < a.stop, NULL, a.published_start),
               iif(a.parts > 1 AND coalesce(a.published_stop, 0) < a.stop, NULL, a.published_stop),
               p.title, p.subtitle, p.category, p.description, p.genre, hex(p.document), hex(t.attributes)
        FROM airing a JOIN station s ON s.id = a.station_id JOIN programme p ON p.id = a.programme_id
        LEFT JOIN transmission t ON t.id = a.transmission_id ORDER BY s.feed_id, a.start, a.part
        """,
    "coverage": """
        SELECT s.feed_id, c.start, c.stop FROM coverage c JOIN station s ON s.id = c.station_id ORDER BY s.feed_id
        """,
    "header": "SELECT hex(header) FROM source_state",
}


def succeed(*command: object) -> None:
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    expect(result.returncode == 0, f"epg {command[1]}: {result.stderr.strip()[:300]}")


def rows(database: Path, query: str) -> list[tuple]:
    with sqlite3.connect(database) as connection:
        return connection.execute(query).fetchall()


def without_controls(value: object) -> object:
    """Returns a text, or a JSON document in hexadecimal, with the characters of windows-1252 instead of C1 controls."""
    if not isinstance(value, str):
        return value
    if re.fullmatch("7B([0-9A-F]{2})*7D", value):
        document = re.sub(r"\\u00[89][0-9a-fA-F]", lambda code: chr(int(code[0][2:], 16)), bytes.fromhex(value).decode())
        return without_controls(document).encode().hex().upper()
    return re.sub("[\x80-\x9f]", lambda control: bytes([ord(control[0])]).decode("cp1252", "ignore"), value)


def difference(first: Path, second: Path, form: str) -> str | None:
    """Returns the first rows that differ, or None."""
    for table, query in TABLES.items():
        one, two = rows(first, query), rows(second, query)
        if form == "xmltv":
            one = [tuple(map(without_controls, row)) for row in one]
        # If the source has no header, the export contains the name of the program that wrote it.
        if table == "header" and one in ([], [("",)], [(b"{}".hex().upper(),)]):
            continue
        if one == two:
            continue
        only = [row for row in one if row not in set(two)] or [row for row in two if row not in set(one)]
        return f"{table}: {len(one)} rows and {len(two)}; {str(only[:2])[:600]}"
    return None


def trip(epg: Path, guide: Path, form: str) -> None:
    with tempfile.TemporaryDirectory() as working:
        folder = Path(working)
        first, second, exported = folder / "first.sqlite", folder / "second.sqlite", folder / f"exported.{form}"
        succeed(epg, "import", guide, "--partial", "--source", "trip", "--database", first)
        succeed(epg, "export", "--format", form, "--times", "published", "--output", exported, "--database", first)
        succeed(epg, "import", exported, "--source", "trip", "--strict", "--database", second)
        found = difference(first, second, form)
    expect(found is None, f"{found}")


def run(options, report) -> None:
    others = 0
    epg = options.programs.epg
    for guide in guides(options.guides):
        validated = subprocess.run(
            [epg, "validate", "--json", "--partial", guide], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        result = lines(validated.stdout)
        # Skip playlists and files that are not guides.
        if not result or result[0].get("refusal"):
            others += 1
            continue
        for form in ("xmltv", "json"):
            report.check(f"{guide.relative_to(options.guides)} as {form}", trip, epg, guide, form)
    print(f"{others} files are not guides")
