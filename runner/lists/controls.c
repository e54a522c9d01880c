// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "lists.h"

#include <string.h>

// One VERDICT@LAYER with its restrictions.
struct one {
    struct results_expected layers[ORACLE_LAYER_COUNT];
    uint32_t modes; // bits 1 << enum mode_id
    long first, last;
};

// ---- Words ------------------------------------------------------------------------------------

static bool read_layers(const char* names, size_t length, uint32_t verdicts, struct one* one) {
    const char* end = names + length;
    for (;; names++) {
        const char* comma = memchr(names, ',', (size_t)(end - names));
        size_t here = (size_t)((comma != NULL ? comma : end) - names);
        bool may = here > 0 && names[here - 1] == '?';
        uint32_t layer = names_layer(names, here - may);
        if (layer == 0) return false;
        one->layers[__builtin_ctz(layer)] =
            (struct results_expected){.verdicts = verdicts, .required = !may};
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
           names_releases(word + key, length - key, &one->first, &one->last);
}

static bool read_verdicts(const char* word, size_t length, struct one* one) {
    const char* at = memchr(word, '@', length);
    if (at == NULL) return false;
    *one = (struct one){.modes = MODES_ALL, .first = 1, .last = INT_MAX};
    size_t verdicts = (size_t)(at - word);
    const char* names = word;
    uint32_t bits = names_bits(&names, verdicts, '+', names_walking);
    return bits != 0 && read_layers(at + 1, length - verdicts - 1, bits, one);
}

// Reads one VERDICT@LAYER and its restrictions, and moves *words behind them. False at the end, or
// at a malformed word, to which *words then points.
static bool read_one(const char** words, struct one* one) {
    size_t length = words_next(words);
    if (length == 0 || !read_verdicts(*words, length, one)) return false;
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

bool controls_valid(const char* words, char* why, size_t why_size) {
    struct one one;
    if (is_for_readers(words)) return true;
    while (read_one(&words, &one)) continue;
    size_t length = words_next(&words);
    if (length == 0) return true;
    snprintf(why, why_size, "%.*s", (int)length, words);
    return false;
}

void controls_for(const char* words, const struct mode* mode, int feature,
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
