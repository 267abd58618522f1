// The grid: one scroll container as large as the guide. Rows and cells are placed in it where they belong, taken from a pool
// when they come into sight and given back when they leave. Whatever moves with the scroll by itself (columns, header,
// titles) is sticky, so that no frame waits for the script.

/** Browsers place nothing beyond some 17 million pixels: what would lie there isn't shown. */
const tallest = 16e6;

/** Where things are, in pixels from the edge where text begins. */
const layout = {
  origin: tiles.origin, end: grid ? Number(grid.dataset.end) : 0,
  hour: 240, rowHeight: 56, headWidth: 192, headHeight: 34, width: 0, height: 0, unit: 1,

  /** Reads the measures that the style sets. */
  measure() {
    const style = getComputedStyle(grid);
    const measure = name => parseFloat(style.getPropertyValue(name)) || 0;
    this.rowHeight = measure('--row') || 56;
    this.headHeight = measure('--head') || 34;
    this.headWidth = measure('--name') + measure('--logo');
    this.unit = measure('--unit') || 1;
    this.hour = clamp(Number(settings.hour) || Number(grid.dataset.hour) || 240, 30, 1920) * this.unit;
    this.width = grid.clientWidth - this.headWidth;
    this.height = grid.clientHeight - this.headHeight;
  },
  /** It follows from the instant alone and is snapped to pixels, as in the service's layout: widths are differences. */
  x(instant) { return Math.floor((clamp(instant, this.origin, this.end) - this.origin) * this.hour / 3600 + .5); },
  instant(x) { return this.origin + x * 3600 / this.hour; },

  /** The scroll offset from the edge where text begins; browsers count it negative from right to left. */
  left() { return Math.abs(grid.scrollLeft); },
  firstInstant() { return this.instant(this.left()); },
  firstPlace() { return Math.floor(grid.scrollTop / this.rowHeight); },

  /** Makes the canvas as large as the guide. */
  resize() {
    const places = Math.min(view.count, Math.floor(tallest / this.rowHeight));
    const canvas = byID('canvas').style;
    canvas.width = this.headWidth + this.x(this.end) + 'px';
    canvas.height = this.headHeight + places * this.rowHeight + 'px';
    byID('rows').style.height = byID('heads').style.height = places * this.rowHeight + 'px';
    grid.setAttribute('aria-rowcount', view.count + 1);
    grid.setAttribute('aria-colcount', 2 + columnOf(this.end - 1) + 1);
  },
  /** Scrolls to a place, an instant, or both; what isn't named stays. */
  scrollTo({ place, instant }) {
    const sign = getComputedStyle(grid).direction === 'rtl' ? -1 : 1;
    const to = { behavior: 'instant' };
    if (place !== undefined) to.top = place * this.rowHeight;
    if (instant !== undefined) to.left = sign * this.x(instant);
    grid.scrollTo(to);
    renderer.schedule();
  },
};

/** The column of an instant among those of the header, from 0: each full or half hour after the start begins another. */
let firstMark = 0;
function columnOf(instant) {
  firstMark ||= (zone.marks(layout.origin + 1, layout.origin + 7200)[0] ?? { instant: layout.origin + 1800 }).instant;
  return instant < firstMark ? 0 : Math.floor((instant - firstMark) / 1800) + 1;
}

/** The first and the last tile along time between two places. */
function slotsBetween(from, to) {
  const slot = x => Math.floor((clamp(layout.instant(x), layout.origin, layout.end - 1) - layout.origin) / tileSeconds);
  return [slot(from), slot(to - .01)];
}

const renderer = {
  /** Rows in the document, by place. */
  rows: new Map(),
  spareRows: [],
  /** Below this width short airings share a cell; it grows where there would be too many cells. */
  least: 10,
  /** Rows out of sight are drawn as long as there are fewer cells than this. */
  cellLimit: 1000, cellCount: 0,
  /**
   * How many rows are drawn at a time while the guide scrolls. One or two fit into a frame; on a machine that is too busy for
   * that, each frame with work is late, however little it is: there more rows are drawn further ahead in fewer frames.
   */
  batch: 2, isWorked: false, isDown: false, calm: 0,
  isScheduled: false, isDrawing: false,
  lastTop: 0, lastLeft: 0, dx: 0, dy: 0, lastFrame: 0, settled: 0,
  facts: { frames: 0, slowFrames: 0, longestFrame: 0, longestBlank: 0, blankSince: 0 },
  stamps: new Map(), stamp: 0,

  schedule() {
    if (this.isScheduled || !this.isDrawing) return;
    this.isScheduled = true;
    requestAnimationFrame(time => this.frame(time));
  },
  /** Draws everything anew where it stands, since times, sizes or rows changed. */
  redraw() {
    this.stamp++;
    this.schedule();
  },
  tileCame(block, slot) {
    const name = block * 1e5 + slot;
    this.stamps.set(name, (this.stamps.get(name) || 0) + 1);
    if (this.isDrawing) this.schedule(); else takeOver();
  },

  frame(time, isAll = false) {
    this.isScheduled = false;
    const left = layout.left(), top = grid.scrollTop;
    this.dx = left - this.lastLeft;
    this.dy = top - this.lastTop;
    const isMoving = this.dx !== 0 || this.dy !== 0;
    if (isMoving && this.lastFrame) this.count(time - this.lastFrame);
    this.lastFrame = isMoving ? time : 0;
    [this.lastLeft, this.lastTop] = [left, top];

    const seen = this.places(top), isBlank = this.demand(left, top);
    this.giveUpRows(seen);
    const isWhole = this.drawSeen(seen, left, isAll ? Infinity : performance.now() + 10 + 2 * this.batch);
    const isDone = isWhole && this.drawAhead(seen, left);
    if (this.dy === 0) for (const row of this.spareRows) row.hide();
    this.measureBlank(isBlank || !isWhole, time);
    this.markCut(left, seen);
    header.draw(left, Math.max(0, Math.floor(left / 240) * 240 - 240), Math.ceil((left + layout.width) / 240) * 240 + 240);
    this.calm = Math.abs(this.dy) < layout.rowHeight / 4 ? this.calm + 1 : 0;
    if (this.calm > 3 || isAll || !isMoving && isDone) for (const row of this.rows.values()) row.writeLogo();
    clearTimeout(this.settled);
    if (isMoving || !isDone) this.schedule();
    if (!isMoving) this.settled = setTimeout(() => this.settle(), 150);
  },
  settle() {
    this.batch = Math.max(2, this.batch / 2);
    this.isDown = false;
    grid.classList.remove('down');
    this.sortRows();
    focus.settle();
  },
  /**
   * Lets the text of cells that the edge cuts stick to it. Each sticky text is a layer of its own: while the scroll goes along
   * the stations alone, the same place is written instead.
   */
  markCut(left, { first, end }) {
    const isDown = this.dx === 0 && (this.isDown || this.dy !== 0);
    if (isDown !== this.isDown) grid.classList.toggle('down', this.isDown = isDown);
    const reach = left + (this.dx ? 160 : 0);
    for (const [place, row] of this.rows) {
      if (!isDown && (place < first || place >= end)) { row.setCut(null); row.cutAt = -1; continue; }
      row.markCut(left, reach);
      if (isDown) row.cut?.indent(left);
    }
  },
  count(duration) {
    this.facts.frames++;
    if (duration > 25) this.facts.slowFrames++;
    if (this.isWorked && duration > 25) this.batch = Math.min(24, this.batch * 2);
    this.isWorked = false;
    this.facts.longestFrame = Math.max(this.facts.longestFrame, duration);
  },

  /** The places in sight. */
  places(top) {
    const h = layout.rowHeight;
    return { first: Math.max(0, Math.floor(top / h)), end: Math.min(view.count, Math.ceil((top + layout.height) / h)) };
  },
  /** How many places out of sight are drawn ahead at least, and kept behind: half a screen. */
  get overscan() { return Math.ceil(layout.height / 2 / layout.rowHeight); },

  /** Asks for the tiles in sight, then for those that lie ahead, then for those around; gives whether one in sight is missing. */
  demand(left, top) {
    const slots = (from, to) => [Math.floor((layout.instant(Math.max(0, from)) - layout.origin) / tileSeconds), Math.ceil((Math.min(layout.end, layout.instant(to)) - layout.origin) / tileSeconds)];
    const blocks = (from, to) => [Math.floor(Math.max(0, from) / layout.rowHeight / tileRows), Math.ceil(Math.min(view.count, to / layout.rowHeight) / tileRows)];
    const { width, height } = layout, list = [], seen = new Set();
    const add = ([firstSlot, lastSlot], [firstBlock, lastBlock]) => {
      for (let block = firstBlock; block < lastBlock; block++) {
        for (let slot = firstSlot; slot < lastSlot; slot++) {
          const name = block * 1e5 + slot;
          if (!seen.has(name)) { seen.add(name); list.push({ block, slot }); }
        }
      }
    };
    add(slots(left, left + width), blocks(top, top + height));
    const isBlank = list.some(({ block, slot }) => !tiles.ready.has(tiles.key(block, slot)));
    for (const { block, slot } of list) tiles.get(block, slot);
    // How far ahead: what will be in sight in a third of a second, at least half a screen.
    const aheadX = Math.max(width / 2, Math.abs(this.dx) * 20), aheadY = Math.max(height / 2, Math.abs(this.dy) * 20, (this.overscan + 1.5 * this.batch) * layout.rowHeight);
    if (this.dy) add(slots(left, left + width), this.dy > 0 ? blocks(top, top + height + aheadY) : blocks(top - aheadY, top + height));
    if (this.dx) add(this.dx > 0 ? slots(left, left + width + aheadX) : slots(left - aheadX, left + width), blocks(top, top + height));
    if (!this.dx && !this.dy || list.length < 12) {
      add(slots(left - width / 2, left + width * 1.5), blocks(top - height / 2, top + height * 1.5));
    }
    tiles.want(list.slice(0, 120));
    return isBlank;
  },
  measureBlank(isBlank, time) {
    const facts = this.facts;
    if (isBlank) {
      facts.blankSince ||= time;
      this.schedule();
    }
    if (facts.blankSince) facts.longestBlank = Math.max(facts.longestBlank, performance.now() - facts.blankSince);
    if (!isBlank) facts.blankSince = 0;
  },

  /** Frees rows that are far out of sight, or that show another station than is meant. The row that has the focus stays. */
  giveUpRows({ first, end }) {
    for (const [place, row] of this.rows) {
      const isMeant = place < view.count && row.row === view.row(place);
      const [above, below] = [this.dy < 0, this.dy > 0].map(isAhead => this.overscan + (isAhead ? 2 * this.batch : 0));
      if (isMeant && (place >= first - above && place < end + below || row.row === focus.row)) continue;
      this.rows.delete(place);
      this.spareRows.push(row);
      if (!isMeant) row.hide();
    }
    for (const row of this.spareRows.splice(64)) row.remove();
  },
  /** The row of a place; one that is free is written anew where there is none. */
  rowAt(place) {
    let row = this.rows.get(place);
    if (row) return row;
    row = this.spareRows.pop();
    if (!row) {
      row = makeRow();
      byID('rows').append(row.element);
      byID('heads').append(row.head);
    }
    row.assign(place, view.row(place));
    this.rows.set(place, row);
    return row;
  },
  /** Once nothing moves: puts rows into the document in their order, in which screen readers read. */
  sortRows() {
    const container = byID('rows');
    let next = container.firstChild;
    for (const place of [...this.rows.keys()].sort((a, b) => a - b)) {
      const { element } = this.rows.get(place);
      if (element.contains(document.activeElement)) {
        // It would lose the focus by being moved: what stands before it and isn't meant to goes behind.
        while (next !== element) {
          const other = next;
          next = next.nextSibling;
          container.append(other);
        }
      }
      if (element === next) next = next.nextSibling; else container.insertBefore(element, next);
    }
  },

  /** Draws the rows in sight until time is up; gives whether that was enough. */
  drawSeen({ first, end }, left, deadline) {
    const right = left + layout.width;
    // Where the scroll goes along time, more than is in sight is drawn at once.
    // What goes further than a screen at once has been a jump.
    const speed = Math.abs(this.dx) < layout.width ? Math.abs(this.dx) : 0;
    const lead = Math.min(layout.width, Math.max(240, speed * 6) * (1 + this.batch / 8)), reserve = Math.min(lead / 2, speed * (4 + this.batch / 4));
    const from = Math.max(0, left - (this.dx < 0 ? lead : 0)), to = right + (this.dx > 0 ? lead : 0);
    const rows = [];
    for (let place = first; place < end; place++) rows.push(this.rowAt(place));
    const own = this.rows.get(view.place(focus.row));
    if (own && !rows.includes(own)) rows.push(own);

    let waiting = [];
    for (let attempt = 0; attempt < 8; attempt++) {
      let count = 0;
      waiting = rows.filter(row => {
        const isDue = !row.shows(left - (this.dx < 0 ? reserve : 0), right + (this.dx > 0 ? reserve : 0));
        if (isDue) row.plan(from, to);
        count += row.list.length;
        return isDue;
      });
      if (count <= this.cellLimit) {
        if (count < this.cellLimit / 3 && this.least > 10) { this.least /= 2; this.schedule(); }
        break;
      }
      this.least *= 2;
    }
    this.countCells();
    const coming = waiting.reduce((sum, row) => sum + Math.max(0, row.list.length - row.count), 0);
    if (this.cellCount + coming > 1.4 * this.cellLimit) this.dropUnseen(first, end);
    let isWhole = true;
    for (const row of waiting) {
      if (performance.now() > deadline) { isWhole = false; break; }
      row.fill();
      this.isWorked = true;
    }
    if (focus.isLost) {
      focus.isLost = false;
      focus.drawn?.target.focus({ preventScroll: true });
    }
    this.countCells();
    return isWhole;
  },
  /** Draws rows that may come into sight, and more of those in sight; gives whether nothing is left to draw. */
  drawAhead({ first, end }, left) {
    const right = left + layout.width;
    if (this.dy) return this.drawOut(this.dy > 0 ? end : first - 1, Math.sign(this.dy), left, right);
    if (this.dx) return true;
    // Nothing moves: a little at a time, more of what is in sight and half a screen around it.
    const deadline = performance.now() + 4;
    for (let place = first; place < end; place++) {
      const row = this.rows.get(place);
      if (row.shows(left - 120, right + 120) || this.cellCount > this.cellLimit) continue;
      if (performance.now() > deadline) return false;
      row.plan(Math.max(0, left - 360), right + 360);
      row.fill();
      this.countCells();
    }
    for (const [from, to] of [[end, Math.min(view.count, end + this.overscan)], [Math.max(0, first - this.overscan), first]]) {
      for (let place = from; place < to; place++) {
        if (this.rows.get(place)?.shows(left, right)) continue;
        if (this.cellCount > this.cellLimit - 60) return true;
        if (performance.now() > deadline) return false;
        this.drawOne(place, left, right);
      }
    }
    return true;
  },
  /** Keeps half a screen and half a batch of rows drawn ahead of the scroll, a batch at a time. */
  drawOut(start, by, left, right) {
    const isIn = place => place >= 0 && place < view.count;
    const batch = Math.max(this.batch, Math.min(this.overscan, Math.ceil(Math.abs(this.dy) / layout.rowHeight) + 1));
    let place = start, ahead = 0;
    while (isIn(place) && this.rows.get(place)?.shows(left, right)) { place += by; ahead++; }
    if (ahead > this.overscan + batch / 2) return true;
    for (let drawn = 0; drawn < batch && isIn(place) && this.cellCount < this.cellLimit; place += by) {
      if (this.rows.get(place)?.shows(left, right)) continue;
      // A row that is drawn before its tiles came would be drawn again.
      if (!this.isReady(place, left, right)) break;
      this.drawOne(place, left, right);
      this.isWorked = true;
      drawn++;
    }
    return true;
  },
  isReady(place, left, right) {
    const block = Math.floor(place / tileRows), [first, last] = slotsBetween(left, right);
    for (let slot = first; slot <= last; slot++) if (!tiles.ready.has(tiles.key(block, slot))) return false;
    return true;
  },
  drawOne(place, left, right) {
    const row = this.rowAt(place);
    row.plan(Math.max(0, left), right);
    row.fill();
    this.countCells();
  },
  countCells() {
    this.cellCount = 0;
    for (const row of this.rows.values()) this.cellCount += row.count;
    for (const row of this.spareRows) this.cellCount += row.count;
  },
  dropUnseen(first, end) {
    for (const [place, row] of this.rows) {
      if ((place >= first && place < end) || row.row === focus.row) continue;
      this.rows.delete(place);
      this.spareRows.push(row);
    }
    for (const row of this.spareRows) row.hide();
  },
};

/** The corner, the hours, and the lines across the rows. */
const header = {
  marks: new Map(), lines: new Map(), drawn: '', corner: 0, cut: null,

  draw(left, from, to) {
    const first = layout.instant(left), day = zone.dayOf(first);
    if (this.corner !== day) {
      this.corner = day;
      byID('corner').textContent = zone.dayLabel(first);
      tools.dayShown(day);
    }
    const drawn = `${from} ${to} ${layout.hour} ${zone.name} ${settings.clock}`;
    if (drawn !== this.drawn) this.drawMarks(from, to, drawn);
    // Only the hour that the edge cuts needs to stick to it.
    const cut = [...this.marks].find(([instant, element]) => instant <= first && layout.x(instant) + element.span > left)?.[1];
    if (cut !== this.cut) {
      this.cut?.classList.remove('cut');
      cut?.classList.add('cut');
      this.cut = cut;
    }
  },
  drawMarks(from, to, drawn) {
    if (!this.drawn.endsWith(` ${layout.hour} ${zone.name} ${settings.clock}`)) this.clear();
    this.drawn = drawn;
    const start = Math.max(layout.origin, layout.instant(from) - 3600), end = Math.min(layout.end, layout.instant(to));
    let marks = zone.marks(start, end + 3600);
    if (layout.hour < 150 * layout.unit) marks = marks.filter(mark => mark.isHour);
    const wanted = new Map();
    marks.forEach((mark, i) => {
      if (mark.instant < end) wanted.set(mark.instant, { ...mark, next: Math.min(marks[i + 1]?.instant ?? layout.end, layout.end) });
    });
    for (const [instant, element] of this.marks) {
      if (!wanted.has(instant)) { element.remove(); this.marks.delete(instant); }
    }
    for (const [instant, mark] of wanted) if (!this.marks.has(instant)) this.addMark(mark);
    this.drawDays(start, end);
  },
  addMark({ instant, next, isHour }) {
    const x = layout.x(instant);
    const element = make('div', { class: isHour ? 'mark' : 'mark half', role: 'columnheader', 'aria-colindex': columnOf(instant) + 3, style: null }, make('span', {}, zone.label(instant)));
    element.span = layout.x(next) - x;
    element.style.cssText = `inset-inline-start:${x}px;inline-size:${element.span}px`;
    this.marks.set(instant, element);
    // In order of time, in which screen readers read.
    const behind = [...this.marks.keys()].filter(other => other > instant).sort((a, b) => a - b)[0];
    byID('marks').insertBefore(element, this.marks.get(behind) ?? null);
  },
  drawDays(start, end) {
    const wanted = new Set();
    for (let day = zone.dayOf(start); day <= zone.dayOf(end); day++) {
      const instant = zone.startOfDay(day);
      if (instant > layout.origin && instant < layout.end) wanted.add(instant);
    }
    for (const [instant, line] of this.lines) if (!wanted.has(instant)) { line.remove(); this.lines.delete(instant); }
    for (const instant of wanted) {
      if (this.lines.has(instant)) continue;
      const line = make('div', { class: 'dayline', 'aria-hidden': 'true' });
      line.style.insetInlineStart = layout.headWidth + layout.x(instant) + 'px';
      this.lines.set(instant, line);
      byID('canvas').insertBefore(line, byID('rows'));
    }
  },
  clear() {
    for (const element of [...this.marks.values(), ...this.lines.values()]) element.remove();
    this.marks.clear();
    this.lines.clear();
    this.corner = 0;
    firstMark = 0;
  },

  /** Puts the now-line where the clock says, whatever happened since. */
  drawNow() {
    const now = clock.now(), line = byID('nowline');
    line.hidden = now < layout.origin || now >= layout.end;
    line.style.insetInlineStart = layout.headWidth + layout.x(now) + 'px';
  },
};

