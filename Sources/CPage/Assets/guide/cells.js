// Rows and cells of the document, and what is written in them.

const spareCells = [];

/** A row: the head with the station, and the cells. */
function makeRow() {
  const name = make('b', { dir: 'auto' }), number = make('small'), logo = make('span', { class: 'logo', 'aria-hidden': 'true' });
  const link = make('a', { class: 'station', tabindex: '-1' }, make('span', { class: 'name' }, name, number), logo);
  const star = make('button', { class: 'star', type: 'button', tabindex: '-1', 'aria-pressed': 'false', 'aria-label': 'Favourite' }, '☆');
  const head = make('div', { class: 'head', role: 'rowheader', 'aria-colindex': 1, 'aria-colspan': 2 }, link, star);
  const cells = make('div', { class: 'cells' });
  const element = make('div', { class: 'row', role: 'row' }, head, cells);
  return new Row({ element, name, number, logo, link, star, container: cells });
}

class Row {
  constructor(parts) {
    Object.assign(this, parts);
    this.cells = new Map();
    this.list = [];
    this.stamp = '';
    this.cut = null;
    this.known = null;
  }

  /** Gives the row to a place. */
  assign(place, row) {
    if (this.row !== row) this.empty();
    this.place = place;
    this.row = row;
    this.stamp = '';
    this.known = null;
    this.element.hidden = false;
    this.element.style.top = place * layout.rowHeight + 'px';
    this.element.setAttribute('aria-rowindex', place + 2);
    this.element.dataset.row = row;
    this.writeHead();
  }
  hide() {
    this.empty();
    this.element.hidden = true;
  }
  remove() {
    this.empty();
    this.element.remove();
  }
  empty() {
    for (const cell of this.cells.values()) cell.giveBack();
    this.cells.clear();
    this.list = [];
    this.cut = null;
  }

  writeHead() {
    const station = stations.get(this.row);
    if (this.known === (station ?? false)) return;
    this.known = station ?? false;
    this.name.textContent = station?.name ?? '';
    this.number.textContent = station?.number ?? '';
    this.element.dataset.station = station?.id ?? '';
    if (station) this.link.href = pageAddress('/stations/' + encodeURIComponent(station.id)); else this.link.removeAttribute('href');
    this.link.title = station?.name ?? '';
    paintStar(this.star, station?.id);
    this.star.setAttribute('aria-label', 'Favourite: ' + (station?.name ?? ''));
    const icon = webAddress(station?.icon);
    if (!icon) return this.writeInitials();
    const image = make('img', { alt: '', loading: 'lazy', decoding: 'async', referrerpolicy: 'no-referrer', onerror: () => { if (image.isConnected) this.writeInitials(); } });
    image.src = icon;
    this.logo.replaceChildren(image);
  }
  writeInitials() {
    const words = (stations.get(this.row)?.name ?? '').split(/[^\p{L}\p{N}]+/u).filter(Boolean);
    const text = words.slice(0, 2).map(word => [...word][0]).join('').toUpperCase();
    this.logo.replaceChildren(make('i', {}, text));
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
      if (this.cut === cell) this.cut = null;
      this.cells.delete(key);
      cell.giveBack();
    }
    let next = this.container.firstChild;
    for (const facts of this.list) {
      const key = keyOf(facts);
      let cell = this.cells.get(key);
      if (!cell) {
        cell = spareCells.pop() || new Cell();
        this.cells.set(key, cell);
      }
      cell.write(facts, this.row);
      if (cell.element === next) next = next.nextSibling;
      else this.container.insertBefore(cell.element, next);
    }
  }

  markCut(left, reach) {
    let cut = null;
    for (const cell of this.cells.values()) {
      if (cell.x < reach && cell.x < left + 160 && cell.x + cell.width > left + 1 && cell.width > 76 && (cell.x < left || !cut)) cut = cell;
      if (cut && cut.x < left) break;
    }
    if (cut === this.cut) return;
    this.cut?.element.classList.remove('cut');
    cut?.element.classList.add('cut');
    this.cut = cut;
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
    this.link = make('a', { tabindex: '-1' }, make('span', {}, this.title, this.line));
    this.element = make('div', { class: 'cell', role: 'gridcell' }, this.link);
    this.element.cell = this;
    this.facts = null;
    this.written = '';
  }

  giveBack() {
    this.element.remove();
    this.facts = null;
    this.written = '';
    this.element.classList.remove('cut');
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
    const isCut = element.classList.contains('cut'), only = grid.dataset.only;
    element.className = 'cell' + (facts.id === 0 ? ' gap' : facts.id < 0 ? ' many' : '') + (facts.genre ? ' g' + facts.genre : '') +
      (this.width < 8 ? ' tiny' : this.width < 44 ? ' thin' : '') + (isCut ? ' cut' : '') + (only && only === String(facts.genre) ? ' wanted' : '');
    this.phase = '';
    const words = facts.id === 0 ? 'No listings' : facts.id < 0 ? `${-facts.id} short programmes` : facts.title || 'Untitled';
    this.label = `${range}, ${station}, ${words}`;
    this.title.textContent = facts.id === 0 ? '' : facts.id < 0 && this.width < 160 ? String(-facts.id) : words;
    const badge = facts.flags & 32 ? 'LIVE · ' : facts.flags & 16 ? 'PREMIERE · ' : facts.flags & 8 ? 'NEW · ' : '';
    this.line.textContent = facts.id === 0 ? '' : badge + range + (facts.flags & 4 ? '?' : '') + (facts.sub ? ' · ' + facts.sub : '');
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
    if (facts.id === 0) return;
    const phase = facts.stop <= now ? 'past' : facts.start <= now ? 'on' : 'next';
    if (phase !== this.phase) {
      this.element.classList.toggle('past', phase === 'past');
      this.element.classList.toggle('on', phase === 'on');
      this.phase = phase;
    }
    if (phase === 'on') {
      const done = clamp(layout.x(now) - this.x, 0, this.width) + 'px';
      if (this.element.style.getPropertyValue('--done') !== done) this.element.style.setProperty('--done', done);
    }
  }
}

