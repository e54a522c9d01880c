// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The end of a report: what an engineer asks, in a few lines.
#include <stdlib.h>
#include <string.h>

#include "rows.h"

static bool is_bad(const struct results_row* row) {
    return results_exit_status(row->verdict) == 1;
}

static bool says_nothing(const struct results_row* row) {
    int status = results_exit_status(row->verdict);
    return status == 3 || status == 4;
}

static bool has_timers(const struct results_run* run) {
    const char timers[] = RESULTS_SOURCE_TIMERS;
    return run != NULL && strncmp(run->source, timers, sizeof timers - 1) == 0;
}

struct tally {
    size_t rows, bad, silent, left_out, with_unexplained;
    size_t repeated; // of silent: in more than one run
    size_t timers;   // of silent: with samples of timers alone
    uint64_t unexplained;
    uint64_t known;                  // walking errors of known causes, in rows that say something
    uint64_t wrong, caused;          // walking errors of all rows; those of which a cause is told
    const struct results_row* first; // that is bad
    const struct results_row* worst; // with the most errors of no cause
};

static struct tally count(const struct results_report* report) {
    struct tally t = {.rows = report->row_count};
    for (size_t i = 0; i < report->row_count; i++) {
        const struct results_row* row = &report->rows[i];
        bool skipped = row->verdict == RESULTS_ROW_SKIP;
        bool silent = says_nothing(row) && !skipped;
        t.bad += is_bad(row);
        t.left_out += skipped;
        t.silent += silent;
        t.repeated += silent && row->execution->remark != NULL;
        t.timers += silent && has_timers(row->execution->run);
        t.with_unexplained += row->cause[RESULTS_UNEXPLAINED] != 0;
        t.unexplained += row->cause[RESULTS_UNEXPLAINED];
        t.wrong += row->mismatched;
        for (uint32_t c = 0; c < RESULTS_CAUSES; c++) t.caused += row->cause[c];
        if (is_bad(row) && t.first == NULL) t.first = row;
        const uint64_t none = row->cause[RESULTS_UNEXPLAINED];
        if (none != 0 && (t.worst == NULL || none > t.worst->cause[RESULTS_UNEXPLAINED]))
            t.worst = row;
    }
    for (size_t i = 0; i < report->known_count; i++) t.known += report->known[i].count;
    return t;
}

static size_t passed(const struct tally* t) {
    return t->rows - t->bad - t->silent - t->left_out;
}

// ---- The answers --------------------------------------------------------------------------------

// 8 of "1.8.0_504", 17 of "17.0.19".
static int release_of(const char* version) {
    if (strncmp(version, "1.", 2) == 0) version += 2;
    return atoi(version);
}

static void print_worse(const struct results_report* report, const struct tally* t, FILE* out) {
    int release = release_of(report->jdk_version);
    const struct results_pool* pool = pools_failed(report);
    fputs("Worse than measured?  ", out);
    if (t->first != NULL)
        fprintf(out, "Yes: %zu of %zu rows show what healthy JDKs do not", t->bad, t->rows);
    else if (pool != NULL)
        fprintf(out, "Yes: all rows of %s %s together have too many errors of no cause", pool->mode,
                oracle_layer_text(pool->layer));
    else if (passed(t) == 0)
        fprintf(out, "It cannot be said: none of %zu rows has enough samples", t->rows);
    else fprintf(out, "No: %zu of %zu rows show no more than healthy JDKs do", passed(t), t->rows);
    if (report->expected_of != 0)
        fprintf(out, "; held against release %d, as %d was not measured", report->expected_of,
                release);
    else if (release != 0) fprintf(out, "; held against release %d", release);
    if (t->silent != 0 && passed(t) != 0)
        fprintf(out, "; %zu rows say too little (%s%s)", t->silent,
                t->repeated == 0 ? "--more-time yes" : "in a longer run, too: --seconds, --jobs 1",
                t->timers == 0 ? "" : "; timers give few samples: see plumbline doctor");
    if (t->left_out != 0) fprintf(out, "; %zu were left out", t->left_out);
    fputc('\n', out);
}

static void print_nothing_new(const struct tally* t, FILE* out) {
    unsigned long long wrong = t->wrong;
    if (t->known != 0)
        fputs("Nothing: every error has a known cause, in rows where it was measured", out);
    else if (t->bad + passed(t) == 0) fputs("It cannot be said: no row has enough samples", out);
    else if (wrong == 0) fputs("Nothing: no walk was wrong", out);
    else if (t->caused == 0)
        fprintf(out, "It cannot be said: the report tells no cause of its %llu errors", wrong);
    else
        fprintf(out, "Nothing: all %llu errors have known causes, in rows that say nothing", wrong);
}

static void print_new(const struct results_report* report, const struct tally* t, FILE* out) {
    uint64_t elsewhere = 0;
    size_t causes = 0;
    for (size_t i = 0; i < report->known_count; i++) {
        elsewhere += report->known[i].unmeasured;
        causes += report->known[i].unmeasured != 0;
    }
    fputs("What is new?          ", out);
    if (t->unexplained != 0)
        fprintf(out, "%llu errors of no known cause, in %zu rows%s",
                (unsigned long long)t->unexplained, t->with_unexplained,
                t->bad == 0 ? ", within their limits" : "");
    if (elsewhere != 0)
        fprintf(out, "%s%llu errors of %zu known causes in rows where these were never measured",
                t->unexplained != 0 ? "; " : "", (unsigned long long)elsewhere, causes);
    if (t->unexplained == 0 && elsewhere == 0) print_nothing_new(t, out);
    fputc('\n', out);
}

static void print_where(const struct results_report* report, const struct tally* t, FILE* out) {
    const struct results_row* row = t->first != NULL ? t->first : t->worst;
    const char* directory = report->directory != NULL ? report->directory : "latest";
    fputs("Where do I look?      ", out);
    if (row != NULL && row->layer == ORACLE_LAYER_SURVIVE && row->mismatched != 0)
        fprintf(out, "%s/report.txt: the errors behind the table of threads' lives", directory);
    else if (row != NULL && row->mismatched != 0 && row->verdict == RESULTS_ROW_FAIL)
        fprintf(out, "plumbline show %s --row %s/%s/%s", directory, row->execution->case_name,
                row->execution->mode, oracle_layer_text(row->layer));
    else if (row != NULL && is_bad(row))
        fprintf(out, "%s/runs/%s-%s-%s", directory, row->execution->case_name, row->execution->mode,
                row->execution->scope);
    else if (row != NULL)
        fprintf(out, "plumbline show %s --row %s/%s/%s", directory, row->execution->case_name,
                row->execution->mode, oracle_layer_text(row->layer));
    else if (report->group_count != 0)
        fprintf(out, "plumbline show %s --cluster 1: the largest of %zu kinds of known errors",
                directory, report->group_count);
    else if (passed(t) == 0)
        fprintf(out, "%s/report.txt: the last column says why each row has too few samples",
                directory);
    else if (t->wrong != 0) fprintf(out, "%s/report.txt: the rows with walking errors", directory);
    else fputs("Nowhere: no walk was wrong", out);
    fputc('\n', out);
}

static void print_unseen(const struct results_report* report, const struct tally* t, FILE* out) {
    static const char begin[] = "; would notice ";
    char power[POOLS_TEXT];
    pools_power(report, power);
    fputs("What was not seen?    ", out);
    if (strncmp(power, begin, sizeof begin - 1) == 0)
        fprintf(out, "New errors that are fewer than %s; other cases, modes and flags\n",
                power + sizeof begin - 1);
    else if (passed(t) == 0) fputs("Everything: no row passes\n", out);
    else if (report->pool_count != 0) fputs("Everything: no row that passes asks a walker\n", out);
    else fputs("It cannot be said: the report does not tell what its rows would notice\n", out);
}

void answers_print(const struct results_report* report, FILE* out) {
    if (report->row_count == 0) return;
    const struct tally t = count(report);
    fputc('\n', out);
    print_worse(report, &t, out);
    print_new(report, &t, out);
    print_where(report, &t, out);
    print_unseen(report, &t, out);
}
