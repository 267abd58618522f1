#!/usr/bin/env python3
"""Writes oracle.tsv next to this file: the runs of cron schedules, found by visiting every minute.

    oracle.py [--seed N] [--switches N] [--expressions N] [--long N]

The walk visits each minute of UTC, converts it to local time with Python's zoneinfo, and compares that with the fields
of the expression. For an expression with a fixed time, it keeps the latest local minute. If the clocks jump ahead, it
also visits the skipped minutes; if they go back, it waits until local time is later. It knows no periods of constant
offset and does not search.

Each row is a case: zone, expression, the instant before the runs, the end of the walk, and the first runs in between,
all in seconds since 1970. CronScheduleOracleTests.swift compares them. Cases end in 2025, so that changed laws do not
change the table.
"""

import argparse
import random
import zoneinfo
from datetime import datetime, timedelta
from pathlib import Path

ZONES = [
    "Africa/Cairo", "Africa/Casablanca", "America/Caracas", "America/Havana", "America/New_York", "America/Sao_Paulo",
    "America/St_Johns", "Antarctica/Troll", "Asia/Gaza", "Asia/Kathmandu", "Asia/Pyongyang", "Asia/Tehran",
    "Australia/Lord_Howe", "Europe/Dublin", "Europe/London", "Europe/Moscow", "Pacific/Apia", "Pacific/Chatham",
    "Pacific/Kiritimati", "Pacific/Kwajalein", "UTC",
]
MONTHS = ["JAN", "feb", "Mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "DEC"]
DAYS = ["sun", "MON", "tue", "Wed", "thu", "fri", "sat", "sun"]
RANGES = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 7)]
EPOCH = datetime(1970, 1, 1)
RUNS = 5
# Typical expressions to try on a day with a clock change; H and M are the local time of the change.
USUAL = [
    "M H * * *", "30 H * * *", "*/15 * * * *", "*/20 H * * *", "M,45 H * * *", "0 * * * *", "5 */2 * * *",
    "0-59/7 H-H * * *", "@daily", "@hourly", "59 23 * * *", "1 0 * * *", "0 0-23 * * *", "* H * * *", "15 * * * sun",
]
NICKNAMES = {"@hourly": "0 * * * *", "@daily": "0 0 * * *", "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *"}


def numbers(field, lowest, highest):
    """Returns the set of numbers that a field of an expression matches."""
    found = set()
    for part in field.lower().split(","):
        span, _, step = part.partition("/")
        for names, base in ((MONTHS, 1), (DAYS, 0)):
            if highest == base + len(names) - 1:
                for index, name in enumerate(names):
                    span = span.replace(name.lower(), str(index % 7 if base == 0 else index + base))
        first, _, last = span.partition("-")
        first, last = (lowest, highest) if span == "*" else (int(first), int(last or first))
        found.update(range(first, last + 1, int(step or 1)))
    return {number % 7 for number in found} if highest == 7 else found


class Expression:
    def __init__(self, text):
        fields = NICKNAMES.get(text, text).split()
        self.sets = [numbers(field, *span) for field, span in zip(fields, RANGES, strict=True)]
        self.is_either_day = not fields[2].startswith("*") and not fields[4].startswith("*")
        self.follows_clock = fields[0].startswith("*") or fields[1].startswith("*")

    def matches(self, local):
        minutes, hours, days, months, weekdays = self.sets
        if local.minute not in minutes or local.hour not in hours or local.month not in months:
            return False
        day = local.day in days
        weekday = local.isoweekday() % 7 in weekdays
        return day or weekday if self.is_either_day else day and weekday


def walk(zone, start, end):
    """Yields each minute of UTC in seconds, with its local minute, counted from 1970."""
    for second in range(start, end, 60):
        local = datetime.fromtimestamp(second, zone).replace(tzinfo=None)
        yield second, (local - EPOCH) // timedelta(minutes=1)


def runs(expression, minutes, after):
    """Returns the first runs after an instant. The walk must begin early enough to include preceding local times."""
    found = []
    latest = None
    for second, minute in minutes:
        if latest is None:
            latest = minute - 1
        if expression.follows_clock:
            candidates = [minute]
        else:
            candidates = range(latest + 1, minute + 1)
            latest = max(latest, minute)
        if second > after and any(expression.matches(EPOCH + timedelta(minutes=each)) for each in candidates):
            found.append(second)
            if len(found) == RUNS:
                break
    return found


def switches(name):
    """Yields the minutes of UTC at which the clocks of a zone change, from 1986 to 2025."""
    zone = zoneinfo.ZoneInfo(name)

    def offset(second):
        return datetime.fromtimestamp(second, zone).utcoffset()

    second, last = 504_921_600, 1_767_225_600
    while second < last:
        if offset(second) != offset(second + 86_400):
            for minute in range(second, second + 86_400, 60):
                if offset(minute) != offset(minute + 60):
                    yield minute + 60
        second += 86_400


def random_field(rng, span, names, values):
    """Returns a random field: mostly one of the given values, sometimes ranges, steps, and lists."""
    def value():
        return rng.choice(values) if values and rng.random() < 0.7 else rng.randint(*span)

    def written(number):
        return names[number - span[0]] if names and rng.random() < 0.5 else str(number)

    def part():
        kind = rng.random()
        if kind < 0.55:
            return written(value())
        first, last = sorted([value(), value()])
        # At the end of a range, Sunday may be 7; by name it would mean the same.
        last = str(last) if span == (0, 7) else written(last)
        step = f"/{rng.randint(1, max(1, (span[1] - span[0]) // 2))}" if rng.random() < 0.5 else ""
        return f"{written(first)}-{last}{step}" if kind < 0.85 else f"*/{rng.randint(1, (span[1] - span[0]))}"

    return ",".join(part() for _ in range(rng.choice([1, 1, 1, 2, 3])))


def random_expression(rng, local):
    """Returns a random expression for the days and hours around a local time."""
    near = [max(0, local.hour - 1), local.hour, min(23, local.hour + 1), min(23, local.hour + 2)]
    minute = random_field(rng, RANGES[0], None, [0, 15, 30, 45, local.minute]) if rng.random() < 0.9 else "*"
    hour = random_field(rng, RANGES[1], None, near) if rng.random() < 0.8 else "*"
    day = random_field(rng, RANGES[2], None, [local.day]) if rng.random() < 0.3 else "*"
    month = random_field(rng, RANGES[3], MONTHS, [local.month]) if rng.random() < 0.3 else "*"
    weekday = random_field(rng, RANGES[4], DAYS, [local.isoweekday()]) if rng.random() < 0.3 else "*"
    return " ".join([minute, hour, day, month, weekday])


def cases(arguments):
    rng = random.Random(arguments.seed)
    for name in ZONES:
        zone = zoneinfo.ZoneInfo(name)
        known = list(switches(name)) or [1_600_000_020]
        for switch in sorted(rng.sample(known, min(arguments.switches, len(known)))):
            start, end = switch - 5 * 86_400, switch + 8 * 86_400
            minutes = list(walk(zone, start, end))
            local = datetime.fromtimestamp(switch - 60, zone).replace(tzinfo=None) + timedelta(minutes=1)
            usual = rng.sample(USUAL, arguments.expressions // 2)
            texts = [text.replace("H", str(local.hour)).replace("M", str(local.minute)) for text in usual]
            texts += [random_expression(rng, local) for _ in range(arguments.expressions - len(texts))]
            for text in texts:
                after = switch + rng.choice([-86_400, -7200, -3600, -60, -1, 0, 1, rng.randint(-90_000, 90_000)])
                yield name, text, after, end, runs(Expression(text), minutes, after)
    # Rare runs, over a period of more than a year.
    for _ in range(arguments.long):
        name = rng.choice(ZONES)
        after = rng.randint(504_921_600, 1_700_000_000)
        start = (after // 60 - 3 * 1440) * 60
        local = datetime.fromtimestamp(after, zoneinfo.ZoneInfo(name)).replace(tzinfo=None)
        text = " ".join([str(rng.randint(0, 59)), str(rng.randint(0, 23)),
                         random_expression(rng, local).split(maxsplit=2)[2]])
        end = start + 450 * 86_400
        yield name, text, after, end, runs(Expression(text), walk(zoneinfo.ZoneInfo(name), start, end), after)
    for name, text in [("Europe/London", "30 1 29 2 *"), ("Asia/Kathmandu", "*/30 4 29 Feb *")]:
        after = 951_800_000
        end = after // 60 * 60 + 9 * 366 * 86_400
        start = after // 60 * 60 - 3 * 86_400
        yield name, text, after, end, runs(Expression(text), walk(zoneinfo.ZoneInfo(name), start, end), after)


def main():
    parser = argparse.ArgumentParser(description="Write oracle.tsv next to this file.")
    parser.add_argument("--seed", type=int, default=6)
    parser.add_argument("--switches", type=int, default=10, help="clock changes per zone")
    parser.add_argument("--expressions", type=int, default=6, help="expressions per clock change")
    parser.add_argument("--long", type=int, default=40, help="cases that span more than a year")
    arguments = parser.parse_args()
    rows = ["# Generated by oracle.py; do not edit."]
    rows.append("# zone\texpression\tafter\tend of the walk\truns")
    for name, text, after, end, found in cases(arguments):
        rows.append("\t".join([name, text, str(after), str(end), " ".join(map(str, found))]))
    Path(__file__).with_name("oracle.tsv").write_text("\n".join(rows) + "\n")
    print(f"{len(rows) - 2} cases")


main()
