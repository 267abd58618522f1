#!/usr/bin/env python3
"""Lays out generated cases with the engine and with a browser, and compares every box.

    oracle.py path/to/layout-frames [--family NAME] [--cases N] [--seed N] [--browser PROGRAM]

The page for the browser depends on the case alone: CSS (flexbox, grid, calc, sticky and absolute positions) places each box,
without any frame from the engine. Boxes are measured at several scroll offsets and device scales; they are equal if every
edge matches to a device pixel. Prints "N passed, N failed" at the end, over all families; a unit is one case at one offset
and scale.
"""

import argparse
import html
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import compositional
import flow
import guides
import page
import pins
import strips

FAMILIES = {"guides": guides, "flow": flow, "compositional": compositional, "strips": strips, "pins": pins}
SCALES = [1, 1.5, 2, 3]


def measured(browser, document, scale, folder):
    """Renders the page and returns, for each case and offset, the offset and the edges of each box by name."""
    path = Path(folder, "page.html")
    path.write_text(document)
    command = [
        browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1600,1200",
        f"--force-device-scale-factor={scale}", f"--user-data-dir={folder}/profile", "--dump-dom", path.as_uri(),
    ]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    found = re.search(r'<pre id="measured">(.*?)</pre>', run.stdout, re.DOTALL)
    if not found:
        sys.exit(f"the browser measured nothing (exit {run.returncode}): {run.stderr[-500:]}")
    return json.loads(html.unescape(found.group(1)))


def engine_frames(engine, name, cases, views, scale, folder):
    """Runs the engine at the offsets from the browser and returns the edges of boxes by name."""
    requests = []
    for case, found in zip(cases, views, strict=True):
        offsets = [view["offset"] for view in found]
        requests.append({**case, "offsets": offsets, "strips": [view["strips"] for view in found]})
    path = Path(folder, "cases.json")
    path.write_text(json.dumps({name: requests}))
    run = subprocess.run([engine, str(path), str(scale)], capture_output=True)
    if run.returncode:
        sys.exit(f"{engine} failed (exit {run.returncode}): {run.stderr.decode()[-500:]}")
    return json.loads(run.stdout)[name]


def differences(engine, browser, visible, slack):
    """Returns the differences between engine and browser, in device pixels.

    The browser's edges are not snapped: the tolerance is half a device pixel for snapping, plus `slack` for the browser's
    rounding of lengths to 64ths.
    """
    found = []
    for name, edges in engine.items():
        box = browser.get(name)
        if box is None:
            found.append(f"{name} is not on the page: {edges}")
            continue
        for side, ours, theirs in zip(("left", "top", "right", "bottom"), edges, box):
            if not abs(ours - theirs) <= 0.5 + slack:
                found.append(f"{name} {side}: engine {ours}, browser {theirs}")
    for name, box in browser.items():
        # A box that shows more than one device pixel must be among the elements.
        across = min(box[2], visible[2]) - max(box[0], visible[0])
        down = min(box[3], visible[3]) - max(box[1], visible[1])
        if name not in engine and across > 1 and down > 1:
            found.append(f"{name} is only on the page: {box}")
    return found


def compare(options, name, generator, folder):
    """Lays out and compares the cases of a family; returns the numbers of passed and failed comparisons."""
    family = FAMILIES[name]
    cases = [family.generated(generator) for _ in range(options.cases or family.CASES)]
    document = page.document(family, cases)
    passed = failed = boxes = 0
    for scale in SCALES:
        views = measured(options.browser, document, scale, folder)
        if family is guides:
            for case, found in zip(cases, views, strict=True):
                for view in found:
                    guides.adjust(case, view["boxes"])
        frames = engine_frames(options.engine, name, cases, views, scale, folder)
        for number, case in enumerate(cases):
            for index, (view, edges) in enumerate(zip(views[number], frames[number], strict=True)):
                ours, theirs = (
                    {name: [edge * scale for edge in sides] for name, sides in boxes_of.items()}
                    for boxes_of in (edges, view["boxes"])
                )
                boxes += len(ours)
                # At the first offset, the engine returns visible elements only, at the others all elements.
                x, y = view["offset"] if index == 0 else (-1e9, -1e9)
                width, height = case["view"] if index == 0 else (2e9, 2e9)
                visible = [edge * scale for edge in (x, y, x + width, y + height)]
                found = differences(ours, theirs, visible, family.SLACK)
                passed += not found
                failed += bool(found)
                if found and failed <= 10:
                    where = f"{name} {number}, offset {view['offset']}, scale {scale}, device pixels:"
                    print(where, *found[:5], sep="\n  ")
                    if failed == 1:
                        print(f"  the case: {json.dumps(case)}")
    print(f"{name}: {len(cases)} cases, {boxes} boxes compared; {passed} of {passed + failed} passed", flush=True)
    return passed, failed


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("engine")
    arguments.add_argument("--family", choices=FAMILIES, action="append", help="compare only this family (default: all)")
    arguments.add_argument("--cases", type=int, help="number of cases of each family")
    arguments.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    arguments.add_argument("--browser", default="chromium")
    options = arguments.parse_args()
    print(f"seed {options.seed}", flush=True)
    totals = []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.family or FAMILIES:
            # A separate generator for each family, so that a single family has the same cases.
            totals.append(compare(options, name, random.Random(f"{options.seed} {name}"), folder))
    passed, failed = (sum(column) for column in zip(*totals))
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
