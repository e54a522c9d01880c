// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// From the counts and records of all runs to rows with verdicts, clusters, and text. README.md has
// the rules. The runner and the formats use this room; the agent does not link it.
//
// Nothing here runs in a signal handler. Texts in these structures are the caller's unless a
// comment says otherwise.
#ifndef RESULTS_REPORT_REPORT_H
#define RESULTS_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "oracle/oracle.h"
#include "results/causes/causes.h"
#include "results/record/record.h"

// ---- Verdicts ---------------------------------------------------------------------------------

// The verdict of one row (case, mode, scope, layer), and of a whole report. NAME, text,
// explanation. results_exit_status gives the exit status.
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
      "what is known to be wrong, no more: a known bug was seen, or what a control must show")     \
    V(XCRASH, "XCRASH",                                                                            \
      "the JVM under test died, in a walker and of a known bug; what it had judged is right")      \
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

// ---- Runs -------------------------------------------------------------------------------------

// How a JVM ended, as its parent saw it.
enum results_end {
    RESULTS_END_SKIPPED,     // it was never to run: see `note`
    RESULTS_END_FAILED,      // it could not be started: see `note`
    RESULTS_END_EXITED,      // status: its exit status
    RESULTS_END_SIGNALLED,   // status: the signal that ended it
    RESULTS_END_TIMED_OUT,   // killed at its time limit
    RESULTS_END_INTERRUPTED, // killed because the user interrupted the runner
};

// Did the case do its work? The user's programs are not asked.
enum results_work { RESULTS_WORK_NOT_ASKED, RESULTS_WORK_NONE, RESULTS_WORK_DONE };

// Code that a case is for: samples in any of these kinds of code and these regions, or in stubs of
// these names.
struct results_wanted {
    const char* text; // as the case names it: "c2/body", "stub=*crc32*"
    const char* stub; // a glob as fnmatch's with FNM_CASEFOLD and FNM_EXTMATCH; NULL: any
    uint32_t kinds;   // bits 1 << enum results_code_kind
    uint32_t regions; // bits 1 << enum results_region
};

// What a ceiling is for.
enum results_subject {
    RESULTS_SUBJECT_CAUSE,
    RESULTS_SUBJECT_REFUSAL,
    RESULTS_SUBJECT_ATTRIBUTION,
    RESULTS_SUBJECT_TRANSITION,
    RESULTS_SUBJECT_SILENT, // layer profiler: signals that led to no sample, and nobody was told
    RESULTS_SUBJECT_CUT,    // stacks that say that older frames are missing
    RESULTS_SUBJECT_EMPTY   // samples without frames
};
// The subjects that only the layer `profiler` has: their names; NULL: of another subject.
const char* results_subject_profiled(enum results_subject subject);

// How often something was seen on healthy JDKs in rows like this one: the logarithm of a run's rate
// has this mean's logarithm and this spread.
struct results_ceiling {
    enum results_subject subject;
    uint32_t index;     // of the cause in results_execution.causes, or enum oracle_refusal; else 0
    double mean;        // geometric mean of the runs' rates, a fraction
    double spread;      // standard deviation of the natural logarithm of the rate, between runs
    const char* source; // the measurement, for a reader; or NULL
    bool elsewhere; // never measured in this row: of a cause in other cases of the release, of a
                    // refusal in another scope, mode or case
    // Of a cause where C1's and C2's code is mixed: the same where all code is C1's; 0: not known.
    double c1_mean, c1_spread;
    // More than this fails, whatever the spread lets pass: results_ceiling_most; 0: not known.
    double most;
};
// No ceiling lets more pass than so many times what was measured: `highest` is the highest rate of
// the runs that the ceiling is of, about; `anywhere` the highest mean of its subject in any case,
// in the same layers and modes. Nor does it let all pass. A fraction.
double results_ceiling_most(enum results_subject subject, double highest, double anywhere);

// What is known of one layer of a case in a mode and release.
struct results_expected {
    uint64_t control; // causes that a control must show: bits 1 << index, any of which will do; 0:
                      // it is none
    bool required;    // they must be found; else they may be
    const struct results_ceiling* ceilings; // a subject and index stand once at most
    size_t ceiling_count;
};

// The compilers whose inlining is compared.
enum results_compiler { RESULTS_COMPILER_C1, RESULTS_COMPILER_C2, RESULTS_COMPILERS };
// Call sites by (caller, bci, callee), of the last compilation of each method by one compiler.
struct results_inlined {
    uint64_t bare;     // inlined in scope none; 0: not known
    uint64_t compiled; // of these: the compiler had the caller in the instrumented run as well
    uint64_t kept;     // of these: and it inlined the site
};

// One JVM run and what is known of it. The texts outlive the report.
struct results_execution {
    const char* case_name;
    const char* mode;
    const char* scope;
    const char* directory;  // where its files are; NULL if it has none
    const char* note;       // SKIPPED, FAILED: why; a crash: the place from hs_err; or NULL
    const char* remark;     // for the reader of each row, whatever the verdict; or NULL
    const char* wrong;      // what the runner found wrong in its output; or NULL
    const char* unprofiled; // why the samples of a profiler could not be judged; or NULL
    const char* spoiled;    // what of the run's file no agent wrote (results_run_mend); or NULL
    uint32_t layers;        // wanted: bit 1 << enum oracle_layer
    uint32_t few;           // of them: those with little to judge here: too few samples is SKIP
    bool emulated;          // the JVM ran under an emulator, so it did less of everything
    bool program;           // the user's program: its exit status is not judged
    bool hs_err;            // HotSpot left an hs_err file
    uint32_t died_thread;   // a crash: the thread that died, as the system numbers it; 0: not known
    const char* asked_in;   // a crash in a walker: the function it was asked about; or NULL
    int release;            // of Java; 0: not known
    enum results_end end;
    int status;
    int status_wanted; // the exit status of success
    enum results_work work;
    double seconds;      // from start to end
    uint64_t units;      // of work, as the case says; 0: it did not say
    double unit_seconds; // that these took, by the case's own clock
    struct results_inlined inlined[RESULTS_COMPILERS]; // against scope none
    const struct results_wanted* wanted; // cells that this case must reach in this mode
    size_t wanted_count;
    const struct results_expected* expected; // by enum oracle_layer; NULL: nothing anywhere
    const struct results_causes* causes;     // as the runner read cases/causes.ini; NULL: none
    const struct results_run* run;           // NULL where there is no file
    const struct results_record* record;     // NULL where there is none
};

// One row. Filled by results_row_judge.
struct results_row {
    const struct results_execution* execution;
    enum oracle_layer layer;
    struct results_layer counts; // a copy; in `ground`, the pops that were right are in AGREE
    struct results_layer waited; // of counts, source wall: threads that waited
    uint64_t judged, mismatched; // without our own code; mismatched: walking errors only
    // The walking errors by index in execution->causes. [0]: of no cause, or of one that is not
    // in that list.
    uint64_t cause[RESULTS_CAUSES];
    uint64_t bursts[RESULTS_CAUSES]; // of these: in how many bursts they came (record.h)
    uint64_t expected;               // of mismatched: of the causes that the control must show here
    uint64_t known;                  // of mismatched: of other causes that have a ceiling
    uint64_t unexplained;            // of mismatched: the rest
    uint64_t attribution;            // the other mismatches: never added to the walking errors
    uint64_t own_judged, own_mismatched;
    // Layer async: mismatches, attribution among them, and those of them whose vote never came:
    // the thread neither pushed nor popped again, or GetStackTrace could not be judged there.
    uint64_t accusations, open;
    // Layer gst: checks made only because of an accusation, which are not in `judged`, and those of
    // them that contradicted the trace stack. One fails the row.
    uint64_t settling_checks, settling_mismatches;
    uint64_t frames, unread_frames;  // layer structure: of all answers; without code to judge by
    struct oracle_interval interval; // of mismatched / judged, 95 %
    struct oracle_interval attribution_interval; // of attribution / judged, 95 %
    double limit;             // FAIL where the interval of the unexplained lies above it
    double attribution_limit; // the same for attribution
    double transition_limit;  // and for counts.verdict[ORACLE_TRANSITION]
    uint64_t minimum;         // INCONCLUSIVE where less was judged
    // Power: with 95 % probability this row would have been FAIL, had so many more been unexplained
    // errors, or refusals of one code (the code that is noticed last). A fraction; 1 where not even
    // all would have been noticed. Filled by results_row_power.
    double notices, notices_refusals;
    enum results_row_verdict verdict;
    char reason[640]; // empty for PASS
    char note[512];   // for the reader, whatever the verdict; or empty
};

#define RESULTS_NOTICES_UNKNOWN (-1.0) // not worked out, or an older results.json without it

// Least numbers of judgements that a row must have to pass.
#define RESULTS_MINIMUM_SAMPLES 1000u // async, structure
#define RESULTS_MINIMUM_WALKS 300u    // sandwich: enough to know 5 % from twice as much
#define RESULTS_MINIMUM_PROFILED 100u // profiler: JFR gives some 20 samples a second of a thread
// RESULTS_MINIMUM_CHECKS: all other layers (results/record/record.h)
// The same under an emulator, where a check takes 20 ms: enough to notice 1.5 %.
#define RESULTS_MINIMUM_CHECKS_EMULATED 200u
// Least number of samples, judged or refused, in each cell that a case is for.
#define RESULTS_MINIMUM_CELL 10u

// The limit of unexplained walking errors, the same for every case. A fraction.
double results_limit(enum oracle_layer layer, const char* mode);
// The limit of refusals of one code that has no ceiling: a fraction of the answers. One that has a
// ceiling fails at no lower rate either.
#define RESULTS_LIMIT_REFUSALS 0.01
// The same of a code that tells that there is no such code at all (0: it fails at the first), and
// of the two of threads out of Java: none of those was left in quick runs of 8 to 27 once what is
// due (oracle_refusal_is_due) was told apart, but where C++ calls Java.
double results_refusal_limit(enum oracle_refusal code);
// What else has a ceiling fails at no lower rate than this; a known cause at no lower one than the
// unexplained, where that is less.
#define RESULTS_FLOOR_CEILINGS 0.001
// The index that a run's cause has in execution->causes, by its name. RESULTS_UNEXPLAINED where
// that list has none such.
uint32_t results_cause_index(const struct results_execution* execution, uint32_t cause);
// The name of a cause by its index in execution->causes.
const char* results_cause_name(const struct results_execution* execution, uint32_t index);
// The limit of attribution, a fraction of what was judged. `inlined`: pushes and pops are.
double results_attribution_limit(const char* mode, bool inlined);
// The highest share of transitions among what was judged; layer async only, 1 elsewhere.
double results_transition_limit(const struct results_execution* execution, enum oracle_layer layer);
// The limit of unexplained walking errors among exact sandwiches, those of threads that were held:
// a fraction of what was judged of them; 1 in other layers.
double results_exact_limit(enum oracle_layer layer);
// How many of the row's sandwiches were exact, and the walking errors among them. Both are part of
// what the row judged.
uint64_t results_exact_judged(const struct results_row* row);
uint64_t results_exact_mismatched(const struct results_row* row);
// What a walker was asked about when the JVM ended, as "libjvm.so+0x1234" or "pc 0x7f00"; false,
// with `text` untouched: no thread was in a walker, or it was asked at no place.
bool results_asked_at_end(const struct results_execution* execution, char* text, size_t size);
// Counts and judges one layer of one execution, into *row, without its power, which costs more than
// all the rest. Pure: the same run gives the same row.
void results_row_judge(const struct results_execution* execution, enum oracle_layer layer,
                       struct results_row* row);
// Fills the power of a row that is judged. results_report_judge does so of every row.
void results_row_power(struct results_row* row);

// ---- Clusters ---------------------------------------------------------------------------------

// Mismatches that are alike, over all runs of a report: the runs' clusters, merged where a reader
// would call them the same. `instruction` is a mnemonic, empty without a program counter. `name` is
// a stub's, or a library function's where the symbols are known, else empty. `relation` says in
// words how the two traces differ.
struct results_group {
    enum oracle_layer layer;
    enum oracle_verdict verdict;
    enum results_code_kind code_kind;
    enum results_region region;
    char cause[RESULTS_CAUSE_NAME]; // its name, "unexplained"; empty: attribution, or not known
    char instruction[32], name[80], relation[64];
    uint64_t count;
    uint64_t of;                        // mismatches of its layer and sort, walking or attribution
    uint64_t judged;                    // by its layer, in all runs of the report
    uint64_t kept;                      // recorded, those taken back among them; of these:
    uint64_t votes[RESULTS_VOTE_COUNT]; // by vote
    const struct results_group_row* rows; // where it was seen, the most frequent first
    size_t row_count;
    const struct results_execution* example; // a run that recorded one of them; NULL: none did
    uint64_t example_sequence;               // the number of that one in the run's record
    int example_worth;                       // how much it shows: rows.h
};
struct results_group_row {
    const struct results_execution* execution;
    uint64_t count;
};

// ---- All rows together ------------------------------------------------------------------------

// A cause in one layer, over all rows of a report in which it was seen or has a ceiling.
struct results_known {
    const char *name, *title, *finding, *bug; // never NULL
    enum oracle_layer layer;
    uint64_t count, judged;
    uint64_t unmeasured; // of count: in rows that have no ceiling for it, and no control
    size_t cases;        // in which it was seen
};

// A pool has the samples of many rows, and a healthy one a thirtieth of the rows' limit. So it is
// held to this part of theirs.
#define RESULTS_POOL_SHARE (1 / 3.0)

// All rows of a mode and layer that say something of the JVM.
struct results_pool {
    const char* mode;
    enum oracle_layer layer;
    size_t rows;
    uint64_t unexplained; // without those of exact sandwiches that are of no cause
    uint64_t judged;
    struct oracle_interval interval;  // of unexplained / judged, 95 %
    double limit;                     // RESULTS_POOL_SHARE of the rows' own
    double notices;                   // as a row's
    double row_notices, row_blindest; // of the rows that pass: median and worst; 1: none does
    bool failed;                      // the interval lies above the limit: the report is FAIL
};

// ---- The report -------------------------------------------------------------------------------

// Names the function at a place in a library: "libjvm.so+0x8a1c2e" to "frame::sender(...)+0x1e" in
// text. False where no symbol is known; text is then untouched.
typedef bool results_symbol(void* context, const char* where, char* text, size_t size);

// All runs of one command. The caller fills the upper part, results_report_judge the rest.
struct results_report {
    const char* command; // as it can be typed again
    const char* directory;
    const char* jdk_home;
    const char* jdk_version;
    const char* jdk_vm;
    const char* plumbline; // the version of the Plumbline that made the runs; NULL: not known
    int expected_of;       // the release whose known errors are expected, where the JDK's was not
                           // measured
    uint64_t seed;
    const struct results_execution* executions;
    size_t execution_count;
    size_t planned;         // runs that were to be made
    bool interrupted;       // by the user, before the plan was through
    results_symbol* symbol; // NULL: libraries' places keep their offsets
    void* symbol_context;

    // From here on the memory is the report's: results_report_free.
    struct results_row* rows;
    struct digest** digests; // of the executions' records: rows.h
    size_t row_count;
    struct results_group* groups; // the largest first, walking errors before attribution
    size_t group_count;
    struct results_group_row* group_rows;
    struct results_known* known; // seen causes: by layer, the most frequent first; unexplained last
    size_t known_count;
    struct results_pool* pools;
    size_t pool_count;
    uint64_t clusters_lost;           // mismatches that found no place in their run's clusters
    enum results_row_verdict verdict; // of the whole
    char summary[1024];               // the verdict in one line
};

// Makes room for the digests of the executions' records. results_report_judge does so itself; a
// report that was read back needs it. 0, or -1 without memory.
int results_report_open(struct results_report* report);
// Makes the rows, the clusters and the verdict. 0, or -1 without memory.
int results_report_judge(struct results_report* report);
void results_report_free(struct results_report* report);
// 0 pass, XFAIL, XCRASH, XPASS; 1 FAIL, CRASH, HANG, XPASS_CONTROL; 3 HARNESS; 4 INCONCLUSIVE,
// VACUOUS (SKIP alone is inconclusive).
int results_exit_status(enum results_row_verdict verdict);
// The worse of two reports' verdicts.
enum results_row_verdict results_worse(enum results_row_verdict a, enum results_row_verdict b);

// ---- Text -------------------------------------------------------------------------------------

#define RESULTS_PERCENT_TEXT 24
// "0.12 %": a fraction with two digits that count; "-" where it is negative. Returns text.
const char* results_percent_text(double rate, char text[RESULTS_PERCENT_TEXT]);
// "12/9999 = 0.120 % [0.062, 0.210]"; no events: "0/9999 < 0.037 %"; no trials: "0/0"; more events
// than trials, as counts may be that were written over: "12/9". Returns text.
#define RESULTS_RATE_TEXT 96
const char* results_rate_text(uint64_t events, uint64_t trials, char text[RESULTS_RATE_TEXT]);

// Prints the known bugs, the unexplained and their clusters, the tables, one mismatch of each of
// the three worst rows, and the summary as the last line.
void results_table(const struct results_report* report, FILE* out);
// The samples of the run's profiler that are of no instant of their own: they fit none, beyond as
// many as signals are missing in the record; they fit two; or their instant has another. An error
// of ours.
uint64_t results_astray(const struct results_run* run);
// Prints the row's mismatch that shows most, as results_show does. False: none is recorded.
bool results_evidence(const struct results_report* report, const struct results_row* row,
                      FILE* out);
// The votes on the row's recorded mismatches, by enum results_vote.
const uint64_t* results_votes(const struct results_report* report, const struct results_row* row);
// Prints every cluster with its numbers and one example: clusters.txt.
void results_clusters(const struct results_report* report, FILE* out);
// Prints a text that the program under test may have chosen. Characters that a terminal obeys, or
// that nobody sees, become \xNN or \uNNNN.
void results_plain(const char* text, FILE* out);

// The same into memory, for XML, JSON, browsers and terminals; it is not yet escaped for any of
// them. Line ends and tabs stay where `lines`. Cut at about `limit` bytes, with "..." behind. A
// text of NULL is empty. The caller frees it; NULL without memory.
char* plain_copy(const char* text, size_t limit, bool lines);
#define PLAIN_LINE 4096 // enough for any name, and a page stays a page

// ---- One mismatch -----------------------------------------------------------------------------

// The execution of the name CASE-MODE-SCOPE, as mismatches are cited; NULL: there is none.
const struct results_execution* results_execution_named(const struct results_report* report,
                                                        const char* name);
// java.vm.version of the JVM that the report's records are of; NULL: there is no record, or it does
// not tell.
const char* results_report_vm(const struct results_report* report);
// Prints the sample of that number in the execution's record: heading, the two traces side by side,
// and what the thread was doing. `whole`: with all stack words that were kept. False: the record
// has no sample of that number, or there is no memory.
bool results_show(const struct results_report* report, const struct results_execution* execution,
                  uint64_t sequence, bool whole, FILE* out);

// Visits the two traces line by line, youngest first. Each side is "class.method(descriptor) @bci
// File.java:line", or "" where it has no such frame. `mark` is one of README.md's. `skipped` lines
// without difference were left out before this one. The last call has the mark 0 and is no line.
// False without memory.
typedef void evidence_visit(void* context, size_t skipped, char mark, const char* expected,
                            const char* observed);
struct evidence_counts {
    uint32_t expected, observed; // frames of the whole traces
};
bool evidence_lines(const struct results_record* record, const struct results_sample* sample,
                    evidence_visit* visit, void* context, struct evidence_counts* counts);
// Prints what the interrupted thread was at: code, instruction, registers, stack, the same walk
// again. Prints nothing for checks at pushes, which have no program counter.
void context_print(const struct results_report* report, const struct results_record* record,
                   const struct results_sample* sample, bool whole, FILE* out);
// The name of a recorded sample's cause: as the record's property "causes" lists them, else as the
// run's file does; else "number N". The execution has a record.
void evidence_cause_name(const struct results_execution* execution, uint32_t cause,
                         char text[RESULTS_CAUSE_NAME]);
// RESULTS_BLAME_* in words. Static text.
const char* evidence_blame_text(uint32_t blame);

// ---- Parts of a row, for other formats --------------------------------------------------------

// Does the run's coverage count this row's samples? It counts those of layer async, or of structure
// where the run has no async.
bool coverage_is_of(const struct results_row* row);
// Could the agent tell what code the samples were in? Not if the JVM's structure tables were
// unusable, or if nothing was recorded.
bool coverage_is_known(const struct results_run* run);
// The name of a stub that the JVM has. False: the place is free, or was being filled.
bool coverage_stub_name(const struct results_stub* stub, char name[RESULTS_STUB_NAME]);
// Samples, judged or refused, in a cell that a case is for.
uint64_t coverage_wanted(const struct results_run* run, const struct results_wanted* wanted);

// The same case and mode in one of several scopes. Rows are NULL where the scope has no such layer.
struct observer_cell {
    const struct results_execution* execution;
    const struct results_row *async, *structure, *sandwich;
    uint64_t refused, answered; // of the sampled layer: async, or structure where there is none
    double speed;               // units of work a second; 0: not known
    double relative;            // to scope none; 0: not known
};
#define OBSERVER_SCOPES 8
// Whether the run asked threads that waited (source wall).
bool waiting_is_asked(const struct results_run* run);
// Whether its source asks at moments at which a thread may wait: wall, and random, whose threads
// ran a few milliseconds ago. A thread's CPU clock asks it only while it runs.
bool waiting_may_be_asked(const struct results_run* run);
// Whether the run asked about spoiled contexts (layer hostile).
bool hostile_is_asked(const struct results_run* run);
// Of its questions with one change, those that neither came back nor were booked: the JVM ended.
uint64_t hostile_unfinished(const struct results_hostile* questions);
// The same of layer survive: whether it was asked; the questions at one moment of threads' lives
// that neither came back nor were booked; how many of run->survive_errors may be filled.
bool survive_is_asked(const struct results_run* run);
uint64_t survive_unfinished(const struct results_survive* questions);
uint32_t survive_errors(const struct results_run* run);
// Is there more than one scope in the report?
bool observer_is_asked(const struct results_report* report);
// Fills the cells of a case and mode, in the executions' order. Gives their number, at most `room`;
// 0 where executions[first] is not the first of its case and mode.
size_t observer_cells(const struct results_report* report, size_t first,
                      struct observer_cell* cells, size_t room);

// The row's ceilings; how often the row saw what one is for, and of how many.
size_t ceilings_count(const struct results_row* row);
const struct results_ceiling* ceilings_at(const struct results_row* row, size_t index);
uint64_t ceilings_events(const struct results_row* row, const struct results_ceiling* ceiling);
uint64_t ceilings_trials(const struct results_row* row, const struct results_ceiling* ceiling);
// What it is for: a cause's name, "refused: deopt", "attribution", "transition". Returns text.
#define CEILINGS_TEXT 96
const char* ceilings_text(const struct results_row* row, const struct results_ceiling* ceiling,
                          char text[CEILINGS_TEXT]);

#endif
