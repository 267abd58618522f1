// The head of a row: the station's name, number, logo and star.

let madeRows = 0;
/**
 * Creates the elements of a row. All heads are in one sticky column, because a sticky element in each row would slow scrolling
 * down most. For screen readers, the row owns its head.
 */
function makeRow() {
  const number = madeRows++, head = new Head(number);
  const cells = make('div', { id: 'cells-' + number, class: 'cells' });
  const element = make('div', { id: 'row-' + number, class: 'row', role: 'row', 'aria-owns': `head-${number} cells-${number}` }, cells);
  return new Row(element, head, cells);
}

class Head {
  constructor(number) {
    this.name = make('b', { dir: 'auto' });
    this.number = make('small');
    this.logo = make('span', { class: 'logo', 'aria-hidden': 'true' });
    this.link = make('a', { class: 'station', tabindex: '-1' }, make('span', { class: 'name' }, this.name, this.number), this.logo);
    this.star = make('button', { class: 'star', type: 'button', tabindex: '-1', 'aria-pressed': 'false', 'aria-label': 'Favorite' }, '☆');
    this.element = make('div', { id: 'head-' + number, class: 'head', role: 'rowheader', 'aria-colindex': 1, 'aria-colspan': 2 }, this.link, this.star);
    /** The displayed station; `null` after the row changes, `false` if the station isn't loaded. */
    this.known = null;
    /** The URL of a logo that isn't shown yet. */
    this.icon = null;
  }

  write(row) {
    const station = stations.get(row);
    if (this.known === (station ?? false)) return;
    this.known = station ?? false;
    const name = station?.name ?? '';
    this.name.textContent = name;
    // Approximate number of letters in two lines.
    this.element.classList.toggle('long', name.length > 20);
    this.number.textContent = station?.number ?? '';
    this.element.dataset.station = station?.id ?? '';
    if (station) this.link.href = pageURL('/stations/' + encodeURIComponent(station.id)); else this.link.removeAttribute('href');
    this.link.title = name;
    paintStar(this.star, station?.id);
    this.star.setAttribute('aria-label', 'Favorite: ' + name);
    this.icon = pictureURL(station?.logo);
    if (this.icon) this.logo.replaceChildren(); else this.logo.replaceChildren(make('i', {}, initials(name)));
  }
  /** Shows the station's logo. Logos wait until the rows scroll slowly. page.js replaces those that fail to load. */
  writeLogo() {
    if (!this.icon) return;
    const image = make('img', { alt: '', decoding: 'async', referrerpolicy: 'no-referrer' });
    image.src = this.icon;
    this.icon = null;
    this.logo.replaceChildren(image);
  }
}

