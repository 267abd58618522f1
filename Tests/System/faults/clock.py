"""A wrong clock: retention removes what has ended by that clock, at most 50% of the airings per run, and the next refresh
under the correct clock restores the guide."""

import contextlib
import datetime
import os
from zoneinfo import ZoneInfo

from guides import DAY, Guide
from harness import Fault, Harness
from support.clocks import running_clock
from support.processes import wait_until
from support.report import expect
from workspace import Workspace

#: Days that `epg refresh` keeps ended airings.
RETENTION = 7
#: Days on which a zone switches to or from daylight saving time, as zone and local date.
SWITCHES = [
    ("Europe/London", "2026-03-29"), ("Europe/London", "2026-10-25"), ("America/New_York", "2026-03-08"),
    ("America/New_York", "2026-11-01"), ("Australia/Lord_Howe", "2026-04-05"), ("Australia/Lord_Howe", "2026-10-04")]


def run(harness: Harness) -> None:
    now = harness.now
    moments = [
        ("a day ahead", now + DAY), ("five days ahead", now + 5 * DAY), ("ten days ahead", now + 10 * DAY),
        ("a day back", now - DAY), ("in 1970", 3600), ("in 1970, at its first second", 0),
        ("in 2038, before 2^31", 2**31 - 2), ("in 2038, after 2^31", 2**31 + 2), ("a year ahead", now + 365 * DAY)]
    if harness.short:
        moments = [moments[1], moments[4], moments[7]]
    for title, moment in moments:
        with harness.fault(f"the clock is {title}") as fault:
            refresh_with_wrong_clock(harness, fault, moment)
    for zone, date in SWITCHES[:: harness.scaled(1, 2)]:
        with harness.fault(f"the clocks change in {zone} on {date}") as fault:
            refresh_around_switch(harness, fault, zone, date)


def at(moment: int, zone: str = "UTC") -> dict[str, str]:
    """Returns the environment of a machine in a zone whose clock shows `moment` now."""
    return {**os.environ, **running_clock(moment), "TZ": zone}


def airings(workspace: Workspace) -> set[tuple]:
    with contextlib.closing(workspace.connect()) as connection:
        return set(connection.execute(
            "SELECT feed_id, start, stop, title FROM airing JOIN station ON station.id = station_id "
            "JOIN programme ON programme.id = programme_id"))


def kept(current: set[tuple], moment: int, days: int) -> set[tuple]:
    """Returns the airings that retention keeps: those that ended less than `days` days before `moment`. If these are fewer than
    half, returns the later half if an airing is on at that moment, so that the clock may be correct; otherwise all."""
    recent = {airing for airing in current if airing[2] > moment - days * DAY}
    if 2 * len(recent) >= len(current):
        return recent
    if not any(start <= moment < stop for _, start, stop, _ in current):
        return current
    middle = sorted(airing[2] for airing in current)[len(current) // 2]
    return {airing for airing in current if airing[2] >= middle}


def refresh_with_wrong_clock(harness: Harness, fault: Fault, moment: int) -> None:
    """Refreshes under a wrong clock, with an unchanged and a changed feed, and then under the correct clock."""
    guide = Guide(harness.scaled(20, 4), 14, harness.now - 6 * DAY)
    for changed in (False, True) if not harness.short else (False,):
        with fault.case("a changed feed" if changed else "an unchanged feed"):
            workspace = Workspace(harness, harness.subfolder("clock"))
            harness.server.body = guide.xml(0)
            workspace.succeed("source", "add", "nightly", harness.server.url, "--every", "1h")
            workspace.succeed("refresh")
            expect(len(airings(workspace)) == guide.programmes, "the guide is incomplete at the start")
            if changed:
                harness.server.body = guide.xml(1)
            current = airings(workspace)
            result = workspace.epg("refresh", env=at(moment))
            expect(result.returncode in (0, 65), f"exit {result.returncode}: {result.stderr.strip()[:300]}")
            left = airings(workspace)
            # Editions have the same number of airings in the same range.
            wanted = kept(current, moment, RETENTION)
            missing = len(wanted) - len(left)
            expect(missing <= 0, f"{missing} of {len(current)} airings were removed that should remain")
            if result.returncode == 65:
                expect("clock" in result.stderr, f"the message doesn't mention the clock: {result.stderr.strip()[:300]}")
            # Under the correct clock the source is due at once if its last attempt lies in the future. Both a newer and an
            # unchanged feed restore everything.
            last = 2 if changed else 0
            harness.server.body = guide.xml(last)
            workspace.succeed("source", "set", "nightly", "--every", "1s")
            requests = harness.server.requests
            wait_until(lambda: workspace.succeed("refresh") is not None and harness.server.requests > requests, "the source is due")
            titles = {airing[3] for airing in airings(workspace) if " edition " in airing[3]}
            expect(all(title.endswith(f" {last}") for title in titles),
                   "a refresh under the correct clock doesn't import the newest guide")
            expect(len(airings(workspace)) == guide.programmes,
                   f"the guide then has {len(airings(workspace))} of {guide.programmes} airings")
            workspace.succeed("check")


def refresh_around_switch(harness: Harness, fault: Fault, zone: str, date: str) -> None:
    """Refreshes seconds before and after midnight and the hours around the switch, with a retention of one day."""
    begin = int(datetime.datetime.fromisoformat(date).replace(tzinfo=ZoneInfo(zone)).timestamp())
    guide = Guide(harness.scaled(10, 2), 8, begin - 2 * DAY)
    hours = (-1, 0, 1, 2, 3, 4, 24, 25) if not harness.short else (1, 2)
    for hour in hours:
        for second in (-1, 0, 1) if not harness.short else (0,):
            moment = begin + hour * 3600 + second
            with fault.case(f"{hour} h {second:+d} s after midnight"):
                workspace = Workspace(harness, harness.subfolder("clock"))
                harness.server.body = guide.xml(0)
                workspace.succeed("source", "add", "nightly", harness.server.url, "--zone", zone)
                workspace.succeed("refresh", env=at(guide.start + 3600, zone))
                current = airings(workspace)
                expect(len(current) == guide.programmes, f"the guide has {len(current)} of {guide.programmes} airings at the start")
                workspace.succeed("refresh", "--retention", "1", env=at(moment, zone))
                left, wanted = airings(workspace), kept(current, moment, 1)
                # A few seconds may pass before the program reads the clock.
                slack = {airing for airing in wanted if airing[2] <= moment + 5 - DAY}
                expect(left <= wanted and wanted - slack <= left,
                       f"{len(wanted - left)} airings were removed that should remain, "
                       f"{len(left - wanted)} remain that should be removed")
