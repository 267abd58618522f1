// Tiles: 8 rows by 6 hours of the guide. They are requested ahead of the scroll, aborted when the scroll turns elsewhere, and
// cached up to a limit.
//
// Rows begin at multiples of 8, hours at multiples of 6 since 1970 (UTC), and a tile counts x from its own start at 240 points an
// hour. So its URL depends neither on the part of the guide that is visible, nor on the zoom, the day or the generation: all
// clients share cached responses, and a tile that a refresh of the guide did not change costs a 304 the next day.

const tileRows = 8, tileSeconds = 21600;

/** The index of the tile that contains an instant, along time. */
const slotOf = instant => Math.floor(instant / tileSeconds);
/** A number that identifies a tile. */
const tileNumber = (block, slot) => block * 1e6 + slot;

const tiles = {
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
        if (isBehind) return follower.catchUp();
        showStatus(connection.notice || 'The guide is unavailable. Retrying…');
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
    for (const [key, tile] of this.ready) if (isAffected(tile)) tile.isStale = true;
    for (const load of this.loading.values()) load.controller.abort();
    this.forgetFailures();
  },
};

/** Reads the cells of a tile by row from an array for each property. `s` and `e` are the shown start and end of an airing. */
function readTile(response, from) {
  const { row, id, start, stop, x, w, title, sub, genre, flags } = response.cells;
  const rows = new Map(response.rows.map(r => [r, []]));
  const instant = points => from + Math.round(points * 15);
  const shares = new Map();
  for (let i = 0; i < id.length; i++) {
    const cell = { id: id[i], start: start[i], stop: stop[i], s: start[i], e: stop[i], title: title[i], sub: sub[i], genre: genre[i], flags: flags[i] };
    rows.get(response.rows[row[i]]).push(cell);
    if (!(flags[i] & 64)) continue;
    [cell.s, cell.e] = [instant(x[i]), instant(x[i] + w[i])];
    const key = row[i] + ' ' + start[i];
    shares.set(key, [...shares.get(key) ?? [], cell]);
  }
  for (const members of shares.values()) share(members, from);
  response.stations?.forEach((station, i) => {
    // Tiles of the same rows repeat the stations; keeping the known objects avoids redrawing.
    const known = stations.get(response.rows[i]);
    if (!known || JSON.stringify(known) !== JSON.stringify(station)) stations.set(response.rows[i], station);
  });
  return { from, rows, isStale: false };
}

/**
 * Restores, to the second, the parts of a window that airings share (TimeWindow.share). A tile has exactly the parts that overlap it,
 * in points of 15 seconds.
 */
function share(members, from) {
  const [{ start, stop }] = members, whole = stop - start, to = from + tileSeconds;
  const boundary = (i, n) => start + Math.floor(whole / n) * i + Math.floor(whole % n * i / n);
  for (let n = members.length; n <= Math.min(whole, members.length + 50); n++) {
    const parts = Array.from({ length: n }, (_, i) => [boundary(i, n), boundary(i + 1, n)])
      .filter(([s, e]) => s < to && e > from).map(part => part.map(instant => clamp(instant, from, to)));
    const isNear = ([s, e], k) => Math.abs(members[k].s - s) <= 8 && Math.abs(members[k].e - e) <= 8;
    if (parts.length !== members.length || !parts.every(isNear)) continue;
    members.forEach((cell, k) => { [cell.s, cell.e] = parts[k]; });
    return;
  }
}

/** Extends a cell with its parts in other loaded tiles. */
function wholeCell(place, cell) {
  for (;;) {
    const whole = cell && cellsOf(place, cell.s - 1, cell.e + 1).find(other => isSame(other, cell));
    if (!whole || (whole.s === cell.s && whole.e === cell.e)) return cell ?? null;
    cell = whole;
  }
}

/** Clips a cell to the guide's window. */
const within = cell => cell && { ...cell, s: Math.max(cell.s, layout.origin), e: Math.min(cell.e, layout.end) };

/** The cells of a row during [from, to), joined from the loaded tiles. */
function cellsOf(place, from, to) {
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
      } else if (before && cell.id === 0 && before.id === 0 && before.e === cell.s) {
        cells[cells.length - 1] = { ...before, e: cell.e, stop: cell.stop };
      } else if (cell.e > cell.s) {
        cells.push(cell);
      }
    }
  }
  return cells.filter(cell => cell.e > from && cell.s < to);
}

