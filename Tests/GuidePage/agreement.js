// Asks the guide page's own modules what they show of guides, for comparison with the service's layout (PageAgreementTests).
//
// Standard input is JSON: {"folder": that of the modules, "cases": [...]}. Standard output is an array with the answer to each
// case. A guide's row is an array of airings [id, start, stop]; what lies between them is a gap, as tiles tell.

const fs = require('fs');
const path = require('path');
const vm = require('vm');

const { folder, cases } = JSON.parse(fs.readFileSync(0, 'utf8'));

// What the modules need of a browser and of the page's other modules.
const stubs = `
  const element = () => ({ style: {}, dataset: {}, append() {}, remove() {}, setAttribute() {}, removeAttribute() {}, getAttribute() {} });
  const state_ = { direction: 'ltr' };
  const guideElement = {
    ...element(), scrollLeft: 0, scrollTop: 0, contains: () => false,
    scrollTo({ left, top }) {
      if (left !== undefined) this.scrollLeft = Math.max(0, Math.min(Math.round(Math.abs(left)), layout.x(layout.end) - layout.width));
      if (top !== undefined) this.scrollTop = Math.max(0, Math.min(top, view.count * layout.rowHeight - layout.height));
    },
  };
  const document = {
    getElementById: id => (id === 'guide' ? guideElement : null), createElement: element, createTextNode: element,
    documentElement: { dir: 'ltr' }, activeElement: null, body: null,
  };
  const getComputedStyle = () => ({ direction: 'ltr' });
  const location = { search: '', pathname: '/' }, navigator = { languages: ['en'] }, localStorage = { getItem: () => null };
  const clock = { now: () => 0 }, stations = new Map(), pool = { rows: new Map() }, renderer = { schedule() {}, frameNow() {}, isDrawing: true };
  const drawing = { least: 10, changes: 0 };
  const view = { count: 0, version: 0, rows: null, row: place => place, place: row => row };
`;
const modules = ['base', 'tiles', 'layout', 'wanted', 'cell', 'focus'].map(name => fs.readFileSync(path.join(folder, name + '.js'), 'utf8'));
const page = vm.runInNewContext(
  `${stubs}\n${modules.join('\n')}\n({ grid, tiles, layout, view, drawing, focus, wantedCells, textInset, slotOf, tileRows, tileSeconds });`,
  { URLSearchParams, URL, setTimeout, clearTimeout, performance, console },
);

/** Puts a guide into the page. */
function open({ origin, end, hour, width, least, rows }) {
  const { layout, view, tiles, drawing } = page;
  Object.assign(layout, { origin, end, hour, width, height: 4 * 56, rowHeight: 56, headWidth: 0, unit: 1 });
  Object.assign(drawing, { least, changes: 0 });
  [view.count, view.version] = [rows.length, view.version + 1];
  page.focus.row = -1;
  page.focus.cell = null;
  tiles.ready.clear();
  for (let block = 0; block * page.tileRows < rows.length; block++) {
    for (let slot = page.slotOf(origin) - 1; slot <= page.slotOf(end) + 1; slot++) tiles.ready.set(tiles.key(block, slot), tile(rows, block, slot, origin, end));
  }
}

/** A tile as readTile makes it: airings in full, gaps as far as the tile goes. */
function tile(rows, block, slot, origin, end) {
  const from = Math.max(origin, slot * page.tileSeconds), to = Math.min(end, (slot + 1) * page.tileSeconds), found = new Map();
  for (let row = block * page.tileRows; row < Math.min(rows.length, (block + 1) * page.tileRows); row++) {
    const cells = [], add = (id, s, e) => { if (e > from && s < to && e > s) cells.push({ id, s, e, start: s, stop: e, title: '', sub: '', genre: 0, flags: 0 }); };
    let known = from;
    for (const [id, s, e] of rows[row]) {
      if (s > known) add(0, known, Math.min(s, to));
      add(id, s, e);
      known = Math.max(known, e);
    }
    add(0, known, to);
    found.set(row, cells);
  }
  return { from, rows: found, isStale: false };
}

/** The cells between two places, with their frames; of a cluster the number of its airings. */
function cells({ row, from, to }) {
  return page.wantedCells({ place: row, row }, from, to).map(cell => ({
    id: Math.max(0, cell.id), count: Math.max(0, -cell.id), start: Math.max(cell.s, page.layout.origin), end: Math.min(cell.e, page.layout.end),
    x: page.layout.x(cell.s), width: page.layout.x(cell.e) - page.layout.x(cell.s),
  }));
}

/** Where the focus is after each of some steps, and how far the guide is scrolled. */
async function walk({ row, instant, left, steps }) {
  const { focus, grid } = page, keys = { later: () => focus.step(true), earlier: () => focus.step(false) };
  grid.scrollLeft = left;
  grid.scrollTop = 0;
  await focus.go(row, instant);
  const places = [];
  for (const step of steps) {
    if (step === 'down' || step === 'up') await focus.go(focus.row + (step === 'down' ? 1 : -1), focus.anchor);
    else await keys[step]();
    places.push({ row: focus.row, id: focus.cell.id, anchor: focus.anchor, left: grid.scrollLeft });
  }
  return places;
}

(async () => {
  const answers = [];
  for (const question of cases) {
    open(question.guide);
    if (question.cells) answers.push(question.cells.map(cells));
    else if (question.insets) answers.push(question.insets.map(({ left, x, width, least }) => page.textInset(left, x, width, least)));
    else answers.push(await walk(question.walk));
  }
  process.stdout.write(JSON.stringify(answers));
})();
