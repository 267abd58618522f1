"""The XMLTV project's tv_validate_grabber and tv_validate_file accept the output of epg."""

import os
import subprocess
import tempfile
import time
from calendar import timegm
from pathlib import Path

from support import SAMPLES
from support.processes import run as output_of
from support.report import Skipped, need

#: Without this file, the validators would download it.
DTD = Path("/usr/share/xmltv/xmltv.dtd")
#: Days depend on the machine's time zone. The validator compares two outputs of tv_sort, which writes attributes in the random
#: order of Perl's hashes.
ENVIRONMENT = {"TZ": "UTC", "PERL_HASH_SEED": "0", "PERL_PERTURB_KEYS": "0"}


def run(options, report) -> None:
    need("tv_validate_grabber", "xmltv-util")
    if not DTD.exists():
        raise Skipped(f"{DTD} is missing (Debian: libxmltv-perl)")
    epg = options.programs.epg
    with tempfile.TemporaryDirectory() as working:
        folder = Path(working)
        database, grabber, settings = folder / "guide.sqlite", folder / "tv_grab_zz_epg", folder / "grabber.conf"
        grabber.symlink_to(epg)
        environment = os.environ | ENVIRONMENT
        # The sample guide, which starts on 2026-10-24, then covers today and the following two days.
        shift = int(time.time()) // 86_400 * 86_400 - timegm((2026, 10, 24, 0, 0, 0))
        output_of(epg, "import", SAMPLES / "evening.xml", "--database", database, "--shift", shift)
        # The grabber prompts for the database first; then select all channels.
        output_of(grabber, "--configure", "--config-file", settings, input=f"{database}\nall\n", env=environment)

        def validate_grabber() -> None:
            subprocess.run(
                ["tv_validate_grabber", "--dtd-file", DTD, "--config-file", settings, grabber], check=True, env=environment, cwd=folder,
                capture_output=True, text=True)

        def validate(*arguments: str) -> None:
            output_of(epg, "export", "--database", database, *arguments, "--output", folder / "guide.xml", env=environment)
            output_of("tv_validate_file", "--dtd-file", DTD, folder / "guide.xml", env=environment)

        report.check("tv_validate_grabber accepts the grabber", validate_grabber)
        for arguments in ([], ["--strict"], ["--times", "shown"], ["--days", "1"]):
            report.check(" ".join(["tv_validate_file accepts epg export", *arguments]), validate, *arguments)
