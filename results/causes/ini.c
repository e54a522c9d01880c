// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Ini files, read by inih. inih cuts a line that is too long for it in two, and takes the second
// half for a line of its own. Of a section's name it keeps the first 49 bytes.
#include <errno.h>
#include <ini.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "causes.h"

#define SECTION_MOST 49 // bytes: MAX_SECTION of inih's ini.c, without the end

struct lines {
    FILE* file;
    int number;       // of lines so far
    int too_long;     // the number of the line that was, 0: none
    int most;         // bytes that there was room for
    const char* what; // was too long; empty: the line itself
};

static char* refuse(struct lines* lines, const char* what, int most) {
    lines->too_long = lines->number;
    lines->what = what;
    lines->most = most;
    return NULL;
}

static bool has_long_section(const char* line) {
    line += strspn(line, " \t");
    return *line == '[' && strcspn(line + 1, "]\r\n") > SECTION_MOST;
}

// As fgets, for inih, but what inih would cut ends the reading.
static char* next_line(char* text, int size, void* stream) {
    struct lines* lines = stream;
    if (fgets(text, size, lines->file) == NULL) return NULL;
    lines->number++;
    if (has_long_section(text)) return refuse(lines, "a section's name is ", SECTION_MOST);
    size_t length = strlen(text);
    if (length + 1 < (size_t)size || text[length - 1] == '\n') return text;
    int next = getc(lines->file);
    if (next == EOF || next == '\n') return text;
    return refuse(lines, "", size - 1);
}

int results_ini_read(const char* path, results_ini_take* take, void* user, char* why, size_t size) {
    struct lines lines = {.file = fopen(path, "r")};
    if (lines.file == NULL) return -1;
    int wrong = ini_parse_stream(next_line, &lines, take, user);
    bool unread = ferror(lines.file) != 0;
    int error = errno;
    fclose(lines.file);
    if (unread) {
        errno = error;
        return -1;
    }
    if (wrong != 0 || lines.too_long == 0) return wrong;
    snprintf(why, size, "%slonger than %d bytes", lines.what, lines.most);
    return lines.too_long;
}
