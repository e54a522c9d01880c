// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// One command at a time writes to an output directory. The lock is the system's (flock), so it ends
// with its holder, however that ends; the file's text only says who it is.
#include "base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#define LOCK_NAME ".lock"
#define LOCK_PATH (PATH_MAX + 16)

// Those that this process holds, until it ends: a session within a matrix locks its own directory.
static struct held {
    struct held* next;
    char path[LOCK_PATH];
} * held;

static bool is_held(const char* path) {
    for (const struct held* one = held; one != NULL; one = one->next)
        if (strcmp(one->path, path) == 0) return true;
    return false;
}

static void hold(const char* path, int file) {
    char host[256] = "?", start[32];
    time_t now = time(NULL);
    struct tm parts;
    struct held* one = base_must(calloc(1, sizeof *one));
    snprintf(one->path, sizeof one->path, "%s", path);
    one->next = held;
    held = one;
    gethostname(host, sizeof host - 1);
    localtime_r(&now, &parts);
    strftime(start, sizeof start, "%F %T", &parts);
    // On a full disk the holder has no name, and holds it nevertheless.
    if (ftruncate(file, 0) == 0)
        (void)dprintf(file, "process %ld on %s, started %s\n", (long)getpid(), host, start);
}

// The holder's text, made fit to be printed.
static int refuse(const char* directory, int file, char* error, size_t size) {
    char holder[400];
    ssize_t length = pread(file, holder, sizeof holder - 1, 0);
    holder[length > 0 ? length : 0] = '\0';
    holder[strcspn(holder, "\n")] = '\0';
    for (char* at = holder; *at != '\0'; at++)
        if (*at < ' ' || *at > '~') *at = '?';
    return base_reason(-1, error, size, "the output directory %s is in use by %s", directory,
                       *holder != '\0' ? holder : "another command");
}

int output_lock(const char* directory, char* error, size_t size) {
    char path[LOCK_PATH];
    snprintf(path, sizeof path, "%s/" LOCK_NAME, directory);
    if (is_held(path)) return 0;
    int file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
    if (file < 0)
        return base_reason(-1, error, size, "cannot write to the output directory %s: %s",
                           directory, strerror(errno));
    if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        int result = refuse(directory, file, error, size);
        close(file);
        return result;
    }
    // Where the file system knows no locks there is none.
    hold(path, file);
    return 0;
}
