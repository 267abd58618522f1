// Pages of administration. Everything works without this script; it adds progress without reloading, keys and dragging.

/* Pages of viewers offer changes of watch rules to administrators. The service verifies each change. */
try {
  if (location.pathname === '/login') localStorage.removeItem('epg.administrator');
  else if (/^\/admin(\/(?!start)|$)/.test(location.pathname)) localStorage.setItem('epg.administrator', '1');
} catch { /* no storage */ }

/* Progress: replaces the element until the server says that the work is done, and then the rest of the page. */
const progress = document.querySelector('#progress[data-poll]');
const showEnd = next => {
  const focused = document.activeElement;
  const label = progress.parentElement.contains(focused) ? focused.textContent : null;
  for (const node of [...progress.parentElement.childNodes]) if (node !== progress) node.remove();
  const nodes = [...next.parentElement.childNodes];
  progress.before(...nodes.slice(0, nodes.indexOf(next)));
  progress.after(...nodes.slice(nodes.indexOf(next) + 1));
  progress.removeAttribute('data-poll');
  if (label === null || document.contains(focused)) return;
  const buttons = [...document.querySelectorAll('main :is(button, a)')];
  (buttons.find(each => each.textContent === label) ?? document.querySelector('main .primary') ?? document.querySelector('main')).focus();
};
const poll = async () => {
  let text = '';
  try {
    const response = await fetch(location.href, { headers: { Accept: 'text/html' }, redirect: 'manual' });
    // The work is done, the session is over, or the preview is gone.
    if (response.type === 'opaqueredirect' || [401, 403, 404].includes(response.status)) return location.reload();
    text = response.ok ? await response.text() : '';
  } catch { /* The service is away: try again. */ }
  const next = new DOMParser().parseFromString(text, 'text/html').querySelector('#progress');
  if (next && next.innerHTML !== progress.innerHTML) progress.replaceChildren(...[...next.childNodes].map(node => node.cloneNode(true)));
  if (next && !next.hasAttribute('data-poll')) return showEnd(next);
  setTimeout(poll, 1000);
};
if (progress) setTimeout(poll, 500);

/* The toast of the last action disappears on a click, and after 8 seconds unless it has the focus or the pointer. */
const toast = document.querySelector('.toast');
if (toast) {
  const close = () => {
    if (toast.matches(':hover, :focus-within')) setTimeout(close, 500); else toast.hidden = true;
  };
  setTimeout(close, 8000);
  toast.addEventListener('click', event => { if (!event.target.closest('button')) toast.hidden = true; });
}

/* Selections: a box checks all boxes of its form, and the buttons beside it need a checked box. */
for (const bar of document.querySelectorAll('.a-selection')) {
  const boxes = [...bar.closest('form').elements].filter(each => each.matches('[data-select]'));
  const all = bar.querySelector('[data-all]');
  const update = () => {
    const count = boxes.filter(each => each.checked).length;
    all.checked = count === boxes.length;
    all.indeterminate = count > 0 && !all.checked;
    bar.querySelector('[data-count]').textContent = count ? `${count} selected` : '';
    for (const button of bar.querySelectorAll('button')) button.disabled = count === 0;
  };
  document.addEventListener('change', event => {
    if (event.target === all) for (const box of boxes) box.checked = all.checked;
    if (event.target === all || boxes.includes(event.target)) update();
  });
  bar.querySelector('[data-plain]').remove();
  all.closest('label').hidden = false;
  // The browser restores boxes when it goes back to a page.
  addEventListener('pageshow', update);
  update();
}

/* Channel matching: one channel is current, and keys act on it. */
const matches = [...document.querySelectorAll('.a-matches > li')];
const isTyping = target => target.matches('input:not([type=checkbox]), select, textarea');
for (const hint of document.querySelectorAll('.a-keys')) hint.hidden = false;
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const target = document.querySelector({ u: '[data-key="u"]', '/': '[data-filter]' }[event.key] ?? 'no-such-element');
  if (!target) return;
  event.preventDefault();
  if (event.key === 'u') target.click();
  else target.focus();
});
if (matches.length) {
  const wanted = matches.findIndex(item => `#${item.id}` === location.hash);
  let current = location.hash ? Math.max(0, wanted < 0 ? matches.length - 1 : wanted) : 0;
  const move = index => {
    current = Math.min(Math.max(index, 0), matches.length - 1);
    matches[current].focus();
    matches[current].scrollIntoView({ block: 'nearest' });
  };
  document.addEventListener('focusin', event => {
    const index = matches.indexOf(event.target.closest?.('.a-matches > li'));
    if (index >= 0) current = index;
  });
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const item = matches[current];
    if (isTyping(event.target)) {
      if (event.key === 'Escape') move(current);
      return;
    }
    const onButton = event.target.matches('button, a, summary');
    const suggestions = item.querySelectorAll('.a-suggestion');
    if (event.key === 'j' || event.key === 'ArrowDown') move(current + 1);
    else if (event.key === 'k' || event.key === 'ArrowUp') move(current - 1);
    else if (event.key === 'Enter' && !onButton) suggestions[0]?.click();
    else if (event.key >= '1' && event.key <= '5') suggestions[event.key - 1]?.click();
    else if (event.key === 'x') item.querySelector('[data-select]').click();
    else if (event.key === 'o') item.querySelector('[data-other]').focus();
    else return;
    if (!(event.key === 'Enter' && onButton)) event.preventDefault();
  });
  if (location.hash) move(current);
}

/* The order of sources and of channels: Alt with an arrow key, or dragging. The buttons do the same without a script. */
let dragged = null;
for (const row of document.querySelectorAll('tr[draggable]')) {
  row.addEventListener('keydown', event => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    row.querySelector(`[data-move="${event.key === 'ArrowUp' ? 'up' : 'down'}"]`)?.click();
  });
  row.addEventListener('click', event => {
    const move = event.target.closest('[data-move]');
    if (move) sessionStorage.setItem('epg-move', move.dataset.move);
  });
  // Text in inputs can be selected.
  row.addEventListener('pointerdown', event => { row.draggable = !isTyping(event.target); });
  row.addEventListener('dragstart', event => {
    dragged = row;
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData('text/plain', row.dataset.place);
  });
  row.addEventListener('dragend', () => { dragged = null; });
  row.addEventListener('dragover', event => {
    if (!dragged || dragged === row) return;
    event.preventDefault();
    row.classList.add(dragged.rowIndex < row.rowIndex ? 'a-below' : 'a-above');
  });
  row.addEventListener('dragleave', () => row.classList.remove('a-above', 'a-below'));
  row.addEventListener('drop', event => {
    row.classList.remove('a-above', 'a-below');
    if (!dragged || dragged === row) return;
    event.preventDefault();
    const form = row.closest('form');
    const action = document.createElement('input');
    Object.assign(action, { type: 'hidden', name: 'action', value: `move:${dragged.dataset.place}:${row.dataset.place}` });
    form.append(action);
    form.submit();
  });
}
const moved = location.hash ? document.getElementById(location.hash.slice(1)) : null;
if (moved?.matches('tr[draggable]')) {
  const button = moved.querySelector(`[data-move="${sessionStorage.getItem('epg-move')}"]`) ?? moved.querySelector('[data-move]');
  // The browser gives the focus to the row at the end of loading.
  addEventListener('load', () => setTimeout(() => button?.focus()));
}
