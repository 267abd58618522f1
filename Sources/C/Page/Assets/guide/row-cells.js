// Selects the cells of a row, merges short airings into clusters, and compares cells.

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
function mergeShort(cells, least, row) {
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

const keyOf = cell => (cell.id > 0 ? cell.id : (cell.id < 0 ? 'm' : 'g') + cell.s);
/** Whether two cells are the same. Gaps depend on the loaded tiles, so two that overlap are the same. */
const isSame = (a, b) => (a.id === b.id && (a.id !== 0 || (a.s < b.e && b.s < a.e)));

