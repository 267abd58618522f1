// Follows the guide: fetches changed parts again and updates them in place. Without server-sent events it polls each minute.

/** Whether the page shows responses that the service worker stored, because the service is unreachable. */
const connection = {
  /** When the last response was stored; null for a response of the service. */
  stored: document.documentElement.dataset.stored ?? null,

  get notice() {
    return this.stored !== null || navigator.onLine === false ? offlineNotice(this.stored, settings.clock) : '';
  },
  /** Notes when a response was stored. The first one of the service replaces all stored ones. */
  note(stored) {
    const isBack = this.stored !== null && stored === null;
    this.stored = stored;
    if (!isBack) return;
    tiles.makeStale(() => true);
    renderer.schedule();
    follower.catchUp();
  },
};

const follower = {
  isCatchingUp: false, isBehind: false, timer: 0, source: null,

  begin() {
    this.listen();
    addEventListener('online', () => { tiles.forgetFailures(); this.catchUp(); this.listen(); });
    addEventListener('offline', () => showStatus(connection.notice));
    showStatus(connection.notice);
  },
  listen() {
    if (this.source && this.source.readyState !== 2) return;
    clearTimeout(this.timer);
    if (!('EventSource' in window)) return this.poll();
    const source = this.source = new EventSource('/api/v1/events');
    source.addEventListener('generation', event => {
      if (JSON.parse(event.data).name !== tiles.generation) this.catchUp();
    });
    source.addEventListener('now', () => ticker.tick());
    source.addEventListener('open', () => { connection.note(null); showStatus(connection.notice); });
    // A browser reconnects by itself unless the request is rejected.
    source.addEventListener('error', () => { if (source.readyState === 2) this.poll(); });
  },
  poll() {
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      await this.catchUp();
      if ('EventSource' in window) this.listen(); else this.poll();
    }, 60000);
  },

  /** Brings the page to the current generation. */
  async catchUp() {
    if (this.isCatchingUp) { this.isBehind = true; return; }
    this.isCatchingUp = true;
    try {
      const changes = await requestJSON('/api/v1/changes?since=' + tiles.generation);
      if (changes.name !== tiles.generation) await this.apply(changes);
      showStatus(connection.notice);
    } catch (error) {
      // The changes are unknown: reads everything again.
      if (error.status === 404 || error.status === 409) await this.apply({ complete: false }).catch(() => {});
      else setTimeout(() => this.catchUp(), 10000);
    } finally {
      this.isCatchingUp = false;
      if (this.isBehind) { this.isBehind = false; this.catchUp(); }
    }
  },
  async apply(changes) {
    const page = await this.readPage();
    const isReplaced = changes.complete === false || changes.stationsChanged;
    tiles.generation = grid.dataset.generation = changes.name ?? page.generation;
    tiles.makeStale(tile => concerns(changes, [...tile.rows.keys()], tile.from));
    if (isReplaced) rowsByID.clear();
    if (page.origin !== layout.origin) this.move(page);
    if (page.end !== layout.end || page.rows !== view.total) {
      layout.end = page.end;
      view.total = page.rows;
      layout.resize();
      tools.writeDays();
      renderer.redraw();
    }
    if (isReplaced) {
      tools.loadGroups();
      if (view.rows || view.isNarrowed) filter();
    }
    dialogs.refresh();
    watched.reload();
    renderer.schedule();
    this.changes++;
  },
  changes: 0,

  /** The current generation, number of rows and window of the page at the service. */
  async readPage() {
    const response = await fetch(pageURL('/'), { headers: { Accept: 'text/html' }, cache: 'no-cache' });
    const other = new DOMParser().parseFromString(await response.text(), 'text/html'), page = other.getElementById('guide');
    if (!other.getElementById('notice')) byID('notice')?.remove();
    if (!page) { location.reload(); throw new Error('the guide is missing'); }
    const { generation, rows, origin, end } = page.dataset;
    return { generation, rows: Number(rows), origin: Number(origin), end: Number(end) };
  },
  /** Starts the guide on another day: all positions change, and the visible part stays. */
  move(page) {
    const instant = layout.firstInstant();
    layout.origin = page.origin;
    layout.end = page.end;
    tools.writeDays();
    relayout({ instant });
  },
};

/** Whether changes of the guide affect a tile, by its rows and its time. */
function concerns(changes, rows, from) {
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

/** Updates the parts of the page that depend on the clock: the now-line, today's date, and past and current airings. */
const ticker = {
  timer: 0,
  begin() {
    // After sleep, timers are late and pages return from a cache, so each tick reads the clock.
    for (const name of ['visibilitychange', 'pageshow', 'focus']) addEventListener(name, () => this.tick());
    document.addEventListener('visibilitychange', () => this.tick());
    this.tick();
  },
  tick() {
    clearTimeout(this.timer);
    const now = clock.now();
    header.drawNow();
    tools.tick(now);
    for (const row of pool.rows.values()) for (const cell of row.cells.values()) cell.tick(now);
    // A pixel at the default zoom is 15 seconds.
    this.timer = setTimeout(() => this.tick(), 5000 - (Date.now() % 5000));
  },
};

