"""Television mode: remote control, text size, margins, and browsers that are as old as Chrome 79."""

import re
import subprocess

from support.report import journey, long, need
from television import REMOTES, Television, pages
from world import EVENING

#: Visible text below 24 pixels and outside of the margins, of a page at the top of its scroll range or of its dialog.
FLAWS = """
    const flaws = [], [x, y] = [innerWidth * .05 - 1, innerHeight * .05 - 1], layer = [...document.querySelectorAll('dialog[open]')].pop() || document.body;
    const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const {parentElement: element, data} = walker.currentNode;
        if (!data.trim() || element.closest('script, style, .unseen, .skip, option, [hidden]')) continue;
        const range = document.createRange();
        range.selectNode(walker.currentNode);
        const style = getComputedStyle(element), clips = [];
        for (let parent = element; parent; parent = parent.parentElement) {
            if (getComputedStyle(parent).overflowX !== 'visible') clips.push(parent.getBoundingClientRect());
        }
        let box = range.getBoundingClientRect();
        let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
        for (const clip of clips) {
            [left, top, right, bottom] = [Math.max(left, clip.left), Math.max(top, clip.top), Math.min(right, clip.right), Math.min(bottom, clip.bottom)];
        }
        if (right - left < 2 || bottom - top < 2 || style.visibility === 'hidden' || style.opacity === '0' || top >= innerHeight) continue;
        const size = parseFloat(style.fontSize);
        if (size < 24) flaws.push(`${size} pixels: ${data.trim().slice(0, 30)}`);
        // Pages scroll below the lower margin.
        const isScrolled = layer === document.body && getComputedStyle(document.body).overflowY === 'visible';
        if (left < x || right > innerWidth - x || top < y || (!isScrolled && bottom > innerHeight - y)) {
            flaws.push(`at ${[left, top, right, bottom].map(Math.round)}: ${data.trim().slice(0, 30)}`);
        }
    }
    return flaws;"""

#: The controls of a page that the arrow keys do not reach, starting at the first one.
UNREACHED = """
    const press = key => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
    const isSeen = element => element.getClientRects().length && getComputedStyle(element).visibility !== 'hidden';
    const wanted = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, summary')].filter(element =>
        isSeen(element) && !element.disabled && !element.closest('.skip, .head, .cells') && !element.matches('.search button'));
    const reached = new Set([document.activeElement]), waiting = [document.activeElement];
    while (waiting.length) {
        const from = waiting.pop();
        for (const key of ['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight']) {
            from.focus();
            from.scrollIntoView({block: 'nearest'});
            // A key may scroll before it moves.
            for (let i = 0; i < 4 && document.activeElement === from; i++) press(key);
            const to = document.activeElement;
            if (!reached.has(to) && to !== document.body) { reached.add(to); waiting.push(to); }
        }
    }
    return [wanted.length, wanted.filter(element => !reached.has(element)).map(element => element.outerHTML.slice(0, 100))];"""


def texts_have_24_pixels_and_margins_of_5_percent_on_all_pages(world):
    service = world.service("grouped")
    page = Television.on(world, service)
    for name, path in pages(service, world.short).items():
        page.watch(path)
        page.run("scrollTo(0, 0)")
        flaws = page.run(FLAWS)
        assert not flaws, f"{name}: {flaws[:6]}"
        assert page.run("return document.scrollingElement.scrollWidth <= innerWidth"), f"{name} scrolls sideways"


def dialogs_have_24_pixels_and_margins_of_5_percent(world):
    page = Television.on(world, world.service("grouped"))
    page.watch()
    page.key("OK")
    page.details()
    flaws = page.run(FLAWS)
    page.key("Back")
    page.run("document.querySelector('#settings').focus()")
    page.key("OK")
    page.wait("document.querySelector('#options[open]')")
    flaws += page.run(FLAWS)
    page.key("OK")
    page.wait("document.querySelector('.picker[open]')")
    flaws += page.run(FLAWS)
    assert not flaws, flaws


def arrows_reach_every_control_of_every_page(world):
    service = world.service("grouped")
    page = Television.on(world, service)
    for name, path in pages(service, world.short).items():
        page.watch(path)
        page.wait("document.activeElement !== document.body")
        if name == "guide":  # From the first row, an arrow leads to the toolbar.
            page.key("Up")
            page.wait("!document.activeElement.closest('.cell')")
        count, unreached = page.run(UNREACHED)
        assert count >= 4 and not unreached, f"{name}: {len(unreached)} of {count} controls are not reached: {unreached[:5]}"


@journey
def ok_opens_details_and_long_ok_opens_actions(world):
    page = Television.on(world, world.service("grouped"))
    page.watch()
    title = page.focused()["title"]
    page.key("OK")
    assert title in page.details()
    page.key("Back")
    page.wait("!document.querySelector('dialog[open]') && document.activeElement.closest('.cell')")
    page.key("OK", seconds=0.9)
    page.wait("document.querySelector('#actions[open]')")
    labels = page.run("return [...document.querySelectorAll('#actions button')].map(each => each.textContent)")
    assert {"Details", "Remind me", "☆ Favorite"} <= set(labels), labels
    for _ in range(8):
        if page.active() == "panel-favorite":
            break
        page.key("Down")
    page.key("OK")
    page.wait("JSON.parse(localStorage.getItem('epg.favorites')).length === 1")
    page.key("Back")
    page.wait("!document.querySelector('dialog[open]') && document.activeElement.closest('.cell')")


@journey
def back_closes_the_topmost_layer_and_then_leaves_the_page(world):
    for kind in REMOTES:
        page = Television.on(world, world.service("grouped"), kind)
        page.watch()
        page.run("document.querySelector('#settings').focus()")
        page.key("OK")
        page.wait("document.querySelector('#options[open]')")
        page.key("OK")
        page.wait("document.querySelector('.picker[open]')")
        page.key("Back")
        page.wait("!document.querySelector('.picker') && document.querySelector('#options[open]')")
        page.key("Back")
        page.wait("!document.querySelector('dialog[open]')")
        # On the guide, it is for the television: nothing uses the event.
        page.run("addEventListener('keydown', event => { window.isUsed = event.defaultPrevented; })")
        key, code = page.keys["Back"]
        used = page.run("""
            document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], keyCode: arguments[1], bubbles: true, cancelable: true}));
            return window.isUsed;""", key, code)
        assert used is False, f"{kind}: {used}"
        page.open(f"/home?tv=1&at={EVENING}")
        page.key("Back")
        page.wait("location.pathname === '/'")
        page.close()
        world.browsers.remove(page)


def channel_keys_move_by_a_screen(world):
    for kind in REMOTES:
        page = Television.on(world, world.service("small"), kind)
        page.show("/?tv=1")
        page.wait("document.activeElement.closest('.cell')")
        first = page.focused()["row"]
        page.key("ChannelDown")
        page.wait_until(lambda: page.focused() and page.focused()["row"] >= first + 4, f"{kind}: the focus is a screen further")
        page.key("ChannelUp")
        page.wait_until(lambda: page.focused() and page.focused()["row"] <= first + 1, f"{kind}: the focus is back")
        page.open("/stations?tv=1")
        page.wait("document.activeElement !== document.body")
        before = page.active()
        page.key("ChannelDown")
        page.wait("scrollY > innerHeight / 2")
        assert page.active() != before
        page.key("ChannelUp")
        page.wait("scrollY < innerHeight / 4")
        page.close()
        world.browsers.remove(page)


@journey
def digits_jump_to_the_channel(world):
    page = Television.on(world, world.service("grouped"))
    page.watch()
    page.key("4")
    page.wait("document.querySelector('#number')?.textContent === '4'")
    # 4 does not exist; the next number is 4.1.
    page.wait_until(lambda: page.focused() and page.focused()["row"] == 3, "the focus is on Kestrel News")
    assert "No channel has the number 4. The next one is 4.1, Kestrel News." == page.text("#number")
    page.key("1")
    page.key("0")
    page.key("OK")
    page.wait_until(lambda: page.focused() and page.focused()["row"] == 9, "the focus is on channel 10")
    page.key("9")
    page.key("9")
    page.key("OK")
    page.wait("document.querySelector('#number').textContent === 'No channel has the number 99.'")
    assert page.focused()["row"] == 9
    page.wait("document.querySelector('#number').hidden")
    page.key("7")
    page.wait("!document.querySelector('#number').hidden")
    page.key("Back")
    page.wait("document.querySelector('#number').hidden")
    assert page.focused()["row"] == 9


def numbers_with_points_and_hyphens_are_typed_on_keyboards(world):
    page = Television.on(world, world.service("grouped"))
    page.show(f"/?at={EVENING}&tv=0")
    # The first digit loads the module, which takes longer than a driver takes to press the next keys.
    page.press("9")
    page.wait("document.querySelector('#number') && document.querySelector('#number').hidden")
    for number in ["4.1", "4-1"]:
        page.press(*number)
        page.wait_until(lambda: page.text("#number") == "4.1 Kestrel News", f"{number} is found")
        page.wait_until(lambda: page.focused() and page.focused()["row"] == 3, "the focus is on Kestrel News")
        page.press("ArrowDown")
        page.wait_until(lambda: page.focused() and page.focused()["row"] == 4, "the focus moved on")
    # Digits in fields are text.
    page.search("10", least=0)
    assert page.run("return document.getElementById('q').value") == "10"
    assert not page.console_errors()


def number_of_a_hidden_station_shows_it(world):
    page = Television.on(world, world.service("grouped"))
    page.show(f"/?at={EVENING}")
    name = page.station_names()[4]
    page.hide(name)
    page.wait_until(lambda: name not in page.station_names(), f"{name} is hidden")
    page.press("5")
    page.wait_until(lambda: page.focused() and page.focused()["row"] == 4, f"{name} is shown and focused")


def selects_open_as_lists(world):
    page = Television.on(world, world.service("grouped"))
    page.watch()
    page.run("document.querySelector('#day').focus()")
    before, day = page.time_in_view(), page.run("return document.querySelector('#day').value")
    page.key("Down")
    assert page.run("return document.querySelector('#day').value") == day, "an arrow has changed the day"
    page.run("document.querySelector('#day').focus()")
    page.key("OK")
    page.wait("document.querySelector('.picker[open]')")
    page.key("Down")
    page.key("OK")
    page.wait_until(lambda: page.time_in_view() - before > 80_000, "the guide shows the next day")
    page.wait("document.activeElement.id === 'day'")


def setting_turns_television_mode_on_for_all_pages_of_the_device(world):
    page = Television.on(world, world.service("grouped"))
    page.show(f"/?at={EVENING}")
    assert page.count("html[data-tv]") == 0
    page.open_settings()
    page.wait("document.querySelector('#options[open]')")
    page.choose("#set-tv", "1")
    page.wait("document.querySelector('html[data-tv] #guide.live')")
    page.open(f"/home?at={EVENING}", wait="document.querySelector('html[data-tv] .v-card')")
    assert "tv=1" in page.get("/url")
    # The URL takes precedence.
    page.open(f"/home?tv=0&at={EVENING}", wait="document.querySelector('html:not([data-tv]) .v-card')")
    page.open(f"/?at={EVENING}", wait="document.querySelector('html[data-tv] #guide.live')")
    page.run("document.querySelector('#settings').focus()")
    page.key("OK")
    page.wait("document.querySelector('#options[open]')")
    page.choose("#set-tv", "")
    page.wait("document.querySelector('html:not([data-tv]) #guide.live')")


@journey
def preview_shows_the_focused_cell_on_televisions(world):
    page = Television.on(world, world.service("grouped"))
    page.watch()
    page.wait("document.querySelector('#preview')")
    for _ in range(4):
        page.wait_until(lambda: page.text(".preview-title") == page.focused()["title"], "the preview has the title of the focused cell")
        before = page.focused()
        page.key("Down")
        page.wait_for_focus_after(before)
    airing = page.service.json(f"/api/v1/airings/{page.focused()['id']}")["airing"]
    page.wait_until(lambda: page.text(".preview-text") == airing["description"], "the preview has the description")
    assert airing["stationName"] in page.text(".preview-when") and page.text(".preview-when").startswith("Sun 25 Oct, ")
    page.run("document.querySelector('#settings').focus()")
    page.key("OK")
    page.wait("document.querySelector('#options[open]')")
    page.choose("#set-preview", "off")
    page.wait("!document.querySelector('#preview')")


def preview_is_optional_elsewhere(world):
    page = Television.on(world, world.service("grouped"))
    page.show(f"/?at={EVENING}")
    assert page.count("#preview") == 0
    page.choose_setting("preview", "on")
    page.wait("document.querySelector('#preview .preview-title').textContent")
    page.reload()
    page.wait("document.querySelector('#preview .preview-title')?.textContent")
    page.choose_setting("preview", "")
    page.wait("!document.querySelector('#preview')")


# --- Chrome 79, the browser of webOS 6. No such browser is available here.

#: What scripts may not use, with the version of Chrome that has it (https://caniuse.com, developer.mozilla.org). What older.js adds
#: is not among it.
NEWER_SCRIPTS = {
    r"\.at\(-?\d": 92, r"\bstructuredClone\b": 98, r"\bObject\.hasOwn\b": 93, r"\.findLast(Index)?\(": 97, r"\bPromise\.any\b": 85,
    r"\bWeakRef\b": 84, r"\.to(Sorted|Reversed|Spliced)\(": 110, r"\.with\(": 110, r"\b(Object|Map)\.groupBy\b": 117,
    r"\.checkVisibility\(": 105, r"\.showPicker\(": 99, r"\brandomUUID\b": 92, r"\bIntl\.(DisplayNames|Segmenter)\b": 81,
    r"\.aria[A-Z]\w+": 81, r"\.inert\b": 102, r"\bpopover": 114, r"scrollend": 114, r"\buserAgentData\b": 90, r"\bAbortSignal\.any\b": 116,
    r"\bURL\.canParse\b": 120, r"\bthrowIfAborted\b": 100, r"\.requestClose\(": 134, r"\bArray\.fromAsync\b": 121,
    r"\bstartViewTransition\b": 111, r"\.(values|keys|entries)\(\)\.(map|filter|some|find|every|reduce|toArray|forEach|flatMap|take|drop)\(": 122,
    r"\.isWellFormed\(": 111, r"\bResponse\.json\(": 105, r"\b(union|intersection|difference|isSubsetOf)\(": 122, r"\bsetHTML": 140,
    r"(querySelector(All)?|matches|closest)\(['\"`][^'\"`]*:(is|where|has|focus-visible|modal|popover-open)\b": 86,
    r"\binset-(inline|block)": 87, r"\bcause:": 93, r"\blimit\.size\b": 113,
}
#: What style sheets may not use.
NEWER_STYLES = {
    r":is\(": 88, r":where\(": 88, r":has\(": 105, r":focus-visible": 86, r":not\([^()]*,": 88, r":modal": 105, r"\binset(-[a-z-]+)?\s*:": 87,
    r"\b(margin|padding|border)-(inline|block)\s*:": 87, r"\bborder-(start|end)-(start|end)-radius": 89, r"aspect-ratio\s*:": 88,
    r"(?<!-)overflow(-[xy])?\s*:\s*clip": 90, r"\d[dsl]v[hwib]\b": 108, r"[;{\s](translate|rotate|scale)\s*:": 104, r"@layer": 99,
    r"@container": 105, r"@property": 85, r"color-mix\(": 111, r"light-dark\(": 123, r"\b(ok)?l(ch|ab)\(": 111, r"content-visibility": 85,
    r"float\s*:\s*inline": 118, r"\(\s*(width|height)\s*[<>]": 104, r"overflow-wrap\s*:\s*anywhere": 80, r"(align|justify)-[a-z]+\s*:\s*end": 93,
    r"\b(round|mod|rem|sin|cos)\(": 125, r"(^|\})\s*&": 120, r"text-wrap\s*:": 114, r"accent-color": 93, r"@starting-style": 117,
}


def _files(page, service):
    """Returns the scripts and style sheets that television mode can load, by name."""
    prefix = re.search(r"/assets/[^/]+/", page.run("return document.querySelector('script[src*=\"/tv.js\"]').src"))[0]
    found, waiting = {}, ["guide.css", "views.css", "dialogs.css", "tv.css", "older.js", "page-en.js", "page-ar.js", "more-en.js", "guide.js", "views.js", "watch.js", "rules.js", "tv.js"]
    while waiting:
        name = waiting.pop()
        if name not in found:
            response = service.request(prefix + name)
            assert response.status == 200, name
            found[name] = response.body.decode()
            waiting += re.findall(r"""(?:from |import\()'\./([\w.-]+)'""", found[name])
    return found


def televisions_need_only_chrome_79(world):
    need("esbuild")
    service = world.service("grouped")
    page = Television.on(world, service)
    page.watch()
    files = _files(page, service)
    assert len(files) >= 21, sorted(files)
    problems = []
    for name, text in sorted(files.items()):
        kind = name.rpartition(".")[2]

        def transformed(target):
            # esbuild rewrites what the target does not have.
            result = subprocess.run(["esbuild", f"--target={target}", f"--loader={kind}"], input=text, capture_output=True, text=True)
            assert result.returncode == 0, result.stderr[:500]
            return result.stdout

        if transformed("chrome79") != transformed("esnext"):
            problems.append(f"{name} has syntax that is newer than Chrome 79")
        for pattern, version in (NEWER_SCRIPTS if kind == "js" else NEWER_STYLES).items():
            for found in re.finditer(pattern, text, re.MULTILINE):
                line = text.count("\n", 0, found.start()) + 1
                problems.append(f"{name}:{line}: {found[0]} needs Chrome {version}")
    assert not problems, "\n".join(problems[:20])


#: Removes what is newer than Chrome 79 from the window, as far as WebDriver does without it.
REMOVAL = """
    for (const [owner, names] of [
        [Element.prototype, ['replaceChildren', 'ariaPressed', 'ariaLabel', 'ariaExpanded', 'setHTMLUnsafe', 'getHTML']],
        [Document.prototype, ['replaceChildren', 'startViewTransition']], [DocumentFragment.prototype, ['replaceChildren']],
        [HTMLElement.prototype, ['inert', 'popover', 'showPopover', 'hidePopover', 'togglePopover']],
        [String.prototype, ['replaceAll', 'at', 'isWellFormed', 'toWellFormed']], [Object, ['groupBy']], [Map, ['groupBy']],
        [Array.prototype, ['at', 'findLast', 'findLastIndex', 'toSorted', 'toReversed', 'toSpliced', 'with']], [Array, ['fromAsync']],
        [AbortSignal, ['timeout', 'any', 'abort']], [AbortSignal.prototype, ['throwIfAborted', 'reason']], [Promise, ['any', 'try', 'withResolvers']],
        [URLSearchParams.prototype, ['size']], [URL, ['canParse', 'parse']], [Intl, ['supportedValuesOf', 'DisplayNames', 'Segmenter']],
        [Set.prototype, ['union', 'intersection', 'difference', 'isSubsetOf']], [Crypto.prototype, ['randomUUID']],
        [window, ['structuredClone', 'WeakRef', 'FinalizationRegistry', 'scheduler', 'navigation', 'Iterator', 'CloseWatcher', 'reportError']],
        [HTMLDialogElement.prototype, ['requestClose', 'closedBy']], [Navigator.prototype, ['userAgentData']],
        [Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())), ['map', 'filter', 'some', 'every', 'find', 'reduce', 'toArray', 'forEach', 'take', 'drop', 'flatMap']],
    ]) for (const name of names) delete owner[name];
    window.isOld = !('replaceChildren' in Element.prototype) && !('at' in Array.prototype);"""


@long
def all_pages_work_without_what_is_newer_than_chrome_79(world):
    service = world.service("grouped")
    page = Television.on(world, service, "webOS")
    page.developer("Page.addScriptToEvaluateOnNewDocument", source=REMOVAL)
    for name, path in pages(service).items():
        page.watch(path)
        assert page.run("return window.isOld"), "the functions could not be removed"
        page.key("Down")
        page.settle()
        # Margins replace the gaps between flexible boxes, which older browsers ignore.
        gaps = page.run("""
            return [...document.querySelectorAll('*')].filter(each => getComputedStyle(each).display.endsWith('flex') && parseFloat(getComputedStyle(each).columnGap))
                .map(each => each.outerHTML.slice(0, 80));""")
        assert not gaps, f"{name}: {gaps}"
        errors = [error for error in page.console_errors() if name != "error" or "404" not in error]
        assert not errors, f"{name}: {errors}"
    page.watch()
    page.key("OK")
    page.details()
    page.key("Back")
    page.key("OK", seconds=0.9)
    page.wait("document.querySelector('#actions[open]')")
    page.key("Back")
    page.key("5")
    page.wait_until(lambda: page.focused() and page.focused()["row"] == 4, "the focus is on channel 5")
    page.run("document.querySelector('#settings').focus()")
    page.key("OK")
    page.wait("document.querySelector('#options[open]')")
    page.key("Back")
    page.search("the")
    page.key("Back")
    assert not page.console_errors()


@long
def right_to_left_pages_mirror_in_older_syntax(world):
    page = Television.on(world, world.service("grouped"))
    page.watch("/?dir=rtl")
    head, grid = page.box("#heads .head"), page.box("#guide")
    assert abs(head[0] + head[2] - grid[0] - grid[2]) < 1, (head, grid)
    before = page.focused()
    page.key("Left")
    after = page.wait_for_focus_after(before)
    assert after["start"] >= before["stop"] and after["right"] <= before["left"] + 1, (before, after)
