// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What children leave behind in groups and sessions of their own (setsid): no kill of a group
// reaches it. When its parent ends it becomes our child, because we are its subreaper.
#include "launch_parts.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

struct process {
    pid_t parent;
    unsigned long long started; // clock ticks since the machine's start
};

// False: it is gone.
static bool look_at(pid_t pid, struct process* process) {
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE* file = fopen(path, "re");
    if (file == NULL) return false;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    // The name before it may hold anything, brackets too.
    const char* behind = strrchr(text, ')');
    int parent;
    if (behind == NULL || sscanf(behind,
                                 ") %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d "
                                 "%*d %*d %*d %*d %llu",
                                 &parent, &process->started) != 2)
        return false;
    process->parent = parent;
    return true;
}

void orphans_adopt(void) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

unsigned long long orphans_since(pid_t pid) {
    struct process process;
    return look_at(pid, &process) ? process.started : 0;
}

// Ends our children that began at `since` or later. How many there were.
static unsigned end_once(unsigned long long since) {
    DIR* directory = opendir("/proc");
    unsigned count = 0;
    if (directory == NULL) return 0;
    for (struct dirent* entry; (entry = readdir(directory)) != NULL;) {
        struct process process;
        pid_t pid = (pid_t)atol(entry->d_name);
        if (pid <= 0 || !look_at(pid, &process) || process.parent != getpid() ||
            process.started < since)
            continue;
        kill(pid, SIGKILL);
        count += waitpid(pid, NULL, 0) == pid;
    }
    closedir(directory);
    return count;
}

void orphans_end(unsigned long long since) {
    // The children of those that are ended become ours in turn.
    while (end_once(since) != 0) continue;
}
