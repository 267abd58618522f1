"""Tests what is installed: units, manual pages, completions, the Debian package, the container's build steps.

With debootstrap and systemd-nspawn, the full form installs the package in a clean Debian and boots it; `--whole` also builds
the package in one.
"""

import os
import re
import shutil
import tempfile
from pathlib import Path

import clean_debian
import debian_package
import manuals
import units
from support import ROOT
from support.processes import run as output_of
from support.report import Report, Skipped, need

CACHE = ROOT / ".build-package"


def run(options, report) -> None:
    programs = options.build
    scratch = Path(tempfile.mkdtemp(prefix="epg-packaging-"))
    scratch.chmod(0o755)
    try:
        installed = check_install(report, programs, scratch)
        commands = manuals.dumps(programs)
        if options.wants("units"):
            units.check(report, installed, {path: manuals.flags(command) for path, command, _ in commands})
        if options.wants("manuals"):
            manuals.check(report, installed, commands)
        try:
            package = debian_package.build(programs, CACHE)
        except Skipped as reason:
            report.add("skipped", "the Debian package", str(reason))
            return
        if options.wants("package"):
            debian_package.check(report, programs, package, scratch)
        if options.short:
            report.add("skipped", "the package in a clean Debian", "the short form boots no machine")
        else:
            check_clean(options, report, package, scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def check_install(report: Report, programs: Path, scratch: Path) -> Path:
    """Checks `make install` and returns the folder of an installation with PREFIX=/usr."""
    installed = scratch / "installed"
    environment = os.environ | {"DESTDIR": str(installed), "PREFIX": "/usr"}

    def install() -> str:
        output_of(ROOT / "Scripts/install.sh", programs, env=environment)
        return f"{sum(1 for each in installed.rglob('*') if not each.is_dir())} files"
    report.check("make install puts programs, manual pages, completions, units and examples below DESTDIR and PREFIX", install)

    def prefix() -> None:
        other = scratch / "other"
        output_of(ROOT / "Scripts/install.sh", programs, env=os.environ | {"DESTDIR": str(other), "PREFIX": "/opt/epg"})
        assert "ExecStart=/opt/epg/bin/epgd\n" in (other / "opt/epg/lib/systemd/system/epgd.service").read_text()
        assert [each.name for each in other.iterdir()] == ["opt"]
        foreign = other / "opt/epg/share/doc/swift-epg/foreign"
        foreign.touch()
        output_of(ROOT / "Scripts/install.sh", "--remove", env=os.environ | {"DESTDIR": str(other), "PREFIX": "/opt/epg"})
        left = [each for each in other.rglob("*") if not each.is_dir()]
        assert left == [foreign], left
    report.check("the units contain PREFIX; make uninstall removes exactly the installed files", prefix)

    def hardened() -> None:
        for name, kind in (("epg", "EXEC"), ("epgd", "DYN")):
            check_hardening(installed / "usr/bin" / name, kind)
    report.check("epgd is position-independent; both programs have full RELRO and no executable stack", hardened)
    return installed


def check_hardening(program: Path, kind: str) -> None:
    """Checks the ELF header, program headers and dynamic section of a program (elf(5))."""
    need("readelf", "binutils")
    header = output_of("readelf", "--file-header", "--wide", program)
    assert re.search(rf"^ *Type: +{kind} ", header, flags=re.M), f"{program.name}: {header}"
    segments = output_of("readelf", "--program-headers", "--wide", program)
    # The flags follow two sizes; E means executable.
    stack = re.search(r"^ *GNU_STACK(?: +0x[0-9a-f]+){5} +([RWE ]+?) +0", segments, flags=re.M)
    assert stack and "E" not in stack[1], f"{program.name}: the stack is executable"
    assert re.search(r"^ *GNU_RELRO ", segments, flags=re.M), f"{program.name} has no RELRO"
    assert not re.search(r"^ *LOAD .* RWE ", segments, flags=re.M), f"{program.name} has a writable code segment"
    dynamic = output_of("readelf", "--dynamic", "--wide", program)
    assert "BIND_NOW" in dynamic and re.search(r"FLAGS_1\).*\bNOW\b", dynamic), f"{program.name} binds lazily"


def check_clean(options, report: Report, package: Path, scratch: Path) -> None:
    """Checks the groups that need a clean Debian."""
    try:
        if options.wants("machine"):
            need("systemd-nspawn", "systemd-container")
            clean_debian.check_machine(report, clean_debian.base(CACHE / "clean-machine", clean_debian.PACKAGES), package, scratch)
        smallest = clean_debian.base(CACHE / "clean-smallest", "")
        if options.wants("container"):
            clean_debian.check_container(report, smallest, package, scratch)
        if options.whole:
            clean_debian.check_build(report, smallest, Path(shutil.which("swift")).resolve().parents[2], scratch)
    except Skipped as reason:
        report.add("skipped", "the rest of the tests in a clean Debian", str(reason))
