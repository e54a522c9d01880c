// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// cases.ini, checked.
#include "lists.h"

#include <string.h>

#include "sections.h"

#define RELEASE_LAST 999 // a version has at most three digits

// Modes separated by blanks, or * for all, as bits. False if there is another word.
static bool read_modes(const char* words, uint32_t* bits) {
    *bits = 0;
    for (size_t length; (length = words_next(&words)) != 0; words += length) {
        uint32_t mode = words_same("*", words, length) ? MODES_ALL : names_mode(words, length);
        if (mode == 0) return false;
        *bits |= mode;
    }
    return true;
}

// "8": from 8 on; "8-17": from 8 to 17; no key: from 8 on.
static bool read_release(const char* text, struct case_info* test) {
    int length = 0;
    test->feature = 8;
    test->feature_last = RELEASE_LAST;
    if (*text == '\0') return true;
    if (sscanf(text, "%3d%n-%3d%n", &test->feature, &length, &test->feature_last, &length) < 1)
        return false;
    return text[length] == '\0' && test->feature >= 1 && test->feature <= test->feature_last;
}

// "1" or empty.
static bool read_one(const char* text, bool* there) {
    *there = *text != '\0';
    return !*there || strcmp(text, "1") == 0;
}

static bool check(void* item, const void* context, struct sections_wrong* wrong) {
    struct case_info* test = item;
    const char* few = test->few;
    char why[80];
    if (!read_release(test->release, test))
        return sections_refuse(wrong, test->name, "malformed release", test->release);
    if (*test->main == '\0') return sections_refuse(wrong, test->name, "no", "main");
    if (!cells_valid(test->cells, why, sizeof why))
        return sections_refuse(wrong, test->name, "cells", why);
    if (!controls_valid(test->expect, context, why, sizeof why))
        return sections_refuse(wrong, test->name, "expect", why);
    if (!read_one(test->whitebox, &test->needs_whitebox))
        return sections_refuse(wrong, test->name, "whitebox", test->whitebox);
    if (!read_one(test->whole, &test->needs_all_methods))
        return sections_refuse(wrong, test->name, "whole", test->whole);
    if (!read_one(test->outside, &test->needs_plain_jdk))
        return sections_refuse(wrong, test->name, "outside", test->outside);
    if (!read_one(test->asks, &test->asks_flags))
        return sections_refuse(wrong, test->name, "asks", test->asks);
    test->few_layers = names_bits(&few, strlen(few), ',', names_layer);
    if (test->few_layers == 0 && *test->few != '\0')
        return sections_refuse(wrong, test->name, "few", test->few);
    if (!read_modes(test->further, &test->further_modes))
        return sections_refuse(wrong, test->name, "further", test->further);
    if (!read_modes(test->all, &test->all_modes))
        return sections_refuse(wrong, test->name, "all", test->all);
    return true;
}

static const char* const keys[] = {
#define KEY(key) #key,
    CASES_KEYS(KEY)
#undef KEY
};
static const struct sections_form form = {.keys = keys,
                                          .key_count = sizeof keys / sizeof keys[0],
                                          .item_size = sizeof(struct case_info),
                                          .item = "case",
                                          .check = check};

int cases_read(const char* path, const struct results_causes* causes, struct cases* cases,
               char* error, size_t error_size) {
    void* list;
    int result = sections_read(path, &form, causes, &list, &cases->count, error, error_size);
    cases->list = list;
    return result;
}

void cases_free(struct cases* cases) {
    sections_free(&form, cases->list, cases->count);
    *cases = (struct cases){0};
}

const struct case_info* cases_find(const struct cases* cases, const char* name) {
    for (size_t i = 0; i < cases->count; i++)
        if (strcmp(cases->list[i].name, name) == 0) return &cases->list[i];
    return NULL;
}

const char* cases_hint(const struct cases* cases, const char* name, char hint[NEAREST_TEXT]) {
    struct nearest nearest = {.word = name, .length = strlen(name)};
    for (size_t i = 0; i < cases->count; i++) nearest_offer(&nearest, cases->list[i].name);
    return nearest_hint(&nearest, hint);
}

static bool has_word(const char* text, const char* word) {
    for (text += strspn(text, " ,"); *text != '\0'; text += strspn(text, " ,")) {
        size_t here = strcspn(text, " ,");
        if (words_same(word, text, here)) return true;
        text += here;
    }
    return false;
}

bool cases_in_preset(const struct case_info* test, const char* preset) {
    return has_word(test->presets, preset) ||
           (strcmp(preset, "full") == 0 && has_word(test->presets, "quick"));
}
