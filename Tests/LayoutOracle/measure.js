// An item alone in its row is centered; the browser's row filling determines these items.
for (const rows of document.querySelectorAll(".justified")) {
  const { direction, writingMode } = getComputedStyle(rows);
  const start = (box) => {
    const edges = box.getBoundingClientRect();
    return writingMode.startsWith("vertical") ? edges.top : direction === "rtl" ? -edges.right : edges.left;
  };
  const boxes = [...rows.children];
  const starts = boxes.map(start);
  const begins = starts.map((position, index) => index === 0 || position <= starts[index - 1]);
  boxes.forEach((box, index) => box.classList.toggle("alone", begins[index] && begins[index + 1] !== false));
}

// Right-to-left layouts are anchored at the right edge of the content, which must be on the pixel grid.
for (const content of document.querySelectorAll(".content")) {
  const { direction, writingMode } = getComputedStyle(content);
  if (direction === "ltr" && writingMode !== "vertical-rl") continue;
  const width = content.getBoundingClientRect().width;
  const move = Math.floor(width * devicePixelRatio + 0.5) / devicePixelRatio - width;
  content.style.marginLeft = `${move}px`;
  content.dataset.move = move;
}

// Scrolls each case to each of its positions, and the orthogonal sections by the same fraction along their own axis. Records
// the edges of its boxes in content coordinates, with the content offset. Even offsets are integral device pixels at every
// scale; a scroll range may be rounded up by one.
const even = (part, length) => 2 * Math.floor((part * Math.max(0, length - 1)) / 2);
const measured = positions.map((list, number) => {
  const view = document.getElementById(`case${number}`).firstElementChild;
  const content = view.firstElementChild;
  return list.map(([x, y]) => {
    view.scrollLeft = even(x, view.scrollWidth - view.clientWidth);
    view.scrollTop = even(y, view.scrollHeight - view.clientHeight);
    const { left, top } = content.getBoundingClientRect();
    const origin = { left: left - (content.dataset.move ?? 0), top };
    const corner = view.getBoundingClientRect();
    const strips = {};
    for (const strip of view.querySelectorAll(".strip")) {
      const down = even(x, strip.scrollHeight - strip.clientHeight);
      const across = even(y, strip.scrollWidth - strip.clientWidth);
      strip.scrollTop = down;
      strip.scrollLeft = getComputedStyle(strip).direction === "rtl" ? -across : across;
      // The proposed offset: snapping may settle elsewhere.
      strips[strip.dataset.section] = down + across - strip.dataset.margin;
    }
    const boxes = {};
    for (const box of view.querySelectorAll("[data-name]")) {
      const edges = box.getBoundingClientRect();
      boxes[box.dataset.name] = [
        edges.left - origin.left, edges.top - origin.top, edges.right - origin.left, edges.bottom - origin.top,
      ];
    }
    return { offset: [corner.left - origin.left, corner.top - origin.top], strips, boxes };
  });
});
const output = document.createElement("pre");
output.id = "measured";
output.textContent = JSON.stringify(measured);
document.body.replaceChildren(output);
