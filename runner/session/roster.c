// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "session_parts.h"

#include <stdlib.h>
#include <string.h>

static void make(struct roster* roster, size_t count) {
    roster->count = 0;
    roster->jobs = base_must(calloc(count + 1, sizeof *roster->jobs));
}

static struct job* add(struct roster* roster, const struct roster_source* source,
                       const struct mode* mode, const char* name) {
    struct job* job = &roster->jobs[roster->count++];
    job->own = *source->options;
    job->causes = source->causes;
    job->ceilings = source->ceilings;
    job->command = (struct command){
        .home = source->home, .jdk = source->jdk, .options = &job->own, .mode = mode};
    snprintf(job->name, sizeof job->name, "%s", name);
    return job;
}

static void skip_if_needed(const struct roster_source* source, struct job* job,
                           const struct plan_entry* entry) {
    char needs[PLAN_NEEDS];
    if (source->ability->interrupted || job->finished) return;
    const char* why = entry->feature != 0 ? plan_needs(entry, needs)
                                          : ability_lacks(source->ability, &job->command);
    if (why != NULL) job_skip(job, why);
}

// Nobody knows the truth where nothing is instrumented.
static const struct profiler* profiler_in(const struct roster_source* source, const char* scope) {
    return strcmp(scope, "none") == 0 ? NULL : source->profiler;
}

void roster_of_plan(const struct roster_source* source, const struct plan* plan,
                    struct roster* roster) {
    make(roster, plan->count);
    for (size_t i = 0; i < plan->count; i++) {
        const struct plan_entry* entry = &plan->entries[i];
        struct job* job = add(roster, source, entry->mode, plan_entry_name(entry));
        job->command.test = entry->test;
        job->program = entry->program;
        job->command.scope = entry->scope;
        job->command.profiler = profiler_in(source, command_scope(&job->command));
        job_open(job, source->out);
        skip_if_needed(source, job, entry);
    }
}

void roster_of_user(const struct roster_source* source, struct roster* roster) {
    char name[sizeof roster->jobs->name];
    make(roster, 1);
    command_program_name(source->options, name, sizeof name);
    struct job* job = add(roster, source, &modes[__builtin_ctz(source->options->modes)], name);
    job->command.profiler = profiler_in(source, command_scope(&job->command));
    job_open(job, source->out);
}

void roster_free(struct roster* roster) {
    for (size_t i = 0; i < roster->count; i++) job_close(&roster->jobs[i]);
    free(roster->jobs);
    *roster = (struct roster){0};
}
