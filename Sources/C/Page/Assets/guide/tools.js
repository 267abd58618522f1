// The toolbar above the grid.

const genres = ['News', 'Sport', 'Children', 'Documentary', 'Music', 'Film', 'Series', 'Entertainment'];
const signs = ['≡', '●', '☺', '◎', '♪', '▣', '◇', '★'];
const zooms = [60, 90, 120, 180, 240, 360, 480, 720, 960];

const tools = {
  begin() {
    const button = (id, text, label, onclick, attributes = {}) => make('button', { id, type: 'button', 'aria-label': label === text ? null : label, title: label === text ? null : label, onclick, ...attributes }, text);
    const group = (...children) => make('span', { class: 'group' }, ...children);
    const day = make('select', { id: 'day', 'aria-label': 'Day', onchange: () => this.jumpToDay(Number(day.value)) });
    const genre = make('select', { id: 'genre', 'aria-label': 'Genre', onchange: () => this.highlight(genre.value) },
      make('option', { value: '' }, 'All genres'), ...genres.map((name, i) => make('option', { value: i + 1 }, `${signs[i]} ${name}`)));
    const stations = make('select', { id: 'group', 'aria-label': 'Station group', hidden: true, onchange: () => { view.group = stations.value; filter(); } },
      make('option', { value: '' }, 'All stations'));
    byID('tools').replaceChildren(
      make('div', {},
        group(button('earlier', '‹', 'Earlier', () => this.page(-1)), button('now', 'Now', 'Now', () => this.jumpToNow(true)), button('later', '›', 'Later', () => this.page(1))),
        group(button('day-before', '‹', 'Previous day', () => this.jumpToDay(this.day - 1)), day, button('day-after', '›', 'Next day', () => this.jumpToDay(this.day + 1)))),
      make('div', { class: 'end' }, button('prime', '20:00', 'Prime time', () => this.jumpToPrimeTime()), stations, genre,
        button('only-favorites', '★', 'Show only favorites', () => { view.onlyFavorites = !view.onlyFavorites; this.paint(); filter(); }, { class: 'icon', 'aria-pressed': String(view.onlyFavorites) }),
        group(button('zoom-out', '−', 'Show more hours', () => this.zoom(-1)), button('zoom-in', '+', 'Show fewer hours', () => this.zoom(1))),
        button('turn', '⇅', 'Hours downwards', () => this.turn(), { class: 'icon', 'aria-pressed': String(layout.isVertical) }),
        button('settings', '⚙', 'Settings', () => dialogs.openSettings(), { class: 'icon' })));
    byID('tools').classList.add('ready');
    this.writeDays();
    this.loadGroups();
  },

  day: 0,
  today: 0,
  writeDays() {
    const select = byID('day'), today = this.today = zone.dayOf(clock.now());
    select.replaceChildren();
    for (let day = zone.dayOf(layout.origin); day <= zone.dayOf(layout.end - 1); day++) {
      const label = zone.dayLabel(zone.startOfDay(day) + 43200);
      select.append(make('option', { value: day }, day === today ? 'Today' : label));
    }
    if (this.day) select.value = this.day;
    const evening = zone.label(zone.instantAt(today, 72000)), prime = byID('prime');
    prime.textContent = evening;
    prime.title = `Prime time: ${evening} on this day`;
    prime.setAttribute('aria-label', prime.title);
  },
  tick(now) {
    if (zone.dayOf(now) !== this.today) this.writeDays();
  },
  showDay(day) {
    this.day = day;
    const select = byID('day');
    if (!select) return;
    select.value = day;
    byID('day-before').disabled = day <= zone.dayOf(layout.origin);
    byID('day-after').disabled = day >= zone.dayOf(layout.end - 1);
  },
  async loadGroups() {
    try {
      const { groups } = await requestJSON('/api/v1/groups');
      const select = byID('group');
      select.hidden = groups.length === 0;
      select.replaceChildren(select.firstChild, ...groups.map(group => make('option', { value: group.name }, `${group.name} (${group.stations})`)));
      // A group that no longer exists would show nothing.
      if (view.group && !groups.some(group => group.name === view.group)) {
        view.group = '';
        filter();
      }
      select.value = view.group;
    } catch { /* without groups, the menu stays hidden */ }
  },
  paint() {
    byID('only-favorites').setAttribute('aria-pressed', String(view.onlyFavorites));
    byID('group').value = view.group;
  },

  /** Scrolls by most of a screen along time. */
  page(direction) {
    const hours = Math.max(1, Math.floor(layout.width / layout.hour - .5));
    this.jump(layout.firstInstant() + direction * hours * 3600);
  },
  jump(instant) {
    instant = clamp(instant, layout.origin, layout.end);
    layout.scrollTo({ instant });
    announce(`${zone.dayLabel(instant)}, ${zone.label(Math.round(instant / 900) * 900)}`);
  },
  /** Scrolls to the current time, a little after the edge. */
  jumpToNow(isFocused) {
    const now = clock.now();
    if (now < layout.origin || now >= layout.end) return announce('The guide does not include the current time.');
    this.jump(Math.floor((now - 900) / 1800) * 1800);
    if (isFocused) focus.go(Math.ceil(layout.top() / layout.rowHeight), now).catch(() => {});
  },
  jumpToPrimeTime() {
    this.jump(zone.instantAt(this.day, 72000));
  },
  /** Scrolls to another day at the same local time. */
  jumpToDay(day) {
    const first = layout.firstInstant();
    this.jump(zone.instantAt(day, zone.local(first) - zone.dayOf(first) * 86400));
  },
  zoom(direction) {
    const hour = layout.hour / layout.unit;
    const next = direction > 0 ? zooms.find(z => z > hour + .5) : [...zooms].reverse().find(z => z < hour - .5);
    if (!next) return;
    // The current time keeps its position if it is in sight; otherwise the middle does.
    const now = clock.now(), isNowSeen = layout.x(now) > layout.left() && layout.x(now) < layout.left() + layout.width;
    const fixed = isNowSeen ? now : layout.instant(layout.left() + layout.width / 2);
    const at = layout.x(fixed) - layout.left();
    choose(layout.zoomSetting, next);
    relayout({ instant: fixed, at });
    announce(`Showing ${Math.round(layout.width / layout.hour * 10) / 10} hours.`);
  },
  /** Turns the grid: hours across or downwards. The first station and the first hour stay. */
  turn() {
    const instant = layout.firstInstant(), place = layout.firstPlace(), root = document.documentElement;
    choose('grid', layout.isVertical ? '' : 'vertical');
    if (settings.grid) root.dataset.grid = settings.grid; else delete root.dataset.grid;
    relayout({ instant, place });
    byID('turn').setAttribute('aria-pressed', String(layout.isVertical));
    announce(layout.isVertical ? 'Hours run downwards.' : 'Hours run across.');
  },
  highlight(genre) {
    if (genre) grid.dataset.only = genre; else delete grid.dataset.only;
    renderer.redraw();
    announce(genre ? `Highlighting ${genres[genre - 1]}.` : 'No genre is highlighted.');
  },
};

/** Recomputes all positions, and keeps `instant` at the distance `at` from the edge, and `place` first. */
function relayout({ instant, at, place = layout.top() / layout.rowHeight } = {}) {
  const first = instant ?? layout.firstInstant();
  header.clear();
  layout.measure();
  layout.resize();
  if (!renderer.isDrawing) return placeFirst();
  pool.dropUnseen(layout.places(place * layout.rowHeight));
  for (const row of pool.rows.values()) row.assign(row.place, row.row);
  const x = layout.x(first) - (at ?? 0);
  layout.scrollTo({ place, instant: layout.instant(x) });
  header.drawNow();
  renderer.redraw();
  renderer.frameNow();
}
