// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "jdk.h"

#include <errno.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "unpack.h"

static bool has_java(const char* directory) {
    char path[PATH_MAX + 16];
    struct stat status;
    snprintf(path, sizeof path, "%s/bin/java", directory);
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

// Counts the matching directories with a JDK. Writes the first to `home`, all to `names`.
static size_t search(const char* root, const char* pattern, char home[PATH_MAX], char* names,
                     size_t size) {
    char path[2 * PATH_MAX];
    size_t count = 0, used = 0, at = 0;
    glob_t found;
    // Pattern characters in a directory's name are meant literally.
    for (const char* c = root; *c != '\0' && at + 3 < PATH_MAX; c++) {
        if (strchr("*?[]\\", *c) != NULL) path[at++] = '\\';
        path[at++] = *c;
    }
    snprintf(path + at, sizeof path - at, "/%s", pattern);
    if (glob(path, 0, NULL, &found) != 0) return 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        if (!has_java(found.gl_pathv[i])) continue;
        if (count++ == 0) snprintf(home, PATH_MAX, "%s", found.gl_pathv[i]);
        int more = snprintf(names + used, size - used, " %s", found.gl_pathv[i]);
        if (more > 0 && (size_t)more < size - used) used += (size_t)more;
    }
    globfree(&found);
    return count;
}

static int locate_in_directory(const char* given, char home[PATH_MAX], char* error, size_t size) {
    char names[1024] = "", found[PATH_MAX];
    if (has_java(given)) return 0;
    size_t count = search(given, "images/jdk", found, names, sizeof names);
    if (count == 0) count = search(given, "build/*/images/jdk", found, names, sizeof names);
    if (count > 1)
        return base_reason(-1, error, size, "%.1000s has %zu images, say which:%s", given, count,
                           names);
    if (count == 1) snprintf(home, PATH_MAX, "%s", found);
    return 0;
}

// Finds the JDK in an unpacked archive: at the top, or under a few directories.
static int locate_unpacked(const char* given, const char* directory, char home[PATH_MAX],
                           char* error, size_t size) {
    static const char* const places[] = {".",       "*",         "*/*",        "*/*/*",
                                         "*/*/*/*", "*/*/*/*/*", "*/*/*/*/*/*"};
    char names[1024] = "";
    size_t count = 0;
    for (size_t i = 0; count == 0 && i < sizeof places / sizeof places[0]; i++)
        count = search(directory, places[i], home, names, sizeof names);
    if (count == 1) return 0;
    if (count == 0) snprintf(error, size, "%.1000s has no JDK in it: no bin/java", given);
    else snprintf(error, size, "%.1000s has %zu JDKs in it:%s", given, count, names);
    return -1;
}

int jdk_locate(const char* given, const char* cache, char home[PATH_MAX], char* error,
               size_t error_size) {
    struct stat status;
    char directory[PATH_MAX];
    snprintf(home, PATH_MAX, "%s", given);
    if (stat(given, &status) != 0) return 0;
    if (S_ISDIR(status.st_mode)) return locate_in_directory(given, home, error, error_size);
    if (!S_ISREG(status.st_mode)) return 0;
    if (unpack(given, cache, directory, error, error_size) != 0) return -1;
    return locate_unpacked(given, directory, home, error, error_size);
}
