"""Home, stations and a station's day at several widths: CSS alone decides how many columns there are."""

from guide_page import GuidePage
from world import EVENING, thorough

#: Points, and the columns of stations that have room then.
WIDTHS = {320: 3, 360: 3, 639: 5, 640: 5, 1024: 8, 1200: 8, 1600: 10, 1920: 11}


def _columns(page, selector):
    return page.run("return new Set([...document.querySelectorAll(arguments[0])].map((element) => Math.round(element.getBoundingClientRect().left))).size",
                    selector)


def _open(page, path, width):
    page.resize(width, 800, 1)
    page.open(path)
    page.settle()
    assert page.run("return document.documentElement.scrollWidth") <= width, f"{path} sticks out of {width} points"


def stations_fill_rows_of_every_width(world):
    page = GuidePage.on(world, world.service("small"))
    for width, columns in WIDTHS.items():
        _open(page, f"/stations?at={EVENING}", width)
        found = _columns(page, ".v-logos > li")
        assert found == columns, f"{found} columns of stations at {width} points, not {columns}"


def shelves_and_days_stay_in_the_page(world):
    page = GuidePage.on(world, world.service("sample"))
    for width in WIDTHS:
        _open(page, f"/stations/harbour-one.example?at={EVENING}", width)
        _open(page, f"/home?at={EVENING}", width)
        assert _columns(page, ".v-on-now .v-card") == 2, f"what is on at {width} points"
        shelf = page.run("const shelf = document.querySelector('.v-shelf'); return [shelf.clientWidth, shelf.scrollWidth]")
        assert shelf[0] <= width < shelf[1] or width > 1200, f"the shelf at {width} points: {shelf}"


@thorough
def a_shelf_comes_to_rest_at_a_card(world):
    page = GuidePage.on(world, world.service("sample"))
    _open(page, f"/home?at={EVENING}", 360)
    rest = page.run("""
        const shelf = document.querySelector('.v-shelf'), card = shelf.children[1];
        shelf.style.scrollBehavior = 'auto';
        shelf.scrollLeft = card.offsetLeft - shelf.offsetLeft - 40;
        return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() =>
            resolve([card.getBoundingClientRect().left, parseFloat(getComputedStyle(shelf).paddingInlineStart)]))))""")
    assert abs(rest[0] - rest[1]) < 1.5, rest
