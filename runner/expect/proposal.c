// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Sums over runs, ceilings of sums, lines of ceilings.
#include "expect_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runner/jdk/jdk.h"

// The probability that any ceiling at all lies below its true rate.
#define DOUBT 0.05

void proposal_take(void* context, const struct results_past* past) {
    struct proposal* proposal = context;
    if (past->judged == 0 || modes_find(past->mode, strlen(past->mode)) < 0) return;
    struct results_past* list =
        realloc(proposal->pasts, (proposal->past_count + 1) * sizeof *proposal->pasts);
    if (list == NULL) {
        proposal->failed = true;
        return;
    }
    proposal->pasts = list;
    list[proposal->past_count++] = *past;
}

void proposal_free(struct proposal* proposal) {
    free(proposal->rows);
    free(proposal->pasts);
    proposal->rows = NULL;
    proposal->pasts = NULL;
    proposal->count = proposal->past_count = 0;
}

// ---- Sums -------------------------------------------------------------------------------------

// By case, release, then as the lists have modes, scopes and layers.
static int compare(const void* left, const void* right) {
    const struct results_past *a = left, *b = right;
    int order = strcmp(a->case_name, b->case_name);
    if (order == 0) order = jdk_feature(a->version) - jdk_feature(b->version);
    if (order == 0)
        order = modes_find(a->mode, strlen(a->mode)) - modes_find(b->mode, strlen(b->mode));
    if (order == 0) order = strcmp(a->scope, b->scope);
    if (order == 0) order = (int)a->layer - (int)b->layer;
    return order != 0 ? order : strcmp(a->date, b->date);
}

static bool same_row(const struct results_past* a, const struct results_past* b) {
    return strcmp(a->case_name, b->case_name) == 0 &&
           jdk_feature(a->version) == jdk_feature(b->version) && strcmp(a->mode, b->mode) == 0 &&
           strcmp(a->scope, b->scope) == 0 && a->layer == b->layer;
}

static const struct mode* mode_of(const struct results_past* past) {
    return &modes[modes_find(past->mode, strlen(past->mode))];
}

static uint32_t control_of(const struct proposal* proposal, const struct proposal_row* row) {
    struct results_expected expected[ORACLE_LAYER_COUNT];
    const struct case_info* test =
        proposal->cases != NULL ? cases_find(proposal->cases, row->sum.case_name) : NULL;
    if (test == NULL) return 0;
    controls_for(test->expect, mode_of(&row->sum), row->feature, expected);
    return expected[row->sum.layer].verdicts;
}

static double limit_of(const struct results_past* past, bool attribution) {
    return attribution ? results_attribution_limit(past->mode)
                       : results_limit(past->layer, past->mode);
}

// Mismatches by verdicts in `bits`.
static uint64_t sum_of(const struct results_past* past, uint32_t bits) {
    uint64_t sum = 0;
    for (int v = ORACLE_MISMATCH_FIRST; v <= ORACLE_MISMATCH_LAST; v++)
        if (bits & 1u << v) sum += past->mismatch[v];
    return sum;
}

// The verdicts that the general limit covers where there is no line.
static uint32_t bits_of(const struct proposal_row* row, bool attribution) {
    return attribution ? 1u << ORACLE_ATTRIBUTION : RESULTS_WALKING_ERRORS & ~row->control;
}

// Is the rate above the general limit? Yes for a row that fails by its 95 % interval; also for a
// row that more likely than not lies above, and would fail now and then.
static bool over_limit(const struct results_past* past, const struct proposal_row* row,
                       bool attribution) {
    uint64_t events = sum_of(past, bits_of(row, attribution));
    return events != 0 &&
           oracle_interval(events, past->judged, 0.5).low > limit_of(past, attribution);
}

// The one-sided upper end of a rate. All of `rows` ends together hold with probability 1 - DOUBT.
static double upper(uint64_t events, uint64_t trials, size_t rows) {
    return oracle_interval(events, trials, 1 - 2 * DOUBT / (double)rows).high;
}

static void add(struct proposal* proposal, struct proposal_row* row,
                const struct results_past* past) {
    bool first = row->runs++ == 0;
    struct results_past before = row->sum;
    row->sum = *past;
    row->feature = jdk_feature(past->version);
    row->control = control_of(proposal, row);
    for (int v = ORACLE_MISMATCH_FIRST; v <= ORACLE_MISMATCH_LAST; v++) {
        double high = upper(past->mismatch[v], past->judged, proposal->past_count);
        // The upper end of a run without mismatches shows how short the run was, and nothing about
        // the rate.
        if (past->mismatch[v] != 0 && high > row->highest[v]) row->highest[v] = high;
        if (!first) row->sum.mismatch[v] += before.mismatch[v];
    }
    if (!first) row->sum.judged += before.judged;
    for (int a = 0; a < 2; a++) row->over[a] = row->over[a] || over_limit(past, row, a != 0);
}

static void sum_up(struct proposal* proposal) {
    proposal->rows = calloc(proposal->past_count + 1, sizeof *proposal->rows);
    if (proposal->rows == NULL) {
        proposal->failed = true;
        return;
    }
    qsort(proposal->pasts, proposal->past_count, sizeof *proposal->pasts, compare);
    for (size_t i = 0; i < proposal->past_count; i++) {
        const struct results_past* past = &proposal->pasts[i];
        if (i == 0 || !same_row(past, past - 1)) proposal->count++;
        add(proposal, &proposal->rows[proposal->count - 1], past);
    }
}

// ---- Lines ------------------------------------------------------------------------------------

struct line {
    const struct proposal_row* row;
    enum oracle_verdict verdict;
    double ceiling;
    int last;                            // release
    bool merged;                         // into another line
    const struct proposal_row* measured; // the row of the measurement, where it is another one
    size_t place;                        // as they were made
};

// Rounds a ceiling up to two digits of the rarer side, errors or the rest. So the printed ceiling
// is never below the computed one, and no ceiling becomes 100 %.
static double round_up(double value) {
    bool most = value > 0.5;
    double rare = most ? 1 - value : value;
    if (rare <= 0) return value;
    double unit = pow(10, floor(log10(rare)) - 1);
    return most ? 1 - floor(rare / unit + 1e-9) * unit : ceil(rare / unit - 1e-9) * unit;
}

// Multiplies the odds by the spread. For small rates that multiplies the rate, and no rate becomes
// 100 %, which could not be exceeded.
static double with_spread(const struct proposal* proposal, double rate) {
    double more = rate * proposal->spread;
    return more / (1 - rate + more);
}

static double ceiling_of(const struct proposal* proposal, const struct proposal_row* row, int v) {
    double pooled = upper(row->sum.mismatch[v], row->sum.judged, proposal->past_count);
    double high = pooled > row->highest[v] ? pooled : row->highest[v];
    return round_up(with_spread(proposal, high));
}

// The most frequent verdict in `bits`; -1 if there is none.
static int most_frequent(const struct proposal_row* row, uint32_t bits) {
    int best = -1;
    for (int v = ORACLE_MISMATCH_FIRST; v <= ORACLE_MISMATCH_LAST; v++)
        if ((bits & 1u << v) && row->sum.mismatch[v] != 0 &&
            (best < 0 || row->sum.mismatch[v] > row->sum.mismatch[best]))
            best = v;
    return best;
}

// Makes lines for the most frequent verdicts, until the rest, with the ceilings' spread, is within
// the general limit.
static size_t make_lines(const struct proposal* proposal, const struct proposal_row* row,
                         bool attribution, struct line* lines) {
    uint32_t bits = bits_of(row, attribution);
    double limit = limit_of(&row->sum, attribution);
    size_t count = 0;
    if (!row->over[attribution] && !over_limit(&row->sum, row, attribution)) return 0;
    for (int v; (v = most_frequent(row, bits)) >= 0;) {
        double rest = oracle_interval(sum_of(&row->sum, bits), row->sum.judged, 0.95).high;
        if (count != 0 && with_spread(proposal, rest) <= limit) break;
        lines[count++] = (struct line){.row = row,
                                       .verdict = (enum oracle_verdict)v,
                                       .ceiling = ceiling_of(proposal, row, v),
                                       .last = row->feature};
        bits &= ~(1u << v);
    }
    return count;
}

static bool same_but_release(const struct results_past* a, const struct results_past* b) {
    return strcmp(a->case_name, b->case_name) == 0 && strcmp(a->mode, b->mode) == 0 &&
           strcmp(a->scope, b->scope) == 0 && a->layer == b->layer;
}

// The line of the next measured release; NULL if there is no such release, or it has no line.
static struct line* next_line(const struct proposal* proposal, const struct line* line,
                              struct line* lines, size_t count) {
    const struct proposal_row* next = NULL;
    for (size_t i = 0; i < proposal->count; i++) {
        const struct proposal_row* row = &proposal->rows[i];
        if (row->feature > line->last && same_but_release(&row->sum, &line->row->sum) &&
            (next == NULL || row->feature < next->feature))
            next = row;
    }
    for (size_t i = 0; i < count; i++)
        if (lines[i].row == next && lines[i].verdict == line->verdict) return &lines[i];
    return NULL;
}

// Joins lines of neighbouring releases. The measurement of the higher ceiling is kept.
static void merge(const struct proposal* proposal, struct line* lines, size_t count) {
    for (struct line* line = lines; line < lines + count; line++) {
        struct line* next;
        while (!line->merged && (next = next_line(proposal, line, lines, count)) != NULL) {
            double high = fmax(line->ceiling, next->ceiling);
            if (high > proposal->merge * fmin(line->ceiling, next->ceiling)) break;
            if (next->ceiling > line->ceiling) line->measured = next->row;
            line->ceiling = high;
            line->last = next->last;
            next->merged = true;
        }
    }
}

// ---- Text -------------------------------------------------------------------------------------

// "17.0.19+10" of "OpenJDK 64-Bit Server VM 17.0.19+10-1-deb12u2-Debian"; the version where there
// is no such number (8).
static void build_text(const struct results_past* past, char* text, size_t size) {
    const char* last = strrchr(past->vm, ' ');
    last = last != NULL ? last + 1 : past->vm;
    const char* plus = strchr(last, '+');
    size_t length = plus != NULL ? (size_t)(plus - last) + 1 + strspn(plus + 1, "0123456789") : 0;
    if (length == 0) snprintf(text, size, "%s", past->version);
    else snprintf(text, size, "%.*s", (int)length, last);
    for (char* c = text; *c != '\0'; c++)
        if (strchr(" ,\t;", *c) != NULL) *c = '_';
}

// Prints the reasons of the known line, or the place for one.
static void print_reason(const struct proposal* proposal, const struct line* line, FILE* out) {
    const struct results_past* sum = &line->row->sum;
    const struct ceiling* known = NULL;
    const struct ceilings_row row = {.test = sum->case_name,
                                     .mode = mode_of(sum),
                                     .scope = sum->scope,
                                     .feature = line->row->feature};
    if (proposal->ceilings != NULL)
        known = ceilings_line(proposal->ceilings, &row, sum->layer, line->verdict);
    if (known != NULL && known->bug != NULL) fprintf(out, " bug=%s", known->bug);
    if (known != NULL && known->finding != NULL) fprintf(out, " finding=%s", known->finding);
    else if (line->ceiling > CEILINGS_UNEXPLAINED) fprintf(out, " finding=EXPLAIN");
    else if (known == NULL || known->bug == NULL)
        fprintf(out, " why=%zu run%s", line->row->runs, line->row->runs == 1 ? "" : "s");
}

static void print_line(const struct proposal* proposal, const struct line* line, FILE* out) {
    const struct results_past* key = &line->row->sum;
    const struct results_past* sum =
        line->measured != NULL ? &line->measured->sum : &line->row->sum;
    char build[64];
    build_text(sum, build, sizeof build);
    fprintf(out, "%s %s %s = %g%% measured=%s,%s,%llu/%llu", key->mode,
            oracle_layer_text(key->layer), oracle_verdict_text(line->verdict), line->ceiling * 100,
            sum->date, build, (unsigned long long)sum->mismatch[line->verdict],
            (unsigned long long)sum->judged);
    if (strcmp(key->scope, "app") != 0) fprintf(out, " scope=%s", key->scope);
    print_reason(proposal, line, out);
    fprintf(out, "\n");
}

static bool same_section(const struct line* a, const struct line* b) {
    return strcmp(a->row->sum.case_name, b->row->sum.case_name) == 0 &&
           a->row->feature == b->row->feature && a->last == b->last;
}

static void print_section(const struct line* line, FILE* out) {
    fprintf(out, "\n[%d", line->row->feature);
    if (line->last != line->row->feature) fprintf(out, "-%d", line->last);
    fprintf(out, " %s]\n", line->row->sum.case_name);
}

static int compare_lines(const void* left, const void* right) {
    const struct line *a = left, *b = right;
    int order = strcmp(a->row->sum.case_name, b->row->sum.case_name);
    if (order == 0) order = a->row->feature - b->row->feature;
    if (order == 0) order = a->last - b->last;
    return order != 0 ? order : a->place < b->place ? -1 : 1;
}

static void print_lines(const struct proposal* proposal, struct line* lines, size_t count,
                        FILE* out) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (lines[i].merged) continue;
        lines[kept] = lines[i];
        lines[kept].place = kept;
        kept++;
    }
    fprintf(
        out,
        "; %zu lines, of %zu rows summed to %zu. Ceilings: %g times the odds of the upper end (one-"
        "sided,\n; %g %% for all rows together) of the sum, or of the highest run.\n",
        kept, proposal->past_count, proposal->count, proposal->spread, 100 * (1 - DOUBT));
    qsort(lines, kept, sizeof *lines, compare_lines);
    for (size_t i = 0; i < kept; i++) {
        if (i == 0 || !same_section(&lines[i - 1], &lines[i])) print_section(&lines[i], out);
        print_line(proposal, &lines[i], out);
    }
}

void proposal_print(struct proposal* proposal, FILE* out) {
    sum_up(proposal);
    struct line* lines = calloc(proposal->count * ORACLE_VERDICT_COUNT + 1, sizeof *lines);
    if (lines == NULL) proposal->failed = true;
    if (proposal->failed) {
        free(lines);
        return;
    }
    size_t count = 0;
    for (size_t i = 0; i < proposal->count; i++)
        for (int attribution = 0; attribution < 2; attribution++)
            count += make_lines(proposal, &proposal->rows[i], attribution != 0, lines + count);
    if (proposal->merge > 0) merge(proposal, lines, count);
    print_lines(proposal, lines, count, out);
    free(lines);
}
