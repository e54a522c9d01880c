// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The known bugs of each JDK with the unexplained, and all rows of a mode and layer together.
'use strict';

function headOf(names) {
  return make('thead', {}, make('tr', {}, ...names.map((name) => make('th', {scope: 'col'}, name))));
}

function knownTable(report) {
  const table = make('table', {}, headOf(['layer', 'cause', 'errors/judged, 95 % interval', 'cases', 'finding', 'bug', '']));
  const body = table.createTBody();
  for (const known of report.known) {
    const apart = known.unmeasured ? ` (${count(known.unmeasured)} in rows where it was never measured)` : '';
    body.append(make('tr', {'data-cause': known.cause}, make('td', {}, known.layer), make('td', {}, known.cause),
      make('td', {class: 'rate'}, known.rate.text), make('td', {class: 'n'}, count(known.cases)),
      make('td', {}, known.finding || '–'), make('td', {}, known.bug || '–'), make('td', {}, known.title + apart)));
  }
  return table;
}

function poolTable(report) {
  const table = make('table', {}, headOf(['layer', 'mode', 'rows', 'unexplained/judged, 95 % interval', 'would notice', 'median row', 'worst row', '']));
  const body = table.createTBody();
  for (const pool of report.pools)
    body.append(make('tr', {}, make('td', {}, pool.layer), make('td', {}, pool.mode), make('td', {class: 'n'}, count(pool.rows)),
      make('td', {class: 'rate'}, pool.rate.text), make('td', {class: 'n'}, pool.notices), make('td', {class: 'n'}, pool.median),
      make('td', {class: 'n'}, pool.worst), make('td', {}, pool.failed ? badge('FAIL') : '')));
  return table;
}

function noneKnown(report) {
  if (report.walking_errors === 0) return 'No walking error.';
  return `${count(report.walking_errors)} walking errors: the report tells no cause of them, or their rows say nothing.`;
}

function startKnown() {
  const node = section('known', 'Known bugs', 'Walking errors by known cause, and the unexplained, which have one limit in all cases.');
  for (const report of reports) {
    node.append(make('h3', {}, `JDK ${report.label}`));
    node.append(report.known.length === 0 ? make('p', {}, noneKnown(report)) : make('div', {class: 'scroll'}, knownTable(report)));
    if (report.pools.length !== 0)
      node.append(make('details', {}, make('summary', {}, 'All rows of a mode and layer together, and the smallest additional rate that would have failed'),
                       make('div', {class: 'scroll'}, poolTable(report))));
  }
}
