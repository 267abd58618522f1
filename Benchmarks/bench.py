#!/usr/bin/env python3
"""Measures epg against its yardsticks and prints a table; exit 1 where a limit is passed. `run.sh` calls it.

    bench.py --epg PROGRAM --programs FOLDER --guide GUIDE.xml --folder FOLDER [--quick]

Everything that is compared runs by turns in one run. Scratch files go to --folder.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

import browsing
from measuring import YARDSTICKS, Cost, by_turns, largest_resident, measure, median_cpu, median_wall
from scoreboard import Figure, ratio, seconds, table

HERE = Path(__file__).parent
#: When the guides of make_guide.c begin and end.
GENERATED_RANGE = ["1792800000", str(1792800000 + 14 * 86_400)]
#: What an import of the same guide may write: the log of imports and the source's own state, no table of the guide.
WRITABLE = {"import", "import_by_source", "diagnostic", "source_state"}


def say(text: str) -> None:
    """Words for whoever waits."""
    print(text, file=sys.stderr, flush=True)


def output(*command: str | Path) -> str:
    """What a command writes; where it fails, all ends."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"exit {done.returncode}: {' '.join(map(str, command))}")
    return done.stdout


class Bench:
    """Where everything stands, and how long to measure."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.epg, self.guide, self.is_quick = options.epg, options.guide, options.quick
        self.programs, self.folder = Path(options.programs), Path(options.folder)
        self.database = self.folder / "guide.sqlite"

    # --- Reading and importing

    def import_command(self, *options: str) -> list[str]:
        return [self.epg, "import", self.guide, *options, "--database", str(self.database)]

    def remove_database(self) -> None:
        for file in self.folder.glob("guide.sqlite*"):
            file.unlink()

    def imports(self) -> list[Figure]:
        rounds = 3 if self.is_quick else 5
        say(f"reading and importing {Path(self.guide).name}, {rounds} times by turns")
        costs: dict[str, list[Cost]] = {"parse": [], "read": [], "import": [], "again": []}
        for number, name in by_turns(["parse", "read", "import"], rounds):
            if name == "import":
                self.remove_database()
                first = measure(self.import_command(), watches_output=True)
                found = [("import", first), ("again", measure(self.import_command()))]
            elif name == "parse":
                found = [(name, measure([str(YARDSTICKS / "expat_parse"), self.guide]))]
            else:
                found = [(name, measure([str(self.programs / "reader-benchmark"), self.guide]))]
            for key, cost in found:
                if number > 0:
                    costs[key].append(cost)
        walls = [cost.wall_seconds for cost in costs["parse"]]
        say(f"  libexpat took {min(walls):.3f} to {max(walls):.3f} s: the nearer, the quieter the machine")
        parse, parse_cpu = median_wall(costs["parse"]), median_cpu(costs["parse"])
        committed = statistics.median(cost.first_output_seconds for cost in costs["import"])
        resident = max(largest_resident(costs["import"]), largest_resident(costs["again"])) / 1e6
        return [
            ratio("reader alone / libexpat", median_wall(costs["read"]), parse, 0.35),
            # The report is written as soon as the guide is committed.
            ratio("import, guide committed / libexpat", committed, parse, 1.2, aim=0.8),
            ratio("import, search index too / libexpat", median_wall(costs["import"]), parse, 2.4, aim=1.5),
            Figure("import, largest resident set", f"{resident:.0f} MB", "", resident, 150, "MB"),
            ratio("the same import again / libexpat", median_wall(costs["again"]), parse, 0.6),
            ratio("CPU: import, search index too / libexpat", median_cpu(costs["import"]), parse_cpu, 3.0, aim=2.0),
            ratio("CPU: the same import again / libexpat", median_cpu(costs["again"]), parse_cpu, 0.7),
        ]

    def unchanged(self) -> Figure:
        """What the second import of the same guide writes, by pages of the database."""
        self.remove_database()
        output(*self.import_command())
        before, search = self.folder / "before", Path(f"{self.database}-search")
        shutil.copyfile(self.database, before)
        before_search = search.read_bytes()
        report = json.loads(output(*self.import_command("--json")))
        size = int(output("sqlite3", "-readonly", self.database, "PRAGMA page_size"))
        tables = dict(
            line.split("|")
            for line in output("sqlite3", "-readonly", self.database, "SELECT pageno, name FROM dbstat").splitlines()
        )
        changed = 0
        with open(before, "rb") as old, open(self.database, "rb") as new:
            number = 0
            # The first page has the file's own counters.
            while page := new.read(size):
                number += 1
                if old.read(size) != page and number > 1 and tables.get(str(number)) not in WRITABLE | {None}:
                    changed += 1
        if report["outcome"]["changedGuide"] or search.read_bytes() != before_search:
            changed = max(changed, 1)
        before.unlink()
        return Figure("the same import again, pages of the guide written", str(changed), "", changed, 0, "pages")

    # --- Viewports

    def viewports(self) -> list[Figure]:
        sizes = {"large": 2_000 if self.is_quick else 20_000, "small": 200}
        for name, stations in sizes.items():
            say(f"making a guide of {stations} stations")
            schema = HERE.parent / "schema.sql"
            output(YARDSTICKS / "make_guide", self.folder / f"{name}.sqlite", schema, str(stations))
        rounds = 3 if self.is_quick else 7
        say(f"asking for viewports, {rounds} times by turns")
        medians: dict[str, list[float]] = {"store large": [], "C large": [], "store small": []}
        answers: dict[str, set[str]] = {name: set() for name in medians}
        for number, name in by_turns(list(medians), rounds):
            program, size = name.split()
            store = [self.programs / "viewport-benchmark", self.folder / f"{size}.sqlite"]
            yardstick = [
                YARDSTICKS / "viewport_seeks", self.folder / f"{size}.sqlite", HERE / "yardsticks" / "viewport.sql",
            ]
            microseconds, answer = output(*(store if program == "store" else yardstick), *GENERATED_RANGE).split(" ", 1)
            answers[name].add(answer)
            if number > 0:
                medians[name].append(float(microseconds) / 1e6)
        if len(answers["store large"] | answers["C large"]) != 1:
            sys.exit(f"the store and its yardstick answered differently: {answers}")
        browsing = self.browsing(sizes)
        for name in sizes:
            (self.folder / f"{name}.sqlite").unlink()
        large, plain, small = (statistics.median(medians[name]) for name in medians)
        return browsing + [
            ratio(f"viewport of {sizes['large']} stations / the same seeks in C", large, plain, 2.0),
            ratio(f"viewport of {sizes['large']} stations / of {sizes['small']}", large, small, 1.5),
        ]

    # --- The guide in a terminal

    def browsing(self, sizes: dict[str, int]) -> list[Figure]:
        """`epg browse` in a terminal of 120 columns and 40 rows: from a key to the end of its frame."""
        rounds, steps = (2, 2_000) if self.is_quick else (5, 10_000)
        say(f"browsing, {rounds} times by turns")
        moment = int(GENERATED_RANGE[0]) + 7 * 86_400
        commands = {
            name: [
                self.epg, "browse", "--zone", "UTC", "--at", f"@{moment}", "--database", self.folder / f"{name}.sqlite",
            ]
            for name in sizes
        }
        grid = [
            str(self.epg), "grid", "--zone", "UTC", "--at", f"@{moment}", "--rows", "0-17", "--width", str(browsing.COLUMNS),
            "--style", "detailed", "--database", str(self.folder / "large.sqlite"),
        ]
        durations: dict[str, list[float]] = {name: [] for name in sizes}
        firsts: list[float] = []
        grids: list[Cost] = []
        for number, name in by_turns([*sizes, "grid"], rounds):
            if name == "grid":
                grids += [measure(grid) for _ in range(5)] if number > 0 else []
                continue
            found, _, first = browsing.walk(commands[name], 150)
            if number > 0:
                durations[name] += found
                firsts += [first] if name == "large" else []
        large, small = (statistics.median(durations[name]) for name in sizes)
        counts = browsing.arrows(commands["large"], 25)
        growth = browsing.growth(commands["large"], steps) / 1e6
        return [
            Figure(f"epg browse, a step of {sizes['large']} stations", seconds(large), "", large * 1e3, 4, "ms"),
            ratio(f"epg browse, a step of {sizes['large']} stations / of {sizes['small']}", large, small, 1.3),
            ratio("epg browse, first screen / epg grid", statistics.median(firsts), median_wall(grids), 1.5),
            Figure(
                "epg browse, bytes of an arrow key", f"{max(counts)} at most", "", statistics.mean(counts), 2000, "bytes"),
            Figure(f"epg browse, growth over {steps} steps", f"{growth:.1f} MB", "", growth, 4, "MB"),
        ]

    # --- Rows

    def rows(self) -> list[Figure]:
        """What rows cost where the store goes below GRDB, as a share of what they cost through it."""
        rounds = 3 if self.is_quick else 5
        say(f"writing and reading rows, {rounds} times by turns")
        names = [f"{task} {way}" for task in ("insert", "read") for way in ("raw", "grdb")]
        durations: dict[str, list[float]] = {name: [] for name in names}
        answers: dict[str, set[str]] = {"insert": set(), "read": set()}
        for number, name in by_turns(names, rounds):
            microseconds, answer = output(self.programs / "row-benchmark", *name.split()).split()
            answers[name.split()[0]].add(answer)
            if number > 0:
                durations[name].append(float(microseconds) / 1e6)
        if any(len(found) != 1 for found in answers.values()):
            sys.exit(f"rows differ: {answers}")
        median = {name: statistics.median(found) for name, found in durations.items()}
        return [
            ratio("a row inserted by SQLite's functions / by GRDB", median["insert raw"], median["insert grdb"], 0.9),
            ratio("a row read by SQLite's functions / by GRDB", median["read raw"], median["read grdb"], 0.9),
        ]

    # --- Layout

    def layouts(self) -> list[Figure]:
        """Scrolling through a guide that is made while it is looked at, in the grid alone and in a collection view."""
        rounds = 3 if self.is_quick else 7
        say(f"scrolling, {rounds} times by turns")
        ways = {"grid": "the grid", "varied": "the grid with groups and several heights", "view": "the view"}
        names = [f"{way} {stations}" for way in ways for stations in (20_000, 200)]
        medians: dict[str, list[float]] = {name: [] for name in names}
        growths: dict[str, list[int]] = {name: [] for name in names}
        attributes = set()
        for number, name in by_turns(names, rounds):
            microseconds, most, growth = output(self.programs / "layout-benchmark", *name.split()).split()
            if not name.startswith("varied"):
                attributes.add(most)
            if number > 0:
                medians[name].append(float(microseconds) / 1e6)
                growths[name].append(int(growth))
        if len(attributes) != 1:
            sys.exit(f"grid and view showed different numbers of elements: {attributes}")
        step = {name: statistics.median(found) for name, found in medians.items()}
        figures = []
        for way, words in ways.items():
            large, small = step[f"{way} 20000"], step[f"{way} 200"]
            figures += [
                Figure(f"scroll step of {words}, 20000 stations", seconds(large), "", large * 1e6, 100, "µs"),
                ratio(f"scroll step of {words}, 20000 stations / 200", large, small, 1.3),
            ]
        growth = max(max(found) for found in growths.values())
        figures.append(Figure("memory after 5000 jumps through the guide", f"{growth} kB", "", growth, 1024, "kB"))
        return figures

    # --- Now

    def now(self, name: str, database: Path, runs: int) -> Figure:
        """`epg now` against sqlite3, at the middle of a guide, where most is on."""
        middle = output(
            "sqlite3", "-readonly", database,
            "SELECT start FROM airing ORDER BY start LIMIT 1 OFFSET (SELECT count(*) / 2 FROM airing)",
        ).strip()
        text = (HERE / "yardsticks" / "now_and_next.sql").read_text()
        # sqlite3 takes an argument that begins with a hyphen for an option.
        query = "\n" + text.replace(":at", middle)
        ours = [self.epg, "now", "--at", f"@{middle}", "--database", str(database)]
        yardstick = ["sqlite3", "-readonly", str(database), query]
        rows = self.check_now([*ours, "--json"], ["sqlite3", "-readonly", "-json", str(database), query])
        say(f"asking what is on in {rows} rows, {runs} times by turns")
        costs: dict[str, list[Cost]] = {"epg": [], "sqlite3": []}
        for number, program in by_turns(list(costs), runs):
            cost = measure(ours if program == "epg" else yardstick)
            if number > 0:
                costs[program].append(cost)
        return ratio(f"epg now, {name} ({rows} rows) / sqlite3", *(median_wall(some) for some in costs.values()), 3.0)

    def check_now(self, ours: list[str], yardstick: list[str]) -> int:
        """Makes sure that both give the same titles for the same stations; returns the number of rows."""
        found = []
        for row in json.loads(output(*ours)):
            upcoming = row["next"]["title"] if "next" in row else None
            for airing in row["now"] or [{}]:
                found.append((row["stationName"], airing.get("title"), airing.get("subtitle"), upcoming))
        columns = ("name", "title", "subtitle", "next_title")
        expected = [tuple(row[column] for column in columns) for row in json.loads(output(*yardstick))]
        if found != expected:
            sys.exit("epg now and sqlite3 answered differently")
        return len(found)

    def small_database(self) -> Path:
        database = self.folder / "sample.sqlite"
        output(self.epg, "import", str(HERE.parent / "sample-data" / "evening.xml"), "--database", str(database))
        return database


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures epg against its yardsticks.")
    parser.add_argument("--epg", required=True, help="the built epg")
    parser.add_argument("--programs", required=True, help="the folder of the built benchmark programs")
    parser.add_argument("--guide", required=True, help="the guide to import, UTF-8 and not compressed")
    parser.add_argument("--folder", required=True, help="for scratch files, 1.2 GB at most")
    parser.add_argument("--quick", action="store_true", help="fewer rounds, and viewports of a tenth of the stations")
    options = parser.parse_args()
    bench = Bench(options)
    figures = bench.imports()
    figures.append(bench.unchanged())
    figures.append(bench.now("this guide", bench.database, 20 if options.quick else 100))
    figures.append(bench.now("sample guide", bench.small_database(), 50 if options.quick else 300))
    figures += bench.viewports()
    figures += bench.rows()
    figures += bench.layouts()
    print(table(figures))
    missed = sum(not figure.is_met for figure in figures)
    if missed:
        sys.exit(f"{missed} of {len(figures)} limits are missed")


if __name__ == "__main__":
    main()
