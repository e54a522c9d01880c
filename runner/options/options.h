// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The arguments of commands: the options of `validate`, `run`, `profile` and `bench`; modes, which
// are named there; and the parts that all commands' parsers share. Starts nothing.
#ifndef RUNNER_OPTIONS_H
#define RUNNER_OPTIONS_H

#include "results/report/report.h"
#include "runner/base/base.h"

// ---- The options of validate, run, profile and bench --------------------------------------------

#define OPTIONS_AGENT_SIZE 1024

#define OPTIONS_JDKS 64 // more columns than a terminal can show

struct options {
    const char* jdk;        // the last of `jdks`, or that of jdk_default
    const char* jdk_whence; // where it was found, as jdk_default says; NULL: the user named it
    const char* jdks[OPTIONS_JDKS];
    unsigned jdk_count;
    unsigned shard, shards; // this share of the plan, from 1; shards 0: all of it
    const char* cases;      // globs, separated by commas; NULL: the preset's
    uint32_t modes;         // bits 1 << enum mode_id; 0: the preset's
    bool further;           // cases also run in the further modes that cases.ini gives them
    uint32_t layers;        // bits 1 << enum oracle_layer; after options_parse never 0
    const char* scope;      // none, app or all: the first of `scopes`
    uint32_t scopes;        // bits 1 << enum options_scope; 0: `scope` alone
    bool scoped;            // the user has said which scopes
    bool full;              // preset
    bool programs;          // preset: real programs instead of cases
    int more_time;          // repeat runs that judged too little: 1 yes, -1 no, 0 not given
    double seconds;         // 0: not given
    double timeout;         // seconds; 0: not given
    uint64_t seed;
    uint32_t density; // in millionths (results_density_read); 0: not given, which is all. Also in
                      // `agent`
    unsigned jobs;
    const char* profiler;           // names, separated by commas; NULL: none is judged
    const char* profiler_period;    // how often it samples; NULL: as its description says
    const char* profiler_home;      // where it is installed; NULL: not given
    const char* walker;             // NULL: the agent's default; also among `agent`
    const char* out;                // NULL: the default
    const char* resume;             // the directory of the session to go on with; NULL: none
    const char* vm_options;         // NULL: none
    char agent[OPTIONS_AGENT_SIZE]; // further agent options, "key=value,key=value"
    bool inlining;                  // has the JVM log its compilations, for scopes side by side
    bool bare;                      // without the agent, as a reference
    const char* place;              // working directory of a listed program; NULL: a case
    char** java_arguments;          // run: the words after --, NULL-terminated
    int java_count;
    const char *json, *html; // profile: files that it also writes; NULL: none
};

// Which classes are instrumented. Scopes are run and shown in this order.
enum options_scope { OPTIONS_SCOPE_NONE, OPTIONS_SCOPE_APP, OPTIONS_SCOPE_ALL, OPTIONS_SCOPES };
const char* options_scope_text(enum options_scope scope);

// OPTIONS_PLAN are the options of validate, for another purpose.
enum options_command {
    OPTIONS_VALIDATE,
    OPTIONS_RUN,
    OPTIONS_BENCH,
    OPTIONS_PLAN,
    OPTIONS_PROFILE
};
// Whether the command runs a Java program of the user's.
bool options_run_program(enum options_command command);

// Reads the call's words. 0 and *options complete; else as arguments_parse.
int options_parse(enum options_command command, const struct base_call* call,
                  struct options* options);

// The options of validate as a part of another command's parser: argp's table of them, one of them
// taken (errno's number, or ARGP_ERR_UNKNOWN), and their defaults (0; or RUNNER_EXIT_USAGE after a
// message).
struct argp_option;
struct argp_state;
const struct argp_option* options_table(void);
int options_take(int key, char* text, struct argp_state* state, struct options* options);
int options_complete(enum options_command command, struct options* options);

// Takes the JDK that is meant where the user names none, and says so on standard error; stays
// silent where the user has named one. False: there is none, and *why says what is missing.
bool options_default_jdk(struct options* options, const char** why);
// The command line, as it is to be repeated later: with the JDK, where it was not named, and --out
// in the place of --resume, which would find nothing left to run. The caller frees it.
char* options_line(const struct options* options, const struct base_call* call);
// Adds the names of options->profiler, each once.
void options_profilers(const struct options* options, struct words* names);

// Seconds that a run goes on, and after which it is killed (0: never).
double options_seconds(const struct options* options);
double options_time_limit(const struct options* options, enum options_command command);
// Whether it is a time as profilers take it: a whole number from 1 on with ns, us, ms or s.
bool options_is_period(const char* text);

// Is a run that judged too little repeated, for longer?
bool options_more_time(const struct options* options);

// The layers that are asked for and that this scope can have.
uint32_t options_layers_in(const struct options* options, const char* scope);
// The names of `layers`, with `separator` between, into text.
void options_layers_text(uint32_t layers, char separator, char* text, unsigned size);

// ---- Modes --------------------------------------------------------------------------------------
// A mode is a set of JVM flags: it decides which compilers make the code, and how.

// Kinds of code that a JVM's threads can be in, by compiler.
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

// With these flags C2 chooses at random where every choice is right. Release builds have them.
// StressLdcRewrite is left out: it moves the code of retransformed classes, and with it the bci
// that the trace stack expects.
#define MODES_STRESS                                                                               \
    "?-XX:+StressLCM ?-XX:+StressGCM ?-XX:+StressIGVN ?-XX:+StressCCP "                            \
    "?-XX:+StressIncrementalInlining ?-XX:+StressMacroExpansion ?-XX:+StressMacroElimination "     \
    "?-XX:+StressArrayCopyMacroNode ?-XX:+StressMethodHandleLinkerInlining "                       \
    "?-XX:+StressUnstableIfTraps ?-XX:+StressReachabilityFences ?-XX:+StressSecondarySupers "      \
    "?-XX:StressSeed=#"

// NAME, text, JVM flags, agent options, kinds of code, explanation. A flag with ? before it is left
// out where the JVM does not know it; # stands for the seed. A JVM that does not know another flag,
// or does not start with it, does not have the mode (job/ability.c).
#define MODES(M)                                                                                   \
    M(INT, "int", "-Xint", "", MODES_ANYWHERE, "interpreter only")                                 \
    M(C1, "c1", "-XX:TieredStopAtLevel=1", "", MODES_COMPILED | 1u << RESULTS_CODE_C1_1,           \
      "C1 only, without profiling")                                                                \
    M(C2, "c2", "-XX:-TieredCompilation", "", MODES_COMPILED | MODES_C2, "interpreter and C2")     \
    M(TIERED, "tiered", "", "", MODES_ALL_TIERS, "as is: interpreter, C1 and C2")                  \
    M(DEBUGINFO, "debuginfo", MODES_DIAGNOSTIC "-XX:+DebugNonSafepoints", "debuginfo=1",           \
      MODES_ALL_TIERS, "tiered, with debug information at non-safepoints")                         \
    M(COMP, "comp", "-Xcomp", "", MODES_ALL_TIERS,                                                 \
      "each method is compiled at its first call, without a profile: code for every case")         \
    M(NOINLINE, "noinline", "-XX:-Inline", "", MODES_ALL_TIERS,                                    \
      "tiered, nothing inlined: every call has a frame, a prologue and an epilogue")               \
    M(NOCOMPRESSED, "nocompressed", "-XX:-UseCompressedOops ?-XX:-UseCompressedClassPointers", "", \
      MODES_ALL_TIERS,                                                                             \
      "tiered, pointers of 64 bits to objects and, where the JVM has it, to classes")              \
    M(SERIAL, "serial", "-XX:+UseSerialGC", "", MODES_ALL_TIERS,                                   \
      "tiered, Serial GC: card marks, collections by one thread")                                  \
    M(PARALLEL, "parallel", "-XX:+UseParallelGC", "", MODES_ALL_TIERS,                             \
      "tiered, Parallel GC: card marks, long pauses")                                              \
    M(G1, "g1", "-XX:+UseG1GC", "", MODES_ALL_TIERS,                                               \
      "tiered, G1: barriers with slow paths (on small machines the JVM's default is Serial)")      \
    M(ZGC, "zgc", MODES_EXPERIMENTAL "-XX:+UseZGC", "", MODES_ALL_TIERS,                           \
      "tiered, ZGC: barriers at loads and method entries, stacks scanned while they run")          \
    M(SHENANDOAH, "shenandoah", MODES_EXPERIMENTAL "-XX:+UseShenandoahGC", "", MODES_ALL_TIERS,    \
      "tiered, Shenandoah: barriers at loads and method entries, moves objects beside the "        \
      "program")                                                                                   \
    M(PRESERVEFP, "preservefp", "-XX:+PreserveFramePointer", "", MODES_ALL_TIERS,                  \
      "tiered, compiled code keeps rbp as frame pointer, as many profilers advise")                \
    M(STRESS, "stress", MODES_DIAGNOSTIC MODES_STRESS, "", MODES_ALL_TIERS,                        \
      "tiered, C2 schedules and transforms at random, from the seed, with the flags that the "     \
      "JVM has")

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

// Adds the mode's flags. `known` are the names of the flags that this JVM has, each between
// newlines (struct jdk). Empty: the JVM was not asked, and flags with a ? are left out.
void modes_flags(const struct mode* mode, const char* known, uint64_t seed, struct words* words);
// 0 if the JVM has all the flags that the mode needs, and at least one of the mode's flags. Else
// the length of a missing flag's name, and *name points to it.
size_t modes_missing(const struct mode* mode, const char* known, const char** name);

// ---- Names --------------------------------------------------------------------------------------
// From names, as options and the lists of cases/ have them, to bits. See names_bits.

uint32_t names_mismatch(const char* name, size_t length); // 1 << enum oracle_verdict
uint32_t names_layer(const char* name, size_t length);    // 1 << enum oracle_layer
uint32_t names_mode(const char* name, size_t length);     // 1 << enum mode_id
uint32_t names_scope(const char* name, size_t length);    // 1 << enum options_scope

// The code's name in "refused.CODE", or with a colon; *length, the text's, is then the code's.
// NULL: it is none such, or has no code.
const char* names_refused(const char* text, size_t* length);

// ---- Arguments: what all parsers share ----------------------------------------------------------

struct argp;

// Has argp read the call's words with these flags. 0; or, after a message, RUNNER_EXIT_USAGE, with
// which the process ends unless call->stays.
int arguments_parse(const struct argp* argp, unsigned flags, const struct base_call* call,
                    void* input);

// Prints the help of the call's command, as --help does.
void arguments_help(const struct argp* argp, const struct base_call* call);

// Each of the following says what is wrong, with the option and its value, and then gives EINVAL;
// else 0. `state` is argp's.

int arguments_wrong(struct argp_state* state, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
int arguments_refuse(struct argp_state* state, const char* option, const char* value,
                     const char* why);

struct arguments_range {
    double low, high;
    bool above, below; // the low end, the high end is not part of it
};
// A plain decimal number: no sign, no hexadecimals, no inf or nan.
int arguments_decimal(struct argp_state* state, const char* option, const char* text,
                      struct arguments_range range, double* value);

struct arguments_limits {
    uint64_t low, high;
};
int arguments_integer(struct argp_state* state, const char* option, const char* text,
                      struct arguments_limits limits, uint64_t* value);

// One of the words; NULL ends them.
int arguments_word(struct argp_state* state, const char* option, const char* text,
                   const char* const* words, const char** value);
// The names in --modes, --layers, as bits.
int arguments_modes(struct argp_state* state, const char* text, uint32_t* bits);
int arguments_layers(struct argp_state* state, const char* text, uint32_t* bits);
// Refuses a mode that does not exist.
int arguments_no_mode(struct argp_state* state, const char* text);
// A path that is not empty.
int arguments_path(struct argp_state* state, const char* option, const char* text,
                   const char** value);
// The same without a comma: it becomes part of an agent option, and commas separate those.
int arguments_directory(struct argp_state* state, const char* option, const char* text,
                        const char** value);

// Adds the call's words after argv[0], without the options that have one of `values`. A value is a
// pointer into argv, as options_parse leaves it, so the option's spelling does not matter. NULLs
// among them are ignored.
void arguments_hand_on(const struct base_call* call, const char* const* values, size_t count,
                       struct words* words);

#endif
