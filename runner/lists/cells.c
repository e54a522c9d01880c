// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "lists.h"

#include <stdio.h>
#include <string.h>

#define BLANKS " \t"
#define STUB "stub="
#define STUB_LENGTH (sizeof STUB - 1)

// ---- Names ------------------------------------------------------------------------------------

static bool is(const char* text, const char* name, size_t length) {
    return strlen(text) == length && memcmp(text, name, length) == 0;
}

static uint32_t kind_of(const char* name, size_t length) {
    if (is("compiled", name, length)) return MODES_C1 | MODES_C2;
    for (int i = 0; i < RESULTS_CODE_KIND_COUNT; i++)
        if (is(results_code_kind_text((enum results_code_kind)i), name, length)) return 1u << i;
    return 0;
}

static uint32_t region_of(const char* name, size_t length) {
    for (int i = 0; i < RESULTS_REGION_COUNT; i++)
        if (is(results_region_text((enum results_region)i), name, length)) return 1u << i;
    return 0;
}

// Names joined by +, up to `length`; 0 if any is not in the list.
static uint32_t bits_of(const char* names, size_t length, uint32_t (*find)(const char*, size_t)) {
    uint32_t bits = 0;
    const char* end = names + length;
    for (;; names++) {
        const char* plus = memchr(names, '+', (size_t)(end - names));
        size_t here = (size_t)((plus != NULL ? plus : end) - names);
        uint32_t bit = find(names, here);
        if (bit == 0) return 0;
        bits |= bit;
        if (plus == NULL) return bits;
        names = plus;
    }
}

// ---- Words ------------------------------------------------------------------------------------

struct word {
    const char *mode, *cell; // "*", "c2/body"
    size_t mode_length, cell_length;
    uint32_t kinds, regions;
    size_t stub; // where the glob begins in `cell`; 0: none
};

// The word at `text`. False if it is malformed.
static bool read_word(const char* text, size_t length, struct word* word) {
    const char* colon = memchr(text, ':', length);
    if (colon == NULL) return false;
    *word = (struct word){.mode = text,
                          .mode_length = (size_t)(colon - text),
                          .cell = colon + 1,
                          .cell_length = length - (size_t)(colon - text) - 1,
                          .regions = (1u << RESULTS_REGION_COUNT) - 1};
    bool mode =
        is("*", word->mode, word->mode_length) || modes_find(word->mode, word->mode_length) >= 0;
    if (!mode || word->cell_length >= CELLS_TEXT) return false;
    if (word->cell_length > STUB_LENGTH && memcmp(word->cell, STUB, STUB_LENGTH) == 0) {
        word->stub = STUB_LENGTH;
        word->kinds = 1u << RESULTS_CODE_STUB;
        return true;
    }
    const char* slash = memchr(word->cell, '/', word->cell_length);
    size_t kinds = slash != NULL ? (size_t)(slash - word->cell) : word->cell_length;
    word->kinds = bits_of(word->cell, kinds, kind_of);
    if (slash != NULL) word->regions = bits_of(slash + 1, word->cell_length - kinds - 1, region_of);
    return word->kinds != 0 && word->regions != 0;
}

// Moves *text to the next word's beginning; its length, 0 at the end.
static size_t next_word(const char** text) {
    *text += strspn(*text, BLANKS);
    return strcspn(*text, BLANKS);
}

bool cells_valid(const char* words, char* why, size_t why_size) {
    struct word word;
    size_t length, count = 0;
    for (; (length = next_word(&words)) != 0; words += length) {
        if (read_word(words, length, &word) && ++count <= CELLS_MAX) continue;
        snprintf(why, why_size, "%.*s%s", (int)length, words,
                 count > CELLS_MAX ? " (too many)" : "");
        return false;
    }
    return true;
}

void cells_for(const char* words, const struct mode* mode, struct cells* cells) {
    struct word word;
    size_t length;
    cells->count = 0;
    for (; (length = next_word(&words)) != 0 && cells->count < CELLS_MAX; words += length) {
        if (!read_word(words, length, &word)) continue;
        if (!is("*", word.mode, word.mode_length) && !is(mode->name, word.mode, word.mode_length))
            continue;
        if ((word.kinds & mode->kinds) == 0) continue;
        char* text = cells->texts[cells->count];
        snprintf(text, CELLS_TEXT, "%.*s", (int)word.cell_length, word.cell);
        cells->list[cells->count++] =
            (struct results_wanted){.text = text,
                                    .stub = word.stub != 0 ? text + word.stub : NULL,
                                    .kinds = word.kinds & mode->kinds,
                                    .regions = word.regions};
    }
}
