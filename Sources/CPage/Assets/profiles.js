// The profile of this browser: settings that the service keeps under a name for all browsers that choose it, and a parental limit.
// A part of page.js.
//
// Without a profile, this browser keeps all settings. With one, it keeps a copy, which pages use at once and without a connection.
// What differs from the profile as the service sent it last is a change that the service does not have yet.

const profiles = window.epgProfiles = {
  /** The stored value with a key, or `fallback`. */
  read(key, fallback) {
    try { return JSON.parse(localStorage.getItem(key)) ?? fallback; } catch { return fallback; }
  },
  /** The profile as the service sent it last: name, version, settings, limit, hasPIN. Null without one. */
  get chosen() {
    const profile = this.read('epg.profile', null);
    return typeof profile?.name === 'string' ? profile : null;
  },
  /** The key of a value in this browser. The copies for a profile are apart from this browser's own values. */
  key(name) { return `epg.${this.chosen && name !== 'filter' ? 'profile.' : ''}${name}`; },
  path(name) { return '/api/v1/profiles/' + encodeURIComponent(name); },

  lists: ['favorites', 'hidden'],
  choices: ['theme', 'size', 'clock', 'zone', 'dir', 'grid', 'hour', 'hourDown'],
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
  /** Whether the URL has the parameters of the limit. Other limits are allowed without one. */
  get isEntered() {
    const wanted = this.parameters(this.chosen?.limit), names = ['lockAge', 'lockCategory'];
    const found = [...new URLSearchParams(location.search)].filter(([name]) => names.includes(name));
    return wanted.length === 0 || this.isSame(wanted, found);
  },
  /** Loads this page with the parameters of the limit, before anything is visible. */
  enter() {
    const url = new URL(location.href);
    for (const name of ['lockAge', 'lockCategory']) url.searchParams.delete(name);
    for (const [name, value] of this.parameters(this.chosen?.limit)) url.searchParams.append(name, value);
    document.documentElement.hidden = true;
    if (url.href === location.href) location.reload(); else location.replace(url);
  },

  /** Chooses a profile by its name; null for this browser. Returns whether the service has it. */
  async choose(name) {
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
  /** Requests a profile; returns null if the service is unreachable, and undefined if it does not have the profile. */
  async request(name) {
    const response = await fetch(this.path(name), { cache: 'no-cache' }).catch(() => null);
    if (response?.status === 404) return undefined;
    return response?.ok ? { settings: {}, ...await response.json() } : null;
  },
  /** Reads the profile again, and adds the changes of this browser. Returns whether pages must show something else. */
  async update() {
    const { name } = this.chosen, fresh = await this.request(name), { chosen } = this;
    if (fresh === undefined) return this.choose(null);
    if (!fresh || chosen?.name !== name) return false;
    const mine = this.own, merged = this.merge(chosen.settings, mine, fresh.settings);
    localStorage.setItem('epg.profile', JSON.stringify(fresh));
    this.keep(merged);
    if (JSON.stringify(fresh.limit) !== JSON.stringify(chosen.limit)) this.enter();
    return !this.isSame(merged, mine);
  },

  timer: 0, isSending: false,
  /** Sends changes a little later, so that several of them need one request. */
  schedule(delay = 500) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send().catch(() => {}), delay);
  },
  /** Sends the changes of this browser. After a change of another browser, reads the profile again, and repeats it. */
  async send() {
    if (this.isSending) return;
    this.isSending = true;
    try {
      for (let attempt = 0; attempt < 4; attempt++) {
        const { chosen } = this, mine = this.own;
        if (!chosen || this.isSame(mine, chosen.settings)) return;
        const headers = { 'Content-Type': 'application/json', 'If-Match': `"${chosen.version}"` };
        const response = await fetch(this.path(chosen.name), { method: 'PUT', headers, body: JSON.stringify(mine) }).catch(() => null);
        if (this.chosen?.name !== chosen.name) return;
        if (response?.status === 204) {
          const version = Number(response.headers.get('ETag').replaceAll('"', ''));
          localStorage.setItem('epg.profile', JSON.stringify({ ...chosen, settings: mine, version }));
        } else if (response?.status === 412 || response?.status === 404) {
          if (await this.update()) dispatchEvent(new Event('profilechange'));
        } else {
          if (!response || response.status === 429 || response.status >= 500) this.schedule(30000);
          return;
        }
      }
    } finally {
      this.isSending = false;
    }
  },

  begin() {
    // Administration has no limit, and its pages may be responses to forms.
    if (!this.chosen || /^\/(admin|login)\b/.test(location.pathname)) return;
    if (!this.isEntered) return this.enter();
    const catchUp = () => this.update().then(isChanged => (isChanged ? location.reload() : this.send())).catch(() => {});
    addEventListener('load', catchUp);
    addEventListener('online', catchUp);
  },
};
// Another tab has chosen another profile.
addEventListener('storage', event => { if (event.key === 'epg.profile' && JSON.parse(event.oldValue)?.name !== profiles.chosen?.name) profiles.enter(); });
profiles.begin();

