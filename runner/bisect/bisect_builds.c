// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "bisect_parts.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Links are not followed: a build is identified by its name in the list. A missing build stays in
// the list, as one that cannot be used.
static void add(struct words* builds, const char* path) {
    char here[PATH_MAX] = "";
    bool absolute = path[0] == '/' || getcwd(here, sizeof here) == NULL;
    words_add(builds, "%s%s%.*s", absolute ? "" : here, absolute ? "" : "/",
              (int)output_path_length(path), path);
}

static int is_wanted(const struct dirent* entry) {
    return entry->d_name[0] != '.';
}

static int read_directory(const char* list, struct words* builds) {
    struct dirent** entries;
    int count = scandir(list, &entries, is_wanted, versionsort);
    if (count < 0) return -1;
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX + 300];
        struct stat status;
        snprintf(path, sizeof path, "%.*s/%s", (int)output_path_length(list), list,
                 entries[i]->d_name);
        // A broken link may be a build that was removed.
        if (stat(path, &status) != 0 || S_ISDIR(status.st_mode)) add(builds, path);
        free(entries[i]);
    }
    free(entries);
    return 0;
}

// Adds the build of a line. False: the line is no path.
static bool take_line(const char* list, char* line, bool last, struct words* builds) {
    const char* slash = strrchr(list, '/');
    size_t length = strlen(line);
    if (!last && (length == 0 || line[length - 1] != '\n')) return false; // cut, or a zero byte
    line[strcspn(line, "\r\n")] = '\0';
    if (line[0] == '\0' || line[0] == '#') return true;
    bool below = line[0] != '/' && slash != NULL;
    char* path = base_text("%.*s%s", below ? (int)(slash - list + 1) : 0, list, line);
    add(builds, path);
    free(path);
    return true;
}

// With errno.
static int unread(const char* list, char* error, size_t size) {
    return base_reason(-1, error, size, "--jdks: %s: %s", list, strerror(errno));
}

static int read_lines(const char* list, struct words* builds, char* error, size_t size) {
    FILE* file = fopen(list, "r");
    char line[PATH_MAX + 1];
    unsigned number = 0;
    bool good = true;
    if (file == NULL) return unread(list, error, size);
    while (good && fgets(line, sizeof line, file) != NULL) {
        number++;
        good = take_line(list, line, feof(file) != 0, builds);
    }
    int result = ferror(file) ? unread(list, error, size) : 0;
    if (!good)
        result = base_reason(-1, error, size,
                             "--jdks: %s:%u: a build's path has up to %d bytes, none of them zero",
                             list, number, PATH_MAX - 1);
    fclose(file);
    return result;
}

int bisect_builds_read(const char* list, struct words* builds, char* error, size_t size) {
    struct stat status;
    if (stat(list, &status) != 0) return unread(list, error, size);
    if (!S_ISDIR(status.st_mode)) return read_lines(list, builds, error, size);
    return read_directory(list, builds) == 0 ? 0 : unread(list, error, size);
}

// ---- Ends -------------------------------------------------------------------------------------

// Is the name the path, or its end from a slash on?
static bool is_named(const char* path, const char* name) {
    size_t whole = strlen(path), length = output_path_length(name);
    if (whole < length || memcmp(path + whole - length, name, length) != 0) return false;
    return whole == length || path[whole - length - 1] == '/';
}

static size_t find(const struct words* builds, const char* name, size_t otherwise) {
    if (name == NULL) return otherwise;
    for (size_t i = 0; i < builds->count; i++)
        if (is_named(builds->list[i], name)) return i;
    return builds->count;
}

int bisect_builds_between(struct words* builds, const char* good, const char* bad, char* error,
                          size_t size) {
    struct words between = {0};
    if (builds->count < 2)
        return base_reason(-1, error, size, "--jdks: at least two builds are needed");
    size_t from = find(builds, good, 0), to = find(builds, bad, builds->count - 1);
    if (from == builds->count || to == builds->count || from == to) {
        bool first = from == builds->count;
        return base_reason(-1, error, size,
                           from == to && !first ? "--good and --bad: %s%s is both"
                                                : "--%s: %s is not in the list",
                           from == to && !first ? ""
                           : first              ? "good"
                                                : "bad",
                           first || from == to ? good != NULL ? good : bad : bad);
    }
    for (size_t i = from;; i += from < to ? 1 : (size_t)-1) {
        words_add(&between, "%s", builds->list[i]);
        if (i == to) break;
    }
    words_free(builds);
    *builds = between;
    return 0;
}
