"""The home page, the stations page and a station's day at several widths: CSS alone determines the number of columns."""

from guide_page import GuidePage
from support.report import long
from world import EVENING

#: Window widths in points, with the number of columns of cards.
WIDTHS = {320: 1, 360: 1, 639: 2, 640: 2, 1024: 3, 1200: 3, 1440: 4, 1600: 4, 1920: 4}

DAY = "/stations/harbour-one.example"

#: Cards whose badge covers a text. The boxes of texts are clipped at their lines.
COVERED = """
    return [...document.querySelectorAll('.v-cards > .v-has-badge')].filter((card) => {
        const badge = card.querySelector('.v-badge > span').getBoundingClientRect();
        return [...card.querySelectorAll('.v-now .v-station, .v-later .v-title')].some((line) => {
            const style = getComputedStyle(line), box = line.getBoundingClientRect();
            const left = box.left + parseFloat(style.paddingLeft), right = box.right - parseFloat(style.paddingRight);
            return left < badge.right && badge.left < right && box.top < badge.bottom && badge.top < box.bottom;
        });
    }).map((card) => card.textContent)"""

#: The focused card with the area in which it must be visible: below the heading of its section, within the window.
FOCUSED = """
    const link = document.activeElement, card = link.closest('.v-card');
    if (!card) return null;
    const box = link.getBoundingClientRect(), head = card.closest('section').querySelector('h2').getBoundingClientRect();
    return {shelf: !!card.closest('.v-shelf'), left: box.left, top: box.top, right: box.right, bottom: box.bottom, head: head.bottom,
        width: document.documentElement.clientWidth, height: innerHeight}"""


#: Makes a shelf of the highlights: the sample has too few pictures for one.
SHELF = """
    document.querySelector('.v-highlights .v-cards').className = 'v-shelf';
    for (const link of document.querySelectorAll('.v-shelf a')) link.className = 'v-feature';"""


def _columns(page, selector):
    return page.run("return new Set([...document.querySelectorAll(arguments[0])].map((element) => Math.round(element.getBoundingClientRect().left))).size",
                    selector)


def _open(page, path, width, direction="ltr"):
    page.resize(width, 800, 1)
    page.open(f"{path}?at={EVENING}&dir={direction}")
    page.settle()
    left, right = page.run("""
        const boxes = [...document.querySelectorAll('main > *, .v-section > *, .v-cards > *, .v-group, .v-row')]
            .map((element) => element.getBoundingClientRect()).filter((box) => box.width);
        return [Math.min(...boxes.map((box) => box.left)), Math.max(...boxes.map((box) => box.right))]""")
    assert page.run("return document.documentElement.scrollWidth") <= width, f"{path} is wider than {width} points"
    assert left >= -0.5 and right <= width + 0.5, f"{path} reaches from {left} to {right} at {width} points, {direction}"


def number_of_station_columns_follows_the_width(world):
    page = GuidePage.on(world, world.service("small"))
    for width, columns in WIDTHS.items():
        _open(page, "/stations", width)
        found = _columns(page, ".v-card")
        assert found == columns, f"{found} columns of stations at {width} points, not {columns}"


def shelves_and_days_fit_the_page(world):
    page = GuidePage.on(world, world.service("sample"))
    for width, columns in WIDTHS.items():
        _open(page, DAY, width)
        _open(page, "/home", width)
        # On a phone, current airings are in two columns.
        assert _columns(page, ".v-on-now .v-card") == max(2, columns), f"columns of current airings at {width} points"
        found = _columns(page, ".v-section:not(.v-highlights, .v-on-now) .v-card")
        assert found == columns, f"{found} columns of later airings at {width} points, not {columns}"
        page.run(SHELF)
        shelf = page.run("const shelf = document.querySelector('.v-shelf'); return [shelf.clientWidth, shelf.scrollWidth]")
        assert shelf[0] <= width < shelf[1], f"the shelf at {width} points: {shelf}"


@long
def columns_are_mirrored_in_right_to_left_pages(world):
    for path, guide, selector in [("/stations", "small", ".v-card"), ("/home", "sample", ".v-on-now .v-card"), (DAY, "sample", ".v-row")]:
        page = GuidePage.on(world, world.service(guide))
        for width in (320, 639, 1024):
            places = {}
            for direction in ("ltr", "rtl"):
                _open(page, path, width, direction)
                places[direction] = page.run(
                    "return [...document.querySelectorAll(arguments[0])].map((element) => element.getBoundingClientRect()).map((box) => [box.left, box.right])",
                    selector)
            wrong = [(one, other) for one, other in zip(places["ltr"], places["rtl"]) if abs(one[0] - (width - other[1])) > 1]
            assert places["ltr"] and not wrong, f"{path} at {width} points isn't mirrored: {wrong[:3]}"


@long
def badges_cover_no_text(world):
    page = GuidePage.on(world, world.service("sample"))
    for width in (320, 640, 1200):
        for direction in ("ltr", "rtl"):
            _open(page, "/home", width, direction)
            covered = page.run(COVERED)
            assert not covered, f"at {width} points, {direction}: {covered}"


@long
def tab_key_scrolls_each_card_into_view(world):
    page = GuidePage.on(world, world.service("sample"))
    page.prefer(reduced_motion="reduce")
    _open(page, "/home", 360)
    page.run(SHELF)
    cards = page.count(".v-card > a")
    order = page.run("const links = [...document.querySelectorAll('.v-card > a')]; links[0].focus(); return links.map((link) => link.href)")
    for holding, expected in [(None, order), ("Shift", order[::-1])]:
        for number, url in enumerate(expected):
            page.settle(60)
            card = page.run(FOCUSED)
            assert card and page.run("return document.activeElement.href") == url, f"card {number} isn't focused, {holding}"
            # Chromium scrolls horizontally only if less than 32 points are in view.
            assert min(card["right"], card["width"]) - max(card["left"], 0) >= 32, f"card {number}, {holding}: {card}"
            assert card["top"] >= -0.5 and card["bottom"] <= card["height"] + 0.5, f"card {number}, {holding}: {card}"
            assert card["shelf"] or card["top"] >= card["head"] - 0.5, f"card {number} is behind its heading, {holding}: {card}"
            if number + 1 < cards:
                page.press("Tab", holding=holding)


@long
def shelf_snaps_to_a_card(world):
    page = GuidePage.on(world, world.service("sample"))
    _open(page, "/home", 360)
    page.run(SHELF)
    rest = page.run("""
        const shelf = document.querySelector('.v-shelf'), card = shelf.children[1];
        shelf.style.scrollBehavior = 'auto';
        shelf.scrollLeft = card.offsetLeft - shelf.offsetLeft - 40;
        return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() =>
            resolve([card.getBoundingClientRect().left, parseFloat(getComputedStyle(shelf).paddingInlineStart)]))))""")
    assert abs(rest[0] - rest[1]) < 1.5, rest
