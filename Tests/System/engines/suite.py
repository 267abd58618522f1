"""Compares the two engines, SQLite and PostgreSQL: answers, crashes, one writer, speed.

Starts a private PostgreSQL 15 of Debian's packages, on a Unix socket in a temporary folder. As root, it runs as the user postgres.
"""

from pathlib import Path

from engines import Engines
from postgresql import PROGRAMS
from support.report import need, tests


def run(options, report) -> None:
    need(str(PROGRAMS / "postgres"), "postgresql-15")
    need("psql", "postgresql-client-15")
    engines = Engines(options)
    try:
        for name, test in tests(Path(__file__).parent, "engines", options):
            report.check(name, test, engines)
    finally:
        engines.close()
