// The preview pane: what the focused cell shows, with the picture and the description. It loads if the settings show it, which
// televisions do by default.

import { clock, grid, make, pictureURL, requestJSON, seconds, settings, sharedParameters, t, titleOf, urlWith, zone } from './base.js';
import { stations, tiles } from './listings.js';
import { dialogStyles, focus } from './controls.js';

/** The milliseconds for which a cell has the focus before its details are requested. */
const rest = 250;

export const preview = {
  pane: null, isScheduled: false, timer: 0, shown: '', generation: '',
  follower: () => preview.schedule(),
  /** Details by the number of an airing, the least recently used first. */
  details: new Map(),

  /** Whether the settings show the pane. */
  get isWanted() { return settings.preview ? settings.preview === 'on' : 'tv' in document.documentElement.dataset; },
  /** Shows or removes the pane after the setting has changed. */
  follow() {
    if (this.isWanted) this.begin(); else this.end();
  },
  async begin() {
    await dialogStyles();
    if (this.pane || !this.isWanted) return;
    this.picture = make('div', { class: 'preview-picture', hidden: true });
    this.title = make('b', { class: 'preview-title', dir: 'auto' });
    this.subtitle = make('span', { class: 'preview-sub', dir: 'auto' });
    this.when = make('p', { class: 'preview-when' });
    this.text = make('p', { class: 'preview-text', dir: 'auto' });
    this.pane = make('section', { id: 'preview', 'aria-label': t('previewPane') }, this.picture, make('div', { class: 'preview-words' }, make('p', {}, this.title, ' ', this.subtitle), this.when, this.text));
    grid.before(this.pane);
    grid.addEventListener('focusin', this.follower);
    this.update();
  },
  end() {
    if (!this.pane) return;
    grid.removeEventListener('focusin', this.follower);
    clearTimeout(this.timer);
    this.pane.remove();
    this.pane = this.source = null;
    this.shown = '';
  },

  /** Updates the pane after the frame that shows the focus. */
  schedule() {
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(() => setTimeout(() => { this.isScheduled = false; this.update(); }));
  },
  /** Shows the cell that has the focus, or takes it when the grid does. */
  update() {
    if (!this.pane) return;
    const { cell, row } = focus, key = cell ? `${row} ${cell.id} ${cell.start} ${tiles.generation}` : '';
    if (this.generation !== tiles.generation) this.details.clear();
    this.generation = tiles.generation;
    // A cell has it as soon as the grid is drawn.
    if (!cell) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.update(), 300);
      return;
    }
    if (key === this.shown) return;
    this.shown = key;
    this.write(cell, row);
    clearTimeout(this.timer);
    if (cell.id > 0 && !this.details.has(cell.id)) this.timer = setTimeout(() => this.load(cell, row, key), rest);
  },
  async load(cell, row, key) {
    const details = await requestJSON(urlWith('/api/v1/airings/' + cell.id, { ...sharedParameters('at', 'lang'), ui: document.documentElement.lang, zone: zone.name })).catch(() => null);
    if (!details) return;
    this.details.set(cell.id, details.airing);
    for (const oldest of this.details.keys()) {
      if (this.details.size <= 100) break;
      this.details.delete(oldest);
    }
    if (key === this.shown) this.write(cell, row);
  },
  write(cell, row) {
    const airing = this.details.get(cell.id) || {}, programme = airing.programme || {}, station = stations.get(row);
    const now = clock.now(), [start, stop] = [airing.start ? seconds(airing.start) : cell.start, airing.stop ? seconds(airing.stop) : cell.stop];
    this.title.textContent = cell.id === 0 ? t('noInformation') : cell.id < 0 ? t('shortPrograms', { count: -cell.id }) : titleOf(cell.title);
    this.subtitle.textContent = cell.id > 0 && cell.sub !== cell.title ? cell.sub : '';
    this.when.replaceChildren(`${zone.dayLabel(start)}, ${zone.range(start, stop, zone.dayOf(start))}`, ...[station && station.name, ...this.marks(cell, start, stop, now), ...(airing.categories || []).slice(0, 3)]
      .filter(Boolean).map(text => make('span', { class: 'tag', dir: 'auto' }, text)));
    const description = programme.descriptions && programme.descriptions[0] ? programme.descriptions[0].text : airing.description;
    this.text.textContent = description || '';
    this.show(pictureURL(airing.poster));
  },
  marks(cell, start, stop, now) {
    const { flags } = cell;
    return [start <= now && now < stop && t('onNow'), flags & 32 && t('badgeLive'), flags & 16 && t('premiere'), flags & 8 && t('new'), flags & 256 && t('repeat')];
  },
  show(source) {
    if (source === this.source) return;
    this.source = source;
    this.picture.hidden = !source;
    this.picture.replaceChildren();
    if (!source) return;
    const image = make('img', { alt: '', referrerpolicy: 'no-referrer', onerror: () => { if (image.isConnected) this.picture.hidden = true; } });
    image.src = source;
    this.picture.append(image);
  },
};
