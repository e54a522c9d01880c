// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What is written down about a run of one JVM: a file that the agent maps shared and counts in, so
// that everything counted survives the JVM's death, and that the runner reads when the JVM has
// ended (or while it runs, for progress). All numbers are in the machine's own byte order: the file
// is read on the machine that wrote it.
//
// Ownership: the runner creates the file (results_run_create), the agent maps it (results_run_map),
// the runner reads it. Fields marked "atomic" are written with atomic operations by many threads.
#ifndef RESULTS_RESULTS_H
#define RESULTS_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "oracle/oracle.h"

#define RESULTS_MAGIC 0x314e5552424d4c50ull // "PLMBRUN1"
#define RESULTS_VERSION 4u

// How far the agent came. The runner tells from it whose fault an early end is.
#define RESULTS_PHASES(P)                                                                          \
    P(CREATED, "created", "the runner made the file; no agent has been loaded")                    \
    P(LOADED, "loaded", "the agent was loaded and its options understood")                         \
    P(RUNNING, "running", "the JVM is initialised, instrumentation and sampling go on")            \
    P(ENDED, "ended", "the JVM announced its death and the last counts are in")                    \
    P(REFUSED, "refused", "the agent cannot work in this JVM: see error")

enum results_phase {
#define RESULTS_PHASE_ENUM(name, text, explanation) RESULTS_PHASE_##name,
    RESULTS_PHASES(RESULTS_PHASE_ENUM)
#undef RESULTS_PHASE_ENUM
        RESULTS_PHASE_COUNT
};

// Why a sample was left undecided. NAME, text, explanation.
#define RESULTS_UNDECIDED(U)                                                                       \
    U(ORACLE, "oracle",                                                                            \
      "the trace stack could not decide (overflow, or a method's id not known yet)")               \
    U(BLAME, "blame",                                                                              \
      "a mismatch, but GetStackTrace contradicted the trace stack at the next push")               \
    U(UNMOUNTED, "unmounted",                                                                      \
      "a carrier of virtual threads: none was mounted, or one was being mounted or unmounted")     \
    U(LOST, "no_trace_stack",                                                                      \
      "a virtual thread that was given no trace stack: there were none left")                      \
    U(MOVED, "moved", "sandwich: the thread moved on between the walks")                           \
    U(NOTHING_SHARED, "nothing_shared", "sandwich: the two walks had no frame in common")          \
    U(UNREAD, "unread",                                                                            \
      "structure: the code of a method in the trace was not read yet, or is "                      \
      "none to be read (redefined, gone)")

enum results_undecided {
#define RESULTS_UNDECIDED_ENUM(name, text, explanation) RESULTS_UNDECIDED_##name,
    RESULTS_UNDECIDED(RESULTS_UNDECIDED_ENUM)
#undef RESULTS_UNDECIDED_ENUM
        RESULTS_UNDECIDED_COUNT
};

// The counts of one layer. All atomic.
struct results_layer {
    uint64_t asked;    // questions put: signals sent (async, sandwich), checks begun
    uint64_t answered; // walker calls that returned
    uint64_t verdict[ORACLE_VERDICT_COUNT]; // without our own code; REFUSED is the sum of refused[]
    uint64_t refused[ORACLE_REFUSAL_COUNT];
    uint64_t undecided[RESULTS_UNDECIDED_COUNT]; // sums to verdict[UNDECIDED]
    uint64_t
        own[ORACLE_VERDICT_COUNT]; // the same judgement where the youngest frame is our own code
};

// What code a program counter lies in, as far as the JVM's exported structure tables tell. NAME,
// text, explanation.
#define RESULTS_CODE_KINDS(K)                                                                      \
    K(UNKNOWN, "unknown", "nothing reliable is known: tables that differ from what is expected")   \
    K(NONE, "none", "no program counter was looked at: a check at a push")                         \
    K(INTERPRETER, "interpreter", "the template interpreter")                                      \
    K(C1_1, "c1_1", "code of C1 at level 1, without profiling")                                    \
    K(C1_2, "c1_2", "code of C1 at level 2, with counters")                                        \
    K(C1_3, "c1_3", "code of C1 at level 3, with full profiling")                                  \
    K(C2, "c2", "code of C2 (or of another compiler at level 4)")                                  \
    K(NATIVE_WRAPPER, "native_wrapper", "the compiled wrapper of a native method")                 \
    K(ADAPTER, "adapter", "an adapter between interpreted and compiled code")                      \
    K(VTABLE, "vtable_stub", "a vtable or itable stub")                                            \
    K(STUB, "stub", "another stub or blob of the VM's generated code: its name says which")        \
    K(JVM, "jvm", "the JVM's own library")                                                         \
    K(NATIVE, "native", "another library, or the vdso")

enum results_code_kind {
#define RESULTS_CODE_KIND_ENUM(name, text, explanation) RESULTS_CODE_##name,
    RESULTS_CODE_KINDS(RESULTS_CODE_KIND_ENUM)
#undef RESULTS_CODE_KIND_ENUM
        RESULTS_CODE_KIND_COUNT
};

// Where in a method's compiled code. NAME, text, explanation.
#define RESULTS_REGIONS(R)                                                                         \
    R(NONE, "none", "not in a method's code, or not known")                                        \
    R(ENTRY, "entry", "before the frame is complete")                                              \
    R(BODY, "body", "the frame is complete")                                                       \
    R(EXIT, "exit", "the frame is being torn down, or is gone, before the return")                 \
    R(AFTER, "after", "behind the main code: slow paths and handlers, where the frame is complete")

enum results_region {
#define RESULTS_REGION_ENUM(name, text, explanation) RESULTS_REGION_##name,
    RESULTS_REGIONS(RESULTS_REGION_ENUM)
#undef RESULTS_REGION_ENUM
        RESULTS_REGION_COUNT
};

// The thread's state as HotSpot keeps it (JavaThreadState). NAME, text, HotSpot's number.
#define RESULTS_THREAD_STATES(S)                                                                   \
    S(UNKNOWN, "unknown", -1)                                                                      \
    S(NEW, "new", 2)                                                                               \
    S(IN_NATIVE, "in_native", 4)                                                                   \
    S(IN_NATIVE_TRANS, "in_native_trans", 5)                                                       \
    S(IN_VM, "in_vm", 6)                                                                           \
    S(IN_VM_TRANS, "in_vm_trans", 7)                                                               \
    S(IN_JAVA, "in_java", 8)                                                                       \
    S(IN_JAVA_TRANS, "in_java_trans", 9)                                                           \
    S(BLOCKED, "blocked", 10)                                                                      \
    S(BLOCKED_TRANS, "blocked_trans", 11)

enum results_thread_state {
#define RESULTS_THREAD_STATE_ENUM(name, text, number) RESULTS_THREAD_##name,
    RESULTS_THREAD_STATES(RESULTS_THREAD_STATE_ENUM)
#undef RESULTS_THREAD_STATE_ENUM
        RESULTS_THREAD_STATE_COUNT
};

// What the samples of the asynchronous layer reached. Without our own code. All atomic.
struct results_cell {
    uint64_t judged, refused, mismatched; // mismatched: a part of judged
};
// The VM's stubs by name ("updateBytesCRC32"), all that the JVM has told of: an open-addressed table
// that only grows.
#define RESULTS_STUBS 2048 // a power of two; names and samples without a place: stubs_lost
#define RESULTS_STUB_NAME 48
struct results_stub {
    uint32_t state; // atomic: RESULTS_STUB_*
    uint32_t unused;
    char name[RESULTS_STUB_NAME]; // ended by a zero byte, cut to fit
    struct results_cell cell;
};
enum { RESULTS_STUB_FREE, RESULTS_STUB_FILLING, RESULTS_STUB_READY };

#define RESULTS_DEPTHS 16 // cell i: true depth (or the walker's) in [2^i, 2^(i+1)), the last: more
struct results_coverage {
    struct results_cell code[RESULTS_CODE_KIND_COUNT][RESULTS_REGION_COUNT];
    struct results_cell depth[RESULTS_DEPTHS];
    struct results_cell state[RESULTS_THREAD_STATE_COUNT];
    struct results_stub stubs[RESULTS_STUBS]; // what of code[RESULTS_CODE_STUB] has a name
    uint64_t stubs_lost;
};

// Mismatches that are alike, all of them counted, kept or not: an open-addressed table that only
// grows. A key of zero is a free place. What two mismatches must share stands in the key;
// `instruction` are the bytes at the program counter, which reports disassemble: displacements and
// immediates are zero there, and it is left out in the JVM and other libraries, where `code_name`
// tells the function by its beginning ("libjvm.so+0xce4570").
#define RESULTS_CLUSTERS 4096 // a power of two; what finds no place is counted in clusters_lost
#define RESULTS_CLUSTER_BYTES 8
struct results_cluster {
    uint64_t key;   // atomic: hash of all that follows up to `count`, never 0 once it is used
    uint32_t ready; // atomic: 1 when the fields below are complete
    uint8_t layer, verdict, code_kind, region;
    uint8_t
        place;   // of the youngest frame that differs: 0 the youngest itself, 1 its caller, 2 older
    int8_t lost; // expected minus observed instrumented frames, clamped to [-3, 3]
    uint8_t instruction_length; // 0: no program counter
    uint8_t thread_state;       // enum results_thread_state; 0 where it is no part of the key
    uint8_t instruction[RESULTS_CLUSTER_BYTES];
    char code_name[48]; // of a stub, adapter or native symbol; empty for methods
    int32_t example;    // index of a kept mismatch, -1: none
    uint32_t unused_too;
    uint64_t count; // atomic
};

// One frame of a kept trace.
struct results_frame {
    uint64_t id;     // jmethodID, or the method's number where numbered
    int32_t bci;     // as the walker gave it; expected frames have none: RESULTS_BCI_NONE
    int32_t old_bci; // in the original class file; equal to bci where the method was not rewritten
    uint32_t line;   // source line, 0 unknown
    uint32_t name;   // offset into the text area of "class.method(descriptor)", 0: not resolved
    uint32_t source; // offset into the text area of the source file's name, 0: none
    uint32_t flags;  // RESULTS_FRAME_*
};
#define RESULTS_BCI_NONE INT32_MIN
#define RESULTS_FRAME_NUMBERED 1u     // id is a method number
#define RESULTS_FRAME_INSTRUMENTED 2u // the method pushes and pops

// Three parties of a mismatch in the layer async: the trace stack, GetStackTrace at the thread's
// next push or pop, and the walker. NAME, text, explanation.
#define RESULTS_VOTES(V)                                                                           \
    V(OPEN, "open", "GetStackTrace was not asked, or could not be judged")                         \
    V(AGAINST_WALKER, "against_walker", "GetStackTrace agrees with the trace stack")               \
    V(AGAINST_STACK, "against_stack", "GetStackTrace agrees with the walker's older frames")       \
    V(ALL_DIFFER, "all_differ", "GetStackTrace agrees with neither")

enum results_vote {
#define RESULTS_VOTE_ENUM(name, text, explanation) RESULTS_VOTE_##name,
    RESULTS_VOTES(RESULTS_VOTE_ENUM)
#undef RESULTS_VOTE_ENUM
        RESULTS_VOTE_COUNT
};

#define RESULTS_REGISTERS_MAX 34
#define RESULTS_STACK_WORDS 64
#define RESULTS_CODE_BYTES 128

// One mismatch with its evidence. Filled by the handler up to `state = TAKEN`, completed with names
// by the agent's writer thread (`state = RESOLVED`). A JVM that dies in between leaves TAKEN: ids.
#define RESULTS_FRAMES_KEPT 256
struct results_mismatch {
    uint32_t state; // atomic: RESULTS_MISMATCH_*
    uint32_t layer, verdict;
    uint32_t thread_id;                      // of the operating system
    uint64_t pc;                             // 0 for checks at pushes
    uint64_t time_ns;                        // since the agent was loaded
    uint32_t expected_count, observed_count; // frames in the whole traces
    uint32_t expected_first, observed_first; // the kept windows begin at these frames
    uint32_t expected_kept, observed_kept;
    uint32_t difference; // index into the whole observed trace, see oracle_judgement
    uint32_t blame;      // atomic: RESULTS_BLAME_*
    char thread_name[64];
    uint32_t where;   // offset into the text area: what the pc lies in, 0: not resolved
    uint32_t cluster; // index + 1 into clusters, 0: none
    // The rest is of asynchronous samples: what the interrupted thread was at.
    uint8_t code_kind, region, thread_state;
    uint8_t vote;               // enum results_vote; atomic
    uint32_t code_offset;       // of pc from the beginning of the code, or the library's function
    uint32_t frame_complete;    // offset at which a method's frame is complete, 0: not known
    uint32_t code_size;         // 0: not known
    char code_name[64];         // as the JVM calls it ("StubRoutines (1)", "I2C/C2I adapters")
    struct results_frame owner; // compiled code: the method that owns it; bci RESULTS_BCI_NONE
    uint64_t sp;
    uint64_t registers[RESULTS_REGISTERS_MAX]; // in the order of ucontext_t's gregs (x86-64), or of
                                               // regs[31], sp, pc, pstate (aarch64)
    uint32_t register_count;
    uint32_t stack_count; // words kept, from stack_at on
    uint64_t stack_at;    // an address; some words below sp, the rest above
    uint64_t stack_words[RESULTS_STACK_WORDS];
    uint64_t bytes_at; // an address: the first of the code bytes kept around pc
    uint32_t byte_count;
    uint32_t unused_too;
    uint8_t bytes[RESULTS_CODE_BYTES];
    // The same context walked twice more, in the handler: what the walker returned, and whether its
    // frames were the same as in the judged walk.
    int32_t again_count[2];
    uint8_t again_same[2];
    uint8_t unused_three[6];
    struct results_frame expected[RESULTS_FRAMES_KEPT]; // youngest first
    struct results_frame observed[RESULTS_FRAMES_KEPT];
};
enum {
    RESULTS_MISMATCH_EMPTY,
    RESULTS_MISMATCH_FILLING,
    RESULTS_MISMATCH_TAKEN,
    RESULTS_MISMATCH_RESOLVED
};
enum { RESULTS_BLAME_OPEN, RESULTS_BLAME_WALKER, RESULTS_BLAME_ORACLE };

#define RESULTS_MISMATCHES_KEPT 512    // per run
#define RESULTS_MISMATCHES_PER_KIND 64 // per layer and verdict; the rest is counted only
#define RESULTS_THREADS 4096           // thread slots; a slot is used again when its thread ended
#define RESULTS_TEXT (4u << 20)        // bytes of names
#define RESULTS_REFUSAL_REASONS 32     // room for instrument's refusals, which agent names in text

// What one thread is doing right now, so that a JVM that dies in a walker is booked on that walker.
struct results_thread {
    uint64_t ground_checks; // pops checked, by this slot's threads, not atomic: the owner's
    uint32_t in_walker;     // 1 + enum oracle_layer while a walker is being called, else 0
    uint32_t thread_id;
};

struct results_reason {
    char text[32];
    uint64_t count; // atomic
};

// The whole file. It is sparse: what is not touched takes no disk.
struct results_run {
    uint64_t magic;
    uint32_t version;
    uint32_t size_check; // sizeof(struct results_run) as the writer knew it, in KiB
    uint32_t phase;      // atomic: enum results_phase
    uint32_t pid;
    char error[512];       // phase REFUSED: why, for the user
    char jvm_version[128]; // e.g. "17.0.15+6-Debian-1deb12u1" (java.vm.version)
    char jvm_name[128];    // java.vm.name
    char walker[64];       // the walker under test
    char source[160];      // the sampler's source as it really works, and why where it fell back
    char code_tables[160]; // what of the JVM's exported structure tables could be used, and why not
    uint64_t started_ns, ended_ns; // CLOCK_MONOTONIC at load and at the end (or last sign of life)

    struct results_layer layers[ORACLE_LAYER_COUNT];

    // The sampler. Atomic.
    uint64_t stray;     // handler ran on a thread that is not registered
    uint64_t throttled; // signals not used because the thread would do nothing but answer
    uint64_t late;      // answered more than 100 ms after the signal was sent
    uint64_t unkept;    // mismatches counted but not kept: their kind was full
    uint64_t recorded,
        unrecorded; // into the ring to the record; lost: no room, or not to be written
    // The trace stacks. Atomic, added when a thread ends and at the end.
    uint64_t overflow, unwound, misfit, vanished;
    uint64_t gaps; // entries whose gap was captured (what lies between them and their callers)
    uint64_t gap_frames, caller_bcis; // compared in right samples: frames in gaps, bcis of callers
    uint64_t call_sites;              // pairs of caller and callee judged by the layer structure
    uint64_t threads, base_threads; // threads seen; of these with frames older than instrumentation
    // Virtual threads. Atomic.
    uint64_t virtual_threads, virtual_lost; // started; of these without a trace stack
    // Of the layer async, on mounted virtual threads: results_judged and results_mismatched.
    uint64_t virtual_judged, virtual_mismatched;
    // Instrumentation. Atomic.
    uint64_t classes_seen, classes_rewritten, classes_refused, classes_excluded;
    uint64_t classes_missed; // found loaded though no event had announced them
    uint64_t methods_rewritten, methods_refused;
    struct results_reason reasons[RESULTS_REFUSAL_REASONS]; // refusals by reason, class and method

    // Benchmarks only (agent option timing): cycles or ns per handler run, see agent.
    uint64_t timing_bare[512], timing_judged[512]; // histograms, bucket = cycles / 64, last: more
    uint64_t phase_answered[2], phase_ns[2];       // 0: bare handler phases, 1: judging phases

    struct results_coverage coverage;
    // Mode debuginfo: CompiledMethodLoad events that the look-up of code agreed with, or not.
    // Atomic.
    uint64_t code_agreed, code_disagreed;
    uint64_t clusters_lost; // atomic
    struct results_cluster clusters[RESULTS_CLUSTERS];

    uint32_t text_used; // atomic; offset 0 is never given
    uint32_t unused;
    struct results_thread threads_now[RESULTS_THREADS];
    uint32_t kept_of_kind[ORACLE_LAYER_COUNT][ORACLE_VERDICT_COUNT]; // atomic
    struct results_mismatch mismatches[RESULTS_MISMATCHES_KEPT];
    char text[RESULTS_TEXT];
};

// Makes the file (an older one is replaced) and maps it. NULL with errno set.
struct results_run* results_run_create(const char* path);
// Maps an existing file for writing. NULL with errno set; EPROTO: it is not a run's file, or of
// another version.
struct results_run* results_run_map(const char* path);
// The same to look at only: writing to it faults, and the file need not be writable.
struct results_run* results_run_read(const char* path);
void results_run_unmap(struct results_run* run);

// judged = agree + transition + the mismatches, attribution among them.
uint64_t results_judged(const struct results_layer* layer);
// The walking errors: the mismatches without attribution, which is counted apart.
uint64_t results_mismatched(const struct results_layer* layer);

const char* results_undecided_text(enum results_undecided reason);
const char* results_code_kind_text(enum results_code_kind kind);
const char* results_region_text(enum results_region region);
const char* results_thread_state_text(enum results_thread_state state);
const char* results_vote_text(enum results_vote vote);
const char* results_code_kind_explanation(enum results_code_kind kind);
const char* results_region_explanation(enum results_region region);
const char* results_vote_explanation(enum results_vote vote);

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
    uint64_t kept;                      // with evidence; of these:
    uint64_t votes[RESULTS_VOTE_COUNT]; // by vote
    const struct results_group_row* rows; // where it was seen, the most frequent first
    size_t row_count;
    const struct results_execution* example; // the run that kept one of them, NULL: none did
    const struct results_mismatch* mismatch; // that one, in the example's run
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
    size_t row_count;
    struct results_group* groups; // the largest first, walking errors before attribution
    size_t group_count;
    struct results_group_row* group_rows;
    uint64_t clusters_lost;           // mismatches that found no place in their run's clusters
    enum results_row_verdict verdict; // of the whole
    char summary[640];                // the verdict in one line
};

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
// One mismatch of the row: the two traces side by side, and what the thread was at. False if the
// row kept none.
bool results_evidence(const struct results_report* report, const struct results_row* row,
                      FILE* out);
// Every cluster with its numbers and one example: what the run directory's clusters.txt holds.
void results_clusters(const struct results_report* report, FILE* out);
// Prints a text that the program under test may have chosen as all reports do: what a terminal
// would obey, or nobody would see, as \xNN or \uNNNN.
void results_plain(const char* text, FILE* out);
// Writes the report as results.json does it (README.md). 0, or -1 with errno set; a file that was
// there before is replaced only by a whole one.
int results_json(const struct results_report* report, const char* path);

// ---- The rest of the door -----------------------------------------------------------------------

#include "formats.h" // reports in other formats
#include "past.h"    // rows of older reports
#include "record.h"  // the record of a run

#endif
