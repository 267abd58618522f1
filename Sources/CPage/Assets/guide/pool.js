// The rows of the document. They stay as long as there is room for their cells, so that who scrolls back finds them there; what
// lies farthest from sight is written anew for another place.

const pool = {
  /** Rows by place. */
  rows: new Map(),
  /** Rows that show nothing. */
  spare: [],
  /**
   * Cells of the document. From `limit` on rows are taken from elsewhere; beyond `most` those out of sight are given up, or not
   * drawn.
   */
  cells: 0, limit: 1320, most: 1450, mostRows: 200,
  /** Whether the order of the rows has been told as it is. */
  isSorted: false,

  /** The row of a place; `null` where there is none, and no room for one that isn't needed more than those there are. */
  rowAt(place, seen, isNeeded) {
    const there = this.rows.get(place);
    if (there) return there;
    let row = null;
    if (this.cells >= this.limit || this.rows.size >= this.mostRows) {
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

  /** How far a place is from those in sight, in rows; ahead of the scroll it counts half. */
  distance(place, { first, end }) {
    const away = place >= end ? place - end + 1 : Math.max(0, first - place);
    return motion.lastY > 0 === place >= end ? away / 2 : away;
  },
  /** Takes the row that is farthest from sight, if that is beyond a distance. */
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

  /** Frees rows that show another station than is meant. */
  giveUp() {
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
  /** Frees rows out of sight beyond a distance, the farthest first, until there is room for more cells; gives whether there is. */
  makeRoom(more, seen, beyond = 0) {
    while (this.cells + more > this.most) {
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
  /** Frees rows that were meant for places which went by before they were drawn: they stand elsewhere still. */
  dropUndrawn({ first, end }) {
    for (const [place, row] of this.rows) if (!row.isPlaced && (place < first || place >= end)) this.free(row);
  },
  /** Cuts texts at the ends of their cells in rows that are read; gives whether none is left. */
  neaten({ first, end }, deadline) {
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

  /** Tells who reads the screen in which order rows stand: to move them would take long. */
  sort() {
    if (this.isSorted) return;
    const rows = [...this.rows.values()].filter(row => row.isPlaced).sort((a, b) => a.place - b.place);
    this.isSorted = rows.length === this.rows.size;
    byID('rows').setAttribute('aria-owns', rows.map(row => row.element.id).join(' '));
  },
};
