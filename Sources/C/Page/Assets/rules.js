// The form of the watchlist for a rule, which shows what the rule finds while it is typed.

import { watchlist } from './watch.js';

const byID = id => document.getElementById(id);
const dialog = byID('rule'), form = dialog?.querySelector('form');
const { t, timeFormat } = window.epgPage;
/** Milliseconds without input before a preview is requested. */
const pause = 250;

/** The rule that is edited; empty for a new one. */
let edited = {};
let timer, request;

const fields = () => [...form.elements].filter(each => each.name);
const isList = name => name === 'any' || name === 'without';

/** The members of the rule in the form; `null` for an empty field. */
function members() {
  const rule = {};
  for (const { name, type, value, checked } of fields()) {
    const text = value.trim();
    if (type === 'checkbox') rule[name] = checked;
    else if (isList(name)) rule[name] = text.split('\n').map(line => line.trim()).filter(Boolean);
    else rule[name] = text === '' ? null : type === 'number' ? Number(text) : text;
  }
  if (edited.airing && rule.title === edited.title && rule.station === edited.station) rule.airing = edited.airing;
  return rule;
}

/** Shows a problem beside its field, or below all fields; removes the former ones. */
function showProblem({ parameter, text } = {}) {
  let isShown = false;
  for (const field of fields()) {
    const note = byID(`${field.id}-note`), isWrong = Boolean(text) && field.name === parameter;
    if (isWrong) field.setAttribute('aria-invalid', 'true'); else field.removeAttribute('aria-invalid');
    note.textContent = isWrong ? text : note.dataset.hint;
    isShown ||= isWrong;
  }
  byID('rule-problem').textContent = isShown ? '' : text ?? '';
}

/** The parameters of a preview. */
function query() {
  const parameters = watchlist.limit, at = new URLSearchParams(location.search).get('at');
  if (at) parameters.set('at', at);
  if (edited.airing) parameters.set('rule', edited.name);
  for (const [name, value] of Object.entries(members())) {
    if (['name', 'profile', 'minutes'].includes(name) || !value) continue;
    for (const each of [value].flat()) parameters.append(name, each === true ? '1' : each);
  }
  return parameters;
}

function showAirings({ airings, count, complete }) {
  const zone = document.documentElement.dataset.zone;
  const times = timeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short', timeZone: zone });
  const key = !complete ? 'matchesMore' : count > airings.length ? 'matchesFirst' : 'matchesCount';
  byID('rule-count').textContent = count === 0 ? t('matchesNothing') : t(key, { count, shown: airings.length });
  byID('rule-airings').replaceChildren(...airings.map(({ start, title, subtitle, station }) => {
    const item = document.createElement('li'), name = document.createElement('b'), rest = document.createElement('span');
    name.textContent = title;
    name.dir = rest.dir = 'auto';
    rest.textContent = [subtitle, station.name].filter(Boolean).join(' · ');
    item.append(`${times.format(new Date(start))} `, name, ' ', rest);
    return item;
  }));
}

async function preview() {
  request?.abort();
  request = new AbortController();
  const { signal } = request;
  try {
    const response = await fetch(`/api/v1/watch-preview?${query()}`, { signal, cache: 'no-cache' });
    const result = await response.json();
    if (signal.aborted) return;
    showProblem(response.ok ? {} : { parameter: result.parameter, text: result.detail });
    if (response.ok) return showAirings(result);
  } catch {
    if (signal.aborted) return;
    showProblem({ text: t('unreachable') });
  }
  byID('rule-count').textContent = '';
  byID('rule-airings').replaceChildren();
}

/** Shows values, each perhaps with a name, in a list of suggestions. */
function suggest(list, values) {
  byID(list).replaceChildren(...values.map(({ id, name }) => {
    const option = document.createElement('option');
    Object.assign(option, { value: id ?? name, label: name });
    return option;
  }));
}

/** Suggests the stations whose names contain the typed words. */
async function suggestStations() {
  const parameters = watchlist.limit;
  parameters.set('q', byID('rule-station').value);
  parameters.set('limit', '20');
  const response = await fetch(`/api/v1/stations?${parameters}`).catch(() => null);
  if (response?.ok) suggest('rule-station-list', (await response.json()).stations);
}

async function suggestCategories() {
  const response = await fetch(`/api/v1/categories?${watchlist.limit}`).catch(() => null);
  if (response?.ok) suggest('rule-category-list', (await response.json()).categories);
}

function open(rule) {
  edited = rule;
  byID('rule-heading').textContent = rule.name === undefined ? t('newRule') : t('editRule', { name: rule.name });
  const values = { profile: watchlist.profile ?? 'default', minutes: 5, ...rule };
  for (const field of fields()) {
    const value = values[field.name];
    if (field.type === 'checkbox') field.checked = value === true;
    else field.value = isList(field.name) ? (value ?? []).join('\n') : value ?? '';
  }
  // Viewers change the rules of their profile only, and cannot add patterns.
  byID('rule-profile').parentElement.hidden = !watchlist.isAdministrator;
  byID('rule-pattern').parentElement.hidden = !watchlist.isAdministrator && !rule.pattern;
  showProblem();
  byID('rule-count').textContent = '';
  byID('rule-airings').replaceChildren();
  dialog.showModal();
  byID(rule.name === undefined ? 'rule-title' : 'rule-name').focus();
  if (rule.name !== undefined) preview();
  suggestCategories();
}

async function save() {
  clearTimeout(timer);
  request?.abort();
  const rule = members();
  if (edited.airing && rule.airing === undefined) rule.airing = null;
  const outcome = await (edited.name === undefined
    ? watchlist.add(rule)
    : watchlist.change('PATCH', edited.name, rule, () => ''));
  if (outcome.isDone) return location.reload();
  showProblem(outcome);
  form.querySelector('[aria-invalid=true]')?.focus();
}

if (form) {
  form.addEventListener('input', event => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (event.target.name === 'station') suggestStations();
      preview();
    }, pause);
  });
  form.addEventListener('submit', event => {
    event.preventDefault();
    save();
  });
  byID('rule-cancel').addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    clearTimeout(timer);
    request?.abort();
  });
  for (const button of document.querySelectorAll('button[data-edit]')) {
    const rule = JSON.parse(button.dataset.edit);
    button.hidden = !watchlist.accepts(rule.profile);
    button.addEventListener('click', () => open(rule));
  }
}
