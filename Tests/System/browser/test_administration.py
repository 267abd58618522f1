"""Administration in the browser: from the first start to a matched, refreshed guide, by keyboard, on a desktop and a phone."""

import calendar
import re
import subprocess
import time

import axe
from support import SAMPLES
from support.processes import Service, wait_until
from support.servers import WebServer, send

PASSWORD = "four random words here"


class _Feed(WebServer):
    """A server of the sample guide whose listings begin now, and of its playlist."""

    def __init__(self):
        # The sample guide begins on the evening of October 24, 2026.
        shift = int(time.time()) // 86_400 * 86_400 - 1_792_800_000

        def moved(match):
            at = time.gmtime(_seconds(match[1]) + shift)
            return time.strftime("%Y%m%d%H%M%S", at)

        text = (SAMPLES / "evening.xml").read_text()
        self.guide = re.sub(r"\b(20\d{12})\b", moved, text).encode()
        self.playlist = (SAMPLES / "evening.m3u").read_bytes()
        super().__init__(self._respond)

    def _respond(self, handler):
        if handler.path.startswith("/guide.xml"):
            send(handler, 200, {"Content-Type": "application/xml"}, self.guide)
        elif handler.path.startswith("/channels.m3u"):
            send(handler, 200, {"Content-Type": "audio/x-mpegurl"}, self.playlist)
        else:
            send(handler, 404)


def _seconds(text):
    return calendar.timegm(time.strptime(text, "%Y%m%d%H%M%S"))


class _NewService(Service):
    """A service that creates its guide at the default location of a home folder."""

    def __init__(self, world, name):
        home = world.folder / name
        home.mkdir()
        super().__init__(
            world.programs, home / ".local/share/epg/guide.sqlite", log=home / "log",
            # The servers of the tests are on this machine.
            environment={"HOME": str(home), "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": "", "EPG_SOURCE_HOSTS": "127.0.0.1"})
        self.link = wait_until(self._announced_link, "epgd prints the link")

    def _announced_link(self):
        found = re.search(r"(http://\S+/admin/start\?token=[0-9a-f]{64})", self.log_text())
        return found and found[1]


def _audit(world, browser, name):
    """Checks a page with axe, and takes a picture of it."""
    world.screenshot(browser, f"admin-{name}")
    found = axe.serious(axe.violations(browser))
    assert not found, f"{name}: {found}"
    overflow = browser.run("return document.documentElement.scrollWidth - window.innerWidth")
    assert overflow <= 0, f"{name}: the page is {overflow} pixels too wide"
    assert browser.console_errors() == [], name


def _tab_to(browser, selector, limit=400):
    """Presses Tab until an element has the focus."""
    for _ in range(limit):
        if browser.run("return document.activeElement.matches(arguments[0])", selector):
            return
        browser.press("Tab")
    raise AssertionError(f"Tab does not reach {selector}")


def _fill(browser, selector, text):
    _tab_to(browser, selector)
    browser.press("a", holding="Control")
    browser.write(text)


def _submit(browser, selector, wait):
    """Presses a button with the keyboard, and waits for the next page."""
    _tab_to(browser, selector)
    browser.press("Enter")
    browser.wait(wait, timeout=60)


def _title(text):
    return f"document.querySelector('h1')?.textContent === {text!r} && document.readyState === 'complete'"


def _set_up(world, browser, service, feed, size):
    browser.go(service.link)
    _audit(world, browser, f"{size}-start")
    _fill(browser, "[name=password]", PASSWORD)
    _fill(browser, "[name=repeated]", PASSWORD)
    _submit(browser, ".a-main", _title("Set up the guide"))
    _audit(world, browser, f"{size}-setup")

    # A guide from a URL, with a preview.
    _submit(browser, ".a-steps li:nth-child(1) a", _title("Add a guide or a playlist"))
    _audit(world, browser, f"{size}-add")
    _fill(browser, "[name=url]", f"{feed.origin}/guide.xml")
    _submit(browser, "form[action='/admin/add/url'] button", _title("Preview"))
    browser.wait("document.querySelector('[name=name]')", timeout=60)
    _audit(world, browser, f"{size}-preview")
    assert "a guide" in browser.text("main") and "417 programmes" in browser.text("main")
    _fill(browser, "[name=name]", "evening")
    _submit(browser, "form[action='/admin/preview/accept'] button", _title("Refresh"))
    browser.wait("/imported/.test(document.querySelector('#progress')?.textContent)", timeout=120)
    _audit(world, browser, f"{size}-refresh")

    # A playlist.
    browser.open("/admin/add", _title("Add a guide or a playlist"))
    _fill(browser, "[name=url]", f"{feed.origin}/channels.m3u")
    _submit(browser, "form[action='/admin/add/url'] button", _title("Preview"))
    browser.wait("document.querySelector('[name=name]')", timeout=60)
    _fill(browser, "[name=name]", "living room")
    _tab_to(browser, "form[action='/admin/preview/accept'] button")
    browser.press("Enter")
    browser.wait("['Channel matching', 'living room'].includes(document.querySelector('h1')?.textContent)", timeout=60)


def first_run_leads_to_a_matched_refreshed_guide_by_keyboard_alone(world):
    feed, service = _Feed(), _NewService(world, "desktop")
    try:
        browser = world.browser(service)
        _set_up(world, browser, service, feed, "desktop")
        browser.open("/admin/matching?show=all", _title("Channel matching"))
        _audit(world, browser, "desktop-matching")
        # The link is used up.
        assert service.request("/admin/start?token=" + service.link.split("token=")[1]).status == 403
        browser.open("/", "document.querySelectorAll('.cell').length > 20")
        assert service.json("/api/v1/stations")["total"] > 5
        # The schedule takes effect without a restart.
        browser.open("/admin/settings", _title("Settings"))
        _audit(world, browser, "desktop-settings")
        _fill(browser, "[name=refresh]", "30 3 * * *")
        _submit(browser, "form[action='/admin/settings'] button", "document.querySelector('[role=status]')?.textContent.includes('Saved')")
        sources = service.json("/api/v1/sources")["sources"]
        assert [each.get("nextRefresh") is not None for each in sources if each["name"] == "evening"] == [True], sources
    finally:
        service.close()
        feed.close()


def every_screen_works_on_a_phone(world):
    feed, service = _Feed(), _NewService(world, "phone")
    try:
        browser = world.browser(service, size=(390, 844))
        browser.resize(390, 844, scale=2, touch=True)
        _set_up(world, browser, service, feed, "phone")
        for path, title in _SCREENS:
            browser.open(path, _title(title))
            _audit(world, browser, f"phone-{title.split()[0].lower()}")
    finally:
        service.close()
        feed.close()


_SCREENS = [
    ("/admin", "Overview"), ("/admin/source?name=evening", "evening"), ("/admin/add", "Add a guide or a playlist"),
    ("/admin/matching?show=all", "Channel matching"), ("/admin/lineups", "Lineups"),
    ("/admin/lineup?name=living%20room", "living room"), ("/admin/changes?range=week", "Changes"),
    ("/admin/settings", "Settings"), ("/admin/access", "Access"), ("/admin/refresh", "Refresh"),
]


class _Administered:
    """A service with a guide, a playlist with channels that match no station, and a session in a window."""

    PLAYLIST = (
        "#EXTM3U\n"
        + "".join(
            f"#EXTINF:-1 tvg-id=\"{name.lower().replace(' ', '')}.none\" group-title=\"Test\",{name}\nhttp://s.example/{name}\n"
            for name in ("Lantern TV Extra", "Harbour Channel Plus", "Zzyzx", "Meridian Drama Nights"))
        + "".join(f"#EXTINF:-1,Channel without a guide {number}\nhttp://s.example/{number}\n" for number in range(60)))

    def __init__(self, world, name, **settings):
        self.service = world.own_service(SAMPLES / "evening.xml", name)
        playlist = world.folder / f"{name}.m3u"
        playlist.write_text(self.PLAYLIST)
        world.programs.load(playlist, self.service.database)
        subprocess.run(
            [world.programs.epg, "admin", "password", "--database", self.service.database], input=PASSWORD.encode() + b"\n",
            check=True)
        self.browser = world.browser(self.service, **settings)
        # The service notices the new password within a second.
        wait_until(lambda: b'name="password"' in self.service.request("/login").body, "the service has a password")
        self.browser.open("/login?next=/admin/matching", _title("Log in"))
        _audit(world, self.browser, f"{name}-login")
        _fill(self.browser, "[name=password]", PASSWORD)
        self.browser.press("Enter")
        self.browser.wait(_title("Channel matching"))


def channels_are_matched_with_keys(world):
    world_page = _Administered(world, "matching")
    browser = world_page.browser
    current = "document.activeElement.closest('.a-matches > li')?.querySelector('h2').textContent"
    browser.press("j")
    second = browser.run(f"return {current}")
    browser.press("ArrowDown")
    third = browser.run(f"return {current}")
    assert second and third and second != third
    browser.press("k", "k", "k")
    first = browser.run(f"return {current}")
    assert first not in (second, third)
    _audit(world, browser, "matching-keys")
    # Enter accepts the first suggestion; the next channel takes its place.
    browser.press("Enter")
    browser.wait("document.querySelector('[role=status]')?.textContent.includes('now shows')")
    browser.wait(f"{current} && {current} !== arguments[0]", first)
    # U undoes it.
    browser.press("u")
    browser.wait("document.querySelector('[role=status]')?.textContent.includes('Undone')")
    # O names another station.
    browser.press("j", "o")
    browser.wait("document.activeElement.name === 'other'")
    browser.write("lantern.example")
    browser.press("Enter")
    browser.wait("document.querySelector('[role=status]')?.textContent.includes('now shows')")
    browser.press("u")
    browser.wait("document.querySelector('[role=status]')?.textContent.includes('Undone')")
    # The filter.
    browser.press("/")
    browser.wait("document.activeElement.name === 'q'")
    browser.write("zzyzx")
    browser.press("Enter")
    browser.wait("document.querySelectorAll('.a-matches > li').length === 1")


def sources_are_ordered_with_keys_and_buttons(world):
    administered = _Administered(world, "order")
    browser, service = administered.browser, administered.service
    world.programs.load(SAMPLES / "evening.xml", service.database, "second")
    browser.open("/admin", _title("Overview"))
    names = "[...document.querySelectorAll('tr[data-name]')].map((row) => row.dataset.name).join()"
    before = browser.run(f"return {names}")
    browser.run("document.querySelector('tr[data-name] a').focus()")
    browser.press("ArrowDown", holding="Alt")
    browser.wait(f"{names} !== arguments[0]", before)
    after = browser.run(f"return {names}")
    assert sorted(after.split(",")) == sorted(before.split(","))
    _submit(browser, "[data-move=up]", f"{names} === {before!r}")
    _audit(world, browser, "order-overview")


def lineup_is_edited_with_keys(world):
    browser = _Administered(world, "lineup").browser
    browser.open("/admin/lineup?name=lineup", _title("lineup"))
    _submit(browser, "button[value=number]", "document.querySelector('[role=status]')?.textContent.includes('Saved')")
    numbers = "[...document.querySelectorAll('[data-number]')].slice(0, 3).map((field) => field.value).join()"
    assert browser.run(f"return {numbers}") == "1,2,3"
    _tab_to(browser, "[data-number]")
    browser.press("ArrowDown", holding="Alt")
    assert browser.run(f"return {numbers}") == "2,1,3"
    browser.press("Enter")
    browser.wait("document.querySelector('[role=status]')?.textContent.includes('Saved')")
    browser.wait(f"{numbers} === '2,1,3'")
    _audit(world, browser, "lineup-edited")


def screens_work_without_scripts(world):
    administered = _Administered(world, "plain")
    browser = administered.browser
    browser.scripts(False)
    browser.open("/admin/matching?show=all")
    browser.click(".a-suggestion")
    browser.wait("document.querySelector('[role=status]')?.textContent.includes('now shows')")
    browser.click("[data-key=u]")
    browser.wait("document.querySelector('[role=status]')?.textContent.includes('Undone')")
    browser.open("/admin")
    browser.click(".a-head form button")
    browser.wait(_title("Refresh"))
    browser.scripts(True)


def dark_screens_have_no_serious_violation(world):
    administered = _Administered(world, "dark")
    browser = administered.browser
    browser.prefer(color_scheme="dark")
    for path, title in (("/admin", "Overview"), ("/admin/matching?show=all", "Channel matching"), ("/admin/access", "Access"),
                        ("/admin/lineup?name=dark", "dark"), ("/admin/settings", "Settings")):
        browser.open(path, _title(title))
        _audit(world, browser, f"dark-{title.split()[0].lower()}")
