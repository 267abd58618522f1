// Rows and cells of the document, and what is written in them.

const spareCells = [];

/**
 * A row: the head with the station, and the cells. All heads stand in one column that is sticky as a whole, since a sticky
 * element in each row is what slows scrolling down most; the row owns its head for who reads the screen.
 */
let madeRows = 0;
function makeRow() {
  const number = madeRows++;
  const name = make('b', { dir: 'auto' }), channel = make('small'), logo = make('span', { class: 'logo', 'aria-hidden': 'true' });
  const link = make('a', { class: 'station', tabindex: '-1' }, make('span', { class: 'name' }, name, channel), logo);
  const star = make('button', { class: 'star', type: 'button', tabindex: '-1', 'aria-pressed': 'false', 'aria-label': 'Favourite' }, '☆');
  const head = make('div', { id: 'head-' + number, class: 'head', role: 'rowheader', 'aria-colindex': 1, 'aria-colspan': 2 }, link, star);
  const cells = make('div', { id: 'cells-' + number, class: 'cells' });
  const element = make('div', { class: 'row', role: 'row', 'aria-owns': `head-${number} cells-${number}` }, cells);
  return new Row({ element, head, name, number: channel, logo, link, star, container: cells });
}

class Row {
  constructor(parts) {
    Object.assign(this, parts);
    this.cells = new Map();
    this.list = [];
    /** Cells of the station that had the row before, in the document's order: they are written anew where they stand. */
    this.free = [];
    this.stamp = '';
    /** What is drawn, in pixels. */
    this.from = this.to = 0;
    this.cut = null;
    this.cutAt = -1;
    this.known = null;
  }

  /** Gives the row to a place. */
  assign(place, row) {
    if (this.row !== row) this.release();
    this.place = place;
    this.row = row;
    this.stamp = '';
    this.known = null;
    this.isPlaced = false;
  }
  /** Goes where it belongs; a row that waits for its cells stays out of sight until then. */
  stand() {
    if (this.isPlaced) return;
    this.isPlaced = true;
    for (const element of [this.element, this.head]) {
      element.hidden = false;
      element.style.top = this.place * layout.rowHeight + 'px';
      element.dataset.row = this.row;
    }
    this.element.setAttribute('aria-rowindex', this.place + 2);
    this.writeHead();
  }
  hide() {
    if (this.element.hidden) return;
    this.empty();
    this.element.hidden = this.head.hidden = true;
  }
  remove() {
    this.empty();
    this.element.remove();
    this.head.remove();
  }
  /** What the row showed is no longer meant. */
  release() {
    this.setCut(null);
    this.cutAt = -1;
    if (this.cells.size) this.free = [...this.container.children].map(element => element.cell);
    this.cells.clear();
    this.list = [];
  }
  empty() {
    this.release();
    for (const cell of this.free) cell.giveBack();
    this.free = [];
  }
  get count() { return this.cells.size + this.free.length; }

  writeHead() {
    const station = stations.get(this.row);
    if (this.known === (station ?? false)) return;
    this.known = station ?? false;
    this.name.textContent = station?.name ?? '';
    this.number.textContent = station?.number ?? '';
    this.element.dataset.station = this.head.dataset.station = station?.id ?? '';
    if (station) this.link.href = pageAddress('/stations/' + encodeURIComponent(station.id)); else this.link.removeAttribute('href');
    this.link.title = station?.name ?? '';
    paintStar(this.star, station?.id);
    this.star.setAttribute('aria-label', 'Favourite: ' + (station?.name ?? ''));
    this.icon = webAddress(station?.icon);
    if (this.icon) this.logo.replaceChildren(); else this.writeInitials();
  }
  /** Shows the station's picture; pictures wait until rows don't fly by. page.js sees to those that can't be had. */
  writeLogo() {
    if (!this.icon || !this.isPlaced) return;
    const image = make('img', { alt: '', decoding: 'async', referrerpolicy: 'no-referrer' });
    image.src = this.icon;
    this.icon = null;
    this.logo.replaceChildren(image);
  }
  writeInitials() {
    const words = (stations.get(this.row)?.name ?? '').split(/[^\p{L}\p{N}]+/u).filter(Boolean);
    const text = words.slice(0, 2).map(word => [...word][0]).join('').toUpperCase();
    this.logo.replaceChildren(make('i', {}, text));
  }

  /** What the cells depend on, besides the place in time. */
  get due() {
    const block = Math.floor(this.place / tileRows) * 1e5, [first, last] = slotsBetween(this.from, this.to);
    let due = `${renderer.stamp} ${renderer.least} ${focus.key(this.row)}`;
    for (let slot = first; slot <= last; slot++) due += ' ' + (renderer.stamps.get(block + slot) || 0);
    return due;
  }
  /** Whether the row shows all there is between two places. */
  shows(from, to) {
    return this.from <= Math.max(0, from) && this.to >= Math.min(to, layout.x(layout.end)) && this.stamp === this.due;
  }
  /** Works out the cells to draw between two places. */
  plan(from, to) {
    [this.from, this.to] = [from, to];
    this.list = this.wanted(from, to, renderer.least);
    this.stamp = '';
  }

  /** The cells to draw between two places, short ones put together; the one that has the focus always among them. */
  wanted(from, to, least) {
    const { cells } = cellsOf(this.place, Math.floor(layout.instant(from)), Math.ceil(layout.instant(to)));
    let chosen = focus.row === this.row ? focus.cell : null;
    const same = chosen && cells.find(cell => isSame(cell, chosen));
    if (same) {
      chosen = focus.cell = same;
    } else if (chosen && chosen.e <= (cells[0]?.s ?? Infinity)) {
      cells.unshift(chosen);
    } else if (chosen && chosen.s >= (cells[cells.length - 1]?.e ?? -Infinity)) {
      cells.push(chosen);
    } else if (chosen) {
      // The guide changed, and the airing is gone: the focus goes to what is on at the same instant.
      const other = cells.find(cell => cell.s <= focus.anchor && focus.anchor < cell.e);
      if (other) {
        chosen = focus.cell = other;
        focus.isLost = focus.isInGrid;
      }
    }
    const list = [];
    let run = [];
    const end = () => {
      if (run.length > 1) list.push(cluster(run)); else list.push(...run);
      run = [];
    };
    for (const cell of cells) {
      const isShort = layout.x(cell.e) - layout.x(cell.s) < least && !(chosen && isSame(cell, chosen));
      if (run.length && (!isShort || run[run.length - 1].e !== cell.s || layout.x(cell.e) - layout.x(run[0].s) > Math.max(least * 3, 60))) end();
      if (isShort) run.push(cell); else list.push(cell);
    }
    end();
    return list;
  }

  /** Makes the cells in the document those of the list; what is there already stays, and is written anew where it differs. */
  fill() {
    this.stamp = this.due;
    this.stand();
    this.writeHead();
    const keys = new Set(this.list.map(keyOf));
    for (const [key, cell] of this.cells) {
      if (keys.has(key)) continue;
      // A gap grows as tiles come.
      const grown = cell.facts.id === 0 && this.list.find(facts => isSame(facts, cell.facts));
      if (grown && !this.cells.has(keyOf(grown))) {
        this.cells.delete(key);
        this.cells.set(keyOf(grown), cell);
        continue;
      }
      if (this.cut === cell) this.setCut(null);
      this.cells.delete(key);
      cell.giveBack();
    }
    let used = 0;
    let next = this.container.firstChild;
    for (const facts of this.list) {
      const key = keyOf(facts);
      let cell = this.cells.get(key);
      if (!cell) {
        cell = this.free[used++] || spareCells.pop() || new Cell();
        this.cells.set(key, cell);
      }
      cell.write(facts, this.row);
      if (cell.element === next) next = next.nextSibling;
      else this.container.insertBefore(cell.element, next);
    }
    for (const cell of this.free.splice(0).slice(used)) cell.giveBack();
    this.cutAt = -1;
  }

  /** Lets the text of the cell that the edge cuts stick to it. */
  markCut(left, reach) {
    if (this.cutAt === left && this.cutReach === reach) return;
    [this.cutAt, this.cutReach] = [left, reach];
    let cut = null;
    for (const cell of this.cells.values()) {
      if (cell.x < reach && cell.x < left + 160 && cell.x + cell.width > left + 1 && cell.width > 76 && (cell.x < left || !cut)) cut = cell;
      if (cut && cut.x < left) break;
    }
    this.setCut(cut);
  }
  setCut(cell) {
    if (cell === this.cut) return;
    this.cut?.stick(false);
    cell?.stick(true);
    this.cut = cell;
  }
}

/** Two or more short airings in one cell. */
function cluster(run) {
  const first = run[0], last = run[run.length - 1];
  const count = run.filter(cell => cell.id !== 0).length;
  return { id: -count, start: first.s, stop: last.e, s: first.s, e: last.e, title: '', sub: '', genre: 0, flags: 0, members: run };
}

const keyOf = cell => (cell.id > 0 ? cell.id : (cell.id < 0 ? 'm' : 'g') + cell.s);
/** Gaps are made of what tiles know: two that overlap are one. */
const isSame = (a, b) => (a.id === b.id && (a.id !== 0 || (a.s < b.e && b.s < a.e)));

/** A cell of the document. Gaps and clusters have the focus themselves, airings through their link. */
class Cell {
  constructor() {
    this.title = make('b');
    this.line = make('small');
    this.text = make('span', {}, this.title, this.line);
    this.link = make('a', { tabindex: '-1' }, this.text);
    this.element = make('div', { class: 'cell', role: 'gridcell' }, this.link);
    this.element.cell = this;
    this.facts = null;
    this.written = this.kinds = this.classes = this.phase = '';
    this.isCut = false;
  }

  giveBack() {
    this.element.remove();
    this.facts = null;
    this.written = '';
    this.isCut = false;
    if (spareCells.length < 600) spareCells.push(this);
  }

  get target() { return this.facts.id > 0 ? this.link : this.element; }

  write(facts, row) {
    this.facts = facts;
    this.row = row;
    this.x = layout.x(facts.s);
    this.width = layout.x(facts.e) - this.x;
    const station = stations.get(row)?.name ?? '';
    const written = `${facts.id} ${facts.start} ${facts.stop} ${facts.s} ${facts.e} ${facts.genre} ${layout.hour} ${facts.title} ${facts.sub} ${station} ${zone.name} ${settings.clock} ${grid.dataset.only}`;
    if (written !== this.written) {
      this.written = written;
      this.writeAll(facts, station);
    }
    const tab = focus.isOn(row, facts) ? '0' : '-1';
    const [on, off] = facts.id > 0 ? [this.link, this.element] : [this.element, this.link];
    if (on.getAttribute('tabindex') !== tab) on.setAttribute('tabindex', tab);
    if (off === this.element && off.hasAttribute('tabindex')) off.removeAttribute('tabindex');
    this.tick(clock.now());
  }
  writeAll(facts, station) {
    const { element, link } = this, range = zone.range(facts.start, facts.stop);
    const column = columnOf(Math.max(layout.origin, facts.s)), last = columnOf(Math.min(layout.end, facts.e) - 1);
    element.style.cssText = `inset-inline-start:${this.x}px;inline-size:${this.width}px`;
    element.setAttribute('aria-colindex', column + 3);
    if (last > column) element.setAttribute('aria-colspan', last - column + 1); else element.removeAttribute('aria-colspan');
    element.dataset.id = facts.id;
    element.dataset.start = facts.start;
    element.dataset.stop = facts.stop;
    const only = grid.dataset.only;
    this.kinds = 'cell' + (facts.id === 0 ? ' gap' : facts.id < 0 ? ' many' : '') + (facts.genre ? ' g' + facts.genre : '') +
      (this.width < 8 ? ' tiny' : this.width < 44 ? ' thin' : '') + (only && only === String(facts.genre) ? ' wanted' : '');
    const words = facts.id === 0 ? 'No listings' : facts.id < 0 ? `${-facts.id} short programmes` : facts.title || 'Untitled';
    this.label = `${range}, ${station}, ${words}`;
    this.title.textContent = facts.id === 0 ? '' : facts.id < 0 && this.width < 160 ? String(-facts.id) : words;
    const badge = facts.flags & 32 ? 'LIVE · ' : facts.flags & 16 ? 'PREMIERE · ' : facts.flags & 8 ? 'NEW · ' : '';
    this.line.textContent = facts.id === 0 ? '' : '\n' + badge + range + (facts.flags & 4 ? '?' : '') + (facts.sub ? ' · ' + facts.sub : '');
    link.hidden = facts.id === 0;
    if (facts.id > 0) link.href = pageAddress('/airings/' + facts.id); else link.removeAttribute('href');
    const [named, other] = facts.id > 0 ? [link, element] : [element, link];
    named.setAttribute('aria-label', this.label);
    other.removeAttribute('aria-label');
    link.removeAttribute('title');
  }

  /** Past, on now or to come, and how much of it is over. */
  tick(now) {
    const { facts } = this;
    const phase = facts.id === 0 || facts.start > now ? '' : facts.stop <= now ? ' past' : ' on';
    this.phase = phase;
    this.writeClasses();
    if (phase === ' on') {
      const done = clamp(layout.x(now) - this.x, 0, this.width) + 'px';
      if (this.element.style.getPropertyValue('--done') !== done) this.element.style.setProperty('--done', done);
    }
  }
  /** Puts the text where it would stick: 10 points behind the edge, as long as 64 are left for it; see guide.css. */
  indent(left) {
    if (this.indented === left) return;
    this.indented = left;
    this.text.style.setProperty('--cut', clamp(left - this.x - 2, 0, this.width - 86) + 'px');
  }
  stick(isCut) {
    this.indented = -1;
    this.isCut = isCut;
    this.writeClasses();
  }
  writeClasses() {
    const classes = this.kinds + this.phase + (this.isCut ? ' cut' : '');
    if (classes !== this.classes) this.element.className = this.classes = classes;
  }
}

