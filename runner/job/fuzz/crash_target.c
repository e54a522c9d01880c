// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: HotSpot's error log, which a dying JVM wrote as far as it came, or anything else. What
// is told is one line.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "job_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void must(bool right) {
    if (!right) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    struct crash_told told;
    FILE* log = fdopen(memfd_create("log", MFD_CLOEXEC), "w+");
    must(log != NULL && fwrite(data, 1, size, log) == size && fseek(log, 0, SEEK_SET) == 0);
    memset(&told, '\n', sizeof told);
    crash_read(log, &told);
    must(memchr(told.note, '\0', sizeof told.note) != NULL && strchr(told.note, '\n') == NULL);
    fclose(log);
    return 0;
}
