"""The now-line marks the current time."""

from guide_page import GuidePage
from placement import elements, offset
from support.report import long
from world import EVENING

#: Advances the page's clock, and the service's clock as seen by the page, by milliseconds, as after sleep.
SLEEP = """
    const ahead = arguments[0], Real = Date, now = Real.now.bind(Real), get = Headers.prototype.get;
    window.Date = class extends Real {
        constructor(...given) { if (given.length) super(...given); else super(now() + ahead); }
        static now() { return now() + ahead; }
    };
    Headers.prototype.get = function (name) {
        const value = get.call(this, name);
        return value && name.toLowerCase() === 'date' ? new Real(Real.parse(value) + ahead).toUTCString() : value;
    };
    document.dispatchEvent(new Event('visibilitychange'));
    window.dispatchEvent(new Event('focus'));"""

#: Offsets the page's clock by milliseconds before any script of the page runs.
WRONG_CLOCK = """
    { const Real = Date, now = Real.now.bind(Real);
      window.Date = class extends Real {
        constructor(...given) { if (given.length) super(...given); else super(now() + AHEAD); }
        static now() { return now() + AHEAD; } }; }"""


def _expect_line(page, service, at, where):
    line = page.now_line()
    assert line is not None, f"{where}: the now-line is missing"
    found = elements(service, at, page)
    wanted = [element for element in found if element["kind"].lower().replace("-", "") == "nowline"]
    assert len(wanted) == 1, f"the API returns {len(wanted)} now-lines"
    frame = wanted[0]["frame"]
    seen = line - offset(service, page.cells(), at, page)
    assert abs(seen - (frame["x"] + frame["width"] / 2)) <= 1, f"{where}: the line is at {seen}, in the API at {frame}"


def now_line_matches_the_api_to_a_pixel(world):
    service = world.service("sample")
    page = GuidePage.on(world, service)
    for minutes in (0, 7, 61):
        at = EVENING + minutes * 60
        page.show(f"/?at={at}")
        _expect_line(page, service, at, f"{minutes} minutes later")


@long
def now_line_is_correct_at_every_zoom(world):
    service = world.service("sample")
    page = GuidePage.on(world, service)
    page.show(f"/?at={EVENING}")
    for way in ("in", "in", "out", "out", "out"):
        page.zoom(way)
        _expect_line(page, service, EVENING, f"zoomed {way} to {page.measure('hour')} points per hour")


@long
def now_line_is_correct_after_sleep(world):
    page = GuidePage.on(world, world.service("small"))
    page.show("/")
    before, scrolled = page.now_line(), page.scrolled()[0]
    page.run(SLEEP, 3 * 3_600_000)
    wanted = before + scrolled + 3 * page.measure("hour")
    page.wait_until(lambda: page.now_line() is not None and abs(page.now_line() + page.scrolled()[0] - wanted) <= 6,
                    "the now-line moved by three hours")


@long
def today_label_moves_after_midnight(world):
    page = GuidePage.on(world, world.service("small"))
    page.show("/")
    named = """
        const select = document.getElementById('day'), today = [...select.options].filter(o => o.textContent === 'Today');
        return [today.map(o => Number(o.value)), Number(select.value)];"""
    before, shown = page.run(named)
    page.run(SLEEP, 24 * 3_600_000)
    page.wait_until(lambda: page.run(named) == [[before[0] + 1], shown], "the next day is labeled today, and the visible day is still selected")


@long
def now_line_is_correct_with_a_wrong_browser_clock(world):
    service = world.service("small")
    lines = []
    for ahead in (0, 100 * 60_000):
        page = GuidePage.on(world, service)
        page.developer("Page.enable")
        page.developer("Page.addScriptToEvaluateOnNewDocument", source=WRONG_CLOCK.replace("AHEAD", str(ahead)))
        page.show("/")
        lines.append(page.time_at(page.now_line()))
    assert abs(lines[1] - lines[0]) < 120, f"the line is {lines[1] - lines[0]:.0f} s off"


@long
def past_and_current_airings_are_marked(world):
    page = GuidePage.on(world, world.service("sample"))
    page.show(f"/?at={EVENING}")
    page.scroll_to_time(EVENING - 3600)
    cells = page.cells()
    line = page.now_line()
    for cell in cells:
        if cell["kind"] != "airing" or not cell["complete"] or cell["title"] in ("News", "Weather"):
            continue  # The news and the weather share half an hour.
        assert cell["past"] == (cell["right"] <= line + 0.5), f"{cell} with the line at {line}"
        assert cell["now"] == (cell["left"] <= line - 0.5 and line + 0.5 < cell["right"]) or abs(cell["left"] - line) < 2 \
            or abs(cell["right"] - line) < 2, f"{cell} with the line at {line}"


#: Returns the texts of cells and hours that a painted part of the now-line or of a day line crosses.
STRUCK = """
    const found = [], isPainted = (image, at) => {
        const [, free, , end, , period] = (image.match(/[\\d.]+px/g) ?? []).map(parseFloat);
        return at >= 0 && (period === undefined || at % period < free || at % period >= end);
    };
    const texts = [...document.querySelectorAll('#guide .cell a, #guide .mark')].flatMap((each) => {
        const range = document.createRange();
        range.selectNodeContents(each);
        return [...range.getClientRects()].map((box) => [each.textContent, box]);
    });
    const lines = [...document.querySelectorAll('#guide :is(.nowline, .dayline)')].filter((line) => line.checkVisibility());
    for (const line of lines) {
        const box = line.getBoundingClientRect(), image = getComputedStyle(line).backgroundImage, isDown = box.height > box.width;
        const isLeft = image.includes('to left');
        for (const [text, { left, top, right, bottom }] of texts) {
            // Glyphs are within the inner part of a line of text.
            const [from, to] = isDown ? [top + 2, bottom - 2] : [left, right];
            if (isDown ? box.right <= left || box.left >= right : box.bottom <= top + 2 || box.top >= bottom - 2) continue;
            for (let at = from; at < to; at++) {
                if (isPainted(image, isDown ? at - box.top : isLeft ? box.right - at : at - box.left)) { found.push(text); break; }
            }
        }
    }
    return [lines.length, found];"""


def _expect_no_struck_text(page, where, lines=1):
    count, struck = page.run(STRUCK)
    assert count >= lines, f"{where}: {count} lines"
    assert not struck, f"{where}: a line covers {struck[:5]}"


def lines_cover_no_text(world):
    # A quarter of an hour later, the line is in the middle of the texts.
    path = f"/?at={EVENING + 900}"
    for language, size in (("en-US", (1280, 800)), ("en-GB", (390, 844))):
        page = GuidePage.on(world, world.service("sample"), size=size, language=language)
        page.scripts(False)
        page.open(path)
        _expect_no_struck_text(page, f"without scripts, {size}")
        page.scripts(True)
        page.show(path)
        _expect_no_struck_text(page, f"horizontal, {size}")
        page.run("document.getElementById('turn').click()")
        page.settle()
        _expect_no_struck_text(page, f"vertical, {size}")
        page.run("document.getElementById('turn').click()")
        page.settle()
        while page.zoom("out") and page.measure("hour") > 61:
            pass
        _expect_no_struck_text(page, f"zoomed out, {size}", 2 if size[0] > 1000 else 1)
