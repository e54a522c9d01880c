// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// programs.ini, by inih.
#include "lists.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>


#define LIMIT_DEFAULT 300 // seconds

struct reading {
    struct programs* programs;
    char why[256]; // empty: nothing is wrong yet
};

static int refuse(struct reading* reading, const char* program, const char* what,
                  const char* value) {
    if (reading->why[0] == '\0')
        snprintf(reading->why, sizeof reading->why, "[%s]: %s \"%s\"", program, what, value);
    return 0;
}

static bool fill_empty(struct program* program) {
    bool complete = program->name != NULL;
#define FILL(key)                                                                                  \
    program->key = strdup("");                                                                     \
    complete = complete && program->key != NULL;
    PROGRAMS_KEYS(FILL)
#undef FILL
    return complete;
}

static struct program* section_of(struct programs* programs, const char* name) {
    if (programs->count != 0 && strcmp(programs->list[programs->count - 1].name, name) == 0)
        return &programs->list[programs->count - 1];
    struct program* list = realloc(programs->list, (programs->count + 1) * sizeof *list);
    if (list == NULL) return NULL;
    programs->list = list;
    struct program* program = &list[programs->count++];
    *program = (struct program){.name = strdup(name)};
    return fill_empty(program) ? program : NULL;
}

static char** field_of(struct program* program, const char* key) {
#define FIELD(field)                                                                               \
    if (strcmp(key, #field) == 0) return &program->field;
    PROGRAMS_KEYS(FIELD)
#undef FIELD
    return NULL;
}

static int take_pair(void* user, const char* section, const char* key, const char* value) {
    struct reading* reading = user;
    struct program* program = section_of(reading->programs, section);
    if (program == NULL) return refuse(reading, section, "no memory for", key);
    char** field = field_of(program, key);
    if (field == NULL) return refuse(reading, section, "unknown key", key);
    // inih calls again with the same key for a value that goes on in the next line.
    char* text = NULL;
    if (asprintf(&text, "%s%s%s", *field, **field == '\0' ? "" : " ", value) < 0)
        return refuse(reading, section, "no memory for", key);
    free(*field);
    *field = text;
    return 1;
}

// ---- Checks -----------------------------------------------------------------------------------

static bool read_number(const char* text, long low, long high, long* value) {
    char* end;
    if (*text == '\0') return true;
    if (*text < '0' || *text > '9') return false;
    *value = strtol(text, &end, 10);
    return *end == '\0' && *value >= low && *value <= high;
}

// Every ${...} must be known, and no quotation open.
static bool well_formed(const char* value) {
    const struct programs_places places = {"", "", "", "", ""};
    struct words words = {0};
    char* filled = programs_fill(value, &places);
    bool good = filled != NULL && words_split(&words, filled);
    words_free(&words);
    free(filled);
    return good;
}

static bool places_known(const char* value) {
    char* filled = programs_fill(value, &(struct programs_places){"", "", "", "", ""});
    free(filled);
    return filled != NULL;
}

static int check(struct reading* reading, struct program* program) {
    long status = 0, limit = LIMIT_DEFAULT;
    const char* release = *program->release == '\0' ? "8-" : program->release;
    if (!names_releases(release, strlen(release), &program->first, &program->last))
        return refuse(reading, program->name, "malformed release", program->release);
    if (!read_number(program->status, 0, 255, &status))
        return refuse(reading, program->name, "malformed status", program->status);
    if (!read_number(program->limit, 1, 36000, &limit))
        return refuse(reading, program->name, "malformed limit", program->limit);
    long takes = limit;
    if (!read_number(program->takes, 1, 36000, &takes))
        return refuse(reading, program->name, "malformed takes", program->takes);
    if (*program->arguments == '\0') return refuse(reading, program->name, "no", "arguments");
    if (!well_formed(program->arguments) || !well_formed(program->arguments8))
        return refuse(reading, program->name, "malformed arguments", program->arguments);
    if (!well_formed(program->needs))
        return refuse(reading, program->name, "malformed needs", program->needs);
    if (!places_known(program->input))
        return refuse(reading, program->name, "malformed input", program->input);
    program->compares = *program->output == '\0' || strcmp(program->output, "same") == 0;
    if (!program->compares && strcmp(program->output, "any") != 0)
        return refuse(reading, program->name, "output is same or any, not", program->output);
    program->exit_status = (int)status;
    program->seconds = (double)limit;
    program->expected = (double)takes;
    return 1;
}

int programs_read(const char* path, struct programs* programs, char* error, size_t error_size) {
    *programs = (struct programs){0};
    struct reading reading = {.programs = programs};
    int line = ini_parse(path, take_pair, &reading);
    for (size_t i = 0; line == 0 && i < programs->count; i++) check(&reading, &programs->list[i]);
    if (line == 0 && programs->count == 0)
        snprintf(reading.why, sizeof reading.why, "no program in it");
    if (line == 0 && reading.why[0] == '\0') return 0;
    if (line == -1) snprintf(error, error_size, "%s: %s", path, strerror(errno));
    else if (line == 0) snprintf(error, error_size, "%s: %s", path, reading.why);
    else
        snprintf(error, error_size, "%s:%d: %s", path, line,
                 reading.why[0] == '\0' ? "malformed" : reading.why);
    programs_free(programs);
    return -1;
}

void programs_free(struct programs* programs) {
    for (size_t i = 0; i < programs->count; i++) {
        free(programs->list[i].name);
#define FREE(key) free(programs->list[i].key);
        PROGRAMS_KEYS(FREE)
#undef FREE
    }
    free(programs->list);
    *programs = (struct programs){0};
}

// ---- Values -----------------------------------------------------------------------------------

static const char* place_of(const char* name, size_t length, const struct programs_places* places) {
    const struct {
        const char *name, *value;
    } all[] = {{"jdk", places->jdk},
               {"programs", places->programs},
               {"classes", places->classes},
               {"cache", places->cache},
               {"input", places->input}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strlen(all[i].name) == length && memcmp(all[i].name, name, length) == 0)
            return all[i].value;
    return NULL;
}

char* programs_fill(const char* value, const struct programs_places* places) {
    char* text = NULL;
    size_t size = 0;
    FILE* out = open_memstream(&text, &size);
    if (out == NULL) return NULL;
    bool good = true;
    for (const char* p = value; *p != '\0' && good; p++) {
        size_t length = strncmp(p, "${", 2) == 0 ? strcspn(p + 2, "}") : 0;
        const char* place = length != 0 ? place_of(p + 2, length, places) : NULL;
        if (strncmp(p, "${", 2) != 0) {
            fputc(*p, out);
        } else if (place == NULL) {
            good = false;
        } else {
            fputs(place, out);
            p += length + 2;
        }
    }
    if (fclose(out) == 0 && good) return text;
    free(text);
    return NULL;
}

bool programs_left_out(const struct program* program, int feature, const char* needs, char* why,
                       size_t why_size) {
    struct words files = {0};
    bool out = true;
    words_split(&files, needs);
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
