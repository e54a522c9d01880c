// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <errno.h>
#include <gsl/gsl_statistics_double.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "instrument_parts.h"
#include "instrument.h"

#define PASSES 9 // after the first; the warm time is their median
#define LENGTH_SIZE 4

// All classes one after the other, each behind its length.
struct store {
    uint8_t* bytes;
    size_t used, size;
    uint64_t classes;
};

static void put_length(uint8_t* at, size_t length) {
    for (int i = 0; i < LENGTH_SIZE; i++) at[i] = (uint8_t)(length >> (24 - 8 * i));
}

static size_t get_length(const uint8_t* at) {
    return (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
}

static int keep(void* context, const char* path, const uint8_t* bytes, size_t length, char* error,
                size_t error_size) {
    struct store* store = context;
    size_t needed = store->used + LENGTH_SIZE + length;
    if (needed > store->size) {
        uint8_t* grown = realloc(store->bytes, 2 * needed);
        if (grown == NULL) return base_reason(-1, error, error_size, "%s: no memory", path);
        store->bytes = grown;
        store->size = 2 * needed;
    }
    put_length(store->bytes + store->used, length);
    memcpy(store->bytes + store->used + LENGTH_SIZE, bytes, length);
    store->used = needed;
    store->classes++;
    return 0;
}

static bool write_store(const struct store* store, const char* path) {
    FILE* out = fopen(path, "wb");
    if (out == NULL) return false;
    bool whole = fwrite(store->bytes, 1, store->used, out) == store->used;
    return (fclose(out) == 0) && whole;
}

static double pass(struct rewrite* rewrite, const struct store* store) {
    double start = rewrite_clock();
    const uint8_t* end = store->bytes + store->used;
    for (const uint8_t* at = store->bytes; at < end; at += get_length(at) + LENGTH_SIZE) {
        size_t length = get_length(at);
        rewrite_class(rewrite, "", at + LENGTH_SIZE, &length);
    }
    return rewrite_clock() - start;
}

// The process's resident memory (proc(5), statm's second number). 0: unknown.
static long memory_kilobytes(void) {
    long all, resident = 0;
    FILE* in = fopen("/proc/self/statm", "r");
    if (in == NULL) return 0;
    if (fscanf(in, "%ld %ld", &all, &resident) != 2) resident = 0;
    fclose(in);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static int measure(const struct store* store) {
    double warm[PASSES];
    struct rewrite rewrite;
    long before = memory_kilobytes();
    if (rewrite_init(&rewrite) != 0) return -1;
    double cold = pass(&rewrite, store);
    struct rewrite_counts counts = rewrite.counts;
    for (int i = 0; i < PASSES; i++) {
        rewrite.last_number = 0;
        warm[i] = pass(&rewrite, store);
    }
    long buffers = memory_kilobytes() - before;
    rewrite_free(&rewrite);
    printf("classes %llu\n", (unsigned long long)counts.classes);
    printf("bytes %llu\n", (unsigned long long)counts.bytes_in);
    printf("methods %llu\n", (unsigned long long)counts.methods_rewritten);
    printf("refused %llu\n", (unsigned long long)counts.methods_refused);
    printf("cold_seconds %.4f\n", cold);
    printf("warm_seconds %.4f\n", gsl_stats_median(warm, 1, PASSES));
    printf("buffers_kilobytes %ld\n", buffers);
    return 0;
}

int bench_instrument_command(const struct base_call* call) {
    struct store store = {0};
    char error[2 * PATH_MAX] = "no memory";
    if (call->argc != 3)
        return runner_refuse(RUNNER_EXIT_USAGE, "usage: plumbline bench-instrument JDK CLASSES");
    int result = classes_each(call->argv[1], keep, &store, error, sizeof error);
    if (result == 0 && !write_store(&store, call->argv[2])) {
        snprintf(error, sizeof error, "%s: %s", call->argv[2], strerror(errno));
        result = -1;
    } else if (result == 0) {
        result = measure(&store);
    }
    if (result != 0) runner_complain("%s", error);
    free(store.bytes);
    return result == 0 ? RUNNER_EXIT_PASS : RUNNER_EXIT_HARNESS;
}
