"""The accessibility tree for screen readers."""

from guide_page import GuidePage
from support.report import long
from world import EVENING


def _tree(world, scripts=True):
    page = GuidePage.on(world, world.service("sample"))
    if not scripts:
        page.scripts(False)
        page.open(f"/?at={EVENING}")
    else:
        page.show(f"/?at={EVENING}")
    return page, page.accessibility()


def _expect_grid(page, nodes):
    grids = [node for node in nodes if node["role"] in ("grid", "table", "treegrid")]
    assert len(grids) == 1 and grids[0]["name"], f"grids: {grids}"
    rows = [node for node in nodes if node["role"] == "row"]
    assert len(rows) >= 12, f"{len(rows)} rows"
    heads = [node["name"] for node in nodes if node["role"] == "rowheader"]
    for name in ("Harbour One", "江心卫视", "قناة النخلة"):
        assert any(name in head for head in heads), f"no row has the header {name}: {heads}"
    cells = [node for node in nodes if node["role"] == "gridcell" or node["role"] == "cell"]
    assert len(cells) >= 40, f"{len(cells)} cells"
    nameless = [cell for cell in cells if not cell["name"].strip()]
    assert not nameless, f"{len(nameless)} of {len(cells)} cells have no name"


def grid_has_named_rows_and_cells(world):
    page, nodes = _tree(world)
    _expect_grid(page, nodes)


@long
def grid_has_named_rows_and_cells_without_javascript(world):
    page, nodes = _tree(world, scripts=False)
    _expect_grid(page, nodes)


@long
def cell_name_contains_title_and_time(world):
    _, nodes = _tree(world)
    cells = [node["name"] for node in nodes if node["role"] == "gridcell" and "Car Boot Casebook" in node["name"]]
    assert cells, "Car Boot Casebook isn't among the cells"
    assert any(any(time in cell for time in ("19:15", "7:15")) for cell in cells), cells


@long
def rows_have_an_index_and_a_total(world):
    page = GuidePage.on(world, world.service("small"))
    page.show("/")
    grid, rows = page.run("""
        const grid = document.querySelector('[role=grid]');
        return [[grid.ariaRowCount, grid.ariaColCount],
            [...grid.querySelectorAll('[role=row]')].map((row) => row.ariaRowIndex)];""")
    assert int(grid[0]) >= 400, f"the grid reports {grid[0]} rows"
    numbers = [int(row) for row in rows if row]
    assert len(numbers) >= 10 and len(set(numbers)) == len(numbers), f"row numbers {numbers[:20]}"


def rows_are_announced_in_order_regardless_of_document_order(world):
    page = GuidePage.on(world, world.service("small"))
    page.show("/")

    def order():
        return page.run("""
            const rows = document.getElementById('rows');
            const shown = (row) => row && !row.hidden;
            return [(rows.getAttribute('aria-owns') ?? '').split(' ').map((id) => document.getElementById(id)).filter(shown)
                .map((row) => Number(row.ariaRowIndex)), [...rows.children].filter(shown).length];""")

    for down in (0, 0.6, 0.57, 0.2, 1, 0.97):
        page.scroll_to_part(0.5, down)
        page.wait_until(lambda: not page.blanks(), f"the position {down:.0%} of stations is filled")
        page.settle(400)
        page.wait_until(lambda: len(order()[0]) == order()[1], "all rows of the document are announced")
        numbers = order()[0]
        assert len(numbers) >= 10 and numbers == sorted(set(numbers)), f"{down:.0%} down, the row order is {numbers}"


@long
def pages_have_one_heading_and_landmarks(world):
    page = GuidePage.on(world, world.service("sample"))
    for path in [f"/?at={EVENING}", f"/home?at={EVENING}", f"/stations?at={EVENING}", f"/search?q=the&at={EVENING}"]:
        page.open(path)
        nodes = page.accessibility()
        roles = [node["role"] for node in nodes]
        assert roles.count("main") == 1 and "navigation" in roles and "search" in roles, f"{path}: {sorted(set(roles))}"
        headings = [node for node in nodes if node["role"] == "heading" and node.get("level") == 1]
        assert len(headings) == 1 and headings[0]["name"], f"{path}: {headings}"


@long
def screen_reader_focus_is_the_focused_cell(world):
    page = GuidePage.on(world, world.service("sample"))
    page.show(f"/?at={EVENING}")
    page.focus_grid()
    page.press("ArrowDown")
    page.settle()
    focused = [node for node in page.accessibility() if node.get("focused")]
    cell = page.focused()
    # An airing is a link in its cell.
    is_announced = any(cell["title"] in node["name"] and node["role"] in ("gridcell", "link") for node in focused)
    assert is_announced, f"{focused} instead of {cell}"


def buttons_and_fields_have_names(world):
    page = GuidePage.on(world, world.service("sample"))
    page.show(f"/?at={EVENING}")
    nameless = [
        node for node in page.accessibility()
        if node["role"] in ("button", "textbox", "searchbox", "combobox", "checkbox", "link", "image", "listbox", "slider")
        and not node["name"].strip()]
    assert not nameless, nameless
