// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// profilers.ini, checked; the places in its values; JFR's configuration files.
#include "lists.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "results/causes/causes.h"
#include "sections.h"

// ---- Checks -----------------------------------------------------------------------------------

static const struct profilers_places nowhere = {"", "", "", ""};

static bool well_formed(const char* value) {
    struct words words = {0};
    bool good = profilers_words(value, &nowhere, &words);
    words_free(&words);
    return good;
}

// Numbers of signals, joined by +.
static bool are_signals(const char* text) {
    for (;;) {
        char* end;
        if (*text < '0' || *text > '9') return false;
        long signal = strtol(text, &end, 10);
        if (signal < 1 || signal > 64) return false;
        if (*end == '\0') return true;
        if (*end != '+') return false;
        text = end + 1;
    }
}

// EVENT#SETTING=VALUE, of which none needs to be escaped in XML.
static bool are_settings(const char* text) {
    struct words words = {0};
    bool good = words_split(&words, text);
    for (size_t i = 0; i < words.count; i++) {
        const char* hash = strchr(words.list[i], '#');
        const char* equals = hash != NULL ? strchr(hash, '=') : NULL;
        good = good && equals != NULL && strpbrk(words.list[i], "<>&\"'") == NULL;
    }
    words_free(&words);
    return good;
}

#define PERIOD "${period}"

// Where the period has a place there must be one.
static bool has_period(const struct profiler* p) {
    bool wanted = strstr(p->vm, PERIOD) != NULL || strstr(p->settings, PERIOD) != NULL;
    return *p->period != '\0' ? options_is_period(p->period) : !wanted;
}

#define DEEPEST 65536

static bool is_depth(const char* text, uint32_t* depth) {
    char* end;
    long value = strtol(text, &end, 10);
    if (*text < '1' || *text > '9' || *end != '\0' || value > DEEPEST) return *text == '\0';
    *depth = (uint32_t)value;
    return true;
}

static bool check(void* item, const void* context, struct sections_wrong* wrong) {
    struct profiler* p = item;
    (void)context;
    const char* release = *p->release == '\0' ? "8-" : p->release;
    if (!results_releases(release, strlen(release), &p->first, &p->last))
        return sections_refuse(wrong, p->name, "malformed release", p->release);
    if (*p->vm == '\0' || !well_formed(p->vm))
        return sections_refuse(wrong, p->name, "malformed vm", p->vm);
    if (!well_formed(p->needs)) return sections_refuse(wrong, p->name, "malformed needs", p->needs);
    if (!are_settings(p->settings))
        return sections_refuse(wrong, p->name, "malformed settings", p->settings);
    if (!are_signals(p->signals))
        return sections_refuse(wrong, p->name, "malformed signals", p->signals);
    if (*p->driven != '\0' && !are_signals(p->driven))
        return sections_refuse(wrong, p->name, "malformed driven", p->driven);
    if (strcmp(p->clock, "jfr") != 0 && strcmp(p->clock, "monotonic") != 0)
        return sections_refuse(wrong, p->name, "clock is jfr or monotonic, not", p->clock);
    if (!is_depth(p->depth, &p->deepest))
        return sections_refuse(wrong, p->name, "malformed depth", p->depth);
    if (!has_period(p)) return sections_refuse(wrong, p->name, "malformed period", p->period);
    if (*p->event == '\0') return sections_refuse(wrong, p->name, "no", "event");
    return true;
}

static const char* const keys[] = {
#define KEY(key) #key,
    PROFILERS_KEYS(KEY)
#undef KEY
};
static const struct sections_form form = {.keys = keys,
                                          .key_count = sizeof keys / sizeof keys[0],
                                          .item_size = sizeof(struct profiler),
                                          .item = "profiler",
                                          .check = check};

int profilers_read(const char* path, struct profilers* profilers, char* error, size_t error_size) {
    void* list;
    int result = sections_read(path, &form, NULL, &list, &profilers->count, error, error_size);
    profilers->list = list;
    return result;
}

void profilers_free(struct profilers* profilers) {
    sections_free(&form, profilers->list, profilers->count);
    *profilers = (struct profilers){0};
}

const struct profiler* profilers_find(const struct profilers* profilers, const char* name) {
    for (size_t i = 0; i < profilers->count; i++)
        if (strcmp(profilers->list[i].name, name) == 0) return &profilers->list[i];
    return NULL;
}

const char* profilers_measured(const struct profiler* p) {
    return *p->measured != '\0' ? p->measured : p->name;
}

// ---- Values -----------------------------------------------------------------------------------

bool profilers_words(const char* value, const struct profilers_places* places,
                     struct words* words) {
    const struct sections_place all[] = {{"file", places->file},
                                         {"settings", places->settings},
                                         {"home", places->home},
                                         {"period", places->period}};
    return sections_words(value, all, sizeof all / sizeof all[0], words);
}

bool profilers_left_out(const struct profiler* p, int feature, const char* home, char* why,
                        size_t why_size) {
    struct words files = {0};
    bool out = true;
    if (feature < p->first) snprintf(why, why_size, "%s needs JDK %ld or later", p->name, p->first);
    else if (feature > p->last)
        snprintf(why, why_size, "%s is part of JDK %ld and earlier", p->name, p->last);
    else if (*p->needs != '\0' && home == NULL)
        snprintf(why, why_size, "%s needs --profiler-home DIR, where it is installed", p->name);
    else out = false;
    if (out) return true;
    profilers_words(
        p->needs,
        &(struct profilers_places){.file = "", .settings = "", .home = home, .period = ""}, &files);
    for (size_t i = 0; i < files.count && !out; i++) {
        if (access(files.list[i], R_OK) == 0) continue;
        snprintf(why, why_size, "%s: %s is not there", p->name, files.list[i]);
        out = true;
    }
    words_free(&files);
    return out;
}

// ---- JFR's configuration file -------------------------------------------------------------------

// "10ms" as JFR wants it: "10 ms".
static void write_value(FILE* out, const char* value) {
    size_t digits = strspn(value, "0123456789");
    bool spaced = digits != 0 && value[digits] != '\0' && strchr("nums", value[digits]) != NULL;
    fprintf(out, "%.*s%s%s", (int)digits, value, spaced ? " " : "", value + digits);
}

static void write_event(FILE* out, const char* word) {
    size_t event = strcspn(word, "#"), setting = strcspn(word + event, "=");
    fprintf(out,
            "  <event name=\"%.*s\">\n    <setting name=\"enabled\">true</setting>\n"
            "    <setting name=\"%.*s\">",
            (int)event, word, (int)setting - 1, word + event + 1);
    write_value(out, word + event + setting + 1);
    fprintf(out, "</setting>\n  </event>\n");
}

int profilers_write_settings(const struct profiler* p, const char* period, const char* path) {
    struct words words = {0};
    struct output_file file;
    if (!output_begin(&file, path)) return -1;
    FILE* out = file.out;
    profilers_words(
        p->settings,
        &(struct profilers_places){.file = "", .settings = "", .home = "", .period = period},
        &words);
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<configuration version=\"2.0\">\n");
    for (size_t i = 0; i < words.count; i++) write_event(out, words.list[i]);
    fprintf(out, "</configuration>\n");
    words_free(&words);
    return output_commit(&file, true);
}
