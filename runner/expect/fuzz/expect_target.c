// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: a results.json that may be anything. What is refused is named, and the counts are as
// they were. Of what is taken expectations are made; validate reads them. The same runs then have
// nothing to add to them.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "expect_parts.h"
#include "fuzzed.h"

int LLVMFuzzerInitialize(int* argc, char*** argv);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static struct lists lists;
static char parent[64], input[80], made[80];

static void clean(void) {
    unlink(input);
    unlink(made);
    rmdir(parent);
}

// The lists are the house's: the fuzzer runs where make does.
int LLVMFuzzerInitialize(int* argc, char*** argv) {
    static const struct home home = {.cases_list = "cases/cases.ini",
                                     .causes_list = "cases/causes.ini",
                                     .profilers_list = "agent/profilers.ini"};
    char error[1024];
    (void)argc;
    (void)argv;
    strcpy(parent, "/tmp/plumbline-fuzz-XXXXXX");
    fuzzed_must(mkdtemp(parent) != NULL && atexit(clean) == 0);
    snprintf(input, sizeof input, "%s/results.json", parent);
    snprintf(made, sizeof made, "%s/expectations.ini", parent);
    fuzzed_must(lists_read(&lists, LISTS_CASES | LISTS_CAUSES | LISTS_PROFILERS, &home, error,
                           sizeof error) == 0);
    return 0;
}

static void print(const struct expect* expect) {
    struct expect_lines lines;
    FILE* file = fopen(made, "w");
    expect_make_lines(expect, &lines);
    fuzzed_must(file != NULL);
    expect_print(expect, &lines, file);
    fuzzed_must(fclose(file) == 0);
    free(lines.list);
}

// The file's lines hold the runs of which they were made.
static void update(struct expect* expect) {
    struct ceilings before;
    struct expect_lines lines;
    struct expect_changes changes;
    char error[1024] = "";
    fuzzed_must(ceilings_read(made, &lists.causes, &before, error, sizeof error) == 0);
    expect->before = &before;
    expect_make_lines(expect, &lines);
    fuzzed_must(expect_update(expect, &lines, made, &changes, error, sizeof error) == 0);
    fuzzed_must(changes.added == 0 && changes.replaced == 0 && changes.joined == 0);
    free(lines.list);
    ceilings_free(&before);
    fuzzed_must(ceilings_read(made, &lists.causes, &before, error, sizeof error) == 0);
    ceilings_free(&before);
    expect->before = NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    struct expect expect = {.lists = &lists, .merge = EXPECT_MERGE};
    const struct results_past_reader reader = {.context = &expect, .row = expect_take};
    char error[1024] = "";
    fuzzed_put(input, data, size);
    bool read = results_past_read(input, &reader, error, sizeof error) == 0;
    fuzzed_must(read == (error[0] == '\0') && (read || expect.row_count == 0));
    expect_sort(&expect);
    print(&expect);
    update(&expect);
    expect_free(&expect);
    return 0;
}
