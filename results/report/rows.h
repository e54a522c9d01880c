// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What the files of this room ask of each other for one row: ceilings, coverage, plain output.
#ifndef RESULTS_REPORT_ROWS_H
#define RESULTS_REPORT_ROWS_H

#include "report.h"

// ---- Ceilings: pure; the row is counted before ------------------------------------------------

// What is known of the row's layer; never NULL.
const struct results_expected* ceilings_expected(const struct results_row* row);
// The walking errors that have a ceiling.
uint64_t ceilings_known(const struct results_row* row);
// The limit of attribution: its ceiling, if there is one for it alone, else `limit`.
double ceilings_attribution(const struct results_row* row, double limit);
// Does an interval lie above its ceiling? row->reason then says which.
bool ceilings_exceeded(struct results_row* row);
// XPASS where a known bug has gone, else XFAIL where one is known, else PASS. row->reason says
// which bug. The row has nothing else against it.
enum results_row_verdict ceilings_verdict(struct results_row* row);

// ---- Coverage ---------------------------------------------------------------------------------

// Samples, judged or refused, in one kind of code and these regions (bits 1 << enum
// results_region).
uint64_t coverage_samples(const struct results_run* run, enum results_code_kind kind,
                          uint32_t regions);
#define COVERAGE_ALL_REGIONS ((1u << RESULTS_REGION_COUNT) - 1)
// Has a cell that the row's case is for too few samples? row->reason then names it.
bool coverage_is_empty(struct results_row* row);
// Is the row's case for a stub that this JVM does not have? row->reason then says which.
bool coverage_is_impossible(struct results_row* row);
// Says in row->note that cells were wanted and could not be asked for.
void coverage_note(struct results_row* row);
// Prints the table, a line for each run that has samples; nothing where no run has.
void coverage_print(const struct results_report* report, FILE* out);

// ---- Scopes beside each other -----------------------------------------------------------------

// Prints the table; nothing where only one scope was run.
void observer_print(const struct results_report* report, FILE* out);

// ---- Evidence ---------------------------------------------------------------------------------

// "libjvm.so+0x8a1c2e" of a sample in a library. False: it was in none that is known.
bool evidence_where(const struct results_sample* sample, char* text, size_t size);

// ---- Plain output -----------------------------------------------------------------------------

// Everything printed to plain_open's stream is passed on to `out` at plain_close, as results_plain
// prints it; line ends stay. Without memory the stream is `out` itself: a raw report is better than
// none.
struct plain_stream {
    FILE *in, *out;
    char* text;
    size_t size;
};
FILE* plain_open(struct plain_stream* stream, FILE* out);
void plain_close(struct plain_stream* stream);

#endif
