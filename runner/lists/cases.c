// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// cases.ini, by inih.
#include "lists.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/options/options.h"

#define RELEASE_LAST 999 // of what a version can be: three digits

struct reading {
    struct cases* cases;
    char* error;
    size_t error_size;
    bool failed;
};

static int refuse(struct reading* reading, const char* section, const char* what,
                  const char* value) {
    if (!reading->failed)
        snprintf(reading->error, reading->error_size, "[%s]: %s \"%s\"", section, what, value);
    reading->failed = true;
    return 0;
}

static bool fill_empty(struct case_info* test) {
    bool complete = test->name != NULL;
#define FILL(key)                                                                                  \
    test->key = strdup("");                                                                        \
    complete = complete && test->key != NULL;
    CASES_KEYS(FILL)
#undef FILL
    return complete;
}

static struct case_info* section_of(struct cases* cases, const char* name) {
    if (cases->count != 0 && strcmp(cases->list[cases->count - 1].name, name) == 0)
        return &cases->list[cases->count - 1];
    struct case_info* list = realloc(cases->list, (cases->count + 1) * sizeof *list);
    if (list == NULL) return NULL;
    cases->list = list;
    struct case_info* test = &list[cases->count++];
    *test = (struct case_info){.name = strdup(name)};
    return fill_empty(test) ? test : NULL;
}

static char** field_of(struct case_info* test, const char* key) {
#define FIELD(field)                                                                               \
    if (strcmp(key, #field) == 0) return &test->field;
    CASES_KEYS(FIELD)
#undef FIELD
    return NULL;
}

static int take_pair(void* user, const char* section, const char* key, const char* value) {
    struct reading* reading = user;
    struct case_info* test = section_of(reading->cases, section);
    if (test == NULL) return refuse(reading, section, "no memory for", key);
    char** field = field_of(test, key);
    if (field == NULL) return refuse(reading, section, "unknown key", key);
    // inih calls again with the same key for a value that goes on in the next line.
    char* text = malloc(strlen(*field) + strlen(value) + 2);
    if (text == NULL) return refuse(reading, section, "no memory for", key);
    sprintf(text, "%s%s%s", *field, **field == '\0' ? "" : " ", value);
    free(*field);
    *field = text;
    return 1;
}

// Modes parted by blanks, or * for all, as bits. False if there is another word.
static bool read_modes(const char* words, uint32_t* bits) {
    *bits = 0;
    for (words += strspn(words, " "); *words != '\0'; words += strspn(words, " ")) {
        size_t length = strcspn(words, " ");
        int mode = modes_find(words, length);
        if (length == 1 && *words == '*') *bits |= MODES_ALL;
        else if (mode < 0) return false;
        else *bits |= 1u << mode;
        words += length;
    }
    return true;
}

// "8" is from 8 on, "8-17" to 17; without the key it is from 8 on.
static bool read_release(const char* text, struct case_info* test) {
    int length = 0;
    test->feature = 8;
    test->feature_last = RELEASE_LAST;
    if (*text == '\0') return true;
    if (sscanf(text, "%3d%n-%3d%n", &test->feature, &length, &test->feature_last, &length) < 1)
        return false;
    return text[length] == '\0' && test->feature >= 1 && test->feature <= test->feature_last;
}

// "1", or nothing at all.
static bool read_one(const char* text, bool* there) {
    *there = *text != '\0';
    return !*there || strcmp(text, "1") == 0;
}

static int check(struct reading* reading, struct case_info* test) {
    if (!read_release(test->release, test))
        return refuse(reading, test->name, "malformed release", test->release);
    if (*test->main == '\0') return refuse(reading, test->name, "no", "main");
    char why[80];
    if (!cells_valid(test->cells, why, sizeof why))
        return refuse(reading, test->name, "cells", why);
    if (!expect_valid(test->expect, why, sizeof why))
        return refuse(reading, test->name, "expect", why);
    if (!read_one(test->whitebox, &test->needs_whitebox))
        return refuse(reading, test->name, "whitebox", test->whitebox);
    if (!read_one(test->asks, &test->asks_flags))
        return refuse(reading, test->name, "asks", test->asks);
    test->few_layers = names_bits(test->few, strlen(test->few), ',', names_layer);
    if (test->few_layers == 0 && *test->few != '\0')
        return refuse(reading, test->name, "few", test->few);
    if (!read_modes(test->further, &test->further_modes))
        return refuse(reading, test->name, "further", test->further);
    return 1;
}

int cases_read(const char* path, struct cases* cases, char* error, size_t error_size) {
    *cases = (struct cases){0};
    struct reading reading = {cases, error, error_size, false};
    int line = ini_parse(path, take_pair, &reading);
    if (line == -1) {
        snprintf(error, error_size, "%s: %s", path, strerror(errno));
    } else if (line != 0 && !reading.failed) {
        snprintf(error, error_size, "%s:%d: malformed", path, line);
    } else if (line == 0) {
        for (size_t i = 0; i < cases->count && !reading.failed; i++)
            check(&reading, &cases->list[i]);
        if (!reading.failed && cases->count != 0) return 0;
        if (!reading.failed) snprintf(error, error_size, "%s: no case in it", path);
    }
    cases_free(cases);
    return -1;
}

void cases_free(struct cases* cases) {
    for (size_t i = 0; i < cases->count; i++) {
        free(cases->list[i].name);
#define FREE(key) free(cases->list[i].key);
        CASES_KEYS(FREE)
#undef FREE
    }
    free(cases->list);
    *cases = (struct cases){0};
}

static bool has_word(const char* text, const char* word) {
    size_t length = strlen(word);
    for (text += strspn(text, " ,"); *text != '\0'; text += strspn(text, " ,")) {
        size_t here = strcspn(text, " ,");
        if (here == length && memcmp(text, word, length) == 0) return true;
        text += here;
    }
    return false;
}

bool cases_in_preset(const struct case_info* test, const char* preset) {
    return has_word(test->presets, preset) ||
           (strcmp(preset, "full") == 0 && has_word(test->presets, "quick"));
}
