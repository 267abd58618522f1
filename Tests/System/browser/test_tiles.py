"""The page requests the guide in tiles whose URLs all clients share, and revalidates them after a refresh."""

import re
import time
from urllib.parse import urlsplit

import generated_guide
from guide_page import GuidePage
from local_servers import CachingProxy
from support.report import long

ROWS, SECONDS = 8, 6 * 3600
CANONICAL = re.compile(r"/api/v1/grid\?form=columns&from=(\d+)&rows=(\d+)-(\d+)&stations=1&to=(\d+)")


def _guide(world):
    return "".join(generated_guide.guide(60, 3, world.start))


def _replaced(guide, cell, title):
    """Returns the guide with a new title for the programme of a cell."""
    stamp = time.strftime("%Y%m%d%H%M%S", time.gmtime(cell["start"]))
    pattern = re.compile(rf'(<programme start="{stamp} [^>]*channel="s{cell["row"]}\.example"><title[^>]*>)[^<]*')
    assert pattern.search(guide), f"{cell} is not in the guide"
    return pattern.sub(rf"\g<1>{title}", guide, count=1)


def _airing(page):
    return next(
        cell for cell in page.cells()
        if cell["kind"] == "airing" and cell["width"] > 100 and cell["inView"] and cell["complete"] and cell["start"])


def _tiles_of(cell):
    """Returns the first row and first instant of each tile that contains a cell."""
    slots = range(cell["start"] // SECONDS, (cell["stop"] - 1) // SECONDS + 1)
    return {(cell["row"] // ROWS * ROWS, slot * SECONDS) for slot in slots}


def _tile(path):
    """Returns the first row and first instant of a tile; fails if the URL is not canonical."""
    found = CANONICAL.fullmatch(path)
    assert found, f"{path} is not canonical"
    start, first, last, end = map(int, found.groups())
    assert start % SECONDS == 0 and end == start + SECONDS and first % ROWS == 0 and last == first + ROWS - 1, path
    return first, start


def _statuses(page):
    """Returns the network status of each tile since the last call; 304 for a revalidated one."""
    paths, statuses = {}, {}
    for message in page.log("performance"):
        parameters = message["params"]
        if message["method"] == "Network.requestWillBeSent":
            url = urlsplit(parameters["request"]["url"])
            if url.path == "/api/v1/grid":
                paths[parameters["requestId"]] = f"{url.path}?{url.query}"
        elif message["method"] == "Network.responseReceivedExtraInfo":
            statuses[parameters["requestId"]] = parameters["statusCode"]
    return {path: statuses.get(number) for number, path in paths.items()}


@long
def tiles_have_the_same_urls_for_all_clients(world):
    service = world.service("small")
    for path, size in [("/", (1280, 800)), (f"/?at={world.start + 40_000}&zoom=120&row=37", (900, 1200))]:
        page = GuidePage.on(world, service, size=size)
        page.log("performance")
        page.show(path)
        page.scroll_to_part(0.6, 1)
        tiles = {_tile(path) for path in _statuses(page)}
        assert len(tiles) >= 6, tiles


def unchanged_tiles_are_revalidated_after_a_refresh(world):
    service = world.own_service(_guide(world).encode(), "tiles")
    page = GuidePage.on(world, service)
    # The log has no status of requests that a service worker makes.
    page.developer("Network.setBypassServiceWorker", bypass=True)
    page.show("/")
    cell = _airing(page)
    world.programs.load(_replaced(_guide(world), cell, "Another Title").encode(), service.database)
    page.wait_until(lambda: any("Another Title" in each["text"] for each in page.cells()), "the new title is shown", 15)
    page.log("performance")
    page.reload()
    statuses = _statuses(page)
    revalidated = [path for path, status in statuses.items() if status == 304]
    world.note(f"{len(revalidated)} of {len(statuses)} tiles returned 304")
    assert len(statuses) >= 4 and len(revalidated) == len(statuses), statuses

    # A page that was closed during the refresh has the old tiles in the browser cache.
    page.open("/stations")
    world.programs.load(_replaced(_guide(world), cell, "A Third Title").encode(), service.database)
    page.wait_until(lambda: service.json("/api/v1/changes", since=1)["generation"] == 3, "the third guide is served", 5)
    page.log("performance")
    page.show("/")
    assert any("A Third Title" in each["text"] for each in page.cells()), "the new title is missing"
    statuses = _statuses(page)
    changed = {_tile(path) for path, status in statuses.items() if status != 304}
    assert changed == _tiles_of(cell), f"{statuses}; changed: {cell}"


@long
def cached_tile_of_an_earlier_generation_is_shown_unless_it_changed(world):
    service = world.own_service(_guide(world).encode(), "kept")
    proxy = CachingProxy(service)
    try:
        page = GuidePage.on(world, proxy)
        page.show("/")
        cell = _airing(page)
        page.close()
        world.browsers.remove(page)
        world.programs.load(_replaced(_guide(world), cell, "Quite New").encode(), service.database)
        proxy.grids.clear()
        page = GuidePage.on(world, proxy)
        page.wait_until(lambda: service.json("/api/v1/changes", since=1)["generation"] == 2, "the new guide is served")
        page.show("/")
        assert any("Quite New" in each["text"] for each in page.cells()), "the new title is missing"
        named = [path for path in proxy.grids if "generation=" in path]
        requested = {_tile(path.split("&generation=")[0]) for path in named}
        assert requested == _tiles_of(cell) and len(proxy.grids) > len(named) + 2, proxy.grids
    finally:
        proxy.close()
