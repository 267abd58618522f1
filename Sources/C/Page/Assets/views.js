// What scripts add to the home page and the stations page: favorites come first, and the list of stations follows the filter. Both
// take their elements from the same page at another URL.

const { profiles, writeTimes } = window.epgPage;

let request = new AbortController();
/** Replaces the first element that a selector finds by the same element of the page at a URL, and returns that page; null without it. */
async function replace(selector, url) {
  request.abort();
  request = new AbortController();
  try {
    const response = await fetch(url, { signal: request.signal });
    if (!response.ok) return null;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html'), fresh = page.querySelector(selector);
    writeTimes(fresh);
    document.querySelector(selector).replaceWith(fresh);
    return page;
  } catch {
    return null;
  }
}

function showFavorites() {
  const favorites = profiles.read(profiles.key('favorites'), []).slice(0, 16), url = new URL(location.href);
  for (const id of favorites) url.searchParams.append('first', id);
  if (favorites.length) replace('.v-on-now', url);
}
if (document.querySelector('.v-on-now')) {
  showFavorites();
  addEventListener('profilechange', showFavorites);
}

const filter = document.querySelector('.stations .v-filter');
async function showStations() {
  const url = new URL(filter.action);
  for (const [name, value] of new FormData(filter)) if (value) url.searchParams.append(name, value);
  const page = await replace('#list', url);
  if (!page) return;
  document.getElementById('count').textContent = page.getElementById('count').textContent;
  history.replaceState(null, '', url);
}
let timer = 0;
filter?.addEventListener('input', event => {
  clearTimeout(timer);
  timer = setTimeout(showStations, event.target.type === 'search' ? 150 : 0);
});
