// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// General lines and lines of single cases, from counts and, with --update, from the lines of a
// file.
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
    const struct expect* expect;
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

static bool holds_runs(const struct expect_fit* fit, const struct expect_point* points,
                       size_t count, bool few) {
    for (size_t i = 0; i < count; i++)
        if (!holds(fit, points[i].events, points[i].trials, few, HELD)) return false;
    return true;
}

// Does the distribution hold the case's runs, and their mean? Too few events matter for causes
// only: nothing is said of refusals that have gone.
static bool holds_case(const struct expect_fit* fit, const struct expect_point* points,
                       size_t count, bool few) {
    double events = 0, trials = 0;
    if (!holds_runs(fit, points, count, few)) return false;
    for (size_t i = 0; i < count; i++) {
        events += points[i].events;
        trials += points[i].trials;
    }
    return holds(fit, events / (double)count, trials / (double)count, few, HELD_MEAN);
}

// ---- The file's lines (--update) ----------------------------------------------------------------

static struct ceilings_row row_of(const struct cell* cell, size_t test) {
    const struct expect* expect = cell->expect;
    const struct expect_row* row = cell->rows;
    return (struct ceilings_row){
        .test = expect->tests[test],
        .mode = &modes[row->mode],
        .scope = options_scope_text((enum options_scope)row->scope),
        .feature = expect->releases[row->release].feature,
        .profiler = row->profiler != EXPECT_NO_PROFILER ? expect->profilers[row->profiler] : NULL};
}

static bool is_in_file(const struct cell* cell) {
    if (cell->expect->before == NULL) return false;
    const struct ceilings_row row = row_of(cell, cell->rows->test);
    return ceilings_measured(cell->expect->before, &row, cell->rows->layer);
}

static const struct ceiling* line_in_file(const struct cell* cell, size_t test) {
    enum results_subject subject;
    uint32_t index;
    if (cell->expect->before == NULL) return NULL;
    const struct ceilings_row row = row_of(cell, test);
    expect_subject(cell->subject, &subject, &index);
    return ceilings_line(cell->expect->before, &row, cell->rows->layer, subject, index);
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
    // A general line of a file is of many runs, and these cases have been measured against it.
    if (cell->subject == EXPECT_ATTRIBUTION || is_in_file(cell)) return;
    take_points(cell);
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

// The distribution that holds for a case so far.
struct so_far {
    bool found;
    struct expect_fit fit;
    const struct ceiling* own; // a line of the file that names the case; NULL: none
};

static struct so_far so_far_of(const struct expect_lines* lines, const struct cell* cell,
                               size_t test) {
    const struct ceiling* line = line_in_file(cell, test);
    if (line != NULL)
        return (struct so_far){.found = true,
                               .fit = {log(line->limit.mean), pow(line->limit.spread, 2)},
                               .own = ceilings_is_general(line) ? NULL : line};
    const struct expect_line* general = general_of(lines, cell);
    if (general == NULL) return (struct so_far){0};
    return (struct so_far){.found = true, .fit = general->fit};
}

static bool is_above_limit(const struct expect_point* points, size_t count, const char* mode) {
    double limit = results_attribution_limit(mode, false);
    for (size_t i = 0; i < count; i++)
        if (oracle_interval_above((uint64_t)points[i].events, (uint64_t)points[i].trials, 0.5,
                                  limit))
            return true;
    return false;
}

// Half of the answers could be refused where one case in a hundred refuses as many.
static bool is_wide(const struct cell* cell, const struct expect_fit* general) {
    return cell->subject >= EXPECT_REFUSALS && cell->subject < EXPECT_ATTRIBUTION &&
           exp(general->mean + FAIL_DEVIATIONS * sqrt(general->variance)) > REFUSALS_WIDE;
}

static bool needs_line(const struct cell* cell, const struct so_far* so_far,
                       const struct expect_point* points, size_t count) {
    double events = 0;
    for (size_t i = 0; i < count; i++) events += points[i].events;
    bool held = so_far->found && holds_case(&so_far->fit, points, count, is_cause(cell->subject));
    if (so_far->own != NULL) return !held;
    // Its limit is made for AsyncGetCallTrace.
    bool profiled = cell->rows->layer == ORACLE_LAYER_PROFILER;
    if (cell->subject == EXPECT_ATTRIBUTION && !profiled)
        return is_above_limit(points, count, modes[cell->rows->mode].name);
    if (!so_far->found) return events != 0 || (profiled && is_only_limit(cell->subject));
    return is_wide(cell, &so_far->fit) || !held;
}

// A line of the file goes on with the runs; else they alone make one.
static void make_line(const struct cell* cell, struct expect_lines* lines,
                      const struct so_far* so_far, const struct expect_point* points,
                      size_t count) {
    const struct ceiling* own = so_far->own;
    if (own != NULL) {
        struct expect_fit more = expect_more(&so_far->fit, own->runs, points, count);
        add(lines, cell, points->test, &more, own->runs + count);
        struct expect_line* line = &lines->list[lines->count - 1];
        line->before = own;
        if (!holds_runs(&more, points, count, is_cause(cell->subject)))
            line->unlike = expect_rate(points, count);
        return;
    }
    // Whether the JIT compiler takes a path or not is decided anew in each run: such a case's
    // rates are far apart where the others' are not.
    double within = fmax(cell->within, expect_within(points, count));
    struct expect_fit fit = expect_of_case(points, count, within);
    add(lines, cell, points->test, &fit, count);
}

static void make_own(struct cell* cell, struct expect_lines* lines) {
    take_points(cell);
    bool seen = cell->events != 0 || is_only_limit(cell->subject);
    if (!seen && cell->expect->before == NULL) return;
    for (size_t i = 0, end; i < cell->point_count; i = end) {
        end = expect_case_end(cell->points, cell->point_count, i);
        const struct expect_point* points = cell->points + i;
        struct so_far so_far = so_far_of(lines, cell, points->test);
        if ((seen || so_far.own != NULL) && needs_line(cell, &so_far, points, end - i))
            make_line(cell, lines, &so_far, points, end - i);
    }
}

// ---- All cells ----------------------------------------------------------------------------------

// A code that no walker has fails at once, and one that is due never does.
static bool has_lines(unsigned subject) {
    if (subject < EXPECT_REFUSALS || subject >= EXPECT_ATTRIBUTION) return true;
    enum oracle_refusal refusal = (enum oracle_refusal)(subject - EXPECT_REFUSALS);
    return refusal != ORACLE_REFUSAL_OTHER && !oracle_refusal_is_due(refusal);
}

typedef void cell_visit(struct cell* cell, struct expect_lines* lines);

static bool same_cell(const struct expect_row* a, const struct expect_row* b) {
    return a->scope == b->scope && a->layer == b->layer && a->release == b->release &&
           a->mode == b->mode && a->profiler == b->profiler;
}

static void each_cell(const struct expect* expect, cell_visit* visit, struct expect_lines* lines) {
    struct cell cell = {.expect = expect,
                        .points =
                            base_must(calloc(expect->row_count + 1, sizeof(struct expect_point)))};
    for (size_t i = 0, end; i < expect->row_count; i = end) {
        end = i;
        while (end < expect->row_count && same_cell(&expect->rows[i], &expect->rows[end])) end++;
        cell.rows = &expect->rows[i];
        cell.count = end - i;
        for (cell.subject = 1; cell.subject < EXPECT_SUBJECTS; cell.subject++)
            if (has_lines(cell.subject)) visit(&cell, lines);
    }
    free(cell.points);
}

void expect_make_lines(const struct expect* expect, struct expect_lines* lines) {
    struct expect_lines own = {0};
    *lines = (struct expect_lines){0};
    each_cell(expect, make_general, lines);
    expect_join(lines, expect->merge);
    size_t general = lines->count;
    each_cell(expect, make_own, lines);
    own = (struct expect_lines){base_must(calloc(lines->count + 1, sizeof *own.list)),
                                lines->count - general};
    if (own.count != 0) memcpy(own.list, lines->list + general, own.count * sizeof *own.list);
    expect_join(&own, expect->merge);
    if (own.count != 0) memcpy(lines->list + general, own.list, own.count * sizeof *own.list);
    lines->count = general + own.count;
    free(own.list);
    expect_order(lines);
}
