// The pool of row elements. Rows stay in the document up to a limit of cells, so that scrolling back finds them there. The row
// farthest from sight is reused for another place.

const pool = {
  /** Rows by place. */
  rows: new Map(),
  /** Hidden rows for reuse. */
  spare: [],
  /**
   * Number of cells in the document. From `limit` on, rows are reused instead of created. Beyond `maxCells`, rows out of sight
   * are freed or not drawn.
   */
  cells: 0, limit: 1320, maxCells: 1450, maxRows: 200,
  /** Whether `aria-owns` has the current order of the rows. */
  isSorted: false,

  /** Returns the row of a place, created or reused if needed; `null` if all other rows are at least as important. */
  rowAt(place, seen, isNeeded) {
    const existing = this.rows.get(place);
    if (existing) return existing;
    let row = null;
    if (this.cells >= this.limit || this.rows.size >= this.maxRows) {
      row = this.farthest(seen, isNeeded ? 0 : this.distance(place, seen) + 1);
      if (!row && !isNeeded) return null;
    }
    row ??= this.spare.pop() ?? this.make();
    row.assign(place, view.row(place));
    this.rows.set(place, row);
    this.isSorted = false;
    return row;
  },
  make() {
    const row = makeRow();
    row.element.hidden = row.head.element.hidden = true;
    byID('rows').append(row.element);
    byID('heads').append(row.head.element);
    return row;
  },

  /** The distance of a place from those in sight, in rows. In the scroll direction it counts half. */
  distance(place, { first, end }) {
    const away = place >= end ? place - end + 1 : Math.max(0, first - place);
    return motion.lastY > 0 === place >= end ? away / 2 : away;
  },
  /** Removes and returns the row farthest from sight, if it is beyond a distance. */
  farthest(seen, beyond, least = layout.halfScreen / 2) {
    let found = null, most = Math.max(beyond, least);
    for (const [place, row] of this.rows) {
      const away = this.distance(place, seen);
      if (away === 0 || row.row === focus.row) continue;
      const distance = away + (row.isNear() ? 0 : 1000);
      if (distance > most) [found, most] = [row, distance];
    }
    if (found) this.rows.delete(found.place);
    return found;
  },

  /** Frees rows whose place now belongs to another station. */
  freeReassigned() {
    for (const [place, row] of this.rows) {
      if (place < view.count && row.row === view.row(place)) continue;
      if (row.row === focus.row && focus.isInGrid) focus.isLost = true;
      this.free(row);
    }
    for (const row of this.spare.splice(64)) row.remove();
  },
  free(row) {
    this.rows.delete(row.place);
    this.spare.push(row);
    row.hide();
  },
  /** Frees rows out of sight beyond a distance, the farthest first, to make room for more cells. Returns whether there is room. */
  makeRoom(more, seen, beyond = 0) {
    while (this.cells + more > this.maxCells) {
      const row = this.farthest(seen, beyond, 0);
      if (!row) return false;
      this.free(row);
    }
    return true;
  },
  /** Frees all rows out of sight. */
  dropUnseen({ first, end }) {
    for (const [place, row] of this.rows) {
      if ((place >= first && place < end) || row.row === focus.row) continue;
      this.free(row);
    }
  },
  /** Frees rows whose place scrolled past before they were drawn; they are still at their previous position. */
  dropUndrawn({ first, end }) {
    for (const [place, row] of this.rows) if (!row.isPlaced && (place < first || place >= end)) this.free(row);
  },
  /** Clips texts at the ends of their cells in the rows in sight. Returns whether none is left. */
  clipTexts({ first, end }, deadline) {
    for (let place = first; place < end; place++) {
      if (performance.now() > deadline) return false;
      this.rows.get(place)?.setRagged(false);
    }
    return true;
  },
  writeLogos({ first, end }) {
    const near = layout.halfScreen;
    for (const [place, row] of this.rows) if (place >= first - near && place < end + near) row.writeLogo();
  },

  /** Sets the order of the rows for screen readers. Moving the elements would be slow. */
  sort() {
    if (this.isSorted) return;
    const rows = [...this.rows.values()].filter(row => row.isPlaced).sort((a, b) => a.place - b.place);
    this.isSorted = rows.length === this.rows.size;
    byID('rows').setAttribute('aria-owns', rows.map(row => row.element.id).join(' '));
  },
};
