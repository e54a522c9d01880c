// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "sections.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/causes/causes.h"
#include "runner/base/base.h"

struct reading {
    const struct sections_form* form;
    char* list;
    size_t count;
    struct sections_wrong wrong;
};

bool sections_refuse(struct sections_wrong* wrong, const char* section, const char* what,
                     const char* value) {
    if (wrong->text[0] == '\0')
        snprintf(wrong->text, sizeof wrong->text, "[%s]: %s \"%s\"", section, what, value);
    return false;
}

static char** texts_of(const struct sections_form* form, void* list, size_t i) {
    return (char**)(void*)((char*)list + i * form->item_size);
}

// The texts of the section that is being read, or of a new one. NULL without memory.
static char** section_of(struct reading* reading, const char* name) {
    const struct sections_form* form = reading->form;
    char** last = reading->count != 0 ? texts_of(form, reading->list, reading->count - 1) : NULL;
    if (last != NULL && strcmp(last[0], name) == 0) return last;
    char* list = realloc(reading->list, (reading->count + 1) * form->item_size);
    if (list == NULL) return NULL;
    reading->list = list;
    char** texts = texts_of(form, list, reading->count++);
    memset(texts, 0, form->item_size);
    bool complete = (texts[0] = strdup(name)) != NULL;
    for (size_t k = 1; k <= form->key_count; k++)
        complete = (texts[k] = strdup("")) != NULL && complete;
    return complete ? texts : NULL;
}

static int take_pair(void* user, const char* section, const char* key, const char* value) {
    struct reading* reading = user;
    if (section[0] == '\0')
        return sections_refuse(&reading->wrong, section, "no name of a section above", key);
    char** texts = section_of(reading, section);
    size_t k = 0;
    if (texts == NULL) return sections_refuse(&reading->wrong, section, "no memory for", key);
    while (k < reading->form->key_count && strcmp(reading->form->keys[k], key) != 0) k++;
    if (k == reading->form->key_count)
        return sections_refuse(&reading->wrong, section, "unknown key", key);
    // inih calls again with the same key for a value that goes on in the next line.
    char **field = &texts[1 + k], *text = NULL;
    if (asprintf(&text, "%s%s%s", *field, **field == '\0' ? "" : " ", value) < 0)
        return sections_refuse(&reading->wrong, section, "no memory for", key);
    free(*field);
    *field = text;
    return 1;
}

int sections_read(const char* path, const struct sections_form* form, const void* context,
                  void** list, size_t* count, char* error, size_t error_size) {
    struct reading reading = {.form = form};
    const char* why = reading.wrong.text;
    int line =
        results_ini_read(path, take_pair, &reading, reading.wrong.text, sizeof reading.wrong.text);
    bool good = line == 0 && reading.count != 0;
    for (size_t i = 0; good && i < reading.count; i++)
        good = form->check(texts_of(form, reading.list, i), context, &reading.wrong);
    *list = reading.list;
    *count = reading.count;
    if (good) return 0;
    if (line == -1) snprintf(error, error_size, "%s: %s", path, strerror(errno));
    else if (line != 0)
        snprintf(error, error_size, "%s:%d: %s", path, line, *why == '\0' ? "malformed" : why);
    else if (reading.count == 0) snprintf(error, error_size, "%s: no %s in it", path, form->item);
    else snprintf(error, error_size, "%s: %s", path, why);
    sections_free(form, reading.list, reading.count);
    *list = NULL;
    *count = 0;
    return -1;
}

void sections_free(const struct sections_form* form, void* list, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k <= form->key_count; k++) free(texts_of(form, list, i)[k]);
    free(list);
}

static const char* place_of(const char* name, size_t length, const struct sections_place* places,
                            size_t count) {
    for (size_t i = 0; i < count; i++)
        if (words_same(places[i].name, name, length)) return places[i].value;
    return NULL;
}

char* sections_fill(const char* value, const struct sections_place* places, size_t count) {
    char* text = NULL;
    size_t size = 0;
    FILE* out = open_memstream(&text, &size);
    if (out == NULL) return NULL;
    bool good = true;
    for (const char* p = value; *p != '\0' && good; p++) {
        bool opens = strncmp(p, "${", 2) == 0;
        const char* end = opens ? strchr(p, '}') : NULL;
        size_t length = end != NULL ? (size_t)(end - p) - 2 : 0;
        const char* place = length != 0 ? place_of(p + 2, length, places, count) : NULL;
        if (!opens) {
            fputc(*p, out);
        } else if (place == NULL) {
            good = false;
        } else {
            fputs(place, out);
            p = end;
        }
    }
    if (fclose(out) == 0 && good) return text;
    free(text);
    return NULL;
}

bool sections_words(const char* value, const struct sections_place* places, size_t count,
                    struct words* words) {
    struct words raw = {0};
    bool good = words_split(&raw, value);
    for (size_t i = 0; i < raw.count && good; i++) {
        char* word = sections_fill(raw.list[i], places, count);
        good = word != NULL;
        if (good) words_add(words, "%s", word);
        free(word);
    }
    words_free(&raw);
    return good;
}
