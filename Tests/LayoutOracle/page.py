"""What the pages of all families share: the view that scrolls, and the script that measures."""

import json
from pathlib import Path

STYLE = """
* { box-sizing: border-box; margin: 0; padding: 0; border: 0; }
.view { position: relative; overflow: auto; }
"""


def quarter(generator, low, high):
    """A length that a browser can hold exactly: a multiple of a quarter."""
    return generator.randint(round(low * 4), round(high * 4)) / 4


def places(generator):
    """From where a case is looked at, as parts of what can be scrolled: the beginning, and two places anywhere."""
    return [[0, 0]] + [[generator.choice([generator.random(), 1]) for _ in "xy"] for _ in range(2)]


def style(values):
    """CSS declarations; a number is a length in points."""
    declarations = ((key, value if isinstance(value, str) else f"{value}px") for key, value in values.items())
    return ";".join(f"{key}:{value}" for key, value in declarations)


def box(name, kind, values, inner=""):
    """An element of the page; one without a name is not measured."""
    named = f' data-name="{name}"' if name else ""
    return f'<div class="{kind}"{named} style="{style(values)}">{inner}</div>'


def document(family, cases):
    """Every case in a scroll container of its own, and a script that scrolls and measures."""
    bodies = "\n".join(f'<div id="case{number}">{family.view(case)}</div>' for number, case in enumerate(cases))
    script = Path(__file__).with_name("measure.js").read_text()
    return (
        f"<!doctype html><meta charset=utf-8><style>{STYLE}{family.STYLE}</style>{bodies}"
        f"<script>const places = {json.dumps([case['places'] for case in cases])};\n{script}</script>"
    )
