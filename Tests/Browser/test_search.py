"""Search as you type, with a way to where the airing is."""

from guide_page import GuidePage
from world import EVENING, thorough


def results_come_while_typing(world):
    page = GuidePage.on(world, world.service("sample"))
    page.show(f"/?at={EVENING}")
    results = page.search("low wa")
    assert any("Low Water" in text for text in results), results


def chinese_words_are_found_inside_of_titles(world):
    page = GuidePage.on(world, world.service("sample"))
    page.show(f"/?at={EVENING}")
    results = page.search("新闻")
    assert any("晚间新闻联播" in text for text in results), results


def a_result_leads_to_its_cell(world):
    page = GuidePage.on(world, world.service("sample"))
    page.show(f"/?at={EVENING}")
    page.search("Second Violin")
    page.choose_result("Second Violin")
    page.wait_until(
        lambda: any("Second Violin" in cell["text"] and 0 < cell["left"] < 1280 for cell in page.cells()),
        "the cell of the result is in sight")


@thorough
def results_are_chosen_with_the_keyboard(world):
    page = GuidePage.on(world, world.service("sample"))
    page.show(f"/?at={EVENING}")
    page.search("Second Violin")
    page.press("ArrowDown", "Enter")
    page.wait_until(
        lambda: page.has_details() or any("Second Violin" in cell["text"] and 0 < cell["left"] < 1280 for cell in page.cells()),
        "the cell of the result is in sight, or its details")


@thorough
def search_leads_to_a_far_station_and_day(world):
    service = world.service("small")
    page = GuidePage.on(world, service)
    page.show("/")
    found = service.json("/api/v1/stations", offset=390, limit=1)["stations"][0]
    page.search(found["name"])
    results = page.search(found["name"])
    assert results, f"nothing for the station {found['name']!r}"


def nothing_found_is_said(world):
    page = GuidePage.on(world, world.service("sample"))
    page.show(f"/?at={EVENING}")
    page.search("zzzzqqqq", least=0)
    page.wait_until(lambda: page.search_says(), "a sentence that nothing was found")


def the_search_page_marks_the_words_found(world):
    service = world.service("sample")
    page = GuidePage.on(world, service)
    page.scripts(False)
    page.open(f"/search?q=low&at={EVENING}")
    marks = page.run("return [...document.querySelectorAll('main mark')].map((mark) => mark.textContent.toLowerCase())")
    assert marks and all(mark.startswith("low") for mark in marks), marks
