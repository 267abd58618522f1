// Search as you type, which loads when the search field is used first.

import { announce, byID, clock, make, pageURL, requestJSON, seconds, sharedParameters, showStatus, storage, t, titleOf, urlWith, zone } from './base.js';
import { hidden, rowsOf, stations, view } from './listings.js';
import { layout } from './drawing.js';
import { focus, tools } from './controls.js';

/** A combobox (WAI-ARIA) whose options open airings in the grid. Enter without a selection opens the search page. */
export const search = {
  matches: [], chosen: -1, lastRequest: 0, timer: 0,

  begin() {
    const field = byID('q');
    const list = make('ul', { id: 'found', class: 'found', role: 'listbox', 'aria-label': t('searchResults'), hidden: true });
    field.form.append(list);
    field.addEventListener('input', () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.request(field.value), 140);
    });
    field.addEventListener('focus', () => { if (this.matches.length && field.value) this.show(true); });
    field.addEventListener('keydown', event => this.key(event));
    field.form.addEventListener('focusout', event => { if (!field.form.contains(event.relatedTarget)) this.show(false); });
    field.form.addEventListener('submit', event => {
      if (this.chosen >= 0) { event.preventDefault(); this.follow(this.chosen); }
    });
    list.addEventListener('pointerdown', event => event.preventDefault());
    list.addEventListener('click', event => {
      const row = event.target.closest('li[data-id]');
      if (row) this.follow([...list.children].indexOf(row));
    });
    // What was typed while this module loaded.
    this.request(field.value);
  },

  async request(input) {
    const request = ++this.lastRequest;
    const text = input.trim();
    if (text.length < 2) { this.matches = []; return this.show(false); }
    try {
      const response = await requestJSON(urlWith('/api/v1/search', { lastWord: 'prefix', q: text, limit: 20, ...sharedParameters('at') }));
      if (request !== this.lastRequest) return;
      this.matches = response.matches;
      this.write(response.total);
    } catch {
      if (request === this.lastRequest) this.write(-1);
    }
  },
  write(total) {
    const list = byID('found');
    this.chosen = -1;
    byID('q').removeAttribute('aria-activedescendant');
    const rows = this.matches.map((match, i) => {
      const start = seconds(match.start), now = clock.now();
      const when = start <= now && now < seconds(match.stop) ? t('onNowUntil', { time: zone.labelFrom(seconds(match.stop), zone.dayOf(now)) }) : `${zone.dayLabel(start)}, ${zone.label(start)}`;
      return make('li', { id: 'found-' + i, role: 'option', 'aria-selected': 'false', 'data-id': match.id, 'data-row': match.row, 'data-start': start },
        make('b', { dir: 'auto' }, titleOf(match.title)), make('small', { dir: 'auto' }, [match.subtitle, match.stationName, when].filter(Boolean).join(' · ')));
    });
    const none = t(total < 0 ? 'searchUnavailable' : 'noMatches');
    list.replaceChildren(...(rows.length ? rows : [make('li', { class: 'none', role: 'option', 'aria-disabled': 'true' }, none)]));
    this.show(true);
    announce(rows.length ? t('found', { count: rows.length }) : none);
  },
  show(isShown) {
    byID('found').hidden = !isShown;
    byID('q').setAttribute('aria-expanded', String(isShown));
  },
  choose(index) {
    const rows = byID('found').querySelectorAll('li[data-id]');
    if (!rows.length) return;
    this.chosen = (index + rows.length) % rows.length;
    rows.forEach((row, i) => row.setAttribute('aria-selected', String(i === this.chosen)));
    rows[this.chosen].scrollIntoView({ block: 'nearest' });
    byID('q').setAttribute('aria-activedescendant', 'found-' + this.chosen);
  },
  key(event) {
    const isShown = !byID('found').hidden;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (!isShown) return;
      event.preventDefault();
      this.choose(this.chosen < 0 && event.key === 'ArrowUp' ? -1 : this.chosen + (event.key === 'ArrowDown' ? 1 : -1));
    } else if (event.key === 'Escape') {
      if (isShown) event.preventDefault();
      else event.target.blur();
      this.show(false);
    }
  },
  async follow(index) {
    const match = this.matches[index];
    this.show(false);
    await jumpTo(match);
  },
};

/** Shows all stations if a station isn't shown. */
export async function showRow(row, station) {
  if (view.place(row) >= 0) return;
  Object.assign(view, { group: '', onlyFavorites: false, genre: 0, onlyNew: false });
  if (station && hidden.delete(station)) storage.write('hidden', [...hidden]);
  tools.paint();
  await view.update();
}

/** Moves to an airing in the grid. If its station isn't shown, shows all stations again. */
export async function jumpTo({ id, row, station, start }) {
  try {
    if (!Number.isInteger(row)) row = (await rowsOf([station]))[0];
    if (!Number.isInteger(row)) return;
    await showRow(row, stations.get(row)?.id ?? station);
    const instant = seconds(start);
    if (instant < layout.origin || instant >= layout.end) {
      location.assign(pageURL('/airings/' + id));
      return;
    }
    layout.scrollTo({ instant: instant - 1800 });
    const cell = await focus.go(view.place(row), instant, { scroll: 'quarter' });
    if (cell) announce(`${titleOf(cell.title)}, ${zone.dayLabel(cell.start)}, ${zone.range(cell.start, cell.stop, zone.dayOf(cell.start))}`);
  } catch {
    showStatus(t('guideUnavailable'));
  }
}
