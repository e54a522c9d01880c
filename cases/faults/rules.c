// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Reads faults as they are written on a command line.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults.h"

static const char* const texts[FAULT_COUNT] = {
#define FAULTS_TEXT(name, text, explanation) text,
    FAULTS(FAULTS_TEXT)
#undef FAULTS_TEXT
};

const char* fault_text(enum fault fault) {
    return (unsigned)fault < FAULT_COUNT ? texts[fault] : "?";
}

static int read_value(const char* text, struct fault_rule* rule) {
    char* end;
    long value = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0') return -1;
    rule->has_value = true;
    rule->value = (int32_t)value;
    if (rule->fault == FAULT_CUT) return value >= 1 && value <= 65536 ? 0 : -1;
    return rule->fault == FAULT_REFUSE && value <= 0 && value > -FAULT_CODES ? 0 : -1;
}

static int read_rate(const char* text, struct fault_rule* rule) {
    char* end;
    rule->rate = strtod(text, &end);
    return *text != '\0' && *end == '\0' && rule->rate > 0 && rule->rate <= 1 ? 0 : -1;
}

static int read_seed(const char* text, struct fault_rule* rule) {
    char* end;
    errno = 0;
    rule->seed = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0 ? 0 : -1;
}

// Reads one rule and writes over its text. NULL, or the reason why it cannot be read.
static const char* read_rule(char* text, struct fault_rule* rule) {
    *rule = (struct fault_rule){.rate = 1, .seed = 1, .fault = FAULT_COUNT};
    char* rate = strchr(text, ':');
    if (rate != NULL) *rate++ = '\0';
    char* seed = rate != NULL ? strchr(rate, ':') : NULL;
    if (seed != NULL) *seed++ = '\0';
    char* value = strchr(text, '=');
    if (value != NULL) *value++ = '\0';
    for (int i = 0; i < FAULT_COUNT; i++)
        if (strcmp(text, texts[i]) == 0) rule->fault = (enum fault)i;
    if (rule->fault == FAULT_COUNT) return "no such fault";
    if (value != NULL && read_value(value, rule) != 0) return "the fault does not take this value";
    if (rate != NULL && read_rate(rate, rule) != 0) return "the rate is not above 0 and at most 1";
    if (seed != NULL && read_seed(seed, rule) != 0) return "the seed is not a number";
    return NULL;
}

int fault_read(const char* text, struct fault_rule rules[FAULT_RULES_MAX], char* error,
               size_t error_size) {
    int count = 0;
    for (const char* at = text;; at++) {
        size_t length = strcspn(at, ",");
        char copy[96];
        const char* wrong = length >= sizeof copy      ? "too long"
                            : count >= FAULT_RULES_MAX ? "too many faults"
                                                       : NULL;
        if (wrong == NULL) {
            memcpy(copy, at, length);
            copy[length] = '\0';
            wrong = read_rule(copy, &rules[count++]);
        }
        if (wrong != NULL) {
            snprintf(error, error_size, "\"%.*s\": %s", (int)length, at, wrong);
            return -1;
        }
        at += length;
        if (*at == '\0') return count;
    }
}
