// The service worker keeps the files of the pages, and the pages and listings that were viewed last, for reading offline.
//
// The service writes two constants before this script: `version`, a hash of all files, and `shell`, their URLs and that of the page
// that is shown instead of missing ones. Everything else comes from the network if there is one, so nothing is outdated after an
// update. A new version deletes what earlier ones stored.

/** The caches, with the maximum number of responses. */
const caching = { shell: Infinity, pages: 60, data: 400, pictures: 200 };
const cacheOf = kind => caches.open(`epg-${kind}-${version}`);

/** Returns the cache for a URL, or null for a URL that is never stored: only these are. */
function kindOf({ origin, pathname, search }) {
  if (origin !== location.origin) return null;
  if (shell.includes(pathname + search)) return 'shell';
  if (/^\/(home|stations|search|setup)?$|^\/(stations|airings)\/[^/]+$/.test(pathname)) return pathname.endsWith('.ics') ? null : 'pages';
  if (/^\/api\/v1\/(grid|groups|stations|airings)(\/|$)/.test(pathname)) return 'data';
  return /^\/(art|logos)\//.test(pathname) ? 'pictures' : null;
}

addEventListener('install', event => event.waitUntil((async () => {
  await (await cacheOf('shell')).addAll(shell);
  await (await cacheOf('pages')).add('/').catch(() => {});
  await skipWaiting();
})()));

addEventListener('activate', event => event.waitUntil((async () => {
  const names = (await caches.keys()).filter(name => name.startsWith('epg-') && !name.endsWith('-' + version));
  await Promise.all(names.map(name => caches.delete(name)));
  await registration.navigationPreload?.enable();
  await clients.claim();
})()));

addEventListener('fetch', event => {
  const { request } = event, kind = request.method === 'GET' ? kindOf(new URL(request.url)) : null;
  if (kind === 'shell') event.respondWith(shellResponse(request.url).then(response => response ?? fetch(request)));
  else if (kind) event.respondWith(respond(event, kind));
  // Without a response here, the browser would discard the preloaded one and send the request a second time.
  else if (request.method === 'GET' && request.mode === 'navigate') event.respondWith(event.preloadResponse.then(response => response ?? fetch(request)));
});

/** URLs that a page loaded before this worker controlled it: their responses are in the browser's cache. */
addEventListener('message', event => event.waitUntil(Promise.all(event.data.map(async text => {
  const url = new URL(text), kind = kindOf(url);
  if (!kind || kind === 'shell') return;
  try { await store(kind, url.href, await fetch(url, { cache: 'force-cache' })); } catch { /* not stored */ }
}))));

const shellResponse = async url => (await cacheOf('shell')).match(url, { ignoreVary: true });

/** Responds from the network. Without a connection, responds with the stored response. */
async function respond(event, kind) {
  const { request } = event;
  let failed = Response.error();
  try {
    const response = (await event.preloadResponse) ?? await fetch(request);
    // A proxy responds so while the service is down.
    if (response.status !== 502 && response.status !== 504) {
      event.waitUntil(store(kind, request.url, response.clone()).catch(() => {}));
      return response;
    }
    failed = response;
  } catch { /* offline */ }
  return (await stored(kind, request.url)) ?? (request.mode === 'navigate' ? await shellResponse('/offline') : null) ?? failed;
}

let stores = 0;
/** Stores a response, unless it is not for sharing. An error, a redirection and a response for one client delete the stored response. */
async function store(kind, url, response) {
  const cache = await cacheOf(kind);
  const control = response.headers.get('Cache-Control'), isPublic = !/no-store|private/.test(control);
  const isGone = response.status >= 400 && response.status < 500 && response.status !== 429;
  const isForOne = /private/.test(control) || response.redirected || response.type === 'opaqueredirect';
  if (isGone || isForOne) await cache.delete(url, { ignoreVary: true });
  if (response.status !== 200 || response.type !== 'basic' || response.redirected || !isPublic) return;
  await cache.put(url, response);
  if (++stores % 20) return;
  const keys = await cache.keys();
  for (const key of keys.slice(0, Math.max(0, keys.length - caching[kind]))) await cache.delete(key);
}

/** Returns the stored response of a URL with the time at which the service sent it. The guide and the home page are stored at any time of day. */
async function stored(kind, url) {
  const cache = await cacheOf(kind), { pathname } = new URL(url);
  let response = await cache.match(url, { ignoreVary: true });
  if (!response && (pathname === '/' || pathname === '/home')) response = (await cache.matchAll(pathname, { ignoreSearch: true, ignoreVary: true })).pop();
  if (!response) return null;
  const headers = new Headers(response.headers), date = new Date(headers.get('Date') ?? 0).toUTCString();
  headers.set('Guide-Stored', date);
  for (const name of ['Content-Encoding', 'Content-Length']) headers.delete(name);
  const body = kind === 'pages' ? (await response.text()).replace('<html ', `<html data-stored="${date}" `) : response.body;
  return new Response(body, { headers });
}
