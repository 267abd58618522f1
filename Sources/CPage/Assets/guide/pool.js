// The rows of the document. They stay as long as there is room for their cells, so that who scrolls back finds them there; what
// lies farthest from sight is written anew for another place.

const pool = {
  /** Rows by place. */
  rows: new Map(),
  /** Rows that show nothing. */
  spare: [],
  /** Cells of the document, and about how many there may be; beyond the last number rows are taken from elsewhere. */
  cells: 0, limit: 1000, mostRows: 160,

  /** The row of a place; `null` where there is none, and no room for one that isn't needed more than those there are. */
  rowAt(place, seen, isNeeded) {
    const there = this.rows.get(place);
    if (there) return there;
    let row = this.spare.pop();
    if (!row && (this.cells >= this.limit || this.rows.size >= this.mostRows)) {
      row = this.farthest(seen, isNeeded ? 0 : this.distance(place, seen) + 1);
      if (!row && !isNeeded) return null;
    }
    row ??= this.make(place);
    row.assign(place, view.row(place));
    this.rows.set(place, row);
    return row;
  },
  make(place) {
    const row = makeRow();
    // As near to its neighbours as can be told: the order in which screen readers read.
    const before = this.rows.get(place - 1), behind = this.rows.get(place + 1);
    if (before) before.element.after(row.element);
    else if (behind) behind.element.before(row.element);
    else byID('rows').append(row.element);
    byID('heads').append(row.head);
    return row;
  },

  /** How far a place is from those in sight, in rows; ahead of the scroll it counts half. */
  distance(place, { first, end }) {
    const away = place >= end ? place - end + 1 : Math.max(0, first - place);
    return motion.lastY > 0 === place >= end ? away / 2 : away;
  },
  /** Takes the row that is farthest from sight, if that is beyond a distance. */
  farthest(seen, beyond) {
    let found = null, most = Math.max(beyond, layout.halfScreen / 2);
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
      this.rows.delete(place);
      this.spare.push(row);
      row.hide();
    }
    for (const row of this.spare.splice(64)) row.remove();
  },
  /** Frees all rows out of sight. */
  dropUnseen({ first, end }) {
    for (const [place, row] of this.rows) {
      if ((place >= first && place < end) || row.row === focus.row) continue;
      this.rows.delete(place);
      this.spare.push(row);
      row.hide();
    }
  },
  writeLogos({ first, end }) {
    const near = layout.halfScreen;
    for (const [place, row] of this.rows) if (place >= first - near && place < end + near) row.writeLogo();
  },

  /** Puts rows into the document in their order; as few as can be are moved, and never the one that has the focus. */
  sort() {
    const container = byID('rows');
    const rows = [...container.children].map(element => element.row).filter(row => this.rows.get(row.place) === row);
    const held = rows.findIndex(row => row.element.contains(document.activeElement));
    const kept = new Set(held < 0 ? longestRun(rows) : [
      ...longestRun(rows.slice(0, held).filter(row => row.place < rows[held].place)), rows[held],
      ...longestRun(rows.slice(held + 1).filter(row => row.place > rows[held].place))]);
    if (kept.size === rows.length) return;
    let behind = null;
    for (const row of [...rows].sort((a, b) => b.place - a.place)) {
      if (!kept.has(row)) container.insertBefore(row.element, behind);
      behind = row.element;
    }
  },
};

/** The longest row of rows whose places ascend. */
function longestRun(rows) {
  const ends = [], before = new Map();
  for (const row of rows) {
    const length = partition(ends, end => end.place >= row.place);
    before.set(row, ends[length - 1]);
    ends[length] = row;
  }
  const run = [];
  for (let row = ends[ends.length - 1]; row; row = before.get(row)) run.push(row);
  return run.reverse();
}

