"""Administration in the browser: from the first start to a matched, refreshed guide, by keyboard, on a desktop and a phone."""

import calendar
import hashlib
import json
import re
import subprocess
import time
import urllib.parse

import axe
from support import SAMPLES
from support.processes import Service, wait_until
from support.report import journey, long
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
        #: The seconds until a response.
        self.delay = 0
        super().__init__(self._respond)

    def _respond(self, handler):
        time.sleep(self.delay)
        if handler.path.startswith("/guide.xml"):
            send(handler, 200, {"Content-Type": "application/xml"}, self.guide)
        elif handler.path.startswith("/channels.m3u"):
            send(handler, 200, {"Content-Type": "audio/x-mpegurl"}, self.playlist)
        else:
            send(handler, 404)


class _SchedulesDirect(WebServer):
    """A server with the API of Schedules Direct, and an account with two lineups of one station each."""

    USER, PASSWORD = "viewer@example.org", "harbour lights"

    def __init__(self):
        super().__init__(self._respond)
        self.RequestHandlerClass.do_POST = lambda handler: self._post(handler)
        start = int(time.time()) // 3600 * 3600
        self.day = time.strftime("%Y-%m-%d", time.gmtime(start))
        self.at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(start))

    @property
    def url(self):
        return f"{self.origin}/20141201"

    @staticmethod
    def _send(handler, value, status=200):
        send(handler, status, {"Content-Type": "application/json"}, json.dumps(value).encode())

    def _respond(self, handler):
        path = handler.path.removeprefix("/20141201")
        lineups = [
            {"lineup": "ZZZ-HARBOUR-X", "name": "Harbour Cable", "transport": "Cable", "location": "99999", "modified": "a"},
            {"lineup": "ZZZ-AERIAL-Y", "name": "Local Over the Air Broadcast", "transport": "Antenna", "modified": "b"}]
        if path == "/status":
            self._send(handler, {"code": 0, "systemStatus": [{"status": "Online"}], "lineups": lineups})
        elif path == "/lineups":
            self._send(handler, {"code": 0, "lineups": lineups})
        else:
            number = "101" if path.endswith("-X") else "102"
            self._send(handler, {
                "map": [{"stationID": number, "channel": number}], "metadata": {"lineup": path.split("/")[-1], "modified": "a"},
                "stations": [{"stationID": number, "name": f"Direct {number}", "callsign": f"D{number}"}]})

    def _post(self, handler):
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        path = handler.path.removeprefix("/20141201")
        if path == "/token":
            right = {"username": self.USER, "password": hashlib.sha1(self.PASSWORD.encode()).hexdigest()}
            if body == right:
                self._send(handler, {"code": 0, "message": "OK", "token": "t1"})
            else:
                self._send(handler, {"code": 4003, "response": "INVALID_USER", "message": "Invalid user."}, 400)
        elif path == "/schedules/md5":
            self._send(handler, {each["stationID"]: {self.day: {"code": 0, "md5": "d"}} for each in body})
        elif path == "/schedules":
            self._send(handler, [{
                "stationID": each["stationID"], "metadata": {"md5": "d", "startDate": self.day},
                "programs": [{"programID": "EP000000010001", "airDateTime": self.at, "duration": 7200, "md5": "c"}],
            } for each in body])
        else:
            self._send(handler, [{"programID": each, "titles": [{"title120": "Harbour Direct"}], "md5": "c"} for each in body])


class _Provider(_Feed):
    """A server with the Xtream Codes API: the playlist and the guide of an account."""

    USER, PASSWORD = "viewer 1", "low & high"

    def __init__(self):
        #: What the playlist is replaced by; `None` for the playlist.
        self.wrong = None
        self.token = 0
        super().__init__()

    def _respond(self, handler):
        url = urllib.parse.urlsplit(handler.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        if (query.get("username"), query.get("password")) != (self.USER, self.PASSWORD):
            send(handler, 401)
        elif url.path == "/xmltv.php":
            send(handler, 200, {"Content-Type": "application/xml"}, self.guide)
        elif url.path == "/get.php" and query.get("type") == "m3u_plus":
            self.token += 1
            playlist = re.sub(rb"^(http\S+)$", rb"\1?token=%d" % self.token, self.playlist, flags=re.MULTILINE)
            send(handler, 200, {"Content-Type": "audio/x-mpegurl"}, self.wrong or playlist)
        else:
            send(handler, 404)


#: The form of an account, by the service.
_ACCOUNT_FORM = "form[action='/admin/add/account']:has([value='{}'])"


_DISCARD = "form[action='/admin/preview/discard'] button, [formaction='/admin/preview/discard']"


def _seconds(text):
    return calendar.timegm(time.strptime(text, "%Y%m%d%H%M%S"))


class _NewService(Service):
    """A service that creates its guide at the default location of a home folder."""

    def __init__(self, world, name):
        home = world.folder / name
        home.mkdir()
        self.database = home / ".local/share/epg/guide.sqlite"
        super().__init__(
            world.programs, self.database, log=home / "log",
            # The servers of the tests are on this machine.
            environment={"HOME": str(home), "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": "", "EPG_PRIVATE_HOSTS": "127.0.0.1"})
        self.link = wait_until(self._announced_link, "epgd prints the link")

    def _announced_link(self):
        found = re.search(r"(http://\S+/admin/start\?token=[0-9a-f]{64})", self.log_text())
        return found and found[1]


def _audit(world, browser, name):
    """Checks a page with axe, and takes a picture of it."""
    world.screenshot(browser, f"admin-{name}")
    found = axe.serious(axe.violations(browser))
    assert not found, f"{name}: {found}"
    # The inner width of a phone grows with the content.
    overflow = browser.run("const root = document.documentElement; return root.scrollWidth - root.clientWidth")
    assert overflow <= 0, f"{name}: the page is {overflow} pixels too wide"
    touching = browser.run(_TOUCHING)
    assert not touching, f"{name}: controls touch: {touching}"
    # Chromium reports the status of pages with a form that was refused.
    errors = [each for each in browser.console_errors() if "status of 422" not in each]
    assert not errors, f"{name}: {errors}"


#: Returns pairs of buttons and fields that are less than 4 pixels apart.
_TOUCHING = """
    const boxes = [...document.querySelectorAll('main :is(button, .button, select, input:not([type=hidden]))')]
        .filter((each) => each.checkVisibility() && !each.closest('.toast')).map((each) => [each, each.getBoundingClientRect()]);
    const gap = (one, other) => Math.max(one.left - other.right, other.left - one.right, one.top - other.bottom, other.top - one.bottom);
    const name = (each) => each.textContent || each.name || each.getAttribute('aria-label');
    return boxes.flatMap(([one, box], index) => boxes.slice(index + 1)
        // The bar above a list stays in view while rows move below it.
        .filter(([each]) => !one.closest('.a-selection') === !each.closest('.a-selection'))
        .filter(([, other]) => gap(box, other) < 4).map(([other]) => `${name(one)} and ${name(other)}`));
"""

#: Returns about how many elements Tab focuses before it reaches the first one that matches a selector; 0 if it is unknown.
_STOPS_BEFORE = """
    const stops = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
        .filter((each) => each.tabIndex >= 0 && !each.disabled && each.type !== 'hidden' && each.checkVisibility());
    const [from, to] = [stops.indexOf(document.activeElement), stops.findIndex((each) => each.matches(arguments[0]))];
    const way = arguments[1] ? (from < 0 ? stops.length : from) - to : to - from;
    // Tab goes on at the other end. Without a focused element, it begins at an end.
    return to < 0 ? 0 : Math.max(0, (way < 0 ? way + stops.length : way) - 4);
"""


def _tab_to(browser, selector, limit=400, **keys):
    """Presses Tab until an element has the focus; backward with holding="Shift"."""
    # One command for most of the way is many times faster.
    if stops := browser.run(_STOPS_BEFORE, selector, "holding" in keys):
        browser.press(*["Tab"] * stops, **keys)
    for _ in range(limit):
        if browser.run("return document.activeElement.matches(arguments[0])", selector):
            return
        browser.press("Tab", **keys)
    raise AssertionError(f"Tab does not reach {selector}")


def _fill(browser, selector, text):
    _tab_to(browser, selector)
    browser.press("a", holding="Control")
    browser.write(text)


def _submit(browser, selector, wait, **keys):
    """Presses a button with the keyboard, and waits for the next page."""
    _tab_to(browser, selector, **keys)
    browser.press("Enter")
    browser.wait(wait, timeout=60)


def _title(text):
    return f"document.querySelector('h1')?.textContent === {text!r} && document.readyState === 'complete'"


def _set_up(world, browser, service, feed, size):
    browser.go(service.link)
    _audit(world, browser, f"{size}-start")
    _fill(browser, "[name=password]", PASSWORD)
    _fill(browser, "[name=repeated]", PASSWORD)
    _submit(browser, ".primary", _title("Set up the guide"))
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
    _submit(browser, "form[action='/admin/preview/accept'] button", _title("evening"))
    assert "Added “evening”." in browser.text("main")
    _audit(world, browser, f"{size}-added")

    # A playlist.
    browser.open("/admin/add", _title("Add a guide or a playlist"))
    _fill(browser, "[name=url]", f"{feed.origin}/channels.m3u")
    _submit(browser, "form[action='/admin/add/url'] button", _title("Preview"))
    browser.wait("document.querySelector('[name=name]')", timeout=60)
    _fill(browser, "[name=name]", "living room")
    _tab_to(browser, "form[action='/admin/preview/accept'] button")
    browser.press("Enter")
    browser.wait("['Channel matching', 'living room'].includes(document.querySelector('h1')?.textContent)", timeout=60)


def _add_account(world, browser, size):
    """Adds an account at Schedules Direct, one of whose lineups is chosen."""
    account = _SchedulesDirect()
    try:
        browser.open("/admin/add", _title("Add a guide or a playlist"))
        form = _ACCOUNT_FORM.format("schedules-direct")
        _fill(browser, f"{form} [name=username]", account.USER)
        _fill(browser, f"{form} [name=account-password]", "wrong")
        _fill(browser, f"{form} [name=server]", account.url)
        _submit(browser, f"{form} button", _title("Preview"))
        browser.wait("document.querySelector('#progress')?.textContent.includes('the password is wrong')", timeout=60)
        _audit(world, browser, f"{size}-account-refused")
        _submit(browser, _DISCARD, _title("Add a guide or a playlist"))
        # The refusal is kept per password, so that the right one is tried.
        _fill(browser, f"{form} [name=username]", account.USER)
        _fill(browser, f"{form} [name=account-password]", account.PASSWORD)
        _fill(browser, f"{form} [name=server]", account.url)
        _submit(browser, f"{form} button", _title("Preview"))
        browser.wait("document.querySelectorAll('[name=lineup]').length === 2", timeout=60)
        assert account.PASSWORD not in browser.run("return document.documentElement.outerHTML")
        _audit(world, browser, f"{size}-account")
        _tab_to(browser, "[value=ZZZ-AERIAL-Y]")
        browser.press("Space")
        _fill(browser, "[name=name]", "direct")
        _submit(browser, "form[action='/admin/preview/accept'] button", _title("Refresh"))
        browser.wait("/direct imported/.test(document.querySelector('#progress')?.textContent)", timeout=120)
        _audit(world, browser, f"{size}-refresh")
    finally:
        account.close()


@journey
def account_of_a_provider_leads_to_a_matched_refreshed_guide(world):
    provider, service = _Provider(), _NewService(world, "xtream")
    form = _ACCOUNT_FORM.format("xtream")

    def preview(password):
        browser.open("/admin/add", _title("Add a guide or a playlist"))
        _fill(browser, f"{form} [name=server]", f"{provider.origin}/")
        _fill(browser, f"{form} [name=username]", provider.USER)
        _fill(browser, f"{form} [name=account-password]", password)
        _submit(browser, f"{form} button", _title("Preview"))

    def refused(password, *words):
        preview(password)
        browser.wait("document.querySelector('#progress .a-error')", timeout=60)
        text = browser.text("main")
        assert all(word in text for word in words), text
        assert not shown(text), text
        _submit(browser, _DISCARD, _title("Add a guide or a playlist"))

    def shown(text):
        """Whether the password is in a text."""
        return any(form in text for form in ("low & high", "low &amp; high", "low%20%26%20high", "low+%26+high"))

    def sources():
        return {each["name"]: each for each in service.json("/api/v1/sources")["sources"]}

    def refresh(name):
        browser.open(f"/admin/source?name={name}", _title(name))
        _submit(browser, "form[action='/admin/refresh'] button", _title("Refresh"))
        browser.wait(f"/{name} (imported|failed|unchanged)/.test(document.querySelector('#progress')?.textContent)", timeout=120)
        return browser.text("#progress")

    try:
        browser = world.browser(service)
        browser.go(service.link)
        _fill(browser, "[name=password]", PASSWORD)
        _fill(browser, "[name=repeated]", PASSWORD)
        _submit(browser, ".primary", _title("Set up the guide"))
        refused("wrong", "401")
        provider.wrong = b"<!doctype html><title>Please log in</title><p>Log in"
        refused(provider.PASSWORD, "web page")
        provider.wrong = provider.playlist[:provider.playlist.index(b"#EXTINF", 200) + 12]
        preview(provider.PASSWORD)
        provider.wrong = None
        _submit(browser, _DISCARD, _title("Add a guide or a playlist"))

        preview(provider.PASSWORD)
        browser.wait("document.querySelector('[name=name]')", timeout=60)
        _audit(world, browser, "desktop-xtream")
        _fill(browser, "[name=name]", "box")
        _tab_to(browser, "form[action='/admin/preview/accept'] button")
        browser.press("Enter")
        browser.wait("['Channel matching', 'box'].includes(document.querySelector('h1')?.textContent)", timeout=60)
        # The refresh that follows adds the guide of the account and matches its stations.
        wait_until(lambda: sources().get("box-guide", {}).get("airings", 0) > 300, "the guide of the account is imported", 60)
        box = sources()["box"]
        assert box["matched"] >= 5 and box["channels"] > box["matched"], box
        browser.open("/", "document.querySelectorAll('.cell').length > 20")
        # Nothing but the streams contains the password.
        files = [service.database, service.log, *service.database.parent.glob("*-wal")]
        assert not shown(b"".join(path.read_bytes() for path in files).decode("latin-1"))
        assert not shown(browser.run("return document.documentElement.outerHTML"))

        # Bad downloads keep the lineup.
        count = box["channels"]
        for wrong, message in ((b"<html><title>Please log in</title>", "web page"), (b"#EXTM3U\n#EXTINF:-1,One\nhttp://a.example/1\n", "the new playlist has 1 channel"),
                               (provider.playlist[:provider.playlist.rindex(b"http")], "truncated")):
            provider.wrong = wrong
            assert message in refresh("box"), message
            assert sources()["box"]["channels"] == count
        provider.wrong = None
        assert "box imported" in refresh("box")
        assert not sources()["box"].get("failed")
        _audit(world, browser, "desktop-xtream-refreshed")
        # Removing the account removes its guide and its password.
        browser.open("/admin/source?name=box", _title("box"))
        _audit(world, browser, "desktop-playlist-source")
        browser.run("document.querySelector('.a-remove').open = true")
        _submit(browser, ".danger", _title("Set up the guide"))
        assert sources() == {} and not shown(service.database.with_name("guide.sqlite-access").read_text())
    finally:
        service.close()
        provider.close()


def newcomers_find_the_setup_and_see_their_mistakes_where_they_are(world):
    service = _NewService(world, "newcomer")
    try:
        browser = world.browser(service)
        for path in ("/", "/home", "/setup"):
            browser.open(path, "document.querySelector('main .primary')")
            assert browser.count("main .primary") == 1
            assert not axe.serious(axe.violations(browser)), path
        _submit(browser, "main .primary", _title("Set a password first"))
        _audit(world, browser, "newcomer-no-password")
        browser.go(service.link)
        _fill(browser, "[name=password]", PASSWORD)
        _fill(browser, "[name=repeated]", "another one")
        _submit(browser, "main .primary", "document.querySelector('.a-flaw')")
        browser.wait("document.activeElement.name === 'repeated'")
        _fill(browser, "[name=password]", PASSWORD)
        _fill(browser, "[name=repeated]", PASSWORD)
        browser.press("Enter")
        browser.wait(_title("Set up the guide"))
        browser.open("/admin/add", _title("Add a guide or a playlist"))
        _fill(browser, "[name=url]", "guide.xml")
        browser.press("Enter")
        browser.wait("document.querySelector('.a-flaw')?.textContent.includes('name of a file')")
        browser.wait("document.activeElement.name === 'url' && document.activeElement.value === 'guide.xml'")
        _audit(world, browser, "newcomer-no-url")
    finally:
        service.close()


def guide_without_zones_asks_for_one(world):
    feed, service = _Feed(), _NewService(world, "zoneless")
    try:
        feed.guide = re.sub(rb'((?:start|stop)="\d{14}) [+-]\d{4}"', rb'\1"', feed.guide)
        browser = world.browser(service)
        browser.go(service.link)
        _fill(browser, "[name=password]", PASSWORD)
        _fill(browser, "[name=repeated]", PASSWORD)
        _submit(browser, "main .primary", _title("Set up the guide"))
        browser.open("/admin/add", _title("Add a guide or a playlist"))
        # The server has no TLS.
        _fill(browser, "[name=url]", f"{feed.origin.removeprefix('http://')}/guide.xml")
        browser.press("Enter")
        browser.wait("document.querySelector('[name=zone]')", timeout=60)
        assert "cannot be reached" in browser.text("main")
        assert browser.count("#zones option") > 300
        _audit(world, browser, "zoneless-preview")
        first = "document.querySelector('.a-form td:last-child').textContent"
        before = browser.run(f"return {first}")
        _fill(browser, "[name=zone]", "Auckland")
        _submit(browser, "[value=zone]", f"document.querySelector('.a-form td') && {first} !== {before!r}")
        assert browser.run("return document.querySelector('[name=zone]').value") == "Pacific/Auckland"
    finally:
        service.close()
        feed.close()


@journey
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
        _add_account(world, browser, "desktop")
        assert [each["stations"] for each in service.json("/api/v1/sources")["sources"] if each["name"] == "direct"] == [1]
        secret = service.database.with_name("guide.sqlite-access")
        assert secret.stat().st_mode & 0o777 == 0o600 and " harbour%20lights\n" in secret.read_text()
        assert b"harbour lights" not in service.database.read_bytes() + service.log.read_bytes()
        assert not (service.log.parent / ".config").exists()
        # The schedule takes effect without a restart.
        browser.open("/admin/settings", _title("Settings"))
        _audit(world, browser, "desktop-settings")
        # The first source has brought a schedule, whose field for experts is hidden.
        assert browser.run("return document.querySelector('[name=schedule]').value") == "nightly"
        assert not browser.run("return document.querySelector('[name=refresh]').checkVisibility()")
        _tab_to(browser, "[name=schedule]")
        browser.write("Cus")
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
        _add_account(world, browser, "phone")
        for path, title in _SCREENS:
            browser.open(path, _title(title))
            _audit(world, browser, f"phone-{_file_name(path)}")
        # The smallest window of WCAG 2.2, 1.4.10.
        browser.resize(320, 640, scale=2, touch=True)
        for path, title in _SCREENS:
            browser.open(path, _title(title))
            _audit(world, browser, f"narrow-{_file_name(path)}")
    finally:
        service.close()
        feed.close()


def every_screen_works_on_a_desktop(world):
    feed, service = _Feed(), _NewService(world, "wide")
    try:
        browser = world.browser(service)
        _set_up(world, browser, service, feed, "wide")
        for path, title in _SCREENS:
            browser.open(path, _title(title))
            _audit(world, browser, f"wide-{_file_name(path)}")
    finally:
        service.close()
        feed.close()


def _file_name(path):
    return re.sub(r"\W+", "-", path).strip("-")


_SCREENS = [
    ("/admin", "Overview"), ("/admin/source?name=evening", "evening"), ("/admin/add", "Add a guide or a playlist"),
    ("/admin/matching?show=all", "Channel matching"), ("/admin/lineups", "Lineups"),
    ("/admin/lineup?name=living%20room", "living room"), ("/admin/changes?range=week", "Changes"),
    ("/admin/changes?range=week&station=lantern.example", "Changes of Lantern Films"),
    ("/admin/matching/accept?score=0.5&show=all", "Accept suggestions"),
    ("/admin/settings", "Settings"), ("/admin/access", "Access"), ("/admin/refresh", "Refresh"),
]


class _Administered:
    """A service with a guide, a playlist with channels that match no station, and a session in a window."""

    PLAYLIST = (
        "#EXTM3U\n"
        + "".join(
            f"#EXTINF:-1 tvg-id=\"{name.lower().replace(' ', '')}.none\" group-title=\"Test\",{name}\nhttp://s.example/{name}\n"
            for name in ("Lantern TV Extra", "Harbour Channel Plus", "Zzyzx", "Lantern Films Extra"))
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


def suggestions_are_reviewed_and_accepted_together_with_keys(world):
    browser = _Administered(world, "bulk").browser
    browser.press("/")
    browser.wait("document.activeElement.name === 'q'")
    browser.write("films")
    browser.press("Enter")
    browser.wait("document.querySelectorAll('.a-matches > li').length === 1")
    _fill(browser, "[name=score]", "0.5")
    _submit(browser, "form[action='/admin/matching/accept'] button", _title("Accept suggestions"))
    _audit(world, browser, "bulk-review")
    # The count is that of the filter.
    assert browser.text(".primary") == "Map 1 channel"
    _submit(browser, ".primary", "document.querySelector('.toast span')?.textContent === 'Mapped 1 channel.'")
    # Undo stays offered on later views of the page.
    browser.open("/admin/matching", _title("Channel matching"))
    browser.press("u")
    browser.wait("document.querySelector('[role=status]')?.textContent.includes('Undone')")
    assert browser.count("[data-key=u]") == 0


def selected_rows_are_changed_together_with_keys(world):
    administered = _Administered(world, "selection")
    browser = administered.browser
    count = "document.querySelector('[data-count]').textContent"
    assert browser.run("return document.querySelector('.a-selection [value=hide]').disabled")
    # X selects the current channel; the box above the list selects all.
    browser.press("j", "x")
    browser.wait(f"{count} === '1 selected'")
    _tab_to(browser, "[data-all]", holding="Shift")
    assert browser.run("return document.activeElement.indeterminate")
    browser.press("Space")
    browser.wait(f"{count} === '40 selected'")
    browser.press("Space")
    browser.wait(f"{count} === ''")
    browser.press("j")
    name = "document.querySelector('.a-matches h2').textContent"
    first = browser.run(f"return {name}")
    browser.run("document.querySelector('.a-matches [data-select]').focus()")
    browser.press("Space")
    _audit(world, browser, "selection-one")
    _submit(browser, ".a-selection [value=hide]", "document.querySelector('.toast')?.textContent.includes('Hid 1 channel.')", holding="Shift")
    assert browser.run(f"return {name}") != first
    _audit(world, browser, "selection-toast")
    # The toast undoes it.
    _submit(browser, ".toast button", f"document.querySelector('.toast')?.textContent.includes('Undone') && {name} === {first!r}")
    browser.open("/admin/lineup?name=selection", _title("selection"))
    last = "document.querySelector('#c0 td:nth-child(2)').textContent"
    moved = browser.text("#c3 td:nth-child(2)")
    _tab_to(browser, "#c3 [data-select]")
    browser.press("Space")
    _submit(browser, ".a-selection [value=top]", f"{last} === {moved!r}", holding="Shift")
    _audit(world, browser, "selection-lineup")
    # The toast disappears, and the page still offers to undo.
    browser.wait("document.querySelector('.toast').hidden", timeout=20)
    browser.press("u")
    browser.wait(f"{last} !== {moved!r}")


def _drag(browser, start, end):
    """Drags the middle of the second cell of a row to that of another one."""
    browser.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center', behavior: 'instant'})", end)
    points = []
    for selector in (start, end):
        left, top, width, height = browser.box(f"{selector} td:nth-child(2)")
        points.append((int(left + width / 2), int(top + height / 2)))
    moves = [{"type": "pointerMove", "duration": 0, "x": points[0][0], "y": points[0][1]}, {"type": "pointerDown", "button": 0}]
    moves += [
        {"type": "pointerMove", "duration": 50, "x": points[0][0] + 2 * step, "y": points[0][1] + (points[1][1] - points[0][1]) * step // 5}
        for step in range(1, 6)]
    browser.act({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [*moves, {"type": "pointerUp", "button": 0}]})


def sources_are_ordered_with_keys_buttons_and_dragging(world):
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
    # The focus stays on the moved source.
    browser.wait("document.activeElement.closest('tr')?.dataset.name === arguments[0]", before.split(",")[0])
    _submit(browser, "[data-move=up]", f"{names} === {before!r}")
    _audit(world, browser, "order-overview")
    _drag(browser, "#s0", "#s1")
    browser.wait(f"{names} === arguments[0]", after)


def source_is_uploaded_changed_and_removed(world):
    administered = _Administered(world, "upload")
    browser = administered.browser
    browser.open("/admin/add", _title("Add a guide or a playlist"))
    _tab_to(browser, "[type=file]")
    # The chooser belongs to the system; WebDriver chooses for it.
    element = next(iter(browser.elements("[type=file]")[0].values()))
    browser.post(f"/element/{element}/value", text=str(SAMPLES / "evening.xml"))
    _submit(browser, "form[action='/admin/add/file'] button", _title("Preview"))
    browser.wait("document.querySelector('[name=name]')", timeout=60)
    # An abandoned preview is found again.
    browser.open("/admin/add", _title("Add a guide or a playlist"))
    _audit(world, browser, "upload-waiting")
    _submit(browser, "a[href*='/admin/preview?id=']", _title("Preview"))
    _fill(browser, "[name=name]", "uploaded")
    _submit(browser, "form[action='/admin/preview/accept'] button", _title("uploaded"))
    assert "Added “uploaded”." in browser.text("main")
    _fill(browser, "[name=shift]", "soon")
    _fill(browser, "[name=encoding]", "klingon")
    _submit(browser, "form[action='/admin/source'] button", "document.querySelector('.a-flaw')")
    assert browser.run("return document.querySelector('[name=encoding]').value") == "klingon"
    browser.wait("document.activeElement.name === 'encoding'")
    _audit(world, browser, "upload-invalid")
    _tab_to(browser, ".a-remove summary")
    browser.press("Enter")
    _submit(browser, ".danger", "document.querySelector('[role=status]')?.textContent.includes('Removed “uploaded”.')")


def progress_keeps_the_page_and_the_focus(world):
    feed, service = _Feed(), _NewService(world, "progress")
    try:
        browser = world.browser(service)
        _set_up(world, browser, service, feed, "progress")
        feed.delay = 3
        browser.open("/admin/source?name=evening", _title("evening"))
        _submit(browser, "form[action='/admin/refresh'] button", _title("Refresh"))
        browser.wait("document.querySelector('#progress[data-poll]')")
        browser.run("window.stays = true")
        _tab_to(browser, "form[action='/admin/refresh/cancel'] button")
        _audit(world, browser, "progress-running")
        browser.wait("document.querySelector('#progress:not([data-poll])')", timeout=60)
        assert browser.run("return window.stays") is True, "the page was loaded again"
        assert browser.run("return document.activeElement.matches('main button, main a')"), "the focus is lost"
        assert browser.count("form[action='/admin/refresh/cancel']") == 0
    finally:
        service.close()
        feed.close()


def lineup_is_edited_ordered_and_restored_with_keys_and_dragging(world):
    browser = _Administered(world, "lineup").browser
    saved = "document.querySelector('[role=status]')?.textContent.includes('aved')"
    browser.open("/admin/lineup?name=lineup", _title("lineup"))
    _submit(browser, "button[value=number]", saved)
    numbers = "[...document.querySelectorAll('[data-number]')].slice(0, 3).map((field) => field.value).join()"
    assert browser.run(f"return {numbers}") == "1,2,3"
    # A mistake loses no edit.
    _fill(browser, "[name=groups1]", "Local; Late")
    _fill(browser, "[name=number2]", "three")
    browser.press("Enter")
    browser.wait("document.querySelector('.a-flaw')?.textContent.includes('three') && document.activeElement.name === 'number2'")
    assert browser.run("return document.querySelector('[name=groups1]').value") == "Local; Late"
    _audit(world, browser, "lineup-mistake")
    _fill(browser, "[name=number2]", "30")
    browser.press("Enter")
    browser.wait(saved)
    # Alt and an arrow key move the channel, and the focus goes with it.
    _tab_to(browser, "[name=number0]")
    browser.press("ArrowDown", holding="Alt")
    browser.wait(f"{numbers} === '2,1,30'")
    browser.wait("document.activeElement.closest('tr')?.id === 'c1'")
    browser.press("ArrowDown", holding="Alt")
    browser.wait(f"{numbers} === '2,30,1'")
    _submit(browser, "#c2 [data-move=up]", f"{numbers} === '2,1,30'")
    _audit(world, browser, "lineup-edited")
    _drag(browser, "#c0", "#c2")
    browser.wait(f"{numbers} === '1,30,2'")
    _submit(browser, "button[value=restore]", f"{numbers} === ',,'")
    # Hidden channels.
    _tab_to(browser, "[name=hidden0]")
    browser.press("Space")
    # The table has hundreds of fields.
    _submit(browser, ".primary", saved, holding="Shift")
    assert browser.run("return document.querySelector('[name=hidden0]').checked") is True
    _tab_to(browser, ".a-remove summary", holding="Shift")
    browser.press("Enter")
    _submit(browser, ".danger", _title("Lineups"))


def access_is_changed_with_keys(world):
    administered = _Administered(world, "access")
    browser = administered.browser
    browser.open("/admin/access", _title("Access"))
    _audit(world, browser, "access")
    _fill(browser, "form[action='/admin/access/token'] [name=name]", "player")
    _submit(browser, "form[action='/admin/access/token'] button", "document.querySelector('.a-secret')")
    _audit(world, browser, "access-token")
    browser.open("/admin/access", _title("Access"))
    assert "player" in browser.text("main")
    _submit(browser, "form[action='/admin/access/token/revoke'] button", "document.querySelector('[role=status]')")
    browser.open("/admin/access", _title("Access"))
    assert browser.count("form[action='/admin/access/token/revoke']") == 0
    _submit(browser, ".a-logout button", _title("Log in"))


@long
def settings_file_with_a_mistake_leaves_the_overview_visible(world):
    feed, service = _Feed(), _NewService(world, "mistake")
    try:
        browser = world.browser(service)
        _set_up(world, browser, service, feed, "mistake")
        settings = service.log.parent / ".config/epg/epg.yml"
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text("retention: many\n")
        browser.open("/admin", "document.querySelector('[role=alert]')?.textContent.includes('retention')")
        _audit(world, browser, "mistake-overview")
        assert "evening" in browser.text("main")
    finally:
        service.close()
        feed.close()


def screens_work_without_scripts(world):
    administered = _Administered(world, "plain")
    browser = administered.browser
    browser.scripts(False)
    # The toast has a place on the page, because nothing closes it.
    browser.open("/admin/matching?show=all")
    browser.click("[data-plain]")
    browser.wait("document.querySelectorAll('.a-matches [data-select]:checked').length === 40")
    browser.click(".a-selection [value=accept]")
    browser.wait("document.querySelector('.toast')?.textContent.includes('Mapped')")
    assert browser.run("return getComputedStyle(document.querySelector('.toast')).position") == "static"
    browser.click(".toast button")
    browser.wait("document.querySelector('.toast')?.textContent.includes('Undone')")
    browser.open("/admin/matching?show=all")
    browser.click(".a-suggestion")
    browser.wait("document.querySelector('[role=status]')?.textContent.includes('now shows')")
    browser.click("[data-key=u]")
    browser.wait("document.querySelector('[role=status]')?.textContent.includes('Undone')")
    browser.open("/admin/matching/accept?score=0.5")
    browser.click("main .primary")
    browser.wait("document.querySelector('[role=status]')?.textContent.includes('Mapped')")
    browser.open("/admin/lineup?name=plain")
    first = browser.text("#c0 td:nth-child(2)")
    browser.click("#c1 [data-move=up]")
    browser.wait("document.querySelector('#c1 td:nth-child(2)')?.textContent === arguments[0]", first)
    browser.open("/admin")
    browser.click(".a-head form button")
    browser.wait(_title("Refresh"))
    # The page loads itself again until the refresh has ended.
    browser.wait("document.querySelector('#progress:not([data-poll])')?.textContent.includes('ended')", timeout=60)
    browser.scripts(True)


@long
def screens_have_no_serious_violation_in_any_color_scheme(world):
    administered = _Administered(world, "dark")
    browser = administered.browser
    for scheme, features in (("dark", {"color_scheme": "dark"}), ("contrast", {"contrast": "more"}), ("forced", None)):
        if features:
            browser.prefer(**features)
        else:
            browser.developer("Emulation.setEmulatedMedia", features=[{"name": "forced-colors", "value": "active"}])
        for path, title in (("/admin", "Overview"), ("/admin/matching?show=all", "Channel matching"), ("/admin/access", "Access"),
                            ("/admin/lineup?name=dark", "dark"), ("/admin/settings", "Settings"), ("/admin/profiles", "Profiles"),
                            ("/admin/add", "Add a guide or a playlist")):
            browser.open(path, _title(title))
            _audit(world, browser, f"{scheme}-{title.split()[0].lower()}")
