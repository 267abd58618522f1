// The details of an airing and the settings are a module of their own, which loads on first use: most visits need neither.

/** What that module uses of this one. */
globalThis.epgGuide = {
  announce, byID, choose, clamp, clock, favorites, filter, focus, grid, hidden, jumpTo, layout, limitNames, make, moveFavorite, pageURL,
  pictureURL, profiles, query, relayout, requestJSON, seconds, settings, sharedParameters, stations, storage, toggleFavorite,
  toggleHidden, tools, urlWith, watched, webURL, zone,
};

const dialogs = {
  /** The module, once it is loaded. */
  module: null,

  /** Calls a function with the module; shows an error if it cannot be loaded. */
  async use(body) {
    try {
      this.module ??= await import(grid.dataset.dialogs);
    } catch {
      return showStatus('This part of the page could not be loaded. Reload the page.');
    }
    body(this.module);
  },
  /** Shows the details of an airing of the grid. */
  openAiring(cell, row) { return this.use(({ panel }) => panel.open(cell, row)); },
  openSettings() { return this.use(({ options }) => options.open()); },
  /** Reads the shown airing again after the guide changed. */
  refresh() { this.module?.panel.refresh(); },
};
