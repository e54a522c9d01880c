// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "lists.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runner/options/options.h"
#include "oracle/oracle.h"

static bool is(const char* text, const char* name, size_t length) {
    return strlen(text) == length && memcmp(text, name, length) == 0;
}

static uint32_t verdict_up_to(int last, const char* name, size_t length) {
    for (int v = ORACLE_MISMATCH_FIRST; v <= last; v++)
        if (is(oracle_verdict_text((enum oracle_verdict)v), name, length)) return 1u << v;
    return 0;
}

uint32_t names_walking(const char* name, size_t length) {
    return verdict_up_to(ORACLE_WALKING_LAST, name, length);
}

uint32_t names_mismatch(const char* name, size_t length) {
    return verdict_up_to(ORACLE_MISMATCH_LAST, name, length);
}

uint32_t names_layer(const char* name, size_t length) {
    for (int l = 0; l < ORACLE_LAYER_COUNT; l++)
        if (is(oracle_layer_text((enum oracle_layer)l), name, length)) return 1u << l;
    return 0;
}

uint32_t names_mode(const char* name, size_t length) {
    int mode = modes_find(name, length);
    return mode < 0 ? 0 : 1u << mode;
}

uint32_t names_scope(const char* name, size_t length) {
    for (int s = 0; s < OPTIONS_SCOPES; s++)
        if (is(options_scope_text((enum options_scope)s), name, length)) return 1u << s;
    return 0;
}

uint32_t names_bits(const char* names, size_t length, char by, names_bit* bit) {
    uint32_t bits = 0;
    const char* end = names + length;
    for (;; names++) {
        const char* next = memchr(names, by, (size_t)(end - names));
        size_t here = (size_t)((next != NULL ? next : end) - names);
        uint32_t one = bit(names, here);
        if (one == 0) return 0;
        bits |= one;
        if (next == NULL) return bits;
        names = next;
    }
}

// Digits only: strtol alone would take a sign, and blanks before it.
static long read_number(const char** text) {
    char* end = NULL;
    if (**text < '0' || **text > '9') return -1;
    long number = strtol(*text, &end, 10);
    *text = end;
    return number;
}

bool names_releases(const char* text, size_t length, long* first, long* last) {
    const char* stop = text + length;
    *first = *last = length == 0 ? -1 : read_number(&text);
    if (*first < 1 || text == stop) return *first >= 1;
    if (*text++ != '-') return false;
    *last = text == stop ? INT_MAX : read_number(&text);
    return text == stop && *last >= *first;
}
