#!/usr/bin/env python3
"""Injects faults and verifies that no guide is lost.

    Tests/Faults/run.py BUILD [--short] [--untimed] [--only WORD]… [--scale S] [--minutes N] [--seed N]

BUILD is the folder with the built programs epg and epgd. --short takes a minute or two. --untimed skips the limits that only
a release build on an idle machine meets. --scale 0.1 runs a tenth of the cases. --only runs the files whose names contain
WORD. The soak runs only if it is named, for --minutes. Prints a line for each fault with the number of cases, and
`N passed, N failed`; exits with 1 if a fault failed. Some faults need root, or a user who may create namespaces: the full
disk is a small tmpfs, mounted for this process alone.
"""

import argparse
import importlib
import os
import subprocess
import sys
from pathlib import Path

from harness import Harness

FILES = [
    "kills", "calls", "disk", "concurrent_refreshes", "readers", "clock", "damage", "restore", "migration",
    "hostile", "bombs", "unchanged_feed", "descriptors", "searches",
]
#: Run only if they are named.
NAMED = ["soak"]


def in_own_namespace() -> None:
    """Restarts the program in a mount namespace of its own, whose mounts end with the process."""
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
    harness = Harness(
        arguments.build.resolve(), arguments.short, not arguments.untimed, arguments.seed, arguments.minutes, arguments.scale)
    wanted = [name for name in FILES + NAMED if any(word in name for word in arguments.only)]
    for name in wanted if arguments.only else FILES:
        try:
            importlib.import_module(name).run(harness)
        except Exception as error:  # noqa: BLE001 (the other files still run)
            with harness.fault(f"{name}.py"):
                raise error
    return harness.close()


if __name__ == "__main__":
    sys.exit(main())
