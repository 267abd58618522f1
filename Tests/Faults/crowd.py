"""Many refreshes at once: one runs, the others leave with 75 within a second."""

import subprocess
import time

from frame import Bench, expect
from guides import Guide
from place import Editions
from server import GuideServer

#: Seconds within which those that don't run are gone.
LEAVING = 1.0


def run(bench: Bench) -> None:
    server = GuideServer()
    editions = Editions(bench, "crowd", Guide(10, 3, bench.now - 86_400), server, viewports=3)
    for count in (2, 8, 32):
        with bench.fault(f"{count} refreshes at once") as fault:
            slowest = 0.0
            for turn in range(bench.scaled(20, 1)):
                with fault.case(f"round {turn + 1}"):
                    slowest = max(slowest, round_of(count, editions, server))
            fault.note = f"the slowest of those that left took {slowest * 1000:.0f} ms"
    server.close()


def round_of(count: int, editions: Editions, server: GuideServer) -> float:
    """Seconds that the slowest of those that left took."""
    place = editions.old.copy("run")
    # The one that runs has to wait for its server until the last has begun.
    server.delay = 0.3 + 0.03 * count
    requests = server.requests
    begun = []
    for _ in range(count):
        at = time.monotonic()
        process = subprocess.Popen(
            [editions.bench.epg, "refresh", "--database", place.database],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        begun.append((process, at))
    ends: dict[subprocess.Popen, float] = {}
    while len(ends) < count:
        for process, at in begun:
            if process not in ends and process.poll() is not None:
                ends[process] = time.monotonic() - at
        time.sleep(0.002)
    server.delay = 0
    codes = sorted(process.returncode for process in ends)
    words = [process.communicate()[1].strip() for process in ends]
    expect(codes == [0] + [75] * (count - 1), f"exit codes {codes}: {words[:2]}")
    slowest = max(seconds for process, seconds in ends.items() if process.returncode == 75)
    expect(slowest <= LEAVING, f"one left after {slowest:.2f} s")
    expect(server.requests == requests + 1, f"the server was asked {server.requests - requests} times")
    expect(editions.expect_whole(place) == "new", "the guide isn't the new one")
    return slowest
