"""The details panel shows everything that the guide contains about an airing."""

import re

from guide_page import GuidePage
from support.report import journey, long
from world import EVENING


#: The contents of the sample guide for the airing, as displayed.
EVERYTHING = [
    "Restored version", "A keeper on a rock forty miles out", "19:30", "21:45", "Lantern Films", "Film", "Comedy drama", "Part 1 of 1",
    "Odile Garance", "Jean Morel", "The keeper", "Cole Whitaker", "Solange Petit", "S. J. Marl", "Col Whitby", "Ines Kovar", "Tilda Moon",
    "Maud Iveson", "Archie Dunmore", "Dr Amara Leith", "1971", "lighthouse", "Norway", "French", "HDTV", "4:3", "bilingual",
    "teletext", "BBFC", "PG", "5 / 5", "Lantern Film Club", "9/10", "The gulls are flat, and it does not matter.",
]


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


def airing_page_shows_every_field(world):
    service = world.service("sample")
    airing = service.json("/api/v1/search", q="Lighthouse Keeper's Orchestra", at=EVENING)["matches"][0]
    page = GuidePage.on(world, service)
    page.scripts(False)
    page.open(f"/airings/{airing['id']}?at={EVENING}&zone=Europe/London")
    _expect_everything(page.text("main"))
    assert page.run("return !!document.querySelector('main a[href=\"https://films.example.com/keepers-orchestra\"]')"), "no link to the film"
