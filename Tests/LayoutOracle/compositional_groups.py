"""Renders the groups of compositional layouts, with their items and badges, as flexbox and grid boxes.

This module determines the number of subitems of a group; the browser determines their positions.
"""

from page import box
from sides import css, length

# Tolerance when a line fills its room: in floating point, three thirds may exceed the room.
TOLERANCE = 0.001


def repeated(group, room):
    """Returns the subitems of a line, repeated until one doesn't fit; the first always fits."""
    along = group["axis"] == "vertical"
    kind, count = group["repetition"]
    if kind != "untilFull":
        return [group["subitems"][0]] * count
    gap = group["spacing"][1] if group["spacing"] else 0
    taken, used = [], 0
    while True:
        subitem = group["subitems"][len(taken) % len(group["subitems"])]
        edges = subitem["edges"] or [None] * 4
        own = sum(edge[1] for edge in (edges[along], edges[along + 2]) if edge)
        end = used + (gap if taken else 0) + own + length(subitem["size"][along], room)
        if taken and end > room[along] + TOLERANCE:
            return taken
        taken.append(subitem)
        used = end


class Items:
    """The items of a section, which the groups take in order."""

    def __init__(self, section, count):
        self.section, self.count, self.taken = section, count, 0

    def path(self, taken=None):
        """Returns the name of an item, or `None` beyond the last item."""
        item = self.taken if taken is None else taken
        return f"[{self.section}, {item}]" if item < self.count else None


def anchored(side, elements, path):
    """Renders badges: percentages of positions refer to the container, those of translations to the badge."""
    found = []
    for element in elements if path else []:
        own = element["own"] or {"edges": element["anchor"]["edges"], "offset": ["absolute", 0, 0]}
        values = {
            name: f"{value}px" if kind == "points" else f"{value * 100}%"
            for name, (kind, value) in zip(("width", "height"), element["size"])
        }
        moves = []
        for axis, (first, last) in enumerate([("leading", "trailing"), ("top", "bottom")]):
            points, parts, positions = 0, 0, []
            for sign, anchor in ((1, element["anchor"]), (-1, own)):
                start, end = first in anchor["edges"], last in anchor["edges"]
                positions.append(0.5 if start == end else 0 if start else 1)
                kind, offset = anchor["offset"][0], anchor["offset"][axis + 1]
                points += sign * offset if kind == "absolute" else 0
                parts += sign * offset if kind == "fractional" else 0
            values[side.leading if axis == 0 else "top"] = f"calc({positions[0] * 100}% + {points}px)"
            mirrored = -1 if axis == 0 and side.leading == "right" else 1
            moves.append(f"{mirrored * (parts - positions[1]) * 100}%")
        values["translate"] = " ".join(moves)
        found.append(box(f"{element['kind']} {path}", "anchored", values))
    return "".join(found)


def margins(side, edges, keeps_flexible):
    """Renders edge spacing as margins; flexible spacing becomes an auto margin, unless a separate spacer replaces it."""
    values = []
    for index in (1, 0, 3, 2):
        edge = edges[index] if edges else None
        if edge and edge[0] == "flexible":
            values.append("auto" if keeps_flexible(index) else 0)
        else:
            values.append(edge[1] if edge else 0)
    return side.sides("margin", values)


def line(side, group, room, items, values):
    """Renders a group with its contents; `room` is the size available to its subitems, in points."""
    first = items.path()
    values = values | side.sides("padding", group["insets"]) | {"direction": side.direction}
    if "frames" in group:
        found = []
        for x, y, width, height in group["frames"]:
            path = items.path()
            items.taken += 1
            if path:
                area = {"width": f"calc({width} * 100cqw)", "height": f"calc({height} * 100cqh)"}
                area |= {"top": f"calc({group['insets'][0]}px + {y} * 100cqh)"}
                area |= {side.leading: f"calc({group['insets'][1]}px + {x} * 100cqw)"}
                found.append(box(f"item {path}", "frame", area))
        return box(None, "group", values, "".join(found) + anchored(side, group["anchored"], first))
    subitems = repeated(group, room)
    along = group["axis"] == "vertical"
    flexible, gap = (group["spacing"][0] == "flexible", group["spacing"][1]) if group["spacing"] else (False, 0)
    equal = group["repetition"][0] == "equal"
    # Flexible edges with a minimum, or next to flexible gaps, become spacers that grow, and so do the gaps.
    edges = [edge for subitem in subitems for edge in (subitem["edges"] or [None] * 4)[along::2] if edge]
    flexible_edges = [edge for edge in edges if edge[0] == "flexible"]
    has_spacers = not equal and (any(edge[1] for edge in flexible_edges) or (flexible and bool(flexible_edges)))

    def spacer(minimum, kind):
        return box(None, "space", {"flex": f"{int(kind == 'flexible')} 0 {minimum}px"})

    found = []
    for index, subitem in enumerate(subitems):
        own = subitem["edges"] or [None] * 4
        if has_spacers and index > 0:
            found.append(spacer(gap, "flexible" if flexible else "fixed"))
        if has_spacers and own[along] and own[along][0] == "flexible":
            found.append(spacer(own[along][1], "flexible"))
        area = {"width": css(subitem["size"][0]), "height": css(subitem["size"][1])}
        if equal:
            area["height" if along else "width"] = "auto"
        area |= margins(side, own, lambda index: index % 2 != along or not has_spacers)
        points = [length(dimension, room) for dimension in subitem["size"]]
        if equal:
            points[along] = (room[along] - gap * (len(subitems) - 1)) / len(subitems)
        found.append(placed(side, subitem, points, items, area))
        if has_spacers and own[along + 2] and own[along + 2][0] == "flexible":
            found.append(spacer(own[along + 2][1], "flexible"))
    if equal:
        tracks = f"repeat({len(subitems)}, minmax(0, 1fr))"
        values |= {"display": "grid", "gap": gap}
        values |= {"grid-template-rows" if along else "grid-template-columns": tracks}
        values |= {"grid-template-columns" if along else "grid-template-rows": "100%"}
        values |= {"align-items" if not along else "justify-items": "start"}
        values |= {"align-items" if along else "justify-items": "stretch"}
    else:
        values |= {"display": "flex", "flex-direction": "column" if along else "row"}
        values |= {"justify-content": "space-between" if flexible and not has_spacers else "flex-start"}
        values |= {"gap": 0 if has_spacers else gap}
    return box(None, "group", values, "".join(found) + anchored(side, group["anchored"], first))


def placed(side, subitem, points, items, area):
    """Renders an item, or a group in a line."""
    if "axis" in subitem or "frames" in subitem:
        around = subitem["insets"]
        inner = [points[0] - around[1] - around[3], points[1] - around[0] - around[2]]
        return line(side, subitem, inner, items, area)
    path = items.path()
    items.taken += 1
    badges = anchored(side, subitem["anchored"], path)
    name = f"item {path}" if path else None
    return box(None, "item", area, box(name, "frame", side.sides("", subitem["insets"]), badges))
