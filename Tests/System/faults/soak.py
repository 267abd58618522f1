"""Refreshes every ten seconds under load: memory, descriptors and the write-ahead log don't grow."""

import http.client
import multiprocessing
import os
import random
import time

from guides import Guide
from harness import Fault, Harness
from readers import Feed, grid, note
from support.processes import Service
from support.report import expect
from workspace import Workspace

#: Seconds between refreshes, and between samples.
INTERVAL = 10
SAMPLE_INTERVAL = 1
#: Maximum growth over the second half of the run, by linear regression: a share of the mean, or an absolute value if that is
#: greater. Memory in bytes; the allocator keeps freed memory, so the figure settles slowly.
MEMORY_SHARE, MEMORY = 0.05, 8 << 20
DESCRIPTORS = 4
LOG = 1 << 20
#: Number of clients, and requests per second of each.
CLIENTS, RATE = 4, 50


def run(harness: Harness) -> None:
    guide = Guide(harness.scaled(100, 20), 7, harness.now - 86_400)
    feed = Feed(guide)
    workspace = Workspace.with_source(harness, "soak", feed.body(0))
    with harness.fault(f"a soak of {harness.minutes:g} minutes") as fault:
        soak(harness, guide, workspace, feed, fault)


def soak(harness: Harness, guide: Guide, workspace: Workspace, feed: Feed, fault: Fault) -> None:
    context = multiprocessing.get_context("fork")
    results, finished = context.Queue(), context.Event()
    samples: list[tuple[float, int, int, int, int]] = []
    with workspace.serve() as service:
        clients = [
            context.Process(target=load, args=(results, finished, guide, service.port, number), daemon=True) for number in range(CLIENTS)]
        for client in clients:
            client.start()
        begin = time.monotonic()
        while (seconds := time.monotonic() - begin) < harness.minutes * 60:
            if seconds >= fault.count * INTERVAL:
                fault.count += 1
                harness.server.body = feed.body(fault.count)
                workspace.succeed("refresh")
            service.expect_running()
            samples.append((seconds, *sample(service, workspace)))
            time.sleep(SAMPLE_INTERVAL)
        finished.set()
        reports = [results.get(timeout=60) for _ in clients]
        for client in clients:
            client.join()
    errors = [error for error, _ in reports if error]
    expect(not errors, errors[0] if errors else "")
    settled = [sample for sample in samples if sample[0] >= samples[-1][0] / 2]
    memory, descriptors, log = (growth(settled, column) for column in (1, 2, 3))
    mean = sum(sample[1] for sample in settled) / len(settled)
    largest = max(sample[3] for sample in samples)
    fault.note = (
        f"{sum(count for _, count in reports)} responses; over the second half memory {memory / 1024:+.0f} KiB of "
        f"{mean / 1024 / 1024:.1f} MiB, descriptors {descriptors:+.1f} of {settled[-1][2]}, log {log / 1024:+.0f} KiB, at "
        f"most {largest / 1024 / 1024:.1f} MiB; mapped {samples[0][4] >> 20} to {samples[-1][4] >> 20} MiB of a database of "
        f"{workspace.database.stat().st_size >> 20} MiB")
    limit = max(MEMORY, mean * MEMORY_SHARE)
    expect(memory <= limit, f"memory grew by {memory / 1024:.0f} KiB, the limit is {limit / 1024:.0f}; {fault.note}")
    expect(descriptors <= DESCRIPTORS, f"descriptors grew by {descriptors:.1f}, the limit is {DESCRIPTORS}")
    expect(log <= LOG, f"the log grew by {log / 1024:.0f} KiB, the limit is {LOG / 1024:.0f}")


def load(results, finished, guide: Guide, port: int, seed: int) -> None:
    """Requests `RATE` viewports per second, with a new connection after every 100."""
    chance = random.Random(seed)
    found: dict = {"pairs": []}
    error, count = "", 0
    connection = None
    try:
        while not finished.is_set():
            if count % 100 == 0:
                if connection:
                    connection.close()
                found["pairs"].clear()
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            path = grid(guide, chance)
            connection.request("GET", path)
            response = connection.getresponse()
            note(found, path, response, response.read())
            count += 1
            time.sleep(1 / RATE)
    except Exception as failure:  # noqa: BLE001
        error = f"{type(failure).__name__}: {failure}"
    results.put((error, count))


def sample(service: Service, workspace: Workspace) -> tuple[int, int, int, int]:
    """Returns bytes of private memory, open descriptors, bytes of the log, and bytes of mapped database pages.

    Mapped pages are the kernel's cache of the database file, which grows with the log of changes; that log covers a week.
    """
    log = workspace.folder / "guide.sqlite-wal"
    descriptors = len(os.listdir(f"/proc/{service.process.pid}/fd"))
    return service.memory("RssAnon"), descriptors, log.stat().st_size if log.exists() else 0, service.memory("RssFile")


def growth(samples: list[tuple], column: int) -> float:
    """Returns the rise of the least-squares line through the samples, from the first to the last."""
    count = len(samples)
    times = [sample[0] for sample in samples]
    values = [sample[column] for sample in samples]
    middle, mean = sum(times) / count, sum(values) / count
    spread = sum((at - middle) ** 2 for at in times)
    slope = sum((at - middle) * (value - mean) for at, value in zip(times, values)) / spread if spread else 0
    return slope * (times[-1] - times[0])
