// Which airings rules of the watchlist match, and of which this browser reminds. The guide and other pages use it, so it imports nothing.

/** The parameters of the parental limit. */
export const limitNames = ['lockAge', 'lockCategory'];

export const watched = {
  /** The names of rules by the number of a matching airing, and the rules that buttons of pages make, by name. */
  rules: new Map(), buttons: new Map(),
  /** The numbers of the airings of which this browser reminds; see reminders.js. */
  reminded: new Set(),
  /** Grows when the rules have been read. */
  revision: 0,
  /** Called when the rules have been read. */
  changed: () => {},
  /** The days since 1970 (UTC) whose airings were read, and the instants that were read last. */
  days: new Set(), range: [0, 0],
  /** Grows when everything is forgotten. */
  epoch: 0,

  /** Reads the rules of the airings between two instants. Returns whether it did. */
  async read(from, to) {
    const parameters = new URLSearchParams(location.search), shared = new URLSearchParams({ from, to }), { epoch } = this;
    for (const [name, value] of parameters) if (['at', ...limitNames].includes(name)) shared.append(name, value);
    const response = await fetch(`/api/v1/marks?${shared}`, { cache: 'no-cache' }).catch(() => null);
    const { airings, rules = [] } = response?.ok ? await response.json() : {};
    if (!airings || epoch !== this.epoch) return false;
    for (const rule of rules) this.buttons.set(rule.name, rule);
    for (const { id, rules } of airings) this.rules.set(id, rules);
    if (airings.length) this.show();
    return true;
  },
  show() {
    this.revision++;
    this.changed();
    document.dispatchEvent(new Event('watched'));
  },
  /** Reads the rules of the days between two instants, except those that were read before. */
  async load(from, to) {
    this.range = [from, to];
    for (let day = Math.floor(from / 86400); day * 86400 < to; day++) {
      if (this.days.has(day)) continue;
      this.days.add(day);
      if (!await this.read(day * 86400, (day + 1) * 86400)) return void this.days.delete(day);
    }
  },
  /** Reads everything again, because the rules or the guide have changed. */
  async reload() {
    this.epoch++;
    this.days.clear();
    this.rules.clear();
    this.buttons.clear();
    this.show();
    await this.load(...this.range);
  },
  /** Reads the reminders of this browser. */
  takeReminders() {
    const { profiles } = window.epgPage, { list = [] } = profiles.read(profiles.remindersKey, {});
    this.reminded = new Set(list.map(each => each.id));
    this.show();
  },
  /** Whether an airing is marked. */
  has(id) { return this.rules.has(id) || this.reminded.has(id); },
  /** The text that marks an airing; empty for no mark. */
  mark(id) {
    const { t } = window.epgPage;
    return [this.rules.has(id) && t('onWatchlist', { rules: this.rules.get(id).join(', ') }), this.reminded.has(id) && t('reminderSet')].filter(Boolean).join(', ');
  },
};

watched.takeReminders();
addEventListener('storage', ({ key }) => { if (key === window.epgPage.profiles.remindersKey) watched.takeReminders(); });
