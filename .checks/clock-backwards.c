// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Preloaded, gives a wall clock that is an hour earlier each tenth time it is read, as one that is
// set back again and again. The clocks that nobody can set, CLOCK_MONOTONIC and those of processor
// time, stay as they are. Handler-safe: a call of the system and one counter.
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SEEN __attribute__((visibility("default")))
#define STEP 3600
#define READS 10

static atomic_uint reads;

static time_t back(void) {
    return (time_t)(atomic_fetch_add(&reads, 1) / READS) * STEP;
}

SEEN int clock_gettime(clockid_t clock, struct timespec* now) {
    int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec -= back();
    return result;
}

SEEN int gettimeofday(struct timeval* restrict now, void* restrict zone) {
    struct timespec exact;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &exact) != 0) return -1;
    *now = (struct timeval){exact.tv_sec, exact.tv_nsec / 1000};
    return 0;
}

SEEN time_t time(time_t* to) {
    struct timespec exact;
    if (clock_gettime(CLOCK_REALTIME, &exact) != 0) return -1;
    if (to != NULL) *to = exact.tv_sec;
    return exact.tv_sec;
}
