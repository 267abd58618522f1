// The guide page's script: one module, no framework, in parts that CPage.c puts together in order. It takes over the grid that
// the server painted.
//
// Names that tests and styles may rely on:
//   #guide        the scrolling grid (role=grid); data-generation, -rows, -origin, -end, -from, -row, -hour, -now, -zone;
//                 class "live" once the script draws; data-only while one genre is looked for
//   #canvas       all of the guide, as large as it is; #first: the server's rows, gone once the script draws
//   #hours        the header (role=row): #corner with the day, #marks with .mark and .mark.half
//   .row          a station (role=row): data-row (the guide's row), data-station; in it .cells with .cell (role=gridcell);
//                 class ragged until its texts are cut, along while one sticks; those that show nothing are hidden
//   .head         a station's name (role=rowheader, the row owns it): data-row, data-station; in it a.station and button.star;
//                 in its row as long as the server's rows stand, then in #heads
//   .cell         data-id (airing; 0 for a gap, -n for n short ones), data-start, data-stop (seconds); classes g1…g8 (genre),
//                 past, on, cut (the visible edge cuts it), short, thin, tiny, gap, many, mixed and away (text from right
//                 to left in it, and first in it), wanted (of the genre that is looked for); in it one <a> (tabindex 0 on one only)
//   #nowline .dayline   lines across the rows
//   #tools        #earlier #now #later #prime #day #day-before #day-after #zoom-out #zoom-in #genre #group #only-favourites #settings
//   #q #found     search field and what was found (role=listbox, li[data-id][data-row][data-start])
//   #panel        <dialog> with an airing: .title .sub .when .text .acts (#panel-calendar #panel-favourite #panel-hide
//                 #panel-day #panel-close) .showings
//   #options      <dialog> with settings: #set-theme #set-size #set-clock #set-zone #set-dir #set-hidden
//   #live #state  what is said to screen readers, and what is wrong just now
//   window.epg    facts for tests, read-only: see main.js
//
// Nothing from the guide is ever parsed as HTML: texts become text nodes, addresses pass `webAddress`.

const byID = id => document.getElementById(id);
const grid = byID('guide');
const query = new URLSearchParams(location.search);

/** An element with attributes and children; children that are texts become text nodes. */
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

/** The address, if it is one of http or https; nothing else may be shown or followed. */
function webAddress(text) {
  if (typeof text !== 'string' || !/^https?:\/\/[^\s/?#@][^\s@]*$/i.test(text.split(/[?#]/)[0])) return null;
  try {
    const address = new URL(text);
    return address.protocol === 'http:' || address.protocol === 'https:' ? address.href : null;
  } catch {
    return null;
  }
}

/** What is kept in this browser. */
const kept = {
  read(name, otherwise) {
    try {
      const value = JSON.parse(localStorage.getItem('epg.' + name));
      return value && Array.isArray(value) === Array.isArray(otherwise) ? value : otherwise;
    } catch {
      return otherwise;
    }
  },
  write(name, value) {
    try {
      localStorage.setItem('epg.' + name, JSON.stringify(value));
    } catch {
      say('This browser keeps nothing: choices last until the page is closed.');
    }
  },
};

const settings = kept.read('settings', {});
function choose(name, value) {
  settings[name] = value;
  kept.write('settings', settings);
}

/** Tells screen readers something, once things have settled. */
let saying = 0;
function say(text) {
  clearTimeout(saying);
  saying = setTimeout(() => { byID('live').textContent = text; }, 120);
}

/** Shows quietly what is wrong, or that nothing is. */
function state(text) {
  let line = byID('state');
  if (!line) document.body.append(line = make('p', { id: 'state', class: 'state', role: 'status' }));
  if (line.textContent !== (text || '')) line.textContent = text || '';
  if (line.hidden === Boolean(text)) line.hidden = !text;
}

/** An address with parameters. */
function address(path, parameters = {}) {
  const text = new URLSearchParams(parameters).toString().replaceAll('%2C', ',');
  return text ? path + '?' + text : path;
}
/** The page's own parameters, which other pages and some questions to the service take too. */
function shared(...names) {
  return Object.fromEntries(names.filter(name => query.get(name)).map(name => [name, query.get(name)]));
}
const languages = query.get('lang');
const pageParameters = address('', shared('at', 'zone', 'lang'));
const pageAddress = path => path + pageParameters;

/**
 * Requests JSON from the service, and returns it with the generation of the guide that the response names. The browser
 * revalidates cached responses (304), since the guide may have changed. Throws an error with `status` for a failed request.
 */
async function askWithGeneration(path, options = {}) {
  const response = await fetch(path, { headers: { Accept: 'application/json' }, cache: 'no-cache', ...options });
  clock.align(response.headers.get('Date'));
  if (!response.ok) throw Object.assign(new Error(`${path}: ${response.status}`), { status: response.status });
  return { body: await response.json(), generation: response.headers.get('Guide-Generation') };
}
/** Requests JSON from the service; see `askWithGeneration`. */
const ask = async (path, options) => (await askWithGeneration(path, options)).body;

const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

/** The first index of a sorted list at which `isBehind` holds. */
function partition(list, isBehind) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBehind(list[middle])) high = middle; else low = middle + 1;
  }
  return low;
}

