// Pages of administration. Everything works without this script; it adds progress without reloading, keys and dragging.

/* Progress: replaces the element until the server says that the work is done. */
const progress = document.querySelector('#progress[data-poll]');
const poll = async () => {
  let text = '';
  try {
    const response = await fetch(location.href, { headers: { Accept: 'text/html' }, redirect: 'error' });
    text = response.ok ? await response.text() : '';
  } catch { /* The service is away: try again. */ }
  const next = new DOMParser().parseFromString(text, 'text/html').querySelector('#progress');
  if (next && !next.hasAttribute('data-poll')) return location.reload();
  if (next && next.innerHTML !== progress.innerHTML) progress.replaceChildren(...next.childNodes);
  setTimeout(poll, 1000);
};
if (progress) setTimeout(poll, 500);

/* Channel matching: one channel is current, and keys act on it. */
const matches = [...document.querySelectorAll('.a-matches > li')];
const isTyping = target => target.matches('input, select, textarea');
if (matches.length) {
  document.querySelector('.a-keys').hidden = false;
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
    else if (event.key === 'o') item.querySelector('[data-other]').focus();
    else if (event.key === 'u') document.querySelector('[data-key="u"]')?.click();
    else if (event.key === '/') document.querySelector('[data-filter]').focus();
    else return;
    if (!(event.key === 'Enter' && onButton)) event.preventDefault();
  });
  if (location.hash) move(current);
}

/* The order of sources: Alt with an arrow key, or dragging. The buttons do the same without a script. */
const rows = [...document.querySelectorAll('tr[data-name]')];
for (const row of rows) {
  row.addEventListener('keydown', event => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    row.querySelector(`[data-move="${event.key === 'ArrowUp' ? 'up' : 'down'}"]`)?.click();
  });
  row.addEventListener('dragstart', event => event.dataTransfer.setData('text/plain', row.dataset.name));
  row.addEventListener('dragover', event => {
    event.preventDefault();
    row.classList.add('a-over');
  });
  row.addEventListener('dragleave', () => row.classList.remove('a-over'));
  row.addEventListener('drop', event => {
    event.preventDefault();
    row.classList.remove('a-over');
    const form = row.querySelector('[data-move]')?.form;
    const name = event.dataTransfer.getData('text/plain');
    if (!form || name === row.dataset.name) return;
    // The form has the names of all sources in another order.
    const all = [...row.parentElement.rows].map(each => each.querySelector('a').textContent);
    if (!all.includes(name)) return;
    const order = all.filter(each => each !== name);
    order.splice(order.indexOf(row.dataset.name), 0, name);
    form.querySelectorAll('[name="name"]').forEach((input, index) => { input.value = order[index]; });
    form.submit();
  });
}

/* The numbers of a lineup: Alt with an arrow key swaps the number with that of the neighbor. */
const numbers = [...document.querySelectorAll('[data-number]')];
numbers.forEach((input, index) => {
  input.addEventListener('keydown', event => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    const other = numbers[index + (event.key === 'ArrowUp' ? -1 : 1)];
    event.preventDefault();
    if (!other) return;
    [input.value, other.value] = [other.value, input.value];
    other.focus();
  });
});
