// The details of an airing, the settings, and the other controls on a phone, which load on first use: most visits need none of them.

import {
  announce, byID, choose, clamp, clock, grid, make, pageURL, pictureURL, profiles, query, requestJSON, seconds, settings,
  sharedParameters, storage, urlWith, webURL, zone,
} from './base.js';
import { favorites, filter, hidden, stations, toggleFavorite, toggleHidden, view } from './listings.js';
import { layout } from './drawing.js';
import { focus, relayout, tools } from './controls.js';
import { jumpTo } from './search.js';
import { watched } from './watched.js';
import { watchlist } from './watch.js';

export const panel = {
  airing: 0, row: -1, lastRequest: 0,

  get dialog() {
    let dialog = byID('panel');
    if (!dialog) {
      dialog = make('dialog', { id: 'panel', 'aria-labelledby': 'panel-title' });
      // A click beside the panel closes it.
      dialog.addEventListener('click', event => { if (event.target === dialog) dialog.close(); });
      dialog.addEventListener('close', () => {
        this.airing = 0;
        focus.drawn?.target.focus({ preventScroll: true });
      });
      document.body.append(dialog);
    }
    return dialog;
  },

  /** Opens the panel with the data of the grid, and completes it when the details arrive. */
  open(cell, row) {
    if (!cell || cell.id <= 0) return;
    this.airing = cell.id;
    this.row = row;
    const station = stations.get(row);
    this.write({
      id: cell.id, title: cell.title, subtitle: cell.sub, station: station?.id, stationName: station?.name,
      start: cell.start, stop: cell.stop, inferredStop: (cell.flags & 4) !== 0,
    }, null);
    if (!this.dialog.open) this.dialog.showModal();
    this.dialog.scrollTop = 0;
    this.load();
  },
  async load() {
    const request = ++this.lastRequest, id = this.airing;
    try {
      const details = await requestJSON(urlWith('/api/v1/airings/' + id, { ...sharedParameters('at', 'lang'), zone: zone.name }));
      if (request === this.lastRequest && this.airing === id) this.write(details.airing, details);
    } catch (error) {
      if (request !== this.lastRequest || this.airing !== id) return;
      const message = error.status === 404 ? 'This airing is no longer in the guide.' : 'The details are unavailable.';
      this.dialog.querySelector('.panel')?.append(make('p', { class: 'when', role: 'alert' }, message));
    }
  },
  /** Reads the shown airing again after the guide changed, without closing the panel. */
  refresh() { if (this.airing && this.dialog.open) this.load(); },

  write(airing, details) {
    const [start, stop] = [seconds(airing.start), seconds(airing.stop)], programme = airing.programme ?? {};
    const now = clock.now(), isOn = start <= now && now < stop;
    const isDerived = airing.facts?.some(({ name }) => name === 'Derived');
    const when = `${zone.dayLabel(start, zone.longDay)}, ${isDerived ? '~' : ''}${zone.range(start, stop, zone.dayOf(start))}${airing.inferredStop ? '?' : ''} · ${airing.stationName ?? ''}`;
    const poster = pictureURL(airing.poster);
    const text = programme.descriptions?.[0]?.text ?? airing.description;
    const box = make('div', { class: 'panel' },
      poster && this.poster(poster),
      make('h2', { id: 'panel-title', class: 'title', dir: 'auto' }, airing.title || 'Untitled'),
      airing.subtitle && make('p', { class: 'sub', dir: 'auto' }, airing.subtitle),
      make('p', { class: 'when' }, when),
      isOn && this.meter((now - start) / (stop - start)),
      this.tags(airing, programme, isOn),
      text && make('p', { class: 'text', dir: 'auto' }, text),
      this.acts(airing, start, stop, text),
      this.fields(airing, programme),
      this.showings(details?.showings),
      make('button', { id: 'panel-close', class: 'close', type: 'button', 'aria-label': 'Close', onclick: () => this.dialog.close() }, '✕'));
    const focusedID = document.activeElement?.id;
    this.dialog.replaceChildren(box);
    if (focusedID && this.dialog.open) byID(focusedID)?.focus();
  },
  poster(source) {
    const image = make('img', { class: 'poster', alt: '', loading: 'lazy', referrerpolicy: 'no-referrer', onerror: () => image.remove() });
    image.src = source;
    return image;
  },
  meter(part) {
    const bar = make('i');
    bar.style.inlineSize = clamp(part * 100, 0, 100) + '%';
    return make('div', { class: 'meter', role: 'img', 'aria-label': `${Math.round(part * 100)}% elapsed` }, bar);
  },
  tags(airing, programme, isOn) {
    const tags = [isOn && 'On now', programme.isNew && 'New', programme.premiere && 'Premiere', programme.lastChance && 'Last chance',
      programme.previouslyShown && 'Repeat', airing.clump && 'Shares its time', ...(airing.categories ?? []).slice(0, 6)].filter(Boolean);
    return tags.length > 0 && make('p', {}, ...tags.map(tag => make('span', { class: 'tag', dir: 'auto' }, tag)));
  },
  acts(airing, start, stop, text) {
    const id = airing.station ?? stations.get(this.row)?.id;
    const button = (id, label, onclick, pressed) => make('button', { id, type: 'button', onclick, 'aria-pressed': pressed }, label);
    const favorite = button('panel-favorite', favorites.has(id) ? '★ Favorite' : '☆ Favorite', () => {
      toggleFavorite(id);
      favorite.setAttribute('aria-pressed', String(favorites.has(id)));
      favorite.textContent = favorites.has(id) ? '★ Favorite' : '☆ Favorite';
    }, String(favorites.has(id)));
    return make('div', { class: 'acts' },
      make('a', { id: 'panel-calendar', class: 'button', href: calendarURL(airing, start, stop, text), download: 'programme.ics' }, 'Add to calendar'),
      ...this.watchActs(airing, stop),
      id && favorite,
      id && button('panel-hide', 'Hide station', () => this.hide(id, airing.stationName)),
      id && make('a', { id: 'panel-day', class: 'button', href: pageURL('/stations/' + encodeURIComponent(id)) }, 'Station schedule'),
      make('a', { class: 'button', href: pageURL('/airings/' + airing.id) }, 'Open page'));
  },

  hide(id, name) {
    this.dialog.close();
    toggleHidden(id);
    showToast(`${name || 'The station'} is hidden.`, () => { if (hidden.has(id)) toggleHidden(id); });
  },

  /** Buttons that add watch rules, if the service accepts them, and the rules that match. */
  watchActs(airing, stop) {
    // The parental limit has replaced the title of a locked airing.
    const isLocked = airing.title === 'Locked' && (query.has('lockAge') || query.has('lockCategory'));
    if (stop <= clock.now() || isLocked) return [];
    const status = make('p', { role: 'status', class: 'watched' }, watched.mark(airing.id));
    if (!grid.dataset.watch) return watched.rules.has(airing.id) ? [status] : [];
    const say = text => watchlist.show(text, status);
    const button = (id, label, rule) => watchlist.connect(make('button', { id, type: 'button' }, label), rule, airing.id, say);
    return [
      button('panel-remind', 'Remind me', { airing: airing.id }),
      airing.title && button('panel-follow', 'Every episode', { title: airing.title, once: true }),
      status,
    ];
  },

  /** The remaining facts, as the service names them, and links. */
  fields(airing, programme) {
    const list = make('dl', {});
    for (const { name, text } of airing.facts ?? []) list.append(make('dt', {}, name), make('dd', { dir: 'auto' }, text));
    const links = (programme.urls ?? []).map(link => webURL(link.url)).filter(Boolean);
    if (links.length) {
      list.append(make('dt', {}, 'Links'), make('dd', {}, ...links.flatMap(link => [make('a', { href: link, rel: 'noreferrer noopener', target: '_blank' }, new URL(link).host), ' '])));
    }
    for (const review of (programme.reviews ?? []).slice(0, 5)) {
      const link = webURL(review.content);
      list.append(make('dt', {}, 'Review'), make('dd', { dir: 'auto' }, link ? make('a', { href: link, rel: 'noreferrer noopener', target: '_blank' }, new URL(link).host) : review.content ?? ''));
    }
    return list.firstChild && list;
  },
  showings(showings) {
    if (!showings?.length) return null;
    const rows = showings.slice(0, 20).map(showing => {
      const start = seconds(showing.start);
      return make('li', {}, make('button', { type: 'button', onclick: () => this.follow(showing) }, `${zone.dayLabel(start)}, ${zone.range(start, seconds(showing.stop), zone.dayOf(start))} · ${showing.stationName ?? ''}`));
    });
    return make('section', {}, make('h3', {}, 'Other showings'), make('ul', { class: 'showings' }, ...rows));
  },
  /** Goes to another showing in the grid. */
  async follow(showing) {
    this.dialog.close();
    await jumpTo(showing);
  },
};


let toastTimer = 0;
/** Shows a message with a button that undoes something: for 8 seconds, and while it has the focus or the pointer. */
function showToast(text, undo) {
  let toast = byID('toast');
  if (!toast) document.body.append(toast = make('div', { id: 'toast', class: 'state toast', role: 'status' }));
  const close = () => {
    if (toast.matches(':hover, :focus-within')) toastTimer = setTimeout(close, 500); else toast.hidden = true;
  };
  const button = make('button', { id: 'toast-undo', type: 'button', onclick: () => {
    // The cell takes the focus back when it has been drawn.
    button.blur();
    toast.hidden = focus.isLost = true;
    undo();
  } }, 'Undo');
  clearTimeout(toastTimer);
  toastTimer = setTimeout(close, 8000);
  toast.hidden = false;
  toast.replaceChildren(make('span', {}, text), button);
}

/** Creates a blob URL of a calendar (RFC 5545) with the airing, and revokes the previous one. */
let calendarBlob = null;
function calendarURL(airing, start, stop, text) {
  const time = instant => new Date(instant * 1000).toISOString().replace(/[-:]|\.\d+/g, '');
  const escaped = value => String(value ?? '').replace(/[\\;,]/g, '\\$&').replace(/\r\n?|\n/g, '\\n').replace(/[\u0000-\u001f\u007f]/g, '');
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//swift-epg//guide//EN', 'BEGIN:VEVENT', `UID:airing-${airing.id}@${location.host}`,
    'DTSTAMP:' + time(clock.now()), 'DTSTART:' + time(start), 'DTEND:' + time(stop), 'SUMMARY:' + escaped(airing.title || 'Untitled'),
    'LOCATION:' + escaped(airing.stationName), 'DESCRIPTION:' + escaped([airing.subtitle, text].filter(Boolean).join('\n')), 'END:VEVENT', 'END:VCALENDAR', ''];
  if (calendarBlob) URL.revokeObjectURL(calendarBlob);
  calendarBlob = URL.createObjectURL(new Blob([lines.map(folded).join('\r\n')], { type: 'text/calendar' }));
  return calendarBlob;
}
/** Folds a line into pieces of at most 75 bytes (RFC 5545, section 3.1). */
function folded(line) {
  const encoder = new TextEncoder();
  let pieces = '', length = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (length + size > 74) { pieces += '\r\n '; length = 1; }
    pieces += character;
    length += size;
  }
  return pieces;
}

/** Shows the controls for which the toolbar of a phone has no room. */
export function openSheet() {
  const rest = byID('rest'), sheet = make('dialog', {
    id: 'sheet', 'aria-label': 'More controls',
    onclick: ({ target }) => { if (target === sheet || target.closest('#prime, #turn, #settings, #sheet-close')) sheet.close(); },
    onclose: () => { byID('tools').append(rest); sheet.remove(); },
  }, make('div', { class: 'sheet' }, rest, make('button', { id: 'sheet-close', type: 'button' }, 'Close')));
  document.body.append(sheet);
  sheet.showModal();
}

// The settings.

/** Moves a favorite up (-1) or down (1) among the others. */
function moveFavorite(id, step) {
  const list = [...favorites], from = list.indexOf(id), to = from + step;
  if (from < 0 || to < 0 || to >= list.length) return;
  [list[from], list[to]] = [list[to], list[from]];
  favorites.clear();
  for (const each of list) favorites.add(each);
  storage.write('favorites', list);
  if (view.onlyFavorites) filter();
}

/** The settings dialog. This browser stores all settings, unless it uses a profile of the service. */
export const options = {
  get dialog() {
    let dialog = byID('options');
    if (!dialog) {
      dialog = make('dialog', { id: 'options', 'aria-labelledby': 'options-title' });
      dialog.addEventListener('click', event => { if (event.target === dialog) dialog.close(); });
      document.body.append(dialog);
    }
    return dialog;
  },
  open() {
    const select = (id, title, value, choices, onchange) => {
      const field = make('select', { id, onchange: () => onchange(field.value) }, ...choices.map(([value, label]) => make('option', { value }, label)));
      field.value = value ?? '';
      return [make('label', { for: id }, title), field];
    };
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const zones = [['', `This device (${own})`], ...[...new Set([grid.dataset.zone, 'UTC', ...(Intl.supportedValuesOf?.('timeZone') ?? [])])].filter(Boolean).map(name => [name, name])];
    this.dialog.replaceChildren(make('div', { class: 'panel' },
      make('h2', { id: 'options-title' }, 'Settings'),
      make('div', { class: 'fields' },
        ...select('set-theme', 'Theme', settings.theme, [['', 'System'], ['light', 'Light'], ['dark', 'Dark']], value => this.change('theme', value)),
        ...select('set-size', 'Size', settings.size, [['', 'Automatic'], ['small', 'Small'], ['large', 'Large'], ['huge', 'Television']], value => this.change('size', value)),
        ...select('set-clock', 'Clock', settings.clock, [['', 'Automatic'], ['24', '24 hours'], ['12', '12 hours']], value => this.change('clock', value)),
        ...select('set-zone', 'Time zone', settings.zone, zones, value => this.change('zone', value)),
        ...select('set-dir', 'Text direction', settings.dir, [['', 'Automatic'], ['ltr', 'Left to right'], ['rtl', 'Right to left']], value => this.change('dir', value)),
        ...select('set-groups', 'Group headers', settings.groups, [['', 'Off'], ['on', 'On']], value => this.change('groups', value)),
        ...select('set-pictures', 'Pictures of what is on', settings.pictures, [['', 'Off'], ['on', 'On']], value => this.change('pictures', value)),
        ...select('set-preview', 'Preview of the focused program', settings.preview, [['', 'Automatic'], ['on', 'On'], ['off', 'Off']], value => this.change('preview', value)),
        ...select('set-tv', 'Television mode', profiles.tv, [['', 'Automatic'], ['1', 'On'], ['0', 'Off']], value => this.changeTelevision(value)),
        ...select('set-fold', 'Stations in several qualities', settings.fold, [['', 'All'], ['on', 'One row']], value => this.change('fold', value)),
        make('span', {}, 'Hidden stations'),
        make('button', { id: 'set-hidden', type: 'button', disabled: hidden.size === 0, onclick: event => this.showHidden(event.target) }, hidden.size ? `Show all (${hidden.size})` : 'None'),
        make('span', {}, 'Order of favorites'),
        make('button', { id: 'set-order', type: 'button', disabled: favorites.size < 2, onclick: () => this.showOrder() }, favorites.size < 2 ? (favorites.size ? 'One favorite' : 'None') : `Change (${favorites.size})`)),
      make('div', { id: 'options-more' }),
      make('p', {}, make('a', { href: '/admin' }, 'Administration')),
      make('p', { class: 'when' }, 'Keys: arrows, Home, End, Page Up and Page Down move in the grid. Enter opens details, n goes to the current time, / searches.'),
      make('button', { class: 'close', type: 'button', 'aria-label': 'Close', onclick: () => this.dialog.close() }, '✕')));
    this.dialog.showModal();
    this.addProfiles(select).catch(() => { /* without profiles, this browser keeps the settings */ });
  },
  /** Adds the choice of a profile if the service has any. */
  async addProfiles(select) {
    const chosen = profiles.chosen?.name ?? '';
    const names = (await requestJSON('/api/v1/profiles')).profiles.map(profile => profile.name);
    if (!names.length && !chosen) return;
    const choices = [['', 'This browser'], ...new Set([...names, chosen].filter(Boolean))].map(each => [].concat(each, each).slice(0, 2));
    this.dialog.querySelector('.fields')?.prepend(...select('set-profile', 'Profile', chosen, choices, value => this.chooseProfile(value)));
  },
  /** Chooses a profile, after the PIN of the current one if it has one. */
  async chooseProfile(name) {
    const { chosen } = profiles, more = byID('options-more');
    const say = text => { more.querySelector('p')?.remove(); more.append(make('p', { class: 'when', role: 'alert' }, text)); };
    more.replaceChildren();
    if (name === (chosen?.name ?? '')) return;
    const enter = async () => {
      try {
        if (!await profiles.choose(name || null)) say('The profile is unavailable.');
      } catch (error) {
        say(error.message);
      }
    };
    if (!chosen?.hasPIN) return enter();
    const field = make('input', { id: 'pin', type: 'password', inputmode: 'numeric', autocomplete: 'off', required: true, maxlength: 64 });
    const form = make('form', { class: 'fields' }, make('label', { for: 'pin' }, `PIN of “${chosen.name}”`), field, make('span'), make('button', {}, 'Continue'));
    form.addEventListener('submit', async event => {
      event.preventDefault();
      const request = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ pin: field.value }) };
      const response = await fetch(profiles.path(chosen.name) + '/unlock', request).catch(() => null);
      // A profile that no longer exists has no PIN.
      if (response?.ok || profiles.isMissing(response)) return enter();
      field.value = '';
      say((await response?.json().catch(() => null))?.detail ?? 'The service is unreachable. Try again later.');
    });
    more.append(form);
    field.focus();
  },
  /** Lists the favorites with buttons that move them. */
  async showOrder() {
    const names = new Map();
    await Promise.all([...favorites].map(async id => {
      const found = await requestJSON('/api/v1/stations/' + encodeURIComponent(id)).catch(() => null);
      names.set(id, found?.station.name ?? id);
    }));
    const list = make('ol', { class: 'order' });
    const write = (focused, step) => {
      const ids = [...favorites];
      list.replaceChildren(...ids.map((id, place) => {
        const button = (by, sign, label) => make('button', { type: 'button', disabled: !(place + by in ids), 'aria-label': `${label}: ${names.get(id)}`, onclick: () => { moveFavorite(id, by); write(id, by); } }, sign);
        return make('li', { 'data-station': id }, make('span', { dir: 'auto' }, names.get(id)), button(-1, '↑', 'Up'), button(1, '↓', 'Down'));
      }));
      if (!focused) return;
      const buttons = [...list.querySelectorAll('li')].find(item => item.dataset.station === focused).querySelectorAll('button');
      const wanted = buttons[step < 0 ? 0 : 1];
      (wanted.disabled ? buttons[step < 0 ? 1 : 0] : wanted).focus();
      announce(`${names.get(focused)}: place ${ids.indexOf(focused) + 1} of ${ids.length}`);
    };
    write();
    byID('options-more').replaceChildren(list);
    list.querySelector('button:enabled')?.focus();
  },
  change(name, value) {
    // The other direction scrolls from the other edge, so this reads the position first.
    const instant = layout.firstInstant();
    choose(name, value);
    const root = document.documentElement;
    if (name === 'theme' || name === 'size') {
      if (value) root.dataset[name] = value; else delete root.dataset[name];
    }
    if (name === 'dir') root.dir = value || serverDirection;
    if (name === 'zone' || name === 'clock') {
      zone.set();
      tools.writeDays();
    }
    if (name === 'fold') filter();
    if (name === 'preview') import('./preview.js').then(({ preview }) => preview.follow());
    relayout({ instant });
  },
  /** Stores in this browser whether it is a television: a profile may belong to several devices. */
  changeTelevision(value) {
    try { localStorage.setItem('epg.tv', JSON.stringify(value)); } catch { /* the URL of this page has the value */ }
    const url = new URL(location.href);
    if (value) url.searchParams.set('tv', value); else url.searchParams.delete('tv');
    location.replace(url);
  },
  showHidden(button) {
    hidden.clear();
    storage.write('hidden', []);
    button.disabled = true;
    button.textContent = 'None';
    filter();
  },
};
const serverDirection = query.get('dir') === 'rtl' ? 'rtl' : 'ltr';
