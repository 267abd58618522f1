"""Tests full-screen programs in a pseudo-terminal with a terminal emulator (pyte)."""

from pathlib import Path

from support import packages
from support.report import tests

FOLDER = Path(__file__).resolve().parent


def run(options, report):
    packages.use(FOLDER / "requirements.txt")
    from terminal import Terminal

    def check(test):
        try:
            test(options.build)
        finally:
            Terminal.close_all()

    for name, test in tests(FOLDER, "build", options):
        report.check(name, check, test)
