#!/usr/bin/env python3
"""Compares epg with its yardsticks and prints a table; exits with 1 if a limit is exceeded. `run.sh` calls it.

    bench.py --epg PROGRAM --programs FOLDER --guide GUIDE.xml --folder FOLDER [--quick]

Compared commands alternate in one run. Scratch files go to --folder.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

import browsing
from measuring import YARDSTICKS, Cost, interleaved, largest_resident, measure, median_cpu, median_wall
from scoreboard import Figure, ratio, seconds, table

HERE = Path(__file__).parent
#: Start and end of the guides of make_guide.c.
GENERATED_RANGE = ["1792800000", str(1792800000 + 14 * 86_400)]
#: Tables that a repeated import may change: the log of imports and the source's state, but no table of the guide.
WRITABLE = {"import", "import_by_source", "diagnostic", "source_state"}


def progress(text: str) -> None:
    """Prints a progress message on standard error."""
    print(text, file=sys.stderr, flush=True)


def output(*command: str | Path) -> str:
    """Returns the output of a command; exits if it fails."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"exit {done.returncode}: {' '.join(map(str, command))}")
    return done.stdout


class BenchmarkSuite:
    """The paths and the duration of the benchmarks."""

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
        progress(f"reading and importing {Path(self.guide).name}, {rounds} alternate rounds")
        costs: dict[str, list[Cost]] = {"parse": [], "read": [], "import": [], "again": []}
        for number, name in interleaved(["parse", "read", "import"], rounds):
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
        progress(f"  libexpat took {min(walls):.3f} to {max(walls):.3f} s; a narrow range means a quiet machine")
        parse, parse_cpu = median_wall(costs["parse"]), median_cpu(costs["parse"])
        committed = statistics.median(cost.first_output_seconds for cost in costs["import"])
        resident = max(largest_resident(costs["import"]), largest_resident(costs["again"])) / 1e6
        return [
            ratio("reader alone / libexpat", median_wall(costs["read"]), parse, 0.35),
            # epg prints the report as soon as the guide is committed.
            ratio("import, guide committed / libexpat", committed, parse, 1.2, aim=0.8),
            ratio("import, with search index / libexpat", median_wall(costs["import"]), parse, 2.4, aim=1.5),
            Figure("import, largest resident set", f"{resident:.0f} MB", "", resident, 150, "MB"),
            ratio("repeated import / libexpat", median_wall(costs["again"]), parse, 0.6),
            ratio("CPU: import, with search index / libexpat", median_cpu(costs["import"]), parse_cpu, 3.0, aim=2.0),
            ratio("CPU: repeated import / libexpat", median_cpu(costs["again"]), parse_cpu, 0.7),
        ]

    def unchanged(self) -> Figure:
        """Counts the database pages that a repeated import of the same guide changes."""
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
            # The first page contains the file's counters.
            while page := new.read(size):
                number += 1
                if old.read(size) != page and number > 1 and tables.get(str(number)) not in WRITABLE | {None}:
                    changed += 1
        if report["outcome"]["changedGuide"] or search.read_bytes() != before_search:
            changed = max(changed, 1)
        before.unlink()
        return Figure("repeated import, pages of the guide written", str(changed), "", changed, 0, "pages")

    # --- Viewports

    def viewports(self) -> list[Figure]:
        sizes = {"large": 2_000 if self.is_quick else 20_000, "small": 200}
        for name, stations in sizes.items():
            progress(f"generating a guide of {stations} stations")
            schema = HERE.parent / "schema.sql"
            output(YARDSTICKS / "make_guide", self.folder / f"{name}.sqlite", schema, str(stations))
        rounds = 3 if self.is_quick else 7
        progress(f"reading viewports, {rounds} alternate rounds")
        medians: dict[str, list[float]] = {"store large": [], "C large": [], "store small": []}
        results: dict[str, set[str]] = {name: set() for name in medians}
        for number, name in interleaved(list(medians), rounds):
            program, size = name.split()
            store = [self.programs / "viewport-benchmark", self.folder / f"{size}.sqlite"]
            yardstick = [
                YARDSTICKS / "viewport_seeks", self.folder / f"{size}.sqlite", HERE / "yardsticks" / "viewport.sql",
            ]
            microseconds, result = output(*(store if program == "store" else yardstick), *GENERATED_RANGE).split(" ", 1)
            results[name].add(result)
            if number > 0:
                medians[name].append(float(microseconds) / 1e6)
        if len(results["store large"] | results["C large"]) != 1:
            sys.exit(f"the store and its yardstick returned different results: {results}")
        browsing = self.browsing(sizes)
        for name in sizes:
            (self.folder / f"{name}.sqlite").unlink()
        large, plain, small = (statistics.median(medians[name]) for name in medians)
        return browsing + [
            ratio(f"viewport of {sizes['large']} stations / the same queries in C", large, plain, 2.0),
            ratio(f"viewport of {sizes['large']} stations / of {sizes['small']}", large, small, 1.5),
        ]

    # --- The guide in a terminal

    def browsing(self, sizes: dict[str, int]) -> list[Figure]:
        """Measures `epg browse` in a terminal of 120 columns and 40 rows: from a key to the end of its frame."""
        rounds, steps = (2, 2_000) if self.is_quick else (5, 10_000)
        progress(f"browsing, {rounds} alternate rounds")
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
        for number, name in interleaved([*sizes, "grid"], rounds):
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
                "epg browse, bytes of an arrow key", f"maximum {max(counts)}", "", statistics.mean(counts), 2000, "bytes"),
            Figure(f"epg browse, growth over {steps} steps", f"{growth:.1f} MB", "", growth, 4, "MB"),
        ]

    # --- Rows

    def rows(self) -> list[Figure]:
        """Measures rows where the store bypasses GRDB, relative to GRDB."""
        rounds = 3 if self.is_quick else 5
        progress(f"writing and reading rows, {rounds} alternate rounds")
        names = [f"{task} {mode}" for task in ("insert", "read") for mode in ("raw", "grdb")]
        durations: dict[str, list[float]] = {name: [] for name in names}
        results: dict[str, set[str]] = {"insert": set(), "read": set()}
        for number, name in interleaved(names, rounds):
            microseconds, result = output(self.programs / "row-benchmark", *name.split()).split()
            results[name.split()[0]].add(result)
            if number > 0:
                durations[name].append(float(microseconds) / 1e6)
        if any(len(found) != 1 for found in results.values()):
            sys.exit(f"rows differ: {results}")
        median = {name: statistics.median(found) for name, found in durations.items()}
        return [
            ratio("a row inserted with SQLite's functions / with GRDB", median["insert raw"], median["insert grdb"], 0.9),
            ratio("a row read with SQLite's functions / with GRDB", median["read raw"], median["read grdb"], 0.9),
        ]

    # --- Layout

    def layouts(self) -> list[Figure]:
        """Measures scrolling through a guide generated on demand, in the grid alone and in a collection view."""
        rounds = 3 if self.is_quick else 7
        progress(f"scrolling, {rounds} alternate rounds")
        modes = {"grid": "the grid", "varied": "the grid with groups and several heights", "view": "the view"}
        names = [f"{mode} {stations}" for mode in modes for stations in (20_000, 200)]
        medians: dict[str, list[float]] = {name: [] for name in names}
        growths: dict[str, list[int]] = {name: [] for name in names}
        attributes = set()
        for number, name in interleaved(names, rounds):
            microseconds, maximum, growth = output(self.programs / "layout-benchmark", *name.split()).split()
            if not name.startswith("varied"):
                attributes.add(maximum)
            if number > 0:
                medians[name].append(float(microseconds) / 1e6)
                growths[name].append(int(growth))
        if len(attributes) != 1:
            sys.exit(f"grid and view showed different numbers of elements: {attributes}")
        step = {name: statistics.median(found) for name, found in medians.items()}
        figures = []
        for mode, description in modes.items():
            large, small = step[f"{mode} 20000"], step[f"{mode} 200"]
            figures += [
                Figure(f"scroll step of {description}, 20000 stations", seconds(large), "", large * 1e6, 100, "µs"),
                ratio(f"scroll step of {description}, 20000 stations / 200", large, small, 1.3),
            ]
        growth = max(max(found) for found in growths.values())
        figures.append(Figure("memory after 5000 jumps through the guide", f"{growth} kB", "", growth, 1024, "kB"))
        return figures

    # --- Now

    def now(self, name: str, database: Path, runs: int) -> Figure:
        """Compares `epg now` with sqlite3, in the middle of a guide."""
        middle = output(
            "sqlite3", "-readonly", database,
            "SELECT start FROM airing ORDER BY start LIMIT 1 OFFSET (SELECT count(*) / 2 FROM airing)",
        ).strip()
        text = (HERE / "yardsticks" / "now_and_next.sql").read_text()
        # sqlite3 treats an argument that starts with a hyphen as an option.
        query = "\n" + text.replace(":at", middle)
        ours = [self.epg, "now", "--at", f"@{middle}", "--database", str(database)]
        yardstick = ["sqlite3", "-readonly", str(database), query]
        rows = self.check_now([*ours, "--json"], ["sqlite3", "-readonly", "-json", str(database), query])
        progress(f"reading current airings in {rows} rows, {runs} alternate rounds")
        costs: dict[str, list[Cost]] = {"epg": [], "sqlite3": []}
        for number, program in interleaved(list(costs), runs):
            cost = measure(ours if program == "epg" else yardstick)
            if number > 0:
                costs[program].append(cost)
        return ratio(f"epg now, {name} ({rows} rows) / sqlite3", *(median_wall(some) for some in costs.values()), 3.0)

    def check_now(self, ours: list[str], yardstick: list[str]) -> int:
        """Verifies that both return the same titles for the same stations; returns the number of rows."""
        found = []
        for row in json.loads(output(*ours)):
            upcoming = row["next"]["title"] if "next" in row else None
            for airing in row["now"] or [{}]:
                found.append((row["stationName"], airing.get("title"), airing.get("subtitle"), upcoming))
        columns = ("name", "title", "subtitle", "next_title")
        expected = [tuple(row[column] for column in columns) for row in json.loads(output(*yardstick))]
        if found != expected:
            sys.exit("epg now and sqlite3 returned different results")
        return len(found)

    def small_database(self) -> Path:
        database = self.folder / "sample.sqlite"
        output(self.epg, "import", str(HERE.parent / "sample-data" / "evening.xml"), "--database", str(database))
        return database


def main() -> None:
    parser = argparse.ArgumentParser(description="Compares epg with its yardsticks.")
    parser.add_argument("--epg", required=True, help="the built epg")
    parser.add_argument("--programs", required=True, help="folder of the built benchmark programs")
    parser.add_argument("--guide", required=True, help="guide to import, in UTF-8 and uncompressed")
    parser.add_argument("--folder", required=True, help="folder for scratch files, up to 1.2 GB")
    parser.add_argument("--quick", action="store_true", help="fewer rounds, and viewports with a tenth of the stations")
    options = parser.parse_args()
    suite = BenchmarkSuite(options)
    figures = suite.imports()
    figures.append(suite.unchanged())
    figures.append(suite.now("this guide", suite.database, 20 if options.quick else 100))
    figures.append(suite.now("sample guide", suite.small_database(), 50 if options.quick else 300))
    figures += suite.viewports()
    figures += suite.rows()
    figures += suite.layouts()
    print(table(figures))
    missed = sum(not figure.is_met for figure in figures)
    if missed:
        sys.exit(f"{missed} of {len(figures)} limits are exceeded")


if __name__ == "__main__":
    main()
