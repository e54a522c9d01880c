// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The copy is made beside its place and renamed, so a JVM never maps half of it.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mutants.h"

static int copy(int from, int to) {
    struct stat status;
    if (fstat(from, &status) != 0) return -1;
    off_t at = 0;
    while (at < status.st_size) {
        ssize_t sent = sendfile(to, from, &at, (size_t)(status.st_size - at));
        if (sent == 0) errno = EIO; // it became shorter
        if (sent <= 0) return -1;
    }
    return 0;
}

static bool write_at(int fd, const void* bytes, size_t size, uint64_t place) {
    return pwrite(fd, bytes, size, (off_t)place) == (ssize_t)size;
}

// Several kinds may share a site, whose trap is then set already.
static int patch(int fd, const struct mutants_mutant* mutant, bool trap) {
    static const uint8_t int3 = MUTANTS_TRAP;
    uint8_t there[MUTANTS_CODE];
    ssize_t size = (ssize_t)mutant->size;
    if (pread(fd, there, mutant->size, (off_t)mutant->place) != size) return -1;
    if (trap && there[0] == int3) return 0;
    if (memcmp(there, mutant->before, mutant->size) != 0) {
        errno = ESTALE;
        return -1;
    }
    bool written = trap ? write_at(fd, &int3, sizeof int3, mutant->place)
                        : write_at(fd, mutant->after, mutant->size, mutant->place);
    return written ? 0 : -1;
}

static int write_copy(int from, int to, const struct mutants_mutant* mutants, size_t count,
                      bool traps) {
    int status = copy(from, to);
    for (size_t i = 0; i < count && status == 0; i++) status = patch(to, &mutants[i], traps);
    return status;
}

int mutants_write(const char* library, const struct mutants_mutant* mutants, size_t count,
                  bool traps, const char* path, char* error, size_t error_size) {
    char beside[PATH_MAX];
    int status = -1, saved = ENAMETOOLONG, from = -1, to = -1;
    if (snprintf(beside, sizeof beside, "%s.new", path) >= (int)sizeof beside) goto done;
    from = open(library, O_RDONLY | O_CLOEXEC);
    if (from >= 0) to = open(beside, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
    if (to >= 0) status = write_copy(from, to, mutants, count, traps);
    saved = errno;
    if (to >= 0 && close(to) != 0 && status == 0) status = -1, saved = errno;
    if (status == 0 && (status = rename(beside, path)) != 0) saved = errno;
    if (status != 0 && to >= 0) unlink(beside);
    if (from >= 0) close(from);
done:
    if (status != 0)
        snprintf(error, error_size, "%s: %s", path,
                 saved == ESTALE ? "the library is not the one that was read" : strerror(saved));
    return status;
}
