// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Lines joined over modes, releases and layers where they agree, and put in the order of print.
#include "expect_parts.h"

#include <math.h>
#include <stdlib.h>

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
    if (compare_places(line, next) != 0 || line->before != NULL || next->before != NULL)
        return false;
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

void expect_join(struct expect_lines* lines, double merge) {
    for (int step = MODES_STEP; step < STEPS; step++) join_step(lines, merge, (enum step)step);
}

// By sections; in a section by scope, subject, layers and modes.
static int compare_for_print(const void* left, const void* right) {
    const struct expect_line *a = left, *b = right;
    int order = compare_numbers((double)(a->test + 1), (double)(b->test + 1));
    if (order == 0) order = compare_releases(a, b);
    return order != 0 ? order : compare_for_modes(a, b);
}

void expect_order(struct expect_lines* lines) {
    if (lines->count != 0) qsort(lines->list, lines->count, sizeof *lines->list, compare_for_print);
}
