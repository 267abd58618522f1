"""An open page shows a refreshed guide without disturbing the user."""

import re
import time

import generated_guide
from guide_page import GuidePage
from support.processes import Service
from support.report import long
from webdriver import WebDriverError


def _guide(world, replaced=None):
    """Returns a small guide around the current time; `replaced` is a pair of old and new text."""
    document = "".join(generated_guide.guide(60, 3, world.start))
    return (document.replace(*replaced, 1) if replaced else document).encode()


def _page(world, name):
    service = world.own_service(_guide(world), name)
    page = GuidePage.on(world, service)
    page.show("/")
    return service, page


def _changed(world, cell, title):
    """Returns the guide with a new title for the programme with the cell's station and start."""
    number = cell["row"]
    stamp = time.strftime("%Y%m%d%H%M%S", time.gmtime(cell["start"]))
    document = _guide(world).decode()
    pattern = re.compile(rf'(<programme start="{stamp} [^>]*channel="s{number}\.example"><title[^>]*>)[^<]*')
    assert pattern.search(document), f"{cell} isn't in the guide"
    return pattern.sub(rf"\g<1>{title}", document, count=1).encode()


def changed_cell_is_updated_in_place(world):
    service, page = _page(world, "live")
    page.focus_grid()
    page.press("ArrowDown", "ArrowDown")
    page.settle()
    focused, scrolled = page.focused(), page.scrolled()
    cell = next(
        cell for cell in page.cells()
        if cell["kind"] == "airing" and cell["width"] > 100 and cell["row"] not in (focused["row"],) and cell["left"] > 200
        and cell["right"] < 1200 and cell["start"])
    others = {other["id"]: other["text"] for other in page.cells() if other["id"] != cell["id"]}
    page.run("window.untouched = document.activeElement; window.sameDocument = 1")
    world.programs.load(_changed(world, cell, "Quite Another Thing"), service.database)
    begin = time.monotonic()
    page.wait_until(
        lambda: any("Quite Another Thing" in now["text"] for now in page.cells() if now["row"] == cell["row"]),
        "the new title is shown", 15)
    world.note(f"the page showed the new title {time.monotonic() - begin:.1f} s after the import")
    assert page.run("return window.sameDocument") == 1, "the page was reloaded"
    assert page.scrolled() == scrolled, f"it scrolled from {scrolled} to {page.scrolled()}"
    after = page.focused()
    assert after and (after["row"], after["start"]) == (focused["row"], focused["start"]), f"the focus moved from {focused} to {after}"
    now = {cell["id"]: cell["text"] for cell in page.cells()}
    moved = [text for other, text in others.items() if now.get(other, text) != text]
    assert not moved, f"other cells changed: {moved[:3]}"


@long
def focus_stays_when_the_focused_airing_changes(world):
    service, page = _page(world, "live-focus")
    page.focus_airing()
    focused = page.focused()
    world.programs.load(_changed(world, focused, "Under Your Hands"), service.database)
    page.wait_until(lambda: "Under Your Hands" in (page.focused() or {"text": ""})["text"], "the focused cell has its new title", 15)
    page.press("ArrowDown")
    page.settle()
    assert page.focused()["row"] == focused["row"] + 1, page.focused()


@long
def open_details_survive_a_refresh(world):
    service, page = _page(world, "live-details")
    page.open_details()
    before = page.details()
    cell = next(cell for cell in page.cells() if cell["kind"] == "airing" and cell["width"] > 100 and cell["row"] > 3 and cell["inView"] and cell["start"])
    world.programs.load(_changed(world, cell, "Elsewhere"), service.database)
    page.wait_until(lambda: any("Elsewhere" in now["text"] for now in page.cells()), "the new title is shown", 15)
    assert page.has_details() and page.details()[:40] == before[:40]


@long
def page_recovers_after_a_restart_of_the_service(world):
    service, page = _page(world, "live-away")
    service.close()
    page.settle()
    world.services["own live-away again"] = Service(world.programs, service.database, port=service.port)
    cell = next(cell for cell in page.cells() if cell["kind"] == "airing" and cell["width"] > 100 and cell["start"])
    world.programs.load(_changed(world, cell, "Back Again"), service.database)
    page.wait_until(lambda: any("Back Again" in now["text"] for now in page.cells()), "the new title is shown", 40)


@long
def different_guide_of_the_same_generation_is_shown(world):
    service, page = _page(world, "first")
    assert page.station_names()[0] == "Harbour Channel 1"
    service.close()
    world.own_service(_guide(world).replace(b"Harbour", b"Haven"), "second", port=service.port)

    def is_other():
        try:
            return page.station_names()[0] == "Haven Channel 1" and page.count(".live .cell")
        except (WebDriverError, IndexError):  # The page is reloading.
            return False

    page.wait_until(is_other, "the other guide is shown", 30)
    page.settle()
    old = [cell["text"] for cell in page.cells() if "Harbour" in cell["text"]]
    assert not old, f"cells of the first guide: {old[:3]}"
