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

// Stubs for the browser and the other modules of the page.
const stubs = `
  const element = () => ({ style: {}, dataset: {}, append() {}, remove() {}, setAttribute() {}, removeAttribute() {}, getAttribute() {} });
  const style = { direction: 'ltr' };
  const guideElement = {
    ...element(), scrollLeft: 0, scrollTop: 0, contains: () => false,
    scrollTo({ left, top }) {
      const sign = style.direction === 'rtl' ? -1 : 1;
      const along = layout.x(layout.end) - layout.width, across = Math.max(0, view.count * layout.rowHeight - layout.height);
      const [mostLeft, mostTop] = layout.isVertical ? [across, along] : [along, across];
      if (left !== undefined) this.scrollLeft = sign * clamp(sign * left, 0, mostLeft);
      if (top !== undefined) this.scrollTop = clamp(top, 0, mostTop);
    },
  };
  const document = {
    getElementById: id => (id === 'guide' ? guideElement : null), createElement: element, createTextNode: element,
    documentElement: { dir: 'ltr' }, activeElement: null, body: null,
  };
  const getComputedStyle = () => style;
  const location = { search: '', pathname: '/' }, navigator = { languages: ['en'] }, localStorage = { getItem: () => null };
  const clock = { now: () => 0 }, stations = new Map(), pool = { rows: new Map() }, renderer = { schedule() {}, frameNow() {}, isDrawing: true };
  const drawing = { minimumWidth: 10, changes: 0 };
  const view = { count: 0, version: 0, rows: null, row: place => place, place: row => row };
`;
const modules = ['base', 'tiles', 'layout', 'row-cells', 'cell', 'focus'].map(name => fs.readFileSync(path.join(folder, name + '.js'), 'utf8'));
const page = vm.runInNewContext(
  `${stubs}\n${modules.join('\n')}\n({ grid, tiles, layout, view, drawing, focus, style, document, wantedCells, wholeCell, within, textInset, readTile, slotOf, tileRows, tileSeconds });`,
  { URLSearchParams, URL, setTimeout, clearTimeout, performance, console },
);

/** Loads a guide into the page. */
function open({ origin, end, hour, width, height, direction, isVertical, least, rows }) {
  const { layout, view, tiles, drawing } = page;
  page.style.direction = page.document.documentElement.dir = direction;
  Object.assign(layout, { origin, end, hour, width, height, rowHeight: 56, headWidth: 0, unit: 1, isVertical });
  Object.assign(drawing, { minimumWidth: least, changes: 0 });
  [view.count, view.version] = [rows.length, view.version + 1];
  page.grid.scrollLeft = page.grid.scrollTop = 0;
  page.focus.row = -1;
  page.focus.cell = null;
  tiles.ready.clear();
  for (let block = 0; block * page.tileRows < rows.length; block++) {
    for (let slot = page.slotOf(origin) - 1; slot <= page.slotOf(end) + 1; slot++) tiles.ready.set(tiles.key(block, slot), tile(rows, block, slot, origin, end));
  }
}

/** A tile as the service sends it: edges are snapped at 240 points per hour, and gaps and shares are clipped to the tile. */
function tile(rows, block, slot, origin, end) {
  const from = slot * page.tileSeconds, to = from + page.tileSeconds, numbers = [];
  const cells = { row: [], id: [], start: [], stop: [], x: [], w: [], title: [], sub: [], genre: [], flags: [] };
  const edge = instant => Math.floor((Math.max(from, Math.min(instant, to)) - from) / 15 + .5);
  for (let row = block * page.tileRows; row < Math.min(rows.length, (block + 1) * page.tileRows); row++) {
    const add = (id, start, stop, s, e, flags) => {
      if (e <= from || s >= to || e <= s) return;
      const cell = { row: numbers.length, id, start, stop, x: edge(s), w: edge(e) - edge(s), title: '', sub: '', genre: 0, flags };
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
  return page.readTile({ rows: numbers, cells }, from);
}

/** The cells between two positions with their frames, and the number of airings of each cluster. */
function cells({ row, from, to }) {
  return page.wantedCells({ place: row, row }, from, to).map(cell => ({
    id: Math.max(0, cell.id), count: Math.max(0, -cell.id), start: Math.max(cell.s, page.layout.origin), end: Math.min(cell.e, page.layout.end),
    x: page.layout.x(cell.s), width: page.layout.x(cell.e) - page.layout.x(cell.s),
  }));
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
  for (const { key, x, place } of steps) {
    if (!key) { layout.scrollTo({ x, place }); continue; }
    const before = state();
    await focus.action({ key })();
    moves.push({ key, before, after: state() });
  }
  return moves;
}

(async () => {
  const results = [];
  for (const testCase of cases) {
    open(testCase.guide);
    if (testCase.cells) results.push(testCase.cells.map(cells));
    else if (testCase.insets) results.push(testCase.insets.map(({ left, x, width, least }) => page.textInset(left, x, width, least)));
    else results.push(await walk(testCase.walk));
  }
  process.stdout.write(JSON.stringify(results));
})();
