"""Guides built to exhaust memory: each is rejected, or imported within limits, and the current guide stays unchanged.

Most consist of tiny, similar records, so that a file of a few megabytes decompresses to millions of them. The short run
uses smaller files and lower limits; the rule is the same. RSS is the kernel's count for the process (wait4).
"""

import contextlib
import os
import re
import signal
import sqlite3
import subprocess
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from guides import Guide
from harness import Fault, Harness
from support.processes import Service, wait_until
from support.report import ExpectationFailed, Skipped, expect
from workspace import Workspace

#: Maximum memory in bytes and run time in seconds of a program, whatever the input.
MEMORY, SECONDS = 500 << 20, 30
#: Maximum memory in the short run: a debug build with small input.
SHORT_MEMORY = 250 << 20
SHORT_LIMITS = {
    "EPG_IMPORT_PROGRAMMES": "30000", "EPG_IMPORT_PROGRAMMES_PER_STATION": "1000", "EPG_IMPORT_STATIONS": "1000",
    "EPG_IMPORT_MEMORY": "3MiB",
}

#: Few stations, and as many programmes as a real guide.
FEW_STATIONS = {**SHORT_LIMITS, "EPG_IMPORT_PROGRAMMES": "3000000", "EPG_IMPORT_PROGRAMMES_PER_STATION": "100000"}


@dataclass
class Bomb:
    name: str
    #: The decompressed file, piece by piece.
    pieces: Callable[[], Iterator[bytes]]
    #: A pattern of the error message; empty for a guide that is imported.
    expected: str


def bombs(short: bool) -> list[Bomb]:
    scale = 100 if short else 1
    many, some, channels = 20_000_000 // scale, 5_000_000 // scale, 1_200_000 // scale
    #: Stations within the limit.
    allowed = 900 if short else 90_000

    #: Programmes within the limit of a station.
    per_station = 900 if short else 45_000

    def xml(line: Callable[[int], str] | bytes, count: int) -> Callable[[], Iterator[bytes]]:
        def pieces() -> Iterator[bytes]:
            yield b"<tv>\n"
            yield from lines(line, count)
            yield b"</tv>\n"
        return pieces

    def json(line: Callable[[int], str], count: int) -> Callable[[], Iterator[bytes]]:
        return lambda: lines(line, count)

    def listed(head: str, line: Callable[[int], str], count: int, end: str) -> Callable[[], Iterator[bytes]]:
        def pieces() -> Iterator[bytes]:
            yield head.encode()
            for piece in lines(lambda number: line(number) + ",", count):
                yield piece
            yield (line(count) + end).encode()
        return pieces

    def record() -> Iterator[bytes]:
        yield b'<tv><channel id="a">'
        yield from lines(b"<a/>", (16 << 20) // 4 - 20)
        yield b"</channel></tv>"

    def minute(number: int) -> str:
        return time.strftime("%Y%m%d%H%M", time.gmtime(1_795_000_000 + number * 60))

    minutes = [minute(number) for number in range(100_000)]
    attributes = " ".join(f'a{number}="b"' for number in range(60))
    elements = "<a/>" * 200
    return [
        Bomb("the same programme repeated", xml(b'<programme start="20261122" channel="c"/>\n', many),
             "programmes of the station"),
        Bomb("starts a minute apart",
             xml(lambda number: f'<programme start="{minutes[number % 100_000]}" channel="c"/>', some),
             "programmes of the station"),
        Bomb("each programme on a separate channel",
             xml(lambda number: f'<programme start="20261122" channel="{number}"/>', some), "stations"),
        Bomb("an invalid time in each programme of one channel", xml(b'<programme start="x" channel="c"/>\n', many),
             "programmes of the station"),
        Bomb("an invalid time in each programme of many channels",
             xml(lambda number: f'<programme start="x" channel="{number % allowed}"/>', some), "programmes"),
        Bomb("programmes without a channel", xml(b'<programme start="20261122"/>\n', many), "programmes"),
        Bomb("a distinct title for each programme",
             xml(lambda number: f'<programme start="{minutes[number // allowed]}" channel="{number % allowed}">'
                 f"<title>{number}</title></programme>", some), "MiB of memory"),
        Bomb("a distinct title for each programme, station by station",
             xml(lambda number: f'<programme start="{minutes[number % 900]}" channel="{number // 900}">'
                 f"<title>{number}</title></programme>", some), "MiB of memory"),
        Bomb("a distinct attribute value for each programme",
             xml(lambda number: f'<programme start="{minutes[number // allowed]}" channel="{number % allowed}" '
                 f'showview="{number}"/>', some), "MiB of memory"),
        Bomb("the maximum number of duplicates, on many stations",
             xml(lambda number: f'<programme start="20261122" channel="{number // per_station}"/>', some),
             "programmes|MiB of memory|times its size"),
        Bomb("the maximum number of overlaps, on many stations",
             xml(lambda number: f'<programme start="{minutes[number % per_station]}" stop="20270401" '
                 f'channel="{number // per_station}"/>',
                 some), "programmes|MiB of memory"),
        Bomb("the maximum number of clump parts, on many stations",
             xml(lambda number: f'<programme start="{minutes[number % 7]}" stop="20270401" clumpidx="{number % 99}/99" '
                 f'channel="{number // per_station}"><title>{number % 1000}</title></programme>', some), "programmes|MiB of memory"),
        Bomb("stations without programmes", xml(lambda number: f'<channel id="{number}"/>', channels), "stations"),
        Bomb("stations with large contents",
             xml(lambda number: f'<channel id="{number}">{elements}</channel>', allowed), "MiB of memory"),
        Bomb("one record with millions of elements",
             record, ""),
        Bomb("EPG JSON with airings of one station",
             json(lambda number: '{"type":"airing","station":"c","start":"2026-11-22T00:00:00Z",'
                  f'"programme":{{"title":["{number}"]}}}}', some), "programmes of the station"),
        Bomb("EPG JSON with airings of many stations",
             json(lambda number: f'{{"type":"airing","station":"{number % allowed}","start":"2026-11-22T00:00:00Z",'
                  f'"programme":{{"title":["{number}"]}}}}', some), "MiB of memory"),
        Bomb("EPG JSON with stations", json(lambda number: f'{{"type":"station","id":"{number}"}}', channels), "stations"),
        Bomb("EPG JSON with invalid lines",
             json(lambda number: '{"type":"station","id":"a"}' if number == 0 else '{"type":1}', some), "programmes"),
        Bomb("Schedules Direct with airings whose programs are missing",
             schedules(some), "MiB of memory"),
        Bomb("Schedules Direct with programs",
             listed("[", lambda number: f'{{"programID":"EP{number}","titles":[{{"title120":"T{number}"}}]}}', some, "]"),
             "MiB of memory"),
        Bomb("Schedules Direct with stations",
             listed('{"map":[],"stations":[', lambda number: f'{{"stationID":"{number}","name":"N{number}"}}', channels, "]}"),
             "stations|MiB of memory"),
        Bomb("a playlist of a million entries",
             json(lambda number: "#EXTM3U" if number == 0 else f"#EXTINF:-1 tvg-id=\"{number}\",N\nhttp://h/{number}", channels),
             "MiB of memory" if short else "entries"),
        Bomb("a playlist with many attributes",
             json(lambda number: "#EXTM3U" if number == 0 else f"#EXTINF:-1 tvg-id=\"c\" {attributes},N\nhttp://h/{number}",
                  2_000 if short else 190_000),
             "MiB of memory"),
    ]


def schedules(count: int) -> Callable[[], Iterator[bytes]]:
    """Schedules Direct schedules of 1,000 airings each, whose programs are in none of the files."""
    def schedule(number: int) -> str:
        airings = ",".join(
            f'{{"programID":"EP{number * 1000 + index:09}","airDateTime":"2026-11-22T00:00:00Z","duration":60}}'
            for index in range(1000))
        return f'{{"stationID":"{number}","programs":[{airings}]}}'

    def pieces() -> Iterator[bytes]:
        yield b"["
        for number in range(count // 1000):
            yield schedule(number).encode() + b",\n"
        yield b'{"stationID":"last","programs":[]}]'
    return pieces


def lines(line: Callable[[int], str] | bytes, count: int, step: int = 50_000) -> Iterator[bytes]:
    for start in range(0, count, step):
        length = min(step, count - start)
        if isinstance(line, bytes):
            yield line * length
        else:
            yield ("\n".join(map(line, range(start, start + length))) + "\n").encode()


def write(path: Path, pieces: Iterator[bytes]) -> None:
    """Compresses with gzip in a child process: a program's memory count starts at that of its parent."""
    child = os.fork()
    if child == 0:
        try:
            compress(path, pieces)
        except BaseException:  # noqa: BLE001 (the parent sees the exit code)
            os._exit(1)
        os._exit(0)
    expect(os.waitpid(child, 0)[1] == 0, f"{path} cannot be written")


def compress(path: Path, pieces: Iterator[bytes]) -> None:
    compressor = zlib.compressobj(3, zlib.DEFLATED, 31)
    with open(path, "wb") as file:
        for piece in pieces:
            file.write(compressor.compress(piece))
        file.write(compressor.flush())


@dataclass
class ProcessResult:
    exit_code: int
    message: str
    memory: int
    seconds: float


def measure(command: list[object], limits: dict[str, str]) -> ProcessResult:
    """Runs a program and returns its exit code, error output, peak memory and run time."""
    begin = time.monotonic()
    with subprocess.Popen(
            [str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env={**os.environ, **limits}) as process:
        message = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return ProcessResult(process.returncode, message.strip(), usage.ru_maxrss << 10, time.monotonic() - begin)


def run(harness: Harness) -> None:
    guide = Guide(6, 2, harness.now - 86_400)
    workspace = Workspace(harness, harness.subfolder("bombs"))
    (workspace.folder / "guide.xml").write_bytes(guide.xml(0))
    workspace.succeed("import", workspace.folder / "guide.xml", "--source", "nightly")
    before = workspace.digest()
    limits = SHORT_LIMITS if harness.short else {}
    memory = SHORT_MEMORY if harness.short else MEMORY
    figures = []
    with harness.fault("a guide built to exhaust memory") as fault:
        for bomb in bombs(harness.short):
            with fault.case(bomb.name):
                path = workspace.folder / "bomb.gz"
                write(path, bomb.pieces())
                result = measure(
                    [harness.epg, "import", path, "--source", "bomb", "--database", workspace.database], limits)
                figures.append((bomb.name, path.stat().st_size, result))
                expect(result.exit_code == (65 if bomb.expected else 0), f"exit {result.exit_code}: {result.message[:300]}")
                expect(re.search(bomb.expected, result.message) is not None, f"the message is: {result.message[:300]}")
                expect(result.memory <= memory, f"it used {result.memory >> 20} MiB")
                if not harness.short:
                    expect(result.seconds <= SECONDS, f"it took {result.seconds:.1f} s")
                if bomb.expected:
                    expect(workspace.digest() == before, "the guide changed")
                else:
                    workspace.epg("source", "remove", "bomb")
        if figures:
            largest = max(figures, key=lambda figure: figure[2].memory)
            longest = max(figures, key=lambda figure: figure[2].seconds)
            fault.note = f"at most {largest[2].memory >> 20} MiB ({largest[0]}) and {longest[2].seconds:.1f} s ({longest[0]})"
    with harness.fault("epg validate with a guide built to exhaust memory") as fault:
        for bomb in bombs(harness.short)[:: 7 if harness.short else 3]:
            if "playlist" in bomb.name:
                continue
            with fault.case(bomb.name):
                path = workspace.folder / "bomb.gz"
                write(path, bomb.pieces())
                result = measure([harness.epg, "validate", path], limits)
                expect(result.exit_code in (0, 65), f"exit {result.exit_code}: {result.message[:300]}")
                expect(result.memory <= memory, f"it used {result.memory >> 20} MiB")  # its output determines its run time
    (workspace.folder / "bomb.gz").unlink(missing_ok=True)
    services(harness, workspace)


# MARK: - The service


@contextlib.contextmanager
def serving(workspace: Workspace, settings: Path, limits: dict[str, str]):
    """Runs epgd with settings and yields the service; a failure contains the end of its log."""
    with workspace.serve("--config", settings, "--log-level", "debug", environment=limits) as service:
        try:
            yield service
        except ExpectationFailed as error:
            raise ExpectationFailed(f"{error}; exit {service.process.poll()}, the log: {service.log_text()[-500:]}") from error


def children(process: subprocess.Popen) -> list[int]:
    found = []
    for task in Path(f"/proc/{process.pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, task.read_text().split())
    return found


def source_state(workspace: Workspace, name: str) -> tuple[int, str | None]:
    """Returns the number of consecutive failures of a source and its last error."""
    with contextlib.closing(workspace.connect()) as connection:
        try:
            row = connection.execute(
                "SELECT failures, last_error FROM source_state JOIN source ON source.id = source_id WHERE name = ?",
                (name,)).fetchone()
        except sqlite3.OperationalError:
            row = None
    return row or (0, None)


def services(harness: Harness, workspace: Workspace) -> None:
    if not Path("/proc/self/task").exists():
        raise Skipped("/proc is missing")
    with harness.fault("the service's refresh is killed during the import") as fault:
        for number in range(harness.scaled(5, 1)):
            with fault.case(f"kill {number}"):
                killed(harness, workspace.copy(f"service-{number}"))
    with harness.fault("a source of the service built to exhaust memory") as fault:
        with fault.case("a service"):
            exhausted(harness, workspace.copy("exhausted"))
    with harness.fault("guides sent to the service, built to exhaust memory") as fault:
        posted(harness, fault, workspace.copy("posted"))


def killed(harness: Harness, workspace: Workspace) -> None:
    """The service keeps running, logs the failure once, and doesn't retry at once after a restart."""
    (workspace.folder / "feed.xml").write_bytes(Guide(60, 30, harness.now - 86_400).xml(0))
    settings = workspace.folder / "epg.yml"
    # A schedule far in the future: only the start triggers a refresh.
    settings.write_text(
        "refresh: \"0 0 29 2 *\"\nretention: 3660\n"
        "sources:\n  - name: large\n    file: feed.xml\n")
    with serving(workspace, settings, FEW_STATIONS) as service:
        wait_until(lambda: source_state(workspace, "large")[0] == 1, "the attempt is recorded before the import", seconds=60, pause=0.002)
        victims = children(service.process)
        expect(len(victims) == 1, f"{len(victims)} processes refresh")
        os.kill(victims[0], signal.SIGKILL)
        wait_until(lambda: "was terminated by signal 9" in service.log_text(), "the log reports the signal", seconds=60)
        expect(service.log_text().count("was terminated by signal 9") == 1, "the log reports the signal more than once")
        expect(service.request("/readyz").status == 200, "the service isn't ready")
        failures, message = source_state(workspace, "large")
        expect(failures == 1 and "did not finish" in (message or ""), f"{failures} failures: {message}")
    with serving(workspace, settings, FEW_STATIONS) as service:
        wait_until(lambda: "refreshed the guide" in service.log_text(), "the service refreshes when it starts", seconds=60)
        expect("not-due=1" in service.log_text(), "the source is retried at once")
        expect(source_state(workspace, "large")[0] == 1, "the import was retried")
    workspace.succeed("refresh", "large", "--config", settings)
    expect(source_state(workspace, "large")[1] is None, f"a success leaves the state {source_state(workspace, 'large')}")
    workspace.expect_integrity()


def exhausted(harness: Harness, workspace: Workspace) -> None:
    """The service reports which limit the guide exceeds, keeps serving, and imports the other sources."""
    bomb = next(bomb for bomb in bombs(short=True) if bomb.name == "stations without programmes")
    write(workspace.folder / "bomb.gz", bomb.pieces())
    (workspace.folder / "feed.xml").write_bytes(Guide(6, 2, harness.now - 86_400).xml(1))
    settings = workspace.folder / "epg.yml"
    settings.write_text(
        "refresh: \"0 0 29 2 *\"\nretention: 3660\n"
        "sources:\n  - name: bomb\n    file: bomb.gz\n  - name: sound\n    file: feed.xml\n")
    with serving(workspace, settings, FEW_STATIONS) as service:
        wait_until(lambda: "a refresh failed" in service.log_text(), "the log reports the failure", seconds=60)
        expect("import.stations" in service.log_text(), "the log doesn't name the setting")
        expect(service.request("/readyz").status == 200, "the service isn't ready")
        expect(source_state(workspace, "sound") == (0, None), "the other source wasn't imported")
        expect(source_state(workspace, "bomb")[0] == 1, "the source doesn't have exactly one failure")


def posted(harness: Harness, fault: Fault, workspace: Workspace) -> None:
    """The service rejects each guide with the reason and stays within the memory limit of an import."""
    token = workspace.succeed("admin", "token", "add", "uploads", "--scope", "import").strip()
    settings = workspace.folder / "epg.yml"
    settings.write_text("")
    before = workspace.digest()
    with serving(workspace, settings, SHORT_LIMITS if harness.short else {}) as service:
        for bomb in bombs(harness.short)[:: 6 if harness.short else 3]:
            with fault.case(bomb.name):
                path = workspace.folder / "bomb.gz"
                write(path, bomb.pieces())
                status, message = post(service, path, token)
                expect(status in (413, 422) if bomb.expected else status == 200, f"{status}: {message[:300]}")
                expect(re.search(bomb.expected, message) is not None, f"the message is: {message[:300]}")
                wait_until(lambda: f"bytes={path.stat().st_size} " in service.log_text(), "the log reports the import", seconds=60)
                expect(service.request("/readyz").status == 200, "the service isn't ready")
                if bomb.expected:
                    expect(workspace.digest() == before, "the guide changed")
                else:
                    workspace.succeed("source", "remove", "default")
                    before = workspace.digest()
        peak = service.memory("VmHWM")
        fault.note = f"at most {peak >> 20} MiB"
        if peak > MEMORY:
            fault.failures.append(f"the service used {peak >> 20} MiB")


def post(service: Service, path: Path, token: str) -> tuple[int, str]:
    """Imports over HTTP and returns the status and body."""
    with open(path, "rb") as body:
        response = service.request("/api/v1/import", {"Authorization": f"Bearer {token}"}, "POST", body, timeout=120)
        return response.status, response.body.decode()
