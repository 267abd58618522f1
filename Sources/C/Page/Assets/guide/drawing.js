// Draws rows: first those in sight, then those that will be soon.

/** Places outward from those in sight: three in the direction of the last scroll for each one in the other direction. */
function* outward({ first, end }, reach) {
  const below = k => end - 1 + k, above = k => first - k;
  const [ahead, behind] = motion.lastY < 0 ? [above, below] : [below, above];
  for (let k = 1; k <= reach; k++) yield* [ahead(3 * k - 2), ahead(3 * k - 1), ahead(3 * k), behind(k)];
}

const drawing = {
  /** Minimum width of a cell in pixels. Shorter airings share a cell. It grows if there would be too many cells. */
  minimumWidth: 10,
  /** Approximate number of cells in sight. */
  inSight: 70,
  /** Revisions of the content of all cells and of each tile's cells, and a number that grows whenever one of these may have changed. */
  revision: 0, tileRevisions: new Map(), changes: 0,
  /** Identifies everything other than the airings that positions and texts of cells depend on. */
  context: '',

  noteTileChange(block, slot) {
    const name = tileNumber(block, slot);
    this.tileRevisions.set(name, (this.tileRevisions.get(name) || 0) + 1);
    this.changes++;
  },
  begin() {
    this.context = `${layout.origin} ${layout.end} ${layout.hour} ${zone.name} ${settings.clock} ${grid.dataset.only} ${document.documentElement.dir} ${layout.isVertical} ${watched.revision}`;
  },
  /** Distance beyond the edges, in pixels, within which rows in sight keep drawn cells. */
  get keep() { return clamp((pool.limit * .6 / Math.max(1, this.inSight) - 1) / 2, 0, 4) * layout.width; },

  /** Draws the rows in sight until the deadline. Returns whether all are drawn. */
  drawSeen(seen, deadline) {
    const rows = [];
    for (let place = seen.first; place < seen.end; place++) rows.push(pool.rowAt(place, seen, true));
    const own = pool.rows.get(view.place(focus.row));
    if (own && !rows.includes(own)) rows.push(own);

    const waiting = this.planSeen(rows);
    const coming = waiting.reduce((sum, row) => sum + Math.max(0, row.list.length - row.count), 0);
    pool.makeRoom(coming, seen);
    let isWhole = true;
    for (const row of waiting) {
      if (performance.now() > deadline) { isWhole = false; break; }
      row.fill();
    }
    focus.regain();
    return isWhole;
  },
  /** Plans the rows in sight that need drawing, and returns them. Short airings share cells if there would be too many cells. */
  planSeen(rows) {
    // While the guide scrolls along time, draws ahead of the edge, so that scrolling does not wait for the script.
    const { left, dx, speedX } = motion, right = left + layout.width, { keep } = this;
    const lead = Math.min(layout.width * 1.5, Math.max(240, speedX * 30)), reserve = Math.min(lead / 2, speedX * 8);
    const window = (row, by) => this.readyPart(row.place, left - (dx < 0 ? by : 0), right + (dx > 0 ? by : 0));
    let stale = rows.filter(row => !row.shows(...window(row, reserve)));
    for (let attempt = 0; attempt < 9; attempt++) {
      if (attempt) stale = rows;
      for (const row of stale) row.plan(...row.window(...window(row, lead), attempt ? 0 : keep));
      let count = 0;
      this.inSight = 0;
      for (const row of rows) {
        count += row.list.length;
        this.inSight += row.list.length * Math.min(1, layout.width / Math.max(1, row.to - row.from));
      }
      if (count <= pool.limit) break;
      if (attempt) this.setMinimumWidth(this.minimumWidth * 2);
    }
    if (stale.length && this.inSight < pool.limit / 3 && this.minimumWidth > 10 && this.countAt(this.minimumWidth / 2, rows) <= pool.limit) {
      this.setMinimumWidth(this.minimumWidth / 2);
      renderer.schedule();
    }
    return stale;
  },
  setMinimumWidth(width) {
    this.minimumWidth = width;
    this.changes++;
  },
  /** The number of cells that rows would have with another minimum width, computed without drawing. */
  countAt(width, rows) {
    return rows.reduce((sum, { row, list }) => sum + mergeShort(list.flatMap(cell => cell.members ?? cell), width, row).length, 0);
  },

  /** While the guide scrolls: keeps half a screen of rows drawn ahead, in batches. */
  drawAhead(seen) {
    const { dy, speedY, left } = motion, by = Math.sign(dy), right = left + layout.width;
    if (!dy) return;
    const isIn = place => place >= 0 && place < view.count;
    const margin = layout.halfScreen + Math.ceil(speedY * 4 / layout.rowHeight);
    let place = dy > 0 ? seen.end : seen.first - 1;
    for (let there = 0; isIn(place) && pool.rows.get(place)?.shows(left, right); there++, place += by) if (there >= margin) return;
    const batch = clamp(Math.ceil((speedY * 16) / layout.rowHeight), 4, 24);
    for (let drawn = 0; drawn < batch && isIn(place); place += by) {
      if (pool.rows.get(place)?.shows(left, right)) continue;
      // A row that is drawn before its tiles arrive would be drawn again.
      if (!this.isReady(place, left, right) || !this.drawOne(place, seen, left, right)) break;
      drawn++;
    }
  },

  /**
   * After the scroll ends: extends the rows in sight and draws rows around them in small steps, up to the limit of cells.
   * Returns whether nothing is left to draw.
   */
  drawAround(seen) {
    const deadline = performance.now() + 3;
    return pool.clipTexts(seen, deadline) && this.widen(seen, 120, 360, deadline) && this.prepare(seen, layout.halfScreen, deadline)
      && this.widen(seen, layout.width / 2, layout.width, deadline) && this.prepare(seen, 60, deadline);
  },
  /** Extends rows in sight to `by` pixels beyond the edges if they do not reach `least` pixels beyond them. */
  widen({ first, end }, least, by, deadline) {
    const { left } = motion, right = left + layout.width;
    for (let place = first; place < end; place++) {
      const row = pool.rows.get(place);
      if (!row || row.shows(left - least, right + least) || pool.cells > pool.limit * .8) continue;
      if (performance.now() > deadline) return false;
      row.plan(...row.window(left - by, right + by, this.keep));
      row.fill();
    }
    return true;
  },
  /** Draws rows out of sight. */
  prepare(seen, reach, deadline) {
    const { left } = motion, right = left + layout.width;
    for (const place of outward(seen, reach)) {
      if (place < 0 || place >= view.count || !this.isReady(place, left, right)) continue;
      const row = pool.rows.get(place);
      if (row?.shows(left, right)) { row.placeText(left); continue; }
      if (performance.now() > deadline) return false;
      if (!this.drawOne(place, seen, left - 120, right + 120)) return true;
    }
    return true;
  },
  /** The range to draw: the part in sight, and beyond it only the part whose tiles are loaded. Other parts would be drawn again. */
  readyPart(place, from, to) {
    const { left } = motion, right = left + layout.width, block = Math.floor(place / tileRows);
    const isReady = slot => tiles.ready.has(tiles.key(block, slot)), edge = slot => layout.x(layout.origin + slot * tileSeconds);
    const [first, last] = slotsBetween(left, right);
    if (from < left) {
      let slot = first;
      while (edge(slot) > from && isReady(slot - 1)) slot--;
      from = Math.min(left, Math.max(from, edge(slot)));
    }
    if (to > right) {
      let slot = last;
      while (edge(slot + 1) < to && isReady(slot + 1)) slot++;
      to = Math.max(right, Math.min(to, edge(slot + 1)));
    }
    return [from, to];
  },
  isReady(place, left, right) {
    const block = Math.floor(place / tileRows), [first, last] = slotsBetween(left, right);
    for (let slot = first; slot <= last; slot++) if (!tiles.ready.has(tiles.key(block, slot))) return false;
    return true;
  },
  /** Draws a row out of sight, within the limit of cells. Returns whether it did. */
  drawOne(place, seen, from, to) {
    const row = pool.rowAt(place, seen, false);
    if (!row) return false;
    row.plan(...row.window(from, to, 0));
    // The row may have many more cells than the row whose elements it reuses.
    if (!pool.makeRoom(row.list.length - row.count, seen, pool.distance(place, seen) + 1)) {
      pool.free(row);
      return false;
    }
    row.fill();
    row.placeText(motion.left);
    return true;
  },
};

