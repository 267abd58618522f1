"""Scrolling works in both directions, fills the view, and keeps the number of cells limited."""

import time

import generated_guide
import measuring
from guide_page import CELLS, GuidePage
from placement import expect_same_places
from support.report import long
from world import EVENING

#: Maximum number of cells in the document at any time.
MOST_CELLS = 1500


def _expect_filled(page, where, seconds=3):
    """Verifies that cells and gaps cover the complete grid area."""
    page.wait_until(lambda: not page.blanks(), f"{where} is filled", seconds)


def _corners(world, service, path="/"):
    page = GuidePage.on(world, service)
    page.show(path)
    with measuring.at_most(world, page, CELLS, MOST_CELLS):
        for across, down in [(1, 1), (0, 1), (0, 0), (1, 0), (0.5, 0.5), (0.25, 0.9)]:
            page.scroll_to_part(across, down)
            _expect_filled(page, f"the position {across:.0%} of time, {down:.0%} of stations", 8)
            assert page.stations_in_view(), "no station names in view"
    return page


@long
def far_corners_are_filled(world):
    _corners(world, world.service("sample"), f"/?at={EVENING}")


def far_corners_of_400_stations_are_filled(world):
    page = _corners(world, world.service("small"))
    page.scroll_to_part(1, 1)
    assert page.stations_in_view()[-1] == 399, f"the last row in view is {page.stations_in_view()[-1]}"


@long
def fetched_cells_match_the_layout(world):
    service = world.service("small")
    page = GuidePage.on(world, service)
    page.show("/")
    at = page.now()
    page.scroll_to_part(0.5, 0.4)
    _expect_filled(page, "the middle")
    rows = page.stations_in_view()
    when = page.time_in_view()
    matched = expect_same_places(service, page.cells(), when, page, rows=f"{rows[0]}-{rows[-1]}")
    world.note(f"{matched} cells compared, {(when - at) / 3600:.1f} hours from now")
    assert matched >= 15, matched


@long
def document_never_has_more_than_1500_cells(world):
    page = GuidePage.on(world, world.service("small"), size=(2560, 1440))
    page.show("/")
    for _ in range(6):
        page.zoom("out")
    where = f" in a window of 2560 × 1440, zoomed out to {page.measure('hour')} points per hour"
    with measuring.at_most(world, page, CELLS, MOST_CELLS, where):
        for across, down in [(0, 9000), (4000, 0), (-3000, -9000), (0, 14000)]:
            measuring.scroll(page, across, down, 6000)
            page.settle()


@long
def full_stations_next_to_empty_ones_stay_within_1500_cells(world):
    start = int(time.time()) // 3600 * 3600 - 3 * 3600
    guide = "".join(generated_guide.even(200, 10, start, start + 12 * 3600, silent=300)).encode()
    page = GuidePage.on(world, world.own_service(guide, "empty-and-full"))
    page.show("/")
    with measuring.at_most(world, page, CELLS, MOST_CELLS):
        for row in [30, 70, 110, 150, 190, 230, 270, 300, 330, 300, 270, 310, 480, 290]:
            page.scroll_to_row(row)
            page.settle(400)
            _expect_filled(page, f"row {row}")


@long
def idle_guide_does_not_change_the_document(world):
    """Uses a zoom at which airings share cells, and airings of equal length, which share at the same zoom."""
    guide = "".join(generated_guide.even(60, 15, world.start, world.start + 2 * 86_400)).encode()
    page = GuidePage.on(world, world.own_service(guide, "even"), size=(2560, 1440))
    page.show(f"/?at={world.start + 20 * 3600}")
    for _ in range(6):
        page.zoom("out")
    page.settle(600)
    page.run("""
        window.written = 0;
        new MutationObserver((records) => { window.written += records.length; }).observe(
            document.getElementById('rows'), {childList: true, attributes: true, characterData: true, subtree: true});""")
    time.sleep(1)
    written = page.run("return window.written")
    assert written == 0, f"{written} changes of the document in a second"
    assert 0 < page.count(CELLS) <= MOST_CELLS, page.count(CELLS)
    _expect_filled(page, "the guide")


def visible_texts_are_complete_when_the_guide_is_idle(world):
    page = GuidePage.on(world, world.service("small"))
    page.show("/")
    for across, down in [(0.4, 0.2), (0.4, 0.23), (0.42, 0.23)]:
        page.scroll_to_part(across, down)
        _expect_filled(page, "the position")
        page.settle(400)
        cells, ragged = page.run("""
            const rows = new Set(arguments[0]);
            const seen = [...document.querySelectorAll('#rows .row:not([hidden])')].filter((row) => rows.has(Number(row.dataset.row)));
            const links = seen.flatMap((row) => [...row.querySelectorAll('.cell:not(.gap):not(.many) a')]);
            return [links.map((link) => [link.getAttribute('aria-label'), link.querySelector('b').textContent]),
                seen.filter((row) => row.classList.contains('ragged')).length];""", page.stations_in_view())
        assert len(cells) >= 40, f"{len(cells)} cells"
        wrong = [(label, title) for label, title in cells if not label.endswith(", " + title)]
        assert not wrong and ragged == 0, f"{len(wrong)} of {len(cells)} titles and {ragged} rows are incomplete: {wrong[:3]}"


def titles_stay_in_view_in_clipped_cells(world):
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
    assert cut > 5, "no cell was clipped"


def short_airings_share_the_same_cells_at_every_scroll_position(world):
    """At 240 points per hour, two minutes are 8 points. Airings below 10 points share cells of 40 points."""
    first = world.start + 86_400
    hours = [(f"long{hour}", first + hour * 3600, 3600, "a") for hour in range(12)]
    short = [(f"short{number}", first + 3600 + number * 120, 120, "b") for number in range(30)]
    stamp = lambda instant: time.strftime("%Y%m%d%H%M%S +0000", time.gmtime(instant))
    programmes = "".join(
        f'<programme start="{stamp(start)}" stop="{stamp(start + seconds)}" channel="{station}"><title>{title}</title></programme>'
        for title, start, seconds, station in hours + short)
    stations = "".join(f'<channel id="{name}"><display-name>{name}</display-name></channel>' for name in "ab")
    page = GuidePage.on(world, world.own_service(f"<tv>{stations}{programmes}</tv>".encode(), "short"))
    page.show(f"/?at={first}")
    # The focus is in the first row and so not in a shared cell.
    page.focus_grid()
    expected = {(first + 3600 + part * 600, first + 4200 + part * 600) for part in range(6)}
    seen = set()
    for away in [0, 40, 71, 60 + 24, 101, 140, 241, 263, 300, 379]:
        page.run(f"{page.SCROLLER}.scrollTo({{left: arguments[0], behavior: 'instant'}})", away)
        page.settle()
        cells = [cell for cell in page.cells() if cell["row"] == 1]
        shown = {(cell["start"], cell["stop"]) for cell in cells if cell["kind"] == "many"}
        assert shown <= expected, f"{sorted(shown - expected)} at {away}"
        assert not any(cell["kind"] == "airing" for cell in cells), f"a short airing has its own cell at {away}"
        assert all(cell["text"].startswith("5") for cell in cells if cell["kind"] == "many"), cells
        seen |= shown
    assert seen == expected, sorted(expected - seen)


@long
def scroll_position_is_filled_after_a_reload(world):
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
    assert page.stations_in_view()[-1] == 19_999, f"the last row in view is {page.stations_in_view()[-1]}"
    world.note(f"epgd uses {world.service('large').memory() / 1e6:.0f} MB")


@long
def prepared_rows_contain_only_complete_characters(world):
    page = GuidePage.on(world, world.service("small"))
    page.show("/")
    page.settle()
    broken = page.run("return [...document.querySelectorAll('#rows .cell')].filter((cell) => !cell.textContent.isWellFormed()).length")
    assert broken == 0, f"{broken} cells contain an incomplete character"
