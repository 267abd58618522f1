"""Expensive searches from one client don't slow down the pages of other clients or `/readyz`.

The service distinguishes clients by address: the attacker is 127.0.0.2; the others are 127.0.0.3 and up.
"""

import asyncio
import itertools
import random
import string
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

from guides import Guide
from harness import Fault, Harness
from support import ROOT
from support.processes import Service, request, wait_until
from support.report import expect
from support.times import iso_time
from workspace import Workspace

#: The largest real guide, if it is installed on this machine.
REAL = ROOT.parent / "shared/data/derived/mega.xml.gz"
#: Maximum p99 latency of other clients, in seconds.
MAXIMUM_P99 = 0.5
#: The limit of the short form: a debug build on a busy machine.
SHORT_MAXIMUM_P99 = 5
#: Searches per second (1,200 per minute).
RATE = 20
#: Number of searches in the burst whose clients disconnect.
BURST = 500
OTHERS = 3
ATTACKER = "127.0.0.2"
#: Prefixes of words that are common in many languages.
PREFIXES = ["co", "de", "re", "in", "pr", "di", "pa", "se", "ma", "un", "pe", "st", "tr", "mi", "ca", "so", "te", "la", "no", "po"]


def run(harness: Harness) -> None:
    workspace = Workspace(harness, harness.subfolder("searches"))
    if REAL.exists() and not harness.short:
        guide = REAL
    else:
        guide = workspace.folder / "guide.xml"
        guide.write_bytes(Guide(harness.scaled(2000, 100), 7, harness.now - 86_400).xml(0))
    workspace.succeed("import", guide)
    with workspace.serve() as service:
        port = service.port
        kinds = kinds_of_requests(harness.now)
        for path in (next(kind) for kind in kinds.values()):
            expect(service.request(path).status == 200, f"{path} fails at rest")
        seconds = harness.scaled(30, 4)
        with harness.fault(f"{RATE * 60} expensive searches per minute from one client") as fault:
            verify(harness, fault, during_attack(port, harness.now, seconds, lambda: attack(port, RATE * seconds, 1 / RATE, False)))
        with harness.fault(f"{BURST} expensive searches whose client disconnects at once") as fault:
            verify(harness, fault, during_attack(port, harness.now, seconds, lambda: attack(port, BURST, 0, True)))
            expect_idle(service, fault)
        service.expect_running()


def expensive(chance: random.Random) -> str:
    """Returns the path of an expensive search that isn't cached."""
    # The maximum number of words; a prefix of another word wouldn't count.
    letter = chance.choice(string.ascii_lowercase[:20])
    words = [f"{letter}*"] + [f"{prefix}*" for prefix in chance.sample(PREFIXES, 12) if prefix[0] != letter][:11]
    return f"/api/v1/search?q={quote(' '.join(words))}&at={iso_time(chance.randrange(1_600_000_000, 1_900_000_000))}"


def kinds_of_requests(now: int) -> dict:
    """Returns the requests of other clients: endless iterators of paths, by kind."""
    chance = random.Random(now)

    def grids():
        while True:
            row, at = chance.randrange(0, 60), now + 60 * chance.randrange(-500, 2000)
            yield f"/api/v1/grid?from={iso_time(at)}&hours=3&rows={row}-{row + 19}"

    return {
        "/": itertools.repeat("/"), "/home": itertools.repeat("/home"), "an uncached grid": grids(),
        "/readyz": itertools.repeat("/readyz"),
    }


# MARK: The attacker


def attack(port: int, count: int, pause: float, hangs_up: bool) -> dict[int, int]:
    """Sends searches and returns the number of responses by status; clients that disconnect read nothing."""
    return asyncio.run(_attack(port, count, pause, hangs_up))


async def _attack(port: int, count: int, pause: float, hangs_up: bool) -> dict[int, int]:
    chance = random.Random(count)
    start = time.monotonic()
    tasks = []
    for number in range(count):
        tasks.append(asyncio.create_task(_search(port, expensive(chance), hangs_up)))
        await asyncio.sleep(max(0, start + number * pause - time.monotonic()))
    statuses: dict[int, int] = {}
    for task in tasks:
        status = await task
        statuses[status] = statuses.get(status, 0) + 1
    return statuses


async def _search(port: int, path: str, hangs_up: bool) -> int:
    """Returns the status of the response, 0 without a response; negative for a refusal without Retry-After."""
    try:
        reader, writer = await asyncio.wait_for(asyncio.open_connection("127.0.0.1", port, local_addr=(ATTACKER, 0)), 60)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
        await writer.drain()
        if hangs_up:
            writer.close()
            return 0
        response = await asyncio.wait_for(reader.read(), 60)
        writer.close()
    except (OSError, asyncio.TimeoutError):
        return 0
    head = response.split(b"\r\n\r\n")[0]
    status = int(head.split(b" ")[1]) if head else 0
    if status in (429, 503) and b"retry-after:" not in head.lower():
        return -status
    return status


# MARK: The others


def during_attack(port: int, now: int, seconds: float, action) -> tuple[list[dict], dict[int, int]]:
    """Runs the attack and the other clients in threads; returns the clients' reports and the attack's statuses."""
    with ThreadPoolExecutor(OTHERS + 1) as pool:
        statuses = pool.submit(action)
        others = [pool.submit(send_requests, port, f"127.0.0.{number + 3}", now + number, seconds) for number in range(OTHERS)]
        return [other.result() for other in others], statuses.result()


def send_requests(port: int, address: str, now: int, seconds: float) -> dict:
    """Sends requests from an address; returns the latencies in seconds by kind, and the failures."""
    kinds = kinds_of_requests(now)
    times: dict[str, list[float]] = {kind: [] for kind in kinds}
    failures: list[str] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for kind, paths in kinds.items():
            path, begin = next(paths), time.monotonic()
            try:
                status = request(port, path, {"Accept-Encoding": "gzip"} if kind == "an uncached grid" else {}, source=address).status
                if status != 200:
                    failures.append(f"{path} returned {status}")
            except OSError as error:
                failures.append(f"{path}: {error}")
            times[kind].append(time.monotonic() - begin)
        time.sleep(0.02)
    return {"times": times, "failures": failures}


# MARK: Verification


def verify(harness: Harness, fault: Fault, outcome: tuple[list[dict], dict[int, int]]) -> None:
    others, statuses = outcome
    limit = SHORT_MAXIMUM_P99 if harness.short else MAXIMUM_P99
    figures = []
    slow = []
    for kind in others[0]["times"]:
        times = sorted(time for other in others for time in other["times"][kind])
        fault.count += len(times)
        p99 = times[min(len(times) - 1, int(len(times) * 0.99))]
        figures.append(f"{kind} {p99 * 1000:.0f} ms")
        if p99 >= limit:
            slow.append(f"the p99 latency of {kind} is {p99 * 1000:.0f} ms, the limit {limit * 1000:.0f} ms")
    counts = ", ".join(f"{count} × {status}" for status, count in sorted(statuses.items()))
    fault.note = f"p99 of others: {', '.join(figures)}; the attacker got {counts}"
    failures = [failure for other in others for failure in other["failures"]]
    fault.failures += failures[:3]
    fault.failures += [f"{-status} without Retry-After" for status in statuses if status < 0]
    fault.failures += slow


def expect_idle(service: Service, fault: Fault) -> None:
    """Verifies that no work of the attack runs or waits after at most 2 seconds."""
    def is_idle() -> bool:
        metrics = service.request("/metrics").body.decode()
        lines = [line for line in metrics.splitlines() if line.startswith(("epg_readings_running{", "epg_readings_waiting{"))]
        return bool(lines) and all(line.endswith(" 0") for line in lines)

    with fault.case("afterwards"):
        wait_until(is_idle, "the service ends its work for disconnected clients", seconds=2)
