// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: a results.json, or anything else in its place, beside records that are whole (`runs`
// beside the fuzzer). What is refused is refused with words that name it. What is taken is reported
// in every format, and each keeps its promises, whatever the texts are.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats.h"
#include "promises.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerInitialize(int* argc, char*** argv);

static char directory[64], path[96], runs[96];

static void clean(void) {
    unlink(path);
    unlink(runs);
    rmdir(directory);
}

int LLVMFuzzerInitialize(int* argc, char*** argv) {
    char place[PATH_MAX], *fuzzer = realpath((*argv)[0], NULL);
    (void)argc;
    if (fuzzer == NULL) abort();
    snprintf(place, sizeof place, "%.*s/runs", (int)(strrchr(fuzzer, '/') - fuzzer), fuzzer);
    free(fuzzer);
    strcpy(directory, "/tmp/plumbline-fuzz-XXXXXX");
    if (mkdtemp(directory) == NULL || atexit(clean) != 0) abort();
    snprintf(path, sizeof path, "%s/results.json", directory);
    snprintf(runs, sizeof runs, "%s/runs", directory);
    if (symlink(place, runs) != 0) abort();
    return 0;
}

static void put(const uint8_t* data, size_t size) {
    FILE* file = fopen(path, "w");
    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    char error[512] = "";
    put(data, size);
    struct results_saved* saved = results_saved_read(directory, error, sizeof error);
    if (saved == NULL) {
        if (strstr(error, "results.json") == NULL) abort();
        return 0;
    }
    promises_keep(saved);
    results_saved_free(saved);
    return 0;
}
