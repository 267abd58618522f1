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
from guides import Guide
from harness import Fault, Harness
from support.processes import Service, wait_until
from support.report import expect
from support.times import iso_time
from workspace import Editions, Workspace, spread

#: The system calls of a restore that change something.
CALLS = "openat,pwrite64,write,ftruncate,fsync,fdatasync,fchmod,fchown,unlink,rename"


def run(harness: Harness) -> None:
    guide = Guide(harness.scaled(80, 12), harness.scaled(6, 3), harness.now - 86_400)
    editions = Editions(harness, "restore", guide, viewports=harness.scaled(20, 2))
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
    traced = tracing.calls(original.copy("run"), CALLS, "restore", str(backup))
    # strace counts the calls of each thread.
    calls = list(dict.fromkeys((call.name, call.number) for call in traced))
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
            # The system chooses the threads, so a run may lack a call.
            for _ in range(5):
                workspace = original.copy("run")
                result = subprocess.run(
                    tracing.command(workspace, "-o", "/dev/null", "-e", f"trace={name}",
                                    "-e", f"inject={name}:signal=SIGKILL:when={number}", command=("restore", str(backup))),
                    capture_output=True, timeout=120)
                if result.returncode != 0:
                    break
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
    with workspace.serve() as service:
        start = quote(iso_time(editions.guide.start))
        path = f"/api/v1/grid?from={start}&hours=3&rows=0-9&at={start}"
        names: list[str] = []
        tags: dict[str, bytes] = {}
        for turn in range(harness.scaled(40, 6)):
            with fault.case(f"restore {turn + 1}"):
                service.expect_running()
                name, tag, body = state(service, path)
                expect(name not in names, f"generation {name} occurred twice")
                expect(tags.get(tag, body) == body, f"tag {tag} occurred with different contents")
                names.append(name)
                tags[tag] = body
                result = json.loads(workspace.succeed("restore", backup if turn % 2 == 0 else other, "--json", "--wait"))
                expect(result["generation"] > int(name.split(".")[0]), "the generation did not grow")
                wait_until(lambda: state(service, path)[0] != name, "the service shows the restored guide")
                _, _, restored = state(service, path)
                for old, content in tags.items():
                    status = service.request(path, {"If-None-Match": old}).status
                    expected = 304 if content == restored else 200
                    expect(status == expected, f"status {status} for the tag {old}, not {expected}")
                found = service.json("/api/v1/search", q="lighthouse")
                expect(found["total"] > 0, f"a search found nothing: {found}")
                changes = service.json("/api/v1/changes", since=name)
                expect(changes["complete"] is False, f"changes since {name} are reported as complete")
                expect(service.request(f"{path}&generation={name}").status != 200, f"a request for generation {name} returned another one")
        fault.note = f"{len(set(names))} generations"


def state(service: Service, path: str) -> tuple[str, str, bytes]:
    """Returns the name of the generation, the entity tag of a viewport, and the viewport."""
    status, headers, body = service.request(path)
    expect(status == 200, f"status {status}: {body[:200]!r}")
    return service.json("/api/v1/changes", since=0)["name"], headers.get("etag"), body


# MARK: In place


def in_place(harness: Harness, editions: Editions, backup: Path, fault: Fault) -> None:
    """Overwrites the database in place: the service reports errors meanwhile, keeps running, and recovers."""
    for turn in range(harness.scaled(36, 12)):
        workspace = editions.new.copy("run")
        original = workspace.database.read_bytes()
        with fault.case(f"run {turn + 1}"), workspace.serve() as service, readers(service) as requests:
            wait_until(lambda: len(requests) > 20, "the clients have sent requests")
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
                service.expect_running()
                with open(workspace.database, "r+b") as file:
                    file.truncate(0)
                    file.write(original)
            wait_until(lambda: has_recovered(service), "the service recovers")


def has_recovered(service: Service) -> bool:
    service.expect_running()
    return all(service.request(path).status == 200 for path in ("/readyz", "/api/v1/search?q=lighthouse"))


@contextlib.contextmanager
def readers(service: Service):
    """Runs clients that send requests continuously, and yields the growing list of statuses; errors are permitted."""
    finished = threading.Event()
    statuses: list[int] = []

    def read() -> None:
        number = 0
        while not finished.is_set():
            number += 1
            with contextlib.suppress(OSError, http.client.HTTPException):
                for path in (f"/api/v1/search?q=lighthouse&limit={number % 100 + 1}", f"/api/v1/stations?from={number % 10}",
                             f"/xmltv.xml?days={number % 5 + 1}"):
                    statuses.append(service.request(path, timeout=20).status)

    threads = [threading.Thread(target=read, daemon=True) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        yield statuses
    finally:
        finished.set()
        for thread in threads:
            thread.join(timeout=30)
