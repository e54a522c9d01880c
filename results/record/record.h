// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What one run of one JVM writes down, and how it is read back.
//
// The run's file, run.plumbline: the runner creates it, the agent maps it shared and counts in it.
// So every count survives the JVM's death. It also holds the ring, the queue from the handlers to
// the record's writer. Its numbers are in the machine's own byte order: the machine that wrote the
// file reads it. Many threads write fields marked "atomic", by atomic operations.
//
// The record, run.lz4 (FORMAT.md): every mismatch with its evidence, and one in N of all other
// samples. The agent's writer, or after the JVM's death the runner, takes them from the ring.
#ifndef RESULTS_RECORD_RECORD_H
#define RESULTS_RECORD_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/oracle.h"
#include "results/causes/causes.h"

#define RESULTS_EXIT_ASSERT 86 // the JVM's exit status after one of the agent's asserts failed

// How far the agent came, which tells whose fault an early end is.
#define RESULTS_PHASES(P)                                                                          \
    P(CREATED, "created", "the runner made the file; no agent has been loaded")                    \
    P(LOADED, "loaded", "the agent was loaded and its options understood")                         \
    P(RUNNING, "running", "the JVM is initialised, instrumentation and sampling go on")            \
    P(ENDED, "ended", "the JVM announced its death and the last counts are in")                    \
    P(REFUSED, "refused", "the agent cannot work in this JVM: see error")
#define RESULTS_PHASE_ENUM(name, ...) RESULTS_PHASE_##name,
enum results_phase { RESULTS_PHASES(RESULTS_PHASE_ENUM) RESULTS_PHASE_COUNT };

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
      "structure: a method's code was not read yet, or is none to be read (redefined, gone)")
#define RESULTS_UNDECIDED_ENUM(name, ...) RESULTS_UNDECIDED_##name,
enum results_undecided { RESULTS_UNDECIDED(RESULTS_UNDECIDED_ENUM) RESULTS_UNDECIDED_COUNT };

// The counts of one layer. All atomic.
struct results_layer {
    uint64_t asked;    // questions put: signals sent (async, sandwich), checks begun
    uint64_t answered; // walker calls that returned
    uint64_t verdict[ORACLE_VERDICT_COUNT]; // without our own code; REFUSED is the sum of refused[]
    uint64_t refused[ORACLE_REFUSAL_COUNT];
    uint64_t undecided[RESULTS_UNDECIDED_COUNT]; // sums to verdict[UNDECIDED]
    uint64_t own[ORACLE_VERDICT_COUNT];          // as verdict[], of threads in our own code
    uint64_t exact[ORACLE_VERDICT_COUNT]; // of verdict[]: sandwiches of threads that were held
    uint64_t exact_unexplained;           // of exact[]: walking errors of no cause
    // Of the answers in verdict[] that are no mismatch: frames, and those of them that were
    // compared with an entry, a captured gap or a witness, or (structure) as a caller or callee.
    uint64_t frames_seen, frames_judged;
    uint64_t cause[RESULTS_CAUSES]; // the walking errors of verdict[], by cause
    // Of cause[], those that begin a burst: the first of a thread, and the first RESULTS_BURST_NS
    // or more behind the last that began one. One deoptimised frame that stays on a stack is met by
    // dozens of samples. Not taken back, so it may be more than cause[].
    uint64_t bursts[RESULTS_CAUSES];
};
#define RESULTS_BURST_NS 100000000ull

// Layer hostile: the questions with one change. All atomic.
struct results_hostile {
    uint64_t asked, answered; // answered: the walker returned; the rest died or hung
    uint64_t frames;          // of answered: with frames, the others were refused
    uint64_t died, hung;      // and the thread went on; without these, the JVM ended in it
};

// Layer survive: the moments of a thread's life. NAME, text, explanation.
#define RESULTS_MOMENTS(M)                                                                         \
    M(NEW, "new", "since its first instruction: the JVM does not know the thread yet")             \
    M(STARTING, "starting", "the JVM knows the thread, and ThreadStart is to come")                \
    M(RUNNING, "running", "between ThreadStart and ThreadEnd")                                     \
    M(ENDING, "ending", "ThreadEnd is behind it, and the JVM still knows the thread")              \
    M(GONE, "gone", "the JVM has forgotten the thread, which goes on to its last instruction")     \
    M(SERVICE, "service",                                                                          \
      "100 ms old and without a ThreadStart: the JVM's own threads, and native ones")              \
    M(EXITING, "exiting", "the JVM has announced its death: any thread")
#define RESULTS_MOMENT_ENUM(name, ...) RESULTS_MOMENT_##name,
enum results_moment { RESULTS_MOMENTS(RESULTS_MOMENT_ENUM) RESULTS_MOMENT_COUNT };

// Its questions at one moment. All atomic.
struct results_survive {
    uint64_t asked, answered;               // answered: the walker returned
    uint64_t frames;                        // of answered: with frames
    uint64_t refused[ORACLE_REFUSAL_COUNT]; // of answered: without
    uint64_t impossible;                    // of frames: where there can be none, or too many
    uint64_t died, hung;
};
// A question that was not survived, or was answered with what cannot be.
struct results_survive_error {
    uint32_t ready; // atomic: 1 when the rest is complete
    uint32_t moment, verdict;
    int32_t count;     // the walker's, of an answer
    uint64_t asked_at; // the pc of the context
    uint64_t died_at;  // the pc in the walker, 0: an answer
    uint64_t age_ns;   // of the thread
    uint64_t thread_id;
};
#define RESULTS_SURVIVE_ERRORS 64    // the first ones of a run
#define RESULTS_SURVIVE_ANNOUNCED 64 // a power of two
#define RESULTS_THREADS_NOW (RESULTS_THREADS + RESULTS_SURVIVE_ANNOUNCED)

// What the samples of the asynchronous layer reached. Without our own code. All atomic.
struct results_cell {
    uint64_t judged, refused, mismatched; // mismatched: a part of judged
};
// All stubs that the JVM has told of ("updateBytesCRC32"): an open-addressed, growing table.
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

// Mismatches that are alike, all of them counted: an open-addressed table that only
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
    uint8_t place; // of the youngest frame that differs: 0 the youngest, 1 its caller, 2 older
    int8_t lost;   // expected minus observed instrumented frames, clamped to [-3, 3]
    uint8_t instruction_length; // 0: no program counter
    uint8_t thread_state;       // enum results_thread_state; 0 where it is no part of the key
    uint8_t cause;              // index of its cause
    uint8_t instruction[RESULTS_CLUSTER_BYTES];
    char code_name[48]; // of a stub, adapter or native symbol; empty for methods
    uint64_t count;     // atomic
};

// Three parties of a mismatch in the layer async: the trace stack, GetStackTrace at the thread's
// next push or pop, and the walker. NAME, text, explanation.
#define RESULTS_VOTES(V)                                                                           \
    V(OPEN, "open", "GetStackTrace was not asked, or could not be judged")                         \
    V(AGAINST_WALKER, "against_walker", "GetStackTrace agrees with the trace stack")               \
    V(AGAINST_STACK, "against_stack", "GetStackTrace agrees with the walker's older frames")       \
    V(ALL_DIFFER, "all_differ", "GetStackTrace agrees with neither")
#define RESULTS_VOTE_ENUM(name, ...) RESULTS_VOTE_##name,
enum results_vote { RESULTS_VOTES(RESULTS_VOTE_ENUM) RESULTS_VOTE_COUNT };

enum { RESULTS_BLAME_OPEN, RESULTS_BLAME_WALKER, RESULTS_BLAME_ORACLE };

// What a walker made of an instant, where two walkers are held against each other. NAME, text,
// explanation.
#define RESULTS_OUTCOMES(O)                                                                        \
    O(RIGHT, "right", "it agrees with the trace stack")                                            \
    O(ATTRIBUTION, "attribution", "the walk is right, and scopes of the youngest frame differ")    \
    O(WRONG, "wrong", "a walking error")                                                           \
    O(REFUSED, "refused", "it gave no frames")                                                     \
    O(UNDECIDED, "undecided", "the truth is not known")
#define RESULTS_OUTCOME_ENUM(name, ...) RESULTS_OUTCOME_##name,
enum results_outcome { RESULTS_OUTCOMES(RESULTS_OUTCOME_ENUM) RESULTS_OUTCOME_COUNT };
const char* results_outcome_text(enum results_outcome outcome);
enum results_outcome results_outcome_of(enum oracle_verdict verdict);

// Two profiles that are held against each other by total variation: half the sum of differences of
// the shares of self time, from 0 (the same) to 1 (nothing in common). NAME, text, explanation.
#define RESULTS_DISTANCES(D)                                                                       \
    D(WALK, "walk", "the profiler's stacks, and the truth of the instants that they are of")       \
    D(CHOICE, "choice", "the truth of the instants that led to a stack, and of all instants")      \
    D(WHOLE, "whole", "the profiler's stacks, and the truth of all instants")
#define RESULTS_DISTANCE_ENUM(name, ...) RESULTS_DISTANCE_##name,
enum results_distance_kind { RESULTS_DISTANCES(RESULTS_DISTANCE_ENUM) RESULTS_DISTANCE_COUNT };
const char* results_distance_text(enum results_distance_kind kind);
struct results_distance {
    double value, low, high; // low, high: of 95 in 100 bootstrap samples
};

#define RESULTS_THREADS 4096       // thread slots; a slot is used again when its thread ended
#define RESULTS_REFUSAL_REASONS 32 // room for instrument's refusals, which agent names in text

// ---- The ring ---------------------------------------------------------------------------------
// A bounded queue of pieces of any size, from handlers on any thread to one reader. It lies in the
// run's file, so a piece that was published outlives the JVM. Nobody waits: a piece that finds no
// room is refused. A piece is reserved, filled and published. The reader takes pieces in the order
// in which they were reserved, so it goes no further than one that is being filled.

// 8 MB are some hundred milliseconds of 20,000 samples a second of 20 frames. A power of two.
#define RESULTS_RING_BYTES (8u << 20)

struct results_ring_ends {
    uint64_t head; // atomic: where the next piece will be reserved, ever growing
    uint64_t tail; // atomic: what lies before it may be reserved again
    uint64_t read; // atomic: the reader is done with what lies before it
};
// Where a ring lies. `bytes` are zero where nothing is reserved.
struct results_ring {
    struct results_ring_ends* ends;
    uint8_t* bytes;
    uint64_t size; // a power of two, 64 at least
};
// The reader's place in a ring. All zero but `ring` (and `next` = ring.ends->read) to begin with.
struct results_ring_reader {
    struct results_ring ring;
    uint64_t next;       // of the piece that is read next
    bool abandoned;      // nobody fills pieces any more: unfinished ones are passed over
    uint64_t unfinished; // how many were; neighbours that were only reserved count as one
};

// Room for `size` bytes, aligned to 8. NULL: there is none, or it is over a quarter of the ring.
void* results_ring_reserve(const struct results_ring* ring, size_t size) HANDLER_SAFE;
// The piece of that size is complete.
void results_ring_publish(void* piece, size_t size) HANDLER_SAFE;
// The next piece, and its size. It stays where it is until it is released. NULL: there is none, or
// it is not complete. The bytes of an abandoned ring may be anything: no piece reaches past the
// ring, and the reader ends after at most size / 8 of them.
const void* results_ring_next(struct results_ring_reader* reader, size_t* size);
// All pieces that were read may be overwritten.
void results_ring_release(struct results_ring_reader* reader);

// ---- The run's file ---------------------------------------------------------------------------

// What one thread is doing right now, so that a JVM that dies in a walker is booked on that walker.
struct results_thread {
    // Pops checked; where pushes are inlined, pushes that look for checks. By this slot's threads,
    // not atomic: the owner's.
    uint64_t ground_checks;
    uint32_t in_walker; // 1 + enum oracle_layer while a walker is being called, else 0
    uint32_t thread_id;
    uint64_t asked_at; // the pc of the context that the walker was last asked about, 0: of none
    uint32_t change;   // layer hostile: enum results_change, of that context
    uint32_t moment;   // layer survive: enum results_moment
    int64_t by;        // as facts.by
};

struct results_reason {
    char text[32];
    uint64_t count; // atomic
};

// The counters of a run. Those of trace stacks are added when a thread ends and at the end.
#define RESULTS_RUN_COUNTERS(C)                                                                    \
    C(stray, "the handler ran on a thread that is not registered")                                 \
    C(throttled, "signals not used, because the thread would do nothing but answer")               \
    C(late, "answered more than 100 ms after the signal was sent")                                 \
    C(overflow, "pushes that found a trace stack full")                                            \
    C(unwound, "entries dropped because their method left without a pop")                          \
    C(misfit, "pops of a method that was not on top")                                              \
    C(vanished, "entries dropped that may leave without a pop, as constructors do by super()")     \
    C(torn, "of these, entries dropped at the end of a machine stack, where pop may overflow")     \
    C(confirmed, "mismatches of layer async that GetStackTrace confirmed at the next push or pop") \
    C(settling_checks, "checks of GetStackTrace made only because of an accusation")               \
    C(settling_mismatches, "of these, contradicted the trace stack: the row of layer gst fails")   \
    C(gaps, "entries whose gap was captured: what lies between them and their callers")            \
    C(gap_frames, "frames in gaps, compared in right samples")                                     \
    C(caller_bcis, "bcis of callers, compared in right samples")                                   \
    C(entry_bcis,                                                                                  \
      "frames before their first instruction for the walker, where GetStackTrace says bci 0")      \
    C(own_believed,                                                                                \
      "samples in our own code by the walker's word alone: nothing says where the thread was")     \
    C(transitions_believed,                                                                        \
      "transitions, and frames that attribution passes, for which the walker's word alone speaks") \
    C(call_sites, "pairs of caller and callee judged by the layer structure")                      \
    C(structure_frames, "frames of the answers that the layer structure judged or left undecided") \
    C(structure_unread, "of these, frames of methods whose code it had not read or could not")     \
    C(checks_inside, "checks that native code of a case asked for: what is above the push, too")   \
    C(threads_clockless, "threads without an event or a timer of source clock: not sampled")       \
    C(threads_slotless, "threads for which no slot was left: not sampled, and nothing is checked") \
    C(threads, "threads seen")                                                                     \
    C(launching, "refused for the launcher's thread before its first push: in no layer's numbers") \
    C(base_threads, "of these, threads with frames older than instrumentation")                    \
    C(virtual_threads, "virtual threads started")                                                  \
    C(virtual_lost, "of these, virtual threads without a trace stack")                             \
    C(virtual_judged, "layer async, on mounted virtual threads: judged")                           \
    C(virtual_mismatched, "of these, walking errors")                                              \
    C(classes_seen, "classes offered to the hook")                                                 \
    C(classes_rewritten, "")                                                                       \
    C(classes_refused, "by the instrumenter: see the reasons")                                     \
    C(classes_excluded, "")                                                                        \
    C(classes_missed, "found loaded though no event had announced them")                           \
    C(originals,                                                                                   \
      "obsolete methods still called after the agent retransformed their class: finding 22")       \
    C(methods_rewritten, "")                                                                       \
    C(methods_refused, "by the instrumenter: see the reasons")                                     \
    C(methods_left,                                                                                \
      "in rewritten or seen classes, and not in the part that was to be instrumented")             \
    C(density, "of a million methods, so many were to be instrumented")                            \
    C(code_agreed,                                                                                 \
      "mode debuginfo: CompiledMethodLoad events that the look-up of code agreed with")            \
    C(code_disagreed, "and those that it did not agree with")                                      \
    C(scopes_agreed, "of these events, the places whose scopes were read as the event tells them") \
    C(scopes_disagreed, "places whose scopes were read otherwise")                                 \
    C(scopes_unread, "places whose scopes could not be read")                                      \
    C(scopes_compared,                                                                             \
      "layer async: youngest compiled frames held against the scopes of their code")               \
    C(attribution_unproved, "attribution where these scopes were not known")                       \
    C(attribution_spilled, "the same in a barrier's slow path, which has no record of scopes")     \
    C(instants, "signals of the profiler that ran its handler on a Java thread")                   \
    C(instants_stray, "signals of the profiler on threads that the agent does not know")           \
    C(instants_coalesced,                                                                          \
      "expirations of its timers, for those signals, that became no signal of their own")          \
    C(instants_away, "instants recorded without a truth: between two virtual threads")             \
    C(instants_crowded,                                                                            \
      "instants recorded without a truth: their thread had hardly run since the last answer")      \
    C(instants_recorded, "of the instants, those that the record has")                             \
    C(profiler_samples, "samples that the profiler's file has")                                    \
    C(profiler_joined, "of these, in exactly one instant of their thread, as its only sample")     \
    C(profiler_doubled, "of these, in an instant that has had a sample")                           \
    C(profiler_unmatched, "of these, in no instant of their thread: an error of ours")             \
    C(profiler_ambiguous, "of these, in two instants of their thread: an error of ours")           \
    C(profiler_foreign, "of these, of a thread that the record does not know")                     \
    C(profiler_stray, "of these, at a signal on a thread that the agent did not know then")        \
    C(profiler_lost, "samples that the profiler says it lost")                                     \
    C(profiler_silent, "instants without a sample that are not among these")                       \
    C(profiler_biased, "samples that say themselves that they are not of their instant")           \
    C(profiler_truncated,                                                                          \
      "samples that say themselves that older frames are missing: judged as far as they go")       \
    C(profiler_shared, "frames of the profiler whose name several instrumented methods bear")      \
    C(lives, "layer survive: threads that were asked from their first instruction on")             \
    C(lives_ended, "of these, asked to their last one")                                            \
    C(lives_young, "of these, asked at least once before ThreadStart")                             \
    C(lives_old, "of these, asked at least once behind ThreadEnd")                                 \
    C(survive_early, "layer survive: answers with frames before a ThreadStart that did not come")  \
    C(lives_unwatched, "threads that could not be asked: no memory, or no timer")                  \
    C(memory, "bytes that the agent holds of what malloc gave it, used or not")                    \
    C(mapped, "bytes that it has mapped for threads: trace stacks and buffers, used or not")       \
    C(other_jvms, "other JVMs that were given the run's file, and were not judged")                \
    C(clusters_lost, "mismatches that found no place in the clusters")                             \
    C(recorded, "samples and settlements that went into the ring")                                 \
    C(unrecorded, "of what was to be recorded, lost: no room in the ring, or not to be written")

// Signals of the profiler on threads that the agent does not know, whose windows are kept: the last
// ones. Most are of the JVM's own threads; a thread before its ThreadStart, or behind its
// ThreadEnd, is a few at most.
#define RESULTS_STRAYS 32768u

#define RESULTS_LIBRARIES 256
#define RESULTS_LIBRARY_NAME 40

#define RESULTS_SOURCE_TIMERS "clock: per-thread CPU timers"

// The whole file. All of it is reserved on the disk while a JVM may write to it; the ring is given
// back afterwards (results_run_drain).
struct results_run {
    uint64_t magic;
    uint32_t version;
    uint32_t size_check; // sizeof(struct results_run) as the writer knew it, in KiB
    uint32_t phase;      // atomic: enum results_phase
    uint32_t pid;        // atomic: of the one JVM that writes here; 0: none so far
    uint32_t
        record_error; // atomic: errno of the first write to the record that failed; 0: none did
    char error[512];  // phase REFUSED: why, for the user
    char jvm_version[128]; // e.g. "17.0.15+6-Debian-1deb12u1" (java.vm.version)
    char jvm_name[128];    // java.vm.name
    char walker[64];       // the walker under test
    // The sampler's source as it really works, and why where it fell back. RESULTS_SOURCE_TIMERS
    // begins that of a clock whose timers end with the kernel's ticks: some 250 samples a second
    // and thread at most.
    char source[160];
    char code_tables[160]; // what of the JVM's exported structure tables could be used, and why not
    char push[16];         // how instrumented code pushes: "native" or "inline"; "": not known
    char profiler[64];     // the profiler whose samples are judged; "": none
    // A time in ns by the profiler's clock, with this added, is one of CLOCK_MONOTONIC. Known where
    // profiler_clock is 1.
    int64_t profiler_offset_ns;
    uint32_t profiler_clock;
    uint32_t processor; // enum results_processor
    // After the run, by results/profile. The first index is the profiler's outcome, the second that
    // of AsyncGetCallTrace at the same instant; without our own code and biased samples.
    uint64_t profiler_paired[RESULTS_OUTCOME_COUNT][RESULTS_OUTCOME_COUNT];
    uint64_t profiler_biased_verdict[ORACLE_VERDICT_COUNT]; // of biased samples, in no other count
    struct results_distance profiler_distance[RESULTS_DISTANCE_COUNT];
    // Of the causes that mismatches were booked under, by index; the first is "unexplained". A name
    // is empty behind the last.
    char cause_names[RESULTS_CAUSES][RESULTS_CAUSE_NAME];
    uint64_t started_ns, ended_ns; // CLOCK_MONOTONIC at load and at the end (or last sign of life)

    struct results_layer layers[ORACLE_LAYER_COUNT];
    // Source wall: the part of layers async and structure that is of threads that waited. Filled in
    // are answered, verdict, refused and, in async, cause.
    struct results_layer waiting[ORACLE_LAYER_COUNT];

    struct results_hostile hostile[RESULTS_CHANGE_COUNT];
    struct results_survive survive[RESULTS_MOMENT_COUNT];
    uint64_t survive_error_count; // atomic
    struct results_survive_error survive_errors[RESULTS_SURVIVE_ERRORS];

    // Atomic: the counters of the list above.
#define RESULTS_COUNTER_FIELD(name, meaning) uint64_t name;
    RESULTS_RUN_COUNTERS(RESULTS_COUNTER_FIELD)
#undef RESULTS_COUNTER_FIELD
    uint64_t sequence; // atomic: the last number given to a sample, with its place in the ring
    struct results_reason reasons[RESULTS_REFUSAL_REASONS]; // refusals by reason, class and method

    // Benchmarks only (agent option bench): cycles or ns per handler run, see agent.
    uint64_t timing_bare[512], timing_judged[512]; // histograms, bucket = cycles / 64, last: more
    uint64_t phase_answered[2], phase_ns[2];       // 0: bare handler phases, 1: judging phases

    // By instants_stray modulo their number. All zero: none.
    struct results_stray {
        uint64_t begin_ns;  // since started_ns
        uint32_t length_ns; // UINT32_MAX: or longer
        uint32_t thread;    // of the operating system
    } strays[RESULTS_STRAYS];

    struct results_coverage coverage;
    struct results_cluster clusters[RESULTS_CLUSTERS];

    // Those behind RESULTS_THREADS are of layer survive, whose threads have no slot: by the number
    // of the system's thread. Two may share one.
    struct results_thread threads_now[RESULTS_THREADS_NOW];
    // Where a thread of the agent's calls the walker for all (walkers.ini, thread = other): its
    // number, and that of the thread for which it does so, or did last. 0: there is none.
    uint32_t other_id, other_for;
    uint64_t jvm_low, jvm_high; // where libjvm is mapped; 0: not known
    // The code of the libraries that were loaded, the program's own with them; by their order of
    // being noted. One that is gone stays.
    uint32_t library_count; // atomic; at most RESULTS_LIBRARIES
    struct results_library {
        uint64_t base, low, high; // base: that symbols are counted from; [low, high): code
        char name[RESULTS_LIBRARY_NAME];
    } libraries[RESULTS_LIBRARIES];

    // The ring: see results_ring.
    struct results_ring_ends ring_ends;
    uint8_t ring[RESULTS_RING_BYTES] __attribute__((aligned(8)));
};

// Makes the file (an older one is replaced), reserves its place on the disk and maps it. NULL with
// errno set (ENOSPC; EFBIG with SIGXFSZ ignored), and there is no file.
struct results_run* results_run_create(const char* path);
// Maps an existing file for writing. NULL with errno set; EPROTO: no run's file of this version.
struct results_run* results_run_map(const char* path);
// The same to look at only: writing to it faults, and the file need not be writable.
struct results_run* results_run_read(const char* path);
// The same for oneself: what is written stays here.
struct results_run* results_run_copy(const char* path);
void results_run_unmap(struct results_run* run);
// Takes the file for process `pid`. It belongs to the first one for ever. True: it is that process.
bool results_run_claim(struct results_run* run, uint32_t pid);
// Notes why a write to the record failed, an errno. The first one stays.
void results_run_note_error(struct results_run* run, int error);
// The run's ring.
static inline struct results_ring results_run_ring(struct results_run* run) {
    return (struct results_ring){&run->ring_ends, run->ring, RESULTS_RING_BYTES};
}
// The JVM is dead. It shared the file, so a broken one may have written anywhere. Counts that no
// run reaches, words that their list does not have and numbers that are none become zero, and texts
// get an end; so readers may rely on each field by itself, not on sums. What the ring and the
// record hold is not looked at. How many fields were mended; the first is named in `first`
// ("layers[7]"), which else stays as it is. Not in the agent.
size_t results_run_mend(struct results_run* run, char* first, size_t size);
// results_run_copy, mended.
struct results_run* results_run_load(const char* path);
// The JVM is dead: appends to its record, the file at `path`, what the ring still holds, the last
// counters, and an end. Does nothing where the agent ended the record itself, or never began it: no
// file, or no whole block in it. *saved: samples saved. *spoiled: pieces unfinished or malformed.
// 0, or -1 with errno set and noted in the run: the record is as it was, or lacks its end, and may
// be drained again.
int results_run_drain(struct results_run* run, const char* path, uint64_t* saved,
                      uint64_t* spoiled);

// Counts a mismatch in the run's clusters: those with the same `key`, whose fields from `layer` up
// to `count` are set, all bytes of them. Returns its cluster's index + 1; 0 where there was no
// room, which is counted (clusters_lost).
uint32_t results_cluster_count(struct results_run* run,
                               const struct results_cluster* key) HANDLER_SAFE;
// Sets the key's fields that follow from the judgement.
void results_cluster_judged(struct results_cluster* key, enum oracle_layer layer, uint32_t cause,
                            const struct oracle_judgement* judgement) HANDLER_SAFE;
// FNV-1a.
uint64_t results_hash(const void* bytes, size_t size) HANDLER_SAFE;

// Of counts by verdict, the sum of those whose bit 1 << enum oracle_verdict is set.
uint64_t results_sum(const uint64_t verdicts[ORACLE_VERDICT_COUNT], uint32_t bits);
// The bits of the walking errors.
#define RESULTS_WALKING_ERRORS ((2u << ORACLE_WALKING_LAST) - (1u << ORACLE_MISMATCH_FIRST))
// The bits of what was judged: agreement, transition and the mismatches, attribution among them.
#define RESULTS_JUDGED                                                                             \
    (RESULTS_WALKING_ERRORS | 1u << ORACLE_AGREE | 1u << ORACLE_TRANSITION |                       \
     1u << ORACLE_ATTRIBUTION)
uint64_t results_judged(const struct results_layer* layer);
// The walking errors: the mismatches without attribution, which is counted apart.
uint64_t results_mismatched(const struct results_layer* layer);

// Least number of checks that a row of ground, gst or safepoint must have to pass. The agent makes
// haste until it has them.
#define RESULTS_MINIMUM_CHECKS 10000u

// ---- Signals ----------------------------------------------------------------------------------

// Why the agent cannot sample by this signal: the JVM, the JDK or libc needs it. NULL: it can.
const char* results_signal_taken(int number);

// ---- Density ----------------------------------------------------------------------------------

// The part of the methods that is to be instrumented, in millionths. As text it is a percentage:
// "10%", "0.5%".
#define RESULTS_DENSITY_FULL 1000000u
// Digits, at most four decimals after a point, and the percent sign: above 0 and at most 100 %.
// Else -1, and *density is untouched.
int results_density_read(const char* text, uint32_t* density);
// As it is read; returns text.
const char* results_density_text(uint32_t density, char text[16]);
// The run's; full where it does not say (its agent never came so far).
uint32_t results_density(const struct results_run* run);

const char* results_phase_text(enum results_phase phase);
const char* results_moment_text(enum results_moment moment);
const char* results_undecided_text(enum results_undecided reason);
const char* results_vote_text(enum results_vote vote);
const char* results_vote_explanation(enum results_vote vote);

// ---- A sample ---------------------------------------------------------------------------------

struct results_sample_frame {
    uint64_t id;     // jmethodID
    uint32_t number; // oracle_methods_number of the id, as it was then
    int32_t bci;
};

enum { RESULTS_SLOT_ENTRY, RESULTS_SLOT_GAP, RESULTS_SLOT_CALL };
// A slot of the trace stack, as in oracle_slot.
struct results_sample_slot {
    uint64_t id;       // entry: oracle_methods_id of the number, 0 unknown; gap: its jmethodID
    uint32_t number;   // entry
    int32_t bci;       // gap, call
    uint32_t position; // entry
    uint32_t kind;     // RESULTS_SLOT_*
};

#define RESULTS_REGISTERS_MAX 34
#define RESULTS_STACK_WORDS 64
#define RESULTS_CODE_BYTES 128

// Kept with a mismatch besides its traces. Registers, stack and code: asynchronous samples only.
struct results_evidence {
    char thread_name[64];    // ended by a zero byte, cut to fit
    char code_name[64];      // at the pc: "I2C/C2I adapters", or "libjvm.so+0xce4570" (function)
    uint32_t frame_complete; // offset at which a method's frame is complete, 0: not known
    uint32_t code_size;      // 0: not known
    uint64_t owner;          // jmethodID of the method that owns the compiled code, 0: none
    uint64_t sp;
    uint64_t registers[RESULTS_REGISTERS_MAX]; // in the order of ucontext_t's gregs (x86-64), or of
                                               // regs[31], sp, pc, pstate (aarch64)
    uint32_t register_count;
    uint32_t stack_count; // words kept, from stack_at on
    uint64_t stack_at;    // an address; some words below sp, the rest above
    uint64_t stack_words[RESULTS_STACK_WORDS];
    uint64_t bytes_at; // an address: the first of the code bytes kept around pc
    uint32_t byte_count;
    uint8_t bytes[RESULTS_CODE_BYTES];
    // Some mismatches are walked twice more in the handler, on the same context: the walker's
    // counts, and whether its frames were those of the judged walk. Counts of 0: not asked.
    int32_t again_count[2];
    uint8_t again_same[2];
    struct results_facts facts; // by which its cause was decided
};

// One question put to one thread, the walker's answer, and what the oracle judged by. Arrays are
// youngest first. They are somebody else's.
struct results_sample {
    uint64_t sequence; // its number in the run, from 1, given in the handler; every report cites it
    uint64_t time_ns;  // since the agent was loaded
    uint64_t pc;       // 0: a check at a push
    uint32_t thread_id;          // of the operating system
    uint32_t thread_slot, epoch; // a settlement of the same two is about this sample
    uint8_t layer, verdict;
    uint8_t code_kind, region, thread_state;
    uint8_t cause;         // of a mismatch: the index of its cause
    bool own, chosen;      // chosen: as one in N
    bool exact;            // layer sandwich: the thread was held, so all three traces must be equal
    bool instant;          // a signal of the profiler's: its window is known
    bool context_known;    // `context` is what was judged by, so it can be judged again
    bool owner_known;      // `owner` is what oracle_attribute was given; in layer ground the method
                           // that was left or caught an exception, and did not fit
    uint8_t root;          // layer structure: how the thread began, enum oracle_root
    uint32_t owner_number; // oracle_methods_number of owner.method
    int32_t count;         // the walker's
    uint32_t code_offset;  // of pc from the beginning of the code, or of the library's function
    uint32_t cluster;      // index + 1 into the run file's clusters, 0: none
    uint32_t beyond;       // oracle_stack.beyond
    struct oracle_context context;
    struct oracle_judgement judgement; // as the oracle gave it; `verdict` is what was counted
    struct oracle_owner owner;
    uint32_t place_number; // oracle_methods_number of context.place.method, where it has one
    // Of an instant: from before to after the profiler's own handler, since the agent was loaded.
    uint64_t window_begin_ns, window_end_ns;
    uint64_t java_thread; // of an instant: java.lang.Thread's id, the virtual thread's where one is
                          // mounted; 0: not known
    uint32_t slot_count, frame_count, witness_count, third_count;
    const struct results_sample_slot* slots;
    const struct results_sample_frame* frames;
    // Where it was not judged by the trace stack. Of an instant, and of layer profiler: the scopes
    // of the record at the very pc, if there is one.
    const struct results_sample_frame* witness;
    // Layer sandwich: the walk after the witness, of which `frames` is the walk before. Layer
    // async: the scopes that the code's debug information has for the youngest compiled frame, or
    // NULL. Else NULL.
    const struct results_sample_frame* third;
    // Layer structure, and mismatches of async and gst: the index of each frame's call sites; 0:
    // not read yet. Else NULL.
    const uint32_t* sites;
    const struct results_evidence* evidence; // of mismatches; NULL: none
};

// ---- What a method is -------------------------------------------------------------------------

struct results_insertion {
    uint32_t start, length, old_bci; // bcis of the rewritten code; of the original code
};
struct results_line {
    uint32_t bci, line; // bci of the original code
};
// For a reader of the record. Texts may be NULL.
struct results_names {
    const char* name;   // "class.method(descriptor)"
    const char* source; // the source file's name
    uint32_t insertion_count, line_count;
    const struct results_insertion* insertions; // ascending
    const struct results_line* lines;           // ascending
};

// The position in the original code that belongs to one in the rewritten code; inside an insertion
// the insertion's own.
uint32_t results_old_bci(const struct results_names* names, uint32_t bci);

// ---- Pieces -----------------------------------------------------------------------------------
// The ring's pieces. Each begins with its kind. None has a pointer: the JVM may be dead by then.
enum results_piece_kind {
    RESULTS_PIECE_SAMPLE,    // struct results_sample_piece
    RESULTS_PIECE_SETTLED,   // struct results_settled_piece
    RESULTS_PIECE_REWRITTEN, // made by results_rewritten_piece
    RESULTS_PIECE_SITES,     // made by results_sites_piece
};

// A sample, its arrays behind it. Its own pointers mean nothing.
struct results_sample_piece {
    uint32_t kind;
    uint8_t has_third, has_sites, has_evidence;
    struct results_sample sample;
};
// Where the arrays of a sample's piece lie, by its counts. Sizes fit whatever the counts are.
struct results_sample_room {
    size_t slots, frames, witness, third, sites, evidence; // offsets from the piece
    size_t size;                                           // of all of it
};
struct results_sample_room
results_sample_room(const struct results_sample_piece* piece) HANDLER_SAFE;

// A thread's accusations were settled. Where GetStackTrace contradicted the trace stack, its frames
// lie behind, youngest first: the reader makes the vote of each accused sample from them.
struct results_settled_piece {
    uint32_t kind;
    uint32_t thread_slot, epoch; // of the samples
    uint32_t blame;              // RESULTS_BLAME_*
    uint32_t count;              // of struct results_sample_frame behind it
    uint32_t unused;
};

// Makes the piece that tells of a rewritten method, or of a method's call sites under an index of
// the caller's (from 1, each once). Publishes it for later samples. 0, or -1: no room in the ring.
int results_rewritten_piece(const struct results_ring* ring, uint32_t number,
                            const struct oracle_code* code, const struct results_names* names);
int results_sites_piece(const struct results_ring* ring, uint32_t index,
                        const struct oracle_sites* sites);

// ---- Counters ---------------------------------------------------------------------------------

// All counters of a run by name, layer by layer ("async.asked", "async.verdict.agree", ...), then
// those of the run and of the record itself.
#define RESULTS_COUNTERS_OF_LAYER                                                                  \
    (5 + 3 * ORACLE_VERDICT_COUNT + ORACLE_REFUSAL_COUNT + RESULTS_UNDECIDED_COUNT)
#define RESULTS_COUNTER_ONE(name, meaning) +1
enum { RESULTS_RUN_COUNTER_COUNT = RESULTS_RUN_COUNTERS(RESULTS_COUNTER_ONE) };
#undef RESULTS_COUNTER_ONE
#define RESULTS_COUNTERS                                                                           \
    (ORACLE_LAYER_COUNT * RESULTS_COUNTERS_OF_LAYER + RESULTS_RUN_COUNTER_COUNT)

// The counters of a layer in their order, then those of the run: a group has a counter for each
// entry of a list, or one.
enum results_counter_group {
    RESULTS_COUNTER_ASKED,
    RESULTS_COUNTER_ANSWERED,
    RESULTS_COUNTER_VERDICT,   // entry: enum oracle_verdict
    RESULTS_COUNTER_REFUSED,   // enum oracle_refusal
    RESULTS_COUNTER_UNDECIDED, // enum results_undecided
    RESULTS_COUNTER_OWN,       // enum oracle_verdict
    RESULTS_COUNTER_EXACT,     // enum oracle_verdict
    RESULTS_COUNTER_EXACT_UNEXPLAINED,
    RESULTS_COUNTER_FRAMES_SEEN,
    RESULTS_COUNTER_FRAMES_JUDGED,
    RESULTS_COUNTER_RUN // entry: its place in RESULTS_RUN_COUNTERS
};
struct results_counter {
    enum results_counter_group group;
    enum oracle_layer layer; // ORACLE_LAYER_COUNT: of the run
    uint32_t entry;          // 0 in a group of one
};
// What a counter counts, for index < RESULTS_COUNTERS.
struct results_counter results_counter_at(uint32_t index);
// Whether it may fall while its run goes on, for index < RESULTS_COUNTERS: what the agent holds at
// a moment, and mismatches, which are taken back where the trace stack proves wrong. Those of
// virtual threads are taken back with all their counters, which is not said here.
bool results_counter_may_fall(uint32_t index);
// The name of a counter, for index < RESULTS_COUNTERS. Returns text.
#define RESULTS_COUNTER_NAME 64
const char* results_counter_name(uint32_t index, char text[RESULTS_COUNTER_NAME]);
// Takes all of a run's counters, each as it is at its moment.
void results_counters_take(const struct results_run* run, uint64_t values[RESULTS_COUNTERS]);

// ---- Recording --------------------------------------------------------------------------------

struct results_recorder_options {
    void* context;
    // A whole block, compressed. 0, or -1: the recorder then gives up and says so by -1 everywhere.
    int (*write)(void* context, const void* bytes, size_t size);
    // This method, not rewritten, has got an index: names may come at once or later. May be NULL.
    void (*met)(void* context, uint32_t index, uint64_t id, uint32_t number);
};

// Encodes and compresses. One thread at a time. NULL without memory.
struct results_recorder;
struct results_recorder* results_recorder_open(const struct results_recorder_options* options);
void results_recorder_close(struct results_recorder* recorder);
// Each of these adds to the open block, and closes it where it has grown large. 0, or -1: no
// memory, or a block could not be written; from then on nothing is.
int results_recorder_property(struct results_recorder* recorder, const char* name,
                              const char* value);
// Adds the lists and closes the block as the head: after the properties, before all else.
int results_recorder_head(struct results_recorder* recorder, uint64_t time_ns);
int results_recorder_sample(struct results_recorder* recorder, const struct results_sample* sample);
int results_recorder_names(struct results_recorder* recorder, uint32_t index,
                           const struct results_names* names);
// What changed since the last call, or with `full` all that is not 0.
int results_recorder_counters(struct results_recorder* recorder, uint64_t time_ns,
                              const uint64_t values[RESULTS_COUNTERS], bool full);
// A piece of the ring. 1: it is malformed, and nothing was recorded.
int results_recorder_piece(struct results_recorder* recorder, const void* piece, size_t size);
// Bytes in the open block.
size_t results_recorder_pending(const struct results_recorder* recorder);
// A recorder's `write` into a file. 0, or -1 with errno set.
int results_block_write(int file, const void* bytes, size_t size);
// Closes the open block, if anything is in it; `end`: as the last.
int results_recorder_flush(struct results_recorder* recorder, uint64_t time_ns, bool end);

// More samples for a record that has ended, the file at `path`: they go behind its end, with an end
// of their own. `met` as in results_recorder_options. NULL with errno set; EPROTO: it is no record,
// or has not ended.
struct results_behind;
struct results_behind* results_behind_open(const char* path,
                                           void (*met)(void* context, uint32_t index, uint64_t id,
                                                       uint32_t number),
                                           void* context);
// The recorder that writes there.
struct results_recorder* results_behind_recorder(struct results_behind* behind);
// Appends the run's counters and an end that says `why`, and closes. 0, or -1 with errno set.
int results_behind_close(struct results_behind* behind, const struct results_run* run,
                         const char* why);

// ---- Reading ----------------------------------------------------------------------------------

// A method as the record defines it. `defined` false: its block was lost.
struct results_method {
    bool defined, named;
    uint64_t id;
    uint32_t number;                // may be ORACLE_FOREIGN, ORACLE_OWN, ORACLE_UNKNOWN
    const struct oracle_code* code; // NULL: not known
    struct results_names names;     // where named
};

struct results_record;

// Reads the whole of it once: methods, names, properties, and what is wrong. The bytes are the
// caller's and outlive the record. NULL: no memory. Hostile bytes give a record with problems.
struct results_record* results_record_open(const void* bytes, size_t size);
// Maps a file and opens it. NULL with errno set.
struct results_record* results_record_open_file(const char* path);
void results_record_close(struct results_record* record);

// What is wrong with the file, in file order. The text is the record's.
struct results_problem {
    uint64_t offset; // into the file
    char text[120];
};
#define RESULTS_PROBLEMS_KEPT 256
size_t results_record_problems(const struct results_record* record,
                               const struct results_problem** list);
// How many there were, kept or not.
uint64_t results_record_problem_count(const struct results_record* record);
// NULL: no such property.
const char* results_record_property(const struct results_record* record, const char* name);
// The nth property from 0, false behind the last.
bool results_record_nth_property(const struct results_record* record, size_t n, const char** name,
                                 const char** value);
// Whether HotSpot calls the method of this name ("java.lang.ClassLoader.loadClass(...") by itself.
// A class whose name ends as those of exceptions do is taken for one.
bool results_called_by_vm(const char* name);
// The method of that id and number; NULL: none.
const struct results_method* results_record_find(const struct results_record* record, uint64_t id,
                                                 uint32_t number);
// What the record tells of the method that was rewritten under this number, for numbers below
// results_record_numbers; NULL: nothing.
uint32_t results_record_numbers(const struct results_record* record);
const struct results_names* results_record_rewritten(const struct results_record* record,
                                                     uint32_t number);
// Sizes: of the file, of the blocks' content, of samples within it; how many of each.
struct results_record_sizes {
    uint64_t file, content, samples_bytes;
    uint64_t blocks, samples, mismatches, chosen;
};
void results_record_sizes(const struct results_record* record, struct results_record_sizes* sizes);

// What results_record_each calls, in file order; NULL: nothing. Pointers hold for the call.
struct results_record_visitor {
    void* context;
    // A sample; `lost`: it refers to methods whose definition was lost.
    void (*sample)(void* context, const struct results_sample* sample, bool lost);
    void (*counters)(void* context, uint64_t time_ns, bool full,
                     const uint64_t values[RESULTS_COUNTERS]);
    void (*settled)(void* context, uint32_t thread_slot, uint32_t epoch, uint32_t blame);
};
// 0, or -1 without memory.
int results_record_each(const struct results_record* record,
                        const struct results_record_visitor* visitor);

// The sample of that number, for results_sample_free. NULL: the record has none, or no memory.
struct results_sample* results_record_fetch(const struct results_record* record, uint64_t sequence);
void results_sample_free(struct results_sample* sample);
// RESULTS_BLAME_* of a sample of layer async, and of layer profiler, of its instant: what
// GetStackTrace said at the thread's next push or pop. And the vote of one of layer async: whom
// GetStackTrace agreed with. OPEN in other layers.
uint32_t results_record_blame(const struct results_record* record,
                              const struct results_sample* sample);
enum results_vote results_record_vote(const struct results_record* record,
                                      const struct results_sample* sample);

// ---- Judging again ----------------------------------------------------------------------------

struct results_replay;
// Judges recorded samples again. `off`: rules left out, 1 << enum oracle_rule. NULL: no memory.
struct results_replay* results_replay_open(uint32_t off);
void results_replay_close(struct results_replay* replay);
// Samples of layer profiler are judged by the names of their methods, too (results_called_by_vm).
// Gives the names of samples that are not in the record yet: NULL where one is not known. Without
// this call the record's names are taken.
void results_replay_names(struct results_replay* replay,
                          const char* (*name)(void* context, uint64_t id), void* context);
// What the oracle says of the sample now, in *judgement. False: it cannot be judged from what the
// record holds (contradictory, or written when less was recorded).
bool results_replay_judge(struct results_replay* replay, const struct results_record* record,
                          const struct results_sample* sample, struct oracle_judgement* judgement);

#endif
