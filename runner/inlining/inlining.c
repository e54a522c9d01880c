// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "inlining.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static struct inlining* read_of(const struct results_execution* execution) {
    char path[PATH_MAX];
    if (execution->directory == NULL || execution->end != RESULTS_END_EXITED) return NULL;
    snprintf(path, sizeof path, "%s/%s", execution->directory, INLINING_LOG);
    return inlining_read(path, execution->record);
}

static bool is_none(const struct results_execution* execution) {
    return strcmp(execution->scope, "none") == 0;
}

static void fill_one(const struct inlining* bare, struct results_execution* execution) {
    struct inlining* other = read_of(execution);
    for (unsigned i = 0; other != NULL && i < RESULTS_COMPILERS; i++)
        execution->inlined[i] = inlining_compare(bare, other, (enum results_compiler)i);
    inlining_close(other);
}

void inlining_fill(struct results_execution* executions, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct inlining* bare = is_none(&executions[i]) ? read_of(&executions[i]) : NULL;
        if (bare == NULL) continue;
        for (size_t j = 0; j < count; j++)
            if (!is_none(&executions[j]) && strcmp(executions[i].mode, executions[j].mode) == 0 &&
                strcmp(executions[i].case_name, executions[j].case_name) == 0)
                fill_one(bare, &executions[j]);
        inlining_close(bare);
    }
}
