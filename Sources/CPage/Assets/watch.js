// The watchlist: adds and removes rules. The guide loads it with its dialogs, and other pages at once, after `watched`.

const watchlist = {
  /**
   * Sends a request that changes rules, with the session of an administrator, or with the token of the service. Returns whether it
   * succeeded, and a message for people; `null` if they canceled.
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
      if (response?.ok) await watched.reload();
      if (response?.ok) return { isDone: true, text: done };
      const problem = await response?.json().catch(() => null);
      return { isDone: false, text: problem?.detail ?? 'The service is unreachable. Try again later.' };
    }
  },
  add(rule) {
    const profile = globalThis.epgProfiles?.chosen?.name, limit = new URLSearchParams(location.search);
    for (const name of [...limit.keys()]) if (!limitNames.includes(name)) limit.delete(name);
    const path = `/api/v1/watch${limit.size ? `?${limit}` : ''}`;
    return this.change('POST', path, profile ? { ...rule, profile } : rule, `Added “${rule.name}” to the watchlist.${this.isQuiet ? ' This service sends no reminders; the calendars of the watchlist have alarms.' : ''}`);
  },
  remove(name) { return this.change('DELETE', `/api/v1/watch/${encodeURIComponent(name)}`, null, `Removed “${name}”.`); },

  /** Whether this service sends no reminders. */
  get isQuiet() { return document.querySelector('[data-watch=quiet]') !== null; },

  /** Makes a button add a rule of an airing, and remove it again. Returns the button. */
  connect(button, rule, airing, say) {
    button.addEventListener('click', async () => {
      const isOn = button.ariaPressed === 'true';
      const outcome = await (isOn ? this.remove(rule.name) : this.add(rule));
      if (outcome?.isDone) button.ariaPressed = String(!isOn);
      if (outcome) say(outcome.text);
    });
    return this.show(button, rule, airing);
  },
  /** Shows on a button whether its rule matches the airing, as far as `watched` knows. Returns the button. */
  show(button, rule, airing) {
    button.ariaPressed = String(watched.rules.get(airing)?.includes(rule.name) ?? false);
    return button;
  },

  /** The token, which this tab keeps until it is closed; `null` without one. */
  get token() { try { return sessionStorage.getItem('epg.token'); } catch { return null; } },

  /** Asks for the token; returns `null` if people cancel. */
  async askForToken(isWrong) {
    const form = document.createElement('form'), label = document.createElement('label'), dialog = document.createElement('dialog');
    const input = document.createElement('input'), send = document.createElement('button'), cancel = document.createElement('button');
    form.method = 'dialog';
    dialog.className = 'ask';
    label.textContent = `${isWrong ? 'The token is wrong. ' : ''}Token of the service (token-file in epg.yml): `;
    Object.assign(input, { type: 'password', autocomplete: 'current-password', required: true });
    Object.assign(send, { textContent: 'Continue', value: 'send' });
    Object.assign(cancel, { type: 'button', textContent: 'Cancel', onclick: () => dialog.close('') });
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
    const say = text => { if (text && status) status.textContent = text; };
    const box = document.querySelector('.v-watch[data-airing]'), id = Number(box?.dataset.airing);
    const { start, stop } = box?.dataset ?? {};
    const mark = () => {
      const text = watched.mark(id);
      say(text && text[0].toUpperCase() + text.slice(1) + '.');
      for (const [button, rule] of buttons) this.show(button, rule, id);
    };
    const buttons = [...document.querySelectorAll('button[data-rule]')].map(button => [button, JSON.parse(button.dataset.rule)]);
    for (const [button, rule] of buttons) {
      button.disabled = false;
      this.connect(button, rule, id, say);
    }
    for (const button of document.querySelectorAll('button[data-remove]')) {
      button.addEventListener('click', async () => {
        const outcome = await this.remove(button.dataset.remove);
        // The airings and conflicts of the rule are gone, too.
        if (outcome?.isDone) location.reload(); else say(outcome?.text);
      });
    }
    if (box) watched.read(start, stop).then(mark);
  },
};

if (!document.getElementById('guide')) watchlist.begin();
