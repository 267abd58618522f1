"""Generates random compositional layouts that are larger than their view along both axes, with pinned headers and footers.

Pinned elements are sticky at one edge of each axis, or at both if they are centered, and never leave their section.
"""

from flow import MODES
from page import box, positions, quarter, style
from sides import Side

CASES = 100

# In device pixels: a browser stores lengths in 64ths, and a sum of two of them may be off by one more.
SLACK = 3 / 64

STYLE = """
.content { inline-size: max-content; min-inline-size: 100%; display: flex; flex-direction: column; }
.sections { display: flex; flex-direction: column; }
.section { inline-size: max-content; }
.body { display: flex; flex-direction: column; }
.pin { position: sticky; }
"""

ALIGNMENTS = {
    ("vertical", "header"): ["top", "topLeading", "topTrailing"],
    ("vertical", "footer"): ["bottom", "bottomLeading", "bottomTrailing"],
    ("horizontal", "header"): ["leading", "topLeading", "bottomLeading"],
    ("horizontal", "footer"): ["trailing", "topTrailing", "bottomTrailing"],
}


def lengths(axis, along, across):
    """Returns width and height from lengths along the scroll direction and across it."""
    return [across, along] if axis == "vertical" else [along, across]


def boundary(generator, axis, size):
    """Returns a header and a footer, each possibly missing, shorter than the view."""
    maximum = size[axis == "horizontal"]
    return [
        {
            "kind": kind, "alignment": generator.choice(ALIGNMENTS[axis, kind]), "offset": [0, 0], "extends": True,
            "pins": generator.random() < 0.8,
            "size": [
                ["points", side] for side in lengths(axis, quarter(generator, 10, 40), quarter(generator, 20, maximum))],
        }
        for kind in ("header", "footer") if generator.random() < 0.5
    ]


def section(generator, axis, size):
    """Returns a section whose groups are half a view to two views long."""
    across = size[axis == "horizontal"]
    item = {"size": [["width", 1], ["height", 1]], "insets": [0, 0, 0, 0], "edges": None, "anchored": []}
    points = lengths(axis, quarter(generator, 20, 90), quarter(generator, across / 2, 2 * across))
    group = {
        "axis": "horizontal", "size": [["points", side] for side in points], "insets": [0, 0, 0, 0], "edges": None,
        "repetition": ["equal", 1], "spacing": None, "subitems": [item], "anchored": [],
    }
    return {
        "count": generator.randrange(0, 15), "insets": [quarter(generator, 0, 20) for _ in range(4)], "group": group,
        "groupSpacing": quarter(generator, 0, 10), "boundary": boundary(generator, axis, size), "follows": False,
        "strip": "none", "decorations": [],
    }


def generated(generator):
    """Returns a layout of several sections with scroll positions."""
    axis = generator.choice(["vertical", "horizontal"])
    size = [2 * generator.randrange(80, 200), 2 * generator.randrange(80, 200)]
    return {
        "axis": axis, "rightToLeft": generator.random() < 0.3, "view": size, "spacing": quarter(generator, 0, 20),
        "boundary": boundary(generator, axis, size), "positions": positions(generator) + positions(generator)[1:],
        "sections": [section(generator, axis, size) for _ in range(generator.randrange(1, 4))],
    }


def pins(side, host, elements, kind, span):
    """Renders the header or footer of a host, aligned in `span` or, without one, in the host."""
    found = ""
    for element in elements:
        if element["kind"] != kind:
            continue
        part = side.parts(element["alignment"])[1]
        (_, width), (_, height) = element["size"]
        values = {"width": width, "height": height}
        if span is None:
            values |= {"align-self": {0: "start", 0.5: "center", 1: "end"}[part]}
        else:
            values |= {"margin-inline-start": (span - (width if side.axis == "vertical" else height)) * part}
        if element["pins"]:
            values |= {"inset-block-start" if kind == "header" else "inset-block-end": 0}
            values |= {} if part == 1 else {"inset-inline-start": 0}
            values |= {} if part == 0 else {"inset-inline-end": 0}
        found += box(f"{kind} [{host}, 0]", "pin" if element["pins"] else "", values)
    return found


def view(case):
    """Renders a case as a scroll container."""
    side = Side(case)
    span = case["view"][case["axis"] == "horizontal"]
    sections = ""
    for number, values in enumerate(case["sections"]):
        size = {"width": values["group"]["size"][0][1], "height": values["group"]["size"][1][1], "flex": "none"}
        groups = "".join(box(f"item [{number}, {item}]", "group", size) for item in range(values["count"]))
        body = box(None, "body", side.sides("padding", values["insets"]) | {"gap": values["groupSpacing"]}, groups)
        parts = pins(side, number, values["boundary"], "header", span) + body
        parts += pins(side, number, values["boundary"], "footer", span)
        sections += box(None, "section", {"min-inline-size": span}, parts)
    inner = box(None, "sections", {"row-gap": case["spacing"]}, sections)
    inner = pins(side, -1, case["boundary"], "header", None) + inner + pins(side, -1, case["boundary"], "footer", None)
    content = box("content", "content", MODES[case["axis"], case["rightToLeft"]], inner)
    return f'<div class="view" style="{style({"width": case["view"][0], "height": case["view"][1]})}">{content}</div>'
