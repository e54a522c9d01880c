// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The run's file as memory, and what follows from its counts by addition. The agent links this file
// and no other of the room, so it needs libc and nothing else.
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define RESULTS_MAGIC 0x314e5552424d4c50ull // "PLMBRUN1"
#define RESULTS_VERSION 23u
#define SIZE_KIB ((uint32_t)(sizeof(struct results_run) / 1024))

static struct results_run* map_descriptor(int fd, int protection, int sharing) {
    void* memory = mmap(NULL, sizeof(struct results_run), protection, sharing, fd, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void close_keeping_errno(int fd) {
    int error = errno;
    close(fd);
    errno = error;
}

struct results_run* results_run_create(const char* path) {
    // Removed, not truncated: a JVM that still has an older file mapped would get SIGBUS.
    if (unlink(path) != 0 && errno != ENOENT) return NULL;
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0) return NULL;
    struct results_run* run = NULL;
    // Reserved, not only made so long: the first access to a page for which the disk has no room is
    // SIGBUS, in the JVM under test, too.
    errno = posix_fallocate(fd, 0, sizeof(struct results_run));
    if (errno == 0) run = map_descriptor(fd, PROT_READ | PROT_WRITE, MAP_SHARED);
    close_keeping_errno(fd);
    if (run == NULL) {
        int error = errno;
        unlink(path);
        errno = error;
        return NULL;
    }
    run->version = RESULTS_VERSION;
    run->size_check = SIZE_KIB;
    run->phase = RESULTS_PHASE_CREATED;
    run->magic = RESULTS_MAGIC;
    return run;
}

static struct results_run* map_file(const char* path, int flags, int protection, int sharing) {
    int fd = open(path, flags | O_NONBLOCK | O_CLOEXEC); // a FIFO must not wait for its other end
    if (fd < 0) return NULL;
    struct stat status;
    struct results_run* run = NULL;
    if (fstat(fd, &status) == 0) {
        // A shorter file would fault at the first access behind its end.
        if (S_ISREG(status.st_mode) && status.st_size == (off_t)sizeof(struct results_run))
            run = map_descriptor(fd, protection, sharing);
        else errno = EPROTO;
    }
    close_keeping_errno(fd);
    if (run == NULL) return NULL;
    if (run->magic != RESULTS_MAGIC || run->version != RESULTS_VERSION ||
        run->size_check != SIZE_KIB) {
        results_run_unmap(run);
        errno = EPROTO;
        return NULL;
    }
    return run;
}

struct results_run* results_run_map(const char* path) {
    return map_file(path, O_RDWR, PROT_READ | PROT_WRITE, MAP_SHARED);
}

struct results_run* results_run_read(const char* path) {
    return map_file(path, O_RDONLY, PROT_READ, MAP_SHARED);
}

struct results_run* results_run_copy(const char* path) {
    return map_file(path, O_RDONLY, PROT_READ | PROT_WRITE, MAP_PRIVATE);
}

void results_run_unmap(struct results_run* run) {
    if (run != NULL) munmap(run, sizeof(struct results_run));
}

bool results_run_claim(struct results_run* run, uint32_t pid) {
    uint32_t none = 0;
    return __atomic_compare_exchange_n(&run->pid, &none, pid, false, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
}

void results_run_note_error(struct results_run* run, int error) {
    uint32_t none = 0;
    __atomic_compare_exchange_n(&run->record_error, &none, (uint32_t)error, false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
}

uint64_t results_sum(const uint64_t verdicts[ORACLE_VERDICT_COUNT], uint32_t bits) {
    uint64_t sum = 0;
    for (int v = 0; v < ORACLE_VERDICT_COUNT; v++)
        if (bits & 1u << v) sum += __atomic_load_n(&verdicts[v], __ATOMIC_RELAXED);
    return sum;
}

uint64_t results_mismatched(const struct results_layer* layer) {
    return results_sum(layer->verdict, RESULTS_WALKING_ERRORS);
}

uint64_t results_judged(const struct results_layer* layer) {
    return results_sum(layer->verdict, 1u << ORACLE_AGREE | 1u << ORACLE_TRANSITION |
                                           1u << ORACLE_ATTRIBUTION | RESULTS_WALKING_ERRORS);
}
