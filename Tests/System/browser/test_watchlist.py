"""The watchlist: rules from an airing, marks in the guide, the list, who may change it, and reminders of the browser; on a desktop and a phone."""

import subprocess
import time

import axe
from guide_page import GuidePage
from support import SAMPLES
from support.processes import wait_until
from support.report import long
from support.times import xmltv_time
from world import EVENING

PASSWORD = "four random words here"
#: On Lantern Films at 19:30 on the evening of the 25th.
TITLE = "The Lighthouse Keeper's Orchestra"


def _service(world, name, accepts=True):
    """Returns a service of its own with the profile anna, which accepts rules of viewers."""
    service = world.own_service(SAMPLES / "evening.xml", name)
    _epg(world, service, "profile", "add", "anna", *(["--accept-rules"] if accepts else []))
    return service


def _use(browser, service, name="anna"):
    """Makes a browser use a profile."""
    browser.open("/setup", "window.epgPage")
    browser.run("window.isOld = true; epgPage.profiles.choose(arguments[0])", name)
    browser.wait("!window.isOld && window.epgPage?.profiles.chosen?.name === arguments[0] && document.readyState === 'complete'", name)


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


def _press(browser, selector):
    browser.wait("document.querySelector(arguments[0] + ':not([hidden])')", selector)
    browser.run("document.querySelector(arguments[0]).focus()", selector)
    browser.press("Enter")


#: Texts that only administrators need.
FORBIDDEN = ["/login", "administrator", "epg.yml", "epg watch", "sends no reminders"]


def _expect_no_dead_end(browser):
    text = browser.run("return document.body.innerText")
    assert not any(each in text for each in FORBIDDEN), text


def _change_as_viewer(world, size):
    service = _service(world, f"watch-{size}")
    browser = _browser(world, service, size)
    _use(browser, service)
    page = f"/airings/{_airing(service)}?at={EVENING}"
    remind, follow = "button[data-rule*='\"airing\"']", "button[data-rule*='\"once\"']"
    browser.open(page, f"document.querySelector({remind!r})?.hidden === false")
    _audit(world, browser, f"{size}-airing")
    assert _rules(service) == []
    _press(browser, remind)
    browser.wait(_status("Added"))
    # Nobody else reminds, so this browser does.
    browser.wait(_status("5 min before the start"))
    _press(browser, follow)
    browser.wait(_status(f"Added “{TITLE}”"))
    names = _rules(service)
    assert len(names) == 2 and TITLE in names, names
    assert {rule["profile"] for rule in service.json("/api/v1/watch", at=EVENING)["rules"]} == {"anna"}
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
    browser.open(page, _status("On the watchlist: "))
    browser.wait(f"{pressed} === 'true,true'")
    for name in names:
        assert name in browser.text(".v-watch [role=status]"), name
    _expect_no_dead_end(browser)

    browser.open(f"/watch?at={EVENING}", "document.querySelectorAll('[data-edit]:not([hidden])').length === 3")
    _audit(world, browser, f"{size}-list")
    _expect_no_dead_end(browser)
    assert TITLE in browser.text(".v-matches")
    assert TITLE in browser.text("#reminders")
    browser.click(f'button[data-remove="{TITLE}"]')
    # The airings of the rule disappear, too.
    browser.wait("document.querySelectorAll('.v-rules [data-remove]').length === 1")
    browser.wait("document.querySelectorAll('.v-matches > li').length === 1")
    # No cache shows the former list.
    browser.open(f"/home?at={EVENING}")
    browser.open(f"/watch?at={EVENING}", "document.querySelectorAll('.v-rules [data-remove]').length === 1")
    assert _rules(service) == [name for name in names if name != TITLE]
    _no_errors(browser)


def rules_are_added_and_removed_by_viewers(world):
    _change_as_viewer(world, "desktop")


def rules_are_added_and_removed_on_a_phone(world):
    _change_as_viewer(world, "phone")


def profile_that_no_longer_accepts_rules_leaves_the_reminder_in_the_browser(world):
    service = _service(world, "watch-refused")
    browser = world.browser(service)
    _use(browser, service)
    remind, follow = "button[data-rule*='\"airing\"']", "button[data-rule*='\"once\"']"
    browser.open(f"/airings/{_airing(service)}?at={EVENING}", f"document.querySelector({follow!r})?.hidden === false")
    _epg(world, service, "profile", "set", "anna", "--no-accept-rules")
    _press(browser, follow)
    browser.wait(_status("cannot be changed here"))
    browser.wait(f"document.querySelector({follow!r}).hidden")
    _press(browser, remind)
    browser.wait(_status("5 min before the start"))
    assert _rules(service) == []
    _expect_no_dead_end(browser)
    _no_errors(browser, 403)


def administrators_change_the_rules_of_everybody(world):
    service = _service(world, "watch-admin", accepts=False)
    browser = world.browser(service)
    page, button = f"/airings/{_airing(service)}?at={EVENING}", "button[data-rule*='\"once\"']"
    _epg(world, service, "watch", "add", "annas", "--title", TITLE, "--profile", "anna")
    # A viewer without a profile cannot follow a title, and is not told to log in.
    browser.open(page, _status("On the watchlist: annas"))
    assert browser.run(f"return document.querySelector({button!r}).hidden")
    _expect_no_dead_end(browser)
    browser.open(f"/watch?at={EVENING}", "document.querySelector('[data-remove]') && document.readyState === 'complete'")
    assert browser.run("return [...document.querySelectorAll('[data-edit], [data-remove]')].every(each => each.hidden)")
    _expect_no_dead_end(browser)

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
    assert sorted(_rules(service)) == sorted(["annas", TITLE])
    for count in (1, 0):
        browser.open(f"/watch?at={EVENING}", "document.querySelector('button[data-remove]:not([hidden])')")
        _press(browser, "button[data-remove]")
        browser.wait("document.querySelectorAll('button[data-remove]').length === arguments[0] && document.readyState === 'complete'", count)
    assert _rules(service) == []
    _no_errors(browser)


def _coming(world, name, seconds):
    """Returns a service whose guide has an airing that starts in some seconds, and its number."""
    start = int(time.time()) + seconds
    guide = (
        "<tv><channel id='one'><display-name>One</display-name></channel>"
        f"<programme start='{xmltv_time(start - 7200)}' stop='{xmltv_time(start)}' channel='one'><title>Before</title></programme>"
        f"<programme start='{xmltv_time(start)}' stop='{xmltv_time(start + 3600)}' channel='one'><title>Sea Fever</title></programme></tv>")
    service = world.own_service(guide.encode(), name)
    return service, service.json("/api/v1/search", q="Sea Fever")["matches"][0]["id"]


def _allow(browser, setting):
    browser.developer("Browser.setPermission", permission={"name": "notifications"}, setting=setting, origin=browser.origin)


def browser_reminds_with_a_message_in_the_page(world):
    # Five minutes and a little more.
    service, airing = _coming(world, "remind-message", 309)
    browser = world.browser(service)
    _allow(browser, "denied")
    browser.open(f"/airings/{airing}")
    _press(browser, "button[data-rule*='\"airing\"']")
    browser.wait(_status("A message appears here 5 min before the start"))
    assert browser.run("return [...document.querySelectorAll('button[data-rule]')].map(each => each.hidden).join()") == "false,true"
    assert service.json("/api/v1/watch")["rules"] == []
    _audit(world, browser, "reminder")
    _expect_no_dead_end(browser)
    # Any page of the guide shows it.
    page = GuidePage.on(world, service)
    browser.open("/", "document.querySelector('.cell.watched [aria-label*=\"reminder set\"]')")
    browser.wait("document.querySelector('#due[role=alert] a')?.textContent === 'Sea Fever'", timeout=40)
    browser.wait("[...document.styleSheets].some(each => each.href?.endsWith('/dialogs.css'))")
    _audit(world, browser, "due")
    browser.click("#due button")
    browser.wait("!document.getElementById('due')")
    # It is shown once.
    browser.open("/watch", "document.querySelector('#reminders:not([hidden]) li')")
    assert not browser.count("#due") and "Sea Fever" in browser.text("#reminders")
    _audit(world, browser, "reminders")
    browser.run("const field = document.getElementById('reminder-minutes'); field.value = '15'; field.dispatchEvent(new Event('change'))")
    browser.open("/watch", "document.getElementById('reminder-minutes')?.value === '15'")
    _press(browser, "#reminders li button")
    browser.wait("document.getElementById('reminders').hidden")
    browser.open("/watch", "document.querySelector('.v-empty') && document.readyState === 'complete'")
    assert "Nothing is on the watchlist yet" in browser.text("main")
    _expect_no_dead_end(browser)
    # Another browser has no reminders.
    page.show("/")
    assert not page.count(".cell.watched")
    _no_errors(browser)


def browser_reminds_with_a_notification(world):
    service, airing = _coming(world, "remind-notification", 312)
    browser = world.browser(service)
    _allow(browser, "granted")
    browser.open("/home", "navigator.serviceWorker.controller?.state === 'activated'")
    browser.open(f"/airings/{airing}")
    _press(browser, "button[data-rule*='\"airing\"']")
    browser.wait(_status("This browser reminds you 5 min before the start"))
    shown = """
        const done = arguments[arguments.length - 1];
        navigator.serviceWorker.ready.then(each => each.getNotifications()).then(list => done(list.map(({ title, body, tag, data }) => ({ title, body, tag, data }))))"""
    wait_until(lambda: browser.run_async(shown), "the notification is shown", 40)
    [notification] = browser.run_async(shown)
    assert notification["title"] == "Sea Fever" and notification["data"] == f"/airings/{airing}", notification
    assert notification["body"].endswith(" · One"), notification
    assert not browser.count("#due")
    _no_errors(browser)


def reminders_of_a_profile_are_apart(world):
    service, airing = _coming(world, "remind-profile", 7200)
    _epg(world, service, "profile", "add", "kids", "--max-age", "12")
    browser = world.browser(service)
    _allow(browser, "denied")
    browser.open(f"/airings/{airing}")
    _press(browser, "button[data-rule*='\"airing\"']")
    browser.wait(_status("5 min before the start"))
    _use(browser, service, "kids")
    browser.open("/watch", "document.querySelector('.v-empty') && document.readyState === 'complete'")
    assert browser.run("return document.getElementById('reminders').hidden")
    browser.run("window.isOld = true; epgPage.profiles.choose(null)")
    browser.wait("!window.isOld && document.querySelector('#reminders:not([hidden]) li')")


def guide_marks_airings_and_its_panel_adds_rules(world):
    service = _service(world, "watch-guide")
    _epg(world, service, "watch", "add", "keeper", "--title", TITLE)
    page = GuidePage.on(world, service)
    _use(page, service)
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
    page.wait("document.querySelector('#panel .watched').textContent.includes('Added')")
    # The other airings of a rule that was added are marked at once.
    assert sorted(_rules(service)) == sorted([TITLE, "keeper"])
    page.close_details()
    # The label names the programme, and then the rule of the same name.
    page.wait("document.querySelector('.cell.watched [aria-label]')?.getAttribute('aria-label').split(arguments[0]).length === 3", TITLE)
    _no_errors(page)


def _type(browser, field, text):
    browser.run("const field = document.getElementById('rule-' + arguments[0]); field.focus(); field.select()", field)
    browser.write(text)


def _edit_rules(world, size):
    service = _service(world, f"watch-edit-{size}")
    browser = _browser(world, service, size)
    _use(browser, service)
    browser.open(f"/watch?at={EVENING}", "document.querySelector('button[data-edit]:not([hidden])')")
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
    _type(browser, "words", "a* b*")
    browser.wait("document.getElementById('rule-words').getAttribute('aria-invalid') === 'true'")
    assert "single-letter prefix" in browser.text("#rule-words-note")
    assert browser.run("return document.getElementById('rule-airings').childElementCount") == 0
    _audit(world, browser, f"{size}-invalid")
    _type(browser, "words", "lighthouse")
    browser.wait(f"document.getElementById('rule-airings').textContent.includes({TITLE!r})")
    assert not browser.run("return document.getElementById('rule-words').hasAttribute('aria-invalid')")
    _type(browser, "name", "sea")
    # What only administrators may enter.
    assert not browser.run("return ['rule-profile', 'rule-pattern'].some(id => document.getElementById(id).checkVisibility())")
    browser.press("Enter")
    browser.wait("document.querySelectorAll('.v-rules [data-remove]').length === 1 && document.readyState === 'complete'")
    assert _rules(service) == ["sea"]
    assert "any of lighthouse or ferry, without choir" in browser.text("main")

    browser.wait("document.querySelector('.v-rules button[data-edit]:not([hidden])')")
    _press(browser, ".v-rules button[data-edit]")
    browser.wait("document.activeElement.id === 'rule-name' && document.getElementById('rule-airings').childElementCount")
    assert browser.run("return document.getElementById('rule-any').value") == "lighthouse\nferry"
    _type(browser, "name", "shore")
    _type(browser, "title", "none such")
    browser.wait("document.getElementById('rule-count').textContent.startsWith('Matches nothing')")
    _type(browser, "title", TITLE)
    browser.wait("document.getElementById('rule-airings').childElementCount === 1")
    browser.press("Enter")
    browser.wait("document.querySelector('main').textContent.includes('shore') && document.readyState === 'complete'")
    [rule] = service.json("/api/v1/watch", at=EVENING)["rules"]
    assert (rule["name"], rule["title"], rule["any"]) == ("shore", TITLE, ["lighthouse", "ferry"]), rule
    # Escape changes nothing.
    browser.wait("document.querySelector('.v-rules button[data-edit]:not([hidden])')")
    _press(browser, ".v-rules button[data-edit]")
    _type(browser, "name", "other")
    browser.press("Escape")
    browser.wait("!document.querySelector('dialog[open]')")
    assert _rules(service) == ["shore"]
    _no_errors(browser, 422)


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
