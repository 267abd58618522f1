"""Headers of groups of stations, and pictures of what is on now."""

import axe
from guide_page import GuidePage
from local_servers import png
from support.report import long
from test_artwork import _guide, _Pictures, xmltv_time
from world import EVENING

#: evening.m3u by the rows of evening.xml.
RUNS = [
    (0, "General"), (2, "Films"), (3, "News"), (4, "Children"), (5, "Sport"), (6, "Lifestyle"), (7, "Documentary"), (8, "International"),
    (11, "Radio")]

#: The shown part of each header and row, in window coordinates.
PLACES = """
    const boxes = (selector) => [...document.querySelectorAll('#guide ' + selector)].filter((each) => each.checkVisibility())
        .map((each) => [each, each.getBoundingClientRect()]);
    const corner = document.getElementById('corner').getBoundingClientRect(), guide = document.getElementById('guide');
    const place = ([each, box], name) => ({name, row: Number(each.dataset.row), left: box.left, top: box.top, width: box.width, height: box.height,
        line: Number(each.getAttribute('aria-rowindex'))});
    return {
        origin: [guide.getBoundingClientRect().left, guide.getBoundingClientRect().top], scrolled: [Math.abs(guide.scrollLeft), guide.scrollTop],
        size: [guide.clientWidth, guide.clientHeight], corner: [corner.width, corner.height], total: Number(guide.getAttribute('aria-rowcount')),
        content: [guide.scrollWidth, guide.scrollHeight],
        rows: boxes('.row').map((found) => place(found)), headers: boxes('.grouphead').map((found) => place(found, found[0].textContent)),
    }"""


def _page(world, **settings):
    page = GuidePage.on(world, world.service("grouped"), **settings)
    page.show(f"/?at={EVENING}")
    page.choose_setting("groups", "on")
    page.wait("document.querySelector('#guide .grouphead')")
    page.settle()
    return page


def _expect_layout(service, page, rows=None, **parameters):
    """Verifies that rows and headers in sight are where the service's layout has them; returns their number."""
    found = page.run(PLACES)
    hour = page.run("return window.epg.hour")
    is_vertical = parameters.get("orientation") == "vertical"
    column, head = found["corner"][::-1] if is_vertical else found["corner"]
    instant = page.run("return Number(document.getElementById('guide').dataset.origin)")
    (left, top), (width, height) = found["scrolled"], found["size"]
    first = page.run("return window.epg.firstInstant")
    # The layout begins at the first visible instant, so that the response is small.
    offset = 0 if is_vertical else left
    from_hour = int(first // 3600 * 3600) if is_vertical else int(first)
    shift = page.run("return window.epg.x(arguments[0])", from_hour)
    elements = service.json("/api/v1/grid", **{
        "from": from_hour, "hours": 6, "at": EVENING, "rowHeight": 56, "pointsPerHour": hour, "stationWidth": column, "headerHeight": head,
        "groups": 1, "x": left if is_vertical else 0, "y": top - shift if is_vertical else top, "width": width, "height": height,
        **({"rows": rows} if rows else {}), **parameters})["elements"]
    assert instant <= from_hour
    axis, breadth = ("left", "width") if is_vertical else ("top", "height")
    origin = found["origin"][0] - left if is_vertical else found["origin"][1] - top
    key, size = ("x", "width") if is_vertical else ("y", "height")
    headers = {element["label"]: element["frame"] for element in elements if element["kind"] == "groupHeader"}
    stations = {element["row"]: element["frame"] for element in elements if element["kind"] == "station"}
    assert headers and stations, elements[:3]
    for kind, wanted, shown in [
            ("header", headers, {each["name"]: each for each in found["headers"]}), ("row", stations, {each["row"]: each for each in found["rows"]})]:
        for name, frame in wanted.items():
            assert name in shown, f"{kind} {name} is missing among {list(shown)}"
            seen = (shown[name][axis] - origin, shown[name][breadth])
            assert abs(seen[0] - frame[key]) < 0.6 and abs(seen[1] - frame[size]) < 0.6, f"{kind} {name} is at {seen}, by the API at {frame} ({offset})"
    return len(headers) + len(stations)


def headers_and_rows_are_where_the_services_layout_has_them(world):
    service = world.service("grouped")
    page = _page(world)
    compared = 0
    bottom = page.run(f"return {page.SCROLLER}.scrollHeight - {page.SCROLLER}.clientHeight")
    for top in (0, 1, 24, 100, 111, 112, 120, 135, 136, 137, 160, 301, 437, bottom):
        page.run(f"{page.SCROLLER}.scrollTo({{top: arguments[0], behavior: 'instant'}})", top)
        page.settle()
        compared += _expect_layout(service, page)
    world.note(f"{compared} rows and headers compared")
    content = page.run(PLACES)["content"][1]
    # GridRules.md: the hours of 34 points, 12 rows of 56 and 9 headers of 24.
    assert content == 34 + 12 * 56 + 9 * 24, content


def headers_are_rows_for_screen_readers(world):
    page = _page(world)
    found = page.run(PLACES)
    assert found["total"] == 1 + 12 + len(RUNS), found["total"]
    lines = {each["name"]: each["line"] for each in found["headers"]}
    wanted = {name: row + index + 2 for index, (row, name) in enumerate(RUNS)}
    assert lines == {name: wanted[name] for name in lines} and len(lines) >= 7, lines
    for each in found["rows"]:
        assert each["line"] == each["row"] + 2 + sum(row <= each["row"] for row, _ in RUNS), each
    nodes = page.accessibility()
    names = [node["name"] for node in nodes if node["role"] == "rowheader"]
    assert names[:4] == ["General", names[1], names[2], "Films"], names[:6]
    violations = axe.serious(axe.violations(page))
    assert not violations, violations


def setting_survives_a_reload_and_the_first_station_stays(world):
    page = _page(world)
    page.choose_setting("groups", "")
    assert page.count("#guide .grouphead") == 0
    page.scroll_to_row(9)
    assert page.run("return window.epg.firstPlace") == 9 or page.scrolled()[1] < 9 * 56
    first = page.run("return window.epg.firstPlace")
    page.choose_setting("groups", "on")
    assert page.run("return window.epg.firstPlace") == first, first
    page.reload()
    page.wait("document.querySelector('#guide .grouphead')")
    page.settle()
    _expect_layout(world.service("grouped"), page)


def keyboard_never_leaves_the_focus_under_a_header(world):
    page = _page(world, size=(900, 420))
    page.focus_grid()
    for key in ["ArrowDown"] * 11 + ["ArrowUp"] * 11 + ["PageDown", "PageDown", "PageUp"]:
        before = page.focused()
        page.press(key)
        cell = page.wait_for_focus_after(before)
        page.settle(40)
        cell = page.focused()
        header = page.run("""
            const y = document.getElementById('corner').getBoundingClientRect().bottom + 24;
            return [y, document.getElementById('guide').getBoundingClientRect().bottom]""")
        assert header[0] - 0.6 <= cell["top"] and cell["bottom"] <= header[1] + 0.6, f"{key}: {cell} in {header}"


def groups_of_shown_stations_have_headers(world):
    service = world.service("grouped")
    page = _page(world)
    page.choose("#group", "International")
    page.wait_until(lambda: page.stations() == [8, 9, 10], "the group is shown")
    page.settle()
    assert [each["name"] for each in page.run(PLACES)["headers"]] == ["International"]
    _expect_layout(service, page, rows="8-10")
    page.choose("#group", "")
    page.wait_until(lambda: len(page.stations()) > 3, "all stations are shown")
    page.hide(page.station_names()[2])
    page.wait_until(lambda: 2 not in page.stations(), "the station is hidden")
    page.settle()
    assert "Films" not in [each["name"] for each in page.run(PLACES)["headers"]]
    _expect_layout(service, page, rows="0-1,3-11")


def headers_are_columns_if_hours_run_downwards(world):
    service = world.service("grouped")
    page = _page(world)
    page.run("document.getElementById('turn').click()")
    page.wait("window.epg.isVertical")
    page.settle()
    for left in (0, 170, 184, 350, 600):
        page.run(f"{page.SCROLLER}.scrollTo({{left: arguments[0], behavior: 'instant'}})", left)
        page.settle()
        _expect_layout(service, page, orientation="vertical", rowHeight=160)


def guide_without_lineups_has_no_headers(world):
    page = GuidePage.on(world, world.service("sample"))
    page.show(f"/?at={EVENING}")
    page.choose_setting("groups", "on")
    assert page.count("#guide .grouphead") == 0
    assert not page.blanks()


def pictures_of_what_is_on_replace_logos(world):
    pictures = _Pictures()
    pictures.replies["/poster-1.jpg"] = (404, {}, b"", 0)
    service = world.own_service(_guide(pictures.origin, world.start), "thumbnails", "--private-hosts", "127.0.0.1")
    page = GuidePage.on(world, service)
    page.show("/")
    page.requests()
    page.choose_setting("pictures", "on")
    shown = "[...document.querySelectorAll('.head .logo.pictured .now')].filter((image) => image.naturalWidth > 0).map((image) => image.title).sort()"
    try:
        page.wait(f"{shown}.join() === 'Quay 0,Quay 2'", timeout=60)
    except AssertionError as error:
        state = page.run("return [...document.querySelectorAll('.head .logo')].map((logo) => logo.outerHTML)")
        raise AssertionError(f"{error}\nlogos: {state}\nrequests: {page.requests()}\nfetched: {pictures.requests}") from error
    lists = [url for url, _ in page.requests() if "/api/v1/now" in url]
    assert len(lists) == 1 and "rows=0-2" in lists[0], lists
    # Its picture is missing.
    page.wait("document.querySelector('.head[data-row=\"1\"] .logo img.there:not(.now)') && !document.querySelector('.head[data-row=\"1\"] .now')", timeout=30)
    page.reload()
    page.wait(f"{shown}.join() === 'Quay 0,Quay 2'", timeout=30)
    page.choose_setting("pictures", "")
    page.wait("!document.querySelector('.now') && document.querySelectorAll('.head .logo img.there').length === 3")
    pictures.close()


@long
def pictures_are_requested_again_when_the_guide_changes(world):
    pictures = _Pictures()
    pictures.replies["/new.jpg"] = (200, {}, png(320, 180, (20, 120, 40)), 0)
    guide = _guide(pictures.origin, world.start)
    service = world.own_service(guide, "thumbnails-live", "--private-hosts", "127.0.0.1")
    page = GuidePage.on(world, service)
    page.show("/")
    page.choose_setting("pictures", "on")
    page.wait("document.querySelector('.head[data-row=\"0\"] .logo.pictured .now')?.title === 'Quay 0'", timeout=30)
    world.programs.load(guide.replace(b"Quay 0", b"Pier 0").replace(b"poster-0", b"new"), service.database)
    page.wait("document.querySelector('.head[data-row=\"0\"] .logo.pictured .now')?.title === 'Pier 0'", timeout=30)
    pictures.close()


@long
def screenshots_of_groups_are_saved(world):
    for name, size, scale, scheme in [
            ("groups", (1280, 800), 1, "light"), ("groups-dark", (1280, 800), 1, "dark"), ("groups-phone", (390, 844), 2, "light"),
            ("groups-phone-dark", (390, 844), 2, "dark"), ("groups-vertical", (1280, 800), 1, "light")]:
        page = _page(world)
        page.resize(*size, scale, scale > 1)
        page.prefer(color_scheme=scheme)
        if name == "groups-vertical":
            page.run("document.getElementById('turn').click()")
        page.settle(400)
        page.run(f"{page.SCROLLER}.scrollBy({{top: 90, behavior: 'instant'}})")
        page.settle(400)
        world.screenshot(page, name)
    pictures = _Pictures()
    for number in range(3):
        pictures.replies[f"/poster-{number}.jpg"] = (200, {}, png(320, 180, (40 + 60 * number, 120, 160 - 40 * number)), 0)
    page = GuidePage.on(world, world.own_service(_guide(pictures.origin, world.start), "thumbnails-shot", "--private-hosts", "127.0.0.1"))
    page.show("/")
    page.choose_setting("pictures", "on")
    page.wait("document.querySelectorAll('.logo.pictured').length === 3", timeout=30)
    page.settle()
    world.screenshot(page, "thumbnails")
    page.resize(390, 844, 2, True)
    page.settle(400)
    world.screenshot(page, "thumbnails-phone")
    pictures.close()


def stations_in_several_qualities_share_a_row(world):
    names = {"quill": "Quill", "rook": "Rook", "quill-hd": "Quill HD", "rook-hd": "Rook HD", "quill-4k": "Quill 4K"}
    # Rook HD has a programme of its own.
    titles = {id: ["Harbor", "Fog", "Ferry" if id != "rook-hd" else "Regatta"] for id in names}
    guide = "<tv>" + "".join(
        f'<channel id="{id}"><display-name>{name}</display-name></channel>' + "".join(
            f'<programme start="{xmltv_time(world.start + 3600 * hour)}" stop="{xmltv_time(world.start + 3600 * (hour + 1))}" channel="{id}"><title>{title}</title></programme>'
            for hour, title in enumerate(titles[id] * 24)) for id, name in names.items()) + "</tv>"
    page = GuidePage.on(world, world.own_service(guide.encode(), "qualities"))
    page.show("/")
    shown = "[...document.querySelectorAll('#guide .head')].filter((head) => head.checkVisibility()).map((head) => head.dataset.station).sort().join()"
    assert page.run(f"return {shown}") == "quill,quill-4k,quill-hd,rook,rook-hd"
    page.choose_setting("fold", "on")
    page.wait(f"{shown} === 'quill,rook,rook-hd'")
    page.reload()
    page.wait(f"{shown} === 'quill,rook,rook-hd'")
    assert "Quill HD, Quill 4K" in page.open_details(0)
    page.press("Escape")
    # If the shown station is hidden, the next one takes its place.
    page.run("localStorage.setItem('epg.hidden', '[\"quill\"]')")
    page.reload()
    page.wait(f"{shown} === 'quill-hd,rook,rook-hd'")
    page.choose_setting("fold", "")
    page.wait(f"{shown} === 'quill-4k,quill-hd,rook,rook-hd'")
