// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: the log of a bisection that was cut, edited, or is another file. One that is taken has
// steps that were answered, goes on behind its last whole one, and is taken again with one more.
// It answers each of its questions, and none that it does not have. One that is refused is left as
// it was.
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bisect_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void must(bool right) {
    if (!right) abort();
}

static bool open_log(struct bisect_log* log, int file) {
    static char a[] = "/a", b[] = "/b";
    static char* list[] = {a, b, NULL};
    const struct words builds = {.list = list, .count = 2};
    char path[64], error[512] = "";
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    bool taken = bisect_log_open(log, path, "rates", &builds, error, sizeof error) == 0;
    must(taken || error[0] != '\0');
    return taken;
}

// The first step of the log that answers the same question.
static const struct bisect_question* first_of(const struct bisect_log* log,
                                              const struct bisect_question* question) {
    const struct bisect_question* step = log->steps;
    while (step->number != question->number || step->build != question->build ||
           step->target != question->target)
        step++;
    return step;
}

// Asks all of them, the last first, then for a step that is not there.
static void ask(const struct bisect_log* log) {
    unsigned highest = 0;
    for (size_t i = log->count; i-- > 0;) {
        const struct bisect_question* step = &log->steps[i];
        struct bisect_question question = {
            .number = step->number, .build = step->build, .target = step->target};
        must(bisect_log_answer(log, &question));
        must(question.answer == first_of(log, step)->answer);
        must(memchr(question.note, '\0', sizeof question.note) != NULL);
        if (step->number > highest) highest = step->number;
    }
    struct bisect_question question = {.number = highest + 1};
    must(highest == UINT_MAX || !bisect_log_answer(log, &question));
}

#define HEAD_LINES 4

static size_t count_lines(const uint8_t* data, size_t size) {
    size_t count = 0;
    for (size_t i = 0; i < size; i++) count += data[i] == '\n';
    return count;
}

static void is_as_it_was(int file, const uint8_t* data, size_t size) {
    uint8_t* now = malloc(size + 1);
    must(now != NULL && pread(file, now, size + 1, 0) == (ssize_t)size);
    must(memcmp(now, data, size) == 0);
    free(now);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    struct bisect_log log;
    int file = memfd_create("log", MFD_CLOEXEC);
    must(file >= 0 && write(file, data, size) == (ssize_t)size);
    if (open_log(&log, file)) {
        size_t count = log.count, lines = count_lines(data, size);
        struct bisect_question question = {.number = 7, .build = 1, .answer = BISECT_MEASURED};
        must(count == (lines > HEAD_LINES ? lines - HEAD_LINES : 0));
        for (size_t i = 0; i < count; i++) must(log.steps[i].answer != BISECT_UNANSWERED);
        must(bisect_log_book(&log, &question) == 0);
        bisect_log_close(&log);
        must(open_log(&log, file));
        must(log.count == count + 1 && log.steps[count].number == 7);
        ask(&log);
        bisect_log_close(&log);
    } else {
        is_as_it_was(file, data, size);
    }
    close(file);
    return 0;
}
