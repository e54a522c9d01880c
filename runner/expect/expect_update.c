// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A file of expectations with more lines. It is changed as text, so that comments and the order of
// sections stay.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "expect_parts.h"

// A section with its lines, or what stands before the first one.
struct section {
    char* name; // "17-21 mixed"; NULL: before the first
    struct words lines;
};

struct file {
    struct section* list;
    size_t count;
};

// ---- Reading ------------------------------------------------------------------------------------

static struct section* find_section(struct file* file, const char* name) {
    for (size_t i = 0; i < file->count; i++) {
        const char* other = file->list[i].name;
        if (name == NULL || other == NULL ? name == other : strcmp(name, other) == 0)
            return &file->list[i];
    }
    return NULL;
}

// Takes the name over. The section stands at `place`.
static struct section* put_section(struct file* file, size_t place, char* name) {
    file->list = base_must(realloc(file->list, (file->count + 1) * sizeof *file->list));
    struct section* section = &file->list[place];
    memmove(section + 1, section, (file->count - place) * sizeof *section);
    *section = (struct section){.name = name};
    file->count++;
    return section;
}

// The section that the text opens, new or again. NULL: it opens none.
static struct section* opened(struct file* file, const char* text, size_t* joined) {
    const char* first = text + strspn(text, " \t");
    const char* end = *first == '[' ? strchr(first, ']') : NULL;
    if (end == NULL) return NULL;
    char* name = base_text("%.*s", (int)(end - first - 1), first + 1);
    struct section* section = find_section(file, name);
    if (section == NULL) return put_section(file, file->count, name);
    *joined += 1;
    free(name);
    return section;
}

// Blank lines are written between the sections; those of the file are left out.
static void take_text(struct file* file, struct section** section, const char* text,
                      size_t* joined) {
    struct section* next = opened(file, text, joined);
    if (next != NULL) *section = next;
    else if (text[strspn(text, " \t")] != '\0') words_add(&(*section)->lines, "%s", text);
}

static int read_file(struct file* file, const char* path, size_t* joined) {
    FILE* in = fopen(path, "re");
    char* text = NULL;
    size_t size = 0;
    if (in == NULL) return -1;
    struct section* section = put_section(file, 0, NULL);
    for (ssize_t length; (length = getline(&text, &size, in)) >= 0;) {
        text[strcspn(text, "\r\n")] = '\0';
        take_text(file, &section, text, joined);
    }
    int result = ferror(in) ? -1 : 0;
    free(text);
    fclose(in);
    return result;
}

static void free_file(struct file* file) {
    for (size_t i = 0; i < file->count; i++) {
        free(file->list[i].name);
        words_free(&file->list[i].lines);
    }
    free(file->list);
}

// ---- Changing -----------------------------------------------------------------------------------

static void add_words(struct words* words, const char* text, size_t length, bool all) {
    const char* end = text + length;
    for (size_t word; text < end && (word = words_next(&text)) != 0 && text < end; text += word) {
        if (word > (size_t)(end - text)) word = (size_t)(end - text);
        if (all || strncmp(text, "scope=", 6) == 0 || strncmp(text, "profiler=", 9) == 0)
            words_add(words, "%.*s", (int)word, text);
    }
}

// What makes a line another line than one of the same section: all before the "=", and the scope
// and the profiler that it is for. Freed by the caller.
static char* key_of(const char* line) {
    struct words words = {0};
    size_t key = strcspn(line, "=:");
    add_words(&words, line, key, true);
    add_words(&words, line + key, strlen(line + key), false);
    char* text = words_join(words.list, words.count);
    words_free(&words);
    return text;
}

static size_t find_line(const struct section* section, const char* line) {
    char* key = key_of(line);
    size_t at = 0;
    for (bool same = false; at < section->lines.count; at++) {
        char* other = key_of(section->lines.list[at]);
        same = strcmp(key, other) == 0;
        free(other);
        if (same) break;
    }
    free(key);
    return at;
}

// Behind the last section of the same case, or else as the last.
static struct section* add_section(struct file* file, char* name) {
    size_t place = file->count;
    const char* test = strchr(name, ' ');
    for (size_t i = 1; i < file->count; i++) {
        const char* other = strchr(file->list[i].name, ' ');
        if (other != NULL && strcmp(test, other) == 0) place = i + 1;
    }
    return put_section(file, place, name);
}

static void put_line(struct section* section, const char* line, struct expect_changes* changes) {
    size_t at = find_line(section, line);
    if (at == section->lines.count) {
        words_add(&section->lines, "%s", line);
        changes->added++;
    } else if (strcmp(section->lines.list[at], line) != 0) {
        free(section->lines.list[at]);
        section->lines.list[at] = base_must(strdup(line));
        changes->replaced++;
    }
}

// `line` may print as several.
static void put_lines(struct file* file, const struct expect* expect,
                      const struct expect_line* line, struct expect_changes* changes) {
    char *name = expect_section(expect, line), *text = NULL, *rest = NULL;
    size_t size = 0;
    struct section* section = find_section(file, name);
    if (section == NULL) section = add_section(file, name);
    else free(name);
    FILE* out = base_must(open_memstream(&text, &size));
    expect_print_line(expect, line, out);
    fclose(out);
    for (char* one = strtok_r(text, "\n", &rest); one != NULL; one = strtok_r(NULL, "\n", &rest))
        put_line(section, one, changes);
    free(text);
}

// ---- Writing ------------------------------------------------------------------------------------

static void write_file(const struct file* file, FILE* out) {
    bool first = true;
    for (size_t i = 0; i < file->count; i++) {
        const struct section* section = &file->list[i];
        if (section->lines.count == 0) continue;
        if (!first) fputc('\n', out);
        first = false;
        if (section->name != NULL) fprintf(out, "[%s]\n", section->name);
        for (size_t l = 0; l < section->lines.count; l++)
            fprintf(out, "%s\n", section->lines.list[l]);
    }
}

int expect_update(const struct expect* expect, const struct expect_lines* lines, const char* path,
                  struct expect_changes* changes, char* error, size_t size) {
    struct file file = {0};
    struct output_file output;
    *changes = (struct expect_changes){0};
    int result = read_file(&file, path, &changes->joined);
    if (result == 0) {
        for (size_t i = 0; i < lines->count; i++)
            put_lines(&file, expect, &lines->list[i], changes);
        result = output_begin(&output, path) ? 0 : -1;
    }
    if (result == 0) {
        write_file(&file, output.out);
        result = output_commit(&output, true);
    }
    int why = errno;
    free_file(&file);
    return result == 0 ? 0 : base_reason(-1, error, size, "%s: %s", path, strerror(why));
}
