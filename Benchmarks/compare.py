#!/usr/bin/env python3
"""Runs two commands by turns and compares what they cost.

    compare.py [--runs 5] [--name "import against parse"] -- COMMAND_A ... --- COMMAND_B ...

By turns (A B, B A, A B ...), so that a machine that slows down or warms up does it to both; one run of each beforehand
is not counted. Prints for each command the median and the range of the wall time, the median CPU time, and the largest
resident set (getrusage); then A's median wall time as a multiple of B's. The commands' standard output goes to
/dev/null, their standard error is shown. A command that fails ends the comparison with exit 1.
"""

import argparse
import os
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


RUNNER = Path(__file__).parent / ".build-yardsticks" / "measure"


@dataclass
class Cost:
    """What one run of a command cost."""

    wall_seconds: float
    cpu_seconds: float
    max_resident_kib: int


def measure(runner: str, command: list[str]) -> Cost:
    """Runs a command to its end, by `measure` (yardsticks/measure.c)."""
    reader, writer = os.pipe()
    with os.fdopen(reader) as report:
        process = subprocess.Popen(
            [runner, str(writer), *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=[writer]
        )
        os.close(writer)
        words = report.read().split()
    if process.wait() != 0 or len(words) != 3:
        sys.exit(f"exit {process.returncode}: {' '.join(command)}")
    return Cost(float(words[0]), float(words[1]), int(words[2]))


def describe(label: str, costs: list[Cost]) -> str:
    """One line about all runs of a command."""
    walls = [cost.wall_seconds for cost in costs]
    return (
        f"  {label}  wall {statistics.median(walls):8.3f} s ({min(walls):.3f} to {max(walls):.3f})"
        f"   CPU {statistics.median(cost.cpu_seconds for cost in costs):8.3f} s"
        f"   max RSS {max(cost.max_resident_kib for cost in costs) / 1024:7.1f} MiB"
    )


def commands(words: list[str]) -> tuple[list[str], list[str]]:
    """The two commands, which `---` separates."""
    if words.count("---") != 1:
        sys.exit("usage: compare.py [--runs N] [--name TEXT] -- COMMAND_A ... --- COMMAND_B ...")
    middle = words.index("---")
    first, second = words[:middle], words[middle + 1 :]
    if not first or not second:
        sys.exit("a command is missing before or after ---")
    return first, second


def main() -> None:
    if "--" not in sys.argv:
        commands([])
    split = sys.argv.index("--")
    parser = argparse.ArgumentParser(description="Runs two commands by turns and compares what they cost.")
    parser.add_argument("--runs", type=int, default=5, help="counted runs of each command (default 5)")
    parser.add_argument("--name", default="A against B", help="the heading")
    parser.add_argument("--runner", default=str(RUNNER), help="the built measure.c (default: where run.sh puts it)")
    options = parser.parse_args(sys.argv[1:split])
    if options.runs < 1:
        parser.error("--runs must be at least 1")
    if not os.access(options.runner, os.X_OK):
        sys.exit(f"{options.runner} is missing: run Benchmarks/run.sh --build")
    first, second = commands(sys.argv[split + 1 :])

    measure(options.runner, first)
    measure(options.runner, second)
    costs: tuple[list[Cost], list[Cost]] = ([], [])
    for turn in range(options.runs):
        for index in (0, 1) if turn % 2 == 0 else (1, 0):
            costs[index].append(measure(options.runner, (first, second)[index]))

    medians = [statistics.median(cost.wall_seconds for cost in some) for some in costs]
    print(f"{options.name} ({options.runs} runs each)")
    print(describe("A", costs[0]))
    print(describe("B", costs[1]))
    print(f"  A takes {medians[0] / medians[1]:.2f} times as long as B")


if __name__ == "__main__":
    main()
