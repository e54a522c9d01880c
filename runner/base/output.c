// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Making directories.
#include "base.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int output_make_directories(const char* path) {
    char part[PATH_MAX];
    size_t length = strlen(path);
    if (length >= sizeof part) {
        errno = ENAMETOOLONG;
        return -1;
    }
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0') continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST) return -1;
    }
    struct stat status;
    if (stat(path, &status) != 0) return -1;
    if (S_ISDIR(status.st_mode)) return 0;
    errno = ENOTDIR;
    return -1;
}

static int remove_one(const char* path, const struct stat* status, int type, struct FTW* ftw) {
    (void)status;
    (void)type;
    (void)ftw;
    return remove(path);
}

// Links are removed, not followed.
int output_remove(const char* path) {
    if (nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0 || errno == ENOENT) return 0;
    return -1;
}

// out/<version>-<time>, with a number behind it where two sessions begin in the same second.
static int make_default(const char* version, char* path, size_t size) {
    if (output_make_directories("out") != 0) return -1;
    char stamp[32];
    time_t now = time(NULL);
    struct tm parts;
    localtime_r(&now, &parts);
    strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &parts);
    snprintf(path, size, "out/%s-%s", version, stamp);
    for (int i = 2; mkdir(path, 0777) != 0; i++) {
        if (errno != EEXIST || i > 1000) return -1;
        snprintf(path, size, "out/%s-%s-%d", version, stamp, i);
    }
    // Nobody's result depends on the link, so a file system without links is no error.
    unlink("out/latest");
    if (symlink(path + strlen("out/"), "out/latest") != 0) errno = 0;
    return 0;
}

int output_make(const char* wanted, const char* version, char* path, size_t size, char* error,
                size_t error_size) {
    char made[PATH_MAX], absolute[PATH_MAX];
    snprintf(made, sizeof made, "%s", wanted != NULL ? wanted : "out");
    int result =
        wanted != NULL ? output_make_directories(wanted) : make_default(version, made, sizeof made);
    if (result == 0 && access(made, W_OK | X_OK) != 0) result = -1;
    if (result == 0 && realpath(made, absolute) == NULL) result = -1;
    if (result != 0) {
        snprintf(error, error_size, "cannot write to the output directory %s: %s", made,
                 strerror(errno));
        return -1;
    }
    if (strchr(absolute, ',') != NULL || strlen(absolute) >= size) {
        snprintf(error, error_size,
                 "the output directory %s has a comma in its path or is too long", absolute);
        return -1;
    }
    snprintf(path, size, "%s", absolute);
    return 0;
}
