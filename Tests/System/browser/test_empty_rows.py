"""Rows and gaps without airings."""

import axe
import generated_guide
from guide_page import GuidePage

#: Three stations without programmes, and five with programmes of an hour.
SILENT, STATIONS = 3, 5


def _service(world):
    if "own silent" not in world.services:
        guide = "".join(generated_guide.even(STATIONS, 60, world.start, world.start + 3 * 86_400, SILENT))
        # Stations without programmes at the end, too.
        guide = guide.replace("</tv>", '<channel id="last.example"><display-name>Last</display-name></channel></tv>')
        world.own_service(guide.encode(), "silent")
    return world.services["own silent"]


def _texts(page):
    """Returns the texts of the gaps in sight by row, with their positions beyond the edge."""
    return page.run("""
        const edge = document.getElementById('corner').getBoundingClientRect().right;
        return [...document.querySelectorAll('#guide .cell.gap')].filter((cell) => cell.checkVisibility()).map((cell) => {
            const title = cell.querySelector('b'), range = document.createRange();
            range.selectNodeContents(title);
            return [Number(cell.closest('.row').dataset.row), title.textContent, range.getBoundingClientRect().left - edge];
        })""")


def rows_without_airings_say_so_in_sight(world):
    page = GuidePage.on(world, _service(world))
    page.scripts(False)
    page.open("/")
    for where in ("without scripts", "with scripts", "scrolled"):
        if where == "with scripts":
            page.scripts(True)
            page.show("/")
        elif where == "scrolled":
            page.run(f"{page.SCROLLER}.scrollBy({{left: 2345, behavior: 'instant'}})")
            page.settle(300)
        texts = _texts(page)
        assert [row for row, *_ in texts] == [0, 1, 2, 8], f"{where}: {texts}"
        assert all(text == "No information" and 0 < away < 60 for _, text, away in texts), f"{where}: {texts}"
    world.screenshot(page, "empty-rows")


def rows_without_airings_are_announced_but_not_focused(world):
    page = GuidePage.on(world, _service(world))
    page.show("/")
    cells = [node for node in page.accessibility() if node["role"] == "gridcell" and "No information" in node["name"]]
    assert len(cells) == SILENT + 1 and not any(cell.get("focusable") for cell in cells), cells
    violations = axe.serious(axe.violations(page))
    assert not violations, violations
    page.focus_grid()
    assert page.focused()["row"] == SILENT, page.focused()
    page.press("ArrowUp")
    page.press("Home", holding="Control")
    page.settle()
    assert page.focused()["row"] == SILENT, page.focused()
    page.press("End", holding="Control")
    page.wait_until(lambda: page.focused() and page.focused()["row"] == SILENT + STATIONS - 1, "the focus is on the last station with airings")
    page.press("ArrowDown")
    page.settle()
    assert page.focused()["row"] == SILENT + STATIONS - 1, page.focused()
