#!/usr/bin/env python3
"""Tests what is installed: units, manual pages, completions, the Debian package, the container's build steps.

    Tests/Packaging/packaging.py FOLDER [--whole] [--only GROUP…]

FOLDER has the release programs epg and epgd. If debootstrap and systemd-nspawn are available, installs the package in a clean
Debian and boots it; --whole also builds the package in one. Prints a line for each rule and `N passed, N failed`.
"""

import argparse
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

import clean_debian
import debian_package
import manuals
import units
from report import Report, run

PROJECT = Path(__file__).resolve().parents[2]
CACHE = PROJECT / ".build-package"
GROUPS = ["install", "units", "manuals", "package", "machine", "container", "build"]


def check_install(report: Report, programs: Path, scratch: Path) -> Path:
    """Checks `make install` and returns the folder of an installation with PREFIX=/usr."""
    installed = scratch / "installed"
    environment = os.environ | {"DESTDIR": str(installed), "PREFIX": "/usr"}

    def install() -> str:
        run(PROJECT / "Scripts/install.sh", programs, env=environment)
        return f"{sum(1 for each in installed.rglob('*') if not each.is_dir())} files"
    report.rule("make install puts programs, manual pages, completions, units and examples below DESTDIR and PREFIX", install)

    def prefix() -> None:
        other = scratch / "other"
        run(PROJECT / "Scripts/install.sh", programs, env=os.environ | {"DESTDIR": str(other), "PREFIX": "/opt/epg"})
        assert "ExecStart=/opt/epg/bin/epgd\n" in (other / "opt/epg/lib/systemd/system/epgd.service").read_text()
        assert [each.name for each in other.iterdir()] == ["opt"]
        foreign = other / "opt/epg/share/doc/swift-epg/foreign"
        foreign.touch()
        run(PROJECT / "Scripts/install.sh", "--remove", env=os.environ | {"DESTDIR": str(other), "PREFIX": "/opt/epg"})
        left = [each for each in other.rglob("*") if not each.is_dir()]
        assert left == [foreign], left
    report.rule("the units contain PREFIX; make uninstall removes exactly the installed files", prefix)

    def hardened() -> None:
        for name, kind in (("epg", "EXEC"), ("epgd", "DYN")):
            check_hardening(installed / "usr/bin" / name, kind)
    report.rule("epgd is position-independent; both programs have full RELRO and no executable stack", hardened)
    return installed


def check_hardening(program: Path, kind: str) -> None:
    """Checks the ELF header, program headers and dynamic section of a program (elf(5))."""
    header = run("readelf", "--file-header", "--wide", program)
    assert re.search(rf"^ *Type: +{kind} ", header, flags=re.M), f"{program.name}: {header}"
    segments = run("readelf", "--program-headers", "--wide", program)
    # The flags follow two sizes; E means executable.
    stack = re.search(r"^ *GNU_STACK(?: +0x[0-9a-f]+){5} +([RWE ]+?) +0", segments, flags=re.M)
    assert stack and "E" not in stack[1], f"{program.name}: the stack is executable"
    assert re.search(r"^ *GNU_RELRO ", segments, flags=re.M), f"{program.name} has no RELRO"
    assert not re.search(r"^ *LOAD .* RWE ", segments, flags=re.M), f"{program.name} has a writable code segment"
    dynamic = run("readelf", "--dynamic", "--wide", program)
    assert "BIND_NOW" in dynamic and re.search(r"FLAGS_1\).*\bNOW\b", dynamic), f"{program.name} binds lazily"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=Path)
    parser.add_argument("--whole", action="store_true", help="also build the package in a clean Debian")
    parser.add_argument("--only", action="append", choices=GROUPS, help="check only this group of rules (repeatable)")
    arguments = parser.parse_args()
    groups = arguments.only or GROUPS
    report = Report()
    programs = arguments.programs.resolve()
    scratch = Path(tempfile.mkdtemp(prefix="epg-packaging-"))
    scratch.chmod(0o755)
    try:
        installed = check_install(report, programs, scratch)
        commands = manuals.dumps(programs)
        if "units" in groups:
            units.check(report, PROJECT, installed, {path: manuals.flags(command) for path, command, _ in commands})
        if "manuals" in groups:
            manuals.check(report, installed, commands)
        package = None
        if set(groups) & {"package", "machine", "container"}:
            package = debian_package.build(PROJECT, programs, CACHE)
        if "package" in groups:
            debian_package.check(report, PROJECT, programs, package, scratch)
        check_clean(report, arguments, groups, package, scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    print(report.summary())
    sys.exit(1 if report.failed else 0)


def check_clean(report: Report, arguments: argparse.Namespace, groups: list[str], package: Path | None, scratch: Path) -> None:
    """Checks the groups that need a clean Debian."""
    wanted = set(groups) & {"machine", "container", "build"}
    if not wanted:
        return
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        report.skip(", ".join(sorted(wanted)), "needs debootstrap and root privileges")
        return
    machine = clean_debian.base(CACHE / "clean-machine", clean_debian.PACKAGES)
    smallest = clean_debian.base(CACHE / "clean-smallest", "")
    if not machine or not smallest:
        report.skip(", ".join(sorted(wanted)), "debootstrap failed")
        return
    if "machine" in wanted and not shutil.which("systemd-nspawn"):
        report.skip("the package on a booted machine", "systemd-nspawn isn't installed")
    elif "machine" in wanted:
        clean_debian.check_machine(report, PROJECT, machine, package, scratch)
    if "container" in wanted:
        clean_debian.check_container(report, PROJECT, smallest, package, scratch)
    if "build" in wanted and (arguments.whole or arguments.only):
        swift = Path(shutil.which("swift")).resolve().parents[2]
        clean_debian.check_build(report, PROJECT, smallest, swift, scratch)


main()
