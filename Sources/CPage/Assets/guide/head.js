// The head of a row: the station's name, number, picture and star.

let madeRows = 0;
/**
 * Makes the elements of a row. All heads stand in one column that is sticky as a whole, since a sticky element in each row
 * is what slows scrolling down most; the row owns its head for who reads the screen.
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
    this.star = make('button', { class: 'star', type: 'button', tabindex: '-1', 'aria-pressed': 'false', 'aria-label': 'Favourite' }, '☆');
    this.element = make('div', { id: 'head-' + number, class: 'head', role: 'rowheader', 'aria-colindex': 1, 'aria-colspan': 2 }, this.link, this.star);
    /** The station that is written; `null` where another row is meant, `false` where it isn't known. */
    this.known = null;
    /** An address of a picture that isn't shown yet. */
    this.icon = null;
  }

  write(row) {
    const station = stations.get(row);
    if (this.known === (station ?? false)) return;
    this.known = station ?? false;
    const name = station?.name ?? '';
    this.name.textContent = name;
    // Two lines hold about so many letters.
    this.element.classList.toggle('long', name.length > 20);
    this.number.textContent = station?.number ?? '';
    this.element.dataset.station = station?.id ?? '';
    if (station) this.link.href = pageAddress('/stations/' + encodeURIComponent(station.id)); else this.link.removeAttribute('href');
    this.link.title = name;
    paintStar(this.star, station?.id);
    this.star.setAttribute('aria-label', 'Favourite: ' + name);
    this.icon = webAddress(station?.icon);
    if (this.icon) this.logo.replaceChildren(); else this.logo.replaceChildren(make('i', {}, initials(name)));
  }
  /** Shows the station's picture; pictures wait until rows don't fly by. page.js sees to those that can't be had. */
  writeLogo() {
    if (!this.icon) return;
    const image = make('img', { alt: '', decoding: 'async', referrerpolicy: 'no-referrer' });
    image.src = this.icon;
    this.icon = null;
    this.logo.replaceChildren(image);
  }
}

/** The beginnings of the first two words. */
function initials(name) {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return words.slice(0, 2).map(word => [...word][0]).join('').toUpperCase();
}

