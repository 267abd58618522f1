"""Generates random guides and renders each with CSS alone."""

from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from page import positions, quarter, style

CASES = 300

# In device pixels: a browser stores lengths in 64ths, and a sum of two of them may be off by one more.
SLACK = 3 / 64

ZONES = ["UTC", "Europe/London", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "America/St_Johns"]

# Time runs along the inline axis, and stations follow each other along the block axis: a guide whose time runs downward, or
# from right to left, is the same page in another writing mode.
MODES = {
    (False, False): {"writing-mode": "horizontal-tb", "direction": "ltr"},
    (False, True): {"writing-mode": "horizontal-tb", "direction": "rtl"},
    (True, False): {"writing-mode": "vertical-lr"},
    (True, True): {"writing-mode": "vertical-rl"},
}

STYLE = """
.content { position: relative; inline-size: calc(var(--lead) * 1px + var(--seconds) / 3600 * var(--hour) * 1px); }
.head { position: sticky; inset-block-start: 0; block-size: calc(var(--header) * 1px); }
.corner { position: sticky; inset-inline-start: 0; block-size: 100%; inline-size: calc(var(--pinned) * 1px); }
.lead { position: absolute; inset-inline-start: 0; inline-size: calc(var(--lead) * 1px); block-size: 1px; }
.mark { position: absolute; inset-block: 0; }
.mark, .cell, .line { inset-inline-start: calc(var(--lead) * 1px + var(--from) / 3600 * var(--hour) * 1px); }
.mark, .cell { inline-size: calc((var(--to) - var(--from)) / 3600 * var(--hour) * 1px); }
.rows { display: flex; flex-direction: column; row-gap: calc(var(--space) * 1px); }
.row { flex: none; display: flex; position: relative; block-size: calc(var(--height) * 1px); }
.title { flex: none; position: sticky; inset-block-start: calc(var(--header) * 1px);
  block-size: calc(var(--title) * 1px); }
.station { flex: none; position: sticky; inset-inline-start: 0; inline-size: calc(var(--column) * 1px); }
.thumb { flex: none; inline-size: calc(var(--thumb) * 1px); }
.sticks { position: sticky; inset-inline-start: calc(var(--column) * 1px); }
.cell { position: absolute; inset-block: 0; }
.line { position: absolute; inset-block: calc(var(--header) * 1px) 0; inline-size: calc(var(--width) * 1px); }
"""


def marks(zone, start, end):
    """Returns the full hours, half hours and days of a time zone between two instants, found minute by minute."""
    hours, halves, days = [], [], []
    previous = None
    for minute in range(start // 60 - 1, end // 60):
        local = datetime.fromtimestamp(minute * 60, timezone.utc).astimezone(zone)
        if minute * 60 >= start:
            if local.minute == 0:
                hours.append(minute * 60)
            elif local.minute == 30:
                halves.append(minute * 60)
            if previous is not None and local.date() > previous:
                days.append(minute * 60)
        previous = local.date()
    return hours, halves, days


def airings(generator, start, end):
    """Returns a schedule with gaps, airings that start before the window, and some that last only seconds."""
    found = []
    time = start - generator.randrange(0, 7200)
    while time < end:
        if generator.random() < 0.15:
            time += generator.randrange(1, 5400)
        length = generator.choice([generator.randrange(1, 120), generator.randrange(120, 14400), 1800, 3600])
        if time < end and time + length > start:
            found.append([time, time + length])
        time += length
    return found


def generated(generator):
    """Returns a guide, possibly across a daylight saving transition, with scroll positions."""
    zone = ZoneInfo(generator.choice(ZONES))
    night = generator.choice([datetime(2026, 3, 29), datetime(2026, 10, 25), datetime(2026, 11, 1), datetime(2026, 7, 4)])
    start = int((night.replace(tzinfo=timezone.utc) - timedelta(hours=generator.randrange(0, 24))).timestamp())
    start += generator.choice([0, 0, 900, 1800, 1234])
    hours = generator.choice([2, 3, 4, 6, 12, 24, 48])
    end = start + hours * 3600
    rows = generator.randrange(1, 9)
    hour_marks, half_marks, day_marks = marks(zone, start, end)
    case = {
        "window": [start, end],
        "pointsPerHour": generator.choice([240, 400, 800, round(generator.uniform(60, 900), 3)]),
        "rowHeight": quarter(generator, 20, 120),
        "rowSpacing": generator.choice([0, 1, quarter(generator, 0, 12)]),
        "stationColumn": quarter(generator, 40, 200),
        "header": quarter(generator, 20, 60),
        "thumbnail": generator.choice([0, quarter(generator, 40, 200)]),
        "thumbnailSticks": generator.random() < 0.5,
        "rows": [airings(generator, start, end) if generator.random() < 0.9 else [] for _ in range(rows)],
        "hours": hour_marks,
        "halfHours": half_marks,
        "days": day_marks,
        "now": start + generator.randrange(-3600, hours * 3600 + 3600),
        "view": [2 * generator.randrange(150, 450), 2 * generator.randrange(75, 200)],
        "vertical": generator.random() < 0.3,
        "rightToLeft": generator.random() < 0.3,
        "groups": sorted(generator.sample(range(rows), generator.choice([0, 0, rows // 2, rows // 3]))),
        "title": quarter(generator, 10, 40),
    }
    case["positions"] = positions(generator)
    if case["stationColumn"] + case["thumbnail"] >= case["view"][0]:
        # Near the end of a guide whose columns are wider than the view, pages compress the columns in different ways.
        case["positions"] = [[time / 2, row] for time, row in case["positions"]]
    if case["vertical"]:
        case["view"].reverse()
        case["positions"] = [[row, time] for time, row in case["positions"]]
    return case


def box(name, kind, **values):
    """Renders a box of the page; the values become CSS variables."""
    style = ";".join(f"--{key}:{value}" for key, value in values.items())
    return f'<div class="{kind}" data-name="{name}" style="{style}"></div>'


def row(case, index):
    """Renders a row: station, thumbnail, airings and the gaps between them."""
    start, end = case["window"]
    parts = [box(f"station {index}", "station")]
    if case["thumbnail"]:
        parts.append(box(f"thumbnail {index}", "thumb sticks" if case["thumbnailSticks"] else "thumb"))
    free = start
    for number, (begin, stop) in enumerate(case["rows"][index]):
        shown = max(begin, start), min(stop, end)
        if shown[0] > free:
            parts.append(box(f"gap {index} {free}", "cell", **{"from": free - start, "to": shown[0] - start}))
        parts.append(box(f"airing {index} {number}", "cell", **{"from": shown[0] - start, "to": shown[1] - start}))
        free = shown[1]
    if free < end:
        parts.append(box(f"gap {index} {free}", "cell", **{"from": free - start, "to": end - start}))
    return f'<div class="row" style="--height:{case["rowHeight"]}">{"".join(parts)}</div>'


def grouped_rows(case):
    """Renders the rows; a box around the rows of each group confines its sticky header."""
    starts = case["groups"] + [len(case["rows"])]
    parts = [row(case, index) for index in range(starts[0])]
    for first, end in zip(starts, starts[1:]):
        inner = box(f"group {first}", "title") + "".join(row(case, index) for index in range(first, end))
        parts.append(f'<div class="rows">{inner}</div>')
    return f'<div class="rows">{"".join(parts)}</div>'


def header(case):
    """Renders the hours and half hours, each up to the next one, and the corner."""
    start, end = case["window"]
    named = sorted([(time, "hour") for time in case["hours"]] + [(time, "halfHour") for time in case["halfHours"]])
    # While the first instant is in view, the corner extends to it: where the scrolling columns end.
    parts = [box("corner", "corner"), box("lead", "lead")]
    for index, (time, kind) in enumerate(named):
        until = named[index + 1][0] if index + 1 < len(named) else end
        parts.append(box(f"{kind} {time}", "mark", **{"from": time - start, "to": until - start}))
    return f'<div class="head">{"".join(parts)}</div>'


def lines(case):
    """Renders the now-line and the day separators, below the header and across all rows."""
    start, end = case["window"]
    found = [box(f"day {time}", "line", width=1, **{"from": time - start}) for time in case["days"]]
    if start <= case["now"] < end:
        found.append(box("now", "line", width=2, **{"from": case["now"] - start}))
    return "".join(found)


def view(case):
    """Renders a case as a scroll container."""
    start, end = case["window"]
    values = {
        "lead": case["stationColumn"] + case["thumbnail"], "column": case["stationColumn"],
        "pinned": case["stationColumn"] + (case["thumbnail"] if case["thumbnailSticks"] else 0),
        "thumb": case["thumbnail"], "header": case["header"], "space": case["rowSpacing"], "title": case["title"],
        "hour": case["pointsPerHour"], "seconds": end - start,
    }
    variables = {f"--{key}": str(value) for key, value in values.items()}
    size = {"width": case["view"][0], "height": case["view"][1]}
    return (
        f'<div class="view" style="{style(variables | size)}">'
        f'<div class="content" data-name="content" style="{style(MODES[case["vertical"], case["rightToLeft"]])}">'
        f"{header(case)}{grouped_rows(case)}{lines(case)}</div></div>"
    )


def adjust(case, boxes):
    """Extends the corner to the first instant while that is in view: where the scrolling columns end."""
    lead, corner = boxes.pop("lead"), boxes["corner"]
    if case["vertical"]:
        corner[3] = max(corner[3], lead[3])
    elif case["rightToLeft"]:
        corner[0] = min(corner[0], lead[0])
    else:
        corner[2] = max(corner[2], lead[2])
