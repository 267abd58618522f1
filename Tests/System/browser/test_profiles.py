"""Profiles: devices agree, conflicts and changes made offline are kept, and a parental limit locks programmes."""

import json
import re
import subprocess

from guide_page import GuidePage
from support import SAMPLES
from support.processes import Service
from support.report import long
from world import EVENING

#: On Harbour One at 20:00 UTC on October 24, rated 15; its repeat and further episodes have the same rating.
LOCKED = "Low Water"
#: 20:10 UTC on October 24.
SATURDAY = EVENING - 86_400 + 90 * 60
PIN = "2468"


def _epg(world, service, *arguments, pin=None):
    subprocess.run(
        [world.programs.epg, "profile", *arguments, "--database", service.database], input=pin and pin + "\n", text=True, check=True,
        capture_output=True)


def _service(world, name, *profiles):
    """Returns a service of its own with profiles, given as arguments of `epg profile add`."""
    service = world.own_service(SAMPLES / "evening.xml", f"profiles-{name}")
    for profile, *options in profiles:
        _epg(world, service, "add", profile, *options, pin=PIN if "--pin" in options else None)
    return service


def _page(world, service, profile=None, path=f"/?at={EVENING}", **settings):
    page = GuidePage.on(world, service, **settings)
    page.show(path)
    if profile:
        _choose(page, profile)
    return page


def _open_settings(page):
    page.open_settings()
    page.wait("document.querySelector('#options[open] #set-profile')")


def _choose(page, name):
    """Chooses a profile in the settings, and waits until the page has loaded again."""
    _open_settings(page)
    page.run("window.isOld = true")
    page.choose("#set-profile", name)
    page.wait("!window.isOld && document.querySelector('#guide.live')")
    page.settle()


def _settings(service, name="anna"):
    return service.json(f"/api/v1/profiles/{name}")["settings"]


def _is_sent(page):
    """Returns whether the service has everything that the browser has."""
    return page.run("return epgPage.profiles.isSame(epgPage.profiles.own, epgPage.profiles.chosen.settings)")


def page_without_profiles_keeps_all_in_the_browser(world):
    service = _service(world, "none")
    page = _page(world, service)
    page.requests()
    page.favorite(page.station_names()[1])
    page.open_settings()
    page.wait("document.querySelector('#options[open]')")
    page.settle(400)
    assert page.count("#set-profile") == 0
    page.press("Escape")
    assert page.run("return localStorage.getItem('epg.favorites')") != "[]"
    sent = [url for url, _ in page.requests() if "/api/v1/profiles/" in url]
    assert not sent, sent


def phone_and_television_agree(world):
    service = _service(world, "agree", ["anna"])
    phone = _page(world, service, "anna", size=(390, 844))
    names = [station["name"] for station in service.json("/api/v1/stations")["stations"]]
    for row in (2, 0):
        phone.open_details(row)
        phone.click("#panel-favorite")
        phone.close_details()
    phone.wait_until(lambda: len(_settings(service).get("favorites", [])) == 2, "the service has both favorites")
    television = _page(world, service, "anna", size=(1920, 1080))
    television.only_favorites()
    television.wait_until(lambda: television.station_names() == [names[2], names[0]], "the favorites are those of the phone in their order")
    television.choose_setting("theme", "dark")
    television.hide(names[0])
    television.wait_until(lambda: "hidden" in _settings(service), "the service knows the hidden station")
    phone.reload()
    phone.wait("document.documentElement.dataset.theme === 'dark'")
    phone.wait_until(lambda: 0 not in phone.stations(), "the station is hidden on the phone")
    # The browser's own settings are apart from those of the profile.
    _choose(phone, "")
    assert phone.run("return document.documentElement.dataset.theme") is None
    assert 0 in phone.stations()
    world.screenshot(television, "profiles-television")


def changes_of_two_devices_are_merged(world):
    service = _service(world, "merge", ["anna"])
    one, two = (_page(world, service, "anna") for _ in range(2))
    names = one.station_names()
    one.favorite(names[1])
    one.wait_until(lambda: _is_sent(one), "the first change is sent")
    # The second browser still has the former version.
    two.favorite(names[3])
    two.wait_until(lambda: _is_sent(two), "the second change is sent")
    assert len(_settings(service)["favorites"]) == 2, _settings(service)
    two.only_favorites()
    two.wait_until(lambda: two.station_names() == [names[1], names[3]], "the second browser shows both")


@long
def change_made_offline_is_sent_later(world):
    service = _service(world, "offline", ["anna"])
    page = _page(world, service, "anna")
    names = page.station_names()
    service.close()
    page.favorite(names[2])
    page.settle(900)
    assert not _is_sent(page)
    world.services["own profiles again"] = again = Service(world.programs, service.database, port=service.port)
    page.run("dispatchEvent(new Event('online'))")
    page.wait_until(lambda: _is_sent(page), "the change is sent", 20)
    assert len(_settings(again)["favorites"]) == 1


def favorites_are_ordered_by_keys(world):
    service = _service(world, "order", ["anna"])
    page = _page(world, service, "anna")
    names = page.station_names()
    for place in (1, 2, 3):
        page.favorite(names[place])
    page.only_favorites()
    page.wait_until(lambda: page.station_names() == names[1:4], "the favorites are shown")
    page.open_settings()
    page.wait("document.querySelector('#options[open]')")
    page.run("document.getElementById('set-order').focus()")
    page.press("Enter")
    page.wait("document.querySelectorAll('.order li').length === 3")
    # The focus is on the first button that works: down, of the first station. It follows the station.
    page.press("Enter", "Enter")
    page.press("Escape")
    page.wait_until(lambda: page.station_names() == [names[2], names[3], names[1]], "the first favorite is the last one")
    page.wait_until(lambda: not page.blanks(), "the rows are filled")
    page.wait_until(lambda: _is_sent(page), "the order is sent")
    page.reload()
    page.wait_until(lambda: page.station_names() == [names[2], names[3], names[1]], "the order survives a reload")


def leaving_a_limited_profile_needs_its_pin(world):
    service = _service(world, "pin", ["kids", "--max-age", "12", "--pin"], ["anna"])
    page = _page(world, service, "kids", path=f"/?at={SATURDAY}")
    assert "lockAge=12" in page.run("return location.search")
    _open_settings(page)
    page.choose("#set-profile", "")
    page.wait("document.activeElement?.id === 'pin'")
    page.write("1111")
    page.press("Enter")
    page.wait("document.querySelector('#options [role=alert]')?.textContent.includes('wrong')")
    assert page.run("return epgPage.profiles.chosen.name") == "kids"
    page.run("window.isOld = true")
    page.write(PIN)
    page.press("Enter")
    page.wait("!window.isOld && document.querySelector('#guide.live')")
    assert page.run("return epgPage.profiles.chosen") is None
    assert "lockAge" not in page.run("return location.search")


def limited_page_has_no_locked_title(world):
    service = _service(world, "limit", ["kids", "--max-age", "12"])
    page = _page(world, service, path=f"/?at={SATURDAY}")
    assert LOCKED in page.run("return document.documentElement.textContent")
    _choose(page, "kids")
    page.log("performance")
    # Every page, opened without the limit: the script adds it before anything is visible.
    airing = next(
        airing["id"] for station in service.json("/api/v1/now", at=SATURDAY)["stations"] for airing in station["now"] if airing["title"] == LOCKED)
    for path in ("/", "/home", "/stations/harbour-one.example", f"/airings/{airing}", "/search?q=tide", "/watch"):
        page.open(f"{path}{'&' if '?' in path else '?'}at={SATURDAY}", wait="location.search.includes('lockAge=12') && document.readyState === 'complete'")
        page.settle(300)
        assert LOCKED not in page.run("return document.documentElement.innerHTML"), path
        assert page.run("return document.documentElement.hidden") is False, path
    bodies = _bodies(page)
    assert len(bodies) > 6, list(bodies)
    revealing = [url for url, body in bodies.items() if LOCKED in body]
    assert not revealing, revealing
    page.show(f"/?at={SATURDAY}&lockAge=12")
    page.requests()
    page.search(LOCKED, least=0)
    page.wait_until(lambda: page.search_message() == "No matches.", "the search finds nothing")
    page.leave_search()
    row = next(row["row"] for row in page.rows() if row["name"] == "Harbour One")
    page.scroll_to_time(SATURDAY - 600)
    page.run("""
        const cells = [...document.querySelectorAll(`.row[data-row="${arguments[0]}"] .cell a`)];
        cells.find((cell) => cell.textContent.includes('Locked')).focus({preventScroll: true})""", row)
    page.press("Enter")
    details = page.details()
    assert "Locked" in details and LOCKED not in details, details
    world.screenshot(page, "profiles-locked")
    unlimited = [url for url, _ in page.requests() if re.search(r"/api/v1/(grid|search|airings|watch)", url) and "lockAge=12" not in url]
    assert not unlimited, unlimited


def _bodies(page):
    """Returns the bodies of the pages and requests with the limit since the last call, by their URLs."""
    found = {}
    for message in page.log("performance"):
        if message["method"] != "Network.responseReceived":
            continue
        parameters = message["params"]
        url = parameters["response"]["url"]
        if "/api/v1/events" in url or "lockAge=12" not in url and "/api/v1/" not in url:
            continue
        try:
            found[url] = page.developer("Network.getResponseBody", requestId=parameters["requestId"])["body"]
        except Exception:  # The browser keeps no bodies of former pages; those are read again.
            found[url] = page.service.request(url.removeprefix(page.origin)).body.decode()
    return found


def changed_limit_applies_to_a_page_that_is_opened_again(world):
    service = _service(world, "changed", ["kids", "--max-age", "18"])
    page = _page(world, service, "kids", path=f"/?at={SATURDAY}")
    assert LOCKED in page.run("return document.documentElement.textContent")
    _epg(world, service, "set", "kids", "--max-age", "6")
    page.post("/refresh")
    page.wait("location.search.includes('lockAge=6') && document.querySelector('#guide.live')")
    page.settle()
    assert LOCKED not in page.run("return document.documentElement.textContent")


def removed_profile_leaves_the_browser_with_its_own_settings(world):
    service = _service(world, "removed", ["anna"])
    page = _page(world, service, "anna")
    _epg(world, service, "remove", "anna")
    page.post("/refresh")
    page.wait("epgPage.profiles.chosen === null && document.querySelector('#guide.live')")
    assert json.loads(page.run("return localStorage.getItem('epg.profile') ?? 'null'")) is None


@long
def tabs_of_a_browser_share_changes(world):
    service = _service(world, "tabs", ["anna"])
    page = _page(world, service, "anna")
    names = page.station_names()
    first, second = page.get("/window"), page.post("/window/new", type="tab")["handle"]
    page.post("/window", handle=second)
    page.show(f"/?at={EVENING}")
    page.favorite(names[1])
    page.wait_until(lambda: _is_sent(page), "the change of the second tab is sent")
    page.post("/window", handle=first)
    page.favorite(names[3])
    page.wait_until(lambda: _is_sent(page), "the change of the first tab is sent")
    assert len(_settings(service)["favorites"]) == 2, _settings(service)
    # Another device resets a setting, which an open page must not set again with its next ones.
    page.choose_setting("theme", "dark")
    page.wait_until(lambda: "theme" in _settings(service), "the theme is sent")
    other = _page(world, service, "anna")
    other.choose_setting("theme", "")
    other.wait_until(lambda: "theme" not in _settings(service), "the theme is reset")
    for clock in ("24", "12"):
        page.choose_setting("clock", clock)
        page.wait_until(lambda: _settings(service).get("clock") == clock, "the clock is sent")
    assert "theme" not in _settings(service), _settings(service)


@long
def open_page_follows_the_profile(world):
    service = _service(world, "follow", ["kids"])
    television = _page(world, service, "kids", path=f"/?at={SATURDAY}", size=(1920, 1080))
    phone = _page(world, service, "kids", size=(390, 844))
    name = phone.station_names()[2]
    phone.open_details(2)
    phone.click("#panel-favorite")
    phone.wait_until(lambda: _is_sent(phone), "the change is sent")
    television.only_favorites()
    # As when somebody turns the screen on again.
    television.run("document.dispatchEvent(new Event('visibilitychange'))")
    television.wait_until(lambda: television.station_names() == [name], "the television shows the favorite")
    _epg(world, service, "set", "kids", "--max-age", "6")
    television.run("document.dispatchEvent(new Event('visibilitychange'))")
    television.wait("location.search.includes('lockAge=6') && document.querySelector('#guide.live')")


def page_from_before_a_limited_profile_is_not_shown_again(world):
    service = _service(world, "back", ["kids", "--max-age", "12"])
    page = _page(world, service, path=f"/?at={SATURDAY}")
    airing = next(
        airing["id"] for station in service.json("/api/v1/now", at=SATURDAY)["stations"] for airing in station["now"] if airing["title"] == LOCKED)
    path = f"/airings/{airing}?at={SATURDAY}"
    limited = "location.pathname.startsWith('/airings/') && location.search.includes('lockAge=12') && document.readyState === 'complete'"
    page.open(path, wait="document.readyState === 'complete'")
    assert LOCKED in page.text("main") and "Every episode" in page.text("main")
    page.show(f"/?at={SATURDAY}")
    _choose(page, "kids")
    page.run("history.back()")
    page.wait(limited)
    assert LOCKED not in page.text("main") and "Every episode" not in page.text("main"), page.text("main")
    # A page from the back/forward cache runs no script from its start.
    profile = page.run("const text = localStorage.getItem('epg.profile'); localStorage.removeItem('epg.profile'); return text")
    page.open(path, wait="document.readyState === 'complete'")
    assert LOCKED in page.text("main")
    page.run("localStorage.setItem('epg.profile', arguments[0]); dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))", profile)
    page.wait(limited)
    assert LOCKED not in page.text("main")


def failed_changes_are_kept_and_named(world):
    service = _service(world, "failed", ["anna"])
    page = _page(world, service, "anna")

    def respond(response):
        page.run("""
            window.realFetch ??= window.fetch;
            window.fetch = (url, ...rest) => (String(url).includes('/profiles/anna') ? (%s) : realFetch(url, ...rest))""" % response)

    # A proxy has no service for a while.
    respond("Promise.resolve(new Response('', {status: 404, headers: {'Content-Type': 'text/html'}}))")
    page.favorite(page.station_names()[1])
    page.settle(900)
    assert page.run("return epgPage.profiles.chosen?.name") == "anna"
    _open_settings(page)
    page.choose("#set-profile", "")
    page.wait("document.querySelector('#options [role=alert]')?.textContent.includes('not saved')")
    page.press("Escape")
    # The service rejects the change.
    respond("Promise.resolve(new Response('{\\\"detail\\\": \\\"Too much.\\\"}', {status: 413, headers: {'Content-Type': 'application/problem+json'}}))")
    page.favorite(page.station_names()[2])
    page.wait("document.getElementById('state')?.textContent.includes('not saved: Too much.')")
    respond("realFetch(url, ...rest)")
    page.favorite(page.station_names()[3])
    page.wait_until(lambda: len(_settings(service).get("favorites", [])) == 3, "all changes are sent")
