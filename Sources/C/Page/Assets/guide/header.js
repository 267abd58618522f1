/** The corner, the hours, and the day lines across the rows. */
const header = {
  marks: new Map(), lines: new Map(), drawn: '', corner: 0, cut: null,
  /** The drawn range in pixels. It extends beyond the visible part, so that redrawing is rare. */
  from: 0, to: 0,

  draw(left) {
    const first = layout.instant(left), day = zone.dayOf(first);
    if (this.corner !== day) {
      this.corner = day;
      byID('corner').replaceChildren(make('span', {}, zone.dayLabel(first)), make('small', { title: zone.name }, zone.place));
      tools.showDay(day);
    }
    const drawn = `${layout.hour} ${zone.name} ${settings.clock}`;
    if (drawn !== this.drawn || left < this.from || left + layout.width > this.to) this.drawMarks(left, drawn);
    // Only the hour that the edge clips has to be sticky, and only while the guide scrolls slowly enough to read.
    if (motion.isFast) return;
    const cut = [...this.marks].find(([instant, element]) => instant <= first && layout.x(instant) + element.span > left)?.[1];
    if (cut !== this.cut) {
      this.cut?.classList.remove('cut');
      cut?.classList.add('cut');
      this.cut = cut;
    }
  },
  drawMarks(left, drawn) {
    if (this.drawn !== drawn) this.clear();
    this.drawn = drawn;
    [this.from, this.to] = [Math.max(0, left - 1200), left + layout.width + 1200];
    const start = Math.max(layout.origin, layout.instant(this.from) - 3600), end = Math.min(layout.end, layout.instant(this.to));
    const marks = this.marksWithRoom(start, end), wanted = new Map();
    marks.forEach((mark, i) => {
      if (mark.instant < end) wanted.set(mark.instant, { ...mark, next: Math.min(marks[i + 1]?.instant ?? layout.end, layout.end) });
    });
    for (const [instant, element] of this.marks) {
      if (!wanted.has(instant)) { element.remove(); this.marks.delete(instant); }
    }
    for (const [instant, mark] of wanted) if (!this.marks.has(instant)) this.addMark(mark);
    this.drawDays(start, end);
  },
  /** The marks whose labels have room: half hours, or every first, second, third … hour of the day. */
  marksWithRoom(from, to) {
    const { hour, unit } = layout, isWanted = ({ instant, isHour }) => hour >= 150 * unit || (isHour && zone.local(instant) / 3600 % step === 0);
    this.room ||= Math.max(...[0, 10, 12, 22].map(each => this.widthOf(zone.time.format(zone.instantAt(zone.dayOf(from), each * 3600) * 1000))));
    const step = [1, 2, 3, 4, 6, 12].find(hours => hours * hour >= this.room) ?? 24;
    const marks = zone.marks(from, to + step * 3600).filter(isWanted);
    // The label of an hour that occurs twice is wider, and takes the room of the next one.
    let free = 0;
    return marks.filter(({ instant }) => {
      if (layout.x(instant) < free) return false;
      free = layout.x(instant) + (zone.isTwice(instant) ? this.widthOf(zone.label(instant)) : 0);
      return true;
    });
  },
  /** The length of a label along time, with the space around it. */
  widthOf(label) {
    if (layout.isVertical) return 20 * layout.unit;
    this.pen ??= make('canvas').getContext('2d');
    const { fontWeight, fontSize, fontFamily } = getComputedStyle(byID('corner'));
    this.pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    return this.pen.measureText(label).width + 12;
  },
  addMark({ instant, next, isHour }) {
    const x = layout.x(instant);
    const element = make('div', { class: isHour ? 'mark' : 'mark half', role: 'columnheader', 'aria-colindex': columnOf(instant) + 3 }, make('span', {}, zone.label(instant)));
    element.span = layout.x(next) - x;
    element.style.cssText = `inset-inline-start:${x}px;inline-size:${element.span}px`;
    this.marks.set(instant, element);
    // In time order, for screen readers.
    const behind = [...this.marks.keys()].filter(other => other > instant).sort((a, b) => a - b)[0];
    byID('marks').insertBefore(element, this.marks.get(behind) ?? null);
  },
  drawDays(start, end) {
    const wanted = new Set();
    for (let day = zone.dayOf(start); day <= zone.dayOf(end); day++) {
      const instant = zone.startOfDay(day);
      if (instant > layout.origin && instant < layout.end) wanted.add(instant);
    }
    for (const [instant, line] of this.lines) if (!wanted.has(instant)) { line.remove(); this.lines.delete(instant); }
    for (const instant of wanted) {
      if (this.lines.has(instant)) continue;
      const line = make('div', { class: 'dayline', 'aria-hidden': 'true' });
      line.style.insetInlineStart = layout.headWidth + layout.x(instant) + 'px';
      this.lines.set(instant, line);
      byID('canvas').insertBefore(line, byID('rows'));
    }
  },
  clear() {
    for (const element of [...this.marks.values(), ...this.lines.values()]) element.remove();
    this.marks.clear();
    this.lines.clear();
    this.drawn = '';
    this.corner = this.room = 0;
    firstMark = 0;
  },

  /** Moves the now-line to the current time. */
  drawNow() {
    const now = clock.now(), line = byID('nowline');
    line.hidden = now < layout.origin || now >= layout.end;
    line.style.insetInlineStart = layout.headWidth + layout.x(now) + 'px';
  },
};

