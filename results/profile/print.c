// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

#define HOTTEST 10
#define WORST 5
#define NAME_COLUMN 44

static double percent(uint64_t n, uint64_t of) {
    return of == 0 ? 0 : 100.0 * (double)n / (double)of;
}

// ---- Accounts and verdicts ---------------------------------------------------------------------

static void print_line(FILE* out, const char* what, uint64_t n, uint64_t of) {
    fprintf(out, "  %-34s %10" PRIu64, what, n);
    if (of != 0) fprintf(out, "  %5.1f %%", percent(n, of));
    fprintf(out, "\n");
}

// With the exact 95 % interval of the share.
static void print_rate(FILE* out, const char* what, uint64_t n, uint64_t of) {
    if (of == 0 || n > of) {
        print_line(out, what, n, 0);
        return;
    }
    struct oracle_interval interval = oracle_interval(n, of, 0.95);
    fprintf(out, "  %-34s %10" PRIu64 "  %5.1f %% [%.3g, %.3g]\n", what, n, percent(n, of),
            100 * interval.low, 100 * interval.high);
}

static void print_accounts(const struct results_profile* p, FILE* out) {
    fprintf(out, "Signals on Java threads\n");
    print_line(out, "signals", p->instants + p->unrecorded, 0);
    if (p->unrecorded != 0) print_line(out, "not recorded, in no rate", p->unrecorded, 0);
    print_rate(out, "led to a sample", p->fits[RESULTS_FIT_JOINED], p->instants);
    print_rate(out, "lost, and the profiler says so", p->lost - p->excess, p->instants);
    print_rate(out, "lost silently", p->silent, p->instants);
    if (p->coalesced != 0) print_line(out, "expirations without a signal", p->coalesced, 0);
    fprintf(out, "Samples in the profiler's file\n");
    print_line(out, "samples", p->samples, 0);
    for (int f = 0; f < RESULTS_FIT_COUNT; f++)
        if (f == RESULTS_FIT_JOINED || p->fits[f] != 0)
            print_line(out, results_fit_text((enum results_fit)f), p->fits[f], p->samples);
    if (p->excess != 0) print_line(out, "lost, elsewhere", p->excess, 0);
    if (p->fits[RESULTS_FIT_UNMATCHED] + p->fits[RESULTS_FIT_AMBIGUOUS] != 0)
        fprintf(out, "  Unmatched and ambiguous samples are errors of Plumbline's.\n");
}

uint64_t results_profile_right(const struct results_profile* p) {
    return p->layer.verdict[ORACLE_AGREE] + p->layer.verdict[ORACLE_TRANSITION];
}

const char* results_profile_cause(const struct results_causes* causes, uint32_t index) {
    if (index == RESULTS_UNEXPLAINED || causes == NULL || index >= causes->count)
        return "unexplained";
    return causes->list[index].name;
}

static void print_errors(const struct results_profile* p, const struct results_causes* causes,
                         FILE* out) {
    char what[80];
    uint64_t wrong = results_mismatched(&p->layer);
    print_rate(out, "walking errors", wrong, results_judged(&p->layer));
    for (int v = 0; v < ORACLE_VERDICT_COUNT; v++) {
        if (!oracle_is_walking_error((enum oracle_verdict)v) || p->layer.verdict[v] == 0) continue;
        snprintf(what, sizeof what, "  %s", oracle_verdict_text((enum oracle_verdict)v));
        print_line(out, what, p->layer.verdict[v], wrong);
    }
    for (uint32_t i = 0; i < RESULTS_CAUSES; i++) {
        if (p->layer.cause[i] == 0) continue;
        snprintf(what, sizeof what, "  cause: %s", results_profile_cause(causes, i));
        print_line(out, what, p->layer.cause[i], wrong);
    }
}

static void print_biased(const struct results_profile* p, FILE* out) {
    uint64_t biased = 0;
    if (p->biased == 0) return;
    for (int v = 0; v < ORACLE_VERDICT_COUNT; v++)
        if (RESULTS_JUDGED >> v & 1u) biased += p->biased_verdict[v];
    fprintf(out,
            "Verdicts on samples that say biased, without our own code, by the same instants\n");
    for (int v = 0; v < ORACLE_VERDICT_COUNT; v++)
        if (p->biased_verdict[v] != 0)
            print_line(out, oracle_verdict_text((enum oracle_verdict)v), p->biased_verdict[v],
                       biased);
    if (p->biased_own != 0) print_line(out, "in our own code: no verdict", p->biased_own, 0);
    if (biased != 0) print_line(out, "wrong then, and right at the walk", p->biased_later, biased);
}

static void print_verdicts(const struct results_profile* p, const struct results_causes* causes,
                           FILE* out) {
    static const enum oracle_verdict others[] = {ORACLE_REFUSED, ORACLE_UNDECIDED};
    uint64_t judged = results_judged(&p->layer);
    fprintf(out, "Verdicts on samples that do not say biased, without our own code\n");
    print_line(out, "judged", judged, 0);
    print_rate(out, "right", results_profile_right(p), judged);
    print_line(out, "  agree", p->layer.verdict[ORACLE_AGREE], judged);
    print_line(out, "  transition", p->layer.verdict[ORACLE_TRANSITION], judged);
    print_rate(out, "attribution", p->layer.verdict[ORACLE_ATTRIBUTION], judged);
    print_errors(p, causes, out);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (p->layer.verdict[others[i]] != 0)
            print_line(out, oracle_verdict_text(others[i]), p->layer.verdict[others[i]], 0);
    if (p->truncated != 0) print_line(out, "say that they are cut", p->truncated, judged);
    print_biased(p, out);
}

void results_profile_print_paired(const struct results_profile* p, FILE* out) {
    const uint64_t(*t)[RESULTS_OUTCOME_COUNT] = p->paired;
    fprintf(out, "Profiler (rows) and AsyncGetCallTrace (columns) at the same instants\n  %-12s",
            "");
    for (int b = 0; b < RESULTS_OUTCOME_COUNT; b++)
        fprintf(out, " %11s", results_outcome_text((enum results_outcome)b));
    fprintf(out, "\n");
    for (int a = 0; a < RESULTS_OUTCOME_COUNT; a++) {
        fprintf(out, "  %-12s", results_outcome_text((enum results_outcome)a));
        for (int b = 0; b < RESULTS_OUTCOME_COUNT; b++) fprintf(out, " %11" PRIu64, t[a][b]);
        fprintf(out, "\n");
    }
    const uint64_t only[2] = {t[RESULTS_OUTCOME_RIGHT][RESULTS_OUTCOME_WRONG],
                              t[RESULTS_OUTCOME_WRONG][RESULTS_OUTCOME_RIGHT]};
    fprintf(out,
            "  Only the profiler is right: %" PRIu64 ", only AsyncGetCallTrace: %" PRIu64
            ", p = %.3g (McNemar, exact)\n",
            only[0], only[1], oracle_share_test(only, 0.5, 0));
}

// ---- The profile -------------------------------------------------------------------------------

static void print_name(const char* name, FILE* out) {
    size_t length = strcspn(name, "(");
    if (length == 0) length = strlen(name);
    if (length > NAME_COLUMN)
        fprintf(out, "...%.*s", NAME_COLUMN - 3, name + length - (NAME_COLUMN - 3));
    else fprintf(out, "%.*s", (int)length, name);
}

static int by_given(const void* a, const void* b) {
    const struct results_share *x = *(const struct results_share*const*)a,
                               *y = *(const struct results_share*const*)b;
    if (x->given_self != y->given_self) return x->given_self > y->given_self ? -1 : 1;
    return strcmp(x->name, y->name);
}

// What the truth of the same instants has, less what the profiler gives.
static int64_t hidden(const struct results_share* share) {
    return (int64_t)share->sampled_self - (int64_t)share->given_self;
}

static int by_hidden(const void* a, const void* b) {
    const struct results_share *x = *(const struct results_share*const*)a,
                               *y = *(const struct results_share*const*)b;
    if (hidden(x) != hidden(y)) return hidden(x) > hidden(y) ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void print_hottest(const struct results_profile* p, const struct results_share** given,
                          FILE* out) {
    fprintf(out, "Self time by instrumented method: truth of all signals, and the profiler\n");
    for (size_t i = 0; i < HOTTEST && i < p->share_count; i++) {
        fprintf(out, "  %2zu  %5.1f %%  ", i + 1, percent(p->shares[i].truth_self, p->truths));
        print_name(p->shares[i].name, out);
        fprintf(out, "\n   |  %5.1f %%  ", percent(given[i]->given_self, p->stacks));
        print_name(given[i]->name, out);
        fprintf(out, "\n");
    }
}

static void print_differences(const struct results_profile* p, const struct results_share** list,
                              FILE* out) {
    for (size_t i = 0; i < WORST && i < p->share_count && hidden(list[i]) > 0; i++) {
        fprintf(out, "  hidden    %+5.2f %%  ", -percent((uint64_t)hidden(list[i]), p->stacks));
        print_name(list[i]->name, out);
        fprintf(out, "\n");
    }
    for (size_t i = 0; i < WORST && i < p->share_count; i++) {
        const struct results_share* share = list[p->share_count - 1 - i];
        if (hidden(share) >= 0) return;
        fprintf(out, "  invented  %+5.2f %%  ", percent((uint64_t)-hidden(share), p->stacks));
        print_name(share->name, out);
        fprintf(out, "\n");
    }
}

static void print_shares(const struct results_profile* p, FILE* out) {
    const struct results_share** list = malloc((p->share_count + 1) * sizeof *list);
    if (list == NULL) return;
    for (size_t i = 0; i < p->share_count; i++) list[i] = &p->shares[i];
    qsort(list, p->share_count, sizeof(const struct results_share*), by_given);
    print_hottest(p, list, out);
    qsort(list, p->share_count, sizeof(const struct results_share*), by_hidden);
    print_differences(p, list, out);
    free(list);
}

static void print_distances(const struct results_profile* p, FILE* out) {
    static const char* const what[] = {RESULTS_DISTANCES(ORACLE_LIST_MORE)};
    fprintf(out, "Distance of self profiles (total variation; 95 %% by bootstrap)\n");
    for (int d = 0; d < RESULTS_DISTANCE_COUNT; d++)
        fprintf(out, "  %5.2f %% [%.2f, %.2f]  %s\n", 100 * p->distance[d].value,
                100 * p->distance[d].low, 100 * p->distance[d].high, what[d]);
}

void results_profile_print_shares(const struct results_profile* p, FILE* out) {
    if (p->stacks == 0) {
        fprintf(out, "No stack belongs to an instant whose truth is known: there is no profile.\n");
        return;
    }
    print_distances(p, out);
    print_shares(p, out);
}

void results_profile_print(const struct results_profile* p, const struct results_causes* causes,
                           FILE* out) {
    fprintf(out, "profiler %s\n", p->profiler);
    print_accounts(p, out);
    print_verdicts(p, causes, out);
    results_profile_print_paired(p, out);
    results_profile_print_shares(p, out);
}
