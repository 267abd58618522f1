"""Rules for the systemd units."""

import re
import subprocess
import tempfile
from pathlib import Path

from support import ROOT
from support.processes import run
from support.report import Report, need

#: Maximum exposure of a unit, as measured by systemd-analyze security (0 to 10).
MAXIMUM_EXPOSURE = 1.5
UNITS = ["epgd.service", "epg-refresh.service", "epg-refresh.timer"]


def settings(unit: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in unit.read_text().splitlines():
        key, sign, value = line.partition("=")
        if sign and not line.startswith("#"):
            found.setdefault(key, []).append(value)
    return found


def seconds(text: str) -> int:
    """Parses a time span of one number and one unit (systemd.time(7))."""
    number, unit = re.fullmatch(r"(\d+)(s|min|h)", text).groups()
    return int(number) * {"s": 1, "min": 60, "h": 3600}[unit]


def check(report: Report, installed: Path, flags: dict[str, set[str]]) -> None:
    """Checks the units in `installed`, the DESTDIR of `make install` with PREFIX=/usr. `flags` are the flags of each command."""
    folder = installed / "usr/lib/systemd/system"

    for name in UNITS[:2]:
        def exposure() -> str:
            need("systemd-analyze", "systemd")
            table = run("systemd-analyze", "security", "--offline=true", "--no-pager", folder / name)
            figure = float(re.search(r"Overall exposure level for \S+: ([\d.]+)", table)[1])
            assert figure <= MAXIMUM_EXPOSURE, f"{figure}: " + "".join(
                line + "\n" for line in table.splitlines() if not line.startswith("✓"))
            return f"{figure}"
        report.check(f"{name} has an exposure of at most {MAXIMUM_EXPOSURE}", exposure)

    def verified() -> None:
        need("systemd-analyze", "systemd")
        with tempfile.TemporaryDirectory() as scratch:
            # The programs and manual pages of the units aren't installed here: /bin/true replaces the programs.
            for name in UNITS:
                text = (folder / name).read_text()
                text = re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", text, flags=re.M)
                (Path(scratch) / name).write_text(re.sub(r"^Documentation=.*\n", "", text, flags=re.M))
            result = subprocess.run(
                ["systemd-analyze", "verify", "--man=no", *(f"{scratch}/{name}" for name in UNITS)],
                capture_output=True, text=True)
            lines = [line for line in result.stderr.splitlines() if "epg" in line]
            assert result.returncode == 0 and not lines, lines
    report.check("systemd-analyze verify reports nothing for the units", verified)

    def state_is_shared() -> None:
        both = [settings(folder / name) for name in UNITS[:2]]
        for key in ("User", "StateDirectory", "StateDirectoryMode", "UMask", "Environment"):
            assert both[0][key] == both[1][key], key
    report.check("both services have the same user, state directory and database", state_is_shared)

    def memory_is_limited() -> str:
        # systemd.resource-control(5). Tests/System/faults/bombs.py measures the memory of an import.
        limits = [settings(folder / name)["MemoryMax"][0] for name in UNITS[:2]]
        for limit in limits:
            assert re.fullmatch(r"[1-9]\d*G", limit), limit
        # An import is a process in the service's unit; the service must survive when it is killed (systemd.service(5)).
        assert settings(folder / "epgd.service")["OOMPolicy"] == ["continue"]
        return " and ".join(limits)
    report.check("both services have a memory limit, and epgd survives a refresh that exceeds it", memory_is_limited)

    def commands_are_known() -> None:
        for name in UNITS[:2]:
            words = settings(folder / name)["ExecStart"][0].split()
            assert (installed / words[0].lstrip("/")).exists(), words[0]
            command = " ".join([Path(words[0]).name, *(word for word in words[1:] if not word.startswith("-"))])
            unknown = {word for word in words[1:] if word.startswith("-")} - flags[command]
            assert not unknown, f"{command} has no {unknown}"
    report.check("the units start installed programs with valid flags", commands_are_known)

    def timer_is_persistent_and_random() -> str:
        need("systemd-analyze", "systemd")
        timer = settings(folder / "epg-refresh.timer")
        assert timer["Persistent"] == ["yes"] and timer["RandomizedDelaySec"] != ["0"]
        run("systemd-analyze", "calendar", timer["OnCalendar"][0])
        return f"{timer['OnCalendar'][0]} and up to {timer['RandomizedDelaySec'][0]} later"
    report.check("the timer catches up on missed runs and has a random delay", timer_is_persistent_and_random)

    def limit_fits_timers() -> str:
        service = settings(folder / "epg-refresh.service")
        limit, pause = seconds(service["StartLimitIntervalSec"][0]), seconds(service["RestartSec"][0])
        attempts = int(service["StartLimitBurst"][0])
        # systemd.unit(5): at most `StartLimitBurst` starts in the interval, whatever triggers them. The start after the last attempt
        # must be refused, that is, still be in the interval; here each attempt takes up to five minutes.
        assert attempts * (pause + 300) <= limit, "a night has more attempts"
        # systemd.timer(5): uses the drop-in in the timer's comment, and AccuracySec= of one minute.
        drop_in = (folder / "epg-refresh.timer").read_text()
        assert "\n#   OnCalendar=hourly\n" in drop_in
        delay = seconds(re.search(r"^#   RandomizedDelaySec=(.*)$", drop_in, re.M)[1])
        assert limit < 2 * 3600 - delay - 60, "if one hour uses all starts, the hour after the next may have none"
        # Successful runs never reach the limit.
        assert limit // (3600 - delay - 60) + 1 < attempts, "hourly runs alone use all starts"
        return f"{attempts} starts within {limit // 60} min, {pause // 60} min apart"
    report.check("the start limit ends the attempts of a night and doesn't block an hourly timer", limit_fits_timers)

    def crontab_is_known() -> None:
        lines = [line for line in (ROOT / "packaging/crontab.example").read_text().splitlines()
                 if line and not line.startswith("#") and "=" not in line.split()[0]]
        assert lines
        for line in lines:
            words = line.split()
            assert all(re.fullmatch(r"[\d*/,-]+", word) for word in words[:5]), line
            rest = words[5:]
            command = " ".join(word for word in rest if not word.startswith("-"))
            assert {word for word in rest if word.startswith("-")} <= flags[command], line
    report.check("the crontab's lines have five fields and a known command", crontab_is_known)

    def crontab_output_reaches_cron() -> None:
        text = (ROOT / "packaging/crontab.example").read_text()
        for line in (line.lstrip("#") for line in text.splitlines()):
            if not re.match(r"([\d*/,-]+ ){5}", line):
                continue
            # A redirection or a pipe would hide from cron the output that it sends by mail.
            assert not re.search(r"[<>|;&]", line), line
            assert not line.split()[5:7] == ["epg", "check"] or "--quiet" in line.split(), f"not silent: {line}"
    report.check("the output of the crontab's commands reaches cron and is empty on success", crontab_output_reaches_cron)
