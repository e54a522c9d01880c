// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Ini files, read by inih. inih cuts a line that is too long for it in two, and takes the second
// half for a line of its own.
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <string.h>

#include "causes.h"

struct lines {
    FILE* file;
    int number;   // of lines so far
    int too_long; // the number of the line that was, 0: none
    int most;     // bytes of a line, without its end
};

// As fgets, for inih, but a line that does not fit ends the reading.
static char* next_line(char* text, int size, void* stream) {
    struct lines* lines = stream;
    if (fgets(text, size, lines->file) == NULL) return NULL;
    lines->number++;
    size_t length = strlen(text);
    if (length + 1 < (size_t)size || text[length - 1] == '\n') return text;
    int next = getc(lines->file);
    if (next == EOF || next == '\n') return text;
    lines->too_long = lines->number;
    lines->most = size - 1;
    return NULL;
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
    snprintf(why, size, "longer than %d bytes", lines.most);
    return lines.too_long;
}
