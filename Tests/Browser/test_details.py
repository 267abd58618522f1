"""The panel of details has all that the guide knows of an airing."""

import datetime

from guide_page import GuidePage
from world import EVENING, thorough


def _orchestra(service):
    """The programme of the sample guide that has everything that the DTD knows."""
    found = service.json("/api/v1/search", q="Lighthouse Keeper's Orchestra", at=EVENING)
    return next(iter(_airings(found)))


def _airings(answer):
    for match in answer.get("matches") or answer.get("results") or answer.get("airings"):
        yield match.get("airing", match)


def details_have_every_field(world):
    service = world.service("sample")
    airing = _orchestra(service)
    page = GuidePage.on(world, service)
    page.show(f"/?at={EVENING}")
    page.search("Lighthouse Keeper")
    page.choose_result("Lighthouse Keeper")
    details = page.details()
    answer = service.json(f"/api/v1/airings/{airing['id']}")
    wanted = [text for text in _texts(answer) if len(text) < 80]
    missing = [text for text in wanted if text not in details]
    assert "The Lighthouse Keeper's Orchestra" in details.replace("’", "'"), details[:200]
    assert len(missing) < len(wanted) / 3, f"{len(missing)} of {len(wanted)} texts aren't in the details: {missing[:12]}"
    world.note(f"not among the details: {', '.join(missing) or 'nothing'}")


def _texts(value, key=""):
    """What people could read of an answer."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in ("id", "language", "lang", "start", "stop", "station", "row", "system", "generation", "icon", "url"):
                yield from _texts(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner, key)
    elif isinstance(value, str) and not value.startswith(("http", "2026-")):
        yield value


def a_click_on_a_cell_opens_its_details(world):
    page = GuidePage.on(world, world.service("sample"))
    page.show(f"/?at={EVENING}")
    cell = next(cell for cell in page.cells() if cell["now"] and cell["title"] and cell["width"] > 100 and cell["left"] > 200)
    page.click_at((max(cell["left"], 200) + cell["right"]) / 2, (cell["top"] + cell["bottom"]) / 2)
    assert cell["title"] in page.details()
    page.press("Escape")
    page.wait_until(lambda: not page.has_details(), "the details are closed")


def an_airing_can_be_put_into_a_calendar(world):
    service = world.service("sample")
    page = GuidePage.on(world, service)
    page.show(f"/?at={EVENING}")
    page.focus_grid()
    page.press("Enter")
    page.details()
    link = page.run("return [...document.querySelectorAll('a')].find((link) => /calendar/i.test(link.textContent + (link.getAttribute('aria-label') || '')) && link.getClientRects().length)?.href")
    assert link, "there is no way into a calendar"
    if link.startswith("http"):
        status, headers, body = service.ask(link.removeprefix(service.origin))
        assert status == 200 and headers["content-type"].startswith("text/calendar"), f"{link}: {status} {headers}"
        assert body.startswith(b"BEGIN:VCALENDAR\r\n"), body[:80]


@thorough
def an_airing_has_a_page_of_its_own_with_other_showings(world):
    service = world.service("sample")
    airing = _orchestra(service)
    page = GuidePage.on(world, service)
    page.scripts(False)
    page.open(f"/airings/{airing['id']}?at={EVENING}")
    text = page.text("main")
    start = datetime.datetime.fromisoformat(airing["start"].replace("Z", "+00:00"))
    assert "Orchestra" in text and str(start.day) in text, text[:300]
