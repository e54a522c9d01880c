// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: two results.json, of which one may be anything. The other is the fuzzer's seed 17, so
// that an input means the same by itself. They are compared both ways. What is refused is named.
// What is taken is judged, printed and written.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "comparison.h"

int LLVMFuzzerInitialize(int* argc, char*** argv);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static char parent[64], sides[2][80], files[2][96], json[96];

static void must(bool right) {
    if (!right) abort();
}

static void clean(void) {
    for (int i = 0; i < 2; i++) {
        unlink(files[i]);
        rmdir(sides[i]);
    }
    unlink(json);
    rmdir(parent);
}

static void put(const char* path, const uint8_t* data, size_t size) {
    FILE* file = fopen(path, "w");
    must(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0);
}

// `to` becomes a copy of the seed beside the fuzzer, `program`.
static void copy_seed(const char* program, const char* to) {
    uint8_t text[65536];
    char path[PATH_MAX];
    const char* slash = strrchr(program, '/');
    must(slash != NULL);
    snprintf(path, sizeof path, "%.*s/seeds/17", (int)(slash - program), program);
    FILE* file = fopen(path, "r");
    must(file != NULL);
    put(to, text, fread(text, 1, sizeof text, file));
    fclose(file);
}

int LLVMFuzzerInitialize(int* argc, char*** argv) {
    (void)argc;
    strcpy(parent, "/tmp/plumbline-fuzz-XXXXXX");
    must(mkdtemp(parent) != NULL && atexit(clean) == 0);
    for (int i = 0; i < 2; i++) {
        snprintf(sides[i], sizeof sides[i], "%s/%d", parent, i);
        snprintf(files[i], sizeof files[i], "%s/results.json", sides[i]);
        must(mkdir(sides[i], 0777) == 0);
    }
    snprintf(json, sizeof json, "%s/compared.json", parent);
    copy_seed((*argv)[0], files[0]);
    return 0;
}

// Whether both could be read.
static bool compare_sides(int a, int b, double spread) {
    struct compare compare = {
        .options = {
            .paths = {sides[a], sides[b]}, .level = COMPARE_LEVEL, .spread = spread, .all = true}};
    char error[1024] = "", *text = NULL;
    size_t size;
    bool read = compare_read(&compare, error, sizeof error) == 0;
    must(read == (error[0] == '\0'));
    if (read) {
        FILE* out = open_memstream(&text, &size);
        must(out != NULL);
        compare_judge(&compare);
        compare_text(&compare, out);
        must(fclose(out) == 0 && compare_json(&compare, json) == 0);
        must(compare_status(&compare) <= RUNNER_EXIT_INCONCLUSIVE);
        free(text);
    }
    compare_close(&compare);
    return read;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    put(files[1], data, size);
    if (compare_sides(0, 1, -1)) compare_sides(1, 0, 0);
    return 0;
}
