// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Globs and presets to a list of runs.
#include "plan.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "status.h"

// Marks the cases that a glob matches. False if it matches none.
static bool match(const char* glob, const struct cases* cases, bool* chosen) {
    bool any = false;
    for (size_t i = 0; i < cases->count; i++)
        if (fnmatch(glob, cases->list[i].name, 0) == 0) chosen[i] = any = true;
    return any;
}

static int choose_by_globs(const char* globs, const struct cases* cases, bool* chosen, char* error,
                           size_t error_size) {
    for (const char* at = globs;; at++) {
        size_t length = strcspn(at, ",");
        char glob[256];
        if (length >= sizeof glob) length = sizeof glob - 1;
        memcpy(glob, at, length);
        glob[length] = '\0';
        if (!match(glob, cases, chosen)) {
            snprintf(error, error_size, "--cases: no case matches \"%s\" (plumbline list cases)",
                     glob);
            return RUNNER_EXIT_USAGE;
        }
        at += strcspn(at, ",");
        if (*at == '\0') return 0;
    }
}

static int choose_by_preset(bool full, const struct cases* cases, bool* chosen, char* error,
                            size_t error_size) {
    bool any = false;
    for (size_t i = 0; i < cases->count; i++)
        if (cases_in_preset(&cases->list[i], full ? "full" : "quick")) chosen[i] = any = true;
    if (any) return 0;
    snprintf(error, error_size, "the preset has no case");
    return RUNNER_EXIT_HARNESS;
}

static void fill(struct plan* plan, const struct cases* cases, const bool* chosen, uint32_t wanted,
                 int feature) {
    for (size_t i = 0; i < cases->count; i++) {
        for (size_t m = 0; m < MODE_COUNT; m++) {
            if (!chosen[i] || (wanted & 1u << m) == 0) continue;
            const struct case_info* test = &cases->list[i];
            plan->entries[plan->count++] =
                (struct plan_entry){test, &modes[m], test->feature > feature ? test->feature : 0};
        }
    }
}

int plan_make(const struct options* options, const struct cases* cases, int feature,
              struct plan* plan, char* error, size_t error_size) {
    *plan = (struct plan){0};
    bool* chosen = calloc(cases->count + 1, sizeof *chosen);
    plan->entries = calloc(cases->count * MODE_COUNT + 1, sizeof *plan->entries);
    int status = RUNNER_EXIT_HARNESS;
    if (chosen == NULL || plan->entries == NULL) snprintf(error, error_size, "no memory");
    else if (options->cases != NULL)
        status = choose_by_globs(options->cases, cases, chosen, error, error_size);
    else status = choose_by_preset(options->full, cases, chosen, error, error_size);
    if (status == 0) fill(plan, cases, chosen, options->modes, feature);
    else plan_free(plan);
    free(chosen);
    return status;
}

void plan_free(struct plan* plan) {
    free(plan->entries);
    *plan = (struct plan){0};
}
