// Positions: one scroll container with the size of the guide contains all rows and cells at their final positions. The station
// column and the header are sticky, so that no frame waits for the script.

/** Maximum height of the rows in pixels. Browsers cannot place elements beyond about 17 million pixels; rows there aren't shown. */
const tallest = 16e6;

/** Positions in pixels, from the edge where text begins. */
const layout = {
  origin: grid ? Number(grid.dataset.origin) : 0, end: grid ? Number(grid.dataset.end) : 0,
  hour: 240, rowHeight: 56, headWidth: 192, headHeight: 34, width: 0, height: 0, unit: 1,
  /** Whether hours run downwards, and stations are side by side. Then widths are heights and vice versa (GuideLayout.timeAxis). */
  isVertical: false,
  /** The setting with the points of an hour. */
  get zoomSetting() { return this.isVertical ? 'hourDown' : 'hour'; },

  /** Reads the measures from the style sheet. */
  measure() {
    const style = getComputedStyle(grid);
    const measure = name => parseFloat(style.getPropertyValue(name)) || 0;
    this.isVertical = document.documentElement.dataset.grid === 'vertical';
    this.unit = measure('--unit') || 1;
    [this.rowHeight, this.headHeight, this.headWidth] = this.isVertical
      ? ['--column', '--strip', '--station'].map(name => measure(name) * this.unit)
      : [measure('--row') || 56, measure('--head') || 34, measure('--name') + measure('--logo')];
    const usual = this.isVertical ? 180 : Number(grid.dataset.hour) || 240;
    this.hour = clamp(Number(settings[this.zoomSetting]) || usual, 30, 1920) * this.unit;
    const [along, across] = this.isVertical ? [grid.clientHeight, grid.clientWidth] : [grid.clientWidth, grid.clientHeight];
    this.width = along - this.headWidth;
    this.height = across - this.headHeight;
  },
  /** The position of an instant, snapped to pixels as in the service's layout. Widths are differences of positions. */
  x(instant) { return Math.floor((clamp(instant, this.origin, this.end) - this.origin) * this.hour / 3600 + .5); },
  instant(x) { return this.origin + x * 3600 / this.hour; },

  /** The scroll offset along time and across it, from the edge where text begins. Browsers report it as negative in right-to-left pages. */
  left() { return Math.abs(this.isVertical ? grid.scrollTop : grid.scrollLeft); },
  top() { return Math.abs(this.isVertical ? grid.scrollLeft : grid.scrollTop); },
  firstInstant() { return this.instant(this.left()); },
  /** The full seconds in sight (GuideLayout.visibleTime). An edge that is invisibly close to an instant counts as being on it. */
  visibleTime() {
    const slack = Math.min(1 / 1024, this.hour / 7200), left = this.left();
    const first = Math.floor(this.instant(left + slack)), last = Math.ceil(this.instant(left + this.width - slack));
    return { start: clamp(first, this.origin, this.end), end: clamp(last, this.origin, this.end) };
  },
  firstPlace() { return Math.floor(this.top() / this.rowHeight); },
  /** The places in sight. */
  places(top) {
    return { first: Math.max(0, Math.floor(top / this.rowHeight)), end: Math.min(view.count, Math.ceil((top + this.height) / this.rowHeight)) };
  },
  /** Half a screen of places. */
  get halfScreen() { return Math.ceil(this.height / 2 / this.rowHeight); },

  /** Makes the canvas as large as the guide. */
  resize() {
    const places = Math.min(view.count, Math.floor(tallest / this.rowHeight));
    const canvas = byID('canvas').style;
    canvas.inlineSize = this.headWidth + this.x(this.end) + 'px';
    canvas.blockSize = this.headHeight + places * this.rowHeight + 'px';
    byID('rows').style.blockSize = byID('heads').style.blockSize = places * this.rowHeight + 'px';
    grid.setAttribute('aria-rowcount', view.count + 1);
    grid.setAttribute('aria-colcount', 2 + columnOf(this.end - 1) + 1);
  },
  /** Scrolls to a place, an instant or x, or both. An axis without a target stays. */
  scrollTo({ place, instant, x = instant === undefined ? undefined : this.x(instant) }) {
    const sign = document.documentElement.dir === 'rtl' ? -1 : 1;
    const y = place === undefined ? undefined : place * this.rowHeight;
    const [left, top] = this.isVertical ? [y, x] : [x, y];
    const to = { behavior: 'instant' };
    if (top !== undefined) to.top = Math.max(0, top);
    if (left !== undefined) to.left = sign * Math.max(0, left);
    grid.scrollTo(to);
    renderer.schedule();
  },
};

/** The header column of an instant, from 0. Each full or half hour after the start begins a column. */
let firstMark = 0;
function columnOf(instant) {
  firstMark ||= (zone.marks(layout.origin + 1, layout.origin + 7200)[0] ?? { instant: layout.origin + 1800 }).instant;
  return instant < firstMark ? 0 : Math.floor((instant - firstMark) / 1800) + 1;
}

/** The indexes of the first and the last tile along time between two positions. */
function slotsBetween(from, to) {
  const slot = x => slotOf(clamp(layout.instant(x), layout.origin, layout.end - 1));
  return [slot(from), slot(to - .01)];
}

