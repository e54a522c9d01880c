// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Runs the fuzzers' checks without a fuzzer: replay [-h] FILE|DIRECTORY...
// Checks each file. With -h it also checks every prefix of the file and, for a file of up to 500
// bytes, every change of one byte. A finding prints the file's name and ends the process.
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

enum { SMALL = 500, PATH_LENGTH_MAX = 4096 };

static unsigned long executions;
static const char* subject; // the file being checked

static void name_subject(int signal_number) {
    fprintf(stderr, "signal %d at %s\n", signal_number, subject);
    _exit(1);
}

// Checks a copy of the bytes in its own memory block, so that a sanitizer detects a read beyond
// them.
static void look_at(const uint8_t* data, size_t size) {
    uint8_t* copy = malloc(size + (size == 0));
    check_that(copy != NULL, "there is memory");
    memcpy(copy, data, size);
    check_rewriting(copy, size);
    free(copy);
    executions++;
}

static void look_around(uint8_t* data, size_t size) {
    for (size_t length = 0; length < size; length++) look_at(data, length);
    for (size_t i = 0; i < size && size <= SMALL; i++) {
        uint8_t kept = data[i];
        for (unsigned value = 0; value < 256; value++) {
            data[i] = (uint8_t)value;
            if (value != kept) look_at(data, size);
        }
        data[i] = kept;
    }
}

static void replay_file(const char* path, bool hostile) {
    FILE* file = fopen(path, "rb");
    check_that(file != NULL, "the file can be opened");
    uint8_t* data = NULL;
    size_t size = 0, got;
    do {
        data = realloc(data, size + 65536);
        check_that(data != NULL, "there is memory");
        got = fread(data + size, 1, 65536, file);
        size += got;
    } while (got > 0);
    fclose(file);
    subject = path;
    look_at(data, size);
    if (hostile) look_around(data, size);
    free(data);
}

static void replay(const char* path, bool hostile) {
    DIR* directory = opendir(path);
    if (!directory) {
        replay_file(path, hostile);
        return;
    }
    for (const struct dirent* entry; (entry = readdir(directory));) {
        char inside[PATH_LENGTH_MAX];
        if (entry->d_name[0] == '.') continue;
        snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
        replay(inside, hostile);
    }
    closedir(directory);
}

int main(int argc, char** argv) {
    signal(SIGABRT, name_subject);
    bool hostile = argc > 1 && strcmp(argv[1], "-h") == 0;
    for (int i = 1 + hostile; i < argc; i++) replay(argv[i], hostile);
    struct check_totals totals = check_totals();
    printf("%lu inputs checked, no finding; rewritten: %lu classes, %lu methods, %lu refused\n",
           executions, totals.classes, totals.methods, totals.refused);
    return executions > 0 ? 0 : 1;
}
