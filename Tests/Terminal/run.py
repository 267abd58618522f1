#!/usr/bin/env python3
"""Runs the tests of full-screen programs in a pseudo-terminal. Tests/Terminal/run.sh calls it.

    run.py BUILD [--short] [--only WORD]

BUILD is the folder with the built programs. Each function of a test_*.py is a test, named after its rule; its argument is the
folder with the programs. --short skips functions with the attribute `level = "long"`. UPDATE_GOLDENS=1 writes the golden
screens. Prints a line for each test, and "N passed, N failed, N skipped" at the end; exits with 1 if a test failed.
"""

import argparse
import importlib
import sys
import time
import traceback
from pathlib import Path

from terminal import Skipped, Terminal

FOLDER = Path(__file__).resolve().parent


def tests(short):
    """Yields the tests of all files, in source order."""
    for path in sorted(FOLDER.glob("test_*.py")):
        module = importlib.import_module(path.stem)
        for name, value in list(vars(module).items()):
            if callable(value) and getattr(value, "__module__", "") == path.stem and not name.startswith("_"):
                if not short or getattr(value, "level", "short") == "short":
                    yield f"{path.stem.removeprefix('test_')}: {name.replace('_', ' ')}", value


def reason(problem):
    """Describes a failure with its position in the tests."""
    frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if frame.filename.startswith(str(FOLDER))]
    place = next((frame for frame in reversed(frames) if Path(frame.filename).name.startswith("test_")), frames[-1])
    return f"{Path(place.filename).name}:{place.lineno}: {type(problem).__name__}: {str(problem) or place.line}"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("build", type=Path)
    arguments.add_argument("--short", action="store_true")
    arguments.add_argument("--only", action="append", help="run only tests whose names contain WORD (repeatable)")
    options = arguments.parse_args()
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for name, test in tests(options.short):
        if options.only and not any(word in name for word in options.only):
            continue
        began = time.monotonic()
        try:
            test(options.build.resolve())
            outcome, detail = "passed", ""
        except Skipped as skipped:
            outcome, detail = "skipped", str(skipped)
        except Exception as problem:
            outcome, detail = "failed", reason(problem)
        finally:
            Terminal.close_all()
        counts[outcome] += 1
        print(f"{outcome:7} {name} ({time.monotonic() - began:.1f} s){': ' if detail else ''}{detail}", flush=True)
    print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
