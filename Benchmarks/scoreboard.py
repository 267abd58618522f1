"""The table of figures printed by `bench.py`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """A measured value and its limit."""

    name: str
    ours: str
    #: The value of the yardstick; empty without a yardstick.
    yardstick: str
    #: Ours as a multiple of the yardstick, or ours without a yardstick.
    value: float
    #: Maximum value.
    limit: float
    unit: str = "×"
    #: Target value.
    aim: float | None = None

    @property
    def is_met(self) -> bool:
        return self.value <= self.limit

    def cells(self) -> list[str]:
        result = "ok" if self.is_met else "EXCEEDED"
        if self.is_met and self.aim is not None and self.value > self.aim:
            result = "ok, above its aim"
        limit = number(self.limit, self.unit) + ("" if self.aim is None else f" (aim {number(self.aim, self.unit)})")
        figure = number(self.value, self.unit)
        if self.unit == "×" and figure == number(self.limit, self.unit):
            figure = f"{self.value:.4f} ×"
        return [self.name, self.ours, self.yardstick, figure, limit, result]


def number(value: float, unit: str) -> str:
    """Formats a value with its unit: `1.14 ×`, `96 MB`, `0 pages`."""
    return f"{value:.2f} {unit}" if unit == "×" else f"{value:.0f} {unit}"


def seconds(value: float) -> str:
    """Formats a duration: `0.776 s`, `4.31 ms`, `118 µs`."""
    if value >= 0.1:
        return f"{value:.3f} s"
    return f"{value * 1e3:.2f} ms" if value >= 1e-3 else f"{value * 1e6:.0f} µs"


def ratio(name: str, ours: float, yardstick: float, limit: float, aim: float | None = None) -> Figure:
    """Returns the figure for the ratio of two times in seconds."""
    return Figure(name, seconds(ours), seconds(yardstick), ours / yardstick, limit, aim=aim)


def table(figures: list[Figure]) -> str:
    """Formats all figures in columns, one per line."""
    rows = [["", "ours", "yardstick", "figure", "limit", ""]] + [figure.cells() for figure in figures]
    widths = [max(len(row[column]) for row in rows) for column in range(6)]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0])] + [row[column].rjust(widths[column]) for column in range(1, 4)]
        lines.append("  ".join(cells + [row[4].ljust(widths[4]), row[5]]).rstrip())
    return "\n".join(lines)
