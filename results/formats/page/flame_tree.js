// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Call trees, by node in preorder: what a flame graph is drawn of. Side 0 is the truth of all
// instants, 1 the truth of those that led to a stack, 2 the profiler's stacks of the same.
'use strict';

const sides = [0, 1, 2];

// {count, depth, name, parent, end, self, total}: arrays by node, the last two by side, too. The
// node's descendants are those behind it, up to its `end`. A name is a text; '' is the rest, and
// the root.
function plantTree(nodes) {
  const count = nodes.length;
  const tree = {count, depth: new Uint32Array(count), parent: new Uint32Array(count), end: new Uint32Array(count),
                name: new Array(count), self: sides.map(() => new Float64Array(count)), total: []};
  const open = []; // by depth, the node whose descendants are being read
  for (let i = 0; i < count; i++) {
    const node = nodes[i];
    tree.depth[i] = node.depth;
    tree.name[i] = node.name;
    tree.parent[i] = node.depth === 0 ? 0 : open[node.depth - 1];
    open[node.depth] = i;
    for (const side of sides) tree.self[side][i] = node.self[side];
  }
  tree.total = tree.self.map((self) => Float64Array.from(self));
  tree.end.fill(0);
  for (let i = count - 1; i >= 0; i--) {
    tree.end[i] = Math.max(tree.end[i], i + 1);
    if (i === 0) break;
    const parent = tree.parent[i];
    tree.end[parent] = Math.max(tree.end[parent], tree.end[i]);
    for (const side of sides) tree.total[side][parent] += tree.total[side][i];
  }
  return tree;
}

// The nodes of one row as page_flames.c wrote them.
function nodesOf(report, flame) {
  const nodes = [];
  for (let at = 0; at < flame.nodes.length; at += 5) {
    const [depth, name, ...self] = flame.nodes.slice(at, at + 5);
    nodes.push({depth, name: name < 0 ? '' : report.names[name], self});
  }
  return nodes;
}

// Several rows as one: the stacks of each path are added.
function mergeNodes(lists) {
  const root = {depth: 0, name: '', self: [0, 0, 0], children: new Map()};
  for (const nodes of lists) {
    const open = [];
    for (const node of nodes) {
      let into = root;
      if (node.depth !== 0) {
        const parent = open[node.depth - 1];
        into = parent.children.get(node.name);
        if (!into) parent.children.set(node.name, into = {depth: node.depth, name: node.name, self: [0, 0, 0], children: new Map()});
      }
      open[node.depth] = into;
      for (const side of sides) into.self[side] += node.self[side];
    }
  }
  const order = [], left = [root];
  while (left.length !== 0) {
    const node = left.pop();
    order.push(node);
    // By name, the rest last; what is pushed last comes first.
    const children = [...node.children.values()].sort((a, b) => (a.name === '') - (b.name === '') || (a.name < b.name ? -1 : 1));
    for (let i = children.length - 1; i >= 0; i--) left.push(children[i]);
  }
  return order;
}

function shareOf(tree, side, node) {
  return tree.total[side][0] === 0 ? 0 : tree.total[side][node] / tree.total[side][0];
}

// The profiler's share less the truth's, of all time or of self time alone.
function differenceOf(tree, truth, node, counts = tree.total) {
  const all = (side) => tree.total[side][0] || 1;
  return counts[2][node] / all(2) - counts[truth][node] / all(truth);
}

// Where each node begins and how wide it is, as shares of the whole. In the graph of the
// difference a node is as wide as the mean of both shares, so what only one side has is there, too.
function layOut(tree, graph, truth) {
  const width = new Float64Array(tree.count), start = new Float64Array(tree.count), next = new Float64Array(tree.count);
  for (let i = 0; i < tree.count; i++) {
    const shares = {truth: [truth], profiler: [2], difference: [truth, 2]}[graph].map((side) => shareOf(tree, side, i));
    width[i] = shares.reduce((sum, share) => sum + share) / shares.length;
    start[i] = i === 0 ? 0 : next[tree.parent[i]];
    if (i !== 0) next[tree.parent[i]] += width[i];
    next[i] = start[i];
  }
  return {start, width};
}

// The nodes whose name fits, and on each side the stacks with at least one of them.
function findNodes(tree, pattern) {
  const found = new Uint8Array(tree.count), counts = [0, 0, 0];
  const fits = new Map();
  let nodes = 0, covered = 0; // up to here a match lies above
  for (let i = 1; i < tree.count; i++) {
    const name = tree.name[i];
    if (name === '') continue;
    if (!fits.has(name)) fits.set(name, pattern.test(name));
    if (!fits.get(name)) continue;
    found[i] = 1;
    nodes++;
    if (i < covered) continue;
    covered = tree.end[i];
    for (const side of sides) counts[side] += tree.total[side][i];
  }
  return {found, counts, nodes};
}

// The paths under a node with most self time, by the measure of the graph.
function hottestPaths(tree, graph, truth, under, most) {
  const measure = {
    truth: (i) => tree.self[truth][i],
    profiler: (i) => tree.self[2][i],
    difference: (i) => Math.abs(differenceOf(tree, truth, i, tree.self)),
  }[graph];
  const list = [];
  for (let i = under; i < tree.end[under]; i++) if (measure(i) > 0) list.push(i);
  list.sort((a, b) => measure(b) - measure(a) || a - b);
  return list.slice(0, most);
}
