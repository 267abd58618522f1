"""The user's choices take effect and survive a reload."""

from guide_page import GuidePage
from support.report import long
from world import EVENING


def _page(world, name="sample", path=f"/?at={EVENING}"):
    page = GuidePage.on(world, world.service(name))
    page.show(path)
    return page


@long
def day_picker_scrolls_to_the_day(world):
    page = _page(world, "small", "/")
    before = page.time_in_view()
    days = page.days()
    assert len(days) >= 3, f"days: {days}"
    page.choose_day(days[-1])
    page.wait_until(lambda: page.time_in_view() - before > 12 * 3600, "the last day is in view")
    page.wait_until(lambda: not page.blanks(), "the last day is filled", 5)


def now_button_scrolls_to_the_now_line(world):
    page = _page(world, "small", "/")
    page.scroll_to_part(1, 0)
    page.press_button("now")
    page.wait_until(lambda: page.now_line() is not None and 150 < page.now_line() < 1280, "the now-line is in view")


@long
def prime_time_button_scrolls_to_the_evening(world):
    page = _page(world)
    page.scroll_to_time(EVENING - 8 * 3600)
    page.press_button("prime time")
    page.settle()
    # From 19:00 to 21:00 in London, depending on the position in the window.
    left, _, right, _ = page.grid_area()
    first, last = page.time_at(left), page.time_at(right)
    evening = EVENING - 40 * 60 + 2 * 3600
    assert first - 600 <= evening <= last, f"20:00 is {evening}, in view are {first} to {last}"


def zoom_keeps_the_visible_time_and_survives_a_reload(world):
    page = _page(world)
    hour, line = page.measure("hour"), page.now_line()
    assert page.zoom("in")
    assert page.measure("hour") > hour, f"still {page.measure('hour')} points per hour"
    assert abs(page.now_line() - line) <= 2, f"the now-line moved from {line} to {page.now_line()}"
    page.wait_until(lambda: not page.blanks(), "the grid is filled")
    # If the now-line is out of view, the middle stays.
    page.scroll_to_time(EVENING - 12 * 3600)
    middle = sum(page.grid_area()[0::2]) / 2
    before = page.time_at(middle)
    assert page.zoom("in")
    assert abs(page.time_at(middle) - before) < 120, f"{page.time_at(middle) - before} s off"
    wanted = page.measure("hour")
    page.reload()
    assert page.measure("hour") == wanted, f"{page.measure('hour')} points per hour after the reload, {wanted} before"


def only_favorites_are_shown_on_request(world):
    page = _page(world)
    names = page.station_names()
    page.favorite(names[2])
    page.favorite(names[5])
    page.only_favorites()
    page.wait_until(lambda: page.station_names() == [names[2], names[5]], f"only {names[2]} and {names[5]} are shown")
    page.wait_until(lambda: not page.blanks(), "their rows are filled")
    page.only_favorites()
    page.wait_until(lambda: len(page.station_names()) == len(names), "all stations are back")


@long
def favorites_survive_a_reload(world):
    page = _page(world)
    names = page.station_names()
    page.favorite(names[2])
    page.reload()
    page.only_favorites()
    page.wait_until(lambda: page.station_names() == [names[2]], f"only {names[2]} is shown")


def only_favorites_are_shown_after_a_reload(world):
    page = _page(world)
    names = page.station_names()
    page.favorite(names[3])
    page.only_favorites()
    page.wait_until(lambda: page.station_names() == [names[3]], f"only {names[3]} is shown")
    page.reload()
    page.wait_until(lambda: page.station_names() == [names[3]], f"only {names[3]} is shown after a reload")


def hidden_stations_stay_hidden_after_a_reload(world):
    page = _page(world)
    names = page.station_names()
    page.hide(names[1])
    page.wait_until(lambda: names[1] not in page.station_names(), f"{names[1]} is hidden")
    page.reload()
    page.wait_until(lambda: names[0] in page.station_names() and names[1] not in page.station_names(), "it is hidden after a reload")


def hiding_a_station_can_be_undone_by_keyboard(world):
    page = _page(world)
    names = page.station_names()
    page.hide(names[1])
    page.wait_until(lambda: names[1] not in page.station_names(), f"{names[1]} is hidden")
    assert page.text("#toast span") == f"{names[1]} is hidden." and page.run("return document.getElementById('toast').getAttribute('role')") == "status"
    page.wait("document.activeElement.closest('.cell')")
    page.press("Tab")
    page.wait("document.activeElement.id === 'toast-undo'")
    # The message stays while the button has the focus.
    page.run_async("setTimeout(arguments[0], 9500)")
    assert page.run("return document.getElementById('toast').checkVisibility()")
    page.press("Enter")
    page.wait_until(lambda: page.station_names() == names, f"{names[1]} is back")
    page.wait("!document.getElementById('toast').checkVisibility() && document.activeElement.closest('.cell')")
    page.reload()
    assert page.station_names() == names


@long
def message_about_a_hidden_station_disappears(world):
    page = _page(world)
    page.hide(page.station_names()[1])
    page.wait("!document.getElementById('toast').checkVisibility()", timeout=12)


def controls_have_tooltips_and_names(world):
    for language, evening in (("en-US", "Tonight 8\u202fPM"), ("en-GB", "Tonight 20:00")):
        page = GuidePage.on(world, world.service("grouped"), language=language)
        page.show(f"/?at={EVENING}")
        nameless = page.run("""
            return [...document.querySelectorAll('#tools button, #tools select')].filter((each) => !/\\w\\w/.test(each.title) || !/\\w\\w/.test(each.ariaLabel))
                .map((each) => each.outerHTML)""")
        assert not nameless, nameless
        assert page.text("#prime").replace(" ", "\u202f") == evening.replace(" ", "\u202f"), page.text("#prime")
        page.click("#day-before")
        page.settle()
        assert not page.text("#prime").startswith("Tonight"), page.text("#prime")


@long
def page_with_hidden_stations_takes_over_in_time(world):
    page = _page(world)
    names = page.station_names()
    page.hide(names[1])
    page.wait_until(lambda: names[1] not in page.station_names(), f"{names[1]} is hidden")
    page.post("/refresh")
    page.wait("document.querySelector('#guide.live')")
    # Without its tiles, a page takes over only after 4 seconds.
    waited = page.run("return performance.now()")
    assert waited < 3500, f"the script took over after {waited:.0f} ms"


def filters_hide_rows_without_matches_and_dim_the_rest(world):
    page = _page(world)
    all_stations = page.stations()
    page.choose_category("sport")
    service = page.service
    until = "2026-10-26T00:00:00Z"
    wanted = service.json("/api/v1/rows", **{"from": "2026-10-25T18:00:00Z"}, to=until, genre="sport")["rows"]
    assert 0 < len(wanted) < len(all_stations), wanted
    page.wait_until(lambda: page.stations() == wanted, "rows without sport are hidden")
    page.settle()
    found = page.run("""
        return [...document.querySelectorAll('.row:not([hidden]) .cell:not(.gap)')].map((cell) =>
            [cell.classList.contains('g2'), cell.classList.contains('wanted'), getComputedStyle(cell.firstChild).backgroundColor])""")
    assert all(is_sport == is_wanted for is_sport, is_wanted, _ in found) and any(is_sport for is_sport, *_ in found), found
    dimmed = {color for is_sport, _, color in found if not is_sport}
    assert len(dimmed) <= 2 and not dimmed & {color for is_sport, _, color in found if is_sport}, found
    page.choose("#genre", "")
    page.wait_until(lambda: page.stations() == all_stations, "all rows are shown again")
    page.run("document.getElementById('only-new').click()")
    new = service.json("/api/v1/rows", **{"from": "2026-10-25T18:00:00Z"}, to=until, new=1)["rows"]
    assert 0 < len(new) < len(all_stations), new
    page.wait_until(lambda: page.stations() == new, "only rows with new programmes are shown")
    assert page.run("return document.getElementById('only-new').ariaPressed") == "true"


@long
def theme_survives_a_reload(world):
    page = _page(world)
    page.choose_setting("theme", "dark")
    dark = page.run("return getComputedStyle(document.body).backgroundColor")
    page.reload()
    assert page.run("return getComputedStyle(document.body).backgroundColor") == dark
    page.choose_setting("theme", "light")
    assert page.run("return getComputedStyle(document.body).backgroundColor") != dark


@long
def symbols_distinguish_genres(world):
    page = _page(world)
    marks = page.genre_marks()
    assert len(set(marks)) >= 4, f"marks in view: {marks}"
