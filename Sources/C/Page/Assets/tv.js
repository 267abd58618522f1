// Television mode: all pages but administration work with arrows, OK, Back, channel up, channel down and digits. The guide adds what
// its grid needs; see grid-remote.js. Only televisions load this script; the server decides (PageFrame.isForTelevision).

import { byID, grid, make, pageURL } from './base.js';
import { keyOf, requestKeys } from './remote.js';

const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const reachable = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]';

/** The topmost open dialog, or the page. */
const layer = () => [...document.querySelectorAll('dialog[open]')].pop() || document.body;

/** The elements in the topmost layer that can take the focus, with their boxes. The cells of the grid are one of them. */
function targets() {
  const found = [];
  for (const element of layer().querySelectorAll(reachable)) {
    if (element.disabled || element.tabIndex < 0 || element.closest('.head, .skip')) continue;
    const box = element.getBoundingClientRect();
    if (box.width < 2 || box.height < 2 || getComputedStyle(element).visibility === 'hidden') continue;
    // The button of a search field without a visible place.
    if (element.matches('.search button')) continue;
    found.push({ element, box });
  }
  return found;
}

/** Returns the nearest target in a direction: what is straight ahead is nearer than what is aside. */
function nearest(from, [x, y], others) {
  let best = null, shortest = Infinity;
  for (const { element, box } of others) {
    const away = x ? (x > 0 ? box.left - from.right : from.left - box.right) : y > 0 ? box.top - from.bottom : from.top - box.bottom;
    const center = x ? ((box.left + box.right) - (from.left + from.right)) * x : ((box.top + box.bottom) - (from.top + from.bottom)) * y;
    if (center <= 0 || away < -Math.min(box.width, box.height) / 2) continue;
    const aside = x ? Math.max(0, box.top - from.bottom, from.top - box.bottom) : Math.max(0, box.left - from.right, from.left - box.right);
    // Among targets straight ahead, the one whose start is nearer.
    const shift = x ? Math.abs(box.top - from.top) : Math.abs(box.left - from.left);
    const distance = Math.max(0, away) + 3 * aside + shift / 20;
    if (distance < shortest) [best, shortest] = [{ element, box, away }, distance];
  }
  return best;
}

/** Moves the focus in a direction. Scrolls instead if the nearest target is far away, so that text can be read. */
function move(direction, from = document.activeElement) {
  const all = targets(), isLost = from === document.body || !layer().contains(from);
  const start = isLost ? null : from.getBoundingClientRect();
  const found = start ? nearest(start, direction, all.filter(({ element }) => element !== from)) : { ...(all.find(({ element }) => element.closest('main, dialog')) || all[0]), away: 0 };
  if (direction[1] && (!found || found.away > innerHeight * .7) && scroll(direction[1] * innerHeight * .5)) return true;
  if (!found || !found.element) return false;
  focusOn(found.element);
  return true;
}
function focusOn(element) {
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
/** Scrolls the topmost layer; returns whether there was something to scroll. */
function scroll(distance) {
  const scroller = layer() === document.body ? document.scrollingElement : layer(), before = scroller.scrollTop;
  scroller.scrollTop += distance;
  return Math.abs(scroller.scrollTop - before) > 1;
}
/** Moves the focus by most of a screen. */
function turn(sign) {
  const focused = document.activeElement, box = focused.getBoundingClientRect(), before = targets();
  if (!scroll(sign * innerHeight * .8)) {
    const end = before.filter(({ element }) => element.closest('main, dialog'))[sign < 0 ? 'shift' : 'pop']();
    if (end) focusOn(end.element);
    return;
  }
  // The target at the same place as before.
  let best = null, shortest = Infinity;
  for (const { element, box: other } of targets()) {
    const distance = Math.abs(other.left - box.left) + 2 * Math.abs(other.top - box.top);
    if (distance < shortest) [best, shortest] = [element, distance];
  }
  if (best) focusOn(best);
}

/** Shows the options of a select as a list, because browsers of televisions differ in what OK does. */
function pick(select) {
  const choose = option => {
    dialog.close();
    if (select.value === option.value) return;
    select.value = option.value;
    for (const type of ['input', 'change']) select.dispatchEvent(new Event(type, { bubbles: true }));
  };
  const buttons = [...select.options].map(option => make('button', { type: 'button', 'aria-pressed': String(option.selected), onclick: () => choose(option) }, option.textContent));
  const label = select.getAttribute('aria-label') || (select.labels[0] ? select.labels[0].textContent : '');
  const dialog = make('dialog', { class: 'picker', 'aria-label': label, onclose: () => { dialog.remove(); if (select.isConnected) select.focus(); } }, ...buttons);
  document.body.append(dialog);
  dialog.showModal();
  focusOn(buttons[Math.max(0, select.selectedIndex)]);
}

/** Closes what is above the page. Returns whether there was something. */
function closeLayer() {
  const top = layer(), number = document.querySelector('#number.typed'), field = byID('q');
  if (top !== document.body) top.close();
  else if (number) number.dispatchEvent(new Event('close'));
  else if (field && field.getAttribute('aria-expanded') === 'true') field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
  else return false;
  return true;
}
function goBack() {
  if (history.length > 1) history.back(); else location.assign(pageURL('/'));
}

/** What the grid of the guide does with a key; it returns whether it has used the key. */
let inGrid = () => false;

function press(event, key) {
  const { target } = event, step = arrows[key];
  if (key === 'Back') {
    if (closeLayer()) return true;
    // On the guide, Back is for the television.
    if (grid) return false;
    goBack();
    return true;
  }
  if (key === 'Enter' && document.querySelector('#number.typed')) return false;
  if (layer() === document.body && inGrid(event, key)) return true;
  // The keys of the grid, and of a number that is being typed.
  if (grid && grid.contains(target)) return false;
  if (key === 'ChannelUp' || key === 'ChannelDown') {
    turn(key === 'ChannelUp' ? -1 : 1);
    return true;
  }
  if (target.matches('select')) {
    if (key === 'Enter') pick(target);
    return key === 'Enter' || (Boolean(step) && (move(step), true));
  }
  if (key === 'Enter' && target.matches('[type=checkbox], [type=radio]')) {
    target.click();
    return true;
  }
  if (!step) return false;
  if (target.matches('input:not([type=checkbox]):not([type=radio]), textarea')) {
    // The suggestions of the search have keys, and a text has a caret.
    if (step[1] && target.getAttribute('aria-expanded') === 'true') return false;
    const { selectionStart: caret, selectionEnd: end, value } = target;
    if (step[0] && caret !== null && (caret !== end || caret !== (step[0] < 0 ? 0 : value.length))) return false;
    if (step[1] && target.matches('textarea') && (step[1] < 0 ? value.lastIndexOf('\n', caret - 1) >= 0 : value.indexOf('\n', caret) >= 0)) return false;
  }
  move(step);
  return true;
}

window.addEventListener('keydown', event => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
  const key = keyOf(event);
  if (press(event, key)) {
    event.preventDefault();
    event.stopImmediatePropagation();
  } else if (key !== event.key && key.length === 1) {
    // Digits without a name.
    event.target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  }
}, true);

// A list keeps its focus when the viewer returns to it.
const memory = 'epg.tv.focus';
addEventListener('pagehide', () => {
  const { activeElement } = document, href = activeElement && activeElement.getAttribute('href');
  try { sessionStorage.setItem(memory, JSON.stringify({ ...JSON.parse(sessionStorage.getItem(memory)), [location.pathname]: href })); } catch { /* not kept */ }
});
function focusFirst() {
  if (document.activeElement !== document.body) return;
  let href = null;
  try { href = (JSON.parse(sessionStorage.getItem(memory)) || {})[location.pathname]; } catch { /* not kept */ }
  const links = [...document.querySelectorAll('main a[href]')];
  const found = links.find(link => link.getAttribute('href') === href) || document.querySelector('.v-current a[href]');
  if (found) focusOn(found); else move([0, 1]);
}

requestKeys();
if (grid) {
  import('./grid-remote.js').then(module => {
    inGrid = module.press;
    module.begin(move);
  });
} else {
  focusFirst();
}
