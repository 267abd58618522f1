"""Guides with script payloads on every page: no script runs, and every payload stays text."""

import json
from pathlib import Path
from urllib.parse import quote, urlencode

import hostile_guide
from guide_page import GuidePage
from payloads import ALL, TEXTS

INSPECTION = Path(__file__).with_name("inspection.js").read_text()


def _service(world):
    """Returns a service with the hostile guide, and a time within its first programmes."""
    start = world.start + 86_400
    if "own hostile" not in world.services:
        world.own_service(hostile_guide.guide(start), "hostile")
    return world.services["own hostile"], start + 600


def _window(world, service, guarded):
    """Opens a window; unless `guarded`, it bypasses the Content-Security-Policy, so that only the page's own escaping
    protects it."""
    browser = world.browser(service)
    if not guarded:
        browser.developer("Page.enable")
        browser.developer("Page.setBypassCSP", enabled=True)
    return browser


def _expect_clean(browser, where):
    found = browser.run(INSPECTION)
    assert not found, f"{where}: {found}"


def _look_at(browser, path):
    """Opens a page, waits for its scripts, and inspects it."""
    browser.open(path)
    browser.run_async("""
        const done = arguments[arguments.length - 1];
        requestAnimationFrame(() => setTimeout(done, 60));""")
    _expect_clean(browser, path)


def _pages(service, at):
    """Yields every page that shows texts of the guide."""
    stations = service.json("/api/v1/stations", limit=500)["stations"]
    yield from ["/", f"/?at={at}", f"/home?at={at}", f"/stations?at={at}"]
    for station in stations:
        yield f"/stations/{quote(station['id'], safe='')}?at={at}"
    for station in stations[:: 1]:
        schedule = service.json(f"/api/v1/stations/{quote(station['id'], safe='')}/schedule", **{"from": at, "to": at + 3600})
        yield f"/airings/{schedule['airings'][0]['id']}?at={at}"
    for payload in TEXTS:
        yield "/search?" + urlencode({"q": payload[:180], "at": at}).replace("%0A", "").replace("%09", "")


def pages_escape_guide_text_even_without_a_policy(world):
    service, at = _service(world)
    browser = _window(world, service, guarded=False)
    pages = list(_pages(service, at))
    if world.short:
        pages = pages[:40] + pages[40::12]
    for path in pages:
        _look_at(browser, path)
    world.note(f"{len(pages)} pages, {len(ALL)} payloads")


def parameters_are_echoed_as_text(world):
    service, at = _service(world)
    browser = _window(world, service, guarded=False)
    payloads = TEXTS[:: 3 if not world.short else 12]
    for payload in payloads:
        text = quote(payload[:60].replace("\n", " ").replace("\t", " "), safe="")
        for path in [
            f"/?at={text}", f"/?zone={text}", f"/?lang={text}", f"/?{text}=1", f"/stations?q={text}", f"/stations?group={text}",
            f"/stations/{text}", f"/airings/{text}", f"/{text}", f"/home?at={text}", f"/search?q=x&offset={text}",
        ]:
            browser.open(path)
            found = [line for line in browser.run(INSPECTION)]
            assert not found, f"{path}: {found}"


def pages_cause_no_policy_violation(world):
    service, at = _service(world)
    browser = _window(world, service, guarded=True)
    browser.console_errors()
    for path in list(_pages(service, at))[:30]:
        _look_at(browser, path)
        console_errors = browser.console_errors()
        assert not console_errors, f"{path}: {console_errors[:3]}"


def titles_are_shown_verbatim(world):
    service, at = _service(world)
    browser = _window(world, service, guarded=True)
    stations = service.json("/api/v1/stations", limit=500)["stations"]
    for station in stations[::9]:
        schedule = service.json(f"/api/v1/stations/{quote(station['id'], safe='')}/schedule", **{"from": at, "to": at + 3600})
        airing = schedule["airings"][0]
        browser.open(f"/airings/{airing['id']}")
        assert _plain(airing["title"]) in _plain(browser.text("body")), f"{airing['title']!r} isn't on its page"


def _plain(text):
    """Removes control characters and collapses white space, as HTML does."""
    return " ".join("".join(character for character in text if character >= " " or character in "\t\n").split())


def details_and_search_as_you_type_escape_guide_text(world):
    service, at = _service(world)
    page = GuidePage.on(world, service)
    page.developer("Page.enable")
    page.developer("Page.setBypassCSP", enabled=True)
    page.show(f"/?at={at}")
    rows = len(ALL) if not world.short else 12
    for row in range(0, rows, 3 if world.short else 1):
        page.scroll_to_row(row)
        page.open_details(row)
        _expect_clean(page, f"the details of row {row}")
        page.close_details()
    for payload in TEXTS[:: 4 if not world.short else 20]:
        page.search(payload[:60].replace("\n", " ").replace("\t", " "))
        _expect_clean(page, f"a search for {payload[:60]!r}")
        page.leave_search()


def svg_of_the_grid_contains_no_script(world):
    service, at = _service(world)
    browser = _window(world, service, guarded=False)
    browser.open("/grid.svg?" + urlencode({"from": at - 600, "hours": 2}))
    assert browser.run("return document.documentElement.localName") == "svg"
    assert not browser.run("return window.__xss || null")
    found = browser.run("""
        return [...document.querySelectorAll('*')].filter((element) =>
            /^(script|foreignobject|iframe|animate|set|image|use)$/i.test(element.localName)
            || [...element.attributes].some(({name, value}) => /^on/i.test(name) || /^\\s*(javascript|data):/i.test(value)))
            .map((element) => element.outerHTML.slice(0, 200))""")
    assert not found, found[:3]


def api_responses_are_never_rendered_as_html(world):
    service, at = _service(world)
    browser = _window(world, service, guarded=False)
    for path in ["/api/v1/stations", f"/api/v1/now?at={at}", "/api/v1/search?" + urlencode({"q": "<img src=x onerror=alert(1)>"}),
                 f"/api/v1/grid?from={at - 600}&hours=1", "/xmltv.xml", "/api/v1/stations/<img src=x onerror=1>"]:
        status, headers, body = service.request(path.replace("<", "%3C").replace(">", "%3E").replace(" ", "%20"))
        assert headers.get("x-content-type-options") == "nosniff", f"{path}: no nosniff"
        assert "html" not in headers.get("content-type", "html"), f"{path}: {headers.get('content-type')}"
        if "json" in headers["content-type"]:
            json.loads(body)
        if status == 200 and "json" in headers["content-type"]:
            browser.open(path)
            assert not browser.run("return window.__xss || document.querySelector('img, svg, iframe') && 1"), path
