// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Clusters, the largest first, with their evidence folded under them, and the viewer.
'use strict';

// All clusters that have evidence, in the order of the page: what the viewer leafs through.
const shown = [];

// ---- Two traces side by side ------------------------------------------------------------------

const marks = {
  '<': ['lost', 'only expected'], '>': ['excess', 'only observed'], '|': ['changed', 'differs'],
  '.': ['other', 'not instrumented: the trace stack does not know it'], ' ': ['', ''],
};

// "a.b.C.m(I)V @3 C.java:7": the descriptor says least.
function frameCell(text, side) {
  const open = text.indexOf('('), close = text.indexOf(' ', open);
  if (open < 0) return make('td', {class: side}, text);
  const end = close < 0 ? text.length : close;
  return make('td', {class: side}, text.slice(0, open),
              make('span', {class: 'signature'}, text.slice(open, end)), text.slice(end));
}

function tracesTable(evidence) {
  const table = make('table', {class: 'traces'}, make('thead', {}, make('tr', {},
    make('th', {scope: 'col'}, `expected: ${evidence.expected} frames, youngest first`),
    make('th', {class: 'mark'}, ''),
    make('th', {scope: 'col'}, `observed: ${evidence.observed} frames`))));
  const body = table.createTBody();
  for (const line of evidence.lines) {
    if (typeof line === 'number') {
      body.append(make('tr', {class: 'gap'}, make('td', {colspan: 3}, `${line} without difference`)));
      continue;
    }
    const [mark, expected, observed] = line;
    const [name, meaning] = marks[mark] || ['', ''];
    body.append(make('tr', {class: name, 'data-mark': mark, title: meaning || null}, frameCell(expected, 'left'),
                     make('td', {class: 'mark', 'aria-label': meaning || 'equal'}, mark), frameCell(observed, 'right')));
  }
  return table;
}

function evidenceNodes(cluster) {
  const evidence = cluster.evidence;
  return [
    make('p', {class: 'muted'}, `${evidence.case}, ${evidence.mode}, scope ${evidence.scope}, thread “${evidence.thread}”, ${evidence.heading}`),
    make('div', {class: 'scroll'}, tracesTable(evidence)),
    evidence.context ? make('pre', {tabindex: '0', 'aria-label': 'at the program counter'}, evidence.context) : null,
  ].filter(Boolean);
}

// ---- The viewer -------------------------------------------------------------------------------

const viewer = {dialog: document.getElementById('viewer'), at: 0, line: -1, from: null};

function differences() {
  return [...viewer.dialog.querySelectorAll('.lost, .excess, .changed')];
}

function step(by) {
  const lines = differences();
  if (lines.length === 0) return;
  if (viewer.line >= 0 && lines[viewer.line]) lines[viewer.line].classList.remove('current');
  viewer.line = (viewer.line + by + lines.length) % lines.length;
  lines[viewer.line].classList.add('current');
  lines[viewer.line].scrollIntoView({block: 'center'});
}

function viewerBar(cluster, report) {
  const button = (id, text, title, act) => {
    const node = make('button', {type: 'button', id, title}, text);
    node.addEventListener('click', act);
    return node;
  };
  return make('div', {class: 'viewer-bar'},
    make('h2', {id: 'viewer-title', tabindex: '-1'},
         `${viewer.at + 1} of ${shown.length}: JDK ${report.label}, ${cluster.layer} ${cluster.verdict}, ${cluster.relation}`),
    button('viewer-previous', '← previous', 'the cluster before (left arrow, p)', () => turn(-1)),
    button('viewer-next', 'next →', 'the next cluster (right arrow, n)', () => turn(1)),
    button('viewer-difference', '↓ difference', 'the next differing frame (d; D back)', () => step(1)),
    button('viewer-close', 'close', 'Esc', () => viewer.dialog.close()));
}

function drawViewer() {
  const {cluster, report} = shown[viewer.at];
  viewer.line = -1;
  viewer.dialog.replaceChildren(viewerBar(cluster, report),
    make('div', {class: 'viewer-body'}, make('p', {}, `${place(cluster)} · ${cluster.rate.text}`), ...evidenceNodes(cluster)));
  viewer.dialog.scrollTop = 0;
  document.getElementById('viewer-title').focus();
}

function turn(by) {
  viewer.at = (viewer.at + by + shown.length) % shown.length;
  drawViewer();
}

function openViewer(index, from) {
  viewer.at = index;
  viewer.from = from;
  viewer.dialog.showModal();
  drawViewer();
}

function viewerKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const acts = {
    ArrowLeft: () => turn(-1), p: () => turn(-1), ArrowRight: () => turn(1), n: () => turn(1),
    d: () => step(1), D: () => step(-1),
  };
  if (!acts[event.key]) return;
  acts[event.key]();
  event.preventDefault();
}

// ---- The list ---------------------------------------------------------------------------------

// "c2 body StubRoutines (1), at mov"
function place(cluster) {
  const words = [cluster.code, cluster.name, cluster.region].filter(Boolean).join(' ');
  return cluster.instruction ? `${words}, at ${cluster.instruction}` : words;
}

function clusterSummary(cluster, number) {
  const share = cluster.of === 0 ? 0 : cluster.rate.count / cluster.of;
  const bar = make('div', {class: 'share', title: 'of all of its layer'}, make('span', {}), make('b', {}, `${(share * 100).toFixed(1)} %`));
  bar.firstChild.style.width = `${share * 100}%`;
  return make('summary', {}, make('span', {class: 'muted n'}, `${number}.`), bar,
    make('span', {}, make('strong', {}, cluster.verdict), `${cluster.cause ? ` · ${cluster.cause}` : ''} · ${cluster.layer} · ${cluster.relation}`),
    make('span', {class: 'mono'}, place(cluster)), make('span', {class: 'n rate'}, cluster.rate.text));
}

// Filled when it is opened, or printed: a page of hundreds of traces would be slow at first.
function fillCluster(node, cluster, index) {
  if (node.dataset.filled) return;
  node.dataset.filled = '1';
  const where = cluster.where.map((one) => `${one.case}/${one.mode}${scopes.length > 1 ? `/${one.scope}` : ''} ${count(one.count)}`);
  if (cluster.where_count > cluster.where.length) where.push(`and ${cluster.where_count - cluster.where.length} more`);
  const body = make('div', {}, make('p', {}, `Seen in ${where.join(', ')}.`));
  if (Object.keys(cluster.votes).length !== 0)
    body.append(make('p', {class: 'muted'}, `Of ${cluster.kept} kept, by GetStackTrace's vote: ${counts(cluster.votes)}.`));
  if (cluster.evidence) {
    const open = make('button', {type: 'button', class: 'view'}, 'view side by side');
    open.addEventListener('click', () => openViewer(index, open));
    body.append(open, ...evidenceNodes(cluster));
  } else body.append(make('p', {class: 'muted'}, 'No mismatch of it is at hand.'));
  node.append(body);
}

const fillers = [];

function clusterNode(report, cluster, number) {
  const node = make('details', {class: 'cluster', id: cluster.id}, clusterSummary(cluster, number));
  const index = shown.length;
  if (cluster.evidence) shown.push({cluster, report});
  const fill = () => fillCluster(node, cluster, index);
  node.addEventListener('toggle', () => { if (node.open) fill(); });
  fillers.push({node, fill});
  return node;
}

// Also where it is among the smaller ones.
function openCluster(cluster) {
  const node = document.getElementById(cluster.id);
  for (let one = node; one; one = one.parentElement.closest('details')) one.open = true;
}

function listClusters(holder, report, belongs, title) {
  const clusters = report.clusters.filter(belongs);
  if (clusters.length === 0) return;
  holder.append(make('h3', {}, `JDK ${report.label}: ${title}`));
  const first = 12;
  clusters.slice(0, first).forEach((cluster, i) => holder.append(clusterNode(report, cluster, i + 1)));
  if (clusters.length <= first) return;
  const rest = make('details', {}, make('summary', {}, `${clusters.length - first} smaller ones`));
  clusters.slice(first).forEach((cluster, i) => rest.append(clusterNode(report, cluster, first + i + 1)));
  holder.append(rest);
}

function startClusters() {
  const node = section('clusters', 'Clusters', 'Mismatches that are alike, the largest first; the bar is a cluster’s share of all of its layer. Under each: where it was seen, and one mismatch.');
  for (const [i, report] of reports.entries()) {
    report.clusters.forEach((cluster, j) => { cluster.id = `cluster-${i}-${j}`; });
    const unexplained = (cluster) => cluster.cause === 'unexplained' || cluster.cause === ''; // of an old report
    listClusters(node, report, (cluster) => cluster.walking && unexplained(cluster), 'unexplained walking errors');
    listClusters(node, report, (cluster) => cluster.walking && !unexplained(cluster), 'walking errors of known causes');
    listClusters(node, report, (cluster) => !cluster.walking, 'attribution (debug information, not walking)');
    const left = report.cluster_count - report.clusters.length;
    if (left > 0) node.append(make('p', {class: 'muted'}, `${left} smaller ones are not on this page.`));
  }
  if (fillers.length === 0) node.append(make('p', {}, 'No mismatch is in any cluster.'));
  viewer.dialog.addEventListener('keydown', viewerKey);
  viewer.dialog.addEventListener('close', () => { if (viewer.from) viewer.from.focus(); });
  addEventListener('beforeprint', printClusters);
}

// Paper cannot be unfolded: the largest three of each list are printed with their evidence.
function printClusters() {
  for (const {node, fill} of fillers)
    if (node.parentNode.tagName === 'SECTION' && Number.parseInt(node.querySelector('.n').textContent, 10) <= 3) {
      fill();
      node.open = true;
    }
}
