"""The pages can be installed, and read offline: the service worker keeps the shell and what was viewed last."""

import json
import time

from guide_page import GuidePage
from support import SAMPLES
from support.processes import Service
from support.report import long
from support.servers import WebServer, send
from support.times import xmltv_time
from test_page_policies import pages
from world import EVENING

#: The names of the caches. Reading a cache opens it, which would create one that a worker is just deleting.
NAMES = "const done = arguments[arguments.length - 1]; caches.keys().then(done);"
CACHES = """
    const done = arguments[arguments.length - 1];
    (async () => {
        const found = {};
        for (const name of await caches.keys()) found[name] = (await (await caches.open(name)).keys()).map((request) => new URL(request.url).pathname);
        return found;
    })().then(done);"""


def _controlled(page, path):
    """Opens a page and waits until the service worker controls it and has stored what it loaded."""
    page.open(path)
    page.wait("navigator.serviceWorker.controller?.state === 'activated'", timeout=20)
    page.settle(400)


def _go_offline(page, service):
    """Ends the service, and puts the window in offline mode."""
    service.close()
    page.developer("Network.enable")
    page.developer("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1)


def _go_online(page):
    page.developer("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)


def _reload(page):
    page.post("/refresh")
    page.wait("document.readyState === 'complete'")
    page.settle(400)


def pages_can_be_installed(world):
    page = GuidePage.on(world, world.service("sample"))
    _controlled(page, f"/?at={EVENING}")
    manifest = page.developer("Page.getAppManifest")
    assert not manifest["errors"], manifest["errors"]
    icons = json.loads(manifest["data"])["icons"]
    for icon in icons:
        status, headers, body = page.service.request(icon["src"])
        assert status == 200 and headers["content-type"] == icon["type"] and "immutable" in headers["cache-control"], (icon, headers)
    errors = page.developer("Page.getInstallabilityErrors")["installabilityErrors"]
    # Windows of tests are private.
    assert [error for error in errors if error["errorId"] != "in-incognito"] == [], errors


def viewed_guide_is_readable_offline(world):
    service = world.own_service(SAMPLES / "evening.xml", "offline")
    page = GuidePage.on(world, service)
    _controlled(page, f"/?at={EVENING}")
    seen = {cell["id"]: cell["text"] for cell in page.cells() if cell["inView"] and cell["kind"] == "airing"}
    airing = next(iter(seen))
    for path in (f"/home?at={EVENING}", f"/airings/{airing}?at={EVENING}"):
        page.open(path)
        page.settle()
    page.console_errors()
    _go_offline(page, service)
    page.open(f"/?at={EVENING}")
    page.wait("document.querySelector('#guide.live')")
    page.settle(400)
    again = {cell["id"]: cell["text"] for cell in page.cells()}
    assert len(seen) > 20 and all(again.get(each) == text for each, text in seen.items()), [
        (text, again.get(each)) for each, text in seen.items() if again.get(each) != text][:4]
    assert page.text("#state").startswith("You are offline. This is the state of "), page.text("#state")
    world.screenshot(page, "offline")
    page.open(f"/home?at={EVENING}")
    page.settle()
    assert page.count("main .v-card") > 5 and page.text("#state").startswith("You are offline."), page.text("#state")
    page.open(f"/airings/{airing}?at={EVENING}")
    page.settle()
    assert page.count("main article") == 1
    page.open(f"/search?q=nothing&at={EVENING}")
    page.settle()
    assert page.text("h1") == "You are offline", page.text("h1")
    violations = [line for line in page.console_errors() if "Content Security Policy" in line]
    assert not violations, violations


def guide_recovers_when_the_service_returns(world):
    service = world.own_service(SAMPLES / "evening.xml", "returns")
    page = GuidePage.on(world, service)
    _controlled(page, f"/?at={EVENING}")
    _go_offline(page, service)
    page.open(f"/?at={EVENING}")
    page.wait("document.querySelector('#guide.live')")
    page.wait("document.getElementById('state')?.textContent.startsWith('You are offline')")
    world.services["own returns again"] = Service(world.programs, service.database, port=service.port)
    _go_online(page)
    page.wait("!document.getElementById('state')?.checkVisibility()", timeout=20)
    page.settle()
    assert not page.blanks()


def never_stored_are_feeds_events_and_administration(world):
    service = world.service("sample")
    page = GuidePage.on(world, service)
    _controlled(page, f"/?at={EVENING}")
    for path in pages(service).values():
        page.open(path)
        page.settle()
    for path in ("/admin", "/admin/sources", "/xmltv.xml", "/playlist.m3u", "/metrics", "/api/v1/events?x", "/api/v1/sources", "/stations/lantern.example.ics",
                 pages(service)["airing"].replace("?", ".m3u?")):
        page.run_async("const done = arguments[1]; fetch(arguments[0]).then((response) => response.text()).finally(done);", path)
    found = page.run_async(CACHES)
    stored = {path for paths in found.values() for path in paths}
    allowed = ("/assets/", "/airings/", "/stations/", "/api/v1/grid", "/api/v1/groups", "/api/v1/stations", "/api/v1/airings/", "/logos/", "/art/")
    # Not /search, with what somebody searched.
    wrong = [path for path in stored if path not in ("/", "/home", "/stations", "/series", "/offline") and not path.startswith(allowed) or path.endswith((".ics", ".m3u"))]
    assert not wrong, wrong
    assert {"/", "/home", "/api/v1/grid"} <= stored, stored
    # The service responded with 404.
    assert "/airings/999999999" not in stored


class _Proxy(WebServer):
    """Forwards requests to a service.

    With `is_updated`, the files of the pages are those of another version; with `is_hanging`, requests wait; with a `failure`, all
    responses have this status.
    """

    def __init__(self, service):
        self.service, self.is_updated, self.is_hanging, self.failure, self.requests = service, False, False, None, []
        super().__init__(self._respond)

    def _respond(self, handler):
        self.requests.append(handler.path)
        while self.is_hanging:
            time.sleep(0.05)
        if self.failure:
            # As Varnish does without a backend.
            send(handler, self.failure, {"Content-Type": "text/html", "Retry-After": "5"}, b"<!DOCTYPE html><title>error</title>")
            return
        if handler.path.startswith("/api/v1/events"):
            send(handler, 204)
            return
        if handler.path.startswith("/admin"):
            # An administration that forgets to forbid storing.
            send(handler, 200, {"Content-Type": "text/html"}, b"<!DOCTYPE html><title>secret</title>")
            return
        response = self.service.request(handler.path.replace("/assets/new", "/assets/"), {"Accept": handler.headers.get("Accept", "*/*")})
        body = response.body
        if self.is_updated and handler.path.split("?")[0] in ("/", "/home", "/offline"):
            body = body.replace(b"</title>", b" (new)</title>").replace(b"/assets/", b"/assets/new")
        if self.is_updated and handler.path == "/service-worker.js":
            body = body.replace(b"const version = '", b"const version = 'new").replace(b"/assets/", b"/assets/new")
        hidden = ("connection", "content-encoding", "content-length", "date", "etag", "transfer-encoding")
        send(handler, response.status, {name: value for name, value in response.headers.items() if name not in hidden}, body)


def update_replaces_the_shell_at_once(world):
    server = _Proxy(world.service("sample"))
    page = GuidePage.on(world, server)
    try:
        _controlled(page, f"/?at={EVENING}")
        page.run_async("const done = arguments[0]; fetch('/admin').then((response) => response.text()).finally(done);")
        old = page.run_async(CACHES)
        assert not any(path.startswith("/admin") for paths in old.values() for path in paths), old
        server.is_updated = True
        # The first load after the update already shows the new page.
        _reload(page)
        assert page.run("return document.title").endswith("(new)"), page.run("return document.title")
        page.wait_until(
            lambda: all("-new" in name for name in page.run_async(NAMES)), "the new version has deleted the caches of the old one", 20)
        assert set(page.run_async(NAMES)).isdisjoint(old)
        # The open page stores again what it shows.
        seen = {cell["id"]: cell["text"] for cell in page.cells() if cell["inView"] and cell["kind"] == "airing"}
        page.wait_until(
            lambda: any("/api/v1/grid" in paths for paths in page.run_async(CACHES).values()), "the new version stores the grid", 20)
        page.settle(400)
        # Offline, the page and its files are those of the new version.
        server.close()
        _reload(page)
        page.wait("document.querySelector('#guide.live')")
        page.settle(400)
        again = {cell["id"]: cell["text"] for cell in page.cells()}
        assert len(seen) > 20 and all(again.get(each) == text for each, text in seen.items()), (len(seen), len(again))
        assert page.run("return document.title").endswith("(new)"), page.run("return document.title")
        assert page.run("return document.documentElement.classList.contains('js')"), "page.js is missing"
    finally:
        server.close()


def _plain_guide():
    """Returns a guide without pictures."""
    stations = "".join(f'<channel id="s{n}"><display-name>Harbour {n}</display-name></channel>' for n in range(3))
    airings = "".join(
        f'<programme start="{xmltv_time(EVENING + hour * 3600)}" stop="{xmltv_time(EVENING + (hour + 1) * 3600)}" channel="s{n}">'
        f"<title>Quay {n} {hour}</title></programme>" for n in range(3) for hour in range(-12, 12))
    return f"<tv>{stations}{airings}</tv>".encode()


def _stored_pages_replace_those_of(world, name, fail, recover):
    """Opens pages before and after `fail`, and waits until they show the service again after `recover`."""
    server = _Proxy(world.own_service(_plain_guide(), name))
    page = GuidePage.on(world, server)
    try:
        _controlled(page, f"/?at={EVENING}")
        page.open(f"/home?at={EVENING}")
        page.settle(400)
        fail(server)
        # What the browser may show without asking.
        page.developer("Network.enable")
        page.developer("Network.clearBrowserCache")
        for path, content in (("/", "#guide .cell"), ("/home", "main .v-card")):
            started = time.monotonic()
            page.open(f"{path}?at={EVENING}", wait=f"document.querySelector('{content}')")
            page.wait("document.getElementById('state')?.textContent.startsWith('You are offline. This is the state of ')", timeout=20)
            world.note(f"{path} after {time.monotonic() - started:.1f} s")
            assert time.monotonic() - started < 20
        recover(server)
        # The network was never away, so the browser sends no event.
        page.wait("!document.getElementById('state')?.checkVisibility() && !document.documentElement.dataset.stored", timeout=30)
        assert page.count("main .v-card") > 0
    finally:
        server.is_hanging = False
        server.close()


@long
def stored_pages_are_shown_while_a_proxy_misses_the_service(world):
    _stored_pages_replace_those_of(
        world, "unavailable", lambda server: setattr(server, "failure", 503), lambda server: setattr(server, "failure", None))


@long
def stored_pages_are_shown_while_the_connection_hangs(world):
    _stored_pages_replace_those_of(
        world, "hanging", lambda server: setattr(server, "is_hanging", True), lambda server: setattr(server, "is_hanging", False))


def pages_are_requested_once(world):
    server = _Proxy(world.service("sample"))
    page = GuidePage.on(world, server)
    try:
        _controlled(page, f"/?at={EVENING}")
        for path in (f"/home?at={EVENING}", f"/grid.svg?at={EVENING}", "/admin?token=once"):
            page.open(path)
            page.settle(400)
            assert server.requests.count(path) == 1, [each for each in server.requests if each == path]
    finally:
        server.close()


@long
def number_of_stored_pages_is_limited(world):
    page = GuidePage.on(world, world.service("sample"))
    _controlled(page, f"/?at={EVENING}")
    page.run_async("""
        const [from, done] = arguments;
        (async () => { for (let n = 0; n < 65; n += 1) await (await fetch(`/home?at=${from + 60 * n}`)).text(); })().then(done);""", EVENING)
    pages = """
        const done = arguments[arguments.length - 1];
        (async () => {
            const name = (await caches.keys()).find((each) => each.startsWith('epg-pages-'));
            return (await (await caches.open(name)).keys()).map((request) => new URL(request.url).search);
        })().then(done);"""
    page.wait_until(lambda: f"?at={EVENING + 60 * 64}" in page.run_async(pages), "the last page is stored")
    page.wait_until(lambda: len(page.run_async(pages)) <= 60, "at most 60 pages are stored")
    stored = page.run_async(pages)
    assert len(stored) == 60 and f"?at={EVENING + 60 * 5}" in stored and f"?at={EVENING + 60 * 4}" not in stored, stored
