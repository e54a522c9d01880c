// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The directory of the running executable.
#include "base.h"

#include <errno.h>
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
    const struct {
        char* path;
        const char* name;
    } parts[] = {{home->agent, "libplumbline.so"},
                 {home->cases_list, "cases/cases.ini"},
                 {home->programs_list, "cases/programs.ini"},
                 {home->programs, "cases/programs"},
                 {home->cache, "cases/cache"},
                 {home->jdks, "cases/cache/jdks"},
                 {home->causes_list, "causes.ini"},
                 {home->expectations, "cases/expectations.ini"},
                 {home->classes, "cases/classes"},
                 {home->boot, "cases/boot"},
                 {home->libraries, "cases"},
                 {home->walkers_list, "walkers.ini"},
                 {home->profilers_list, "profilers.ini"},
                 {home->reader, "profile"}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        snprintf(parts[i].path, HOME_PATH, "%.*s/%s", directory, home->executable, parts[i].name);
    return 0;
}

void home_beside(const struct home* home, const char* processor, const char* name,
                 char path[HOME_PATH]) {
    int directory = (int)(strrchr(home->executable, '/') - home->executable);
    snprintf(path, HOME_PATH, "%.*s%s%s/%s", directory, home->executable,
             *processor != '\0' ? "/" : "", processor, name);
}
