// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The directory of the running executable, and the user's own directories.
#include "base.h"

#include <dirent.h>
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// `make install` puts the executable and its files here, below PREFIX.
#define INSTALLED "/lib/plumbline"

// The directory of the executable; its path into `executable`. -1 with errno set.
static int find_directory(char executable[PATH_MAX]) {
    ssize_t length = readlink("/proc/self/exe", executable, PATH_MAX - 1);
    if (length <= 0) return -1;
    executable[length] = '\0';
    return (int)(strrchr(executable, '/') - executable);
}

// ---- The user's directories ---------------------------------------------------------------------

// The XDG Base Directory Specification: a path in the variable counts only if it is absolute.
static void find_users(const char* variable, const char* below_home, char path[HOME_PATH]) {
    const char* base = getenv(variable);
    if (base != NULL && *base == '/') {
        snprintf(path, HOME_PATH, "%s/plumbline", base);
        return;
    }
    const char* user = getenv("HOME");
    const struct passwd* entry = user == NULL || *user != '/' ? getpwuid(getuid()) : NULL;
    if (entry != NULL) user = entry->pw_dir;
    snprintf(path, HOME_PATH, "%s/%s/plumbline", user != NULL ? user : "", below_home);
}

static bool is_installed(void) {
    char executable[PATH_MAX];
    const size_t length = sizeof INSTALLED - 1;
    int directory = find_directory(executable);
    return directory >= (int)length &&
           memcmp(executable + directory - length, INSTALLED, length) == 0;
}

void home_results(char path[HOME_PATH]) {
    if (is_installed()) find_users("XDG_STATE_HOME", ".local/state", path);
    else snprintf(path, HOME_PATH, "out");
}

const char* home_run(const char* run, char path[HOME_PATH]) {
    if (strcmp(run, "latest") != 0 || access(run, F_OK) == 0) return run;
    home_results(path);
    size_t used = strlen(path);
    snprintf(path + used, HOME_PATH - used, "/latest");
    return path;
}

// The nearest name in the directory where the path was looked for, `latest` among them.
static void offer_neighbours(const char* run, char text[HOME_RUN_HINT]) {
    char directory[HOME_PATH];
    const char* slash = strrchr(run, '/');
    const char* name = slash != NULL ? slash + 1 : run;
    struct nearest nearest = {.word = name, .length = strlen(name)};
    struct dirent** entries;
    snprintf(directory, sizeof directory, "%.*s", slash != NULL ? (int)(slash - run) + 1 : 1,
             slash != NULL ? run : ".");
    if (slash == NULL) nearest_offer(&nearest, "latest");
    int found = scandir(directory, &entries, NULL, alphasort);
    for (int i = 0; i < found; i++) nearest_offer(&nearest, entries[i]->d_name);
    if (nearest.found != NULL)
        snprintf(text, HOME_RUN_HINT, "; did you mean \"%s%s\"?", slash != NULL ? directory : "",
                 nearest.found);
    for (int i = 0; i < found; i++) free(entries[i]);
    if (found >= 0) free((void*)entries);
}

const char* home_run_hint(const char* run, char text[HOME_RUN_HINT]) {
    char path[HOME_PATH];
    text[0] = '\0';
    if (access(home_run(run, path), F_OK) == 0) return text;
    if (strcmp(run, "latest") != 0) offer_neighbours(run, text);
    else snprintf(text, HOME_RUN_HINT, "; no run is there yet: plumbline validate makes one");
    return text;
}

static bool is_program(const char* path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

bool home_on_path(const char* name, char path[PATH_MAX]) {
    const char* rest = getenv("PATH");
    while (rest != NULL && *rest != '\0') {
        size_t length = strcspn(rest, ":");
        snprintf(path, PATH_MAX, "%.*s/%s", (int)length, rest, name);
        if (length != 0 && is_program(path)) return true;
        rest += length + (rest[length] == ':');
    }
    return false;
}

// ---- Plumbline's own files ----------------------------------------------------------------------

int home_find(struct home* home, char* error, size_t error_size) {
    int directory = find_directory(home->executable);
    if (directory < 0) {
        snprintf(error, error_size, "/proc/self/exe: %s", strerror(errno));
        return -1;
    }
    const struct {
        char* path;
        const char* name;
    } parts[] = {{home->agent, "libplumbline.so"},
                 {home->cases_list, "cases/cases.ini"},
                 {home->programs_list, "cases/programs.ini"},
                 {home->programs, "cases/programs"},
                 {home->causes_list, "causes.ini"},
                 {home->expectations, "cases/expectations.ini"},
                 {home->findings, "cases/findings.md"},
                 {home->classes, "cases/classes"},
                 {home->boot, "cases/boot"},
                 {home->libraries, "cases"},
                 {home->walkers_list, "walkers.ini"},
                 {home->profilers_list, "profilers.ini"},
                 {home->reader, "profile"},
                 {home->sources, "cases/sources"},
                 {home->reproducers, "reproducers"}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        snprintf(parts[i].path, HOME_PATH, "%.*s/%s", directory, home->executable, parts[i].name);
    find_users("XDG_CACHE_HOME", ".cache", home->cache);
    snprintf(home->jdks, HOME_PATH, "%.*s/jdks", HOME_PATH - 8, home->cache);
    return 0;
}

void home_beside(const struct home* home, const char* processor, const char* name,
                 char path[HOME_PATH]) {
    int directory = (int)(strrchr(home->executable, '/') - home->executable);
    snprintf(path, HOME_PATH, "%.*s%s%s/%s", directory, home->executable,
             *processor != '\0' ? "/" : "", processor, name);
}
