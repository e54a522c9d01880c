// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// TODO door of runner/options
#ifndef RUNNER_OPTIONS_H
#define RUNNER_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "results/report/report.h"
#include "runner/base/base.h"

// ---- options ------------------------------------------------------------------------------------
// The options of `validate`, `run` and `bench`: tables, read by argp.

#define OPTIONS_AGENT_SIZE 1024

#define OPTIONS_JDKS 64 // as many columns as a terminal could show, and more

struct options {
    const char* jdk; // the last of `jdks`
    const char* jdks[OPTIONS_JDKS];
    unsigned jdk_count;
    unsigned shard, shards; // this share of the plan, from 1; shards 0: all of it
    const char* cases;      // globs, separated by commas; NULL: the preset's
    uint32_t modes;         // bits 1 << enum mode_id; 0: the preset's
    bool further;           // cases also run in the further modes that cases.ini gives them
    uint32_t layers;        // bits 1 << enum oracle_layer; after options_parse never 0
    const char* scope;      // none, app or all: the first of `scopes`
    uint32_t scopes;        // bits 1 << enum options_scope; 0: `scope` alone
    bool full;              // preset
    bool programs;          // preset: real programs in the place of cases
    int more_time;          // runs that judged too little are made again: 1 yes, -1 no, 0 not said
    double seconds;         // 0: not given
    double timeout;         // seconds; 0: not given
    uint64_t seed;
    unsigned jobs;
    const char* walker;             // NULL: the agent's default; also among `agent`
    const char* out;                // NULL: the default
    const char* resume;             // the directory of the session to go on with; NULL: none
    const char* vm_options;         // NULL: none
    char agent[OPTIONS_AGENT_SIZE]; // further agent options, "key=value,key=value"
    bool bare;                      // without the agent, to compare with: set by bench only
    const char* place;              // where a listed program runs: set by listed.c only
    char** java_arguments;          // run: what stands after --, NULL-terminated
    int java_count;
};

// Which classes are instrumented. In this order scopes are run and shown.
enum options_scope { OPTIONS_SCOPE_NONE, OPTIONS_SCOPE_APP, OPTIONS_SCOPE_ALL, OPTIONS_SCOPES };
const char* options_scope_text(enum options_scope scope);

enum options_command { OPTIONS_VALIDATE, OPTIONS_RUN, OPTIONS_BENCH };

// Reads the arguments after the subcommand's name (argv[0] is that name). 0 and *options complete.
// What is wrong is said on standard error and ends the process with RUNNER_EXIT_USAGE; if
// `stay` is true, returns that status instead. Texts in *options are those of argv.
int options_parse(enum options_command command, int argc, char** argv, bool stay,
                  struct options* options);

// Seconds that a run goes on, and after which it is killed (0: never).
double options_seconds(const struct options* options);
double options_time_limit(const struct options* options, enum options_command command);

// Is a run that judged too little made again, for longer (more_time.h)?
bool options_more_time(const struct options* options);

// The layers that are asked for and that this scope can have.
uint32_t options_layers_in(const struct options* options, const char* scope);
// The names of `layers`, with `separator` between, into text.
void options_layers_text(uint32_t layers, char separator, char* text, unsigned size);

// ---- modes --------------------------------------------------------------------------------------
// Modes: the JVM flags that decide who executes the code, and how it is compiled.

// Kinds of code that a JVM's threads can be in, by who compiles.
#define MODES_ANYWHERE                                                                             \
    (1u << RESULTS_CODE_INTERPRETER | 1u << RESULTS_CODE_STUB | 1u << RESULTS_CODE_JVM |           \
     1u << RESULTS_CODE_NATIVE)
#define MODES_COMPILED                                                                             \
    (MODES_ANYWHERE | 1u << RESULTS_CODE_NATIVE_WRAPPER | 1u << RESULTS_CODE_ADAPTER |             \
     1u << RESULTS_CODE_VTABLE)
#define MODES_C1 (1u << RESULTS_CODE_C1_1 | 1u << RESULTS_CODE_C1_2 | 1u << RESULTS_CODE_C1_3)
#define MODES_C2 (1u << RESULTS_CODE_C2)

#define MODES_ALL_TIERS (MODES_COMPILED | MODES_C1 | MODES_C2)

#define MODES_DIAGNOSTIC "-XX:+UnlockDiagnosticVMOptions "
#define MODES_EXPERIMENTAL "-XX:+UnlockExperimentalVMOptions "

// C2's flags that make it choose at random where any choice is right; release builds have them.
// (StressLdcRewrite is none of them: it moves the code of retransformed classes, and with it the
// bci that the trace stack expects.)
#define MODES_STRESS                                                                               \
    "?-XX:+StressLCM ?-XX:+StressGCM ?-XX:+StressIGVN ?-XX:+StressCCP "                            \
    "?-XX:+StressIncrementalInlining ?-XX:+StressMacroExpansion ?-XX:+StressMacroElimination "     \
    "?-XX:+StressArrayCopyMacroNode ?-XX:+StressMethodHandleLinkerInlining "                       \
    "?-XX:+StressUnstableIfTraps ?-XX:+StressReachabilityFences ?-XX:+StressSecondarySupers "      \
    "?-XX:StressSeed=#"

// NAME, text, JVM flags, agent options, kinds of code, explanation. A flag with ? before it is left
// out where the JVM does not know it; # stands for the seed. What else a JVM does not know, or does
// not start with, it does not have the mode of: ability.h.
#define MODES(M)                                                                                   \
    M(INT, "int", "-Xint", "", MODES_ANYWHERE, "interpreter only")                                 \
    M(C1, "c1", "-XX:TieredStopAtLevel=1", "", MODES_COMPILED | 1u << RESULTS_CODE_C1_1,           \
      "C1 only, without profiling")                                                                \
    M(C2, "c2", "-XX:-TieredCompilation", "", MODES_COMPILED | MODES_C2, "interpreter and C2")     \
    M(TIERED, "tiered", "", "", MODES_ALL_TIERS, "as is: interpreter, C1 and C2")                  \
    M(DEBUGINFO, "debuginfo", MODES_DIAGNOSTIC "-XX:+DebugNonSafepoints", "debuginfo=1",           \
      MODES_ALL_TIERS, "tiered, with debug information at non-safepoints")                         \
    M(COMP, "comp", "-Xcomp", "", MODES_ALL_TIERS,                                                 \
      "all is compiled at its first call: no profile, so code for cases that never come")          \
    M(NOINLINE, "noinline", "-XX:-Inline", "", MODES_ALL_TIERS,                                    \
      "tiered, nothing inlined: every call has a frame, a prologue and an epilogue")               \
    M(NOCOMPRESSED, "nocompressed", "-XX:-UseCompressedOops ?-XX:-UseCompressedClassPointers", "", \
      MODES_ALL_TIERS,                                                                             \
      "tiered, pointers of 64 bits to objects and, where that can be had, to classes")             \
    M(SERIAL, "serial", "-XX:+UseSerialGC", "", MODES_ALL_TIERS,                                   \
      "tiered, Serial GC: card marks, collections by one thread")                                  \
    M(PARALLEL, "parallel", "-XX:+UseParallelGC", "", MODES_ALL_TIERS,                             \
      "tiered, Parallel GC: card marks, long pauses")                                              \
    M(G1, "g1", "-XX:+UseG1GC", "", MODES_ALL_TIERS,                                               \
      "tiered, G1: barriers with slow paths (small machines choose Serial by themselves)")         \
    M(ZGC, "zgc", MODES_EXPERIMENTAL "-XX:+UseZGC", "", MODES_ALL_TIERS,                           \
      "tiered, ZGC: barriers at loads and method entries, stacks scanned while they run")          \
    M(SHENANDOAH, "shenandoah", MODES_EXPERIMENTAL "-XX:+UseShenandoahGC", "", MODES_ALL_TIERS,    \
      "tiered, Shenandoah: barriers at loads and method entries, moves objects beside the "        \
      "program")                                                                                   \
    M(PRESERVEFP, "preservefp", "-XX:+PreserveFramePointer", "", MODES_ALL_TIERS,                  \
      "tiered, compiled code keeps rbp as frame pointer, as many profilers advise")                \
    M(STRESS, "stress", MODES_DIAGNOSTIC MODES_STRESS, "", MODES_ALL_TIERS,                        \
      "tiered, C2 schedules and transforms at random, from the seed: what flags the JVM has")

enum mode_id {
#define MODE_ENUM(name, text, flags, agent, kinds, explanation) MODE_##name,
    MODES(MODE_ENUM)
#undef MODE_ENUM
        MODE_COUNT
};

struct mode {
    const char* name;
    const char* flags; // separated by spaces, with ? and #: see MODES
    const char* agent; // further agent options, or empty
    uint32_t kinds;    // kinds of code there can be: bits 1 << enum results_code_kind
    const char* explanation;
};

extern const struct mode modes[MODE_COUNT];

// The presets' modes, as bits 1 << enum mode_id.
#define MODES_QUICK (1u << MODE_INT | 1u << MODE_C1 | 1u << MODE_TIERED)
#define MODES_FULL                                                                                 \
    (1u << MODE_INT | 1u << MODE_C1 | 1u << MODE_C2 | 1u << MODE_TIERED | 1u << MODE_DEBUGINFO)
#define MODES_ALL ((1u << MODE_COUNT) - 1)

// The index of the mode with this name, of `length` bytes; -1 if there is none.
int modes_find(const char* name, size_t length);

// The mode's flags as words. `known` are the names of the flags that this JVM has, each between
// newlines (jdk.h); if it is empty nobody asked, and what has a ? is left out.
void modes_flags(const struct mode* mode, const char* known, uint64_t seed, struct words* words);
// Gives 0 if the JVM has all the flags that the mode needs, and any flag of it at all; else the
// length of a name that is missing, to which *name points.
size_t modes_missing(const struct mode* mode, const char* known, const char** name);

// ---- rest ---------------------------------------------------------------------------------------
// A command line made of another one, less some of its options.

// Adds to *words what of argv[first..argc) is not an option with one of `values`: pointers into
// argv, as options_parse leaves them, so that it is no matter how the option was written. NULLs
// among them are nothing.
void rest_add(int first, int argc, char* const* argv, const char* const* values, size_t count,
              struct words* words);

#endif
