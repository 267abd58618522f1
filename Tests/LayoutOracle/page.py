"""Shared parts of the pages of all families: the scrolling view and the measuring script."""

import json
from pathlib import Path

STYLE = """
* { box-sizing: border-box; margin: 0; padding: 0; border: 0; }
.view { position: relative; overflow: auto; }
"""


def quarter(generator, low, high):
    """Returns a random multiple of a quarter, which a browser represents exactly."""
    return generator.randint(round(low * 4), round(high * 4)) / 4


def positions(generator):
    """Returns scroll positions as fractions of the scroll range: the start, and two random ones."""
    return [[0, 0]] + [[generator.choice([generator.random(), 1]) for _ in "xy"] for _ in range(2)]


def style(values):
    """Returns CSS declarations; a number is a length in pixels."""
    declarations = ((key, value if isinstance(value, str) else f"{value}px") for key, value in values.items())
    return ";".join(f"{key}:{value}" for key, value in declarations)


def box(name, kind, values, inner=""):
    """Renders an element of the page; elements without a name are not measured."""
    named = f' data-name="{name}"' if name else ""
    return f'<div class="{kind}"{named} style="{style(values)}">{inner}</div>'


def document(family, cases):
    """Returns a page with every case in a separate scroll container, and the measuring script."""
    bodies = "\n".join(f'<div id="case{number}">{family.view(case)}</div>' for number, case in enumerate(cases))
    script = Path(__file__).with_name("measure.js").read_text()
    return (
        f"<!doctype html><meta charset=utf-8><style>{STYLE}{family.STYLE}</style>{bodies}"
        f"<script>const positions = {json.dumps([case['positions'] for case in cases])};\n{script}</script>"
    )
