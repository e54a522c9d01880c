// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// From words to struct options. Every refusal names the option, its value and the error.
#include "options.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle.h"

enum option_key {
    KEY_JDK = 256,
    KEY_CASES,
    KEY_MODES,
    KEY_LAYERS,
    KEY_SCOPE,
    KEY_SECONDS,
    KEY_SEED,
    KEY_JOBS,
    KEY_PRESET,
    KEY_SHARD,
    KEY_OUT,
    KEY_RESUME,
    KEY_MORE_TIME,
    KEY_VM_OPTIONS,
    KEY_TIMEOUT,
    KEY_SOURCE,
    KEY_PUSH,
    KEY_INTERVAL,
    KEY_CHECKS,
    KEY_DEPTH,
    KEY_WALKER,
    KEY_RECORD,
    KEY_SIGNAL,
    KEY_AGENT,
    KEY_DENSITY,
    KEY_INLINING,
    KEY_PROFILER,
    KEY_PROFILER_HOME,
    KEY_PROFILER_PERIOD,
    KEY_JSON,
    KEY_HTML,
};

static const struct argp_option table[] = {
    {"jdk", KEY_JDK, "JDK", 0,
     "the JDK under test: a directory, a build tree or an image in it, a .tar.gz or a .zip; "
     "default JAVA_HOME, else that of java on the PATH; validate takes several, one --jdk for "
     "each, and shows them side by side; one of aarch64 runs under qemu",
     1},
    {"cases", KEY_CASES, "GLOB,...", 0, "cases by name; default: those of the preset", 1},
    {"modes", KEY_MODES, "M,...", 0, "see plumbline list modes; default: those of the preset", 1},
    {"layers", KEY_LAYERS, "L,...", 0,
     "see plumbline list layers; default: all that the scope allows, but not hostile and survive",
     1},
    {"scope", KEY_SCOPE, "S,...", 0,
     "the classes that are instrumented: none, app or all; default app; validate takes several and "
     "shows them side by side",
     1},
    {"density", KEY_DENSITY, "P%", 0,
     "instrument a random part of P percent of the methods in scope, chosen by the seed; the "
     "others "
     "stay as they are; default 100%",
     1},
    {"inlining", KEY_INLINING, NULL, 0,
     "with --scope none,app or none,all: also count which call sites that are inlined in scope "
     "none "
     "are inlined there too; the JVMs log their compilations",
     1},
    {"preset", KEY_PRESET, "quick|full|programs", 0,
     "quick: few cases, modes int, c1, tiered, 3.5 s a run; full: all cases, also c2 and "
     "debuginfo, some cases in all modes, 3 s a run; programs: real programs (make "
     "deps-programs), mode tiered, chosen by --cases; default quick",
     1},
    {"seconds", KEY_SECONDS, "N", 0, "length of a run; default 3.5, with full 3", 2},
    {"timeout", KEY_TIMEOUT, "N", 0,
     "kill a JVM after N seconds; default 60 + 3 * seconds, for run none", 2},
    {"seed", KEY_SEED, "N", 0, "of all random choices; default 1", 2},
    {"jobs", KEY_JOBS, "N", 0,
     "JVMs at a time; default 2 with preset full, and with quick without --cases, if there are 2 "
     "processors; else 1",
     2},
    {"shard", KEY_SHARD, "I/N", 0,
     "run only the I-th of N shares of the plan, which take about equal times; plumbline merge "
     "joins the results",
     2},
    {"out", KEY_OUT, "DIR", 0,
     "output directory; default VERSION-TIME in out, or of an installed plumbline in "
     "~/.local/state/plumbline; preset full continues an unfinished session in "
     "DIR; plan names the shares' directories in it, default out/shares",
     2},
    {"resume", KEY_RESUME, "DIR", 0,
     "continue the session in DIR, of any preset, with the same options: finished runs are kept",
     2},
    {"more-time", KEY_MORE_TIME, "yes|no", 0,
     "repeat a run that judged too little, for 2.5 to 8 times as long, and once more if a minute "
     "is enough; default yes with preset full, and with quick without --cases, else no",
     2},
    {"vm-options", KEY_VM_OPTIONS, "OPTIONS", 0, "further options of the JVM under test", 2},
    {"source", KEY_SOURCE, "clock|random|wall|profiler", 0,
     "source of the samples' moments: each thread's CPU clock; random running threads; random "
     "threads, waiting or not, as a wall-clock profiler has them; with --profiler the profiler's "
     "own, unless it can be driven",
     3},
    {"push", KEY_PUSH, "native|inline|auto", 0,
     "how instrumented code pushes and pops: calls of natives; code that the JIT inlines; or the "
     "latter except in mode int; default auto",
     3},
    {"interval", KEY_INTERVAL, "US", 0,
     "microseconds between samples, 10 to 1000000; source clock takes more where signals are slow",
     3},
    {"checks", KEY_CHECKS, "SPEC", 0, "checks at pushes: 0 none, 1 all, N one in N, share:PERCENT",
     3},
    {"record", KEY_RECORD, "N", 0,
     "record one in N samples, and every mismatch; default 1000; 0: mismatches alone", 3},
    {"depth", KEY_DEPTH, "N", 0, "frames asked of a walker, 16 to 65536", 3},
    {"walker", KEY_WALKER, "NAME", 0, "see plumbline list walkers", 3},
    {"profiler", KEY_PROFILER, "NAME,...", 0,
     "judge this profiler, too, by the layer profiler: see plumbline list profilers; several "
     "have a JVM each, one after the other",
     3},
    {"profiler-home", KEY_PROFILER_HOME, "DIR", 0,
     "where the profilers are installed that are not part of the JDK", 3},
    {"profiler-period", KEY_PROFILER_PERIOD, "TIME", 0,
     "how often the profiler samples, as 1ms or 20ms; default as in plumbline list profilers", 3},
    {"signal", KEY_SIGNAL, "N", 0,
     "number of the signal used, 1 to 64, if the JVM does not need it", 3},
    {"agent", KEY_AGENT, "KEY=VALUE", 0, "any further option of the agent", 3},
    {0}};

static const struct argp_option bench_table[] = {
    {"jdk", KEY_JDK, "DIR", 0, "the JDK to measure on; default as in validate", 1},
    {"seconds", KEY_SECONDS, "N", 0,
     "length of a run; default 8; those of slow-downs are 2 and 4 times as long", 1},
    {"timeout", KEY_TIMEOUT, "N", 0, "kill a JVM after N seconds; default 60 + 3 * seconds", 1},
    {"seed", KEY_SEED, "N", 0, "of all random choices; default 1", 1},
    {"out", KEY_OUT, "DIR", 0,
     "directory for the JVMs' files; default bench-VERSION-TIME where validate's is", 1},
    {0}};

// Of `profile`, before those of `run`.
static const struct argp_option profile_table[] = {
    {"json", KEY_JSON, "FILE", 0, "also write the page to FILE, as JSON", 1},
    {"html", KEY_HTML, "FILE", 0, "also write the runs to FILE, as one HTML page to look at", 1},
};

// ---- Values -----------------------------------------------------------------------------------

struct parsing {
    struct options* options;
    enum options_command command;
};

#define SECONDS_RANGE ((struct arguments_range){.low = 0, .high = 1e6, .above = true})

static error_t add_agent(struct argp_state* state, struct options* options, const char* key,
                         const char* value) {
    // The agent's options are one word, separated by commas.
    if (strchr(value, ',') != NULL || *value == '\0')
        return arguments_refuse(state, key, value, "is empty or has a comma in it");
    size_t used = strlen(options->agent);
    int more = snprintf(options->agent + used, sizeof options->agent - used, "%s%s=%s",
                        used == 0 ? "" : ",", key, value);
    if (more < 0 || (size_t)more >= sizeof options->agent - used)
        return arguments_refuse(state, key, value, "is too long");
    return 0;
}

static error_t add_agent_pair(struct argp_state* state, struct options* options, const char* pair) {
    const char* equals = strchr(pair, '=');
    if (equals == NULL || equals == pair)
        return arguments_refuse(state, "agent", pair, "is not of the form KEY=VALUE");
    char key[64];
    if ((size_t)(equals - pair) >= sizeof key)
        return arguments_refuse(state, "agent", pair, "is too long");
    snprintf(key, sizeof key, "%.*s", (int)(equals - pair), pair);
    return add_agent(state, options, key, equals + 1);
}

static error_t take_density(struct argp_state* state, struct options* options, const char* text) {
    if (results_density_read(text, &options->density) != 0)
        return arguments_refuse(state, "density", text,
                                "is not a percentage above 0% and up to 100%, such as 10%");
    return add_agent(state, options, "density", text);
}

static error_t add_agent_integer(struct argp_state* state, struct options* options, const char* key,
                                 const char* text, struct arguments_limits limits) {
    uint64_t ignored;
    error_t error = arguments_integer(state, key, text, limits, &ignored);
    return error != 0 ? error : add_agent(state, options, key, text);
}

static error_t take_signal(struct argp_state* state, struct options* options, const char* text) {
    uint64_t number = 0;
    error_t error =
        arguments_integer(state, "signal", text, (struct arguments_limits){1, 64}, &number);
    const char* taken = error == 0 ? results_signal_taken((int)number) : NULL;
    if (taken != NULL) return arguments_wrong(state, "--signal: %s %s", text, taken);
    return error != 0 ? error : add_agent(state, options, "signal", text);
}

// The agent's own limits: what it refuses is wrong usage, and no trouble of the harness.
static error_t add_checks(struct argp_state* state, struct options* options, const char* text) {
    uint64_t ignored;
    bool share = strncmp(text, "share:", 6) == 0;
    struct arguments_limits limits = {share, share ? 90 : 1u << 30};
    error_t error = arguments_integer(state, "checks", share ? text + 6 : text, limits, &ignored);
    return error != 0 ? error : add_agent(state, options, "checks", text);
}

// ---- The table's other half -------------------------------------------------------------------

static const char* const presets[] = {"quick", "full", "programs", NULL};
static const char* const yes_or_no[] = {"yes", "no", NULL};
static const char* const sources[] = {"clock", "random", "wall", "profiler", NULL};
static const char* const pushes[] = {"native", "inline", "auto", NULL};

static error_t take_scopes(struct argp_state* state, const char* text, struct options* options) {
    const char* names = text;
    options->scopes = names_bits(&names, strlen(text), ',', names_scope);
    options->scoped = true;
    if (options->scopes == 0) {
        char hint[NEAREST_TEXT], why[32 + NEAREST_TEXT];
        names_hint(options_scope_text, OPTIONS_SCOPES, names, strcspn(names, ","), hint);
        snprintf(why, sizeof why, "is not of none, app, all%s", hint);
        return arguments_refuse(state, "scope", text, why);
    }
    options->scope = options_scope_text((enum options_scope)__builtin_ctz(options->scopes));
    return 0;
}

bool options_is_period(const char* text) {
    static const char* const units[] = {"ns", "us", "ms", "s"};
    const char* unit = text + strspn(text, "0123456789");
    if (*text < '1' || *text > '9' || unit - text > 9) return false;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(unit, units[i]) == 0) return true;
    return false;
}

static error_t take_period(struct argp_state* state, const char* text, struct options* options) {
    if (!options_is_period(text))
        return arguments_refuse(state, "profiler-period", text, "is no time such as 1ms or 500us");
    options->profiler_period = text;
    return 0;
}

static error_t take_profilers(struct argp_state* state, const char* text, struct options* options) {
    bool empty = *text == ',' || strstr(text, ",,") != NULL ||
                 (*text != '\0' && text[strlen(text) - 1] == ',');
    if (empty) return arguments_refuse(state, "profiler", text, "has an empty name in it");
    return arguments_path(state, "profiler", text, &options->profiler);
}

static error_t take_agent_option(int key, char* text, struct argp_state* state,
                                 struct options* options) {
    const char* word;
    switch (key) {
    case KEY_SOURCE:
        if (arguments_word(state, "source", text, sources, &word) != 0) return EINVAL;
        return add_agent(state, options, "source", text);
    case KEY_PUSH:
        if (arguments_word(state, "push", text, pushes, &word) != 0) return EINVAL;
        return add_agent(state, options, "push", text);
    case KEY_INTERVAL:
        return add_agent_integer(state, options, "interval", text,
                                 (struct arguments_limits){10, 1000000});
    case KEY_CHECKS: return add_checks(state, options, text);
    case KEY_DENSITY: return take_density(state, options, text);
    case KEY_RECORD:
        return add_agent_integer(state, options, "record", text,
                                 (struct arguments_limits){0, 1u << 30});
    case KEY_DEPTH:
        return add_agent_integer(state, options, "depth", text,
                                 (struct arguments_limits){16, 65536});
    case KEY_WALKER: options->walker = text; return add_agent(state, options, "walker", text);
    case KEY_SIGNAL: return take_signal(state, options, text);
    case KEY_PROFILER: return take_profilers(state, text, options);
    case KEY_PROFILER_HOME:
        return arguments_directory(state, "profiler-home", text, &options->profiler_home);
    case KEY_PROFILER_PERIOD: return take_period(state, text, options);
    case KEY_AGENT: return add_agent_pair(state, options, text);
    default: return ARGP_ERR_UNKNOWN;
    }
}

static error_t take_preset(struct argp_state* state, struct options* options, const char* text) {
    const char* word = NULL;
    error_t error = arguments_word(state, "preset", text, presets, &word);
    if (error != 0) return error;
    options->full = strcmp(word, "full") == 0;
    options->programs = strcmp(word, "programs") == 0;
    return 0;
}

static error_t take_more_time(struct argp_state* state, struct options* options, const char* text) {
    const char* word = NULL;
    error_t error = arguments_word(state, "more-time", text, yes_or_no, &word);
    if (error == 0) options->more_time = strcmp(word, "yes") == 0 ? 1 : -1;
    return error;
}

static error_t take_jdk(struct argp_state* state, const char* text, struct options* options) {
    if (options->jdk_count == OPTIONS_JDKS)
        return arguments_refuse(state, "jdk", text, "is one too many");
    error_t error = arguments_path(state, "jdk", text, &options->jdk);
    if (error == 0) options->jdks[options->jdk_count++] = text;
    return error;
}

static error_t take_shard(struct argp_state* state, const char* text, struct options* options) {
    int used = 0;
    unsigned shard = 0, shards = 0;
    bool digits = strspn(text, "0123456789/") == strlen(text) && strlen(text) < 12;
    if (!digits || sscanf(text, "%u/%u%n", &shard, &shards, &used) != 2 || text[used] != '\0')
        return arguments_refuse(state, "shard", text, "is not of the form I/N");
    if (shard == 0 || shard > shards)
        return arguments_refuse(state, "shard", text, "is not one of 1/N to N/N");
    options->shard = shard;
    options->shards = shards;
    return 0;
}

static error_t take_jobs(struct argp_state* state, struct options* options, const char* text) {
    uint64_t jobs = 1;
    error_t error =
        arguments_integer(state, "jobs", text, (struct arguments_limits){1, 256}, &jobs);
    options->jobs = (unsigned)jobs;
    return error;
}

// The words after `--` belong to the Java program.
static error_t take_rest(struct argp_state* state, const struct parsing* parsing) {
    if (!options_run_program(parsing->command))
        return arguments_wrong(state, "\"%s\": only options are taken", state->argv[state->next]);
    parsing->options->java_arguments = &state->argv[state->next];
    parsing->options->java_count = state->argc - state->next;
    state->next = state->argc;
    return 0;
}

// The complaint about missing or conflicting options. NULL: none.
static const char* find_conflict(const struct options* options, enum options_command command) {
    bool run = options_run_program(command);
    if (run && options->java_count == 0) return "no program: [OPTION...] -- JAVA-ARGUMENT...";
    if (run && (options->cases != NULL || options->full || options->programs))
        return "--cases and --preset choose cases, and a program is none";
    if (run && (options->resume != NULL || options->more_time != 0))
        return "--resume and --more-time are for cases, and a program is none";
    if (run && options->shards != 0) return "--shard is for cases, and a program is none";
    if (command != OPTIONS_VALIDATE && options->jdk_count > 1)
        return "--jdk: only validate takes several";
    if (options->resume != NULL && options->out != NULL)
        return "--resume DIR and --out DIR: --resume goes on in its own directory";
    bool beside_none = (options->scopes & 1u << OPTIONS_SCOPE_NONE) != 0 &&
                       __builtin_popcount(options->scopes) > 1;
    if (options->inlining && !beside_none)
        return "--inlining compares scope none with others: --scope none,app,all";
    if (options->profiler != NULL && options->scopes == 1u << OPTIONS_SCOPE_NONE)
        return "--profiler needs instrumentation, and --scope none has none";
    if (options->profiler == NULL && options->profiler_home != NULL)
        return "--profiler-home DIR belongs to --profiler NAME";
    if (options->profiler == NULL && options->profiler_period != NULL)
        return "--profiler-period TIME belongs to --profiler NAME";
    if (run && __builtin_popcount(options->modes) > 1) return "--modes: a program takes one mode";
    if (run && __builtin_popcount(options->scopes) > 1) return "--scope: a program takes one scope";
    return NULL;
}

static error_t finish(struct argp_state* state, const struct parsing* parsing) {
    struct options* options = parsing->options;
    const char* conflict = find_conflict(options, parsing->command);
    if (conflict == NULL) options_default_jdk(options, &conflict);
    if (conflict != NULL) return arguments_wrong(state, "%s", conflict);
    if (options->resume != NULL) options->out = options->resume;
    return 0;
}

const struct argp_option* options_table(void) {
    return table;
}

int options_take(int key, char* text, struct argp_state* state, struct options* options) {
    switch (key) {
    case KEY_JDK: return take_jdk(state, text, options);
    case KEY_SHARD: return take_shard(state, text, options);
    case KEY_CASES: return arguments_path(state, "cases", text, &options->cases);
    case KEY_MODES: return arguments_modes(state, text, &options->modes);
    case KEY_LAYERS: return arguments_layers(state, text, &options->layers);
    case KEY_SCOPE: return take_scopes(state, text, options);
    case KEY_SECONDS:
        return arguments_decimal(state, "seconds", text, SECONDS_RANGE, &options->seconds);
    case KEY_TIMEOUT:
        return arguments_decimal(state, "timeout", text, SECONDS_RANGE, &options->timeout);
    case KEY_SEED:
        return arguments_integer(state, "seed", text, (struct arguments_limits){0, INT64_MAX},
                                 &options->seed);
    case KEY_JOBS: return take_jobs(state, options, text);
    case KEY_INLINING: options->inlining = true; return 0;
    case KEY_PRESET: return take_preset(state, options, text);
    case KEY_OUT: return arguments_directory(state, "out", text, &options->out);
    case KEY_RESUME: return arguments_directory(state, "resume", text, &options->resume);
    case KEY_MORE_TIME: return take_more_time(state, options, text);
    case KEY_VM_OPTIONS: options->vm_options = text; return 0;
    default: return take_agent_option(key, text, state, options);
    }
}

static error_t take_option(int key, char* text, struct argp_state* state) {
    const struct parsing* parsing = state->input;
    struct options* options = parsing->options;
    switch (key) {
    case ARGP_KEY_ARG: state->next--; return take_rest(state, parsing);
    case KEY_JSON: return arguments_path(state, "json", text, &options->json);
    case KEY_HTML: return arguments_path(state, "html", text, &options->html);
    case ARGP_KEY_END: return finish(state, parsing);
    default: return options_take(key, text, state, options);
    }
}

// A program is no case: these are refused (find_conflict).
static bool is_of_cases(int key) {
    return key == KEY_CASES || key == KEY_PRESET || key == KEY_SHARD || key == KEY_RESUME ||
           key == KEY_MORE_TIME;
}

#define OWN (sizeof profile_table / sizeof profile_table[0])
#define SHARED (sizeof table / sizeof table[0])

// Of run and profile: the options of profile first, and what is refused is hidden.
static const struct argp_option* program_table(enum options_command command,
                                               struct argp_option both[OWN + SHARED]) {
    bool profile = command == OPTIONS_PROFILE;
    struct argp_option* shared = both + (profile ? OWN : 0);
    if (profile) memcpy(both, profile_table, sizeof profile_table);
    memcpy(shared, table, sizeof table);
    for (struct argp_option* o = shared; o->name != NULL; o++) {
        if (is_of_cases(o->key)) o->flags = OPTION_HIDDEN | OPTION_NO_USAGE;
        if (profile && o->key == KEY_LAYERS)
            o->doc = "see plumbline list layers; default ground,gst,profiler";
        if (profile && o->key == KEY_PROFILER)
            o->doc = "the profilers: see plumbline list profilers; several have a JVM each, one "
                     "after the other; default jfr";
    }
    return both;
}

int options_parse(enum options_command command, const struct base_call* call,
                  struct options* options) {
    static const char* const arguments[] = {"", "-- JAVA-ARGUMENT...", "", "",
                                            "-- JAVA-ARGUMENT..."};
    static const char* const descriptions[] = {
        "Runs the cases on a JDK and judges its stack walking.",
        "Runs any Java program and judges the stack walking of the JDK under it.",
        "Measures the costs of Plumbline, each beside its reference and its bar.",
        "Prints the runs of validate as one command a line, for many machines. The options are "
        "those of validate; plumbline merge joins the results.",
        "Runs any Java program under each profiler, and tells how far to trust them on it. "
        "--profiler is by default jfr."};
    struct argp_option both[OWN + SHARED];
    const struct argp argp = {command == OPTIONS_BENCH       ? bench_table
                              : options_run_program(command) ? program_table(command, both)
                                                             : table,
                              take_option,
                              arguments[command],
                              descriptions[command],
                              NULL,
                              NULL,
                              NULL};
    if (command == OPTIONS_PLAN) command = OPTIONS_VALIDATE;
    *options = (struct options){.scope = "app", .scopes = 1u << OPTIONS_SCOPE_APP, .seed = 1};
    struct parsing parsing = {options, command};
    int status = arguments_parse(&argp, ARGP_IN_ORDER, call, &parsing);
    if (status == 0) status = options_complete(command, options);
    if (status != 0 && !call->stays) exit(status);
    return status;
}
