// Which cells a row shows, and what makes two of them the same.

/** The cells to draw between two places, short ones put together; the one that has the focus always among them. */
function wantedCells({ place, row }, from, to) {
  const cells = cellsOf(place, Math.floor(layout.instant(from)), Math.ceil(layout.instant(to)));
  let chosen = focus.row === row ? focus.cell : null;
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
  return together(cells, drawing.least, row);
}

/** Puts airings that are narrower than `least` together, but for the one that has the focus. */
function together(cells, least, row) {
  const list = [];
  let run = [];
  const end = () => {
    if (run.length > 1) list.push(cluster(run)); else list.push(...run);
    run = [];
  };
  for (const cell of cells) {
    const isShort = layout.x(cell.e) - layout.x(cell.s) < least && !focus.isOn(row, cell);
    if (run.length && (!isShort || run[run.length - 1].e !== cell.s || layout.x(cell.e) - layout.x(run[0].s) > Math.max(least * 3, 60))) end();
    if (isShort) run.push(cell); else list.push(cell);
  }
  end();
  return list;
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

