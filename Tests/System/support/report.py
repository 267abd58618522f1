"""Runs tests, prints a line for each, and counts the results."""

import importlib
import shutil
import subprocess
import sys
import time
import traceback
from pathlib import Path

from support import ROOT

#: sysexits.h: everything was skipped.
EX_UNAVAILABLE = 69


class ExpectationFailed(AssertionError):
    """An expectation that isn't met. Its message needs no position in the tests."""


class Skipped(Exception):
    """What a test needs and is missing."""


def expect(condition: bool, message: str) -> None:
    if not condition:
        raise ExpectationFailed(message)


def need(program: str, package: str = "") -> None:
    """Skips a test if a program is missing."""
    if not shutil.which(program):
        raise Skipped(f"{program} is missing (Debian: {package or program})")


def description(error: Exception) -> str:
    """Describes a failure with its position in the tests."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(str(ROOT))]
    # A helper may have raised it.
    places = [frame for frame in frames if Path(frame.filename).name.startswith("test_")]
    text = f"{error}"
    if not isinstance(error, ExpectationFailed):
        places = places or [frame for frame in frames if "/support/" not in frame.filename]
        text = f"{type(error).__name__}: {text or places and places[-1].line or ''}"
    if isinstance(error, subprocess.CalledProcessError):
        output = error.stderr or error.stdout or ""
        text += "\n" + (output if isinstance(output, str) else output.decode(errors="replace"))[-2000:]
    where = f"{Path(places[-1].filename).name}:{places[-1].lineno}: " if places else ""
    return where + text[:3000]


class Report:
    """The results of a suite."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0
        self.skipped = 0

    def check(self, name: str, test, *arguments) -> None:
        """Runs a test and adds its result. The test raises an exception on failure, and may return a figure to print."""
        begin = time.monotonic()
        try:
            verdict, detail = "ok", test(*arguments) or ""
        except Skipped as reason:
            verdict, detail = "skipped", str(reason)
        except Exception as error:  # noqa: BLE001 (any exception fails the test)
            verdict, detail = "FAILED", description(error)
        seconds = time.monotonic() - begin
        self.add(verdict, f"{name} ({seconds:.1f} s)" if seconds >= 0.1 else name, detail)

    def add(self, verdict: str, name: str, detail: str = "") -> None:
        """Adds a result: `ok`, `FAILED`, or `skipped` with the reason."""
        self.passed += verdict == "ok"
        self.failed += verdict == "FAILED"
        self.skipped += verdict == "skipped"
        text = f"{name}: {detail}" if detail else name
        print(f"{verdict:<8}{text}".replace("\n", "\n        ").rstrip(), flush=True)

    def close(self) -> int:
        """Prints the totals and returns the exit code: 1 if a test failed or there was none, 69 if all were skipped."""
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        print(f"{self.passed} passed, {self.failed} failed{skipped}", flush=True)
        if self.passed and not self.failed:
            return 0
        return EX_UNAVAILABLE if self.skipped and not self.failed else 1


def long(test):
    """Marks a test that the short form omits."""
    test.is_long = True
    return test


def journey(test):
    """Marks a test that `make test` includes."""
    test.is_journey = True
    return test


def tests(folder: Path, parameter: str, options):
    """Returns the names and functions of the tests in the test_*.py files of a folder, in source order.

    A test is a public function whose first parameter has this name; its name states the rule that it verifies. With --journeys,
    these are the journeys, or all tests if none is marked.
    """
    sys.path.insert(0, str(folder))
    found = []
    for path in sorted(folder.glob("test_*.py")):
        module = importlib.import_module(path.stem)
        for key, value in list(vars(module).items()):
            own = callable(value) and getattr(value, "__module__", "") == path.stem and not key.startswith("_")
            if own and value.__code__.co_varnames[:1] == (parameter,) and not (options.short and hasattr(value, "is_long")):
                found.append((f"{path.stem.removeprefix('test_')}: {key.replace('_', ' ')}", value))
    journeys = [(name, test) for name, test in found if hasattr(test, "is_journey")]
    chosen = journeys if options.journeys and journeys else found
    return [(name, test) for name, test in chosen if options.wants(name)]
