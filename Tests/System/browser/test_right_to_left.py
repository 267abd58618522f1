"""The right-to-left direction mirrors the guide."""

from guide_page import GuidePage
from support.report import long
from world import EVENING

WIDTH = 1280


def _windows(world, path, scripts):
    """Opens the same page in both directions."""
    service = world.service("sample")
    pages = []
    for direction in ("ltr", "rtl"):
        page = GuidePage.on(world, service)
        if scripts:
            page.show(f"{path}&dir={direction}")
        else:
            page.scripts(False)
            page.open(f"{path}&dir={direction}")
        pages.append(page)
    return pages


def _expect_mirrored(one, other, where):
    ours, theirs = ({cell["key"]: cell for cell in page.cells()} for page in (one, other))
    common = ours.keys() & theirs.keys()
    assert len(common) >= 30, f"{where}: {len(common)} cells in common of {len(ours)} and {len(theirs)}"
    wrong = [
        f"{ours[key]['text'][:30]!r} at {ours[key]['left']}–{ours[key]['right']} and {theirs[key]['left']}–{theirs[key]['right']}"
        for key in common
        if abs(ours[key]["left"] - (WIDTH - theirs[key]["right"])) > 1 or abs(ours[key]["right"] - (WIDTH - theirs[key]["left"])) > 1
        or abs(ours[key]["top"] - theirs[key]["top"]) > 0.5
    ]
    assert not wrong, f"{where}: {len(wrong)} of {len(common)} aren't mirrored: " + "; ".join(wrong[:4])
    assert abs(one.now_line() - (WIDTH - other.now_line())) <= 1, f"{where}: lines at {one.now_line()} and {other.now_line()}"


def cells_are_mirrored_to_the_pixel(world):
    one, other = _windows(world, f"/?at={EVENING}", scripts=True)
    _expect_mirrored(one, other, "initially")
    for page, sign in ((one, 1), (other, -1)):
        page.wheel(640, 400, across=sign * 333, down=120)
        page.settle()
    _expect_mirrored(one, other, "scrolled")


@long
def cells_are_mirrored_without_javascript(world):
    one, other = _windows(world, f"/?at={EVENING}", scripts=False)
    _expect_mirrored(one, other, "without scripts")


@long
def arrow_keys_move_in_their_direction_on_screen(world):
    _, page = _windows(world, f"/?at={EVENING}", scripts=True)
    page.focus_grid()
    before = page.focused()
    page.press("ArrowLeft")
    after = page.wait_for_focus_after(before)
    assert after["start"] >= before["stop"] - 1, f"the left arrow moved from {before} to {after}"


@long
def changing_the_direction_keeps_the_time(world):
    page = GuidePage.on(world, world.service("small"))
    page.show("/")
    page.scroll_to_part(0.5, 0.3)
    for direction in ("rtl", "ltr"):
        time, stations = page.time_in_view(), page.stations_in_view()
        page.choose_setting("dir", direction)
        page.settle(300)
        assert abs(page.time_in_view() - time) < 60, f"{page.time_in_view() - time} s off in {direction}"
        assert page.stations_in_view() == stations, f"{page.stations_in_view()} instead of {stations} in {direction}"
        page.wait_until(lambda: not page.blanks(), f"the guide is filled in {direction}")


@long
def arabic_titles_run_right_to_left_in_a_left_to_right_page(world):
    page = GuidePage.on(world, world.service("sample"))
    page.show(f"/?at={EVENING}")
    page.scroll_to_row(10)
    directions = page.run("""
        return [...document.querySelectorAll('#guide b, #guide small, #guide a')].filter((element) =>
            !element.children.length && !element.closest('.cell.cut') && /^[\\u0600-\\u06ff]/.test(element.textContent.trim()))
            .map((element) => {
                // For lines of a cell, the enclosing text has the direction.
                const cell = element.closest('.cell a');
                if (cell) return getComputedStyle(cell).unicodeBidi;
                const own = element.closest('[dir]');
                return own ? own.getAttribute('dir') : getComputedStyle(element).unicodeBidi;
            })""")
    assert directions, "no Arabic text in view"
    assert all(each in ("auto", "rtl", "plaintext") for each in directions), directions


def times_in_clipped_cells_keep_their_direction(world):
    """Compares the positions of the first and last characters of time ranges in clipped and unclipped cells."""
    found = {}
    for direction in ("ltr", "rtl"):
        page = GuidePage.on(world, world.service("sample"))
        page.show(f"/?at={EVENING}&dir={direction}")
        page.wheel(640, 400, across=60 if direction == "ltr" else -60)
        page.settle(400)
        found[direction] = page.run("""
            return [...document.querySelectorAll('#guide .cell:not(.short):not(.thin):not(.gap) a')].map((link) => {
                const walker = document.createTreeWalker(link, NodeFilter.SHOW_TEXT);
                let text = null;
                while (walker.nextNode()) text = walker.currentNode;
                const at = text.data.search(/\\d\\d:\\d\\d–/);
                if (at < 0) return null;
                const left = (offset) => {
                    const range = document.createRange();
                    range.setStart(text, offset);
                    range.setEnd(text, offset + 1);
                    return range.getBoundingClientRect().left;
                };
                return [link.parentNode.classList.contains('cut'), left(at) < left(at + 10), text.data.trim()];
            }).filter((each) => each)""")
        cut = [each for each in found[direction] if each[0]]
        assert len(cut) >= 4, f"{len(cut)} cells are clipped in {direction}"
        wrong = [each for each in found[direction] if not each[1]]
        assert not wrong, f"in a page from {direction}, times run backwards: {wrong[:3]}"
