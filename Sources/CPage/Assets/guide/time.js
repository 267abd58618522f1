// Time: the clock, the zone, and what is written of them. Instants are seconds since 1970.

/** Now, by the server's clock: a viewer's may be minutes off. With `at` in the page's address it stands still. */
const clock = {
  skew: 0,
  fixed: query.has('at') && grid ? Number(grid.dataset.now) : null,
  now() { return this.fixed ?? Date.now() / 1000 + this.skew; },
  /** Takes over the server's clock where it differs by more than what a field of whole seconds can't tell. */
  align(date) {
    const there = Date.parse(date) / 1000;
    if (!there) return;
    const skew = there + .5 - Date.now() / 1000;
    if (Math.abs(skew - this.skew) > 3) this.skew = Math.abs(skew) > 3 ? skew : 0;
  },
};

const locales = (() => {
  const wanted = [...(languages ? languages.split(',') : []), ...(navigator.languages || [])];
  try { return Intl.getCanonicalLocales(wanted.map(l => l.replace('_', '-'))); } catch { return ['en']; }
})();

/** The zone in which times are told: the page's parameter, what was chosen, the viewer's own, the site's. */
const zone = {
  set() {
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    for (const name of [query.get('zone'), settings.zone, own, grid?.dataset.zone, 'UTC']) {
      try {
        if (!name) continue;
        const parts = { timeZone: name, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' };
        this.parts = new Intl.DateTimeFormat('en-US', parts);
        this.name = name;
        break;
      } catch { /* a zone that this browser doesn't know */ }
    }
    const hour12 = settings.clock === '12' ? true : settings.clock === '24' ? false : undefined;
    const format = options => new Intl.DateTimeFormat(locales, { timeZone: this.name, ...options });
    // `02:00` as the server writes it, where a day has 24 hours: else the first paint's times would change.
    const isWhole = hour12 === false || (hour12 === undefined && format({ hour: 'numeric' }).resolvedOptions().hourCycle === 'h23');
    this.time = format({ hour: isWhole ? '2-digit' : 'numeric', minute: '2-digit', hour12 });
    this.timeIn = format({ hour: 'numeric', minute: '2-digit', hour12, timeZoneName: 'short' });
    this.day = format({ weekday: 'short', day: 'numeric', month: 'short' });
    this.longDay = format({ weekday: 'long', day: 'numeric', month: 'long' });
    // ` AM` and ` PM` end a label where the language writes them there.
    this.isLeftward = /^(ar|dv|fa|he|ks|ku-Arab|ps|sd|ug|ur|yi)\b/.test(this.time.resolvedOptions().locale);
    this.isShortened = [6e7, 9e6].every(ms => /^\d+:\d\d\s[AP]M$/.test(this.time.format(ms)));
    this.offsets = new Map();
    this.labels = new Map();
  },
  /** Seconds that the zone's clocks are ahead of UTC. Zones change at full quarters of an hour. */
  offset(instant) {
    const quarter = Math.floor(instant / 900);
    let offset = this.offsets.get(quarter);
    if (offset === undefined) {
      const part = {};
      for (const { type, value } of this.parts.formatToParts(quarter * 9e5)) part[type] = Number(value);
      offset = Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute, part.second) / 1000 - quarter * 900;
      if (this.offsets.size > 20000) this.offsets.clear();
      this.offsets.set(quarter, offset);
    }
    return offset;
  },
  /** What the clocks show, as seconds since 1970-01-01T00:00 local. */
  local(instant) { return instant + this.offset(instant); },
  /** The first instant of the day that is so many days after 1970-01-01 on the zone's calendar. */
  startOfDay(day) {
    const midnight = day * 86400;
    let instant = midnight - this.offset(midnight - this.offset(midnight));
    // An earlier midnight, where it comes twice; the end of the gap, where there is none.
    if (this.local(instant - 3600) >= midnight) instant -= 3600;
    while (this.local(instant) < midnight) instant += 900;
    return instant;
  },
  dayOf(instant) { return Math.floor(this.local(instant) / 86400); },
  /** `20:00`, and for an hour that comes twice on that day, which one: `01:00 GMT+1`. */
  label(instant) {
    let label = this.labels.get(instant);
    if (label === undefined) {
      const local = this.local(instant);
      const isTwice = [-7200, -3600, -1800, 1800, 3600, 7200].some(d => this.local(instant + d) === local);
      label = (isTwice ? this.timeIn : this.time).format(instant * 1000);
      if (this.labels.size > 20000) this.labels.clear();
      this.labels.set(instant, label);
    }
    return label;
  },
  /** `20:00–20:45`; with twelve hours, what both have in common is written once. */
  range(start, stop) {
    const [from, to] = [this.label(start), this.label(stop)];
    if (!this.isShortened) return from + '–' + to;
    const [first, last] = [from.slice(-3), to.slice(-3)];
    return (first === last ? from.slice(0, -3) : from) + '–' + to;
  },
  dayLabel(instant) { return this.day.format(instant * 1000); },
  /** Full and half hours of the zone's clocks in [from, to). */
  marks(from, to) {
    const marks = [];
    for (let instant = Math.ceil(from / 900) * 900; instant < to; instant += 900) {
      const beyond = ((this.local(instant) % 3600) + 3600) % 3600;
      if (beyond === 0 || beyond === 1800) marks.push({ instant, isHour: beyond === 0 });
    }
    return marks;
  },
};

