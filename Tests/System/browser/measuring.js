// Installed by measuring.py: measures frame times and blank parts of the grid while the page scrolls.
window.measuring = {
  frames: [],
  running: false,

  // Records the times between frames in milliseconds until stop().
  start() {
    this.frames = [];
    this.running = true;
    let last = null;
    const frame = (time) => {
      if (last !== null) this.frames.push(time - last);
      last = time;
      if (this.running) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  },

  // After each frame, checks points of the grid's area: records which pieces of the content have no cell or gap, and for how
  // long. The position in the content identifies a piece while it moves.
  watchBlanks(scroller, covering, area, step) {
    this.blank = new Map();
    this.longest = { milliseconds: 0, piece: null };
    this.samples = 0;
    this.most = 0;
    this.running = true;
    const channel = new MessageChannel();
    const look = () => {
      const now = performance.now();
      const seen = new Set();
      const { scrollLeft, scrollTop } = scroller;
      // The points are fixed in the content; these are the first ones inside the area.
      const first = (edge, scrolled, by) => edge + by - ((((scrolled + edge) % by) + by) % by);
      for (let y = first(area.top, scrollTop, step.y) - step.y / 2; y < area.bottom; y += step.y) {
        if (y < area.top) continue;
        for (let x = first(area.left, scrollLeft, step.x) - step.x / 2; x < area.right; x += step.x) {
          if (x < area.left) continue;
          if (document.elementsFromPoint(x, y).some((element) => element.closest(covering))) continue;
          const piece = `${Math.round(scrollLeft + x)} ${Math.round(scrollTop + y)}`;
          seen.add(piece);
          if (!this.blank.has(piece)) this.blank.set(piece, now);
          const milliseconds = now - this.blank.get(piece);
          if (milliseconds > this.longest.milliseconds) this.longest = { milliseconds, piece };
        }
      }
      for (const piece of this.blank.keys()) if (!seen.has(piece)) this.blank.delete(piece);
      this.samples += 1;
      this.most = Math.max(this.most, seen.size);
      if (this.running) requestAnimationFrame(() => channel.port2.postMessage(0));
    };
    // The message arrives after the frame's own work.
    channel.port1.onmessage = look;
    look();
  },

  stop() {
    this.running = false;
  },

  // Records the maximum number of elements that match a selector in any frame, until stop().
  countMost(selector) {
    this.running = true;
    this.count = 0;
    const frame = () => {
      this.count = Math.max(this.count, document.querySelectorAll(selector).length);
      if (this.running) requestAnimationFrame(frame);
    };
    frame();
  },
};
