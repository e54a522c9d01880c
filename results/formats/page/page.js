// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What the parts of the page share. Texts enter the page by textContent only: names are those of
// the program under test, and none of them is markup.
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const reports = data.reports;

// make('td', {class: 'n', title: '...'}, 'text', node, ...)
function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {}))
    if (value !== undefined && value !== null && value !== false) node.setAttribute(name, value);
  node.append(...children.filter((child) => child !== undefined && child !== null));
  return node;
}

function drawn(tag, attributes, text) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

const parts = document.getElementById('parts');

// A section with its heading, and its place in the head of the page.
function section(id, title, about) {
  const node = make('section', {id, 'aria-labelledby': `${id}-title`},
                    make('h2', {id: `${id}-title`}, title));
  if (about) node.append(make('p', {class: 'muted'}, about));
  parts.append(node);
  document.getElementById('sections').append(make('a', {href: `#${id}`}, title));
  return node;
}

function badge(verdict) {
  return make('span', {class: `badge v-${verdict}`}, verdict);
}

// 0.0123 to "1.2": percent with the digits that count, for small places.
function percent(rate) {
  const value = rate * 100;
  if (value === 0) return '0';
  if (value >= 10) return value.toFixed(0);
  if (value >= 1) return value.toFixed(1);
  if (value >= 0.01) return value.toFixed(2);
  return '<.01';
}

// A rate's depth of colour, 12 to 100: by its logarithm, from one in 100,000 to all.
function depth(rate) {
  return rate <= 0 ? 0 : Math.min(100, 12 + 88 * Math.max(0, 1 + Math.log10(rate) / 5));
}

function count(number) {
  return number.toLocaleString('en-US').replaceAll(',', '\u202f');
}

function counts(object) {
  return Object.entries(object).map(([name, number]) => `${name} ${count(number)}`).join(', ');
}

function unique(values) {
  return [...new Set(values)];
}

const scopes = unique(reports.flatMap((report) => report.rows.map((row) => row.scope)));

// "mixed", and the scope where the reports have several.
function caseLabel(row) {
  return scopes.length > 1 ? `${row.case} · ${row.scope}` : row.case;
}

// ---- A tip that follows the pointer and the focus ---------------------------------------------

const tip = document.getElementById('tip');

function showTip(node, text) {
  tip.textContent = text;
  tip.hidden = false;
  const box = node.getBoundingClientRect();
  const own = tip.getBoundingClientRect();
  const below = box.bottom + 8 + own.height < innerHeight;
  tip.style.left = `${Math.max(4, Math.min(box.left, innerWidth - own.width - 8))}px`;
  tip.style.top = `${Math.max(4, below ? box.bottom + 8 : box.top - own.height - 8)}px`;
}

function hideTip() {
  tip.hidden = true;
}

// ---- Light and dark ---------------------------------------------------------------------------

const themes = ['system', 'light', 'dark'];

function setTheme(name) {
  if (name === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  document.getElementById('theme').textContent = `colours: ${name}`;
}

function startTheme() {
  let chosen = 'system';
  // A page from a file may have no storage; the choice then lasts as long as the page.
  try { chosen = localStorage.getItem('plumbline-theme') || 'system'; } catch { /* none */ }
  if (!themes.includes(chosen)) chosen = 'system';
  setTheme(chosen);
  document.getElementById('theme').addEventListener('click', () => {
    chosen = themes[(themes.indexOf(chosen) + 1) % themes.length];
    setTheme(chosen);
    try { localStorage.setItem('plumbline-theme', chosen); } catch { /* none */ }
  });
}
