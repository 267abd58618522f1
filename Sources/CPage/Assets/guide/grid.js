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
    byID('rows').style.height = places * this.rowHeight + 'px';
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

const renderer = {
  /** Rows in the document, by place. */
  rows: new Map(),
  spareRows: [],
  /** The part of the guide that is drawn, in pixels. */
  from: 0, to: 0,
  /** Below this width short airings share a cell; it grows where there would be too many cells. */
  least: 10,
  cellLimit: 1400, cellCount: 0,
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
  tileCame(block) {
    this.stamps.set(block, (this.stamps.get(block) || 0) + 1);
    if (this.isDrawing) this.schedule(); else takeOver();
  },

  frame(time) {
    this.isScheduled = false;
    const left = layout.left(), top = grid.scrollTop;
    this.dx = left - this.lastLeft;
    this.dy = top - this.lastTop;
    const isMoving = this.dx !== 0 || this.dy !== 0;
    if (isMoving && this.lastFrame) this.count(time - this.lastFrame);
    this.lastFrame = isMoving ? time : 0;
    [this.lastLeft, this.lastTop] = [left, top];

    const place = this.places(top);
    this.window(left);
    this.demand(left, top, time);
    this.placeRows(place);
    this.fillRows();
    this.markCut(left);
    header.draw(left, this.from, this.to);
    clearTimeout(this.settled);
    if (isMoving) {
      this.schedule();
    } else {
      this.settled = setTimeout(() => focus.settle(), 150);
    }
  },
  count(duration) {
    this.facts.frames++;
    if (duration > 25) this.facts.slowFrames++;
    this.facts.longestFrame = Math.max(this.facts.longestFrame, duration);
  },

  /** The places to draw: those in sight, and some ahead. */
  places(top) {
    const h = layout.rowHeight, ahead = Math.ceil(Math.min(layout.height, Math.abs(this.dy) * 2) / h);
    const first = Math.floor(top / h) - 1 - (this.dy < 0 ? ahead : 0);
    const end = Math.ceil((top + layout.height) / h) + 1 + (this.dy > 0 ? ahead : 0);
    return { first: Math.max(0, first), end: Math.min(view.count, end) };
  },
  /** The stretch to draw: what is in sight and some around it, in steps, so that most frames needn't change a row. */
  window(left) {
    const step = 240;
    this.from = Math.max(0, Math.floor(left / step) * step - step - (this.dx < 0 ? step : 0));
    this.to = Math.ceil((left + layout.width) / step) * step + step + (this.dx > 0 ? step : 0);
  },

  /** Asks for the tiles in sight, then for those that lie ahead, then for those around. */
  demand(left, top, time) {
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
    this.measureBlank(isBlank, time);
    for (const { block, slot } of list) tiles.get(block, slot);
    // How far ahead: what will be in sight in a third of a second, at least half a screen.
    const aheadX = Math.max(width / 2, Math.abs(this.dx) * 20), aheadY = Math.max(height / 2, Math.abs(this.dy) * 20);
    if (this.dy) add(slots(left, left + width), this.dy > 0 ? blocks(top, top + height + aheadY) : blocks(top - aheadY, top + height));
    if (this.dx) add(this.dx > 0 ? slots(left, left + width + aheadX) : slots(left - aheadX, left + width), blocks(top, top + height));
    if (!this.dx && !this.dy || list.length < 12) {
      add(slots(left - width / 2, left + width * 1.5), blocks(top - height / 2, top + height * 1.5));
    }
    tiles.want(list.slice(0, 120));
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

  /** Gives rows that left the sight to places that came into it. The row that has the focus stays. */
  placeRows({ first, end }) {
    for (const [place, row] of this.rows) {
      if ((place >= first && place < end && row.row === view.row(place)) || (row.row === focus.row && view.place(row.row) === place)) continue;
      this.rows.delete(place);
      this.spareRows.push(row);
    }
    const missing = [];
    for (let place = first; place < end; place++) if (!this.rows.has(place)) missing.push(place);
    for (const place of missing) {
      const row = this.spareRows.pop() || makeRow();
      row.assign(place, view.row(place));
      this.rows.set(place, row);
    }
    for (const row of this.spareRows.splice(6)) row.remove();
    for (const row of this.spareRows) row.hide();
    if (missing.length) this.sortRows();
  },
  /** Puts rows into the document in their order, in which screen readers read. */
  sortRows() {
    const container = byID('rows');
    let next = container.firstChild;
    for (const place of [...this.rows.keys()].sort((a, b) => a - b)) {
      const { element } = this.rows.get(place);
      if (element === next) next = next.nextSibling;
      else container.insertBefore(element, next);
    }
  },

  /** Fills rows with their cells; where there would be too many, short ones share a cell. */
  fillRows() {
    const waiting = [];
    for (let attempt = 0; attempt < 8; attempt++) {
      waiting.length = 0;
      let count = 0;
      for (const row of this.rows.values()) {
        const stamp = `${this.stamp} ${this.stamps.get(Math.floor(row.place / tileRows)) || 0} ${this.from} ${this.to} ${this.least} ${focus.key(row.row)}`;
        if (row.stamp !== stamp) {
          row.list = row.wanted(this.from, this.to, this.least);
          waiting.push([row, stamp]);
        }
        count += row.list.length;
      }
      if (count <= this.cellLimit) {
        if (count < this.cellLimit / 3 && this.least > 10) { this.least /= 2; this.schedule(); }
        break;
      }
      this.least *= 2;
    }
    for (const [row, stamp] of waiting) {
      row.stamp = stamp;
      row.fill();
    }
    if (focus.isLost) {
      focus.isLost = false;
      focus.drawn?.target.focus({ preventScroll: true });
    }
    this.cellCount = 0;
    for (const row of this.rows.values()) this.cellCount += row.cells.size;
  },

  /** Lets the text of cells that the edge cuts stick to it. */
  markCut(left) {
    const reach = left + (this.dx ? 160 : 0);
    for (const row of this.rows.values()) row.markCut(left, reach);
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

