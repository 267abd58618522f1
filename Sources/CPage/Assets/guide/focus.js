// The focus: one cell of the grid can be tabbed to, arrows move from there (WAI-ARIA, grid pattern). It is anchored in time:
// up and down lead to what is on at the same instant, as in the service's own navigator.

const focus = {
  /** The guide's row, the cell, and the instant that up and down hold on to. */
  row: -1, cell: null, anchor: 0,
  /** Whether the cell that had the focus was replaced by another one, or went with its row. */
  isLost: false,
  steps: Promise.resolve(),

  isOn(row, cell) { return row === this.row && this.cell !== null && isSame(cell, this.cell); },
  /** What of the focus a row depends on. */
  key(row) { return row === this.row && this.cell ? keyOf(this.cell) : ''; },
  get isInGrid() { return grid.contains(document.activeElement); },
  /** The cell in the document. */
  get drawn() {
    const cells = pool.rows.get(view.place(this.row))?.cells.values() ?? [];
    return [...cells].find(cell => this.isOn(this.row, cell.facts));
  },

  /** Gives the focus back to its cell, where that stands in the document again. */
  regain() {
    if (!this.isLost) return;
    // Nobody takes it from where it was put meanwhile.
    const isFree = this.isInGrid || document.activeElement === document.body, { drawn } = this;
    if (isFree && !drawn) return;
    this.isLost = false;
    if (isFree) drawn.target.focus({ preventScroll: true });
  },
  /** While the keyboard is elsewhere, the cell to tab to is one in sight; where it went with its row, one near by takes it. */
  settle() {
    if (this.isInGrid || !renderer.isDrawing) return;
    const first = layout.firstInstant(), last = layout.instant(layout.left() + layout.width), now = clock.now();
    const isLost = this.isLost && document.activeElement === document.body;
    const top = Math.ceil((grid.scrollTop - 1) / layout.rowHeight), bottom = layout.places(grid.scrollTop).end - 1;
    const place = isLost && view.rows ? clamp(partition(view.rows, row => row >= this.row), top, Math.max(top, bottom)) : top;
    const anchor = now >= first && now < last ? now : first + 60;
    const cell = cellsOf(place, anchor, anchor + 1)[0];
    if (!cell) return;
    this.isLost = false;
    if (isLost || !this.isOn(view.row(place), cell)) this.set(view.row(place), cell, anchor, isLost);
  },

  /** Makes a cell the one that has the focus. */
  set(row, cell, anchor, isTaken = true) {
    [this.row, this.cell, this.anchor] = [row, cell, anchor];
    drawing.changes++;
    renderer.schedule();
    if (!isTaken) return;
    renderer.frameNow();
    this.drawn?.target.focus({ preventScroll: true });
  },

  /** Goes to what is on at an instant in a row, and scrolls as little as needed. */
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
    // What is far away comes into the midst of others.
    const isFar = scroll === 'quarter' && Math.abs(place - layout.firstPlace()) > visible * 2;
    if (isFar) layout.scrollTo({ place: Math.max(0, place - Math.floor(visible / 3)) });
    this.revealRow(place);
  },
  /** Brings all of a row in sight, with the least scrolling (GuideLayout.contentOffset(showingRow:in:)). */
  revealRow(place) {
    const { rowHeight, height } = layout, top = grid.scrollTop, y = place * rowHeight;
    const to = Math.min(y, Math.max(top, y + rowHeight - height));
    if (to !== top) layout.scrollTo({ place: to / rowHeight });
  },

  /** To another row, where the same instant holds; at the first and the last row there is none (GuideNavigator). */
  async across(place) {
    place = clamp(place, 0, view.count - 1);
    if (place !== view.place(this.row)) return this.go(place, this.anchor);
    this.revealRow(place);
    return null;
  },

  /**
   * Later or earlier: the next cell, if an hour of scrolling brings it in sight; else the long airing scrolls by an hour. As
   * GuideNavigator does.
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
    // The instant of a cell and of what is seen then that is nearest to one.
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

  /** What a key does; null where it does nothing here. */
  action(event) {
    const place = view.place(this.row), isRTL = document.documentElement.dir === 'rtl';
    const seen = layout.places(grid.scrollTop), screen = Math.max(1, seen.end - seen.first - 1);
    const isControl = event.ctrlKey || event.metaKey;
    if (event.altKey) return null;
    switch (event.key) {
      case 'ArrowRight': return isControl ? null : () => this.step(!isRTL);
      case 'ArrowLeft': return isControl ? null : () => this.step(isRTL);
      case 'ArrowDown': return isControl ? null : () => this.across(place + 1);
      case 'ArrowUp': return isControl ? null : () => this.across(place - 1);
      case 'PageDown': return () => this.across(place + screen);
      case 'PageUp': return () => this.across(place - screen);
      case 'Home': return () => this.go(isControl ? 0 : place, layout.origin);
      case 'End': return () => this.go(isControl ? view.count - 1 : place, layout.end - 1);
      case 'Enter': case ' ': return () => panel.open(this.cell, this.row);
    }
    return null;
  },
};

