"""Generates random compositional layouts; compositional_page.py renders them."""

from compositional_page import STYLE, view
from page import positions, quarter
from sides import length

__all__ = ["CASES", "SLACK", "STYLE", "generated", "view"]

CASES = 200

# In device pixels: fractions of a line are truncated to 64ths, and the errors add up along it and through enclosing groups.
SLACK = 19 / 64

ALIGNMENTS = {
    "vertical": {
        "start": ["top", "topLeading", "topTrailing"], "end": ["bottom", "bottomLeading", "bottomTrailing"],
        "beside": ["leading", "trailing"],
    },
    "horizontal": {
        "start": ["leading", "topLeading", "bottomLeading"], "end": ["trailing", "topTrailing", "bottomTrailing"],
        "beside": ["top", "bottom"],
    },
}
ALL_ALIGNMENTS = [
    "none", "top", "topLeading", "leading", "bottomLeading", "bottom", "bottomTrailing", "trailing", "topTrailing",
]
EDGES = [[], ["top"], ["bottom"], ["leading"], ["trailing"], ["top", "leading"], ["top", "trailing"],
         ["bottom", "leading"], ["bottom", "trailing"]]


def insets(generator, most, chance=0.4):
    """Top, leading, bottom, trailing."""
    return [quarter(generator, 0, most) if generator.random() < chance else 0 for _ in range(4)]


def spacing(generator, most):
    """Returns a spacing between elements, fixed or flexible."""
    kind = generator.choice(["fixed", "fixed", "flexible"])
    return [kind, generator.choice([0, quarter(generator, 0, most)])]


def edge_spacing(generator, most, axes):
    """Returns the edge spacing (leading, top, trailing, bottom) along the given axes."""
    if generator.random() < 0.65:
        return None
    sides = zip(["horizontal", "vertical"] * 2, range(4))
    return [spacing(generator, most) if axis in axes and generator.random() < 0.5 else None for axis, _ in sides]


def without_minimum(edges, axis):
    """Removes the minimum of flexible spacing across a line, which the page renders as an auto margin without a minimum."""
    return edges and [
        space and ["flexible", 0] if space and space[0] == "flexible" and index % 2 == axis else space
        for index, space in enumerate(edges)
    ]


def anchor(generator):
    """Returns edges and an offset, in points or as fractions of the element's size."""
    if generator.random() < 0.5:
        offset = ["absolute", quarter(generator, -10, 10), quarter(generator, -10, 10)]
    else:
        offset = ["fractional", generator.choice([0, 0.3, 0.5, -0.25]), generator.choice([0, -0.3, 0.5, 0.25])]
    return {"edges": generator.choice(EDGES), "offset": offset}


def anchored(generator, kind, chance):
    """Returns a badge or, at random, none."""
    if generator.random() > chance:
        return []
    size = [
        generator.choice([["points", quarter(generator, 4, 30)], [name, generator.choice([0.25, 0.5])]])
        for name in ("width", "height")
    ]
    own = anchor(generator) if generator.random() < 0.3 else None
    return [{"kind": kind, "size": size, "anchor": anchor(generator), "own": own}]


def part(generator, axis, room, divisor):
    """Returns the size of a part of a line in a room, along the line and across it."""
    names = {"horizontal": "width", "vertical": "height"}
    crossing = "vertical" if axis == "horizontal" else "horizontal"
    along, across = room[axis == "vertical"], room[axis == "horizontal"]
    dimensions = {
        axis: generator.choice([
            [names[axis], generator.choice([1 / 2, 1 / 3, 1 / 4, 1 / 5, 0.3, 0.45, 1])],
            ["points", quarter(generator, along / divisor, along / 2)],
            [names[crossing], generator.choice([1 / 2, 1])] if across / 2 > along / divisor
            else ["points", quarter(generator, along / divisor, along)],
        ]),
        crossing: generator.choice([
            [names[crossing], generator.choice([1, 1, 1 / 2, 2 / 3])], ["points", quarter(generator, across / 4, across)],
        ]),
    }
    return [dimensions["horizontal"], dimensions["vertical"]]


def subitem(generator, axis, room, depth, equal):
    """Returns an item of a line, or a nested group."""
    size = part(generator, axis, room, 6)
    axes = ["horizontal", "vertical"]
    if equal:
        axes.remove(axis)
    edges = without_minimum(edge_spacing(generator, 6, axes), axis == "horizontal")
    points = [length(dimension, room) for dimension in size]
    if depth < 2 and generator.random() < 0.3 and min(points) > 40:
        inner = points if not equal else [points[0] / 2, points[1] / 2]
        return line(generator, size, inner, depth + 1) | {"edges": edges}
    return {
        "size": size, "insets": insets(generator, min(8, min(points) / 4), 0.25), "edges": edges,
        "anchored": anchored(generator, "badge", 0.25),
    }


def line(generator, size, points, depth=0):
    """Returns a group of the given size, with its subitems."""
    around = insets(generator, min(10, min(points) / 5), 0.25)
    room = [points[0] - around[1] - around[3], points[1] - around[0] - around[2]]
    if generator.random() < 0.1:
        frames = [[generator.choice([0, 0.25, 0.5, 0.6]) for _ in range(4)] for _ in range(generator.randrange(1, 5))]
        return {
            "size": size, "insets": around, "edges": None, "anchored": [],
            "frames": [[x, y, width + 0.1, height + 0.2] for x, y, width, height in frames],
        }
    axis = generator.choice(["horizontal", "horizontal", "vertical"])
    repetition = generator.choice(
        [["untilFull", 0], ["equal", generator.randrange(1, 6)], ["own", generator.randrange(1, 5)]])
    kinds = generator.randrange(1, 4) if repetition[0] == "untilFull" else 1
    equal = repetition[0] == "equal"
    return {
        "axis": axis, "size": size, "insets": around, "edges": None, "repetition": repetition,
        "spacing": generator.choice([None, spacing(generator, min(8, min(room) / 8))]),
        "subitems": [subitem(generator, axis, room, depth, equal) for _ in range(kinds)],
        "anchored": anchored(generator, f"group badge {depth}", 0.15),
    }


def boundary(generator, axis, room, kinds):
    """Returns headers, footers, and items beside and above the content."""
    names = {"horizontal": ["width", "height"], "vertical": ["height", "width"]}[axis]
    found = []
    for kind, side in kinds:
        along = ["points", quarter(generator, 10, 40)]
        across = generator.choice([[names[1], 1], [names[1], 0.5], ["points", quarter(generator, 20, 80)]])
        pins = side in ("start", "end") and generator.random() < 0.6
        alignment = generator.choice(ALIGNMENTS[axis].get(side, ALL_ALIGNMENTS))
        offset = [0, 0]
        if side == "beside":
            along, across = generator.choice([along, [names[0], 0.25]]), ["points", quarter(generator, 10, 40)]
        if not pins and generator.random() < 0.3:
            offset = [quarter(generator, -6, 6), quarter(generator, -6, 6)]
        if side == "beside":
            offset[axis == "horizontal"] = 0
        size = [across, along] if axis == "vertical" else [along, across]
        found.append({
            "kind": kind, "size": size, "alignment": alignment, "offset": offset, "extends": side != "over", "pins": pins,
        })
    return found


def sides(generator, chance):
    """Returns the kinds of boundary items and their sides; two headers at the same edge never pin."""
    return [
        (kind, side) for kind, side in [("header", "start"), ("footer", "end"), ("side", "beside"), ("label", "over")]
        if generator.random() < chance[kind]
    ]


def taken(items, axis):
    """Returns the room that boundary items beside the content take across the scroll direction."""
    ends = {"top": 0, "leading": 0, "bottom": 0, "trailing": 0}
    for item in items:
        if item["extends"] and item["alignment"] in ALIGNMENTS[axis]["beside"]:
            ends[item["alignment"]] = max(ends[item["alignment"]], item["size"][axis == "horizontal"][1])
    return sum(ends.values())


def section(generator, axis, container):
    """Returns a section whose groups have sizes in fractions of its room or in points."""
    around = insets(generator, 20)
    kinds = sides(generator, {"header": 0.4, "footer": 0.3, "side": 0.2, "label": 0.15})
    if generator.random() < 0.1:
        kinds.append(("heading", "start"))
    items = boundary(generator, axis, container, kinds)
    if any(kind == "heading" for kind, _ in kinds):
        for item in items:
            item["pins"] = False
    room = [container[0] - around[1] - around[3], container[1] - around[0] - around[2]]
    room[axis == "horizontal"] -= taken(items, axis)
    strip = generator.random() < 0.2
    # A browser represents eighths exactly, so no error adds up from group to group.
    eighths = generator.choice([8, 8, 8, 4, 6, 7])
    names = {"horizontal": "width", "vertical": "height"}
    crossing = "horizontal" if axis == "vertical" else "vertical"
    flows = crossing if strip else axis
    size = {
        flows: generator.choice([["points", quarter(generator, 40, 160)], [names[flows], generator.choice([0.25, 0.375])]]),
    }
    across = "vertical" if flows == "horizontal" else "horizontal"
    size[across] = [names[across], 0.25 if strip else eighths / 8]
    size = [size["horizontal"], size["vertical"]]
    group = line(generator, size, [length(dimension, room) for dimension in size])
    edges = edge_spacing(generator, 6, ["horizontal", "vertical"]) if eighths < 8 and not strip else None
    group["edges"] = without_minimum(without_minimum(edges, 0), 1)
    return {
        "count": generator.choice([0, 1, generator.randrange(1, 20), generator.randrange(1, 50)]),
        "insets": around, "group": group, "groupSpacing": generator.choice([0, quarter(generator, 0, 16)]),
        "boundary": items, "follows": generator.random() < 0.7, "strip": "continuous" if strip else "none",
        "decorations": [insets(generator, 6)] if generator.random() < 0.4 else [],
    }


def generated(generator):
    """Returns a layout of several sections with scroll positions."""
    axis = generator.choice(["vertical", "vertical", "horizontal"])
    size = [2 * generator.randrange(150, 350), 2 * generator.randrange(120, 250)]
    items = boundary(generator, axis, size, sides(generator, {"header": 0.2, "footer": 0.15, "side": 0.1, "label": 0}))
    container = list(size)
    container[axis == "horizontal"] -= taken(items, axis)
    return {
        "axis": axis, "rightToLeft": generator.random() < 0.3, "view": size, "boundary": items,
        "spacing": generator.choice([0, quarter(generator, 0, 20)]),
        "sections": [section(generator, axis, container) for _ in range(generator.randrange(1, 4))],
        # Only along the scroll direction: across it, only badges could extend beyond the content.
        "positions": [[0, y] if axis == "vertical" else [x, 0] for x, y in positions(generator)],
    }
