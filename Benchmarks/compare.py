#!/usr/bin/env python3
"""Runs two commands alternately and compares their cost.

    compare.py [--runs 5] [--name "import against parse"] -- COMMAND_A ... --- COMMAND_B ...

The order alternates (A B, B A, A B ...) after one warm-up run of each. Prints for each command the median and the range of the wall
time, the median CPU time, and the largest resident set; then A's median wall time as a multiple of B's. Exits with 1 if a command
fails.
"""

import argparse
import statistics
import sys

from measuring import Cost, interleaved, largest_resident, measure, median_wall


def describe(label: str, costs: list[Cost]) -> str:
    """Summarizes all runs of a command in one line."""
    walls = [cost.wall_seconds for cost in costs]
    return (
        f"  {label}  wall {median_wall(costs):8.4f} s ({min(walls):.4f} to {max(walls):.4f})"
        f"   CPU {statistics.median(cost.cpu_seconds for cost in costs):8.4f} s"
        f"   max RSS {largest_resident(costs) / 1e6:7.1f} MB"
    )


def commands(words: list[str]) -> tuple[list[str], list[str]]:
    """Returns the two commands, separated by `---`."""
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
    parser = argparse.ArgumentParser(description="Runs two commands alternately and compares their cost.")
    parser.add_argument("--runs", type=int, default=5, help="measured runs of each command (default: 5)")
    parser.add_argument("--name", default="A against B", help="heading of the output")
    options = parser.parse_args(sys.argv[1:split])
    if options.runs < 1:
        parser.error("--runs must be at least 1")
    first, second = commands(sys.argv[split + 1 :])

    costs: dict[str, list[Cost]] = {"A": [], "B": []}
    for turn, name in interleaved(["A", "B"], options.runs):
        cost = measure(first if name == "A" else second)
        if turn > 0:
            costs[name].append(cost)

    print(f"{options.name} ({options.runs} runs each)")
    print(describe("A", costs["A"]))
    print(describe("B", costs["B"]))
    print(f"  A takes {median_wall(costs['A']) / median_wall(costs['B']):.2f} times as long as B")


if __name__ == "__main__":
    main()
