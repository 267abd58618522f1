"""Guides that are made to exhaust the memory: each is refused, or imported, within bounds, and the guide stands.

The records of most are tiny and alike, so that a file of a few megabytes unpacks to millions of them. The short form has
smaller files and lower limits; the rule is the same. RSS is what the kernel counted for the process (wait4).
"""

import contextlib
import http.client
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

from frame import Bench, Expectation, Fault, LeftOut, expect
from guides import Guide
from place import Place
from service import free_port, get, is_open

#: Bytes that a program may have in memory, and seconds that it may take, whatever it is given.
MEMORY, SECONDS = 500 << 20, 30
#: Of the short form: a debug build with little to do.
SHORT_MEMORY = 250 << 20
SHORT_LIMITS = {
    "EPG_IMPORT_PROGRAMMES": "30000", "EPG_IMPORT_PROGRAMMES_PER_STATION": "1000", "EPG_IMPORT_STATIONS": "1000",
    "EPG_IMPORT_MEMORY": "3MiB",
}

#: Few stations, and as many programmes as a real guide has.
FEW_STATIONS = {**SHORT_LIMITS, "EPG_IMPORT_PROGRAMMES": "3000000", "EPG_IMPORT_PROGRAMMES_PER_STATION": "100000"}


@dataclass
class Bomb:
    name: str
    #: The pieces of the file, unpacked.
    pieces: Callable[[], Iterator[bytes]]
    #: What the program says of it; empty for a guide that is imported.
    words: str


def bombs(short: bool) -> list[Bomb]:
    scale = 100 if short else 1
    many, some, channels = 20_000_000 // scale, 5_000_000 // scale, 1_200_000 // scale
    #: Stations that are allowed.
    allowed = 900 if short else 90_000

    #: Programmes that a station may have.
    crowd = 900 if short else 45_000

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
        Bomb("the same programme again and again", xml(b'<programme start="20261122" channel="c"/>\n', many),
             "programmes of the station"),
        Bomb("starts that are minutes apart",
             xml(lambda number: f'<programme start="{minutes[number % 100_000]}" channel="c"/>', some),
             "programmes of the station"),
        Bomb("each programme on a channel of its own",
             xml(lambda number: f'<programme start="20261122" channel="{number}"/>', some), "stations"),
        Bomb("a bad time on each programme of one channel", xml(b'<programme start="x" channel="c"/>\n', many),
             "programmes of the station"),
        Bomb("a bad time on each programme of many channels",
             xml(lambda number: f'<programme start="x" channel="{number % allowed}"/>', some), "programmes"),
        Bomb("programmes without a channel", xml(b'<programme start="20261122"/>\n', many), "programmes"),
        Bomb("a title of its own for each programme",
             xml(lambda number: f'<programme start="{minutes[number // allowed]}" channel="{number % allowed}">'
                 f"<title>{number}</title></programme>", some), "MiB of memory"),
        Bomb("a title of its own for each programme, station by station",
             xml(lambda number: f'<programme start="{minutes[number % 900]}" channel="{number // 900}">'
                 f"<title>{number}</title></programme>", some), "MiB of memory"),
        Bomb("an attribute of its own for each programme",
             xml(lambda number: f'<programme start="{minutes[number // allowed]}" channel="{number % allowed}" '
                 f'showview="{number}"/>', some), "MiB of memory"),
        Bomb("as many duplicates as a station may have, on many stations",
             xml(lambda number: f'<programme start="20261122" channel="{number // crowd}"/>', some),
             "programmes|MiB of memory|times its size"),
        Bomb("as many overlaps as a station may have, on many stations",
             xml(lambda number: f'<programme start="{minutes[number % crowd]}" stop="20270401" channel="{number // crowd}"/>',
                 some), "programmes|MiB of memory"),
        Bomb("as many parts of clumps as a station may have, on many stations",
             xml(lambda number: f'<programme start="{minutes[number % 7]}" stop="20270401" clumpidx="{number % 99}/99" '
                 f'channel="{number // crowd}"><title>{number % 1000}</title></programme>', some), "programmes|MiB of memory"),
        Bomb("stations alone", xml(lambda number: f'<channel id="{number}"/>', channels), "stations"),
        Bomb("stations with much in them",
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
        Bomb("EPG JSON with lines that are nothing",
             json(lambda number: '{"type":"station","id":"a"}' if number == 0 else '{"type":1}', some), "programmes"),
        Bomb("Schedules Direct with airings that wait for programs",
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
    """Schedules of Schedules Direct, a thousand airings each, whose programs are in no file."""
    def schedule(number: int) -> str:
        airings = ",".join(
            f'{{"programID":"EP{number * 1000 + place:09}","airDateTime":"2026-11-22T00:00:00Z","duration":60}}'
            for place in range(1000))
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
    """Packs with gzip, quickly; in a process of its own, since a program's memory counts from that of whoever starts it."""
    child = os.fork()
    if child == 0:
        try:
            pack(path, pieces)
        except BaseException:  # noqa: BLE001 (the parent sees the exit code)
            os._exit(1)
        os._exit(0)
    expect(os.waitpid(child, 0)[1] == 0, f"{path} can't be written")


def pack(path: Path, pieces: Iterator[bytes]) -> None:
    packer = zlib.compressobj(3, zlib.DEFLATED, 31)
    with open(path, "wb") as file:
        for piece in pieces:
            file.write(packer.compress(piece))
        file.write(packer.flush())


@dataclass
class Ending:
    code: int
    words: str
    memory: int
    seconds: float


def measure(command: list[object], limits: dict[str, str]) -> Ending:
    """Runs a program; its exit code, what it said, the most memory that it had, and how long it took."""
    begin = time.monotonic()
    with subprocess.Popen(
            [str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env={**os.environ, **limits}) as process:
        words = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return Ending(process.returncode, words.strip(), usage.ru_maxrss << 10, time.monotonic() - begin)


def run(bench: Bench) -> None:
    guide = Guide(6, 2, bench.now - 86_400)
    place = Place(bench, bench.subfolder("bombs"))
    (place.folder / "guide.xml").write_bytes(guide.xml(0))
    place.done("import", place.folder / "guide.xml", "--source", "nightly")
    before = place.digest()
    limits = SHORT_LIMITS if bench.short else {}
    memory = SHORT_MEMORY if bench.short else MEMORY
    figures = []
    with bench.fault("a guide that is made to exhaust the memory") as fault:
        for bomb in bombs(bench.short):
            with fault.case(bomb.name):
                path = place.folder / "bomb.gz"
                write(path, bomb.pieces())
                ending = measure(
                    [bench.epg, "import", path, "--source", "bomb", "--database", place.database], limits)
                figures.append((bomb.name, path.stat().st_size, ending))
                if os.environ.get("BOMBS_VERBOSE"):
                    print(f"  {bomb.name}: {path.stat().st_size >> 10} KiB, exit {ending.code}, {ending.memory >> 20} MiB, "
                          f"{ending.seconds:.1f} s: {ending.words[:200]}", flush=True)
                expect(ending.code == (65 if bomb.words else 0), f"exit {ending.code}: {ending.words[:300]}")
                expect(re.search(bomb.words, ending.words) is not None, f"it says: {ending.words[:300]}")
                expect(ending.memory <= memory, f"it took {ending.memory >> 20} MiB")
                if bench.timed:
                    expect(ending.seconds <= SECONDS, f"it took {ending.seconds:.1f} s")
                if bomb.words:
                    expect(place.digest() == before, "the guide is another one")
                else:
                    place.epg("source", "remove", "bomb")
        if figures:
            most = max(figures, key=lambda figure: figure[2].memory)
            longest = max(figures, key=lambda figure: figure[2].seconds)
            fault.note = (f"at most {most[2].memory >> 20} MiB ({most[0]}) and {longest[2].seconds:.1f} s ({longest[0]})")
    with bench.fault("a guide that is made to exhaust the memory, looked through by epg validate") as fault:
        for bomb in bombs(bench.short)[:: 7 if bench.short else 3]:
            if "playlist" in bomb.name:
                continue
            with fault.case(bomb.name):
                path = place.folder / "bomb.gz"
                write(path, bomb.pieces())
                ending = measure([bench.epg, "validate", path], limits)
                expect(ending.code in (0, 65), f"exit {ending.code}: {ending.words[:300]}")
                expect(ending.memory <= memory, f"it took {ending.memory >> 20} MiB")  # its time is that of its output
    (place.folder / "bomb.gz").unlink(missing_ok=True)
    services(bench, place)


# MARK: - The service


@contextlib.contextmanager
def serving(place: Place, settings: Path, log: Path, limits: dict[str, str]):
    """epgd with settings; its process and its port."""
    port = free_port()
    with open(log, "ab") as errors:
        process = subprocess.Popen(
            [place.bench.epgd, "--config", settings, "--database", place.database, "--listen", f"127.0.0.1:{port}",
             "--log-level", "debug"],
            stdout=subprocess.DEVNULL, stderr=errors, env={**os.environ, **limits})
    try:
        wait_for(lambda: process.poll() is not None or is_open(port), "epgd didn't begin")
        yield process, port
    except Expectation as error:
        raise Expectation(f"{error}; exit {process.poll()}, the log: {log.read_text()[-500:]}") from error
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_for(holds: Callable[[], bool], sentence: str, pause: float = 0.05) -> None:
    end = time.monotonic() + 60
    while not holds():
        expect(time.monotonic() < end, sentence)
        time.sleep(pause)


def children(process: subprocess.Popen) -> list[int]:
    found = []
    for task in Path(f"/proc/{process.pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, task.read_text().split())
    return found


def state(place: Place, name: str) -> tuple[int, str | None]:
    """How often a source failed, and why the last time."""
    with contextlib.closing(place.connect()) as connection:
        try:
            row = connection.execute(
                "SELECT failures, last_error FROM source_state JOIN source ON source.id = source_id WHERE name = ?",
                (name,)).fetchone()
        except sqlite3.OperationalError:
            row = None
    return row or (0, None)


def services(bench: Bench, place: Place) -> None:
    if not Path("/proc/self/task").exists():
        raise LeftOut("without /proc")
    with bench.fault("a refresh of the service that is killed while it imports") as fault:
        for number in range(bench.scaled(5, 1)):
            with fault.case(f"kill {number}"):
                killed(bench, place.copy(f"service-{number}"))
    with bench.fault("a source of the service that is made to exhaust the memory") as fault:
        with fault.case("a service"):
            exhausted(bench, place.copy("exhausted"))
    with bench.fault("guides sent to the service that are made to exhaust the memory") as fault:
        posted(bench, fault, place.copy("posted"))


def killed(bench: Bench, place: Place) -> None:
    """The service stays, says once what happened, and doesn't begin again after a new start."""
    (place.folder / "feed.xml").write_bytes(Guide(60, 30, bench.now - 86_400).xml(0))
    settings = place.folder / "epg.yml"
    # A time that is far away: only the start asks.
    settings.write_text(
        "refresh: \"0 0 29 2 *\"\nretention: 3660\n"
        "sources:\n  - name: large\n    file: feed.xml\n")
    log = place.folder / "log"
    with serving(place, settings, log, FEW_STATIONS) as (process, port):
        wait_for(lambda: state(place, "large")[0] == 1, "the attempt isn't noted before the import", pause=0.002)
        victims = children(process)
        expect(len(victims) == 1, f"{len(victims)} processes refresh")
        os.kill(victims[0], signal.SIGKILL)
        wait_for(lambda: "was ended by signal 9" in log.read_text(), "the log doesn't tell")
        expect(log.read_text().count("was ended by signal 9") == 1, "the log tells it more than once")
        expect(get(port, "/readyz")[0] == 200, "the service isn't ready")
        failures, words = state(place, "large")
        expect(failures == 1 and "hasn't finished" in (words or ""), f"{failures} failures: {words}")
    log.unlink()
    with serving(place, settings, log, FEW_STATIONS) as (process, port):
        wait_for(lambda: "refreshed the guide" in log.read_text(), "the service doesn't refresh when it begins")
        expect("not-due=1" in log.read_text(), "the source is asked again at once")
        expect(state(place, "large")[0] == 1, "the import was begun again")
    place.done("refresh", "large", "--config", settings)
    expect(state(place, "large")[1] is None, f"a success leaves {state(place, 'large')}")
    place.expect_integrity()


def exhausted(bench: Bench, place: Place) -> None:
    """The service says which limit the guide exceeds, keeps serving, and takes the other sources."""
    bomb = next(bomb for bomb in bombs(short=True) if bomb.name == "stations alone")
    write(place.folder / "bomb.gz", bomb.pieces())
    (place.folder / "feed.xml").write_bytes(Guide(6, 2, bench.now - 86_400).xml(1))
    settings = place.folder / "epg.yml"
    settings.write_text(
        "refresh: \"0 0 29 2 *\"\nretention: 3660\n"
        "sources:\n  - name: bomb\n    file: bomb.gz\n  - name: sound\n    file: feed.xml\n")
    log = place.folder / "log"
    with serving(place, settings, log, FEW_STATIONS) as (process, port):
        wait_for(lambda: "a refresh failed" in log.read_text(), "the log doesn't tell")
        expect("import.stations" in log.read_text(), "the log doesn't name the setting")
        expect(get(port, "/readyz")[0] == 200, "the service isn't ready")
        expect(state(place, "sound") == (0, None), "the other source wasn't taken")
        expect(state(place, "bomb")[0] == 1, "it isn't one failure")


def posted(bench: Bench, fault: Fault, place: Place) -> None:
    """Each guide is refused with the reason, and the process of the service stays within the bound of an import."""
    settings, token, log = place.folder / "epg.yml", place.folder / "token", place.folder / "log"
    settings.write_text(f"token-file: {token}\n")
    token.write_text("0123456789abcdef0123456789abcdef\n")
    token.chmod(0o600)
    before = place.digest()
    with serving(place, settings, log, SHORT_LIMITS if bench.short else {}) as (process, port):
        for bomb in bombs(bench.short)[:: 6 if bench.short else 3]:
            with fault.case(bomb.name):
                path = place.folder / "bomb.gz"
                write(path, bomb.pieces())
                status, words = post(port, path, token.read_text().strip())
                expect(status in (413, 422) if bomb.words else status == 200, f"{status}: {words[:300]}")
                expect(re.search(bomb.words, words) is not None, f"it says: {words[:300]}")
                wait_for(lambda: f"bytes={path.stat().st_size} " in log.read_text(), "the log doesn't tell of the import")
                expect(get(port, "/readyz")[0] == 200, "the service isn't ready")
                if bomb.words:
                    expect(place.digest() == before, "the guide is another one")
                else:
                    place.done("source", "remove", "default")
                    before = place.digest()
        peak = next(line for line in Path(f"/proc/{process.pid}/status").read_text().splitlines() if "VmHWM" in line)
        peak = int(peak.split()[1]) << 10
        fault.note = f"at most {peak >> 20} MiB"
        if peak > MEMORY:
            fault.failures.append(f"the service took {peak >> 20} MiB")


def post(port: int, path: Path, token: str) -> tuple[int, str]:
    """The status and the text of an import over HTTP."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    with contextlib.closing(connection), open(path, "rb") as body:
        connection.request("POST", "/api/v1/import", body, {"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
