"""Prints a line for each rule and counts the results."""

import subprocess
import traceback


class Report:
    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0
        self.skipped = 0

    def rule(self, name: str, check) -> None:
        """Checks a rule and prints the result. `check` raises on failure and may return a figure to print."""
        try:
            figure = check()
        except subprocess.CalledProcessError as error:
            output = error.stderr or error.stdout or ""
            if isinstance(output, bytes):
                output = output.decode(errors="replace")
            self.line(False, name, f"{error} {output[-2000:]}")
        except (AssertionError, OSError, KeyError, ValueError, subprocess.SubprocessError) as error:
            self.line(False, name, f"{error!r} at line {traceback.extract_tb(error.__traceback__)[-1].lineno}")
        else:
            self.line(True, name, figure or "")

    def line(self, passed: bool, name: str, detail: str) -> None:
        self.passed += passed
        self.failed += not passed
        print(("ok      " if passed else "FAILED  ") + name + (f": {detail}" if detail else ""), flush=True)

    def skip(self, name: str, reason: str) -> None:
        self.skipped += 1
        print(f"skipped {name}: {reason}", flush=True)

    def summary(self) -> str:
        return f"{self.passed} passed, {self.failed} failed" + (f", {self.skipped} skipped" if self.skipped else "")


def run(*command: object, **options) -> str:
    """Runs a command that must succeed and returns its standard output."""
    options = {"check": True, "capture_output": True, "text": True, "timeout": 600} | options
    return subprocess.run([str(word) for word in command], **options).stdout
