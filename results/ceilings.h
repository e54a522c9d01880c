// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Ceilings of one row: measured rates that are let pass, and known bugs. The rules stand in
// README.md. All of it is pure; rows are counted before they come here.
#ifndef RESULTS_CEILINGS_H
#define RESULTS_CEILINGS_H

#include "results.h"

#define CEILINGS_TEXT 192

// What is known of the row's layer; never NULL.
const struct results_expected* ceilings_expected(const struct results_row* row);
// Its ceilings.
size_t ceilings_count(const struct results_row* row);
const struct results_ceiling* ceilings_at(const struct results_row* row, size_t index);
// How often the row saw what the ceiling is about.
uint64_t ceilings_events(const struct results_row* row, const struct results_ceiling* ceiling);
// The walking errors that have a ceiling.
uint64_t ceilings_known(const struct results_row* row);
// The limit of attribution: its ceiling, if there is one for it alone, else `limit`.
double ceilings_attribution(const struct results_row* row, double limit);

// Does an interval lie above its ceiling? Then the reason says which.
bool ceilings_exceeded(struct results_row* row);
// XPASS where a known bug has gone, else XFAIL where one is known, else PASS. The reason says which
// bug. The row has nothing else against it.
enum results_row_verdict ceilings_verdict(struct results_row* row);

// "truncated or missing" into text; returns it.
const char* ceilings_verdicts(uint32_t verdicts, char* text, size_t size);

#endif
