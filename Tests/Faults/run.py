#!/usr/bin/env python3
"""Brings faults about on purpose and proves that no guide is lost.

    Tests/Faults/run.py BUILD [--short] [--untimed] [--only WORD]… [--scale S] [--minutes N] [--seed N]

BUILD is the folder with the built programs epg and epgd. --short takes a minute or two; --untimed leaves the times out that
only a release on a machine that does nothing else can keep; --scale 0.1 does a tenth of the whole run; --only runs the files
whose names have the word; the soak runs only where it is named, for --minutes. Prints a
line for each fault with its count, and `N passed, N failed`; exit 1 where one failed. Some faults need root, or a user who
may make namespaces: a disk that is full is a small tmpfs, mounted for this process alone.
"""

import argparse
import importlib
import os
import subprocess
import sys
from pathlib import Path

from frame import Bench

FILES = [
    "kills", "calls", "disk", "crowd", "readers", "clock", "damage", "restore", "migration", "hostile", "bombs", "quiet",
    "descriptors", "searches",
]
#: Only where they are named.
NAMED = ["soak"]


def in_own_namespace() -> None:
    """Begins again with mounts that are nobody else's, and end with this process."""
    if os.environ.get("FAULTS_NAMESPACE"):
        return
    flags = ["--mount"] if os.geteuid() == 0 else ["--mount", "--map-root-user"]
    may = subprocess.run(["unshare", *flags, "true"], capture_output=True).returncode == 0
    os.environ["FAULTS_NAMESPACE"] = "own" if may else "none"
    if may:
        os.execvp("unshare", ["unshare", *flags, sys.executable, *sys.argv])


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--untimed", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    in_own_namespace()
    bench = Bench(
        arguments.build.resolve(), arguments.short, not arguments.untimed, arguments.seed, arguments.minutes, arguments.scale)
    wanted = [name for name in FILES + NAMED if any(word in name for word in arguments.only)]
    for name in wanted if arguments.only else FILES:
        try:
            importlib.import_module(name).run(bench)
        except Exception as error:  # noqa: BLE001 (the others are run all the same)
            with bench.fault(f"{name}.py"):
                raise error
    return bench.close()


if __name__ == "__main__":
    sys.exit(main())
