"""What scripts add to the home page, the stations page and a station's day."""

from guide_page import GuidePage
from support.report import long
from test_columns import DAY
from world import EVENING

NAMES = "return [...document.querySelectorAll('.v-card .v-line:first-child .v-title')].map((name) => name.textContent)"


def stations_follow_the_filter_while_typing(world):
    page = GuidePage.on(world, world.service("sample"))
    page.open(f"/stations?at={EVENING}")
    everything = page.run(NAMES)
    page.click(".v-filter input[type=search]")
    page.write("harb")
    page.wait("document.querySelectorAll('.v-card').length === 2")
    assert page.run(NAMES) == ["Harbour One", "Harbour Two"] and page.text("#count") == "2 stations", page.run(NAMES)
    assert "q=harb" in page.get("/url") and f"at={EVENING}" in page.get("/url"), page.get("/url")
    # The field keeps the focus.
    page.write("zzz")
    page.wait("document.querySelector('.v-empty')")
    assert page.text("#count") == "0 stations", page.text("#count")
    page.open(f"/stations?at={EVENING}")
    assert page.run(NAMES) == everything and len(everything) > 2, everything
    assert not page.console_errors()


def stations_are_filtered_without_scripts(world):
    page = GuidePage.on(world, world.service("sample"))
    page.scripts(False)
    page.open(f"/stations?at={EVENING}")
    page.click(".v-filter input[type=search]")
    page.write("harb")
    page.press("Enter")
    page.wait("document.querySelectorAll('.v-card').length === 2")
    # Each card leads to what is on.
    page.click(".v-card a")
    page.wait("location.hash === '#now' && scrollY > 0")
    assert page.box("#now")[1] >= 0, page.box("#now")


def favorites_come_first_on_the_home_page(world):
    page = GuidePage.on(world, world.service("sample"))
    page.open(f"/home?at={EVENING}")
    last = page.run("return [...document.querySelectorAll('.v-on-now .v-station')].at(-1).textContent")
    stations = {station["name"]: station["id"] for station in page.service.json("/api/v1/stations")["stations"]}
    page.run("localStorage.setItem('epg.favorites', JSON.stringify([arguments[0]]))", stations[last])
    page.open(f"/home?at={EVENING}", wait="document.querySelector('.v-on-now .v-aside')?.textContent === 'favorites first'")
    assert page.text(".v-on-now .v-card .v-station") == last, page.text(".v-on-now")
    assert "first=" not in page.get("/url") and not page.console_errors()


def day_opens_at_what_is_on(world):
    page = GuidePage.on(world, world.service("sample"), size=(390, 700))
    page.open(f"{DAY}?at={EVENING}", wait="scrollY > 0")
    top, height = page.box("#now")[1], page.box("#now")[3]
    assert 0 <= top and top + height <= 700, (top, height)
    # Not on another day, and not at another place.
    for path in (f"{DAY}?at={EVENING}&day=2026-10-24", f"{DAY}?at={EVENING}#main"):
        page.open(path)
        page.settle()
        assert page.run("return scrollY") < 200, path


@long
def stations_of_a_large_guide_follow_the_filter(world):
    service = world.service("small")
    page = GuidePage.on(world, service)
    page.open("/stations")
    page.click(".v-filter input[type=search]")
    page.write("399")
    total = service.json("/api/v1/stations", q="399")["total"]
    page.wait("parseInt(document.getElementById('count').textContent) === arguments[0]", total)
    assert 0 < total < 400 and page.count(".v-card") == min(total, 120), total
