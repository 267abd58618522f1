// What people use: the keyboard and the pointer in the grid, and the toolbar. The search field and the dialogs load on first use.

import { announce, byID, choose, clamp, clock, grid, make, partition, requestJSON, settings, showStatus, t, zone } from './base.js';
import { cellsOf, filter, isEmptyRow, isSame, tiles, toggleFavorite, view, wholeCell, within } from './listings.js';
import { drawing, layout, placeFirst, pool, renderer } from './drawing.js';
import { header, keyOf } from './elements.js';

// The focus: one cell of the grid is in the tab order, and arrow keys move from there (WAI-ARIA grid pattern). The focus has an
// anchor in time: up and down move to the cell at the same instant, as in GuideNavigator.

export const focus = {
  /** The guide's row, the cell, and the instant that up and down keep. */
  row: -1, cell: null, anchor: 0,
  /** Whether the focused cell was replaced or removed with its row. */
  isLost: false,
  steps: Promise.resolve(),

  isOn(row, cell) { return row === this.row && this.cell !== null && isSame(cell, this.cell); },
  /** The key of the focused cell if it is in the row. */
  key(row) { return row === this.row && this.cell ? keyOf(this.cell) : ''; },
  get isInGrid() { return grid.contains(document.activeElement); },
  /** The cell in the document. */
  get drawn() {
    const cells = pool.rows.get(view.place(this.row))?.cells.values() ?? [];
    return [...cells].find(cell => this.isOn(this.row, cell.facts));
  },

  /** Returns the focus to its cell once the cell is in the document again. */
  regain() {
    if (!this.isLost) return;
    // Does not take the focus from an element that received it meanwhile.
    const isFree = this.isInGrid || document.activeElement === document.body, { drawn } = this;
    if (isFree && !drawn) return;
    this.isLost = false;
    if (isFree) drawn.target.focus({ preventScroll: true });
  },
  /** While the focus is outside the grid, puts a visible cell in the tab order. If the focused row is gone, focuses a cell nearby. */
  settle() {
    if (this.isInGrid || !renderer.isDrawing) return;
    const first = layout.firstInstant(), last = layout.instant(layout.left() + layout.width), now = clock.now();
    const isLost = this.isLost && document.activeElement === document.body;
    const top = layout.firstWholePlace(), bottom = layout.places(layout.top()).end - 1;
    let place = isLost && view.rows ? clamp(partition(view.rows, row => row >= this.row), top, Math.max(top, bottom)) : top;
    const anchor = now >= first && now < last ? now : first + 60;
    while (place < bottom && isEmptyRow(place)) place++;
    const cell = cellsOf(place, anchor, anchor + 1)[0];
    if (!cell) return;
    this.isLost = false;
    if (isLost || !this.isOn(view.row(place), cell)) this.set(view.row(place), cell, anchor, isLost);
  },

  /** Makes a cell the current one, and focuses its element if `isTaken`. */
  set(row, cell, anchor, isTaken = true) {
    [this.row, this.cell, this.anchor] = [row, cell, anchor];
    drawing.changes++;
    renderer.schedule();
    if (!isTaken) return;
    renderer.frameNow();
    this.drawn?.target.focus({ preventScroll: true });
  },

  /**
   * Moves to the cell of a row at an instant, with as little scrolling as possible. Skips up to 400 rows without airings, downwards or
   * by `step`.
   */
  async go(place, instant, { scroll = 'nearest', isTaken = true, step = 1 } = {}) {
    place = clamp(place, 0, view.count - 1);
    instant = clamp(instant, layout.origin, layout.end - 1);
    const version = view.version, last = clamp(place + 400 * step, 0, view.count - 1);
    await tiles.need(place, instant);
    while (place !== last && isEmptyRow(place)) await tiles.need(place += step, instant);
    if (version !== view.version || isEmptyRow(place)) return null;
    const cell = wholeCell(place, cellsOf(place, instant, instant + 1)[0]);
    if (!cell) return null;
    this.reveal(place, instant, cell, scroll);
    this.set(view.row(place), cell, instant, isTaken);
    return cell;
  },
  reveal(place, instant, cell, scroll) {
    const { start, end } = layout.visibleTime(), visible = Math.max(1, Math.floor(layout.height / layout.rowHeight));
    const isSeen = scroll === 'quarter' ? instant >= start && instant < end : cell.s < end && cell.e > start;
    if (!isSeen) layout.scrollTo({ instant: scroll === 'quarter' ? instant - Math.floor((end - start) / 4) : instant });
    // A distant row goes a third of the screen below the top.
    const isFar = scroll === 'quarter' && Math.abs(place - layout.firstPlace()) > visible * 2;
    if (isFar) layout.scrollTo({ place: Math.max(0, place - Math.floor(visible / 3)) });
    this.revealRow(place);
  },
  /** Scrolls as little as possible to show the complete row (GuideLayout.contentOffset(showingRow:in:)). */
  revealRow(place) {
    const { rowHeight, height } = layout, top = layout.top();
    const y = Math.min(layout.topOf(place), Math.max(top, layout.y(place) + rowHeight - height));
    if (y !== top) layout.scrollTo({ y });
  },

  /** Moves to another row at the same instant; does nothing beyond the first and the last row (GuideNavigator). */
  async across(place) {
    place = clamp(place, 0, view.count - 1);
    const from = view.place(this.row);
    if (place !== from) return this.go(place, this.anchor, { step: Math.sign(place - from) });
    this.revealRow(place);
    return null;
  },

  /**
   * Moves to the next or previous cell if an hour of scrolling brings it into view; otherwise scrolls the long airing by an
   * hour. Matches GuideNavigator.
   */
  async step(isLater) {
    const place = view.place(this.row), cell = within(wholeCell(place, this.cell));
    const { start, end } = layout.visibleTime(), limit = Math.min(3600, Math.max(1, end - start));
    const edge = isLater ? cell.e : cell.s - 1;
    let next = null;
    if (edge >= layout.origin && edge < layout.end) {
      await tiles.need(place, edge);
      next = within(wholeCell(place, cellsOf(place, edge, edge + 1)[0]));
    }
    const by = seconds => { if (seconds) layout.scrollTo({ x: Math.round(layout.left() + seconds * layout.hour / 3600) }); };
    // The instant nearest to `wanted` that is in the cell and, if possible, in sight.
    const anchored = (wanted, { s, e }) => {
      const { start: first, end: last } = layout.visibleTime();
      return s < last && e > first ? clamp(wanted, Math.max(s, first), Math.min(e, last) - 1) : clamp(wanted, s, e - 1);
    };
    if (next && (isLater ? next.s < end + limit : next.e > start - limit)) {
      const isAway = isLater ? next.s < start : next.s >= end;
      if (isAway) layout.scrollTo({ instant: next.s });
      else if (isLater) by(Math.min(limit, next.s - start, Math.max(0, next.e - end)));
      else by(-Math.min(limit, Math.max(0, start - next.s), Math.max(0, end - next.e)));
      this.revealRow(place);
      return this.set(this.row, next, isAway ? next.s : anchored(next.s, next));
    }
    const rest = Math.min(limit, Math.max(0, isLater ? cell.e - end : start - cell.s));
    by(isLater ? rest : -rest);
    this.revealRow(place);
    this.anchor = anchored(this.anchor + (isLater ? rest : -rest), cell);
    renderer.schedule();
  },

  /** Moves by the visible time, less half an hour. */
  turnPage(direction) {
    const { start, end } = layout.visibleTime(), seconds = direction * Math.max(1800, end - start - 1800);
    layout.scrollTo({ instant: clamp(start + seconds, layout.origin, layout.end) });
    return this.go(view.place(this.row), this.anchor + seconds);
  },

  /** Returns the action of a key, or null if it has none. */
  action(event) {
    const place = view.place(this.row), isRTL = document.documentElement.dir === 'rtl';
    const seen = layout.places(layout.top()), screen = Math.max(1, seen.end - seen.first - 1);
    const isControl = event.ctrlKey || event.metaKey;
    if (event.altKey) return null;
    // GuideLayout.move(for:).
    const [left, right] = isRTL ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight'];
    const [earlier, later, previous, next] = layout.isVertical ? ['ArrowUp', 'ArrowDown', left, right] : [left, right, 'ArrowUp', 'ArrowDown'];
    const turn = direction => () => (layout.isVertical ? this.turnPage(direction) : this.across(place + direction * screen));
    switch (event.key) {
      case later: return isControl ? null : () => this.step(true);
      case earlier: return isControl ? null : () => this.step(false);
      case next: return isControl ? null : () => this.across(place + 1);
      case previous: return isControl ? null : () => this.across(place - 1);
      case 'PageDown': return turn(1);
      case 'PageUp': return turn(-1);
      case 'Home': return () => this.go(isControl ? 0 : place, layout.origin);
      case 'End': return () => this.go(isControl ? view.count - 1 : place, layout.end - 1, { step: -1 });
      case 'Enter': case ' ': return () => dialogs.openAiring(this.cell, this.row);
    }
    return null;
  },
};

// Keys and clicks in the grid.

export function listenToKeys() {
  grid.addEventListener('keydown', event => {
    if (!event.target.closest('.cell') || !focus.cell || view.count === 0) return;
    if ((event.key === 'Enter' || event.key === ' ') && (event.ctrlKey || event.metaKey || event.shiftKey)) return;
    const action = focus.action(event);
    if (!action) return;
    event.preventDefault();
    // Sequential: each step starts where the previous one ended.
    focus.steps = focus.steps.then(() => focus.action(event)?.()).catch(() => showStatus(t('guideUnavailable')));
  });
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, textarea, dialog')) return;
    if (event.key === '/') { event.preventDefault(); byID('q').focus(); }
    if (event.key === 'n') { event.preventDefault(); tools.jumpToNow(true); }
    if (/^[\d.-]$/.test(event.key)) Promise.all([import('./numbers.js'), dialogStyles()]).then(([{ typed }]) => typed.type(event.key)).catch(() => {});
  });
  // A click or tab into a cell moves the focus of the grid there.
  grid.addEventListener('focusin', event => {
    const element = event.target.closest('.cell');
    if (!element?.cell?.facts || focus.isOn(element.cell.row, element.cell.facts)) return;
    const { facts, row } = element.cell;
    if (facts.id < 0) return;
    focus.set(row, facts, Math.max(facts.s, Math.min(layout.firstInstant(), facts.e - 1)), false);
  });
  grid.addEventListener('click', event => {
    const star = event.target.closest('.star');
    if (star) return toggleFavorite(star.closest('.head').dataset.station);
    const cell = event.target.closest('.cell')?.cell;
    if (!cell?.facts) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    const { facts, row } = cell;
    if (facts.id > 0) {
      focus.set(row, facts, Math.max(facts.s, Math.min(clock.now(), facts.e - 1)));
      dialogs.openAiring(facts, row);
    } else if (facts.id < 0) {
      // Focusing an airing of a cluster splits it from the others.
      focus.set(row, facts.members.find(member => member.id > 0) ?? facts.members[0], facts.s);
    }
  });
  // A tooltip with the full title.
  grid.addEventListener('pointerover', event => {
    const cell = event.target.closest('.cell')?.cell;
    if (cell?.facts?.id && !cell.link.title) {
      const { facts } = cell, range = zone.range(facts.start, facts.stop);
      cell.link.title = facts.id > 0 ? [facts.title, facts.sub, range].filter(Boolean).join('\n') : facts.members.map(m => zone.label(m.start) + ' ' + m.title).join('\n');
    }
  });
}

// The toolbar above the grid.

const genres = ['genreNews', 'genreSport', 'genreChildren', 'genreDocumentary', 'genreMusic', 'genreFilm', 'genreSeries', 'genreEntertainment'];
const signs = ['≡', '●', '☺', '◎', '♪', '▣', '◇', '★'];
const zooms = [60, 90, 120, 180, 240, 360, 480, 720, 960];

export const tools = {
  begin() {
    // A button with a symbol has its tooltip as its name.
    const button = (id, text, title, onclick, attributes = {}) => make('button', { id, type: 'button', title, 'aria-label': /\p{L}/u.test(text) ? text : title, onclick, ...attributes }, text);
    const group = (...children) => make('span', { class: 'group' }, ...children);
    const day = make('select', { id: 'day', title: t('day'), 'aria-label': t('day'), onchange: () => this.jumpToDay(Number(day.value)) });
    const genre = make('select', { id: 'genre', title: t('filterGenre'), 'aria-label': t('genre'), onchange: () => { view.genre = Number(genre.value); this.narrow(); } },
      make('option', { value: '' }, t('allGenres')), ...genres.map((name, i) => make('option', { value: i + 1 }, `${signs[i]} ${t(name)}`)));
    const stations = make('select', { id: 'group', title: t('showGroup'), 'aria-label': t('stationGroup'), hidden: true, onchange: () => { view.group = stations.value; this.paint(); filter(); } },
      make('option', { value: '' }, t('allStations')));
    byID('tools').replaceChildren(
      make('div', {},
        group(button('earlier', '‹', t('earlier'), () => this.page(-1)), button('now', t('now'), t('showNow'), () => this.jumpToNow(true)), button('later', '›', t('later'), () => this.page(1))),
        group(button('day-before', '‹', t('previousDay'), () => this.jumpToDay(this.day - 1)), day, button('day-after', '›', t('nextDay'), () => this.jumpToDay(this.day + 1))),
        button('more', '⋯', t('moreControls'), () => dialogs.openSheet(), { class: 'icon', 'aria-haspopup': 'dialog' })),
      make('div', { id: 'rest', class: 'end' }, button('prime', t('tonight'), t('tonight'), () => this.jumpToPrimeTime()), stations, genre,
        button('only-new', t('badgeNew'), t('onlyNew'), () => { view.onlyNew = !view.onlyNew; this.narrow(); }, { 'aria-pressed': 'false' }),
        button('only-favorites', '★', t('onlyFavorites'), () => { view.onlyFavorites = !view.onlyFavorites; this.paint(); filter(); }, { class: 'icon', 'aria-pressed': String(view.onlyFavorites) }),
        group(button('zoom-out', '−', t('moreHours'), () => this.zoom(-1)), button('zoom-in', '+', t('fewerHours'), () => this.zoom(1))),
        button('turn', '⇅', t('hoursDownwards'), () => this.turn(), { class: 'icon', 'aria-pressed': String(layout.isVertical) }),
        button('settings', '⚙', t('settings'), () => dialogs.openSettings(), { class: 'icon' })));
    byID('tools').classList.add('ready');
    this.listenToSwipes();
    this.writeDays();
    this.loadGroups();
  },

  day: 0,
  today: 0,
  writeDays() {
    const select = byID('day'), today = this.today = zone.dayOf(clock.now());
    select.replaceChildren();
    for (let day = zone.dayOf(layout.origin); day <= zone.dayOf(layout.end - 1); day++) {
      const label = zone.dayLabel(zone.startOfDay(day) + 43200);
      select.append(make('option', { value: day }, day === today ? t('today') : label));
    }
    if (this.day) select.value = this.day;
    this.writePrime();
  },
  /** `Tonight 8 PM`, `Tonight 20:00`, or `Sat 20:00` for the evening of another day. */
  writePrime() {
    const instant = zone.instantAt(this.day || this.today, 72000), prime = byID('prime');
    const time = zone.label(instant).replace(/:00(?=\s[AP]M$)/, '');
    const label = zone.dayOf(instant) === this.today ? t('tonightAt', { time }) : `${zone.weekday.format(instant * 1000)} ${time}`;
    prime.textContent = label;
    prime.setAttribute('aria-label', label);
    prime.title = t('showEvening', { evening: label });
  },

  /** A swipe across the toolbar shows the next or the previous day. */
  listenToSwipes() {
    const bar = byID('tools').firstChild;
    let x = 0, y = 0;
    bar.addEventListener('touchstart', ({ touches: [{ clientX, clientY }] }) => { [x, y] = [clientX, clientY]; }, { passive: true });
    bar.addEventListener('touchend', ({ changedTouches: [{ clientX, clientY }] }) => {
      const away = document.documentElement.dir === 'rtl' ? clientX - x : x - clientX;
      if (Math.abs(away) > 40 && Math.abs(away) > 2 * Math.abs(clientY - y)) byID(away > 0 ? 'day-after' : 'day-before').click();
    });
  },
  tick(now) {
    if (zone.dayOf(now) !== this.today) this.writeDays();
    // The filters of today begin with the current hour.
    const hour = Math.floor(now / 3600);
    if (view.isFiltered && hour !== this.hour) filter();
    this.hour = hour;
  },
  hour: 0,
  showDay(day) {
    this.day = day;
    clearTimeout(this.timer);
    if (view.isFiltered && day !== view.day) this.timer = setTimeout(() => this.narrow(), 400);
    const select = byID('day');
    if (!select) return;
    select.value = day;
    byID('day-before').disabled = day <= zone.dayOf(layout.origin);
    byID('day-after').disabled = day >= zone.dayOf(layout.end - 1);
    this.writePrime();
  },
  async loadGroups() {
    try {
      const { groups, runs } = await requestJSON('/api/v1/groups');
      view.runs = runs ?? [];
      if (settings.groups) relayout();
      const select = byID('group');
      select.hidden = groups.length === 0;
      select.replaceChildren(select.firstChild, ...groups.map(group => make('option', { value: group.name }, `${group.name} (${group.stations})`)));
      // A group that no longer exists would show nothing.
      if (view.group && !groups.some(group => group.name === view.group)) {
        view.group = '';
        filter();
      }
      select.value = view.group;
    } catch { /* without groups, the menu stays hidden */ }
  },
  paint() {
    byID('only-favorites').setAttribute('aria-pressed', String(view.onlyFavorites));
    byID('group').value = view.group;
    byID('more').classList.toggle('marked', view.isFiltered || view.onlyFavorites || view.group !== '');
    byID('genre').value = view.genre || '';
    byID('only-new').setAttribute('aria-pressed', String(view.onlyNew));
    if (view.isFiltered) grid.dataset.only = `${view.genre} ${view.onlyNew}`; else delete grid.dataset.only;
  },

  /** Scrolls by most of a screen along time. */
  page(direction) {
    const hours = Math.max(1, Math.floor(layout.width / layout.hour - .5));
    this.jump(layout.firstInstant() + direction * hours * 3600);
  },
  jump(instant, x) {
    instant = clamp(instant, layout.origin, layout.end);
    layout.scrollTo({ instant, x });
    announce(`${zone.dayLabel(instant)}, ${zone.label(Math.round(instant / 900) * 900)}`);
  },
  /** Scrolls to the current time, at 15% of the width. */
  jumpToNow(isFocused) {
    const now = clock.now();
    if (now < layout.origin || now >= layout.end) return announce(t('nowOutside'));
    this.jump(now, layout.leftOfNow());
    if (isFocused) focus.go(layout.firstWholePlace(), now).catch(() => {});
  },
  jumpToPrimeTime() {
    this.jump(zone.instantAt(this.day, 72000));
  },
  /** Scrolls to another day at the same local time. */
  jumpToDay(day) {
    const first = layout.firstInstant();
    this.jump(zone.instantAt(day, zone.local(first) - zone.dayOf(first) * 86400));
  },
  zoom(direction) {
    const hour = layout.hour / layout.unit;
    const next = direction > 0 ? zooms.find(z => z > hour + .5) : [...zooms].reverse().find(z => z < hour - .5);
    if (!next) return;
    // The current time keeps its position if it is in sight; otherwise the middle does.
    const now = clock.now(), isNowSeen = layout.x(now) > layout.left() && layout.x(now) < layout.left() + layout.width;
    const fixed = isNowSeen ? now : layout.instant(layout.left() + layout.width / 2);
    const at = layout.x(fixed) - layout.left();
    choose(layout.zoomSetting, next);
    relayout({ instant: fixed, at });
    announce(t('showingHours', { hours: Math.round(layout.width / layout.hour * 10) / 10 }));
  },
  /** Turns the grid: hours across or downwards. The first station and the first hour stay. */
  turn() {
    const instant = layout.firstInstant(), place = layout.firstPlace(), root = document.documentElement;
    choose('grid', layout.isVertical ? '' : 'vertical');
    if (settings.grid) root.dataset.grid = settings.grid; else delete root.dataset.grid;
    relayout({ instant, anchor: { place, beyond: 0 } });
    byID('turn').setAttribute('aria-pressed', String(layout.isVertical));
    announce(t(layout.isVertical ? 'hoursDown' : 'hoursAcross'));
  },
  /** Hides the rows without matches of the filters on the shown day, and dims what does not match. */
  narrow() {
    this.paint();
    view.day = this.day;
    renderer.redraw();
    filter();
  },
  timer: 0,
};

/** Recomputes all positions, and keeps `instant` at the distance `at` from the edge, and the place of `anchor` at the top. */
export function relayout({ instant, at, anchor = layout.anchor() } = {}) {
  const first = instant ?? layout.firstInstant();
  header.clear();
  layout.measure();
  layout.resize();
  if (!renderer.isDrawing) return placeFirst();
  const y = layout.topOf(anchor.place) + anchor.beyond * layout.rowHeight;
  pool.dropUnseen(layout.places(y));
  for (const row of pool.rows.values()) row.assign(row.place, row.row);
  const x = layout.x(first) - (at ?? 0);
  layout.scrollTo({ y, instant: layout.instant(x) });
  header.drawNow();
  renderer.redraw();
  renderer.frameNow();
}

/** Makes the search field a combobox. Its module loads at the first use. */
export function beginSearch() {
  const field = byID('q');
  for (const [name, value] of Object.entries({ role: 'combobox', 'aria-expanded': 'false', 'aria-controls': 'found', 'aria-autocomplete': 'list' })) field.setAttribute(name, value);
  // Without the module, Enter opens the search page.
  field.addEventListener('focus', () => Promise.all([import('./search.js'), dialogStyles()]).then(([{ search }]) => search.begin()).catch(() => {}), { once: true });
}

let styles = null;
/** Loads the texts and styles of what opens on use. */
export const dialogStyles = () => styles ??= Promise.all([import(`./more-${document.documentElement.lang}.js`), new Promise(resolve => {
  document.head.append(make('link', { rel: 'stylesheet', href: new URL('./dialogs.css', import.meta.url).href, onload: resolve, onerror: resolve }));
})]);

export const dialogs = {
  /** The module, once it is loaded. */
  module: null,

  /** Calls a function with the module; shows an error if it cannot be loaded. */
  async use(body) {
    try {
      this.module ??= (await Promise.all([import('./dialogs.js'), dialogStyles()]))[0];
    } catch {
      return showStatus(t('partNotLoaded'));
    }
    body(this.module);
  },
  /** Shows the details of an airing of the grid. */
  openAiring(cell, row) { return this.use(({ panel }) => panel.open(cell, row)); },
  openSettings() { return this.use(({ options }) => options.open()); },
  openSheet() { return this.use(({ openSheet }) => openSheet()); },
  /** Reads the shown airing again after the guide changed. */
  refresh() { this.module?.panel.refresh(); },
};
