"""epg restore: a kill at any instant leaves the old guide or the new one, and clients of a service never mistake one for the other."""

import contextlib
import http.client
import json
import subprocess
import threading
import time
from pathlib import Path
from urllib.parse import quote

import tracing
from frame import Bench, Expectation, Fault, expect
from guides import Guide
from place import Editions, Place, spread
from readers import stamp_iso
from server import GuideServer
from service import get, service

#: What a restore asks of the system, as far as it changes something.
CALLS = "openat,pwrite64,write,ftruncate,fsync,fdatasync,fchmod,fchown,unlink,rename"


def run(bench: Bench) -> None:
    server = GuideServer()
    guide = Guide(bench.scaled(80, 12), bench.scaled(6, 3), bench.now - 86_400)
    editions = Editions(bench, "restore", guide, server, viewports=bench.scaled(20, 2))
    # The guide has the second edition; the backup has the first.
    backup = bench.folder / "restore-backup.sqlite"
    editions.old.done("backup", backup, "--force")
    with bench.fault("kill -9 in each phase of a restore") as fault:
        kills(bench, editions, backup, fault)
    with bench.fault("kill -9 in each phase of a restore over a log that was not moved") as fault:
        kills(bench, editions, backup, fault, with_log=True)
    with bench.fault("restores under a service") as fault:
        under_service(bench, editions, backup, fault)
    with bench.fault("files copied over the guide of a service in place") as fault:
        in_place(bench, editions, backup, fault)
    server.close()


# MARK: Kills


def prepared(editions: Editions, with_log: bool) -> Place:
    """The second edition; where a log is wanted, it is what a refresh that was killed before its checkpoint left."""
    if not with_log:
        return editions.new.copy("run")
    place = editions.old.copy("run")
    moved = [call.number for call in tracing.calls(place) if call.name == "pwrite64" and call.path.endswith("/guide.sqlite")]
    place = editions.old.copy("run")
    expect(tracing.killed_at(place, "pwrite64", 1, place.database), f"no refresh was killed at one of {len(moved)} writes")
    expect((place.folder / "guide.sqlite-wal").stat().st_size > 0, "there is no log")
    return place


def kills(bench: Bench, editions: Editions, backup: Path, fault: Fault, with_log: bool = False) -> None:
    tracing.need_strace()
    original = prepared(editions, with_log).copy("restore-original")
    log = bench.folder / "restore-calls.txt"
    place = original.copy("run")
    subprocess.run(command(place, backup, "-o", str(log), "-e", f"trace={CALLS}"), check=True, capture_output=True, timeout=120)
    counts: dict[tuple[str, str], int] = {}
    calls = []
    for line in log.read_text(errors="replace").splitlines():
        match = tracing.LINE.match(line)
        if match:
            # strace counts the calls of each thread.
            key = (match[1], match[2])
            counts[key] = counts.get(key, 0) + 1
            if (match[2], counts[key]) not in calls:
                calls.append((match[2], counts[key]))
    # All that change names, and some of the others.
    names = [call for call in calls if call[0] in ("unlink", "rename", "fchmod", "ftruncate")]
    others = [call for call in calls if call not in names]
    seen = {"old": 0, "new": 0}
    # A refresh that was killed leaves an index that is behind.
    known = [found(editions, editions.old), found(editions, editions.new), found(editions, original.copy("run"))]
    chosen = [names[place] for place in spread(list(range(len(names))), bench.scaled(400, 7))]
    chosen += [others[place] for place in spread(list(range(len(others))), bench.scaled(150, 3))]
    for name, number in chosen:
        with fault.case(f"{name} {number}"):
            place = original.copy("run")
            outcome = subprocess.run(
                command(place, backup, "-o", "/dev/null", "-e", f"trace={name}",
                        "-e", f"inject={name}:signal=SIGKILL:when={number}"), capture_output=True, timeout=120)
            expect(outcome.returncode in (-9, 137), f"it was not killed: exit {outcome.returncode}")
            # The original is the second edition, the backup the first.
            which = editions.expect_whole(place)
            seen["old" if which == "new" else "new"] += 1
            if (place.folder / "guide.sqlite-search").exists():
                expect(found(editions, place) in known, "the index of one guide answered for the other")
            place.done("restore", backup)
            expect(editions.expect_whole(place) == "old", "the next restore did not bring the backup")
            expect_search(editions, place)
            left = [path.name for path in place.folder.iterdir() if path.name.startswith(".epg")]
            expect(not left, f"the next restore left {left}")
    fault.note = f"{seen['old']} times the old guide stood, {seen['new']} times the restored one"
    expect(min(seen.values()) > 0, "all kills left the same guide")


def command(place: Place, backup: Path, *arguments: str) -> list[str]:
    """strace over a restore."""
    return ["strace", "-f", "-qq", *arguments, str(place.bench.epg), "restore", str(backup), "--database", str(place.database)]


def found(editions: Editions, place: Place) -> str:
    return place.done("search", "lighthouse", "--json", "--at", f"@{editions.guide.start}", "--zone", "UTC")


def expect_search(editions: Editions, place: Place) -> None:
    expect(found(editions, place) == found(editions, editions.old), "searches find something else than before the backup")


# MARK: Service


def under_service(bench: Bench, editions: Editions, backup: Path, fault: Fault) -> None:
    """Each restore is a new generation with another name, and the tags of responses follow their content."""
    place = editions.new.copy("run")
    other = bench.folder / "restore-other.sqlite"
    editions.new.done("backup", other, "--force")
    with service(place) as (process, port):
        start = quote(stamp_iso(editions.guide.start))
        path = f"/api/v1/grid?from={start}&hours=3&rows=0-9&at={start}"
        names: list[str] = []
        tags: dict[str, bytes] = {}
        for turn in range(bench.scaled(40, 6)):
            with fault.case(f"restore {turn + 1}"):
                expect(process.poll() is None, f"epgd ended with {process.poll()}")
                name, tag, body = state(port, path)
                expect(name not in names, f"generation {name} came twice")
                expect(tags.get(tag, body) == body, f"tag {tag} came with two contents")
                names.append(name)
                tags[tag] = body
                answer = json.loads(place.done("restore", backup if turn % 2 == 0 else other, "--json", "--wait"))
                expect(answer["generation"] > int(name.split(".")[0]), "the generation did not grow")
                wait_for(lambda: state(port, path)[0] != name, "the service does not show the restored guide")
                _, _, restored = state(port, path)
                for old, content in tags.items():
                    status, _ = conditional(port, path, old)
                    expected = 304 if content == restored else 200
                    expect(status == expected, f"status {status} for the tag {old}, not {expected}")
                status, body = get(port, "/api/v1/search?q=lighthouse")
                expect(status == 200 and json.loads(body)["total"] > 0, f"a search found nothing: {status} {body[:200]!r}")
                _, body = get(port, f"/api/v1/changes?since={name}")
                expect(json.loads(body)["complete"] is False, f"changes since {name} were told as if they were known")
                status, _ = get(port, f"{path}&generation={name}")
                expect(status != 200, f"the guide of generation {name} was answered with another one")
        fault.note = f"{len(set(names))} generations"


def state(port: int, path: str) -> tuple[str, str, bytes]:
    """The name of the generation, the tag of a viewport, and the viewport."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read()
        expect(answer.status == 200, f"status {answer.status}: {body[:200]!r}")
        _, changes = get(port, "/api/v1/changes?since=0")
        return json.loads(changes)["name"], answer.getheader("ETag"), body
    finally:
        connection.close()


def conditional(port: int, path: str, tag: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("GET", path, headers={"If-None-Match": tag})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def wait_for(holds, sentence: str) -> None:
    end = time.monotonic() + 20
    while not holds():
        if time.monotonic() > end:
            raise Expectation(sentence)
        time.sleep(0.02)


# MARK: In place


def in_place(bench: Bench, editions: Editions, backup: Path, fault: Fault) -> None:
    """What nobody should do: the service answers with errors meanwhile, doesn't end, and heals."""
    for turn in range(bench.scaled(36, 12)):
        place = editions.new.copy("run")
        whole = place.database.read_bytes()
        with fault.case(f"run {turn + 1}"), service(place) as (process, port), readers(editions, port):
            time.sleep(0.1)
            for _ in range(5):
                with open(place.database, "r+b") as file:
                    if turn % 3 == 0:
                        file.truncate(0)
                        time.sleep(0.02)
                    else:
                        file.truncate(0)
                        file.write(backup.read_bytes()[: None if turn % 3 == 1 else len(whole) // 2])
                        file.flush()
                        time.sleep(0.02)
                expect(process.poll() is None, f"epgd ended with {process.poll()} when its guide was overwritten")
                with open(place.database, "r+b") as file:
                    file.truncate(0)
                    file.write(whole)
            wait_for(lambda: heals(port) or process.poll() is not None, "the service did not heal")
            expect(process.poll() is None, f"epgd ended with {process.poll()} when its guide was overwritten")


def heals(port: int) -> bool:
    return get(port, "/readyz")[0] == 200 and get(port, "/api/v1/search?q=lighthouse")[0] == 200


@contextlib.contextmanager
def readers(editions: Editions, port: int):
    """Clients that read all the while; errors are answers, too."""
    over = threading.Event()

    def read() -> None:
        number = 0
        while not over.is_set():
            number += 1
            with contextlib.suppress(OSError, http.client.HTTPException):
                get(port, f"/api/v1/search?q=lighthouse&limit={number % 100 + 1}")
                get(port, f"/api/v1/stations?from={number % 10}")
                get(port, f"/xmltv.xml?days={number % 5 + 1}")

    threads = [threading.Thread(target=read, daemon=True) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join(timeout=30)
