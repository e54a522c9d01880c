// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// argv of `plumbline selftest`.
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "selftest.h"
#include "runner/base/base.h"

// Sixty seconds of `mixed` is what a fault may take to be found.
#define SECONDS 60.0
#define SECONDS_MAX 3600.0
// Nothing but what the library's counts can be set against: each sample is one call of the walker.
#define SELFTEST_LAYERS                                                                            \
    (1u << ORACLE_LAYER_GROUND | 1u << ORACLE_LAYER_ASYNC | 1u << ORACLE_LAYER_STRUCTURE)

enum key {
    KEY_JDK = 256,
    KEY_FAULTS,
    KEY_RATES,
    KEY_SECONDS,
    KEY_RUNS,
    KEY_JOBS,
    KEY_CASES,
    KEY_PRESET,
    KEY_MODE,
    KEY_SCOPE,
    KEY_SEED,
    KEY_OUT,
    KEY_VM_OPTIONS,
    KEY_AGENT,
};

static const struct argp_option table[] = {
    {"jdk", KEY_JDK, "DIR", 0, "the JDK under test (required)", 1},
    {"faults", KEY_FAULTS, "F,...", 0, "faults by name, refuse=CODE and cut=N too; default: all",
     1},
    {"rates", KEY_RATES, "R,...", 0, "how often, in (0, 1]; default 1,0.01,0.001", 1},
    {"seconds", KEY_SECONDS, "N", 0, "after which a fault counts as not detected; default 60", 1},
    {"repeat", KEY_RUNS, "N", 0, "runs of each fault at each rate; default 1", 1},
    {"runs", KEY_RUNS, "N", OPTION_ALIAS, NULL, 1},
    {"jobs", KEY_JOBS, "N", 0, "JVMs at a time; default 1", 2},
    {"cases", KEY_CASES, "GLOB,...", 0, "what runs meanwhile, one after the other; default mixed",
     2},
    {"preset", KEY_PRESET, "quick|full", 0, "the cases of this preset", 2},
    {"mode", KEY_MODE, "M", 0, "one of plumbline list modes; default int", 2},
    {"scope", KEY_SCOPE, "app|all", 0, "which classes are instrumented; default all", 2},
    {"seed", KEY_SEED, "N", 0, "of all random choices; default 1", 2},
    {"out", KEY_OUT, "DIR", 0, "where to write; default out/selftest-VERSION-TIME", 2},
    {"vm-options", KEY_VM_OPTIONS, "OPTIONS", 0, "further options of the JVM under test", 2},
    {"agent", KEY_AGENT, "KEY=VALUE,...", 0, "further options of the agent", 2},
    {0}};

static error_t refuse(struct argp_state* state, const char* option, const char* value,
                      const char* why) {
    argp_error(state, "--%s: \"%s\" %s", option, value, why);
    return EINVAL;
}

static error_t take_number(struct argp_state* state, const char* option, const char* text,
                           double most, double* value) {
    char* end;
    *value = strtod(text, &end);
    if (strspn(text, "0123456789.") == 0 || *end != '\0' || !isfinite(*value) || *value <= 0 ||
        *value > most)
        return refuse(state, option, text, "is no number above 0 that is small enough");
    return 0;
}

static error_t take_whole(struct argp_state* state, const char* option, const char* text,
                          unsigned least, uint64_t most, uint64_t* value) {
    char* end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || *value < least || *value > most)
        return refuse(state, option, text, "is no whole number in range");
    return 0;
}

static error_t take_rates(struct argp_state* state, struct selftest_options* options, char* text) {
    char *rest, *word = strtok_r(text, ",", &rest);
    for (options->rate_count = 0; word != NULL; word = strtok_r(NULL, ",", &rest)) {
        if (options->rate_count == SELFTEST_RATES_MAX)
            return refuse(state, "rates", word, "is one too many");
        if (take_number(state, "rates", word, 1, &options->rates[options->rate_count++]) != 0)
            return EINVAL;
    }
    return options->rate_count > 0 ? 0 : refuse(state, "rates", "", "is empty");
}

static void add_fault(struct selftest_options* options, const struct selftest_fault* fault,
                      const char* text) {
    struct selftest_wanted* wanted = &options->faults[options->fault_count++];
    wanted->fault = fault;
    snprintf(wanted->text, sizeof wanted->text, "%s", text);
}

static error_t take_faults(struct argp_state* state, struct selftest_options* options, char* text) {
    char *rest, *word = strtok_r(text, ",", &rest);
    for (options->fault_count = 0; word != NULL; word = strtok_r(NULL, ",", &rest)) {
        const struct selftest_fault* fault = selftest_fault_find(word, strcspn(word, "="));
        if (fault == NULL || strlen(word) >= sizeof options->faults[0].text)
            return refuse(state, "faults", word, "is no fault");
        if (options->fault_count == SELFTEST_FAULTS_MAX)
            return refuse(state, "faults", word, "is one too many");
        add_fault(options, fault, word);
    }
    return options->fault_count > 0 ? 0 : refuse(state, "faults", "", "is empty");
}

static error_t take_mode(struct argp_state* state, struct options* run, const char* text) {
    int mode = modes_find(text, strlen(text));
    if (mode < 0) return refuse(state, "mode", text, "is no mode (plumbline list modes)");
    run->modes = 1u << mode;
    return 0;
}

static error_t take_scope(struct argp_state* state, struct options* run, const char* text) {
    if (strcmp(text, "app") != 0 && strcmp(text, "all") != 0)
        return refuse(state, "scope", text, "is none of app all");
    run->scope = text;
    return 0;
}

static error_t take_preset(struct argp_state* state, struct options* run, const char* text) {
    run->full = strcmp(text, "full") == 0;
    if (!run->full && strcmp(text, "quick") != 0)
        return refuse(state, "preset", text, "is none of quick full");
    run->cases = NULL;
    return 0;
}

static error_t take_agent(struct argp_state* state, struct options* run, const char* text) {
    if (strchr(text, '=') == NULL || strlen(text) >= sizeof run->agent)
        return refuse(state, "agent", text, "is not of the form KEY=VALUE, or too long");
    snprintf(run->agent, sizeof run->agent, "%s", text);
    return 0;
}

static error_t take_option(int key, char* text, struct argp_state* state) {
    struct selftest_options* options = state->input;
    uint64_t number = 0;
    error_t error;
    switch (key) {
    case KEY_JDK: options->run.jdk = text; return 0;
    case KEY_FAULTS: return take_faults(state, options, text);
    case KEY_RATES: return take_rates(state, options, text);
    case KEY_SECONDS:
        return take_number(state, "seconds", text, SECONDS_MAX, &options->run.seconds);
    case KEY_RUNS:
        error = take_whole(state, "repeat", text, 1, 10000, &number);
        options->repeat = (unsigned)number;
        return error;
    case KEY_JOBS:
        error = take_whole(state, "jobs", text, 1, 256, &number);
        options->run.jobs = (unsigned)number;
        return error;
    case KEY_CASES: options->run.cases = text; return 0;
    case KEY_PRESET: return take_preset(state, &options->run, text);
    case KEY_MODE: return take_mode(state, &options->run, text);
    case KEY_SCOPE: return take_scope(state, &options->run, text);
    case KEY_SEED: return take_whole(state, "seed", text, 0, INT64_MAX, &options->run.seed);
    case KEY_OUT:
        if (strchr(text, ',') != NULL) return refuse(state, "out", text, "has a comma in it");
        options->run.out = text;
        return 0;
    case KEY_VM_OPTIONS: options->run.vm_options = text; return 0;
    case KEY_AGENT: return take_agent(state, &options->run, text);
    case ARGP_KEY_ARG: argp_error(state, "\"%s\": only options are taken", text); return EINVAL;
    case ARGP_KEY_END:
        if (options->run.jdk != NULL) return 0;
        argp_error(state, "--jdk DIR is missing");
        return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int selftest_options_parse(int argc, char** argv, bool stay, struct selftest_options* options) {
    static const struct argp argp = {table,
                                     take_option,
                                     "",
                                     "Puts known faults in front of a JDK's AsyncGetCallTrace and "
                                     "shows whether the oracle notices them.",
                                     NULL,
                                     NULL,
                                     NULL};
    *options = (struct selftest_options){.run = {.cases = "mixed",
                                                 .scope = "all",
                                                 .seed = 1,
                                                 .jobs = 1,
                                                 .seconds = SECONDS,
                                                 .modes = 1u << MODE_INT,
                                                 .layers = SELFTEST_LAYERS},
                                         .rates = {1, 0.01, 0.001},
                                         .rate_count = 3,
                                         .repeat = 1};
    for (size_t i = 0; i < selftest_fault_count; i++)
        add_fault(options, &selftest_faults[i], selftest_faults[i].name);
    argp_err_exit_status = RUNNER_EXIT_USAGE;
    error_t error =
        argp_parse(&argp, argc, argv, ARGP_IN_ORDER | (stay ? ARGP_NO_EXIT : 0), NULL, options);
    if (error != 0 && !stay) exit(RUNNER_EXIT_USAGE);
    return error != 0 ? RUNNER_EXIT_USAGE : 0;
}
