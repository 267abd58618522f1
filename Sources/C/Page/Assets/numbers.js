// Jumps to a channel by its number. The guide loads it when the first digit is typed.

import { announce, make, requestJSON, t, urlWith } from './base.js';
import { stations, tiles, view } from './listings.js';
import { layout } from './drawing.js';
import { focus } from './controls.js';
import { showRow } from './search.js';

/** The milliseconds after the last digit until the jump, and after the jump until the number disappears. */
const pause = 1500;

/** The numbers of all stations in ascending order: row, number, name, and the parts before and after the point. They belong to a generation. */
let numbers = null, generation = '';

/** The parts of a number such as 5, 5.1 or 1-2; null for another text. */
function parts(text) {
  const found = /^(\d{1,6})(?:[.-](\d{0,6}))?$/.exec(text);
  return found && [Number(found[1]), found[2] ? Number(found[2]) : -1];
}
const compare = ([a, b], [c, d]) => a - c || b - d;

async function load() {
  const found = [];
  for (let offset = 0, total = 1; offset < total; offset += 500) {
    const page = await requestJSON(urlWith('/api/v1/stations', { fields: 'row,name,number,channelNumber', limit: 500, offset }));
    total = page.total;
    for (const { row, name, number, channelNumber } of page.stations) {
      const text = channelNumber || number, key = text && parts(text);
      if (key) found.push({ row, name, number: text, key });
    }
    if (!page.stations.length) break;
  }
  return found.sort((a, b) => compare(a.key, b.key) || a.row - b.row);
}

/** Returns the station with a number, one that is shown if possible, else the nearest following shown one; undefined without any. */
function find(list, text) {
  const key = parts(text), isShown = ({ row }) => view.place(row) >= 0;
  const same = list.filter(each => compare(each.key, key) === 0);
  return same.find(isShown) || same[0] || list.find(each => compare(each.key, key) > 0 && isShown(each));
}

export const typed = {
  text: '', timer: 0, box: null,

  /** Adds a digit, a point or a hyphen to the number. */
  type(sign) {
    if (!this.box) this.begin();
    if (generation !== tiles.generation) numbers = null;
    generation = tiles.generation;
    numbers = numbers || load().catch(() => null);
    if (this.text.length < 8 && (this.text || /^\d?$/.test(sign))) this.text += sign;
    if (!this.text) return;
    this.show(this.text);
    this.wait(() => this.jump());
  },
  begin() {
    this.box = make('div', { id: 'number', class: 'number', role: 'status', hidden: true, onclose: () => this.hide() });
    document.body.append(this.box);
    document.addEventListener('keydown', event => this.key(event), true);
  },
  wait(then) {
    clearTimeout(this.timer);
    this.timer = setTimeout(then, pause);
  },
  show(text) {
    this.box.hidden = false;
    this.box.textContent = text;
    this.box.classList.toggle('typed', this.text !== '');
  },
  hide() {
    clearTimeout(this.timer);
    this.text = '';
    this.box.hidden = true;
    this.box.classList.remove('typed');
  },
  /** A digit begins a number, and while a number is typed, these keys belong to it. */
  key(event) {
    const { key } = event;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (!this.text && (!/^\d$/.test(key) || event.target.closest('input, select, textarea, dialog'))) return;
    if (/^[\d.-]$/.test(key)) this.type(key);
    else if (key === 'Enter') this.jump();
    else if (key === 'Escape') this.hide();
    else if (key === 'Backspace') {
      this.text = this.text.slice(0, -1);
      if (this.text) this.type(''); else this.hide();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  },
  async jump() {
    const { text } = this;
    this.text = '';
    this.box.classList.remove('typed');
    clearTimeout(this.timer);
    const list = await numbers;
    // Another number is typed meanwhile.
    if (this.text) return;
    this.wait(() => this.hide());
    if (!list) {
      numbers = null;
      return this.show(t('guideUnavailable'));
    }
    const found = find(list, text);
    const message = !found ? t('noChannel', { number: text })
      : compare(found.key, parts(text)) ? t('noChannelNext', { number: text, next: found.number, name: found.name })
      : `${found.number} ${found.name}`;
    this.show(message);
    announce(message);
    if (found) await goTo(found).catch(() => this.show(t('guideUnavailable')));
  },
};

/** Shows a station at the top, at the time that the guide shows, and focuses what is on then. */
async function goTo({ row }) {
  await showRow(row, (stations.get(row) || {}).id);
  const { start, end } = layout.visibleTime(), place = view.place(row);
  const instant = focus.anchor >= start && focus.anchor < end ? focus.anchor : start;
  layout.scrollTo({ place });
  await focus.steps;
  focus.steps = focus.go(place, instant).catch(() => {});
  await focus.steps;
}
