// The watchlist: adds, changes and removes rules. The guide loads it with its dialogs, and other pages at once.

import { limitNames, watched } from './watched.js';

const { t } = window.epgPage;

export const watchlist = {
  /**
   * Sends a request that changes rules, with the session of an administrator, or with the token of the service. Returns whether it
   * succeeded, the name of an added rule, a message for people, and the member of the rule that it is about; `null` if they canceled.
   */
  async change(method, path, rule, done) {
    for (let token = this.token; ; ) {
      const headers = token ? { Authorization: `Bearer ${token}` } : {};
      if (rule) headers['Content-Type'] = 'application/json';
      const response = await fetch(path, { method, headers, body: rule && JSON.stringify(rule) }).catch(() => null);
      if (response?.status === 401) {
        token = await this.askForToken(Boolean(token));
        if (token) continue;
        return null;
      }
      // Another tab may have removed the rule.
      if (response?.ok || (method === 'DELETE' && response?.status === 404)) {
        const name = method === 'POST' ? (await response.json().catch(() => null))?.name : undefined;
        await watched.reload();
        return { isDone: true, name, text: done(name) };
      }
      const problem = await response?.json().catch(() => null);
      return { isDone: false, parameter: problem?.parameter, text: problem?.detail ?? t('unreachable') };
    }
  },
  /** The parameters of the parental limit of this page. */
  get limit() {
    return new URLSearchParams([...new URLSearchParams(location.search)].filter(([name]) => limitNames.includes(name)));
  },
  add(rule) {
    const { profile, limit } = this, path = `/api/v1/watch${String(limit) && `?${limit}`}`;
    return this.change('POST', path, profile ? { profile, ...rule } : rule,
      name => t(this.isQuiet ? 'addedWithoutReminders' : 'addedToWatchlist', { name }));
  },
  remove(name) { return this.change('DELETE', `/api/v1/watch/${encodeURIComponent(name)}`, null, () => t('removedRule', { name })); },

  /** Whether this service sends no reminders. */
  get isQuiet() { return document.querySelector('[data-watch=quiet]') !== null; },

  /** The rule that a button (`airing` or `episodes`) has made for an airing and the chosen profile; `undefined` without one. */
  rule(button, airing) {
    const profile = this.profile ?? 'default';
    return watched.rules.get(airing)?.find(name => watched.buttons.get(name)?.button === button && watched.buttons.get(name).profile === profile);
  },
  /** The name of the chosen profile; `undefined` without one. */
  get profile() { return window.epgPage.profiles.chosen?.name; },

  /** Makes a button add a rule of an airing, and remove it again. Returns the button. */
  connect(button, rule, airing, say) {
    let added, isBusy = false;
    const known = () => this.rule(rule.airing ? 'airing' : 'episodes', airing) ?? added;
    const show = () => { button.setAttribute('aria-pressed', String(known() !== undefined)); };
    button.addEventListener('click', async () => {
      if (isBusy) return;
      isBusy = true;
      const name = known(), outcome = await (name === undefined ? this.add(rule) : this.remove(name));
      isBusy = false;
      // The rule does not mark a repeat, but exists.
      if (outcome?.isDone) added = name === undefined ? outcome.name : undefined;
      show();
      if (outcome) say(outcome.text);
    });
    document.addEventListener('watched', function update() {
      if (button.isConnected) show(); else document.removeEventListener('watched', update);
    });
    show();
    return button;
  },

  /** Shows a message in an element. The log-in is a link that leads back to this page. */
  show(text, status) {
    const link = document.createElement('a'), [before, ...after] = text.split('/login');
    link.href = `/login?next=${encodeURIComponent(location.pathname + location.search)}`;
    link.textContent = '/login';
    if (after.length) status.replaceChildren(before, link, after.join('/login')); else status.textContent = text;
  },

  /** The token, which this tab keeps until it is closed; `null` without one. */
  get token() { try { return sessionStorage.getItem('epg.token'); } catch { return null; } },

  /** Asks for the token; returns `null` if people cancel. */
  async askForToken(isWrong) {
    const form = document.createElement('form'), label = document.createElement('label'), dialog = document.createElement('dialog');
    const input = document.createElement('input'), send = document.createElement('button'), cancel = document.createElement('button');
    form.method = 'dialog';
    dialog.className = 'ask';
    label.textContent = t(isWrong ? 'tokenWrong' : 'tokenFor', { command: 'epg admin token add NAME --scope watch' }) + ' ';
    Object.assign(input, { type: 'password', autocomplete: 'current-password', required: true });
    Object.assign(send, { textContent: t('continue'), value: 'send' });
    Object.assign(cancel, { type: 'button', textContent: t('cancel'), onclick: () => dialog.close('') });
    label.append(input);
    form.append(label, send, cancel);
    dialog.append(form);
    document.body.append(dialog);
    const isSent = await new Promise(resolve => {
      dialog.addEventListener('close', () => resolve(dialog.returnValue === 'send'));
      dialog.showModal();
    });
    dialog.remove();
    if (!isSent || !input.value) return null;
    try { sessionStorage.setItem('epg.token', input.value); } catch { /* no storage */ }
    return input.value;
  },

  /** Marks the airings of a page, and connects its buttons. */
  begin() {
    const status = document.querySelector('.v-watch[role=status], .v-watch [role=status]');
    const say = text => { if (text && status) this.show(text, status); };
    const box = document.querySelector('.v-watch[data-airing]'), id = Number(box?.dataset.airing);
    const { start, stop } = box?.dataset ?? {};
    for (const button of document.querySelectorAll('button[data-rule]')) {
      button.disabled = false;
      this.connect(button, JSON.parse(button.dataset.rule), id, say);
    }
    for (const button of document.querySelectorAll('button[data-remove]')) {
      button.addEventListener('click', async () => {
        const outcome = await this.remove(button.dataset.remove);
        // The airings and conflicts of the rule are gone, too.
        if (outcome?.isDone) location.reload(); else say(outcome?.text);
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
