// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: a JVM's compilation log that was cut where the JVM died, is of a later release, or of
// something else. Against itself, all that it inlines was compiled and kept.
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inlining_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void must(bool right) {
    if (!right) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    char path[64];
    int file = memfd_create("log", MFD_CLOEXEC);
    must(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    struct inlining* log = inlining_read(path, NULL);
    must(log != NULL);
    for (unsigned compiler = 0; compiler < RESULTS_COMPILERS; compiler++) {
        struct results_inlined sites = inlining_compare(log, log, compiler);
        must(sites.compiled <= sites.bare && sites.kept == sites.compiled);
    }
    inlining_close(log);
    close(file);
    return 0;
}
