// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The table of right verdicts, and the library's file of counts.
#include "selftest_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/base/base.h"

#define V(name) (1u << ORACLE_##name)
// If a trace lost or changed a frame of a method that is not instrumented, the caller below no
// longer stands at a call of the method above.
#define CALL V(IMPOSSIBLE_CALL)

// NAME, kind, right verdicts, why these.
#define FAULTS(F)                                                                                  \
    F("drop-youngest", FRAMES, V(MISSING) | V(TRUNCATED),                                          \
      "the top entry has no frame; of a trace with one instrumented frame nothing is left")        \
    F("drop-middle", FRAMES, V(MISSING) | V(TRUNCATED) | CALL,                                     \
      "an entry, or a frame of its gap, has no frame; or the caller calls something else; the "    \
      "oldest entry may be a middle frame")                                                        \
    F("truncate", FRAMES, V(TRUNCATED) | V(MISSING) | V(IMPOSSIBLE_ROOT),                          \
      "the oldest entry, or what is known to lie under it, has no frame; no thread starts there")  \
    F("cut", FRAMES, V(TRUNCATED) | V(MISSING) | V(IMPOSSIBLE_ROOT),                               \
      "older entries have no frames; no thread starts there")                                      \
    F("repeat", FRAMES, V(PHANTOM) | CALL,                                                         \
      "a frame more than there are entries; a method seldom calls itself where it stands")         \
    F("swap", FRAMES,                                                                              \
      V(WRONG_METHOD) | V(MISSING) | V(TRUNCATED) | V(PHANTOM) | CALL | V(IMPOSSIBLE_ROOT),        \
      "two entries have each other's frames; changed with a frame of no entry, one is missing")    \
    F("foreign", FRAMES, V(PHANTOM) | V(WRONG_METHOD) | CALL,                                      \
      "a frame that no entry or gap has; its caller does not call it, nor it its callee")          \
    F("stale-caller", FRAMES, V(PHANTOM) | V(WRONG_METHOD) | CALL,                                 \
      "a frame that no entry or gap has any more; nobody has called it")                           \
    F("extra-youngest", FRAMES, V(PHANTOM) | CALL,                                                 \
      "a frame that no entry has, of a thread that stands elsewhere; nobody has called it")        \
    F("extra-caller-bci0", FRAMES, V(PHANTOM) | V(WRONG_METHOD) | CALL,                            \
      "a frame that no entry or gap has; from its entry the VM calls few methods")                 \
    F("own-on-top", FRAMES, V(PHANTOM) | CALL,                                                     \
      "the thread stands elsewhere; nobody has called it")                                         \
    F("null-id", FRAMES, V(INVALID_ID), "null is no method")                                       \
    F("dangling-id", FRAMES, V(INVALID_ID), "no method of this id was ever announced")             \
    F("bci-next", FRAMES, V(WRONG_BCI) | CALL,                                                     \
      "the caller's bci is known from the push; inside an instruction nothing is called")          \
    F("bci-other", FRAMES, V(WRONG_BCI) | CALL,                                                    \
      "the caller's bci is known from the push; there it may call something else")                 \
    F("bci-range", FRAMES, V(WRONG_BCI) | CALL, "no instruction is there")                         \
    F("flip-native", FRAMES, V(WRONG_KIND) | CALL, "a method with code is not native")             \
    F("refuse", REFUSAL, 0, "an error code is a refusal, counted under that code")                 \
    F("other-thread", FRAMES,                                                                      \
      V(WRONG_METHOD) | V(MISSING) | V(PHANTOM) | V(TRUNCATED) | V(WRONG_BCI) | CALL,              \
      "another stack of the same program may differ from the true one in any way")                 \
    F("too-many", FRAMES, V(PHANTOM), "there was no room for the frames")                          \
    F("young-native", FRAMES, V(MISSING) | V(TRUNCATED) | V(WRONG_METHOD) | V(INVALID_ID) | CALL,  \
      "two frames of GetStackTrace are absent; so are two entries if these have such frames; "     \
      "below them may be a method from before a redefinition, whose id is announced no more")      \
    F("crash", CRASH, 0, "the JVM dies in the walker")                                             \
    F("spin", HANG, 0, "the JVM never comes back from the walker")

const struct selftest_fault selftest_faults[] = {
#define FAULTS_ROW(name, kind, verdicts, why) {name, SELFTEST_##kind, verdicts, why},
    FAULTS(FAULTS_ROW)
#undef FAULTS_ROW
};
const size_t selftest_fault_count = sizeof selftest_faults / sizeof selftest_faults[0];

static const char* name_of(unsigned fault) {
    return selftest_faults[fault].name;
}

const struct selftest_fault* selftest_fault_find(const char* name, size_t length) {
    int found = names_find(name_of, (unsigned)selftest_fault_count, name, length);
    return found < 0 ? NULL : &selftest_faults[found];
}

// ---- What the library counted -----------------------------------------------------------------

// The layout stands in cases/README.md. All numbers are in the machine's own byte order.
#define MAGIC "PLMBFLT1"
#define NAME_SIZE 40
struct row {
    char name[NAME_SIZE];
    uint64_t eligible, injected;
    double rate;
};
struct selftest_counts {
    char magic[8];
    uint32_t row_size, row_count;
    uint64_t calls, answers, passed, unused;
    struct row rows[];
};

const struct selftest_counts* selftest_counts_map(const char* path) {
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return NULL;
    const struct selftest_counts* counts = MAP_FAILED;
    errno = EPROTO;
    if (fstat(file, &status) == 0 && (size_t)status.st_size >= sizeof *counts)
        counts = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (counts == MAP_FAILED) return NULL;
    if (memcmp(counts->magic, MAGIC, sizeof counts->magic) == 0 &&
        counts->row_size == sizeof(struct row) &&
        counts->row_count <= ((size_t)status.st_size - sizeof *counts) / sizeof(struct row))
        return counts;
    munmap((void*)(uintptr_t)counts, (size_t)status.st_size);
    errno = EPROTO;
    return NULL;
}

// The library makes the file in one size, and rows behind the last are within its last page.
void selftest_counts_unmap(const struct selftest_counts* counts) {
    if (counts != NULL)
        munmap((void*)(uintptr_t)counts, sizeof *counts + counts->row_count * sizeof(struct row));
}

uint64_t selftest_counts_answers(const struct selftest_counts* counts) {
    return __atomic_load_n(&counts->answers, __ATOMIC_RELAXED);
}

uint64_t selftest_counts_injected(const struct selftest_counts* counts, const char* name,
                                  uint64_t* eligible) {
    if (eligible != NULL) *eligible = 0;
    for (uint32_t i = 0; i < counts->row_count; i++) {
        const struct row* row = &counts->rows[i];
        if (strncmp(row->name, name, NAME_SIZE) != 0) continue;
        if (eligible != NULL) *eligible = __atomic_load_n(&row->eligible, __ATOMIC_RELAXED);
        return __atomic_load_n(&row->injected, __ATOMIC_RELAXED);
    }
    return 0;
}
