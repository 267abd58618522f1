"""Generates random orthogonal sections that page by groups, like scroll snapping in a browser.

Lengths are even, and a group with its spacing is not a multiple of four, so no proposed offset lies halfway between two
groups. The trailing inset puts the last offset at a group too; otherwise a browser would snap to the end if that is nearer,
and the layout to the group.
"""

from compositional_page import STYLE, view
from page import positions

__all__ = ["CASES", "SLACK", "STYLE", "generated", "view"]

CASES = 100

# In device pixels: a browser stores lengths in 64ths, and a sum of two of them may be off by one more.
SLACK = 3 / 64


def strip(generator, axis, size):
    """Returns a section of several groups with one item each."""
    group = 2 * generator.randrange(20, 80)
    spacing = 2 * generator.randrange(0, 10)
    spacing += (group + spacing) % 4 == 0 and 2
    length = size[axis == "horizontal"]
    lead = 2 * generator.randrange(0, 12)
    trail = (length - lead + spacing) % (group + spacing)
    kind = generator.choice(["groupPaging", "groupPagingCentered"])
    if kind == "groupPagingCentered":
        trail = 2 * generator.randrange(0, 12)
    lengths = [["points", group], ["points", 2 * generator.randrange(10, 30)]]
    insets = [0, lead, 0, trail]
    if axis == "horizontal":
        lengths.reverse()
        insets = [lead, 0, trail, 0]
    item = {"size": [["width", 1], ["height", 1]], "insets": [0, 0, 0, 0], "edges": None, "anchored": []}
    line = {
        "axis": "horizontal", "size": lengths, "insets": [0, 0, 0, 0], "edges": None, "repetition": ["equal", 1],
        "spacing": None, "subitems": [item], "anchored": [],
    }
    return {
        "count": generator.randrange(1, 20), "insets": insets, "group": line, "groupSpacing": spacing, "boundary": [],
        "follows": True, "strip": kind, "decorations": [],
    }


def generated(generator):
    """Returns a layout of several sections with scroll positions."""
    axis = generator.choice(["vertical", "horizontal"])
    size = [2 * generator.randrange(150, 350), 2 * generator.randrange(120, 250)]
    return {
        "axis": axis, "rightToLeft": generator.random() < 0.3, "view": size, "boundary": [], "spacing": 10,
        "sections": [strip(generator, axis, size) for _ in range(generator.randrange(1, 4))],
        "positions": positions(generator) + positions(generator)[1:],
    }
