"""A phone of 390 × 844 points with touch input, and a large television."""

from guide_page import GuidePage
from support.report import long
from world import EVENING


def _phone(world, path=f"/?at={EVENING}", guide="sample"):
    page = GuidePage.on(world, world.service(guide), size=(390, 844))
    page.resize(390, 844, 2, touch=True)
    page.show(path)
    return page


def pages_fit_the_width_of_a_phone(world):
    page = _phone(world)
    for path in [f"/?at={EVENING}", f"/home?at={EVENING}", f"/stations?at={EVENING}", f"/search?q=the&at={EVENING}"]:
        page.open(path)
        page.settle()
        width = page.run("return [document.documentElement.scrollWidth, innerWidth]")
        assert width[0] <= 390 and width[1] == 390, f"{path} is {width} wide"


@long
def guide_uses_most_of_a_phone_screen(world):
    page = _phone(world)
    left, top, right, bottom = page.grid_area()
    assert bottom - top >= 844 * 0.6 and right - left >= 390 * 0.6, (left, top, right, bottom)
    assert [cell for cell in page.cells() if cell["now"] and left < cell["right"] and cell["left"] < right], "no current airing in view"


def swipes_scroll_in_both_directions(world):
    page = _phone(world, "/", "small")
    before = page.scrolled()
    page.swipe((300, 600), (100, 600))
    page.wait_until(lambda: page.scrolled()[0] > before[0] + 80, "scrolled along time")
    page.settle()
    middle = page.scrolled()
    page.swipe((200, 700), (200, 550))
    page.wait_until(lambda: page.scrolled()[1] > middle[1] + 20, "scrolled along stations")
    page.wait_until(lambda: not page.blanks(), "the grid is filled", 4)


@long
def tap_opens_the_details_at_full_width(world):
    page = _phone(world)
    left, top, right, bottom = page.grid_area()
    cell = next(cell for cell in page.cells() if cell["now"] and cell["title"] and top < cell["top"] < bottom - 80)
    x = (max(cell["left"], left) + min(cell["right"], right)) / 2
    y = (cell["top"] + cell["bottom"]) / 2
    page.developer("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    page.developer("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    assert cell["title"] in page.details()
    box = page.details_box()
    assert box[2] - box[0] >= 340, f"the panel is {box}"


@long
def touch_targets_are_large_enough(world):
    page = _phone(world)
    small = page.run("""
        return [...document.querySelectorAll('button, select, input, .bar a, summary')].filter((element) => {
            const box = element.getBoundingClientRect();
            return element.checkVisibility({opacityProperty: true, visibilityProperty: true}) && box.width > 1 && box.right > 0
                && getComputedStyle(element).pointerEvents !== 'none' && (box.width < 24 || box.height < 24);
        }).map((element) => element.outerHTML.slice(0, 100))""")
    assert not small, f"smaller than 24 × 24 (WCAG 2.2, 2.5.8): {small}"


@long
def guide_fills_a_television_of_3840_points(world):
    page = GuidePage.on(world, world.service("sample"), size=(3840, 2160))
    page.show(f"/?at={EVENING}")
    page.settle()
    assert page.run("return parseFloat(getComputedStyle(document.querySelector('[role=grid]')).fontSize)") >= 18
    left, _, right, _ = page.grid_area()
    assert right - left >= 3000, (left, right)
    page.wait_until(lambda: not page.blanks(), "the grid is filled", 5)


def controls_of_time_and_day_fit_phones(world):
    page = _phone(world)
    for width in (320, 360, 390, 414):
        page.resize(width, 780, 2, touch=True)
        page.settle()
        assert page.run("return document.documentElement.scrollWidth") <= width
        for selector in ("#earlier", "#now", "#later", "#day-before", "#day", "#day-after"):
            left, _, size, _ = page.box(selector)
            assert left >= 0 and left + size <= width, f"{selector} is at {left} to {left + size} of {width}"
        assert page.box("#day")[2] >= 84, f"the day is {page.box('#day')[2]} points wide at {width}"
        world.screenshot(page, f"phone-{width}")


def header_toolbar_and_hours_take_at_most_15_percent_of_a_phone(world):
    for size in ((390, 844), (320, 844)):
        page = _phone(world)
        page.resize(*size, 2, touch=True)
        page.settle()
        top = page.box("#corner")[1] + page.box("#corner")[3]
        world.note(f"the grid begins at {top} of {size}")
        assert top <= 0.15 * 844, f"the grid begins at {top}"
        tops = {round(page.box(selector)[1]) for selector in ("#earlier", "#now", "#later", "#day-before", "#day", "#day-after", "#more")}
        assert len(tops) == 1, f"the toolbar has the rows {tops}"
        world.close_browsers()


def no_control_is_clipped_on_a_phone(world):
    page = _phone(world)
    for width in (320, 390):
        page.resize(width, 844, 2, touch=True)
        page.settle()
        for is_open in (False, True):
            if is_open:
                page.open_sheet()
                world.screenshot(page, f"phone-{width}-sheet")
            wrong = page.run("""
                const root = document.querySelector('#sheet[open]') ?? document;
                return [...root.querySelectorAll('button, select, .bar nav, .brand, .corner span')].filter((each) => each.checkVisibility({opacityProperty: true})
                    && getComputedStyle(each).pointerEvents !== 'none').filter((each) => {
                    const box = each.getBoundingClientRect();
                    return box.left < -.5 || box.right > innerWidth + .5 || each.scrollWidth > each.clientWidth + 1 && !each.matches('select, nav');
                }).map((each) => each.outerHTML.slice(0, 80))""")
            assert not wrong, f"{width} points, {'sheet' if is_open else 'page'}: {wrong}"
            if is_open:
                page.press("Escape")
                page.wait("!document.getElementById('sheet')")


def sheet_has_the_other_controls_with_words(world):
    page = _phone(world)
    page.open_sheet()
    words = page.run("""
        return [...document.querySelectorAll('#sheet button')].filter((each) => each.checkVisibility())
            .map((each) => each.textContent + ' ' + (getComputedStyle(each, '::after').content.match(/"(.*)"/)?.[1] ?? ''))""")
    for word in ("Tonight", "favorites", "hours", "Settings"):
        assert any(word in text for text in words), f"{word} isn't among {words}"
    hour = page.measure("hour")
    page.click("#zoom-out")
    page.settle()
    assert page.measure("hour") < hour and page.count("#sheet[open]") == 1
    page.click("#settings")
    page.wait("document.querySelector('#options[open]') && !document.getElementById('sheet')")
    page.press("Escape")
    page.wait("!document.querySelector('dialog[open]')")
    page.open_sheet()
    page.press("Escape")
    page.wait("!document.getElementById('sheet') && document.activeElement.id === 'more'")
    page.resize(1280, 800)
    page.settle()
    assert page.box("#settings")[2] > 0 and page.box("#more")[2] == 0


def swipe_across_the_toolbar_changes_the_day(world):
    page = _phone(world, "/", "small")
    day = page.run("return Number(document.getElementById('day').value)")
    left, top, width, height = page.box("#day")
    middle = top + height / 2
    page.swipe((left + width, middle), (left + width - 90, middle))
    page.wait_until(lambda: page.run("return Number(document.getElementById('day').value)") == day + 1, "a swipe to the left shows the next day")
    page.settle()
    page.swipe((left, middle), (left + 90, middle))
    page.wait_until(lambda: page.run("return Number(document.getElementById('day').value)") == day, "a swipe to the right shows the previous day")
