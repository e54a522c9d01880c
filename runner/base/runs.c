// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The directories that hold results.
#include "base.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_results(const char* directory) {
    char* path = base_text("%s/results.json", directory);
    bool found = access(path, F_OK) == 0;
    free(path);
    return found;
}

static bool is_directory(const char* path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

int base_runs(struct words* runs, const char* path, char* error, size_t error_size) {
    struct dirent** entries;
    char latest[HOME_PATH], text[HOME_RUN_HINT];
    const char* hint = home_run_hint(path, text);
    path = home_run(path, latest);
    size_t before = runs->count;
    if (has_results(path)) {
        words_add(runs, "%s", path);
        return 0;
    }
    int found = scandir(path, &entries, NULL, alphasort);
    if (found < 0)
        return base_reason(-1, error, error_size, "%s: %s%s", path, strerror(errno), hint);
    for (int i = 0; i < found; i++) {
        char* directory = base_text("%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && is_directory(directory) && has_results(directory))
            words_add(runs, "%s", directory);
        free(directory);
        free(entries[i]);
    }
    free(entries);
    if (runs->count != before) return 0;
    return base_reason(-1, error, error_size,
                       "%s: there is no results.json, nor in a directory in it", path);
}
