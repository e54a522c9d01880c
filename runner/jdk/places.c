// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The JDKs that a machine has, without starting one.
#include "jdk.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- One place ----------------------------------------------------------------------------------

// The version in "JAVA_VERSION="17.0.19"" of the JDK's file `release`.
static void read_version(const char* home, char version[JDK_PLACE_VERSION]) {
    char path[PATH_MAX + 16], line[256];
    snprintf(path, sizeof path, "%s/release", home);
    version[0] = '\0';
    FILE* file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "JAVA_VERSION=\"", 14) != 0) continue;
        snprintf(version, JDK_PLACE_VERSION, "%.*s", (int)strcspn(line + 14, "\"\n"), line + 14);
    }
    if (file != NULL) fclose(file);
}

struct places {
    struct jdk_place* list;
    size_t count, room;
};

static void add(struct places* places, const char* home, const char* whence) {
    char path[PATH_MAX];
    if (places->count == places->room || realpath(home, path) == NULL || !jdk_is_there(path))
        return;
    for (size_t i = 0; i < places->count; i++)
        if (strcmp(places->list[i].home, path) == 0) return;
    struct jdk_place* place = &places->list[places->count++];
    snprintf(place->home, sizeof place->home, "%s", path);
    read_version(path, place->version);
    place->whence = whence;
}

// ---- Environment --------------------------------------------------------------------------------

// The home of the first `java` on the PATH, if that is a JDK's own and no wrapper. False: none.
static bool find_on_path(char home[PATH_MAX]) {
    char java[PATH_MAX];
    if (!home_on_path("java", java) || realpath(java, home) == NULL) return false;
    for (int i = 0; i < 2; i++) {
        char* slash = strrchr(home, '/');
        if (slash != NULL) *slash = '\0';
    }
    return jdk_is_there(home);
}

#define WHENCE_JAVA_HOME "JAVA_HOME"
#define WHENCE_PATH "java on the PATH"

const char* jdk_default(const char** whence) {
    static char home[PATH_MAX];
    const char* set = getenv("JAVA_HOME");
    *whence = WHENCE_JAVA_HOME;
    if (set != NULL && *set != '\0') return set;
    *whence = WHENCE_PATH;
    return find_on_path(home) ? home : NULL;
}

bool jdk_home_is_wrong(void) {
    char home[PATH_MAX], error[PATH_MAX];
    struct stat status;
    const char* set = getenv("JAVA_HOME");
    if (set == NULL || *set == '\0') return false;
    if (stat(set, &status) != 0) return true;
    if (!S_ISDIR(status.st_mode)) return false; // perhaps an archive
    return jdk_locate(set, "", home, error, sizeof error) != 0 || !jdk_is_there(home);
}

// ---- The usual directories ----------------------------------------------------------------------

static void add_all(struct places* places, const char* directory, const char* below,
                    const char* whence) {
    char pattern[PATH_MAX];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s%s/*", directory, below);
    if (glob(pattern, 0, NULL, &found) != 0) return;
    for (size_t i = 0; i < found.gl_pathc; i++) add(places, found.gl_pathv[i], whence);
    globfree(&found);
}

// Directories of a tool that manages JDKs: where its variable says, or in the user's home.
static void add_tool(struct places* places, const char* variable, const char* usual,
                     const char* below, const char* whence) {
    char directory[PATH_MAX];
    const char *set = getenv(variable), *user = getenv("HOME");
    if (set != NULL && *set != '\0') {
        add_all(places, set, below, whence);
    } else if (user != NULL) {
        snprintf(directory, sizeof directory, "%s/%s", user, usual);
        add_all(places, directory, below, whence);
    }
}

size_t jdk_places(const char* root, struct jdk_place* list, size_t room) {
    struct places places = {.list = list, .room = room};
    char home[PATH_MAX];
    const char* set = getenv("JAVA_HOME");
    if (set != NULL && *set != '\0') add(&places, set, WHENCE_JAVA_HOME);
    if (find_on_path(home)) add(&places, home, WHENCE_PATH);
    add_all(&places, root, "/usr/lib/jvm", "/usr/lib/jvm");
    add_tool(&places, "SDKMAN_DIR", ".sdkman", "/candidates/java", "SDKMAN");
    add_tool(&places, "JENV_ROOT", ".jenv", "/versions", "jenv");
    return places.count;
}
