"""What every test of faults is given: the programs, a folder, a made-up guide, and a way to count and tell."""

import contextlib
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

#: Failures of one fault that are printed.
SHOWN = 5


class Expectation(AssertionError):
    """What didn't hold."""


class LeftOut(Exception):
    """Why a fault can't be tested here."""


class Fault:
    """One line of the report: how often a fault was brought about, and what didn't hold."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.count = 0
        self.note = ""
        self.failures: list[str] = []

    @contextlib.contextmanager
    def case(self, name: str):
        """One time that the fault is brought about; what isn't met in it counts, and the next one goes on."""
        self.count += 1
        if sys.stderr.isatty():
            print(f"\r          {self.title}: {self.count}", end="\r", file=sys.stderr, flush=True)
        try:
            yield
        except LeftOut:
            raise
        except Exception as error:  # noqa: BLE001 (whatever it was, this case failed)
            words = str(error) if isinstance(error, Expectation) else f"{type(error).__name__}: {error}"
            self.failures.append(f"{name}: {words}")


def expect(holds: bool, sentence: str) -> None:
    if not holds:
        raise Expectation(sentence)


class Bench:
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
        #: The instant that the guides are made for.
        self.now = int(time.time())
        self.passed = 0
        self.failed = 0
        self.left_out = 0

    def scaled(self, long: int, short: int) -> int:
        """A number of the whole run, or of the short one; between them where only a part of the whole run is wanted."""
        return short if self.short else max(min(long, short), round(long * self.scale))

    def need_times(self) -> None:
        """Leaves a fault out whose limit only holds for a release on a machine that does nothing else."""
        if not self.timed:
            raise LeftOut("no times are taken")

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
        except LeftOut as why:
            reason = str(why)
        except Exception as error:  # noqa: BLE001
            words = str(error) if isinstance(error, Expectation) else f"{type(error).__name__}: {error}"
            fault.failures.append(words)
        self._tell(fault, reason, time.monotonic() - begin)

    def _tell(self, fault: Fault, reason: str | None, seconds: float) -> None:
        if reason is not None and not fault.failures:
            self.left_out += 1
            print(f"left out  {fault.title}: {reason}", flush=True)
            return
        if fault.failures:
            self.failed += 1
        else:
            self.passed += 1
        word = "FAILED" if fault.failures else "ok"
        note = f"; {fault.note}" if fault.note else ""
        print(f"{word:<9} {fault.title}: {fault.count} times in {seconds:.0f} s{note}", flush=True)
        for sentence in fault.failures[:SHOWN]:
            print(f"            {sentence}", flush=True)
        if len(fault.failures) > SHOWN:
            print(f"            and {len(fault.failures) - SHOWN} more", flush=True)

    def close(self) -> int:
        """Prints the sum; the exit code."""
        shutil.rmtree(self.folder, ignore_errors=True)
        rest = f", {self.left_out} left out" if self.left_out else ""
        print(f"{self.passed} passed, {self.failed} failed{rest}")
        sys.stdout.flush()
        return 1 if self.failed else 0
