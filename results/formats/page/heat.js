// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The heat map: case by mode by JDK. A grid with one tab stop; arrows, Home and End move in it,
// Enter or a click opens what stands behind a cell.
'use strict';

const measures = {
  walking: 'walking errors',
  attribution: 'attribution',
  refused: 'refused',
};

// The row of a cell, by "report case scope mode layer".
const rowsByKey = new Map();
for (const [index, report] of reports.entries())
  for (const row of report.rows)
    rowsByKey.set(JSON.stringify([index, row.case, row.scope, row.mode, row.layer]), row);

function rowAt(index, place, mode, layer) {
  return rowsByKey.get(JSON.stringify([index, place.case, place.scope, mode, layer]));
}

const places = [];
for (const report of reports)
  for (const row of report.rows)
    if (!places.some((place) => place.case === row.case && place.scope === row.scope)) places.push(row);
const modes = unique(reports.flatMap((report) => report.rows.map((row) => row.mode)));

const heat = {layer: '', measure: 'walking', table: null, at: [0, 0]};

function tipText(index, row) {
  const rate = row[heat.measure];
  const lines = [
    `${row.case} · ${row.mode} · scope ${row.scope} · JDK ${reports[index].label}`,
    `${row.layer}, ${measures[heat.measure]}: ${rate.text}`,
  ];
  if (rate.limit !== undefined) lines.push(`limit ${percent(rate.limit)} %`);
  lines.push(row.reason ? `${row.verdict}: ${row.reason}` : row.verdict);
  if (row.note) lines.push(row.note);
  return lines.join('\n');
}

function cellText(row) {
  if (row.verdict === 'SKIP') return 'skip';
  if (row.verdict === 'CRASH' || row.verdict === 'HANG') return row.verdict.toLowerCase();
  const rate = row[heat.measure];
  return rate.of === 0 ? '·' : percent(rate.rate);
}

function cellClass(row, first) {
  const names = [];
  if (first) names.push('first');
  if (!row || row.verdict === 'SKIP') names.push('none');
  if (!row) return names.join(' ');
  if (row.status === 1) names.push('bad');
  else if (row.status !== 0) names.push('open');
  if (depth(row[heat.measure].rate) > 76) names.push('deep');
  return names.join(' ');
}

function cellNode(index, place, mode, first) {
  const row = rowAt(index, place, mode, heat.layer);
  const cell = make('td', {role: 'gridcell', tabindex: '-1', class: cellClass(row, first)},
                    row ? cellText(row) : '');
  cell.setAttribute('aria-label', row ? tipText(index, row) : 'not run');
  if (!row) return cell;
  Object.assign(cell.dataset, {report: index, case: row.case, scope: row.scope, mode: row.mode, layer: row.layer});
  cell.style.setProperty('--depth', depth(row[heat.measure].rate).toFixed(1));
  cell.addEventListener('mouseenter', () => showTip(cell, tipText(index, row)));
  cell.addEventListener('mouseleave', hideTip);
  cell.addEventListener('focus', () => showTip(cell, tipText(index, row)));
  cell.addEventListener('blur', hideTip);
  cell.addEventListener('click', () => openDetail(cell, index, row));
  return cell;
}

function heatHead() {
  const groups = make('tr', {role: 'row'}, make('th', {role: 'columnheader'}, ''));
  for (const mode of modes)
    groups.append(make('th', {role: 'columnheader', colspan: reports.length, scope: 'colgroup'}, mode));
  const labels = make('tr', {role: 'row'}, make('th', {role: 'columnheader', class: 'jdk'}, ''));
  for (const _ of modes)
    for (const report of reports)
      labels.append(make('th', {role: 'columnheader', class: 'jdk', scope: 'col', title: report.vm}, report.label));
  return make('thead', {role: 'rowgroup'}, groups, labels);
}

function heatBody() {
  const body = make('tbody', {role: 'rowgroup'});
  for (const place of places) {
    const line = make('tr', {role: 'row'}, make('th', {role: 'rowheader', scope: 'row', title: caseLabel(place)}, caseLabel(place)));
    for (const mode of modes)
      for (const index of reports.keys())
        line.append(cellNode(index, place, mode, index === 0));
    body.append(line);
  }
  return body;
}

function cellAt(row, column) {
  return heat.table.tBodies[0].rows[row].cells[column + 1];
}

function focusCell(row, column) {
  const rows = places.length, columns = modes.length * reports.length;
  row = Math.max(0, Math.min(rows - 1, row));
  column = Math.max(0, Math.min(columns - 1, column));
  cellAt(heat.at[0], heat.at[1]).tabIndex = -1;
  heat.at = [row, column];
  const cell = cellAt(row, column);
  cell.tabIndex = 0;
  cell.focus();
}

function heatKey(event) {
  const [row, column] = heat.at;
  const steps = {
    ArrowUp: [row - 1, column], ArrowDown: [row + 1, column],
    ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
    Home: event.ctrlKey ? [0, 0] : [row, 0],
    End: event.ctrlKey ? [places.length, Infinity] : [row, Infinity],
  };
  if (event.key === 'Enter' || event.key === ' ') cellAt(row, column).click();
  else if (event.key === 'Escape') hideTip();
  else if (steps[event.key]) focusCell(...steps[event.key]);
  else return;
  event.preventDefault();
}

function drawHeat(holder) {
  const table = make('table', {class: 'heat', role: 'grid', 'aria-label': 'Rates by case, mode and JDK'},
                     heatHead(), heatBody());
  heat.table = table;
  table.addEventListener('keydown', heatKey);
  table.addEventListener('focusin', (event) => {
    const cell = event.target.closest('td');
    if (!cell) return;
    cellAt(heat.at[0], heat.at[1]).tabIndex = -1;
    heat.at = [cell.parentNode.sectionRowIndex, cell.cellIndex - 1];
    cell.tabIndex = 0;
  });
  holder.replaceChildren(table);
  if (places.length !== 0) cellAt(heat.at[0], heat.at[1]).tabIndex = 0;
}

// ---- What stands behind a cell ----------------------------------------------------------------

function detailTable(rows) {
  const table = make('table', {}, make('thead', {}, make('tr', {},
    ...['layer', 'verdict', 'walking errors, 95 % interval', 'attribution', 'by verdict', 'refused', 'undecided', 'why']
      .map((name) => make('th', {scope: 'col'}, name)))));
  const body = table.createTBody();
  for (const row of rows)
    body.append(make('tr', {'data-layer': row.layer}, make('th', {scope: 'row'}, row.layer),
                     make('td', {}, badge(row.verdict)), make('td', {class: 'rate'}, row.walking.text),
                     make('td', {}, row.attribution.count ? row.attribution.text : '–'),
                     make('td', {}, counts(row.mismatch) || '–'), make('td', {}, counts(row.codes) || '–'),
                     make('td', {class: 'n'}, count(row.undecided)),
                     make('td', {class: 'why'}, [row.reason, row.note].filter(Boolean).join(' – '))));
  return table;
}

function clustersOf(index, row) {
  return reports[index].clusters.filter((cluster) => cluster.where.some(
    (where) => where.case === row.case && where.mode === row.mode && where.scope === row.scope));
}

function openDetail(cell, index, row) {
  for (const other of heat.table.querySelectorAll('[aria-selected]')) other.removeAttribute('aria-selected');
  cell.setAttribute('aria-selected', 'true');
  const rows = reports[index].rows.filter(
    (one) => one.case === row.case && one.mode === row.mode && one.scope === row.scope);
  const detail = document.getElementById('detail');
  detail.hidden = false;
  detail.replaceChildren(
    make('h3', {tabindex: '-1'}, `${row.case}, mode ${row.mode}, scope ${row.scope}, JDK ${reports[index].label}`),
    make('div', {class: 'scroll'}, detailTable(rows)));
  const flames = flameLink(index, row);
  if (flames) detail.append(make('p', {}, flames));
  const found = clustersOf(index, row);
  if (found.length === 0) return;
  const list = make('ul', {});
  for (const cluster of found.slice(0, 8)) {
    const link = make('a', {href: `#${cluster.id}`}, `${cluster.layer} ${cluster.verdict}: ${cluster.relation}, ${place(cluster)}`);
    link.addEventListener('click', () => openCluster(cluster));
    list.append(make('li', {}, link));
  }
  if (found.length > 8) list.append(make('li', {}, `and ${found.length - 8} smaller ones`));
  detail.append(make('h3', {}, 'Clusters seen here'), list);
}

// ---- The section ------------------------------------------------------------------------------

function choice(label, id, options, chosen, changed) {
  const select = make('select', {id});
  for (const [value, text] of options)
    select.append(make('option', {value, selected: value === chosen ? '' : null}, text));
  select.addEventListener('change', () => changed(select.value));
  return make('label', {}, label, select);
}

function legend() {
  return make('p', {class: 'legend'},
    make('span', {}, 'rate in %: 0.001 ', make('span', {class: 'ramp'}), ' 100 (logarithmic)'),
    make('span', {}, make('span', {class: 'key bad'}), ' beyond its limit, crash or hang'),
    make('span', {}, make('span', {class: 'key open'}), ' inconclusive, vacuous or harness'),
    make('span', {}, '· nothing judged'),
    make('span', {}, 'arrow keys move, Enter opens'));
}

function startHeat() {
  const node = section('heat', 'Case by mode by JDK');
  const present = data.layers.filter((layer) =>
    reports.some((report) => report.rows.some((row) => row.layer === layer.name)));
  if (present.length === 0) {
    node.append(make('p', {}, 'There are no rows.'));
    return;
  }
  heat.layer = (present.find((layer) => layer.name === 'async') || present[present.length - 1]).name;
  const question = make('p', {class: 'muted', id: 'question'});
  const holder = make('div', {class: 'scroll'});
  const redraw = () => {
    question.textContent = `${heat.layer}: ${data.layers.find((layer) => layer.name === heat.layer).question}`;
    drawHeat(holder);
  };
  node.append(make('div', {class: 'controls'},
    choice('layer', 'layer', present.map((layer) => [layer.name, layer.name]), heat.layer,
           (value) => { heat.layer = value; redraw(); }),
    choice('rate of', 'measure', Object.entries(measures), heat.measure,
           (value) => { heat.measure = value; redraw(); })),
  question, holder, legend(), make('div', {id: 'detail', hidden: '', 'aria-live': 'polite'}));
  redraw();
}
