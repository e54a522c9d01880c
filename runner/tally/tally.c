// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// tally DIR: prints the rows of DIR/results.json, "RUN LAYER VERDICT" a line, and compares the
// counts of each with what its JVM counted in DIR/runs/RUN/run.plumbline. Exit status: 0 they are
// the same; 1 they are not, with each difference on standard error; 3 results.json cannot be read.
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "results/formats/formats.h"

struct tally {
    const char* directory;
    uint64_t reported, counted; // judged, of all rows
    bool differs;
};

static void compare(struct tally* tally, const char* row, const char* what, uint64_t reported,
                    uint64_t counted) {
    if (reported == counted) return;
    tally->differs = true;
    fprintf(stderr, "%s: %s: %llu in results.json, %llu in its run's file\n", row, what,
            (unsigned long long)reported, (unsigned long long)counted);
}

static void compare_all(struct tally* tally, const char* row, const struct results_past* past,
                        const struct results_layer* layer) {
    compare(tally, row, "answered", past->answered, layer->answered);
    compare(tally, row, "judged", past->judged, results_judged(layer));
    for (int i = 0; i < ORACLE_REFUSAL_COUNT; i++)
        compare(tally, row, "refused", past->refused[i], layer->refused[i]);
    for (int v = 0; v < ORACLE_VERDICT_COUNT; v++)
        if (oracle_is_mismatch((enum oracle_verdict)v))
            compare(tally, row, oracle_verdict_text((enum oracle_verdict)v), past->mismatch[v],
                    layer->verdict[v]);
    tally->reported += past->judged;
    tally->counted += results_judged(layer);
}

static void take(void* context, const struct results_past* past) {
    struct tally* tally = context;
    char row[300], path[PATH_MAX];
    snprintf(row, sizeof row, "%s-%s-%s", past->case_name, past->mode, past->scope);
    printf("%s %s %s\n", row, oracle_layer_text(past->layer), past->verdict);
    // Nothing was run; or what was pushed is counted, which is no question put to a walker.
    if (strcmp(past->verdict, "SKIP") == 0 || past->layer == ORACLE_LAYER_GROUND) return;
    int length = snprintf(path, sizeof path, "%s/runs/%s/run.plumbline", tally->directory, row);
    struct results_run* run = length < PATH_MAX ? results_run_map(path) : NULL;
    if (run == NULL) {
        fprintf(stderr, "%s cannot be read\n", path);
        tally->differs = true;
        return;
    }
    compare_all(tally, row, past, &run->layers[past->layer]);
    results_run_unmap(run);
}

int main(int argc, char** argv) {
    char path[PATH_MAX], error[PATH_MAX + 256];
    if (argc != 2) {
        fputs("usage: tally DIR\n", stderr);
        return 2;
    }
    struct tally tally = {.directory = argv[1]};
    const struct results_past_reader reader = {.context = &tally, .row = take};
    int length = snprintf(path, sizeof path, "%s/results.json", argv[1]);
    if (length >= PATH_MAX || results_past_read(path, &reader, error, sizeof error) != 0) {
        fprintf(stderr, "%s\n", length < PATH_MAX ? error : "its path is too long");
        return 3;
    }
    printf("judged %llu %llu\n", (unsigned long long)tally.reported,
           (unsigned long long)tally.counted);
    return tally.differs ? 1 : 0;
}
