"""epg restore: a kill at any time leaves the old guide or the restored one, and clients of a service never confuse them."""

import contextlib
import http.client
import json
import subprocess
import threading
import time
from pathlib import Path
from urllib.parse import quote

import tracing
from harness import ExpectationFailed, Fault, Harness, expect
from guides import Guide
from workspace import Editions, Workspace, spread
from readers import stamp_iso
from server import GuideServer
from service import get, service

#: The system calls of a restore that change something.
CALLS = "openat,pwrite64,write,ftruncate,fsync,fdatasync,fchmod,fchown,unlink,rename"


def run(harness: Harness) -> None:
    server = GuideServer()
    guide = Guide(harness.scaled(80, 12), harness.scaled(6, 3), harness.now - 86_400)
    editions = Editions(harness, "restore", guide, server, viewports=harness.scaled(20, 2))
    # The guide has the second edition; the backup has the first.
    backup = harness.folder / "restore-backup.sqlite"
    editions.old.succeed("backup", backup, "--force")
    with harness.fault("kill -9 in each phase of a restore") as fault:
        kills(harness, editions, backup, fault)
    with harness.fault("kill -9 in each phase of a restore over a log without a checkpoint") as fault:
        kills(harness, editions, backup, fault, with_log=True)
    with harness.fault("restores under a service") as fault:
        under_service(harness, editions, backup, fault)
    with harness.fault("the database of a service is overwritten in place") as fault:
        in_place(harness, editions, backup, fault)
    server.close()


# MARK: Kills


def prepared(editions: Editions, with_log: bool) -> Workspace:
    """Returns the second edition; with a log, as left by a refresh that was killed before its checkpoint."""
    if not with_log:
        return editions.new.copy("run")
    workspace = editions.old.copy("run")
    moved = [call.number for call in tracing.calls(workspace) if call.name == "pwrite64" and call.path.endswith("/guide.sqlite")]
    workspace = editions.old.copy("run")
    expect(tracing.killed_at(workspace, "pwrite64", 1, workspace.database), f"no refresh was killed at one of {len(moved)} writes")
    expect((workspace.folder / "guide.sqlite-wal").stat().st_size > 0, "the log is empty")
    return workspace


def kills(harness: Harness, editions: Editions, backup: Path, fault: Fault, with_log: bool = False) -> None:
    tracing.require_strace()
    original = prepared(editions, with_log).copy("restore-original")
    log = harness.folder / "restore-calls.txt"
    workspace = original.copy("run")
    subprocess.run(command(workspace, backup, "-o", str(log), "-e", f"trace={CALLS}"), check=True, capture_output=True, timeout=120)
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
    # All calls that change names, and some of the others.
    names = [call for call in calls if call[0] in ("unlink", "rename", "fchmod", "ftruncate")]
    others = [call for call in calls if call not in names]
    seen = {"old": 0, "new": 0}
    # A killed refresh leaves an outdated index.
    known = [found(editions, editions.old), found(editions, editions.new), found(editions, original.copy("run"))]
    chosen = [names[index] for index in spread(list(range(len(names))), harness.scaled(400, 7))]
    chosen += [others[index] for index in spread(list(range(len(others))), harness.scaled(150, 3))]
    for name, number in chosen:
        with fault.case(f"{name} {number}"):
            workspace = original.copy("run")
            result = subprocess.run(
                command(workspace, backup, "-o", "/dev/null", "-e", f"trace={name}",
                        "-e", f"inject={name}:signal=SIGKILL:when={number}"), capture_output=True, timeout=120)
            expect(result.returncode in (-9, 137), f"it was not killed: exit {result.returncode}")
            # The original has the second edition, the backup the first.
            which = editions.expect_intact(workspace)
            seen["old" if which == "new" else "new"] += 1
            if (workspace.folder / "guide.sqlite-search").exists():
                expect(found(editions, workspace) in known, "a search used the index of the other guide")
            workspace.succeed("restore", backup)
            expect(editions.expect_intact(workspace) == "old", "the next restore did not restore the backup")
            expect_search(editions, workspace)
            left = [path.name for path in workspace.folder.iterdir() if path.name.startswith(".epg")]
            expect(not left, f"the next restore left {left}")
    fault.note = f"the guide was {seen['old']} times the old one, {seen['new']} times the restored one"
    expect(min(seen.values()) > 0, "all kills left the same guide")


def command(workspace: Workspace, backup: Path, *arguments: str) -> list[str]:
    """Returns the command line of strace with a restore."""
    return ["strace", "-f", "-qq", *arguments, str(workspace.harness.epg), "restore", str(backup), "--database", str(workspace.database)]


def found(editions: Editions, workspace: Workspace) -> str:
    return workspace.succeed("search", "lighthouse", "--json", "--at", f"@{editions.guide.start}", "--zone", "UTC")


def expect_search(editions: Editions, workspace: Workspace) -> None:
    expect(found(editions, workspace) == found(editions, editions.old), "searches return other results than before the backup")


# MARK: Service


def under_service(harness: Harness, editions: Editions, backup: Path, fault: Fault) -> None:
    """Verifies that each restore creates a generation with a new name, and that entity tags depend on the content."""
    workspace = editions.new.copy("run")
    other = harness.folder / "restore-other.sqlite"
    editions.new.succeed("backup", other, "--force")
    with service(workspace) as (process, port):
        start = quote(stamp_iso(editions.guide.start))
        path = f"/api/v1/grid?from={start}&hours=3&rows=0-9&at={start}"
        names: list[str] = []
        tags: dict[str, bytes] = {}
        for turn in range(harness.scaled(40, 6)):
            with fault.case(f"restore {turn + 1}"):
                expect(process.poll() is None, f"epgd ended with {process.poll()}")
                name, tag, body = state(port, path)
                expect(name not in names, f"generation {name} occurred twice")
                expect(tags.get(tag, body) == body, f"tag {tag} occurred with different contents")
                names.append(name)
                tags[tag] = body
                result = json.loads(workspace.succeed("restore", backup if turn % 2 == 0 else other, "--json", "--wait"))
                expect(result["generation"] > int(name.split(".")[0]), "the generation did not grow")
                wait_for(lambda: state(port, path)[0] != name, "the service does not show the restored guide")
                _, _, restored = state(port, path)
                for old, content in tags.items():
                    status, _ = conditional(port, path, old)
                    expected = 304 if content == restored else 200
                    expect(status == expected, f"status {status} for the tag {old}, not {expected}")
                status, body = get(port, "/api/v1/search?q=lighthouse")
                expect(status == 200 and json.loads(body)["total"] > 0, f"a search found nothing: {status} {body[:200]!r}")
                _, body = get(port, f"/api/v1/changes?since={name}")
                expect(json.loads(body)["complete"] is False, f"changes since {name} are reported as complete")
                status, _ = get(port, f"{path}&generation={name}")
                expect(status != 200, f"a request for generation {name} returned another one")
        fault.note = f"{len(set(names))} generations"


def state(port: int, path: str) -> tuple[str, str, bytes]:
    """Returns the name of the generation, the entity tag of a viewport, and the viewport."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        body = response.read()
        expect(response.status == 200, f"status {response.status}: {body[:200]!r}")
        _, changes = get(port, "/api/v1/changes?since=0")
        return json.loads(changes)["name"], response.getheader("ETag"), body
    finally:
        connection.close()


def conditional(port: int, path: str, tag: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("GET", path, headers={"If-None-Match": tag})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def wait_for(condition, message: str) -> None:
    end = time.monotonic() + 20
    while not condition():
        if time.monotonic() > end:
            raise ExpectationFailed(message)
        time.sleep(0.02)


# MARK: In workspace


def in_place(harness: Harness, editions: Editions, backup: Path, fault: Fault) -> None:
    """Overwrites the database in place: the service reports errors meanwhile, keeps running, and recovers."""
    for turn in range(harness.scaled(36, 12)):
        workspace = editions.new.copy("run")
        original = workspace.database.read_bytes()
        with fault.case(f"run {turn + 1}"), service(workspace) as (process, port), readers(editions, port):
            time.sleep(0.1)
            for _ in range(5):
                with open(workspace.database, "r+b") as file:
                    if turn % 3 == 0:
                        file.truncate(0)
                        time.sleep(0.02)
                    else:
                        file.truncate(0)
                        file.write(backup.read_bytes()[: None if turn % 3 == 1 else len(original) // 2])
                        file.flush()
                        time.sleep(0.02)
                expect(process.poll() is None, f"epgd ended with {process.poll()} when its guide was overwritten")
                with open(workspace.database, "r+b") as file:
                    file.truncate(0)
                    file.write(original)
            wait_for(lambda: has_recovered(port) or process.poll() is not None, "the service did not recover")
            expect(process.poll() is None, f"epgd ended with {process.poll()} when its guide was overwritten")


def has_recovered(port: int) -> bool:
    return get(port, "/readyz")[0] == 200 and get(port, "/api/v1/search?q=lighthouse")[0] == 200


@contextlib.contextmanager
def readers(editions: Editions, port: int):
    """Runs clients that send requests continuously; error responses are permitted."""
    finished = threading.Event()

    def read() -> None:
        number = 0
        while not finished.is_set():
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
        finished.set()
        for thread in threads:
            thread.join(timeout=30)
