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

// Of what is there of the log: its head, a part of that, which holds no answers, or something else.
enum head { HEAD_WHOLE, HEAD_CUT, HEAD_OTHER };

// Where it is something else, with the first different line in `error`, or why it cannot be read.
static enum head compare_head(FILE* file, const char* head, char* error, size_t size,
                              const char* path) {
    char line[LINE_MAX_SIZE];
    for (; *head != '\0'; head += strcspn(head, "\n") + 1) {
        size_t length = strcspn(head, "\n") + 1;
        long begin = ftell(file);
        size_t got = fgets(line, sizeof line, file) != NULL ? strlen(line) : 0;
        if (ferror(file)) {
            snprintf(error, size, "%s: %s", path, strerror(errno));
            return HEAD_OTHER;
        }
        bool same = got <= length && memcmp(line, head, got) == 0;
        if (same && got == length) continue;
        if (same && feof(file) && ftell(file) == begin + (long)got) return HEAD_CUT;
        snprintf(error, size, "%s is of another bisection: \"%.*s\" is not in it", path,
                 (int)length - 1, head);
        return HEAD_OTHER;
    }
    return HEAD_WHOLE;
}

// Begins at the file's beginning, of which nothing is kept.
static int begin_log(FILE* file, const char* head) {
    rewind(file);
    return ftruncate(fileno(file), 0) == 0 && fputs(head, file) != EOF && fflush(file) == 0 ? 0
                                                                                            : -1;
}

// A last line without its end is cut off. Any other that is no step is left as it is, and named.
static int take_steps(struct bisect_log* log, const char* path, char* error, size_t size) {
    char line[LINE_MAX_SIZE];
    long end = ftell(log->file);
    struct bisect_question step;
    while (fgets(line, sizeof line, log->file) != NULL &&
           (strchr(line, '\n') || !feof(log->file))) {
        if (!read_step(line, &step))
            return base_reason(-1, error, size, "%s: no step of a bisection: \"%.*s\"", path,
                               (int)strcspn(line, "\n"), line);
        if (!add_step(log, &step)) return base_reason(-1, error, size, "no memory");
        end = ftell(log->file);
    }
    if (end >= 0 && !ferror(log->file) && ftruncate(fileno(log->file), end) == 0 &&
        fseek(log->file, end, SEEK_SET) == 0)
        return 0;
    return base_reason(-1, error, size, "%s: %s", path, strerror(errno));
}

int bisect_log_open(struct bisect_log* log, const char* path, const char* seeks,
                    const struct words* builds, char* error, size_t size) {
    char* head = NULL;
    size_t length;
    int fd = output_open_log(path);
    *log = (struct bisect_log){.file = fd >= 0 ? fdopen(fd, "r+") : NULL};
    FILE* memory = open_memstream(&head, &length);
    int result = -1;
    snprintf(error, size, "%s: %s", path, output_why());
    if (log->file == NULL || memory == NULL) goto done;
    write_head(memory, seeks, builds);
    fflush(memory);
    enum head found = compare_head(log->file, head, error, size, path);
    if (found == HEAD_WHOLE) result = take_steps(log, path, error, size);
    else if (found == HEAD_CUT && (result = begin_log(log->file, head)) != 0)
        snprintf(error, size, "%s: %s", path, strerror(errno));
done:
    if (memory != NULL) fclose(memory);
    if (log->file == NULL && fd >= 0) close(fd);
    free(head);
    if (result != 0) bisect_log_close(log);
    return result;
}

// A log that was edited, or that another version of this program wrote, has steps that nobody asks
// for.
bool bisect_log_answer(const struct bisect_log* log, struct bisect_question* question) {
    for (size_t i = 0; i < log->count; i++) {
        const struct bisect_question* step = &log->steps[i];
        if (step->number != question->number || step->build != question->build ||
            step->target != question->target)
            continue;
        question->answer = step->answer;
        question->count = step->count;
        question->seconds = step->seconds;
        question->jvms = step->jvms;
        memcpy(question->note, step->note, sizeof question->note);
        return true;
    }
    return false;
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
