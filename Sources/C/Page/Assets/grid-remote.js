// The grid of the guide by remote control, on televisions.

import { grid, make, t, titleOf } from './base.js';
import { isEmptyRow, stations, view } from './listings.js';
import { dialogs, focus } from './controls.js';
import { pool, renderer } from './drawing.js';

/** The milliseconds after which a press of OK is long. */
const long = 600;
/** The timer of a press of OK; 0 without one. */
let held = 0, move = null;

export function begin(mover) {
  move = mover;
  // Keys move by a screen at most, so few rows are drawn ahead: each element slows the processors of televisions down.
  Object.assign(pool, { limit: 320, maxCells: 420, maxRows: 32 });
  import('./preview.js').then(({ preview }) => preview.begin());
  takeFocus();
  window.addEventListener('keyup', release, true);
}

/** Focuses the grid once it is drawn, unless the viewer is elsewhere already. */
function takeFocus() {
  if (document.activeElement !== document.body) return;
  const cell = renderer.isDrawing && grid.querySelector('.cell [tabindex="0"], .cell[tabindex="0"]');
  if (cell) cell.focus({ preventScroll: true }); else setTimeout(takeFocus, 50);
}

/** Whether no shown station is above the focus. */
function isAtTop() {
  let place = view.place(focus.row) - 1;
  while (place >= 0 && isEmptyRow(place)) place--;
  return place < 0;
}

/** Uses a key in the grid. Returns whether it is used; the others do what they do on a keyboard. */
export function press(event, key) {
  if (!grid.contains(event.target)) return false;
  if (key === 'Enter') {
    if (!event.repeat && !held) held = setTimeout(openActions, long);
    return true;
  }
  if (key === 'ArrowUp' && isAtTop()) {
    move([0, -1]);
    return true;
  }
  if (key === 'ChannelUp' || key === 'ChannelDown') {
    const { action } = focus, press = { key: key === 'ChannelUp' ? 'PageUp' : 'PageDown' };
    focus.steps = focus.steps.then(() => action.call(focus, press)()).catch(() => {});
    return true;
  }
  return false;
}

function release({ key, keyCode }) {
  if (!held || !(key === 'Enter' || keyCode === 13 || keyCode === 23)) return;
  clearTimeout(held);
  held = 0;
  // A press that was not long. The steps before it come first.
  focus.steps = focus.steps.then(() => {
    const { cell, drawn, row } = focus;
    if (cell && cell.id < 0 && drawn) drawn.target.click(); else dialogs.openAiring(cell, row);
  });
}

/** Shows what can be done with the focused airing. */
function openActions() {
  held = 0;
  const { cell, row } = focus;
  if (!cell || cell.id <= 0) return;
  dialogs.use(({ panel }) => {
    const station = stations.get(row);
    panel.row = row;
    const airing = { id: cell.id, title: cell.title, subtitle: cell.sub, station: station && station.id, stationName: station && station.name };
    const acts = panel.acts(airing, cell.start, cell.stop, '');
    const details = make('button', { type: 'button', onclick: () => { dialog.close(); panel.open(cell, row); } }, t('details'));
    const dialog = make('dialog', { id: 'actions', 'aria-labelledby': 'actions-title' },
      make('div', { class: 'panel' }, make('h2', { id: 'actions-title', dir: 'auto' }, titleOf(cell.title)), acts));
    acts.prepend(details);
    dialog.addEventListener('click', ({ target }) => { if (target.closest('#panel-hide')) dialog.close(); });
    dialog.addEventListener('close', () => {
      dialog.remove();
      const { drawn } = focus;
      if (drawn && !document.querySelector('dialog[open]')) drawn.target.focus({ preventScroll: true });
    });
    document.body.append(dialog);
    dialog.showModal();
    details.focus();
  });
}
