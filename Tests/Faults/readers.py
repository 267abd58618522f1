"""Readers during refreshes: every answer belongs to one generation, and none is older than the one before it."""

import contextlib
import http.client
import multiprocessing
import random
import re
import sqlite3
import time
from urllib.parse import quote

from frame import Bench, Expectation, expect
from guides import Guide, stamp
from place import Place
from server import GuideServer
from service import service

READERS = 8
#: Refreshes that they see at least.
LEAST = 4
#: Queries of each that aren't timed.
WARMING = 50
#: How much slower one answer in a hundred may be while the guide is refreshed.
SLOWDOWN = 2.0
EDITION = re.compile(rb" edition (\d+)\b")


class Feed:
    """The editions of a guide, as many as are asked for."""

    def __init__(self, guide: Guide) -> None:
        self.bodies = [guide.xml(0), guide.xml(1)]

    def body(self, edition: int) -> bytes:
        name = edition % 2
        return self.bodies[name].replace(f" edition {name}<".encode(), f" edition {edition}<".encode())


def run(bench: Bench) -> None:
    server = GuideServer()
    guide = Guide(bench.scaled(100, 20), 3, bench.now - 86_400)
    feed = Feed(guide)
    place = Place(bench, bench.subfolder("readers"))
    server.body = feed.body(0)
    place.done("source", "add", "nightly", server.address)
    place.done("refresh")
    with service(place) as (_, port):
        queries = bench.scaled(10_000, 400)
        idle: list[float] = []
        busy: list[float] = []
        with bench.fault(f"{READERS} readers at rest") as fault:
            answers = collect(bench, guide, port, queries // 4)
            idle = latencies(answers, fault)
        with bench.fault(f"{READERS} readers × {queries} queries during refreshes") as fault:
            answers, refreshes = during_refreshes(bench, guide, place, server, feed, port, queries)
            busy = latencies(answers, fault)
            judge(answers)
            seen = {generation for worker in answers for generation, _ in worker["pairs"]}
            expect(len(seen) > 2, f"only generations {sorted(seen)} were seen")
            fault.note += f"; {refreshes} refreshes, {len(seen)} generations seen"
        with bench.fault(f"p99 at most {SLOWDOWN:g} times that at rest") as fault:
            bench.need_times()
            expect(bool(idle and busy), "the readers failed")
            fault.count = len(busy)
            before, after = percentile(idle), percentile(busy)
            fault.note = f"{before * 1000:.1f} ms at rest, {after * 1000:.1f} ms during refreshes, {after / before:.2f} times"
            expect(after <= before * SLOWDOWN, "it is slower")
    with bench.fault("readers by SQL during refreshes") as fault:
        by_sql(bench, guide, place, server, feed, fault)
    server.close()


def percentile(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)]


def latencies(answers: list[dict], fault) -> list[float]:
    errors = [worker["error"] for worker in answers if worker["error"]]
    expect(not errors, errors[0] if errors else "")
    times = [seconds for worker in answers for seconds in worker["times"]]
    fault.count = len(times)
    fault.note = f"p50 {sorted(times)[len(times) // 2] * 1000:.1f} ms, p99 {percentile(times) * 1000:.1f} ms"
    return times


def judge(answers: list[dict]) -> None:
    """Each generation is one edition, and each reader sees them in their order."""
    for worker in answers:
        numbers = [generation for generation, _ in worker["pairs"]]
        back = [pair for pair in zip(numbers, numbers[1:]) if pair[1] < pair[0]]
        expect(not back, f"a generation went back {len(back)} times on one connection: {back[:3]}")
        for generation, edition in worker["pairs"]:
            # The first refresh made generation 1 of edition 0.
            expect(edition == generation - 1, f"generation {generation} shows edition {edition}")


def collect(bench: Bench, guide: Guide, port: int, queries: int, meanwhile=None) -> list[dict]:
    """What the readers found, who go on until there was enough of what is done meanwhile.

    - meanwhile: Takes what tells whether the readers are through, and the order that it was enough.
    """
    context = multiprocessing.get_context("fork")
    results, enough = context.Queue(), context.Event()
    workers = [
        context.Process(target=read, args=(results, enough, guide, port, queries, bench.random.random()), daemon=True)
        for _ in range(READERS)]
    for worker in workers:
        worker.start()
    if meanwhile:
        try:
            meanwhile(lambda: results.qsize() == READERS, enough.set)
        finally:
            enough.set()
    enough.set()
    answers = [results.get(timeout=600) for _ in workers]
    for worker in workers:
        worker.join()
    return answers


def read(results, enough, guide: Guide, port: int, queries: int, seed: float) -> None:
    """A reader: queries one after the other on one connection. It puts times and changes of generation and edition."""
    count = 0
    chance = random.Random(seed)
    found: dict = {"error": "", "times": [], "pairs": []}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        while count < queries or not enough.is_set():
            path = grid(guide, chance)
            begin = time.perf_counter()
            connection.request("GET", path)
            answer = connection.getresponse()
            body = answer.read()
            count += 1
            # The first ones wait for the other readers to begin.
            if count > WARMING:
                found["times"].append(time.perf_counter() - begin)
            note(found, path, answer, body)
    except Exception as error:  # noqa: BLE001
        found["error"] = found["error"] or f"{type(error).__name__}: {error}"
    finally:
        connection.close()
        results.put(found)


def grid(guide: Guide, chance: random.Random) -> str:
    """A viewport of three hours and ten rows, one of some hundreds."""
    first = chance.randrange(max(1, guide.stations - 10))
    start = guide.start + 3600 * chance.randrange(guide.days * 24 - 4)
    text = quote(stamp_iso(start))
    return f"/api/v1/grid?from={text}&hours=3&rows={first}-{first + 9}&at={text}"


def stamp_iso(instant: int) -> str:
    text = stamp(instant)
    return f"{text[:4]}-{text[4:6]}-{text[6:8]}T{text[8:10]}:{text[10:12]}:{text[12:14]}Z"


def note(found: dict, path: str, response: http.client.HTTPResponse, body: bytes) -> None:
    """Records the generation and the edition of a response; a response with two editions is an error."""
    name = response.getheader("Guide-Generation")
    editions = set(EDITION.findall(body))
    if response.status != 200 or name is None:
        raise Expectation(f"{path}: status {response.status}: {body[:200]!r}")
    if len(editions) != 1:
        raise Expectation(f"{path}: editions {editions} in generation {name}")
    pair = (int(name.split(".")[0]), int(editions.pop()))
    if not found["pairs"] or found["pairs"][-1] != pair:
        found["pairs"].append(pair)


def during_refreshes(bench, guide, place, server, feed, port, queries) -> tuple[list[dict], int]:
    """Refreshes one after the other until the readers are through."""
    refreshes = 0

    def refresh(is_over, suffices) -> None:
        nonlocal refreshes
        while not is_over():
            refreshes += 1
            server.body = feed.body(refreshes)
            place.done("refresh")
            time.sleep(0.2)
            if refreshes >= LEAST:
                suffices()

    return collect(bench, guide, port, queries, refresh), refreshes


def by_sql(bench: Bench, guide: Guide, place: Place, server: GuideServer, feed: Feed, fault) -> None:
    """Connections of SQLite's own, each transaction of which sees one edition."""
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    over = context.Event()
    workers = [context.Process(target=read_by_sql, args=(results, over, str(place.database)), daemon=True) for _ in range(2)]
    for worker in workers:
        worker.start()
    edition = place.generation()
    for _ in range(bench.scaled(30, 4)):
        server.body = feed.body(edition)
        edition += 1
        place.done("refresh")
    over.set()
    for _ in workers:
        error, count, generations = results.get(timeout=60)
        expect(error == "", error)
        fault.count += count
        fault.note = f"{generations} generations seen"
    for worker in workers:
        worker.join()


def read_by_sql(results, over, path: str) -> None:
    error, count, seen = "", 0, []
    try:
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)) as connection:
            while not over.is_set():
                connection.execute("BEGIN")
                generation = connection.execute("SELECT generation FROM guide").fetchone()[0]
                rows = connection.execute(
                    "SELECT title FROM airing JOIN programme ON programme.id = programme_id WHERE title LIKE '% edition %'"
                ).fetchall()
                connection.execute("COMMIT")
                editions = {int(title.rsplit(" ", 1)[1]) for (title,) in rows}
                count += 1
                if editions != {generation - 1}:
                    raise Expectation(f"generation {generation} shows editions {sorted(editions)}")
                if seen and generation < seen[-1]:
                    raise Expectation(f"generation {generation} after {seen[-1]}")
                if not seen or seen[-1] != generation:
                    seen.append(generation)
    except Exception as failure:  # noqa: BLE001
        error = f"{type(failure).__name__}: {failure}"
    results.put((error, count, len(seen)))
