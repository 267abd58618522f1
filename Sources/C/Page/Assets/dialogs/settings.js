// The settings.

/** The settings dialog. This browser stores all settings, unless it uses a profile of the service. */
const options = {
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
    relayout({ instant });
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
