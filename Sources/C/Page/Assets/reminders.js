// Reminders that this browser keeps: a notification, or a message in the page, some minutes before the start of an airing, while a page of
// the guide is open. page.js loads this on pages of browsers that have reminders.

import { watched } from './watched.js';

const { profiles, t, timeFormat } = window.epgPage;
const byID = id => document.getElementById(id);
/** Seconds between two reads of an airing, which may move, and between two checks. */
const refreshPause = 1800, longestPause = 20;
/** The maximum number of reminders, and of airings that are read at once. */
const maximumCount = 200, maximumReads = 10;

const at = new URLSearchParams(location.search).get('at');
const fixed = at === null ? null : Number(at) || Date.parse(at) / 1000;
/** Seconds since 1970; fixed if the URL has `at`. */
const now = () => fixed || Date.now() / 1000;

export const reminders = {
  /** The minutes that people can choose. */
  choices: [1, 5, 10, 15, 30, 60],
  /** The minutes before the start, and the reminders of airings that have not ended, in the order of their starts. */
  get stored() {
    const { minutes = 5, list = [] } = profiles.read(profiles.remindersKey, {});
    return { minutes, list: list.filter(({ stop }) => stop > now()).sort((one, other) => one.start - other.start) };
  },
  /** Stores reminders; returns whether the browser could. */
  keep(stored) {
    try {
      localStorage.setItem(profiles.remindersKey, JSON.stringify(stored));
    } catch {
      return false;
    }
    watched.takeReminders();
    this.schedule();
    return true;
  },
  get now() { return now(); },
  has(id) { return this.stored.list.some(each => each.id === id); },

  /** Adds a reminder of an airing, and asks for the permission to notify. Returns a message for people, and calls `say` with it when they have answered. */
  add({ id, title, station, start, stop }, say) {
    if (window.Notification?.permission === 'default') Notification.requestPermission().then(() => say(this.message)).catch(() => {});
    const { minutes, list } = this.stored, added = { id, title, station, start, stop, added: now() };
    if (!this.keep({ minutes, list: [...list.filter(each => each.id !== id), added].slice(-maximumCount) })) return t('cannotStore');
    return this.message;
  },
  get message() { return t(this.notifies ? 'reminderKept' : 'reminderInPage', { minutes: this.stored.minutes, calendar: t('addToCalendar') }); },
  /** Removes the reminder of an airing. Returns a message for people. */
  remove(id) {
    const { minutes, list } = this.stored;
    this.keep({ minutes, list: list.filter(each => each.id !== id) });
    return t('reminderRemoved');
  },
  setMinutes(minutes) { this.keep({ ...this.stored, minutes }); },
  change(id, values) {
    const { minutes, list } = this.stored;
    this.keep({ minutes, list: list.map(each => (each.id === id ? { ...each, ...values } : each)) });
  },

  /** Whether the browser shows notifications. */
  get notifies() { return window.Notification?.permission === 'granted'; },
  /** The instant of a reminder: the chosen minutes before the start, or the start if the reminder was added later than that. */
  due({ start, added }) {
    const early = start - this.stored.minutes * 60;
    return added < early ? early : start;
  },

  timer: 0,
  schedule() {
    clearTimeout(this.timer);
    const waiting = this.stored.list.filter(each => !each.isShown);
    if (!waiting.length || fixed) return;
    const wait = Math.min(...waiting.map(each => this.due(each) - now()), longestPause);
    this.timer = setTimeout(() => this.check(), Math.max(wait, 1) * 1000);
  },
  /** Shows the reminders that are due. Of several pages, only one does. */
  async check() {
    const { locks } = navigator;
    if (locks) await locks.request('epg.reminders', { ifAvailable: true }, lock => lock && this.show());
    else await this.show();
    this.schedule();
  },
  async show() {
    // Without notifications, a page that no viewer sees leaves the message to the next visible one.
    if (!this.notifies && document.hidden) return;
    for (const each of this.stored.list.filter(each => !each.isShown && this.due(each) <= now())) {
      await this.refresh(each);
      const current = this.stored.list.find(({ id }) => id === each.id);
      if (!current || current.isShown || this.due(current) > now()) continue;
      this.change(each.id, { isShown: true });
      await this.remind(current);
    }
  },
  /** Reads the times of an airing again, which may have moved. */
  async refresh({ id, start, stop }) {
    const limit = new URLSearchParams(profiles.parameters(profiles.chosen?.limit)), options = { headers: { Accept: 'application/json' }, signal: AbortSignal.timeout(5000) };
    const response = await fetch(`/api/v1/airings/${id}?${limit}`, options).catch(() => null);
    const { airing } = response?.ok ? await response.json().catch(() => ({})) : {};
    // The airing is no longer in the guide, or the parental limit hides it.
    if (response?.status === 404 || (airing?.title === 'Locked' && String(limit))) return void this.remove(id);
    const times = airing ? { start: Date.parse(airing.start) / 1000, stop: Date.parse(airing.stop) / 1000 } : { start, stop };
    this.change(id, { ...times, read: now() });
  },

  path: id => `/airings/${id}`,
  /** `20:00–20:45 · Station` */
  when({ start, stop, station }, options) {
    const { clock } = profiles.read(profiles.key('settings'), {}), format = timeFormat(clock, { timeZone: profiles.zone, ...options });
    return `${format.formatRange?.(start * 1000, stop * 1000) ?? format.format(start * 1000)} · ${station}`;
  },
  async remind(airing) {
    const options = { body: this.when(airing), tag: `airing-${airing.id}`, data: this.path(airing.id), icon: document.querySelector('link[rel=apple-touch-icon]')?.href };
    try {
      if (!this.notifies) throw new Error('no notifications');
      const registration = await navigator.serviceWorker?.getRegistration();
      if (registration?.active) return void await registration.showNotification(airing.title, options);
      const shown = new Notification(airing.title, options);
      shown.onclick = () => { window.focus(); location.assign(options.data); };
    } catch {
      await this.say(airing);
    }
  },
  /** Shows a message in the page, above an open dialog, until somebody closes it. */
  async say(airing) {
    if (!document.querySelector('link[href$="/dialogs.css"]')) {
      const styles = document.createElement('link');
      Object.assign(styles, { rel: 'stylesheet', href: new URL('./dialogs.css', import.meta.url).href });
      document.head.append(styles);
    }
    await import(`./more-${document.documentElement.lang}.js`).catch(() => {});
    let box = byID('due');
    if (!box) {
      box = document.createElement('div');
      Object.assign(box, { id: 'due', className: 'state toast due' });
      box.setAttribute('role', 'alert');
    }
    const row = document.createElement('div'), link = document.createElement('a'), rest = document.createElement('span'), close = document.createElement('button');
    Object.assign(link, { href: this.path(airing.id), textContent: airing.title, dir: 'auto' });
    rest.textContent = this.when(airing);
    Object.assign(close, { type: 'button', textContent: t('close') });
    close.addEventListener('click', () => {
      row.remove();
      if (!box.childElementCount) box.remove();
    });
    row.append(link, rest, close);
    box.append(row);
    const dialog = document.querySelector('dialog[open]');
    (dialog ?? document.body).append(box);
    dialog?.addEventListener('close', () => { if (box.childElementCount) document.body.append(box); }, { once: true });
  },

  /** Fills the list of the watchlist. */
  list() {
    const section = byID('reminders');
    if (!section) return;
    const { minutes, list } = this.stored, field = byID('reminder-minutes');
    section.hidden = !list.length;
    for (const empty of document.querySelectorAll('.v-empty, .v-lede [data-empty]')) empty.hidden = list.length > 0;
    if (!field.options.length) {
      field.append(...[...new Set([...this.choices, minutes])].sort((one, other) => one - other).map(each => new Option(each, each)));
      field.addEventListener('change', () => this.setMinutes(Number(field.value)));
    }
    field.value = minutes;
    section.querySelector('ul').replaceChildren(...list.map(each => {
      const item = document.createElement('li'), link = document.createElement('a'), when = document.createElement('span'), button = document.createElement('button');
      const name = document.createElement('span');
      Object.assign(link, { href: this.path(each.id), textContent: each.title, dir: 'auto' });
      Object.assign(when, { className: 'v-text', textContent: this.when(each, { weekday: 'short', day: 'numeric', month: 'short' }) });
      Object.assign(name, { className: 'unseen', textContent: `: ${each.title}` });
      button.type = 'button';
      button.append(t('remove'), name);
      button.addEventListener('click', () => {
        this.remove(each.id);
        this.list();
        (section.querySelector('button') ?? document.querySelector('main')).focus();
      });
      item.append(link, when, button);
      return item;
    }));
  },

  begin() {
    for (const each of this.stored.list.filter(each => !each.isShown && !(each.read > now() - refreshPause)).slice(0, maximumReads)) this.refresh(each);
    addEventListener('storage', ({ key }) => {
      if (key !== profiles.remindersKey) return;
      this.schedule();
      this.list();
    });
    document.addEventListener('visibilitychange', () => { if (!document.hidden) this.schedule(); });
    this.list();
    this.schedule();
  },
};

reminders.begin();
