// The details of an airing, the settings, and the other controls on a phone, which load on first use: most visits need none of them.

import {
  announce, byID, choose, clamp, clock, grid, make, pageURL, pictureURL, profiles, query, requestJSON, seconds, settings,
  sharedParameters, storage, t, titleOf, urlWith, webURL, zone,
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
    this.initial = document.activeElement;
    this.dialog.scrollTop = 0;
    this.load();
  },
  async load() {
    const request = ++this.lastRequest, id = this.airing;
    try {
      const details = await requestJSON(urlWith('/api/v1/airings/' + id, { ...sharedParameters('at', 'lang'), ui: document.documentElement.lang, zone: zone.name, similar: 1 }));
      if (request === this.lastRequest && this.airing === id) this.write(details.airing, details);
    } catch (error) {
      if (request !== this.lastRequest || this.airing !== id) return;
      const message = t(error.status === 404 ? 'airingGone' : 'detailsUnavailable');
      this.dialog.querySelector('.panel')?.append(make('p', { class: 'when', role: 'alert' }, message));
    }
  },
  /** Reads the shown airing again after the guide changed, without closing the panel. */
  refresh() { if (this.airing && this.dialog.open) this.load(); },

  write(airing, details) {
    const [start, stop] = [seconds(airing.start), seconds(airing.stop)], programme = airing.programme ?? {};
    const now = clock.now(), isOn = start <= now && now < stop;
    const isDerived = airing.marks?.includes('derived');
    const when = `${zone.dayLabel(start, zone.longDay)}, ${isDerived ? '~' : ''}${zone.range(start, stop, zone.dayOf(start))}${airing.inferredStop ? '?' : ''} · ${airing.stationName ?? ''}`;
    const poster = pictureURL(airing.poster);
    const text = programme.descriptions?.[0]?.text ?? airing.description;
    const box = make('div', { class: 'panel' },
      poster && this.poster(poster),
      make('h2', { id: 'panel-title', class: 'title', dir: 'auto' }, titleOf(airing.title)),
      airing.subtitle && make('p', { class: 'sub', dir: 'auto' }, airing.subtitle),
      make('p', { class: 'when' }, when),
      isOn && this.meter((now - start) / (stop - start)),
      this.tags(airing, programme, isOn),
      text && make('p', { class: 'text', dir: 'auto' }, text),
      this.acts(airing, start, stop, text),
      this.fields(airing, programme),
      this.showings(details?.showings, t('otherShowings'), ({ stationName }) => stationName),
      this.showings(details?.similar, t('moreLikeThis'), ({ title, stationName }) => `${titleOf(title)} · ${stationName ?? ''}`),
      make('button', { id: 'panel-close', class: 'close', type: 'button', 'aria-label': t('close'), onclick: () => this.dialog.close() }, '✕'));
    const { activeElement } = document, primary = box.querySelector('.primary');
    this.dialog.replaceChildren(box);
    // The primary action may arrive with the details. It has the focus unless the viewer has moved it.
    const isMoved = activeElement !== this.initial, focused = isMoved || !primary ? activeElement?.id && byID(activeElement.id) : primary;
    if (this.dialog.open) focused?.focus();
    if (!isMoved && details) this.initial = null;
  },
  poster(source) {
    const image = make('img', { class: 'poster', alt: '', loading: 'lazy', referrerpolicy: 'no-referrer', onerror: () => image.remove() });
    image.src = source;
    return image;
  },
  meter(part) {
    const bar = make('i');
    bar.style.inlineSize = clamp(part * 100, 0, 100) + '%';
    return make('div', { class: 'meter', role: 'img', 'aria-label': t('elapsed', { percent: Math.round(part * 100) }) }, bar);
  },
  tags(airing, programme, isOn) {
    const tags = [isOn && t('onNow'), programme.isNew && t('new'), programme.premiere && t('premiere'), programme.lastChance && t('lastChance'),
      programme.previouslyShown && t('repeat'), airing.clump && t('isShared'), ...(airing.categories ?? []).slice(0, 6)].filter(Boolean);
    return tags.length > 0 && make('p', {}, ...tags.map(tag => make('span', { class: 'tag', dir: 'auto' }, tag)));
  },
  acts(airing, start, stop, text) {
    const id = airing.station ?? stations.get(this.row)?.id;
    const button = (id, label, onclick, pressed) => make('button', { id, class: 'quiet', type: 'button', onclick, 'aria-pressed': pressed }, label);
    const link = (id, label, path) => make('a', { id, class: 'button quiet', href: path }, label);
    const favorite = button('panel-favorite', t(favorites.has(id) ? 'favoriteOn' : 'favoriteOff'), () => {
      toggleFavorite(id);
      favorite.setAttribute('aria-pressed', String(favorites.has(id)));
      favorite.textContent = t(favorites.has(id) ? 'favoriteOn' : 'favoriteOff');
    }, String(favorites.has(id)));
    const canWatch = airing.links?.some(({ type }) => type === 'live') || airing.catchup?.length > 0;
    const isSeries = airing.title && airing.genre !== 'film' && (airing.subtitle || airing.episode || airing.series);
    return make('div', { class: 'acts' },
      canWatch && make('a', { id: 'panel-watch', class: 'button primary', href: urlWith(`/airings/${airing.id}.m3u`, sharedParameters('at')) }, t('watch')),
      ...this.watchActs(airing, start, stop, !canWatch),
      make('div', { class: 'more' },
        make('a', { id: 'panel-calendar', class: 'button quiet', href: calendarURL(airing, start, stop, text), download: 'programme.ics' }, t('addToCalendar')),
        isSeries && link('panel-series', t('allEpisodes'), withTitle(pageURL('/series'), airing.title)),
        id && favorite,
        id && button('panel-hide', t('hideStation'), () => this.hide(id, airing.stationName)),
        id && link('panel-day', t('stationSchedule'), pageURL('/stations/' + encodeURIComponent(id))),
        link('panel-page', t('openPage'), pageURL('/airings/' + airing.id))));
  },

  hide(id, name) {
    this.dialog.close();
    toggleHidden(id);
    showToast(t('stationHidden', { name: name || t('theStation') }), () => { if (hidden.has(id)) toggleHidden(id); });
  },

  /** Buttons that add reminders, and the rules that match. */
  watchActs(airing, start, stop, isPrimary) {
    // The parental limit has replaced the title of a locked airing.
    const isLocked = airing.title === 'Locked' && (query.has('lockAge') || query.has('lockCategory'));
    if (stop <= clock.now() || isLocked) return [];
    const status = make('p', { role: 'status', class: 'watched' }, watched.mark(airing.id));
    const say = text => { status.textContent = text; };
    const facts = { id: airing.id, title: titleOf(airing.title), station: airing.stationName ?? '', start, stop };
    const button = (id, label, rule, style) => watchlist.connect(make('button', { id, class: style, type: 'button' }, label), rule, facts, say);
    return [
      button('panel-remind', t('remindMe'), { airing: airing.id }, isPrimary && 'primary'),
      airing.title && button('panel-follow', t('everyEpisode'), { title: airing.title, once: true }),
      status,
    ];
  },

  /** The remaining facts, as the service names them, and links. */
  fields(airing, programme) {
    const list = make('dl', {});
    for (const { name, text } of airing.facts ?? []) list.append(make('dt', {}, name), make('dd', { dir: 'auto' }, text));
    const links = (programme.urls ?? []).map(link => webURL(link.url)).filter(Boolean);
    if (links.length) {
      list.append(make('dt', {}, t('links')), make('dd', {}, ...links.flatMap(link => [make('a', { href: link, rel: 'noreferrer noopener', target: '_blank' }, new URL(link).host), ' '])));
    }
    for (const review of (programme.reviews ?? []).slice(0, 5)) {
      const link = webURL(review.content);
      list.append(make('dt', {}, t('review')), make('dd', { dir: 'auto' }, link ? make('a', { href: link, rel: 'noreferrer noopener', target: '_blank' }, new URL(link).host) : review.content ?? ''));
    }
    return list.firstChild && list;
  },
  /** Lists airings, with a text beside the time of each. */
  showings(showings, heading, label) {
    if (!showings?.length) return null;
    const rows = showings.slice(0, 20).map(showing => {
      const start = seconds(showing.start);
      return make('li', {}, make('button', { type: 'button', onclick: () => this.follow(showing) }, `${zone.dayLabel(start)}, ${zone.range(start, seconds(showing.stop), zone.dayOf(start))} · ${label(showing) ?? ''}`));
    });
    return make('section', {}, make('h3', {}, heading), make('ul', { class: 'showings' }, ...rows));
  },
  /** Goes to another showing in the grid. */
  async follow(showing) {
    this.dialog.close();
    await jumpTo(showing);
  },
};

/** Adds a title to the URL of a page. */
const withTitle = (path, title) => `${path}${path.includes('?') ? '&' : '?'}title=${encodeURIComponent(title)}`;

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
  } }, t('undo'));
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
    'DTSTAMP:' + time(clock.now()), 'DTSTART:' + time(start), 'DTEND:' + time(stop), 'SUMMARY:' + escaped(titleOf(airing.title)),
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
    id: 'sheet', 'aria-label': t('moreControls'),
    onclick: ({ target }) => { if (target === sheet || target.closest('#prime, #turn, #settings, #sheet-close')) sheet.close(); },
    onclose: () => { byID('tools').append(rest); sheet.remove(); },
  }, make('div', { class: 'sheet' }, rest, make('button', { id: 'sheet-close', type: 'button' }, t('close'))));
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
    const zones = [['', t('thisDevice', { zone: own })], ...[...new Set([grid.dataset.zone, 'UTC', ...(Intl.supportedValuesOf?.('timeZone') ?? [])])].filter(Boolean).map(name => [name, name])];
    this.dialog.replaceChildren(make('div', { class: 'panel' },
      make('h2', { id: 'options-title' }, t('settings')),
      make('div', { class: 'fields' },
        ...select('set-language', t('language'), settings.language, [['', t('automatic')], ...epgTexts.languages], value => this.changeLanguage(value)),
        ...select('set-theme', t('theme'), settings.theme, [['', t('system')], ['light', t('light')], ['dark', t('dark')]], value => this.change('theme', value)),
        ...select('set-size', t('size'), settings.size, [['', t('automatic')], ['small', t('sizeSmall')], ['large', t('sizeLarge')], ['huge', t('sizeHuge')]], value => this.change('size', value)),
        ...select('set-clock', t('clock'), settings.clock, [['', t('automatic')], ['24', t('clock24')], ['12', t('clock12')]], value => this.change('clock', value)),
        ...select('set-zone', t('timeZone'), settings.zone, zones, value => this.change('zone', value)),
        ...select('set-dir', t('textDirection'), settings.dir, [['', t('automatic')], ['ltr', t('leftToRight')], ['rtl', t('rightToLeft')]], value => this.change('dir', value)),
        ...select('set-groups', t('groupHeaders'), settings.groups, [['', t('off')], ['on', t('on')]], value => this.change('groups', value)),
        ...select('set-pictures', t('pictures'), settings.pictures, [['', t('off')], ['on', t('on')]], value => this.change('pictures', value)),
        ...select('set-preview', t('preview'), settings.preview, [['', t('automatic')], ['on', t('on')], ['off', t('off')]], value => this.change('preview', value)),
        ...select('set-tv', t('television'), profiles.tv, [['', t('automatic')], ['1', t('on')], ['0', t('off')]], value => this.changeTelevision(value)),
        ...select('set-fold', t('qualities'), settings.fold, [['', t('qualitiesAll')], ['on', t('oneRow')]], value => this.change('fold', value)),
        make('span', {}, t('hiddenStations')),
        make('button', { id: 'set-hidden', type: 'button', disabled: hidden.size === 0, onclick: event => this.showHidden(event.target) }, hidden.size ? t('showAll', { count: hidden.size }) : t('none')),
        make('span', {}, t('orderOfFavorites')),
        make('button', { id: 'set-order', type: 'button', disabled: favorites.size < 2, onclick: () => this.showOrder() }, favorites.size < 2 ? t(favorites.size ? 'oneFavorite' : 'none') : t('changeOrder', { count: favorites.size }))),
      make('div', { id: 'options-more' }),
      make('p', {}, make('a', { href: '/admin' }, t('administration'))),
      make('p', { class: 'when' }, t('keys')),
      make('button', { class: 'close', type: 'button', 'aria-label': t('close'), onclick: () => this.dialog.close() }, '✕')));
    this.dialog.showModal();
    this.addProfiles(select).catch(() => { /* without profiles, this browser keeps the settings */ });
  },
  /** Adds the choice of a profile if the service has any. */
  async addProfiles(select) {
    const chosen = profiles.chosen?.name ?? '';
    const names = (await requestJSON('/api/v1/profiles')).profiles.map(profile => profile.name);
    if (!names.length && !chosen) return;
    const choices = [['', t('thisBrowser')], ...new Set([...names, chosen].filter(Boolean))].map(each => [].concat(each, each).slice(0, 2));
    this.dialog.querySelector('.fields')?.prepend(...select('set-profile', t('profile'), chosen, choices, value => this.chooseProfile(value)));
  },
  /** Chooses a profile, after the PIN of the current one if it has one. */
  async chooseProfile(name) {
    const { chosen } = profiles, more = byID('options-more');
    const say = text => { more.querySelector('p')?.remove(); more.append(make('p', { class: 'when', role: 'alert' }, text)); };
    more.replaceChildren();
    if (name === (chosen?.name ?? '')) return;
    const enter = async () => {
      try {
        if (!await profiles.choose(name || null)) say(t('profileUnavailable'));
      } catch (error) {
        say(error.message);
      }
    };
    if (!chosen?.hasPIN) return enter();
    const field = make('input', { id: 'pin', type: 'password', inputmode: 'numeric', autocomplete: 'off', required: true, maxlength: 64 });
    const form = make('form', { class: 'fields' }, make('label', { for: 'pin' }, t('pinOf', { name: chosen.name })), field, make('span'), make('button', {}, t('continue')));
    form.addEventListener('submit', async event => {
      event.preventDefault();
      const request = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ pin: field.value }) };
      const response = await fetch(profiles.path(chosen.name) + '/unlock', request).catch(() => null);
      // A profile that no longer exists has no PIN.
      if (response?.ok || profiles.isMissing(response)) return enter();
      field.value = '';
      say((await response?.json().catch(() => null))?.detail ?? t('unreachable'));
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
        const button = (by, sign, label) => make('button', { type: 'button', disabled: !(place + by in ids), 'aria-label': t(label, { name: names.get(id) }), onclick: () => { moveFavorite(id, by); write(id, by); } }, sign);
        return make('li', { 'data-station': id }, make('span', { dir: 'auto' }, names.get(id)), button(-1, '↑', 'up'), button(1, '↓', 'down'));
      }));
      if (!focused) return;
      const buttons = [...list.querySelectorAll('li')].find(item => item.dataset.station === focused).querySelectorAll('button');
      const wanted = buttons[step < 0 ? 0 : 1];
      (wanted.disabled ? buttons[step < 0 ? 1 : 0] : wanted).focus();
      announce(t('placeOf', { name: names.get(focused), place: ids.indexOf(focused) + 1, count: ids.length }));
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
  /** Loads the page in another language, by default the language of the browser. */
  changeLanguage(language) {
    choose('language', language);
    const url = new URL(location.href);
    if (language) url.searchParams.set('ui', language); else url.searchParams.delete('ui');
    location.assign(url);
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
    button.textContent = t('none');
    filter();
  },
};
const serverDirection = query.get('dir') ?? (/^(ar|he)$/.test(document.documentElement.lang) ? 'rtl' : 'ltr');
