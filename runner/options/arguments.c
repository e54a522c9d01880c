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

int arguments_parse(const struct argp* argp, unsigned flags, const struct base_call* call,
                    void* input) {
    argp_err_exit_status = RUNNER_EXIT_USAGE;
    if (call->stays) flags |= ARGP_NO_EXIT;
    if (argp_parse(argp, call->argc, call->argv, flags, NULL, input) == 0) return 0;
    if (!call->stays) exit(RUNNER_EXIT_USAGE);
    return RUNNER_EXIT_USAGE;
}

int arguments_wrong(struct argp_state* state, const char* format, ...) {
    va_list arguments;
    char text[512];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    argp_error(state, "%s", text);
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
    char why[80] = "is none of", *end = why + sizeof why;
    for (; *words != NULL; words++) {
        if (strcmp(*words, text) == 0) {
            *value = *words;
            return 0;
        }
        size_t used = strlen(why);
        snprintf(why + used, (size_t)(end - why) - used, " %s", *words);
    }
    return arguments_refuse(state, option, text, why);
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
