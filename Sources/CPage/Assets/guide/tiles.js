// Tiles: 16 rows by 4 hours of the guide, asked for ahead of the scroll, dropped when it went elsewhere, kept while there is
// room. Every tile counts x at 240 points an hour, whatever the zoom, so that an address is the same for everybody.

const tileRows = 16, tileSeconds = 14400;

const tiles = {
  /** By address, the one used longest ago first. */
  ready: new Map(),
  loading: new Map(),
  failed: new Map(),
  wanted: [],
  generation: grid ? grid.dataset.generation : '',
  origin: grid ? Number(grid.dataset.origin) : 0,
  /** Six connections are all that a browser opens to a server with HTTP/1.1, and one of them follows the guide. */
  atOnce: 5,
  capacity: 360,

  key(block, slot) {
    return view.rows ? view.names(block * tileRows, (block + 1) * tileRows) + '@' + slot : block + '@' + slot;
  },
  get(block, slot) {
    const key = this.key(block, slot), tile = this.ready.get(key);
    if (tile) { this.ready.delete(key); this.ready.set(key, tile); }
    return tile;
  },

  /** Asks for tiles, the most wanted first; what is being asked for and isn't wanted any more is dropped. */
  want(list) {
    this.wanted = list;
    const keys = new Set(list.map(({ block, slot }) => this.key(block, slot)));
    for (const [key, load] of this.loading) if (!keys.has(key) && !load.isNeeded) load.controller.abort();
    this.pump();
  },
  pump() {
    const now = performance.now();
    let asked = 0;
    for (const { block, slot } of this.wanted) {
      if (this.loading.size >= this.atOnce || asked === (motion.isMoving ? 1 : 2)) return;
      const key = this.key(block, slot), tile = this.ready.get(key);
      if ((tile && !tile.isStale) || this.loading.has(key) || this.failed.get(key) > now) continue;
      // To ask takes time too: the others wait for the next frame.
      asked++;
      this.load(key, block, slot);
    }
  },
  load(key, block, slot, isNeeded = false) {
    const from = this.origin + slot * tileSeconds, version = view.version;
    const rows = view.names(block * tileRows, (block + 1) * tileRows);
    const controller = new AbortController(), generation = this.generation;
    const parameters = { form: 'columns', from, to: from + tileSeconds, origin: this.origin, rows, pointsPerHour: 240, stations: 1, generation, ...shared('lang') };
    const done = ask(address('/api/v1/grid', parameters), { signal: controller.signal, cache: 'default' })
      .then(answer => {
        if (generation !== this.generation) return;
        this.keep(key, readTile(answer, from));
        this.failed.delete(key);
        state('');
        if (version === view.version) renderer.tileCame(block, slot);
      })
      .catch(error => {
        if (error.name === 'AbortError') return;
        // The guide went on meanwhile: the tile is asked for again at its new generation.
        if (error.status === 409) return follower.catchUp();
        const wait = Math.min(30000, 1000 * 2 ** Math.min(5, this.failures++));
        this.failed.set(key, performance.now() + wait);
        setTimeout(() => renderer.schedule(), wait + 20);
        state(navigator.onLine === false ? 'Offline. The guide comes back by itself.' : 'The guide can’t be read just now; trying again.');
      })
      .finally(() => {
        this.loading.delete(key);
        this.pump();
      });
    this.loading.set(key, { controller, isNeeded, done });
    return done;
  },
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

  /** The tile at a place and an instant, asked for at once where it isn't there; for the keyboard. */
  async need(place, instant) {
    const block = Math.floor(place / tileRows), slot = Math.floor((instant - this.origin) / tileSeconds);
    const key = this.key(block, slot);
    if (!this.ready.has(key)) await (this.loading.get(key)?.done ?? this.load(key, block, slot, true));
    return this.ready.get(key);
  },

  /** What came of a guide that stands no more is shown until it is replaced. */
  makeStale(isMeant) {
    for (const [key, tile] of this.ready) if (isMeant(tile)) tile.isStale = true;
    for (const load of this.loading.values()) load.controller.abort();
    this.forgetFailures();
  },
};

/** The cells of a tile by row, from an array for each property; an airing's `s` and `e` are what is shown of it. */
function readTile(answer, from) {
  const { row, id, start, stop, x, w, title, sub, genre, flags } = answer.cells;
  const rows = new Map(answer.rows.map(r => [r, []]));
  const instant = points => tiles.origin + Math.round(points * 15);
  for (let i = 0; i < id.length; i++) {
    const isShare = flags[i] & 64;
    rows.get(answer.rows[row[i]]).push({
      id: id[i], start: start[i], stop: stop[i],
      s: isShare ? instant(x[i]) : start[i], e: isShare ? instant(x[i] + w[i]) : stop[i],
      title: title[i], sub: sub[i], genre: genre[i], flags: flags[i],
    });
  }
  answer.stations?.forEach((station, i) => {
    // Each tile along time tells the same: what is written of a station then stays.
    const known = stations.get(answer.rows[i]);
    if (!known || JSON.stringify(known) !== JSON.stringify(station)) stations.set(answer.rows[i], station);
  });
  return { from, rows, isStale: false };
}

/** The cells of a row during [from, to), put together from the tiles that are there. */
function cellsOf(place, from, to) {
  const row = view.row(place), block = Math.floor(place / tileRows), cells = [];
  const first = Math.floor((from - tiles.origin) / tileSeconds), last = Math.floor((to - 1 - tiles.origin) / tileSeconds);
  for (let slot = first; slot <= last; slot++) {
    const part = tiles.ready.get(tiles.key(block, slot))?.rows.get(row);
    for (const cell of part ?? []) {
      const before = cells[cells.length - 1];
      if (before && cell.id > 0 && before.id === cell.id) {
        // The other part of an airing that two tiles show.
        if (cell.e > before.e || cell.s < before.s) {
          cells[cells.length - 1] = { ...before, s: Math.min(before.s, cell.s), e: Math.max(before.e, cell.e) };
        }
      } else if (before && cell.id === 0 && before.id === 0 && before.e === cell.s) {
        cells[cells.length - 1] = { ...before, e: cell.e, stop: cell.stop };
      } else if (cell.e > cell.s) {
        cells.push(cell);
      }
    }
  }
  return cells.filter(cell => cell.e > from && cell.s < to);
}

