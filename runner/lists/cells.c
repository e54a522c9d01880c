// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "lists.h"

#include <string.h>

#define STUB "stub="
#define STUB_LENGTH (sizeof STUB - 1)

static uint32_t kind_of(const char* name, size_t length) {
    if (words_same("compiled", name, length)) return MODES_C1 | MODES_C2;
    int kind = names_find(results_code_kind_text, RESULTS_CODE_KIND_COUNT, name, length);
    return kind < 0 ? 0 : 1u << kind;
}

static uint32_t region_of(const char* name, size_t length) {
    int region = names_find(results_region_text, RESULTS_REGION_COUNT, name, length);
    return region < 0 ? 0 : 1u << region;
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
    bool any = words_same("*", word->mode, word->mode_length);
    if ((!any && names_mode(word->mode, word->mode_length) == 0) || word->cell_length >= CELLS_TEXT)
        return false;
    if (word->cell_length > STUB_LENGTH && memcmp(word->cell, STUB, STUB_LENGTH) == 0) {
        word->stub = STUB_LENGTH;
        word->kinds = 1u << RESULTS_CODE_STUB;
        return true;
    }
    const char* slash = memchr(word->cell, '/', word->cell_length);
    size_t kinds = slash != NULL ? (size_t)(slash - word->cell) : word->cell_length;
    const char *first = word->cell, *second = slash != NULL ? slash + 1 : NULL;
    word->kinds = names_bits(&first, kinds, '+', kind_of);
    if (slash != NULL)
        word->regions = names_bits(&second, word->cell_length - kinds - 1, '+', region_of);
    return word->kinds != 0 && word->regions != 0;
}

bool cells_valid(const char* words, char* why, size_t why_size) {
    struct word word;
    size_t length, count = 0;
    for (; (length = words_next(&words)) != 0; words += length) {
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
    for (; (length = words_next(&words)) != 0 && cells->count < CELLS_MAX; words += length) {
        if (!read_word(words, length, &word)) continue;
        if (!words_same("*", word.mode, word.mode_length) &&
            !words_same(mode->name, word.mode, word.mode_length))
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
