// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The ledger: README.md has its members.
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "soak_parts.h"

const char* soak_outcome_text(unsigned outcome) {
    static const char* const texts[] = {
#define SOAK_OUTCOME_TEXT(name, text, explanation) text,
        SOAK_OUTCOMES(SOAK_OUTCOME_TEXT)
#undef SOAK_OUTCOME_TEXT
    };
    return outcome < SOAK_OUTCOME_COUNT ? texts[outcome] : "?";
}

bool soak_is_wrong(enum soak_outcome outcome) {
    return outcome >= SOAK_HARNESS;
}

bool soak_is_kept(enum soak_outcome outcome) {
    return soak_is_wrong(outcome) || outcome == SOAK_DIED_KNOWN || outcome == SOAK_BEYOND;
}

static const char* watched_text(unsigned watched) {
    static const char* const texts[] = {[SOAK_RUNNER] = "command",
                                        [SOAK_AGENT] = "agent",
                                        [SOAK_MAPPED] = "mapped",
                                        [SOAK_JVM] = "jvm"};
    return texts[watched];
}

// ---- Writing ------------------------------------------------------------------------------------

static json_t* count_json(const struct soak_count* count) {
    return json_pack("{s:I, s:I, s:I}", "judged", (json_int_t)count->judged, "mismatched",
                     (json_int_t)count->mismatched, "unexplained", (json_int_t)count->unexplained);
}

static json_t* layers_json(const struct soak_entry* entry) {
    json_t* layers = json_object();
    for (int l = 0; l < ORACLE_LAYER_COUNT; l++) {
        const struct soak_count* count = &entry->layer[l];
        if ((count->judged | count->mismatched | count->unexplained) != 0)
            json_object_set_new(layers, oracle_layer_text((enum oracle_layer)l), count_json(count));
    }
    return layers;
}

static json_t* memory_json(const struct soak_entry* entry) {
    json_t* memory = json_object();
    for (unsigned w = 0; w < SOAK_WATCHED; w++) {
        const struct soak_memory* m = &entry->memory[w];
        json_object_set_new(memory, watched_text(w),
                            json_pack("{s:I, s:I, s:I, s:f}", "peak", (json_int_t)m->peak, "first",
                                      (json_int_t)m->first, "last", (json_int_t)m->last, "span",
                                      m->span));
    }
    return memory;
}

static json_t* entry_json(const struct soak_entry* entry) {
    return json_pack(
        "{s:I, s:I, s:s, s:o, s:o, s:s, s:s, s:o, s:f, s:s, s:o, s:o, s:I, s:I, s:I, s:o}", "seed",
        (json_int_t)entry->seed, "round", (json_int_t)entry->number, "began", entry->began,
        "version", output_json_text(entry->version), "name", output_json_text(entry->name), "mode",
        entry->mode, "scope", entry->scope, "options", output_json_text(entry->options), "seconds",
        entry->seconds, "outcome", soak_outcome_text(entry->outcome), "reason",
        output_json_text(entry->reason), "layers", layers_json(entry), "waiting",
        (json_int_t)entry->waiting, "threads", (json_int_t)entry->threads, "lives",
        (json_int_t)entry->lives, "memory", memory_json(entry));
}

// The end of the last whole line; -1: it cannot be read.
static off_t whole_end(int fd, off_t size) {
    char block[4096];
    while (size > 0) {
        size_t length = size < (off_t)sizeof block ? (size_t)size : sizeof block;
        off_t begin = size - (off_t)length;
        errno = EIO; // where it ends too early
        if (pread(fd, block, length, begin) != (ssize_t)length) return -1;
        const char* newline = memrchr(block, '\n', length);
        if (newline != NULL) return begin + (newline - block) + 1;
        size = begin;
    }
    return 0;
}

// Cuts off what is behind the last whole line. 0, or an error's number.
static int keep_whole(int fd) {
    off_t size = lseek(fd, 0, SEEK_END);
    off_t end = size < 0 ? -1 : whole_end(fd, size);
    return end < 0 || ftruncate(fd, end) != 0 ? errno : 0;
}

int soak_ledger_open(const char* path) {
    int fd = output_open_log(path);
    if (fd < 0) return -1;
    int error = keep_whole(fd);
    if (error == 0) return fd;
    close(fd);
    errno = error;
    return -1;
}

// A line that finds no room leaves nothing of itself.
static int write_line(int fd, const char* line, size_t length) {
    off_t before = lseek(fd, 0, SEEK_END);
    ssize_t written = write(fd, line, length);
    if (written == (ssize_t)length) return fdatasync(fd);
    int error = written < 0 ? errno : ENOSPC;
    if (before >= 0 && ftruncate(fd, before) != 0) error = errno;
    errno = error;
    return -1;
}

int soak_ledger_add(int fd, const struct soak_entry* entry) {
    json_t* object = base_must(entry_json(entry));
    char* text = base_must(json_dumps(object, JSON_COMPACT));
    char* line = base_text("%s\n", text);
    int result = write_line(fd, line, strlen(line));
    int error = errno;
    free(line);
    free(text);
    json_decref(object);
    errno = error;
    return result;
}

// ---- Reading ------------------------------------------------------------------------------------

static void take_text(const json_t* object, const char* key, char* text, size_t size) {
    const char* value = json_string_value(json_object_get(object, key));
    snprintf(text, size, "%s", value != NULL ? value : "");
}

static uint64_t take_count(const json_t* object, const char* key) {
    json_int_t value = json_integer_value(json_object_get(object, key));
    return value > 0 ? (uint64_t)value : 0;
}

static void take_layers(const json_t* layers, struct soak_entry* entry) {
    for (int l = 0; l < ORACLE_LAYER_COUNT; l++) {
        const json_t* layer = json_object_get(layers, oracle_layer_text((enum oracle_layer)l));
        entry->layer[l] = (struct soak_count){.judged = take_count(layer, "judged"),
                                              .mismatched = take_count(layer, "mismatched"),
                                              .unexplained = take_count(layer, "unexplained")};
    }
}

static void take_memory(const json_t* memory, struct soak_entry* entry) {
    for (unsigned w = 0; w < SOAK_WATCHED; w++) {
        const json_t* m = json_object_get(memory, watched_text(w));
        entry->memory[w] =
            (struct soak_memory){.peak = (int64_t)take_count(m, "peak"),
                                 .first = (int64_t)take_count(m, "first"),
                                 .last = (int64_t)take_count(m, "last"),
                                 .span = json_number_value(json_object_get(m, "span"))};
        if (!(entry->memory[w].span > 0)) entry->memory[w].span = 0;
    }
}

// What is missing is zero or empty; a line without a round or an outcome is none of ours.
static bool take_entry(const json_t* object, struct soak_entry* entry) {
    char outcome[32];
    *entry = (struct soak_entry){.seed = take_count(object, "seed"),
                                 .number = take_count(object, "round"),
                                 .seconds = json_number_value(json_object_get(object, "seconds")),
                                 .waiting = take_count(object, "waiting"),
                                 .threads = take_count(object, "threads"),
                                 .lives = take_count(object, "lives")};
    take_text(object, "began", entry->began, sizeof entry->began);
    take_text(object, "version", entry->version, sizeof entry->version);
    take_text(object, "name", entry->name, sizeof entry->name);
    take_text(object, "mode", entry->mode, sizeof entry->mode);
    take_text(object, "scope", entry->scope, sizeof entry->scope);
    take_text(object, "options", entry->options, sizeof entry->options);
    take_text(object, "reason", entry->reason, sizeof entry->reason);
    take_text(object, "outcome", outcome, sizeof outcome);
    take_layers(json_object_get(object, "layers"), entry);
    take_memory(json_object_get(object, "memory"), entry);
    int found = names_find(soak_outcome_text, SOAK_OUTCOME_COUNT, outcome, strlen(outcome));
    if (found < 0 || entry->number == 0 || !(entry->seconds >= 0)) return false;
    entry->outcome = (enum soak_outcome)found;
    return true;
}

// The beginning of a line that soak_ledger_add wrote, as a kill or a full disk leaves it.
static bool is_cut_line(const char* line, size_t length) {
    static const char first[] = {'{', '"', 's', 'e', 'e', 'd', '"', ':'};
    return line[length - 1] != '\n' &&
           memcmp(line, first, length < sizeof first ? length : sizeof first) == 0;
}

int soak_ledger_read(const char* path, void (*take)(void* context, const struct soak_entry* entry),
                     void* context, char* error, size_t error_size) {
    FILE* file = output_open_read(path);
    if (file == NULL && errno == ENOENT) return 0;
    if (file == NULL) return base_reason(-1, error, error_size, "%s: %s", path, output_why());
    char* line = NULL;
    size_t room = 0, number = 0;
    ssize_t length;
    int result = 0;
    while (result == 0 && (length = getline(&line, &room, file)) > 0 &&
           !is_cut_line(line, (size_t)length)) {
        struct soak_entry entry;
        json_t* object = json_loadb(line, (size_t)length, 0, NULL);
        number++;
        bool whole = line[length - 1] == '\n';
        if (whole && take_entry(object, &entry)) take(context, &entry);
        else
            result = base_reason(-1, error, error_size, "%s:%zu: no entry of a soak's ledger", path,
                                 number);
        json_decref(object);
    }
    if (result == 0 && ferror(file))
        result = base_reason(-1, error, error_size, "%s: %s", path, strerror(errno));
    free(line);
    fclose(file);
    return result;
}
