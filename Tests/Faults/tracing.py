"""What a refresh asks of the system, by strace; and making that fail."""

import os
import re
import shutil
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

from frame import LeftOut
from place import Place

CALLS = "read,recvfrom,write,pwrite64,pwritev,fsync,fdatasync,ftruncate,openat"
LINE = re.compile(r"^(\d+)\s+(\w+)\((?:AT_FDCWD(?:<[^>]*>)?, \"([^\"]*)\"|\d+<([^>]*)>)?")


@dataclass
class Call:
    """A system call that a traced process began."""

    thread: int
    name: str
    path: str
    #: Its number among the calls of this name in its thread, from 1.
    number: int


def need_strace() -> None:
    if not shutil.which("strace"):
        raise LeftOut("strace is missing")
    if subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode != 0:
        raise LeftOut("this machine doesn't let strace trace")


def command(place: Place, *arguments: str) -> list[str]:
    """strace over a refresh."""
    return ["strace", "-f", "-qq", *arguments, str(place.bench.epg), "refresh", "--database", str(place.database)]


def calls(place: Place) -> list[Call]:
    """The calls of a whole refresh, in their order."""
    log = place.bench.folder / "calls.txt"
    subprocess.run(command(place, "-y", "-o", str(log), "-e", f"trace={CALLS}"), check=True, capture_output=True, timeout=120)
    counts: dict[tuple[int, str], int] = {}
    found = []
    for line in log.read_text(errors="replace").splitlines():
        match = LINE.match(line)
        if match:
            key = (int(match[1]), match[2])
            counts[key] = counts.get(key, 0) + 1
            found.append(Call(key[0], key[1], match[3] or match[4] or "", counts[key]))
    return found


def loading(place: Place, names: str) -> int:
    """How many calls of these names the loader makes for the program's libraries, before the program begins."""
    log = place.bench.folder / "loading.txt"
    subprocess.run(command(place, "-y", "-o", str(log), "-e", f"trace={names}"), check=True, capture_output=True, timeout=120)
    lines = log.read_text(errors="replace").splitlines()
    return next((number for number, line in enumerate(lines) if ".so" not in line), 0)


@dataclass
class Outcome:
    """How a traced refresh ended."""

    #: 128 and the number of the signal where one ended it.
    code: int
    words: str
    log: str

    @property
    def injected(self) -> int:
        return self.log.count("(INJECTED)")


def run(place: Place, *arguments: str, timeout: float = 120) -> Outcome:
    """Runs a refresh under strace with these arguments."""
    log = place.bench.folder / "trace.txt"
    log.unlink(missing_ok=True)
    answer = subprocess.run(
        command(place, "-o", str(log), *arguments), capture_output=True, text=True, errors="replace", timeout=timeout)
    code = answer.returncode if answer.returncode >= 0 else 128 - answer.returncode
    return Outcome(code, answer.stderr.strip(), log.read_text(errors="replace") if log.exists() else "")


def killed_at(place: Place, call: str, number: int, path: Path | None = None) -> bool:
    """Kills a refresh as it begins a call for the n-th time in a thread; whether it came to that."""
    only = ["-P", str(path)] if path else []
    outcome = run(place, *only, "-e", f"trace={call}", "-e", f"inject={call}:signal=SIGKILL:when={number}")
    return outcome.code == 128 + signal.SIGKILL


def killed_after(place: Place, names: str, is_moment, wait) -> bool:
    """Kills a refresh some time after a call that is looked for in the trace as it comes; whether it was in time.

    - is_moment: Takes a line of the trace.
    - wait: Lets the time pass.
    """
    reading, writing = os.pipe()
    process = subprocess.Popen(
        command(place, "-y", "-o", f"/dev/fd/{writing}", "-e", f"trace={names}"), pass_fds=[writing],
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
