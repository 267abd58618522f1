// Frames: what is done while the guide scrolls, and once it stands.

/** How the guide scrolls. */
const motion = {
  left: 0, top: 0, dx: 0, dy: 0, isMoving: false,
  /** In pixels a frame of a sixtieth of a second, each way; what goes further than a screen at once has been a jump. */
  speedX: 0, speedY: 0,
  /** Along time so fast that nobody reads: 1.5 pixels a millisecond, until it is half of that. */
  isFast: false,
  /** Which way it went last: what lies there is prepared first. */
  lastY: 1,
  time: 0,

  read(time) {
    const left = layout.left(), top = grid.scrollTop;
    [this.dx, this.dy] = [left - this.left, top - this.top];
    [this.left, this.top] = [left, top];
    this.isMoving = this.dx !== 0 || this.dy !== 0;
    const frames = this.time ? Math.max(1, (time - this.time) / 16.7) : 1;
    this.speedX = Math.abs(this.dx) < layout.width ? Math.abs(this.dx) / frames : 0;
    this.speedY = Math.abs(this.dy) < layout.height ? Math.abs(this.dy) / frames : 0;
    this.isFast = this.speedX > (this.isFast ? 12 : 25);
    if (this.dy) this.lastY = Math.sign(this.dy);
    this.time = this.isMoving ? time : 0;
  },
};

const renderer = {
  /**
   * How many rows are drawn at a time while the guide scrolls. On a machine that is too busy, each frame with work is late,
   * however little it is: there more rows are drawn further ahead in fewer frames.
   */
  batch: 4, isWorked: false, calm: 0,
  isScheduled: false, isDrawing: false, settled: 0,
  facts: { frames: 0, slowFrames: 0, longestFrame: 0, longestBlank: 0, blankSince: 0 },

  schedule() {
    if (this.isScheduled || !this.isDrawing) return;
    this.isScheduled = true;
    requestAnimationFrame(time => this.frame(time));
  },
  /** Draws everything anew where it stands, since times, sizes or rows changed. */
  redraw() {
    drawing.stamp++;
    drawing.changes++;
    this.schedule();
  },
  tileCame(block, slot) {
    drawing.stampTile(block, slot);
    if (this.isDrawing) this.schedule(); else takeOver();
  },

  frame(time, isAll = false) {
    this.isScheduled = false;
    const last = motion.time;
    motion.read(time);
    const { isMoving } = motion;
    if (isMoving && last && !isAll) this.count(time - last);

    const seen = layout.places(motion.top), isBlank = demand(seen);
    drawing.begin();
    pool.giveUp();
    const isWhole = drawing.drawSeen(seen, isAll ? Infinity : performance.now() + 10 + 2 * this.batch);
    const isDone = isWhole && (isMoving ? drawing.drawAhead(seen) : drawing.drawAround(seen));
    this.measureBlank(isBlank || !isWhole, time);
    cuts.mark(seen);
    header.draw(motion.left, Math.max(0, Math.floor(motion.left / 240) * 240 - 240), Math.ceil((motion.left + layout.width) / 240) * 240 + 240);
    this.calm = Math.abs(motion.dy) < layout.rowHeight / 4 ? this.calm + 1 : 0;
    if (this.calm > 3 || isAll || !isMoving && isDone) pool.writeLogos(seen);
    if (isMoving || !isDone) this.schedule();
    if (isMoving) {
      clearTimeout(this.settled);
      this.settled = 0;
    } else {
      this.settled ||= setTimeout(() => this.settle(), 150);
    }
  },
  /** Draws at once, where the focus can't wait for the next frame. */
  frameNow() {
    const wasScheduled = this.isScheduled;
    this.frame(performance.now(), true);
    motion.time = 0;
    this.isScheduled ||= wasScheduled;
  },
  settle() {
    this.settled = 0;
    this.batch = Math.max(4, this.batch / 2);
    cuts.loosen();
    pool.sort();
    focus.settle();
  },

  count(duration) {
    this.facts.frames++;
    if (duration > 25) this.facts.slowFrames++;
    if (this.isWorked && duration > 25) this.batch = Math.min(24, this.batch * 2);
    this.isWorked = false;
    this.facts.longestFrame = Math.max(this.facts.longestFrame, duration);
  },
  measureBlank(isBlank, time) {
    const { facts } = this;
    if (isBlank) {
      facts.blankSince ||= time;
      this.schedule();
    }
    if (facts.blankSince) facts.longestBlank = Math.max(facts.longestBlank, performance.now() - facts.blankSince);
    if (!isBlank) facts.blankSince = 0;
  },
};

