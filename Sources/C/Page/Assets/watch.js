// The watchlist: adds, changes and removes rules, and reminders of this browser. The guide loads it with its dialogs, and other pages at once.

import { reminders } from './reminders.js';
import { limitNames, watched } from './watched.js';

const { profiles, t } = window.epgPage;

/** Whether this browser was logged in as an administrator, which the service verifies; see admin.js. */
const administrator = {
  get isKnown() {
    try { return localStorage.getItem('epg.administrator') !== null; } catch { return false; }
  },
  forget() {
    try { localStorage.removeItem('epg.administrator'); } catch { /* no storage */ }
  },
};

export const watchlist = {
  /** Whether the rules of a profile (default: the profile of new rules) can be changed here: by administrators, and by viewers if the profile accepts rules. */
  accepts(profile = this.profile ?? 'default') {
    if (!document.querySelector('[data-watch]')) return false;
    const { chosen } = profiles;
    return administrator.isKnown || (chosen?.acceptsRules === true && chosen.name === profile);
  },
  get isAdministrator() { return administrator.isKnown; },

  /**
   * Sends a request that changes rules. Returns whether it succeeded, the name of an added rule, a message for people, the member of the
   * rule that it is about, and whether the service no longer accepts changes.
   */
  async change(method, name, rule, done) {
    const parameters = this.limit, headers = rule ? { 'Content-Type': 'application/json' } : {};
    if (profiles.chosen?.acceptsRules) parameters.set('profile', this.profile);
    const path = `/api/v1/watch${name === undefined ? '' : '/' + encodeURIComponent(name)}${parameters.size === 0 ? '' : '?' + parameters}`;
    const response = await fetch(path, { method, headers, body: rule && JSON.stringify(rule) }).catch(() => null);
    // Another tab may have removed the rule.
    if (response?.ok || (method === 'DELETE' && response?.status === 404)) {
      const added = method === 'POST' ? (await response.json().catch(() => null))?.name : undefined;
      await watched.reload();
      return { isDone: true, name: added, text: done(added) };
    }
    if (response?.status === 401 || response?.status === 403) {
      administrator.forget();
      await profiles.exchange(true);
      return { isDone: false, isRefused: true, text: t('rulesRefused') };
    }
    const problem = await response?.json().catch(() => null);
    return { isDone: false, parameter: problem?.parameter, text: problem?.detail ?? t('unreachable') };
  },
  /** The parameters of the parental limit of this page. */
  get limit() {
    return new URLSearchParams([...new URLSearchParams(location.search)].filter(([name]) => limitNames.includes(name)));
  },
  add(rule) {
    return this.change('POST', undefined, { ...rule, profile: rule.profile ?? this.profile },
      name => t(this.isQuiet && !rule.airing ? 'addedWithoutReminders' : 'addedToWatchlist', { name }));
  },
  remove(name) { return this.change('DELETE', name, null, () => t('removedRule', { name })); },

  /** Whether this service sends no reminders. Then this browser reminds of single airings. */
  get isQuiet() { return document.querySelector('[data-watch=quiet]') !== null; },

  /** The rule that a button (`airing` or `episodes`) has made for an airing and the chosen profile; `undefined` without one. */
  rule(button, airing) {
    const profile = this.profile ?? 'default';
    return watched.rules.get(airing)?.find(name => watched.buttons.get(name)?.button === button && watched.buttons.get(name).profile === profile);
  },
  /** The name of the chosen profile; `undefined` without one. */
  get profile() { return profiles.chosen?.name; },

  /**
   * Makes a button add a rule of an airing, and remove it again. Where no rules are accepted, or the service sends no reminders, a button for one
   * airing adds a reminder of this browser. `airing` has `id`, `title`, `station` (its name), `start` and `stop`. Returns the button.
   */
  connect(button, rule, airing, say) {
    // The service names the rule, and it belongs to the chosen profile.
    const { id } = airing, isSingle = Boolean(rule.airing), sent = { ...rule, name: undefined, profile: undefined };
    let added, isBusy = false;
    const known = () => (this.accepts() ? this.rule(isSingle ? 'airing' : 'episodes', id) ?? added : undefined);
    const isReminded = () => isSingle && reminders.has(id);
    const show = () => {
      const isPressed = known() !== undefined || isReminded();
      button.hidden = isSingle ? airing.start <= reminders.now && !isPressed : !this.accepts();
      button.setAttribute('aria-pressed', String(isPressed));
    };
    button.addEventListener('click', async () => {
      if (isBusy) return;
      isBusy = true;
      const name = known(), isRemoving = name !== undefined || isReminded();
      let text = '', reminder = '';
      const tell = () => say([text, reminder].filter(Boolean).join(' '));
      const remind = () => { reminder = reminders.add(airing, answer => { reminder = answer; tell(); }); };
      if (isSingle && isReminded()) reminder = reminders.remove(id);
      // Browsers ask for a permission only during a click.
      else if (isSingle && !isRemoving && (!this.accepts() || this.isQuiet)) remind();
      if (this.accepts() && (!isRemoving || name !== undefined)) {
        const outcome = await (isRemoving ? this.remove(name) : this.add(sent));
        // The rule does not mark a repeat, but exists.
        if (outcome.isDone) added = isRemoving ? undefined : outcome.name;
        if (!outcome.isRefused || !isSingle) text = outcome.text;
        else if (!isRemoving && !isReminded()) remind();
      }
      isBusy = false;
      show();
      tell();
    });
    document.addEventListener('watched', function update() {
      if (button.isConnected) show(); else document.removeEventListener('watched', update);
    });
    show();
    return button;
  },

  /** Marks the airings of a page, and connects its buttons. */
  begin() {
    const status = document.querySelector('.v-watch[role=status], .v-watch [role=status]');
    const say = text => { if (text && status) status.textContent = text; };
    const box = document.querySelector('.v-watch[data-airing]'), id = Number(box?.dataset.airing);
    const { title, station, start, stop } = box?.dataset ?? {};
    for (const button of document.querySelectorAll('button[data-rule]')) {
      this.connect(button, JSON.parse(button.dataset.rule), { id, title, station, start: Number(start), stop: Number(stop) }, say);
    }
    for (const button of document.querySelectorAll('button[data-remove]')) {
      button.hidden = !this.accepts(button.dataset.profile);
      button.addEventListener('click', async () => {
        const outcome = await this.remove(button.dataset.remove);
        // The airings and conflicts of the rule are gone, too.
        if (outcome.isDone) location.reload(); else say(outcome.text);
      });
    }
    if (!box) return;
    watched.load(Number(start), Number(stop)).then(() => {
      const text = watched.mark(id);
      say(text && text[0].toUpperCase() + text.slice(1));
    });
  },
};

if (!document.getElementById('guide')) watchlist.begin();
