// The details of an airing and the settings: a module that the guide loads on first use. CPage.c concatenates its parts in order.

export { panel, options };

/** What the guide shares with it; see guide/dialogs.js. */
const {
  announce, byID, choose, clamp, clock, favorites, filter, focus, grid, hidden, jumpTo, layout, limitNames, make, moveFavorite, pageURL,
  pictureURL, profiles, query, relayout, requestJSON, seconds, settings, sharedParameters, stations, storage, toggleFavorite,
  toggleHidden, tools, urlWith, watched, webURL, zone,
} = globalThis.epgGuide;
