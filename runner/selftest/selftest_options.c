// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The arguments of `plumbline selftest`.
#include "selftest_parts.h"

#include <argp.h>
#include <errno.h>
#include <string.h>

// The time in which a fault must be found, while `mixed` runs.
#define SECONDS 60.0
#define SECONDS_MAX 3600.0
// Only layers that can be compared with the library's counts: each sample is one call of the
// walker.
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
    {"jdk", KEY_JDK, "DIR", 0, "the JDK under test; default as in validate", 1},
    {"faults", KEY_FAULTS, "F,...", 0, "faults by name, refuse=CODE and cut=N too; default: all",
     1},
    {"rates", KEY_RATES, "R,...", 0, "rates of the faults, in (0, 1]; default 1,0.01,0.001", 1},
    {"seconds", KEY_SECONDS, "N", 0, "a fault counts as not detected after N seconds; default 60",
     1},
    {"repeat", KEY_RUNS, "N", 0, "runs of each fault at each rate; default 1", 1},
    {"runs", KEY_RUNS, "N", OPTION_ALIAS, NULL, 1},
    {"jobs", KEY_JOBS, "N", 0, "JVMs at a time; default 1", 2},
    {"cases", KEY_CASES, "GLOB,...", 0,
     "cases that run meanwhile, one after the other; default mixed", 2},
    {"preset", KEY_PRESET, "quick|full", 0, "the cases of this preset", 2},
    {"mode", KEY_MODE, "M", 0, "one of plumbline list modes; default int", 2},
    {"scope", KEY_SCOPE, "app|all", 0, "the classes that are instrumented; default all", 2},
    {"seed", KEY_SEED, "N", 0, "of all random choices; default 1", 2},
    {"out", KEY_OUT, "DIR", 0,
     "output directory; default selftest-VERSION-TIME where validate's is", 2},
    {"vm-options", KEY_VM_OPTIONS, "OPTIONS", 0, "further options of the JVM under test", 2},
    {"agent", KEY_AGENT, "KEY=VALUE,...", 0, "further options of the agent", 2},
    {0}};

#define UP_TO(most) ((struct arguments_range){.high = most, .above = true})

static error_t take_rates(struct argp_state* state, struct selftest_options* options, char* text) {
    char *rest, *word = strtok_r(text, ",", &rest);
    for (options->rate_count = 0; word != NULL; word = strtok_r(NULL, ",", &rest)) {
        if (options->rate_count == SELFTEST_RATES_MAX)
            return arguments_refuse(state, "rates", word, "is one too many");
        if (arguments_decimal(state, "rates", word, UP_TO(1),
                              &options->rates[options->rate_count++]) != 0)
            return EINVAL;
    }
    return options->rate_count > 0 ? 0 : arguments_refuse(state, "rates", "", "is empty");
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
            return arguments_refuse(state, "faults", word, "is no fault");
        if (options->fault_count == SELFTEST_FAULTS_MAX)
            return arguments_refuse(state, "faults", word, "is one too many");
        add_fault(options, fault, word);
    }
    return options->fault_count > 0 ? 0 : arguments_refuse(state, "faults", "", "is empty");
}

static error_t take_mode(struct argp_state* state, struct options* run, const char* text) {
    int mode = modes_find(text, strlen(text));
    if (mode < 0) return arguments_no_mode(state, text);
    run->modes = 1u << mode;
    return 0;
}

static error_t take_scope(struct argp_state* state, struct options* run, const char* text) {
    static const char* const scopes[] = {"app", "all", NULL};
    return arguments_word(state, "scope", text, scopes, &run->scope);
}

static error_t take_preset(struct argp_state* state, struct selftest_options* options,
                           const char* text) {
    static const char* const presets[] = {"quick", "full", NULL};
    const char* preset = "";
    error_t error = arguments_word(state, "preset", text, presets, &preset);
    options->run.full = strcmp(preset, "full") == 0;
    options->preset = true;
    return error;
}

static error_t finish(struct argp_state* state, struct selftest_options* options) {
    const char* why;
    if (options->preset && options->run.cases != NULL)
        return arguments_wrong(state, "--cases and --preset: both choose the cases");
    if (!options->preset && options->run.cases == NULL) options->run.cases = "mixed";
    return options_default_jdk(&options->run, &why) ? 0 : arguments_wrong(state, "%s", why);
}

static error_t take_agent(struct argp_state* state, struct options* run, const char* text) {
    if (strchr(text, '=') == NULL || strlen(text) >= sizeof run->agent)
        return arguments_refuse(state, "agent", text, "is not of the form KEY=VALUE, or too long");
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
        return arguments_decimal(state, "seconds", text, UP_TO(SECONDS_MAX), &options->run.seconds);
    case KEY_RUNS:
        error =
            arguments_integer(state, "repeat", text, (struct arguments_limits){1, 10000}, &number);
        options->repeat = (unsigned)number;
        return error;
    case KEY_JOBS:
        error = arguments_integer(state, "jobs", text, (struct arguments_limits){1, 256}, &number);
        options->run.jobs = (unsigned)number;
        return error;
    case KEY_CASES: options->run.cases = text; return 0;
    case KEY_PRESET: return take_preset(state, options, text);
    case KEY_MODE: return take_mode(state, &options->run, text);
    case KEY_SCOPE: return take_scope(state, &options->run, text);
    case KEY_SEED:
        return arguments_integer(state, "seed", text, (struct arguments_limits){0, INT64_MAX},
                                 &options->run.seed);
    case KEY_OUT: return arguments_directory(state, "out", text, &options->run.out);
    case KEY_VM_OPTIONS: options->run.vm_options = text; return 0;
    case KEY_AGENT: return take_agent(state, &options->run, text);
    case ARGP_KEY_ARG: return arguments_wrong(state, "\"%s\": only options are taken", text);
    case ARGP_KEY_END: return finish(state, options);
    default: return ARGP_ERR_UNKNOWN;
    }
}

int selftest_options_parse(const struct base_call* call, struct selftest_options* options) {
    static const struct argp argp = {.options = table,
                                     .parser = take_option,
                                     .args_doc = "",
                                     .doc = "Puts known faults in front of a JDK's "
                                            "AsyncGetCallTrace and shows whether the oracle "
                                            "notices them."};
    *options = (struct selftest_options){.run = {.scope = "all",
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
    return arguments_parse(&argp, ARGP_IN_ORDER, call, options);
}
