// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Layer survive: what became of the questions, by the moment of the thread's life.
#include "rows.h"

#include <string.h>

#define ERRORS_SHOWN 10

bool survive_is_asked(const struct results_run* run) {
    return run != NULL && run->layers[ORACLE_LAYER_SURVIVE].asked != 0;
}

uint64_t survive_unfinished(const struct results_survive* s) {
    uint64_t ended = s->answered + s->died + s->hung;
    return s->asked > ended ? s->asked - ended : 0;
}

uint32_t survive_errors(const struct results_run* run) {
    uint64_t count = run->survive_error_count;
    return count < RESULTS_SURVIVE_ERRORS ? (uint32_t)count : RESULTS_SURVIVE_ERRORS;
}

static void add(struct results_survive* to, const struct results_survive* s) {
    to->asked += s->asked;
    to->answered += s->answered;
    to->frames += s->frames;
    to->impossible += s->impossible;
    to->died += s->died;
    to->hung += s->hung;
    for (int r = 0; r < ORACLE_REFUSAL_COUNT; r++) to->refused[r] += s->refused[r];
}

static void print_number(uint64_t number, FILE* out) {
    fprintf(out, " %10llu", (unsigned long long)number);
}

// The two refusals that are the most, with their shares of the answers.
static void print_refusals(const struct results_survive* s, FILE* out) {
    int last = ORACLE_REFUSAL_COUNT;
    for (int place = 0; place < 2; place++) {
        int most = -1;
        for (int r = 0; r < ORACLE_REFUSAL_COUNT; r++)
            if (r != last && s->refused[r] != 0 && (most < 0 || s->refused[r] > s->refused[most]))
                most = r;
        if (most < 0) break;
        fprintf(out, "%s%s %.1f %%", place == 0 ? "  " : ", ",
                oracle_refusal_text((enum oracle_refusal)most),
                100.0 * (double)s->refused[most] / (double)s->answered);
        last = most;
    }
}

static void print_moment(const char* name, const struct results_survive* s, FILE* out) {
    char rate[RESULTS_RATE_TEXT];
    uint64_t wrong = s->died + s->hung + s->impossible;
    fprintf(out, "  %-9s", name);
    print_number(s->asked, out);
    print_number(s->frames, out);
    print_number(s->impossible, out);
    print_number(s->died, out);
    print_number(s->hung, out);
    print_number(survive_unfinished(s), out);
    fprintf(out, "  %-36s", results_rate_text(wrong, s->asked, rate));
    print_refusals(s, out);
    fprintf(out, "\n");
}

// The lists are what the JVM under test may have written over.
static void print_error(const struct results_execution* e, const struct results_survive_error* at,
                        FILE* out) {
    char place[ROWS_PLACE];
    fprintf(out, "  %s %s: %s, thread %llu was %s, %.3f ms old", e->case_name, e->mode,
            oracle_verdict_text((enum oracle_verdict)at->verdict),
            (unsigned long long)at->thread_id, results_moment_text((enum results_moment)at->moment),
            (double)at->age_ns / 1e6);
    if (at->died_at == 0) fprintf(out, ", %d frames", at->count);
    fprintf(out, ", asked at %s", rows_place(e->run, at->asked_at, place));
    if (at->died_at != 0) fprintf(out, ", ended at %s", rows_place(e->run, at->died_at, place));
    fprintf(out, "\n");
}

static void print_errors(const struct results_report* report, FILE* out) {
    uint32_t shown = 0;
    uint64_t all = 0;
    for (size_t i = 0; i < report->execution_count; i++) {
        const struct results_execution* e = &report->executions[i];
        if (!survive_is_asked(e->run)) continue;
        all += e->run->survive_error_count;
        for (uint32_t k = 0; k < survive_errors(e->run) && shown < ERRORS_SHOWN; k++) {
            const struct results_survive_error* at = &e->run->survive_errors[k];
            if (!at->ready) continue;
            print_error(e, at, out);
            shown++;
        }
    }
    if (all > shown)
        fprintf(out, "  and %llu more: results.json has the first %d of each run\n",
                (unsigned long long)(all - shown), RESULTS_SURVIVE_ERRORS);
}

// Of all runs that asked.
struct sums {
    bool any;
    struct results_survive moments[RESULTS_MOMENT_COUNT], all;
    unsigned long long begun, ended, young, old, unwatched, early;
};

static void add_run(struct sums* sums, const struct results_run* run) {
    sums->any = true;
    for (int m = 0; m < RESULTS_MOMENT_COUNT; m++) {
        add(&sums->moments[m], &run->survive[m]);
        add(&sums->all, &run->survive[m]);
    }
    sums->begun += run->lives;
    sums->ended += run->lives_ended;
    sums->young += run->lives_young;
    sums->old += run->lives_old;
    sums->unwatched += run->lives_unwatched;
    sums->early += run->survive_early;
}

static void print_lives(const struct sums* sums, FILE* out) {
    fprintf(out,
            "  %llu threads were asked from their first instruction on, %llu of them to their "
            "last; of these %llu before ThreadStart, %llu behind ThreadEnd",
            sums->begun, sums->ended, sums->young, sums->old);
    if (sums->unwatched != 0)
        fprintf(out, "; %llu had no timer and were not asked", sums->unwatched);
    fprintf(out, "\n");
    if (sums->early != 0)
        fprintf(out,
                "  %llu answers with frames were allowed before a ThreadStart that did not come: "
                "the JVM tells of no threads in VMInit, nor (26 and later) when it ends\n",
                sums->early);
}

void survive_print(const struct results_report* report, FILE* out) {
    struct sums sums;
    memset(&sums, 0, sizeof sums);
    for (size_t i = 0; i < report->execution_count; i++)
        if (survive_is_asked(report->executions[i].run)) add_run(&sums, report->executions[i].run);
    if (!sums.any) return;
    fprintf(out,
            "\nThreads' lives (layer survive): questions by the moment of the thread's life; "
            "\"open\": it was when the JVM ended:\n"
            "  %-9s %10s %10s %10s %10s %10s %10s  %-36s  %s\n",
            "moment", "questions", "frames", "impossible", "died", "hung", "open",
            "wrong, 95 % interval", "most refusals, of the answers");
    for (int m = 0; m < RESULTS_MOMENT_COUNT; m++)
        print_moment(results_moment_text((enum results_moment)m), &sums.moments[m], out);
    print_moment("all", &sums.all, out);
    print_lives(&sums, out);
    print_errors(report, out);
}
