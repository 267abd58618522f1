"""Runs commands and tells what they cost, by yardsticks/measure.c."""

import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

#: Where run.sh puts the built yardsticks.
YARDSTICKS = Path(__file__).parent / ".build-yardsticks"


@dataclass(frozen=True)
class Cost:
    """What one run of a command cost."""

    wall_seconds: float
    cpu_seconds: float
    max_resident_bytes: int
    #: Seconds until it first wrote to standard output; -1 where nobody watched, or it never did.
    first_output_seconds: float


def measure(command: list[str], watches_output: bool = False) -> Cost:
    """Runs a command to its end. Its output is thrown away, its standard error shown; where it fails, all ends."""
    runner = YARDSTICKS / "measure"
    if not os.access(runner, os.X_OK):
        sys.exit(f"{runner} is missing: run Benchmarks/run.sh --build")
    reader, writer = os.pipe()
    with os.fdopen(reader) as report:
        process = subprocess.Popen(
            [runner, *(["--first-output"] if watches_output else []), str(writer), *command],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=[writer],
        )
        os.close(writer)
        words = report.read().split()
    if process.wait() != 0 or len(words) != 4:
        sys.exit(f"exit {process.returncode}: {' '.join(map(str, command))}")
    return Cost(float(words[0]), float(words[1]), int(words[2]) * 1024, float(words[3]))


def by_turns(names: list[str], rounds: int) -> Iterator[tuple[int, str]]:
    """What to run in which order: forwards, then backwards, and so on; round 0 warms up and isn't to be counted.

    A machine that slows down or warms up does it to all alike.
    """
    for number in range(rounds + 1):
        for name in names if number % 2 == 0 else reversed(names):
            yield number, name


def median_wall(costs: list[Cost]) -> float:
    """The median of the wall times, in seconds."""
    return statistics.median(cost.wall_seconds for cost in costs)


def median_cpu(costs: list[Cost]) -> float:
    """The median of the CPU times of all threads, in the program and in the kernel, in seconds."""
    return statistics.median(cost.cpu_seconds for cost in costs)


def largest_resident(costs: list[Cost]) -> int:
    """The largest resident set of all runs, in bytes."""
    return max(cost.max_resident_bytes for cost in costs)
