// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The shared parts of the commands' parsers. Every refusal names the option and its value.
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "results/report/report.h"

// ---- Options by name --------------------------------------------------------------------------

static bool is_last(const struct argp_option* option) {
    return option == NULL ||
           (option->name == NULL && option->key == 0 && option->doc == NULL && option->group == 0);
}

// The option that a word "--NAME" or "--NAME=VALUE" begins: the first that `length` letters fit, as
// getopt_long takes abbreviations. NULL: none.
static const struct argp_option* find_option(const struct argp_option* table, const char* name,
                                             size_t length) {
    static const struct argp_option common[] = {{.name = "help"}, {.name = "usage"}, {0}};
    const struct argp_option *found = NULL, *owner = NULL;
    for (int standard = 0; standard < 2; standard++)
        for (const struct argp_option* o = standard ? common : table; !is_last(o); o++) {
            if ((o->flags & OPTION_ALIAS) == 0) owner = o;
            if (o->name == NULL || strncmp(o->name, name, length) != 0) continue;
            if (o->name[length] == '\0') return owner;
            if (found == NULL) found = owner;
        }
    return found;
}

// Empty without an option that resembles it.
static const char* hint_option(const struct argp_option* table, const char* name, size_t length,
                               char hint[NEAREST_TEXT]) {
    struct nearest nearest = {.word = name, .length = length};
    for (const struct argp_option* o = table; !is_last(o); o++)
        if (o->name != NULL && (o->flags & OPTION_HIDDEN) == 0) nearest_offer(&nearest, o->name);
    if (nearest.found == NULL) return "";
    snprintf(hint, NEAREST_TEXT, "; did you mean \"--%s\"?", nearest.found);
    return hint;
}

// Complains of the first long option that does not exist. argp would complain of it, too, without a
// suggestion and with all its characters. False: there is none.
static bool refuse_unknown(const struct argp* argp, unsigned flags, const struct base_call* call) {
    char hint[NEAREST_TEXT];
    for (int i = 1; i < call->argc && strcmp(call->argv[i], "--") != 0; i++) {
        const char* word = call->argv[i];
        if (word[0] != '-' && (flags & ARGP_IN_ORDER) != 0) return false; // a program's words
        if (strncmp(word, "--", 2) != 0) continue;
        size_t length = strcspn(word + 2, "=");
        const struct argp_option* option = find_option(argp->options, word + 2, length);
        if (option != NULL && option->arg != NULL && word[2 + length] != '=') i++; // its value
        if (option != NULL) continue;
        struct output_plain plain;
        fprintf(output_plain_open(&plain), "%s: unrecognized option '%.*s'%s\n", call->argv[0],
                (int)length + 2, word, hint_option(argp->options, word + 2, length, hint));
        output_plain_close(&plain, stderr);
        argp_help(argp, stderr, ARGP_HELP_SEE, call->argv[0]);
        return true;
    }
    return false;
}

// ---- Help ---------------------------------------------------------------------------------------

static const char* examples; // of the command whose help is printed: argp hands no context on

static char* add_examples(int key, const char* text, void* input) {
    (void)input;
    if (key != ARGP_KEY_HELP_EXTRA || examples == NULL) return (char*)(uintptr_t)text;
    return base_text("For example:\n%s", examples);
}

void arguments_help(const struct argp* argp, const struct base_call* call) {
    struct argp helping = *argp;
    examples = call->examples;
    helping.help_filter = add_examples;
    argp_help(&helping, stdout, ARGP_HELP_STD_HELP, call->argv[0]);
}

// ---- Parsing ------------------------------------------------------------------------------------

int arguments_parse(const struct argp* argp, unsigned flags, const struct base_call* call,
                    void* input) {
    struct argp helping = *argp;
    argp_err_exit_status = RUNNER_EXIT_USAGE;
    if (call->described != NULL) {
        call->described(argp, call->context);
        return RUNNER_EXIT_USAGE;
    }
    if (call->stays) flags |= ARGP_NO_EXIT;
    examples = call->examples;
    helping.help_filter = add_examples;
    if (!refuse_unknown(argp, flags, call) &&
        argp_parse(&helping, call->argc, call->argv, flags, NULL, input) == 0)
        return 0;
    if (!call->stays) exit(RUNNER_EXIT_USAGE);
    return RUNNER_EXIT_USAGE;
}

int arguments_wrong(struct argp_state* state, const char* format, ...) {
    va_list arguments;
    char text[512];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    char* plain =
        base_must(plain_copy(text, SIZE_MAX, true)); // a script's values need not be its own
    argp_error(state, "%s", plain);
    free(plain);
    return EINVAL;
}

int arguments_refuse(struct argp_state* state, const char* option, const char* value,
                     const char* why) {
    return arguments_wrong(state, "--%s: \"%s\" %s", option, value, why);
}

int arguments_decimal(struct argp_state* state, const char* option, const char* text,
                      struct arguments_range range, double* value) {
    char* end;
    char why[80];
    errno = 0;
    double number = strtod(text, &end);
    // strtod also takes "inf", "nan", hexadecimals and leading blanks: no number here begins so.
    if (strspn(text, "0123456789.") == 0 || *end != '\0' || errno != 0 || !isfinite(number) ||
        strpbrk(text, "xX") != NULL)
        return arguments_refuse(state, option, text, "is not a plain decimal number");
    *value = number;
    if ((range.above ? number > range.low : number >= range.low) &&
        (range.below ? number < range.high : number <= range.high))
        return 0;
    snprintf(why, sizeof why, "is out of range (%s %.7g, %s %.7g)",
             range.above ? "above" : "at least", range.low, range.below ? "below" : "at most",
             range.high);
    return arguments_refuse(state, option, text, why);
}

int arguments_integer(struct argp_state* state, const char* option, const char* text,
                      struct arguments_limits limits, uint64_t* value) {
    char* end;
    char why[80];
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0')
        return arguments_refuse(state, option, text, "is not a whole number");
    *value = number;
    if (errno == 0 && number >= limits.low && number <= limits.high) return 0;
    snprintf(why, sizeof why, "is out of range (%llu to %llu)", (unsigned long long)limits.low,
             (unsigned long long)limits.high);
    return arguments_refuse(state, option, text, why);
}

int arguments_word(struct argp_state* state, const char* option, const char* text,
                   const char* const* words, const char** value) {
    char why[80 + NEAREST_TEXT] = "is none of", hint[NEAREST_TEXT], *end = why + sizeof why;
    struct nearest nearest = {.word = text, .length = strlen(text)};
    for (; *words != NULL; words++) {
        nearest_offer(&nearest, *words);
        if (strcmp(*words, text) == 0) {
            *value = *words;
            return 0;
        }
        size_t used = strlen(why);
        snprintf(why + used, (size_t)(end - why) - used, " %s", *words);
    }
    size_t used = strlen(why);
    snprintf(why + used, (size_t)(end - why) - used, "%s", nearest_hint(&nearest, hint));
    return arguments_refuse(state, option, text, why);
}

static const char* mode_name(unsigned mode) {
    return modes[mode].name;
}

int arguments_no_mode(struct argp_state* state, const char* text) {
    char hint[NEAREST_TEXT];
    return arguments_wrong(state, "--mode: \"%s\" is no mode (plumbline list modes)%s", text,
                           names_hint(mode_name, MODE_COUNT, text, strlen(text), hint));
}

static int take_names(struct argp_state* state, const char* option, const char* text,
                      names_bit* bit, uint32_t* bits) {
    *bits = names_bits(&text, strlen(text), ',', bit);
    if (*bits != 0) return 0;
    char hint[NEAREST_TEXT];
    size_t length = strcspn(text, ",");
    if (bit == names_mode) names_hint(mode_name, MODE_COUNT, text, length, hint);
    else names_hint(oracle_layer_text, ORACLE_LAYER_COUNT, text, length, hint);
    return arguments_wrong(state, "--%s: there is no \"%.*s\" (plumbline list %s)%s", option,
                           (int)length, text, option, hint);
}

int arguments_modes(struct argp_state* state, const char* text, uint32_t* bits) {
    return take_names(state, "modes", text, names_mode, bits);
}

int arguments_layers(struct argp_state* state, const char* text, uint32_t* bits) {
    return take_names(state, "layers", text, names_layer, bits);
}

int arguments_path(struct argp_state* state, const char* option, const char* text,
                   const char** value) {
    if (*text == '\0') return arguments_refuse(state, option, text, "is empty");
    *value = text;
    return 0;
}

int arguments_directory(struct argp_state* state, const char* option, const char* text,
                        const char** value) {
    if (strchr(text, ',') != NULL)
        return arguments_refuse(state, option, text, "has a comma in it");
    return arguments_path(state, option, text, value);
}

// ---- Words that are handed on -----------------------------------------------------------------

// The number of words from argv[i] on that are an option with one of the values: --KEY=VALUE 1,
// --KEY VALUE 2; else 0.
static int is_option(int i, const struct base_call* call, const char* const* values, size_t count) {
    const char* end = call->argv[i] + strlen(call->argv[i]);
    for (size_t v = 0; v < count; v++) {
        if (values[v] == NULL) continue;
        if (values[v] > call->argv[i] && values[v] <= end) return 1;
        if (i + 1 < call->argc && values[v] == call->argv[i + 1]) return 2;
    }
    return 0;
}

void arguments_hand_on(const struct base_call* call, const char* const* values, size_t count,
                       struct words* words) {
    for (int i = 1; i < call->argc;) {
        int skip = is_option(i, call, values, count);
        if (skip == 0) words_add(words, "%s", call->argv[i++]);
        i += skip;
    }
}
