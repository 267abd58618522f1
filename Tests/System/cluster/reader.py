"""A client of the service, as a program: sends requests at a fixed rate until its standard input ends, then prints a report.

    reader.py HOST:PORT RATE SEED FIRST-STATION-COUNT START HOURS

The paths are viewports of a generated guide (Tests/System/faults/guides.py), whose titles name the edition. The report is one
line of JSON; its times are seconds of the monotonic clock, which all network namespaces of a machine share.
"""

import hashlib
import http.client
import json
import random
import re
import select
import sys
import time
from urllib.parse import quote

#: Time after which a client gives up a request.
PATIENCE = 5.0
#: Number of different viewports.
VIEWPORTS = 200
EDITION = re.compile(rb" edition (\d+)\b")


def paths(stations: int, start: int, hours: int) -> list[str]:
    """Returns viewports of three hours and ten rows, the same in every reader."""
    chance = random.Random(1)
    found = []
    for _ in range(VIEWPORTS):
        first = chance.randrange(max(1, stations - 10))
        text = quote(time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(start + 3600 * chance.randrange(hours - 4))))
        found.append(f"/api/v1/grid?from={text}&hours=3&rows={first}-{first + 9}&at={text}")
    return found


class Reader:
    def __init__(self, address: str) -> None:
        self.host, port = address.split(":")
        self.port = int(port)
        self.connection: http.client.HTTPConnection | None = None
        self.count = 0
        self.latencies: list[float] = []
        #: Errors with the time at which the request was sent.
        self.errors: list[tuple[float, str]] = []
        #: Intervals from the first request that failed to the first response after it.
        self.outages: list[tuple[float, float]] = []
        self._failing_since: float | None = None
        #: For each name of a generation and each path, the digest of the response; several are a violation.
        self.contents: dict[str, dict[str, list[str]]] = {}
        self.editions: dict[str, list[int]] = {}

    def read(self, path: str) -> None:
        begin = time.monotonic()
        self.count += 1
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)
            # The name in packaging/nginx.conf.
            self.connection.request("GET", path, headers={"Host": "tv.example"})
            response = self.connection.getresponse()
            body = response.read()
            if response.status != 200:
                raise ValueError(f"status {response.status}: {body[:200]!r}")
            self._note(path, response.getheader("Guide-Generation"), body)
        except (OSError, http.client.HTTPException, ValueError) as error:
            if isinstance(error, http.client.RemoteDisconnected) and self.connection and self._is_reused(begin):
                # The server closed an idle connection; HTTP clients repeat the request (RFC 9112, section 9.3.1).
                self.count -= 1
                self._close()
                return self.read(path)
            self._close()
            self.errors.append((begin, f"{type(error).__name__}: {error}"))
            self._failing_since = self._failing_since or begin
        else:
            self._used = True
            self.latencies.append(time.monotonic() - begin)
            if self._failing_since:
                self.outages.append((self._failing_since, time.monotonic()))
                self._failing_since = None

    _used = False

    def _is_reused(self, begin: float) -> bool:
        used, self._used = self._used, False
        return used and time.monotonic() - begin < 1

    def _close(self) -> None:
        if self.connection:
            self.connection.close()
        self.connection = None
        self._used = False

    def _note(self, path: str, generation: str | None, body: bytes) -> None:
        editions = {int(number) for number in EDITION.findall(body)}
        if generation is None or len(editions) != 1:
            raise ValueError(f"editions {editions} in generation {generation}")
        digests = self.contents.setdefault(generation, {}).setdefault(path, [])
        digest = hashlib.sha256(body).hexdigest()[:16]
        if digest not in digests:
            digests.append(digest)
        seen = self.editions.setdefault(generation, [])
        if not editions <= set(seen):
            seen += editions

    def report(self) -> dict:
        if self._failing_since:
            self.outages.append((self._failing_since, time.monotonic()))
        self.latencies.sort()
        return {
            "count": self.count, "errors": self.errors, "outages": self.outages, "contents": self.contents, "editions": self.editions,
            "p99": self.latencies[int(len(self.latencies) * 0.99)] if self.latencies else None,
            "slowest": self.latencies[-1] if self.latencies else None}


def main() -> None:
    address, rate, seed, stations, start, hours = sys.argv[1:]
    chance = random.Random(int(seed))
    reader = Reader(address)
    viewports = paths(int(stations), int(start), int(hours))
    due = time.monotonic() + chance.random() / float(rate)
    while not select.select([sys.stdin], [], [], max(0.0, due - time.monotonic()))[0]:
        reader.read(chance.choice(viewports))
        # After an outage, the missed requests are not made up for.
        due = max(due + 1 / float(rate), time.monotonic())
    print(json.dumps(reader.report()))


if __name__ == "__main__":
    main()
