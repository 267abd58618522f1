"""What the suites share."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "sample-data"
#: Where the suites install packages from PyPI and write screenshots and logs.
SCRATCH = ROOT / ".build/system-tests"
