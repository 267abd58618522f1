// The elements of the grid: the header with the hours, and the rows with their heads and cells.

import { byID, clamp, clock, grid, initials, make, isLocked, pageURL, partition, pictureURL, settings, t, titleOf, zone } from './base.js';
import { cellsOf, isSame, paintStar, pictures, slotOf, stations, tileNumber, tileRows, view } from './listings.js';
import { columnOf, drawing, layout, motion, pool } from './drawing.js';
import { focus, tools } from './controls.js';
import { watched } from './watched.js';

const widths = new Map();
let pen = null;
/** Returns the width of a text in pixels. The same ranges of times occur in many cells. */
function widthOf(text, font) {
  const key = font + text;
  let width = widths.get(key);
  if (width === undefined) {
    pen ??= make('canvas').getContext('2d');
    pen.font = font;
    ({ width } = pen.measureText(text));
    if (widths.size > 20000) widths.clear();
    widths.set(key, width);
  }
  return width;
}

/** Returns the number of lines of a text that wraps between words, and within words that are too long. */
function lineCount(text, font, across) {
  let lines = 1, x = 0;
  for (const word of text.split(' ')) {
    const width = widthOf(word, font), space = x && widthOf(' ', font);
    if (x && x + space + width > across) [lines, x] = [lines + 1, width]; else x += space + width;
    for (; x > across; x -= across) lines++;
  }
  return lines;
}

/** The corner, the hours, and the day lines across the rows. */
export const header = {
  marks: new Map(), lines: new Map(), drawn: '', corner: 0, cut: null,
  /** The drawn range in pixels. It extends beyond the visible part, so that redrawing is rare. */
  from: 0, to: 0,

  draw(left) {
    const first = layout.instant(left), day = zone.dayOf(first);
    if (this.corner !== day) {
      this.corner = day;
      byID('corner').replaceChildren(make('span', {}, zone.dayLabel(first)), make('small', { title: zone.name }, zone.place));
      tools.showDay(day);
    }
    const drawn = `${layout.hour} ${zone.name} ${settings.clock}`;
    if (drawn !== this.drawn || left < this.from || left + layout.width > this.to) this.drawMarks(left, drawn);
    // Only the hour that the edge clips has to be sticky, and only while the guide scrolls slowly enough to read.
    if (motion.isFast) return;
    const cut = [...this.marks].find(([instant, element]) => instant <= first && layout.x(instant) + element.span > left)?.[1];
    cut?.classList.toggle('spent', cut.end - left < cut.room);
    if (cut !== this.cut) {
      this.cut?.classList.remove('cut');
      this.cut?.classList.remove('spent');
      cut?.classList.add('cut');
      this.cut = cut;
    }
  },
  drawMarks(left, drawn) {
    if (this.drawn !== drawn) this.clear();
    this.drawn = drawn;
    [this.from, this.to] = [Math.max(0, left - 1200), left + layout.width + 1200];
    const start = Math.max(layout.origin, layout.instant(this.from) - 3600), end = Math.min(layout.end, layout.instant(this.to));
    const marks = this.marksWithRoom(start, end), wanted = new Map();
    marks.forEach((mark, i) => {
      if (mark.instant < end) wanted.set(mark.instant, { ...mark, next: Math.min(marks[i + 1]?.instant ?? layout.end, layout.end) });
    });
    for (const [instant, element] of this.marks) {
      if (!wanted.has(instant)) { element.remove(); this.marks.delete(instant); }
    }
    for (const [instant, mark] of wanted) if (!this.marks.has(instant)) this.addMark(mark);
    this.drawDays(start, end);
  },
  /** The marks whose labels have room: half hours, or every first, second, third … hour of the day. */
  marksWithRoom(from, to) {
    const { hour, unit } = layout, isWanted = ({ instant, isHour }) => hour >= 150 * unit || (isHour && zone.local(instant) / 3600 % step === 0);
    this.room ||= Math.max(...[0, 10, 12, 22].map(each => this.widthOf(zone.time.format(zone.instantAt(zone.dayOf(from), each * 3600) * 1000))));
    const step = [1, 2, 3, 4, 6, 12].find(hours => hours * hour >= this.room) ?? 24;
    const marks = zone.marks(from, to + step * 3600).filter(isWanted);
    // The label of an hour that occurs twice is wider: without room, `01 BST`. A label without room for the next one takes its place.
    let free = 0;
    return marks.flatMap(mark => {
      const x = layout.x(mark.instant);
      if (x < free) return [];
      let label = zone.label(mark.instant), width = zone.isTwice(mark.instant) ? this.widthOf(label) : this.room;
      if (width > step * hour) width = this.widthOf(label = label.replace(':00 ', ' '));
      free = x + Math.max(width, this.room);
      return [{ ...mark, label, room: width }];
    });
  },
  /** The length of a label along time, with the space around it. */
  widthOf(label) {
    if (layout.isVertical) return 20 * layout.unit;
    const { fontWeight, fontSize, fontFamily } = getComputedStyle(byID('corner'));
    return widthOf(label, `${fontWeight} ${fontSize} ${fontFamily}`) + 12;
  },
  addMark({ instant, next, isHour, label, room }) {
    const x = layout.x(instant);
    const element = make('div', { class: isHour ? 'mark' : 'mark half', role: 'columnheader', 'aria-colindex': columnOf(instant) + 3 }, make('span', {}, label));
    Object.assign(element, { span: layout.x(next) - x, end: layout.x(next), room });
    Object.assign(element.style, { insetInlineStart: x + 'px', inlineSize: element.span + 'px' });
    this.marks.set(instant, element);
    // In time order, for screen readers.
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
    this.drawn = '';
    this.corner = this.room = 0;
    layout.firstMark = 0;
  },

  /** Moves the now-line and its marker in the header to the current time. */
  drawNow() {
    const now = clock.now();
    for (const element of [byID('nowline'), byID('nowmark')]) {
      element.hidden = now < layout.origin || now >= layout.end;
      element.style.insetInlineStart = layout.headWidth + layout.x(now) + 'px';
    }
  },
};

/**
 * The headers of groups of stations near those in sight. Each is in a box as high as its group, in which it sticks to the edge
 * below the hours.
 */
export const groupHeaders = {
  /** The boxes by the index of the group. */
  boxes: new Map(), groups: null, from: 0, to: 0,

  /** The rows of the headers, for screen readers. */
  get rows() { return [...this.boxes.values()].map(box => box.firstChild); },

  draw({ first, end }) {
    const { groups, halfScreen } = layout;
    const from = Math.max(0, layout.groupCount(first - 2 * halfScreen) - 1), to = layout.groupCount(end + 2 * halfScreen);
    if (groups === this.groups && from === this.from && to === this.to) return;
    if (groups !== this.groups) {
      for (const box of this.boxes.values()) box.remove();
      this.boxes.clear();
    }
    [this.groups, this.from, this.to] = [groups, from, to];
    for (const [index, box] of this.boxes) if (index < from || index >= to) { box.remove(); this.boxes.delete(index); }
    for (let index = from; index < to; index++) if (!this.boxes.has(index)) this.boxes.set(index, this.add(index, groups[index]));
    pool.isSorted = false;
    this.paintLines();
  },
  add(index, { title, place, y, end }) {
    const cell = make('span', { role: 'rowheader', dir: 'auto', 'aria-colindex': 1, 'aria-colspan': grid.getAttribute('aria-colcount') }, title);
    const row = make('div', { id: 'group-' + index, class: 'grouphead', role: 'row', 'aria-rowindex': place + index + 2 }, cell);
    const box = make('div', { class: 'grouprows', role: 'presentation' }, row);
    Object.assign(box.style, { insetBlockStart: y + 'px', blockSize: layout.groupHeight + (end - place) * layout.rowHeight + 'px' });
    byID('groups').append(box);
    return box;
  },
  /** Gives the lines across the rows a piece for each group, because their pattern begins with its first row. */
  paintLines() {
    const { groups, groupHeight, isVertical, rowHeight } = layout, isMirrored = document.documentElement.dir === 'rtl';
    const piece = (y, size) => (isVertical ? `${isMirrored ? 'right ' : 'left '}${y}px top 0/${size}px 100%` : `0 ${y}px/100% ${size}px`);
    const pieces = groups.slice(this.from, this.to).map(({ y, place, end }) => piece(y + groupHeight, (end - place) * rowHeight));
    if (groups[0]?.y > 0) pieces.push(piece(0, groups[0].y));
    byID('canvas').style.setProperty('--pieces', pieces.map(each => `var(--pattern) ${each} no-repeat`).join());
  },
};

// The head of a row: the station's name, number, logo and star.

let madeRows = 0;
/**
 * Creates the elements of a row. All heads are in one sticky column, because a sticky element in each row would slow scrolling
 * down most. For screen readers, the row owns its head.
 */
export function makeRow() {
  const number = madeRows++, head = new Head(number);
  const cells = make('div', { id: 'cells-' + number, class: 'cells' });
  const element = make('div', { id: 'row-' + number, class: 'row', role: 'row', 'aria-owns': `head-${number} cells-${number}` }, cells);
  return new Row(element, head, cells);
}

class Head {
  constructor(number) {
    this.name = make('b', { dir: 'auto' });
    this.number = make('small');
    this.logo = make('span', { class: 'logo', 'aria-hidden': 'true' });
    this.link = make('a', { class: 'station', tabindex: '-1' }, make('span', { class: 'name' }, this.name, this.number), this.logo);
    this.star = make('button', { class: 'star', type: 'button', tabindex: '-1', 'aria-pressed': 'false', 'aria-label': t('favorite') }, '☆');
    this.element = make('div', { id: 'head-' + number, class: 'head', role: 'rowheader', 'aria-colindex': 1, 'aria-colspan': 2 }, this.link, this.star);
    /** The displayed station; `null` after the row changes, `false` if the station isn't loaded. */
    this.known = null;
    /** The URL of a logo that isn't shown yet. */
    this.icon = null;
    /** What is on now, if the head shows its picture instead of the logo. */
    this.picture = null;
  }

  write(row) {
    const station = stations.get(row);
    if (this.known === (station ?? false)) return;
    this.known = station ?? false;
    const name = station?.name ?? '';
    this.name.textContent = name;
    // Approximate number of letters in two lines.
    this.element.classList.toggle('long', name.length > 20);
    this.number.textContent = station?.number ?? '';
    this.element.dataset.station = station?.id ?? '';
    if (station) this.link.href = pageURL('/stations/' + encodeURIComponent(station.id)); else this.link.removeAttribute('href');
    this.link.title = name;
    paintStar(this.star, station?.id);
    this.star.setAttribute('aria-label', t('favoriteStation', { name }));
    this.icon = pictureURL(station?.logo);
    this.removePicture();
    if (this.icon) this.logo.replaceChildren(); else this.logo.replaceChildren(make('i', {}, initials(name)));
  }
  /** Shows the station's logo. Logos wait until the rows scroll slowly. page.js replaces logos that fail to load. */
  writeLogo(row) {
    if (this.icon) {
      const image = make('img', { alt: '', decoding: 'async', referrerpolicy: 'no-referrer' });
      image.src = this.icon;
      this.icon = null;
      this.logo.prepend(image);
    }
    const picture = pictures.at(row);
    if (picture === this.picture) return;
    this.removePicture();
    if (picture) this.showPicture(picture);
  }
  /** Shows the picture of what is on instead of the logo, once it has loaded. */
  showPicture(picture) {
    this.picture = picture;
    const image = make('img', {
      class: 'now', alt: '', title: picture.title, loading: 'lazy', decoding: 'async', referrerpolicy: 'no-referrer',
      onload: () => this.logo.classList.add('pictured'), onerror: () => image.remove(),
    });
    image.src = picture.url;
    this.logo.append(image);
  }
  removePicture() {
    if (!this.picture) return;
    this.picture = null;
    this.logo.classList.remove('pictured');
    this.logo.querySelector('.now')?.remove();
  }
}

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
    /** Whether the drawn range has no airing. Then the row has no cell to focus. */
    this.isEmpty = false;
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
      element.dataset.row = this.row;
    }
    this.move();
  }
  /** Moves the elements to the position of the place, which depends on the groups above it. */
  move() {
    this.element.style.insetBlockStart = this.head.element.style.insetBlockStart = layout.y(this.place) + 'px';
    this.element.setAttribute('aria-rowindex', this.place + layout.groupCount(this.place) + 2);
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
  /** The range to draw so that a range is shown: includes the drawn part up to `keep` pixels beyond the edges. */
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

  /** Updates the document to the cells of the list, reusing existing elements. */
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
    this.isEmpty = this.list.every(({ id }) => id === 0);
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
  writeLogo() { if (this.isPlaced) this.head.writeLogo(this.row); }

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

// Selects the cells of a row, and merges short airings into clusters.

/** The cells to draw in a range, with short ones merged. Always includes the focused cell. */
function wantedCells({ place, row }, from, to) {
  const [first, end] = [Math.floor(layout.instant(from)), Math.ceil(layout.instant(to))];
  const cells = cellsOf(place, ...clusterRange(from, to));
  let chosen = focus.row === row ? focus.cell : null;
  const same = chosen && cells.find(cell => isSame(cell, chosen));
  if (same) {
    chosen = focus.cell = same;
  } else if (chosen && chosen.e <= (cells[0]?.s ?? Infinity)) {
    cells.unshift(chosen);
  } else if (chosen && chosen.s >= (cells[cells.length - 1]?.e ?? -Infinity)) {
    cells.push(chosen);
  } else if (chosen) {
    // The guide changed and the airing is gone: the focus moves to the cell at the same instant.
    const other = cells.find(cell => cell.s <= focus.anchor && focus.anchor < cell.e);
    if (other) {
      chosen = focus.cell = other;
      focus.isLost = focus.isInGrid;
    }
  }
  return mergeShort(cells, drawing.minimumWidth, row).filter(cell => cell === chosen || (cell.e > first && cell.s < end));
}

/** The intervals, of four minimum widths from the guide's start on, in which short airings share a cell. */
function clusterIntervals(least) {
  const seconds = Math.max(1, Math.floor(least * 4 * 3600 / layout.hour));
  return { seconds, index: instant => Math.floor((instant - layout.origin) / seconds) };
}

/**
 * The range of instants whose cells determine the clusters between two positions, whatever the page draws (ClusterTimes.reach). It
 * has one interval more than the engine's on each side, because a tile has only its own part of an airing that shares a window.
 */
function clusterRange(from, to) {
  const { seconds, index } = clusterIntervals(drawing.minimumWidth);
  const start = number => clamp(layout.origin + number * seconds, layout.origin, layout.end);
  return [start(index(Math.floor(layout.instant(from))) - 2), start(index(Math.ceil(layout.instant(to))) + 2)];
}

/**
 * Merges adjacent airings that are narrower than `least` and start in the same interval, as the service's layout does
 * (ClusterPolicy). The focused airing stays alone, and separates those before it from those after it.
 */
export function mergeShort(cells, least, row) {
  const { index } = clusterIntervals(least), start = cell => Math.max(cell.s, layout.origin);
  const list = [];
  let run = [];
  const end = () => {
    if (run.length > 1) list.push(cluster(run)); else list.push(...run);
    run = [];
  };
  for (const cell of cells) {
    const seconds = Math.min(cell.e, layout.end) - start(cell), last = run[run.length - 1];
    const isShort = cell.id !== 0 && seconds * layout.hour / 3600 < least && !focus.isOn(row, cell);
    if (last && (!isShort || last.e !== cell.s || index(start(last)) !== index(start(cell)))) end();
    if (isShort) run.push(cell); else list.push(cell);
  }
  end();
  return list;
}

/** Two or more short airings in one cell. */
function cluster(run) {
  const first = run[0], last = run[run.length - 1];
  return { id: -run.length, start: first.s, stop: last.e, s: first.s, e: last.e, title: '', sub: '', genre: 0, flags: 0, members: run };
}

export const keyOf = cell => (cell.id > 0 ? cell.id : (cell.id < 0 ? 'm' : 'g') + cell.s);
// A cell of the document, and its content.

const spareCells = [];

/** Matches right-to-left letters. */
const rightToLeftLetters = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const startsRightToLeft = text => rightToLeftLetters.test(/\p{L}/u.exec(text)?.[0] ?? '');

/**
 * A cell of the grid. Gaps and clusters take the focus themselves, airings through their link. Each box in a cell slows
 * scrolling down, so the title is an element and the line below it a text node.
 */
class Cell {
  constructor() {
    this.title = make('b');
    this.line = document.createTextNode('');
    this.link = make('a', { tabindex: '-1' }, this.title, this.line);
    this.element = make('div', { class: 'cell', role: 'gridcell' }, this.link);
    this.element.cell = this;
    this.facts = null;
    this.written = this.kinds = this.classes = this.phase = '';
    this.isCut = false;
  }

  recycle() {
    this.setCut(false);
    this.element.remove();
    this.facts = null;
    this.written = '';
    if (spareCells.length < 600) spareCells.push(this);
  }

  get target() { return this.facts.id > 0 ? this.link : this.element; }

  /** Updates the cell for a row; `before` is the end of the previous cell in pixels. */
  write(facts, { row, isEmpty, isRagged }, before, now) {
    this.row = row;
    if (this.facts !== facts || this.context !== drawing.context) {
      const station = stations.get(row)?.name ?? '';
      const written = `${facts.id} ${facts.start} ${facts.stop} ${facts.s} ${facts.e} ${facts.genre} ${facts.flags} ${facts.title} ${facts.sub} ${station} ${drawing.context}`;
      [this.facts, this.context] = [facts, drawing.context];
      this.x = layout.x(facts.s);
      this.width = layout.x(facts.e) - this.x;
      if (written !== this.written) this.writeContent(facts, station, isRagged);
      this.written = written;
      this.tick(now);
    }
    this.setOffset(this.x - before);
    const [on, off] = facts.id > 0 ? [this.link, this.element] : [this.element, this.link];
    setTab(on, focus.isOn(row, facts) ? '0' : isEmpty ? '' : '-1');
    setTab(off, '');
  }
  /** Sets the distance from the previous cell in pixels. */
  setOffset(distance) {
    if (this.offset === distance) return;
    this.offset = distance;
    this.element.style.marginInlineStart = distance + 'px';
  }
  writeContent(facts, station, isRagged) {
    const { element, link } = this, range = zone.range(facts.start, facts.stop);
    const column = columnOf(Math.max(layout.origin, facts.s)), last = columnOf(Math.min(layout.end, facts.e) - 1);
    element.style.inlineSize = this.width + 'px';
    element.setAttribute('aria-colindex', column + 3);
    if (last > column) element.setAttribute('aria-colspan', last - column + 1); else element.removeAttribute('aria-colspan');
    element.dataset.id = facts.id;
    element.dataset.start = facts.start;
    element.dataset.stop = facts.stop;
    const label = facts.id === 0 ? t('noInformation') : facts.id < 0 ? t('shortPrograms', { count: -facts.id }) : titleOf(facts.title);
    this.writeKinds(facts, this.width / layout.unit);
    const isBlank = facts.id === 0 && this.width / layout.unit < (layout.isVertical ? 38 : 120);
    this.texts = [isBlank ? '' : facts.id < 0 && this.width < 160 && !layout.isVertical ? String(-facts.id) : label, ''];
    this.isRagged = isRagged;
    this.indented = -1;
    this.day = null;
    this.writeTimes();
    link.hidden = isBlank;
    if (facts.id > 0) link.href = pageURL('/airings/' + facts.id); else link.removeAttribute('href');
    const [named, other] = facts.id > 0 ? [link, element] : [element, link];
    named.setAttribute('aria-label', `${range}, ${station}, ${label}${facts.flags & 128 ? ', ' + t('derived') : ''}${watched.has(facts.id) ? ', ' + watched.mark(facts.id) : ''}`);
    other.removeAttribute('aria-label');
    link.removeAttribute('title');
  }
  /** The parts of the second line: times, badge and subtitle. */
  parts(facts, day) {
    if (facts.id === 0 || this.isThin) return [];
    const range = zone.range(facts.start, facts.stop, day);
    const badge = facts.flags & 32 ? t('badgeLive') : facts.flags & 16 ? t('badgePremiere') : facts.flags & 8 ? t('badgeNew') : facts.flags & 256 ? t('badgeRepeat') : '';
    // A Unicode isolate keeps the range in the direction of the language of times, whatever the surrounding text is.
    const isIsolated = this.isMixed || document.documentElement.dir === 'rtl';
    const when = isIsolated ? (zone.isRightToLeft ? '\u2067' : '\u2066') + range + '\u2069' : range;
    return [(zone.isRightToLeft ? '\u200f' : '') + (facts.flags & 128 ? '~' : '') + when + (facts.flags & 4 ? '?' : ''), badge, facts.sub].filter(Boolean);
  }
  /**
   * Writes the second line: as many of its parts as fit completely. Times are as seen from the day of the edge, for a cell that the
   * edge clips, or else from the day of its start, which is where its text begins.
   */
  writeTimes(left = 0) {
    const { facts } = this, edge = this.isCut ? layout.instant(left) : layout.origin, day = zone.dayOf(Math.max(facts.start, edge));
    if (this.day !== day) {
      this.day = day;
      // The line with one part, two parts, …
      this.lines = this.parts(facts, day).map((_, i, parts) => parts.slice(0, i + 1).join(' · '));
      this.shown = -1;
    }
    const shown = this.fitting(this.isCut ? this.inset(left) : 0);
    if (this.shown === shown) return;
    this.shown = shown;
    this.texts[1] = shown ? (layout.isVertical ? '' : '\n') + this.lines[shown - 1] : '';
    this.writeTexts(this.isRagged);
  }
  /** The number of parts of the second line that fit a cell whose text is moved by `inset` pixels; see guide.css. */
  fitting(inset) {
    const { lines } = this, { isVertical, smallFont, titleFont } = layout;
    if (!isVertical) {
      const room = this.width - inset - (this.isShort ? 11 : 22);
      return partition(lines, line => widthOf(line, smallFont) > room);
    }
    // A title has as many lines as leave room for times.
    const room = this.width - inset - 6, title = 1.35 * layout.textSize, small = 1.35 * layout.smallSize, across = layout.rowHeight - 20;
    const most = Math.max(1, Math.floor((room - small) / title));
    const titles = Math.min(most, lineCount((this.facts.genre ? '◎ ' : '') + this.texts[0], titleFont, across));
    const shown = partition(lines, line => lineCount(line, smallFont, across) * small > room - titles * title);
    this.title.style.webkitLineClamp = shown ? most : Math.max(1, Math.floor(room / title));
    return shown;
  }
  /** Writes the texts, without the part that cannot be visible: letters are rarely narrower than 5.5 points. */
  writeTexts(isRagged) {
    this.isRagged = isRagged;
    const most = isRagged && !this.isMixed ? Math.ceil(this.width / layout.unit / 5.5) : Infinity;
    [this.title.textContent, this.line.data] = this.texts.map(text => beginning(text, most));
  }
  /** Sets the classes that depend on the kind of cell and its width in points. The server writes the same classes. */
  writeKinds(facts, width) {
    this.isMixed = rightToLeftLetters.test(facts.title + facts.sub);
    // Downwards, a cell has room for two lines from 38 points on.
    this.isThin = width < (layout.isVertical ? 38 : 44);
    this.isShort = width < 100 && !layout.isVertical;
    this.kinds = 'cell' + (facts.id === 0 ? ' gap' : facts.id < 0 ? ' many' : '') + (facts.genre ? ' g' + facts.genre : '') +
      (width < 8 ? ' tiny' : this.isThin ? ' thin' : this.isShort ? ' short' : '') +
      (this.isMixed ? ' mixed' : '') + (startsRightToLeft(facts.title) ? ' away' : '') + (isLocked(facts) ? ' locked' : '') + (view.isFiltered && view.isWanted(facts) ? ' wanted' : '') +
      (watched.has(facts.id) ? ' watched' : '');
  }

  /** Updates the classes for past and current airings, and the elapsed part. Airings that share a window may not have begun, or be over. */
  tick(now) {
    const { facts } = this;
    this.phase = facts.start > now ? '' : facts.stop <= now ? ' past' : ' on';
    this.writeClasses();
    if (this.phase !== ' on') return;
    const done = layout.x(now) - this.x + 'px';
    if (this.done !== done) this.element.style.setProperty('--done', this.done = done);
  }

  /** Marks the cell as clipped by the edge. Its text then is in a box of its own, which moves. */
  setCut(isCut) {
    if (this.isCut === isCut) return;
    this.isCut = isCut;
    this.indented = -1;
    if (isCut) {
      this.box ??= make('span');
      this.box.append(this.title, this.line);
      this.link.append(this.box);
    } else {
      this.link.append(this.title, this.line);
      this.box.remove();
      if (this.facts) this.writeTimes();
    }
    this.writeClasses();
  }
  /** The distance of the text from where it begins: it is 10 points after the edge, or 6 below it, until the end of the cell; see guide.css. */
  inset(left) { return layout.isVertical ? textInset(left + 2, this.x, this.width, 6) : textInset(left - 2, this.x, this.width, 14); }
  /** Places the text where it would stick. */
  indent(left) {
    const indented = this.inset(left);
    if (this.indented === indented) return;
    this.indented = indented;
    this.box.style.marginBlockStart = layout.isVertical ? indented + 'px' : '';
    this.box.style.marginInlineStart = layout.isVertical ? '' : indented + 'px';
  }
  writeClasses() {
    const classes = this.kinds + this.phase + (this.isCut ? ' cut' : '');
    if (classes !== this.classes) this.element.className = this.classes = classes;
  }
}

/** Sets the place of an element in the tab order; empty for an element that cannot be focused. */
function setTab(element, tab) {
  if (element.tab === tab) return;
  element.tab = tab;
  if (tab) element.setAttribute('tabindex', tab); else element.removeAttribute('tabindex');
}

/** The distance that a cell's text moves to stay in sight, as long as `least` remains of the cell (GuideElement.leadingTextInset). */
function textInset(edge, x, width, least) {
  return Math.min(clamp(edge - x, 0, width), Math.max(0, width - least));
}

/** Returns at most `most` UTF-16 code units of a text, without splitting a surrogate pair. */
function beginning(text, most) {
  if (text.length <= most) return text;
  const isHalf = (text.charCodeAt(most - 1) & 0xfc00) === 0xd800;
  return text.slice(0, isHalf ? most - 1 : most);
}
