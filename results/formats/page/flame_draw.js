// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A flame graph on a canvas, the root above. The canvas is as high as what can be seen of it, and
// only that is drawn; the holder scrolls.
'use strict';

const flameRow = 19; // pixels
const narrowest = 0.5; // pixels; what is narrower is not drawn, and counted
const flamePaper = 40; // rows that are printed
const even = 0.01; // leaning below it is drawn as none: the shares differ by 2 % of themselves
const deepest = 55; // percent of the difference's colours: text stays readable on it

// What is shown. tree and place (layOut) are of the chosen row and graph; zoom is the node that
// fills the width; at has the keyboard, over the pointer.
const flame = {tree: null, place: null, graph: 'difference', truth: 0, zoom: 0, at: 0, over: -1, found: null,
               holder: null, canvas: null, space: null, paper: false, narrow: 0, letter: 7, colours: null, painted: 0};

// ---- Colours ----------------------------------------------------------------------------------

// A colour of the style sheet as the theme has it now; paper is light.
function colourOf(probe, value) {
  probe.style.color = value;
  return getComputedStyle(probe).color;
}

function flameColours() {
  const probe = make('span', {hidden: ''});
  if (flame.paper) probe.style.colorScheme = 'light';
  flame.holder.append(probe);
  const mix = (name, part) => colourOf(probe, `color-mix(in oklab, var(${name}) ${part}%, var(--flame-even))`);
  const steps = (name) => [10, 20, 30, 40, 50, deepest].map((part) => mix(name, part));
  const colours = {
    ink: colourOf(probe, 'var(--ink)'), page: flame.paper ? 'white' : colourOf(probe, 'var(--page)'), focus: colourOf(probe, 'var(--link)'),
    even: colourOf(probe, 'var(--flame-even)'), rest: colourOf(probe, 'var(--faint)'), soft: colourOf(probe, 'var(--soft)'),
    tones: [1, 2, 3, 4, 5].map((tone) => colourOf(probe, `var(--flame-${tone})`)),
    more: steps('--flame-more'), less: steps('--flame-less'),
    moreEdge: colourOf(probe, 'var(--flame-more)'), lessEdge: colourOf(probe, 'var(--flame-less)'),
  };
  probe.remove();
  return colours;
}

function tone(name) {
  let hash = 0;
  for (let i = 0; i < name.length; i++) hash = (hash * 31 + name.charCodeAt(i)) >>> 0;
  return hash % 5;
}

// -1 to 1: how much more of the path's time the profiler has than the truth. 1: only it has any.
function leaning(node) {
  const {tree, truth} = flame;
  const both = shareOf(tree, truth, node) + shareOf(tree, 2, node);
  return both === 0 ? 0 : differenceOf(tree, truth, node) / both;
}

function fillOf(node) {
  const {tree, colours} = flame;
  if (flame.graph !== 'difference') return node === 0 || tree.name[node] === '' ? colours.rest : colours.tones[tone(tree.name[node])];
  const lean = leaning(node);
  if (Math.abs(lean) < even) return colours.even;
  const list = lean > 0 ? colours.more : colours.less;
  return list[Math.min(list.length - 1, Math.floor(Math.abs(lean) * list.length))];
}

// ---- Words ------------------------------------------------------------------------------------

// "a.b.Class.method(I)V" to "Class.method".
function shortName(name) {
  const open = name.indexOf('(');
  const words = (open < 0 ? name : name.slice(0, open)).split('.');
  return words.slice(-2).join('.');
}

function nodeName(node) {
  if (node === 0) return 'all';
  return flame.tree.name[node] || 'rest: paths with few samples';
}

// "+1.23 %", with a sign that is read aloud and printed.
function signed(difference) {
  const text = (100 * Math.abs(difference)).toFixed(2);
  return `${Number(text) === 0 ? '±' : difference > 0 ? '+' : '−'}${text} %`;
}

// What fits of "Class.method −1.20 %"; the sign alone, and before the name, where that does not.
function labelOf(node, letters) {
  const name = node === 0 ? 'all' : flame.tree.name[node] ? shortName(flame.tree.name[node]) : 'rest';
  if (flame.graph !== 'difference' || Math.abs(leaning(node)) < even) return cut(name, letters);
  const difference = signed(differenceOf(flame.tree, flame.truth, node));
  const whole = `${name} ${difference}`;
  return whole.length <= letters ? whole : cut(difference[0] + name, letters);
}

function cut(text, letters) {
  return text.length <= letters ? text : letters < 3 ? '' : `${text.slice(0, letters - 1)}…`;
}

// ---- Geometry ---------------------------------------------------------------------------------

// [left, width] in pixels, by the zoom. What is above the zoomed node is as wide as it is.
function extent(node, width) {
  const {tree, place, zoom} = flame;
  if (node <= zoom && zoom < tree.end[node]) return [0, width];
  const scale = place.width[zoom] === 0 ? 0 : width / place.width[zoom];
  return [(place.start[node] - place.start[zoom]) * scale, place.width[node] * scale];
}

// Whether the zoom leaves the node in the picture.
function isIn(node) {
  const {tree, zoom} = flame;
  return (node >= zoom && node < tree.end[zoom]) || (node <= zoom && zoom < tree.end[node]);
}

function flameWidth() {
  return flame.holder.clientWidth;
}

// Rows that the graph has at this zoom; on paper, which cannot be zoomed, those that can be seen.
function flameRows() {
  const {tree, zoom} = flame, width = flameWidth(), least = flame.paper ? narrowest : 0;
  let deep = tree.depth[zoom];
  for (let i = zoom; i < tree.end[zoom]; i++) if (extent(i, width)[1] > least) deep = Math.max(deep, tree.depth[i]);
  return flame.paper ? Math.min(deep + 1, flamePaper) : deep + 1;
}

// In pixels of the page, for the tip and for tests.
function frameBox(node) {
  const box = flame.canvas.getBoundingClientRect();
  const [left, width] = extent(node, flameWidth());
  const top = flame.tree.depth[node] * flameRow - flame.holder.scrollTop;
  return new DOMRect(box.left + left, box.top + top, width, flameRow);
}

// The node at a place of the page; -1: none.
function nodeAt(x, y) {
  const box = flame.canvas.getBoundingClientRect();
  const depth = Math.floor((y - box.top + flame.holder.scrollTop) / flameRow);
  for (let i = 0; i < flame.tree.count; i++) {
    if (flame.tree.depth[i] !== depth || !isIn(i)) continue;
    const [left, width] = extent(i, flameWidth());
    if (width > 0 && x - box.left >= left && x - box.left < Math.max(left + width, left + 0.5)) return i;
  }
  return -1;
}

// ---- Drawing ----------------------------------------------------------------------------------

function drawFrame(context, node, [left, width], top) {
  const {colours} = flame;
  const inner = Math.max(0.6, width - (width > 3 ? 1 : 0)), high = flameRow - 1;
  context.globalAlpha = flame.found && !flame.found.found[node] ? 0.3 : 1;
  context.fillStyle = fillOf(node);
  context.fillRect(left, top, inner, high);
  // Where colours fail: more has its edge above, less below.
  const lean = flame.graph === 'difference' ? leaning(node) : 0;
  if (Math.abs(lean) >= even) {
    context.fillStyle = lean > 0 ? colours.moreEdge : colours.lessEdge;
    context.fillRect(left, lean > 0 ? top : top + high - 2, inner, 2);
  }
  if (flame.found && flame.found.found[node] && width > 2) {
    context.strokeStyle = colours.ink;
    context.lineWidth = 1.5;
    context.strokeRect(left + 0.75, top + 0.75, Math.max(0.5, inner - 1.5), high - 1.5);
  }
  if (width < 26) return;
  context.globalAlpha = flame.found && !flame.found.found[node] ? 0.66 : 1;
  context.fillStyle = colours.ink;
  // The font's letters are all as wide.
  context.fillText(labelOf(node, Math.floor((inner - 8) / flame.letter)), left + 4, top + high / 2 + 0.5);
}

function outline(context, node, colour, line) {
  if (!isIn(node)) return;
  const [left, width] = extent(node, flameWidth());
  const top = flame.tree.depth[node] * flameRow - flame.holder.scrollTop;
  context.globalAlpha = 1;
  context.strokeStyle = colour;
  context.lineWidth = line;
  context.strokeRect(left + line / 2, top + line / 2, Math.max(1, width - 1 - line), flameRow - 1 - line);
}

function sizeCanvas(context, width, height) {
  const ratio = devicePixelRatio || 1;
  flame.canvas.width = Math.max(1, Math.round(width * ratio));
  flame.canvas.height = Math.max(1, Math.round(height * ratio));
  flame.canvas.style.height = `${height}px`;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.font = '12px ui-monospace, "DejaVu Sans Mono", "Liberation Mono", Menlo, Consolas, monospace';
  context.textBaseline = 'middle';
  flame.letter = context.measureText('m').width;
}

function drawFlame() {
  if (!flame.tree) return;
  const rows = flameRows(), width = flameWidth();
  flame.space.style.height = `${rows * flameRow}px`;
  const height = flame.paper ? rows * flameRow : flame.holder.clientHeight;
  const context = flame.canvas.getContext('2d');
  const top = flame.paper ? 0 : flame.holder.scrollTop;
  flame.colours = flameColours();
  sizeCanvas(context, width, height);
  context.fillStyle = flame.colours.page;
  context.fillRect(0, 0, width, height);
  flame.narrow = 0;
  for (let i = 0; i < flame.tree.count; i++) {
    if (!isIn(i)) {
      if (i >= flame.zoom) break;
      continue;
    }
    const place = extent(i, width), y = flame.tree.depth[i] * flameRow - top;
    if (place[1] > 0 && place[1] < narrowest) flame.narrow++;
    if (place[1] < narrowest || y + flameRow < 0 || y > height) continue;
    drawFrame(context, i, place, y);
  }
  if (flame.over >= 0 && !flame.paper) outline(context, flame.over, flame.colours.ink, 1);
  if (document.activeElement === flame.holder && !flame.paper) outline(context, flame.at, flame.colours.focus, 3);
  if (flame.painted === 0) {
    flame.painted = -1;
    requestAnimationFrame(() => setTimeout(() => { flame.painted = performance.now(); }));
  }
}
