"""Expensive searches from one client: the pages of others and `/readyz` stay as quick as ever.

Clients are told apart by their addresses, all of this machine: the attacker is 127.0.0.2, the others are 127.0.0.3 and so on.
"""

import asyncio
import http.client
import itertools
import multiprocessing
import random
import string
import time
from pathlib import Path
from urllib.parse import quote

from frame import Bench, Fault, expect
from guides import Guide, stamp
from place import Place
from service import get, service

#: The largest real guide, where this machine has it.
REAL = Path(__file__).resolve().parents[3] / "shared/data/derived/mega.xml.gz"
#: The bar: what 99 of 100 answers to other clients take at most, in seconds.
BAR = 0.5
#: The bound of untimed runs: of a debug build, on a machine that does other work, too.
UNTIMED_BAR = 5
#: Searches a second: 1,200 a minute.
RATE = 20
#: Searches of the burst whose clients hang up.
BURST = 500
OTHERS = 3
ATTACKER = "127.0.0.2"
#: Beginnings of words that are frequent in many languages.
BEGINNINGS = ["co", "de", "re", "in", "pr", "di", "pa", "se", "ma", "un", "pe", "st", "tr", "mi", "ca", "so", "te", "la", "no", "po"]


def run(bench: Bench) -> None:
    place = Place(bench, bench.subfolder("searches"))
    if REAL.exists() and not bench.short:
        guide = REAL
    else:
        guide = place.folder / "guide.xml"
        guide.write_bytes(Guide(bench.scaled(2000, 100), 7, bench.now - 86_400).xml(0))
    place.done("import", guide)
    with service(place) as (process, port):
        kinds = kinds_of_requests(bench.now)
        for path in (next(kind) for kind in kinds.values()):
            expect(get(port, path)[0] == 200, f"{path} fails at rest")
        seconds = bench.scaled(30, 4)
        with bench.fault(f"{RATE * 60} expensive searches a minute from one client") as fault:
            judge(bench, fault, beside(port, bench.now, seconds, lambda: attack(port, RATE * seconds, 1 / RATE, False)))
        with bench.fault(f"{BURST} expensive searches whose client hangs up at once") as fault:
            judge(bench, fault, beside(port, bench.now, seconds, lambda: attack(port, BURST, 0, True)))
            at_rest(port, fault)
        expect(process.poll() is None, "epgd ended")


def expensive(chance: random.Random) -> str:
    """The address of a search that takes long, and that nobody asked for before."""
    # The most that a search may have; a letter that another beginning starts with would not count.
    letter = chance.choice(string.ascii_lowercase[:20])
    words = [f"{letter}*"] + [f"{beginning}*" for beginning in chance.sample(BEGINNINGS, 12) if beginning[0] != letter][:11]
    return f"/api/v1/search?q={quote(' '.join(words))}&at={stamp_of(chance.randrange(1_600_000_000, 1_900_000_000))}"


def stamp_of(instant: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:00Z", time.gmtime(instant))


def kinds_of_requests(now: int) -> dict:
    """What other clients ask for: addresses that never end, by what they are."""
    chance = random.Random(now)

    def grids():
        while True:
            row, at = chance.randrange(0, 60), now + 60 * chance.randrange(-500, 2000)
            yield f"/api/v1/grid?from={stamp_of(at)}&hours=3&rows={row}-{row + 19}"

    return {
        "/": itertools.repeat("/"), "/home": itertools.repeat("/home"), "an unseen grid": grids(),
        "/readyz": itertools.repeat("/readyz"),
    }


# MARK: The attacker


def attack(port: int, count: int, pause: float, hangs_up: bool) -> dict[int, int]:
    """Sends searches and counts the statuses; those that hang up read nothing."""
    return asyncio.run(_attack(port, count, pause, hangs_up))


async def _attack(port: int, count: int, pause: float, hangs_up: bool) -> dict[int, int]:
    chance = random.Random(count)
    begun = time.monotonic()
    tasks = []
    for number in range(count):
        tasks.append(asyncio.create_task(_search(port, expensive(chance), hangs_up)))
        await asyncio.sleep(max(0, begun + number * pause - time.monotonic()))
    statuses: dict[int, int] = {}
    for task in tasks:
        status = await task
        statuses[status] = statuses.get(status, 0) + 1
    return statuses


async def _search(port: int, path: str, hangs_up: bool) -> int:
    """The status of the answer; 0 where there is none. One that refuses has to say for how long."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(ATTACKER, 0))
        writer.write(f"GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
        await writer.drain()
        if hangs_up:
            writer.close()
            return 0
        answer = await asyncio.wait_for(reader.read(), 60)
        writer.close()
    except (OSError, asyncio.TimeoutError):
        return 0
    head = answer.split(b"\r\n\r\n")[0]
    status = int(head.split(b" ")[1]) if head else 0
    if status in (429, 503) and b"retry-after:" not in head.lower():
        return -status
    return status


# MARK: The others


def beside(port: int, now: int, seconds: float, action) -> tuple[list[dict], dict[int, int]]:
    """Runs the attack in a process of its own while others ask; what they noted, and the statuses of the attack."""
    with multiprocessing.Pool(OTHERS + 1, initializer=_inherit, initargs=(action,)) as pool:
        statuses = pool.apply_async(_run_inherited)
        others = [pool.apply_async(ask, (port, f"127.0.0.{number + 3}", now + number, seconds)) for number in range(OTHERS)]
        return [other.get() for other in others], statuses.get()


def _inherit(action) -> None:
    global _inherited  # noqa: PLW0603 (a pool hands functions to its processes only by name)
    _inherited = action


def _run_inherited():
    return _inherited()


def ask(port: int, address: str, now: int, seconds: float) -> dict:
    """Asks one thing after the other from an address; the seconds that each took by what was asked, and what failed."""
    kinds = kinds_of_requests(now)
    times: dict[str, list[float]] = {kind: [] for kind in kinds}
    failures: list[str] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for kind, paths in kinds.items():
            path, begin = next(paths), time.monotonic()
            try:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=(address, 0))
                connection.request("GET", path, headers={"Accept-Encoding": "gzip"} if kind == "an unseen grid" else {})
                answer = connection.getresponse()
                answer.read()
                connection.close()
                if answer.status != 200:
                    failures.append(f"{path} answered {answer.status}")
            except OSError as error:
                failures.append(f"{path}: {error}")
            times[kind].append(time.monotonic() - begin)
        time.sleep(0.02)
    return {"times": times, "failures": failures}


# MARK: What is held against it


def judge(bench: Bench, fault: Fault, outcome: tuple[list[dict], dict[int, int]]) -> None:
    others, statuses = outcome
    bar = BAR if bench.timed else UNTIMED_BAR
    figures = []
    slow = []
    for kind in others[0]["times"]:
        times = sorted(time for other in others for time in other["times"][kind])
        fault.count += len(times)
        worst = times[min(len(times) - 1, int(len(times) * 0.99))]
        figures.append(f"{kind} {worst * 1000:.0f} ms")
        if worst >= bar:
            slow.append(f"99 of 100 answers to {kind} took up to {worst * 1000:.0f} ms, not {bar * 1000:.0f}")
    told = ", ".join(f"{count} × {status}" for status, count in sorted(statuses.items()))
    fault.note = f"p99 of others: {', '.join(figures)}; the attacker got {told}"
    failures = [failure for other in others for failure in other["failures"]]
    fault.failures += failures[:3]
    fault.failures += [f"{-status} without Retry-After" for status in statuses if status < 0]
    fault.failures += slow


def at_rest(port: int, fault: Fault) -> None:
    """Waits until nothing of the attack runs or waits any more, for 2 seconds at most."""
    end = time.monotonic() + 2
    while True:
        metrics = get(port, "/metrics")[1].decode()
        lines = [line for line in metrics.splitlines() if line.startswith(("epg_readings_running{", "epg_readings_waiting{"))]
        if lines and all(line.endswith(" 0") for line in lines):
            return
        if time.monotonic() > end:
            fault.failures.append(f"work goes on for nobody: {lines}")
            return
        time.sleep(0.05)
