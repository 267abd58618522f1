// Startup: takes over the server's first paint as soon as its tiles are loaded.

/** Requests the tiles that the first frame needs. */
function requestFirstTiles() {
  // Twice, so that the initial position does not count as scrolling.
  motion.read(0);
  motion.read(0);
  requestTiles(layout.places(motion.top));
  takeOver();
}

/** Replaces the server's rows with the script's in one step, to avoid flicker. */
function takeOver() {
  const left = layout.left(), top = layout.top(), { width, height } = layout;
  const last = Math.min(layout.end, layout.instant(left + width)) - 1;
  for (let block = Math.floor(top / layout.rowHeight / tileRows); block * tileRows * layout.rowHeight < Math.min(top + height, view.count * layout.rowHeight); block++) {
    for (let slot = slotOf(layout.instant(left)); slot <= slotOf(last); slot++) {
      if (!tiles.ready.has(tiles.key(block, slot))) return;
    }
  }
  startDrawing();
}

function startDrawing() {
  if (renderer.isDrawing) return;
  renderer.isDrawing = true;
  // So far, the server's rows were in sight.
  Object.assign(renderer.facts, { longestBlank: 0, blankSince: 0 });
  byID('first')?.remove();
  byID('marks').replaceChildren();
  byID('hours').style.removeProperty('--shift');
  byID('rows').hidden = byID('heads').hidden = false;
  byID('nowline').hidden = false;
  grid.classList.add('live');
  renderer.frameNow();
  ticker.begin();
  focus.settle();
}

/** Moves the server's rows to their position in the guide. */
function placeFirst() {
  const row = Number(grid.dataset.row), from = Number(grid.dataset.from), shift = layout.x(from) + 'px';
  byID('first').style.cssText = `position:absolute;inset-inline:0;inset-block-start:${layout.headHeight + row * layout.rowHeight}px;--shift:${shift}`;
  byID('hours').style.setProperty('--shift', shift);
  layout.scrollTo({ place: row, instant: from });
}

function begin() {
  zone.set();
  layout.measure();
  byID('canvas').append(make('div', { id: 'heads', class: 'heads', role: 'row', hidden: true }), make('div', { id: 'rows', class: 'rows', role: 'rowgroup', hidden: true }), make('div', { id: 'nowline', class: 'nowline', 'aria-hidden': 'true', hidden: true }));
  layout.resize();
  placeFirst();

  tools.begin();
  search.begin();
  listenToKeys();
  grid.addEventListener('scroll', () => renderer.schedule(), { passive: true });
  // A resize also changes the measures that depend on the window.
  let width = 0, height = 0;
  new ResizeObserver(() => {
    if (grid.clientWidth === width && grid.clientHeight === height) return;
    const isFirst = width === 0;
    [width, height] = [grid.clientWidth, grid.clientHeight];
    if (!isFirst) relayout();
  }).observe(grid);
  requestFirstTiles();
  // The script takes over without tiles too, and shows the error.
  setTimeout(startDrawing, 4000);
  follower.begin();
  watched.changed = () => renderer.redraw();
  setTimeout(() => {
    renderer.settled = () => watched.load(Math.floor(layout.instant(layout.left())), Math.ceil(layout.instant(layout.left() + layout.width)));
    renderer.settled();
  }, 1000);
  if (view.isNarrowed) filter();
  addEventListener('profilechange', takeProfile);
  addEventListener('profileproblem', event => showStatus(`The profile was not saved: ${event.detail}`));
}

/** State for tests and debugging. */
window.epg = Object.freeze({
  get cells() { return grid ? grid.querySelectorAll('.cell').length : 0; },
  get rows() { return pool.rows.size; },
  get tilesReady() { return tiles.ready.size; },
  get tilesPending() { return tiles.loading.size; },
  /** Whether a tile in sight is missing. */
  get isBlank() { return renderer.facts.blankSince !== 0; },
  /** In milliseconds, since the page loaded or the last `resetFacts` call. */
  get longestBlank() { return renderer.facts.longestBlank; },
  get frames() { return { count: renderer.facts.frames, slow: renderer.facts.slowFrames, longest: renderer.facts.longestFrame }; },
  get generation() { return tiles.generation; },
  get changesTaken() { return follower.changes; },
  get isLive() { return renderer.isDrawing; },
  get now() { return clock.now(); },
  get zone() { return zone.name; },
  get hour() { return layout.hour; },
  get isVertical() { return layout.isVertical; },
  get firstInstant() { return layout.firstInstant(); },
  get firstPlace() { return layout.firstPlace(); },
  get focus() { return focus.cell && { row: focus.row, id: focus.cell.id, start: focus.cell.start, stop: focus.cell.stop, anchor: focus.anchor }; },
  x: instant => layout.x(instant),
  resetFacts() { Object.assign(renderer.facts, { frames: 0, slowFrames: 0, longestFrame: 0, longestBlank: 0, blankSince: 0 }); },
});

if (document.documentElement.hidden) { /* page.js loads the page with another limit */ }
else if (grid) begin();
else new EventSource('/api/v1/events').addEventListener('generation', event => { if (JSON.parse(event.data).generation > 0) setTimeout(() => location.reload(), 1000); });
