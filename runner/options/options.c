// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// argv to struct options. Every refusal names the option and what was wrong with its value.
#include "options.h"

#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oracle/oracle.h"
#include "runner/base/base.h"

#define LAYERS_ALL ((1u << ORACLE_LAYER_COUNT) - 1)
#define LAYERS_PUSH (1u << ORACLE_LAYER_GST | 1u << ORACLE_LAYER_SAFEPOINT)
#define LAYERS_BARE (1u << ORACLE_LAYER_SANDWICH | 1u << ORACLE_LAYER_STRUCTURE)

// Default seconds of a run, and what is added to them for start, warm-up and end (JVMs under
// full instrumentation start 20 times slower than bare: design, section 9).
#define SECONDS_QUICK 3.5
#define SECONDS_FULL 3.0
#define SECONDS_BENCH 4.0
#define LIMIT_START 60.0
#define LIMIT_FACTOR 3.0

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
    KEY_INTERVAL,
    KEY_CHECKS,
    KEY_DEPTH,
    KEY_WALKER,
    KEY_RECORD,
    KEY_SIGNAL,
    KEY_AGENT,
};

static const struct argp_option table[] = {
    {"jdk", KEY_JDK, "JDK", 0,
     "the JDK under test (required): a directory, a build tree or an image in it, a .tar.gz or a "
     ".zip; "
     "validate takes several, one --jdk for each, and shows them beside each other",
     1},
    {"cases", KEY_CASES, "GLOB,...", 0, "cases by name; default: those of the preset", 1},
    {"modes", KEY_MODES, "M,...", 0, "see plumbline list modes; default: those of the preset", 1},
    {"layers", KEY_LAYERS, "L,...", 0,
     "see plumbline list layers; default: all that the scope allows", 1},
    {"scope", KEY_SCOPE, "S,...", 0,
     "which classes are instrumented: none, app or all, default app; validate takes several and "
     "shows them beside each other",
     1},
    {"preset", KEY_PRESET, "quick|full|programs", 0,
     "quick: few cases, modes int, c1, tiered, 3.5 s a run; full: all cases, also c2 and "
     "debuginfo, "
     "some cases in all modes, 3 s a run; programs: real programs (make deps-programs), mode "
     "tiered, --cases chooses; default quick",
     1},
    {"seconds", KEY_SECONDS, "N", 0, "how long one run goes on; default 3.5, with full 3", 2},
    {"timeout", KEY_TIMEOUT, "N", 0,
     "seconds after which a JVM is killed; default 60 + 3 * seconds, for run none", 2},
    {"seed", KEY_SEED, "N", 0, "of all random choices; default 1", 2},
    {"jobs", KEY_JOBS, "N", 0, "JVMs at a time; default 2 with a preset and 2 processors, else 1",
     2},
    {"shard", KEY_SHARD, "I/N", 0,
     "only the I-th of N shares of the plan, fair by expected time; plumbline merge joins them", 2},
    {"out", KEY_OUT, "DIR", 0,
     "where to write; default out/VERSION-TIME. Preset full goes on where an unfinished session in "
     "DIR stopped",
     2},
    {"resume", KEY_RESUME, "DIR", 0,
     "go on with the session in DIR, of any preset, which had the same options: runs that are "
     "finished are not made again",
     2},
    {"more-time", KEY_MORE_TIME, "yes|no", 0,
     "make a run that judged too little again, once, for 3 to 8 times as long; default yes with "
     "the presets quick and full, else no",
     2},
    {"vm-options", KEY_VM_OPTIONS, "OPTIONS", 0, "further options of the JVM under test", 2},
    {"source", KEY_SOURCE, "random|clock", 0, "what asks for samples", 3},
    {"interval", KEY_INTERVAL, "US", 0, "microseconds between samples, 10 to 1000000", 3},
    {"checks", KEY_CHECKS, "SPEC", 0, "checks at pushes: 0 none, 1 all, N one in N, share:PERCENT",
     3},
    {"record", KEY_RECORD, "N", 0,
     "one in N samples goes into the record, and every mismatch; default 1000; 0: no record", 3},
    {"depth", KEY_DEPTH, "N", 0, "frames asked of walkers, 16 to 65536", 3},
    {"walker", KEY_WALKER, "NAME", 0, "see plumbline list walkers", 3},
    {"signal", KEY_SIGNAL, "N", 0, "number of the signal used, 1 to 64", 3},
    {"agent", KEY_AGENT, "KEY=VALUE", 0, "any further option of the agent", 3},
    {0}};

static const struct argp_option bench_table[] = {
    {"jdk", KEY_JDK, "DIR", 0, "the JDK to measure on (required)", 1},
    {"seconds", KEY_SECONDS, "N", 0, "how long one run goes on; default 4", 1},
    {"timeout", KEY_TIMEOUT, "N", 0,
     "seconds after which a JVM is killed; default 60 + 3 * seconds", 1},
    {"seed", KEY_SEED, "N", 0, "of all random choices; default 1", 1},
    {"out", KEY_OUT, "DIR", 0, "where the JVMs' files go; default out/bench-VERSION-TIME", 1},
    {0}};

// ---- Values -----------------------------------------------------------------------------------

struct parsing {
    struct options* options;
    enum options_command command;
};

static error_t refuse(struct argp_state* state, const char* option, const char* value,
                      const char* why) {
    argp_error(state, "--%s: \"%s\" %s", option, value, why);
    return EINVAL;
}

static error_t take_decimal(struct argp_state* state, const char* option, const char* text,
                            double* value) {
    char* end;
    errno = 0;
    double number = strtod(text, &end);
    // strtod also takes "inf", "nan", hexadecimals and leading blanks: no number here begins so.
    if (strspn(text, "0123456789.") == 0 || *end != '\0' || errno != 0 || !isfinite(number) ||
        strpbrk(text, "xX") != NULL)
        return refuse(state, option, text, "is no number above 0 in plain decimals");
    if (number <= 0 || number > 1e6)
        return refuse(state, option, text, "is out of range (more than 0, at most 1000000)");
    *value = number;
    return 0;
}

static error_t take_integer(struct argp_state* state, const char* option, const char* text,
                            uint64_t low, uint64_t high, uint64_t* value) {
    char* end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0')
        return refuse(state, option, text, "is not a whole number");
    if (errno != 0 || number < low || number > high) {
        char why[80];
        snprintf(why, sizeof why, "is out of range (%llu to %llu)", (unsigned long long)low,
                 (unsigned long long)high);
        return refuse(state, option, text, why);
    }
    *value = number;
    return 0;
}

static int find_layer(const char* name, size_t length) {
    for (int i = 0; i < ORACLE_LAYER_COUNT; i++) {
        const char* text = oracle_layer_text((enum oracle_layer)i);
        if (strlen(text) == length && memcmp(text, name, length) == 0) return i;
    }
    return -1;
}

static error_t take_names(struct argp_state* state, const char* option, const char* text,
                          int (*find)(const char*, size_t), uint32_t* bits) {
    *bits = 0;
    for (const char* name = text;; name++) {
        size_t length = strcspn(name, ",");
        int found = find(name, length);
        if (found < 0) {
            argp_error(state, "--%s: there is no \"%.*s\" (plumbline list %s)", option, (int)length,
                       name, option);
            return EINVAL;
        }
        *bits |= 1u << found;
        name += length;
        if (*name == '\0') return 0;
    }
}

// The value if it is one of the words.
static error_t take_word(struct argp_state* state, const char* option, const char* text,
                         const char* const* words, const char** value) {
    char why[80] = "is none of", *end = why + sizeof why;
    for (; *words != NULL; words++) {
        if (strcmp(*words, text) == 0) {
            *value = *words;
            return 0;
        }
        size_t used = strlen(why);
        snprintf(why + used, (size_t)(end - why) - used, " %s", *words);
    }
    return refuse(state, option, text, why);
}

static error_t add_agent(struct argp_state* state, struct options* options, const char* key,
                         const char* value) {
    // The agent's options are one word, parted by commas.
    if (strchr(value, ',') != NULL || *value == '\0')
        return refuse(state, key, value, "is empty or has a comma in it");
    size_t used = strlen(options->agent);
    int more = snprintf(options->agent + used, sizeof options->agent - used, "%s%s=%s",
                        used == 0 ? "" : ",", key, value);
    if (more < 0 || (size_t)more >= sizeof options->agent - used)
        return refuse(state, key, value, "is too long");
    return 0;
}

static error_t add_agent_pair(struct argp_state* state, struct options* options, const char* pair) {
    const char* equals = strchr(pair, '=');
    if (equals == NULL || equals == pair)
        return refuse(state, "agent", pair, "is not of the form KEY=VALUE");
    char key[64];
    if ((size_t)(equals - pair) >= sizeof key) return refuse(state, "agent", pair, "is too long");
    snprintf(key, sizeof key, "%.*s", (int)(equals - pair), pair);
    return add_agent(state, options, key, equals + 1);
}

static error_t add_agent_integer(struct argp_state* state, struct options* options, const char* key,
                                 const char* text, uint64_t low, uint64_t high) {
    uint64_t ignored;
    error_t error = take_integer(state, key, text, low, high, &ignored);
    return error != 0 ? error : add_agent(state, options, key, text);
}

static error_t add_checks(struct argp_state* state, struct options* options, const char* text) {
    uint64_t number;
    error_t error;
    if (strncmp(text, "share:", 6) == 0)
        error = take_integer(state, "checks", text + 6, 1, 100, &number);
    else error = take_integer(state, "checks", text, 0, UINT32_MAX, &number);
    return error != 0 ? error : add_agent(state, options, "checks", text);
}

static error_t take_path(struct argp_state* state, const char* option, const char* text,
                         const char** value) {
    if (*text == '\0') return refuse(state, option, text, "is empty");
    *value = text;
    return 0;
}

// ---- The table's other half -------------------------------------------------------------------

static const char* const scopes[OPTIONS_SCOPES] = {"none", "app", "all"};
static const char* const presets[] = {"quick", "full", "programs", NULL};
static const char* const yes_or_no[] = {"yes", "no", NULL};
static const char* const sources[] = {"random", "clock", NULL};

const char* options_scope_text(enum options_scope scope) {
    return (unsigned)scope < OPTIONS_SCOPES ? scopes[scope] : "?";
}

static int find_scope(const char* name, size_t length) {
    for (int i = 0; i < OPTIONS_SCOPES; i++)
        if (strlen(scopes[i]) == length && memcmp(scopes[i], name, length) == 0) return i;
    return -1;
}

static error_t take_scopes(struct argp_state* state, const char* text, struct options* options) {
    for (const char* name = text;; name++) {
        size_t length = strcspn(name, ",");
        int found = find_scope(name, length);
        if (found < 0) return refuse(state, "scope", text, "is not of none, app, all");
        options->scopes |= 1u << found;
        name += length;
        if (*name == '\0') break;
    }
    options->scope = scopes[__builtin_ctz(options->scopes)];
    return 0;
}

static error_t take_agent_option(int key, char* text, struct argp_state* state,
                                 struct options* options) {
    const char* word;
    switch (key) {
    case KEY_SOURCE:
        if (take_word(state, "source", text, sources, &word) != 0) return EINVAL;
        return add_agent(state, options, "source", text);
    case KEY_INTERVAL: return add_agent_integer(state, options, "interval", text, 10, 1000000);
    case KEY_CHECKS: return add_checks(state, options, text);
    case KEY_RECORD: return add_agent_integer(state, options, "record", text, 0, 1u << 30);
    case KEY_DEPTH: return add_agent_integer(state, options, "depth", text, 16, 65536);
    case KEY_WALKER: options->walker = text; return add_agent(state, options, "walker", text);
    case KEY_SIGNAL: return add_agent_integer(state, options, "signal", text, 1, 64);
    case KEY_AGENT: return add_agent_pair(state, options, text);
    default: return ARGP_ERR_UNKNOWN;
    }
}

static error_t take_preset(struct argp_state* state, struct options* options, const char* text) {
    const char* word = NULL;
    error_t error = take_word(state, "preset", text, presets, &word);
    if (error != 0) return error;
    options->full = strcmp(word, "full") == 0;
    options->programs = strcmp(word, "programs") == 0;
    return 0;
}

static error_t take_more_time(struct argp_state* state, struct options* options, const char* text) {
    const char* word = NULL;
    error_t error = take_word(state, "more-time", text, yes_or_no, &word);
    if (error == 0) options->more_time = strcmp(word, "yes") == 0 ? 1 : -1;
    return error;
}

// A directory becomes part of an agent option, where commas part.
static error_t take_directory(struct argp_state* state, const char* option, const char* text,
                              const char** value) {
    if (strchr(text, ',') != NULL) return refuse(state, option, text, "has a comma in it");
    return take_path(state, option, text, value);
}

static error_t take_jdk(struct argp_state* state, const char* text, struct options* options) {
    if (options->jdk_count == OPTIONS_JDKS) return refuse(state, "jdk", text, "is one too many");
    error_t error = take_path(state, "jdk", text, &options->jdk);
    if (error == 0) options->jdks[options->jdk_count++] = text;
    return error;
}

static error_t take_shard(struct argp_state* state, const char* text, struct options* options) {
    int used = 0;
    unsigned shard = 0, shards = 0;
    bool digits = strspn(text, "0123456789/") == strlen(text) && strlen(text) < 12;
    if (!digits || sscanf(text, "%u/%u%n", &shard, &shards, &used) != 2 || text[used] != '\0')
        return refuse(state, "shard", text, "is not of the form I/N");
    if (shard == 0 || shard > shards)
        return refuse(state, "shard", text, "is not one of 1/N to N/N");
    options->shard = shard;
    options->shards = shards;
    return 0;
}

static error_t take_jobs(struct argp_state* state, struct options* options, const char* text) {
    uint64_t jobs = 1;
    error_t error = take_integer(state, "jobs", text, 1, 256, &jobs);
    options->jobs = (unsigned)jobs;
    return error;
}

// What follows `--` is the Java program's.
static error_t take_rest(struct argp_state* state, const struct parsing* parsing) {
    if (parsing->command != OPTIONS_RUN) {
        argp_error(state, "\"%s\": only options are taken", state->argv[state->next]);
        return EINVAL;
    }
    parsing->options->java_arguments = &state->argv[state->next];
    parsing->options->java_count = state->argc - state->next;
    state->next = state->argc;
    return 0;
}

static error_t finish(struct argp_state* state, const struct parsing* parsing) {
    struct options* options = parsing->options;
    const char* missing = NULL;
    if (options->jdk == NULL) missing = "--jdk DIR is missing";
    else if (parsing->command == OPTIONS_RUN && options->java_count == 0)
        missing = "no program: run [OPTION...] -- JAVA-ARGUMENT...";
    else if (parsing->command == OPTIONS_RUN &&
             (options->cases != NULL || options->full || options->programs))
        missing = "--cases and --preset choose cases, which run has none of";
    else if (parsing->command == OPTIONS_RUN &&
             (options->resume != NULL || options->more_time != 0))
        missing = "--resume and --more-time are for cases, which run has none of";
    else if (parsing->command == OPTIONS_RUN && options->shards != 0)
        missing = "--shard is for cases, which run has none of";
    else if (parsing->command != OPTIONS_VALIDATE && options->jdk_count > 1)
        missing = "--jdk: only validate takes several";
    else if (options->resume != NULL && options->out != NULL)
        missing = "--resume DIR and --out DIR: --resume goes on in its own directory";
    else if (parsing->command == OPTIONS_RUN && __builtin_popcount(options->modes) > 1)
        missing = "--modes: run takes one mode";
    else if (parsing->command == OPTIONS_RUN && __builtin_popcount(options->scopes) > 1)
        missing = "--scope: run takes one scope";
    if (options->resume != NULL) options->out = options->resume;
    if (missing == NULL) return 0;
    argp_error(state, "%s", missing);
    return EINVAL;
}

static error_t take_option(int key, char* text, struct argp_state* state) {
    const struct parsing* parsing = state->input;
    struct options* options = parsing->options;
    switch (key) {
    case KEY_JDK: return take_jdk(state, text, options);
    case KEY_SHARD: return take_shard(state, text, options);
    case KEY_CASES: return take_path(state, "cases", text, &options->cases);
    case KEY_MODES: return take_names(state, "modes", text, modes_find, &options->modes);
    case KEY_LAYERS: return take_names(state, "layers", text, find_layer, &options->layers);
    case KEY_SCOPE: options->scopes = 0; return take_scopes(state, text, options);
    case KEY_SECONDS: return take_decimal(state, "seconds", text, &options->seconds);
    case KEY_TIMEOUT: return take_decimal(state, "timeout", text, &options->timeout);
    case KEY_SEED: return take_integer(state, "seed", text, 0, INT64_MAX, &options->seed);
    case KEY_JOBS: return take_jobs(state, options, text);
    case KEY_PRESET: return take_preset(state, options, text);
    case KEY_OUT: return take_directory(state, "out", text, &options->out);
    case KEY_RESUME: return take_directory(state, "resume", text, &options->resume);
    case KEY_MORE_TIME: return take_more_time(state, options, text);
    case KEY_VM_OPTIONS: options->vm_options = text; return 0;
    case ARGP_KEY_ARG: state->next--; return take_rest(state, parsing);
    case ARGP_KEY_END: return finish(state, parsing);
    default: return take_agent_option(key, text, state, options);
    }
}

// ---- What follows from several options --------------------------------------------------------

static bool checks_off(const struct options* options) {
    const char* checks = strstr(options->agent, "checks=");
    return checks != NULL && checks[7] == '0' && (checks[8] == '\0' || checks[8] == ',');
}

static uint32_t possible_layers(const struct options* options, const char* scope) {
    uint32_t possible = strcmp(scope, "none") == 0 ? LAYERS_BARE : LAYERS_ALL;
    return checks_off(options) ? possible & ~LAYERS_PUSH : possible;
}

uint32_t options_layers_in(const struct options* options, const char* scope) {
    return options->layers & possible_layers(options, scope);
}

static int refuse_layers(uint32_t layers, bool bare) {
    char names[128];
    options_layers_text(layers, ',', names, sizeof names);
    runner_complain("--layers: %s %s", names,
                    bare ? "needs instrumentation, and --scope none has none"
                         : "needs checks at pushes, and --checks 0 has none");
    return -1;
}

// Chooses the layers, or refuses those that the other options rule out: a layer that no scope can
// have, and a scope that can have no layer.
static int choose_layers(struct options* options) {
    uint32_t possible = 0;
    for (unsigned i = 0; i < OPTIONS_SCOPES; i++) {
        if ((options->scopes & 1u << i) == 0) continue;
        uint32_t here = possible_layers(options, scopes[i]);
        possible |= here;
        if (options->layers != 0 && (options->layers & here) == 0)
            return refuse_layers(options->layers, i == OPTIONS_SCOPE_NONE);
    }
    if (options->layers == 0) options->layers = possible;
    uint32_t excess = options->layers & ~possible;
    if (excess == 0) return 0;
    return refuse_layers(excess, options->scopes == 1u << OPTIONS_SCOPE_NONE);
}

static bool is_preset(const struct options* options) {
    return options->full || (options->cases == NULL && !options->programs);
}

// A preset is long, and what it asks needs no quiet machine.
static unsigned default_jobs(const struct options* options, enum options_command command) {
    return command == OPTIONS_VALIDATE && is_preset(options) && sysconf(_SC_NPROCESSORS_ONLN) > 1
               ? 2
               : 1;
}

int options_parse(enum options_command command, int argc, char** argv, bool stay,
                  struct options* options) {
    static const char* const arguments[] = {"", "-- JAVA-ARGUMENT...", ""};
    static const char* const descriptions[] = {
        "Runs the cases on a JDK and judges its stack walking.",
        "Runs any Java program and judges the stack walking of the JDK under it.",
        "Measures what Plumbline costs, beside what it is compared with and the bar to meet."};
    const struct argp argp = {command == OPTIONS_BENCH ? bench_table : table,
                              take_option,
                              arguments[command],
                              descriptions[command],
                              NULL,
                              NULL,
                              NULL};
    *options = (struct options){.scope = "app", .scopes = 1u << OPTIONS_SCOPE_APP, .seed = 1};
    struct parsing parsing = {options, command};
    argp_err_exit_status = RUNNER_EXIT_USAGE;
    unsigned flags = ARGP_IN_ORDER | (stay ? ARGP_NO_EXIT : 0);
    error_t error = argp_parse(&argp, argc, argv, flags, NULL, &parsing);
    if (error == 0 && choose_layers(options) != 0) error = EINVAL;
    if (error != 0 && !stay) exit(RUNNER_EXIT_USAGE);
    if (error != 0) return RUNNER_EXIT_USAGE;
    if (options->seconds == 0 && command == OPTIONS_BENCH) options->seconds = SECONDS_BENCH;
    if (options->modes == 0 && (command == OPTIONS_RUN || options->programs))
        options->modes = 1u << MODE_TIERED;
    if (options->jobs == 0) options->jobs = default_jobs(options, command);
    options->further = options->modes == 0 && options->full;
    if (options->modes == 0) options->modes = options->full ? MODES_FULL : MODES_QUICK;
    return 0;
}

double options_seconds(const struct options* options) {
    if (options->seconds > 0) return options->seconds;
    return options->full ? SECONDS_FULL : SECONDS_QUICK;
}

bool options_more_time(const struct options* options) {
    return options->more_time == 0 ? is_preset(options) : options->more_time > 0;
}

double options_time_limit(const struct options* options, enum options_command command) {
    if (options->timeout > 0) return options->timeout;
    return command == OPTIONS_RUN ? 0 : LIMIT_START + LIMIT_FACTOR * options_seconds(options);
}

void options_layers_text(uint32_t layers, char separator, char* text, unsigned size) {
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < ORACLE_LAYER_COUNT; i++) {
        if ((layers & 1u << i) == 0 || used + 1 >= size) continue;
        if (used != 0) text[used++] = separator;
        int more =
            snprintf(text + used, size - used, "%s", oracle_layer_text((enum oracle_layer)i));
        used += more > 0 ? (size_t)more : 0;
    }
}
