// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "options.h"

#include <string.h>

// How much of argv[i] on is an option with one of the values: --KEY=VALUE 1, --KEY VALUE 2; else 0.
static int is_option(int i, int argc, char* const* argv, const char* const* values, size_t count) {
    const char* end = argv[i] + strlen(argv[i]);
    for (size_t v = 0; v < count; v++) {
        if (values[v] == NULL) continue;
        if (values[v] > argv[i] && values[v] <= end) return 1;
        if (i + 1 < argc && values[v] == argv[i + 1]) return 2;
    }
    return 0;
}

void rest_add(int first, int argc, char* const* argv, const char* const* values, size_t count,
              struct words* words) {
    for (int i = first; i < argc;) {
        int skip = is_option(i, argc, argv, values, count);
        if (skip == 0) words_add(words, "%s", argv[i++]);
        i += skip;
    }
}
