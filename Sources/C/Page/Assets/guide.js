// The guide page: takes over the grid that the server rendered, and follows the guide. The pages need Chrome 87, Firefox 79 or
// Safari 16.4; televisions get them in the syntax of Chrome 79 (PageFile.forTelevision). page.js runs before the first paint, so it is no module.
//
// Names that tests and styles may use:
//   #guide        the scrolling grid (role=grid); data-generation, -rows, -origin, -end, -from, -start, -row, -hour, -now, -zone;
//                 class "live" once the script draws; data-only while filters dim cells
//   #canvas       the complete guide, at its full size; #first: the server's rows, removed once the script draws
//   #hours        the header (role=row): #corner with the day, #marks with .mark and .mark.half
//   .row          a station (role=row): data-row (the guide's row), data-station; contains .cells with .cell (role=gridcell);
//                 class ragged until its texts are clipped, along while a text is sticky; unused rows are hidden
//   .head         a station's name (role=rowheader, owned by the row): data-row, data-station; contains a.station and
//                 button.star; in its row in the server's markup, then in #heads
//                 With hours downwards (data-grid=vertical on the root element), a row is a column; see guide.css.
//   .grouphead    the header of a group of stations (role=row, owned by #rows) in #groups, if the settings show them
//   .now          the picture of what is on instead of the logo in .logo, which then has the class pictured
//   .cell         data-id (airing; 0 for a gap, -n for n short airings), data-start, data-stop (seconds); classes g1…g8 (genre),
//                 past, on, cut (clipped by the visible edge), short, thin, tiny, gap, many, mixed (contains right-to-left text),
//                 locked (by the parental limit), away (starts with it), wanted (by the filters), watched (by a rule); contains one <a> (tabindex 0 on only one)
//   #nowline #nowmark .dayline   the line of the current time behind the rows, its marker in the header, and the lines between days
//   #tools        #earlier #now #later #day-before #day #day-after #more, and #rest, which on phones is in the dialog #sheet: #prime #group
//                 #genre #only-new #only-favorites #zoom-out #zoom-in #turn #settings
//   #q #found     search field and matches (role=listbox, li[data-id][data-row][data-start])
//   #panel        <dialog> with the details of an airing: .title .sub .when .text .acts (#panel-calendar #panel-favorite #panel-hide
//                 #panel-day #panel-close) .showings
//   #options      <dialog> with settings: #set-profile #pin #set-language #set-theme #set-size #set-clock #set-zone #set-dir #set-groups #set-pictures #set-preview #set-tv #set-hidden #set-order
//   #print        the table that is printed instead of the grid
//   #toast        a message with #toast-undo (role=status)
//   #number       the number of a channel while it is typed (class typed), then the channel (role=status)
//   #preview      the preview of the focused cell: .preview-title .preview-sub .preview-when .preview-text .preview-picture
//                 Televisions have data-tv on the root element, a dialog #actions for a long press of OK, and lists (.picker) of selects.
//   #live #state  announcements for screen readers, and the current error
//   window.epg    read-only state for tests: see below
//
// Content of the guide is never parsed as HTML: texts become text nodes, and URLs pass through `webURL` or `pictureURL`.

import { byID, clock, connection, grid, make, pageURL, requestJSON, settings, showStatus, t, zone } from './base.js';
import { concerns, filter, pictures, rowsByID, takeProfile, tiles, view } from './listings.js';
import { layout, placeFirst, pool, renderer, requestFirstTiles, startDrawing, ticker } from './drawing.js';
import { beginSearch, dialogs, focus, listenToKeys, relayout, tools } from './controls.js';
import { watched } from './watched.js';

// Follows the guide: fetches changed parts again and updates them in place. Without server-sent events it polls each minute.

const follower = {
  isCatchingUp: false, isBehind: false, timer: 0, source: null,

  begin() {
    connection.returned = () => {
      tiles.makeStale(() => true);
      renderer.schedule();
      this.catchUp();
    };
    tiles.outdated = () => this.catchUp();
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
    pictures.makeStale(isReplaced);
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
    } else if (view.isFiltered) {
      filter();
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

function begin() {
  zone.set();
  layout.measure();
  byID('canvas').append(make('div', { id: 'nowline', class: 'nowline', 'aria-hidden': 'true', hidden: true }), make('div', { id: 'heads', class: 'heads', role: 'row', hidden: true }), make('div', { id: 'rows', class: 'rows', role: 'rowgroup', hidden: true }), make('div', { id: 'groups', role: 'presentation', hidden: true }));
  if (!byID('nowmark')) byID('hours').append(make('div', { id: 'nowmark', class: 'nowmark', 'aria-hidden': 'true', hidden: true }));
  layout.resize();
  placeFirst();

  tools.begin();
  beginSearch();
  listenToKeys();
  grid.addEventListener('scroll', () => renderer.schedule(), { passive: true });
  // A resize also changes the measures that depend on the window.
  let width = 0, height = 0;
  new ResizeObserver(() => {
    if (grid.clientWidth === width && grid.clientHeight === height) return;
    const isFirst = width === 0;
    [width, height] = [grid.clientWidth, grid.clientHeight];
    if (!isFirst) relayout();
  }).observe(grid);
  requestFirstTiles();
  // The script takes over without tiles too, and shows the error.
  setTimeout(startDrawing, 4000);
  follower.begin();
  watched.changed = () => renderer.redraw();
  setTimeout(() => {
    renderer.settled = () => watched.load(Math.floor(layout.instant(layout.left())), Math.ceil(layout.instant(layout.left() + layout.width)));
    renderer.settled();
  }, 1000);
  // What the first view does not need. The service worker stores it, too.
  const prefetch = name => document.head.append(make('link', { rel: 'modulepreload', href: new URL(`./${name}.js`, import.meta.url).href }));
  setTimeout(() => {
    ['search', 'dialogs', 'watch'].forEach(prefetch);
    import('./print.js').catch(() => {});
  }, 5000);
  if (view.isNarrowed) filter();
  if (settings.preview === 'on') import('./preview.js').then(({ preview }) => preview.begin());
  addEventListener('profilechange', takeProfile);
  addEventListener('profileproblem', event => showStatus(t('profileNotSaved', { reason: event.detail })));
}

/** State for tests and debugging. */
window.epg = Object.freeze({
  get cells() { return grid ? grid.querySelectorAll('.cell').length : 0; },
  get rows() { return pool.rows.size; },
  get tilesReady() { return tiles.ready.size; },
  get tilesPending() { return tiles.loading.size; },
  /** Whether a tile in sight is missing. */
  get isBlank() { return renderer.facts.blankSince !== 0; },
  /** In milliseconds, since the page loaded or the last `resetFacts` call. */
  get longestBlank() { return renderer.facts.longestBlank; },
  get frames() { return { count: renderer.facts.frames, slow: renderer.facts.slowFrames, longest: renderer.facts.longestFrame }; },
  get generation() { return tiles.generation; },
  get changesTaken() { return follower.changes; },
  get isLive() { return renderer.isDrawing; },
  get now() { return clock.now(); },
  get zone() { return zone.name; },
  get hour() { return layout.hour; },
  get isVertical() { return layout.isVertical; },
  get firstInstant() { return layout.firstInstant(); },
  get firstPlace() { return layout.firstPlace(); },
  get focus() { return focus.cell && { row: focus.row, id: focus.cell.id, start: focus.cell.start, stop: focus.cell.stop, anchor: focus.anchor }; },
  x: instant => layout.x(instant),
  resetFacts() { Object.assign(renderer.facts, { frames: 0, slowFrames: 0, longestFrame: 0, longestBlank: 0, blankSince: 0 }); },
});

if (document.documentElement.hidden) { /* page.js loads the page with another limit */ }
else if (grid) begin();
else new EventSource('/api/v1/events').addEventListener('generation', event => { if (JSON.parse(event.data).generation > 0) setTimeout(() => location.reload(), 1000); });
