// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "expect.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t"

// One VERDICT@LAYER with what restricts it.
struct one {
    struct results_expected layers[ORACLE_LAYER_COUNT];
    uint32_t modes; // bits 1 << enum mode_id
    long first, last;
};

// ---- Names ------------------------------------------------------------------------------------

static bool is(const char* text, const char* name, size_t length) {
    return strlen(text) == length && memcmp(text, name, length) == 0;
}

static uint32_t verdict_of(const char* name, size_t length) {
    for (int v = ORACLE_MISMATCH_FIRST; v <= ORACLE_WALKING_LAST; v++)
        if (is(oracle_verdict_text((enum oracle_verdict)v), name, length)) return 1u << v;
    return 0;
}

static uint32_t mode_of(const char* name, size_t length) {
    int mode = modes_find(name, length);
    return mode < 0 ? 0 : 1u << mode;
}

static int layer_of(const char* name, size_t length) {
    for (int l = 0; l < ORACLE_LAYER_COUNT; l++)
        if (is(oracle_layer_text((enum oracle_layer)l), name, length)) return l;
    return -1;
}

// Names joined by `by`, up to `length`; 0 if any is not in the list.
static uint32_t bits_of(const char* names, size_t length, char by,
                        uint32_t (*find)(const char*, size_t)) {
    uint32_t bits = 0;
    const char* end = names + length;
    for (;; names++) {
        const char* next = memchr(names, by, (size_t)(end - names));
        size_t here = (size_t)((next != NULL ? next : end) - names);
        uint32_t bit = find(names, here);
        if (bit == 0) return 0;
        bits |= bit;
        if (next == NULL) return bits;
        names = next;
    }
}

// ---- Words ------------------------------------------------------------------------------------

static bool read_layers(const char* names, size_t length, uint32_t verdicts, struct one* one) {
    const char* end = names + length;
    for (;; names++) {
        const char* comma = memchr(names, ',', (size_t)(end - names));
        size_t here = (size_t)((comma != NULL ? comma : end) - names);
        bool may = here > 0 && names[here - 1] == '?';
        int layer = layer_of(names, here - may);
        if (layer < 0) return false;
        one->layers[layer] = (struct results_expected){.verdicts = verdicts, .required = !may};
        if (comma == NULL) return true;
        names = comma;
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

static bool read_release(const char* text, size_t length, struct one* one) {
    const char* stop = text + length;
    one->first = one->last = read_number(&text);
    if (one->first < 1 || text == stop) return one->first >= 1;
    if (*text++ != '-') return false;
    one->last = text == stop ? INT_MAX : read_number(&text);
    return text == stop && one->last >= one->first;
}

static bool read_restriction(const char* word, size_t length, struct one* one) {
    size_t key = strcspn(word, "=") + 1;
    if (key > length) return false;
    if (strncmp(word, "modes=", key) == 0) {
        one->modes = bits_of(word + key, length - key, ',', mode_of);
        return one->modes != 0;
    }
    return strncmp(word, "release=", key) == 0 && read_release(word + key, length - key, one);
}

static bool read_verdicts(const char* word, size_t length, struct one* one) {
    const char* at = memchr(word, '@', length);
    if (at == NULL) return false;
    *one = (struct one){.modes = MODES_ALL, .first = 1, .last = INT_MAX};
    size_t verdicts = (size_t)(at - word);
    uint32_t bits = bits_of(word, verdicts, '+', verdict_of);
    return bits != 0 && read_layers(at + 1, length - verdicts - 1, bits, one);
}

// Moves *text to the next word's beginning; its length, 0 at the end.
static size_t next_word(const char** text) {
    *text += strspn(*text, BLANKS);
    return strcspn(*text, BLANKS);
}

// Reads one VERDICT@LAYER and its restrictions, and moves *words behind them. False at the end, and
// where the word that *words then points to is malformed.
static bool read_one(const char** words, struct one* one) {
    size_t length = next_word(words);
    if (length == 0 || !read_verdicts(*words, length, one)) return false;
    *words += length;
    while ((length = next_word(words)) != 0 && memchr(*words, '@', length) == NULL) {
        if (!read_restriction(*words, length, one)) return false;
        *words += length;
    }
    return true;
}

static bool is_for_readers(const char* words) {
    return strcmp(words, "crash") == 0 || strcmp(words, "hang") == 0;
}

bool expect_valid(const char* words, char* why, size_t why_size) {
    struct one one;
    if (is_for_readers(words)) return true;
    while (read_one(&words, &one)) continue;
    size_t length = next_word(&words);
    if (length == 0) return true;
    snprintf(why, why_size, "%.*s", (int)length, words);
    return false;
}

void expect_for(const char* words, const struct mode* mode, int feature,
                struct results_expected expected[ORACLE_LAYER_COUNT]) {
    struct one one;
    memset(expected, 0, ORACLE_LAYER_COUNT * sizeof expected[0]);
    if (is_for_readers(words)) return;
    while (read_one(&words, &one)) {
        if ((one.modes & 1u << (mode - modes)) == 0) continue;
        if (feature < one.first || feature > one.last) continue;
        for (int l = 0; l < ORACLE_LAYER_COUNT; l++)
            if (one.layers[l].verdicts != 0) expected[l] = one.layers[l];
    }
}
