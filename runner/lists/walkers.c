// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// walkers.ini.
#include "lists.h"

#include <string.h>

#include "results/causes/causes.h"

struct visit {
    void (*print)(const char* name, const char* about);
    const char* wanted;
    bool found;
    struct nearest nearest;
    char near[64];
};

static int take_pair(void* user, const char* section, const char* key, const char* value) {
    struct visit* visit = user;
    if (visit->wanted != NULL && strcmp(section, visit->wanted) == 0) visit->found = true;
    if (visit->wanted != NULL && strcmp(section, visit->near) != 0) {
        nearest_offer(&visit->nearest, section);
        // The section's text does not stay.
        if (visit->nearest.found == section) {
            snprintf(visit->near, sizeof visit->near, "%s", section);
            visit->nearest.found = visit->near;
        }
    }
    if (visit->print != NULL && strcmp(key, "about") == 0) visit->print(section, value);
    return 1;
}

// What is wrong with the file the agent says.
static bool reads(const char* path, struct visit* visit) {
    char why[64];
    return results_ini_read(path, take_pair, visit, why, sizeof why) == 0;
}

int walkers_each(const char* path, void (*print)(const char* name, const char* about)) {
    struct visit visit = {.print = print};
    return reads(path, &visit) ? 0 : -1;
}

bool walkers_known(const char* path, const char* name, char hint[NEAREST_TEXT]) {
    struct visit visit = {.wanted = name, .nearest = {.word = name, .length = strlen(name)}};
    bool read = reads(path, &visit);
    nearest_hint(&visit.nearest, hint);
    return !read || visit.found;
}
