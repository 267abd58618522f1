// Frames: the work during scrolling, and after it ends.

/** Position and speed of the scroll. */
const motion = {
  left: 0, top: 0, dx: 0, dy: 0, isMoving: false,
  /**
   * Pixels per frame on each axis. Slow frames count with their full distance, because more has to be ready ahead. A move of
   * more than a screen is a jump and counts as 0.
   */
  speedX: 0, speedY: 0,
  /** Whether the guide scrolls along time too fast to read: from 1.5 pixels per millisecond, until below half of that. */
  isFast: false,
  /** Direction of the last vertical scroll; rows in that direction are prepared first. */
  lastY: 1,
  time: 0,

  read(time) {
    const left = layout.left(), top = layout.top();
    [this.dx, this.dy] = [left - this.left, top - this.top];
    [this.left, this.top] = [left, top];
    this.isMoving = this.dx !== 0 || this.dy !== 0;
    const frames = this.time ? Math.max(1, (time - this.time) / 16.7) : 1;
    this.speedX = Math.abs(this.dx) < layout.width ? Math.abs(this.dx) : 0;
    this.speedY = Math.abs(this.dy) < layout.height ? Math.abs(this.dy) : 0;
    this.isFast = this.speedX / frames > (this.isFast ? 12 : 25);
    if (this.dy) this.lastY = Math.sign(this.dy);
    this.time = this.isMoving ? time : 0;
  },
};

const renderer = {
  /** Whether the script has replaced the server's rows. */
  isDrawing: false,
  isScheduled: false,
  /** Number of consecutive frames in which rows hardly moved. */
  slow: 0,
  /** Whether `settle` has run since the scroll ended, and its timer. */
  isSettled: false, settleTimer: 0,
  facts: { frames: 0, slowFrames: 0, longestFrame: 0, longestBlank: 0, blankSince: 0 },

  schedule() {
    if (this.isScheduled || !this.isDrawing) return;
    this.isScheduled = true;
    requestAnimationFrame(time => this.frame(time));
  },
  /** Redraws everything in place after times, sizes or rows changed. */
  redraw() {
    drawing.revision++;
    drawing.changes++;
    this.isSettled = false;
    if (this.isDrawing) this.schedule(); else requestFirstTiles();
  },
  tileArrived(block, slot) {
    drawing.noteTileChange(block, slot);
    if (this.isDrawing) this.schedule(); else takeOver();
  },

  frame(time, isAll = false) {
    this.isScheduled = false;
    const last = motion.time;
    motion.read(time);
    const { isMoving } = motion;
    if (isMoving && last && !isAll) this.count(time - last);

    const seen = layout.places(motion.top), isBlank = requestTiles(seen);
    drawing.begin();
    pool.freeReassigned();
    const isWhole = drawing.drawSeen(seen, isAll ? Infinity : performance.now() + 40);
    if (isMoving) this.isSettled = false;
    if (isWhole && isMoving) drawing.drawAhead(seen);
    const isDone = isWhole && (isMoving || !this.isSettled || drawing.drawAround(seen));
    this.measureBlank(isBlank || !isWhole, time);
    stickyTitles.mark(seen);
    header.draw(motion.left);
    this.slow = Math.abs(motion.dy) < layout.rowHeight / 4 ? this.slow + 1 : 0;
    if (this.slow > 3 || isAll || !isMoving && isDone) pool.writeLogos(seen);
    if (isMoving || !isDone) this.schedule();
    if (isMoving) {
      clearTimeout(this.settleTimer);
      this.settleTimer = 0;
    } else if (!this.isSettled) {
      this.settleTimer ||= setTimeout(() => this.settle(), 120);
    } else if (isDone) {
      pool.sort();
    }
  },
  /** Draws immediately if the focus can't wait for the next frame. */
  frameNow() {
    const wasScheduled = this.isScheduled;
    this.frame(performance.now(), true);
    motion.time = 0;
    this.isScheduled ||= wasScheduled;
  },
  /** Does the work that can wait until the scroll has ended. */
  settle() {
    this.settleTimer = 0;
    this.isSettled = true;
    this.schedule();
    stickyTitles.release();
    pool.dropUndrawn(layout.places(motion.top));
    pool.sort();
    focus.settle();
    this.settled();
  },
  /** Called after the scroll has ended. */
  settled: () => {},

  count(duration) {
    this.facts.frames++;
    if (duration > 25) this.facts.slowFrames++;
    this.facts.longestFrame = Math.max(this.facts.longestFrame, duration);
  },
  measureBlank(isBlank, time) {
    const { facts } = this;
    if (isBlank) {
      facts.blankSince ||= time;
      this.schedule();
    }
    if (facts.blankSince) facts.longestBlank = Math.max(facts.longestBlank, performance.now() - facts.blankSince);
    if (isBlank) return;
    // The focus may have waited for the missing tiles.
    if (facts.blankSince) this.isSettled = false;
    facts.blankSince = 0;
  },
};

