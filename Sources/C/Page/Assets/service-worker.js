// The service worker keeps the files of the pages, and the pages and listings that were viewed last, for reading offline.
//
// The service writes two constants before this script: `version`, a hash of all files, and `shell`, their URLs and the URL of the
// page that is shown instead of missing ones. Everything else comes from the network if there is one, so nothing is outdated
// after an update. A new version deletes what earlier ones stored.

/** The caches, with the maximum number of responses. */
const caching = { shell: Infinity, pages: 60, data: 400, pictures: 200 };
const nameOf = kind => `epg-${kind}-${version}`;
/**
 * Opens a cache, or returns null if a newer version has deleted the caches of this one while a request was running. Opening a
 * deleted cache creates it again. A newer version deletes the shell first, so without a shell, the cache is deleted.
 */
async function cacheOf(kind) {
  const name = nameOf(kind), cache = await caches.open(name);
  if (await caches.has(nameOf('shell'))) return cache;
  await caches.delete(name);
  return null;
}

/** Returns the cache for a URL, or null for a URL that is never stored: only these are. */
function kindOf({ origin, pathname, search }) {
  if (origin !== location.origin) return null;
  if (shell.includes(pathname + search)) return 'shell';
  if (/^\/(home|stations|search|series|setup)?$|^\/(stations|airings)\/[^/]+$/.test(pathname)) return /\.(ics|m3u)$/.test(pathname) ? null : 'pages';
  if (/^\/api\/v1\/(grid|groups|stations|airings)(\/|$)/.test(pathname)) return 'data';
  return /^\/(art|logos)\//.test(pathname) ? 'pictures' : null;
}

addEventListener('install', event => event.waitUntil((async () => {
  await (await caches.open(nameOf('shell'))).addAll(shell);
  await (await caches.open(nameOf('pages'))).add('/').catch(() => {});
  await skipWaiting();
})()));

addEventListener('activate', event => event.waitUntil((async () => {
  const names = (await caches.keys()).filter(name => name.startsWith('epg-') && !name.endsWith('-' + version));
  const shells = names.filter(name => name.startsWith('epg-shell-'));
  for (const name of [...shells, ...names]) await caches.delete(name);
  await clients.claim();
})()));

addEventListener('fetch', event => {
  const { request } = event, kind = request.method === 'GET' ? kindOf(new URL(request.url)) : null;
  if (kind === 'shell') event.respondWith(shellResponse(request.url).then(response => response || fetch(request)));
  else if (kind) event.respondWith(respond(event, kind));
});

/** URLs that a page loaded before this worker controlled it: their responses are in the browser's cache. */
addEventListener('message', event => event.waitUntil(Promise.all(event.data.map(async text => {
  const url = new URL(text), kind = kindOf(url);
  if (!kind || kind === 'shell') return;
  try { await store(kind, url.href, await fetch(url, { cache: 'force-cache' })); } catch { /* not stored */ }
}))));

/** A reminder opens its airing. */
addEventListener('notificationclick', event => {
  const { notification } = event, url = new URL(notification.data, location.origin).href;
  notification.close();
  event.waitUntil((async () => {
    const [page] = await clients.matchAll({ type: 'window' });
    try {
      await (await page.focus()).navigate(url);
    } catch {
      await clients.openWindow(url);
    }
  })());
});

const shellResponse = url => caches.match(url, { cacheName: nameOf('shell'), ignoreVary: true });

/** Whether the service is down or overloaded. A proxy in front of it responds so, too. */
const isFailure = ({ status }) => status === 502 || status === 503 || status === 504;

/** Responds from the network. If it fails or takes four seconds, responds with the stored response, if there is one. */
async function respond(event, kind) {
  const { request } = event, network = fetch(request), timeout = new Promise(resolve => { setTimeout(resolve, 4000, null); });
  event.waitUntil(network.then(response => (isFailure(response) ? null : store(kind, request.url, response.clone()))).catch(() => {}));
  const received = network.catch(() => Response.error());
  const isUsable = response => response !== null && response.type !== 'error' && !isFailure(response);
  let response = await Promise.race([received, timeout]);
  if (isUsable(response)) return response;
  const older = await stored(kind, request.url);
  if (older) return older;
  response = await received;
  if (isUsable(response) || response.status === 503 || request.mode !== 'navigate') return response;
  return (await shellResponse(shell[shell.length - 1])) || response;
}

/**
 * Stores a response, unless it is not for sharing, or names what somebody searched. An error, a redirection and a response for one
 * client delete the stored response.
 */
async function store(kind, url, response) {
  const cache = await cacheOf(kind);
  if (!cache) return;
  const control = response.headers.get('Cache-Control'), isPublic = !/no-store|private/.test(control);
  const isGone = response.status >= 400 && response.status < 500 && response.status !== 429;
  const isForOne = /private/.test(control) || response.redirected || response.type === 'opaqueredirect';
  if (isGone || isForOne) await cache.delete(url, { ignoreVary: true });
  if (response.status !== 200 || response.type !== 'basic' || response.redirected || !isPublic) return;
  const { pathname, searchParams } = new URL(url);
  if (pathname === '/search' || pathname === '/stations' && searchParams.get('q')) return;
  await cache.put(url, response);
  const keys = await cache.keys();
  for (const key of keys.slice(0, Math.max(0, keys.length - caching[kind]))) await cache.delete(key);
}

/** The parameters of a URL with these names. */
const partOf = (url, ...names) => JSON.stringify([...new URL(url).searchParams].filter(([name]) => names.includes(name)).sort());

/**
 * Returns the stored response of a URL with the time at which the service sent it. The guide and the home page are stored at any
 * time of day, with the same parental limit, for the same kind of device, and if possible in the same language.
 */
async function stored(kind, url) {
  const cache = await cacheOf(kind), { pathname } = new URL(url);
  if (!cache) return null;
  let response = await cache.match(url, { ignoreVary: true });
  if (!response && (pathname === '/' || pathname === '/home')) {
    const keys = await cache.keys(pathname, { ignoreSearch: true, ignoreVary: true });
    const isSame = (key, ...names) => partOf(key.url, ...names) === partOf(url, ...names);
    const same = keys.filter(key => isSame(key, 'lockAge', 'lockCategory', 'tv'));
    const last = same.filter(key => isSame(key, 'ui')).pop() || same.pop();
    response = last && await cache.match(last, { ignoreVary: true });
  }
  if (!response) return null;
  const headers = new Headers(response.headers), date = new Date(headers.get('Date') || 0).toUTCString();
  headers.set('Guide-Stored', date);
  for (const name of ['Content-Encoding', 'Content-Length']) headers.delete(name);
  const body = kind === 'pages' ? (await response.text()).replace('<html ', `<html data-stored="${date}" `) : response.body;
  return new Response(body, { headers });
}
