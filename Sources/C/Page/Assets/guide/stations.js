// Stations, and the selection of those to show.

/** Stations by row of the guide, as loaded with the tiles. */
const stations = new Map();

const favorites = new Set(storage.read('favorites', []).filter(id => typeof id === 'string'));
const hidden = new Set(storage.read('hidden', []).filter(id => typeof id === 'string'));

/** The shown rows. A place is the index of a row on the page. */
const view = {
  /** The shown rows of the guide: ascending, or in the order of the favorites; null for all. */
  rows: null,
  /** The places of the shown rows. */
  places: new Map(),
  total: grid ? Number(grid.dataset.rows) : 0,
  group: String(storage.read('filter', {}).group ?? ''),
  onlyFavorites: storage.read('filter', {}).onlyFavorites === true,
  /** Grows when the selection changes, so that responses to earlier requests are dropped. */
  version: 0,

  /** Whether a group, the favorites or hidden stations limit the shown stations. */
  get isNarrowed() { return hidden.size > 0 || this.group !== '' || this.onlyFavorites; },

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
    const names = this.ranges(first, end);
    this.named.set(first, { rows: row, names });
    return names;
  },
  named: new Map(),
  ranges(first, end) {
    const names = [];
    for (const row of this.rows.slice(first, end).sort((a, b) => a - b)) {
      const last = names[names.length - 1];
      if (last && last[1] === row - 1) last[1] = row; else names.push([row, row]);
    }
    return names.map(([a, b]) => (a === b ? a : a + '-' + b)).join(',');
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
    if (hidden.size) {
      const hiddenRows = new Set(await rowsOf(hidden));
      if (hiddenRows.size) rows = (rows || Array.from({ length: this.total }, (_, row) => row)).filter(row => !hiddenRows.has(row));
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
    announce(this.count === 1 ? 'Showing 1 station.' : `Showing ${this.count.toLocaleString(locales)} stations.`);
  },

  /** Whether the status line explains why no station is shown. */
  isExplained: false,
  explainEmptiness() {
    const isEmpty = this.count === 0 && this.total > 0;
    if (!isEmpty && !this.isExplained) return;
    const reason = this.onlyFavorites && !favorites.size ? 'You have no favorites yet. Turn off ★ above, and choose ☆ at a station.'
      : 'No station is left. Choose another group, turn off ★, or show hidden stations in the settings.';
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

/** The rows of stations by identifier, without unknown stations. */
const rowsByID = new Map();
async function rowsOf(ids) {
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

function toggleFavorite(id) {
  // The station isn't loaded yet.
  if (!id) return;
  if (!favorites.delete(id)) favorites.add(id);
  storage.write('favorites', [...favorites]);
  for (const button of grid.querySelectorAll('.star')) {
    if (button.closest('.head').dataset.station === id) paintStar(button, id);
  }
  if (view.onlyFavorites) filter();
}

/** Moves a favorite up (-1) or down (1) among the others. */
function moveFavorite(id, step) {
  const list = [...favorites], from = list.indexOf(id), to = from + step;
  if (from < 0 || to < 0 || to >= list.length) return;
  [list[from], list[to]] = [list[to], list[from]];
  favorites.clear();
  for (const each of list) favorites.add(each);
  storage.write('favorites', list);
  if (view.onlyFavorites) filter();
}

/** Shows the favorites and hidden stations that another browser or tab has changed. Other settings apply when the page loads. */
function takeProfile() {
  for (const [name, set] of [['favorites', favorites], ['hidden', hidden]]) {
    set.clear();
    for (const id of storage.read(name, [])) set.add(id);
  }
  for (const button of grid.querySelectorAll('.star')) paintStar(button, button.closest('.head').dataset.station);
  for (const name of Object.keys(settings)) delete settings[name];
  Object.assign(settings, storage.read('settings', {}));
  filter();
}

function toggleHidden(id) {
  if (!hidden.delete(id)) hidden.add(id);
  storage.write('hidden', [...hidden]);
  filter();
}

/** Updates the shown rows. If that fails, shows an error and keeps the current ones. */
function filter() {
  view.update().catch(() => showStatus('The list of stations is unavailable.'));
}

function paintStar(button, id) {
  const isFavorite = favorites.has(id);
  button.setAttribute('aria-pressed', String(isFavorite));
  button.textContent = isFavorite ? '★' : '☆';
}

