// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// ProfileReader's text. It is made of a file that the JVM under test wrote: nothing in it is
// trusted.
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

#define HEAD "plumbline-profile 1"
#define NAMES_MAX (1u << 22)  // as the record's methods
#define FRAMES_MAX (1u << 16) // of a sample; 8192 is the deepest that is asked for
#define SAMPLES_MAX (1u << 28)
#define THREADS_MAX (1u << 24)

struct reading {
    const char* path;
    unsigned long line;
    struct results_profile_file* file;
    char* error;
    size_t error_size;
    bool cut; // the last frame says that older ones are missing
};

__attribute__((format(printf, 2, 3))) static int refuse(const struct reading* r, const char* format,
                                                        ...) {
    int used = snprintf(r->error, r->error_size, "%s:%lu: ", r->path, r->line);
    if (used < 0 || (size_t)used >= r->error_size) return -1;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->error + used, r->error_size - (size_t)used, format, arguments);
    va_end(arguments);
    return -1;
}

bool profile_grow(void** list, size_t count, size_t* room, size_t size) {
    if (count < *room) return true;
    size_t more = *room == 0 ? 64 : 2 * *room;
    void* grown = realloc(*list, more * size);
    if (grown == NULL) return false;
    *list = grown;
    *room = more;
    return true;
}

// ---- Words -------------------------------------------------------------------------------------

// A whole number at *at, which a blank, `stop` or the end must follow; goes behind it.
static bool take_number(char** at, char stop, int64_t low, int64_t high, int64_t* value) {
    char* end;
    if (**at != '-' && (**at < '0' || **at > '9')) return false;
    errno = 0;
    long long n = strtoll(*at, &end, 10);
    if (errno != 0 || end == *at || n < low || n > high) return false;
    if (*end != stop && *end != ' ' && *end != '\0') return false;
    *value = n;
    *at = end;
    return true;
}

static bool take_blank(char** at) {
    if (**at != ' ') return false;
    ++*at;
    return true;
}

static bool take_word(char** at, int64_t low, int64_t high, int64_t* value) {
    return take_blank(at) && take_number(at, ' ', low, high, value);
}

// ---- Lines -------------------------------------------------------------------------------------

static int take_method(struct reading* r, char* at) {
    struct results_profile_file* f = r->file;
    int64_t index;
    if (!take_word(&at, 0, NAMES_MAX, &index) || !take_blank(&at) || *at == '\0')
        return refuse(r, "a method is \"m INDEX NAME\"");
    if ((uint64_t)index != f->name_count)
        return refuse(r, "method %lld where %zu is next", (long long)index, f->name_count);
    if (!profile_grow((void**)&f->names, f->name_count, &f->name_room, sizeof *f->names))
        return refuse(r, "no memory");
    f->names[f->name_count] = strdup(at);
    if (f->names[f->name_count] == NULL) return refuse(r, "no memory");
    f->name_count++;
    return 0;
}

static int take_thread(struct reading* r, char* at) {
    struct results_profile_file* f = r->file;
    int64_t java;
    if (!take_word(&at, 1, INT64_MAX, &java) || !take_blank(&at))
        return refuse(r, "a thread is \"t JAVATHREAD NAME\"");
    if (f->thread_count >= THREADS_MAX) return refuse(r, "more than %u threads", THREADS_MAX);
    if (!profile_grow((void**)&f->threads, f->thread_count, &f->thread_room, sizeof *f->threads))
        return refuse(r, "no memory");
    char* name = strdup(at);
    if (name == NULL) return refuse(r, "no memory");
    f->threads[f->thread_count++] = (struct results_profile_thread){(uint64_t)java, name};
    return 0;
}

static bool take_flags(char** at, uint32_t* flags) {
    static const char letters[] = "vfbtr";
    *flags = 0;
    if (!take_blank(at)) return false;
    if (**at == '-') return ++*at, **at == ' ';
    if (**at == ' ' || **at == '\0') return false;
    for (; **at != ' ' && **at != '\0'; ++*at) {
        const char* found = strchr(letters, **at);
        if (found == NULL) return false;
        *flags |= 1u << (found - letters);
    }
    return true;
}

static bool skip_word(char** at) {
    if (!take_blank(at)) return false;
    size_t length = strcspn(*at, " ");
    *at += length;
    return length != 0;
}

// async-profiler ends a stack that it could not walk to its end with one of these.
#define BROKEN "break_"
#define UNKNOWN "unknown()L;"
// And this stands for a method of a class that has been unloaded.
#define STALE "stale_jmethodID()L;"
// async-profiler's descriptor of C functions, which no method can have.
#define NO_DESCRIPTOR "()L;"

static bool is_no_method(const char* name) {
    size_t length = strlen(name), end = sizeof NO_DESCRIPTOR - 1;
    return length >= end && strcmp(name + length - end, NO_DESCRIPTOR) == 0;
}

// "METHOD:BCI:LINE:KIND". Frames of libraries are passed over.
static int take_frame(struct reading* r, char** at, struct results_profile_sample* sample) {
    struct results_profile_file* f = r->file;
    int64_t method, bci, line;
    if (!take_number(at, ':', 0, NAMES_MAX, &method) || *(*at)++ != ':' ||
        !take_number(at, ':', INT32_MIN, INT32_MAX, &bci) || *(*at)++ != ':' ||
        !take_number(at, ':', INT32_MIN, INT32_MAX, &line) || *(*at)++ != ':')
        return refuse(r, "a frame is METHOD:BCI:LINE:KIND");
    char kind = **at;
    if (kind == '\0' || strchr("tjinsu", kind) == NULL) return refuse(r, "a kind is one of tjinsu");
    ++*at;
    if (**at != ' ' && **at != '\0') return refuse(r, "a kind is one letter");
    if ((uint64_t)method >= f->name_count)
        return refuse(r, "method %lld is not known", (long long)method);
    bool foreign = kind == 's' || is_no_method(f->names[method]);
    const char* name = f->names[method];
    sample->all++;
    r->cut =
        foreign && (strncmp(name, BROKEN, sizeof BROKEN - 1) == 0 || strcmp(name, UNKNOWN) == 0);
    if (foreign && strcmp(name, STALE) == 0) sample->flags |= RESULTS_PROFILE_NAMELESS;
    if (foreign && sample->count == 0 && !r->cut) sample->above = (uint32_t)method + 1;
    if (foreign) return 0;
    if (!profile_grow((void**)&f->frames, f->frame_count, &f->frame_room, sizeof *f->frames))
        return refuse(r, "no memory");
    if (sample->count >= FRAMES_MAX) return refuse(r, "more than %u frames", FRAMES_MAX);
    f->frames[f->frame_count++] = (struct results_profile_frame){
        (uint32_t)method, kind == 'n' ? ORACLE_BCI_NATIVE : (int32_t)bci};
    sample->count++;
    return 0;
}

static int take_sample(struct reading* r, char* at) {
    struct results_profile_file* f = r->file;
    struct results_profile_sample sample = {.first = f->frame_count};
    int64_t thread, java;
    if (!take_word(&at, INT64_MIN, INT64_MAX, &sample.begin_ticks) ||
        !take_word(&at, INT64_MIN, INT64_MAX, &sample.end_ticks) ||
        !take_word(&at, INT64_MIN, INT64_MAX, &thread) ||
        !take_word(&at, INT64_MIN, INT64_MAX, &java) || !take_flags(&at, &sample.flags) ||
        !skip_word(&at))
        return refuse(r, "a sample is \"s BEGIN END THREAD JAVATHREAD FLAGS STATE FRAME...\"");
    sample.thread = thread > 0 && thread <= UINT32_MAX ? (uint32_t)thread : 0;
    sample.java_thread = java > 0 ? (uint64_t)java : 0;
    r->cut = false;
    while (take_blank(&at)) {
        if (*at == '-' && (at[1] == ' ' || at[1] == '\0')) { // a method that the file lost
            at++;
            sample.flags |= RESULTS_PROFILE_NAMELESS;
        } else if (take_frame(r, &at, &sample) != 0) return -1;
    }
    if (*at != '\0') return refuse(r, "no frame: \"%.20s\"", at);
    if (r->cut) sample.flags |= RESULTS_PROFILE_TRUNCATED;
    if ((sample.flags & RESULTS_PROFILE_FAILED) != 0 && sample.count != 0)
        return refuse(r, "a sample that failed has frames");
    if (f->sample_count >= SAMPLES_MAX) return refuse(r, "more than %u samples", SAMPLES_MAX);
    if (!profile_grow((void**)&f->samples, f->sample_count, &f->sample_room, sizeof *f->samples))
        return refuse(r, "no memory");
    f->samples[f->sample_count++] = sample;
    return 0;
}

static int take_lost(struct reading* r, char* at) {
    int64_t ticks, thread, java, count;
    if (!take_word(&at, INT64_MIN, INT64_MAX, &ticks) ||
        !take_word(&at, INT64_MIN, INT64_MAX, &thread) ||
        !take_word(&at, INT64_MIN, INT64_MAX, &java) || !take_word(&at, 0, UINT32_MAX, &count) ||
        *at != '\0')
        return refuse(r, "lost samples are \"l TICKS THREAD JAVATHREAD COUNT\"");
    r->file->lost += (uint64_t)count;
    return 0;
}

static int take_end(struct reading* r, char* at) {
    int64_t samples;
    if (!take_word(&at, 0, INT64_MAX, &samples) || *at != '\0')
        return refuse(r, "the end is \"end SAMPLES\"");
    if ((uint64_t)samples != r->file->sample_count)
        return refuse(r, "%lld samples were written, and %zu are here", (long long)samples,
                      r->file->sample_count);
    return 1;
}

// 1: it was the end.
static int take_line(struct reading* r, char* line) {
    if (r->line == 1)
        return strcmp(line, HEAD) == 0 ? 0 : refuse(r, "it does not begin with \"" HEAD "\"");
    if (strncmp(line, "m ", 2) == 0) return take_method(r, line + 1);
    if (strncmp(line, "t ", 2) == 0) return take_thread(r, line + 1);
    if (strncmp(line, "s ", 2) == 0) return take_sample(r, line + 1);
    if (strncmp(line, "l ", 2) == 0) return take_lost(r, line + 1);
    if (strncmp(line, "end ", 4) == 0) return take_end(r, line + 3);
    return refuse(r, "no line of this format: \"%.20s\"", line);
}

static int take_all(struct reading* r, FILE* in) {
    char* line = NULL;
    size_t room = 0;
    int result = 0;
    for (ssize_t length; result == 0 && (length = getline(&line, &room, in)) >= 0;) {
        r->line++;
        if (length == 0 || line[length - 1] != '\n') result = refuse(r, "the line is cut");
        else if (line[length - 1] = '\0', strlen(line) != (size_t)length - 1)
            result = refuse(r, "there is a zero byte");
        else result = take_line(r, line);
    }
    if (result == 1 && getc(in) != EOF) {
        r->line++;
        result = refuse(r, "there is something behind the end");
    }
    if (result == 0) result = refuse(r, ferror(in) ? "cannot read" : "the end is missing");
    free(line);
    return result == 1 ? 0 : -1;
}

void results_profile_file_free(struct results_profile_file* file) {
    for (size_t i = 0; i < file->name_count; i++) free(file->names[i]);
    for (size_t i = 0; i < file->thread_count; i++) free(file->threads[i].name);
    free(file->names);
    free(file->threads);
    free(file->samples);
    free(file->frames);
    *file = (struct results_profile_file){0};
}

int results_profile_read(const char* path, struct results_profile_file* file, char* error,
                         size_t error_size) {
    struct reading r = {.path = path, .file = file, .error = error, .error_size = error_size};
    *file = (struct results_profile_file){0};
    FILE* in = fopen(path, "r");
    if (in == NULL) {
        snprintf(error, error_size, "%s: %s", path, strerror(errno));
        return -1;
    }
    int result = take_all(&r, in);
    fclose(in);
    if (result != 0) results_profile_file_free(file);
    return result;
}
