// A row of the document, and the cells it shows in a range of pixels.

class Row {
  constructor(element, head, container) {
    [this.element, this.head, this.container] = [element, head, container];
    this.cells = new Map();
    this.list = [];
    /** Cells of the row's previous station in document order; they are reused in place. */
    this.free = [];
    /** The drawn range in pixels. */
    this.from = this.to = 0;
    /** Start and end of the row's box in pixels. It contains all cells, and is small enough to be painted once. */
    this.base = this.edge = 0;
    this.drawnKey = '';
    this.checked = -1;
    this.isCurrent = false;
    this.cut = null;
    this.cutAt = -1;
    this.place = this.row = -1;
  }

  /** Assigns the row to a place. */
  assign(place, row) {
    if (this.row !== row) this.release();
    [this.place, this.row] = [place, row];
    this.head.known = null;
    this.isPlaced = false;
    this.setRagged(document.documentElement.dir !== 'rtl' && !layout.isVertical);
    this.invalidate();
  }
  /** Sets whether texts may extend below the next cells. Clipping takes time, so it waits until the scroll ends. */
  setRagged(isRagged) {
    if (this.isRagged === isRagged) return;
    this.element.classList.toggle('ragged', this.isRagged = isRagged);
    for (const cell of this.cells.values()) cell.writeTexts(isRagged);
  }
  /** Marks the drawn content as obsolete. */
  invalidate() {
    this.from = this.to = this.base = this.edge = 0;
    this.list = [];
    this.isCurrent = false;
    this.checked = drawing.changes;
  }
  /** Moves the elements to the row's place. A row stays out of sight until its cells are drawn. */
  moveIntoPlace() {
    if (this.isPlaced) return;
    this.isPlaced = true;
    for (const element of [this.element, this.head.element]) {
      if (element.hidden) element.hidden = false;
      element.style.insetBlockStart = this.place * layout.rowHeight + 'px';
      element.dataset.row = this.row;
    }
    this.element.setAttribute('aria-rowindex', this.place + 2);
  }
  hide() {
    if (this.element.hidden) return;
    this.empty();
    this.element.hidden = this.head.element.hidden = true;
  }
  remove() {
    this.empty();
    this.element.remove();
    this.head.element.remove();
  }
  /** Makes the cells available for reuse by the next station. */
  release() {
    this.setCut(null);
    this.cutAt = -1;
    if (this.cells.size) this.free = [...this.container.children].map(element => element.cell);
    this.cells.clear();
  }
  empty() {
    this.release();
    pool.cells -= this.free.length;
    for (const cell of this.free) cell.recycle();
    this.free = [];
    this.invalidate();
  }
  get count() { return this.cells.size + this.free.length; }

  /** Identifies the content of the cells, apart from the drawn range. */
  get contentKey() {
    const block = Math.floor(this.place / tileRows), slot = instant => slotOf(clamp(instant, layout.origin, layout.end - 1));
    const [first, last] = clusterRange(this.from, this.to).map(slot);
    let key = `${drawing.revision} ${drawing.minimumWidth} ${focus.key(this.row)}`;
    for (let slot = first; slot <= last; slot++) key += ' ' + (drawing.tileRevisions.get(tileNumber(block, slot)) || 0);
    return key;
  }
  /** Whether the row shows current content for the complete range. */
  shows(from, to) {
    if (this.from > Math.max(0, from) || this.to < Math.min(to, layout.x(layout.end))) return false;
    if (this.checked !== drawing.changes) {
      this.checked = drawing.changes;
      this.isCurrent &&= this.drawnKey === this.contentKey;
    }
    return this.isCurrent;
  }
  /** Whether the drawn range overlaps the visible one. */
  isNear() { return this.to > motion.left && this.from < motion.left + layout.width; }
  /** The range to draw to show another one: includes the drawn part up to `keep` pixels beyond the edges. */
  window(from, to, keep) {
    from = Math.max(0, from);
    if (this.to === this.from || this.to < from || this.from > to) return [from, to];
    return [Math.min(from, Math.max(this.from, motion.left - keep)), Math.max(to, Math.min(this.to, motion.left + layout.width + keep))];
  }
  /** Selects the cells to draw in a range. */
  plan(from, to) {
    [this.from, this.to] = [Math.max(0, from), to];
    this.list = wantedCells(this, this.from, to);
    this.drawnKey = this.contentKey;
    this.isCurrent = false;
    this.checked = drawing.changes;
  }

  /** Fits the row's box to its cells. All cells are relative to its start, so scrolling back reserves extra room before it. */
  fitBox() {
    const { list } = this, first = list[0], last = list[list.length - 1];
    const from = first ? Math.min(this.from, layout.x(first.s)) : this.from, edge = last ? Math.max(this.to, layout.x(last.e)) : this.to;
    const base = this.base === this.edge || from < this.base || from > this.base + 6 * layout.width ? Math.max(0, from - (motion.dx < 0 ? layout.width : 0)) : this.base;
    if (base === this.base && edge === this.edge) return;
    [this.base, this.edge] = [base, edge];
    const { style } = this.element;
    style.insetInlineStart = layout.headWidth + base + 'px';
    style.inlineSize = edge - base + 'px';
  }

  /** Updates the cells in the document to those of the list, reusing existing elements. */
  fill() {
    const before = this.count;
    this.isCurrent = true;
    this.moveIntoPlace();
    this.fitBox();
    this.head.write(this.row);
    this.element.dataset.station = this.head.element.dataset.station;
    this.recycleExcept(new Set(this.list.map(keyOf)));
    const now = clock.now();
    let used = 0, next = this.container.firstChild, end = this.base;
    for (const facts of this.list) {
      const key = keyOf(facts);
      let cell = this.cells.get(key);
      if (!cell) {
        cell = this.free[used++] || spareCells.pop() || new Cell();
        this.cells.set(key, cell);
      }
      cell.write(facts, this, end, now);
      end = cell.x + cell.width;
      if (cell.element === next) next = next.nextSibling;
      else this.container.insertBefore(cell.element, next);
    }
    for (const cell of this.free.splice(0).slice(used)) cell.recycle();
    this.cutAt = -1;
    pool.cells += this.count - before;
  }
  /** Recycles cells whose keys aren't in the set. */
  recycleExcept(keys) {
    for (const [key, cell] of this.cells) {
      if (keys.has(key)) continue;
      this.cells.delete(key);
      // A gap grows as tiles arrive.
      const grown = cell.facts.id === 0 && this.list.find(facts => isSame(facts, cell.facts));
      if (grown && !this.cells.has(keyOf(grown))) {
        this.cells.set(keyOf(grown), cell);
        continue;
      }
      if (this.cut === cell) this.setCut(null);
      cell.recycle();
    }
  }
  writeLogo() { if (this.isPlaced) this.head.writeLogo(); }

  /** Finds the cell that the edge clips, or will clip before it arrives at `reach`. */
  markCut(left, reach) {
    if (this.cutAt === left && this.cutReach === reach) return;
    [this.cutAt, this.cutReach] = [left, reach];
    let cut = null;
    for (const facts of this.list) {
      const cell = this.cells.get(keyOf(facts));
      if (!cell || cell.x + cell.width <= left + 1 || cell.width < 8) continue;
      if (cell.x >= reach || cell.x >= left + 160) break;
      if (cell.x < left || !cut) cut = cell;
      if (cell.x < left) break;
    }
    this.setCut(cut);
  }
  /** Finds the cell that the edge clips, and places its text at the edge. */
  placeText(left) {
    this.markCut(left, left);
    this.cut?.writeTimes(left);
    this.cut?.indent(left);
  }
  setCut(cell) {
    if (cell === this.cut) return;
    this.cut?.setCut(false);
    cell?.setCut(true);
    this.cut = cell;
  }
}

