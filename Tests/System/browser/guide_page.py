"""The guide page as a user sees it. Only this file and guide_page.js know its element names."""

import datetime
import statistics
import time
from pathlib import Path

from browser import Browser
from support.processes import wait_until

#: Selectors of all cells, and of elements that cover the grid.
CELLS = "#guide .cell"
COVERING = "#guide .cell"

QUERIES = Path(__file__).with_name("guide_page.js").read_text()

#: State that changes while the page is working.
STATE = """
    const guide = document.getElementById('guide');
    return [location.href, document.readyState, document.querySelectorAll('*').length, performance.getEntriesByType('resource').length,
        guide && guide.scrollLeft, guide && guide.scrollTop, scrollY, window.epg && window.epg.tilesPending].join(' ')"""


class GuidePage(Browser):
    SCROLLER = "document.getElementById('guide')"

    @classmethod
    def on(cls, world, service, **settings):
        page = world.browser(service, kind=cls, **settings)
        page.service, page.airings = service, {}
        return page

    # --- Opening and waiting

    def show(self, path="/"):
        """Opens the guide and waits until its script has taken over and the page is idle."""
        self.open(path, wait="document.querySelector('#guide.live') || document.querySelector('.empty')")
        self.settle()

    def settle(self, milliseconds=150):
        """Waits until the page's state has not changed for `milliseconds`."""
        deadline = time.monotonic() + 10
        before, since = None, time.monotonic()
        while time.monotonic() < deadline:
            now = self.run(STATE)
            if now != before:
                before, since = now, time.monotonic()
            elif time.monotonic() - since > milliseconds / 1000:
                return
            time.sleep(0.03)

    def wait_until(self, condition, what, seconds=6):
        wait_until(condition, what, seconds)

    def reload(self):
        self.post("/refresh")
        self.wait("document.querySelector('#guide.live')")
        self.settle()

    # --- Visible contents

    def query(self, expression, *arguments):
        return self.run(f"{QUERIES}\nreturn page.{expression}", *arguments)

    def cells(self):
        return self.query("cells()")

    def rows(self):
        return self.query("rows()")

    def stations(self):
        """Returns the row numbers of all rows of the document."""
        return [row["row"] for row in self.rows()]

    def stations_in_view(self):
        return [row["row"] for row in self.rows() if row["inView"]]

    def station_names(self):
        return [row["name"] for row in self.rows()]

    def grid_area(self):
        area = self.query("area()")
        return area["left"], area["top"], area["right"], area["bottom"]

    def blanks(self):
        return self.query("blanks()")

    def now_line(self):
        """Returns the center of the now-line in the window, or `None` without one."""
        return self.query("nowLine()")

    def part(self, name):
        return self.box({"corner": "#corner", "header": "#hours", "stations": "#guide .head"}[name])

    def scrolled(self):
        return self.run(f"return [{self.SCROLLER}.scrollLeft, {self.SCROLLER}.scrollTop]")

    def measure(self, name):
        """Returns the measured size of a row, an hour, the station column or the header, in points."""
        if name == "hour":
            return round(abs(self._scale()[2]) * 3600, 1)
        return {"row": lambda: self.box("#guide .row")[3], "column": lambda: self.box("#corner")[2],
                "head": lambda: self.box("#corner")[3]}[name]()

    def hours(self):
        """Returns the labels of full hours in the header, with their instants."""
        return [(round(self.time_at(mark["edge"]) / 60) * 60, mark["text"]) for mark in self.query("marks()")]

    # --- Time, measured by cells whose times the API returns

    def starts(self, airing):
        """Returns the start and stop of an airing in seconds, from the API."""
        if airing not in self.airings:
            response = self.service.json(f"/api/v1/airings/{airing}")
            response = response.get("airing", response)
            self.airings[airing] = tuple(
                int(datetime.datetime.fromisoformat(response[key].replace("Z", "+00:00")).timestamp()) for key in ("start", "stop"))
        return self.airings[airing]

    def _sign(self):
        return -1 if self.run(f"return getComputedStyle({self.SCROLLER}).direction === 'rtl'") else 1

    def _scale(self):
        """Returns an instant, its position in the window, and points per second, measured by the airings of the document.

        Medians ignore airings that share a cell and so are not at the position of their times.
        """
        edge = "left" if self._sign() > 0 else "right"
        cells = sorted((cell for cell in self.cells() if cell["kind"] == "airing" and cell["complete"]), key=lambda cell: cell[edge])
        known = [(cell["start"] or self.starts(cell["id"])[0], cell[edge]) for cell in cells[:: max(1, len(cells) // 24)]]
        slopes = [
            (x - other) / (at - before) for at, x in known for before, other in known if at - before >= 900 and x != other]
        assert slopes, "too few cells to measure by"
        slope = statistics.median(slopes)
        first = known[0][0]
        return first, statistics.median(x - (at - first) * slope for at, x in known), slope

    def time_at(self, x):
        """Returns the instant at a position in the window."""
        first, position, slope = self._scale()
        return first + (x - position) / slope

    def time_in_view(self):
        """Returns the first visible instant; from the script if it runs, because the area may have no cells."""
        if instant := self.run("return window.epg && window.epg.isLive && window.epg.firstInstant"):
            return instant
        left, _, right, _ = self.grid_area()
        return self.time_at(left if self._sign() > 0 else right)

    def now(self):
        return int(self.run(f"return {self.SCROLLER}.dataset.now"))

    # --- Scrolling and links

    def scroll_to_part(self, across, down):
        """Jumps to a fraction of the width and height, like dragging the scroll bars."""
        self.run(f"""
            const guide = {self.SCROLLER}, [across, down] = arguments, sign = getComputedStyle(guide).direction === 'rtl' ? -1 : 1;
            guide.scrollTo({{left: sign * across * (guide.scrollWidth - guide.clientWidth),
                top: down * (guide.scrollHeight - guide.clientHeight), behavior: 'instant'}});""", across, down)
        self.settle()

    def scroll_to_time(self, instant):
        """Scrolls an instant to the start of the area."""
        for _ in range(4):
            away = (instant - self.time_in_view()) / 3600 * self.measure("hour") * self._sign()
            if abs(away) < 2:
                break
            self.run(f"{self.SCROLLER}.scrollBy({{left: arguments[0], behavior: 'instant'}})", away)
            self.settle()

    def scroll_to_row(self, row):
        self.run(f"{self.SCROLLER}.scrollTo({{top: arguments[0], behavior: 'instant'}})", row * self.measure("row"))
        self.settle()

    def link(self, text):
        """Returns the center of the first visible link whose text matches, or `None` without one."""
        return self.run("""
            const wanted = new RegExp(arguments[0], 'i');
            const link = [...document.querySelectorAll('a[href]')].find((each) => wanted.test(each.textContent) && each.getClientRects().length);
            if (!link) return null;
            link.scrollIntoView({block: 'nearest', inline: 'nearest'});
            const box = link.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];""", text)

    LINKS = {"later": "^later", "earlier": "^earlier", "more stations": "^stations below|^more stations"}

    def has_link(self, text):
        return self.link(self.LINKS.get(text, text)) is not None

    def follow(self, text):
        point = self.link(self.LINKS.get(text, text))
        assert point, f"the link “{text}” is missing"
        before = self.get("/url")
        self.click_at(*point)
        self.wait_until(lambda: self.get("/url") != before, f"the link “{text}” opens another page")
        self.settle()

    # --- The focus

    def focus_grid(self):
        self.run("document.querySelector('#guide .cell a[tabindex=\"0\"], #guide .cell[tabindex=\"0\"]').focus()")
        self.wait_until(self.focused, "a cell has the focus")

    def focus_airing(self):
        """Focuses the first airing in the focused column, because a station may have no listings then."""
        self.focus_grid()
        while self.focused()["kind"] != "airing":
            before = self.focused()
            self.press("ArrowDown")
            self.wait_for_focus_after(before)

    def focused(self):
        """Returns the focused cell, or `None`."""
        found = [cell for cell in self.cells() if cell["focused"]]
        if not found:
            return None
        return found[0]

    def wait_for_focus_after(self, before, row=None, start=None):
        """Waits until the focus has left `before`, or reached `row` and `start`, and returns the focused cell."""
        def has_moved():
            cell = self.focused()
            if not cell:
                return False
            if before:
                return (cell["row"], cell["start"]) != (before["row"], before["start"])
            return cell["row"] == row and (start is None or cell["start"] == start)

        self.wait_until(has_moved, f"the focus moved on from {before}" if before else f"the focus is in row {row}")
        return self.focused()

    # --- Details

    def has_details(self):
        return self.run("return !!document.querySelector('#panel[open] .title')")

    def details(self):
        """Waits for the details panel and returns its text."""
        self.wait("document.querySelector('#panel[open] .title')?.textContent")
        self.settle()
        return self.text("#panel")

    def details_box(self):
        left, top, width, height = self.box("#panel")
        return left, top, left + width, top + height

    def open_details(self, row=None):
        """Opens the details of the first airing of a row, or of the focused airing."""
        if row is None:
            self.focus_airing()
        else:
            self.run("document.querySelector(`.row[data-row=\"${arguments[0]}\"] .cell:not(.gap) a`).focus({preventScroll: true})", row)
        self.press("Enter")
        return self.details()

    def close_details(self):
        self.press("Escape")
        self.wait_until(lambda: not self.has_details(), "the details are closed")

    # --- Search

    def search(self, text, least=1):
        """Types into the search field and returns the results."""
        self.run("document.getElementById('q').focus(); document.getElementById('q').select()")
        self.press("Backspace")
        self.write(text)
        self.wait_until(lambda: len(self.results()) >= least or self.search_message(), f"there are results for {text!r}")
        self.settle()
        return self.results()

    def results(self):
        return self.run("return [...document.querySelectorAll('#found li:not(.none)')].map((each) => each.textContent)")

    def search_message(self):
        return self.text("#found .none") or ""

    def choose_result(self, text):
        point = self.run("""
            const found = [...document.querySelectorAll('#found li')].find((each) => each.textContent.includes(arguments[0]));
            if (!found) return null;
            found.scrollIntoView({block: 'nearest'});
            const box = found.getBoundingClientRect();
            return [box.x + 20, box.y + box.height / 2];""", text)
        assert point, f"{text!r} isn't among {self.results()}"
        self.click_at(*point)
        self.settle()

    def leave_search(self):
        self.press("Escape")
        self.run("const field = document.getElementById('q'); field.value = ''; field.dispatchEvent(new Event('input', {bubbles: true}))")

    # --- Tools

    BUTTONS = {"now": "#now", "prime time": "#prime", "in": "#zoom-in", "out": "#zoom-out"}

    def press_button(self, name):
        self.click(self.BUTTONS[name])

    def open_sheet(self):
        """Opens the sheet with the controls that a phone's toolbar has no room for."""
        self.click("#more")
        self.wait("document.querySelector('#sheet[open] #rest')")

    def zoom(self, way):
        """Zooms in or out and returns whether that was possible."""
        selector = self.BUTTONS[way]
        if self.run("return document.querySelector(arguments[0]).disabled", selector):
            return False
        self.click(selector)
        self.settle()
        return True

    def choose(self, selector, value):
        """Selects an option of a list."""
        self.run("""
            const list = document.querySelector(arguments[0]);
            list.value = arguments[1];
            list.dispatchEvent(new Event('input', {bubbles: true}));
            list.dispatchEvent(new Event('change', {bubbles: true}));""", selector, value)
        self.settle()

    def days(self):
        return self.run("return [...document.querySelectorAll('#day option')].map((option) => option.value)")

    def choose_day(self, value):
        self.choose("#day", value)

    def choose_category(self, value):
        values = self.run("return [...document.querySelectorAll('#genre option')].map((option) => [option.value, option.textContent])")
        found = [each[0] for each in values if value in " ".join(each).lower()]
        assert found, f"no {value} among {values}"
        self.choose("#genre", found[0])

    def open_settings(self):
        if self.box("#more")[2]:
            self.open_sheet()
        self.click("#settings")

    def choose_setting(self, name, value):
        self.open_settings()
        self.wait("document.querySelector('#options[open]')")
        self.choose(f"#set-{name}", value)
        self.press("Escape")
        self.wait("!document.querySelector('dialog[open]')")

    def favorite(self, name):
        """Clicks a station's star."""
        point = self.run("""
            const row = [...document.querySelectorAll('#guide .head')].find((each) => each.querySelector('.name b')?.textContent === arguments[0]);
            const box = row.querySelector('.star').getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];""", name)
        self.click_at(*point)
        self.settle(60)

    def only_favorites(self):
        self.click("#only-favorites")
        self.settle()

    def hide(self, name):
        """Hides a station through the details of one of its airings."""
        row = next(row["row"] for row in self.rows() if row["name"] == name)
        self.open_details(row)
        self.click("#panel-hide")
        if self.has_details():
            self.press("Escape")
        self.settle()

    def cell_styles(self):
        return self.run("return [...document.querySelectorAll('#guide .cell a')].map((cell) => getComputedStyle(cell).backgroundColor + cell.textContent)")

    def genre_marks(self):
        """Returns the symbols before titles that distinguish genres."""
        return self.run("""
            return [...document.querySelectorAll('#guide .cell b')].map((title) => getComputedStyle(title, '::before').content)
                .filter((content) => content !== 'none' && content !== 'normal')""")
