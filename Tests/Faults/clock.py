"""A clock that is wrong: retention removes what is over by that clock, never more than half at once, and the next
refresh under the right clock goes on as if nothing had been."""

import contextlib
import datetime
import os
import shutil
import time
from zoneinfo import ZoneInfo

from frame import Bench, Fault, LeftOut, expect
from guides import DAY, Guide
from place import Place
from server import GuideServer

#: Days that `epg refresh` keeps what is over.
RETENTION = 7
#: Days on which the clocks of a zone change: local date, and the hour before which and after which it is looked at.
SWITCHES = [
    ("Europe/London", "2026-03-29"), ("Europe/London", "2026-10-25"), ("America/New_York", "2026-03-08"),
    ("America/New_York", "2026-11-01"), ("Australia/Lord_Howe", "2026-04-05"), ("Australia/Lord_Howe", "2026-10-04")]


def run(bench: Bench) -> None:
    server = GuideServer()
    now = bench.now
    moments = [
        ("a day ahead", now + DAY), ("five days ahead", now + 5 * DAY), ("ten days ahead", now + 10 * DAY),
        ("a day back", now - DAY), ("in 1970", 3600), ("in 1970, at its first second", 0),
        ("in 2038, before 2^31", 2**31 - 2), ("in 2038, after 2^31", 2**31 + 2), ("a year ahead", now + 365 * DAY)]
    if bench.short:
        moments = [moments[1], moments[4], moments[7]]
    for title, moment in moments:
        with bench.fault(f"the clock is {title}") as fault:
            wrong(bench, server, fault, moment)
    for zone, date in SWITCHES[:: bench.scaled(1, 2)]:
        with bench.fault(f"the clocks change in {zone} on {date}") as fault:
            switch(bench, server, fault, zone, date)
    server.close()


def at(moment: int) -> tuple[str, ...]:
    """What runs a program whose clock tells another time; what measures durations is right."""
    if not shutil.which("faketime"):
        raise LeftOut("libfaketime is missing: apt-get install faketime")
    return ("faketime", "-m", "--exclude-monotonic", "-f", f"{moment - int(time.time()):+d}")


def zoned(zone: str) -> dict[str, str]:
    """The environment of a machine in a zone."""
    return {**os.environ, "TZ": zone}


def airings(place: Place) -> set[tuple]:
    with contextlib.closing(place.connect()) as connection:
        return set(connection.execute(
            "SELECT feed_id, start, stop, title FROM airing JOIN station ON station.id = station_id "
            "JOIN programme ON programme.id = programme_id"))


def kept(standing: set[tuple], moment: int, days: int) -> set[tuple]:
    """What stays of airings: those that stopped later than so many days before. Where that were less than half, the later
    half, if something is on at that moment, so that the clock may be right; else all."""
    rest = {airing for airing in standing if airing[2] > moment - days * DAY}
    if 2 * len(rest) >= len(standing):
        return rest
    if not any(start <= moment < stop for _, start, stop, _ in standing):
        return standing
    middle = sorted(airing[2] for airing in standing)[len(standing) // 2]
    return {airing for airing in standing if airing[2] >= middle}


def wrong(bench: Bench, server: GuideServer, fault: Fault, moment: int) -> None:
    """A refresh under a wrong clock, of a feed that stayed and of one that changed, and then two under the right one."""
    guide = Guide(bench.scaled(20, 4), 14, bench.now - 6 * DAY)
    for changed in (False, True) if not bench.short else (False,):
        with fault.case("a changed feed" if changed else "the same feed"):
            place = Place(bench, bench.subfolder("clock"))
            server.body = guide.xml(0)
            place.done("source", "add", "nightly", server.address, "--every", "1h")
            place.done("refresh")
            expect(len(airings(place)) == guide.programmes, "the guide isn't whole before")
            if changed:
                server.body = guide.xml(1)
            standing = airings(place)
            answer = place.epg("refresh", prefix=at(moment))
            expect(answer.returncode in (0, 65), f"exit {answer.returncode}: {answer.stderr.strip()[:300]}")
            left = airings(place)
            # Editions have the same number of airings in the same range.
            wanted = kept(standing, moment, RETENTION)
            missing = len(wanted) - len(left)
            expect(missing <= 0, f"{missing} of {len(standing)} airings are gone that should stand")
            if answer.returncode == 65:
                expect("clock" in answer.stderr, f"the message doesn't speak of the clock: {answer.stderr.strip()[:300]}")
            # Under the right clock the source is due at once where its last attempt lies in the future; a newer feed brings
            # everything back, and one that stayed does so too.
            last = 2 if changed else 0
            server.body = guide.xml(last)
            place.done("source", "set", "nightly", "--every", "1s")
            time.sleep(1.1)
            place.done("refresh")
            titles = {airing[3] for airing in airings(place) if " edition " in airing[3]}
            expect(all(title.endswith(f" {last}") for title in titles), "a refresh under the right clock doesn't bring the newest guide")
            expect(len(airings(place)) == guide.programmes, f"then {len(airings(place))} of {guide.programmes} airings stand")
            place.done("check")


def switch(bench: Bench, server: GuideServer, fault: Fault, zone: str, date: str) -> None:
    """Seconds before and after each midnight and each hour of the day of the switch, with a retention of days."""
    begin = int(datetime.datetime.fromisoformat(date).replace(tzinfo=ZoneInfo(zone)).timestamp())
    guide = Guide(bench.scaled(10, 2), 8, begin - 2 * DAY)
    hours = (-1, 0, 1, 2, 3, 4, 24, 25) if not bench.short else (1, 2)
    for hour in hours:
        for second in (-1, 0, 1) if not bench.short else (0,):
            moment = begin + hour * 3600 + second
            with fault.case(f"{hour} h {second:+d} s after midnight"):
                place = Place(bench, bench.subfolder("clock"))
                server.body = guide.xml(0)
                place.done("source", "add", "nightly", server.address, "--zone", zone)
                place.done("refresh", prefix=at(guide.start + 3600), env=zoned(zone))
                standing = airings(place)
                expect(len(standing) == guide.programmes, f"{len(standing)} of {guide.programmes} airings stand at first")
                place.done("refresh", "--retention", "1", prefix=at(moment), env=zoned(zone))
                left, wanted = airings(place), kept(standing, moment, 1)
                # A second may pass between the order and the clock's being read.
                slack = {airing for airing in wanted if airing[2] <= moment + 5 - DAY}
                expect(left <= wanted and wanted - slack <= left,
                       f"{len(wanted - left)} airings are gone that should stand, {len(left - wanted)} stand that should go")
