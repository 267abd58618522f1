"""Few open files: epgd refuses to start where it has too few, and survives more connections than it has descriptors for."""

import http.client
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

from frame import Bench, expect
from guides import Guide
from place import Place
from server import GuideServer
from service import free_port, get, limited, service

CONNECTIONS = 60
PATHS = ["/", "/api/v1/grid", "/api/v1/search?q=news", "/xmltv.xml", "/xmltv.xml.gz", "/guide.json", "/api/v1/events",
         "/readyz", "/metrics", "/grid.svg", "/?zone=America/New_York"]


def run(bench: Bench) -> None:
    server = GuideServer()
    place = Place(bench, bench.subfolder("descriptors"))
    server.body = Guide(10, 2, bench.now - 86_400).xml(0)
    place.done("source", "add", "nightly", server.address)
    place.done("refresh")
    fewest = 0
    with bench.fault("too few open files") as fault:
        for count in [12, 16, 19, 24, 64, 192]:
            with fault.case(f"{count}"):
                fewest = refused(bench, place, count)
        with fault.case("one too few"):
            refused(bench, place, fewest - 1)
        fault.note = f"the fewest are {fewest}"
    with bench.fault(f"{CONNECTIONS} connections at the fewest open files") as fault:
        for turn in range(bench.scaled(10, 2)):
            with fault.case(f"round {turn + 1}"):
                crowded(place, fewest, rounds=bench.scaled(40, 8))
    server.close()


def refused(bench: Bench, place: Place, count: int) -> int:
    """Starts the service with so few open files; how many it says that it needs."""
    outcome = subprocess.run(
        limited(count, [bench.epgd, "--database", place.database, "--listen", f"127.0.0.1:{free_port()}"]),
        capture_output=True, text=True, timeout=60)
    expect(outcome.returncode == 78, f"exit {outcome.returncode}: {outcome.stderr[-200:]}")
    words = re.search(rf"The limit of open files is {count}; the service needs at least (\d+)", outcome.stderr)
    expect(words is not None, outcome.stderr[-200:])
    return int(words[1]) if words else 0


def crowded(place: Place, open_files: int, rounds: int) -> None:
    """Asks for everything at once on more connections than there are descriptors for, half of them hung up on."""
    with service(place, open_files=open_files) as (process, port):
        with ThreadPoolExecutor(CONNECTIONS) as pool:
            statuses = set(pool.map(lambda number: ask(port, number), range(CONNECTIONS * rounds)))
        expect(process.poll() is None, f"epgd ended with {process.poll()}")
        expect(statuses <= {200, 429, 503, None}, f"statuses {statuses}")
        expect(200 in statuses, "nobody was answered")
        expect(get(port, "/healthz", timeout=30)[0] == 200, "it isn't healthy afterwards")


def ask(port: int, number: int) -> int | None:
    """The status of one request; `None` where the connection was closed without an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", PATHS[number % len(PATHS)])
        answer = connection.getresponse()
        # The events go on for ever, and a client that hangs up reads nothing.
        if number % 2 and answer.status == 200 and PATHS[number % len(PATHS)] != "/api/v1/events":
            answer.read()
        return answer.status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
