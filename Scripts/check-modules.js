#!/usr/bin/env node
// Finds mistakes in the scripts of the pages that browsers report late or never: syntax, undefined and unused names, and imports
// that no module exports. `make lint` runs it. It needs the group `node` of Scripts/setup.sh.

const fs = require('fs');
const path = require('path');

const { parse } = require('acorn');
const { analyze } = require('eslint-scope');

const folder = path.join(__dirname, '../Sources/C/Page/Assets');
/** The scripts that are no modules, with the names that the service writes before them. */
const classic = { 'older.js': [], 'page.js': ['epgTexts'], 'service-worker.js': ['version', 'shell'] };
const known = new Set(`AbortController AbortSignal Array Blob Boolean CustomEvent DOMParser Date Error Event EventSource FormData HTMLImageElement
  CSSStyleDeclaration Element Headers Image Infinity Intl JSON Map Math Number Object Promise ResizeObserver Response Set String TextEncoder URL URLSearchParams
  addEventListener caches clearTimeout clients decodeURIComponent dispatchEvent document encodeURIComponent epgTexts fetch getComputedStyle history innerHeight
  KeyboardEvent localStorage location navigator Notification Option parseFloat performance requestAnimationFrame sessionStorage setInterval setTimeout skipWaiting
  undefined window`.split(/\s+/));

/** The modules that the service joins into one (PageFile.swift): a name at their outermost level belongs to only one of them. */
const joined = new Set(['base.js', 'listings.js', 'drawing.js', 'elements.js', 'controls.js', 'guide.js']), owners = new Map();

const problems = [], exported = new Map(), imported = new Map(), loaded = new Set();
for (const file of fs.readdirSync(folder).filter(name => name.endsWith('.js'))) {
  const options = { ecmaVersion: 2022, sourceType: classic[file] ? 'script' : 'module', locations: true, ranges: true };
  const report = (node, text) => problems.push(`${file}:${node.loc.start.line}: ${text}`);
  const text = fs.readFileSync(path.join(folder, file), 'utf8');
  for (const [, other] of text.matchAll(/import\('\.\/(.+)'\)/g)) loaded.add(other);
  let tree;
  try {
    tree = parse(text, options);
  } catch (error) {
    problems.push(`${file}: ${error.message}`);
    continue;
  }
  const manager = analyze(tree, options), isUsed = new Set();
  if (joined.has(file)) {
    const { variables } = manager.scopes.find(({ type }) => type === 'module');
    for (const { name, defs: [definition] } of variables) {
      if (definition.type === 'ImportBinding') continue;
      if (owners.has(name)) report(definition.name, `${owners.get(name)} has the name ${name}, too`);
      owners.set(name, file);
    }
  }
  for (const node of tree.body) {
    if (node.type === 'ExportNamedDeclaration') {
      for (const variable of manager.getDeclaredVariables(node.declaration)) {
        if (variable.scope.type !== 'module') continue;
        isUsed.add(variable);
        exported.set(`${file} ${variable.name}`, () => { if (!loaded.has(file)) report(node, `no module imports ${variable.name}`); });
      }
    } else if (node.type === 'ImportDeclaration') {
      for (const { imported: { name } } of node.specifiers) {
        imported.set(`${path.basename(node.source.value)} ${name}`, () => report(node, `${node.source.value} does not export ${name}`));
      }
    }
  }
  // The names of the outermost scope of a classic script are not resolved.
  const { through, set: globals } = manager.globalScope;
  for (const { identifier } of through) {
    if (globals.has(identifier.name)) isUsed.add(globals.get(identifier.name));
    else if (!known.has(identifier.name) && !classic[file]?.includes(identifier.name)) report(identifier, `${identifier.name} is undefined`);
  }
  for (const variable of manager.scopes.filter(({ type }) => type !== 'class').flatMap(scope => scope.variables)) {
    const [definition] = variable.defs;
    if (!definition || definition.type === 'Parameter' || isUsed.has(variable) || variable.references.some(each => each.isRead())) continue;
    report(definition.name, `${variable.name} is unused`);
  }
}
for (const [name, report] of imported) if (!exported.has(name)) report();
for (const [name, report] of exported) if (!imported.has(name)) report();

if (problems.length) console.error(problems.sort().join('\n'));
process.exitCode = problems.length ? 1 : 0;
