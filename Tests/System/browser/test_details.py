"""The details panel shows everything that the guide contains about an airing."""

import re
import subprocess
import time

import axe
from guide_page import GuidePage
from support import SAMPLES
from support.report import journey, long
from support.times import xmltv_time
from world import EVENING


#: The contents of the sample guide for the airing, as displayed.
EVERYTHING = [
    "Restored version", "A keeper on a rock forty miles out", "19:30", "21:45", "Lantern Films", "Film", "Comedy drama", "Part 1 of 1",
    "Odile Garance", "Jean Morel", "The keeper", "Cole Whitaker", "Solange Petit", "S. J. Marl", "Col Whitby", "Ines Kovar", "Tilda Moon",
    "Maud Iveson", "Archie Dunmore", "Dr Amara Leith", "1971", "lighthouse", "Norway", "French", "HDTV", "4:3", "bilingual",
    "teletext", "BBFC", "PG", "5 / 5", "Lantern Film Club", "9/10", "The gulls are flat, and it does not matter.",
]


def _related():
    """A guide with three episodes of a series, one of them over at 20:00 UTC today, and a programme with a similar title."""
    first = (int(time.time()) // 86_400 - 1) * 86_400 + 18 * 3600
    programmes = [(0, "Storm Watch", "Part 0"), (3, "Storm Watch", "Part 1"), (4, "Storm Front", ""), (5, "Storm Watch", "Part 2"), (6, "News", "")]
    return ("<tv><channel id='one'><display-name>One</display-name></channel>" + "".join(
        f"<programme start='{xmltv_time(first + hour * 3600)}' stop='{xmltv_time(first + (hour + 1) * 3600)}' channel='one'><title>{title}</title>"
        + (f"<sub-title>{subtitle}</sub-title>" if subtitle else "") + "</programme>" for hour, title, subtitle in programmes) + "</tv>").encode()


def _expect_everything(text, *others):
    missing = [text_part for text_part in [*EVERYTHING, *others] if text_part not in text]
    assert not missing, f"not among the details: {missing}"


@journey
def details_show_every_field(world):
    page = GuidePage.on(world, world.service("sample"))
    page.show(f"/?at={EVENING}")
    page.search("Lighthouse Keeper")
    page.choose_result("Lighthouse Keeper")
    page.press("Enter")
    _expect_everything(page.details(), "2 h 1 min", "films.example.com")
    requested = [url for url, _ in page.requests()]
    assert any("/art/airings/" in url for url in requested), "the poster isn't requested"
    assert not re.search(r"\b(false|undefined|null|NaN|\[object)", page.details()), page.details()


@long
def click_on_a_cell_opens_its_details(world):
    page = GuidePage.on(world, world.service("sample"))
    page.show(f"/?at={EVENING}")
    cell = next(cell for cell in page.cells() if cell["now"] and cell["title"] and cell["right"] > 320)
    page.click_at((max(cell["left"], 200) + cell["right"]) / 2, (cell["top"] + cell["bottom"]) / 2)
    assert cell["title"] in page.details()
    page.press("Escape")
    page.wait_until(lambda: not page.has_details(), "the details are closed")


@long
def details_link_to_a_calendar_file(world):
    service = world.service("sample")
    page = GuidePage.on(world, service)
    page.show(f"/?at={EVENING}")
    page.open_details()
    link = page.run("return [...document.querySelectorAll('a')].find((link) => /calendar/i.test(link.textContent + (link.getAttribute('aria-label') || '')) && link.getClientRects().length)?.href")
    assert link, "the calendar link is missing"
    if link.startswith("http"):
        status, headers, body = service.request(link.removeprefix(service.origin))
        assert status == 200 and headers["content-type"].startswith("text/calendar"), f"{link}: {status} {headers}"
        assert body.startswith(b"BEGIN:VCALENDAR\r\n"), body[:80]


def details_have_one_primary_action(world):
    service = world.own_service(SAMPLES / "evening.xml", "details-actions")
    subprocess.run([world.programs.epg, "import", SAMPLES / "evening.m3u", "--database", service.database], check=True, capture_output=True)
    page = GuidePage.on(world, service)
    # Low Water is on from 20:00 to 21:00 UTC on October 24, on a channel with a stream and catch-up.
    for at, title, primary in [(1792872600, "Low Water", "Watch"), (1792870200, "Low Water", "Remind me"), (1792876800, "Low Water", "Watch")]:
        page.show(f"/?at={at}")
        page.search(title)
        airing = service.json("/api/v1/now", at=1792872600, rows="0")["stations"][0]["now"][0]["id"]
        page.run("document.querySelector(`#found li[data-id='${arguments[0]}']`)?.click()", airing)
        page.wait("epg.focus?.id === arguments[0]", airing)
        page.press("Enter")
        page.wait("document.querySelector('#panel dl')")
        page.wait("[...document.querySelectorAll('#panel .primary:not([hidden])')].map(each => each.textContent).join() === arguments[0]", primary)
        page.press("Escape")
        page.open(f"/airings/{airing}?at={at}", wait="document.querySelector('.v-watch .primary:not([hidden])')")
        assert page.run("return [...document.querySelectorAll('main .primary:not([hidden])')].map(each => each.textContent).join()") == primary
        assert axe.serious(axe.violations(page)) == []
    status, headers, body = service.request(f"/airings/{airing}.m3u?at=1792872600")
    assert status == 200 and headers["content-type"].startswith("audio/x-mpegurl") and b"\nhttps://streams.example.com/" in body, body


def details_lead_to_the_series_and_to_similar_airings(world):
    service = world.own_service(_related(), "details-related", "--zone", "UTC")
    page = GuidePage.on(world, service)
    now = int(world.start) + 20 * 3600
    page.show(f"/?at={now}")
    page.search("Storm Watch")
    page.choose_result("Storm Watch")
    page.press("Enter")
    page.wait("[...document.querySelectorAll('#panel h3')].map(each => each.textContent).join().includes('More like this')")
    assert "Storm Front" in page.details(), page.details()
    page.wait("getComputedStyle(document.getElementById('panel-close')).backgroundColor !== 'rgba(0, 0, 0, 0)'")
    world.screenshot(page, "details-related")
    page.click("#panel-series")
    page.wait("location.pathname === '/series' && document.querySelectorAll('.v-match').length === 3")
    titles = page.run("return [...document.querySelectorAll('.v-match .v-title')].map(each => each.textContent)")
    assert titles == ["Part 1", "Part 2", "Part 0"], titles
    assert axe.serious(axe.violations(page)) == []
    world.screenshot(page, "details-series")
    page.click(".v-match a")
    page.wait("document.querySelector('main a[href^=\"/series?title=Storm%20Watch\"]')")
    assert "Storm Front" in page.text("main")


def airing_page_shows_every_field(world):
    service = world.service("sample")
    airing = service.json("/api/v1/search", q="Lighthouse Keeper's Orchestra", at=EVENING)["matches"][0]
    page = GuidePage.on(world, service)
    page.scripts(False)
    page.open(f"/airings/{airing['id']}?at={EVENING}&zone=Europe/London")
    _expect_everything(page.text("main"))
    assert page.run("return !!document.querySelector('main a[href=\"https://films.example.com/keepers-orchestra\"]')"), "no link to the film"
