"""Python packages that suites need, from PyPI."""

import re
import site
import subprocess
import sys
import sysconfig
from pathlib import Path

from support import SCRATCH
from support.report import Skipped

#: Messages of pip that mean that PyPI isn't reachable, or that another package index lacks these versions.
UNREACHABLE = re.compile(
    "NewConnectionError|Timeout|ProxyError|SSLError|name resolution|Network is unreachable|HTTP error|No matching distribution")


def installed(requirements: Path, *options: str) -> Path:
    """Installs packages into a virtual environment, named after the folder of the requirements, and returns its folder.

    - options: Additional options of `pip install`.
    """
    folder = SCRATCH / requirements.parent.name
    stamp = folder / "requirements.txt"
    if stamp.exists() and stamp.read_text() == requirements.read_text():
        return folder
    made = subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], capture_output=True, text=True)
    if made.returncode:
        raise Skipped(f"python3 -m venv fails (Debian: python3-venv): {(made.stdout + made.stderr)[-300:]}")
    result = subprocess.run(
        [folder / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1", "--timeout", "20", *options,
         "-r", requirements], capture_output=True, text=True)
    if result.returncode and UNREACHABLE.search(result.stderr):
        raise Skipped(f"PyPI does not provide {requirements.parent.name}/requirements.txt: {result.stderr.strip()[-300:]}")
    result.check_returncode()
    stamp.write_text(requirements.read_text())
    return folder


def modules(folder: Path) -> Path:
    """Returns the folder of modules in a virtual environment."""
    return Path(sysconfig.get_path("purelib", vars={"base": str(folder)}, scheme="posix_prefix"))


def use(requirements: Path) -> Path:
    """Makes packages importable in this process; returns the folder of their environment."""
    folder = installed(requirements)
    site.addsitedir(str(modules(folder)))
    return folder
