// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The section of the flame graphs: choices, keys, pointer, search, and the same as words.
'use strict';

const graphs = {difference: 'difference', profiler: 'profiler', truth: 'truth'};
const truths = {1: 'of the instants that led to a stack', 0: 'of all instants'};
const hottest = 12; // paths in the table

// [text, report, flames]: a row each, and all of a report together.
const flameRowsOf = [];
for (const report of reports) {
  for (const one of report.flames)
    flameRowsOf.push([`JDK ${report.label} · ${caseLabel(one)} · ${one.mode} · ${one.profiler}`, report, [one]]);
  if (report.flames.length > 1)
    flameRowsOf.push([`JDK ${report.label} · all ${report.flames.length} rows together`, report, report.flames]);
}

// ---- Words ------------------------------------------------------------------------------------

// "3 of 12 = 25.00 %"
function ofAll(number, all) {
  return `${count(number)} of ${count(all)}${all === 0 ? '' : ` = ${(100 * number / all).toFixed(2)} %`}`;
}

function numbersOf(node) {
  const {tree, truth} = flame, all = (side) => tree.total[side][0];
  return [
    `truth ${ofAll(tree.total[truth][node], all(truth))}`,
    `profiler ${ofAll(tree.total[2][node], all(2))}`,
    `difference ${signed(differenceOf(tree, truth, node))}`,
    `self: truth ${count(tree.self[truth][node])}, profiler ${count(tree.self[2][node])}`,
  ];
}

function say() {
  const node = flame.over >= 0 ? flame.over : flame.at;
  document.getElementById('flame-says').replaceChildren(
    make('strong', {}, nodeName(node)), ` – ${numbersOf(node).join('; ')}`);
  const narrow = flame.narrow === 0 ? '' : `${count(flame.narrow)} frames are narrower than half a pixel and not drawn; the zoom shows them.`;
  document.getElementById('flame-narrow').textContent = narrow;
}

function sum(flames, key) {
  return flames.reduce((total, one) => total + one[key], 0);
}

// What the graphs cannot show: signals without a known truth, and what was lost.
function accountsOf(flames) {
  const recorded = sum(flames, 'recorded'), joined = sum(flames, 'joined'), silent = sum(flames, 'silent');
  const {tree} = flame;
  const lines = [`Of ${count(recorded)} signals ${ofAll(joined, recorded)} led to a sample, ` +
    `${ofAll(recorded - joined - silent, recorded)} were lost as the profiler says, ${ofAll(silent, recorded)} silently. ` +
    `Truth of all instants: ${count(tree.total[0][0])} stacks; of those that led to a stack: ${count(tree.total[1][0])}. ` +
    `${ofAll(recorded - tree.total[0][0], recorded)} of the signals are in no graph: their truth is not known, or the thread was in Plumbline’s code.`];
  if (flames.length === 1) {
    const part = ({value, low, high}) => `${(100 * value).toFixed(2)} % [${(100 * low).toFixed(2)}, ${(100 * high).toFixed(2)}]`;
    const {walk, choice, whole} = flames[0].distance;
    lines.push(`Distance of self time by method: ${part(walk)} by wrong stacks, ${part(choice)} by what is lost, ${part(whole)} in all.`);
  }
  const paths = sum(flames, 'paths'), shown = sum(flames.map((one) => ({nodes: one.nodes.length / 5 - 1})), 'nodes');
  if (shown < paths) lines.push(`There are ${count(paths)} paths. Those with few samples are in frames named “rest”.`);
  return lines.join(' ');
}

// ---- The table: the graph as words ------------------------------------------------------------

function pathOf(node) {
  const path = [];
  for (let i = flame.tree.parent[node]; i !== 0; i = flame.tree.parent[i]) path.unshift(shortName(flame.tree.name[i]));
  return path.length > 6 ? ['…', ...path.slice(-6)] : path;
}

function drawTable() {
  const {tree, truth} = flame;
  const table = make('table', {id: 'flame-table'}, make('caption', {}, `Self time: the first ${hottest} paths by ` +
    (flame.graph === 'difference' ? 'the size of the difference' : `the ${flame.graph}`) +
    (flame.zoom === 0 ? '' : `, under ${nodeName(flame.zoom)}`)),
    make('thead', {}, make('tr', {}, ...['method', 'called by', 'truth', 'profiler', 'difference'].map(
      (name, i) => make('th', {scope: 'col', class: i > 1 ? 'n' : null}, name)))));
  const body = table.createTBody(), paths = hottestPaths(tree, flame.graph, truth, flame.zoom, hottest);
  if (paths.length === 0) {
    document.getElementById('flame-words').replaceChildren(
      make('p', {class: 'muted'}, flame.graph === 'difference' ? 'No path has another share of self time by the profiler than by the truth.' : 'No path has self time.'));
    return;
  }
  for (const node of paths) {
    const name = node === 0 ? '(no instrumented method)' : tree.name[node] ? shortName(tree.name[node]) : 'rest';
    const go = make('button', {type: 'button', class: 'plain', title: `${nodeName(node)}: show it in the graph`}, name);
    go.addEventListener('click', () => { flame.holder.focus(); moveTo(node); });
    body.append(make('tr', {'data-node': node}, make('th', {scope: 'row'}, go),
      make('td', {class: 'path'}, pathOf(node).join(' › ')),
      make('td', {class: 'n'}, ofAll(tree.self[truth][node], tree.total[truth][0])),
      make('td', {class: 'n'}, ofAll(tree.self[2][node], tree.total[2][0])),
      make('td', {class: 'n'}, signed(differenceOf(tree, truth, node, tree.self)))));
  }
  document.getElementById('flame-words').replaceChildren(make('div', {class: 'scroll'}, table));
}

// ---- Zoom -------------------------------------------------------------------------------------

function crumb(node) {
  const go = make('button', {type: 'button', class: 'plain', title: nodeName(node)}, node === 0 ? 'all' : shortName(nodeName(node)));
  go.addEventListener('click', () => { zoomTo(node); flame.holder.focus(); });
  return go;
}

function drawCrumbs() {
  const path = [];
  for (let i = flame.zoom; ; i = flame.tree.parent[i]) {
    path.unshift(i);
    if (i === 0) break;
  }
  const shownPath = path.length > 7 ? [path[0], -1, ...path.slice(-5)] : path;
  const nodes = shownPath.flatMap((node, i) => [i === 0 ? '' : ' › ', node < 0 ? '…' : crumb(node)]);
  document.getElementById('flame-path').replaceChildren(...nodes);
  document.getElementById('flame-reset').disabled = flame.zoom === 0;
}

function redrawAll() {
  drawFlame();
  drawCrumbs();
  drawTable();
  say();
}

function zoomTo(node) {
  flame.zoom = node;
  flame.at = node;
  flame.over = -1;
  hideTip();
  // The row above stays in sight: it says where one is.
  flame.space.style.height = `${flameRows() * flameRow}px`;
  flame.holder.scrollTop = Math.max(0, (flame.tree.depth[node] - 2) * flameRow);
  redrawAll();
}

// ---- Keys and pointer -------------------------------------------------------------------------

function moveTo(node) {
  if (node < 0) return;
  if (!isIn(node)) return zoomTo(node);
  flame.at = node;
  flame.over = -1;
  const top = flame.tree.depth[node] * flameRow, view = flame.holder;
  if (top < view.scrollTop) view.scrollTop = top;
  if (top + flameRow > view.scrollTop + view.clientHeight) view.scrollTop = top + flameRow - view.clientHeight;
  drawFlame();
  say();
}

function hasWidth(node) {
  return flame.place.width[node] > 0 && isIn(node);
}

// The widest child; above the zoomed node, the one that leads to it.
function childOf(node) {
  const {tree, place, zoom} = flame;
  let best = -1;
  for (let i = node + 1; i < tree.end[node]; i = tree.end[i])
    if (hasWidth(i) && (best < 0 || place.width[i] > place.width[best] || (i <= zoom && zoom < tree.end[i]))) best = i;
  return best;
}

function besides(node, by) {
  const {tree} = flame;
  for (let i = node + by; i > 0 && i < tree.count; i += by)
    if (tree.depth[i] === tree.depth[node] && hasWidth(i)) return i;
  return -1;
}

function flameKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const acts = {
    ArrowDown: () => moveTo(childOf(flame.at)), ArrowUp: () => moveTo(flame.tree.parent[flame.at]),
    ArrowLeft: () => moveTo(besides(flame.at, -1)), ArrowRight: () => moveTo(besides(flame.at, 1)),
    Enter: () => zoomTo(flame.at), ' ': () => zoomTo(flame.at),
    Escape: () => zoomTo(flame.tree.parent[flame.zoom]), Home: () => zoomTo(0),
  };
  if (!acts[event.key]) return;
  acts[event.key]();
  event.preventDefault();
}

function flamePointer(event) {
  const node = nodeAt(event.clientX, event.clientY);
  if (node === flame.over) return;
  flame.over = node;
  drawFlame();
  say();
  if (node < 0) return hideTip();
  const box = frameBox(node), view = flame.canvas.getBoundingClientRect();
  const left = Math.max(box.left, Math.min(event.clientX - 20, box.right));
  showTip({getBoundingClientRect: () => new DOMRect(left, Math.max(box.top, view.top), 1, flameRow)},
          [nodeName(node), ...numbersOf(node)].join('\n'));
}

function flameLeave() {
  flame.over = -1;
  hideTip();
  drawFlame();
  say();
}

// ---- Search -----------------------------------------------------------------------------------

function search() {
  const input = document.getElementById('flame-search'), words = document.getElementById('flame-found');
  const {tree, truth} = flame;
  flame.found = null;
  words.textContent = '';
  input.removeAttribute('aria-invalid');
  if (input.value === '') return drawFlame();
  try {
    flame.found = findNodes(tree, new RegExp(input.value, 'i'));
  } catch (error) {
    input.setAttribute('aria-invalid', 'true');
    words.textContent = `No regular expression: ${error.message}`;
    return drawFlame();
  }
  const {counts: found, nodes} = flame.found;
  words.textContent = `${count(nodes)} of ${count(tree.count - 1)} frames match; stacks with a match: ` +
    `truth ${ofAll(found[truth], tree.total[truth][0])}, profiler ${ofAll(found[2], tree.total[2][0])}.`;
  drawFlame();
}

// ---- The section ------------------------------------------------------------------------------

function chooseGraph() {
  flame.place = layOut(flame.tree, flame.graph, flame.truth);
  if (flame.place.width[flame.zoom] === 0) flame.zoom = 0;
  flame.at = flame.zoom;
  flame.over = -1;
  document.getElementById('flame-legend').hidden = flame.graph !== 'difference';
  search();
  redrawAll();
}

function chooseRow(index) {
  const [, report, flames] = flameRowsOf[index];
  flame.tree = plantTree(flames.length === 1 ? nodesOf(report, flames[0]) : mergeNodes(flames.map((one) => nodesOf(report, one))));
  flame.zoom = 0;
  const rows = flame.tree.depth.reduce((most, depth) => Math.max(most, depth + 1), 6);
  flame.holder.style.height = `${Math.min(20, rows) * flameRow + 2}px`;
  document.getElementById('flame-accounts').textContent = accountsOf(flames);
  chooseGraph();
}

function flameLegend() {
  const key = (kind, text) => make('span', {}, make('span', {class: `key ${kind}`}), ` ${text}`);
  return make('p', {class: 'legend', id: 'flame-legend'},
    key('more', 'the profiler has more (+), edge above'), key('less', 'the profiler has less (−), edge below'),
    make('span', {}, 'grey: within 2 % of its share; deepest: only one of the two has it; a frame is as wide as the mean of both shares'));
}

function flameControls() {
  const reset = make('button', {type: 'button', id: 'flame-reset', title: 'Home'}, 'whole graph');
  reset.addEventListener('click', () => { zoomTo(0); flame.holder.focus(); });
  const input = make('input', {type: 'search', id: 'flame-search', size: 18, placeholder: 'regular expression', spellcheck: 'false'});
  input.addEventListener('input', search);
  return make('div', {class: 'controls'},
    choice('row', 'flame-row', flameRowsOf.map(([text], i) => [String(i), text]), '0', (value) => chooseRow(Number(value))),
    choice('graph', 'flame-graph', Object.entries(graphs), flame.graph, (value) => { flame.graph = value; chooseGraph(); }),
    choice('truth', 'flame-truth', [['0', truths[0]], ['1', truths[1]]], '0', (value) => { flame.truth = Number(value); chooseGraph(); }),
    make('label', {}, 'search', input), reset);
}

function flameHolder() {
  flame.canvas = make('canvas', {'aria-hidden': 'true'});
  flame.space = make('div', {class: 'space'}, flame.canvas);
  flame.holder = make('div', {class: 'flame', id: 'flame', tabindex: '0', role: 'application', 'aria-roledescription': 'flame graph',
                              'aria-label': 'Flame graph: arrows move, Enter zooms, Escape goes back, Home shows all', 'aria-describedby': 'flame-says'},
                      flame.space);
  flame.holder.addEventListener('keydown', flameKey);
  for (const name of ['focus', 'blur', 'scroll']) flame.holder.addEventListener(name, drawFlame);
  flame.canvas.addEventListener('pointermove', flamePointer);
  flame.canvas.addEventListener('pointerleave', flameLeave);
  flame.canvas.addEventListener('click', (event) => {
    const node = nodeAt(event.clientX, event.clientY);
    if (node >= 0) zoomTo(node);
  });
  return flame.holder;
}

function watchLooks() {
  new ResizeObserver(() => { drawFlame(); say(); }).observe(flame.holder);
  new MutationObserver(drawFlame).observe(document.documentElement, {attributeFilter: ['data-theme']});
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawFlame);
  for (const [name, paper] of [['beforeprint', true], ['afterprint', false]])
    addEventListener(name, () => { flame.paper = paper; drawFlame(); });
}

// A link to the graph of a row, if there is one.
function flameLink(index, row) {
  const entry = flameRowsOf.findIndex(([, report, flames]) => report === reports[index] && flames.length === 1 &&
    ['case', 'mode', 'scope'].every((name) => flames[0][name] === row[name]));
  if (entry < 0) return null;
  const link = make('a', {href: '#flames'}, 'flame graphs of this row');
  link.addEventListener('click', () => {
    document.getElementById('flame-row').value = String(entry);
    chooseRow(entry);
  });
  return link;
}

function startFlames() {
  if (flameRowsOf.length === 0) return;
  const node = section('flames', 'Flame graphs', 'The paths of instrumented methods, callers above, by the truth, by the profiler, and where the two differ.');
  node.append(flameControls(), make('p', {class: 'muted', id: 'flame-accounts'}),
    make('nav', {id: 'flame-path', 'aria-label': 'Zoomed to'}), flameHolder(),
    make('p', {id: 'flame-says', 'aria-live': 'polite'}), make('p', {id: 'flame-found', role: 'status'}),
    make('p', {id: 'flame-narrow', class: 'muted'}), flameLegend(),
    make('p', {class: 'legend screen'}, 'arrow keys move, Enter or a click zooms, Escape goes back, Home shows all'),
    make('div', {id: 'flame-words'}));
  const left = sum(reports, 'flame_count') - sum(reports.map((report) => ({flames: report.flames.length})), 'flames');
  if (left > 0) node.append(make('p', {class: 'muted'}, `${count(left)} rows have a graph that is not on this page.`));
  chooseRow(0);
  watchLooks();
}
