// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "lists.h"

#include <string.h>

#include "results/causes/causes.h"

// One CAUSE@LAYER with its restrictions.
struct one {
    struct results_expected layers[ORACLE_LAYER_COUNT];
    uint32_t modes; // bits 1 << enum mode_id
    long first, last;
};

// ---- Words ------------------------------------------------------------------------------------

static bool read_layers(const char* names, size_t length, uint64_t causes, struct one* one) {
    const char* end = names + length;
    for (;; names++) {
        const char* comma = memchr(names, ',', (size_t)(end - names));
        size_t here = (size_t)((comma != NULL ? comma : end) - names);
        bool may = here > 0 && names[here - 1] == '?';
        uint32_t layer = names_layer(names, here - may);
        if (layer == 0) return false;
        one->layers[__builtin_ctz(layer)] =
            (struct results_expected){.control = causes, .required = !may};
        if (comma == NULL) return true;
        names = comma;
    }
}

static bool read_restriction(const char* word, size_t length, struct one* one) {
    size_t key = strcspn(word, "=") + 1;
    if (key > length) return false;
    if (strncmp(word, "modes=", key) == 0) {
        const char* names = word + key;
        one->modes = names_bits(&names, length - key, ',', names_mode);
        return one->modes != 0;
    }
    return strncmp(word, "release=", key) == 0 &&
           results_releases(word + key, length - key, &one->first, &one->last);
}

// The bits of causes joined by +; 0: one of them is unknown.
static uint64_t read_causes(const struct results_causes* causes, const char* names, size_t length) {
    uint64_t bits = 0;
    for (const char *end = names + length, *name = names;; name++) {
        const char* plus = memchr(name, '+', (size_t)(end - name));
        size_t here = (size_t)((plus != NULL ? plus : end) - name);
        uint32_t cause = lists_cause(causes, name, here);
        if (cause == RESULTS_UNEXPLAINED) return 0;
        bits |= 1ull << cause;
        if (plus == NULL) return bits;
        name = plus;
    }
}

static bool read_control(const struct results_causes* causes, const char* word, size_t length,
                         struct one* one) {
    const char* at = memchr(word, '@', length);
    if (at == NULL) return false;
    *one = (struct one){.modes = MODES_ALL, .first = 1, .last = INT_MAX};
    size_t names = (size_t)(at - word);
    uint64_t bits = read_causes(causes, word, names);
    return bits != 0 && read_layers(at + 1, length - names - 1, bits, one);
}

// Reads one CAUSE@LAYER and its restrictions, and moves *words behind them. False at the end, or at
// a malformed word, to which *words then points.
static bool read_one(const struct results_causes* causes, const char** words, struct one* one) {
    size_t length = words_next(words);
    if (length == 0 || !read_control(causes, *words, length, one)) return false;
    *words += length;
    while ((length = words_next(words)) != 0 && memchr(*words, '@', length) == NULL) {
        if (!read_restriction(*words, length, one)) return false;
        *words += length;
    }
    return true;
}

static bool is_for_readers(const char* words) {
    return strcmp(words, "crash") == 0 || strcmp(words, "hang") == 0;
}

bool controls_valid(const char* words, const struct results_causes* causes, char* why,
                    size_t why_size) {
    struct one one;
    if (is_for_readers(words)) return true;
    while (read_one(causes, &words, &one)) continue;
    size_t length = words_next(&words);
    if (length == 0) return true;
    snprintf(why, why_size, "%.*s", (int)length, words);
    return false;
}

void controls_for(const char* words, const struct results_causes* causes, const struct mode* mode,
                  int feature, struct results_expected expected[ORACLE_LAYER_COUNT]) {
    struct one one;
    memset(expected, 0, ORACLE_LAYER_COUNT * sizeof expected[0]);
    if (is_for_readers(words)) return;
    while (read_one(causes, &words, &one)) {
        if ((one.modes & 1u << (mode - modes)) == 0) continue;
        if (feature < one.first || feature > one.last) continue;
        for (int l = 0; l < ORACLE_LAYER_COUNT; l++)
            if (one.layers[l].control != 0) expected[l] = one.layers[l];
    }
}
