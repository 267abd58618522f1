"""Every K-th write, fsync, truncation, open and read fails: no guide is lost, and the message names the file."""

import re
import signal

import tracing
from guides import Guide
from harness import Fault, Harness
from support.report import expect
from workspace import Editions, Workspace, spread

#: EX_CANTCREAT if the guide cannot be opened for writing, EX_IOERR for everything else; see Documentation/exit-codes.md. SQLite
#: reports an unreadable sector as corruption (SQLITE_IOERR_CORRUPTFS), which is EX_IOERR for a refresh: its EX_DATAERR refers
#: to the downloaded guide.
CODES = (73, 74)
#: What fails, the system calls, and the error.
FAULTS = [
    ("write", "write,pwrite64,pwritev", "ENOSPC"), ("write", "write,pwrite64,pwritev", "EIO"),
    ("fsync", "fsync,fdatasync", "EIO"), ("truncation", "ftruncate", "EIO"),
    ("open", "openat", "EMFILE"), ("open", "openat", "EACCES"), ("read", "read,pread64", "EIO"),
]
#: The values of K.
STEPS = [1, 2, 3, 5, 8, 13, 34, 89, 233, 610, 1597]


def run(harness: Harness) -> None:
    guide = Guide(harness.scaled(24, 10), 4, harness.now - 86_400)
    editions = Editions(harness, "calls", guide, viewports=harness.scaled(10, 3))
    for title, names, error in FAULTS:
        with harness.fault(f"every K-th {title} fails with {error}") as fault:
            tracing.require_strace()
            fail_every_kth(harness, editions, fault, title, names, error)


def fail_every_kth(harness: Harness, editions: Editions, fault: Fault, title: str, names: str, error: str) -> None:
    """Tests K from 1 to more than the number of calls of a complete refresh, starting at the K-th call."""
    steps = spread(STEPS, harness.scaled(len(STEPS), 3))
    startup_calls = tracing.startup_calls(editions.old.copy("run"), names)
    seen = {"old": 0, "new": 0}
    fired = 0
    for step in steps:
        for where in ("the database", "anything"):
            workspace = editions.old.copy("run")
            files = [argument for path in paths(workspace) for argument in ("-P", path)] if where == "the database" else []
            begin = step if where == "the database" else step + startup_calls
            with fault.case(f"every {step}th call on {where}"):
                outcome = tracing.run(
                    workspace, *files, "-e", f"trace={names}", "-e", f"inject={names}:error={error}:when={begin}+{step}")
                fired += outcome.injected
                verify(workspace, editions, outcome, where == "the database")
                seen[editions.expect_intact(workspace)] += 1
                editions.expect_recovery(workspace)
    expect(fired > 0, "no call failed")
    fault.note = f"{fired} calls failed; the guide was {seen['old']} times the old one, {seen['new']} times the new one"


def verify(workspace: Workspace, editions: Editions, outcome: tracing.Outcome, is_database: bool) -> None:
    """Verifies that the program exits by itself and reports what failed."""
    expect(outcome.code < 128, f"signal {signal.Signals(outcome.code - 128).name if outcome.code > 128 else ''} terminated it")
    if outcome.injected == 0:
        expect(outcome.code == 0, f"exit {outcome.code} although nothing failed: {outcome.message[:200]}")
    elif outcome.code == 0:
        expect(workspace.digest() == editions.new_digest, "exit 0, but the guide isn't the new one")
    elif is_database:
        expect(outcome.code in CODES, f"exit {outcome.code}: {outcome.message[:200]}")
        expect(str(workspace.database) in outcome.message, f"the message doesn't name the file: {outcome.message[:300]}")
    else:
        # The dynamic loader and the HTTP library have exit codes and messages of their own, and writing one can fail.
        # strace splits a call over two lines if another thread makes one meanwhile.
        message_failed = re.search(r"write(\(2,| resumed>).*\(INJECTED\)", outcome.log) is not None
        expect(message_failed or outcome.message != "", f"exit {outcome.code} without a message")


def paths(workspace: Workspace) -> list[str]:
    """Returns the guide's files, existing or not, and their folder."""
    names = [workspace.database.name + end for end in ("", "-wal", "-shm", ".lock", "-search", "-search-wal", "-search-shm")]
    return [str(workspace.folder)] + [str(workspace.folder / name) for name in names]
