"""The grid with hours downwards and stations across."""

import axe
from guide_page import GuidePage
from support.report import long
from world import EVENING


def _page(world, guide="sample", path=f"/?at={EVENING}", **settings):
    page = GuidePage.on(world, world.service(guide), **settings)
    page.show(path)
    _turn(page)
    return page


def _turn(page):
    before = page.run("return window.epg.isVertical")
    # On a phone, the button may be out of sight.
    page.run("document.getElementById('turn').click()")
    page.wait_until(lambda: page.run("return window.epg.isVertical") != before, "the grid has turned")
    page.settle()


def _area(page):
    """Returns the left, top, right and bottom of the part of the window that shows cells."""
    return page.run("""
        const guide = document.getElementById('guide').getBoundingClientRect(), corner = document.getElementById('corner').getBoundingClientRect();
        const isRTL = document.documentElement.dir === 'rtl';
        return [isRTL ? guide.left : corner.right, corner.bottom, isRTL ? corner.left : guide.right, guide.bottom];""")


def _blanks(page):
    """Returns points of the area without a cell or gap, except beside the last station."""
    return page.run("""
        const [left, top, right, bottom] = arguments, found = [];
        const edges = [...document.querySelectorAll('#guide .row')].filter((row) => row.checkVisibility()).map((row) => row.getBoundingClientRect());
        const [first, last] = [Math.min(...edges.map((edge) => edge.left)), Math.max(...edges.map((edge) => edge.right))];
        for (let x = Math.max(left, first) + 12; x < Math.min(right, last) - 2; x += 31) {
            for (let y = top + 5; y < bottom - 2; y += 41) {
                if (!document.elementsFromPoint(x, y).some((element) => element.closest('#guide .cell'))) found.push([x, y]);
            }
        }
        return edges.length ? found : [[0, 0]];""", *_area(page))


def cells_are_where_the_services_vertical_layout_has_them(world):
    service = world.service("sample")
    page = _page(world)
    elements = service.json("/api/v1/grid", **{
        "from": EVENING - 8 * 3600, "hours": 24, "at": EVENING, "orientation": "vertical", "pointsPerHour": 180, "rowHeight": 160,
        "stationWidth": 60, "headerHeight": 80})["elements"]
    known = {
        element["airing"]: element["frame"] for element in elements
        if element["kind"] == "airing" and not element["clippedStart"] and not element["clippedEnd"]}
    pairs = [(cell, known[cell["id"]]) for cell in page.cells() if cell["id"] in known]
    assert len(pairs) >= 25, len(pairs)
    across, down = pairs[0][0]["left"] - pairs[0][1]["x"], pairs[0][0]["top"] - pairs[0][1]["y"]
    for cell, frame in pairs:
        seen = (cell["left"] - across, cell["top"] - down, cell["width"], cell["height"])
        wanted = (frame["x"], frame["y"], frame["width"], frame["height"])
        assert all(abs(one - other) <= 1 for one, other in zip(seen, wanted)), f"{cell['text'][:30]!r} is at {seen}, by the API at {wanted}"
    assert not _blanks(page), _blanks(page)[:5]


def turning_keeps_the_time_and_survives_a_reload(world):
    page = _page(world, "small", "/")
    instant = page.time_in_view()
    page.reload()
    assert page.run("return window.epg.isVertical"), "the grid runs across after a reload"
    assert page.run("return document.getElementById('turn').getAttribute('aria-pressed')") == "true"
    page.run(f"{page.SCROLLER}.scrollTo({{top: 4000, left: 800, behavior: 'instant'}})")
    page.settle()
    instant, place = page.time_in_view(), page.run("return window.epg.firstPlace")
    assert place == 5, place
    _turn(page)
    assert abs(page.time_in_view() - instant) < 30, (page.time_in_view(), instant)
    assert page.run("return window.epg.firstPlace") == place
    page.wait_until(lambda: not page.blanks(), "the grid is filled")
    page.reload()
    assert not page.run("return window.epg.isVertical"), "the grid runs downwards after a reload"


def hours_and_stations_stay_in_sight(world):
    page = _page(world, "small", "/")
    before = page.box("#corner"), page.box("#hours")[0], page.box("#heads")[1]
    page.wheel(600, 500, down=900)
    page.wheel(600, 500, across=700)
    page.settle()
    assert page.scrolled()[0] > 600 and page.scrolled()[1] > 800, page.scrolled()
    assert (page.box("#corner"), page.box("#hours")[0], page.box("#heads")[1]) == before
    page.wait_until(lambda: not _blanks(page), "the grid is filled")


def arrow_keys_follow_the_screen(world):
    page = _page(world)
    page.focus_grid()
    first = page.focused()
    page.press("ArrowDown")
    later = page.wait_for_focus_after(first)
    assert later["row"] == first["row"] and later["start"] >= first["stop"] - 1, f"{first} then {later}"
    page.press("ArrowUp")
    again = page.wait_for_focus_after(later)
    assert (again["row"], again["start"]) == (first["row"], first["start"]), f"{again} instead of {first}"
    page.press("ArrowRight")
    other = page.wait_for_focus_after(again)
    assert other["row"] == first["row"] + 1 and other["start"] < first["stop"] and other["stop"] > first["start"], f"{first} then {other}"
    page.press("ArrowLeft")
    assert page.wait_for_focus_after(other)["row"] == first["row"]
    top = page.scrolled()[1]
    page.press("PageDown")
    page.wait_until(lambda: page.scrolled()[1] > top + 200, "Page Down shows later hours")
    page.settle()
    left, above, right, below = _area(page)
    focused = page.focused()
    assert focused["row"] == first["row"] and focused["bottom"] > above and focused["top"] < below, focused
    page.press("PageUp")
    page.wait_until(lambda: page.scrolled()[1] < top + 200, "Page Up shows earlier hours")


@long
def enter_opens_the_details_and_now_returns(world):
    page = _page(world)
    page.run("document.querySelector('.row[data-row=\"0\"] .cell:not(.gap) a').focus({preventScroll: true})")
    title = page.focused()["title"]
    page.press("Enter")
    assert title in page.details()
    page.close_details()
    page.run(f"{page.SCROLLER}.scrollTo({{top: 0, behavior: 'instant'}})")
    page.settle()
    page.press_button("now")
    page.settle()
    _, top, _, bottom = _area(page)
    line = page.box("#nowline")
    assert top < line[1] < bottom, f"the now-line is at {line}, the cells at {top} to {bottom}"


def texts_cut_by_the_upper_edge_begin_below_it(world):
    page = _page(world)
    count = 0
    for _ in range(8 if world.short else 40):
        page.run(f"{page.SCROLLER}.scrollBy({{top: 23, behavior: 'instant'}})")
        page.settle()
        top = _area(page)[1]
        tops = page.run("""
            const top = arguments[0];
            return [...document.querySelectorAll('#guide .cell:not(.gap, .tiny) b')].filter((title) => title.checkVisibility()).map((title) => {
                const cell = title.closest('.cell').getBoundingClientRect(), range = document.createRange();
                range.selectNodeContents(title);
                return cell.top < top - 1 && cell.bottom > top + 8 ? [title.textContent, range.getBoundingClientRect().top - top] : null;
            }).filter(Boolean);""", top)
        assert all(away > -1 for _, away in tops), tops
        count += len(tops)
    assert count > 30, count


@long
def zoom_of_each_direction_is_kept(world):
    page = _page(world)
    assert page.run("return window.epg.hour") == 180
    page.run("document.getElementById('zoom-in').click()")
    page.settle()
    assert page.run("return window.epg.hour") == 240
    _turn(page)
    assert page.run("return window.epg.hour") == 240, "the zoom of the other direction changed"
    page.run("document.getElementById('zoom-in').click()")
    _turn(page)
    assert page.run("return window.epg.hour") == 240


@long
def right_to_left_page_has_stations_from_right_to_left(world):
    page = _page(world, path=f"/?at={EVENING}&dir=rtl")
    boxes = page.run("""
        return [...document.querySelectorAll('#heads .head')].filter((head) => head.checkVisibility())
            .map((head) => [Number(head.dataset.row), head.getBoundingClientRect().left]).sort((a, b) => a[0] - b[0]).map((head) => head[1]);""")
    assert len(boxes) >= 8 and boxes == sorted(boxes, reverse=True), boxes
    assert not _blanks(page), _blanks(page)[:5]
    page.focus_grid()
    focused = page.focused()
    page.press("ArrowLeft")
    assert page.wait_for_focus_after(focused)["row"] == focused["row"] + 1


@long
def vertical_grid_has_no_serious_accessibility_violation(world):
    for colors in ("light", "dark"):
        page = GuidePage.on(world, world.service("sample"))
        page.prefer(color_scheme=colors, reduced_motion="reduce")
        page.show(f"/?at={EVENING}")
        _turn(page)
        serious = axe.serious(axe.violations(page))
        assert not serious, f"{colors}: " + "; ".join(serious)
        world.close_browsers()


def vertical_grid_fits_a_phone(world):
    page = GuidePage.on(world, world.service("sample"), size=(390, 844))
    page.resize(390, 844, 2, touch=True)
    page.show(f"/?at={EVENING}")
    _turn(page)
    assert page.run("return document.documentElement.scrollWidth") <= 390
    assert not _blanks(page), _blanks(page)[:5]
    wide = page.run("return [...document.querySelectorAll('#marks .mark span')].filter((label) => label.scrollWidth > label.closest('.mark').clientWidth).length")
    assert wide == 0, f"{wide} hours are wider than their column"
    world.screenshot(page, "vertical-phone")
    page.resize(1440, 900)
    page.settle()
    world.screenshot(page, "vertical")
