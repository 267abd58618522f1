"""Scrolling is free in both directions; whatever is in sight is there, and never too much of it."""

import measuring
from guide_page import CELLS, GuidePage
from places import expect_same_places
from world import EVENING, long, thorough

#: What the document may hold at any time.
MOST_CELLS = 1500


def _expect_filled(page, where, seconds=3):
    """Everywhere in the grid's area stands a cell or a gap."""
    page.wait_until(lambda: not page.blanks(), f"{where} is filled", seconds)


def _corners(world, service, path="/"):
    page = GuidePage.on(world, service)
    page.show(path)
    measuring.install(page)
    page.run("measuring.countMost(arguments[0])", CELLS)
    for across, down in [(1, 1), (0, 1), (0, 0), (1, 0), (0.5, 0.5), (0.25, 0.9)]:
        page.scroll_to_part(across, down)
        _expect_filled(page, f"the place {across:.0%} of time, {down:.0%} of stations", 8)
        assert page.stations_in_sight(), "no station names in sight"
    page.run("measuring.stop()")
    most = page.run("return measuring.count")
    world.note(f"at most {most} cells")
    assert most <= MOST_CELLS, most
    return page


@thorough
def far_corners_are_filled(world):
    _corners(world, world.service("sample"), f"/?at={EVENING}")


def far_corners_of_400_stations_are_filled(world):
    page = _corners(world, world.service("small"))
    page.scroll_to_part(1, 1)
    assert page.stations_in_sight()[-1] == 399, f"the last row in sight is {page.stations_in_sight()[-1]}"


@thorough
def what_was_fetched_stands_where_the_layout_puts_it(world):
    service = world.service("small")
    page = GuidePage.on(world, service)
    page.show("/")
    at = page.now()
    page.scroll_to_part(0.5, 0.4)
    _expect_filled(page, "the middle")
    rows = page.stations_in_sight()
    when = page.time_in_sight()
    matched = expect_same_places(service, page.cells(), when, page, rows=f"{rows[0]}-{rows[-1]}")
    world.note(f"{matched} cells compared, {(when - at) / 3600:.1f} hours from now")
    assert matched >= 15, matched


@thorough
def the_document_never_holds_more_than_1500_cells(world):
    page = GuidePage.on(world, world.service("small"), size=(2560, 1440))
    page.show("/")
    for _ in range(6):
        page.zoom("out")
    measuring.install(page)
    page.run("measuring.countMost(arguments[0])", CELLS)
    for across, down in [(0, 9000), (4000, 0), (-3000, -9000), (0, 14000)]:
        measuring.scroll(page, across, down, 6000)
        page.settle()
    page.run("measuring.stop()")
    most = page.run("return measuring.count")
    world.note(f"at most {most} cells in a window of 2560 × 1440, zoomed out to {page.measure('hour')} an hour")
    assert most <= MOST_CELLS, most


def titles_stay_in_sight_in_cells_that_are_cut_off(world):
    page = GuidePage.on(world, world.service("sample"))
    page.show(f"/?at={EVENING}")
    cut = 0
    for _ in range(5):
        page.wheel(700, 400, across=37)
        page.settle()
        edge = page.grid_area()[0]
        for cell in page.cells():
            if cell["kind"] == "airing" and cell["left"] < edge - 20 and cell["right"] > edge + 120 and cell["title"]:
                assert cell["textLeft"] >= edge - 1, f"the title of {cell} begins left of {edge}"
                cut += 1
    assert cut > 5, "no cell was cut off"


@thorough
def a_scrolled_place_can_be_seen_again_after_a_reload(world):
    page = GuidePage.on(world, world.service("small"))
    page.show("/")
    page.scroll_to_part(0.4, 0.5)
    _expect_filled(page, "the middle")
    page.reload()
    _expect_filled(page, "the page after a reload")


@long
def far_corners_of_20000_stations_are_filled(world):
    page = _corners(world, world.service("large"))
    page.scroll_to_part(1, 1)
    assert page.stations_in_sight()[-1] == 19_999, f"the last row in sight is {page.stations_in_sight()[-1]}"
    world.note(f"epgd holds {world.service('large').memory() / 1e6:.0f} MB")
