"""Rules for the Debian package."""

import gzip
import hashlib
import os
import re
import subprocess
from pathlib import Path

from support import ROOT
from support.processes import run
from support.report import Report, need

CONTENTS = [
    "etc/epg/epg.yml", "usr/bin/epg", "usr/bin/epgd", "usr/bin/tv_grab_zz_epg",
    "lib/systemd/system/epgd.service", "lib/systemd/system/epg-refresh.service", "lib/systemd/system/epg-refresh.timer",
    "usr/lib/sysusers.d/epg.conf", "usr/lib/tmpfiles.d/epg.conf",
    "usr/share/man/man1/epg.1.gz", "usr/share/man/man1/epg-import.1.gz", "usr/share/man/man8/epgd.8.gz",
    "usr/share/bash-completion/completions/epg", "usr/share/zsh/vendor-completions/_epg",
    "usr/share/fish/vendor_completions.d/epg.fish",
    "usr/share/doc/swift-epg/copyright", "usr/share/doc/swift-epg/changelog.Debian.gz",
    "usr/share/doc/swift-epg/examples/nginx.conf", "usr/share/doc/swift-epg/examples/crontab.example",
    "usr/share/doc/swift-epg/examples/cluster/patroni.yml", "usr/share/doc/swift-epg/examples/cluster/node.env",
]


def build(programs: Path, target: Path) -> Path:
    """Builds the package; raises `Skipped` without Debian's tools."""
    need("dh_builddeb", "debhelper")
    return Path(run(ROOT / "Scripts/deb.sh", programs, target).strip())


def check(report: Report, programs: Path, package: Path, scratch: Path) -> None:
    root = scratch / "extracted"
    run("dpkg-deb", "--extract", package, root)

    def version() -> str:
        field = run("dpkg-deb", "--field", package, "Version").strip()
        assert field.rpartition("-")[0] == run(programs / "epg", "--version").split()[0], field
        return field
    report.check("the package has the version of the program", version)

    def contents() -> str:
        missing = [path for path in CONTENTS if not os.path.lexists(root / path)]
        assert not missing, missing
        files = run("dpkg-deb", "--contents", package).splitlines()
        assert all(" root/root " in line for line in files)
        return f"{len(files)} entries, {package.stat().st_size >> 20} MiB"
    report.check("the package has programs, settings, units, manual pages, completions and examples, all owned by root", contents)

    def settings() -> None:
        control = scratch / "control"
        run("dpkg-deb", "--control", package, control)
        assert (control / "conffiles").read_text().split() == ["/etc/epg/epg.yml"]
        assert "\ndatabase: /var/lib/epg/guide.sqlite\n" in (root / "etc/epg/epg.yml").read_text()
    report.check("epg.yml is a conffile and contains the database path that the units use", settings)

    def programs_run() -> str:
        sizes = []
        for name in ("epg", "epgd"):
            program = root / "usr/bin" / name
            assert not re.search(r" \.symtab ", run("readelf", "--sections", "--wide", program)), f"{name} isn't stripped"
            needed = re.findall(r"NEEDED +(\S+)", run("objdump", "-p", program))
            assert not [library for library in needed if re.search("swift|Foundation|stdc\\+\\+", library)], needed
            assert run(program, "--version").strip()
            assert str(ROOT).encode() not in program.read_bytes(), f"{name} contains the path of its build folder"
            sizes.append(f"{name} {program.stat().st_size >> 20} MiB")
        return ", ".join(sizes)
    report.check("the programs are stripped, run, need no Swift libraries, and contain no build paths", programs_run)

    def build_ids() -> None:
        names = subprocess.run("find Package.swift schema.sql Sources -type f | LC_ALL=C sort", shell=True, cwd=ROOT, check=True,
                               capture_output=True, text=True).stdout.split("\n")[:-1]
        sources = b"".join((ROOT / name).read_bytes() for name in names)
        for name in ("epg", "epgd"):
            notes = run("readelf", "--notes", root / "usr/bin" / name)
            assert hashlib.sha1(name.encode() + b"\n" + sources).hexdigest() in notes, notes
    report.check("the build ID of each program is a hash of the sources", build_ids)

    def libraries() -> None:
        depends = run("dpkg-deb", "--field", package, "Depends")
        names = ["libc6", "libsqlite3-0", "libcurl4", "libutf8proc2", "libwebp7", "zlib1g", "libcrypt1", "liblzma5", "libbz2-1.0",
                 "libzstd1", "tzdata"]
        missing = [name for name in names if not re.search(rf"(^|[ ,|]){re.escape(name)}\b", depends)]
        assert not missing, missing
    report.check("the package depends on every library, including those loaded on demand", libraries)

    def changelog() -> None:
        text = gzip.decompress((root / "usr/share/doc/swift-epg/changelog.Debian.gz").read_bytes()).decode()
        run("dpkg-parsechangelog", "-l-", input=text)
        assert text.startswith("swift-epg (")
        entries = len(re.findall(r"^- ", (ROOT / "CHANGELOG.md").read_text(), flags=re.M))
        assert len(re.findall(r"^  \* ", text, flags=re.M)) == entries, entries
    report.check("Debian's changelog has each entry of CHANGELOG.md", changelog)

    def reproducible() -> str:
        other = build(programs, scratch / "again")
        sums = [hashlib.sha256(each.read_bytes()).hexdigest() for each in (package, other)]
        assert sums[0] == sums[1], sums
        return sums[0][:16]
    report.check("packaging the same programs in another folder yields identical bytes", reproducible)

    def installed_below_a_root() -> None:
        below = scratch / "below"
        (below / "var/lib/dpkg").mkdir(parents=True)
        (below / "var/lib/dpkg/status").touch()
        run("dpkg", f"--root={below}", "--force-depends", "--force-script-chrootless", "--no-triggers", "--unpack", package)
        assert run("dpkg-query", f"--root={below}", "-W", "-f", "${Status}", "swift-epg") == "install ok unpacked"
        assert (below / "usr/bin/epgd").is_file()
    report.check("dpkg --root unpacks the package below another root", installed_below_a_root)

    def clean() -> str:
        need("lintian")
        result = subprocess.run(
            ["lintian", "--allow-root", "--fail-on", "error,warning", str(package)], capture_output=True, text=True)
        assert result.returncode == 0, result.stdout + result.stderr
        overrides = (ROOT / "packaging/debian/swift-epg.lintian-overrides").read_text()
        return f"{len(re.findall('^swift-epg:', overrides, flags=re.M))} overridden, each with its reason"
    report.check("lintian finds no error and no warning", clean)
