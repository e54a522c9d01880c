// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A signature's words, and whether facts fit it.
#include "parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Reading ------------------------------------------------------------------------------------

static bool refuse(char* why, size_t size, const char* what, const char* word) {
    snprintf(why, size, "%s \"%s\"", what, word);
    return false;
}

// The end of the value at `at`: values are joined by +.
static const char* end_of(const char* at) {
    return at + strcspn(at, "+");
}

static int list_value(const char* (*text)(uint32_t), uint32_t count, const char* at,
                      size_t length) {
    for (uint32_t i = 0; i < count; i++)
        if (strlen(text(i)) == length && memcmp(text(i), at, length) == 0) return (int)i;
    return -1;
}

static const char* under_text(uint32_t index) {
    return results_under_text((enum results_under)index);
}

static const char* collector_text(uint32_t index) {
    return results_collector_text((enum results_collector)index);
}

static bool read_bits(const char* values, const char* (*text)(uint32_t), uint32_t count,
                      uint32_t* bits) {
    for (const char *at = values, *end;; at = end + 1) {
        end = end_of(at);
        int value = list_value(text, count, at, (size_t)(end - at));
        if (value < 0) return false;
        *bits |= 1u << value;
        if (*end == '\0') return true;
    }
}

// Joint names of several kinds of code.
static uint64_t joint_kinds(enum results_fact fact, const char* at, size_t length) {
    if (fact != RESULTS_FACT_KIND && fact != RESULTS_FACT_CALLER) return 0;
    bool all = length == 8 && memcmp(at, "compiled", 8) == 0;
    if (!all && (length != 2 || memcmp(at, "c1", 2) != 0)) return 0;
    uint64_t bits = all ? 1ull << RESULTS_CODE_C2 : 0;
    for (int k = RESULTS_CODE_C1_1; k <= RESULTS_CODE_C1_3; k++) bits |= 1ull << k;
    return bits;
}

static bool read_fact(enum results_fact fact, const char* values, uint64_t* allowed) {
    *allowed = 0;
    for (const char *at = values, *end;; at = end + 1) {
        end = end_of(at);
        size_t length = (size_t)(end - at);
        int value = facts_value(fact, at, length);
        uint64_t bits = value >= 0 ? 1ull << value : joint_kinds(fact, at, length);
        if (bits == 0) return false;
        *allowed |= bits;
        if (*end == '\0') return true;
    }
}

static bool read_globs(const char* values, struct results_signature* s) {
    for (const char *at = values, *end;; at = end + 1) {
        end = strchrnul(at, '|');
        size_t length = (size_t)(end - at);
        if (length == 0 || length >= RESULTS_FACT_NAME || s->glob_count == RESULTS_GLOBS)
            return false;
        // A word has no blank, a stub's name has: an underscore stands for any one character.
        memcpy(s->globs[s->glob_count++], at, length);
        if (*end == '\0') return true;
    }
}

// An offset from the text, which moves behind it: digits, or hexadecimal ones behind 0x. False:
// none, or more than fits.
static bool take_offset(const char** text, uint32_t* offset) {
    char* end;
    if (**text < '0' || **text > '9') return false;
    unsigned long value = strtoul(*text, &end, 0);
    *text = end;
    *offset = (uint32_t)value;
    return value <= UINT32_MAX;
}

static bool read_offset(const char* value, struct results_signature* s) {
    if (!take_offset(&value, &s->offset_first)) return false;
    s->offset_last = s->offset_first;
    if (*value == '-') {
        value++;
        if (!take_offset(&value, &s->offset_last)) return false;
    }
    return *value == '\0' && s->offset_first <= s->offset_last;
}

static bool read_word(const char* word, const char* value, struct results_signature* s) {
    if (strcmp(word, "under") == 0)
        return read_bits(value, under_text, RESULTS_UNDER_COUNT, &s->under);
    if (strcmp(word, "all-under") == 0)
        return read_bits(value, under_text, RESULTS_UNDER_COUNT, &s->all_under);
    if (strcmp(word, "not-under") == 0)
        return read_bits(value, under_text, RESULTS_UNDER_COUNT, &s->not_under);
    if (strcmp(word, "collector") == 0)
        return read_bits(value, collector_text, RESULTS_COLLECTOR_COUNT, &s->collectors);
    if (strcmp(word, "name") == 0) return read_globs(value, s);
    if (strcmp(word, "offset") == 0) return read_offset(value, s);
    for (int f = 0; f < RESULTS_FACT_COUNT; f++)
        if (strcmp(word, results_fact_word((enum results_fact)f)) == 0)
            return read_fact((enum results_fact)f, value, &s->allowed[f]);
    return false;
}

bool signature_read(const char* words, struct results_signature* signature, char* why,
                    size_t size) {
    char *rest, *copy = strdup(words);
    bool good = copy != NULL, any = false;
    if (!good) return refuse(why, size, "no memory for", words);
    memset(signature, 0, sizeof *signature);
    memset(signature->allowed, 0xff, sizeof signature->allowed);
    signature->offset_last = UINT32_MAX;
    for (char* w = strtok_r(copy, " ", &rest); good && w != NULL; w = strtok_r(NULL, " ", &rest)) {
        char whole[128];
        snprintf(whole, sizeof whole, "%s", w);
        char* equals = strchr(w, '=');
        if (equals != NULL) *equals = '\0';
        good = equals != NULL && read_word(w, equals + 1, signature);
        if (!good) refuse(why, size, "no such fact or value:", whole);
        any = true;
    }
    if (good && !any) good = refuse(why, size, "an empty signature fits everything:", words);
    free(copy);
    return good;
}

// ---- Fitting ------------------------------------------------------------------------------------

// * stands for any text, _ for any one character.
static HANDLER_SAFE bool glob_fits(const char* glob, const char* name) {
    const char *star = NULL, *retry = NULL;
    while (*name != '\0') {
        if (*glob == '*') {
            star = glob++;
            retry = name;
        } else if (*glob != '\0' && (*glob == *name || *glob == '_')) {
            glob++;
            name++;
        } else if (star != NULL) {
            glob = star + 1;
            name = ++retry;
        } else {
            return false;
        }
    }
    while (*glob == '*') glob++;
    return *glob == '\0';
}

static HANDLER_SAFE bool is_named(const struct results_signature* s, const char* name) {
    for (uint32_t i = 0; i < s->glob_count; i++)
        if (glob_fits(s->globs[i], name)) return true;
    return s->glob_count == 0;
}

HANDLER_SAFE bool signature_fits(const struct results_signature* s,
                                 const struct results_facts* facts,
                                 enum results_collector collector) {
    for (uint32_t f = 0; f < RESULTS_FACT_COUNT; f++)
        if ((s->allowed[f] >> (facts->value[f] & 63u) & 1u) == 0) return false;
    if (s->under != 0 && (facts->under & s->under) == 0) return false;
    if ((facts->under & s->all_under) != s->all_under) return false;
    if ((facts->under & s->not_under) != 0) return false;
    if (facts->offset < s->offset_first || facts->offset > s->offset_last) return false;
    if (s->collectors != 0 && (s->collectors >> collector & 1u) == 0) return false;
    return is_named(s, facts->name);
}
