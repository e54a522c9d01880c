// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The list of modes as data.
#include "options.h"

#include <string.h>

const struct mode modes[MODE_COUNT] = {
#define MODE_ROW(name, text, flags, agent, kinds, explanation)                                     \
    {text, flags, agent, kinds, explanation},
    MODES(MODE_ROW)
#undef MODE_ROW
};

static const char* name_of(unsigned mode) {
    return modes[mode].name;
}

int modes_find(const char* name, size_t length) {
    return names_find(name_of, MODE_COUNT, name, length);
}

// ---- Flags ------------------------------------------------------------------------------------

// One word of a mode's flags.
struct flag {
    const char* word; // without ?
    size_t length;
    const char* name; // of an -XX flag, NULL else
    size_t name_length;
    bool optional;
    bool helps; // does nothing by itself: it unlocks others, or is their seed
};

// Reads the word at *text and moves it on. False at the end.
static bool next_flag(const char** text, struct flag* flag) {
    *text += strspn(*text, " ");
    if (**text == '\0') return false;
    *flag = (struct flag){.optional = **text == '?'};
    flag->word = *text + flag->optional;
    flag->length = strcspn(flag->word, " ");
    *text = flag->word + flag->length;
    if (strncmp(flag->word, "-XX:", 4) != 0) return true;
    flag->name = flag->word + 4 + strspn(flag->word + 4, "+-");
    flag->name_length = strcspn(flag->name, " =");
    flag->helps = strncmp(flag->name, "Unlock", 6) == 0 || flag->word[flag->length - 1] == '#';
    return true;
}

static bool is_known(const struct flag* flag, const char* known) {
    char line[128];
    if (flag->name == NULL) return true;
    snprintf(line, sizeof line, "\n%.*s\n", (int)flag->name_length, flag->name);
    return strstr(known, line) != NULL;
}

static void add_flag(const struct flag* flag, uint64_t seed, struct words* words) {
    const char* number = memchr(flag->word, '#', flag->length);
    if (number == NULL) words_add(words, "%.*s", (int)flag->length, flag->word);
    else // the flag is an unsigned int, and no more than 31 bits of it are taken everywhere
        words_add(words, "%.*s%u", (int)(number - flag->word), flag->word,
                  (unsigned)(seed & 0x7fffffff));
}

void modes_flags(const struct mode* mode, const char* known, uint64_t seed, struct words* words) {
    struct flag flag;
    for (const char* text = mode->flags; next_flag(&text, &flag);)
        if (!flag.optional || is_known(&flag, known)) add_flag(&flag, seed, words);
}

size_t modes_missing(const struct mode* mode, const char* known, const char** name) {
    struct flag flag, missing = {0};
    size_t taken = 0;
    for (const char* text = mode->flags; next_flag(&text, &flag);) {
        if (flag.helps) continue;
        bool has = is_known(&flag, known);
        taken += has;
        if (!has && (missing.name == NULL || !flag.optional)) missing = flag;
        if (!has && !flag.optional) break;
    }
    if (missing.name == NULL || (missing.optional && taken != 0)) return 0;
    *name = missing.name;
    return missing.name_length;
}
