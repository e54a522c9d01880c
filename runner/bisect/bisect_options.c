// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "bisect_parts.h"

#include <argp.h>
#include <string.h>

// The commands that take the option: bisect, bisect-step, or both; and does a step take it over?
#define WHOLE 1u
#define STEP 2u
#define BOTH (WHOLE | STEP)
#define REPEATED 4u

// NAME, option, value (NULL: it takes none), commands, help.
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
    O(CAUSE, "cause", "NAME", BOTH | REPEATED,                                                     \
      "seek the errors of this cause (plumbline list causes), unexplained, or refused.CODE")       \
    O(CRASH, "crash", NULL, BOTH | REPEATED, "seek crashes; each JVM is one trial")                \
    O(HANG, "hang", NULL, BOTH | REPEATED, "seek hangs; each JVM is one trial")                    \
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
      "the rate of good builds, as 0.001 or 0.1%; else bisect measures it at the good end")        \
    O(BAD_RATE, "bad-rate", "R", BOTH, "the rate of bad builds; else measured at the bad end")     \
    O(DISPERSION, "dispersion", "F", BOTH,                                                         \
      "number of events that count as one, with given rates; default 1 if JVMs are trials, else "  \
      "2")                                                                                         \
    O(RESUME, "resume", "DIR", WHOLE,                                                              \
      "continue the bisection in DIR, with the same options (as --out DIR does)")

enum key {
    KEY_BEFORE = 1023, // the keys of validate are below
#define KEY(name, option, value, who, help) KEY_##name,
    OPTIONS(KEY)
#undef KEY
        KEY_BEHIND
};
#define OWN (KEY_BEHIND - KEY_BEFORE - 1)
#define TABLE (OWN + 64) // with the options of validate
#define REFUSED (OPTION_HIDDEN | OPTION_NO_USAGE)

static const struct argp_option own[OWN] = {
#define ROW(name, option, value, who, help) {option, KEY_##name, value, 0, help, 0},
    OPTIONS(ROW)
#undef ROW
};
static const unsigned whose[OWN] = {
#define WHO(name, option, value, who, help) who,
    OPTIONS(WHO)
#undef WHO
};

struct parsing {
    enum bisect_command command;
    struct bisect_options* options;
    struct argp_option table[TABLE];
    const char* expression;
    unsigned sought; // how many things are
};

// The command's own options, and those of validate, which its help does not list again. An option
// that the command refuses is in the table too: without it, its name could be an abbreviation.
static void make_table(struct parsing* parsing) {
    static const char* const refused[] = {"preset", "jobs",  "more-time",
                                          "layers", "shard", "inlining"};
    unsigned taker = parsing->command == BISECT_STEP_COMMAND ? STEP : WHOLE;
    size_t count = 0;
    for (; count < OWN; count++) {
        parsing->table[count] = own[count];
        if ((whose[count] & taker) == 0) parsing->table[count].flags = REFUSED;
    }
    for (const struct argp_option* more = options_table(); more->name != NULL; more++) {
        bool again = false;
        for (size_t i = 0; i < OWN; i++) again = again || strcmp(own[i].name, more->name) == 0;
        if (again || count + 1 == TABLE) continue;
        parsing->table[count] = *more;
        parsing->table[count].flags = OPTION_HIDDEN;
        for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
            if (strcmp(refused[i], more->name) == 0) parsing->table[count].flags = REFUSED;
        count++;
    }
}

static error_t take_sought(struct argp_state* state, enum key key, const char* value) {
    struct parsing* parsing = state->input;
    struct bisect_sought* sought = &parsing->options->sought;
    bool known = true;
    if (key == KEY_LAYER) known = bisect_sought_layer(sought, value);
    else parsing->sought++;
    if (key == KEY_CRASH) sought->kind = BISECT_CRASH;
    if (key == KEY_HANG) sought->kind = BISECT_HANG;
    if (key == KEY_VERDICT) known = bisect_sought_verdicts(sought, value);
    if (key == KEY_REFUSAL) known = bisect_sought_refusal(sought, value);
    if (key == KEY_CAUSE) known = bisect_sought_cause(sought, value);
    if (key == KEY_BAD_IF) parsing->expression = value;
    const char* name = own[key - KEY_BEFORE - 1].name;
    return known ? 0 : arguments_refuse(state, name, value, "is none (plumbline list)");
}

static error_t take_case(struct argp_state* state, const char* text, struct options* run) {
    if (strpbrk(text, ",*?[") != NULL)
        return arguments_refuse(state, "case", text, "is not one case");
    return arguments_path(state, "case", text, &run->cases);
}

static error_t take_mode(struct argp_state* state, const char* text, struct options* run) {
    int mode = modes_find(text, strlen(text));
    if (mode < 0) return arguments_no_mode(state, text);
    run->modes = 1u << mode;
    return 0;
}

static error_t take_rate(struct argp_state* state, const char* name, const char* text,
                         double* rate) {
    if (bisect_sought_rate(text, rate)) return 0;
    return arguments_refuse(state, name, text,
                            "is no rate above 0 and below 1, such as 0.001 or 0.1%");
}

#define BETWEEN(a, b) ((struct arguments_range){.low = a, .high = b, .above = true, .below = true})
#define FROM(a, b) ((struct arguments_range){.low = a, .high = b, .below = true})

static error_t take_own(struct argp_state* state, enum key key, const char* text) {
    struct parsing* parsing = state->input;
    struct bisect_options* o = parsing->options;
    const char* name = own[key - KEY_BEFORE - 1].name;
    switch ((int)key) {
    case KEY_JDKS: return arguments_path(state, name, text, &o->list);
    case KEY_GOOD: return arguments_path(state, name, text, &o->good);
    case KEY_BAD: return arguments_path(state, name, text, &o->bad);
    case KEY_JDK: return arguments_path(state, name, text, &o->run.jdk);
    case KEY_CASE: return take_case(state, text, &o->run);
    case KEY_MODE: return take_mode(state, text, &o->run);
    case KEY_ERROR: return arguments_decimal(state, name, text, BETWEEN(0, 0.5), &o->error);
    case KEY_SPREAD: return arguments_decimal(state, name, text, FROM(1, 1000), &o->spread);
    case KEY_LIMIT: return arguments_decimal(state, name, text, BETWEEN(0, 1e6), &o->limit);
    case KEY_WARM: return arguments_decimal(state, name, text, FROM(0, 1e4), &o->warm);
    case KEY_GOOD_RATE: return take_rate(state, name, text, &o->good_rate);
    case KEY_BAD_RATE: return take_rate(state, name, text, &o->bad_rate);
    case KEY_DISPERSION: return arguments_decimal(state, name, text, FROM(1, 1e6), &o->dispersion);
    case KEY_RESUME: o->go_on = true; return arguments_directory(state, name, text, &o->run.out);
    default: return take_sought(state, key, text);
    }
}

// ---- What follows from several options --------------------------------------------------------

static error_t take_rates(struct argp_state* state, struct parsing* parsing) {
    struct bisect_options* options = parsing->options;
    bool whole = bisect_sought_whole(&options->sought);
    if (options->dispersion == 0) options->dispersion = whole ? 1 : 2;
    if ((options->good_rate > 0) != (options->bad_rate > 0))
        return arguments_wrong(state, "--good-rate and --bad-rate belong together");
    double good = whole ? BISECT_WHOLE_GOOD : 0, bad = whole ? BISECT_WHOLE_BAD : 0;
    if (parsing->expression != NULL &&
        !bisect_sought_expression(&options->sought, parsing->expression, options->spread, &good,
                                  &bad))
        return arguments_refuse(state, "bad-if", parsing->expression,
                                "is not of the form LAYER.WHAT > RATE");
    if (options->good_rate == 0) options->good_rate = good, options->bad_rate = bad;
    options->given = options->good_rate > 0;
    if (options->given && options->good_rate == options->bad_rate)
        return arguments_wrong(
            state, "--good-rate and --bad-rate: there is nothing between them (--spread?)");
    return 0;
}

static error_t finish(struct argp_state* state, struct parsing* parsing) {
    const struct bisect_options* options = parsing->options;
    bool step = parsing->command == BISECT_STEP_COMMAND;
    if (parsing->sought > 1)
        return arguments_wrong(
            state,
            "--verdict, --refusal, --cause, --crash, --hang, --bad-if: only one thing is sought");
    if (__builtin_popcount(options->run.modes) > 1)
        return arguments_wrong(state, "--modes: a bisection takes one mode");
    if (__builtin_popcount(options->run.scopes) > 1)
        return arguments_wrong(state, "--scope: a bisection takes one scope");
    if (!step && options->list == NULL) return arguments_wrong(state, "--jdks LIST is missing");
    if (step && options->run.jdk == NULL) return arguments_wrong(state, "--jdk DIR is missing");
    error_t error = take_rates(state, parsing);
    if (error == 0 && step && !options->given)
        error = arguments_wrong(state, "--good-rate R and --bad-rate R are missing");
    return error;
}

static error_t take_option(int key, char* text, struct argp_state* state) {
    struct parsing* parsing = state->input;
    struct words* repeat = &parsing->options->repeat;
    const struct argp_option* option = parsing->table;
    if (key == ARGP_KEY_ARG) return arguments_wrong(state, "\"%s\": only options are taken", text);
    if (key == ARGP_KEY_END) return finish(state, parsing);
    while (option->name != NULL && option->key != key) option++;
    if (option->name == NULL) return ARGP_ERR_UNKNOWN;
    if (option->flags == REFUSED)
        return arguments_wrong(state, "--%s is no option of %s", option->name, state->name);
    bool is_own = key > KEY_BEFORE;
    if (is_own ? (whose[key - KEY_BEFORE - 1] & REPEATED) != 0 : strcmp(option->name, "out") != 0) {
        words_add(repeat, "--%s", option->name);
        if (text != NULL) words_add(repeat, "%s", text);
    }
    return is_own ? take_own(state, (enum key)key, text)
                  : options_take(key, text, state, &parsing->options->run);
}

// The defaults of a JVM's run, which are not those of validate.
static int complete(struct bisect_options* options) {
    struct options* run = &options->run;
    int status = options_complete(OPTIONS_VALIDATE, run);
    if (status != 0) return status;
    if (run->cases == NULL) run->cases = "mixed";
    // Without --mode there are the preset's modes.
    if (__builtin_popcount(run->modes) != 1) run->modes = 1u << MODE_TIERED;
    if (run->seconds == 0 && !bisect_sought_whole(&options->sought)) run->seconds = BISECT_SECONDS;
    if ((options_layers_in(run, run->scope) & 1u << options->sought.layer) != 0) return 0;
    return runner_refuse(RUNNER_EXIT_USAGE, "--layer: scope %s has no layer %s", run->scope,
                         oracle_layer_text(options->sought.layer));
}

#define FOREIGN                                                                                    \
    "\v--seconds N is of one JVM, then the next is started; default 20, for crashes and hangs "    \
    "3.5. --out --seed --timeout --scope --vm-options --source --interval --checks --depth "       \
    "--walker --signal --agent are as in plumbline validate --help.\n"
static const char* const descriptions[] = {
    "Finds the first bad build in a list of builds (runner/bisect/README.md)." FOREIGN
    "Exit status: 0 found; 1 the ends do not differ; 2 wrong usage; 3 the harness failed; "
    "4 interrupted, or the difference is too small for the time allowed.",
    "Is this build good or bad? For git bisect run: exit status 0 good, 1 bad, 125 it cannot "
    "be said (or the options are wrong)." FOREIGN};
#undef FOREIGN

int bisect_options_parse(enum bisect_command command, const struct base_call* call,
                         struct bisect_options* options) {
    *options = (struct bisect_options){
        .run = {.scope = "app", .scopes = 1u << OPTIONS_SCOPE_APP, .seed = 1},
        .error = BISECT_ERROR,
        .spread = BISECT_SPREAD,
        .limit = BISECT_LIMIT,
        .warm = BISECT_WARM,
        .sought = {.layer = ORACLE_LAYER_ASYNC}};
    struct parsing parsing = {.command = command, .options = options};
    make_table(&parsing);
    const struct argp argp = {
        .options = parsing.table, .parser = take_option, .doc = descriptions[command]};
    struct base_call here = *call;
    here.stays = true;
    for (int i = 1; i < call->argc; i++)
        if (strcmp(call->argv[i], "--help") == 0 || strcmp(call->argv[i], "-?") == 0) {
            arguments_help(&argp, call);
            return -1;
        }
    int status = arguments_parse(&argp, ARGP_IN_ORDER, &here, &parsing);
    return status != 0 ? status : complete(options);
}

void bisect_options_free(struct bisect_options* options) {
    words_free(&options->repeat);
}
