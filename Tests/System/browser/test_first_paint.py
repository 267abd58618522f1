"""The server renders the first paint with all cells in place, and links work without JavaScript."""

import generated_guide
from guide_page import GuidePage
from placement import expect_same_places
from support.report import long
from world import EVENING


def _without_scripts(world, service, path, **settings):
    page = GuidePage.on(world, service, **settings)
    page.scripts(False)
    page.open(path)
    return page


def cells_match_the_layout_without_javascript(world):
    service = world.service("sample")
    page = _without_scripts(world, service, f"/?at={EVENING}")
    cells = page.cells()
    assert len(cells) >= 40, f"only {len(cells)} cells"
    matched = expect_same_places(service, cells, EVENING, page)
    world.note(f"{matched} of {len(cells)} cells compared with the API")
    assert matched >= 25, matched


def current_airings_are_in_view_without_javascript(world):
    page = _without_scripts(world, world.service("sample"), f"/?at={EVENING}")
    on_now = [cell for cell in page.cells() if cell["now"]]
    # The guide has twelve stations, one of them off air.
    assert len(on_now) >= 8, f"{len(on_now)} cells are marked as on now"
    assert all(0 <= cell["right"] and cell["left"] < 1280 for cell in on_now), on_now
    line = page.now_line()
    assert line and 0 < line < 1280, f"the now-line is at {line}"
    for cell in on_now:
        if cell["title"] in ("News", "Weather"):
            continue  # They share half an hour.
        assert cell["left"] <= line + 1 and line - 1 <= cell["right"], f"{cell} isn't at the now-line ({line})"


def short_airings_share_the_same_cells_before_and_after_the_scripts(world):
    guide = "".join(generated_guide.even(20, 2, world.start, world.start + 43_200)).encode()
    service = world.own_service(guide, "short-airings")
    path = f"/?from={world.start + 3600}"
    before = _clusters(_without_scripts(world, service, path))
    page = GuidePage.on(world, service)
    page.show(path)
    after = _clusters(page)
    assert len(before) > 100, f"{len(before)} cells have several airings"
    # The scripts also draw cells around the window.
    assert before <= after, f"{sorted(before - after)[:4]} became {sorted(after - before)[:4]}"


def _clusters(page):
    """Returns the row, the edges and the text of the cells of several airings that are completely in view."""
    return {
        (cell["row"], round(cell["left"]), round(cell["right"]), cell["text"])
        for cell in page.cells() if cell["kind"] == "many" and cell["inView"] and 260 < cell["left"] and cell["right"] < 1280}


@long
def links_page_through_time_without_javascript(world):
    page = _without_scripts(world, world.service("sample"), f"/?at={EVENING}")
    before = {cell["id"] for cell in page.cells()}
    page.follow("later")
    later = {cell["id"] for cell in page.cells()}
    assert later - before, "“later” shows nothing new"
    page.follow("earlier")
    assert {cell["id"] for cell in page.cells()} == before, "“earlier” doesn't lead back"


@long
def links_page_through_stations_without_javascript(world):
    page = _without_scripts(world, world.service("small"), "/")
    seen = set(page.stations())
    pages = 1
    while page.has_link("more stations"):
        page.follow("more stations")
        stations = set(page.stations())
        assert stations - seen, f"page {pages + 1} shows no new stations"
        seen |= stations
        pages += 1
        assert pages < 60, "there are too many pages"
    world.note(f"{len(seen)} stations on {pages} pages")
    assert len(seen) == 400, f"{len(seen)} of 400 stations were seen"


def station_column_header_and_corner_are_sticky_without_javascript(world):
    page = _without_scripts(world, world.service("sample"), f"/?at={EVENING}", size=(900, 500))
    before = {part: page.part(part) for part in ("corner", "header", "stations")}
    cells = {cell["id"]: cell for cell in page.cells()}
    page.wheel(500, 300, down=150)
    page.wheel(500, 300, across=200)
    page.wait("true", timeout=1)
    moved = [cell for cell in page.cells() if cell["id"] in cells and cells[cell["id"]]["left"] - cell["left"] >= 100]
    assert moved, "nothing scrolled"
    after = {part: page.part(part) for part in before}
    assert after["corner"] == before["corner"], f"the corner moved: {before['corner']} {after['corner']}"
    assert after["header"][1] == before["header"][1], f"the header moved down: {before['header']} {after['header']}"
    assert after["stations"][0] == before["stations"][0], f"the column moved: {before['stations']} {after['stations']}"


@long
def other_pages_link_to_airings_without_javascript(world):
    page = _without_scripts(world, world.service("sample"), f"/home?at={EVENING}")
    for path in ["/home", "/stations", "/search?q=the"]:
        page.open(path + ("&" if "?" in path else "?") + f"at={EVENING}")
        links = page.run("return [...document.querySelectorAll('main a[href]')].map((link) => link.getAttribute('href'))")
        assert any(link.startswith(("/airings/", "/stations/")) for link in links), f"{path} has no link to an airing or station: {links[:5]}"
