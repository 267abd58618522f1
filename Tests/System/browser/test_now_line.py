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


#: Returns the texts of cells and hours that a painted part of a day line crosses.
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
    const lines = [...document.querySelectorAll('#guide .dayline')].filter((line) => line.checkVisibility());
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


#: Returns the position of the now-line, of its marker, of its part in each cell that it crosses, and whether it is painted before them.
LINE = """
    const line = [...document.querySelectorAll('#guide .nowline')].find((each) => each.checkVisibility()), box = line.getBoundingClientRect();
    const isUpright = box.height > box.width, isMirrored = isUpright && document.documentElement.dir === 'rtl';
    const middle = ({ left, right, top, bottom }) => (isUpright ? left + right : top + bottom) / 2, at = middle(box);
    const offset = (element) => getComputedStyle(element).backgroundPosition.split(',')[0].match(/-?[\\d.]+px/g).map(parseFloat)[isUpright ? 0 : 1];
    const parts = [...document.querySelectorAll('#guide .cell.on:not(.gap)')].map((cell) => [cell, cell.querySelector('a')].map((element) => {
        const edges = element.getBoundingClientRect();
        return (isMirrored ? edges.right - offset(element) - 1 : (isUpright ? edges.left : edges.top) + offset(element) + 1) - at;
    }));
    const mark = document.getElementById('nowmark').getBoundingClientRect();
    const rows = line.parentNode.querySelector('#rows') ?? line.parentNode.querySelector('.row');
    const isBehind = (line.compareDocumentPosition(rows) & 4) !== 0 && getComputedStyle(line).zIndex === 'auto';
    return [at, middle(mark), parts, isBehind];"""


def now_line_is_a_marker_in_the_header_and_behind_the_texts(world):
    for direction in ("ltr", "rtl"):
        path = f"/?at={EVENING + 900}&dir={direction}"
        page = GuidePage.on(world, world.service("sample"))
        page.scripts(False)
        page.open(path)
        for where in ("without scripts", "horizontal", "vertical"):
            if where == "horizontal":
                page.scripts(True)
                page.show(path)
            elif where == "vertical":
                page.run("document.getElementById('turn').click()")
                page.settle()
            line, marker, parts, is_behind = page.run(LINE)
            assert abs(line - marker) <= 1, f"{where}, {direction}: the line is at {line}, its marker at {marker}"
            assert len(parts) >= 6 and all(abs(away) <= 1 for part in parts for away in part), f"{where}, {direction}: {parts}"
            assert is_behind, f"{where}, {direction}: the line is over the cells"


def guide_opens_with_now_at_15_percent_of_the_width(world):
    for size in ((1280, 800), (390, 844), (2400, 1200)):
        for path in (f"/?at={EVENING}", f"/?at={EVENING}&dir=rtl"):
            page = GuidePage.on(world, world.service("sample"), size=size)
            page.scripts(False)
            page.open(path)
            before = page.now_line()
            page.scripts(True)
            page.show(path)
            left, _, right, _ = page.grid_area()
            share = (page.now_line() - left if "rtl" not in path else right - page.now_line()) / (right - left)
            assert abs(share - 0.15) < 0.006, f"{size}, {path}: now is at {share:.1%}"
            assert abs(page.now_line() - before) <= 1, f"{size}, {path}: the script moved the line from {before} to {page.now_line()}"
        page.show(f"/?at={EVENING}")
        page.scroll_to_part(0, 0)
        page.run("document.getElementById('now').click()")
        page.settle()
        left, _, right, _ = page.grid_area()
        share = (page.now_line() - left) / (right - left)
        assert abs(share - 0.15) < 0.006, f"{size}: the button shows now at {share:.1%}"
        page.run("document.getElementById('turn').click()")
        page.settle()
        page.reload()
        share = page.run("""
            const top = document.getElementById('corner').getBoundingClientRect().bottom, line = document.getElementById('nowline').getBoundingClientRect();
            return (line.top + 1 - top) / (document.getElementById('guide').getBoundingClientRect().bottom - top)""")
        assert abs(share - 0.15) < 0.006, f"{size}, downwards: now is at {share:.1%}"
        world.close_browsers()


@long
def part_from_a_link_opens_at_its_start(world):
    page = GuidePage.on(world, world.service("sample"))
    start = EVENING - 3 * 3600
    page.scripts(False)
    page.open(f"/?at={EVENING}&from={start}")
    assert abs(page.time_in_view() - start) < 30, page.time_in_view() - start
    page.scripts(True)
    page.show(f"/?at={EVENING}&from={start}")
    assert abs(page.time_in_view() - start) < 30, page.time_in_view() - start


def _expect_no_struck_text(page, where):
    count, struck = page.run(STRUCK)
    assert not struck, f"{where}: a line covers {struck[:5]}"
    return count


def day_lines_cover_no_text(world):
    path = f"/?at={EVENING + 900}"
    for language, size in (("en-US", (1280, 800)), ("en-GB", (390, 844))):
        page = GuidePage.on(world, world.service("sample"), size=size, language=language)
        page.show(path)
        page.scroll_to_time(EVENING + 5 * 3600)
        count = _expect_no_struck_text(page, f"horizontal, {size}")
        page.run("document.getElementById('turn').click()")
        page.settle()
        count += _expect_no_struck_text(page, f"vertical, {size}")
        page.run("document.getElementById('turn').click()")
        page.settle()
        for _ in range(3):
            page.run("document.getElementById('zoom-out').click()")
        page.settle()
        count += _expect_no_struck_text(page, f"zoomed out, {size}")
        assert count >= 3, count
