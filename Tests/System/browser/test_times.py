"""Times: one clock in all pages, days of airings that began on another day, and texts of cells that the edge clips."""

import datetime
import re
import zoneinfo

from guide_page import GuidePage
from support.report import long
from test_page_policies import pages
from world import EVENING

TWELVE, TWENTY_FOUR = r"\d{1,2}:\d\d\s[AP]M", r"\d\d:\d\d"
RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff]")


def _times(page, path):
    page.open(path)
    page.settle()
    return page.run("return [...document.querySelectorAll('main time')].map((time) => time.textContent)")


def _expect_clock(page, service, form):
    hours = page.run("return [...document.querySelectorAll('#marks .mark span')].map((label) => label.textContent)")
    cells = [re.search(r"[\d:]+(\s[AP]M)?–(\w{3} )?(.*?)(\?|\u2069| ·|$)", cell["text"]) for cell in page.cells() if cell["width"] > 150 and cell["kind"] == "airing"]
    shown = {"hours": hours, "cells": [found[3] for found in cells if found]}
    for name, path in pages(service).items():
        if name not in ("guide", "stations", "search-nothing", "none"):
            shown[name] = _times(page, path)
    for name, texts in shown.items():
        assert texts, f"{name} shows no times"
        # A repeated time has its abbreviation or offset.
        wrong = [text for text in texts if not re.fullmatch(form + r"( [A-Z]{3,4}([+-]\d+)?)?", text)]
        assert not wrong, f"{name}: {wrong[:5]}"


def clock_of_all_pages_follows_the_language(world):
    service = world.service("sample")
    for language, form in (("en-US", TWELVE), ("en-GB", TWENTY_FOUR)):
        page = GuidePage.on(world, service, language=language)
        page.show(f"/?at={EVENING}")
        _expect_clock(page, service, form)


@long
def clock_of_the_settings_applies_to_all_pages(world):
    service = world.service("sample")
    for language, setting, form in (("en-US", "24", TWENTY_FOUR), ("en-GB", "12", TWELVE)):
        page = GuidePage.on(world, service, language=language)
        page.show(f"/?at={EVENING}")
        page.choose_setting("clock", setting)
        _expect_clock(page, service, form)


#: Returns the second lines that are not completely visible, and the number of lines with times.
CLIPPED = """
    const area = arguments[0], found = [];
    let count = 0;
    for (const link of document.querySelectorAll('#guide .cell:not(.gap) a')) {
        const box = link.getBoundingClientRect(), row = link.closest('.row');
        if (row.classList.contains('ragged') || box.right < area.left + 1 || box.left > area.right - 1 || box.bottom < area.top || box.top > area.bottom) continue;
        const walker = document.createTreeWalker(link, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            const text = walker.currentNode, part = text.parentNode.closest('i');
            if (text.parentNode.closest('b') || !text.data.trim()) continue;
            if (part && part.getBoundingClientRect().top >= part.parentNode.getBoundingClientRect().bottom - 2) continue;
            const range = document.createRange();
            range.selectNodeContents(text);
            count += /\\d/.test(text.data) ? 1 : 0;
            for (const { left, right, top, bottom } of range.getClientRects()) {
                if (right - left > 1 && (left < box.left - 1 || right > box.right + .5 || bottom > box.bottom + 1)) found.push([text.data, left - box.left, right - box.right, bottom - box.bottom]);
            }
        }
    }
    return [count, found];"""


def times_are_complete_or_left_out(world):
    count = 0
    for language, size in (("en-US", (1280, 800)), ("en-GB", (390, 844))):
        page = GuidePage.on(world, world.service("sample"), size=size, language=language)
        page.scripts(False)
        page.open(f"/?at={EVENING}")
        where = f"{size}, {language}"

        def expect(what):
            lines, clipped = page.run(CLIPPED, page.query("area()"))
            assert not clipped, f"{where}, {what}: {clipped[:4]}"
            return lines

        count += expect("without scripts")
        page.scripts(True)
        page.show(f"/?at={EVENING}")
        for way in ("across", "downwards"):
            for zoom in ("", "out", "out", "in", "in", "in"):
                if zoom:
                    page.run("document.getElementById('zoom-' + arguments[0]).click()", zoom)
                for step in range(3 if world.short else 12):
                    page.run(f"{page.SCROLLER}.scrollBy({{[arguments[0]]: 37, behavior: 'instant'}})", "left" if way == "across" else "top")
                    page.settle(160)
                    page.wait_until(lambda: page.count("#guide .row.ragged:not([hidden])") < 40, "the scroll has ended")
                    count += expect(f"{way}, {page.run('return window.epg.hour')} points per hour, step {step}")
            page.run("document.getElementById('turn').click()")
            page.settle()
    world.note(f"{count} times")
    assert count > 500, count


def wide_cells_show_times_and_subtitles(world):
    page = GuidePage.on(world, world.service("sample"))
    page.show(f"/?at={EVENING}")
    cells = [cell for cell in page.cells() if cell["kind"] == "airing" and cell["inView"] and cell["width"] > 220 and cell["left"] > 200]
    assert cells and all("–" in cell["text"] for cell in cells), [cell["text"] for cell in cells if "–" not in cell["text"]]
    assert any(cell["text"].count(" · ") for cell in cells), [cell["text"] for cell in cells]


def texts_stay_when_the_script_takes_over(world):
    service = world.service("small")
    page = GuidePage.on(world, service)
    page.zone("Europe/London")
    page.scripts(False)
    page.open("/")
    before = {cell["id"]: cell["text"] for cell in page.cells() if cell["inView"]}
    page.scripts(True)
    page.show("/")
    after = {cell["id"]: cell["text"] for cell in page.cells()}
    common = before.keys() & after.keys() - {0}
    assert len(common) > 20, len(common)
    # A minute may have passed.
    wrong = [(before[each], after[each]) for each in common if before[each] != after[each]]
    assert not wrong, wrong[:4]


def airing_that_began_on_another_day_names_its_day(world):
    page = GuidePage.on(world, world.service("small"))
    zone = zoneinfo.ZoneInfo("Europe/London")
    page.zone("Europe/London")
    page.show("/")
    midnight = int(datetime.datetime.fromtimestamp(page.now(), zone).replace(hour=0, minute=0, second=0, microsecond=0).timestamp())
    counts = []
    for minutes in (-90, 10, -90):
        edge = midnight + minutes * 60
        page.run("const guide = document.getElementById('guide'); guide.scrollTo({left: window.epg.x(arguments[0]), behavior: 'instant'})", edge)
        page.wait_until(lambda: not page.blanks(), "the grid is filled")
        page.settle()
        found = 0
        for cell in page.cells():
            if cell["kind"] != "airing" or not cell["inView"] or "–" not in cell["text"]:
                continue
            start, stop = (datetime.datetime.fromtimestamp(at, zone) for at in (cell["start"], cell["stop"] - 1))
            day = f"{start:%a} {start:%H:%M}"
            began_before = cell["start"] < edge and start.date() != datetime.datetime.fromtimestamp(edge, zone).date()
            assert (day in cell["text"]) == began_before, f"{cell['text']!r}, {start} to {stop}, seen from {minutes} minutes after midnight"
            name = page.run("return document.querySelector(`#guide .cell[data-id=\"${arguments[0]}\"] a`).getAttribute('aria-label')", cell["id"])
            assert (day in name) == (start.date() != stop.date()), f"{name!r}, {start} to {stop}"
            found += began_before
        counts.append(found)
    world.note(f"{counts} cells name their day")
    assert counts[1] >= 4, counts


def _expect_texts_at_the_edge(page, what):
    area = page.query("area()")
    cells = [
        cell for cell in page.cells()
        if cell["kind"] == "airing" and cell["inView"] and cell["title"] and cell["left"] < area["left"] - 1
        and cell["right"] > area["left"] + 14 and cell["width"] >= 20 and not RIGHT_TO_LEFT.search(cell["text"])]
    wrong = [f"{cell['title']!r} begins {area['left'] - cell['textLeft']:.0f} px before the edge of {what}" for cell in cells
             if cell["textLeft"] < area["left"] - 1]
    assert not wrong, "; ".join(wrong[:4])
    return len(cells)


def texts_of_cells_cut_by_the_edge_begin_at_the_edge(world):
    page = GuidePage.on(world, world.service("sample"))
    page.scripts(False)
    page.open(f"/?at={EVENING}&from={EVENING - 1500}")
    count = _expect_texts_at_the_edge(page, "the first paint")
    page.scripts(True)
    page.show(f"/?at={EVENING}")
    for step in range(12 if world.short else 60):
        page.run(f"{page.SCROLLER}.scrollBy({{left: 23, behavior: 'instant'}})")
        page.settle()
        count += _expect_texts_at_the_edge(page, f"step {step}")
    world.note(f"{count} clipped cells")
    assert count > 60, count


def texts_stay_at_the_edge_during_a_slow_scroll(world):
    page = GuidePage.on(world, world.service("sample"))
    page.show(f"/?at={EVENING}")
    wrong, count = page.run_async("""
        const done = arguments[arguments.length - 1], guide = document.getElementById('guide'), wrong = [];
        let frame = 0, count = 0;
        const step = () => {
            const edge = document.getElementById('corner').getBoundingClientRect().right;
            for (const title of guide.querySelectorAll('.along .cell.cut:not(.gap, .away, .mixed) b')) {
                const range = document.createRange(), cell = title.closest('.cell').getBoundingClientRect();
                range.selectNodeContents(title);
                if (cell.left > edge - 1 || cell.right < edge + 14) continue;
                count++;
                const {left} = range.getBoundingClientRect();
                if (left < edge - 1) wrong.push(`${title.textContent}: ${left - edge}`);
            }
            guide.scrollBy({left: 4, behavior: 'instant'});
            if (++frame < 90) requestAnimationFrame(step); else done([wrong, count]);
        };
        requestAnimationFrame(step);""")
    assert count > 100 and not wrong, (count, wrong[:5])


def _expect_separate_labels(page, where):
    boxes = page.run("""
        return [...document.querySelectorAll('#marks .mark span')].map((label) => {
            const { left, right, top, bottom } = label.getBoundingClientRect();
            return [left, right, top, bottom, label.textContent];
        });""")
    assert len(boxes) > 3, f"{where}: {boxes}"
    for at, one in enumerate(boxes):
        for other in boxes[at + 1:]:
            is_apart = one[1] <= other[0] or other[1] <= one[0] or one[3] <= other[2] or other[3] <= one[2]
            assert is_apart, f"{where}: {one[4]} is over {other[4]}"


def labels_of_hours_do_not_overlap_at_any_zoom(world):
    for language in ("en-US", "en-GB"):
        page = GuidePage.on(world, world.service("sample"), language=language)
        page.scripts(False)
        page.open(f"/?at={EVENING}&zoom=60&hours=24")
        _expect_separate_labels(page, "without scripts")
        page.scripts(True)
        page.show(f"/?at={EVENING}")
        for way in ("across", "downwards"):
            page.zoom("in")
            hour = None
            while hour != page.measure("hour"):
                hour = page.measure("hour")
                # Midnight of the 25-hour day: the hour that occurs twice has longer labels.
                page.scroll_to_time(EVENING - 20 * 3600)
                _expect_separate_labels(page, f"{language}, {hour} points per hour, {way}")
                page.zoom("out")
            page.run("document.getElementById('turn').click()")
            page.settle()


def times_of_a_day_do_not_overlap_its_titles(world):
    service = world.service("sample")
    for size in ((1280, 800), (360, 740)):
        for zone in ("Europe/London", "America/New_York"):
            page = GuidePage.on(world, service, language="en-US", size=size)
            page.zone(zone)
            page.open(pages(service)["day"])
            page.settle()
            wrong = page.run("""
                return [...document.querySelectorAll('.v-row')].filter((row) => {
                    const words = row.querySelector('.v-words').getBoundingClientRect();
                    const range = document.createRange();
                    range.selectNodeContents(row.querySelector('.v-when'));
                    return [...range.getClientRects()].some((box) => box.right > words.left - 4);
                }).map((row) => row.textContent);""")
            assert not wrong, f"{size}, {zone}: {wrong[:3]}"
