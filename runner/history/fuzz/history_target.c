// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: runs over time, of which some may be anything; the others are the fuzzer's seed 17.
// What is refused is named. Runs of the same file have the same counts. What is told of them lies
// within the runs, and is printed and written.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "history_parts.h"
#include "fuzzed.h"

int LLVMFuzzerInitialize(int* argc, char*** argv);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#define RUNS 5 // 1 and 3 are of the input

static char parent[64], runs[RUNS][80], files[RUNS][96], page[80], lines[80];

static void clean(void) {
    for (int i = 0; i < RUNS; i++) {
        unlink(files[i]);
        rmdir(runs[i]);
    }
    unlink(page);
    unlink(lines);
    rmdir(parent);
}

int LLVMFuzzerInitialize(int* argc, char*** argv) {
    (void)argc;
    strcpy(parent, "/tmp/plumbline-fuzz-XXXXXX");
    fuzzed_must(mkdtemp(parent) != NULL && atexit(clean) == 0);
    for (int i = 0; i < RUNS; i++) {
        snprintf(runs[i], sizeof runs[i], "%s/%d", parent, i);
        snprintf(files[i], sizeof files[i], "%s/results.json", runs[i]);
        fuzzed_must(mkdir(runs[i], 0777) == 0);
        if (i == 0) fuzzed_seed((*argv)[0], "17", files[i]);
        else if (i != 1) fuzzed_must(symlink(files[i % 2], files[i]) == 0);
    }
    snprintf(page, sizeof page, "%s/page.html", parent);
    snprintf(lines, sizeof lines, "%s/lines.csv", parent);
    return 0;
}

static void is_sound(const struct history_item* item) {
    const bool seed = item->events[0] != 0, changed = item->events[1] != 0;
    fuzzed_must(seed || changed);
    fuzzed_must(item->first == (seed ? 0 : 1) && item->last == (seed ? RUNS - 1 : RUNS - 2));
    for (int run = 0; run < RUNS; run++) {
        fuzzed_must(item->events[run] == item->events[run % 2]);
        fuzzed_must(item->judged[run] == item->judged[run % 2]);
    }
    fuzzed_must(item->change[0] == 0);
}

// The command prints to standard output.
static void write_all(const struct history* history) {
    char* text = NULL;
    size_t size;
    FILE* out = stdout;
    stdout = open_memstream(&text, &size);
    fuzzed_must(stdout != NULL && history_write(history, page, lines) == 0);
    fuzzed_must(fclose(stdout) == 0);
    stdout = out;
    for (size_t i = 0; i < size; i++) fuzzed_must(text[i] == '\n' || (unsigned char)text[i] >= ' ');
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    struct history history = {0};
    char error[1024] = "";
    fuzzed_put(files[1], data, size);
    for (int i = 0; i < RUNS; i++) words_add(&history.paths, "%s", runs[i]);
    bool read = history_read(&history, error, sizeof error) == 0;
    fuzzed_must(read == (error[0] == '\0'));
    if (read) {
        history_settle(&history);
        history_judge(&history);
        fuzzed_must(history.uneven == 0 || history.uneven == RUNS / 2);
        for (const struct history_item* i = history.items; i != NULL; i = i->hh.next) is_sound(i);
        write_all(&history);
    }
    history_close(&history);
    return 0;
}
