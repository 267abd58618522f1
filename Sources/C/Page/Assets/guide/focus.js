// The focus: one cell of the grid is in the tab order, and arrow keys move from there (WAI-ARIA grid pattern). The focus has an
// anchor in time: up and down move to the cell at the same instant, as in GuideNavigator.

const focus = {
  /** The guide's row, the cell, and the instant that up and down keep. */
  row: -1, cell: null, anchor: 0,
  /** Whether the focused cell was replaced or removed with its row. */
  isLost: false,
  steps: Promise.resolve(),

  isOn(row, cell) { return row === this.row && this.cell !== null && isSame(cell, this.cell); },
  /** The key of the focused cell if it is in the row. */
  key(row) { return row === this.row && this.cell ? keyOf(this.cell) : ''; },
  get isInGrid() { return grid.contains(document.activeElement); },
  /** The cell in the document. */
  get drawn() {
    const cells = pool.rows.get(view.place(this.row))?.cells.values() ?? [];
    return [...cells].find(cell => this.isOn(this.row, cell.facts));
  },

  /** Returns the focus to its cell once the cell is in the document again. */
  regain() {
    if (!this.isLost) return;
    // Does not take the focus from an element that received it meanwhile.
    const isFree = this.isInGrid || document.activeElement === document.body, { drawn } = this;
    if (isFree && !drawn) return;
    this.isLost = false;
    if (isFree) drawn.target.focus({ preventScroll: true });
  },
  /** While the focus is outside the grid, puts a visible cell in the tab order. If the focused row is gone, focuses a cell nearby. */
  settle() {
    if (this.isInGrid || !renderer.isDrawing) return;
    const first = layout.firstInstant(), last = layout.instant(layout.left() + layout.width), now = clock.now();
    const isLost = this.isLost && document.activeElement === document.body;
    const top = Math.ceil((layout.top() - 1) / layout.rowHeight), bottom = layout.places(layout.top()).end - 1;
    const place = isLost && view.rows ? clamp(partition(view.rows, row => row >= this.row), top, Math.max(top, bottom)) : top;
    const anchor = now >= first && now < last ? now : first + 60;
    const cell = cellsOf(place, anchor, anchor + 1)[0];
    if (!cell) return;
    this.isLost = false;
    if (isLost || !this.isOn(view.row(place), cell)) this.set(view.row(place), cell, anchor, isLost);
  },

  /** Makes a cell the current one, and focuses its element if `isTaken`. */
  set(row, cell, anchor, isTaken = true) {
    [this.row, this.cell, this.anchor] = [row, cell, anchor];
    drawing.changes++;
    renderer.schedule();
    if (!isTaken) return;
    renderer.frameNow();
    this.drawn?.target.focus({ preventScroll: true });
  },

  /** Moves to the cell of a row at an instant, with as little scrolling as possible. */
  async go(place, instant, { scroll = 'nearest', isTaken = true } = {}) {
    place = clamp(place, 0, view.count - 1);
    instant = clamp(instant, layout.origin, layout.end - 1);
    const version = view.version;
    await tiles.need(place, instant);
    if (version !== view.version) return null;
    const cell = wholeCell(place, cellsOf(place, instant, instant + 1)[0]);
    if (!cell) return null;
    this.reveal(place, instant, cell, scroll);
    this.set(view.row(place), cell, instant, isTaken);
    return cell;
  },
  reveal(place, instant, cell, scroll) {
    const { start, end } = layout.visibleTime(), visible = Math.max(1, Math.floor(layout.height / layout.rowHeight));
    const isSeen = scroll === 'quarter' ? instant >= start && instant < end : cell.s < end && cell.e > start;
    if (!isSeen) layout.scrollTo({ instant: scroll === 'quarter' ? instant - Math.floor((end - start) / 4) : instant });
    // A distant row goes a third of the screen below the top.
    const isFar = scroll === 'quarter' && Math.abs(place - layout.firstPlace()) > visible * 2;
    if (isFar) layout.scrollTo({ place: Math.max(0, place - Math.floor(visible / 3)) });
    this.revealRow(place);
  },
  /** Scrolls as little as possible to show the complete row (GuideLayout.contentOffset(showingRow:in:)). */
  revealRow(place) {
    const { rowHeight, height } = layout, top = layout.top(), y = place * rowHeight;
    const to = Math.min(y, Math.max(top, y + rowHeight - height));
    if (to !== top) layout.scrollTo({ place: to / rowHeight });
  },

  /** Moves to another row at the same instant; does nothing beyond the first and the last row (GuideNavigator). */
  async across(place) {
    place = clamp(place, 0, view.count - 1);
    if (place !== view.place(this.row)) return this.go(place, this.anchor);
    this.revealRow(place);
    return null;
  },

  /**
   * Moves to the next or previous cell if an hour of scrolling brings it into view; otherwise scrolls the long airing by an
   * hour. Matches GuideNavigator.
   */
  async step(isLater) {
    const place = view.place(this.row), cell = within(wholeCell(place, this.cell));
    const { start, end } = layout.visibleTime(), limit = Math.min(3600, Math.max(1, end - start));
    const edge = isLater ? cell.e : cell.s - 1;
    let next = null;
    if (edge >= layout.origin && edge < layout.end) {
      await tiles.need(place, edge);
      next = within(wholeCell(place, cellsOf(place, edge, edge + 1)[0]));
    }
    const by = seconds => { if (seconds) layout.scrollTo({ x: Math.round(layout.left() + seconds * layout.hour / 3600) }); };
    // The instant nearest to `wanted` that is in the cell and, if possible, in sight.
    const anchored = (wanted, { s, e }) => {
      const { start: first, end: last } = layout.visibleTime();
      return s < last && e > first ? clamp(wanted, Math.max(s, first), Math.min(e, last) - 1) : clamp(wanted, s, e - 1);
    };
    if (next && (isLater ? next.s < end + limit : next.e > start - limit)) {
      const isAway = isLater ? next.s < start : next.s >= end;
      if (isAway) layout.scrollTo({ instant: next.s });
      else if (isLater) by(Math.min(limit, next.s - start, Math.max(0, next.e - end)));
      else by(-Math.min(limit, Math.max(0, start - next.s), Math.max(0, end - next.e)));
      this.revealRow(place);
      return this.set(this.row, next, isAway ? next.s : anchored(next.s, next));
    }
    const rest = Math.min(limit, Math.max(0, isLater ? cell.e - end : start - cell.s));
    by(isLater ? rest : -rest);
    this.revealRow(place);
    this.anchor = anchored(this.anchor + (isLater ? rest : -rest), cell);
    renderer.schedule();
  },

  /** Moves by the visible time, less half an hour. */
  turnPage(direction) {
    const { start, end } = layout.visibleTime(), seconds = direction * Math.max(1800, end - start - 1800);
    layout.scrollTo({ instant: clamp(start + seconds, layout.origin, layout.end) });
    return this.go(view.place(this.row), this.anchor + seconds);
  },

  /** Returns the action of a key, or null if it has none. */
  action(event) {
    const place = view.place(this.row), isRTL = document.documentElement.dir === 'rtl';
    const seen = layout.places(layout.top()), screen = Math.max(1, seen.end - seen.first - 1);
    const isControl = event.ctrlKey || event.metaKey;
    if (event.altKey) return null;
    // GuideLayout.move(for:).
    const [left, right] = isRTL ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight'];
    const [earlier, later, previous, next] = layout.isVertical ? ['ArrowUp', 'ArrowDown', left, right] : [left, right, 'ArrowUp', 'ArrowDown'];
    const turn = direction => () => (layout.isVertical ? this.turnPage(direction) : this.across(place + direction * screen));
    switch (event.key) {
      case later: return isControl ? null : () => this.step(true);
      case earlier: return isControl ? null : () => this.step(false);
      case next: return isControl ? null : () => this.across(place + 1);
      case previous: return isControl ? null : () => this.across(place - 1);
      case 'PageDown': return turn(1);
      case 'PageUp': return turn(-1);
      case 'Home': return () => this.go(isControl ? 0 : place, layout.origin);
      case 'End': return () => this.go(isControl ? view.count - 1 : place, layout.end - 1);
      case 'Enter': case ' ': return () => dialogs.openAiring(this.cell, this.row);
    }
    return null;
  },
};

