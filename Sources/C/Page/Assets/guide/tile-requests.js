// Selects the tiles to request: those in sight, those ahead of the scroll, and those around.

/** Requests tiles, the most urgent first. Returns whether one in sight is missing. */
function requestTiles({ first, end }) {
  const { left, dx, dy, speedX, speedY, isMoving } = motion, { width, height, rowHeight } = layout;
  const list = [], listed = new Set();
  const slots = (from, to) => slotsBetween(Math.max(0, from), to);
  const blocks = (from, to) => [Math.floor(Math.max(0, from) / tileRows), Math.ceil(Math.min(view.count, to) / tileRows)];
  const add = ([firstSlot, lastSlot], [firstBlock, endBlock]) => {
    for (let block = firstBlock; block < endBlock; block++) {
      for (let slot = firstSlot; slot <= lastSlot; slot++) {
        const name = tileNumber(block, slot);
        if (listed.has(name)) continue;
        listed.add(name);
        list.push({ block, slot });
      }
    }
  };
  const across = slots(left, left + width), down = blocks(first, end);
  add(across, down);
  let isBlank = false;
  for (const { block, slot } of list) if (!tiles.get(block, slot)) isBlank = true;
  // The part that will be in sight within a third of a second, at least half a screen.
  const aheadX = Math.max(width / 2, speedX * 40), aheadY = layout.halfScreen + Math.max(16, (speedY * 20) / rowHeight);
  if (dy) add(across, dy > 0 ? blocks(end, end + aheadY) : blocks(first - aheadY, first));
  if (dx) add(dx > 0 ? slots(left, left + width + aheadX) : slots(left - aheadX, left + width), down);
  if (!isMoving || list.length < 12) {
    add(slots(left - width / 2, left + width * 1.5), blocks(first - layout.halfScreen, end + layout.halfScreen));
  }
  if (!dx && listed.size < 64 && !navigator.connection?.saveData) {
    // Rows to prepare while the guide does not scroll.
    const far = Math.min(128, Math.ceil((pool.limit / Math.max(1, drawing.inSight)) * (end - first)));
    const [above, below] = motion.lastY < 0 ? [far, far / 3] : [far / 3, far];
    add(across, motion.lastY < 0 ? blocks(first - above, first) : blocks(end, end + below));
    if (!isMoving) add(across, blocks(first - above, end + below));
  }
  tiles.want(list.slice(0, 120));
  return isBlank;
}

