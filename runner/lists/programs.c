// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// programs.ini, checked, and the places in its values.
#include "lists.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "results/causes/causes.h"
#include "sections.h"

#define LIMIT_DEFAULT 300 // seconds

// ---- Checks -----------------------------------------------------------------------------------

static bool read_number(const char* text, long low, long high, long* value) {
    char* end;
    if (*text == '\0') return true;
    if (*text < '0' || *text > '9') return false;
    *value = strtol(text, &end, 10);
    return *end == '\0' && *value >= low && *value <= high;
}

static const struct programs_places nowhere = {"", "", "", "", ""};

// Is every ${...} known, and no quotation open?
static bool well_formed(const char* value) {
    struct words words = {0};
    bool good = programs_words(value, &nowhere, &words);
    words_free(&words);
    return good;
}

static bool places_known(const char* value) {
    char* filled = programs_shell(value, &nowhere);
    free(filled);
    return filled != NULL;
}

static bool check(void* item, const void* context, struct sections_wrong* wrong) {
    struct program* program = item;
    (void)context;
    long status = 0, limit = LIMIT_DEFAULT;
    const char* release = *program->release == '\0' ? "8-" : program->release;
    if (!results_releases(release, strlen(release), &program->first, &program->last))
        return sections_refuse(wrong, program->name, "malformed release", program->release);
    if (!read_number(program->status, 0, 255, &status))
        return sections_refuse(wrong, program->name, "malformed status", program->status);
    if (!read_number(program->limit, 1, 36000, &limit))
        return sections_refuse(wrong, program->name, "malformed limit", program->limit);
    long takes = limit;
    if (!read_number(program->takes, 1, 36000, &takes))
        return sections_refuse(wrong, program->name, "malformed takes", program->takes);
    if (*program->arguments == '\0')
        return sections_refuse(wrong, program->name, "no", "arguments");
    if (!well_formed(program->arguments) || !well_formed(program->arguments8))
        return sections_refuse(wrong, program->name, "malformed arguments", program->arguments);
    if (!well_formed(program->needs))
        return sections_refuse(wrong, program->name, "malformed needs", program->needs);
    if (!places_known(program->input))
        return sections_refuse(wrong, program->name, "malformed input", program->input);
    program->compares = *program->output == '\0' || strcmp(program->output, "same") == 0;
    if (!program->compares && strcmp(program->output, "any") != 0)
        return sections_refuse(wrong, program->name, "output is same or any, not", program->output);
    program->exit_status = (int)status;
    program->seconds = (double)limit;
    program->expected = (double)takes;
    return true;
}

static const char* const keys[] = {
#define KEY(key) #key,
    PROGRAMS_KEYS(KEY)
#undef KEY
};
static const struct sections_form form = {.keys = keys,
                                          .key_count = sizeof keys / sizeof keys[0],
                                          .item_size = sizeof(struct program),
                                          .item = "program",
                                          .check = check};

int programs_read(const char* path, struct programs* programs, char* error, size_t error_size) {
    void* list;
    int result = sections_read(path, &form, NULL, &list, &programs->count, error, error_size);
    programs->list = list;
    return result;
}

void programs_free(struct programs* programs) {
    sections_free(&form, programs->list, programs->count);
    *programs = (struct programs){0};
}

// ---- Values -----------------------------------------------------------------------------------

#define PLACES 5

static void name_places(const struct programs_places* places, struct sections_place all[PLACES]) {
    all[0] = (struct sections_place){"jdk", places->jdk};
    all[1] = (struct sections_place){"programs", places->programs};
    all[2] = (struct sections_place){"classes", places->classes};
    all[3] = (struct sections_place){"cache", places->cache};
    all[4] = (struct sections_place){"input", places->input};
}

bool programs_words(const char* value, const struct programs_places* places, struct words* words) {
    struct sections_place all[PLACES];
    name_places(places, all);
    return sections_words(value, all, PLACES, words);
}

char* programs_shell(const char* value, const struct programs_places* places) {
    struct sections_place all[PLACES];
    char* quoted[PLACES];
    name_places(places, all);
    for (size_t i = 0; i < PLACES; i++) {
        char* place = (char*)(uintptr_t)all[i].value;
        all[i].value = quoted[i] = words_join(&place, 1);
    }
    char* text = sections_fill(value, all, PLACES);
    for (size_t i = 0; i < PLACES; i++) free(quoted[i]);
    return text;
}

bool programs_left_out(const struct program* program, int feature,
                       const struct programs_places* places, char* why, size_t why_size) {
    struct words files = {0};
    bool out = true;
    programs_words(program->needs, places, &files);
    if (feature < program->first) snprintf(why, why_size, "needs JDK %ld or later", program->first);
    else if (feature > program->last)
        snprintf(why, why_size, "runs on JDK %ld and earlier", program->last);
    else out = false;
    for (size_t i = 0; i < files.count && !out; i++) {
        if (access(files.list[i], R_OK) == 0) continue;
        snprintf(why, why_size, "%s is not there (make deps-programs; packages: %s)", files.list[i],
                 program->packages);
        out = true;
    }
    words_free(&files);
    return out;
}
