// Runs the modules of the guide page on guides from standard input, for comparison with the service's layout
// (PageAgreementTests).
//
// Standard input is JSON: {"folder": the path of the modules, "cases": [...]}. Standard output is an array with the result of each
// case. A row of a guide is an array of airings [id, start, stop, index, count]; index and count are the position among the
// airings that share the window. The times between airings are gaps.

const fs = require('fs');
const path = require('path');
const vm = require('vm');

const { folder, cases } = JSON.parse(fs.readFileSync(0, 'utf8'));

/** What the modules use of a browser before and while they work. */
const style = { direction: 'ltr' };
const element = () => ({ style: {}, dataset: {}, append() {}, remove() {}, setAttribute() {}, removeAttribute() {}, getAttribute() {} });
const guideElement = {
  ...element(), scrollLeft: 0, scrollTop: 0, contains: () => false,
  scrollTo({ left, top }) {
    const { layout, view } = page, clamp = (value, low, high) => Math.max(low, Math.min(high, value));
    const sign = style.direction === 'rtl' ? -1 : 1;
    const along = layout.x(layout.end) - layout.width, across = Math.max(0, layout.y(view.count) - layout.height);
    const [mostLeft, mostTop] = layout.isVertical ? [across, along] : [along, across];
    if (left !== undefined) this.scrollLeft = sign * clamp(sign * left, 0, mostLeft);
    if (top !== undefined) this.scrollTop = clamp(top, 0, mostTop);
  },
};
const root = { ...element(), dir: 'ltr' };
const context = vm.createContext({
  URLSearchParams, URL, setTimeout, clearTimeout, performance, console, Event, addEventListener() {},
  document: {
    getElementById: id => (id === 'guide' ? guideElement : null), createElement: element, createTextNode: element,
    documentElement: root, activeElement: null, body: null, dispatchEvent() {}, addEventListener() {},
  },
  getComputedStyle: () => style, location: { search: '', pathname: '/' }, localStorage: { getItem: () => null },
  window: { epgPage: { profiles: { key: name => name, read: (key, other) => other } } },
});

/** The modules of the page without the module that starts it, by URL. */
const modules = new Map();
/** Names that no other module imports. */
const more = { 'elements.js': 'textInset, wantedCells', 'listings.js': 'readTile' };
function moduleNamed(specifier) {
  const name = path.basename(specifier);
  if (!modules.has(name)) {
    const text = fs.readFileSync(path.join(folder, name), 'utf8') + (more[name] ? `export { ${more[name]} };\n` : '');
    modules.set(name, new vm.SourceTextModule(text, { context, identifier: name }));
  }
  return modules.get(name);
}
/** All names that the modules export. */
const page = {};
async function load() {
  const first = moduleNamed('./controls.js');
  await first.link(moduleNamed);
  await first.evaluate();
  for (const { namespace } of modules.values()) Object.assign(page, namespace);
  Object.assign(page.renderer, { schedule() {}, frameNow() {}, isDrawing: true });
  page.clock.now = () => 0;
}

/** Loads a guide into the page. */
function open({ origin, end, hour, width, height, direction, isVertical, least, rows, runs }) {
  const { layout, view, tiles, drawing } = page;
  style.direction = root.dir = direction;
  Object.assign(layout, { origin, end, hour, width, height, rowHeight: 56, groupHeight: 24, headWidth: 0, unit: 1, isVertical });
  Object.assign(drawing, { minimumWidth: least, changes: 0 });
  [view.total, view.version, view.runs] = [rows.length, view.version + 1, runs];
  page.settings.groups = 'on';
  layout.arrange();
  guideElement.scrollLeft = guideElement.scrollTop = 0;
  page.focus.row = -1;
  page.focus.cell = null;
  tiles.ready.clear();
  for (let block = 0; block * page.tileRows < rows.length; block++) {
    for (let slot = page.slotOf(origin) - 1; slot <= page.slotOf(end) + 1; slot++) tiles.ready.set(tiles.key(block, slot), tile(rows, block, slot, origin, end));
  }
}

/** A tile as the service sends it: gaps and shares are clipped to the tile. The page does not use positions. */
function tile(rows, block, slot, origin, end) {
  const from = slot * page.tileSeconds, to = from + page.tileSeconds, numbers = [];
  const cells = { row: [], id: [], start: [], stop: [], x: [], w: [], title: [], sub: [], genre: [], flags: [] };
  const shares = { cell: [], start: [], stop: [] };
  const share = (cell, s, e) => { shares.cell.push(cell); shares.start.push(Math.max(s, from)); shares.stop.push(Math.min(e, to)); };
  for (let row = block * page.tileRows; row < Math.min(rows.length, (block + 1) * page.tileRows); row++) {
    const add = (id, start, stop, s, e, flags) => {
      if (e <= from || s >= to || e <= s) return;
      const cell = { row: numbers.length, id, start, stop, x: 0, w: 0, title: '', sub: '', genre: 0, flags };
      if (flags) share(cells.id.length, s, e);
      for (const name of Object.keys(cells)) cells[name].push(cell[name]);
    };
    const first = Math.max(origin, from), last = Math.min(end, to), gap = (s, e) => add(0, s, e, s, e, 0);
    let known = first;
    for (const [id, start, stop, index, count] of rows[row]) {
      gap(known, Math.min(start, last));
      const boundary = i => start + Math.floor((stop - start) / count) * i + Math.floor((stop - start) % count * i / count);
      add(id, start, stop, boundary(index), boundary(index + 1), count > 1 ? 64 : 0);
      known = Math.max(known, stop);
    }
    gap(known, last);
    numbers.push(row);
  }
  return page.readTile({ rows: numbers, cells, shares }, from);
}

/** The cells between two positions with their frames, and the number of airings of each cluster. */
function cells({ row, from, to }) {
  return page.wantedCells({ place: row, row }, from, to).map(cell => ({
    id: Math.max(0, cell.id), count: Math.max(0, -cell.id), start: Math.max(cell.s, page.layout.origin), end: Math.min(cell.e, page.layout.end),
    x: page.layout.x(cell.s), width: page.layout.x(cell.e) - page.layout.x(cell.s),
  }));
}

/** The places in sight at a scroll offset, and the positions of their rows. */
function places(top) {
  const { first, end } = page.layout.places(top);
  return { first, end, tops: Array.from({ length: end - first }, (_, i) => page.layout.y(first + i)) };
}

/** The focus, the complete range of its cell, and the scroll offset. */
function state() {
  const { focus, layout } = page, cell = page.within(page.wholeCell(focus.row, focus.cell));
  return { row: focus.row, id: cell.id, start: cell.s, end: cell.e, anchor: focus.anchor, left: layout.left(), top: layout.top() };
}

/** Applies key presses and scrolls in order. Returns the state before and after each key press. */
async function walk({ row, instant, steps }) {
  const { focus, layout } = page, moves = [];
  await focus.go(row, instant);
  for (const { key, x, y } of steps) {
    if (!key) { layout.scrollTo({ x, y }); continue; }
    const before = state();
    await focus.action({ key })();
    moves.push({ key, before, after: state() });
  }
  return moves;
}

(async () => {
  await load();
  const results = [];
  for (const testCase of cases) {
    open(testCase.guide);
    if (testCase.cells) results.push(testCase.cells.map(cells));
    else if (testCase.places) results.push(testCase.places.map(places));
    else if (testCase.insets) results.push(testCase.insets.map(({ left, x, width, least }) => page.textInset(left, x, width, least)));
    else results.push(await walk(testCase.walk));
  }
  process.stdout.write(JSON.stringify(results));
})();
