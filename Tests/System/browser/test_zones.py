"""One time zone on all pages: the viewer's, and without scripts that of the service."""

import re
from urllib.parse import parse_qs, urlsplit

from guide_page import GuidePage
from support.report import long
from test_page_policies import pages
from world import EVENING

#: At EVENING, 18:40 in London, it is 14:40 in New York.
NEW_YORK, LONDON = "America/New_York", "Europe/London"


def _zone_of(page):
    """Returns the name of the zone that the page shows."""
    return page.run("""
        const name = document.querySelector('footer.zone')?.textContent.replace('Time zone: ', '') ?? document.querySelector('#corner small')?.title;
        return name ?? null;""")


def _documents(page):
    """Returns the paths of the documents requested since the last call."""
    return [urlsplit(url).path for url, kind in page.requests() if kind == "Document"]


def _first_time(page):
    return page.run("""
        const cell = document.querySelector('#guide .cell:not(.gap)');
        return (cell ?? document.querySelector('main time'))?.textContent ?? null;""")


def all_pages_show_the_zone_of_the_viewer(world):
    service = world.service("sample")
    page = GuidePage.on(world, service)
    page.zone(NEW_YORK)
    for name, path in pages(service).items():
        if name == "none":
            continue
        page.open(path)
        page.settle()
        assert _zone_of(page) == NEW_YORK, f"{name} shows {_zone_of(page)}"
    # One moment has one time: the home page's is EVENING.
    page.open(f"/home?at={EVENING}")
    page.settle()
    assert _first_time(page) == "14:40", _first_time(page)
    assert not page.console_errors()


def following_links_loads_each_page_once(world):
    page = GuidePage.on(world, world.service("sample"))
    page.zone(NEW_YORK)
    page.show(f"/?at={EVENING}")
    assert "zone" not in parse_qs(urlsplit(page.get("/url")).query), page.get("/url")
    for selector in ("a[href^='/home']", ".v-card a", ".v-story .v-station", ".v-row a", ".brand"):
        page.requests()
        page.run("document.querySelector(arguments[0]).click()", selector)
        page.settle()
        documents = _documents(page)
        assert len(documents) == 1, f"{selector}: {documents}"
        assert _zone_of(page) == NEW_YORK, f"{selector} leads to {page.get('/url')}, which shows {_zone_of(page)}"


def link_from_a_viewer_elsewhere_shows_the_own_zone(world):
    page = GuidePage.on(world, world.service("sample"))
    page.zone("Asia/Tokyo")
    for path in (f"/home?at={EVENING}&zone={NEW_YORK}", f"/?at={EVENING}&zone={NEW_YORK}"):
        page.open(path)
        page.settle()
        assert _zone_of(page) == "Asia/Tokyo", f"{path} shows {_zone_of(page)}"


def zone_of_the_settings_applies_to_all_pages(world):
    service = world.service("sample")
    page = GuidePage.on(world, service)
    page.zone(NEW_YORK)
    page.show(f"/?at={EVENING}")
    page.choose_setting("zone", "Asia/Tokyo")
    assert page.text("#corner small") == "Tokyo", page.text("#corner")
    page.run("document.querySelector('a[href^=\"/home\"]').click()")
    page.settle()
    assert _zone_of(page) == "Asia/Tokyo" and _first_time(page) == "03:40", (_zone_of(page), _first_time(page))


def without_scripts_all_pages_show_the_zone_of_the_service(world):
    service = world.service("sample")
    page = GuidePage.on(world, service)
    page.zone(NEW_YORK)
    page.scripts(False)
    for name, path in pages(service).items():
        if name == "none":
            continue
        page.open(path)
        assert _zone_of(page) == LONDON, f"{name} shows {_zone_of(page)}"


def zone_that_the_service_does_not_know_is_requested_once(world):
    page = GuidePage.on(world, world.service("sample"))
    page.open(f"/home?at={EVENING}")
    # The browser's data may be newer than the service's: here, its name for the zone is unknown to the service.
    page.developer("Page.enable")
    page.developer("Page.addScriptToEvaluateOnNewDocument", source="""
        const own = Intl.DateTimeFormat.prototype.resolvedOptions;
        Intl.DateTimeFormat.prototype.resolvedOptions = function () {
            const options = own.call(this);
            return { ...options, timeZone: options.timeZone === 'UTC' ? 'Mars/Olympus' : options.timeZone };
        };""")
    page.zone("UTC")
    page.requests()
    page.open(f"/home?at={EVENING}")
    page.settle()
    assert _documents(page) == ["/home", "/home"], _documents(page)
    assert _zone_of(page) == LONDON, _zone_of(page)


def times_of_another_zone_are_hidden_until_the_script_draws(world):
    page = GuidePage.on(world, world.service("sample"))
    page.zone(NEW_YORK)
    page.developer("Network.enable")
    page.developer("Network.setBlockedURLs", urls=["*/guide.js"])
    page.open(f"/?at={EVENING}")
    colors = page.run("""
        const color = selector => getComputedStyle(document.querySelector(selector)).color;
        return [color('#marks .mark'), color('#guide .cell:not(.gap) a'), color('#guide .cell:not(.gap) b')];""")
    assert [re.sub(r"\s", "", color) == "rgba(0,0,0,0)" for color in colors] == [True, True, False], colors
