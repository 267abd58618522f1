"""The harness of the fault tests: the programs, a temporary folder, and the report of cases and failures."""

import contextlib
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

#: Maximum number of failures printed per fault.
SHOWN = 5


class ExpectationFailed(AssertionError):
    """An expectation that isn't met."""


class Skipped(Exception):
    """The reason why a fault cannot be tested on this machine."""


class Fault:
    """One line of the report: how often a fault was injected, and its failures."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.count = 0
        self.note = ""
        self.failures: list[str] = []

    @contextlib.contextmanager
    def case(self, name: str):
        """Runs one case of the fault; a failure is recorded, and the next case still runs."""
        self.count += 1
        if sys.stderr.isatty():
            print(f"\r          {self.title}: {self.count}", end="\r", file=sys.stderr, flush=True)
        try:
            yield
        except Skipped:
            raise
        except Exception as error:  # noqa: BLE001 (any exception fails the case)
            message = str(error) if isinstance(error, ExpectationFailed) else f"{type(error).__name__}: {error}"
            self.failures.append(f"{name}: {message}")


def expect(condition: bool, message: str) -> None:
    if not condition:
        raise ExpectationFailed(message)


class Harness:
    """The programs under test, and the report."""

    def __init__(self, build: Path, short: bool, timed: bool, seed: int, minutes: float, scale: float = 1) -> None:
        self.epg = build / "epg"
        self.epgd = build / "epgd"
        self.short = short
        self.timed = timed
        self.minutes = minutes
        self.scale = scale
        self.random = random.Random(seed)
        self.folder = Path(tempfile.mkdtemp(prefix="faults-"))
        #: The time that the generated guides are based on.
        self.now = int(time.time())
        self.passed = 0
        self.failed = 0
        self.skipped = 0

    def scaled(self, long: int, short: int) -> int:
        """Returns the count of the full run or the short one; a value between them if only a part of the full run is requested."""
        return short if self.short else max(min(long, short), round(long * self.scale))

    def require_timing(self) -> None:
        """Skips a fault whose limit holds only for a release build on an otherwise idle machine."""
        if not self.timed:
            raise Skipped("timing limits are disabled")

    def subfolder(self, name: str) -> Path:
        """A new, empty folder."""
        path = self.folder / name
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
        return path

    @contextlib.contextmanager
    def fault(self, title: str):
        """Runs the cases of a fault and prints its line."""
        fault = Fault(title)
        begin = time.monotonic()
        reason = None
        try:
            yield fault
        except Skipped as why:
            reason = str(why)
        except Exception as error:  # noqa: BLE001
            message = str(error) if isinstance(error, ExpectationFailed) else f"{type(error).__name__}: {error}"
            fault.failures.append(message)
        self._report(fault, reason, time.monotonic() - begin)

    def _report(self, fault: Fault, reason: str | None, seconds: float) -> None:
        if reason is not None and not fault.failures:
            self.skipped += 1
            print(f"skipped   {fault.title}: {reason}", flush=True)
            return
        if fault.failures:
            self.failed += 1
        else:
            self.passed += 1
        word = "FAILED" if fault.failures else "ok"
        note = f"; {fault.note}" if fault.note else ""
        print(f"{word:<9} {fault.title}: {fault.count} times in {seconds:.0f} s{note}", flush=True)
        for message in fault.failures[:SHOWN]:
            print(f"            {message}", flush=True)
        if len(fault.failures) > SHOWN:
            print(f"            and {len(fault.failures) - SHOWN} more", flush=True)

    def close(self) -> int:
        """Prints the totals and returns the exit code."""
        shutil.rmtree(self.folder, ignore_errors=True)
        rest = f", {self.skipped} skipped" if self.skipped else ""
        print(f"{self.passed} passed, {self.failed} failed{rest}")
        sys.stdout.flush()
        return 1 if self.failed else 0
