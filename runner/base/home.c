// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The directory of the running executable.
#include "base.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int home_find(struct home* home, char* error, size_t error_size) {
    ssize_t length = readlink("/proc/self/exe", home->executable, sizeof home->executable - 1);
    if (length <= 0) {
        snprintf(error, error_size, "/proc/self/exe: %s", strerror(errno));
        return -1;
    }
    home->executable[length] = '\0';
    int directory = (int)(strrchr(home->executable, '/') - home->executable);
    const char* path = home->executable;
    snprintf(home->agent, HOME_PATH, "%.*s/libplumbline.so", directory, path);
    snprintf(home->cases_list, HOME_PATH, "%.*s/cases/cases.ini", directory, path);
    snprintf(home->programs_list, HOME_PATH, "%.*s/cases/programs.ini", directory, path);
    snprintf(home->programs, HOME_PATH, "%.*s/cases/programs", directory, path);
    snprintf(home->cache, HOME_PATH, "%.*s/cases/cache", directory, path);
    snprintf(home->expectations, HOME_PATH, "%.*s/cases/expectations.ini", directory, path);
    snprintf(home->classes, HOME_PATH, "%.*s/cases/classes", directory, path);
    snprintf(home->boot, HOME_PATH, "%.*s/cases/boot", directory, path);
    snprintf(home->libraries, HOME_PATH, "%.*s/cases", directory, path);
    snprintf(home->walkers_list, HOME_PATH, "%.*s/walkers.ini", directory, path);
    return 0;
}
