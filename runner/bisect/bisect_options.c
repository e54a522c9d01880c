// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "bisect_parts.h"

#include <string.h>

// The commands that take the option: bisect, bisect-step, or both; and does a step take it over?
#define WHOLE 1u
#define STEP 2u
#define BOTH (WHOLE | STEP)
#define REPEATED 4u

// NAME, option, value (empty: it takes none), commands, help.
#define OPTIONS(O)                                                                                 \
    O(JDKS, "jdks", "LIST", WHOLE,                                                                 \
      "the builds in order: a directory of them, or a file with a path a line (required)")         \
    O(GOOD, "good", "BUILD", WHOLE,                                                                \
      "the good end, by its path or the last part of it; default: the first")                      \
    O(BAD, "bad", "BUILD", WHOLE, "the bad end; default: the last")                                \
    O(JDK, "jdk", "DIR", STEP, "the build (required)")                                             \
    O(CASE, "case", "NAME", BOTH | REPEATED, "the case that shows it; default mixed")              \
    O(MODE, "mode", "M", BOTH | REPEATED, "see plumbline list modes; default tiered")              \
    O(LAYER, "layer", "L", BOTH | REPEATED, "see plumbline list layers; default async")            \
    O(VERDICT, "verdict", "V,...", BOTH | REPEATED,                                                \
      "seek these mismatches; default: all walking errors")                                        \
    O(REFUSAL, "refusal", "CODE", BOTH | REPEATED, "seek this refusal, as unknown_Java or -5")     \
    O(CRASH, "crash", "", BOTH | REPEATED, "seek crashes; each JVM is one trial")                  \
    O(HANG, "hang", "", BOTH | REPEATED, "seek hangs; each JVM is one trial")                      \
    O(BAD_IF, "bad-if", "EXPRESSION", BOTH | REPEATED,                                             \
      "seek a rate beyond a limit, as \"async.truncated > 0.5%\" or "                              \
      "\"async.refused.unknown_Java < 0.2\"")                                                      \
    O(ERROR, "error", "P", BOTH,                                                                   \
      "probability of a wrong result, default 0.001; bisect-step: of this step")                   \
    O(SPREAD, "spread", "F", BOTH,                                                                 \
      "factor of odds by which runs of one build may differ; default 1.25")                        \
    O(LIMIT, "max-seconds", "N", BOTH | REPEATED,                                                  \
      "limit for one build, which is then undecided and left out; default 300")                    \
    O(WARM, "warm", "N", BOTH | REPEATED, "first seconds of a JVM, not counted; default 2")        \
    O(GOOD_RATE, "good-rate", "R", BOTH,                                                           \
      "the rate of good builds; else bisect measures it at the good end")                          \
    O(BAD_RATE, "bad-rate", "R", BOTH, "the rate of bad builds; else measured at the bad end")     \
    O(DISPERSION, "dispersion", "F", BOTH,                                                         \
      "number of events that count as one, with given rates; default 1 if JVMs are trials, else "  \
      "2")                                                                                         \
    O(RESUME, "resume", "DIR", WHOLE,                                                              \
      "continue the bisection in DIR, with the same options (as --out DIR does)")

enum key {
#define KEY(name, option, value, who, help) KEY_##name,
    OPTIONS(KEY)
#undef KEY
        KEYS
};

static const struct {
    const char *name, *value, *help;
    unsigned who;
} table[KEYS] = {
#define ROW(name, option, value, who, help) {option, value, help, who},
    OPTIONS(ROW)
#undef ROW
};

struct parsing {
    enum bisect_command command;
    struct bisect_options* options;
    const char* expression;
    unsigned sought; // how many things are
};

static unsigned taker(const struct parsing* parsing) {
    return parsing->command == BISECT_STEP_COMMAND ? STEP : WHOLE;
}

static void help(const struct parsing* parsing) {
    bool step = parsing->command == BISECT_STEP_COMMAND;
    printf("Usage: plumbline %s [OPTION...]\n%s\n\n", step ? "bisect-step" : "bisect",
           step
               ? "Is this build good or bad? For git bisect run: exit status 0 good, 1 bad, 125 it "
                 "cannot be said\n(or the options are wrong)."
               : "Finds the first bad build in a list of builds (runner/bisect/README.md).");
    for (int k = 0; k < KEYS; k++) {
        char name[48];
        if ((table[k].who & taker(parsing)) == 0) continue;
        snprintf(name, sizeof name, "--%s %s", table[k].name, table[k].value);
        printf("  %-22s %s\n", name, table[k].help);
    }
    printf("  %-22s %s\n", "--seconds N",
           "of one JVM, then the next is started; default 20, for crashes and hangs 3.5");
    puts("and --out --seed --timeout --scope --vm-options --source --interval --checks --depth "
         "--walker\n--signal --agent as in plumbline validate --help.");
    if (!step)
        puts("\nExit status: 0 found; 1 the ends do not differ; 2 wrong usage; 3 the harness "
             "failed; "
             "4 interrupted,\nor the difference is too small for the time allowed.");
}

static int refuse(const char* option, const char* value, const char* why) {
    arguments_refuse(NULL, option, value, why);
    return RUNNER_EXIT_USAGE;
}

static int take_number(enum key key, const char* text, struct arguments_range range,
                       double* value) {
    if (arguments_decimal(NULL, table[key].name, text, range, value) == 0) return 0;
    return RUNNER_EXIT_USAGE;
}

static int seek(struct parsing* parsing, enum bisect_kind kind) {
    parsing->sought++;
    parsing->options->sought.kind = kind;
    return 0;
}

// Hands an option on to options_parse, under its name there.
static int pass_on(struct parsing* parsing, const char* name, const char* value) {
    words_add(&parsing->options->rest, "--%s", name);
    words_add(&parsing->options->rest, "%s", value);
    return 0;
}

static int take_sought(struct parsing* parsing, enum key key, const char* value) {
    struct bisect_sought* sought = &parsing->options->sought;
    bool known = true;
    if (key == KEY_CRASH) return seek(parsing, BISECT_CRASH);
    if (key == KEY_HANG) return seek(parsing, BISECT_HANG);
    if (key == KEY_LAYER) known = bisect_sought_layer(sought, value);
    else parsing->sought++;
    if (key == KEY_VERDICT) known = bisect_sought_verdicts(sought, value);
    if (key == KEY_REFUSAL) known = bisect_sought_refusal(sought, value);
    if (key == KEY_BAD_IF) parsing->expression = value;
    return known ? 0 : refuse(table[key].name, value, "is none (plumbline list)");
}

static int take_text(struct parsing* parsing, enum key key, const char* value) {
    struct bisect_options* options = parsing->options;
    if (*value == '\0') return refuse(table[key].name, value, "is empty");
    if (key == KEY_JDKS) options->list = value;
    else if (key == KEY_GOOD) options->good = value;
    else if (key == KEY_BAD) options->bad = value;
    else if (key == KEY_CASE && strpbrk(value, ",*?[") != NULL)
        return refuse("case", value, "is not one case");
    else if (key == KEY_MODE && strchr(value, ',') != NULL)
        return refuse("mode", value, "is not one mode");
    else if (key == KEY_RESUME) {
        options->go_on = true;
        return pass_on(parsing, "out", value);
    } else
        return pass_on(parsing,
                       key == KEY_CASE   ? "cases"
                       : key == KEY_MODE ? "modes"
                                         : "jdk",
                       value);
    return 0;
}

#define BETWEEN(a, b) ((struct arguments_range){.low = a, .high = b, .above = true, .below = true})
#define FROM(a, b) ((struct arguments_range){.low = a, .high = b, .below = true})

static int take_own(struct parsing* parsing, enum key key, const char* value) {
    struct bisect_options* options = parsing->options;
    switch (key) {
    case KEY_ERROR: return take_number(key, value, BETWEEN(0, 0.5), &options->error);
    case KEY_SPREAD: return take_number(key, value, FROM(1, 1000), &options->spread);
    case KEY_LIMIT: return take_number(key, value, BETWEEN(0, 1e6), &options->limit);
    case KEY_WARM: return take_number(key, value, FROM(0, 1e4), &options->warm);
    case KEY_GOOD_RATE: return take_number(key, value, BETWEEN(0, 1), &options->good_rate);
    case KEY_BAD_RATE: return take_number(key, value, BETWEEN(0, 1), &options->bad_rate);
    case KEY_DISPERSION: return take_number(key, value, FROM(1, 1e6), &options->dispersion);
    case KEY_LAYER:
    case KEY_VERDICT:
    case KEY_REFUSAL:
    case KEY_CRASH:
    case KEY_HANG:
    case KEY_BAD_IF: return take_sought(parsing, key, value);
    case KEY_JDKS:
    case KEY_GOOD:
    case KEY_BAD:
    case KEY_JDK:
    case KEY_CASE:
    case KEY_MODE:
    case KEY_RESUME:
    case KEYS:
    default: return take_text(parsing, key, value);
    }
}

static const char* name_of(unsigned key) {
    return table[key].name;
}

// An option of validate, with its value. Only options_parse knows whether a value follows; but no
// value begins with --.
static void take_foreign(struct parsing* parsing, const struct base_call* call, int* i,
                         bool value) {
    const char* word = call->argv[*i - 1];
    struct words* repeat = &parsing->options->repeat;
    bool repeated = strncmp(word, "--out", 5) != 0;
    value = value && *i < call->argc && strncmp(call->argv[*i], "--", 2) != 0;
    words_add(&parsing->options->rest, "%s", word);
    if (repeated) words_add(repeat, "%s", word);
    if (!value) return;
    words_add(&parsing->options->rest, "%s", call->argv[*i]);
    if (repeated) words_add(repeat, "%s", call->argv[*i]);
    ++*i;
}

// "--name value", "--name=value" or "--name" at call->argv[*i], and on to the next.
static int take_word(struct parsing* parsing, const struct base_call* call, int* i) {
    const char *word = call->argv[(*i)++], *equals = strchr(word, '=');
    size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
    int key = strncmp(word, "--", 2) == 0 ? names_find(name_of, KEYS, word + 2, length - 2) : -1;
    if (key < 0) {
        take_foreign(parsing, call, i, equals == NULL);
        return 0;
    }
    if ((table[key].who & taker(parsing)) == 0)
        return runner_refuse(RUNNER_EXIT_USAGE, "--%s is no option of %s", table[key].name,
                             call->argv[0]);
    const char* value = equals != NULL ? equals + 1 : "";
    bool takes = table[key].value[0] != '\0';
    if (takes && equals == NULL) {
        if (*i >= call->argc) return refuse(table[key].name, "", "needs a value");
        value = call->argv[(*i)++];
    } else if (!takes && equals != NULL) return refuse(table[key].name, value, "takes no value");
    if ((table[key].who & REPEATED) != 0) {
        words_add(&parsing->options->repeat, "--%s", table[key].name);
        if (takes) words_add(&parsing->options->repeat, "%s", value);
    }
    return take_own(parsing, (enum key)key, value);
}

// ---- What follows from several options --------------------------------------------------------

static int take_rates(struct parsing* parsing) {
    struct bisect_options* options = parsing->options;
    bool whole = bisect_sought_whole(&options->sought);
    if (options->dispersion == 0) options->dispersion = whole ? 1 : 2;
    if ((options->good_rate > 0) != (options->bad_rate > 0))
        return runner_refuse(RUNNER_EXIT_USAGE, "--good-rate and --bad-rate belong together");
    double good = whole ? BISECT_WHOLE_GOOD : 0, bad = whole ? BISECT_WHOLE_BAD : 0;
    if (parsing->expression != NULL &&
        !bisect_sought_expression(&options->sought, parsing->expression, options->spread, &good,
                                  &bad))
        return refuse("bad-if", parsing->expression, "is not of the form LAYER.WHAT > RATE");
    if (options->good_rate == 0) options->good_rate = good, options->bad_rate = bad;
    options->given = options->good_rate > 0;
    if (options->given && options->good_rate == options->bad_rate)
        return runner_refuse(
            RUNNER_EXIT_USAGE,
            "--good-rate and --bad-rate: there is nothing between them (--spread?)");
    return 0;
}

static int finish(struct parsing* parsing) {
    struct bisect_options* options = parsing->options;
    bool step = parsing->command == BISECT_STEP_COMMAND;
    const char* missing = NULL;
    if (parsing->sought > 1)
        missing = "--verdict, --refusal, --crash, --hang, --bad-if: only one thing is sought";
    else if (!step && options->list == NULL) missing = "--jdks LIST is missing";
    if (missing != NULL) return runner_refuse(RUNNER_EXIT_USAGE, "%s", missing);
    int status = take_rates(parsing);
    if (status == 0 && step && !options->given) {
        runner_complain("--good-rate R and --bad-rate R are missing");
        status = RUNNER_EXIT_USAGE;
    }
    return status;
}

// Reads the rest as options of validate, with the required ones added and others refused.
static int read_rest(struct parsing* parsing) {
    static const char* const foreign[] = {"--preset", "--jobs", "--more-time", "--layers"};
    struct bisect_options* options = parsing->options;
    struct words* rest = &parsing->options->rest;
    for (size_t i = 1; i < rest->count; i++)
        for (size_t f = 0; f < sizeof foreign / sizeof foreign[0]; f++)
            if (strncmp(rest->list[i], foreign[f], strlen(foreign[f])) == 0)
                return runner_refuse(RUNNER_EXIT_USAGE, "%s is no option of %s", foreign[f],
                                     rest->list[0]);
    if (parsing->command == BISECT_WHOLE_COMMAND) pass_on(parsing, "jdk", "-");
    const struct base_call call = {.argc = (int)rest->count, .argv = rest->list, .stays = true};
    int status = options_parse(OPTIONS_VALIDATE, &call, &options->run);
    if (status != 0) return status;
    if (parsing->command == BISECT_WHOLE_COMMAND) options->run.jdk = NULL;
    if (options->run.cases == NULL) options->run.cases = "mixed";
    // Without --mode options_parse gives the preset's modes.
    if (__builtin_popcount(options->run.modes) != 1) options->run.modes = 1u << MODE_TIERED;
    if (options->run.seconds == 0 && !bisect_sought_whole(&options->sought))
        options->run.seconds = BISECT_SECONDS;
    if ((options_layers_in(&options->run, options->run.scope) & 1u << options->sought.layer) != 0)
        return 0;
    return runner_refuse(RUNNER_EXIT_USAGE, "--layer: scope %s has no layer %s", options->run.scope,
                         oracle_layer_text(options->sought.layer));
}

int bisect_options_parse(enum bisect_command command, const struct base_call* call,
                         struct bisect_options* options) {
    *options = (struct bisect_options){.error = BISECT_ERROR,
                                       .spread = BISECT_SPREAD,
                                       .limit = BISECT_LIMIT,
                                       .warm = BISECT_WARM,
                                       .sought = {.layer = ORACLE_LAYER_ASYNC}};
    struct parsing parsing = {.command = command, .options = options};
    words_add(&options->rest, "%s", call->argv[0]);
    int status = 0;
    for (int i = 1; i < call->argc && status == 0;) {
        if (strcmp(call->argv[i], "--help") == 0 || strcmp(call->argv[i], "-?") == 0) {
            help(&parsing);
            return -1;
        }
        status = take_word(&parsing, call, &i);
    }
    if (status == 0) status = finish(&parsing); // an expression names its layer
    return status != 0 ? status : read_rest(&parsing);
}

void bisect_options_free(struct bisect_options* options) {
    words_free(&options->repeat);
    words_free(&options->rest);
}
