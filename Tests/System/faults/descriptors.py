"""A low limit of open files: epgd refuses to start if it is too low, and survives more connections than it has descriptors."""

import http.client
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

from guides import Guide
from harness import Harness
from support.processes import limited
from support.report import expect
from workspace import Workspace

CONNECTIONS = 60
PATHS = ["/", "/api/v1/grid", "/api/v1/search?q=news", "/xmltv.xml", "/xmltv.xml.gz", "/guide.json", "/api/v1/events",
         "/readyz", "/metrics", "/grid.svg", "/?zone=America/New_York"]


def run(harness: Harness) -> None:
    workspace = Workspace.with_source(harness, "descriptors", Guide(10, 2, harness.now - 86_400).xml(0))
    fewest = 0
    with harness.fault("too few open files") as fault:
        for count in [12, 16, 19, 24, 64, 192]:
            with fault.case(f"{count}"):
                fewest = expect_refusal(harness, workspace, count)
        with fault.case("one too few"):
            expect_refusal(harness, workspace, fewest - 1)
        fault.note = f"the minimum is {fewest}"
    with harness.fault(f"{CONNECTIONS} connections at the minimum limit of open files") as fault:
        for turn in range(harness.scaled(10, 2)):
            with fault.case(f"round {turn + 1}"):
                overload(workspace, fewest, rounds=harness.scaled(40, 8))


def expect_refusal(harness: Harness, workspace: Workspace, count: int) -> int:
    """Starts the service with a limit of open files and returns the minimum that it reports."""
    outcome = subprocess.run(
        limited(count, [harness.programs.epgd, "--database", workspace.database, "--port", "0"]),
        capture_output=True, text=True, timeout=60)
    expect(outcome.returncode == 78, f"exit {outcome.returncode}: {outcome.stderr[-200:]}")
    match = re.search(rf"The limit of open files is {count}; the service needs at least (\d+)", outcome.stderr)
    expect(match is not None, outcome.stderr[-200:])
    return int(match[1]) if match else 0


def overload(workspace: Workspace, open_files: int, rounds: int) -> None:
    """Sends requests on more connections than there are descriptors; half of the clients disconnect early."""
    with workspace.serve(open_files=open_files) as service:
        with ThreadPoolExecutor(CONNECTIONS) as pool:
            statuses = set(pool.map(lambda number: request(service.port, number), range(CONNECTIONS * rounds)))
        service.expect_running()
        expect(statuses <= {200, 429, 503, None}, f"statuses {statuses}")
        expect(200 in statuses, "no request succeeded")
        expect(service.request("/healthz").status == 200, "the service isn't healthy afterwards")


def request(port: int, number: int) -> int | None:
    """Returns the status of one request; `None` if the connection was closed without a response."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", PATHS[number % len(PATHS)])
        response = connection.getresponse()
        # The event stream never ends, and a client that disconnects early reads nothing.
        if number % 2 and response.status == 200 and PATHS[number % len(PATHS)] != "/api/v1/events":
            response.read()
        return response.status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
