// Titles of cells that the edge cuts: they stick to it. Each sticky text is a layer of its own, which makes all scrolling slower:
// texts are sticky only while the guide goes along time slowly enough to be read, and else written where they would stick, as they
// always are from right to left.

const cuts = {
  /** Rows with sticky texts. */
  sticky: new Set(),

  mark({ first, end }) {
    const { left, dx, dy } = motion, isSticky = dx !== 0 && !motion.isFast && document.documentElement.dir !== 'rtl';
    this.loosen(row => row.place >= first && row.place < end && (isSticky || (dx === 0 && dy === 0)));
    if (dx !== 0 && motion.isFast) return;
    // What begins to be cut soon sticks in time.
    const reach = left + (dx ? 160 : 0);
    for (let place = first; place < end; place++) {
      const row = pool.rows.get(place);
      if (!row) continue;
      row.markCut(left, reach);
      if (isSticky && !this.sticky.has(row)) {
        this.sticky.add(row);
        row.element.classList.add('along');
      }
      if (!this.sticky.has(row)) row.cut?.indent(left);
    }
  },
  /** Texts of rows that needn't be sticky are written where they stick. */
  loosen(isKept = () => false) {
    for (const row of this.sticky) {
      if (isKept(row)) continue;
      this.sticky.delete(row);
      row.element.classList.remove('along');
      row.cut?.indent(motion.left);
    }
  },
};

