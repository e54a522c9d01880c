// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Refusals by code, rates over time, and the table of all rows.
'use strict';

// ---- Refusals ---------------------------------------------------------------------------------

function refusalRow(report, row, codes, all) {
  const line = make('tr', {}, make('th', {scope: 'row'}, report.label), make('td', {}, caseLabel(row)),
                    make('td', {}, row.mode), make('td', {}, row.layer), make('td', {class: 'n'}, count(all)));
  for (const code of codes) {
    const number = row.codes[code] || 0;
    const cell = make('td', {class: 'n share-bar', title: number ? `${percent(number / all)} % of ${count(all)} answers` : null},
                      number ? count(number) : '–');
    cell.style.setProperty('--share', `${(100 * number / all).toFixed(1)}%`);
    line.append(cell);
  }
  return line;
}

function refusalTable(rows, codes) {
  const table = make('table', {class: 'refusals'}, make('thead', {}, make('tr', {},
    ...['JDK', 'case', 'mode', 'layer', 'answers', ...codes].map((name, i) => make('th', {scope: 'col', class: i > 3 ? 'n' : null}, name)))));
  const body = table.createTBody();
  for (const [report, row] of rows) body.append(refusalRow(report, row, codes, row.refused.of));
  return make('div', {class: 'scroll'}, table);
}

function startRefusals() {
  const node = section('refusals', 'Refusals by code', 'The walker’s own error codes: no frames, so no mismatch. A bar is the code’s share of all answers.');
  const rows = reports.flatMap((report) => report.rows.filter((row) => row.refused.count > 0).map((row) => [report, row]));
  if (rows.length === 0) {
    node.append(make('p', {}, 'None.'));
    return;
  }
  const codes = unique(rows.flatMap(([, row]) => Object.keys(row.codes)));
  const first = rows.some(([, row]) => row.layer === 'async') ? 'async' : rows[0][1].layer;
  node.append(refusalTable(rows.filter(([, row]) => row.layer === first), codes));
  const others = rows.filter(([, row]) => row.layer !== first);
  if (others.length !== 0)
    node.append(make('details', {}, make('summary', {}, 'the other layers'), refusalTable(others, codes)));
}

// ---- Rates over time --------------------------------------------------------------------------

const intervals = 24; // of a chart: records count many times a second, which shows nothing but chance

// [seconds, rate, low, high] of each interval in which something was judged. The band is Wilson's
// 95 % interval: a picture needs no exact one.
function rates(points) {
  const found = [];
  const width = points.length === 0 ? 0 : points[points.length - 1][0] / intervals;
  let before = [0, 0, 0, 0, 0];
  for (const [i, point] of points.entries()) {
    const n = point[1] - before[1], k = point[2] - before[2];
    if (n <= 0 || k < 0 || (point[0] - before[0] < width && i + 1 < points.length)) continue;
    const z = 1.96, p = Math.min(1, k / n), middle = (p + z * z / (2 * n)) / (1 + z * z / n);
    const half = z / (1 + z * z / n) * Math.sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    found.push([point[0], p, Math.max(0, middle - half), Math.min(1, middle + half)]);
    before = point;
  }
  return found;
}

const frame = {width: 460, height: 170, left: 52, right: 8, top: 8, bottom: 24};

function axes(svg, seconds, top) {
  const right = frame.width - frame.right, bottom = frame.height - frame.bottom;
  for (const share of [0, 0.5, 1]) {
    const y = bottom - share * (bottom - frame.top);
    svg.append(drawn('line', {class: 'axis', x1: frame.left, x2: right, y1: y, y2: y}));
    svg.append(drawn('text', {x: frame.left - 6, y: y + 4, 'text-anchor': 'end'}, `${percent(top * share)} %`));
    const x = frame.left + share * (right - frame.left);
    svg.append(drawn('text', {x, y: frame.height - 6, 'text-anchor': share === 1 ? 'end' : 'middle'}, `${(seconds * share).toFixed(1)} s`));
  }
}

function chart(report, series) {
  const found = rates(series.points);
  if (found.length === 0) return null;
  const seconds = found[found.length - 1][0] || 1;
  // The band may leave the chart, the line may not.
  const highest = Math.max(...found.map((one) => one[1]));
  const top = Math.max(1e-6, highest * 1.1, Math.min(highest * 3 || 1, Math.max(...found.map((one) => one[3]))));
  const x = (time) => frame.left + (frame.width - frame.left - frame.right) * time / seconds;
  const y = (rate) => frame.height - frame.bottom - (frame.height - frame.top - frame.bottom) * Math.min(1, rate / top);
  const title = `JDK ${report.label}: ${series.case}, ${series.mode}, scope ${series.scope}, ${series.layer}`;
  const svg = drawn('svg', {viewBox: `0 0 ${frame.width} ${frame.height}`, role: 'img', 'aria-label': `${title}: walking errors over time`});
  axes(svg, seconds, top);
  const upper = found.map((one) => `${x(one[0]).toFixed(1)},${y(one[3]).toFixed(1)}`);
  const lower = found.map((one) => `${x(one[0]).toFixed(1)},${y(one[2]).toFixed(1)}`).reverse();
  svg.append(drawn('polygon', {class: 'band', points: [...upper, ...lower].join(' ')}));
  svg.append(drawn('polyline', {class: 'rate', points: found.map((one) => `${x(one[0]).toFixed(1)},${y(one[1]).toFixed(1)}`).join(' ')}));
  for (const one of found) {
    const dot = drawn('circle', {class: 'dot', cx: x(one[0]).toFixed(1), cy: y(one[1]).toFixed(1), r: 2.5});
    dot.append(drawn('title', {}, `${one[0].toFixed(1)} s: ${percent(one[1])} %`));
    svg.append(dot);
  }
  return make('figure', {class: 'chart', style: 'margin:0'}, make('figcaption', {}, title), svg);
}

function startSeries() {
  const all = reports.flatMap((report) => report.series.map((series) => [report, series]));
  if (all.length === 0) return;
  const node = section('time', 'Rates over time', 'Walking errors of each interval, with its 95 % interval; the rows with most errors first.');
  const wrong = ([, series]) => (series.points.length === 0 ? 0 : series.points[series.points.length - 1][2]);
  all.sort((a, b) => wrong(b) - wrong(a));
  const first = Math.min(12, all.filter((one) => wrong(one) > 0).length);
  const charts = (list) => make('div', {class: 'charts'}, ...list.map(([report, series]) => chart(report, series)).filter(Boolean));
  if (first === 0) node.append(make('p', {}, 'No walking error in any of them.'));
  node.append(charts(all.slice(0, first)));
  if (all.length > first)
    node.append(make('details', {}, make('summary', {}, `${all.length - first} more, with fewer errors or none`), charts(all.slice(first))));
  const total = reports.reduce((sum, report) => sum + report.series_count, 0);
  if (total > all.length) node.append(make('p', {}, `${total - all.length} more, with no more errors than these, are not on this page.`));
}

// ---- All rows ---------------------------------------------------------------------------------

function startRows() {
  const node = section('rows', 'All rows');
  const heads = ['JDK', 'case', 'mode', 'scope', 'layer', 'verdict', 'judged', 'walking errors, 95 % interval', 'known', 'unexplained', 'notices', 'attribution', 'refused', 'undecided', 'no answer', 'own code', 'why'];
  const table = make('table', {id: 'row-table'}, make('thead', {}, make('tr', {}, ...heads.map((name) => make('th', {scope: 'col'}, name)))));
  const body = table.createTBody();
  for (const report of reports)
    for (const row of report.rows)
      body.append(make('tr', {}, make('td', {}, report.label), make('td', {}, row.case), make('td', {}, row.mode),
        make('td', {}, row.scope), make('td', {}, row.layer), make('td', {}, badge(row.verdict)),
        make('td', {class: 'n'}, count(row.walking.of)), make('td', {class: 'rate'}, row.walking.text),
        make('td', {class: 'n'}, count(row.known)), make('td', {class: 'rate'}, row.unexplained.text),
        make('td', {class: 'n'}, row.notices < 0 ? '–' : `${percent(row.notices)} %`),
        make('td', {}, row.attribution.count ? row.attribution.text : '–'), make('td', {class: 'n'}, count(row.refused.count)),
        make('td', {class: 'n'}, count(row.undecided)), make('td', {class: 'n'}, count(row.no_answer)),
        make('td', {class: 'n'}, `${count(row.own_mismatched)}/${count(row.own_judged)}`),
        make('td', {class: 'why'}, [row.reason, row.note].filter(Boolean).join(' – '))));
  const total = reports.reduce((sum, report) => sum + report.row_count, 0);
  node.append(make('details', {}, make('summary', {}, `${total} rows`), make('div', {class: 'scroll'}, table)));
  if (total > body.rows.length) node.append(make('p', {}, `${total - body.rows.length} rows are not on this page.`));
}

function startRuns() {
  const node = section('runs', 'How it was run');
  for (const report of reports) {
    node.append(make('h3', {}, `JDK ${report.label}`), make('p', {}, `${report.vm} at ${report.home}; ${report.machine}; seed ${report.seed}; plumbline ${report.plumbline || "of unknown version"}`),
                make('pre', {tabindex: '0'}, report.command), make('p', {class: 'muted'}, report.directory));
    if (report.missing) node.append(make('p', {}, 'Some of its run files could not be read: their mismatches are counted, and not shown.'));
  }
}
