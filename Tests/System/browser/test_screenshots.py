"""Screenshots for visual review."""

from guide_page import GuidePage
from support.report import long
from test_page_policies import pages
from world import EVENING


def _take(world, service, name, path, size=(1280, 800), scale=1, touch=False, prepare=None, **preferences):
    page = GuidePage.on(world, service, size=size)
    page.resize(*size, scale, touch)
    page.prefer(**preferences)
    page.open(path)
    page.settle(400)
    if prepare:
        prepare(page)
        page.settle(400)
    world.screenshot(page, name)
    page.close()
    world.browsers.remove(page)


@long
def guide_screenshots_are_saved(world):
    service, path = world.service("sample"), f"/?at={EVENING}"
    _take(world, service, "light", path, color_scheme="light")
    _take(world, service, "dark", path, color_scheme="dark")
    _take(world, service, "phone", path, (390, 844), 2, True)
    _take(world, service, "rtl", path + "&dir=rtl")
    _take(world, service, "details", path, prepare=lambda page: page.open_details())
    if world.short:
        return
    _take(world, service, "phone-dark-details", path, (390, 844), 2, True, lambda page: page.open_details(), color_scheme="dark")
    _take(world, service, "search-as-you-type", path, prepare=lambda page: page.search("low"))
    _take(world, service, "television", path, (3840, 2160))
    _take(world, service, "tablet", path, (820, 1180), 2, True)
    _take(world, world.service("small"), "400-stations", "/")
    _take(world, world.service("small"), "400-stations-dark", "/", color_scheme="dark", prepare=lambda page: page.scroll_to_part(0.6, 0.5))


@long
def screenshots_of_other_pages_are_saved(world):
    service = world.service("sample")
    for name, path in pages(service).items():
        if name == "guide":
            continue
        _take(world, service, name, path)
        if not world.short:
            _take(world, service, f"{name}-dark", path, color_scheme="dark")
            _take(world, service, f"{name}-phone", path, (390, 844), 2, True)
    if not world.short:
        _take(world, world.service("small"), "home-400", "/home")
        _take(world, world.service("small"), "stations-400", "/stations")


@long
def screenshot_of_20000_stations_is_saved(world):
    _take(world, world.service("large"), "20000-stations", "/", prepare=lambda page: page.scroll_to_part(0.5, 0.9))
