// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "bisect_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_MAX_SIZE 8192

static void write_head(FILE* out, const char* seeks, const struct words* builds) {
    fprintf(out, "plumbline-bisect 1\nseeks %s\n", seeks);
    for (size_t i = 0; i < builds->count; i++) fprintf(out, "build %zu %s\n", i, builds->list[i]);
}

static enum bisect_answer answer_of(const char* text) {
    int found = names_find(bisect_answer_text, BISECT_ANSWERS, text, strlen(text));
    return found < 0 ? BISECT_UNANSWERED : (enum bisect_answer)found;
}

// False: it is not a complete line of a step.
static bool read_step(const char* line, struct bisect_question* step) {
    char answer[16];
    int used = 0;
    unsigned long long target, events, trials, slices;
    *step = (struct bisect_question){0};
    int found = sscanf(line,
                       "step %u build %zu target %llu answer %15s events %llu trials %llu "
                       "slices %llu squares %lf seconds %lf jvms %u note%n",
                       &step->number, &step->build, &target, answer, &events, &trials, &slices,
                       &step->count.squares, &step->seconds, &step->jvms, &used);
    if (found != 10 || used == 0 || strchr(line, '\n') == NULL) return false;
    step->target = target;
    step->count.events = events;
    step->count.trials = trials;
    step->count.slices = slices;
    step->answer = answer_of(answer);
    const char* note = line + used + (line[used] == ' ');
    snprintf(step->note, sizeof step->note, "%.*s", (int)strcspn(note, "\n"), note);
    return step->answer != BISECT_UNANSWERED && step->answer != BISECT_STOPPED;
}

static bool add_step(struct bisect_log* log, const struct bisect_question* step) {
    struct bisect_question* steps = realloc(log->steps, (log->count + 1) * sizeof *steps);
    if (steps == NULL) return false;
    log->steps = steps;
    steps[log->count++] = *step;
    return true;
}

// False with the first different line in `error`: it is the log of another bisection.
static bool same_head(FILE* file, const char* head, char* error, size_t size, const char* path) {
    char line[LINE_MAX_SIZE];
    for (; *head != '\0'; head += strcspn(head, "\n") + 1) {
        size_t length = strcspn(head, "\n") + 1;
        if (fgets(line, sizeof line, file) != NULL && strlen(line) == length &&
            memcmp(line, head, length) == 0)
            continue;
        snprintf(error, size, "%s is of another bisection: \"%.*s\" is not in it", path,
                 (int)length - 1, head);
        return false;
    }
    return true;
}

// An unfinished last line is cut off.
static int take_steps(struct bisect_log* log) {
    char line[LINE_MAX_SIZE];
    long end = ftell(log->file);
    struct bisect_question step;
    while (fgets(line, sizeof line, log->file) != NULL && read_step(line, &step)) {
        if (!add_step(log, &step)) return -1;
        end = ftell(log->file);
    }
    if (end < 0 || ftruncate(fileno(log->file), end) != 0) return -1;
    return fseek(log->file, end, SEEK_SET);
}

int bisect_log_open(struct bisect_log* log, const char* path, const char* seeks,
                    const struct words* builds, char* error, size_t size) {
    char* head = NULL;
    size_t length;
    *log = (struct bisect_log){.file = fopen(path, "r+")};
    bool there = log->file != NULL && fgetc(log->file) != EOF;
    if (log->file == NULL) log->file = fopen(path, "w+");
    FILE* memory = open_memstream(&head, &length);
    int result = -1;
    snprintf(error, size, "%s: %s", path, strerror(errno));
    if (log->file == NULL || memory == NULL) goto done;
    rewind(log->file);
    write_head(memory, seeks, builds);
    fflush(memory);
    if (!there) result = fputs(head, log->file) == EOF || fflush(log->file) != 0 ? -1 : 0;
    else if (same_head(log->file, head, error, size, path)) result = take_steps(log);
done:
    if (memory != NULL) fclose(memory);
    free(head);
    if (result != 0) bisect_log_close(log);
    return result;
}

bool bisect_log_answer(struct bisect_log* log, struct bisect_question* question) {
    if (log->next >= log->count) return false;
    const struct bisect_question* step = &log->steps[log->next];
    // Written by another version of this program, or edited: the rest is of no use.
    if (step->number != question->number || step->build != question->build ||
        step->target != question->target) {
        log->count = log->next;
        return false;
    }
    log->next++;
    question->answer = step->answer;
    question->count = step->count;
    question->seconds = step->seconds;
    question->jvms = step->jvms;
    memcpy(question->note, step->note, sizeof question->note);
    return true;
}

int bisect_log_book(struct bisect_log* log, const struct bisect_question* question) {
    const struct bisect_count* count = &question->count;
    int length = fprintf(log->file,
                         "step %u build %zu target %llu answer %s events %llu trials %llu slices "
                         "%llu squares %.17g seconds %.17g jvms %u note %.*s\n",
                         question->number, question->build, (unsigned long long)question->target,
                         bisect_answer_text(question->answer), (unsigned long long)count->events,
                         (unsigned long long)count->trials, (unsigned long long)count->slices,
                         count->squares, question->seconds, question->jvms,
                         (int)strcspn(question->note, "\n"), question->note);
    return length > 0 && fflush(log->file) == 0 ? 0 : -1;
}

void bisect_log_close(struct bisect_log* log) {
    if (log->file != NULL) fclose(log->file);
    free(log->steps);
    *log = (struct bisect_log){0};
}
