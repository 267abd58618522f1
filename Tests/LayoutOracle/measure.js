// Scrolls each case to each of its offsets and notes the edges of its boxes in the content's coordinates.
const measured = offsets.map((list, number) => {
  const view = document.getElementById(`case${number}`);
  return list.map(([x, y]) => {
    view.scrollLeft = x;
    view.scrollTop = y;
    const origin = view.getBoundingClientRect();
    const left = view.scrollLeft - origin.left;
    const top = view.scrollTop - origin.top;
    const boxes = {};
    for (const box of view.querySelectorAll("[data-name]")) {
      const edges = box.getBoundingClientRect();
      boxes[box.dataset.name] = [edges.left + left, edges.top + top, edges.right + left, edges.bottom + top];
    }
    return boxes;
  });
});
const output = document.createElement("pre");
output.id = "measured";
output.textContent = JSON.stringify(measured);
document.body.replaceChildren(output);
