"""Traces the system calls of a refresh with strace, and injects failures into them."""

import os
import re
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

from support.report import Skipped, need
from workspace import Workspace

CALLS = "read,recvfrom,write,pwrite64,pwritev,fsync,fdatasync,ftruncate,openat"
LINE = re.compile(r"^(\d+)\s+(\w+)\((?:AT_FDCWD(?:<[^>]*>)?, \"([^\"]*)\"|\d+<([^>]*)>)?")


@dataclass
class Call:
    """A system call of a traced process."""

    thread: int
    name: str
    path: str
    #: The number of the call among those with this name in its thread, from 1.
    number: int


def require_strace() -> None:
    need("strace")
    if subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode != 0:
        raise Skipped("strace is not permitted on this machine")


def command(workspace: Workspace, *arguments: str, command: tuple[str, ...] = ("refresh",)) -> list[str]:
    """Returns the command line of strace with a command of epg."""
    return ["strace", "-f", "-qq", *arguments, str(workspace.harness.epg), *command, "--database", str(workspace.database)]


def _trace(workspace: Workspace, names: str, *words: str) -> list[str]:
    """Returns the lines of the trace of a complete command."""
    log = workspace.harness.folder / "calls.txt"
    subprocess.run(
        command(workspace, "-y", "-o", str(log), "-e", f"trace={names}", command=words), check=True, capture_output=True, timeout=120)
    return log.read_text(errors="replace").splitlines()


def calls(workspace: Workspace, names: str = CALLS, *words: str) -> list[Call]:
    """Returns the calls of a complete command (by default, a refresh), in order."""
    counts: dict[tuple[int, str], int] = {}
    found = []
    for line in _trace(workspace, names, *(words or ("refresh",))):
        match = LINE.match(line)
        if match:
            key = (int(match[1]), match[2])
            counts[key] = counts.get(key, 0) + 1
            found.append(Call(key[0], key[1], match[3] or match[4] or "", counts[key]))
    return found


def startup_calls(workspace: Workspace, names: str) -> int:
    """Returns how many of these calls the dynamic loader makes before the program starts."""
    lines = _trace(workspace, names, "refresh")
    return next((number for number, line in enumerate(lines) if ".so" not in line), 0)


@dataclass
class Outcome:
    """The result of a traced refresh."""

    #: The exit code; 128 plus the signal number if a signal terminated the process.
    code: int
    message: str
    log: str

    @property
    def injected(self) -> int:
        return self.log.count("(INJECTED)")


def run(workspace: Workspace, *arguments: str, timeout: float = 120) -> Outcome:
    """Runs a refresh under strace with additional strace arguments."""
    log = workspace.harness.folder / "trace.txt"
    log.unlink(missing_ok=True)
    result = subprocess.run(
        command(workspace, "-o", str(log), *arguments), capture_output=True, text=True, errors="replace", timeout=timeout)
    code = result.returncode if result.returncode >= 0 else 128 - result.returncode
    return Outcome(code, result.stderr.strip(), log.read_text(errors="replace") if log.exists() else "")


def killed_at(workspace: Workspace, call: str, number: int, path: Path | None = None) -> bool:
    """Kills a refresh at the `number`-th call in a thread; returns whether the call occurred."""
    only = ["-P", str(path)] if path else []
    outcome = run(workspace, *only, "-e", f"trace={call}", "-e", f"inject={call}:signal=SIGKILL:when={number}")
    return outcome.code == 128 + signal.SIGKILL


def killed_after(workspace: Workspace, names: str, is_moment, wait) -> bool:
    """Kills a refresh some time after the call that `is_moment` selects; returns whether it was still running.

    - is_moment: Takes a line of the trace and returns whether it is the call.
    - wait: Waits before the kill.
    """
    reading, writing = os.pipe()
    process = subprocess.Popen(
        command(workspace, "-y", "-o", f"/dev/fd/{writing}", "-e", f"trace={names}"), pass_fds=[writing],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading, errors="replace") as trace:
        for line in trace:
            if is_moment(line):
                wait()
                try:
                    os.kill(int(line.split()[0]), signal.SIGKILL)
                except ProcessLookupError:
                    pass
                break
        trace.read()
    return process.wait(timeout=120) == -signal.SIGKILL
