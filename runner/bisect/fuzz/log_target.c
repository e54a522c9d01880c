// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: the log of a bisection that was cut, edited, or is another file. One that is taken has
// steps that were answered, goes on behind its last whole one, and is taken again with one more.
// It answers each of its questions, and none behind one that it does not have.
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

// Asks all but the last step, then another question.
static void ask(struct bisect_log* log) {
    struct bisect_question question = {.number = 0};
    for (size_t i = 0; i + 1 < log->count; i++) {
        const struct bisect_question* step = &log->steps[i];
        question = (struct bisect_question){
            .number = step->number, .build = step->build, .target = step->target};
        must(bisect_log_answer(log, &question) && question.answer == step->answer);
        must(memchr(question.note, '\0', sizeof question.note) != NULL);
    }
    question.number = log->steps[log->count - 1].number + 1;
    must(!bisect_log_answer(log, &question) && !bisect_log_answer(log, &question));
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    struct bisect_log log;
    int file = memfd_create("log", MFD_CLOEXEC);
    must(file >= 0 && write(file, data, size) == (ssize_t)size);
    if (open_log(&log, file)) {
        size_t count = log.count;
        struct bisect_question question = {.number = 7, .build = 1, .answer = BISECT_MEASURED};
        for (size_t i = 0; i < count; i++) must(log.steps[i].answer != BISECT_UNANSWERED);
        must(bisect_log_book(&log, &question) == 0);
        bisect_log_close(&log);
        must(open_log(&log, file));
        must(log.count == count + 1 && log.steps[count].number == 7);
        ask(&log);
        bisect_log_close(&log);
    }
    close(file);
    return 0;
}
