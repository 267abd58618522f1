"""Perceived speed: frame times and blank areas during scrolling."""

import contextlib
import statistics
from pathlib import Path

#: Milliseconds above which a frame visibly stutters (at 60 Hz, a frame takes 16.7).
SLOW = 25


def install(browser):
    browser.run(Path(__file__).with_name("measuring.js").read_text())


@contextlib.contextmanager
def at_most(world, browser, selector, limit, where=""):
    """Verifies that in every frame within the `with` block, at most `limit` elements match a selector."""
    install(browser)
    browser.run("measuring.countMost(arguments[0])", selector)
    yield
    browser.run("measuring.stop()")
    most = browser.run("return measuring.count")
    world.note(f"at most {most} of {selector}{where}")
    assert most <= limit, most


def scroll(browser, across=0, down=0, speed=3500, place=(640, 450)):
    """Scrolls the content with a steady wheel gesture, by points at `speed` points per second."""
    browser.developer(
        "Input.synthesizeScrollGesture", x=place[0], y=place[1], xDistance=-across, yDistance=-down, speed=speed,
        gestureSourceType="mouse", preventFling=True)


def frames(browser, *ways, place=(640, 450), speed=3500):
    """Returns the times between frames in milliseconds while the page scrolls along all `ways` (pairs of points)."""
    found = []
    for across, down in ways:
        browser.run("measuring.start()")
        scroll(browser, across, down, speed, place)
        browser.run("measuring.stop()")
        found += browser.run("return measuring.frames")
    return found


def slow_share(times):
    return sum(time > SLOW for time in times) / max(1, len(times))


def described(times):
    ordered = sorted(times)
    return (
        f"{len(times)} frames, median {statistics.median(times):.1f} ms, p95 {ordered[int(len(times) * 0.95)]:.1f} ms, "
        f"longest {ordered[-1]:.0f} ms, {slow_share(times):.1%} above {SLOW} ms")


def static_page(boxes, columns=11, width=1280, height=56):
    """Returns a page of `boxes` text boxes with the height of guide rows, without scripts."""
    wide = width // columns
    parts = [
        "<!DOCTYPE html><html lang=en><title>static</title><style>body{margin:0}div{position:absolute;"
        "box-sizing:border-box;border:1px solid #888;border-radius:4px;background:#e8eef8;overflow:hidden;"
        f"font:13px sans-serif;padding:4px}}main{{position:relative;height:{boxes // columns * height}px}}</style><main>"]
    for number in range(boxes // columns * columns):
        row, column = divmod(number, columns)
        parts.append(
            f'<div style="left:{column * wide}px;top:{row * height}px;width:{wide - 2}px;height:{height - 2}px">'
            f"<b>Programme {number}</b><br>Part {row}</div>")
    return "".join(parts) + "</main>"


def show_static(browser, boxes):
    """Shows a static page without network requests and returns its scroll range."""
    browser.go("about:blank")
    browser.run("document.open();document.write(arguments[0]);document.close()", static_page(boxes))
    install(browser)
    return browser.run("return document.scrollingElement.scrollHeight - innerHeight")
