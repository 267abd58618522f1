"""Refreshes every ten seconds under load: memory, descriptors and the write-ahead log don't grow."""

import multiprocessing
import os
import random
import time
from pathlib import Path

from frame import Bench, Fault, expect
from guides import Guide
from place import Place
from readers import Feed, grid, note
from server import GuideServer
from service import service

#: Seconds from one refresh to the next, and from one look at the service to the next.
INTERVAL = 10
LOOK = 1
#: What may be added over the second half, by a straight line through what was measured: a share of the mean, and at least
#: so much. Memory in bytes; the allocator keeps what it once had, so it settles slowly.
MEMORY_SHARE, MEMORY = 0.05, 8 << 20
DESCRIPTORS = 4
LOG = 1 << 20
#: Clients, and the requests of each in a second.
CLIENTS, RATE = 4, 50


def run(bench: Bench) -> None:
    server = GuideServer()
    guide = Guide(bench.scaled(100, 20), 7, bench.now - 86_400)
    feed = Feed(guide)
    place = Place(bench, bench.subfolder("soak"))
    server.body = feed.body(0)
    place.done("source", "add", "nightly", server.address)
    place.done("refresh")
    with bench.fault(f"a soak of {bench.minutes:g} minutes") as fault:
        soak(bench, guide, place, server, feed, fault)
    server.close()


def soak(bench: Bench, guide: Guide, place: Place, server: GuideServer, feed: Feed, fault: Fault) -> None:
    context = multiprocessing.get_context("fork")
    results, over = context.Queue(), context.Event()
    samples: list[tuple[float, int, int, int, int]] = []
    with service(place) as (process, port):
        clients = [
            context.Process(target=load, args=(results, over, guide, port, number), daemon=True) for number in range(CLIENTS)]
        for client in clients:
            client.start()
        begin = time.monotonic()
        while (seconds := time.monotonic() - begin) < bench.minutes * 60:
            if seconds >= fault.count * INTERVAL:
                fault.count += 1
                server.body = feed.body(fault.count)
                place.done("refresh")
            expect(process.poll() is None, "epgd ended")
            samples.append((seconds, *look(process.pid, place)))
            time.sleep(LOOK)
        over.set()
        answers = [results.get(timeout=60) for _ in clients]
        for client in clients:
            client.join()
    errors = [error for error, _ in answers if error]
    expect(not errors, errors[0] if errors else "")
    settled = [sample for sample in samples if sample[0] >= samples[-1][0] / 2]
    memory, descriptors, log = (growth(settled, column) for column in (1, 2, 3))
    mean = sum(sample[1] for sample in settled) / len(settled)
    largest = max(sample[3] for sample in samples)
    fault.note = (
        f"{sum(count for _, count in answers)} answers; over the second half memory {memory / 1024:+.0f} KiB of "
        f"{mean / 1024 / 1024:.1f} MiB, descriptors {descriptors:+.1f} of {settled[-1][2]}, log {log / 1024:+.0f} KiB, at "
        f"most {largest / 1024 / 1024:.1f} MiB; mapped {samples[0][4] >> 20} to {samples[-1][4] >> 20} MiB of a database of "
        f"{place.database.stat().st_size >> 20} MiB")
    limit = max(MEMORY, mean * MEMORY_SHARE)
    expect(memory <= limit, f"memory grew by {memory / 1024:.0f} KiB, the limit is {limit / 1024:.0f}; {fault.note}")
    expect(descriptors <= DESCRIPTORS, f"descriptors grew by {descriptors:.1f}, the limit is {DESCRIPTORS}")
    expect(log <= LOG, f"the log grew by {log / 1024:.0f} KiB, the limit is {LOG / 1024:.0f}")


def load(results, over, guide: Guide, port: int, seed: int) -> None:
    """A client: so many viewports a second, a new connection for every hundred."""
    import http.client

    chance = random.Random(seed)
    found: dict = {"pairs": []}
    error, count = "", 0
    connection = None
    try:
        while not over.is_set():
            if count % 100 == 0:
                if connection:
                    connection.close()
                found["pairs"].clear()
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            path = grid(guide, chance)
            connection.request("GET", path)
            answer = connection.getresponse()
            note(found, path, answer.status, answer.read())
            count += 1
            time.sleep(1 / RATE)
    except Exception as failure:  # noqa: BLE001
        error = f"{type(failure).__name__}: {failure}"
    results.put((error, count))


def look(process: int, place: Place) -> tuple[int, int, int, int]:
    """Bytes of memory, open descriptors, bytes of the log; and the pages of the database that are mapped.

    Memory is what the process alone holds. Mapped pages are the system's cache of the file, which grows with the log of
    changes: that reaches back a week.
    """
    status = dict(line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines())
    own, mapped = (int(status[name].split()[0]) * 1024 for name in ("RssAnon", "RssFile"))
    log = place.folder / "guide.sqlite-wal"
    return own, len(os.listdir(f"/proc/{process}/fd")), log.stat().st_size if log.exists() else 0, mapped


def growth(samples: list[tuple], column: int) -> float:
    """What a straight line through the samples (least squares) rises from the first to the last."""
    count = len(samples)
    times = [sample[0] for sample in samples]
    values = [sample[column] for sample in samples]
    middle, mean = sum(times) / count, sum(values) / count
    spread = sum((at - middle) ** 2 for at in times)
    slope = sum((at - middle) * (value - mean) for at, value in zip(times, values)) / spread if spread else 0
    return slope * (times[-1] - times[0])
