// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// How much of the program was instrumented, and how much of the answers was therefore judged.
#include "rows.h"

#include <string.h>

struct part {
    uint32_t density; // of the runs added up; 0: none, or they differ
    uint32_t jvms;
    uint64_t instrumented, methods, judged, seen;
};

static void add_run(struct part* part, const struct results_run* run) {
    const struct results_layer* async = &run->layers[ORACLE_LAYER_ASYNC];
    uint32_t density = results_density(run);
    if (part->jvms++ == 0) part->density = density;
    else if (part->density != density) part->density = 0;
    part->instrumented += run->methods_rewritten;
    part->methods += run->methods_rewritten + run->methods_refused + run->methods_left;
    part->judged += async->frames_judged;
    part->seen += async->frames_seen;
}

static struct part add_scope(const struct results_report* report, const char* scope) {
    struct part part = {0};
    for (size_t i = 0; i < report->execution_count; i++) {
        const struct results_execution* execution = &report->executions[i];
        if (execution->run != NULL && strcmp(execution->scope, scope) == 0)
            add_run(&part, execution->run);
    }
    return part;
}

static void print_part(const struct part* part, const char* scope, FILE* out) {
    char density[16];
    fprintf(out, "density %s in scope %s: %llu of %llu methods instrumented",
            part->density == 0 ? "of several kinds" : results_density_text(part->density, density),
            scope, (unsigned long long)part->instrumented, (unsigned long long)part->methods);
    if (part->jvms > 1) fprintf(out, " in %u JVMs together", part->jvms);
    if (part->seen != 0)
        fprintf(out, "; layer async judged %llu of %llu frames, %.3g %%",
                (unsigned long long)part->judged, (unsigned long long)part->seen,
                100.0 * (double)part->judged / (double)part->seen);
    fprintf(out, "\n");
}

void density_print(const struct results_report* report, FILE* out) {
    static const char* const scopes[] = {"app", "all"};
    for (size_t i = 0; i < sizeof scopes / sizeof scopes[0]; i++) {
        struct part part = add_scope(report, scopes[i]);
        if (part.methods != 0) print_part(&part, scopes[i], out);
    }
}
