// Titles of cells that the edge clips stick to the edge. Each sticky text is a layer of its own, which slows all scrolling down.
// So texts are sticky only while the guide scrolls along time slowly enough to read them. Otherwise, and always in right-to-left
// pages, an indent puts them at the same position.

const stickyTitles = {
  /** Rows with sticky texts. */
  sticky: new Set(),

  mark({ first, end }) {
    const { left, dx, dy } = motion, isSticky = dx !== 0 && !motion.isFast && (layout.isVertical || document.documentElement.dir !== 'rtl');
    this.release(row => row.place >= first && row.place < end && (isSticky || (dx === 0 && dy === 0)));
    if (dx !== 0 && motion.isFast) return;
    // Includes cells that the edge clips soon.
    const reach = left + (dx ? 160 : 0);
    for (let place = first; place < end; place++) {
      const row = pool.rows.get(place);
      if (!row) continue;
      row.markCut(left, reach);
      row.cut?.writeTimes(left);
      if (isSticky && !this.sticky.has(row)) {
        this.sticky.add(row);
        row.element.classList.add('along');
      }
      if (!this.sticky.has(row)) row.cut?.indent(left);
    }
  },
  /** Replaces sticky texts by indented ones, except in rows for which `isKept` is true. */
  release(isKept = () => false) {
    for (const row of this.sticky) {
      if (isKept(row)) continue;
      this.sticky.delete(row);
      row.element.classList.remove('along');
      row.cut?.indent(motion.left);
    }
  },
};

