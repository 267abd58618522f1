// A cell of the document, and what is written in it.

const spareCells = [];

/** Letters that are written from right to left, and whether the first letter of a text is one. */
const leftward = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const beginsLeftward = text => leftward.test(/\p{L}/u.exec(text)?.[0] ?? '');

/**
 * Gaps and clusters have the focus themselves, airings through their link. Cells are many, and each box in them makes
 * scrolling slower: the title is an element, the line below it a text.
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

  giveBack() {
    this.setCut(false);
    this.element.remove();
    this.facts = null;
    this.written = '';
    if (spareCells.length < 600) spareCells.push(this);
  }

  get target() { return this.facts.id > 0 ? this.link : this.element; }

  /** Writes it for a row; `before` is where the cell before it ends. */
  write(facts, { row, isRagged }, before, now) {
    this.row = row;
    if (this.facts !== facts || this.era !== drawing.era) {
      const station = stations.get(row)?.name ?? '';
      const written = `${facts.id} ${facts.start} ${facts.stop} ${facts.s} ${facts.e} ${facts.genre} ${facts.flags} ${facts.title} ${facts.sub} ${station} ${drawing.era}`;
      [this.facts, this.era] = [facts, drawing.era];
      this.x = layout.x(facts.s);
      this.width = layout.x(facts.e) - this.x;
      if (written !== this.written) this.writeAll(facts, station, isRagged);
      this.written = written;
      this.tick(now);
    }
    this.stand(this.x - before);
    const tab = focus.isOn(row, facts) ? '0' : '-1';
    const [on, off] = facts.id > 0 ? [this.link, this.element] : [this.element, this.link];
    if (on.tab !== tab) on.setAttribute('tabindex', on.tab = tab);
    if (off === this.element && off.tab) { off.removeAttribute('tabindex'); off.tab = ''; }
  }
  /** How far it stands from the cell before it. */
  stand(distance) {
    if (this.stood === distance) return;
    this.stood = distance;
    this.element.style.marginInlineStart = distance + 'px';
  }
  writeAll(facts, station, isRagged) {
    const { element, link } = this, range = zone.range(facts.start, facts.stop);
    const column = columnOf(Math.max(layout.origin, facts.s)), last = columnOf(Math.min(layout.end, facts.e) - 1);
    element.style.inlineSize = this.width + 'px';
    element.setAttribute('aria-colindex', column + 3);
    if (last > column) element.setAttribute('aria-colspan', last - column + 1); else element.removeAttribute('aria-colspan');
    element.dataset.id = facts.id;
    element.dataset.start = facts.start;
    element.dataset.stop = facts.stop;
    const words = facts.id === 0 ? 'No listings' : facts.id < 0 ? `${-facts.id} short programmes` : facts.title || 'Untitled';
    this.writeKinds(facts, this.width / layout.unit);
    this.texts = facts.id === 0 ? ['', ''] : [facts.id < 0 && this.width < 160 ? String(-facts.id) : words, this.isThin ? '' : this.lineOf(facts, range)];
    this.writeTexts(isRagged);
    link.hidden = facts.id === 0;
    if (facts.id > 0) link.href = pageAddress('/airings/' + facts.id); else link.removeAttribute('href');
    const [named, other] = facts.id > 0 ? [link, element] : [element, link];
    named.setAttribute('aria-label', `${range}, ${station}, ${words}`);
    other.removeAttribute('aria-label');
    link.removeAttribute('title');
  }
  /** The second line: what is special, when, and what of a series. */
  lineOf(facts, range) {
    const badge = facts.flags & 32 ? 'LIVE · ' : facts.flags & 16 ? 'PREMIERE · ' : facts.flags & 8 ? 'NEW · ' : '';
    // The range runs in the direction of the language in which times are written, whatever stands around it (Unicode, isolates).
    const isIsolated = this.isMixed || document.documentElement.dir === 'rtl';
    const when = isIsolated ? (zone.isLeftward ? '\u2067' : '\u2066') + range + '\u2069' : range;
    return '\n' + badge + when + (facts.flags & 4 ? '?' : '') + (facts.sub ? ' · ' + facts.sub : '');
  }
  /** What nobody sees needn't be drawn: letters are hardly ever narrower than 5.5 points. */
  writeTexts(isRagged) {
    const most = isRagged && !this.isMixed ? Math.ceil(this.width / layout.unit / 5.5) : Infinity;
    [this.title.textContent, this.line.data] = this.texts.map(text => beginning(text, most));
  }
  /** Classes by what it is and how wide, in points. The server writes the same. */
  writeKinds(facts, width) {
    const only = grid.dataset.only;
    this.isMixed = leftward.test(facts.title + facts.sub);
    this.isThin = width < 44;
    this.kinds = 'cell' + (facts.id === 0 ? ' gap' : facts.id < 0 ? ' many' : '') + (facts.genre ? ' g' + facts.genre : '') +
      (width < 8 ? ' tiny' : width < 44 ? ' thin' : width < 100 ? ' short' : '') +
      (this.isMixed ? ' mixed' : '') + (beginsLeftward(facts.title) ? ' away' : '') + (only && only === String(facts.genre) ? ' wanted' : '');
  }

  /** Past, on now or to come, and how much of it is over. */
  tick(now) {
    const { facts } = this;
    this.phase = facts.id === 0 || facts.start > now ? '' : facts.stop <= now ? ' past' : ' on';
    this.writeClasses();
    if (this.phase !== ' on') return;
    const done = clamp(layout.x(now) - this.x, 0, this.width) + 'px';
    if (this.done !== done) this.element.style.setProperty('--done', this.done = done);
  }

  /** Whether the edge cuts it: its text then is a box of its own, which moves. */
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
    }
    this.writeClasses();
  }
  /** Puts the text where it would stick: 10 points behind the edge, as long as 64 are left for it; see guide.css. */
  indent(left) {
    const indented = textInset(left - 2, this.x, this.width, 86);
    if (this.indented === indented) return;
    this.indented = indented;
    this.box.style.marginInlineStart = indented + 'px';
  }
  writeClasses() {
    const classes = this.kinds + this.phase + (this.isCut ? ' cut' : '');
    if (classes !== this.classes) this.element.className = this.classes = classes;
  }
}

/** How far the text of a cell moves to stay behind the edge, as long as `least` is left of the cell (GuideElement.leadingTextInset). */
function textInset(edge, x, width, least) {
  return Math.min(clamp(edge - x, 0, width), Math.max(0, width - least));
}

/** So much of a text at most, and no half of a character that two units make up (Unicode, surrogates). */
function beginning(text, most) {
  if (text.length <= most) return text;
  const isHalf = (text.charCodeAt(most - 1) & 0xfc00) === 0xd800;
  return text.slice(0, isHalf ? most - 1 : most);
}
