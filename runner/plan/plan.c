// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Globs and presets to a list of runs.
#include "plan.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "share.h"

static const char* case_name(const void* list, size_t i) {
    return ((const struct cases*)list)->list[i].name;
}

static const char* program_name(const void* list, size_t i) {
    return ((const struct programs*)list)->list[i].name;
}

// Marks those that a glob matches. False if it matches none.
static bool match(const char* glob, const struct plan_names* names, bool* chosen) {
    bool any = false;
    for (size_t i = 0; i < names->count; i++)
        if (fnmatch(glob, names->name(names->list, i), 0) == 0) chosen[i] = any = true;
    return any;
}

int plan_choose(const char* globs, const struct plan_names* names, bool* chosen, char* error,
                size_t error_size) {
    for (const char* at = globs;; at++) {
        size_t length = strcspn(at, ",");
        char glob[256];
        if (length >= sizeof glob) length = sizeof glob - 1;
        memcpy(glob, at, length);
        glob[length] = '\0';
        if (!match(glob, names, chosen)) {
            struct nearest nearest = {.word = glob, .length = length};
            char hint[NEAREST_TEXT];
            for (size_t i = 0; i < names->count; i++)
                nearest_offer(&nearest, names->name(names->list, i));
            return base_reason(RUNNER_EXIT_USAGE, error, error_size,
                               "--cases: no %s matches \"%s\" (plumbline list %s)%s", names->what,
                               glob, names->lists, nearest_hint(&nearest, hint));
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
    return base_reason(RUNNER_EXIT_HARNESS, error, error_size, "the preset has no case");
}

static void add(struct plan* plan, const struct plan_entry* entry, const struct options* options) {
    for (int s = 0; s < OPTIONS_SCOPES; s++) {
        if (options->scopes != 0 && (options->scopes & 1u << s) == 0) continue;
        struct plan_entry* added = &plan->entries[plan->count++];
        *added = *entry;
        added->scope =
            options->scopes != 0 ? options_scope_text((enum options_scope)s) : options->scope;
        if (options->scopes == 0) return;
    }
}

static int needed(long first, long last, int feature) {
    if (feature < first) return (int)first;
    return feature > last ? (int)-last : 0;
}

// The entry in each mode of `wanted`, which are bits, and in each scope.
static void add_modes(struct plan* plan, struct plan_entry entry, uint32_t wanted,
                      const struct options* options) {
    for (size_t m = 0; m < MODE_COUNT; m++) {
        entry.mode = &modes[m];
        if ((wanted & 1u << m) != 0) add(plan, &entry, options);
    }
}

// The same with the JDK's own classes instrumented, too.
static void add_in_all(struct plan* plan, struct plan_entry entry, uint32_t wanted) {
    const struct options options = {.scopes = 1u << OPTIONS_SCOPE_ALL};
    add_modes(plan, entry, wanted, &options);
}

static void fill(struct plan* plan, const struct cases* cases, const bool* chosen,
                 const struct options* options, int feature) {
    bool wide = options->cases == NULL && !options->scoped;
    for (size_t i = 0; i < cases->count; i++) {
        const struct case_info* test = &cases->list[i];
        const struct plan_entry entry = {
            .test = test, .feature = needed(test->feature, test->feature_last, feature)};
        uint32_t further = options->further ? test->further_modes : 0;
        if (chosen[i]) add_modes(plan, entry, options->modes | further, options);
        if (chosen[i] && wide) add_in_all(plan, entry, options->modes & test->all_modes);
    }
}

static void fill_programs(struct plan* plan, const struct programs* programs, const bool* chosen,
                          const struct options* options, int feature) {
    for (size_t i = 0; i < programs->count; i++) {
        const struct program* program = &programs->list[i];
        const struct plan_entry entry = {.program = program,
                                         .feature = needed(program->first, program->last, feature)};
        if (chosen[i]) add_modes(plan, entry, options->modes, options);
    }
}

const char* plan_entry_name(const struct plan_entry* entry) {
    return entry->program != NULL ? entry->program->name : entry->test->name;
}

const char* plan_name(const struct plan_entry* entry, char name[PLAN_NAME]) {
    snprintf(name, PLAN_NAME, "%s-%s-%s", plan_entry_name(entry), entry->mode->name, entry->scope);
    return name;
}

const char* plan_needs(const struct plan_entry* entry, char text[PLAN_NEEDS]) {
    snprintf(text, PLAN_NEEDS, "needs JDK %d or %s", abs(entry->feature),
             entry->feature > 0 ? "later" : "earlier");
    return text;
}

static double seconds_of(const struct plan_entry* entry, const struct options* options) {
    bool left_out = entry->feature != 0;
    return entry->program != NULL
               ? share_seconds_of_program(entry->program, entry->mode, entry->scope, left_out)
               : share_seconds(options, entry->mode, entry->scope, left_out);
}

// Brings the share's entries to the front. Without memory -1.
static int take_share(struct plan* plan, const struct options* options) {
    struct plan_entry* sorted = calloc(plan->count + 1, sizeof *sorted);
    double* seconds = calloc(plan->count + 1, sizeof *seconds);
    unsigned* shares = calloc(plan->count + 1, sizeof *shares);
    int status = sorted != NULL && seconds != NULL && shares != NULL ? 0 : -1;
    for (size_t i = 0; status == 0 && i < plan->count; i++)
        seconds[i] = seconds_of(&plan->entries[i], options);
    if (status == 0) status = share_cut(seconds, plan->count, options->shards, shares);
    size_t own = 0, place = 0;
    for (int others = 0; status == 0 && others < 2; others++) {
        for (size_t i = 0; i < plan->count; i++)
            if ((shares[i] != options->shard) == others) sorted[place++] = plan->entries[i];
        if (others == 0) own = place;
    }
    if (status == 0) {
        memcpy(plan->entries, sorted, plan->count * sizeof *sorted);
        plan->count = own;
    }
    free(shares);
    free(seconds);
    free(sorted);
    return status;
}

// All of it, or this share.
static int choose_share(struct plan* plan, const struct options* options, char* error,
                        size_t error_size) {
    plan->whole = plan->count;
    if (options->shards == 0) return 0;
    if (options->shards > plan->whole)
        return base_reason(RUNNER_EXIT_USAGE, error, error_size,
                           "--shard: %u shares of a plan of %zu runs", options->shards,
                           plan->whole);
    if (take_share(plan, options) == 0) return 0;
    return base_reason(RUNNER_EXIT_HARNESS, error, error_size, "no memory");
}

// Chooses the preset's entries, or those that the user named. The preset of programs has all of
// them.
static int choose(const struct options* options, const struct lists* lists, bool* chosen,
                  char* error, size_t error_size) {
    const struct plan_names programs = {program_name, &lists->programs, lists->programs.count,
                                        "program", "programs"};
    const struct plan_names cases = {case_name, &lists->cases, lists->cases.count, "case", "cases"};
    if (options->cases == NULL && !options->programs)
        return choose_by_preset(options->full, &lists->cases, chosen, error, error_size);
    return plan_choose(options->cases != NULL ? options->cases : "*",
                       options->programs ? &programs : &cases, chosen, error, error_size);
}

int plan_make(const struct options* options, const struct lists* lists, int feature,
              struct plan* plan, char* error, size_t error_size) {
    size_t count = options->programs ? lists->programs.count : lists->cases.count;
    bool* chosen = base_must(calloc(count + 1, sizeof *chosen));
    size_t room = count * MODE_COUNT * OPTIONS_SCOPES + 1;
    *plan = (struct plan){.entries = base_must(calloc(room, sizeof *plan->entries))};
    int status = choose(options, lists, chosen, error, error_size);
    if (status == 0 && options->programs)
        fill_programs(plan, &lists->programs, chosen, options, feature);
    else if (status == 0) fill(plan, &lists->cases, chosen, options, feature);
    if (status == 0) status = choose_share(plan, options, error, error_size);
    if (status != 0) plan_free(plan);
    free(chosen);
    return status;
}

void plan_free(struct plan* plan) {
    free(plan->entries);
    *plan = (struct plan){0};
}
