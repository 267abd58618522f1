// The script of the guide page: one module without a framework. CPage.c concatenates its parts in order. It takes over the grid
// that the server rendered.
//
// Names that tests and styles may use:
//   #guide        the scrolling grid (role=grid); data-generation, -rows, -origin, -end, -from, -row, -hour, -now, -zone;
//                 class "live" once the script draws; data-only while one genre is highlighted
//   #canvas       the complete guide, at its full size; #first: the server's rows, removed once the script draws
//   #hours        the header (role=row): #corner with the day, #marks with .mark and .mark.half
//   .row          a station (role=row): data-row (the guide's row), data-station; contains .cells with .cell (role=gridcell);
//                 class ragged until its texts are clipped, along while a text is sticky; unused rows are hidden
//   .head         a station's name (role=rowheader, owned by the row): data-row, data-station; contains a.station and
//                 button.star; in its row in the server's markup, then in #heads
//                 With hours downwards (data-grid=vertical on the root element), a row is a column; see guide.css.
//   .cell         data-id (airing; 0 for a gap, -n for n short airings), data-start, data-stop (seconds); classes g1…g8 (genre),
//                 past, on, cut (clipped by the visible edge), short, thin, tiny, gap, many, mixed (contains right-to-left text),
//                 away (starts with it), wanted (of the highlighted genre), watched (by a rule); contains one <a> (tabindex 0 on only one)
//   #nowline .dayline   lines across the rows
//   #tools        #earlier #now #later #prime #day #day-before #day-after #zoom-out #zoom-in #genre #group #only-favorites #turn #settings
//   #q #found     search field and matches (role=listbox, li[data-id][data-row][data-start])
//   #panel        <dialog> with the details of an airing: .title .sub .when .text .acts (#panel-calendar #panel-favorite #panel-hide
//                 #panel-day #panel-close) .showings
//   #options      <dialog> with settings: #set-profile #pin #set-theme #set-size #set-clock #set-zone #set-dir #set-hidden #set-order
//   #live #state  announcements for screen readers, and the current error
//   window.epg    read-only state for tests: see main.js
//
// Content of the guide is never parsed as HTML: texts become text nodes, and URLs pass through `webURL` or `pictureURL`.

const byID = id => document.getElementById(id);
const grid = byID('guide');
const query = new URLSearchParams(location.search);

/** Creates an element with attributes and children. Strings become text nodes. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined && child !== false && child !== ''));
  return element;
}

/** Returns the URL if its scheme is http or https, else null. Only such URLs are shown or followed. */
function webURL(text) {
  if (typeof text !== 'string' || !/^https?:\/\/[^\s/?#@][^\s@]*$/i.test(text.split(/[?#]/)[0])) return null;
  try {
    const url = new URL(text);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
  } catch {
    return null;
  }
}

/** Returns the URL of a picture: a path of this service, or a URL that `webURL` accepts; else null. */
const pictureURL = text => (typeof text === 'string' && /^\/(?![/\\])/.test(text) ? text : webURL(text));

/** The profile of this browser; page.js defines it. */
const profiles = globalThis.epgProfiles;

/** Values in the local storage of this browser. */
const storage = {
  read(name, fallback) {
    try {
      const value = JSON.parse(localStorage.getItem(profiles?.key(name) ?? 'epg.' + name));
      return value && Array.isArray(value) === Array.isArray(fallback) ? value : fallback;
    } catch {
      return fallback;
    }
  },
  write(name, value) {
    try {
      localStorage.setItem(profiles?.key(name) ?? 'epg.' + name, JSON.stringify(value));
      profiles?.schedule();
    } catch {
      announce('This browser cannot store settings. They last until you close the page.');
    }
  },
};

const settings = storage.read('settings', {});
function choose(name, value) {
  settings[name] = value;
  storage.write('settings', settings);
}

/** Announces a text to screen readers. A later text within 120 ms replaces it. */
let announcement = 0;
function announce(text) {
  clearTimeout(announcement);
  announcement = setTimeout(() => { byID('live').textContent = text; }, 120);
}

/** Shows an error in the status line; hides the line if there is none. */
function showStatus(text) {
  let line = byID('state');
  if (!line) document.body.append(line = make('p', { id: 'state', class: 'state', role: 'status' }));
  if (line.textContent !== (text || '')) line.textContent = text || '';
  if (line.hidden === Boolean(text)) line.hidden = !text;
}

/** A URL with query parameters. An array has several values of a parameter. */
function urlWith(path, parameters = {}) {
  const pairs = Object.entries(parameters).flatMap(([name, value]) => [].concat(value).map(each => [name, each]));
  const text = new URLSearchParams(pairs).toString().replaceAll('%2C', ',');
  return text ? path + '?' + text : path;
}
/** Those of the page's parameters that other pages and some API requests share, always with the parental limit. */
function sharedParameters(...names) {
  const shared = [...names, 'lockAge', 'lockCategory'].filter(name => query.get(name));
  return Object.fromEntries(shared.map(name => [name, query.getAll(name)]));
}
/** The parameters of links to other pages, which `zone` completes. */
let pageParameters = urlWith('', sharedParameters('at', 'lang'));
const pageURL = path => path + pageParameters;

/**
 * Requests JSON from the service, and returns it with the generation of the guide that the response names. The browser
 * revalidates cached responses (304), since the guide may have changed. Throws an error with `status` for a failed request.
 */
async function requestWithGeneration(path, options = {}) {
  const response = await fetch(path, { headers: { Accept: 'application/json' }, cache: 'no-cache', ...options });
  const stored = response.headers.get('Guide-Stored');
  if (stored === null) clock.align(response.headers.get('Date'));
  connection.note(stored);
  if (!response.ok) throw Object.assign(new Error(`${path}: ${response.status}`), { status: response.status });
  return { body: await response.json(), generation: response.headers.get('Guide-Generation'), isStored: stored !== null };
}
/** Requests JSON from the service; see `requestWithGeneration`. */
const requestJSON = async (path, options) => (await requestWithGeneration(path, options)).body;

const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

/** Returns the first index of a sorted list for which `isBehind` is true, by binary search. */
function partition(list, isBehind) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBehind(list[middle])) high = middle; else low = middle + 1;
  }
  return low;
}

/** Seconds since 1970 of an instant that the service writes as a number or in ISO 8601. */
const seconds = time => (typeof time === 'number' ? time : Date.parse(time) / 1000);
