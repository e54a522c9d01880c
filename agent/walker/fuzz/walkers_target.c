// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: a walkers.ini that was edited, cut, or is another file. A description that is taken
// can be called: its walker gets a trace and room for frames of its own layout, and whatever it
// writes there is brought to the oracle's form; what is refused says why.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "walker.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { DEPTH = 4 };

static void must(bool right) {
    if (!right) abort();
}

static unsigned called;

// It may be called with any arguments: it takes none.
static void any_walker(void) {
    called++;
}

static void is_sound(const struct walker_description* d, const uint8_t* data, size_t size) {
    struct walker walker;
    struct oracle_frame frames[DEPTH];
    int env, ucontext;
    must(d->symbol[0] != '\0' && d->argument_count != 0);
    must(d->argument_count <= WALKER_ARGUMENTS_MAX);
    if (walker_prepare(&walker, d, any_walker) != 0) return;
    // Of the very size, so that a byte behind it is found.
    size_t bytes = (size_t)DEPTH * d->frame_size;
    char* raw = malloc(bytes);
    must(raw != NULL);
    for (size_t i = 0; i < bytes; i++) raw[i] = (char)data[i % size];
    called = 0;
    // In its thread such a walker is called the same way.
    walker.description.other_thread = false;
    int32_t count = walker_call(&walker, &env, raw, DEPTH, &ucontext, 1);
    must(called == 1);
    must(count <= 0); // the trace was zeroed, and a code stands for a code
    must(walker_frames(&walker, raw, DEPTH, frames) <= DEPTH);
    free(raw);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const char* const names[] = {"AsyncGetCallTrace", "AsyncGetCallTraceThread",
                                        "AsyncGetStackTrace", "AsyncGetStackTraceOther", "a"};
    char path[64];
    int file = memfd_create("walkers", MFD_CLOEXEC);
    must(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct walker_description d;
        char error[512] = "";
        if (walker_describe(path, names[i], &d, error, sizeof error) == 0) is_sound(&d, data, size);
        else must(error[0] != '\0');
    }
    close(file);
    return 0;
}
