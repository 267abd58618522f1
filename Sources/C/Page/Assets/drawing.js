// Draws the grid: positions, frames, the pool of rows, sticky titles, and what depends on the clock.

import { byID, clamp, clock, grid, partition, settings, zone } from './base.js';
import { pictures, requestTiles, slotOf, tileNumber, tileRows, tiles, tileSeconds, view } from './listings.js';
import { groupHeaders, header, makeRow, mergeShort } from './elements.js';
import { focus, tools } from './controls.js';
import { watched } from './watched.js';

// Positions: one scroll container with the size of the guide contains all rows and cells at their final positions. The station
// column and the header are sticky, so that no frame waits for the script.

/** Maximum height of the rows in pixels. Browsers cannot place elements beyond about 17 million pixels; rows there aren't shown. */
const tallest = 16e6;

/** Positions in pixels, from the edge where text begins. */
export const layout = {
  origin: grid ? Number(grid.dataset.origin) : 0, end: grid ? Number(grid.dataset.end) : 0,
  hour: 240, firstMark: 0, rowHeight: 56, groupHeight: 24, headWidth: 192, headHeight: 34, width: 0, height: 0, unit: 1,
  /** The sizes and fonts of titles and of the second lines of cells. */
  textSize: 14, smallSize: 12, smallFont: '', titleFont: '',
  /** Whether hours run downwards, and stations are side by side. Then widths are heights and vice versa (GuideLayout.timeAxis). */
  isVertical: false,
  /** The setting with the points of an hour. */
  get zoomSetting() { return this.isVertical ? 'hourDown' : 'hour'; },
  /** The shown groups of stations: title, first place, end, and the position of the header, which is above the first row. */
  groups: [],

  /** Reads the measures from the style sheet. */
  measure() {
    const style = getComputedStyle(grid);
    const measure = name => parseFloat(style.getPropertyValue(name)) || 0;
    this.isVertical = document.documentElement.dataset.grid === 'vertical';
    this.unit = measure('--unit') || 1;
    this.groupHeight = measure('--group');
    [this.textSize, this.smallSize] = [measure('--text'), measure('--small')];
    this.smallFont = `${this.smallSize}px ${style.fontFamily}`;
    this.titleFont = `700 ${this.textSize}px ${style.fontFamily}`;
    [this.rowHeight, this.headHeight, this.headWidth] = this.isVertical
      ? ['--column', '--strip', '--station'].map(name => measure(name) * this.unit)
      : [measure('--row') || 56, measure('--head') || 34, measure('--name') + measure('--logo')];
    const usual = this.isVertical ? 180 : Number(grid.dataset.hour) || 240;
    this.hour = clamp(Number(settings[this.zoomSetting]) || usual, 30, 1920) * this.unit;
    const [along, across] = this.isVertical ? [grid.clientHeight, grid.clientWidth] : [grid.clientWidth, grid.clientHeight];
    this.width = along - this.headWidth;
    this.height = across - this.headHeight;
  },
  /** The position of an instant, snapped to pixels as in the service's layout. Widths are differences of positions. */
  x(instant) { return Math.floor((clamp(instant, this.origin, this.end) - this.origin) * this.hour / 3600 + .5); },
  instant(x) { return this.origin + x * 3600 / this.hour; },

  /** The scroll offset along time and across it, from the edge where text begins. Browsers report it as negative in right-to-left pages. */
  left() { return Math.abs(this.isVertical ? grid.scrollTop : grid.scrollLeft); },
  top() { return Math.abs(this.isVertical ? grid.scrollLeft : grid.scrollTop); },
  firstInstant() { return this.instant(this.left()); },
  /** The scroll offset at which an instant is at 15% of the width. guide.css places the server's cells so, too. */
  leftOfNow(now = clock.now()) {
    return Math.max(0, Math.round(this.x(now) - .15 * (this.isVertical ? this.width : document.documentElement.clientWidth - this.headWidth)));
  },
  /** The full seconds in sight (GuideLayout.visibleTime). An edge that is invisibly close to an instant counts as being on it. */
  visibleTime() {
    const slack = Math.min(1 / 1024, this.hour / 7200), left = this.left();
    const first = Math.floor(this.instant(left + slack)), last = Math.ceil(this.instant(left + this.width - slack));
    return { start: clamp(first, this.origin, this.end), end: clamp(last, this.origin, this.end) };
  },

  /** The number of groups that begin up to a place. */
  groupCount(place) { return partition(this.groups, group => group.place > place); },
  /** The group whose header or rows are at a position. */
  groupAt(y) { return this.groups[partition(this.groups, group => group.y > y) - 1]; },
  /** The position of a place's row. */
  y(place) { return place * this.rowHeight + this.groupCount(place) * this.groupHeight; },
  /** The scroll offset at which a place is at the top, below the header of its group. */
  topOf(place) { return this.y(place) - (this.groupCount(place) ? this.groupHeight : 0); },
  /** The first place in sight: rows under the header of their group are not. A header is not as high as a row. */
  firstPlace(top = this.top()) {
    const { y, place } = this.groupAt(top) ?? { y: 0, place: 0 };
    return place + Math.floor((top - y) / this.rowHeight);
  },
  /** The first place that is completely in sight. */
  firstWholePlace() {
    const place = this.firstPlace();
    return this.topOf(place) < this.top() - 1 ? place + 1 : place;
  },
  /** The first place in sight, and the distance of the scroll offset from its top, in rows. */
  anchor() {
    const place = this.firstPlace();
    return { place, beyond: (this.top() - this.topOf(place)) / this.rowHeight };
  },
  /** The places in sight. */
  places(top) {
    const bottom = top + this.height, group = this.groupAt(bottom);
    const end = group ? group.place + Math.max(0, Math.ceil((bottom - group.y - this.groupHeight) / this.rowHeight)) : Math.ceil(bottom / this.rowHeight);
    return { first: Math.max(0, this.firstPlace(top)), end: Math.min(view.count, end) };
  },
  /** Half a screen of places. */
  get halfScreen() { return Math.ceil(this.height / 2 / this.rowHeight); },

  /** Finds the groups of the shown rows. */
  arrange() {
    this.groups = view.groups().map(({ place, title }, i, all) => ({
      place, title, end: all[i + 1]?.place ?? view.count, y: place * this.rowHeight + i * this.groupHeight,
    }));
  },
  /** Makes the canvas as large as the guide. */
  resize() {
    this.arrange();
    const places = this.places(tallest - this.height).end, height = (places && this.y(places - 1) + this.rowHeight) + 'px';
    const canvas = byID('canvas').style;
    canvas.inlineSize = this.headWidth + this.x(this.end) + 'px';
    canvas.blockSize = `calc(${height} + ${this.headHeight}px)`;
    for (const id of ['rows', 'heads', 'groups']) byID(id).style.blockSize = height;
    for (const row of pool.rows.values()) if (row.isPlaced) row.move();
    grid.setAttribute('aria-rowcount', view.count + this.groups.length + 1);
    grid.setAttribute('aria-colcount', 2 + columnOf(this.end - 1) + 1);
  },
  /** Scrolls to a place or y, an instant or x, or both. An axis without a target stays. */
  scrollTo({ place, y = place === undefined ? undefined : this.topOf(place), instant, x = instant === undefined ? undefined : this.x(instant) }) {
    const sign = document.documentElement.dir === 'rtl' ? -1 : 1;
    const [left, top] = this.isVertical ? [y, x] : [x, y];
    const to = { behavior: 'instant' };
    if (top !== undefined) to.top = Math.max(0, top);
    if (left !== undefined) to.left = sign * Math.max(0, left);
    grid.scrollTo(to);
    renderer.schedule();
  },
};

/** The header column of an instant, from 0. Each full or half hour after the start begins a column. */
export function columnOf(instant) {
  layout.firstMark ||= (zone.marks(layout.origin + 1, layout.origin + 7200)[0] ?? { instant: layout.origin + 1800 }).instant;
  return instant < layout.firstMark ? 0 : Math.floor((instant - layout.firstMark) / 1800) + 1;
}

/** The indexes of the first and the last tile along time between two positions. */
export function slotsBetween(from, to) {
  const slot = x => slotOf(clamp(layout.instant(x), layout.origin, layout.end - 1));
  return [slot(from), slot(to - .01)];
}

/** Position and speed of the scroll. */
export const motion = {
  left: 0, top: 0, dx: 0, dy: 0, isMoving: false,
  /**
   * Pixels per frame on each axis. Slow frames count with their full distance, because more has to be ready ahead. A move of
   * more than a screen is a jump and counts as 0.
   */
  speedX: 0, speedY: 0,
  /** Whether the guide scrolls along time too fast to read: from 1.5 pixels per millisecond, until below half of that. */
  isFast: false,
  /** Direction of the last vertical scroll; rows in that direction are prepared first. */
  lastY: 1,
  time: 0,

  read(time) {
    const left = layout.left(), top = layout.top();
    [this.dx, this.dy] = [left - this.left, top - this.top];
    [this.left, this.top] = [left, top];
    this.isMoving = this.dx !== 0 || this.dy !== 0;
    const frames = this.time ? Math.max(1, (time - this.time) / 16.7) : 1;
    this.speedX = Math.abs(this.dx) < layout.width ? Math.abs(this.dx) : 0;
    this.speedY = Math.abs(this.dy) < layout.height ? Math.abs(this.dy) : 0;
    this.isFast = this.speedX / frames > (this.isFast ? 12 : 25);
    if (this.dy) this.lastY = Math.sign(this.dy);
    this.time = this.isMoving ? time : 0;
  },
};

// Frames: the work during scrolling, and after it ends.

export const renderer = {
  /** Whether the script has replaced the server's rows. */
  isDrawing: false,
  isScheduled: false,
  /** Number of consecutive frames in which rows hardly moved. */
  slow: 0,
  /** Whether `settle` has run since the scroll ended, and its timer. */
  isSettled: false, settleTimer: 0,
  facts: { frames: 0, slowFrames: 0, longestFrame: 0, longestBlank: 0, blankSince: 0 },

  schedule() {
    if (this.isScheduled || !this.isDrawing) return;
    this.isScheduled = true;
    requestAnimationFrame(time => this.frame(time));
  },
  /** Redraws everything in place after times, sizes or rows changed. */
  redraw() {
    drawing.revision++;
    drawing.changes++;
    this.isSettled = false;
    if (this.isDrawing) this.schedule(); else requestFirstTiles();
  },
  tileArrived(block, slot) {
    drawing.noteTileChange(block, slot);
    if (this.isDrawing) this.schedule(); else takeOver();
  },

  frame(time, isAll = false) {
    this.isScheduled = false;
    // After `frameNow`, this frame shows what it has drawn, and the rest follows.
    if (this.isDrawn && !isAll) {
      this.isDrawn = false;
      return this.schedule();
    }
    const last = motion.time;
    motion.read(time);
    const { isMoving } = motion;
    if (isMoving && last && !isAll) this.count(time - last);

    const seen = layout.places(motion.top), isBlank = requestTiles(seen);
    drawing.begin();
    pool.freeReassigned();
    const isWhole = drawing.drawSeen(seen, isAll ? Infinity : performance.now() + 40);
    if (isMoving) this.isSettled = false;
    if (isWhole && isMoving) drawing.drawAhead(seen);
    const isDone = isWhole && (isMoving || !this.isSettled || drawing.drawAround(seen));
    this.measureBlank(isBlank || !isWhole, time);
    stickyTitles.mark(seen);
    header.draw(motion.left);
    this.slow = Math.abs(motion.dy) < layout.rowHeight / 4 ? this.slow + 1 : 0;
    groupHeaders.draw(seen);
    if (this.slow > 3 || isAll || !isMoving && isDone) {
      pictures.request(seen);
      pool.writeLogos(seen);
    }
    if (isMoving || !isDone) this.schedule();
    if (isMoving) {
      clearTimeout(this.settleTimer);
      this.settleTimer = 0;
    } else if (!this.isSettled) {
      this.settleTimer ||= setTimeout(() => this.settle(), 120);
    } else if (isDone) {
      pool.sort();
    }
  },
  /** Draws immediately if the focus can't wait for the next frame. */
  frameNow() {
    const wasScheduled = this.isScheduled;
    this.frame(performance.now(), true);
    motion.time = 0;
    this.isDrawn = this.isScheduled ||= wasScheduled;
  },
  /** Does the work that can wait until the scroll has ended. */
  settle() {
    this.settleTimer = 0;
    this.isSettled = true;
    this.schedule();
    stickyTitles.release();
    pool.dropUndrawn(layout.places(motion.top));
    pool.sort();
    focus.settle();
    this.settled();
  },
  /** Called after the scroll has ended. */
  settled: () => {},

  count(duration) {
    this.facts.frames++;
    if (duration > 25) this.facts.slowFrames++;
    this.facts.longestFrame = Math.max(this.facts.longestFrame, duration);
  },
  measureBlank(isBlank, time) {
    const { facts } = this;
    if (isBlank) {
      facts.blankSince ||= time;
      this.schedule();
    }
    if (facts.blankSince) facts.longestBlank = Math.max(facts.longestBlank, performance.now() - facts.blankSince);
    if (isBlank) return;
    // The focus may have waited for the missing tiles.
    if (facts.blankSince) this.isSettled = false;
    facts.blankSince = 0;
  },
};

/** Requests the tiles that the first frame needs. */
export function requestFirstTiles() {
  // Twice, so that the initial position does not count as scrolling.
  motion.read(0);
  motion.read(0);
  requestTiles(layout.places(motion.top));
  takeOver();
}

/** Replaces the server's rows with the script's in one step, to avoid flicker. */
function takeOver() {
  const left = layout.left(), { first, end } = layout.places(layout.top());
  const last = Math.min(layout.end, layout.instant(left + layout.width)) - 1;
  for (let block = Math.floor(first / tileRows); block * tileRows < end; block++) {
    for (let slot = slotOf(layout.instant(left)); slot <= slotOf(last); slot++) {
      if (!tiles.ready.has(tiles.key(block, slot))) return;
    }
  }
  startDrawing();
}

export function startDrawing() {
  if (renderer.isDrawing) return;
  renderer.isDrawing = true;
  // So far, the server's rows were in sight.
  Object.assign(renderer.facts, { longestBlank: 0, blankSince: 0 });
  byID('first')?.remove();
  byID('marks').replaceChildren();
  byID('hours').style.removeProperty('--shift');
  byID('nowmark').hidden = false;
  for (const id of ['rows', 'heads', 'groups']) byID(id).hidden = false;
  byID('nowline').hidden = false;
  grid.classList.add('live');
  renderer.frameNow();
  ticker.begin();
  focus.settle();
}

/** Moves the server's rows to their position in the guide. */
export function placeFirst() {
  const row = Number(grid.dataset.row), from = Number(grid.dataset.from), shift = layout.x(from) + 'px';
  byID('first').style.cssText = `position:absolute;left:0;right:0;top:${layout.headHeight + layout.y(row)}px;--shift:${shift}`;
  byID('hours').style.setProperty('--shift', shift);
  if (grid.dataset.start !== 'now') return layout.scrollTo({ place: row, instant: from });
  // Where the server's cells are, unless the page was stored long ago.
  const then = Number(grid.dataset.now);
  layout.scrollTo({ place: row, x: layout.leftOfNow(Math.abs(clock.now() - then) < 300 ? then : undefined) });
}

/** Updates the parts of the page that depend on the clock: the now-line and its marker, today's date, and past and current airings. */
export const ticker = {
  timer: 0,
  begin() {
    // After sleep, timers are late and pages return from a cache, so each tick reads the clock.
    for (const name of ['visibilitychange', 'pageshow', 'focus']) addEventListener(name, () => this.tick());
    document.addEventListener('visibilitychange', () => this.tick());
    this.tick();
  },
  tick() {
    clearTimeout(this.timer);
    const now = clock.now();
    header.drawNow();
    tools.tick(now);
    for (const row of pool.rows.values()) for (const cell of row.cells.values()) cell.tick(now);
    pictures.request(layout.places(layout.top()));
    // A pixel at the default zoom is 15 seconds.
    this.timer = setTimeout(() => this.tick(), 5000 - (Date.now() % 5000));
  },
};

// The pool of row elements. Rows stay in the document up to a limit of cells, so that scrolling back finds them there. The row
// farthest from sight is reused for another place.

export const pool = {
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
    for (const [place, row] of this.rows) if (place >= first - 2 && place < end + 2) row.writeLogo();
  },

  /** Sets the order of the rows for screen readers. Moving the elements would be slow. */
  sort() {
    if (this.isSorted) return;
    const rows = [...this.rows.values()].filter(row => row.isPlaced).map(row => row.element);
    this.isSorted = rows.length === this.rows.size;
    const line = element => Number(element.getAttribute('aria-rowindex'));
    const all = [...rows, ...groupHeaders.rows].sort((a, b) => line(a) - line(b));
    byID('rows').setAttribute('aria-owns', all.map(element => element.id).join(' '));
  },
};

// Draws rows: first those in sight, then those that will be soon.

/** Places outward from those in sight: three in the direction of the last scroll for each one in the other direction. */
function* outward({ first, end }, reach) {
  const below = k => end - 1 + k, above = k => first - k;
  const [ahead, behind] = motion.lastY < 0 ? [above, below] : [below, above];
  for (let k = 1; k <= reach; k++) yield* [ahead(3 * k - 2), ahead(3 * k - 1), ahead(3 * k), behind(k)];
}

export const drawing = {
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

// Titles of cells that the edge clips stick to the edge. Each sticky text is a layer of its own, which slows all scrolling down.
// So texts are sticky only while the guide scrolls along time slowly enough to read them. Otherwise, and always in right-to-left
// pages, an indent puts them at the same position.

const stickyTitles = {
  /** Rows with sticky texts. */
  sticky: new Set(),

  mark({ first, end }) {
    const { left, dx, dy } = motion, isSticky = dx !== 0 && !motion.isFast && (layout.isVertical || document.documentElement.dir !== 'rtl');
    this.release(row => row.place >= first && row.place < end && (isSticky || (dx === 0 && dy === 0)));
    if (dx !== 0 && motion.isFast) return;
    // Includes cells that the edge clips soon.
    const reach = left + (dx ? 160 : 0);
    for (let place = first; place < end; place++) {
      const row = pool.rows.get(place);
      if (!row) continue;
      row.markCut(left, reach);
      row.cut?.writeTimes(left);
      if (isSticky && !this.sticky.has(row)) {
        this.sticky.add(row);
        row.element.classList.add('along');
      }
      if (!this.sticky.has(row)) row.cut?.indent(left);
    }
  },
  /** Replaces sticky texts by indented ones, except in rows for which `isKept` is true. */
  release(isKept = () => false) {
    for (const row of this.sticky) {
      if (isKept(row)) continue;
      this.sticky.delete(row);
      row.element.classList.remove('along');
      row.cut?.indent(motion.left);
    }
  },
};
