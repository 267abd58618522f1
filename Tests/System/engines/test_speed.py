"""How fast PostgreSQL is, in ratios to SQLite and to C with libpq, measured alternately on one machine.

The requirements' limits hold for release programs. Both sides share the processors with the server and the clients.
"""

import contextlib
import gzip
import os
import resource
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from engines import Engine, Engines
from guides import Guide
from postgresql import PostgreSQL
from support import ROOT
from support.processes import Service, run, wait_until
from support.report import Skipped, expect, long, need

BENCHMARKS = ROOT / "Benchmarks"
#: The limits of the requirements.
LARGEST_VIEWPORT_RATIO = 1.3
SMALLEST_SERVICE_RATIO = 0.5
LARGEST_IMPORT_RATIO = 2.5
#: A different viewport of 20 rows and 3 hours with every request: nothing is cached.
UNCACHED = """
math.randomseed(tonumber(os.getenv("WRK_SEED")))
request = function()
  local row = math.random(0, %d - 20)
  local from = %d + math.random(0, %d) * 60
  return wrk.format("GET", string.format("/api/v1/grid?form=columns&rows=%%d-%%d&from=%%d&hours=3&at=%d", row, row + 19, from))
end
"""
#: The smallest caches that epgd accepts.
NO_CACHES = ("--limits-cache", "1 MiB", "--limits-schedules", "1 MiB")


class _Cost(NamedTuple):
    """Seconds of an import: until its end, of CPU in the program, and of CPU in the server."""

    wall: float
    program: float
    server: float

    @property
    def cpu(self) -> float:
        return self.program + self.server


class _Large:
    """A large guide in both engines: the real one of 147 MB, or a generated one."""

    def __init__(self, engines: Engines) -> None:
        path = engines.options.guides / "derived/mega.xml.gz"
        self.file = engines.folder / "large.xml"
        if path.exists():
            with gzip.open(path) as source, open(self.file, "wb") as target:
                shutil.copyfileobj(source, target)
        else:
            self.file.write_bytes(Guide(400, 14, int(time.time())).xml(0))
        self.name = f"{self.file.stat().st_size / 1e6:.0f} MB" + ("" if path.exists() else ", generated")
        self.sqlite = engines.sqlite("large")
        self.postgresql = engines.postgresql("speed")

    @classmethod
    def of(cls, engines: Engines) -> "_Large":
        """Returns the guide, after its import on first use."""
        if not hasattr(engines, "large"):
            engines.large = cls(engines)
            for engine in (engines.large.sqlite, engines.large.postgresql):
                engine.succeed("import", engines.large.file)
            # As autovacuum does within a minute.
            engines.server.sql("VACUUM ANALYZE", "speed")
        return engines.large

    def figures(self, engines: Engines) -> tuple[int, int, int]:
        """Returns the number of stations, and the densest days of the guide."""
        stations = engines.server.sql("SELECT count(*) FROM station", "speed")
        start = engines.server.sql(
            "SELECT start - start % 86400 FROM airing GROUP BY 1 ORDER BY count(*) DESC LIMIT 1", "speed")
        return int(stations), int(start) - 86_400, int(start) + 2 * 86_400


def _alternately(names: list[str], rounds: int, measure: Callable[[str, int], object]) -> dict[str, list]:
    """Measures each name in every round, forward and backward by turns, after a warm-up."""
    results: dict[str, list] = {name: [] for name in names}
    for turn in range(rounds + 1):
        for name in names if turn % 2 == 0 else names[::-1]:
            value = measure(name, turn)
            if turn > 0:
                results[name].append(value)
    return results


def _machine() -> str:
    return f"{len(os.sched_getaffinity(0))} CPUs shared by the clients, the services and the servers"


# MARK: Imports


@long
def import_of_the_large_guide_takes_at_most_2_5_times_that_of_sqlite(engines: Engines) -> str:
    large = _Large.of(engines)

    def first_import(name: str, turn: int) -> _Cost:
        engine = engines.sqlite("import") if name == "SQLite" else engines.postgresql("import")
        return _cost(engines, engine, "import", large.file)

    costs = _alternately(["SQLite", "PostgreSQL"], engines.scaled(3, 1), first_import)
    # Once more, without changes.
    guides = {"SQLite": large.sqlite, "PostgreSQL": large.postgresql}
    again = _alternately(list(guides), engines.scaled(3, 1), lambda name, _: _cost(engines, guides[name], "import", large.file))
    text = f"{large.name}: {_ratio('first', costs)}; {_ratio('unchanged', again)}; {_machine()}"
    ratio = statistics.median(cost.wall for cost in costs["PostgreSQL"]) / statistics.median(cost.wall for cost in costs["SQLite"])
    expect(ratio <= LARGEST_IMPORT_RATIO, text)
    return text


def _cost(engines: Engines, engine: Engine, *arguments: object) -> _Cost:
    begin, server = time.monotonic(), engines.server.cpu_seconds()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    engine.succeed(*arguments)
    wall = time.monotonic() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return _Cost(
        wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, engines.server.cpu_seconds() - server)


def _ratio(what: str, costs: dict[str, list[_Cost]]) -> str:
    medians = {name: {field: statistics.median(getattr(cost, field) for cost in of) for field in ("wall", "program", "cpu")}
               for name, of in costs.items()}
    one, two = medians["PostgreSQL"], medians["SQLite"]
    return (f"{what} import {one['wall']:.1f} s / {two['wall']:.1f} s = {one['wall'] / two['wall']:.2f} times, "
            f"CPU {one['cpu']:.1f} s (of which the program {one['program']:.1f} s) / {two['program']:.1f} s "
            f"= {one['cpu'] / two['program']:.2f} times")


# MARK: Viewports


@long
def viewport_takes_at_most_1_3_times_that_of_libpq(engines: Engines) -> str:
    """1,000 viewports of 20 rows × 3 hours, in one transaction, and each in one of its own."""
    large = _Large.of(engines)
    ours, yardstick = _benchmark(engines), _yardstick(engines)
    _, start, stop = large.figures(engines)
    statement = BENCHMARKS / "yardsticks/viewport_postgresql.sql"
    location = large.postgresql.location
    commands = {"epg": [ours, location, start, stop], "libpq": [yardstick, location, statement, start, stop]}
    texts, ratios = [], []
    for what, options in (("one transaction", []), ("a transaction each", ["--transactions"])):
        found = _alternately(list(commands), engines.scaled(5, 1), lambda name, _: run(*commands[name], *options).split())
        contents = {tuple(words[1:]) for lines in found.values() for words in lines}
        expect(len(contents) == 1, f"different contents: {contents}")
        one, two = (statistics.median(float(words[0]) for words in found[name]) for name in commands)
        ratios.append(one / two)
        texts.append(f"{what}: {one:.0f} µs / {two:.0f} µs = {one / two:.2f} times")
    sqlite = run(ours, large.sqlite.location, start, stop).split()
    expect(tuple(sqlite[1:]) in contents, "SQLite has different contents")
    text = f"{large.name}: {'; '.join(texts)} (SQLite {float(sqlite[0]):.0f} µs)"
    expect(max(ratios) <= LARGEST_VIEWPORT_RATIO, text)
    return text


def _benchmark(engines: Engines) -> Path:
    """Returns viewport-benchmark, beside the programs under test or built for the release."""
    for path in (engines.programs.folder / "viewport-benchmark", BENCHMARKS / ".build/release/viewport-benchmark"):
        if path.exists():
            return path
    need("swift")
    run("swift", "build", "--package-path", BENCHMARKS, "-c", "release", "--static-swift-stdlib", "--product", "viewport-benchmark",
        timeout=3600)
    return BENCHMARKS / ".build/release/viewport-benchmark"


def _yardstick(engines: Engines) -> Path:
    need("cc", "gcc")
    if not Path("/usr/include/postgresql/libpq-fe.h").exists():
        raise Skipped("libpq-fe.h is missing (Debian: libpq-dev)")
    program = engines.folder / "viewport_libpq"
    run("cc", "-std=gnu11", "-O2", "-I/usr/include/postgresql", "-o", program, BENCHMARKS / "yardsticks/viewport_libpq.c", "-lpq")
    return program


# MARK: Services


def _load(services: list[Service], script: Path, seconds: float, seed: int, connections: int = 16) -> float:
    """Sends requests to all services at once, and returns the successful requests per second in total."""
    processes = [
        subprocess.Popen(
            ["wrk", "-t1", f"-c{max(1, connections // len(services))}", f"-d{seconds:g}s", "-s", script, service.origin],
            stdout=subprocess.PIPE, text=True, env=os.environ | {"WRK_SEED": str(seed * 100 + index)})
        for index, service in enumerate(services)]
    total = 0.0
    for process in processes:
        text = process.communicate(timeout=seconds + 60)[0]
        expect("Non-2xx" not in text and "Socket errors" not in text, text)
        total += float(next(line for line in text.split("\n") if "Requests/sec:" in line).split()[1])
    return total


def _script(engines: Engines, large: _Large) -> Path:
    need("wrk")
    stations, start, stop = large.figures(engines)
    path = engines.folder / "uncached.lua"
    path.write_text(UNCACHED % (stations, start, (stop - start) // 60 - 180, start))
    return path


@long
def uncached_service_reaches_half_of_the_rate_on_sqlite(engines: Engines) -> str:
    """Viewports that were never requested: with the default cache of schedules, and with the smallest, so that all are read."""
    large = _Large.of(engines)
    script = _script(engines, large)
    texts, ratios = [], []
    for what, options in (("default caches", ()), ("smallest caches", NO_CACHES)):
        with large.sqlite.serve(*options) as sqlite, large.postgresql.serve(*options) as postgresql:
            services = {"SQLite": sqlite, "PostgreSQL": postgresql}
            rates = _alternately(list(services), engines.scaled(5, 1), lambda name, turn: _load([services[name]], script, 4, turn))
        one, two = (statistics.median(rates[name]) for name in ("PostgreSQL", "SQLite"))
        ratios.append(one / two)
        texts.append(f"{what}: {one:.0f} / {two:.0f} requests per second = {one / two:.2f} times")
    text = f"{large.name}, {'; '.join(texts)}; {_machine()}"
    expect(min(ratios) >= SMALLEST_SERVICE_RATIO, text)
    return text


@long
def more_services_and_standbys_are_measured(engines: Engines) -> str:
    """A table without a limit, because everything shares the processors of one machine."""
    large = _Large.of(engines)
    script = _script(engines, large)
    servers: list[PostgreSQL] = [engines.server]
    rows = []
    for standbys in range(3):
        if standbys:
            server = engines.standby()
            server.wait_for_replay(engines.server)
            servers.append(server)
        # With standbys, the services read only from them.
        readers = servers[1:] or servers
        for count in (1, 2, 4):
            if count < len(readers):
                continue
            with contextlib.ExitStack() as stack:
                services = []
                for index in range(count):
                    engine = Engine(engines, engines.folder / f"node-{index}", readers[index % len(readers)].url("speed"))
                    services.append(stack.enter_context(engine.serve(*NO_CACHES)))
                _load(services, script, 1, 99)
                cpu, begin = _cpu(services, servers), time.monotonic()
                rates = [_load(services, script, 4, turn) for turn in range(engines.scaled(3, 1))]
                used = [(after - before) / (time.monotonic() - begin) for before, after in zip(cpu, _cpu(services, servers))]
                rows.append(f"{_place(standbys):>11} {count:>9} {statistics.median(rates):>11.0f}"
                            f" {used[0]:>9.2f} {used[1]:>11.2f}")
    return "\n".join([_machine(), "  read from  services  requests/s  CPUs of services, of servers", *rows])


def _place(standbys: int) -> str:
    return f"{standbys} standby" + ("s" if standbys > 1 else "") if standbys else "primary"


def _cpu(services: list[Service], servers: list[PostgreSQL]) -> tuple[float, float]:
    """Returns the CPU seconds of the services and of the servers so far."""
    ticks = 0
    for service in services:
        fields = Path(f"/proc/{service.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK"), sum(server.cpu_seconds() for server in servers)
