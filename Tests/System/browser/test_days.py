"""Days of 23 and 25 hours in Europe/London."""

import calendar
import time

from guide_page import GuidePage
from support.report import long

HOUR = 3600


def _header(world, day, first, last, scripts):
    """Returns the labels of full hours in a time range."""
    if "own clock" not in world.services:
        # The guide spans both nights.
        start = calendar.timegm((2026, 3, 27, 0, 0, 0))
        programmes = "".join(
            f'<programme start="{stamp}" stop="{stop}" channel="a"><title>Hours {stamp}</title></programme>'
            for begin in (start, calendar.timegm((2026, 10, 23, 0, 0, 0)))
            for hour in range(0, 96)
            for stamp, stop in [[_stamp(begin + hour * HOUR), _stamp(begin + (hour + 1) * HOUR)]])
        world.own_service(
            f'<tv><channel id="a"><display-name>Clock</display-name></channel>{programmes}</tv>'.encode(), "clock")
    page = GuidePage.on(world, world.services["own clock"])
    page.zone("Europe/London")
    labels = []
    at = first
    while at < last:
        if scripts:
            page.show(f"/?at={at}&zone=Europe/London")
            page.scroll_to_time(at)
        else:
            page.scripts(False)
            page.open(f"/?at={at}&zone=Europe/London")
        page.settle() if scripts else None
        labels += page.hours()
        at += 3 * HOUR
    return [text for instant, text in sorted({(instant, text) for instant, text in labels}) if first <= instant < last]


def _stamp(seconds):
    return time.strftime("%Y%m%d%H%M%S +0000", time.gmtime(seconds))


def header_of_a_25_hour_day_distinguishes_both_1_o_clock_hours(world):
    first = calendar.timegm((2026, 10, 24, 23, 0, 0))
    labels = _header(world, "2026-10-25", first, first + 5 * HOUR, scripts=True)
    assert len(labels) == 5, labels
    assert "BST" in labels[2 - 1] + labels[1] and "GMT" in labels[2], labels
    assert labels[1] != labels[2], labels


@long
def header_of_a_23_hour_day_omits_1_o_clock(world):
    first = calendar.timegm((2026, 3, 29, 0, 0, 0))
    labels = _header(world, "2026-03-29", first, first + 3 * HOUR, scripts=True)
    assert len(labels) == 3, labels
    assert not any("01:" in label or label.startswith("1") for label in labels), labels


@long
def headers_of_23_and_25_hour_days_are_correct_without_javascript(world):
    first = calendar.timegm((2026, 10, 24, 23, 0, 0))
    labels = _header(world, "2026-10-25", first, first + 5 * HOUR, scripts=False)
    assert len(labels) == 5 and labels[1] != labels[2], labels
    first = calendar.timegm((2026, 3, 29, 0, 0, 0))
    labels = _header(world, "2026-03-29", first, first + 3 * HOUR, scripts=False)
    assert len(labels) == 3 and not any("01:" in label for label in labels), labels


def prime_time_is_20_o_clock_on_a_25_hour_day(world):
    at = calendar.timegm((2026, 10, 25, 12, 0, 0))
    page = GuidePage.on(world, world.service("sample"))
    page.show(f"/?at={at}")
    assert page.text("#prime") == "Tonight 20:00", page.text("#prime")
