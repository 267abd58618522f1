"""Renders compositional layouts with flexbox and grid alone.

Everything follows the block axis of the writing mode along which the layout scrolls. Dimensions are lengths of container
queries: the box of a group, without its insets, is the container of its contents.
"""

from compositional_groups import Items, line, margins
from page import box, style
from sides import Side, length

STYLE = """
.sized { container-type: size; }
.content, .section { inline-size: 100%; display: flex; flex-direction: column; container-type: inline-size;
  position: relative; }
.content > *, .section > * { flex: none; }
.zone { display: grid; grid-template-columns: 100%; }
.zone > *, .over > * { grid-area: 1 / 1; }
.sticky { position: sticky; inset-inline: 0; }
.sticky.start { inset-block-start: 0; }
.sticky.end { inset-block-end: 0; }
.middle { display: flex; position: relative; }
.beside { flex: none; display: grid; }
.beside > * { grid-area: 1 / 1; align-self: center; block-size: 0; display: grid; align-content: center; }
.over { position: absolute; inset: 0; display: grid; grid-template: 100% / 100%; }
.body { flex: 1 1 0; min-inline-size: 0; container-type: inline-size; display: flex; flex-direction: column;
  align-items: flex-start; }
.strip { flex-direction: row; overflow: auto; }
.groupPaging, .groupPagingCentered { scroll-snap-type: both mandatory; }
.groupPaging > .group { scroll-snap-align: start; }
.groupPagingCentered > .group { scroll-snap-align: center; }
.background { position: absolute; }
.group { flex: none; container-type: size; contain: layout; position: relative; align-items: start;
  writing-mode: horizontal-tb; }
.item { flex: none; position: relative; }
.frame, .anchored { position: absolute; }
.space { align-self: stretch; }
"""


def bounded(side, kind, name, host, elements, kept, inner, behind=""):
    """Renders a box with its boundary items before, beside, above and behind its content.

    `kept` is the room that boundary items leave free at the start and end, along the scroll direction and across it.
    """
    zones = {"start": [], "end": [], "before": [], "after": [], "over": []}
    counts = {}
    across_kept = {"padding-inline": f"{kept[2]}px {kept[3]}px"}
    for element in elements:
        number = counts.get(element["kind"], 0)
        counts[element["kind"]] = number + 1
        along, across = side.parts(element["alignment"])
        move_across, move_along = element["offset"] if side.axis == "vertical" else reversed(element["offset"])
        room = {True: kept[0] + kept[1], False: kept[2] + kept[3]}
        values = {}
        for axis, (dimension, part) in enumerate(element["size"]):
            is_along = (axis == 1) == (side.axis == "vertical")
            # Header sizes refer to the container without the room kept free, along the scroll direction too.
            unit = f"({'100cqw' if dimension == 'width' else '100cqh'} - {room[is_along]}px)"
            values[("width", "height")[axis]] = f"{part}px" if dimension == "points" else f"calc({part} * {unit})"
        names = {0: "start", 0.5: "center", 1: "end"}
        title = f"{element['kind']} [{host}, {number}]"
        if not element["extends"]:
            values |= {"align-self": names[along], "justify-self": names[across]}
            values |= {"margin-block": f"{move_along}px {-move_along}px"}
            values |= {"margin-inline": f"{move_across}px {-move_across}px"}
            zones["over"].append(box(title, "label", values))
        elif along == 0.5:
            edge = ("before", "inline-end", -move_across) if across == 0 else ("after", "inline-start", move_across)
            position = {"margin-block": f"{move_along}px {-move_along}px", f"margin-{edge[1]}": edge[2]}
            position |= {"justify-self": "end" if across == 0 else "start"}
            zones[edge[0]].append(box(None, "hook", position, box(title, "side", values)))
        else:
            zone = "start" if along == 0 else "end"
            values |= {"margin-block-end": -move_along} if along == 0 else {"margin-block-start": move_along}
            if element["pins"]:
                values |= {"align-self": names[across]}
                values |= {"margin-inline": f"{kept[2] + move_across}px {kept[3] - move_across}px"}
                zones[zone].append(box(title, f"sticky {zone}", values))
            else:
                values |= {"align-self": "end" if along == 0 else "start", "justify-self": names[across]}
                values |= {"margin-inline": f"{move_across}px {-move_across}px"}
                zones[zone].append(box(title, "still", values))
    pinned = {zone for zone in ("start", "end") if any("sticky" in part for part in zones[zone])}
    ends = {
        zone: "".join(zones[zone]) if zone in pinned else box(None, "zone", across_kept, "".join(zones[zone]))
        for zone in ("start", "end")
    }
    beside = {zone: box(None, "beside", {}, "".join(zones[zone])) for zone in ("before", "after")}
    over = box(None, "over", across_kept, "".join(zones["over"])) if zones["over"] else ""
    middle = box(None, "middle", {}, beside["before"] + inner + beside["after"] + over)
    return box(name, kind, side.mode if kind == "content" else {}, behind + ends["start"] + middle + ends["end"])


def section(side, number, values, container):
    """Renders a section: its background, boundary items and groups."""
    around = values["insets"]
    start, end, first, last = side.logical(around)
    group = values["group"]
    room = [container[0] - around[1] - around[3], container[1] - around[0] - around[2]]
    for element in values["boundary"]:
        along, across = side.parts(element["alignment"])
        if element["extends"] and along == 0.5:
            room[side.axis == "horizontal"] -= element["size"][side.axis == "horizontal"][1]
    points = [length(dimension, room) for dimension in group["size"]]
    inner = [points[0] - group["insets"][1] - group["insets"][3], points[1] - group["insets"][0] - group["insets"][2]]

    # Across the section, a container query determines the room; along it, the view does, without the section's insets.
    area = {}
    for axis, (dimension, part) in enumerate(group["size"]):
        lost = {"width": around[1] + around[3], "height": around[0] + around[2], "points": 0}[dimension]
        if (dimension == "height") != (side.axis == "vertical"):
            lost = 0
        unit = "100cqw" if dimension == "width" else "100cqh"
        area[("width", "height")[axis]] = f"{part}px" if dimension == "points" else f"calc({part} * ({unit} - {lost}px))"
    follows = side.axis if values["strip"] == "none" else {"vertical": "horizontal", "horizontal": "vertical"}[side.axis]
    area |= margins(side, group["edges"], lambda index: (index % 2 == 1) != (follows == "vertical"))

    items = Items(number, values["count"])
    groups = []
    while items.taken < items.count:
        groups.append(line(side, group, inner, items, area))
    padding, margin = list(around), 0
    if values["strip"] == "groupPagingCentered":
        # Room to center the first and the last group.
        across = side.axis == "vertical"
        margin = (room[not across] - points[not across]) / 2
        for edge in (1, 3) if across else (0, 2):
            padding[edge] += margin
    body = style(side.sides("padding", padding) | side.sides("scroll-padding", around) | {"gap": values["groupSpacing"]})
    kind = "body" if values["strip"] == "none" else f"body strip {values['strip']}"
    body = f'<div class="{kind}" data-section="{number}" data-margin="{margin}" style="{body}">{"".join(groups)}</div>'
    behind = "".join(
        box(f"background [{number}, {index}]", "background", side.sides("", insets))
        for index, insets in enumerate(values["decorations"])
    )
    kept = (start, end, first, last) if values["follows"] else (0, 0, 0, 0)
    return bounded(side, "section", None, number, values["boundary"], kept, body, behind)


def view(case):
    """Renders a case as a scroll container."""
    side = Side(case)
    container = list(case["view"])
    for element in case["boundary"]:
        if side.parts(element["alignment"])[0] == 0.5:
            container[side.axis == "horizontal"] -= element["size"][side.axis == "horizontal"][1]
    sections = [section(side, number, values, container) for number, values in enumerate(case["sections"])]
    values = {"flex": "1 1 0", "min-inline-size": 0, "display": "flex", "flex-direction": "column", "gap": case["spacing"]}
    inner = box(None, "sections", values, "".join(sections))
    content = bounded(side, "content", "content", -1, case["boundary"], (0, 0, 0, 0), inner)
    values = {"width": case["view"][0], "height": case["view"][1]}
    return f'<div class="view sized" style="{style(values)}">{content}</div>'
