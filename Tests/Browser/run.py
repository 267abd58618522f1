#!/usr/bin/env python3
"""Tests the service in headless Chromium over WebDriver. Scripts/browser-test.sh calls it.

    run.py BUILD [--short | --long] [--only WORD] [--shots FOLDER] [--tests FOLDER]

BUILD is the folder with the programs `epg` and `epgd`; --tests names another folder of tests, such as Tests/Abuse. Each
function of a test_*.py is a test, named after the rule that it verifies. Prints a line for each, and "N passed, N failed"
at the end; exits with 1 if a test failed.
"""

import argparse
import importlib
import os
import signal
import sys
import time
import traceback
from pathlib import Path

from world import PACKAGE, World

LEVELS = ["short", "thorough", "long"]


def tests(folder, level):
    """Yields the names and functions of all tests in a folder, in source order."""
    sys.path.insert(0, str(folder))
    for path in sorted(folder.glob("test_*.py")):
        module = importlib.import_module(path.stem)
        for name, value in vars(module).items():
            own = callable(value) and getattr(value, "__module__", "") == path.stem and not name.startswith("_")
            if own and value.__code__.co_varnames[:1] == ("world",):
                if LEVELS.index(getattr(value, "level", "short")) <= LEVELS.index(level):
                    yield f"{path.stem.removeprefix('test_')}: {name.replace('_', ' ')}", value


def reason(problem):
    """Describes a failure with its position in the tests."""
    frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if frame.filename.startswith(str(PACKAGE))]
    place = next((frame for frame in reversed(frames) if Path(frame.filename).name.startswith("test_")), frames[-1])
    text = str(problem) or place.line
    return f"{Path(place.filename).name}:{place.lineno}: {type(problem).__name__}: {text[:1500]}"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("build")
    arguments.add_argument("--short", dest="level", action="store_const", const="short", default="thorough")
    arguments.add_argument("--long", dest="level", action="store_const", const="long")
    arguments.add_argument("--only", action="append", help="run only tests whose names contain WORD (repeatable)")
    arguments.add_argument("--shots", default=PACKAGE / ".build/screenshots", help="folder for screenshots")
    arguments.add_argument("--tests", type=Path, default=Path(__file__).parent, help="folder of tests")
    options = arguments.parse_args()
    # Exits through the cleanup, so that child processes end too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    passed = failed = 0
    began = time.monotonic()
    world = World(options.build, options.shots, options.level)
    try:
        for name, test in tests(options.tests.resolve(), options.level):
            if options.only and not any(word in name for word in options.only):
                continue
            begin = time.monotonic()
            try:
                test(world)
                passed += 1
                verdict, why = "ok    ", ""
            except Exception as problem:
                failed += 1
                verdict, why = "FAILED", f"\n         {reason(problem)}"
                if world.browsers:
                    try:
                        world.screenshot(world.browsers[-1], f"failed-{test.__name__[:60]}")
                    except Exception:  # The window itself may have failed.
                        pass
            facts = "".join(f"\n         {fact}" for fact in world.facts)
            world.facts.clear()
            print(f"{verdict} {name} ({time.monotonic() - begin:.1f} s){why}{facts}", flush=True)
            world.close_browsers()
    finally:
        world.close()
    print(f"in {time.monotonic() - began:.0f} s; screenshots in {os.path.relpath(world.shots)}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
