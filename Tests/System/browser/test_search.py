"""Search as you type, with navigation to the airing found."""

from guide_page import GuidePage
from support.report import journey, long
from world import EVENING


@journey
def results_appear_while_typing(world):
    page = GuidePage.on(world, world.service("sample"))
    page.show(f"/?at={EVENING}")
    results = page.search("low wa")
    assert any("Low Water" in text for text in results), results


@long
def chinese_words_match_inside_titles(world):
    page = GuidePage.on(world, world.service("sample"))
    page.show(f"/?at={EVENING}")
    results = page.search("新闻")
    assert any("晚间新闻联播" in text for text in results), results


@journey
def choosing_a_result_scrolls_to_its_cell(world):
    page = GuidePage.on(world, world.service("sample"))
    page.show(f"/?at={EVENING}")
    page.search("Second Violin")
    page.choose_result("Second Violin")
    page.wait_until(
        lambda: any("Second Violin" in cell["text"] and 0 < cell["left"] < 1280 for cell in page.cells()),
        "the cell of the result is in view")


@long
def results_can_be_chosen_with_the_keyboard(world):
    page = GuidePage.on(world, world.service("sample"))
    page.show(f"/?at={EVENING}")
    page.search("Second Violin")
    page.press("ArrowDown", "Enter")
    page.wait_until(
        lambda: page.has_details() or any("Second Violin" in cell["text"] and 0 < cell["left"] < 1280 for cell in page.cells()),
        "the cell of the result is in view, or its details")


@long
def choosing_a_result_scrolls_to_a_distant_station_and_day(world):
    service = world.service("small")
    page = GuidePage.on(world, service)
    page.show("/")
    # The last airing of the last station that has any.
    schedule = service.json("/api/v1/stations/s398.example/schedule", **{"from": world.start + 2 * 86_400, "to": world.start + 3 * 86_400})
    wanted = schedule["airings"][-1]
    page.search(wanted["title"])
    found = page.run("return [...document.querySelectorAll('#found li')].map((each) => each.dataset)")
    far = max(found, key=lambda each: int(each["row"]) * int(each["start"] > str(page.now())))
    page.run("document.querySelector(`#found li[data-id=\"${arguments[0]}\"]`).click()", far["id"])
    page.wait_until(
        lambda: any(cell["id"] == int(far["id"]) and cell["inView"] for cell in page.cells()), f"{far} is in view")
    page.wait_until(lambda: not page.blanks(), "the grid is filled")


@long
def empty_result_shows_a_message(world):
    page = GuidePage.on(world, world.service("sample"))
    page.show(f"/?at={EVENING}")
    page.search("zzzzqqqq", least=0)
    page.wait_until(lambda: page.search_message(), "a message that nothing was found")


def search_page_highlights_matching_words(world):
    service = world.service("sample")
    page = GuidePage.on(world, service)
    page.scripts(False)
    page.open(f"/search?q=low&at={EVENING}")
    marks = page.run("return [...document.querySelectorAll('main mark')].map((mark) => mark.textContent.toLowerCase())")
    assert marks and all(mark.startswith("low") for mark in marks), marks


def search_page_groups_showings_and_corrects_words(world):
    page = GuidePage.on(world, world.service("sample"))
    page.scripts(False)
    page.open(f"/search?q=kerbsied&at={EVENING}")
    page.click(".v-suggestions a")
    page.wait("new URLSearchParams(location.search).get('q') === 'Kerbside'")
    titles = page.run("return [...document.querySelectorAll('main .v-match.v-current .v-title, main .v-match.v-coming .v-title')].map((title) => title.textContent)")
    assert "Kerbside" in titles and len(titles) == len(set(titles)), titles
    page.open(f"/search?q=news&at={EVENING}")
    groups = page.run("""
        return [...document.querySelectorAll('.v-match')].map((match) => ({links: match.querySelectorAll('a').length,
            open: match.querySelectorAll('.v-others > a').length, more: match.querySelector('summary')?.textContent}))""")
    assert any(group["links"] > 1 for group in groups) and all(group["open"] <= 3 for group in groups), groups
    for group in groups:
        rest = group["links"] - 1 - group["open"]
        assert group["more"] == (f"{rest} more" if rest else None), group


def enter_on_a_half_typed_word_finds_what_the_suggestions_find(world):
    page = GuidePage.on(world, world.service("sample"))
    for text in ("low wa", "kerbs", "新闻"):
        page.show(f"/?at={EVENING}")
        suggested = {result.split("·")[0].strip() for result in page.search(text)}
        page.press("Enter")
        page.wait("location.pathname === '/search'")
        page.settle()
        titles = page.run("return [...document.querySelectorAll('main .v-match .v-title')].map((title) => title.textContent)")
        assert titles, f"the search page found nothing for {text!r}"
        assert len(titles) == len(page.run("return [...document.querySelectorAll('main .v-match')]"))
        missing = [title for title in titles if not any(result.startswith(title) for result in suggested)]
        assert not missing and len(suggested) > 0, f"{text!r}: {missing} are not among {suggested}"
