// What all modules of the guide page use: elements, settings, requests, time, and the connection. It imports nothing, so it is ready
// when the others load, which import each other in circles and use each other only after loading.

export const byID = id => document.getElementById(id);
export const grid = byID('guide');
export const query = new URLSearchParams(location.search);

/** Creates an element with attributes and children. Strings become text nodes. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined && child !== false && child !== ''));
  return element;
}

/** Returns the URL if its scheme is http or https, else null. Only such URLs are shown or followed. */
export function webURL(text) {
  if (typeof text !== 'string' || !/^https?:\/\/[^\s/?#@][^\s@]*$/i.test(text.split(/[?#]/)[0])) return null;
  try {
    const url = new URL(text);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
  } catch {
    return null;
  }
}

/** Returns the URL of a picture: a path of this service, or a URL that `webURL` accepts; else null. */
export const pictureURL = text => (typeof text === 'string' && /^\/(?![/\\])/.test(text) ? text : webURL(text));

/** What page.js shares with the modules: it runs before them on every page. */
export const { initials, profiles, t } = window.epgPage;
const { locales, offlineNotice, timeFormat, viewerZone, zoneNamed } = window.epgPage;

/** The title that the page shows: the service writes `Locked` for an airing that the parental limit hides. */
export const titleOf = title => (!title ? t('untitled') : isLocked({ title }) ? t('locked') : title);
export const isLocked = ({ title }) => title === 'Locked' && (query.has('lockAge') || query.has('lockCategory'));

/** Values in the local storage of this browser. */
export const storage = {
  read(name, fallback) {
    try {
      const value = JSON.parse(localStorage.getItem(profiles.key(name)));
      return value && Array.isArray(value) === Array.isArray(fallback) ? value : fallback;
    } catch {
      return fallback;
    }
  },
  write(name, value) {
    try {
      localStorage.setItem(profiles.key(name), JSON.stringify(value));
      profiles.schedule();
    } catch {
      announce(t('cannotStore'));
    }
  },
};

export const settings = storage.read('settings', {});
export function choose(name, value) {
  settings[name] = value;
  storage.write('settings', settings);
}

/** Announces a text to screen readers. A later text within 120 ms replaces it. */
let announcement = 0;
export function announce(text) {
  clearTimeout(announcement);
  announcement = setTimeout(() => { byID('live').textContent = text; }, 120);
}

/** Shows an error in the status line; hides the line if there is none. */
export function showStatus(text) {
  let line = byID('state');
  if (!line) document.body.append(line = make('p', { id: 'state', class: 'state', role: 'status' }));
  if (line.textContent !== (text || '')) line.textContent = text || '';
  if (line.hidden === Boolean(text)) line.hidden = !text;
}

/** A URL with query parameters. An array has several values of a parameter. */
export function urlWith(path, parameters = {}) {
  const pairs = Object.entries(parameters).flatMap(([name, value]) => [].concat(value).map(each => [name, each]));
  const text = new URLSearchParams(pairs).toString().replaceAll('%2C', ',');
  return text ? path + '?' + text : path;
}
/** The page's parameters that other pages and some API requests share, always with the parental limit. */
export function sharedParameters(...names) {
  const shared = [...names, 'lockAge', 'lockCategory'].filter(name => query.get(name));
  return Object.fromEntries(shared.map(name => [name, query.getAll(name)]));
}
/** The parameters of links to other pages, which `zone` completes. */
let pageParameters = urlWith('', sharedParameters('at', 'lang', 'ui', 'tv'));
export const pageURL = path => path + pageParameters;

/**
 * Requests JSON from the service, and returns it with the generation of the guide that the response names. The browser
 * revalidates cached responses (304), since the guide may have changed. Throws an error with `status` for a failed request.
 */
export async function requestWithGeneration(path, options = {}) {
  const response = await fetch(path, { headers: { Accept: 'application/json' }, cache: 'no-cache', ...options });
  const stored = response.headers.get('Guide-Stored');
  if (stored === null) clock.align(response.headers.get('Date'));
  connection.note(stored);
  if (!response.ok) throw Object.assign(new Error(`${path}: ${response.status}`), { status: response.status });
  return { body: await response.json(), generation: response.headers.get('Guide-Generation'), isStored: stored !== null };
}
/** Requests JSON from the service; see `requestWithGeneration`. */
export const requestJSON = async (path, options) => (await requestWithGeneration(path, options)).body;

export const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

/** Returns the first index of a sorted list for which `isBehind` is true, by binary search. */
export function partition(list, isBehind) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBehind(list[middle])) high = middle; else low = middle + 1;
  }
  return low;
}

/** Seconds since 1970 of an instant that the service writes as a number or in ISO 8601. */
export const seconds = time => (typeof time === 'number' ? time : Date.parse(time) / 1000);

// Time: the clock, the time zone, and labels. Instants are seconds since 1970.

/** The current time by the server's clock, because the viewer's may be minutes off. Fixed if the page's URL has `at`. */
export const clock = {
  skew: 0,
  fixed: query.has('at') && grid ? Number(grid.dataset.now) : null,
  now() { return this.fixed ?? Date.now() / 1000 + this.skew; },
  /** Adopts the server's clock if the difference is more than 3 seconds; the Date header has a resolution of one second. */
  align(date) {
    const there = Date.parse(date) / 1000;
    if (!there) return;
    const skew = there + .5 - Date.now() / 1000;
    if (Math.abs(skew - this.skew) > 3) this.skew = Math.abs(skew) > 3 ? skew : 0;
  },
};

/** The time zone of labels: the viewer's, else the server's. */
export const zone = {
  set() {
    const name = this.name = viewerZone(settings) ?? (zoneNamed(grid?.dataset.zone) ? grid.dataset.zone : 'UTC');
    this.parts = new Intl.DateTimeFormat('en-US', { timeZone: name, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' });
    this.place = name.startsWith('Etc/') ? name : name.split('/').pop().replaceAll('_', ' ');
    this.link();
    const format = options => new Intl.DateTimeFormat(locales, { timeZone: this.name, ...options });
    this.time = timeFormat(settings.clock, { timeZone: this.name });
    this.timeIn = timeFormat(settings.clock, { timeZone: this.name, timeZoneName: 'short' });
    this.weekday = format({ weekday: 'short' });
    // Without the year, and with it.
    const dated = options => [format(options), format({ ...options, year: 'numeric' })];
    this.day = dated({ weekday: 'short', day: 'numeric', month: 'short' });
    this.longDay = dated({ weekday: 'long', day: 'numeric', month: 'long' });
    // Whether labels end in ` AM` or ` PM`; this depends on the language.
    this.isRightToLeft = /^(ar|dv|fa|he|ks|ku-Arab|ps|sd|ug|ur|yi)\b/.test(this.time.resolvedOptions().locale);
    this.isShortened = [6e7, 9e6].every(ms => /^\d+:\d\d\s[AP]M$/.test(this.time.format(ms)));
    this.offsets = new Map();
    this.labels = new Map();
  },
  /** Makes links to other pages name the zone, unless the service uses it by default. */
  link() {
    const isDefault = !query.has('zone') && zoneNamed(grid?.dataset.zone) === zoneNamed(this.name);
    const parameters = { ...sharedParameters('at', 'lang', 'ui', 'tv'), ...(isDefault ? {} : { zone: this.name }) };
    pageParameters = urlWith('', parameters);
    for (const link of document.querySelectorAll('.bar a')) {
      const url = new URL(link.href);
      if (isDefault) url.searchParams.delete('zone'); else url.searchParams.set('zone', this.name);
      link.href = url.pathname + url.search;
    }
    const form = byID('q')?.form;
    form?.querySelector('[name=zone]')?.remove();
    if (!isDefault) form?.append(make('input', { type: 'hidden', name: 'zone', value: this.name }));
  },
  /** Offset of the zone from UTC in seconds. Zones change their offset at full quarters of an hour. */
  offset(instant) {
    const quarter = Math.floor(instant / 900);
    let offset = this.offsets.get(quarter);
    if (offset === undefined) {
      const part = {};
      for (const { type, value } of this.parts.formatToParts(quarter * 9e5)) part[type] = Number(value);
      offset = Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute, part.second) / 1000 - quarter * 900;
      if (this.offsets.size > 20000) this.offsets.clear();
      this.offsets.set(quarter, offset);
    }
    return offset;
  },
  /** The local time, as seconds since 1970-01-01T00:00. */
  local(instant) { return instant + this.offset(instant); },
  /** The instant at a time of a local day, also on days when the zone's offset changes. */
  instantAt(day, time) {
    const local = day * 86400 + time;
    return local - this.offset(local - this.offset(local));
  },
  /** The first instant of a local day, given as days since 1970-01-01. */
  startOfDay(day) {
    const midnight = day * 86400;
    let instant = this.instantAt(day, 0);
    // The earlier midnight if it occurs twice; the end of the gap if it does not occur.
    if (this.local(instant - 3600) >= midnight) instant -= 3600;
    while (this.local(instant) < midnight) instant += 900;
    return instant;
  },
  dayOf(instant) { return Math.floor(this.local(instant) / 86400); },
  /** Whether the local time occurs twice on its day. */
  isTwice(instant) { return [-7200, -3600, -1800, 1800, 3600, 7200].some(d => this.local(instant + d) === this.local(instant)); },
  /** `20:00`, with the offset for an hour that occurs twice on that day: `01:00 GMT+1`. */
  label(instant) {
    let label = this.labels.get(instant);
    if (label === undefined) {
      label = (this.isTwice(instant) ? this.timeIn : this.time).format(instant * 1000);
      if (this.labels.size > 20000) this.labels.clear();
      this.labels.set(instant, label);
    }
    return label;
  },
  /**
   * `20:00–20:45`, or `Sat 23:30–00:30` if the start is not on `day`, by default the day of the end. An end after 23 hours or
   * more has its day, too (GuideClock.range). With a 12-hour clock, a common AM or PM appears once: `8:00–8:45 PM`.
   */
  range(start, stop, day = this.dayOf(stop - 1)) {
    const [from, to] = [this.label(start), this.label(stop)], isShort = stop - start < 43200;
    const first = this.isShortened && isShort && from.slice(-3) === to.slice(-3) ? from.slice(0, -3) : from;
    return (this.dayOf(start) === day ? '' : this.dayName(start, day) + ' ') + first + '–' + (stop - start < 82800 ? '' : this.dayName(stop, day) + ' ') + to;
  },
  /** `20:00`, or `Sat 20:00` on another day than `day`. */
  labelFrom(instant, day) { return (this.dayOf(instant) === day ? '' : this.dayName(instant, day) + ' ') + this.label(instant); },
  /** `Sat`, or `Sat 24 Oct` if the name of the weekday is ambiguous. */
  dayName(instant, day) { return Math.abs(this.dayOf(instant) - day) < 7 ? this.weekday.format(instant * 1000) : this.dayLabel(instant); },
  /** A day with the year if it is not the current one. */
  dayLabel(instant, formats = this.day) { return formats[Number(this.yearOf(instant) !== this.yearOf(clock.now()))].format(instant * 1000); },
  yearOf(instant) { return new Date(this.local(instant) * 1000).getUTCFullYear(); },
  /** Full and half hours of local time in [from, to). */
  marks(from, to) {
    const marks = [];
    for (let instant = Math.ceil(from / 900) * 900; instant < to; instant += 900) {
      const beyond = ((this.local(instant) % 3600) + 3600) % 3600;
      if (beyond === 0 || beyond === 1800) marks.push({ instant, isHour: beyond === 0 });
    }
    return marks;
  },
};

/** Whether the page shows responses that the service worker stored, because the service is unreachable. */
export const connection = {
  /** When the last response was stored; null for a response of the service. */
  stored: document.documentElement.dataset.stored ?? null,

  get notice() {
    return this.stored !== null || navigator.onLine === false ? offlineNotice(this.stored, settings.clock) : '';
  },
  /** Called when the service responds again. */
  returned: () => {},
  /** Notes when a response was stored. The first one of the service replaces all stored ones. */
  note(stored) {
    const isBack = this.stored !== null && stored === null;
    this.stored = stored;
    if (isBack) this.returned();
  },
};
