"""kill -9 of a refresh or an import: the guide is then the old one or the new one, and the next refresh succeeds."""

import gzip
import signal
import subprocess
import time

import tracing
from guides import Guide
from harness import Fault, Harness
from support.report import expect
from workspace import Editions, Workspace, spread


def run(harness: Harness) -> None:
    guide = Guide(harness.scaled(80, 12), harness.scaled(6, 3), harness.now - 86_400)
    editions = Editions(harness, "kills", guide, viewports=harness.scaled(50, 6))
    with harness.fault("kill -9 at a random moment") as fault:
        at_random(harness, editions, fault, harness.scaled(200, 6), "refresh")
    with harness.fault("kill -9 of an import of a file") as fault:
        feed = harness.subfolder("kills-import") / "feed.xml"
        feed.write_bytes(editions.bodies[1])
        at_random(harness, editions, fault, harness.scaled(50, 4), "import", feed, "--source", "nightly")
    phases(harness, editions)
    if harness.journeys:
        return
    with harness.fault("kill -9 of a first import") as fault:
        first_import(harness, fault)


class KillResults:
    """Counts how often a kill left the old guide and the new one."""

    def __init__(self, fault: Fault, editions: Editions) -> None:
        self.fault = fault
        self.editions = editions
        self.seen = {"old": 0, "new": 0}

    def verify(self, name: str, workspace: Workspace) -> None:
        """Verifies the guide after a kill."""
        with self.fault.case(name):
            self.seen[self.editions.expect_intact(workspace)] += 1
            # By name: a killed refresh counts as a failure, after which the source backs off.
            self.editions.expect_recovery(workspace, "nightly")
        self.fault.note = f"the guide was {self.seen['old']} times the old one, {self.seen['new']} times the new one"


def at_random(harness: Harness, editions: Editions, fault: Fault, wanted: int, *command: object) -> None:
    """Kills a command of epg after random delays; repeats the kills that came too late."""
    results = KillResults(fault, editions)
    begin = time.monotonic()
    editions.old.copy("run").succeed(*command)
    longest = time.monotonic() - begin
    tries = 0
    while fault.count < wanted and tries < wanted * 5:
        tries += 1
        workspace = editions.old.copy("run")
        seconds = harness.random.uniform(0, longest)
        process = subprocess.Popen(
            [harness.epg, *command, "--database", workspace.database], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(seconds)
        process.kill()
        if process.wait() == -signal.SIGKILL:
            results.verify(f"after {seconds * 1000:.0f} ms", workspace)
        else:
            # The measured run took longer because the machine was busy.
            longest = min(longest, seconds)
    expect(fault.count == wanted, f"only {fault.count} of {tries} commands could be killed")


def first_import(harness: Harness, fault: Fault) -> None:
    """Kills imports into a missing database: readers find no guide, an empty one or the complete one; the next import works."""
    feed = harness.subfolder("kills-feed") / "feed.xml"
    # Larger than the cache of the connection, so that SQLite writes pages before the commit.
    feed.write_bytes(Guide(300, 6, harness.now - 86_400).xml(0))

    def start(workspace: Workspace) -> subprocess.Popen:
        return subprocess.Popen(
            [harness.epg, "import", feed, "--database", workspace.database], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    complete = Workspace(harness, harness.subfolder("first"))
    begin = time.monotonic()
    start(complete).wait()
    longest, wanted = time.monotonic() - begin, complete.digest()
    empty = Workspace(harness, harness.subfolder("first-empty"))
    empty.succeed("import", "/dev/stdin", input="<tv/>")
    seen = {"no": 0, "an empty": 0, "the complete": 0}
    tries, count = 0, harness.scaled(60, 6)
    while fault.count < count and tries < count * 5:
        tries += 1
        workspace = Workspace(harness, harness.subfolder("run"))
        seconds = harness.random.uniform(0, longest)
        process = start(workspace)
        time.sleep(seconds)
        process.kill()
        if process.wait() != -signal.SIGKILL:
            # The measured import took longer because the machine was busy.
            longest = min(longest, seconds)
            continue
        with fault.case(f"after {seconds * 1000:.0f} ms"):
            result = workspace.epg("stations")
            if result.returncode == 66:
                expect("There is no guide" in result.stderr, f"exit 66 with the message: {result.stderr.strip()[:200]}")
                seen["no"] += 1
            else:
                expect(result.returncode == 0, f"exit {result.returncode}: {result.stderr.strip()[:200]}")
                shown = workspace.digest()
                expect(shown in (empty.digest(), wanted), "the database contains a part of the guide")
                seen["the complete" if shown == wanted else "an empty"] += 1
            found = workspace.epg("search", "a*")
            expect("-search" not in found.stderr, f"a search reports: {found.stderr.strip()[:200]}")
            workspace.succeed("import", feed)
            expect(workspace.digest() == wanted, "the next import doesn't create the guide")
            workspace.succeed("check")
    expect(fault.count == count, f"only {fault.count} of {tries} imports could be killed")
    fault.note = ", ".join(f"{number} times {which} guide" for which, number in seen.items())


def phases(harness: Harness, editions: Editions) -> None:
    """Kills a refresh at calls of each phase, taken from the trace of an undisturbed refresh."""
    plain = editions.bodies[1]
    compressed = gzip.compress(plain, 6)
    count = harness.scaled(12, 2)
    try:
        tracing.require_strace()
        calls = tracing.calls(editions.old.copy("run"))
    except Exception as error:  # noqa: BLE001
        with harness.fault("kill -9 in each phase"):
            raise error
        return
    harness.server.body = compressed
    compressed_calls = tracing.calls(editions.old.copy("run"))
    log, database, index = (editions.old.database.name + end for end in ("-wal", "", "-search"))

    def numbered(traced, name: str, is_path) -> list[int]:
        return [call.number for call in traced if call.name == name and is_path(call.path)]

    is_body = lambda path: "swift-epg-" in path
    writes = numbered(calls, "pwrite64", lambda path: path.endswith("/" + log))
    moved = numbered(calls, "pwrite64", lambda path: path.endswith("/" + database))
    indexed = numbered(calls, "pwrite64", lambda path: path.endswith(index + "-wal"))
    table = [
        ("fetch", plain, "recvfrom", numbered(calls, "recvfrom", lambda path: "socket" in path or "TCP" in path), None),
        ("inflate", compressed, "read", numbered(compressed_calls, "read", is_body), None),
        ("parse", plain, "read", numbered(calls, "read", is_body), None),
        ("write", plain, "pwrite64", list(range(1, len(writes) - 1)), log),
        ("commit", plain, "pwrite64", list(range(len(writes) - 1, len(writes) + 1)), log),
        ("checkpoint", plain, "pwrite64", list(range(1, len(moved) + 1)), database),
        ("the search index", plain, "pwrite64", list(range(1, len(indexed) // 2)), index + "-wal"),
    ]
    for phase, body, call, numbers, name in table:
        with harness.fault(f"kill -9 in phase {phase}") as fault:
            harness.server.body = body
            results = KillResults(fault, editions)
            expect(bool(numbers), f"the trace has no {call} of this phase")
            for number in spread(numbers, count):
                # strace counts the calls of each thread, and the system chooses the threads, so a run may lack a call. An earlier
                # call of the phase then takes its place.
                earlier = [other for other in reversed(numbers) if other < number]
                for other in [number] * 5 + earlier[:10]:
                    workspace = editions.old.copy("run")
                    path = workspace.folder / name if name else None
                    if tracing.killed_at(workspace, call, other, path):
                        results.verify(f"{call} {other}", workspace)
                        break
                else:
                    # The number of reads from a socket varies, so the last calls may not occur.
                    expect(call == "recvfrom" and fault.count > 0, f"no kill at {call} {number}")
    harness.server.body = plain
    with harness.fault("kill -9 in phase normalize") as fault:
        normalizing(harness, editions, KillResults(fault, editions), len(numbered(calls, "read", is_body)), count)
    with harness.fault("kill -9 right after the commit") as fault:
        after_commit(harness, editions, KillResults(fault, editions), len(writes), count)


def normalizing(harness: Harness, editions: Editions, results: KillResults, reads: int, count: int) -> None:
    """Kills between the last read of the download and the first write to the database."""
    for turn in range(count):
        workspace = editions.old.copy("run")
        seen = 0

        def is_last_read(line: str) -> bool:
            nonlocal seen
            seen += "swift-epg-" in line and "read(" in line
            return seen == reads

        # The phase takes about 100 ms for a large guide and a few milliseconds for a small one.
        share = turn / count * harness.scaled(100, 4) / 1000
        if tracing.killed_after(workspace, "read", is_last_read, lambda: time.sleep(share)):
            log = workspace.folder / (workspace.database.name + "-wal")
            if log.exists() and log.stat().st_size > 0 and turn > 0:
                continue
            results.verify(f"{share * 1000:.0f} ms after the last read", workspace)
    expect(results.fault.count > 0, "no kill came before the first write")


def after_commit(harness: Harness, editions: Editions, results: KillResults, writes: int, count: int) -> None:
    """Kills after the last write to the log, during the checkpoint."""
    for turn in range(count):
        workspace = editions.old.copy("run")
        seen = 0

        def is_last_write(line: str) -> bool:
            nonlocal seen
            seen += "guide.sqlite-wal" in line and "pwrite64(" in line
            return seen == writes

        if tracing.killed_after(workspace, "pwrite64", is_last_write, lambda: time.sleep(turn / 1000)):
            results.verify(f"{turn} ms after the last write to the log", workspace)
    expect(results.fault.count > 0, "no kill came before the end")
