"""Injects faults and verifies that no guide is lost.

Some faults need root, or a user who may create namespaces: the full disk is a small tmpfs, mounted for this process alone.
"""

import importlib
import os
import shutil
import subprocess
import sys

from harness import Harness

FILES = [
    "kills", "calls", "disk", "concurrent_refreshes", "readers", "clock", "damage", "restore", "migration",
    "hostile", "names", "bombs", "unchanged_feed", "playlists", "descriptors", "searches", "reminders",
]

#: What `make test` includes.
JOURNEYS = ["kills", "disk"]


def in_own_namespace() -> None:
    """Restarts the program in a mount namespace of its own, whose mounts end with the process."""
    if os.environ.get("FAULTS_NAMESPACE"):
        return
    flags = ["--mount"] if os.geteuid() == 0 else ["--mount", "--map-root-user"]
    may = shutil.which("unshare") and subprocess.run(["unshare", *flags, "true"], capture_output=True).returncode == 0
    os.environ["FAULTS_NAMESPACE"] = "own" if may else "none"
    if may:
        os.execvp("unshare", ["unshare", *flags, sys.executable, *sys.argv])


def run(options, report, files=()) -> None:
    in_own_namespace()
    harness = Harness(options, report)
    try:
        for name in filter(options.wants, files or (JOURNEYS if options.journeys else FILES)):
            try:
                importlib.import_module(name).run(harness)
            except Exception as error:  # noqa: BLE001 (the other files still run)
                with harness.fault(f"{name}.py"):
                    raise error
    finally:
        harness.close()


def run_kills(options, report) -> None:
    run(options, report, ["kills", "reminders"])


def run_soak(options, report) -> None:
    run(options, report, ["soak"])
