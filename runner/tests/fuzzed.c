// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "fuzzed.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fuzzed_must(bool right) {
    if (!right) abort();
}

void fuzzed_put(const char* path, const void* data, size_t size) {
    FILE* file = fopen(path, "w");
    fuzzed_must(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0);
}

void fuzzed_seed(const char* program, const char* name, const char* to) {
    static char text[65536];
    char path[PATH_MAX];
    const char* slash = strrchr(program, '/');
    fuzzed_must(slash != NULL);
    snprintf(path, sizeof path, "%.*s/seeds/%s", (int)(slash - program), program, name);
    FILE* file = fopen(path, "r");
    fuzzed_must(file != NULL);
    size_t size = fread(text, 1, sizeof text, file);
    fuzzed_must(size != 0 && size < sizeof text);
    fuzzed_put(to, text, size);
    fclose(file);
}
