"""epgd and nginx on every node, HAProxy in front of them, and their clients."""

import contextlib
import csv
import http.client
import io
import json
import os
import pickle
import re
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

from cluster import EXAMPLE, NAMES, NETWORK, Cluster, Node
from support import ROOT
from support.processes import Response, stop, wait_until
from support.report import expect

sys.path.append(str(ROOT / "Tests/System/faults"))
from guides import Guide  # noqa: E402

FRONT = f"{NETWORK}254"
#: The readers of the requirements: this many, and their requests per second in total.
READERS, RATE = 8, 200


_REQUEST = """
import json, pickle, sys
sys.path.insert(0, sys.argv[1])
from support.processes import request
path, headers, method = sys.argv[2:]
pickle.dump(request(8080, path, json.loads(headers), method, sys.stdin.buffer.read() or None), sys.stdout.buffer)
"""


@contextlib.contextmanager
def running(cluster: Cluster):
    """Runs a block with the services, which are started once and repaired for each test."""
    if not hasattr(cluster, "services"):
        cluster.settle()
        cluster.services = Services(cluster)
    cluster.services.repair()
    yield cluster.services


class Services:
    """The service on three nodes."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.guide = Guide(40, 2, int(time.time()) - 43_200)
        self.bodies = [self.guide.xml(0), self.guide.xml(1)]
        self.edition = 0
        #: A viewport whose titles name the edition.
        self.viewport = f"/api/v1/grid?rows=0-9&hours=3&at={self.guide.start + 7200}"
        self.front: subprocess.Popen | None = None
        #: The editions by name of the generation, and the digests of responses by name and path, that all readers have seen.
        self.editions: dict[str, set[int]] = {}
        self.contents: dict[tuple[str, str], set[str]] = {}
        #: The tokens for imports over HTTP, by name of the node.
        self.tokens: dict[str, str] = {}
        # Of epg outside of the nodes.
        os.environ["CACHE_DIRECTORY"] = str(cluster.folder / "cache")
        code, text = self.load()
        expect(code == 0, f"epg import failed (exit {code}): {text}")

    # MARK: Servers

    def start(self, nodes: list[Node] | None = None) -> None:
        """Starts what doesn't run, on all nodes or on some, and waits until they are ready."""
        nodes = list(self.cluster) if nodes is None else nodes
        for node in nodes:
            if not node.is_running("epgd"):
                self._start_epgd(node)
            if node.is_running("nginx"):
                continue
            site = node.folder / "etc/nginx/conf.d/nginx.conf"
            text = (ROOT / "packaging/nginx.conf").read_text()
            # All clients of the tests share one address.
            for old, new in {"rate=100r/s": "rate=100000r/s", "burst=1000": "burst=100000",
                             "limit_conn epg_connections 256": "limit_conn epg_connections 8192"}.items():
                expect(old in text, old)
                text = text.replace(old, new)
            (site.parent / "epg.conf").write_text(text)
            node.start_nginx()
        if self.front is None:
            with open(self.cluster.folder / "haproxy.log", "wb") as log:
                self.front = subprocess.Popen(
                    ["haproxy", "-W", "-db", "-f", EXAMPLE / "haproxy.cfg"], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        for node in nodes:
            self.wait_until_ready(node)

    def _start_epgd(self, node: Node) -> None:
        # As in epgd.service with the drop-in of packaging/cluster.
        lines = re.findall(r'^Environment="?(\w+)=([^"\n]*)"?$', (EXAMPLE / "epgd.conf").read_text(), re.MULTILINE)
        settings = dict(lines) | {
            "PGPASSFILE": str(self.cluster.folder / "pgpass"), "CACHE_DIRECTORY": "/var/cache/epg", "TZ": "UTC"}
        if node.name not in self.tokens:
            variables = [f"{name}={value}" for name, value in settings.items()]
            self.tokens[node.name] = node.run(
                "env", *variables, self.cluster.programs.epg, "admin", "token", "add", "tests", "--scope", "import").strip()
        node.start("epgd", self.cluster.programs.epgd, "--limits-requests-per-minute", 0, "--limits-per-address", 4096,
                   environment=settings)

    @staticmethod
    def command_front(command: str) -> str:
        """Sends a command to HAProxy, as Documentation/cluster.md does with socat."""
        with socket.socket(socket.AF_UNIX) as client:
            client.connect("/run/haproxy.sock")
            client.sendall(command.encode() + b"\n")
            return client.makefile().read()

    def _is_front_settled(self) -> bool:
        """Returns whether HAProxy uses all nodes."""
        try:
            rows = csv.DictReader(io.StringIO(self.command_front("show stat").removeprefix("# ")))
        except OSError:
            # It does not listen yet.
            return False
        return {row["svname"] for row in rows if row["pxname"] == "nodes" and row["status"] == "UP"} >= set(NAMES)

    def stop(self) -> None:
        for node in self.cluster:
            node.stop("nginx")
            node.stop("epgd")
        if self.front:
            stop(self.front)
            self.front = None

    def repair(self) -> None:
        """Starts what ended, and waits until HAProxy uses all nodes."""
        self.cluster.settle(90)
        self.start()
        wait_until(self._is_front_settled, "HAProxy uses all nodes", 30, 0.2)

    def wait_until_ready(self, node: Node) -> None:
        wait_until(lambda: self.status(node.name) == 200, f"{node.name} is ready: {node.log('epgd')[-300:]}", 30)

    @staticmethod
    def status(host: str = FRONT, path: str = "/readyz") -> int:
        connection = http.client.HTTPConnection(host, 80, timeout=5)
        try:
            connection.request("GET", path, headers={"Host": "tv.example"})
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return 0
        finally:
            connection.close()

    @staticmethod
    def request(node: Node, path: str, headers: dict[str, str] | None = None, method: str = "GET", body: bytes = b"") -> Response:
        """Sends a request to the service of a node, without a proxy."""
        return pickle.loads(node.run(
            sys.executable, "-c", _REQUEST, ROOT / "Tests/System", path, json.dumps(headers or {}), method, input=body, text=False))

    def get(self, node: Node, path: str) -> str:
        """Returns the body of a response with status 200 of the service of a node."""
        response = self.request(node, path)
        expect(response.status == 200, f"{node.name}: {path} returned {response.status}: {response.body[:300]!r}")
        return response.body.decode()

    def shown_editions(self, node: Node) -> set[int]:
        return {int(number) for number in re.findall(r" edition (\d+)", self.get(node, self.viewport))}

    def expect_edition(self, edition: int) -> None:
        """Expects that all nodes soon show an edition, or a later one whose import had an unknown outcome."""
        for node in self.cluster:
            def is_shown() -> bool:
                shown = self.shown_editions(node)
                return len(shown) == 1 and min(shown) >= edition
            wait_until(is_shown, f"{node.name} shows edition {edition}", 10, 0.5)

    def requests(self, route: str) -> int:
        """Returns how many requests of a route the services of all nodes have handled."""
        total = 0
        for node in self.cluster:
            lines = re.findall(r"^epg_http_requests_total\{([^}]*)\} (\d+)", self.get(node, "/metrics"), re.MULTILINE)
            total += sum(int(count) for labels, count in lines if f'route="{route}"' in labels)
        return total

    # MARK: Imports

    def body(self, edition: int) -> bytes:
        """Returns an edition of the guide as XMLTV."""
        kind = edition % 2
        return self.bodies[kind].replace(f" edition {kind}<".encode(), f" edition {edition}<".encode())

    def start_import(self) -> subprocess.Popen:
        """Starts an import of the current edition."""
        path = self.cluster.folder / "edition.xml"
        path.write_bytes(self.body(self.edition))
        with open(path, "rb") as body:
            return subprocess.Popen(
                [self.cluster.programs.epg, "import", "-", "--source", "nightly", "--database", self.cluster.url()],
                stdin=body, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def load(self, timeout: float = 30) -> tuple[int, str]:
        """Imports the current edition; returns the exit code and the messages."""
        process = self.start_import()
        try:
            code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            return -1, "timeout"
        return code, process.stderr.read().decode()[-300:]

    def advance(self) -> int:
        """Imports the next edition and returns it."""
        self.edition += 1
        code, text = self.load()
        expect(code == 0, f"epg import failed (exit {code}): {text}")
        return self.edition


class Importer:
    """Imports one edition after the other, from outside of the nodes, and remembers when an import succeeded."""

    def __init__(self, services: Services, pause: float = 1.0) -> None:
        self.services = services
        self.pause = pause
        self.successes: list[float] = []
        self.failures: list[tuple[int, str]] = []
        #: The last edition whose import succeeded.
        self.last = services.edition
        self._is_finished = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._thread.start()
        wait_until(lambda: self.successes, f"the first import ({self.failures[-1:]})", 60)
        return self

    def __exit__(self, *_) -> None:
        self._is_finished.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._is_finished.wait(self.pause):
            # Also after a failure, whose outcome may be unknown: an edition is imported at most once.
            self.services.edition += 1
            edition = self.services.edition
            code, text = self.services.load()
            if code == 0:
                self.successes.append(time.monotonic())
                self.last = edition
            else:
                self.failures.append((code, text))

    def wait_for_import(self, since: float, seconds: float) -> float:
        """Waits for an import that succeeded after an instant, and returns how long after it."""
        def first() -> float | None:
            return next((moment for moment in list(self.successes) if moment > since), None)
        return wait_until(first, f"an import after {self.failures[-2:]}", seconds, 0.1) - since


class Readers:
    """Reader processes through HAProxy, and two beside each service, which use no cache."""

    def __init__(self, services: Services, is_direct: bool = True) -> None:
        self.services = services
        guide = services.guide
        last = [str(guide.stations), str(guide.start), str(guide.days * 24)]
        program = [sys.executable, str(Path(__file__).with_name("reader.py"))]
        commands = [("proxy", [*program, f"{FRONT}:80", str(RATE / READERS), str(seed), *last]) for seed in range(READERS)]
        if is_direct:
            commands += [
                (name, services.cluster[name].words(*program, "127.0.0.1:8080", "10", str(seed), *last))
                for seed in range(2) for name in NAMES]
        self.processes = [
            (place, subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)) for place, command in commands]
        #: The reports by place: "proxy", or the name of a node.
        self.reports: dict[str, list[dict]] = {}

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        for _, process in self.processes:
            if process.poll() is None:
                process.stdin.close()
        for place, process in self.processes:
            text = process.stdout.read()
            process.wait()
            # A crash of the node ends its readers, too.
            if text:
                self.reports.setdefault(place, []).append(json.loads(text))

    def total(self, place: str) -> int:
        return sum(report["count"] for report in self.reports.get(place, []))

    def errors(self, place: str) -> list[str]:
        return [f"{moment:.1f}: {text}" for report in self.reports.get(place, []) for moment, text in report["errors"]]

    def slowest(self, place: str) -> float:
        return max(report["slowest"] or 0 for report in self.reports[place])

    def outage(self, places) -> float:
        """Returns the total time in which reads failed at some of these places."""
        intervals = sorted(tuple(each) for place in places for report in self.reports.get(place, []) for each in report["outages"])
        total, end = 0.0, 0.0
        for start, stop_ in intervals:
            total += max(0.0, stop_ - max(start, end))
            end = max(end, stop_)
        return total

    def expect_unique_names(self) -> int:
        """Expects that no name of a generation was ever seen with two contents, in all tests so far; returns the number of names."""
        editions, contents = self.services.editions, self.services.contents
        for report in (report for reports in self.reports.values() for report in reports):
            for name, numbers in report["editions"].items():
                editions.setdefault(name, set()).update(numbers)
            for name, paths in report["contents"].items():
                for path, digests in paths.items():
                    contents.setdefault((name, path), set()).update(digests)
        mixed = {name: sorted(numbers) for name, numbers in editions.items() if len(numbers) > 1}
        expect(not mixed, f"generations with several editions: {mixed}")
        different = [key for key, digests in contents.items() if len(digests) > 1]
        expect(not different, f"{len(different)} viewports have several contents in one generation: {different[:3]}")
        return len(editions)
