#!/usr/bin/env python3
"""Lays generated cases out twice, with the engine and with a browser, and compares every box.

    oracle.py path/to/layout-answers [--family NAME] [--cases N] [--seed N] [--browser PROGRAM]

The page that the browser gets is made from the case alone: CSS (flexbox, grid, calc, sticky, absolute places) puts each
box where it belongs, and no frame of the engine goes into it. Boxes are measured at several scroll offsets and device
scales; they are equal when every edge is, to a device pixel. Prints "N passed, N failed" last, over all families; one is
a case at one offset and scale.
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
    """What the browser says: for each case, for each offset, the offset and the edges of each box by its name."""
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


def answered(engine, name, cases, looks, scale, folder):
    """What the engine says of the cases at the offsets that the browser scrolled to: edges of boxes by their names."""
    asked = []
    for case, found in zip(cases, looks, strict=True):
        offsets = [look["offset"] for look in found]
        asked.append({**case, "offsets": offsets, "strips": [look["strips"] for look in found]})
    path = Path(folder, "cases.json")
    path.write_text(json.dumps({name: asked}))
    run = subprocess.run([engine, str(path), str(scale)], capture_output=True)
    if run.returncode:
        sys.exit(f"{engine} failed (exit {run.returncode}): {run.stderr.decode()[-500:]}")
    return json.loads(run.stdout)[name]


def differences(engine, browser, seen, slack):
    """What differs between the two, in device pixels.

    The browser's edges are not snapped: half a device pixel is what snapping may move, and the slack what the browser
    rounds away, which keeps lengths in 64ths.
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
        # What shows at least a whole device pixel has to be among the elements.
        across = min(box[2], seen[2]) - max(box[0], seen[0])
        down = min(box[3], seen[3]) - max(box[1], seen[1])
        if name not in engine and across > 1 and down > 1:
            found.append(f"{name} is on the page alone: {box}")
    return found


def compare(options, name, generator, folder):
    """Lays out and compares the cases of a family; gives the numbers of those that passed and failed."""
    family = FAMILIES[name]
    cases = [family.generated(generator) for _ in range(options.cases or family.CASES)]
    document = page.document(family, cases)
    passed = failed = boxes = 0
    for scale in SCALES:
        looks = measured(options.browser, document, scale, folder)
        if family is guides:
            for case, found in zip(cases, looks, strict=True):
                for look in found:
                    guides.adjust(case, look["boxes"])
        answers = answered(options.engine, name, cases, looks, scale, folder)
        for number, case in enumerate(cases):
            for index, (look, answer) in enumerate(zip(looks[number], answers[number], strict=True)):
                ours, theirs = (
                    {name: [edge * scale for edge in edges] for name, edges in side.items()}
                    for side in (answer, look["boxes"])
                )
                boxes += len(ours)
                # The engine answers for what is seen at the first place, and for everything at the others.
                x, y = look["offset"] if index == 0 else (-1e9, -1e9)
                width, height = case["view"] if index == 0 else (2e9, 2e9)
                seen = [edge * scale for edge in (x, y, x + width, y + height)]
                found = differences(ours, theirs, seen, family.SLACK)
                passed += not found
                failed += bool(found)
                if found and failed <= 10:
                    where = f"{name} {number}, offset {look['offset']}, scale {scale}, device pixels:"
                    print(where, *found[:5], sep="\n  ")
                    if failed == 1:
                        print(f"  the case: {json.dumps(case)}")
    print(f"{name}: {len(cases)} cases, {boxes} boxes compared; {passed} of {passed + failed} passed", flush=True)
    return passed, failed


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("engine")
    arguments.add_argument("--family", choices=FAMILIES, action="append", help="only this one; all by default")
    arguments.add_argument("--cases", type=int, help="of each family")
    arguments.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    arguments.add_argument("--browser", default="chromium")
    options = arguments.parse_args()
    print(f"seed {options.seed}", flush=True)
    totals = []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.family or FAMILIES:
            # A generator for each, so that a family alone has the same cases.
            totals.append(compare(options, name, random.Random(f"{options.seed} {name}"), folder))
    passed, failed = (sum(column) for column in zip(*totals))
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
