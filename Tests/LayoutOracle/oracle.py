#!/usr/bin/env python3
"""Lays generated guides out twice, with the engine and with a browser, and compares every box.

    oracle.py path/to/layout-answers [--cases N] [--seed N] [--browser PROGRAM]

The page that the browser gets is made from the instants alone: CSS (calc, sticky, absolute places) puts each box where it
belongs, and no frame of the engine goes into it. Boxes are measured at several scroll offsets and device scales; they are
equal when every edge is, to a device pixel. Prints "N passed, N failed" last; a case is a guide at one offset and scale.
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

import guides

SCALES = [1, 1.5, 2, 3]

# A browser keeps lengths in 64ths of a device pixel; a sum of two of them may be off by one more.
SLACK = 3 / 64


def page(cases):
    """The document: every case in a scroll container of its own, and a script that scrolls and measures."""
    bodies = "\n".join(guides.container(number, case) for number, case in enumerate(cases))
    offsets = json.dumps([case["offsets"] for case in cases])
    script = Path(__file__).with_name("measure.js").read_text()
    return (
        f"<!doctype html><meta charset=utf-8><style>{guides.STYLE}</style>{bodies}"
        f"<script>const offsets = {offsets};\n{script}</script>"
    )


def measured(browser, document, scale, folder):
    """What the browser says: for each case, for each offset, the edges of each box by its name."""
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


def differences(engine, browser, view, offset, scale):
    """What differs between the two at one offset; edges in content coordinates."""
    found = []
    lead = browser.pop("lead")
    browser["corner"][2] = max(browser["corner"][2], lead[2])
    for name, edges in engine.items():
        box = browser.get(name)
        if box is None:
            found.append(f"{name} is not on the page: {edges}")
            continue
        for side, ours, theirs in zip(("left", "top", "right", "bottom"), edges, box):
            if abs(ours - theirs) * scale > 0.5 + SLACK:
                found.append(f"{name} {side}: engine {ours}, browser {theirs}")
    for name, box in browser.items():
        # What shows at least a whole device pixel has to be among the elements.
        across = min(box[2], offset[0] + view[0]) - max(box[0], offset[0])
        down = min(box[3], offset[1] + view[1]) - max(box[1], offset[1])
        if name not in engine and across * scale > 1 and down * scale > 1:
            found.append(f"{name} is on the page alone: {box}")
    return found


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("engine")
    arguments.add_argument("--cases", type=int, default=100)
    arguments.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    arguments.add_argument("--browser", default="chromium")
    options = arguments.parse_args()
    print(f"seed {options.seed}", flush=True)
    generator = random.Random(options.seed)
    cases = [guides.generated(generator) for _ in range(options.cases)]
    document = page(cases)
    passed = failed = boxes = 0
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "cases.json").write_text(json.dumps({"guides": cases}))
        for scale in SCALES:
            answer = subprocess.run(
                [options.engine, f"{folder}/cases.json", str(scale)], capture_output=True, check=True).stdout
            engine = json.loads(answer)["guides"]
            browser = measured(options.browser, document, scale, folder)
            for number, case in enumerate(cases):
                for index, offset in enumerate(case["offsets"]):
                    boxes += len(engine[number][index])
                    found = differences(engine[number][index], browser[number][index], case["view"], offset, scale)
                    if found:
                        failed += 1
                        if failed <= 10:
                            print(f"guide {number}, offset {offset}, scale {scale}:", *found[:5], sep="\n  ")
                    else:
                        passed += 1
    print(f"{boxes} boxes compared")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
