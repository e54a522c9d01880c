// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What every room of the agent shares: the options, the JVM's interfaces, the run's file, the
// clock, the assert and the random numbers. `agent` is filled once while the agent loads and is
// read-only afterwards, except where a field is marked atomic.
#ifndef AGENT_STATE_H
#define AGENT_STATE_H

#include <jni.h>
#include <jvmti.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/oracle.h"
#include "results/record/record.h"

enum agent_scope { AGENT_SCOPE_NONE, AGENT_SCOPE_APP, AGENT_SCOPE_ALL };
enum agent_source {
    AGENT_SOURCE_CLOCK,
    AGENT_SOURCE_RANDOM,
    AGENT_SOURCE_WALL,
    AGENT_SOURCE_PROFILER
};
enum agent_bench { AGENT_BENCH_NONE, AGENT_BENCH_PHASES, AGENT_BENCH_SIGNALS };
enum agent_push { AGENT_PUSH_NATIVE, AGENT_PUSH_INLINE, AGENT_PUSH_AUTO };

#define AGENT_PATH_MAX 4096

// ---- Options ------------------------------------------------------------------------------------

// How often something is done at pushes. All zero: never.
struct agent_rate {
    uint32_t one_in;    // one push in so many; 0: none, or by share
    double share;       // 0..1, of the run time; 0: not by share
    double share_first; // the same until the run has the checks that a row needs
};

struct agent_options {
    char file[AGENT_PATH_MAX];
    char walkers[AGENT_PATH_MAX];
    char causes[AGENT_PATH_MAX];
    char walker[64];
    enum agent_scope scope;
    enum agent_source source;
    enum agent_push push;
    uint32_t layers;      // bit (1 << enum oracle_layer)
    uint32_t interval_us; // as it is used: clock_settle may lengthen it
    uint64_t seed;
    uint32_t density; // of a million methods, so many are instrumented: results_density_read
    struct agent_rate checks, gaps;
    uint32_t looking; // of so many methods one looks for checks, a power of two; 0: by number
    uint32_t record;  // one in so many samples goes into the record, 0: mismatches alone
    uint32_t hostile; // questions of layer hostile a sample
    uint32_t survive; // of layer survive: about so many us between two questions of a thread
    uint32_t looks;   // samples a second that structure and coverage look at, about; 0: all
    uint32_t depth;
    int signal;
    int survive_signal; // layer survive's, which the agent chooses; 0: none
    // The profiler that is judged beside the walker, where there is one.
    char profiler[64];         // its name; "": none
    char profiler_library[64]; // part of the name of the library that installs its handlers
    uint64_t profiler_signals; // bit (1 << (signal - 1)): its handlers are wrapped
    int driven_signal;         // whose handler each sample calls; 0: none
    bool profiler_ticks;       // its times are JFR's ticks; else CLOCK_MONOTONIC
    bool debuginfo;
    enum agent_bench bench;
    bool cold;   // layer survive: GetEnv is first called in a handler, which may hang (finding 25)
    bool rescue; // layers hostile and survive: threads are led out of a walker that dies
};

// Reads `text`, the options after -agentpath:...= (agent.h lists them; NULL: empty), into *options,
// defaults first. Returns 0; or -1 and, in `error`, a message that names the offending option. The
// options before the offending one are then in *options, so the run's file can still be told.
int options_parse(const char* text, struct agent_options* options, char* error, size_t error_size);

// ---- The agent's state --------------------------------------------------------------------------

struct agent_state {
    struct agent_options options;
    JavaVM* vm;
    jvmtiEnv* jvmti;
    int release; // Java feature release of the JVM under test: 8, 11, 17, ...
    struct results_run* run;
    struct oracle_methods* methods;
    struct results_causes causes; // known causes of mismatches, and what decides among them
    enum results_collector collector;
    bool inlined;   // push and pop are Java code, which the JIT inlines; decided at VMInit
    bool redefined; // atomic: the program has redefined a class
    bool recoded; // atomic: a class was given new code, by the program or by the agent (scope all)
    uint64_t started_ns;
    uint32_t stopped; // atomic: 1 once the JVM announced its death; handlers return at once
};

extern struct agent_state agent;

static inline bool agent_layer(enum oracle_layer layer) {
    return (agent.options.layers >> layer & 1u) != 0;
}

// Whether threads are to be sampled for the layers that take one walk at a time.
static inline bool agent_samples_wanted(void) {
    return agent_layer(ORACLE_LAYER_ASYNC) || agent_layer(ORACLE_LAYER_STRUCTURE) ||
           agent_layer(ORACLE_LAYER_HOSTILE);
}

// Whether threads are to check themselves at pushes now and then (blame is another matter).
static inline bool agent_checks_wanted(void) {
    return (agent.options.checks.one_in != 0 || agent.options.checks.share != 0) &&
           (agent_layer(ORACLE_LAYER_GST) || agent_layer(ORACLE_LAYER_SAFEPOINT));
}

// Whether what lies between the entries is to be captured, at checks and between them.
static inline bool agent_gaps_wanted(void) {
    return (agent.options.gaps.one_in != 0 || agent.options.gaps.share != 0) &&
           agent_layer(ORACLE_LAYER_ASYNC);
}

// Whether the layer still has fewer answers than that, so it is to be asked more often. A bench is
// of what goes on for hours, and begins with enough.
static inline bool agent_lacks(enum oracle_layer layer, uint64_t enough) {
    return !agent.options.bench &&
           __atomic_load_n(&agent.run->layers[layer].answered, __ATOMIC_RELAXED) < enough;
}

// Adds to a counter of the run's file. Handlers may call it.
static inline __attribute__((always_inline)) void agent_count(uint64_t* counter, uint64_t n) {
    __atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
}

// The run's file is mapped and claimed: from now on its counters `memory` and `mapped` say how much
// memory the agent holds. One thread alone may take memory meanwhile.
void agent_memory_show(void);

// Gives anonymous memory of the agent's mmap back, `size` bytes, and counts it no longer.
void agent_unmap(void* memory, size_t size);

// `bytes` rounded up to whole pages of this kernel, which on aarch64 have 4, 16 or 64 KB.
size_t agent_whole_pages(size_t bytes);

// ---- Time, asserts, refusals --------------------------------------------------------------------

// CLOCK_MONOTONIC in nanoseconds. Async-signal-safe (POSIX).
uint64_t agent_now_ns(void) HANDLER_COMMON;
// The calling thread's CPU time in nanoseconds. A system call.
uint64_t agent_thread_ns(void) HANDLER_SAFE;

// An assert that is on in every build: one line on standard error, then _exit(RESULTS_EXIT_ASSERT),
// so that our own bug is never filed as a crash of the JVM.
#define AGENT_ASSERT(condition)                                                                    \
    ((condition) ? (void)0 : agent_assert_failed(#condition, __FILE__, __LINE__))
_Noreturn void agent_assert_failed(const char* condition, const char* file, int line);

// The agent cannot work in this JVM: writes the reason to standard error and, where the run's file
// is open, into its `error`, and sets its phase to REFUSED. The caller ends what it was doing.
__attribute__((format(printf, 1, 2))) void agent_refuse(const char* format, ...);

// ---- Random choices -----------------------------------------------------------------------------

// A seed repeats them: xorshift64 (G. Marsaglia, "Xorshift RNGs", 2003).

// A state for one of several streams of the same seed; never 0.
static inline uint64_t random_seed(uint64_t seed, uint64_t stream) {
    uint64_t state = (seed + 1) * 0x9e3779b97f4a7c15ull ^ stream << 32;
    return state != 0 ? state : 1;
}

// A number in [0, limit), each as likely as the other; limit > 0.
static inline uint32_t random_below(uint64_t* state, uint32_t limit) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)((*state >> 32) * limit >> 32);
}

#endif
