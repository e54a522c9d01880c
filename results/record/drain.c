// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What a JVM left in its ring when it died, appended to its record by the runner. The agent gives a
// piece of the ring free only after the block that holds it was written, so some pieces may be in
// the record already: samples are told by their numbers, settlements by thread slot and epoch. What
// defines something the recorder itself does not put twice.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record_read.h"

struct drain {
    int file;
    const struct results_record* record; // as it was
    uint64_t* known;                     // numbers of samples that the record has, ascending
    size_t count, room;
    bool memory; // there was none
};

static int write_block(void* context, const void* bytes, size_t size) {
    const struct drain* drain = context;
    return results_block_write(drain->file, bytes, size);
}

static void note_known(void* context, const struct results_sample* sample, bool lost) {
    struct drain* drain = context;
    (void)lost;
    if (!record_grow((void**)&drain->known, drain->count, &drain->room, sizeof *drain->known))
        drain->memory = true;
    else drain->known[drain->count++] = sample->sequence;
}

static int compare_numbers(const void* a, const void* b) {
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static bool is_known(const struct drain* drain, const void* piece, size_t size) {
    const struct results_sample_piece* sample = piece;
    const struct results_settled_piece* settled = piece;
    if (size >= sizeof *settled && settled->kind == RESULTS_PIECE_SETTLED)
        return record_settled(drain->record, settled->thread_slot, settled->epoch) != NULL;
    return size >= sizeof *sample && sample->kind == RESULTS_PIECE_SAMPLE && drain->count != 0 &&
           bsearch(&sample->sample.sequence, drain->known, drain->count, sizeof *drain->known,
                   compare_numbers) != NULL;
}

static int drain_ring(const struct drain* drain, struct results_recorder* recorder,
                      struct results_ring_reader* reader, uint64_t* saved, uint64_t* spoiled) {
    size_t size;
    for (const void* piece; (piece = results_ring_next(reader, &size)) != NULL;) {
        if (is_known(drain, piece, size)) continue;
        int result = results_recorder_piece(recorder, piece, size);
        if (result < 0) return -1;
        *spoiled += result != 0;
        *saved += result == 0 && *(const uint32_t*)piece == RESULTS_PIECE_SAMPLE;
    }
    *spoiled += reader->unfinished;
    return 0;
}

// The last words: counters, how it ended, the end.
static int write_end(struct results_recorder* recorder, const struct results_run* run,
                     uint64_t now_ns) {
    uint64_t values[RESULTS_COUNTERS];
    results_counters_take(run, values);
    if (results_recorder_counters(recorder, now_ns, values, true) != 0 ||
        results_recorder_property(recorder, "source", run->source) != 0 ||
        results_recorder_property(recorder, "end",
                                  "the JVM died; the runner wrote what the ring held") != 0)
        return -1;
    return results_recorder_flush(recorder, now_ns, true);
}

// Notes which samples the record has already.
static int note_all(struct drain* drain, const struct results_record* record) {
    const struct results_record_visitor visitor = {.context = drain, .sample = note_known};
    errno = ENOMEM;
    if (results_record_each(record, &visitor) != 0 || drain->memory) return -1;
    if (drain->count != 0) qsort(drain->known, drain->count, sizeof *drain->known, compare_numbers);
    return 0;
}

static int append(struct drain* drain, const struct results_record* record, struct results_run* run,
                  uint64_t* saved, uint64_t* spoiled) {
    const struct results_recorder_options options = {.context = drain, .write = write_block};
    struct results_ring ring = results_run_ring(run);
    struct results_ring_reader reader = {.ring = ring, .next = ring.ends->read, .abandoned = true};
    struct results_recorder* recorder = results_recorder_open(&options);
    int result = -1;
    errno = ENOMEM;
    if (recorder != NULL && record_put_behind(recorder, record) == 0)
        result = drain_ring(drain, recorder, &reader, saved, spoiled);
    if (result == 0) result = write_end(recorder, run, record->last_ns);
    results_recorder_close(recorder);
    return result;
}

// Opens the file behind its last whole block: what a write that was cut left there is removed. The
// record's bytes behind it must not be read any more.
static int open_behind(const char* path, const struct results_record* record) {
    int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file < 0 || ftruncate(file, (off_t)record->whole_end) == 0) return file;
    close(file);
    return -1;
}

static int finish_record(struct results_run* run, const char* path,
                         const struct results_record* record, uint64_t* saved, uint64_t* spoiled) {
    struct drain drain = {.file = -1, .record = record};
    int result = note_all(&drain, record);
    if (result == 0) result = drain.file = open_behind(path, record);
    if (result >= 0) result = append(&drain, record, run, saved, spoiled);
    if (drain.file >= 0 && close(drain.file) != 0) result = -1;
    free(drain.known);
    return result;
}

// Nobody needs the ring any more: the file system may have its blocks back, page by page.
static void give_back(struct results_run* run) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)run->ring;
    uintptr_t end = (begin + sizeof run->ring) & ~(page - 1);
    begin = (begin + page - 1) & ~(page - 1);
    if (begin < end) (void)madvise((void*)begin, end - begin, MADV_REMOVE);
    run->ring_ends.read = run->ring_ends.tail = run->ring_ends.head;
}

int results_run_drain(struct results_run* run, const char* path, uint64_t* saved,
                      uint64_t* spoiled) {
    *saved = *spoiled = 0;
    int result = 0;
    struct results_record* record = results_record_open_file(path);
    if (record == NULL && errno != ENOENT) return -1;
    bool begun = record != NULL && record->sizes.blocks != 0;
    if (begun && !record->ended) result = finish_record(run, path, record, saved, spoiled);
    if (result != 0) results_run_note_error(run, errno);
    results_record_close(record);
    if (begun && result == 0) give_back(run);
    return result;
}
