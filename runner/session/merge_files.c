// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "session_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

static int copy(const char* from, const char* to, mode_t mode) {
    int in = open(from, O_RDONLY | O_CLOEXEC);
    if (in < 0) return -1;
    int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode & 0777);
    ssize_t more = out < 0 ? -1 : 1;
    while (more > 0) more = sendfile(out, in, NULL, 1 << 30);
    int error = errno;
    close(in);
    if (out >= 0 && close(out) != 0 && more == 0) {
        error = errno;
        more = -1;
    }
    errno = error;
    return more == 0 ? 0 : -1;
}

static int take(const char* from, const char* to) {
    struct stat status;
    if (lstat(from, &status) != 0) return -1;
    if (!S_ISREG(status.st_mode)) return 0;
    if (unlink(to) != 0 && errno != ENOENT) return -1;
    return link(from, to) == 0 ? 0 : copy(from, to, status.st_mode);
}

int merge_files(const char* from, const char* to) {
    DIR* directory = opendir(from);
    if (directory == NULL) return -1;
    int result = output_make_directories(to);
    for (struct dirent* entry; result == 0 && (entry = readdir(directory)) != NULL;) {
        char source[PATH_MAX + 512], target[PATH_MAX + 512];
        snprintf(source, sizeof source, "%s/%s", from, entry->d_name);
        snprintf(target, sizeof target, "%s/%s", to, entry->d_name);
        result = take(source, target);
    }
    int error = errno;
    closedir(directory);
    errno = error;
    return result;
}
