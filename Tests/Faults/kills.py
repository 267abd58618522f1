"""kill -9 of a refresh: the guide is then the old one or the new one, and the next refresh goes on from there."""

import gzip
import signal
import subprocess
import time

import tracing
from frame import Bench, Fault, expect
from guides import Guide
from place import Editions, Place, spread
from server import GuideServer


def run(bench: Bench) -> None:
    server = GuideServer()
    guide = Guide(bench.scaled(80, 12), bench.scaled(6, 3), bench.now - 86_400)
    editions = Editions(bench, "kills", guide, server, viewports=bench.scaled(50, 6))
    with bench.fault("kill -9 at a random moment") as fault:
        at_random(bench, editions, fault)
    phases(bench, editions)
    with bench.fault("kill -9 of a first import") as fault:
        first_import(bench, fault)
    server.close()


class Verdicts:
    """How often the guide was the old one and the new one."""

    def __init__(self, fault: Fault, editions: Editions) -> None:
        self.fault = fault
        self.editions = editions
        self.seen = {"old": 0, "new": 0}

    def judge(self, name: str, place: Place) -> None:
        """Looks at what a kill left."""
        with self.fault.case(name):
            self.seen[self.editions.expect_whole(place)] += 1
            # By name: a refresh that was killed counts as a failure, and its source isn't asked again at once.
            self.editions.expect_recovery(place, "nightly")
        self.fault.note = f"{self.seen['old']} times the old guide stood, {self.seen['new']} times the new one"


def at_random(bench: Bench, editions: Editions, fault: Fault) -> None:
    """Kills that come after the end prove nothing: others are made for them."""
    verdicts = Verdicts(fault, editions)
    wanted = bench.scaled(200, 6)
    longest = duration(editions)
    tries = 0
    while fault.count < wanted and tries < wanted * 5:
        tries += 1
        place = editions.old.copy("run")
        seconds = bench.random.uniform(0, longest)
        process = subprocess.Popen(
            [bench.epg, "refresh", "--database", place.database], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(seconds)
        process.kill()
        if process.wait() == -signal.SIGKILL:
            verdicts.judge(f"after {seconds * 1000:.0f} ms", place)
        else:
            # The first one took longer, on a machine that had other work.
            longest = min(longest, seconds)
    expect(fault.count == wanted, f"only {fault.count} of {tries} refreshes could be killed")


def first_import(bench: Bench, fault: Fault) -> None:
    """Kills while there is no guide yet: readers are told so, or see an empty guide or the whole one; the next import makes it."""
    feed = bench.subfolder("kills-feed") / "feed.xml"
    # Larger than the cache of the connection, so that pages are written before the commit.
    feed.write_bytes(Guide(300, 6, bench.now - 86_400).xml(0))

    def start(place: Place) -> subprocess.Popen:
        return subprocess.Popen(
            [bench.epg, "import", feed, "--database", place.database], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    whole = Place(bench, bench.subfolder("first"))
    begin = time.monotonic()
    start(whole).wait()
    longest, wanted = time.monotonic() - begin, whole.digest()
    empty = Place(bench, bench.subfolder("first-empty"))
    empty.done("import", "/dev/stdin", input="<tv/>")
    seen = {"no": 0, "an empty": 0, "the whole": 0}
    tries, count = 0, bench.scaled(60, 6)
    while fault.count < count and tries < count * 5:
        tries += 1
        place = Place(bench, bench.subfolder("run"))
        seconds = bench.random.uniform(0, longest)
        process = start(place)
        time.sleep(seconds)
        process.kill()
        if process.wait() != -signal.SIGKILL:
            # The first one took longer, on a machine that had other work.
            longest = min(longest, seconds)
            continue
        with fault.case(f"after {seconds * 1000:.0f} ms"):
            answer = place.epg("stations")
            if answer.returncode == 66:
                expect("There is no guide" in answer.stderr, f"66 says {answer.stderr.strip()[:200]}")
                seen["no"] += 1
            else:
                expect(answer.returncode == 0, f"exit {answer.returncode}: {answer.stderr.strip()[:200]}")
                shown = place.digest()
                expect(shown in (empty.digest(), wanted), "a part of the guide is shown")
                seen["the whole" if shown == wanted else "an empty"] += 1
            found = place.epg("search", "a*")
            expect("-search" not in found.stderr, f"a search says {found.stderr.strip()[:200]}")
            place.done("import", feed)
            expect(place.digest() == wanted, "the next import doesn't make the guide")
            place.done("check")
    expect(fault.count == count, f"only {fault.count} of {tries} imports could be killed")
    fault.note = ", ".join(f"{number} times {which} guide" for which, number in seen.items())


def duration(editions: Editions) -> float:
    begin = time.monotonic()
    editions.old.copy("run").done("refresh")
    return time.monotonic() - begin


def phases(bench: Bench, editions: Editions) -> None:
    """Kills at the calls of each phase, which are found in the trace of a refresh that isn't disturbed."""
    plain = editions.bodies[1]
    packed = gzip.compress(plain, 6)
    count = bench.scaled(12, 2)
    try:
        tracing.need_strace()
        calls = tracing.calls(editions.old.copy("run"))
    except Exception as error:  # noqa: BLE001
        with bench.fault("kill -9 in each phase"):
            raise error
        return
    editions.server.body = packed
    packed_calls = tracing.calls(editions.old.copy("run"))
    log, database, index = (editions.old.database.name + end for end in ("-wal", "", "-search"))

    def numbered(traced, name: str, is_path) -> list[int]:
        return [call.number for call in traced if call.name == name and is_path(call.path)]

    is_body = lambda path: "swift-epg-" in path
    writes = numbered(calls, "pwrite64", lambda path: path.endswith("/" + log))
    moved = numbered(calls, "pwrite64", lambda path: path.endswith("/" + database))
    indexed = numbered(calls, "pwrite64", lambda path: path.endswith(index + "-wal"))
    table = [
        ("fetch", plain, "recvfrom", numbered(calls, "recvfrom", lambda path: "socket" in path or "TCP" in path), None),
        ("inflate", packed, "read", numbered(packed_calls, "read", is_body), None),
        ("parse", plain, "read", numbered(calls, "read", is_body), None),
        ("write", plain, "pwrite64", list(range(1, len(writes) - 1)), log),
        ("commit", plain, "pwrite64", list(range(len(writes) - 1, len(writes) + 1)), log),
        ("checkpoint", plain, "pwrite64", list(range(1, len(moved) + 1)), database),
        ("the index for searches", plain, "pwrite64", list(range(1, len(indexed) // 2)), index + "-wal"),
    ]
    for phase, body, call, numbers, name in table:
        with bench.fault(f"kill -9 in phase {phase}") as fault:
            editions.server.body = body
            verdicts = Verdicts(fault, editions)
            expect(bool(numbers), f"the trace has no {call} of this phase")
            for number in spread(numbers, count):
                place = editions.old.copy("run")
                path = place.folder / name if name else None
                # A socket hands over its bytes in other pieces each time, so the last calls may not come.
                if tracing.killed_at(place, call, number, path):
                    verdicts.judge(f"{call} {number}", place)
                else:
                    expect(call == "recvfrom" and fault.count > 0, f"no kill at {call} {number}")
    editions.server.body = plain
    with bench.fault("kill -9 in phase normalize") as fault:
        normalizing(bench, editions, Verdicts(fault, editions), len(numbered(calls, "read", is_body)), count)
    with bench.fault("kill -9 right after the commit") as fault:
        after_commit(bench, editions, Verdicts(fault, editions), len(writes), count)


def normalizing(bench: Bench, editions: Editions, verdicts: Verdicts, reads: int, count: int) -> None:
    """Between the last byte that is read of the guide and the first that is written of it."""
    for turn in range(count):
        place = editions.old.copy("run")
        seen = 0

        def is_last_read(line: str) -> bool:
            nonlocal seen
            seen += "swift-epg-" in line and "read(" in line
            return seen == reads

        # The phase takes some tenths of a second on a large guide, some thousandths on a small one.
        share = turn / count * bench.scaled(100, 4) / 1000
        if tracing.killed_after(place, "read", is_last_read, lambda: time.sleep(share)):
            log = place.folder / (place.database.name + "-wal")
            if log.exists() and log.stat().st_size > 0 and turn > 0:
                continue
            verdicts.judge(f"{share * 1000:.0f} ms after the last read", place)
    expect(verdicts.fault.count > 0, "no kill came before the first write")


def after_commit(bench: Bench, editions: Editions, verdicts: Verdicts, writes: int, count: int) -> None:
    """After the last write to the log, while the log is moved into the database."""
    for turn in range(count):
        place = editions.old.copy("run")
        seen = 0

        def is_last_write(line: str) -> bool:
            nonlocal seen
            seen += "guide.sqlite-wal" in line and "pwrite64(" in line
            return seen == writes

        if tracing.killed_after(place, "pwrite64", is_last_write, lambda: time.sleep(turn / 1000)):
            verdicts.judge(f"{turn} ms after the last write of the log", place)
    expect(verdicts.fault.count > 0, "no kill came before the end")
