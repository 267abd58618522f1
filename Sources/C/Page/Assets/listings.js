// What the grid shows: the stations and the selection of those to show, and the tiles with their airings.

import {
  announce, clamp, clock, connection, grid, partition, pictureURL, requestJSON, requestWithGeneration, seconds, settings,
  sharedParameters, showStatus, storage, t, urlWith, isLocked, zone,
} from './base.js';
import { drawing, layout, motion, pool, renderer, slotsBetween } from './drawing.js';

/** Stations by row of the guide, as loaded with the tiles. */
export const stations = new Map();

export const favorites = new Set(storage.read('favorites', []).filter(id => typeof id === 'string'));
export const hidden = new Set(storage.read('hidden', []).filter(id => typeof id === 'string'));

/** The shown rows. A place is the index of a row on the page. */
export const view = {
  /** The shown rows of the guide: ascending, or in the order of the favorites; null for all. */
  rows: null,
  /** The places of the shown rows. */
  places: new Map(),
  total: grid ? Number(grid.dataset.rows) : 0,
  group: String(storage.read('filter', {}).group ?? ''),
  onlyFavorites: storage.read('filter', {}).onlyFavorites === true,
  /** Grows when the selection changes, so that responses to earlier requests are dropped. */
  version: 0,

  /** Whether a group, the favorites, hidden or folded stations limit the shown stations. */
  get isNarrowed() { return hidden.size > 0 || Boolean(settings.fold) || this.group !== '' || this.onlyFavorites; },

  get count() { return this.rows ? this.rows.length : this.total; },
  row(place) { return this.rows ? this.rows[place] : place; },
  /** The place of a row of the guide, or -1. */
  place(row) {
    if (!this.rows) return row < this.total ? row : -1;
    return this.places.get(row) ?? -1;
  },
  /** The rows of a tile, as in the URL of the grid: `0-15,20`. Without a selection, the range may extend beyond the last row. */
  names(first, end) {
    if (!this.rows) return first + '-' + (end - 1);
    const [row, known] = [this.rows, this.named.get(first)];
    if (known?.rows === row) return known.names;
    const names = this.ranges(this.rows.slice(first, end));
    this.named.set(first, { rows: row, names });
    return names;
  },
  named: new Map(),
  ranges(rows) {
    const names = [];
    for (const row of rows.sort((a, b) => a - b)) {
      const last = names[names.length - 1];
      if (last && last[1] === row - 1) last[1] = row; else names.push([row, row]);
    }
    return names.map(([a, b]) => (a === b ? a : a + '-' + b)).join(',');
  },

  /** Runs of adjacent rows of the guide whose stations are in the same group: the first row, and the name. */
  runs: [],
  /** The groups of the shown rows, if they have headers: for each run of places, the first place and the title (GuideGroup.runs). */
  groups() {
    if (!settings.groups) return [];
    if (!this.rows) return this.runs.filter(({ row }) => row < this.total).map(({ row, name }) => ({ place: row, title: name }));
    const groups = [];
    this.rows.forEach((row, place) => {
      const title = this.runs[partition(this.runs, run => run.row > row) - 1]?.name ?? (groups.length ? t('otherStations') : undefined);
      if (title !== groups[groups.length - 1]?.title) groups.push({ place, title });
    });
    return groups.some(({ title }) => title !== t('otherStations')) ? groups : [];
  },

  /** Updates the shown rows. */
  async update() {
    const version = ++this.version, { group, onlyFavorites } = this;
    storage.write('filter', { group, onlyFavorites });
    let rows = null;
    if (this.group) rows = await rowsOfGroup(this.group);
    if (this.onlyFavorites) {
      const group = rows && new Set(rows);
      rows = [...new Set(await rowsOf(favorites))].filter(row => !group || group.has(row));
    }
    if (hidden.size || settings.fold) {
      const hiddenRows = new Set(await rowsOf(hidden));
      if (settings.fold) for (const row of await foldedRows(hiddenRows)) hiddenRows.add(row);
      if (hiddenRows.size) rows = (rows || Array.from({ length: this.total }, (_, row) => row)).filter(row => !hiddenRows.has(row));
    }
    if (this.isFiltered) {
      const matching = new Set(await matchingRows(this));
      rows = (rows || Array.from({ length: this.total }, (_, row) => row)).filter(row => matching.has(row));
    }
    if (version !== this.version) return;
    const top = this.row(layout.firstPlace());
    this.rows = rows;
    this.places = new Map((rows ?? []).map((row, place) => [row, place]));
    layout.resize();
    tiles.forgetFailures();
    // The station at the top stays there, or the one after it.
    const place = rows ? this.places.get(top) ?? Math.max(0, rows.findIndex(row => row >= (top ?? 0))) : top ?? 0;
    layout.scrollTo({ place: clamp(place, 0, Math.max(0, this.count - 1)) });
    renderer.redraw();
    this.explainEmptiness();
    announce(t('showingStations', { count: this.count }));
  },

  /** The genre (from 1; 0 for all) of which a row must have an airing on the shown day, and whether that must be new. */
  genre: 0, onlyNew: false, day: 0,
  get isFiltered() { return this.genre > 0 || this.onlyNew; },
  /** Whether the filters leave a cell undimmed. */
  isWanted({ genre, flags }) { return (!this.genre || genre === this.genre) && (!this.onlyNew || (flags & 24) !== 0); },

  /** Whether the status line explains why no station is shown. */
  isExplained: false,
  explainEmptiness() {
    const isEmpty = this.count === 0 && this.total > 0;
    if (!isEmpty && !this.isExplained) return;
    const reason = this.onlyFavorites && !favorites.size ? t('noFavorites') : t(this.isFiltered ? 'nothingMatches' : 'noStationLeft');
    this.isExplained = isEmpty;
    showStatus(isEmpty ? reason : '');
  },
};

/** The rows of a group of stations, page by page. */
async function rowsOfGroup(group) {
  const rows = [];
  for (let offset = 0, total = 1; offset < total; offset += 500) {
    const page = await requestJSON(urlWith('/api/v1/stations', { group, offset, limit: 500 }));
    total = page.total;
    rows.push(...page.stations.map(station => station.row));
    if (page.stations.length === 0) break;
  }
  return rows.sort((a, b) => a - b);
}

/** The genres in the order of their numbers. */
const genreNames = ['news', 'sport', 'children', 'documentary', 'music', 'film', 'series', 'entertainment'];
/** The rows with an airing that the filters want, on the shown day; of today, from this hour on. */
async function matchingRows({ genre, onlyNew, day }) {
  const now = clock.now(), [from, to] = [zone.startOfDay(day), zone.startOfDay(day + 1)];
  const parameters = { from: now > from && now < to ? Math.floor(now / 3600) * 3600 : from, ...sharedParameters() };
  if (genre) parameters.genre = genreNames[genre - 1];
  if (onlyNew) parameters.new = 1;
  return (await requestJSON(urlWith('/api/v1/rows', { ...parameters, to }))).rows;
}

/** The rows of stations in other qualities of a shown station. If the shown one is hidden, the first of the others stays. */
async function foldedRows(hiddenRows) {
  const { stations } = await requestJSON(urlWith('/api/v1/duplicates', { ...sharedParameters() }));
  return stations.flatMap(({ row, folded }) => [row, ...folded].filter(each => !hiddenRows.has(each)).slice(1));
}

/** The rows of stations by identifier, without unknown stations. */
export const rowsByID = new Map();
export async function rowsOf(ids) {
  const rows = [...ids].map(async id => {
    if (!rowsByID.has(id)) {
      try {
        rowsByID.set(id, (await requestJSON('/api/v1/stations/' + encodeURIComponent(id))).station.row);
      } catch (error) {
        if (error.status !== 404) throw error;
        rowsByID.set(id, null);
      }
    }
    return rowsByID.get(id);
  });
  return (await Promise.all(rows)).filter(row => Number.isInteger(row));
}

export function toggleFavorite(id) {
  // The station isn't loaded yet.
  if (!id) return;
  if (!favorites.delete(id)) favorites.add(id);
  storage.write('favorites', [...favorites]);
  for (const button of grid.querySelectorAll('.star')) {
    if (button.closest('.head').dataset.station === id) paintStar(button, id);
  }
  if (view.onlyFavorites) filter();
}

/** Shows the favorites and hidden stations that another browser or tab has changed. Other settings apply when the page loads. */
export function takeProfile() {
  for (const [name, set] of [['favorites', favorites], ['hidden', hidden]]) {
    set.clear();
    for (const id of storage.read(name, [])) set.add(id);
  }
  for (const button of grid.querySelectorAll('.star')) paintStar(button, button.closest('.head').dataset.station);
  for (const name of Object.keys(settings)) delete settings[name];
  Object.assign(settings, storage.read('settings', {}));
  filter();
}

export function toggleHidden(id) {
  if (!hidden.delete(id)) hidden.add(id);
  storage.write('hidden', [...hidden]);
  filter();
}

/** Updates the shown rows. If that fails, shows an error and keeps the current ones. */
export function filter() {
  view.update().catch(() => showStatus(t('stationsUnavailable')));
}

export function paintStar(button, id) {
  const isFavorite = favorites.has(id);
  button.setAttribute('aria-pressed', String(isFavorite));
  button.textContent = isFavorite ? '★' : '☆';
}

// Tiles: 8 rows by 6 hours of the guide. They are requested ahead of the scroll, aborted when the scroll turns elsewhere, and
// cached up to a limit.
//
// Rows begin at multiples of 8, hours at multiples of 6 since 1970 (UTC), and a tile counts x from its own start at 240 points an
// hour. So its URL depends neither on the part of the guide that is visible, nor on the zoom, the day or the generation: all
// clients share cached responses, and a tile that a refresh of the guide did not change costs a 304 the next day.

export const tileRows = 8, tileSeconds = 21600;

/** The index of the tile that contains an instant, along time. */
export const slotOf = instant => Math.floor(instant / tileSeconds);
/** A number that identifies a tile. */
export const tileNumber = (block, slot) => block * 1e6 + slot;

export const tiles = {
  /** Loaded tiles by key, the least recently used first. */
  ready: new Map(),
  loading: new Map(),
  failed: new Map(),
  wanted: [],
  /** The generation of the guide that the page shows. */
  generation: grid ? grid.dataset.generation : '',
  /** By earlier generation, promises of the changes since then. */
  changes: new Map(),
  /** Maximum number of concurrent requests. With HTTP/1.1 a browser opens six connections to a server; one follows the guide. */
  atOnce: 5,
  capacity: 480,

  key(block, slot) {
    return view.rows ? view.names(block * tileRows, (block + 1) * tileRows) + '@' + slot : block + '@' + slot;
  },
  get(block, slot) {
    const key = this.key(block, slot), tile = this.ready.get(key);
    if (tile) { this.ready.delete(key); this.ready.set(key, tile); }
    return tile;
  },

  /** Requests tiles, the most urgent first. Aborts requests for tiles that are no longer in the list. */
  want(list) {
    this.wanted = list;
    const keys = new Set(list.map(({ block, slot }) => this.key(block, slot)));
    for (const [key, load] of this.loading) if (!keys.has(key) && !load.isNeeded) load.controller.abort();
    this.pump();
  },
  pump() {
    const now = performance.now();
    let started = 0;
    for (const { block, slot } of this.wanted) {
      if (this.loading.size >= this.atOnce || started === (motion.isMoving ? 1 : 2)) return;
      const key = this.key(block, slot), tile = this.ready.get(key);
      if ((tile && !tile.isStale) || this.loading.has(key) || this.failed.get(key) > now) continue;
      // Starting a request takes time too, so the other tiles wait for the next frame.
      started++;
      this.load(key, block, slot);
    }
  },
  load(key, block, slot, isNeeded = false) {
    const from = slot * tileSeconds, { version } = view, { generation } = this;
    const rows = view.names(block * tileRows, (block + 1) * tileRows), controller = new AbortController();
    const done = this.request(rows, from, controller.signal)
      .then(response => {
        if (generation !== this.generation) return;
        this.keep(key, readTile(response, from));
        this.failed.delete(key);
        showStatus(connection.notice);
        if (version === view.version) renderer.tileArrived(block, slot);
      })
      .catch(error => {
        if (error.name === 'AbortError') return;
        // The guide changed meanwhile: once the page has caught up, the tile is requested again.
        const isBehind = error.status === 409;
        const wait = isBehind ? 1000 : Math.min(30000, 1000 * 2 ** Math.min(5, this.failures++));
        this.failed.set(key, performance.now() + wait);
        setTimeout(() => renderer.schedule(), wait + 20);
        if (isBehind) return this.outdated();
        showStatus(connection.notice || t('retrying'));
      })
      .finally(() => {
        this.loading.delete(key);
        this.pump();
      });
    this.loading.set(key, { controller, isNeeded, done });
    return done;
  },
  /**
   * Requests the content of a tile at the page's generation.
   *
   * An intermediate cache may send the response of another generation. It is valid unless the guide has changed there since. In
   * that case, a second request names the generation, and the service responds with 409 if the page itself is outdated. Offline,
   * what the service worker stored is valid.
   */
  async request(rows, from, signal) {
    // In the order of the service's canonical URLs.
    const parameters = { form: 'columns', from, ...sharedParameters('lang'), rows, stations: 1, to: from + tileSeconds };
    const { body, generation, isStored } = await requestWithGeneration(urlWith('/api/v1/grid', parameters), { signal });
    if (isStored || await this.isCurrent(generation, body.rows, from)) return body;
    return requestJSON(urlWith('/api/v1/grid', { ...parameters, generation: this.generation }), { signal, cache: 'default' });
  },
  /** Whether a tile of a generation has the same content at the page's generation. */
  async isCurrent(generation, rows, from) {
    if (generation === this.generation) return true;
    if (!this.changes.has(generation)) {
      this.changes.set(generation, requestJSON('/api/v1/changes?since=' + generation).catch(() => ({ complete: false })));
    }
    const changes = await this.changes.get(generation);
    return changes.name === this.generation && !concerns(changes, rows, from);
  },

  /** Called when the service says that the guide has changed. */
  outdated: () => {},

  failures: 0,
  forgetFailures() { this.failed.clear(); this.failures = 0; },

  keep(key, tile) {
    this.failures = 0;
    this.ready.delete(key);
    this.ready.set(key, tile);
    for (const oldest of this.ready.keys()) {
      if (this.ready.size <= this.capacity) break;
      this.ready.delete(oldest);
    }
  },

  /** The tile at a place and an instant, requested immediately if missing. For the keyboard. */
  async need(place, instant) {
    const block = Math.floor(place / tileRows), slot = slotOf(instant);
    const key = this.key(block, slot);
    if (!this.ready.has(key)) await (this.loading.get(key)?.done ?? this.load(key, block, slot, true));
    return this.ready.get(key);
  },

  /** Marks tiles for which `isAffected` is true as stale. They are shown until new ones replace them. */
  makeStale(isAffected) {
    this.changes.clear();
    for (const tile of this.ready.values()) if (isAffected(tile)) tile.isStale = true;
    for (const load of this.loading.values()) load.controller.abort();
    this.forgetFailures();
  },
};

/** Reads the cells of a tile by row from an array for each property. `s` and `e` are the shown start and end of an airing. */
function readTile({ rows: numbers, cells, shares, stations: known }, from) {
  const { row, id, start, stop, title, sub, genre, flags } = cells, rows = new Map(numbers.map(number => [number, []]));
  const list = id.map((id, i) => ({ id, start: start[i], stop: stop[i], s: start[i], e: stop[i], title: title[i], sub: sub[i], genre: genre[i], flags: flags[i] }));
  shares?.cell.forEach((cell, i) => { [list[cell].s, list[cell].e] = [shares.start[i], shares.stop[i]]; });
  list.forEach((cell, i) => rows.get(numbers[row[i]]).push(cell));
  known?.forEach((station, i) => {
    // Tiles of the same rows repeat the stations; keeping the known objects avoids redrawing.
    if (JSON.stringify(stations.get(numbers[i])) !== JSON.stringify(station)) stations.set(numbers[i], station);
  });
  return { from, rows, isStale: false };
}

/** Whether two cells are the same. Gaps and joined locked airings depend on the loaded tiles, so two that overlap are the same. */
export const isSame = (a, b) => {
  const grows = a.id === 0 ? b.id === 0 : b.id > 0 && isLocked(a) && isLocked(b);
  return grows ? a.s < b.e && b.s < a.e : a.id === b.id;
};

/** Extends a cell with its parts in other loaded tiles. */
export function wholeCell(place, cell) {
  for (;;) {
    const whole = cell && cellsOf(place, cell.s - 1, cell.e + 1).find(other => isSame(other, cell));
    if (!whole || (whole.s === cell.s && whole.e === cell.e)) return cell ?? null;
    cell = whole;
  }
}

/** Clips a cell to the guide's window. */
export const within = cell => cell && { ...cell, s: Math.max(cell.s, layout.origin), e: Math.min(cell.e, layout.end) };

/** The cells of a row during [from, to), joined from the loaded tiles. */
export function cellsOf(place, from, to) {
  const row = view.row(place), block = Math.floor(place / tileRows), cells = [];
  for (let slot = slotOf(from); slot <= slotOf(to - 1); slot++) {
    const part = tiles.ready.get(tiles.key(block, slot))?.rows.get(row);
    for (const cell of part ?? []) {
      const before = cells[cells.length - 1];
      if (before && cell.id > 0 && before.id === cell.id) {
        // The other part of an airing in two tiles.
        if (cell.e > before.e || cell.s < before.s) {
          cells[cells.length - 1] = { ...before, s: Math.min(before.s, cell.s), e: Math.max(before.e, cell.e) };
        }
      } else if (before && before.e >= cell.s && before.id > 0 && isLocked(before) && isLocked(cell)) {
        // Nothing tells adjacent locked airings apart.
        if (cell.e > before.e) cells[cells.length - 1] = { ...before, e: cell.e, stop: cell.stop };
      } else if (before && cell.id === 0 && before.id === 0 && before.e === cell.s) {
        cells[cells.length - 1] = { ...before, e: cell.e, stop: cell.stop };
      } else if (cell.e > cell.s) {
        cells.push(cell);
      }
    }
  }
  return cells.filter(cell => cell.e > from && cell.s < to);
}

/** Whether a row has no airing in the loaded tiles. The keyboard skips such rows. */
export function isEmptyRow(place) {
  const row = view.row(place), block = Math.floor(place / tileRows);
  let isKnown = false;
  for (let slot = slotOf(layout.origin); slot <= slotOf(layout.end - 1); slot++) {
    const part = tiles.ready.get(tiles.key(block, slot))?.rows.get(row);
    if (part?.some(({ id }) => id !== 0)) return false;
    isKnown ||= part !== undefined;
  }
  return isKnown;
}

// The pictures of what is on now, which the page shows instead of logos if the settings say so.

/** The number of places whose pictures are requested at once. */
const picturePlaces = 24;

export const pictures = {
  /** By row of the guide: URL and title of what is on (no URL for none), and the instant until which this is known. */
  known: new Map(),
  loading: new Set(),

  /** The picture of a row of the guide; null for none. */
  at(row) {
    const picture = settings.pictures ? this.known.get(row) : null;
    return picture?.url ? picture : null;
  },
  /** Requests the pictures of places in sight that are unknown, or whose airing has ended. */
  request({ first, end }) {
    if (!settings.pictures) return;
    const now = clock.now();
    for (let place = first - first % picturePlaces; place < end; place += picturePlaces) {
      const places = Array.from({ length: Math.min(picturePlaces, view.count - place) }, (_, i) => place + i);
      const rows = places.map(place => view.row(place));
      if (rows.some(row => !(this.known.get(row)?.until > now))) this.load(rows);
    }
  },
  async load(rows) {
    const names = view.ranges(rows);
    if (this.loading.has(names)) return;
    this.loading.add(names);
    // The service rounds the time down to the minute.
    const now = clock.now(), soon = now + 30, { known } = this;
    const parameters = { ...sharedParameters('at'), fields: 'start,stop,title,poster', ...sharedParameters('lang'), rows: names };
    const stations = await requestJSON(urlWith('/api/v1/now', parameters)).then(response => response.stations, () => null);
    this.loading.delete(names);
    if (known !== this.known) return;
    for (const row of rows) known.set(row, { ...known.get(row), until: stations ? now + 3600 : now + 10 });
    for (const { row, now: airings, next } of stations ?? []) {
      // Airings that share a window follow each other (TimeWindow.share).
      const ends = airings.map(({ start, stop }, i) => seconds(start) + Math.floor((seconds(stop) - seconds(start)) * (i + 1) / airings.length));
      const index = ends.findIndex(end => now < end), airing = airings[index], end = ends[index] ?? (next && seconds(next.start));
      known.set(row, { url: pictureURL(airing?.poster), title: airing?.title, until: end ? Math.max(soon, end) : now + 3600 });
    }
    renderer.schedule();
    // A failed request is repeated.
    if (!stations) setTimeout(() => renderer.schedule(), 10_000);
  },
  /** Requests everything again, because the guide has changed; `isReplaced` if rows have other stations. */
  makeStale(isReplaced) {
    if (isReplaced) this.known = new Map();
    for (const picture of this.known.values()) picture.until = 0;
  },
};

// Selects the tiles to request: those in sight, those ahead of the scroll, and those around.

/** Requests tiles, the most urgent first. Returns whether one in sight is missing. */
export function requestTiles({ first, end }) {
  const { left, dx, dy, speedX, speedY, isMoving } = motion, { width, rowHeight } = layout;
  const list = [], listed = new Set();
  const slots = (from, to) => slotsBetween(Math.max(0, from), to);
  const blocks = (from, to) => [Math.floor(Math.max(0, from) / tileRows), Math.ceil(Math.min(view.count, to) / tileRows)];
  const add = ([firstSlot, lastSlot], [firstBlock, endBlock]) => {
    for (let block = firstBlock; block < endBlock; block++) {
      for (let slot = firstSlot; slot <= lastSlot; slot++) {
        const name = tileNumber(block, slot);
        if (listed.has(name)) continue;
        listed.add(name);
        list.push({ block, slot });
      }
    }
  };
  const across = slots(left, left + width), down = blocks(first, end);
  add(across, down);
  let isBlank = false;
  for (const { block, slot } of list) if (!tiles.get(block, slot)) isBlank = true;
  // The part that will be in sight within a third of a second, at least half a screen.
  const aheadX = Math.max(width / 2, speedX * 40), aheadY = layout.halfScreen + Math.max(16, (speedY * 20) / rowHeight);
  if (dy) add(across, dy > 0 ? blocks(end, end + aheadY) : blocks(first - aheadY, first));
  if (dx) add(dx > 0 ? slots(left, left + width + aheadX) : slots(left - aheadX, left + width), down);
  if (!isMoving || list.length < 12) {
    add(slots(left - width / 2, left + width * 1.5), blocks(first - layout.halfScreen, end + layout.halfScreen));
  }
  if (!dx && listed.size < 64 && !navigator.connection?.saveData) {
    // Rows to prepare while the guide does not scroll.
    const far = Math.min(128, Math.ceil((pool.limit / Math.max(1, drawing.inSight)) * (end - first)));
    const [above, below] = motion.lastY < 0 ? [far, far / 3] : [far / 3, far];
    add(across, motion.lastY < 0 ? blocks(first - above, first) : blocks(end, end + below));
    if (!isMoving) add(across, blocks(first - above, end + below));
  }
  tiles.want(list.slice(0, 120));
  return isBlank;
}

/** Whether changes of the guide affect a tile, by its rows and its time. */
export function concerns(changes, rows, from) {
  if (changes.complete === false || changes.stationsChanged) return true;
  changes.byRow ??= new Map(changes.stations.map(station => [station.row, station]));
  return rows.some(row => changes.byRow.has(row) && touches(changes.byRow.get(row), from));
}

/** Whether a station's changes overlap the time of a tile. Changes without times are assumed to. */
function touches(station, from) {
  if (station.whole || !station.airings) return true;
  return station.airings.some(({ before, after }) => [before, after].some(airing => airing
    && (!airing.start || (seconds(airing.start) < from + tileSeconds && seconds(airing.end ?? airing.start) >= from))));
}
