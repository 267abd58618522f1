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
  write(facts, { row, isRagged }, before, now) {
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
    const tab = focus.isOn(row, facts) ? '0' : '-1';
    const [on, off] = facts.id > 0 ? [this.link, this.element] : [this.element, this.link];
    if (on.tab !== tab) on.setAttribute('tabindex', on.tab = tab);
    if (off === this.element && off.tab) { off.removeAttribute('tabindex'); off.tab = ''; }
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
    const label = facts.id === 0 ? 'No listings' : facts.id < 0 ? `${-facts.id} short programs` : facts.title || 'Untitled';
    this.writeKinds(facts, this.width / layout.unit);
    this.texts = [facts.id === 0 ? '' : facts.id < 0 && this.width < 160 && !layout.isVertical ? String(-facts.id) : label, ''];
    this.isRagged = isRagged;
    this.indented = -1;
    this.day = null;
    this.writeTimes();
    link.hidden = facts.id === 0;
    if (facts.id > 0) link.href = pageURL('/airings/' + facts.id); else link.removeAttribute('href');
    const [named, other] = facts.id > 0 ? [link, element] : [element, link];
    named.setAttribute('aria-label', `${range}, ${station}, ${label}${facts.flags & 128 ? ', derived' : ''}${watched.rules.has(facts.id) ? ', ' + watched.mark(facts.id) : ''}`);
    other.removeAttribute('aria-label');
    link.removeAttribute('title');
  }
  /** The second line: badge, times and sub-title. */
  secondLine(facts, range) {
    const badge = facts.flags & 32 ? 'LIVE · ' : facts.flags & 16 ? 'PREMIERE · ' : facts.flags & 8 ? 'NEW · ' : '';
    // A Unicode isolate keeps the range in the direction of the language of times, whatever the surrounding text is.
    const isIsolated = this.isMixed || document.documentElement.dir === 'rtl';
    const when = isIsolated ? (zone.isRightToLeft ? '\u2067' : '\u2066') + range + '\u2069' : range;
    return '\n' + badge + (facts.flags & 128 ? '~' : '') + when + (facts.flags & 4 ? '?' : '') + (facts.sub ? ' · ' + facts.sub : '');
  }
  /**
   * Writes the times as seen from the day of the edge, for a cell that the edge clips, or else from the day of its start, which is
   * where its text begins.
   */
  writeTimes(left = 0) {
    const { facts } = this, edge = this.isCut ? layout.instant(left) : layout.origin, day = zone.dayOf(Math.max(facts.start, edge));
    if (this.day === day) return;
    this.day = day;
    this.texts[1] = facts.id === 0 || this.isThin ? '' : this.secondLine(facts, zone.range(facts.start, facts.stop, day));
    this.writeTexts(this.isRagged);
  }
  /** Writes the texts, without the part that cannot be visible: letters are rarely narrower than 5.5 points. */
  writeTexts(isRagged) {
    this.isRagged = isRagged;
    const most = isRagged && !this.isMixed ? Math.ceil(this.width / layout.unit / 5.5) : Infinity;
    [this.title.textContent, this.line.data] = this.texts.map(text => beginning(text, most));
  }
  /** Sets the classes that depend on the kind of cell and its width in points. The server writes the same classes. */
  writeKinds(facts, width) {
    const only = grid.dataset.only;
    this.isMixed = rightToLeftLetters.test(facts.title + facts.sub);
    // Downwards, a cell has room for two lines from 38 points on.
    this.isThin = width < (layout.isVertical ? 38 : 44);
    this.kinds = 'cell' + (facts.id === 0 ? ' gap' : facts.id < 0 ? ' many' : '') + (facts.genre ? ' g' + facts.genre : '') +
      (width < 8 ? ' tiny' : this.isThin ? ' thin' : width < 100 && !layout.isVertical ? ' short' : '') +
      (this.isMixed ? ' mixed' : '') + (startsRightToLeft(facts.title) ? ' away' : '') + (only && only === String(facts.genre) ? ' wanted' : '') +
      (watched.rules.has(facts.id) ? ' watched' : '');
  }

  /** Updates the classes for past and current airings, and the elapsed part. */
  tick(now) {
    const { facts } = this;
    this.phase = facts.id === 0 || facts.start > now ? '' : facts.stop <= now ? ' past' : ' on';
    this.writeClasses();
    if (this.phase !== ' on') return;
    const done = clamp(layout.x(now) - this.x, 0, this.width) + 'px';
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
  /** Places the text where it would stick: 10 points after the edge, or 6 below it, until the end of the cell; see guide.css. */
  indent(left) {
    const indented = layout.isVertical ? textInset(left + 2, this.x, this.width, 6) : textInset(left - 2, this.x, this.width, 14);
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
