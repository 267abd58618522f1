"""The harness of the fault tests: a temporary folder, and the report of cases and failures."""

import contextlib
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from guide_server import GuideServer
from support.report import Report, Skipped, description

#: Maximum number of failures printed per fault.
SHOWN = 5


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
            self.failures.append(f"{name}: {description(error)}")


class Harness:
    """The programs under test, a temporary folder, a server of guides, and the report."""

    def __init__(self, options, report: Report) -> None:
        self.programs = options.programs
        self.epg = self.programs.epg
        self.short = options.short
        self.journeys = options.journeys
        self.minutes = options.seconds(600) / 60
        self.scale = options.scale
        self.random = random.Random(1 if options.seed is None else options.seed)
        self.folder = Path(tempfile.mkdtemp(prefix="faults-"))
        self.server = GuideServer()
        #: The time that the generated guides are based on.
        self.now = int(time.time())
        self.report = report

    def scaled(self, long: int, short: int) -> int:
        """Returns the count of the full run or the short one; a value between them if only a part of the full run is requested."""
        return short if self.short else max(min(long, short), round(long * self.scale))

    def require_timing(self) -> None:
        """Skips a fault whose limit holds only for a release build on an otherwise idle machine."""
        if self.short:
            raise Skipped("the short form has no timing limits")

    def subfolder(self, name: str) -> Path:
        """A new, empty folder."""
        path = self.folder / name
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
        return path

    def close(self) -> None:
        self.server.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    @contextlib.contextmanager
    def fault(self, title: str):
        """Runs the cases of a fault and reports it."""
        fault = Fault(title)
        begin = time.monotonic()
        try:
            yield fault
        except Skipped as reason:
            if not fault.failures:
                self.report.add("skipped", title, str(reason))
                return
        except Exception as error:  # noqa: BLE001
            fault.failures.append(description(error))
        name = f"{title}: {fault.count} times in {time.monotonic() - begin:.0f} s"
        rest = len(fault.failures) - SHOWN
        lines = [fault.note, *fault.failures[:SHOWN], *([f"and {rest} more"] if rest > 0 else [])]
        self.report.add("FAILED" if fault.failures else "ok", name, "\n".join(line for line in lines if line))
