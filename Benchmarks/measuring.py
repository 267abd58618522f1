"""Runs commands and measures their cost with yardsticks/measure.c."""

import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

#: Folder of the yardsticks built by run.sh.
YARDSTICKS = Path(__file__).parent / ".build-yardsticks"


@dataclass(frozen=True)
class Cost:
    """The cost of one run of a command."""

    wall_seconds: float
    cpu_seconds: float
    max_resident_bytes: int
    #: Seconds until the first output on standard output; -1 if not measured or without output.
    first_output_seconds: float


def measure(command: list[str], watches_output: bool = False) -> Cost:
    """Runs a command. Discards its output, shows its standard error, and exits if it fails."""
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
        values = report.read().split()
    if process.wait() != 0 or len(values) != 4:
        sys.exit(f"exit {process.returncode}: {' '.join(map(str, command))}")
    return Cost(float(values[0]), float(values[1]), int(values[2]) * 1024, float(values[3]))


def interleaved(names: list[str], rounds: int) -> Iterator[tuple[int, str]]:
    """Yields the round and name of each run, alternating forward and backward; round 0 is a warm-up and must not count.

    Changes in the machine's speed thus affect all names alike.
    """
    for number in range(rounds + 1):
        for name in names if number % 2 == 0 else reversed(names):
            yield number, name


def median_wall(costs: list[Cost]) -> float:
    """Returns the median wall time in seconds."""
    return statistics.median(cost.wall_seconds for cost in costs)


def median_cpu(costs: list[Cost]) -> float:
    """Returns the median CPU time of all threads, in user and kernel mode, in seconds."""
    return statistics.median(cost.cpu_seconds for cost in costs)


def largest_resident(costs: list[Cost]) -> int:
    """Returns the largest resident set of all runs in bytes."""
    return max(cost.max_resident_bytes for cost in costs)
