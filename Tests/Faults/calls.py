"""Every K-th write, fsync, truncation and open fails: no guide is lost, and the message names the file."""

import re
import signal

import tracing
from frame import Bench, Fault, expect
from guides import Guide
from place import Editions, Place, spread
from server import GuideServer

#: EX_CANTCREAT where the guide can't be opened for writing, EX_IOERR for all else; architecture.md, "The face". SQLite takes
#: a sector that can't be read for damage (SQLITE_IOERR_CORRUPTFS), which is EX_IOERR for a refresh: its EX_DATAERR is for
#: what it fetches.
CODES = (73, 74)
#: What fails, and how.
FAULTS = [
    ("write", "write,pwrite64,pwritev", "ENOSPC"), ("write", "write,pwrite64,pwritev", "EIO"),
    ("fsync", "fsync,fdatasync", "EIO"), ("truncation", "ftruncate", "EIO"),
    ("open", "openat", "EMFILE"), ("open", "openat", "EACCES"), ("read", "read,pread64", "EIO"),
]
#: K.
STEPS = [1, 2, 3, 5, 8, 13, 34, 89, 233, 610, 1597]


def run(bench: Bench) -> None:
    server = GuideServer()
    guide = Guide(bench.scaled(24, 10), 4, bench.now - 86_400)
    editions = Editions(bench, "calls", guide, server, viewports=bench.scaled(10, 3))
    for title, names, error in FAULTS:
        with bench.fault(f"every K-th {title} fails with {error}") as fault:
            tracing.need_strace()
            every(bench, editions, fault, title, names, error)
    server.close()


def every(bench: Bench, editions: Editions, fault: Fault, title: str, names: str, error: str) -> None:
    """K from 1 to beyond the number of calls that a whole refresh makes, from the first K-th on."""
    steps = spread(STEPS, bench.scaled(len(STEPS), 3))
    loading = tracing.loading(editions.old.copy("run"), names)
    seen = {"old": 0, "new": 0}
    fired = 0
    for step in steps:
        for where in ("the database", "anything"):
            place = editions.old.copy("run")
            files = [argument for path in paths(place) for argument in ("-P", path)] if where == "the database" else []
            begin = step if where == "the database" else step + loading
            with fault.case(f"every {step}. of {where}"):
                outcome = tracing.run(
                    place, *files, "-e", f"trace={names}", "-e", f"inject={names}:error={error}:when={begin}+{step}")
                fired += outcome.injected
                judge(place, editions, outcome, where == "the database")
                seen[editions.expect_whole(place)] += 1
                editions.expect_recovery(place)
    expect(fired > 0, "not one call failed")
    fault.note = f"{fired} calls failed; {seen['old']} times the old guide stood, {seen['new']} times the new one"


def judge(place: Place, editions: Editions, outcome: tracing.Outcome, is_database: bool) -> None:
    """The program ends by itself, and says what failed where it did."""
    expect(outcome.code < 128, f"signal {signal.Signals(outcome.code - 128).name if outcome.code > 128 else ''} ended it")
    if outcome.injected == 0:
        expect(outcome.code == 0, f"exit {outcome.code} though nothing failed: {outcome.words[:200]}")
    elif outcome.code == 0:
        expect(place.digest() == editions.new_digest, "exit 0, but the guide isn't the new one")
    elif is_database:
        expect(outcome.code in CODES, f"exit {outcome.code}: {outcome.words[:200]}")
        expect(str(place.database) in outcome.words, f"the message doesn't name the file: {outcome.words[:300]}")
    else:
        # The loader and the library of the fetcher have codes and words of their own; and words are written, too.
        # A call during which another thread has one stands on two lines.
        is_mute = re.search(r"write(\(2,| resumed>).*\(INJECTED\)", outcome.log) is not None
        expect(is_mute or outcome.words != "", f"exit {outcome.code} without a word")


def paths(place: Place) -> list[str]:
    """The files of the guide, which are there or are made, and their folder."""
    names = [place.database.name + end for end in ("", "-wal", "-shm", ".lock", "-search", "-search-wal", "-search-shm")]
    return [str(place.folder)] + [str(place.folder / name) for name in names]
