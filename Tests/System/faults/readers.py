"""Readers during refreshes: every response belongs to one generation, and generations never go back."""

import contextlib
import http.client
import multiprocessing
import random
import re
import sqlite3
import time
from urllib.parse import quote

from guides import Guide
from harness import Harness
from support.report import ExpectationFailed, expect
from support.times import iso_time
from workspace import Workspace

READERS = 8
#: Minimum number of refreshes during the test.
MINIMUM_REFRESHES = 4
#: Number of first queries of each reader that aren't timed.
WARM_UP = 50
#: Maximum ratio of the p99 latency during refreshes to that at rest.
SLOWDOWN = 2.0
EDITION = re.compile(rb" edition (\d+)\b")


class Feed:
    """Any number of editions of a guide."""

    def __init__(self, guide: Guide) -> None:
        self.bodies = [guide.xml(0), guide.xml(1)]

    def body(self, edition: int) -> bytes:
        name = edition % 2
        return self.bodies[name].replace(f" edition {name}<".encode(), f" edition {edition}<".encode())


def run(harness: Harness) -> None:
    guide = Guide(harness.scaled(100, 20), 3, harness.now - 86_400)
    feed = Feed(guide)
    workspace = Workspace.with_source(harness, "readers", feed.body(0))
    with workspace.serve() as service:
        port = service.port
        queries = harness.scaled(10_000, 400)
        idle: list[float] = []
        busy: list[float] = []
        with harness.fault(f"{READERS} readers at rest") as fault:
            reports = collect(harness, guide, port, queries // 4)
            idle = latencies(reports, fault)
        with harness.fault(f"{READERS} readers × {queries} queries during refreshes") as fault:
            reports, refreshes = during_refreshes(harness, guide, workspace, feed, port, queries)
            busy = latencies(reports, fault)
            verify(reports)
            seen = {generation for worker in reports for generation, _ in worker["pairs"]}
            expect(len(seen) > 2, f"only generations {sorted(seen)} were seen")
            fault.note += f"; {refreshes} refreshes, {len(seen)} generations seen"
        with harness.fault(f"p99 at most {SLOWDOWN:g} times that at rest") as fault:
            harness.require_timing()
            expect(bool(idle and busy), "the readers failed")
            fault.count = len(busy)
            before, after = percentile(idle), percentile(busy)
            fault.note = f"{before * 1000:.1f} ms at rest, {after * 1000:.1f} ms during refreshes, {after / before:.2f} times"
            expect(after <= before * SLOWDOWN, "the service is slower")
    with harness.fault("readers by SQL during refreshes") as fault:
        by_sql(harness, guide, workspace, feed, fault)


def percentile(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)]


def latencies(reports: list[dict], fault) -> list[float]:
    errors = [worker["error"] for worker in reports if worker["error"]]
    expect(not errors, errors[0] if errors else "")
    times = [seconds for worker in reports for seconds in worker["times"]]
    fault.count = len(times)
    fault.note = f"p50 {sorted(times)[len(times) // 2] * 1000:.1f} ms, p99 {percentile(times) * 1000:.1f} ms"
    return times


def verify(reports: list[dict]) -> None:
    """Verifies that each generation is one edition and that each reader sees generations in ascending order."""
    for worker in reports:
        numbers = [generation for generation, _ in worker["pairs"]]
        back = [pair for pair in zip(numbers, numbers[1:]) if pair[1] < pair[0]]
        expect(not back, f"a generation went back {len(back)} times on one connection: {back[:3]}")
        for generation, edition in worker["pairs"]:
            # The first refresh created generation 1 with edition 0.
            expect(edition == generation - 1, f"generation {generation} shows edition {edition}")


def collect(harness: Harness, guide: Guide, port: int, queries: int, meanwhile=None) -> list[dict]:
    """Runs the readers, and `meanwhile` if given, and returns the readers' reports.

    - meanwhile: Takes a function that returns whether the readers have finished, and one that permits them to finish.
    """
    context = multiprocessing.get_context("fork")
    results, enough = context.Queue(), context.Event()
    workers = [
        context.Process(target=read, args=(results, enough, guide, port, queries, harness.random.random()), daemon=True)
        for _ in range(READERS)]
    for worker in workers:
        worker.start()
    if meanwhile:
        try:
            meanwhile(lambda: results.qsize() == READERS, enough.set)
        finally:
            enough.set()
    enough.set()
    reports = [results.get(timeout=600) for _ in workers]
    for worker in workers:
        worker.join()
    return reports


def read(results, enough, guide: Guide, port: int, queries: int, seed: float) -> None:
    """Sends queries on one connection and reports latencies and changes of generation and edition."""
    count = 0
    chance = random.Random(seed)
    found: dict = {"error": "", "times": [], "pairs": []}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        while count < queries or not enough.is_set():
            path = grid(guide, chance)
            begin = time.perf_counter()
            connection.request("GET", path)
            response = connection.getresponse()
            body = response.read()
            count += 1
            # The first queries compete with the start of the other readers.
            if count > WARM_UP:
                found["times"].append(time.perf_counter() - begin)
            note(found, path, response, body)
    except Exception as error:  # noqa: BLE001
        found["error"] = found["error"] or f"{type(error).__name__}: {error}"
    finally:
        connection.close()
        results.put(found)


def grid(guide: Guide, chance: random.Random) -> str:
    """Returns the path of a random viewport of three hours and ten rows."""
    first = chance.randrange(max(1, guide.stations - 10))
    start = guide.start + 3600 * chance.randrange(guide.days * 24 - 4)
    text = quote(iso_time(start))
    return f"/api/v1/grid?from={text}&hours=3&rows={first}-{first + 9}&at={text}"


def note(found: dict, path: str, response: http.client.HTTPResponse, body: bytes) -> None:
    """Records the generation and the edition of a response; raises if the response contains two editions."""
    name = response.getheader("Guide-Generation")
    editions = set(EDITION.findall(body))
    if response.status != 200 or name is None:
        raise ExpectationFailed(f"{path}: status {response.status}: {body[:200]!r}")
    if len(editions) != 1:
        raise ExpectationFailed(f"{path}: editions {editions} in generation {name}")
    pair = (int(name.split(".")[0]), int(editions.pop()))
    if not found["pairs"] or found["pairs"][-1] != pair:
        found["pairs"].append(pair)


def during_refreshes(harness, guide, workspace, feed, port, queries) -> tuple[list[dict], int]:
    """Refreshes repeatedly until the readers have finished."""
    refreshes = 0

    def refresh(have_finished, permit_end) -> None:
        nonlocal refreshes
        while not have_finished():
            refreshes += 1
            harness.server.body = feed.body(refreshes)
            workspace.succeed("refresh")
            time.sleep(0.2)
            if refreshes >= MINIMUM_REFRESHES:
                permit_end()

    return collect(harness, guide, port, queries, refresh), refreshes


def by_sql(harness: Harness, guide: Guide, workspace: Workspace, feed: Feed, fault) -> None:
    """Verifies that each transaction of a separate SQLite connection sees one edition."""
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    finished = context.Event()
    workers = [context.Process(target=read_by_sql, args=(results, finished, str(workspace.database)), daemon=True) for _ in range(2)]
    for worker in workers:
        worker.start()
    edition = workspace.generation()
    for _ in range(harness.scaled(30, 4)):
        harness.server.body = feed.body(edition)
        edition += 1
        workspace.succeed("refresh")
    finished.set()
    for _ in workers:
        error, count, generations = results.get(timeout=60)
        expect(error == "", error)
        fault.count += count
        fault.note = f"{generations} generations seen"
    for worker in workers:
        worker.join()


def read_by_sql(results, finished, path: str) -> None:
    error, count, seen = "", 0, []
    try:
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)) as connection:
            while not finished.is_set():
                connection.execute("BEGIN")
                generation = connection.execute("SELECT generation FROM guide").fetchone()[0]
                rows = connection.execute(
                    "SELECT title FROM airing JOIN programme ON programme.id = programme_id WHERE title LIKE '% edition %'"
                ).fetchall()
                connection.execute("COMMIT")
                editions = {int(title.rsplit(" ", 1)[1]) for (title,) in rows}
                count += 1
                if editions != {generation - 1}:
                    raise ExpectationFailed(f"generation {generation} shows editions {sorted(editions)}")
                if seen and generation < seen[-1]:
                    raise ExpectationFailed(f"generation {generation} after {seen[-1]}")
                if not seen or seen[-1] != generation:
                    seen.append(generation)
    except Exception as failure:  # noqa: BLE001
        error = f"{type(failure).__name__}: {failure}"
    results.put((error, count, len(seen)))
