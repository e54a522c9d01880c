// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// TODO door
#ifndef RESULTS_REPORT_REPORT_H
#define RESULTS_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "oracle/oracle.h"
#include "results/record/record.h"

// ---- What a run comes to ----------------------------------------------------------------------
// From here on it is the runner's side: the agent does not link these.

// The verdict of one row (case, mode, scope, layer), and of a whole report. NAME, text,
// explanation. Exit statuses follow from them: see results_exit_status.
#define RESULTS_ROW_VERDICTS(V)                                                                    \
    V(PASS, "PASS", "enough was judged, and no more mismatches than the limit allows")             \
    V(FAIL, "FAIL", "mismatches beyond the limit, or the case's own check failed")                 \
    V(CRASH, "CRASH", "the JVM under test died")                                                   \
    V(HANG, "HANG", "the JVM under test did not end within its time limit and was killed")         \
    V(INCONCLUSIVE, "INCONCLUSIVE", "too little was judged to say anything")                       \
    V(VACUOUS, "VACUOUS",                                                                          \
      "the case never did the work, or never reached the code, that it is for")                    \
    V(SKIP, "SKIP", "not run, for the reason given")                                               \
    V(XFAIL, "XFAIL",                                                                              \
      "what is known to be wrong, no more: a known bug, or what a control must show")              \
    V(XPASS, "XPASS",                                                                              \
      "a known bug has gone: nothing is wrong, but the expectation is out of date")                \
    V(XPASS_CONTROL, "XPASS_CONTROL",                                                              \
      "a control: the errors that it must show were not found; the JVM was fixed, or Plumbline "   \
      "does not see")                                                                              \
    V(HARNESS, "HARNESS", "Plumbline or its surroundings failed: nothing is said of the JVM")

enum results_row_verdict {
#define RESULTS_ROW_VERDICT_ENUM(name, text, explanation) RESULTS_ROW_##name,
    RESULTS_ROW_VERDICTS(RESULTS_ROW_VERDICT_ENUM)
#undef RESULTS_ROW_VERDICT_ENUM
        RESULTS_ROW_VERDICT_COUNT
};
// Static text, never NULL.
const char* results_row_verdict_text(enum results_row_verdict verdict);
const char* results_row_verdict_explanation(enum results_row_verdict verdict);

// The exit status by which the agent ends a JVM after one of its own asserts failed: the agent's
// AGENT_EXIT_ASSERT, which this room may not include.
#define RESULTS_EXIT_ASSERT 86

// How a JVM came to its end, as its parent saw it.
enum results_end {
    RESULTS_END_SKIPPED,     // it was never to run: see `note`
    RESULTS_END_FAILED,      // it could not be started: see `note`
    RESULTS_END_EXITED,      // status: its exit status
    RESULTS_END_SIGNALLED,   // status: the signal that ended it
    RESULTS_END_TIMED_OUT,   // killed at its time limit
    RESULTS_END_INTERRUPTED, // killed because the user interrupted the runner
};

// Did the case do its work? Programs of the user's are not asked.
enum results_work { RESULTS_WORK_NOT_ASKED, RESULTS_WORK_NONE, RESULTS_WORK_DONE };

// A cell of coverage that a case is for: samples in any of these kinds of code and these regions,
// or in stubs of these names.
struct results_wanted {
    const char* text; // as the case names it: "c2/body", "stub=*crc32*"
    const char* stub; // a glob as fnmatch's with FNM_CASEFOLD and FNM_EXTMATCH; NULL: any
    uint32_t kinds;   // bits 1 << enum results_code_kind
    uint32_t regions; // bits 1 << enum results_region
};

// The walking errors, as bits 1 << enum oracle_verdict.
#define RESULTS_WALKING_ERRORS ((2u << ORACLE_WALKING_LAST) - (1u << ORACLE_MISMATCH_FIRST))

// The highest rate at which walkers of healthy JDKs were seen to err in some way, in one row.
struct results_ceiling {
    uint32_t verdicts;  // bits 1 << enum oracle_verdict: their sum is held against `rate`
    double rate;        // a fraction
    double floor;       // with `bug`: where the rate is surely below it the bug has gone; 0: never
    const char* bug;    // the known bug's number, or NULL
    const char* source; // the measurement and the reason, for a reader; or NULL
};

// What is known of one layer of a case in a mode and release: what a control must show, and
// ceilings.
struct results_expected {
    uint32_t verdicts; // of a control: bits, any of which will do; 0: it is none
    bool required;     // to be found; else it may be found
    const struct results_ceiling* ceilings; // no verdict is in two; a control's own are left out
    size_t ceiling_count;
};

// One JVM run and what is known of it. Texts are the caller's and outlive the report.
struct results_execution {
    const char* case_name;
    const char* mode;
    const char* scope;
    const char* directory; // where its files are; NULL if it has none
    const char* note;      // SKIPPED, FAILED: why; a crash: what hs_err says of the place; or NULL
    const char* remark;    // what a reader should know of each row, whatever the verdict; or NULL
    const char* wrong;     // what a check of the runner's found wrong in what it printed; or NULL
    uint32_t layers;       // wanted: bit 1 << enum oracle_layer
    uint32_t few;          // of them: has little to judge here, so that too few samples is SKIP
    bool program;          // a program of the user's: its exit status is its own affair
    bool hs_err;           // HotSpot left an hs_err file
    enum results_end end;
    int status;
    int status_wanted; // the exit status of one that went well
    enum results_work work;
    double seconds;                      // from start to end
    uint64_t units;                      // of work that the case says it did; 0: not said
    double unit_seconds;                 // in which it did them, by its own clock
    const struct results_wanted* wanted; // cells that this case must reach in this mode
    size_t wanted_count;
    const struct results_expected* expected; // by enum oracle_layer; NULL: nothing anywhere
    const struct results_run* run;           // NULL where there is no file
    const struct results_record* record;     // NULL where there is none
};

// One row. Filled by results_row_judge.
struct results_row {
    const struct results_execution* execution;
    enum oracle_layer layer;
    struct results_layer counts; // a copy; in `ground`, the pops that were right are in AGREE
    uint64_t judged, mismatched; // without our own code; mismatched: walking errors only
    uint64_t expected;           // of mismatched: by verdicts that the control is to show here
    uint64_t known;              // of mismatched: by verdicts that have a ceiling
    uint64_t attribution;        // the other mismatches: never added to the walking errors
    uint64_t own_judged, own_mismatched;
    struct oracle_interval interval;             // of mismatched / judged, 95 %
    struct oracle_interval attribution_interval; // of attribution / judged, 95 %
    double limit;                                // FAIL where the interval lies above it
    double attribution_limit;                    // the same for attribution
    uint64_t minimum;                            // INCONCLUSIVE where less was judged
    enum results_row_verdict verdict;
    char reason[640]; // empty for PASS
    char note[192];   // what a reader should know whatever the verdict; or empty
};

// Least numbers of judgements that a row must have to pass.
#define RESULTS_MINIMUM_SAMPLES 1000u // async, structure
#define RESULTS_MINIMUM_WALKS 300u    // sandwich: enough to know 5 % from twice as much
#define RESULTS_MINIMUM_CHECKS 10000u // ground, gst, safepoint
// Least number of samples, judged or refused, in each cell that a case is for.
#define RESULTS_MINIMUM_CELL 10u

// The highest rate of walking errors that is let pass where no ceiling was measured: the general
// limit.
double results_limit(enum oracle_layer layer, const char* mode);
// The same for attribution.
double results_attribution_limit(const char* mode);
// Counts and judges one layer of one execution. Pure: the same run gives the same row.
void results_row_judge(const struct results_execution* execution, enum oracle_layer layer,
                       struct results_row* row);

// Mismatches that are alike, over all runs of a report: the runs' clusters, merged where a reader
// would call them the same. `instruction` is a mnemonic, empty without a program counter; `name`
// that of a stub, or of a library's function where the symbols are known, else empty; `relation`
// says in words how the two traces differ.
struct results_group {
    enum oracle_layer layer;
    enum oracle_verdict verdict;
    enum results_code_kind code_kind;
    enum results_region region;
    char instruction[32], name[80], relation[64];
    uint64_t count;
    uint64_t of;                        // mismatches of its layer and sort, walking or attribution
    uint64_t judged;                    // by its layer, in all runs of the report
    uint64_t kept;                      // recorded, those taken back among them; of these:
    uint64_t votes[RESULTS_VOTE_COUNT]; // by vote
    const struct results_group_row* rows; // where it was seen, the most frequent first
    size_t row_count;
    const struct results_execution* example; // the run that recorded one of them, NULL: none did
    uint64_t example_sequence;               // its number in the example's record
    int example_worth;
};
struct results_group_row {
    const struct results_execution* execution;
    uint64_t count;
};

// Names the function at a place in a library: "libjvm.so+0x8a1c2e" to "frame::sender(...)+0x1e" in
// text. False where no symbol is known; text is then untouched.
typedef bool results_symbol(void* context, const char* where, char* text, size_t size);

// Everything that one command ran. The caller fills the upper part; results_report_judge the rest.
struct results_report {
    const char* command; // as it can be typed again
    const char* directory;
    const char* jdk_home;
    const char* jdk_version;
    const char* jdk_vm;
    uint64_t seed;
    const struct results_execution* executions;
    size_t execution_count;
    size_t planned;         // runs that were to be made
    bool interrupted;       // by the user, before the plan was through
    results_symbol* symbol; // NULL: libraries' places keep their offsets
    void* symbol_context;

    struct results_row* rows; // the report's: results_report_free
    struct digest** digests;  // the report's: what the executions' records say
    size_t row_count;
    struct results_group* groups; // the largest first, walking errors before attribution
    size_t group_count;
    struct results_group_row* group_rows;
    uint64_t clusters_lost;           // mismatches that found no place in their run's clusters
    enum results_row_verdict verdict; // of the whole
    char summary[640];                // the verdict in one line
};

// Makes room for what the executions' records say of their mismatches. 0, or -1 without memory.
// results_report_judge does so itself; a report that was read back needs it.
int results_report_open(struct results_report* report);
// Makes the rows and the verdict. 0, or -1 without memory.
int results_report_judge(struct results_report* report);
void results_report_free(struct results_report* report);
// 0 pass, XFAIL, XPASS; 1 FAIL, CRASH, HANG, XPASS_CONTROL; 3 HARNESS; 4 INCONCLUSIVE, VACUOUS
// (SKIP alone is inconclusive).
int results_exit_status(enum results_row_verdict verdict);
// The one of two reports' verdicts that makes both as bad as the worse of them.
enum results_row_verdict results_worse(enum results_row_verdict a, enum results_row_verdict b);

// ---- Reporters --------------------------------------------------------------------------------

// "12/9999 = 0.120 % [0.062, 0.210]"; no events: "0/9999 < 0.037 %"; no trials: "0/0". Returns
// text.
#define RESULTS_RATE_TEXT 96
const char* results_rate_text(uint64_t events, uint64_t trials, char text[RESULTS_RATE_TEXT]);

// The clusters' heads, the tables, the worst three rows' evidence, and the summary as the last
// line.
void results_table(const struct results_report* report, FILE* out);
// The mismatch of the row that shows most, as results_show prints it. False: none is recorded.
bool results_evidence(const struct results_report* report, const struct results_row* row,
                      FILE* out);
// The votes on the row's recorded mismatches, by enum results_vote.
const uint64_t* results_votes(const struct results_report* report, const struct results_row* row);
// Every cluster with its numbers and one example: what the run directory's clusters.txt holds.
void results_clusters(const struct results_report* report, FILE* out);
// Prints a text that the program under test may have chosen as all reports do: what a terminal
// would obey, or nobody would see, as \xNN or \uNNNN.
void results_plain(const char* text, FILE* out);

// ---- plain --------------------------------------------------------------------------------------
// Names come from the program under test, which may be hostile, and from the memory of a JVM that
// was dying. What is given out here is UTF-8 that XML, JSON, browsers and terminals take, and in
// which nothing is invisible. It is not yet escaped for any of them.

// The text with whatever is no UTF-8, a control character, or one that changes the direction of
// writing or is not to be seen, as \xNN (a byte) or \uNNNN; line ends and tabs are left where
// `lines`. Cut at about `limit` bytes, with "..." behind it. Freed by the caller; NULL without
// memory. A text of NULL is empty.
char* plain_copy(const char* text, size_t limit, bool lines);
#define PLAIN_LINE 4096 // enough for any name, and a page stays a page

// What is printed to plain_open's stream comes to `out`, plain, its lines left, at plain_close.
// Without memory the stream is `out` itself: a raw report is better than none.
struct plain_stream {
    FILE *in, *out;
    char* text;
    size_t size;
};
FILE* plain_open(struct plain_stream* stream, FILE* out);
void plain_close(struct plain_stream* stream);

// ---- evidence -----------------------------------------------------------------------------------
// One mismatch as text.

// The mismatch of that number in the execution's record: heading, the two traces side by side, and
// what the thread was at. `whole`: with all of the stack that was kept. False: there is none of that
// number, or no memory.
bool results_show(const struct results_report* report, const struct results_execution* execution,
                  uint64_t sequence, bool whole, FILE* out);

// The two traces line by line, youngest first, each side as "class.method(descriptor) @bci
// File.java:line", "" where it has no such frame; `mark` as README.md lists them. Where `skipped`
// is not 0 so many lines without difference were left out before the line, and a mark of 0 is no
// line but the end. False without memory.
typedef void evidence_visit(void* context, size_t skipped, char mark, const char* expected,
                            const char* observed);
struct evidence_counts {
    uint32_t expected, observed; // frames of the whole traces
};
bool evidence_lines(const struct results_record* record, const struct results_sample* sample,
                    evidence_visit* visit, void* context, struct evidence_counts* counts);

// What the interrupted thread was at: code, instruction, registers, stack, the same walk again.
// Nothing for checks at pushes, which have no program counter.
void context_print(const struct results_report* report, const struct results_record* record,
                   const struct results_sample* sample, bool whole, FILE* out);
// "libjvm.so+0x8a1c2e" of a sample in a library. False: it was in none that is known.
bool evidence_where(const struct results_sample* sample, char* text, size_t size);
// RESULTS_BLAME_* in words. Static text.
const char* evidence_blame_text(uint32_t blame);

// ---- coverage -----------------------------------------------------------------------------------
// What a run's samples reached, and whether that is what its case is for.

// Is the row one whose samples the run's coverage counts? That of layer async, or of structure
// where the run has no async.
bool coverage_is_of(const struct results_row* row);
// Could the agent tell what code the samples were in? Not if the JVM's structure tables were
// unusable, or if nothing was recorded.
bool coverage_is_known(const struct results_run* run);
// Samples, judged or refused, in one kind of code and these regions (bits 1 << enum
// results_region).
uint64_t coverage_samples(const struct results_run* run, enum results_code_kind kind,
                          uint32_t regions);
#define COVERAGE_ALL_REGIONS ((1u << RESULTS_REGION_COUNT) - 1)

// The name of a stub that the JVM has. False: the place is free, or was being filled.
bool coverage_stub_name(const struct results_stub* stub, char name[RESULTS_STUB_NAME]);

// The same over a cell that a case is for.
uint64_t coverage_wanted(const struct results_run* run, const struct results_wanted* wanted);

// True where a cell that the row's case is for has too few samples; row->reason then names it.
bool coverage_is_empty(struct results_row* row);
// True where the row's case is for a stub that this JVM has not; row->reason then says which.
bool coverage_is_impossible(struct results_row* row);
// Says in row->note that cells were wanted and could not be asked for.
void coverage_note(struct results_row* row);

// The table, a line for each run that has samples; nothing where no run has.
void coverage_print(const struct results_report* report, FILE* out);

// ---- observer -----------------------------------------------------------------------------------
// What the instrumentation changed: the same case and mode in several scopes, beside each other.

// One case and mode in one scope. Rows are NULL where the scope has no such layer.
struct observer_cell {
    const struct results_execution* execution;
    const struct results_row *async, *structure, *sandwich;
    uint64_t refused, answered; // of the sampled layer: async, or structure where there is none
    double speed;               // units of work a second; 0: not known
    double relative;            // to scope none; 0: not known
};

// Is there more than one scope in the report?
bool observer_is_asked(const struct results_report* report);
// Fills the cells of the case and mode that executions[first] is the first of, in the executions'
// order; gives their number (at most `room`), 0 where an earlier execution is of the same two.
size_t observer_cells(const struct results_report* report, size_t first,
                      struct observer_cell* cells, size_t room);
#define OBSERVER_SCOPES 8

// The table; nothing where only one scope was run.
void observer_print(const struct results_report* report, FILE* out);

// ---- ceilings -----------------------------------------------------------------------------------
// Ceilings of one row: measured rates that are let pass, and known bugs. The rules stand in
// README.md. All of it is pure; rows are counted before they come here.

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
