// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: two results.json, of which one may be anything. The other is the fuzzer's seed 17, so
// that an input means the same by itself. They are compared both ways; then as one of several runs
// on each side, where a run of the seed stands on the other's side, too. What is refused is named.
// What is taken is judged, printed and written. What is worse one way is better the other way.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "comparison.h"
#include "fuzzed.h"

int LLVMFuzzerInitialize(int* argc, char*** argv);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#define RUNS 4 // of a side: the fewest that can tell anything

static char parent[64], sides[2][80], files[2][96], json[96];
static char many[2][80], runs[2][RUNS][96], links[2][RUNS][112];

static void clean(void) {
    for (int i = 0; i < 2; i++) {
        unlink(files[i]);
        rmdir(sides[i]);
    }
    for (int i = 0; i < 2; i++) {
        for (int run = 0; run < RUNS; run++) {
            unlink(links[i][run]);
            rmdir(runs[i][run]);
        }
        rmdir(many[i]);
    }
    unlink(json);
    rmdir(parent);
}

// Side 0 has runs of the seed, side 1 of the input; one of each is the other's.
static void make_runs(int side) {
    snprintf(many[side], sizeof many[side], "%s/many-%d", parent, side);
    fuzzed_must(mkdir(many[side], 0777) == 0);
    for (int run = 0; run < RUNS; run++) {
        const char* file = files[run == 0 ? 1 - side : side];
        snprintf(runs[side][run], sizeof runs[side][run], "%s/%d", many[side], run);
        snprintf(links[side][run], sizeof links[side][run], "%s/results.json", runs[side][run]);
        fuzzed_must(mkdir(runs[side][run], 0777) == 0 && symlink(file, links[side][run]) == 0);
    }
}

int LLVMFuzzerInitialize(int* argc, char*** argv) {
    (void)argc;
    strcpy(parent, "/tmp/plumbline-fuzz-XXXXXX");
    fuzzed_must(mkdtemp(parent) != NULL && atexit(clean) == 0);
    for (int i = 0; i < 2; i++) {
        snprintf(sides[i], sizeof sides[i], "%s/%d", parent, i);
        snprintf(files[i], sizeof files[i], "%s/results.json", sides[i]);
        fuzzed_must(mkdir(sides[i], 0777) == 0);
    }
    snprintf(json, sizeof json, "%s/compared.json", parent);
    fuzzed_seed((*argv)[0], "17", files[0]);
    for (int i = 0; i < 2; i++) make_runs(i);
    return 0;
}

static void count_outcomes(const struct compare* compare, size_t counts[3]) {
    for (const struct compare_item* item = compare->items; item != NULL; item = item->hh.next)
        counts[item->outcome]++;
}

// Whether both could be read; then `counts` by enum compare_outcome.
static bool compare_paths(const char* a, const char* b, const char* cause, double spread,
                          size_t counts[3]) {
    struct compare compare = {.options = {.paths = {a, b},
                                          .cause = cause,
                                          .level = COMPARE_LEVEL,
                                          .spread = spread,
                                          .all = true}};
    char error[1024] = "", *text = NULL;
    size_t size;
    bool read = compare_read(&compare, error, sizeof error) == 0;
    fuzzed_must(read == (error[0] == '\0'));
    if (read) {
        FILE* out = open_memstream(&text, &size);
        fuzzed_must(out != NULL);
        compare_judge(&compare);
        compare_text(&compare, out);
        fuzzed_must(fclose(out) == 0 && compare_json(&compare, json) == 0);
        fuzzed_must(compare_status(&compare) <= RUNNER_EXIT_INCONCLUSIVE);
        free(text);
        count_outcomes(&compare, counts);
    }
    compare_close(&compare);
    return read;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzzed_put(files[1], data, size);
    size_t one[3] = {0}, other[3] = {0}, of_cause[3] = {0};
    if (!compare_paths(sides[0], sides[1], NULL, -1, one)) return 0;
    fuzzed_must(compare_paths(sides[1], sides[0], NULL, -1, other));
    fuzzed_must(one[COMPARE_SAME] == other[COMPARE_SAME]);
    fuzzed_must(one[COMPARE_WORSE] == other[COMPARE_BETTER]);
    fuzzed_must(compare_paths(sides[1], sides[0], "refused.unknown_Java", 0, of_cause));
    fuzzed_must(compare_paths(many[0], many[1], NULL, -1, of_cause));
    return 0;
}
