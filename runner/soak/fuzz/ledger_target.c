// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: the ledger of a soak that was cut, edited, or is another file. What is refused is
// named. What is taken can be added up and printed, has an exit status, and written again is read
// as the same. So is the file itself, opened for more entries: at most its last line, which had no
// end, is gone.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "soak_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void must(bool right) {
    if (!right) abort();
}

struct reading {
    struct soak_sum sum;
    int copy; // descriptor of a ledger that gets every entry; -1: none
};

static void take(void* context, const struct soak_entry* entry) {
    struct reading* reading = context;
    soak_sum_add(&reading->sum, entry);
    must(entry->number != 0 && entry->outcome < SOAK_OUTCOME_COUNT);
    if (reading->copy >= 0) must(soak_ledger_add(reading->copy, entry) == 0);
}

static int file_of(const void* data, size_t size) {
    int file = memfd_create("ledger", MFD_CLOEXEC);
    must(file >= 0 && write(file, data, size) == (ssize_t)size);
    return file;
}

// What is printed of the file; NULL: it is refused. The caller frees it.
static char* print(int file, int copy) {
    char path[64], error[512] = "", *text = NULL;
    size_t length;
    struct reading reading = {.copy = copy};
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (soak_ledger_read(path, take, &reading, error, sizeof error) == 0) {
        FILE* out = open_memstream(&text, &length);
        soak_sum_print(&reading.sum, out);
        must(soak_sum_status(&reading.sum) <= RUNNER_EXIT_INCONCLUSIVE);
        fclose(out);
    } else {
        must(strncmp(error, path, strlen(path)) == 0);
    }
    soak_sum_free(&reading.sum);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    char path[64];
    int file = file_of(data, size), copy = file_of("", 0);
    char* text = print(file, copy);
    if (text != NULL) {
        char* again = print(copy, -1);
        must(again != NULL && strcmp(text, again) == 0);
        free(again);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
        int more = soak_ledger_open(path);
        must(more >= 0 && close(more) == 0);
        again = print(file, -1);
        must(again != NULL && strcmp(text, again) == 0);
        free(again);
        free(text);
    }
    close(file);
    close(copy);
    return 0;
}
