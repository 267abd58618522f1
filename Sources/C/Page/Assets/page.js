// Runs on every page before the first paint, so it is no module: applies the limit of the profile and the settings of the guide page
// (theme, text size, direction, clock), and keeps pages for reading offline.

'use strict';

/** The language of times: the page's, in the region of the browser if that names one. Digits, and English without a region, are as the server writes them. */
const locales = (() => {
  const { lang } = document.documentElement, regional = navigator.languages?.find(each => each.startsWith(lang + '-'));
  return new Intl.Locale(regional ?? (lang === 'en' ? 'en-GB' : lang), { numberingSystem: 'latn' }).toString();
})();

/** Returns a text in the language of the page. The number `count` selects its plural form. The service writes `epgTexts` before this script. */
function t(key, values = {}) {
  const found = epgTexts[key] ?? key;
  const text = typeof found === 'string' ? found : found[new Intl.PluralRules(locales).select(values.count)] ?? found.other;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** The name of a time zone in the browser's spelling; undefined for an unknown zone. Without a name, the device's zone. */
function zoneNamed(name) {
  try { return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone; } catch { return undefined; }
}
/** The time zone of all pages: the zone in the settings, else the device's; undefined if the browser knows neither. */
const viewerZone = ({ zone }) => (zone && zoneNamed(zone) ? zone : zoneNamed());

/**
 * Creates the format of times for the setting `clock`: 12 or 24 hours, otherwise as usual in the language. A 24-hour time has two
 * digits, as the server writes it.
 */
function timeFormat(clock, options) {
  const hour12 = clock === '12' ? true : clock === '24' ? false : undefined;
  const isWhole = hour12 === false || (hour12 === undefined && new Intl.DateTimeFormat(locales, { hour: 'numeric' }).resolvedOptions().hourCycle === 'h23');
  return new Intl.DateTimeFormat(locales, { hour: isWhole ? '2-digit' : 'numeric', minute: '2-digit', hour12, ...options });
}

/** The initials of the first two words, with complete numbers: `BO` for `BBC One`, `C10` for `CCTV-10`. A later short number follows them: `SS1` for `Sky Sport 1`. The server writes the same. */
function initials(name) {
  const words = (name.match(/\p{L}+|\p{N}{1,4}\+?/gu) ?? []).slice(0, 2);
  const isNumber = word => /^\p{N}/u.test(word);
  const number = words.some(isNumber) ? '' : name.match(/(?<!\p{N})\p{N}{1,3}\+?(?![\p{L}\p{N}])/u)?.[0] ?? '';
  return words.map(word => (isNumber(word) ? word : [...word][0])).join('').toUpperCase() + number;
}

/** The notice of a page that the service worker stored at a date; the date is missing if the page is newer. */
function offlineNotice(date, clock) {
  const stored = Date.parse(date);
  if (!stored) return t('offline');
  const day = new Intl.DateTimeFormat(locales, { weekday: 'short', day: 'numeric', month: 'short' }).format(stored);
  return t('offlineSince', { date: day, time: timeFormat(clock).format(stored) });
}

// The profile of this browser: settings that the service keeps under a name for all browsers that choose it, and a parental limit.
//
// Without a profile, this browser keeps all settings. With one, it keeps a copy, which pages use at once and without a connection.
// What differs from the profile as the service sent it last is a change that the service does not have yet.

const profiles = {
  /** The stored value with a key, or `fallback`. */
  read(key, fallback) {
    try { return JSON.parse(localStorage.getItem(key)) ?? fallback; } catch { return fallback; }
  },
  /** The profile as the service sent it last: name, settings, limit, hasPIN, acceptsRules, and its tag. Null without one. */
  get chosen() {
    const profile = this.read('epg.profile', null);
    return typeof profile?.name === 'string' ? profile : null;
  },
  /** The key of a value in this browser. The copies for a profile are apart from this browser's own values. */
  key(name) { return `epg.${this.chosen && name !== 'filter' ? 'profile.' : ''}${name}`; },
  /** The key of the reminders of this browser. Those for a profile are apart, because their titles may be above the limit of another. */
  get remindersKey() { return 'epg.reminders' + (this.chosen ? '.' + this.chosen.name : ''); },
  path(name) { return '/api/v1/profiles/' + encodeURIComponent(name); },

  lists: ['favorites', 'hidden'],
  choices: ['theme', 'size', 'clock', 'zone', 'language', 'dir', 'grid', 'groups', 'pictures', 'fold', 'preview', 'hour', 'hourDown'],
  /** The settings in this browser, without those that have their default. */
  get own() {
    const stored = this.read(this.key('settings'), {}), found = {};
    for (const name of this.lists) {
      const list = this.read(this.key(name), []);
      if (list.length) found[name] = list;
    }
    for (const name of this.choices) if (stored[name]) found[name] = stored[name];
    return found;
  },
  /** Replaces the settings in this browser. */
  keep({ favorites = [], hidden = [], ...choices }) {
    for (const [name, value] of Object.entries({ favorites, hidden, settings: choices })) localStorage.setItem(this.key(name), JSON.stringify(value));
  },
  isSame: (one, other) => JSON.stringify(Object.entries(one ?? {}).sort()) === JSON.stringify(Object.entries(other ?? {}).sort()),
  /** Applies the changes of this browser since `base` to the settings of the service. */
  merge(base, mine, theirs) {
    const merged = { ...theirs };
    for (const name of [...this.lists, ...this.choices]) {
      if (JSON.stringify(mine[name]) === JSON.stringify(base[name])) continue;
      merged[name] = mine[name];
      if (!this.lists.includes(name) || JSON.stringify(theirs[name]) === JSON.stringify(base[name])) continue;
      const [old, own, other] = [base, mine, theirs].map(settings => settings[name] ?? []);
      merged[name] = [...other.filter(id => own.includes(id) || !old.includes(id)), ...own.filter(id => !old.includes(id) && !other.includes(id))];
    }
    return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined && value.length !== 0));
  },

  /** The query parameters of a limit, with their values. */
  parameters(limit) {
    const age = limit?.maximumAge, categories = limit?.hiddenCategories ?? [];
    return [...(age === undefined ? [] : [['lockAge', String(age)]]), ...categories.map(category => ['lockCategory', category])];
  },
  /** The viewer's time zone. */
  get zone() { return viewerZone(this.read(this.key('settings'), {})); },
  /** The chosen language, if the page is in a different one; undefined otherwise. */
  get otherLanguage() {
    const { language } = this.read(this.key('settings'), {});
    // A URL with the language may have led to a stored page in a different one, which is better than none.
    const isNamed = new URLSearchParams(location.search).get('ui') === language;
    return language && !isNamed && language !== document.documentElement.lang ? language : undefined;
  },
  /** Whether the page has times in another zone than the viewer's. */
  get isElsewhere() {
    const { zone } = document.documentElement.dataset, wanted = this.zone;
    return Boolean(zone && wanted && zone !== wanted && zoneNamed(zone) !== zoneNamed(wanted));
  },
  /** Whether the page draws its times itself. */
  isGuide: location.pathname === '/',
  /**
   * Whether the URL has the parameters of the limit, and the page the language and the times of the viewer. Other limits are allowed without one. The
   * service may not know a zone that it was asked for.
   */
  get isEntered() {
    const wanted = this.parameters(this.chosen?.limit), names = ['lockAge', 'lockCategory'], query = new URLSearchParams(location.search);
    const isInTime = this.isGuide || !this.isElsewhere || query.get('zone') === this.zone;
    return isInTime && !this.otherLanguage && !(this.tv && !query.has('tv')) && (wanted.length === 0 || this.isSame(wanted, [...query].filter(([name]) => names.includes(name))));
  },
  /** Whether this device is a television, by its own settings: 1 or 0; if empty, the service decides. */
  get tv() { return this.read('epg.tv', ''); },
  /** Loads this page with the parameters of the limit, of the language and of the zone, before anything is visible. */
  enter() {
    const url = new URL(location.href);
    for (const name of ['lockAge', 'lockCategory']) url.searchParams.delete(name);
    for (const [name, value] of this.parameters(this.chosen?.limit)) url.searchParams.append(name, value);
    if (!this.isGuide && this.isElsewhere) url.searchParams.set('zone', this.zone);
    if (this.otherLanguage) url.searchParams.set('ui', this.otherLanguage);
    if (this.tv && !url.searchParams.has('tv')) url.searchParams.set('tv', this.tv);
    document.documentElement.hidden = true;
    if (url.href === location.href) location.reload(); else location.replace(url);
  },

  /**
   * Chooses a profile by its name; null for this browser. Returns whether the service has it. Without `isForced`, throws an error
   * if the service does not have all changes of the current one, which its copy here alone would lose.
   */
  async choose(name, isForced = false) {
    if (!isForced) await this.exchange(false);
    if (!isForced && this.hasChanges && !this.isRejected) throw new Error(t('changesNotSaved'));
    const profile = name === null ? null : await this.request(name);
    if (name !== null && !profile) return false;
    if (profile) {
      localStorage.setItem('epg.profile', JSON.stringify(profile));
      this.keep(profile.settings);
    } else {
      localStorage.removeItem('epg.profile');
    }
    this.enter();
    return true;
  },
  /** Whether the service says that it does not have the profile. A proxy may respond with 404, too. */
  isMissing: response => response?.status === 404 && /^application\/problem\+json/.test(response.headers.get('Content-Type')),
  /** Requests a profile; returns null if the service is unreachable, and undefined if it does not have the profile. */
  async request(name) {
    const response = await fetch(this.path(name), { cache: 'no-cache', signal: AbortSignal.timeout(20_000) }).catch(() => null);
    if (this.isMissing(response)) return undefined;
    return response?.ok ? { settings: {}, ...await response.json(), tag: this.tag(response) } : null;
  },
  /** The ETag of a response. A proxy that compresses responses marks it as weak. */
  tag: response => response.headers.get('ETag')?.replace(/^W\//, ''),
  /** Reads the profile again, and adds the changes of this browser. Returns whether pages must show something else. */
  async update() {
    const { name } = this.chosen, fresh = await this.request(name), { chosen } = this;
    if (fresh === undefined) return this.choose(null, true);
    if (!fresh || chosen?.name !== name) return false;
    const mine = this.own, merged = this.merge(chosen.settings, mine, fresh.settings);
    localStorage.setItem('epg.profile', JSON.stringify(fresh));
    this.keep(merged);
    if (JSON.stringify(fresh.limit) !== JSON.stringify(chosen.limit)) this.enter();
    return !this.isSame(merged, mine);
  },

  /** Whether this browser has changes that the service does not have. */
  get hasChanges() { return this.chosen !== null && !this.isSame(this.own, this.chosen.settings); },
  /** Whether the service has rejected them. */
  isRejected: false,
  timer: 0, last: Promise.resolve(),
  /** Sends changes a little later, so that several of them need one request. */
  schedule(delay = 500) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.exchange(false), delay);
  },
  /**
   * Sends the changes of this browser, after the exchanges that are running; with `isReading`, first reads the profile again. Returns
   * whether pages must show something else, of which an event tells them.
   */
  exchange(isReading) {
    this.last = this.last.then(() => this.send(isReading)).catch(() => false).then(isChanged => {
      if (isChanged) dispatchEvent(new Event('profilechange'));
      return isChanged;
    });
    return this.last;
  },
  async send(isReading) {
    let isChanged = isReading && this.chosen !== null && await this.update();
    // After a change of another browser, reads the profile again, and repeats the own ones.
    for (let attempt = 0; attempt < 4 && this.hasChanges; attempt++) {
      const { chosen } = this, mine = this.own, headers = { 'Content-Type': 'application/json', 'If-Match': chosen.tag };
      const request = { method: 'PUT', headers, body: JSON.stringify(mine), signal: AbortSignal.timeout(20_000) };
      const response = await fetch(this.path(chosen.name), request).catch(() => null);
      if (this.chosen?.name !== chosen.name) break;
      if (response?.status === 204) {
        localStorage.setItem('epg.profile', JSON.stringify({ ...chosen, settings: mine, tag: this.tag(response) }));
        this.isRejected = false;
      } else if (response?.status === 412 || this.isMissing(response)) {
        isChanged = await this.update() || isChanged;
      } else {
        if (!response || [404, 429].includes(response.status) || response.status >= 500) this.schedule(30000);
        else {
          this.isRejected = true;
          dispatchEvent(new CustomEvent('profileproblem', { detail: (await response.json().catch(() => null))?.detail ?? `status ${response.status}` }));
        }
        break;
      }
    }
    return isChanged;
  },

  begin() {
    // Administration has no limit, and its pages may be responses to forms.
    if (/^\/(admin|login)\b/.test(location.pathname)) return;
    const state = () => JSON.stringify([this.chosen?.name, this.chosen?.limit, this.otherLanguage, this.isGuide || this.zone]);
    let current = state();
    const keys = ['favorites', 'hidden', 'settings'];
    // Another tab has chosen another profile, or changed settings.
    addEventListener('storage', event => {
      if (state() !== current) { current = state(); this.enter(); }
      else if (keys.some(name => event.key === this.key(name))) dispatchEvent(new Event('profilechange'));
    });
    // Back may show a page as it was before this browser chose another profile.
    addEventListener('pageshow', event => {
      if (!event.persisted) return;
      if (state() !== current) return this.enter();
      dispatchEvent(new Event('profilechange'));
      if (this.chosen) this.exchange(true);
    });
    if (!this.isEntered) return this.enter();
    if (this.read(this.remindersKey, {}).list?.length) addEventListener('load', () => import('./reminders.js'));
    if (!this.chosen) return;
    addEventListener('load', () => this.exchange(true).then(isChanged => { if (isChanged) location.reload(); }));
    addEventListener('online', () => this.exchange(true));
    document.addEventListener('visibilitychange', () => { if (!document.hidden) this.exchange(true); });
    setInterval(() => { if (!document.hidden) this.exchange(true); }, 300_000);
  },
};
profiles.begin();

/** What the modules share with this script. */
window.epgPage = { initials, locales, offlineNotice, profiles, t, timeFormat, viewerZone, writeTimes, zoneNamed };

const chosen = profiles.read(profiles.key('settings'), {});
const root = document.documentElement;
if (chosen.theme === 'light' || chosen.theme === 'dark') root.dataset.theme = chosen.theme;
if (chosen.size === 'small' || chosen.size === 'large' || chosen.size === 'huge') root.dataset.size = chosen.size;
if (chosen.dir === 'rtl' || chosen.dir === 'ltr') root.dir = chosen.dir;
if (chosen.grid === 'vertical' && !('tv' in root.dataset)) root.dataset.grid = chosen.grid;
root.classList.add('js');
// The guide's script replaces the times of the server.
if (profiles.isGuide && profiles.isElsewhere) root.classList.add('elsewhere');
// Shows station logos once they have loaded. The initials of the name replace a logo that fails to load. A picture that the
// service was still fetching is requested again: a logo once, other pictures twice.
const logo = event => (event.target instanceof HTMLImageElement && event.target.closest('.logo') ? event.target : null);
document.addEventListener('load', event => logo(event)?.classList.add('there'), true);
document.addEventListener('error', event => {
  const image = event.target, source = image instanceof HTMLImageElement ? image.getAttribute('src') : null;
  const isOurs = Boolean(source?.startsWith('/art/'));
  if (!logo(event) || image.classList.contains('now')) {
    const seconds = isOurs && [3, 9][image.dataset.again ?? 0];
    // Not all browsers show the initials of the style sheet.
    if (!seconds) return image.closest?.('.v-logo') && image.replaceWith(image.dataset.instead);
    event.stopPropagation();
    image.dataset.again = Number(image.dataset.again ?? 0) + 1;
    setTimeout(() => { image.src = source; }, seconds * 1000);
    return;
  }
  const name = image.closest('.station')?.querySelector('.name b')?.textContent;
  const sign = document.createElement('i');
  sign.textContent = initials(name ?? '');
  image.replaceWith(sign);
  if (!isOurs) return;
  setTimeout(() => {
    if (!sign.isConnected) return;
    const later = new Image();
    later.alt = '';
    later.onload = () => { later.classList.add('there'); sign.replaceWith(later); };
    later.src = source;
  }, 3000);
}, true);

/** Writes the times within an element with the viewer's clock. The server adds the time of 24 hours where it writes 12. */
function writeTimes(within) {
  const format = timeFormat(chosen.clock, { timeZone: 'UTC' });
  for (const element of within.querySelectorAll('time')) {
    const time = /^(\d\d):(\d\d)(.*)$/s.exec(element.dataset.time ?? element.textContent);
    if (time) element.textContent = format.format(Date.UTC(2000, 0, 1, time[1], time[2])) + time[3];
  }
}
// The guide's script shows the state of the connection itself.
function followConnection() {
  if (document.getElementById('guide')) return;
  const line = document.createElement('p');
  Object.assign(line, { id: 'state', className: 'state' });
  line.setAttribute('role', 'status');
  const show = () => {
    line.hidden = navigator.onLine !== false && root.dataset.stored === undefined;
    line.textContent = line.hidden ? '' : offlineNotice(root.dataset.stored, chosen.clock);
  };
  show();
  document.body.append(line);
  addEventListener('offline', show);
  addEventListener('online', () => (root.dataset.stored === undefined ? show() : location.reload()));
  if (root.dataset.stored === undefined) return;
  // The network may never have been away, but the service.
  setInterval(async () => {
    if (document.hidden) return;
    const response = await fetch(location.href, { cache: 'no-store' }).catch(() => null);
    if (response?.ok && !response.headers.has('Guide-Stored')) location.reload();
  }, 10000);
}
// A station's day opens at what is on, unless the URL names another place, or the viewer returns.
function showNow() {
  const [{ type }] = performance.getEntriesByType('navigation');
  if (document.body.classList.contains('day') && !location.hash && type === 'navigate') document.getElementById('now')?.scrollIntoView();
}
// The name of the profile in the bar, whose limit and settings the page has.
function showProfile() {
  const name = profiles.chosen?.name, bar = document.querySelector('.bar');
  if (!name || !bar) return;
  const sign = document.createElement('span');
  Object.assign(sign, { className: 'profile', title: t('profileOf', { name }), textContent: name });
  bar.querySelector('.search')?.before(sign);
}
document.addEventListener('DOMContentLoaded', () => { writeTimes(document); followConnection(); showNow(); showProfile(); });

// The service worker starts after the page has loaded. What the page loaded without it, or through an earlier version, it stores
// afterwards.
const workers = navigator.serviceWorker, ui = new URLSearchParams(location.search).get('ui');
const keep = worker => worker?.postMessage([location.href, ...performance.getEntriesByType('resource').map(entry => entry.name)]);
workers?.addEventListener('controllerchange', () => keep(workers.controller));
if (workers) addEventListener('load', async () => {
  try {
    await workers.register('/service-worker.js' + (ui ? '?ui=' + encodeURIComponent(ui) : ''), { updateViaCache: 'none' });
    const { active } = await workers.ready;
    // After a reload that bypasses the worker, it does not become the controller.
    if (!workers.controller && active.state === 'activated') keep(active);
  } catch { /* without a service worker, the page needs a connection */ }
});
