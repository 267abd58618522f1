// Prints the grid as a table: the stations from the first visible one on, during the visible hours. It loads when the page is idle.

import { byID, grid, make, titleOf, zone } from './base.js';
import { cellsOf, stations, view } from './listings.js';
import { layout } from './drawing.js';

/** The seconds of a column, and the maximum number of rows. */
const step = 300, rowLimit = 120;

/** The cells of a row: what is listed between two instants, each across as many columns as it lasts. */
function cells(place, from, to) {
  const column = instant => Math.round((Math.min(Math.max(instant, from), to) - from) / step);
  let last = 0;
  return cellsOf(place, from, to).flatMap(({ id, s, e, start, title, sub }) => {
    const first = Math.max(last, column(s)), end = column(e), span = end - first;
    if (span < 1) return [];
    const gap = first > last && make('td', { colspan: first - last });
    last = end;
    const text = id > 0 ? [make('b', { dir: 'auto' }, titleOf(title)), ' ', make('small', {}, [zone.label(start), sub].filter(Boolean).join(' · '))] : [];
    return [gap, make('td', { colspan: span }, ...text)].filter(Boolean);
  });
}

addEventListener('beforeprint', () => {
  const { start, end } = layout.visibleTime(), from = Math.floor(start / 1800) * 1800, to = Math.max(from + 3600, Math.floor(end / 1800) * 1800);
  const columns = (to - from) / step, hours = zone.marks(from, to).filter(({ isHour }) => isHour).map(({ instant }) => instant);
  const head = [from, ...hours.filter(instant => instant > from)].map((instant, i, all) => make('th', { colspan: ((all[i + 1] ?? to) - instant) / step, scope: 'col' }, zone.label(instant)));
  const rows = [];
  for (let place = layout.firstPlace(); place < view.count && rows.length < rowLimit; place++) {
    const station = stations.get(view.row(place)), list = station ? cells(place, from, to) : [];
    if (list.length) rows.push(make('tr', {}, make('th', { scope: 'row', dir: 'auto' }, station.name, ' ', make('small', {}, station.number ?? '')), ...list));
  }
  byID('print')?.remove();
  grid.after(make('table', { id: 'print' }, make('caption', {}, `${document.title} · ${zone.dayLabel(from, zone.longDay)}`),
    make('colgroup', {}, make('col', { class: 'names' }), make('col', { span: columns })), make('thead', {}, make('tr', {}, make('td'), ...head)), make('tbody', {}, ...rows)));
});
addEventListener('afterprint', () => byID('print')?.remove());
