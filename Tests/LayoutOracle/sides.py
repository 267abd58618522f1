"""CSS lengths, and the CSS names of a compositional layout's sides."""

from flow import MODES


def length(dimension, room):
    """Returns the points of a dimension in a room; used only for counting."""
    kind, value = dimension
    return value * {"width": room[0], "height": room[1], "points": 1}[kind]


def css(dimension):
    """Returns a dimension as CSS, relative to the enclosing container."""
    kind, value = dimension
    return f"{value}px" if kind == "points" else f"calc({value} * {'100cqw' if kind == 'width' else '100cqh'})"


class Side:
    """The CSS names of a case's sides: leading is right if text runs from right to left."""

    def __init__(self, case):
        self.axis = case["axis"]
        self.leading, self.trailing = ("right", "left") if case["rightToLeft"] else ("left", "right")
        self.mode = MODES[case["axis"], case["rightToLeft"]]
        self.direction = "rtl" if case["rightToLeft"] else "ltr"

    def sides(self, name, values):
        """Converts top, leading, bottom and trailing to declarations of padding, margin or inset."""
        prefix = f"{name}-" if name else ""
        names = ("top", self.leading, "bottom", self.trailing)
        return {f"{prefix}{side}": value for side, value in zip(names, values) if value is not None}

    def logical(self, insets):
        """Converts insets to start and end along the scroll direction, and start and end across it."""
        top, leading, bottom, trailing = insets
        along, across = (top, bottom), (leading, trailing)
        return (*along, *across) if self.axis == "vertical" else (*across, *along)

    def parts(self, alignment):
        """Returns the position of an alignment along the scroll direction and across it: 0, ½ or 1."""
        text = alignment[0].upper() + alignment[1:]
        x = 0 if "Leading" in text else 1 if "Trailing" in text else 0.5
        y = 0 if "Top" in text else 1 if "Bottom" in text else 0.5
        return (y, x) if self.axis == "vertical" else (x, y)
