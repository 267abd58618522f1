"""The grid on paper, and the locked airings of a parental limit."""

from guide_page import GuidePage
from support.times import xmltv_time
from world import EVENING


def grid_is_printed_as_a_table(world):
    service = world.service("sample")
    page = GuidePage.on(world, service)
    page.show(f"/?at={EVENING}")
    # The script loads when the page is idle.
    page.wait("performance.getEntriesByType('resource').some((entry) => entry.name.endsWith('/print.js'))", timeout=20)
    page.settle()
    page.wait("(dispatchEvent(new Event('beforeprint')), document.getElementById('print'))")
    page.developer("Emulation.setEmulatedMedia", media="print")
    table = page.run("""
        const table = document.getElementById('print');
        const shown = (element) => Boolean(element?.checkVisibility());
        return {
            rows: [...table.tBodies[0].rows].map((row) => [row.cells[0].textContent.trim(), [...row.cells].slice(1).reduce((sum, cell) => sum + cell.colSpan, 0)]),
            columns: table.querySelectorAll('col')[1].span, head: [...table.tHead.rows[0].cells].slice(1).map((cell) => [cell.textContent, cell.colSpan]),
            grid: shown(document.getElementById('guide')), tools: shown(document.getElementById('tools')), table: shown(table),
            titles: [...table.querySelectorAll('tbody b')].map((title) => title.textContent),
            from: document.querySelector('#print caption').textContent}""")
    page.developer("Emulation.setEmulatedMedia", media="")
    assert table["table"] and not table["grid"] and not table["tools"], table
    assert len(table["rows"]) >= 8, table["rows"]
    # A column is five minutes wide, and an hour's header spans its twelve columns.
    assert sum(span for _, span in table["head"]) == table["columns"]
    assert all(span == 12 for _, span in table["head"][1:-1]), table["head"]
    assert all(span <= table["columns"] for _, span in table["rows"]), table["rows"]
    named = {airing["title"] for station in service.json("/api/v1/now", at=EVENING)["stations"] for airing in station["now"]}
    assert named & set(table["titles"]), (named, table["titles"])
    page.run("dispatchEvent(new Event('afterprint'))")
    assert page.run("return document.getElementById('print')") is None


def locked_neighbors_share_a_cell(world):
    start = world.start
    rating = "<rating system='FSK'><value>{}</value></rating>"
    hours = "".join(
        f'<programme start="{xmltv_time(start + hour * 3600)}" stop="{xmltv_time(start + (hour + 1) * 3600)}" channel="one">'
        f"<title>Pier {hour}</title>{rating.format(16 if hour % 6 < 4 else 0)}</programme>"
        for hour in range(72))
    service = world.own_service(f"<tv><channel id='one'><display-name>One</display-name></channel>{hours}</tv>".encode(), "locked")
    at = start + 24 * 3600 + 2 * 3600
    page = GuidePage.on(world, service)
    cells = """[...document.querySelectorAll('.row .cell.locked')].map((cell) => cell.getBoundingClientRect()).map(({left, width}) => [Math.round(left), Math.round(width)])"""
    page.scripts(False)
    page.open(f"/?at={at}&lockAge=12")
    page.scripts(True)
    first = page.run(f"return {cells}")
    # Four hours are locked, then two are not; an hour has 240 points.
    assert any(abs(width - 960) <= 2 for _, width in first), first
    page.show(f"/?at={at}&lockAge=12")
    after = page.run(f"return {cells}")
    hour = page.run("return window.epg.hour")
    assert any(abs(width - 4 * hour) <= 2 for _, width in after), after
    page.focus_grid()
    before = page.focused()
    page.press("ArrowRight")
    cell = page.wait_for_focus_after(before)
    assert "Locked" in cell["text"] or "Pier" in cell["text"], cell
    titles = page.run("return [...document.querySelectorAll('.row .cell')].map((cell) => cell.textContent)")
    assert not any("Locked" in one and "Locked" in other for one, other in zip(titles, titles[1:])), titles
    world.screenshot(page, "locked-neighbors")
