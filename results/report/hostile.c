// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Layer hostile: what became of the questions, by what was changed in the context.
#include "rows.h"

#include <string.h>

#define MODES_MAX 8

// Sums of one change: over all runs, and over those of each mode.
struct sums {
    struct results_hostile all, modes[MODES_MAX];
};
struct modes {
    const char* names[MODES_MAX];
    size_t count;
};

bool hostile_is_asked(const struct results_run* run) {
    return run != NULL && run->layers[ORACLE_LAYER_HOSTILE].asked != 0;
}

uint64_t hostile_unfinished(const struct results_hostile* h) {
    uint64_t ended = h->answered + h->died + h->hung;
    return h->asked > ended ? h->asked - ended : 0;
}

static uint64_t unanswered(const struct results_hostile* h) {
    return h->asked > h->answered ? h->asked - h->answered : 0;
}

static void add(struct results_hostile* to, const struct results_hostile* h) {
    to->asked += h->asked;
    to->answered += h->answered;
    to->frames += h->frames;
    to->died += h->died;
    to->hung += h->hung;
}

static size_t mode_of(struct modes* modes, const char* name) {
    size_t i = 0;
    while (i < modes->count && strcmp(modes->names[i], name) != 0) i++;
    if (i == modes->count && i < MODES_MAX) modes->names[modes->count++] = name;
    return i;
}

static void add_runs(const struct results_report* report, struct sums* sums, struct modes* modes) {
    for (size_t i = 0; i < report->execution_count; i++) {
        const struct results_execution* execution = &report->executions[i];
        if (!hostile_is_asked(execution->run)) continue;
        size_t mode = mode_of(modes, execution->mode);
        for (int c = 0; c < RESULTS_CHANGE_COUNT; c++) {
            add(&sums[c].all, &execution->run->hostile[c]);
            if (mode < MODES_MAX) add(&sums[c].modes[mode], &execution->run->hostile[c]);
        }
    }
}

static void print_sums(const char* name, const struct sums* s, size_t modes, FILE* out) {
    char rate[RESULTS_RATE_TEXT], cell[48];
    const struct results_hostile* h = &s->all;
    double answered = h->answered == 0 ? 1 : (double)h->answered;
    fprintf(out, "  %-9s %9llu %9.1f %% %7llu %7llu %7llu  %-40s", name,
            (unsigned long long)h->asked, 100.0 * (double)h->frames / answered,
            (unsigned long long)h->died, (unsigned long long)h->hung,
            (unsigned long long)hostile_unfinished(h),
            results_rate_text(unanswered(h), h->asked, rate));
    for (size_t m = 0; m < modes; m++) {
        const struct results_hostile* of = &s->modes[m];
        snprintf(cell, sizeof cell, "%llu/%llu", (unsigned long long)unanswered(of),
                 (unsigned long long)of->asked);
        fprintf(out, "  %14s", cell);
    }
    fprintf(out, "\n");
}

void hostile_print(const struct results_report* report, FILE* out) {
    struct sums sums[RESULTS_CHANGE_COUNT] = {{{0}, {{0}}}}, total = {{0}, {{0}}};
    struct modes modes = {{0}, 0};
    add_runs(report, sums, &modes);
    if (modes.count == 0) return;
    fprintf(
        out,
        "\nSpoiled contexts (layer hostile): what was changed, and what became of the question; "
        "\"JVM\": the question ended the JVM, or was not answered when it ended:\n"
        "  %-9s %9s %11s %7s %7s %7s  %-40s",
        "change", "questions", "with frames", "died", "hung", "JVM", "not survived, 95 % interval");
    for (size_t m = 0; m < modes.count; m++) fprintf(out, "  %14s", modes.names[m]);
    fprintf(out, "\n");
    for (int c = 1; c < RESULTS_CHANGE_COUNT; c++) {
        print_sums(results_change_text((enum results_change)c), &sums[c], modes.count, out);
        add(&total.all, &sums[c].all);
        for (size_t m = 0; m < modes.count; m++) add(&total.modes[m], &sums[c].modes[m]);
    }
    print_sums("all", &total, modes.count, out);
}
