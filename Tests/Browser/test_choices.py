"""What a person chooses holds, and is there again after a reload."""

from guide_page import GuidePage
from world import EVENING, thorough


def _page(world, name="sample", path=f"/?at={EVENING}"):
    page = GuidePage.on(world, world.service(name))
    page.show(path)
    return page


@thorough
def the_day_picker_leads_to_the_day(world):
    page = _page(world, "small", "/")
    before = page.time_in_sight()
    days = page.days()
    assert len(days) >= 3, f"days: {days}"
    page.choose_day(days[-1])
    page.wait_until(lambda: page.time_in_sight() - before > 12 * 3600, "the last day is in sight")
    page.wait_until(lambda: not page.blanks(), "the last day is filled", 5)


def now_leads_back_to_what_is_on(world):
    page = _page(world, "small", "/")
    page.scroll_to_part(1, 0)
    page.press_button("now")
    page.wait_until(lambda: page.now_line() is not None and 150 < page.now_line() < 1280, "the now-line is in sight")


@thorough
def prime_time_leads_to_the_evening(world):
    page = _page(world)
    page.scroll_to_time(EVENING - 8 * 3600)
    page.press_button("prime time")
    page.settle()
    # From 19:00 to 21:00 in London, depending on where in the window it is put.
    left, _, right, _ = page.grid_area()
    first, last = page.time_at(left), page.time_at(right)
    evening = EVENING - 40 * 60 + 2 * 3600
    assert first - 600 <= evening <= last, f"20:00 is {evening}, in sight are {first} to {last}"


def zoom_keeps_what_is_looked_at_and_survives_a_reload(world):
    page = _page(world)
    hour, line = page.measure("hour"), page.now_line()
    assert page.zoom("in")
    assert page.measure("hour") > hour, f"still {page.measure('hour')} an hour"
    assert abs(page.now_line() - line) <= 2, f"the now-line went from {line} to {page.now_line()}"
    page.wait_until(lambda: not page.blanks(), "the grid is filled")
    # Where now is out of sight, the middle stays.
    page.scroll_to_time(EVENING - 12 * 3600)
    middle = sum(page.grid_area()[0::2]) / 2
    before = page.time_at(middle)
    assert page.zoom("in")
    assert abs(page.time_at(middle) - before) < 120, f"{page.time_at(middle) - before} s away"
    wanted = page.measure("hour")
    page.reload()
    assert page.measure("hour") == wanted, f"{page.measure('hour')} an hour after the reload, {wanted} before"


def favourites_can_be_shown_alone(world):
    page = _page(world)
    names = page.station_names()
    page.favourite(names[2])
    page.favourite(names[5])
    page.only_favourites()
    page.wait_until(lambda: page.station_names() == [names[2], names[5]], f"only {names[2]} and {names[5]} are there")
    page.wait_until(lambda: not page.blanks(), "their rows are filled")
    page.only_favourites()
    page.wait_until(lambda: len(page.station_names()) == len(names), "all stations are back")


@thorough
def favourites_survive_a_reload(world):
    page = _page(world)
    names = page.station_names()
    page.favourite(names[2])
    page.reload()
    page.only_favourites()
    page.wait_until(lambda: page.station_names() == [names[2]], f"only {names[2]} is there")


def favourites_stay_alone_after_a_reload(world):
    page = _page(world)
    names = page.station_names()
    page.favourite(names[3])
    page.only_favourites()
    page.wait_until(lambda: page.station_names() == [names[3]], f"only {names[3]} is there")
    page.reload()
    page.wait_until(lambda: page.station_names() == [names[3]], f"only {names[3]} is there after a reload")


def hidden_stations_stay_hidden_after_a_reload(world):
    page = _page(world)
    names = page.station_names()
    page.hide(names[1])
    page.wait_until(lambda: names[1] not in page.station_names(), f"{names[1]} is gone")
    page.reload()
    page.wait_until(lambda: names[0] in page.station_names() and names[1] not in page.station_names(), "it is gone after a reload")


@thorough
def a_page_with_hidden_stations_needs_no_longer_than_others(world):
    page = _page(world)
    names = page.station_names()
    page.hide(names[1])
    page.wait_until(lambda: names[1] not in page.station_names(), f"{names[1]} is gone")
    page.post("/refresh")
    page.wait("document.querySelector('#guide.live')")
    # A page that can't have its tiles takes over after 4 seconds.
    waited = page.run("return performance.now()")
    assert waited < 3500, f"the script took over after {waited:.0f} ms"


@thorough
def a_category_stands_out(world):
    page = _page(world)
    before = page.look_of_cells()
    page.choose_category("news")
    page.settle()
    after = page.look_of_cells()
    assert before != after, "nothing looks different"


@thorough
def a_theme_is_chosen_and_kept(world):
    page = _page(world)
    page.choose_setting("theme", "dark")
    dark = page.run("return getComputedStyle(document.body).backgroundColor")
    page.reload()
    assert page.run("return getComputedStyle(document.body).backgroundColor") == dark
    page.choose_setting("theme", "light")
    assert page.run("return getComputedStyle(document.body).backgroundColor") != dark


@thorough
def the_genres_are_told_apart_by_signs_too(world):
    page = _page(world)
    signs = page.signs()
    assert len(set(signs)) >= 4, f"signs in sight: {signs}"
