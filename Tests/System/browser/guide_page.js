// Queries of the guide page by its appearance, not by the state of its script.
const guide = document.getElementById("guide");
const mirrored = getComputedStyle(guide).direction === "rtl";
const isSeen = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
// Returns the text of a cell that is visible: the server's cells hide the parts of their second line that do not fit.
const shownText = (cell) => {
  const line = cell.querySelector("small");
  if (!line) return cell.textContent.trim();
  const { bottom } = line.getBoundingClientRect();
  const parts = [...line.querySelectorAll("i")].filter((part) => part.getBoundingClientRect().top < bottom - 2).map((part) => part.textContent);
  return [cell.querySelector("b").textContent, parts.join(" ")].filter(Boolean).join("\n");
};
const page = {
  // Returns the part of the window that shows cells: without the toolbar, header and station column.
  area() {
    const box = guide.getBoundingClientRect();
    const corner = document.getElementById("corner").getBoundingClientRect();
    return {
      left: mirrored ? Math.max(0, box.left) : corner.right, right: mirrored ? corner.left : Math.min(box.right, innerWidth),
      top: corner.bottom, bottom: Math.min(box.bottom, innerHeight),
    };
  },

  // Returns every cell of the document, with edges in window coordinates.
  cells() {
    const area = this.area();
    const canvas = document.getElementById("canvas").getBoundingClientRect();
    const column = guide.getBoundingClientRect().width - (area.right - area.left);
    const [first, last] = mirrored ? [canvas.left, canvas.right - column] : [canvas.left + column, canvas.right];
    return [...guide.querySelectorAll(".cell")].filter(isSeen).map((cell) => {
      const box = cell.getBoundingClientRect();
      const link = cell.querySelector("a[href]")?.getAttribute("href").match(/\/airings\/(\d+)/)?.[1];
      const id = Number(cell.dataset.id ?? link ?? 0);
      const row = Number(cell.closest("[data-row]")?.dataset.row ?? -1);
      const title = cell.querySelector("b");
      let text = box;
      if (title) {
        const range = document.createRange();
        range.selectNodeContents(title);
        text = range.getBoundingClientRect();
      }
      const kind = cell.classList.contains("gap") ? "gap" : cell.classList.contains("many") ? "many" : "airing";
      return {
        id, row, kind, start: Number(cell.dataset.start ?? 0), stop: Number(cell.dataset.stop ?? 0), key: kind === "airing" ? `airing ${id}` : `${kind} ${row} ${Math.round(box.width)}`,
        left: box.left, top: box.top, right: box.right, bottom: box.bottom, width: box.width, height: box.height,
        text: shownText(cell), title: title?.textContent ?? "", textLeft: text.left, textRight: text.right,
        past: cell.classList.contains("past"), now: cell.classList.contains("on"),
        // A cell at the start or end of the content may be clipped there.
        complete: box.left > first + 1 && box.right < last - 1,
        inView: box.left < area.right - 1 && box.right > area.left + 1 && box.top < area.bottom - 1 && box.bottom > area.top + 1,
        focused: cell.contains(document.activeElement),
      };
    });
  },

  rows() {
    const area = this.area();
    return [...guide.querySelectorAll(".row")].filter(isSeen).map((row) => {
      const box = row.getBoundingClientRect();
      return {
        row: Number(row.dataset.row), top: box.top, height: box.height, name: guide.querySelector(`.head[data-row="${row.dataset.row}"] .name b, .row[data-row="${row.dataset.row}"] .name b`)?.textContent,
        inView: box.top < area.bottom - 1 && box.bottom > area.top + 1,
      };
    }).sort((one, other) => one.top - other.top);
  },

  // Returns points of the area without a cell or gap, except below the last row.
  blanks() {
    const area = this.area();
    const rows = this.rows();
    const last = Math.max(0, ...rows.map((row) => row.top + row.height));
    const atEnd = guide.scrollTop + guide.clientHeight >= guide.scrollHeight - 2;
    const bottom = atEnd ? Math.min(area.bottom, last) : area.bottom;
    const found = rows.length ? [] : [[0, 0]];
    for (let y = area.top + 12; y < bottom - 2; y += 20) {
      for (let x = area.left + 5; x < area.right - 2; x += 61) {
        const isCovered = document.elementsFromPoint(x, y).some((element) => guide.contains(element) && element.closest(".cell"));
        if (!isCovered) found.push([x, y]);
      }
    }
    return found;
  },

  nowLine() {
    const line = guide.querySelector(".nowline");
    if (!line || !isSeen(line)) return null;
    const box = line.getBoundingClientRect();
    return (box.left + box.right) / 2;
  },

  marks() {
    return [...guide.querySelectorAll(".mark:not(.half)")].filter(isSeen).map((mark) => {
      const box = mark.getBoundingClientRect();
      return { edge: mirrored ? box.right : box.left, text: mark.textContent.trim() };
    });
  },
};
