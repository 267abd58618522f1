"""The built programs import the sample guide, show it, and serve it."""

import tempfile
from pathlib import Path

from support import SAMPLES
from support.processes import Service, run as output_of
from support.report import expect

#: 18:30 UTC, when The Ferry Choir is on at Harbour One.
EVENING = "2026-10-24T18:30:00Z"
TITLE = "The Ferry Choir"


def run(options, report) -> None:
    programs = options.programs
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder, "guide.sqlite")

        def versions() -> str:
            printed = {output_of(program, "--version").strip() for program in (programs.epg, programs.epgd)}
            expect(len(printed) == 1 and all(printed), f"{printed}")
            return printed.pop()

        def lack_locale_data() -> None:
            # ICU's data has a table for each locale; Sources/C/ICUData describes how the programs leave it out.
            for program in (programs.epg, programs.epgd):
                expect(b"zh_Hant_TW.res" not in Path(program).read_bytes(), f"{program} contains the locale data of ICU")

        def imports() -> None:
            programs.load(SAMPLES / "evening.xml", database, "evening")
            programs.load(SAMPLES / "evening.m3u", database, "evening")
            output_of(programs.epg, "check", "--database", database)

        def shows(*command: str) -> None:
            printed = output_of(programs.epg, *command, "--zone", "Europe/London", "--database", database)
            expect(TITLE in printed, f"{TITLE} is missing: {printed[:500]}")

        def serves() -> None:
            with Service(programs, database) as service:
                found = service.json("/api/v1/now", at=EVENING)
                titles = [airing["title"] for station in found["stations"] for airing in station["now"]]
                expect(TITLE in titles, f"{titles}")

        report.check("epg and epgd print the same version", versions)
        report.check("programs contain no locale data of ICU", lack_locale_data)
        report.check("epg import", imports)
        report.check("epg grid", shows, "grid", "--from", EVENING, "--at", EVENING, "--hours", "1")
        report.check("epg now", shows, "now", "--at", EVENING)
        report.check("epgd serves the guide", serves)
