// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// General lines, lines of single cases, and lines of both joined over modes and releases.
#include "expect_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle.h"

// A case's run is held where so many events, or so few, are not less probable than this.
#define HELD 1e-4
// The same for a case's mean: then its rate is much larger than the others', or smaller.
#define HELD_MEAN 0.01
// The most that a general line may spread. Above it the cases have too little in common: a line
// that spreads more would let ten times the errors of most of them pass.
#define GENERAL_SPREAD 1.0
#define GENERAL_CASES 3 // a general line is of so many at least
// A general line for refusals that lets so large a part of the answers pass is too wide for the
// cases that were measured. A row fails at a probability of 1e-6, so many standard deviations up.
#define REFUSALS_WIDE 0.05
#define FAIL_DEVIATIONS 4.75

// The runs of all cases in one release, mode, scope and layer, by one subject.
struct cell {
    const struct expect_row* rows; // by case
    size_t count;
    unsigned subject;
    struct expect_point* points; // those rows that count; room for all
    size_t point_count;
    double events;
    double within; // variance between runs of a case
};

static bool is_cause(unsigned subject) {
    return subject < EXPECT_REFUSALS;
}

// These have no limit but their line, so a line is made where they were never seen, too.
static bool is_only_limit(unsigned subject) {
    return subject == EXPECT_SILENT || subject == EXPECT_CUT || subject == EXPECT_EMPTY;
}

// ---- Points -------------------------------------------------------------------------------------

static void take_points(struct cell* cell) {
    cell->point_count = 0;
    cell->events = 0;
    for (size_t i = 0; i < cell->count; i++) {
        const struct expect_row* row = &cell->rows[i];
        uint64_t trials = expect_trials(row, cell->subject);
        bool control = is_cause(cell->subject) && (row->control >> cell->subject & 1u) != 0;
        if (trials == 0 || control || row->events[cell->subject] > trials) continue;
        cell->points[cell->point_count++] =
            (struct expect_point){(double)row->events[cell->subject], (double)trials, row->test};
        cell->events += (double)row->events[cell->subject];
    }
    cell->within = expect_within(cell->points, cell->point_count);
}

static bool holds(const struct expect_fit* fit, double events, double trials, bool few,
                  double least) {
    uint64_t k = (uint64_t)llround(events), n = (uint64_t)llround(trials);
    double mean = exp(fit->mean), spread = sqrt(fit->variance);
    return oracle_excess(k, n, mean, spread) >= least &&
           (!few || oracle_deficit(k, n, mean, spread) >= least);
}

// Does the distribution hold the case's runs, and their mean? Too few events matter for causes
// only: nothing is said of refusals that have gone.
static bool holds_case(const struct expect_fit* fit, const struct expect_point* points,
                       size_t count, bool few) {
    double events = 0, trials = 0;
    for (size_t i = 0; i < count; i++) {
        if (!holds(fit, points[i].events, points[i].trials, few, HELD)) return false;
        events += points[i].events;
        trials += points[i].trials;
    }
    return holds(fit, events / (double)count, trials / (double)count, few, HELD_MEAN);
}

// ---- General lines ------------------------------------------------------------------------------

// The case that is farthest from the distribution, and whether it, or the spread, is too far.
static bool find_stray(const struct expect_point* points, size_t count,
                       const struct expect_fit* fit, bool few, size_t* first, size_t* end) {
    double farthest = -1;
    bool stray = fit->variance > GENERAL_SPREAD * GENERAL_SPREAD;
    for (size_t i = 0, next; i < count; i = next) {
        double events = 0, trials = 0;
        next = expect_case_end(points, count, i);
        for (size_t j = i; j < next; j++) {
            events += points[j].events;
            trials += points[j].trials;
        }
        stray = stray || !holds_case(fit, points + i, next - i, few);
        double off = log(fmax(events, 0.5) / trials) - fit->mean;
        // A case without events is far only where many were to be expected.
        if (events == 0 && (!few || off > 0)) continue;
        if (fabs(off) <= farthest) continue;
        farthest = fabs(off);
        *first = i;
        *end = next;
    }
    return stray && farthest >= 0;
}

static size_t count_cases(const struct expect_point* points, size_t count) {
    size_t cases = 0;
    for (size_t i = 0; i < count; i = expect_case_end(points, count, i)) cases++;
    return cases;
}

// The distribution over the cases that have it in common. The others are taken out, the farthest
// first. False: too few are left, or no event.
static bool fit_general(struct cell* cell, struct expect_fit* fit, size_t* runs) {
    struct expect_point* points = cell->points;
    size_t count = cell->point_count, first = 0, end = 0;
    double events = cell->events;
    for (;;) {
        if (events == 0 || count_cases(points, count) < GENERAL_CASES) return false;
        *fit = expect_over(points, count, cell->within);
        if (!find_stray(points, count, fit, is_cause(cell->subject), &first, &end)) break;
        for (size_t i = first; i < end; i++) events -= points[i].events;
        memmove(points + first, points + end, (count - end) * sizeof *points);
        count -= end - first;
    }
    fit->variance += fit->variance / (double)count + 1 / events;
    *runs = count;
    return true;
}

static void add(struct expect_lines* lines, const struct cell* cell, size_t test,
                const struct expect_fit* fit, size_t runs) {
    size_t count = lines->count;
    if ((count & (count - 1)) == 0)
        lines->list =
            base_must(realloc(lines->list, (count == 0 ? 1 : 2 * count) * sizeof *lines->list));
    lines->list[lines->count++] = (struct expect_line){.scope = cell->rows->scope,
                                                       .layers = 1u << cell->rows->layer,
                                                       .subject = cell->subject,
                                                       .test = test,
                                                       .profiler = cell->rows->profiler,
                                                       .first = cell->rows->release,
                                                       .last = cell->rows->release,
                                                       .modes = 1u << cell->rows->mode,
                                                       .fit = *fit,
                                                       .low = fit->mean,
                                                       .high = fit->mean,
                                                       .runs = runs};
}

// Attribution has a limit that most rows are far below, and varies with every inlining: only what
// lies above the limit gets a line.
static void make_general(struct cell* cell, struct expect_lines* lines) {
    struct expect_fit fit;
    size_t runs;
    take_points(cell);
    if (cell->subject == EXPECT_ATTRIBUTION) return;
    if (fit_general(cell, &fit, &runs)) add(lines, cell, EXPECT_ANY, &fit, runs);
}

// ---- Lines of a case ----------------------------------------------------------------------------

static const struct expect_line* general_of(const struct expect_lines* lines,
                                            const struct cell* cell) {
    for (size_t i = 0; i < lines->count; i++) {
        const struct expect_line* line = &lines->list[i];
        if (line->test == EXPECT_ANY && line->scope == cell->rows->scope &&
            line->profiler == cell->rows->profiler &&
            (line->layers >> cell->rows->layer & 1u) != 0 && line->subject == cell->subject &&
            line->first <= cell->rows->release && line->last >= cell->rows->release &&
            (line->modes >> cell->rows->mode & 1u) != 0)
            return line;
    }
    return NULL;
}

static bool is_above_limit(const struct expect_point* points, size_t count, const char* mode) {
    double limit = results_attribution_limit(mode, false);
    for (size_t i = 0; i < count; i++)
        if (points[i].events > 0 &&
            oracle_interval((uint64_t)points[i].events, (uint64_t)points[i].trials, 0.5).low >
                limit)
            return true;
    return false;
}

// Half of the answers could be refused where one case in a hundred refuses as many.
static bool is_wide(const struct expect_line* general) {
    return general->subject >= EXPECT_REFUSALS && general->subject < EXPECT_ATTRIBUTION &&
           exp(general->fit.mean + FAIL_DEVIATIONS * sqrt(general->fit.variance)) > REFUSALS_WIDE;
}

static bool needs_line(const struct cell* cell, const struct expect_line* general,
                       const struct expect_point* points, size_t count) {
    double events = 0;
    for (size_t i = 0; i < count; i++) events += points[i].events;
    // Its limit is made for AsyncGetCallTrace.
    bool profiled = cell->rows->layer == ORACLE_LAYER_PROFILER;
    if (cell->subject == EXPECT_ATTRIBUTION && !profiled)
        return is_above_limit(points, count, modes[cell->rows->mode].name);
    if (general == NULL) return events != 0 || (profiled && is_only_limit(cell->subject));
    return is_wide(general) || !holds_case(&general->fit, points, count, is_cause(cell->subject));
}

static void make_own(struct cell* cell, struct expect_lines* lines) {
    take_points(cell);
    if (cell->events == 0 && !is_only_limit(cell->subject)) return;
    const struct expect_line* general = general_of(lines, cell);
    struct expect_line held = {0};
    if (general != NULL) held = *general; // the list moves while it grows
    for (size_t i = 0, end; i < cell->point_count; i = end) {
        end = expect_case_end(cell->points, cell->point_count, i);
        const struct expect_point* points = cell->points + i;
        if (!needs_line(cell, general != NULL ? &held : NULL, points, end - i)) continue;
        // Whether the JIT compiler takes a path or not is decided anew in each run: such a case's
        // rates are far apart where the others' are not.
        double within = fmax(cell->within, expect_within(points, end - i));
        struct expect_fit fit = expect_of_case(points, end - i, within);
        add(lines, cell, points->test, &fit, end - i);
    }
}

// ---- Joining ------------------------------------------------------------------------------------

// What is joined: modes of a release, then neighbouring releases of the same modes, then layers
// that have all of this in common. (async and structure often judge the same samples.)
enum step { MODES_STEP, RELEASES_STEP, LAYERS_STEP, STEPS };

static int compare_numbers(double a, double b) {
    return (a > b) - (a < b);
}

// General lines come first.
static int compare_places(const struct expect_line* a, const struct expect_line* b) {
    int order = compare_numbers((double)(a->test + 1), (double)(b->test + 1));
    if (order == 0) order = a->scope - b->scope;
    if (order == 0) order = (a->profiler > b->profiler) - (a->profiler < b->profiler);
    return order != 0 ? order : (int)a->subject - (int)b->subject;
}

static int compare_releases(const struct expect_line* a, const struct expect_line* b) {
    int order = compare_numbers((double)a->first, (double)b->first);
    return order != 0 ? order : compare_numbers((double)a->last, (double)b->last);
}

// Each brings lines that may be joined together, the rarest or the oldest first.
static int compare_for_modes(const void* left, const void* right) {
    const struct expect_line *a = left, *b = right;
    int order = compare_places(a, b);
    if (order == 0) order = compare_numbers(a->layers, b->layers);
    if (order == 0) order = compare_releases(a, b);
    if (order == 0) order = compare_numbers(a->fit.mean, b->fit.mean);
    return order != 0 ? order : compare_numbers(a->modes, b->modes);
}

static int compare_for_releases(const void* left, const void* right) {
    const struct expect_line *a = left, *b = right;
    int order = compare_places(a, b);
    if (order == 0) order = compare_numbers(a->layers, b->layers);
    if (order == 0) order = compare_numbers(a->modes, b->modes);
    return order != 0 ? order : compare_releases(a, b);
}

static int compare_for_layers(const void* left, const void* right) {
    const struct expect_line *a = left, *b = right;
    int order = compare_places(a, b);
    if (order == 0) order = compare_numbers(a->modes, b->modes);
    if (order == 0) order = compare_releases(a, b);
    if (order == 0) order = compare_numbers(a->fit.mean, b->fit.mean);
    return order != 0 ? order : compare_numbers(a->layers, b->layers);
}

// May they be joined, as far as the places go?
static bool are_neighbours(const struct expect_line* line, const struct expect_line* next,
                           enum step step) {
    if (compare_places(line, next) != 0) return false;
    if (step == MODES_STEP) return line->layers == next->layers && line->first == next->first;
    if (line->modes != next->modes) return false;
    if (step == RELEASES_STEP) return line->layers == next->layers && next->first == line->last + 1;
    return compare_releases(line, next) == 0;
}

// A distribution of both: of their runs, as if they were one release's and mode's.
static void join(struct expect_line* line, struct expect_line* other) {
    double a = (double)line->runs, b = (double)other->runs;
    double mean = (a * line->fit.mean + b * other->fit.mean) / (a + b);
    double apart = line->fit.mean - other->fit.mean;
    line->fit.variance = (a * line->fit.variance + b * other->fit.variance) / (a + b) +
                         a * b / (a + b) / (a + b) * apart * apart;
    line->fit.mean = mean;
    line->low = fmin(line->low, other->low);
    line->high = fmax(line->high, other->high);
    line->modes |= other->modes;
    line->layers |= other->layers;
    line->last = other->last;
    line->runs += other->runs;
    other->joined = true;
}

static bool are_alike(const struct expect_line* line, const struct expect_line* other,
                      double merge) {
    return fmax(line->high, other->high) - fmin(line->low, other->low) <= log(merge);
}

static void remove_joined(struct expect_lines* lines) {
    size_t kept = 0;
    for (size_t i = 0; i < lines->count; i++)
        if (!lines->list[i].joined) lines->list[kept++] = lines->list[i];
    lines->count = kept;
}

// Joins each line with those behind it, as long as they may be joined.
static void join_step(struct expect_lines* lines, double merge, enum step step) {
    static int (*const orders[STEPS])(const void*, const void*) = {
        compare_for_modes, compare_for_releases, compare_for_layers};
    if (lines->count == 0) return;
    qsort(lines->list, lines->count, sizeof *lines->list, orders[step]);
    for (size_t i = 0, j; i < lines->count; i = j) {
        struct expect_line* line = &lines->list[i];
        for (j = i + 1; j < lines->count; j++) {
            struct expect_line* next = &lines->list[j];
            if (!are_neighbours(line, next, step) || !are_alike(line, next, merge)) break;
            join(line, next);
        }
    }
    remove_joined(lines);
}

static void join_lines(const struct expect* expect, struct expect_lines* lines) {
    for (int step = MODES_STEP; step < STEPS; step++)
        join_step(lines, expect->merge, (enum step)step);
}

// ---- All cells ----------------------------------------------------------------------------------

typedef void cell_visit(struct cell* cell, struct expect_lines* lines);

static bool same_cell(const struct expect_row* a, const struct expect_row* b) {
    return a->scope == b->scope && a->layer == b->layer && a->release == b->release &&
           a->mode == b->mode && a->profiler == b->profiler;
}

static void each_cell(const struct expect* expect, cell_visit* visit, struct expect_lines* lines) {
    struct cell cell = {.points =
                            base_must(calloc(expect->row_count + 1, sizeof(struct expect_point)))};
    for (size_t i = 0, end; i < expect->row_count; i = end) {
        end = i;
        while (end < expect->row_count && same_cell(&expect->rows[i], &expect->rows[end])) end++;
        cell.rows = &expect->rows[i];
        cell.count = end - i;
        for (cell.subject = 1; cell.subject < EXPECT_SUBJECTS; cell.subject++)
            if (cell.subject != EXPECT_REFUSALS + ORACLE_REFUSAL_OTHER) visit(&cell, lines);
    }
    free(cell.points);
}

// By sections; in a section by scope, subject, layers and modes.
static int compare_for_print(const void* left, const void* right) {
    const struct expect_line *a = left, *b = right;
    int order = compare_numbers((double)(a->test + 1), (double)(b->test + 1));
    if (order == 0) order = compare_releases(a, b);
    return order != 0 ? order : compare_for_modes(a, b);
}

void expect_make_lines(const struct expect* expect, struct expect_lines* lines) {
    struct expect_lines own = {0};
    *lines = (struct expect_lines){0};
    each_cell(expect, make_general, lines);
    join_lines(expect, lines);
    size_t general = lines->count;
    each_cell(expect, make_own, lines);
    own = (struct expect_lines){base_must(calloc(lines->count + 1, sizeof *own.list)),
                                lines->count - general};
    if (own.count != 0) memcpy(own.list, lines->list + general, own.count * sizeof *own.list);
    join_lines(expect, &own);
    if (own.count != 0) memcpy(lines->list + general, own.list, own.count * sizeof *own.list);
    lines->count = general + own.count;
    free(own.list);
    if (lines->count != 0) qsort(lines->list, lines->count, sizeof *lines->list, compare_for_print);
}
