"""Counts rules, and prints a line for each."""

import subprocess
import traceback


class Report:
    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0
        self.skipped = 0

    def rule(self, name: str, check) -> None:
        """Prints whether a rule holds: `check` raises where it doesn't; the text that it returns is a figure."""
        try:
            figure = check()
        except subprocess.CalledProcessError as error:
            words = error.stderr or error.stdout or ""
            if isinstance(words, bytes):
                words = words.decode(errors="replace")
            self.line(False, name, f"{error} {words[-2000:]}")
        except (AssertionError, OSError, KeyError, ValueError, subprocess.SubprocessError) as error:
            self.line(False, name, f"{error!r} at line {traceback.extract_tb(error.__traceback__)[-1].lineno}")
        else:
            self.line(True, name, figure or "")

    def line(self, holds: bool, name: str, words: str) -> None:
        self.passed += holds
        self.failed += not holds
        print(("ok      " if holds else "FAILED  ") + name + (f": {words}" if words else ""), flush=True)

    def skip(self, name: str, reason: str) -> None:
        self.skipped += 1
        print(f"skipped {name}: {reason}", flush=True)

    def summary(self) -> str:
        return f"{self.passed} passed, {self.failed} failed" + (f", {self.skipped} skipped" if self.skipped else "")


def run(*command: object, **options) -> str:
    """The standard output of a command that must succeed."""
    options = {"check": True, "capture_output": True, "text": True, "timeout": 600} | options
    return subprocess.run([str(word) for word in command], **options).stdout
