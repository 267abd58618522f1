"""Concurrent refreshes: one runs, the others exit with 75 within a second."""

import subprocess
import time

from guides import Guide
from harness import Harness
from support.processes import wait_until
from support.report import expect
from workspace import Editions

#: Maximum seconds until the other refreshes exit.
MAXIMUM_WAIT = 1.0


def run(harness: Harness) -> None:
    editions = Editions(harness, "concurrent", Guide(10, 3, harness.now - 86_400), viewports=3)
    for count in (2, 8, 32):
        with harness.fault(f"{count} refreshes at once") as fault:
            slowest = 0.0
            for turn in range(harness.scaled(20, 1)):
                with fault.case(f"round {turn + 1}"):
                    slowest = max(slowest, refresh_concurrently(count, editions))
            fault.note = f"the slowest refresh that gave way took {slowest * 1000:.0f} ms"


def refresh_concurrently(count: int, editions: Editions) -> float:
    """Returns the seconds that the slowest of the refreshes that gave way took."""
    workspace = editions.old.copy("run")
    server = editions.harness.server
    # The server responds once the others have given way.
    server.released.clear()
    requests = server.requests
    started = []
    for _ in range(count):
        at = time.monotonic()
        process = subprocess.Popen(
            [editions.harness.epg, "refresh", "--database", workspace.database],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        started.append((process, at))
    ends: dict[subprocess.Popen, float] = {}

    def ended() -> int:
        for process, at in started:
            if process not in ends and process.poll() is not None:
                ends[process] = time.monotonic() - at
        return len(ends)

    try:
        wait_until(lambda: ended() >= count - 1, "all refreshes but one exit", pause=0.002)
    finally:
        server.released.set()
    wait_until(lambda: ended() == count, "the refresh exits", pause=0.002)
    codes = sorted(process.returncode for process in ends)
    messages = [process.communicate()[1].strip() for process in ends]
    expect(codes == [0] + [75] * (count - 1), f"exit codes {codes}: {messages[:2]}")
    slowest = max(seconds for process, seconds in ends.items() if process.returncode == 75)
    expect(slowest <= MAXIMUM_WAIT, f"one exited after {slowest:.2f} s")
    expect(server.requests == requests + 1, f"the server received {server.requests - requests} requests")
    expect(editions.expect_intact(workspace) == "new", "the guide isn't the new one")
    return slowest
