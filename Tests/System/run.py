#!/usr/bin/env python3
"""Runs suites that test the built programs from outside. `make test-SUITE` calls it.

    Tests/System/run.py [SUITE…] [--journeys | --short] [--jobs N] [--programs FOLDER] [--only WORD]… [--seed N] …

Without SUITE, all of them run; with --journeys, those that `make test` includes; with --short, those that `.ci/run` includes. First,
run.py installs what the suites need (Scripts/setup.sh) and builds the programs: a release, or a debug build with --journeys and --short.
--programs tests the programs in a folder instead and installs nothing. --help lists the other options.

Prints a line for each test and `N passed, N failed, N skipped` for each suite. What is skipped has the reason. Exits with 1 if
a test failed, with 69 if all tests of a named suite were skipped, with 64 if there is no such suite. CHROMIUM and CHROMEDRIVER
are other browsers than those in PATH. UPDATE_GOLDENS=1 writes the screens of the terminal suite.
"""

import argparse
import concurrent.futures
import contextlib
import faulthandler
import functools
import importlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True

from support import ROOT  # noqa: E402
from support.processes import Programs  # noqa: E402
from support.report import EX_UNAVAILABLE, Report, Skipped, description  # noqa: E402

FOLDER = Path(__file__).resolve().parent
#: Maximum duration of the short form of a suite, in seconds. A suite that hangs fails with the stacks of its threads.
LONGEST_SHORT_FORM = 1200


@dataclass
class Suite:
    summary: str
    #: The folder, the file, and the function that takes the options and the report.
    code: str
    #: The programs to build: "release" (a debug build in the short form), "debug", "always release", or none.
    build: str = ""
    #: Groups of Scripts/setup.sh.
    setup: str = ""
    #: Whether `.ci/run` runs the short form.
    is_in_short: bool = False
    #: Whether `make test` runs the tests that are marked as journeys.
    has_journeys: bool = False
    #: Whether it runs before the others, because its tests compare screens that a busy machine draws late.
    runs_alone: bool = False


SUITES = {
    "smoke": Suite("the release programs import, show and serve the sample guide", "commands/smoke:run", "always release"),
    "terminal": Suite(
        "full-screen programs in a pseudo-terminal: screens, keys, mouse, sizes, suspension, signals", "terminal/suite:run", "debug",
        has_journeys=True, runs_alone=True),
    "client": Suite(
        "the example of README.md with the package's products; a client generated from openapi.yaml", "client/suite:run", "debug",
        is_in_short=True),
    "browser": Suite(
        "the pages in Chromium: guides of 20,000 stations, scrolling speed, accessibility", "browser/suite:run", "release", "browser",
        is_in_short=True, has_journeys=True),
    "abuse": Suite(
        "hostile input: 5,000 generated requests, malformed bytes, guides with scripts", "browser/suite:run_abuse", "release", "browser"),
    "proxies": Suite(
        "nginx and Varnish with the configuration of packaging/ in front of the service", "proxies/suite:run", "release", "proxies",
        is_in_short=True),
    "faults": Suite(
        "kills, failing calls, full disks, few descriptors, concurrency, wrong clocks, damage, memory exhaustion", "faults/suite:run",
        "release", "faults", is_in_short=True, has_journeys=True),
    "cluster": Suite(
        "three nodes with PostgreSQL, Patroni and etcd as network namespaces: crashes, partitions, switchovers, upgrades",
        "cluster/suite:run", "release", "proxies cluster"),
    "engines": Suite(
        "SQLite and PostgreSQL: equal answers to 100,000 random requests, kills during imports, one writer, speed", "engines/suite:run",
        "release", "engines", is_in_short=True),
    "kills": Suite("of the faults, only the kills", "faults/suite:run_kills", "release", "faults"),
    "soak": Suite(
        "a refresh every ten seconds under load: memory, descriptors and the log must not grow", "faults/suite:run_soak", "release"),
    "packaging": Suite(
        "units, manual pages, completions and the Debian package, in a booted, clean Debian", "packaging/suite:run", "always release",
        "packaging debian"),
    "grabber": Suite("the XMLTV project's validators on the output of epg", "commands/grabber:run", "release", "tests"),
    "conformance": Suite(
        "the W3C XML suite, libexpat as the oracle, the XMLTV project's filter suite", "toolchain/suite:conformance", setup="tests"),
    "oracle": Suite(
        "generated layouts of the engine and of a browser, to a device pixel", "toolchain/suite:oracle", setup="browser node",
        is_in_short=True),
    "sanitizers": Suite(
        "modules with unsafe code, C or threads under the address and thread sanitizers", "toolchain/suite:sanitizers", setup="tests",
        is_in_short=True),
    "fuzz": Suite("libFuzzer on every reader, HTTP heads, queries and searches", "toolchain/suite:fuzz", setup="tests"),
    "coverage": Suite("how much of the layout libraries epg browse and epg grid execute", "toolchain/suite:coverage", setup="tests"),
    "survey": Suite("what epg validate finds in every real guide, and how much of its time the schedules show", "corpus/survey:run", "release"),
    "round-trip": Suite("import, export and import of every real guide: equal databases", "corpus/round_trip:run", "release"),
    "player": Suite("pvr.iptvsimple keeps all airings of every real guide", "corpus/player:run", "release"),
    "nights": Suite("400 simulated nights of a real guide: size and totals of the search index, CPU time", "corpus/nights:run", "release"),
}


class Options(argparse.Namespace):
    def wants(self, name: str) -> bool:
        return not self.only or any(word in name for word in self.only)

    def seconds(self, default: float) -> float:
        return self.duration or default

    def count(self, default):
        return self.cases or default

    def includes(self, suite: Suite) -> bool:
        return suite.has_journeys if self.journeys else suite.is_in_short or not self.short

    @property
    def build(self) -> Path:
        return self.programs.folder

    def words(self) -> list[str]:
        """Returns the options of the command line again, for the process of one suite."""
        words = [f"--{name}" for name in ("journeys", "short", "whole", "functions") if getattr(self, name)]
        words += [word for each in self.only for word in ("--only", each)]
        for name in ("jobs", "seed", "scale", "duration", "cases", "guides", "before"):
            if getattr(self, name) is not None:
                words += [f"--{name}", str(getattr(self, name))]
        return words


def parsed() -> Options:
    parser = argparse.ArgumentParser(prog="Tests/System/run.py", description="Runs suites that test the built programs from outside.")
    parser.add_argument("suites", nargs="*", metavar="SUITE")
    parser.add_argument("--list", action="store_true", help="list the suites")
    parser.add_argument("--journeys", action="store_true", help="run only the tests that make test includes")
    parser.add_argument("--short", action="store_true", help="run the short form, without timing limits")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="run N suites at the same time and print each when it ends (default: 1)")
    parser.add_argument("--programs", type=Path, metavar="FOLDER", help="test the programs in FOLDER; install and build nothing")
    parser.add_argument("--only", action="append", default=[], metavar="WORD", help="run only tests whose names contain WORD (repeatable)")
    parser.add_argument("--seed", type=int, metavar="N", help="seed of generated cases (faults, engines, oracle)")
    parser.add_argument("--scale", type=float, default=1, metavar="S", help="share of the cases (faults, engines; default: 1)")
    parser.add_argument("--cases", type=int, metavar="N", help="number of layouts of each kind (oracle), of nights (default: 400), or of requests (engines)")
    parser.add_argument(
        "--duration", type=int, metavar="SECONDS",
        help="duration of the soak (default: 600), of each fuzz target (60), of the service's stop behind proxies (10)")
    parser.add_argument(
        "--guides", type=Path, default=ROOT.parent / "shared/data", metavar="FOLDER", help="real guides (default: ../shared/data)")
    parser.add_argument("--before", type=Path, metavar="FILE", help="an epg of another commit, to compare the quality (survey)")
    parser.add_argument("--whole", action="store_true", help="also build the package in a clean Debian (packaging)")
    parser.add_argument("--functions", action="store_true", help="list the functions that aren't executed (coverage)")
    options = parser.parse_args(namespace=Options())
    options.short = options.short or options.journeys
    return options


@functools.cache
def built(configuration: str) -> Path:
    """Builds the programs and returns their folder."""
    command = ["make", "--no-print-directory", "release"] if configuration == "release" else ["swift", "build"]
    subprocess.run(command, check=True, cwd=ROOT)
    path = ["swift", "build", "-c", configuration, "--show-bin-path"]
    return Path(subprocess.run(path, check=True, cwd=ROOT, capture_output=True, text=True).stdout.strip())


def prepared(suite: Suite, options: Options) -> Path:
    """Installs what a suite needs, builds the programs, and returns their folder."""
    if options.programs:
        return options.programs
    for group in ["python", *suite.setup.split()]:
        # The short form boots no machine. Without a package, the tests that need it are skipped.
        if not (group == "debian" and options.short):
            subprocess.run([ROOT / "Scripts/setup.sh", group])
    if not suite.build:
        return ROOT
    return built("debug" if suite.build == "debug" or suite.build == "release" and options.short else "release")


def run(name: str, options: Options) -> int:
    """Runs a suite in this process and returns its exit code."""
    folder, _, code = SUITES[name].code.partition("/")
    file, _, function = code.partition(":")
    sys.path.insert(0, str(FOLDER / folder))
    options.programs = Programs(options.programs)
    process = os.getpid()

    def end(*_) -> None:
        """Ends through the cleanup, so that the programs end too; a forked process, which has none, ends at once."""
        if os.getpid() != process:
            os._exit(143)
        sys.exit(143)

    signal.signal(signal.SIGTERM, end)
    if options.short:
        faulthandler.dump_traceback_later(LONGEST_SHORT_FORM * options.jobs, exit=True)
    report = Report()
    try:
        getattr(importlib.import_module(file), function)(options, report)
    except Skipped as reason:
        report.add("skipped", name, str(reason))
    except Exception as error:  # noqa: BLE001 (any exception fails the suite)
        report.add("FAILED", name, description(error))
    return report.close()


class Processes:
    """The processes of running suites, which end together."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: list[subprocess.Popen] = []
        self._are_ended = False

    def start(self, command: list, log) -> subprocess.Popen | None:
        """Starts a process, or none after `end`."""
        with self._lock:
            if self._are_ended:
                return None
            process = subprocess.Popen(command, stdout=log, stderr=log and subprocess.STDOUT)
            self._running.append(process)
            return process

    def end(self) -> None:
        with self._lock:
            self._are_ended = True
            for process in self._running:
                process.terminate()


def run_in_process(name: str, folder: Path, options: Options, processes: Processes) -> int:
    """Runs a suite in a process of its own, because suites have modules of the same names, and returns its exit code.

    If other suites run at the same time, the output is printed at the end.
    """
    title = f"== {name}: {SUITES[name].summary}"
    command = [sys.executable, __file__, name, "--programs", folder, *options.words()]
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") if options.jobs > 1 else contextlib.nullcontext() as log:
        if not log:
            print(title, flush=True)
        begin = time.monotonic()
        process = processes.start(command, log)
        if not process:
            return 1
        code = process.wait()
        if log:
            log.seek(0)
            print(f"{title}\n{log.read()}", end="", flush=True)
        print(f"{name}: {time.monotonic() - begin:.0f} s", flush=True)
        return code


def run_all(names: list[str], options: Options) -> dict[str, int]:
    """Prepares and runs suites, `options.jobs` at the same time, and returns their exit codes."""
    folders, codes = {}, {}
    for name in names:
        try:
            folders[name] = prepared(SUITES[name], options)
        except subprocess.CalledProcessError as error:
            print(f"FAILED  {name}: the programs were not built: {error}", flush=True)
            codes[name] = 1
    processes = Processes()
    with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
        try:
            for name, folder in folders.items():
                if SUITES[name].runs_alone:
                    codes[name] = run_in_process(name, folder, options, processes)
            running = {
                name: pool.submit(run_in_process, name, folder, options, processes)
                for name, folder in folders.items() if name not in codes}
            return codes | {name: each.result() for name, each in running.items()}
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            processes.end()
            raise


def main() -> int:
    options = parsed()
    if options.list:
        for name, suite in SUITES.items():
            print(f"  make test-{name:12} {suite.summary}")
        return 0
    unknown = [name for name in options.suites if name not in SUITES]
    if unknown:
        print(f"There is no suite {', '.join(unknown)}. The suites are: {', '.join(sorted(SUITES))}.", file=sys.stderr)
        return 64
    if options.programs and len(options.suites) == 1:
        return run(options.suites[0], options)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    # The kills are among the faults.
    names = options.suites or [name for name, suite in SUITES.items() if name != "kills" and options.includes(suite)]
    codes = run_all(names, options)
    failed = [name for name, code in codes.items() if code not in (0, EX_UNAVAILABLE)]
    skipped = [name for name, code in codes.items() if code == EX_UNAVAILABLE]
    if len(names) > 1:
        print(f"{len(names)} suites" + "".join(
            f"; {word}: {', '.join(found)}" for word, found in {"FAILED": failed, "skipped": skipped}.items() if found))
    return 1 if failed else EX_UNAVAILABLE if skipped and options.suites else 0


if __name__ == "__main__":
    sys.exit(main())
