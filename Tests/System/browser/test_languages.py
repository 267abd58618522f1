"""The language of the pages: chosen by the browser or in the settings, and no text in any other language."""


from guide_page import GuidePage
from support import SAMPLES
from support.times import xmltv_time
from test_weight import MAXIMUM, _transfers
from world import EVENING

#: Words in Latin letters that pages may have in every language: names of time zones and of the service's files, keys, and examples.
KNOWN = {"UTC", "Europe", "London", "GMT", "BST", "epg", "yml", "reminders", "ics", "PIN", "URL", "Atom", "SD", "HD", "UHD", "PM", "AM", "Home", "End",
         "Page", "Up", "Down", "PageUp", "PageDown", "Enter", "the", "ferry", "boat", "light", "high", "tide", "watch", "add", "NAME", "TITLE", "title", "once",
         "ch", "Not", "Found", "tests"}

#: All texts of the document that a viewer may see or hear, except for names of languages, time zones and texts that say that they are English.
TEXTS = r"""
    const found = [], skipped = 'script, style, [lang=en], code, #set-zone option, #set-language option, option[value=default]';
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT);
    for (let element = walker.currentNode; element; element = walker.nextNode()) {
        if (element.closest(skipped)) continue;
        for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'label']) if (element.getAttribute(name)) found.push(element.getAttribute(name));
        for (const child of element.childNodes) if (child.nodeType === 3 && child.data.trim()) found.push(child.data.trim());
        for (const pseudo of ['::before', '::after']) {
            const { content } = getComputedStyle(element, pseudo);
            if (/^"/.test(content)) found.push(content);
        }
    }
    const words = new Set();
    for (const text of found) for (const [word] of text.matchAll(/[A-Za-z]{2,}/g)) words.add(word + ' in ' + text.slice(0, 80));
    return [...words]"""


def _guide(start):
    """A guide whose texts have only Greek letters, with every kind of detail."""
    hours = "".join(
        f'<programme start="{xmltv_time(start + hour * 3600)}" stop="{xmltv_time(start + (hour + 1) * 3600)}" channel="{station}">'
        f"<title>Φάρος {hour % 5}</title><sub-title>Μέρος {hour}</sub-title><desc>Το πλοίο φεύγει.</desc>"
        "<credits><director>Άννα</director><actor role='Ντίνος' guest='yes'>Νίκος</actor><presenter>Εύα</presenter></credits>"
        "<date>1951</date><category>Ταινία</category><keyword>λιμάνι</keyword><country>Ελλάδα</country><length units='minutes'>55</length>"
        "<episode-num system='xmltv_ns'>0.4.</episode-num><video><present>yes</present><colour>no</colour></video><audio><present>no</present></audio>"
        "<previously-shown start='19990101'/><premiere/><new/><rating><value>12</value></rating><star-rating><value>3/5</value></star-rating>"
        "</programme>" for station in (1, 2, 3) for hour in range(72) if station < 3 or hour % 9)
    stations = "".join(f"<channel id='{n}'><display-name>Κανάλι {n}</display-name></channel>" for n in (1, 2, 3))
    return f"<tv>{stations}{hours}</tv>".encode()


def _expect_no_latin(page, where):
    unknown = [text for text in page.run(TEXTS) if text.split(" in ")[0] not in KNOWN]
    assert not unknown, f"{where}: {unknown}"


def _expect_translated(world, service, language):
    page = GuidePage.on(world, service, language=language)
    page.show("/")
    assert page.run("return document.documentElement.lang") == language.split("-")[0]
    _expect_no_latin(page, "guide")
    page.focus_grid()
    page.press("Enter")
    page.wait("document.querySelector('#panel[open] dl')")
    _expect_no_latin(page, "details")
    page.press("Escape")
    page.run("document.getElementById('settings').click()")
    page.wait("document.querySelector('#options[open]')")
    _expect_no_latin(page, "settings")
    page.press("Escape")
    page.run("const q = document.getElementById('q'); q.focus(); q.value = 'Φάρος'; q.dispatchEvent(new Event('input', { bubbles: true }))")
    page.wait("document.querySelector('#found li[data-id]')")
    _expect_no_latin(page, "suggestions")
    airing = page.run("return document.querySelector('#found li[data-id]').dataset.id")
    for path in ["/home", "/stations", "/stations?q=%CE%BE%CE%BE", "/stations/1", f"/airings/{airing}", "/search", "/search?q=%CE%A6%CE%AC%CF%81%CE%BF%CF%82",
                 "/search?q=%CE%BE%CE%BE%CE%BE", "/watch", "/series?title=%CE%A6%CE%AC%CF%81%CE%BF%CF%82%200", "/series?title=%CE%BE",
                 "/offline", "/nothing"]:
        page.open(path, wait="document.readyState === 'complete' && document.querySelector('main')")
        page.settle()
        _expect_no_latin(page, path)


def pages_have_no_english_texts_in_japanese(world):
    _expect_translated(world, world.own_service(_guide(world.start), "greek", "--zone", "UTC"), "ja")


def pages_have_no_english_texts_in_arabic(world):
    service = world.services.get("own greek") or world.own_service(_guide(world.start), "greek", "--zone", "UTC")
    _expect_translated(world, service, "ar")


def browser_chooses_the_language(world):
    service = world.service("sample")
    for language, lang, now, direction in [("de-AT", "de", "Jetzt", "ltr"), ("fr", "fr", "Maintenant", "ltr"), ("ar-EG", "ar", None, "rtl"), ("fi", "en", "Now", "ltr")]:
        page = GuidePage.on(world, service, language=language)
        page.show(f"/?at={EVENING}")
        root = page.run("const { lang, dir } = document.documentElement; return [lang, dir]")
        assert root == [lang, direction], (language, root)
        assert now is None or page.run("return document.getElementById('now').textContent") == now, language
        page.close()
        world.browsers.remove(page)


def chosen_language_stays_on_all_pages(world):
    page = GuidePage.on(world, world.service("sample"), language="en-GB")
    page.show(f"/?at={EVENING}")
    page.run("document.getElementById('settings').click()")
    page.wait("document.querySelector('#options[open]')")
    page.run("const field = document.getElementById('set-language'); field.value = 'pl'; field.dispatchEvent(new Event('change'))")
    page.wait("document.documentElement.lang === 'pl' && document.querySelector('#guide.live')")
    page.run("document.querySelector('.bar nav a[href^=\"/home\"]').click()")
    page.wait("location.pathname === '/home' && document.documentElement.lang === 'pl'")
    # A page without the parameter takes the setting, too.
    page.open("/stations", wait="document.documentElement.lang === 'pl' && !document.documentElement.hidden && document.querySelector('main')")
    page.show(f"/?at={EVENING}")
    assert page.run("return document.documentElement.lang") == "pl"
    page.run("document.getElementById('settings').click()")
    page.wait("document.querySelector('#options[open]')")
    page.run("const field = document.getElementById('set-language'); field.value = ''; field.dispatchEvent(new Event('change'))")
    page.wait("document.documentElement.lang === 'en' && document.querySelector('#guide.live')")


def dates_without_scripts_are_as_usual_in_the_language(world):
    for language, heading in [("de", "So., 25. Okt."), ("ja", "10月25日(日)"), ("es", "dom, 25 oct")]:
        page = world.browser(world.service("sample"), language=language)
        page.scripts(False)
        page.open(f"/home?at={EVENING}&zone=Europe/London")
        page.scripts(True)
        text = page.run("return document.querySelector('.v-lede').textContent")
        assert heading in text, text
        assert page.run("return new Intl.DateTimeFormat(arguments[0], { weekday: 'short', day: 'numeric', month: 'short' }).format(arguments[1] * 1000)",
                        language, EVENING) == heading


def cells_of_the_first_paint_equal_the_scripts_in_every_direction(world):
    service = world.service("sample")
    for language in ("de", "he", "zh"):
        page = GuidePage.on(world, service, language=language)
        page.open(f"/?at={EVENING}&zone=Europe/London")
        page.wait("document.querySelector('#guide.live')")
        page.settle()
        days = page.run("return [document.getElementById('corner').firstChild.textContent, document.querySelector('h1').textContent]")
        assert days[0] in days[1], days


def pages_weigh_at_most_60_kilobytes_in_every_language(world):
    service, weights = world.service("sample"), {}
    # Arabic has the longest texts, Japanese the most bytes per letter.
    for language in ["ar", "ja"] if world.short else ["ar", "de", "es", "fr", "he", "it", "ja", "nl", "pl", "pt", "zh"]:
        page = GuidePage.on(world, service, language=language)
        page.log("performance")
        page.show(f"/?at={EVENING}")
        sizes = _transfers(page)
        weights[language] = sum(size for kind, size in sizes.items() if kind not in ("Fetch", "XHR", "EventSource"))
        page.close()
        world.browsers.remove(page)
    world.note(", ".join(f"{language} {weight:,}" for language, weight in weights.items()))
    assert max(weights.values()) <= MAXIMUM, weights


def chosen_language_without_connection_shows_what_is_stored(world):
    service = world.own_service(SAMPLES / "evening.xml", "language-offline")
    page = GuidePage.on(world, service, language="en-GB")
    page.show(f"/?at={EVENING}")
    page.wait("navigator.serviceWorker.controller !== null", timeout=20)
    page.settle()
    service.close()
    page.run("localStorage.setItem('epg.settings', JSON.stringify({ language: 'de' }))")
    page.open(f"/?at={EVENING}", wait="location.search.includes('ui=de') && document.readyState === 'complete'")
    # The page in English is better than none, and it is not loaded again and again.
    page.run("window.isSame = true")
    page.settle(1500)
    assert page.run("return [window.isSame, document.documentElement.hidden, document.querySelector('#guide') !== null]") == [True, False, True]
    page.open("/airings/1", wait="document.readyState === 'complete' && document.querySelector('main')")
    page.run("window.isSame = true")
    page.settle(1500)
    assert page.run("return [window.isSame, document.documentElement.hidden]") == [True, False]
