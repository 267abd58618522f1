"""Generates random flow layouts and renders each with flexbox alone.

A wrapping flex container fills the rows, and space-between justifies them. Rows follow each other along the block axis, so a
layout that scrolls horizontally, or runs from right to left, is the same page in another writing mode.
"""

from page import box, positions, quarter, style

CASES = 150

# Writing modes by scroll axis and right-to-left direction.
MODES = {
    ("vertical", False): {"writing-mode": "horizontal-tb", "direction": "ltr"},
    ("vertical", True): {"writing-mode": "horizontal-tb", "direction": "rtl"},
    ("horizontal", False): {"writing-mode": "vertical-lr"},
    ("horizontal", True): {"writing-mode": "vertical-rl"},
}

# Spacing between rows is a margin of the items, canceled after the last row, so that phantom items that wrap into separate
# rows take no room.
STYLE = """
.content { inline-size: 100%; }
.section, .body { display: flow-root; }
.body { inline-size: 100%; }
.pinned.header { position: sticky; inset-block-start: 0; }
.pinned.footer { position: sticky; inset-block-end: 0; }
.rows { display: flex; flex-wrap: wrap; align-items: center; }
.justified { justify-content: space-between; }
.rows > * { flex: none; }
.rows > .alone { margin-inline: auto; }
.rows > .rest { flex-grow: 1; }
"""

# Maximum number of items in a row.
MAXIMUM_CAPACITY = 16

# In device pixels: each gap of a justified row is truncated to a 64th, and the errors add up.
SLACK = (3 + MAXIMUM_CAPACITY) / 64


def section(generator, axis, available, sized):
    """Returns a section; lengths are along the scroll direction and across it."""
    gap = generator.choice([0, 10, quarter(generator, 0, 30)])
    count = generator.choice([0, 1, 2, generator.randrange(1, 12), generator.randrange(1, 40)])
    inset = [quarter(generator, 0, 20) if generator.random() < 0.6 else 0 for _ in range(4)]
    room = available - inset[2] - inset[3]
    minimum = max(4, (room + gap) / MAXIMUM_CAPACITY - gap + 0.25)
    columns = generator.randrange(1, 7)
    exact = (room - (columns - 1) * gap) / columns
    if exact * 4 != int(exact * 4) or exact < minimum:
        exact = room
    common = generator.choice([exact, quarter(generator, minimum, room), quarter(generator, minimum, max(minimum, room / 3))])
    found = {
        "count": count,
        "size": [quarter(generator, 8, 90), common],
        "inset": inset,
        "lineSpacing": generator.choice([0, 10, quarter(generator, 0, 30)]),
        "itemSpacing": gap,
        "header": generator.choice([0, quarter(generator, 10, 50)]),
        "footer": generator.choice([0, 0, quarter(generator, 10, 50)]),
    }
    if sized:
        maximum = generator.choice([room, room / 2, room / 3])
        maximum = max(minimum, maximum)
        found["sizes"] = [[quarter(generator, 8, 90), quarter(generator, minimum, maximum)] for _ in range(count)]
    return found


def generated(generator):
    """Returns a layout of several sections with scroll positions."""
    axis = generator.choice(["vertical", "vertical", "horizontal"])
    view = [2 * generator.randrange(100, 300), 2 * generator.randrange(80, 250)]
    insets = [2 * generator.randrange(0, 12) if generator.random() < 0.3 else 0 for _ in range(4)]
    across = view[0] - insets[1] - insets[3] if axis == "vertical" else view[1] - insets[0] - insets[2]
    sized = generator.random() < 0.4
    return {
        "axis": axis,
        "rightToLeft": generator.random() < 0.3,
        "view": view,
        # Top, leading, bottom, trailing.
        "contentInset": insets,
        "pinsHeaders": generator.random() < 0.6,
        "pinsFooters": generator.random() < 0.4,
        "justified": generator.random() < 0.85,
        "lastRow": generator.choice(["bySizes", "bySizes", "asIfFilled", "leading"]),
        "sized": sized,
        "sections": [section(generator, axis, across, sized) for _ in range(generator.randrange(1, 5))],
        "positions": positions(generator),
    }


def rows(case, number):
    """Renders the items of a section, and phantom items after the last one that justify the last row by its rule."""
    values = case["sections"][number]
    sizes = values["sizes"] if case["sized"] else [values["size"]] * values["count"]
    if not sizes:
        return ""
    spacing = values["lineSpacing"]
    boxes = [
        box(f"item [{number}, {item}]", "item", {"block-size": along, "inline-size": across, "margin-block-end": spacing})
        for item, (along, across) in enumerate(sizes)
    ]
    fills = case["lastRow"] == "asIfFilled" or (case["lastRow"] == "bySizes" and not case["sized"])
    last = sizes[-1][1]
    if case["justified"] and fills:
        boxes += [box(None, "phantom", {"block-size": 0, "inline-size": last})] * MAXIMUM_CAPACITY
    elif case["justified"]:
        # Takes the rest of the row if a copy of the last item would fit.
        boxes.append(box(None, "rest", {"block-size": 0, "inline-size": last}))
    kind = "rows justified" if case["justified"] else "rows"
    return box(None, kind, {"column-gap": values["itemSpacing"], "margin-block-end": -spacing}, "".join(boxes))


def view(case):
    """Renders a case as a scroll container."""
    sections = []
    for number, values in enumerate(case["sections"]):
        top, bottom, start, end = values["inset"]
        padding = {"padding-block": f"{top}px {bottom}px", "padding-inline": f"{start}px {end}px"}
        parts = [box(None, "body", padding, rows(case, number))]
        if values["header"]:
            kind = "header pinned" if case["pinsHeaders"] else "header"
            parts.insert(0, box(f"header [{number}, 0]", kind, {"block-size": values["header"]}))
        if values["footer"]:
            kind = "footer pinned" if case["pinsFooters"] else "footer"
            parts.append(box(f"footer [{number}, 0]", kind, {"block-size": values["footer"]}))
        sections.append(box(None, "section", {}, "".join(parts)))
    top, leading, bottom, trailing = case["contentInset"]
    left, right = (trailing, leading) if case["rightToLeft"] else (leading, trailing)
    values = {"width": case["view"][0], "height": case["view"][1], "padding": f"{top}px {right}px {bottom}px {left}px"}
    content = box("content", "content", MODES[case["axis"], case["rightToLeft"]], "".join(sections))
    return f'<div class="view" style="{style(values)}">{content}</div>'
