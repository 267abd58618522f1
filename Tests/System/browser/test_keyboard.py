"""Keyboard navigation follows the WAI-ARIA grid pattern; moving up and down keeps the time."""

from guide_page import GuidePage
from support.report import journey, long
from world import EVENING


def _page(world):
    page = GuidePage.on(world, world.service("sample"))
    page.show(f"/?at={EVENING}")
    page.focus_grid()
    assert page.focused(), "no cell has the focus"
    return page


@long
def exactly_one_cell_is_in_the_tab_order(world):
    page = _page(world)
    reachable = page.run("""
        return [...document.querySelectorAll('[role=grid] [tabindex]')].filter((cell) => cell.tabIndex === 0).length""")
    assert reachable == 1, f"{reachable} elements of the grid are in the tab order"


@journey
def up_and_down_keep_the_time(world):
    page = _page(world)
    first = page.focused()
    walk = [first]
    for _ in range(9):
        page.press("ArrowDown")
        walk.append(page.wait_for_focus_after(walk[-1]))
    assert [cell["row"] for cell in walk] == list(range(first["row"], first["row"] + 10)), [cell["row"] for cell in walk]
    start, stop = max(cell["start"] for cell in walk), min(cell["stop"] for cell in walk)
    assert start < stop, f"the cells of the walk have no instant in common: {walk}"
    for wanted in reversed(walk[:-1]):
        page.press("ArrowUp")
        seen = page.wait_for_focus_after(None, wanted["row"])
        assert (seen["row"], seen["start"]) == (wanted["row"], wanted["start"]), f"{seen} instead of {wanted} on the way back"


@long
def left_and_right_move_to_the_adjacent_airing(world):
    page = _page(world)
    first = page.focused()
    walk = [first]
    for _ in range(6):
        page.press("ArrowRight")
        walk.append(page.wait_for_focus_after(walk[-1]))
    for one, other in zip(walk, walk[1:]):
        assert other["row"] == first["row"] and other["start"] >= one["stop"] - 1, f"{one} then {other}"
    for wanted in reversed(walk[:-1]):
        page.press("ArrowLeft")
        seen = page.wait_for_focus_after(None, wanted["row"], wanted["start"])
        assert seen["start"] == wanted["start"], f"{seen} instead of {wanted} on the way back"


@long
def focused_cell_is_in_view(world):
    page = _page(world)
    for key in ["ArrowRight"] * 8 + ["ArrowDown"] * 11 + ["ArrowLeft"] * 12 + ["ArrowUp"] * 11:
        page.press(key)
    page.settle()
    left, top, right, bottom = page.grid_area()
    cell = page.focused()
    assert cell["left"] < right - 10 and cell["right"] > left + 10, f"{cell} isn't within {left} to {right}"
    assert cell["top"] >= top - 1 and cell["bottom"] <= bottom + 1, f"{cell} isn't within {top} to {bottom}"


@journey
def enter_opens_the_details_and_escape_returns_to_the_cell(world):
    page = _page(world)
    page.press("ArrowDown")
    page.settle()
    cell = page.focused()
    page.press("Enter")
    details = page.details()
    assert cell["title"] and cell["title"] in details, f"{cell['title']!r} isn't in the details {details[:200]!r}"
    assert not page.run("return !!document.activeElement.closest('[role=grid]')"), "the focus stayed in the grid"
    page.press("Escape")
    page.wait_until(lambda: not page.has_details(), "the details are closed")
    page.wait_until(lambda: page.focused() and page.focused()["id"] == cell["id"], "the focus is back on its cell")


@long
def home_and_end_move_within_the_row(world):
    page = _page(world)
    page.press("ArrowDown", "ArrowDown", "ArrowRight")
    page.settle()
    row = page.focused()
    page.press("End")
    page.settle()
    end = page.focused()
    page.press("Home")
    page.settle()
    home = page.focused()
    assert home["row"] == row["row"] == end["row"], f"{row} {home} {end}"
    assert home["start"] <= row["start"] <= end["start"] and home["start"] < end["start"], f"{home} {row} {end}"


@long
def control_home_and_end_move_to_the_first_and_last_station(world):
    page = _page(world)
    page.press("ArrowDown", "ArrowDown")
    page.press("End", holding="Control")
    page.wait_until(lambda: page.focused() and page.focused()["row"] == 11, "the focus is on the last station")
    page.press("Home", holding="Control")
    page.wait_until(lambda: page.focused() and page.focused()["row"] == 0, "the focus is on the first station")


@long
def page_keys_move_by_one_screen_of_stations(world):
    page = GuidePage.on(world, world.service("small"))
    page.show("/")
    page.focus_grid()
    first = page.focused()["row"]
    page.press("PageDown")
    page.wait_until(lambda: page.focused() and page.focused()["row"] >= first + 5, "the focus is a screen further")
    below = page.focused()["row"]
    page.press("PageUp")
    page.wait_until(lambda: page.focused() and page.focused()["row"] < below, "the focus is back up")


@journey
def focus_stays_in_the_grid_when_its_station_is_hidden(world):
    page = _page(world)
    names = page.station_names()
    page.hide(names[2])
    page.wait_until(lambda: names[2] not in page.station_names(), f"{names[2]} is hidden")
    page.wait_until(page.focused, "another cell has the focus")
    assert page.focused()["row"] == 3, page.focused()
    assert page.count("#guide [tabindex='0']") == 1


@long
def rapid_key_presses_are_all_applied(world):
    page = GuidePage.on(world, world.service("small"))
    page.show("/")
    page.focus_grid()
    first = page.focused()["row"]
    page.press(*["ArrowDown"] * 60)
    page.wait_until(lambda: page.focused() and page.focused()["row"] == first + 60, "the focus is sixty stations down", 8)
    page.press(*["ArrowRight"] * 40)
    page.settle()
    page.wait_until(lambda: page.focused() and page.focused()["row"] == first + 60, "the focus is still in its row", 8)
    assert page.focused()["left"] < 1280 and page.focused()["right"] > 0, page.focused()
