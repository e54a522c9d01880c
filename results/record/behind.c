// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Samples of what was judged after the run, put behind the end of its record.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "record_read.h"

struct results_behind {
    int file;
    struct results_record* record; // as it was
    struct results_recorder* recorder;
    void (*met)(void* context, uint32_t index, uint64_t id, uint32_t number);
    void* context; // of `met`
};

static int write_block(void* context, const void* bytes, size_t size) {
    const struct results_behind* behind = context;
    return results_block_write(behind->file, bytes, size);
}

static void tell_met(void* context, uint32_t index, uint64_t id, uint32_t number) {
    const struct results_behind* behind = context;
    if (behind->met != NULL) behind->met(behind->context, index, id, number);
}

static void free_behind(struct results_behind* behind) {
    int error = errno;
    results_recorder_close(behind->recorder);
    results_record_close(behind->record);
    if (behind->file >= 0) close(behind->file);
    free(behind);
    errno = error;
}

static int begin(struct results_behind* behind, const char* path) {
    const struct results_recorder_options options = {behind, write_block, tell_met};
    behind->record = results_record_open_file(path);
    if (behind->record == NULL) return -1;
    errno = EPROTO;
    if (!behind->record->ended) return -1;
    behind->file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (behind->file < 0) return -1;
    errno = ENOMEM;
    behind->recorder = results_recorder_open(&options);
    if (behind->recorder == NULL) return -1;
    return record_put_behind(behind->recorder, behind->record);
}

struct results_behind* results_behind_open(const char* path,
                                           void (*met)(void* context, uint32_t index, uint64_t id,
                                                       uint32_t number),
                                           void* context) {
    struct results_behind* behind = calloc(1, sizeof *behind);
    if (behind == NULL) return NULL;
    behind->file = -1;
    behind->met = met;
    behind->context = context;
    if (begin(behind, path) == 0) return behind;
    free_behind(behind);
    return NULL;
}

struct results_recorder* results_behind_recorder(struct results_behind* behind) {
    return behind->recorder;
}

static int put_end(struct results_behind* behind, const struct results_run* run, const char* why) {
    uint64_t values[RESULTS_COUNTERS];
    results_counters_take(run, values);
    if (results_recorder_counters(behind->recorder, behind->record->last_ns, values, true) != 0 ||
        results_recorder_property(behind->recorder, "end", why) != 0)
        return -1;
    return results_recorder_flush(behind->recorder, behind->record->last_ns, true);
}

int results_behind_close(struct results_behind* behind, const struct results_run* run,
                         const char* why) {
    int result = put_end(behind, run, why);
    int file = behind->file;
    behind->file = -1;
    if (close(file) != 0) result = -1;
    free_behind(behind);
    return result;
}
