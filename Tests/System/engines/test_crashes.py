"""Imports into PostgreSQL: killed programs and servers leave the old guide or the new one, and only one program writes."""

import contextlib
import hashlib
import http.client
import random
import re
import signal
import subprocess
import threading
import time
from urllib.parse import urlencode

from engines import Engine, Engines
from guide_server import GuideServer
from guides import Guide
from postgresql import USER
from support.processes import wait_until
from support.report import ExpectationFailed, expect

#: Longest time until the service answers after PostgreSQL accepts connections again.
LONGEST_RECOVERY = 5.0
#: Longest time until the server notices that a killed program is gone, and releases its lock.
LONGEST_LOCK = 10.0
HTTP_READERS = 3
EDITION = re.compile(rb" edition (\d+)\b")


class _Editions:
    """Any number of editions of a generated guide, and the exports of a guide that contains one of them."""

    def __init__(self, engines: Engines, stations: int, days: int) -> None:
        self.guide = Guide(stations, days, int(time.time()) - 43_200)
        self.bodies = [self.guide.xml(0), self.guide.xml(1)]
        # What PostgreSQL must contain, SQLite says.
        reference = engines.sqlite("editions")
        self.exports = []
        for body in self.bodies:
            reference.succeed("import", "-", "--source", "nightly", input=body)
            self.exports.append(reference.succeed("export"))
        expect(self.exports[0] != self.exports[1], "both editions have the same content")

    @staticmethod
    def _numbered(texts: list[bytes], edition: int) -> bytes:
        name = edition % 2
        return texts[name].replace(f" edition {name}<".encode(), f" edition {edition}<".encode())

    def body(self, edition: int) -> bytes:
        return self._numbered(self.bodies, edition)

    def digest(self, edition: int) -> bytes:
        return hashlib.sha256(self._numbered(self.exports, edition)).digest()


class _World:
    """A guide on PostgreSQL, a service on it, and readers, which note whatever is neither the old guide nor the new one."""

    def __init__(self, engines: Engines, name: str) -> None:
        self.engines = engines
        self.server = engines.server
        self.name = name
        self.random = random.Random(f"{engines.seed}/{name}")
        self.editions = _Editions(engines, engines.scaled(60, 20), engines.scaled(5, 3))
        self.guide = engines.postgresql(name)
        self.file = self.guide.folder / "guide.xml"
        #: The edition that is in the guide for sure, and the latest one that can be.
        self.oldest = self.newest = 0
        self.outcomes = {"old": 0, "new": 0}
        #: Failures while the import wrote to the database.
        self.writing = 0
        self.turns = 0
        #: Whether readers may fail.
        self.is_down = threading.Event()
        self.errors: list[str] = []
        self.reads = {"requests": 0, "exports": 0, "failed while down": 0}
        self.slowest = {"lock": 0.0, "recovery": 0.0}
        #: The digests of responses by the name of the generation and the path.
        self.contents: dict[tuple[str, str], bytes] = {}
        self.lock = threading.Lock()
        self._is_finished = threading.Event()
        self.file.write_bytes(self.editions.body(0))
        self.guide.succeed(*self._import())
        # The duration of an undisturbed import, and of its last part, in which it writes to the database.
        begin = time.monotonic()
        process = self.start_import()
        writes = self._wait_for_writes(process)
        expect(process.wait(60) == 0, "an undisturbed import failed")
        self.duration, self.write_duration = time.monotonic() - begin, time.monotonic() - writes
        self.oldest = self.newest

    def _import(self) -> list[object]:
        return ["import", self.file, "--source", "nightly"]

    def __enter__(self):
        self._stack = contextlib.ExitStack()
        self.service = self._stack.enter_context(self.guide.serve())
        loops = [self._request] * HTTP_READERS + [self._export]
        self._threads = [threading.Thread(target=self._read, args=(loop, number)) for number, loop in enumerate(loops)]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, kind, *_) -> None:
        self._is_finished.set()
        for thread in self._threads:
            thread.join()
        self._stack.close()
        if kind is None:
            expect(not self.errors, f"{len(self.errors)} wrong reads: {self.errors[:3]}")

    # MARK: Readers

    def _read(self, read, number: int) -> None:
        chance = random.Random(number)
        connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=30)
        seen = 0
        while not self._is_finished.is_set():
            was_down = self.is_down.is_set()
            first = max(seen, self.oldest)
            try:
                seen = read(chance, connection, first)
            except (OSError, http.client.HTTPException, ExpectationFailed, subprocess.SubprocessError) as error:
                connection.close()
                with self.lock:
                    if isinstance(error, _WrongContent) or not (was_down or self.is_down.is_set()):
                        self.errors.append(f"{type(error).__name__}: {error}")
                    else:
                        self.reads["failed while down"] += 1
                time.sleep(0.05)
        connection.close()

    def _request(self, chance: random.Random, connection: http.client.HTTPConnection, first: int) -> int:
        guide = self.editions.guide
        row, start = chance.randrange(guide.stations - 9), guide.start + 3600 * chance.randrange(guide.days * 24 - 4)
        path = "/api/v1/grid?" + urlencode({"rows": f"{row}-{row + 9}", "from": start, "hours": 3, "at": start})
        connection.request("GET", path)
        response = connection.getresponse()
        body = response.read()
        expect(response.status == 200, f"status {response.status}: {body[:200]!r}")
        name = response.getheader("Guide-Generation")
        found = {int(number) for number in EDITION.findall(body)}
        self._verify(found, first, f"{path} in {name}")
        with self.lock:
            digest = hashlib.sha256(body).digest()
            if self.contents.setdefault((name, path), digest) != digest:
                raise _WrongContent(f"{path} has two contents in {name}")
            self.reads["requests"] += 1
        return max(found)

    def _export(self, _chance, _connection, first: int) -> int:
        result = self.guide.epg("export")
        expect(result.returncode == 0, f"epg export exited with {result.returncode}: {result.stderr.decode()[-200:]}")
        edition = self.edition(result.stdout, first)
        with self.lock:
            self.reads["exports"] += 1
        return edition

    def edition(self, export: bytes, first: int) -> int:
        """Returns the edition that an export contains, completely and nothing else."""
        found = {int(number) for number in EDITION.findall(export)}
        self._verify(found, first, "an export")
        edition = max(found)
        if hashlib.sha256(export).digest() != self.editions.digest(edition):
            raise _WrongContent(f"an export is not edition {edition}")
        return edition

    def _verify(self, found: set[int], first: int, what: str) -> None:
        if len(found) != 1 or not first <= max(found) <= self.newest:
            raise _WrongContent(f"{what}: editions {sorted(found)}, not one of {first} to {self.newest}")

    # MARK: Imports

    def start_import(self) -> subprocess.Popen:
        """Starts the import of the next edition."""
        self.newest += 1
        self.file.write_bytes(self.editions.body(self.newest))
        return self.guide.start(*self._import(), stderr=open(self.guide.folder / "messages", "wb"))

    def wait_for_moment(self, process: subprocess.Popen) -> None:
        """Waits for a random moment of an import: by turns of all its duration, or of the part in which it writes."""
        self.turns += 1
        if self.turns % 2:
            self._wait_for_writes(process)
            time.sleep(self.random.random() * self.write_duration)
        else:
            time.sleep(self.random.random() * self.duration)
        self.writing += self._is_writing()

    def _wait_for_writes(self, process: subprocess.Popen) -> float:
        """Waits until an import writes to the database, or ends, and returns the time."""
        while process.poll() is None and not self._is_writing():
            pass
        return time.monotonic()

    def _is_writing(self) -> bool:
        return self.server.sql(f"""
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND backend_xid IS NOT NULL AND usename = '{USER}'""", self.name) != "0"

    def settle(self, *, is_acknowledged: bool) -> None:
        """Verifies the guide after a failure, and then that the same import succeeds."""
        shown = self.edition(self.guide.succeed("export"), self.oldest)
        expect(not is_acknowledged or shown == self.newest, "an acknowledged import is lost")
        self.outcomes["new" if shown == self.newest else "old"] += 1
        begin, waited = time.monotonic(), 0.0
        # The server may not have noticed yet that the program is gone.
        while (result := self.guide.epg(*self._import())).returncode == 75 and waited < LONGEST_LOCK:
            waited = time.monotonic() - begin
        self.slowest["lock"] = max(self.slowest["lock"], waited)
        expect(result.returncode == 0, f"the same import exited with {result.returncode}: {result.stderr.decode()[-300:]}")
        self.oldest = self.newest
        self.edition(self.guide.succeed("export"), self.oldest)
        self.guide.succeed("check")

    def text(self) -> str:
        return ", ".join([
            f"seed {self.engines.seed}", *(f"{count} × the {name} guide" for name, count in self.outcomes.items()),
            f"{self.writing} in mid-transaction", *(f"{count} {name}" for name, count in self.reads.items()),
            f"locked for at most {self.slowest['lock']:.2f} s after a failure",
            f"{len({name for name, _ in self.contents})} generations seen"])


class _WrongContent(ExpectationFailed):
    """A response with something that is neither the old guide nor the new one."""


def killed_imports_leave_the_old_guide_or_the_new_one(engines: Engines) -> str:
    wanted, tries = engines.scaled(50, 3), 0
    with _World(engines, "killed") as world:
        while sum(world.outcomes.values()) < wanted:
            tries += 1
            expect(tries <= 5 * wanted, f"only {world.outcomes} of {tries} imports could be killed")
            process = world.start_import()
            world.wait_for_moment(process)
            process.kill()
            if process.wait() == -signal.SIGKILL:
                world.settle(is_acknowledged=False)
            else:
                # The measured import took longer because the machine was busy.
                world.duration, world.write_duration = world.duration * 0.9, world.write_duration * 0.9
                world.oldest = world.newest
    return world.text()


def killed_servers_leave_the_old_guide_or_the_new_one(engines: Engines) -> str:
    """Kills PostgreSQL during imports. The service answers again by itself when the server is back."""
    rounds = engines.scaled(20, 1)
    with _World(engines, "server") as world:
        for _ in range(rounds):
            process = world.start_import()
            world.wait_for_moment(process)
            world.is_down.set()
            engines.server.kill()
            code = process.wait(60)
            messages = (world.guide.folder / "messages").read_text()
            expect(code in (0, 69, 74, 75), f"the import exited with {code}: {messages[-300:]}")
            engines.server.start()
            begin = time.monotonic()
            wait_until(lambda: _is_answering(world), f"the service answers again: {world.service.log_text()[-300:]}", 30, 0.02)
            recovery = time.monotonic() - begin
            world.slowest["recovery"] = max(world.slowest["recovery"], recovery)
            expect(recovery <= LONGEST_RECOVERY, f"the service answers after {recovery:.1f} s")
            world.is_down.clear()
            world.settle(is_acknowledged=code == 0)
    return f"{world.text()}, answers at most {world.slowest['recovery']:.1f} s after the start of the server"


def _is_answering(world: _World) -> bool:
    # A question that no cache knows.
    start = world.editions.guide.start + world.random.randrange(40_000)
    return world.service.request("/readyz").status == 200 and world.service.request(f"/api/v1/now?at={start}").status == 200


# MARK: Refreshes


@contextlib.contextmanager
def _refreshed(engines: Engines, name: str):
    """A guide of one source, after its first refresh, and the web server of the source."""
    server = GuideServer(Guide(20, 3, int(time.time()) - 86_400).xml(0))
    try:
        guide = engines.postgresql(name)
        guide.succeed("source", "add", "nightly", server.url)
        guide.succeed("refresh")
        yield guide, server
    finally:
        server.close()


def simultaneous_refreshes_exclude_each_other(engines: Engines) -> str:
    rounds, slowest = engines.scaled(20, 2), 0.0
    with _refreshed(engines, "refreshes") as (guide, server):
        for turn in range(rounds):
            server.body = Guide(20, 3, int(time.time()) - 86_400).xml(turn + 1)
            requests = server.requests
            # The server responds once the other refresh has given way.
            server.released.clear()
            begin = time.monotonic()
            processes = [_start_refresh(guide) for _ in range(2)]
            try:
                wait_until(lambda: any(process.poll() is not None for process in processes), "one gives way", 20, 0.002)
                slowest = max(slowest, time.monotonic() - begin)
            finally:
                server.released.set()
            messages = [process.communicate(timeout=60)[1] for process in processes]
            codes = sorted(process.returncode for process in processes)
            expect(codes == [0, 75], f"exit codes {codes}: {messages}")
            expect(server.requests == requests + 1, f"the server received {server.requests - requests} requests")
            shown = {int(number) for number in EDITION.findall(guide.succeed("export"))}
            expect(shown == {turn + 1}, f"the guide has the editions {shown}, not {turn + 1}")
    return f"{rounds} times, one gives way after at most {slowest:.2f} s"


def _start_refresh(guide: Engine) -> subprocess.Popen:
    return guide.start("refresh", stderr=subprocess.PIPE, text=True)


def refresh_without_changes_writes_nothing_to_the_guide(engines: Engines) -> str:
    rounds = engines.scaled(10, 2)
    with _refreshed(engines, "unchanged") as (guide, server):
        before = engines.server.writes("unchanged")
        expect(before["airing"][0] > 0, f"no statistics: {before}")
        generation = _generation(engines)
        for has_tags in (True, False):
            server.tags = has_tags
            for _ in range(rounds):
                guide.succeed("refresh", "nightly")
                after = engines.server.writes("unchanged")
                changed = {name: (before[name], after[name]) for name in before if before[name] != after[name]}
                expect(not changed.keys() - {"source_state"}, f"rows inserted, updated, deleted: {changed}")
                expect(_generation(engines) == generation, "the refresh made a generation")
        updates = after["source_state"][1] - before["source_state"][1]
        return f"{2 * rounds} refreshes: {updates} rows of source_state updated, no others"


def _generation(engines: Engines) -> str:
    return engines.server.sql("SELECT generation FROM guide", "unchanged")
