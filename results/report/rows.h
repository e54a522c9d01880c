// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What the files of this room ask of each other for one row: ceilings, coverage, plain output.
#ifndef RESULTS_REPORT_ROWS_H
#define RESULTS_REPORT_ROWS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "report.h"

// ---- Ceilings: pure; the row is counted before ------------------------------------------------

// What is known of the row's layer; never NULL.
const struct results_expected* ceilings_expected(const struct results_row* row);
// The row's ceiling for that; NULL: none.
const struct results_ceiling* ceilings_find(const struct results_row* row,
                                            enum results_subject subject, uint32_t index);
// Books the row's walking errors: fills cause[], expected, known and unexplained.
void ceilings_book(struct results_row* row);
// The answers refused with one code, and whether they are more than may be where nothing was
// measured (results_refusal_limit).
struct ceilings_refused {
    uint64_t refused, answers;
    bool above;
};
struct ceilings_refused ceilings_refused(const struct results_row* row, enum oracle_refusal code);
// Has the row more than was measured on healthy JDKs? row->reason then says of what.
bool ceilings_exceeded(struct results_row* row);
// Was the cause measured in rows like this one, not only in other cases?
bool ceilings_is_measured(const struct results_row* row, uint32_t cause);
// Adds to the reason which of the unexplained are of causes that were never measured on the
// release.
void ceilings_name_unmeasured(struct results_row* row);
// The cause of that index; NULL: the row's list has none such.
const struct results_cause* ceilings_cause(const struct results_row* row, uint32_t index);
// Must the row, a control's, show this cause?
bool ceilings_is_control(const struct results_row* row, uint32_t cause);
// The names of causes, "a or b", into text; returns it.
#define CEILINGS_CAUSES 256
const char* ceilings_causes(const struct results_row* row, uint64_t causes,
                            char text[CEILINGS_CAUSES]);
// XPASS where a measured cause has gone, else XFAIL where a bug's was seen, else PASS. row->reason
// names them. The row has nothing else against it.
enum results_row_verdict ceilings_verdict(struct results_row* row);

// ---- Ends -------------------------------------------------------------------------------------

// The known cause by which a walker died; NULL: the JVM ended otherwise, or it is not known.
const struct results_cause* verdict_crash_cause(const struct results_execution* execution);

// ---- Power ------------------------------------------------------------------------------------

// The smallest rate of additional events that makes at least `needed` of `trials`, `seen` among
// them, with 95 % probability. 0 where they are there already, 1 where there is none.
double power_rate(uint64_t seen, uint64_t needed, uint64_t trials);
// The least number of events whose 95 % interval lies above the limit; trials + 1: no number.
uint64_t power_over_limit(uint64_t trials, double limit);
// Do so many events lie above what was measured, and their interval above the floor?
bool ceilings_above(uint64_t events, uint64_t trials, const struct results_ceiling* ceiling,
                    double floor);
// The ceiling's floor in this row.
double ceilings_floor(const struct results_row* row, const struct results_ceiling* ceiling);

// ---- All rows together ------------------------------------------------------------------------

// Fills known and pools of a report whose rows are judged. 0, or -1 without memory.
int pools_gather(struct results_report* report);
void pools_free(struct results_report* report);
// The first pool that failed; NULL: none.
const struct results_pool* pools_failed(const struct results_report* report);
// "unexplained 30/200000 = ... of all rows, above the limit of 0.05 %".
#define POOLS_TEXT 192
const char* pools_reason(const struct results_pool* pool, char text[POOLS_TEXT]);
// "; would notice 0.12 % in the median row, ..." into text, empty where no row passes.
const char* pools_power(const struct results_report* report, char text[POOLS_TEXT]);

// ---- answers.c --------------------------------------------------------------------------------

// Prints what an engineer asks at the end: is this JDK worse than what was measured, what is new,
// where to look, what was not seen. Nothing where there are no rows.
void answers_print(const struct results_report* report, FILE* out);
// Print the known bugs with the unexplained, and the pools.
void pools_print_known(const struct results_report* report, FILE* out);
void pools_print(const struct results_report* report, FILE* out);

// ---- Exact sandwiches: pure; the row is counted before ----------------------------------------

// Their walking errors of no cause: a part of row->unexplained.
uint64_t exact_unexplained(const struct results_row* row);
// What is held against row->limit: the row's other unexplained errors. Those of no cause among the
// exact ones have a limit of their own.
uint64_t exact_others(const struct results_row* row);
// Of these, those of sandwiches that were not exact: at least so many, because a run does not say
// how many of the exact ones are of a known cause that was never measured here.
uint64_t exact_inexact(const struct results_row* row);
uint64_t exact_inexact_judged(const struct results_row* row);
// Does their interval lie above the limit? row->reason then says so.
bool exact_exceeded(struct results_row* row);
// Was no frame of its answers compared with anything? Then any others would have passed as well,
// as where no method on the stacks was instrumented.
bool exact_compares_nothing(const struct results_row* row);
// Says in row->note how many there were, and what share of the frames was judged.
void exact_note(struct results_row* row);
// Layer profiler: whether more samples belong to no instant than chance leaves, and why in the
// reason; the accounts, in the note.
bool profiler_astray(struct results_row* row);
// The same: whether its samples could not be judged.
bool profiler_lacks(struct results_row* row);
// The counts of the subjects that only this layer has; 0 in others.
uint64_t profiler_events(const struct results_row* row, enum results_subject subject);
// Its signals that the record has: only of these is it known which led to a sample.
uint64_t profiler_signals(const struct results_row* row);
void profiler_note(struct results_row* row);

// ---- Coverage ---------------------------------------------------------------------------------

#define COVERAGE_ALL_REGIONS ((1u << RESULTS_REGION_COUNT) - 1)
// C1's share of the samples in compiled code, 0..1; 0 where too few say so. `run` may be NULL.
double coverage_c1(const struct results_run* run);
// Has a cell that the row's case is for too few samples? row->reason then names it.
bool coverage_is_empty(struct results_row* row);
// Is the row's case for a stub that this JVM does not have? row->reason then says which.
bool coverage_is_impossible(struct results_row* row);
// Says in row->note that cells were wanted and could not be asked for.
void coverage_note(struct results_row* row);
// Prints the table, a line for each run that has samples; nothing where no run has.
void coverage_print(const struct results_report* report, FILE* out);

// ---- Density ----------------------------------------------------------------------------------

// A line for each scope: the part of the methods that was instrumented, and of the frames in layer
// async that was judged. Nothing where no method was seen.
void density_print(const struct results_report* report, FILE* out);

// ---- Scopes beside each other -----------------------------------------------------------------

// Prints the table; nothing where only one scope was run.
void observer_print(const struct results_report* report, FILE* out);

// ---- Threads that wait ------------------------------------------------------------------------

// Of all threads' count, that of those that ran; 0 where more waited: a JVM that was killed may
// have counted one of two.
uint64_t waiting_rest(uint64_t all, uint64_t waited);
// Prints the tables of source wall: by run, and by cause. Nothing where no thread that waited was
// asked.
void waiting_print(const struct results_report* report, FILE* out);

// ---- Spoiled contexts -------------------------------------------------------------------------

// Prints the table of layer hostile by change; nothing where it was not asked for.
void hostile_print(const struct results_report* report, FILE* out);
// Prints the table of layer survive by moment, and its first errors; nothing where it was not asked
// for.
void survive_print(const struct results_report* report, FILE* out);

// ---- Evidence ---------------------------------------------------------------------------------

// "libjvm.so+0x8a1c2e" of a sample in a library. False: it was in none that is known.
bool evidence_where(const struct results_sample* sample, char* text, size_t size);

// An address in the process of the JVM, as text: "libjvm.so+0x8a1c2e" where it was in a library's
// code, else "pc 0x7f25a7030f16". Returns text.
#define ROWS_PLACE 64
const char* rows_place(const struct results_run* run, uint64_t pc, char text[ROWS_PLACE]);

// ---- Notes ------------------------------------------------------------------------------------

// Adds to the row's note, behind "; " where there is something already. A part that does not
// fit is left out, and "; ..." says so: a number that was cut would be a smaller one.
__attribute__((format(printf, 2, 3))) void rows_note(struct results_row* row, const char* format,
                                                     ...);

// ---- Columns ----------------------------------------------------------------------------------

// The width of a column that is to hold the text, too.
int rows_wider(int width, const char* text);

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

// ---- Traces -----------------------------------------------------------------------------------

// The two traces of a recorded sample, expected and observed, with the names that the record has.

#define TRACES_FRAMES 256 // of each trace: a longer one is cut to a window around the difference

struct traces_frame {
    const char* name;   // "class.method(descriptor)", the record's; NULL: not known
    const char* source; // the source file's name, the record's; NULL: not known
    uint64_t id;        // jmethodID, or the method's number where `numbered`
    int32_t bci;        // as the walker gave it; TRACES_BCI_NONE: an expected frame has none
    int32_t old_bci;    // in the original class file
    uint32_t line;      // of the source, 0: not known
    bool numbered;
    bool instrumented; // the method pushes and pops
};
#define TRACES_BCI_NONE INT32_MIN

// One side. Youngest frame first.
struct traces_side {
    uint32_t count; // frames of the whole trace
    uint32_t first; // the window begins at this one
    uint32_t kept;  // frames in the window
    struct traces_frame frames[TRACES_FRAMES];
};
struct traces {
    struct traces_side expected, observed;
};

// Fills both sides. The expected one is the trace stack, or the witness where there is one.
void traces_make(const struct results_record* record, const struct results_sample* sample,
                 struct traces* traces);
// The index-th scope that the code's debug information has for the youngest compiled frame. False:
// there is none, or they were not looked up.
bool traces_scope(const struct results_record* record, const struct results_sample* sample,
                  uint32_t index, struct traces_frame* scope);
// The name of the method that owns the code the sample was in; NULL: none, or not known.
const char* traces_owner(const struct results_record* record, const struct results_sample* sample);

// ---- Digests ----------------------------------------------------------------------------------

// What a run's record says of its mismatches, gathered in one pass: how many there are in each
// cluster, their votes, and the best one to show. Accusations that were taken back have votes, but
// are never shown.

#define DIGEST_PLACES 4 // functions of a cluster that are told apart
#define DIGEST_PLACE 96

// The recorded mismatches of one of the run file's clusters.
struct digest_cluster {
    uint32_t cluster; // index + 1
    uint64_t kept;
    uint64_t votes[RESULTS_VOTE_COUNT];
    uint64_t best;  // the number of the one to show; 0: all were taken back
    int best_worth; // the more the better
    uint8_t state;  // of the thread; 0: not known, or they differ
    // Of those in libraries, a place in each function: "libjvm.so+0x8a1c2e". More functions than
    // these: place_count is DIGEST_PLACES + 1.
    char functions[DIGEST_PLACES][64]; // by their beginnings
    char places[DIGEST_PLACES][DIGEST_PLACE];
    unsigned place_count;
};

// The digest of an execution's record, made at the first call. NULL: it has no record, or no
// memory. It is the report's.
const struct digest* digest_of(const struct results_report* report,
                               const struct results_execution* execution);
// Of a cluster, index + 1. NULL: none of its mismatches is recorded.
const struct digest_cluster* digest_cluster(const struct digest* digest, uint32_t cluster);
// The mismatch of the layer that shows most; 0: there is none.
uint64_t digest_worst(const struct digest* digest, enum oracle_layer layer);
// The votes on the layer's mismatches.
const uint64_t* digest_votes(const struct digest* digest, enum oracle_layer layer);

void digest_free(struct digest* digest);

// ---- Clusters ---------------------------------------------------------------------------------

// The clusters of all runs, merged into groups, and as text.

// Fills groups, group_rows and clusters_lost of a report whose rows are judged. 0, or -1 without
// memory, nothing then changed.
int clusters_gather(struct results_report* report);
void clusters_free(struct results_report* report);

// The largest groups of unexplained errors and of attribution, a line or two each.
void clusters_print_head(const struct results_report* report, FILE* out);

// ---- Relations --------------------------------------------------------------------------------

// How two traces differ, in words.

// From a mismatch's verdict, the place of the youngest frame that differs (0 the youngest itself, 1
// its caller, 2 older) and how many instrumented frames the walker lost (negative: has in excess;
// -3 and 3 stand for "or more"): "caller missing", "stops at the youngest frame, 3 or more lost".
void relation_text(enum oracle_verdict verdict, int place, int lost, char* text, size_t size);

// ---- Machine code -----------------------------------------------------------------------------

// Machine code as text, by capstone.

#define DISASSEMBLE_MNEMONIC 32

// The mnemonic of the instruction that begins with these bytes, of which the last may be missing:
// an instruction's first 8 bytes are all that some records keep. "(bad)" if they begin none, empty
// where there are none.
void disassemble_mnemonic(enum results_processor processor, const uint8_t* bytes, size_t count,
                          char text[DISASSEMBLE_MNEMONIC]);

// The code around `pc`.
struct disassemble_window {
    const uint8_t* bytes;
    size_t count;
    uint64_t at;        // the address of bytes[0]
    uint64_t pc;        // of the instruction to mark
    uint64_t beginning; // an address at which an instruction begins; 0: not known
    enum results_processor processor;
};

// Prints up to `before` and `after` instructions around the marked one, a line each. Where an
// instruction began before pc is a guess on x86-64 unless `beginning` lies in the window: the
// longest decoding that ends at pc. Prints nothing if pc is outside the window.
void disassemble_print(const struct disassemble_window* window, unsigned before, unsigned after,
                       FILE* out);

#endif
