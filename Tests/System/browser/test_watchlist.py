"""The watchlist: rules from an airing, marks in the guide, the list, and who may change it; on a desktop and a phone."""

import subprocess

import axe
from guide_page import GuidePage
from support import SAMPLES
from support.processes import wait_until
from support.report import long
from world import EVENING

PASSWORD = "four random words here"
#: On Lantern Films at 19:30 on the evening of the 25th.
TITLE = "The Lighthouse Keeper's Orchestra"


def _service(world, name, has_token=True):
    service = world.own_service(SAMPLES / "evening.xml", name)
    if has_token:
        service.token = _epg(world, service, "admin", "token", "add", "tests", "--scope", "watch").strip()
    return service


def _epg(world, service, *arguments, **settings):
    return subprocess.run(
        [world.programs.epg, *arguments, "--database", service.database], check=True, stdout=subprocess.PIPE, text=True, **settings).stdout


def _browser(world, service, size):
    if size == "desktop":
        return world.browser(service)
    browser = world.browser(service, size=(390, 844))
    browser.resize(390, 844, scale=2, touch=True)
    return browser


def _audit(world, browser, name):
    """Checks a page with axe, and takes a picture of it."""
    world.screenshot(browser, f"watchlist-{name}")
    found = axe.serious(axe.violations(browser))
    assert not found, f"{name}: {found}"
    overflow = browser.run("return document.documentElement.scrollWidth - window.innerWidth")
    assert overflow <= 0, f"{name}: the page is {overflow} pixels too wide"


def _no_errors(browser, *statuses):
    """Verifies that the console has no errors, except for responses with these statuses."""
    errors = [line for line in browser.console_errors() if not any(str(status) in line for status in statuses)]
    assert not errors, errors


def _airing(service):
    return service.json("/api/v1/search", q=TITLE, at=EVENING)["matches"][0]["id"]


def _rules(service):
    return [rule["name"] for rule in service.json("/api/v1/watch", at=EVENING)["rules"]]


def _status(text):
    return f"document.querySelector('.v-watch[role=status], .v-watch [role=status]')?.textContent.includes({text!r})"


def _enter_token(world, browser, token, name=None):
    """Types a token into the dialog, which has the focus."""
    browser.wait("document.querySelector('dialog.ask[open] input') === document.activeElement && document.activeElement.value === ''")
    if name:
        _audit(world, browser, name)
    browser.write(token)
    browser.press("Enter")


def _press(browser, selector):
    browser.wait("document.querySelector(arguments[0] + ':not(:disabled)')", selector)
    browser.run("document.querySelector(arguments[0]).focus()", selector)
    browser.press("Enter")


def _change_with_token(world, size):
    service = _service(world, f"watch-{size}")
    browser = _browser(world, service, size)
    page = f"/airings/{_airing(service)}?at={EVENING}"
    remind, follow = "button[data-rule*='\"airing\"']", "button[data-rule*='\"once\"']"
    browser.open(page, f"document.querySelector({remind!r})?.disabled === false")
    _audit(world, browser, f"{size}-airing")
    # Nothing happens without a token.
    _press(browser, remind)
    browser.wait("document.querySelector('dialog[open]')")
    browser.press("Escape")
    browser.wait("!document.querySelector('dialog')")
    assert _rules(service) == []
    _press(browser, remind)
    _enter_token(world, browser, "wrong", f"{size}-token")
    browser.wait("document.querySelector('dialog[open]')?.textContent.includes('The token is wrong.')")
    _enter_token(world, browser, service.token)
    browser.wait(_status("Added"))
    # The tab keeps the token.
    _press(browser, follow)
    browser.wait(_status(f"Added “{TITLE}”"))
    assert not browser.count("dialog")
    names = _rules(service)
    assert len(names) == 2 and TITLE in names, names
    pressed = f"[{remind!r}, {follow!r}].map(name => document.querySelector(name).ariaPressed).join()"
    assert browser.run(f"return {pressed}") == "true,true"
    colors = "[...document.querySelectorAll('button[data-rule]')].map(button => getComputedStyle(button).backgroundColor).join('|')"
    shown = browser.run(f"return {colors}")
    # A second click removes the rule.
    _press(browser, follow)
    browser.wait(_status(f"Removed “{TITLE}”"))
    assert TITLE not in _rules(service)
    assert browser.run(f"return {pressed}") == "true,false"
    assert browser.run(f"return {colors}") != shown
    _press(browser, follow)
    browser.wait(_status(f"Added “{TITLE}”"))
    # This service has no targets of reminders.
    browser.wait(_status("sends no reminders"))
    browser.open(page, _status("On the watchlist: "))
    browser.wait(f"{pressed} === 'true,true'")
    for name in names:
        assert name in browser.text(".v-watch [role=status]"), name

    browser.open(f"/watch?at={EVENING}", "document.querySelectorAll('.v-rules li').length === 2")
    _audit(world, browser, f"{size}-list")
    assert TITLE in browser.text(".v-matches")
    browser.click(f'button[data-remove="{TITLE}"]')
    # The airings of the rule disappear, too.
    browser.wait("document.querySelectorAll('.v-rules li').length === 1")
    browser.wait("document.querySelectorAll('.v-matches > li').length === 1")
    # No cache shows the former list.
    browser.open(f"/home?at={EVENING}")
    browser.open(f"/watch?at={EVENING}", "document.querySelectorAll('.v-rules li').length === 1")
    assert _rules(service) == [name for name in names if name != TITLE]
    _no_errors(browser, 401)


def rules_are_added_and_removed_with_the_token(world):
    _change_with_token(world, "desktop")


def rules_are_added_and_removed_on_a_phone(world):
    _change_with_token(world, "phone")


def administrators_need_no_token(world):
    service = _service(world, "watch-admin", has_token=False)
    browser = world.browser(service)
    page, button = f"/airings/{_airing(service)}?at={EVENING}", "button[data-rule*='\"once\"']"
    browser.open(page)
    _press(browser, button)
    browser.wait(_status("Log in as an administrator at /login"))
    assert _rules(service) == [] and not browser.count("dialog")
    assert browser.run("return document.querySelector('.v-watch a[href^=\"/login?next=%2Fairings%2F\"]')?.textContent") == "/login"

    _epg(world, service, "admin", "password", input=PASSWORD + "\n")
    wait_until(lambda: b'name="password"' in service.request("/login").body, "the service has a password")
    browser.open("/login", "document.querySelector('[name=password]')")
    browser.run("document.querySelector('[name=password]').focus()")
    browser.write(PASSWORD)
    browser.press("Enter")
    browser.wait("location.pathname !== '/login' && document.readyState === 'complete'")
    browser.open(page)
    _press(browser, button)
    browser.wait(_status(f"Added “{TITLE}”"))
    assert not browser.count("dialog")
    assert _rules(service) == [TITLE]
    browser.open(f"/watch?at={EVENING}", "document.querySelector('button[data-remove]')")
    _press(browser, "button[data-remove]")
    browser.wait("!document.querySelector('button[data-remove]') && document.readyState === 'complete'")
    assert _rules(service) == []
    _no_errors(browser, 403)


def guide_marks_airings_and_its_panel_adds_rules(world):
    service = _service(world, "watch-guide")
    _epg(world, service, "watch", "add", "keeper", "--title", TITLE)
    page = GuidePage.on(world, service)
    page.requests()
    page.show(f"/?at={EVENING}")
    page.wait("document.querySelector('.cell.watched')")
    label = page.run("return document.querySelector('.cell.watched [aria-label]')?.getAttribute('aria-label')")
    assert "on the watchlist: keeper" in label, label
    assert page.count(".cell.watched") == 1
    # The page reads the marks of the days in view, and no descriptions.
    urls = [url.removeprefix(service.origin) for url, _ in page.requests() if "/api/v1/" in url]
    marks = [url for url in urls if url.startswith("/api/v1/marks")]
    assert 1 <= len(marks) <= 2, marks
    assert not any(url.startswith("/api/v1/watch") for url in urls), urls
    size = len(service.request(f"/api/v1/marks?from={EVENING - 86_400}&to={EVENING + 86_400}&at={EVENING}").body)
    assert size < 200, size

    page.run("document.querySelector('.cell.watched a').focus({preventScroll: true})")
    page.press("Enter")
    page.wait("document.querySelector('#panel .watched')?.textContent.toLowerCase().includes('on the watchlist: keeper')")
    _audit(world, page, "panel")
    _press(page, "#panel-follow")
    _enter_token(world, page, service.token, "panel-token")
    page.wait("document.querySelector('#panel .watched').textContent.includes('Added')")
    # The other airings of a rule that was added are marked at once.
    assert sorted(_rules(service)) == sorted([TITLE, "keeper"])
    page.close_details()
    # The label names the programme, and then the rule of the same name.
    page.wait("document.querySelector('.cell.watched [aria-label]')?.getAttribute('aria-label').split(arguments[0]).length === 3", TITLE)
    _no_errors(page, 401)


def _type(browser, field, text):
    browser.run("const field = document.getElementById('rule-' + arguments[0]); field.focus(); field.select()", field)
    browser.write(text)


def _edit_rules(world, size):
    service = _service(world, f"watch-edit-{size}")
    browser = _browser(world, service, size)
    browser.open(f"/watch?at={EVENING}", "document.querySelector('button[data-edit]:not(:disabled)')")
    _press(browser, "button[data-edit]")
    browser.wait("document.activeElement.id === 'rule-title'")
    _type(browser, "any", "lighthouse")
    browser.wait("document.getElementById('rule-count').textContent.startsWith('Matches ')")
    first = browser.run("return document.getElementById('rule-airings').textContent")
    assert TITLE in first, first
    # A second alternative adds airings, and an exclusion removes some.
    browser.press("Enter")
    browser.write("ferry")
    browser.wait("document.getElementById('rule-airings').textContent.includes('The Ferry Choir')")
    _type(browser, "without", "choir")
    browser.wait("!document.getElementById('rule-airings').textContent.includes('The Ferry Choir')")
    _audit(world, browser, f"{size}-form")
    # An error is beside its field, and goes with its reason.
    _type(browser, "pattern", "(sea")
    browser.wait("document.getElementById('rule-pattern').getAttribute('aria-invalid') === 'true'")
    assert "unbalanced parenthesis" in browser.text("#rule-pattern-note")
    assert browser.run("return document.getElementById('rule-airings').childElementCount") == 0
    _audit(world, browser, f"{size}-invalid")
    _type(browser, "pattern", "light(house|ship)")
    browser.wait(f"document.getElementById('rule-airings').textContent.includes({TITLE!r})")
    assert not browser.run("return document.getElementById('rule-pattern').hasAttribute('aria-invalid')")
    _type(browser, "name", "sea")
    browser.press("Enter")
    _enter_token(world, browser, service.token)
    browser.wait("document.querySelectorAll('.v-rules li').length === 1 && document.readyState === 'complete'")
    assert _rules(service) == ["sea"]
    assert "any of lighthouse or ferry, without choir, pattern light(house|ship)" in browser.text(".v-rules")

    browser.wait("document.querySelector('.v-rules button[data-edit]:not(:disabled)')")
    _press(browser, ".v-rules button[data-edit]")
    browser.wait("document.activeElement.id === 'rule-name' && document.getElementById('rule-airings').childElementCount")
    assert browser.run("return document.getElementById('rule-any').value") == "lighthouse\nferry"
    _type(browser, "name", "shore")
    _type(browser, "title", "none such")
    browser.wait("document.getElementById('rule-count').textContent.startsWith('Matches nothing')")
    _type(browser, "title", TITLE)
    browser.wait("document.getElementById('rule-airings').childElementCount === 1")
    browser.press("Enter")
    browser.wait("document.querySelector('.v-rules')?.textContent.includes('shore') && document.readyState === 'complete'")
    [rule] = service.json("/api/v1/watch", at=EVENING)["rules"]
    assert (rule["name"], rule["title"], rule["any"]) == ("shore", TITLE, ["lighthouse", "ferry"]), rule
    # Escape changes nothing.
    browser.wait("document.querySelector('.v-rules button[data-edit]:not(:disabled)')")
    _press(browser, ".v-rules button[data-edit]")
    _type(browser, "name", "other")
    browser.press("Escape")
    browser.wait("!document.querySelector('dialog[open]')")
    assert _rules(service) == ["shore"]
    _no_errors(browser, 401, 422)


def rules_are_edited_with_a_preview(world):
    _edit_rules(world, "desktop")


def rules_are_edited_on_a_phone(world):
    _edit_rules(world, "phone")


@long
def list_shows_conflicts(world):
    service = _service(world, "watch-conflicts")
    for station in ("Harbour One", "Lantern Films", "The Larder"):
        _epg(world, service, "watch", "add", station, "--station", station)
    for size in ("desktop", "phone"):
        for colors in ("light", "dark"):
            browser = _browser(world, service, size)
            browser.prefer(color_scheme=colors)
            browser.open(f"/watch?at={EVENING}", "document.querySelector('.v-conflicts li')")
            assert "Conflicts with 1 tuner" in browser.text("main")
            _audit(world, browser, f"conflicts-{size}-{colors}")
            _no_errors(browser)
            world.close_browsers()
    browser = world.browser(service)
    browser.open(f"/watch?at={EVENING}&tuners=3", "document.querySelector('.v-rules li')")
    assert not browser.count(".v-conflicts")
