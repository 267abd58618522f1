"""Random guides, and the page that shows each of them by CSS alone."""

from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

ZONES = ["UTC", "Europe/London", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "America/St_Johns"]

STYLE = """
* { box-sizing: border-box; margin: 0; padding: 0; border: 0; }
.view { position: relative; overflow: auto; width: calc(var(--view-width) * 1px); height: calc(var(--view-height) * 1px); }
.content { position: relative; width: calc(var(--lead) * 1px + var(--seconds) / 3600 * var(--hour) * 1px);
  height: calc((var(--header) + var(--rows) * (var(--row) + var(--space)) - min(1, var(--rows)) * var(--space)) * 1px); }
.head { position: sticky; top: 0; height: calc(var(--header) * 1px); }
.corner { position: sticky; left: 0; height: calc(var(--header) * 1px); width: calc(var(--pinned) * 1px); }
.lead { position: absolute; left: 0; width: calc(var(--lead) * 1px); height: 1px; }
.mark { position: absolute; top: 0; height: calc(var(--header) * 1px); }
.mark, .cell, .line { left: calc(var(--lead) * 1px + var(--from) / 3600 * var(--hour) * 1px); }
.mark, .cell { width: calc((var(--to) - var(--from)) / 3600 * var(--hour) * 1px); }
.row { display: flex; position: absolute; left: 0; right: 0; height: calc(var(--row) * 1px);
  top: calc((var(--header) + var(--index) * (var(--row) + var(--space))) * 1px); }
.station { flex: none; position: sticky; left: 0; width: calc(var(--column) * 1px); height: calc(var(--row) * 1px); }
.thumb { flex: none; width: calc(var(--thumb) * 1px); height: calc(var(--row) * 1px); }
.sticks { position: sticky; left: calc(var(--column) * 1px); }
.cell { position: absolute; top: 0; height: calc(var(--row) * 1px); }
.line { position: absolute; top: calc(var(--header) * 1px); bottom: 0; width: calc(var(--width) * 1px); }
"""


def quarter(generator, low, high):
    """A length that a browser can hold exactly: a multiple of a quarter."""
    return generator.randint(low * 4, high * 4) / 4


def marks(zone, start, end):
    """The full hours, half hours and days of a zone's clocks between two instants, found minute by minute."""
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
    """A schedule with gaps, airings that begin before the window, and some that last only seconds."""
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
    """A guide, also across nights in which the clocks change, and places from which to look at it."""
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
        "view": [generator.randrange(300, 900), generator.randrange(150, 400)],
    }
    lead = case["stationColumn"] + case["thumbnail"]
    width = lead + hours * case["pointsPerHour"]
    height = case["header"] + rows * (case["rowHeight"] + case["rowSpacing"]) - case["rowSpacing"]
    # Even offsets are whole device pixels at every scale.
    furthest = [max(0, int(size - view) // 2) for size, view in zip((width, height), case["view"])]
    case["offsets"] = [[0, 0]] + [[2 * generator.randint(0, limit) for limit in furthest] for _ in range(2)]
    return case


def box(name, kind, **values):
    """A box of the page; the values are CSS variables."""
    style = ";".join(f"--{key}:{value}" for key, value in values.items())
    return f'<div class="{kind}" data-name="{name}" style="{style}"></div>'


def row(case, index):
    """Station, thumbnail, airings and the gaps between them."""
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
    return f'<div class="row" style="--index:{index}">{"".join(parts)}</div>'


def header(case):
    """The hours and half hours, each up to the next one, and the corner above them."""
    start, end = case["window"]
    named = sorted([(time, "hour") for time in case["hours"]] + [(time, "halfHour") for time in case["halfHours"]])
    # The corner reaches to the first instant while that is in sight: where the columns that scroll end.
    parts = [box("corner", "corner"), box("lead", "lead")]
    for index, (time, kind) in enumerate(named):
        until = named[index + 1][0] if index + 1 < len(named) else end
        parts.append(box(f"{kind} {time}", "mark", **{"from": time - start, "to": until - start}))
    return f'<div class="head">{"".join(parts)}</div>'


def lines(case):
    """The line at now and those between days, below the header and across all rows."""
    start, end = case["window"]
    found = [box(f"day {time}", "line", width=1, **{"from": time - start}) for time in case["days"]]
    if start <= case["now"] < end:
        found.append(box("now", "line", width=2, **{"from": case["now"] - start}))
    return "".join(found)


def container(number, case):
    """A case as a scroll container."""
    start, end = case["window"]
    values = {
        "view-width": case["view"][0], "view-height": case["view"][1], "lead": case["stationColumn"] + case["thumbnail"],
        "column": case["stationColumn"],
        "pinned": case["stationColumn"] + (case["thumbnail"] if case["thumbnailSticks"] else 0), "thumb": case["thumbnail"], "header": case["header"],
        "row": case["rowHeight"], "space": case["rowSpacing"], "rows": len(case["rows"]),
        "hour": case["pointsPerHour"], "seconds": end - start,
    }
    style = ";".join(f"--{key}:{value}" for key, value in values.items())
    rows = "".join(row(case, index) for index in range(len(case["rows"])))
    return (
        f'<div class="view" id="case{number}" style="{style}"><div class="content">'
        f"{header(case)}{rows}{lines(case)}</div></div>"
    )
