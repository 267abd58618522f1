"""Scrolling speed over ten screens of a guide with 5,000 stations."""

import os
import statistics

import measuring
from guide_page import CELLS, COVERING, GuidePage
from support.report import long

#: Ten screens of 700 points.
FAR = 7000
ROUNDS = 3
#: The number of boxes that pass by on that distance: 137 rows of 11.
BOXES = 1507


def _expect_as_smooth_as_a_static_page(world, page, place, *ways):
    """Scrolls the guide from `place` (fractions of its size) along all `ways`, and a static page for comparison."""
    ours, static = [], []
    for _ in range(ROUNDS):
        page.show("/")
        if place:
            page.scroll_to_part(*place)
            page.settle()
        measuring.install(page)
        times = measuring.frames(page, *ways)
        ours.append(measuring.slow_share(times))
        world.note(f"guide: {measuring.described(times)}, {page.count(CELLS)} cells")
        room = measuring.show_static(page, BOXES)
        times = measuring.frames(page, (0, room), (0, -room))
        static.append(measuring.slow_share(times))
        world.note(f"static page: {measuring.described(times)}; load average {os.getloadavg()[0]:.1f}")
    beyond = statistics.median(ours) - statistics.median(static)
    assert beyond <= 0.05, f"{beyond:.1%} more frames above {measuring.SLOW} ms than a static page with the same number of boxes"


@long
def scrolling_along_stations_is_as_smooth_as_a_static_page(world):
    page = GuidePage.on(world, world.service("medium"))
    _expect_as_smooth_as_a_static_page(world, page, (0.5, 0.3), (0, FAR), (0, -FAR))


@long
def scrolling_along_time_is_as_smooth_as_a_static_page(world):
    page = GuidePage.on(world, world.service("medium"))
    _expect_as_smooth_as_a_static_page(world, page, None, (FAR, 0), (-FAR, 0))


@long
def scrolling_with_a_preview_is_as_smooth_as_a_static_page(world):
    page = GuidePage.on(world, world.service("medium"))
    page.show("/")
    page.choose_setting("preview", "on")
    page.wait("document.querySelector('#preview .preview-title')?.textContent")
    _expect_as_smooth_as_a_static_page(world, page, (0.5, 0.3), (0, FAR), (0, -FAR))


@long
def no_area_stays_blank_for_more_than_150_milliseconds(world):
    page = GuidePage.on(world, world.service("medium"))
    worst = 0
    for across, down in [(0, FAR), (0, -FAR), (FAR, 0), (3000, 3000)]:
        page.show("/")
        page.scroll_to_part(0.1 if across else 0.5, 0.3)
        page.settle()
        measuring.install(page)
        left, top, right, bottom = page.grid_area()
        page.run(f"""
            measuring.watchBlanks({page.SCROLLER}, arguments[0], arguments[1], {{x: 120, y: 112}})""",
            COVERING, {"left": left + 4, "top": top + 4, "right": right - 4, "bottom": bottom - 4})
        measuring.scroll(page, across, down)
        page.settle()
        page.run("measuring.stop()")
        longest, samples, most = page.run("return [measuring.longest.milliseconds, measuring.samples, measuring.most]")
        world.note(f"{across} across, {down} down: blank for at most {longest:.0f} ms, {most} points at once, {samples} samples")
        worst = max(worst, longest)
        assert samples > 20, f"only {samples} samples"
    assert worst <= 150, f"blank for {worst:.0f} ms"
