// Which cells a row shows, and what makes two of them the same.

/** The cells to draw between two places, short ones put together; the one that has the focus always among them. */
function wantedCells({ place, row }, from, to) {
  const [first, end] = [Math.floor(layout.instant(from)), Math.ceil(layout.instant(to))];
  const cells = cellsOf(place, ...reach(from, to));
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
  return together(cells, drawing.least, row).filter(cell => cell === chosen || (cell.e > first && cell.s < end));
}

/** The stretches of four least widths, counted from the guide's start, in which short airings share a cell. */
function stretches(least) {
  const seconds = Math.max(1, Math.floor(least * 4 * 3600 / layout.hour));
  return { seconds, index: instant => Math.floor((instant - layout.origin) / seconds) };
}

/**
 * The instants between which the page must know the cells to cluster those between two places, whatever it draws (ClusterTimes.reach).
 * It reads one stretch more than the engine on each side, because a tile has only its own part of an airing that shares a window.
 */
function reach(from, to) {
  const { seconds, index } = stretches(drawing.least);
  const start = number => clamp(layout.origin + number * seconds, layout.origin, layout.end);
  return [start(index(Math.floor(layout.instant(from))) - 2), start(index(Math.ceil(layout.instant(to))) + 2)];
}

/**
 * Puts airings that are narrower than `least` together where they touch and start in the same stretch, as the service's layout
 * does (ClusterPolicy). The one that has the focus stays alone, and parts those before it from those after it.
 */
function together(cells, least, row) {
  const { index } = stretches(least), start = cell => Math.max(cell.s, layout.origin);
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

const keyOf = cell => (cell.id > 0 ? cell.id : (cell.id < 0 ? 'm' : 'g') + cell.s);
/** Gaps are made of what tiles know: two that overlap are one. */
const isSame = (a, b) => (a.id === b.id && (a.id !== 0 || (a.s < b.e && b.s < a.e)));

