// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// One mismatch for a person to look at: expected frames left, observed frames right, aligned by the
// longest sequence of methods that both have.
#include "report.h"

#include <stdlib.h>
#include <string.h>

#define CONTEXT 3    // equal lines printed around a difference
#define LINES_MAX 40 // of one mismatch: enough for the shape, not a page of recursion
#define COLUMN 62    // characters of one side
#define FRAME_TEXT 384

// ---- Texts ------------------------------------------------------------------------------------

const char* evidence_text_at(const struct results_run* run, uint32_t offset) {
    if (offset == 0 || offset >= RESULTS_TEXT) return NULL;
    return memchr(run->text + offset, '\0', RESULTS_TEXT - offset) == NULL ? NULL
                                                                           : run->text + offset;
}

static void frame_place(const struct results_run* run, const struct results_frame* frame,
                        char* text, size_t size) {
    const char* source = evidence_text_at(run, frame->source);
    int used = 0;
    if (frame->bci == ORACLE_BCI_NATIVE) {
        snprintf(text, size, " native");
        return;
    }
    if (frame->bci != RESULTS_BCI_NONE) used = snprintf(text, size, " @%d", frame->old_bci);
    if (frame->line != 0 && used >= 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, " %s:%u", source != NULL ? source : "line",
                 frame->line);
}

// "class.method @bci File.java:line"; a text too long for the column loses the front of its class,
// which says least.
static void frame_text(const struct results_run* run, const struct results_frame* frame,
                       bool descriptor, char text[FRAME_TEXT]) {
    char name[FRAME_TEXT - 100], place[96] = "";
    const char* known = evidence_text_at(run, frame->name);
    if (known != NULL)
        snprintf(name, sizeof name, "%.*s", (int)(descriptor ? strlen(known) : strcspn(known, "(")),
                 known);
    else
        snprintf(name, sizeof name, "%s 0x%llx",
                 frame->flags & RESULTS_FRAME_NUMBERED ? "method number" : "method id",
                 (unsigned long long)frame->id);
    frame_place(run, frame, place, sizeof place);
    size_t room = COLUMN > strlen(place) ? COLUMN - strlen(place) : 0;
    size_t cut = strlen(name) > room && !descriptor ? strlen(name) - room : 0;
    snprintf(text, FRAME_TEXT, "%s%s%s", cut != 0 ? "~" : "", name + (cut != 0 ? cut + 1 : 0),
             place);
}

// ---- Alignment --------------------------------------------------------------------------------

static bool same_method(const struct results_run* run, const struct results_frame* a,
                        const struct results_frame* b) {
    const char* name_a = evidence_text_at(run, a->name);
    const char* name_b = evidence_text_at(run, b->name);
    if (name_a != NULL && name_b != NULL) return strcmp(name_a, name_b) == 0;
    return a->id == b->id &&
           (a->flags & RESULTS_FRAME_NUMBERED) == (b->flags & RESULTS_FRAME_NUMBERED);
}

static bool same_frame(const struct results_run* run, const struct results_frame* a,
                       const struct results_frame* b) {
    if (!same_method(run, a, b)) return false;
    return a->bci == RESULTS_BCI_NONE || b->bci == RESULTS_BCI_NONE || a->old_bci == b->old_bci;
}

struct line {
    const struct results_frame* expected; // NULL: only observed
    const struct results_frame* observed; // NULL: only expected
    char mark; // ' ' equal, '|' differ, '<' and '>' one side only, '.' not compared
};

struct alignment {
    struct line lines[2 * RESULTS_FRAMES_KEPT]; // oldest first
    size_t count;
    // longest[i][j]: methods shared, in order, by the youngest i expected and j observed frames.
    uint16_t longest[RESULTS_FRAMES_KEPT + 1][RESULTS_FRAMES_KEPT + 1];
};

static void find_longest(struct alignment* a, const struct results_run* run,
                         const struct results_mismatch* m, uint32_t n, uint32_t k) {
    for (uint32_t i = 1; i <= n; i++)
        for (uint32_t j = 1; j <= k; j++) {
            uint16_t without = a->longest[i - 1][j] > a->longest[i][j - 1] ? a->longest[i - 1][j]
                                                                           : a->longest[i][j - 1];
            bool same = same_method(run, &m->expected[i - 1], &m->observed[j - 1]);
            uint16_t with = same ? (uint16_t)(a->longest[i - 1][j - 1] + 1) : 0;
            a->longest[i][j] = with > without ? with : without;
        }
}

static uint32_t kept(uint32_t count) {
    return count < RESULTS_FRAMES_KEPT ? count : RESULTS_FRAMES_KEPT;
}

// The trace stack knows only methods that push; others may stand between and under them. The layers
// that compare a walker with GetStackTrace compare all.
static bool compared(const struct results_mismatch* m, const struct results_frame* observed) {
    bool by_trace_stack = m->layer == ORACLE_LAYER_ASYNC || m->layer == ORACLE_LAYER_GST ||
                          m->layer == ORACLE_LAYER_STRUCTURE;
    return !by_trace_stack || (observed->flags & RESULTS_FRAME_INSTRUMENTED) != 0;
}

static char mark_of(const struct results_run* run, const struct results_mismatch* m,
                    const struct line* line) {
    if (line->observed == NULL) return '<';
    if (line->expected != NULL) return same_frame(run, line->expected, line->observed) ? ' ' : '|';
    return compared(m, line->observed) ? '>' : '.';
}

// NULL without memory. From the oldest frames on, as stacks grow: of a recursion's equal frames,
// the ones in excess are the youngest.
static struct alignment* align(const struct results_run* run, const struct results_mismatch* m) {
    struct alignment* a = calloc(1, sizeof *a);
    if (a == NULL) return NULL;
    uint32_t i = kept(m->expected_kept), j = kept(m->observed_kept);
    find_longest(a, run, m, i, j);
    while (i > 0 || j > 0) {
        struct line* line = &a->lines[a->count++];
        bool left = i > 0, right = j > 0;
        if (left && right && !same_method(run, &m->expected[i - 1], &m->observed[j - 1])) {
            bool loses = a->longest[i - 1][j - 1] < a->longest[i][j];
            // To make them face each other would lose a pair, or mean nothing: leave out one.
            if (loses || !compared(m, &m->observed[j - 1])) {
                left = loses && a->longest[i - 1][j] >= a->longest[i][j - 1];
                right = !left;
            }
        }
        line->expected = left ? &m->expected[--i] : NULL;
        line->observed = right ? &m->observed[--j] : NULL;
        line->mark = mark_of(run, m, line);
    }
    return a;
}

// ---- Printing ---------------------------------------------------------------------------------

static void print_line(const struct results_run* run, const struct line* line, FILE* out) {
    char left[FRAME_TEXT] = "", right[FRAME_TEXT] = "";
    if (line->expected != NULL) frame_text(run, line->expected, false, left);
    if (line->observed != NULL) frame_text(run, line->observed, false, right);
    if (line->mark == '|' && strcmp(left, right) == 0) { // overloads: only descriptors differ
        frame_text(run, line->expected, true, left);
        frame_text(run, line->observed, true, right);
    }
    if (line->observed == NULL) fprintf(out, "  %-*s %c\n", COLUMN, left, line->mark);
    else fprintf(out, "  %-*s %c %s\n", COLUMN, left, line->mark, right);
}

static bool is_difference(const struct line* line) {
    return line->mark != ' ' && line->mark != '.';
}

static bool near_difference(const struct alignment* a, size_t at) {
    size_t first = at < CONTEXT ? 0 : at - CONTEXT;
    for (size_t i = first; i < a->count && i <= at + CONTEXT; i++)
        if (is_difference(&a->lines[i])) return true;
    return false;
}

static void print_gap(size_t* lines, FILE* out) {
    if (*lines != 0) fprintf(out, "  ... %zu without difference\n", *lines);
    *lines = 0;
}

// Youngest frame first.
static void print_lines(const struct results_run* run, const struct alignment* a, FILE* out) {
    size_t left_out = 0, printed = 0;
    for (size_t i = a->count; i-- > 0;) {
        if (!near_difference(a, i)) {
            left_out++;
            continue;
        }
        print_gap(&left_out, out);
        if (printed++ == LINES_MAX) {
            fprintf(out, "  ... %zu more lines\n", i + 1);
            return;
        }
        print_line(run, &a->lines[i], out);
    }
    print_gap(&left_out, out);
}

static void print_heading(const struct results_execution* execution,
                          const struct results_mismatch* m, FILE* out) {
    static const char* const blames[] = {"blame still open", "the trace stack was confirmed",
                                         "the trace stack was contradicted"};
    fprintf(out, "\n%s %s %s %s: %s, thread \"%.*s\" (%u), pc 0x%llx, %s", execution->case_name,
            execution->mode, execution->scope, oracle_layer_text((enum oracle_layer)m->layer),
            oracle_verdict_text((enum oracle_verdict)m->verdict), (int)sizeof m->thread_name,
            m->thread_name, m->thread_id, (unsigned long long)m->pc,
            m->blame < 3 ? blames[m->blame] : "?");
    // Three parties only where the walker was held against the trace stack in a signal handler.
    if (m->layer == ORACLE_LAYER_ASYNC && m->vote < RESULTS_VOTE_COUNT)
        fprintf(out, ", vote %s", results_vote_text((enum results_vote)m->vote));
    fprintf(out, "\n");
}

static void print_counts(const struct results_mismatch* m, FILE* out) {
    char left[64], right[64];
    snprintf(left, sizeof left, "expected: %u frames, from %u", m->expected_count,
             m->expected_first);
    snprintf(right, sizeof right, "observed: %u frames, from %u, differs at %u", m->observed_count,
             m->observed_first, m->difference);
    fprintf(out, "  %-*s   %s\n", COLUMN, left, right);
}

bool evidence_print(const struct results_report* report, const struct results_execution* execution,
                    const struct results_mismatch* mismatch, bool whole, FILE* out) {
    struct alignment* alignment = align(execution->run, mismatch);
    if (alignment == NULL) return false;
    print_heading(execution, mismatch, out);
    print_counts(mismatch, out);
    print_lines(execution->run, alignment, out);
    context_print(report, execution->run, mismatch, whole, out);
    free(alignment);
    return true;
}

// ---- The worst of a row -----------------------------------------------------------------------

// Wrong frames are worse than truncated ones, and these than wrong attribution.
static int severity(uint32_t verdict) {
    if (verdict == ORACLE_ATTRIBUTION) return 1;
    return verdict == ORACLE_TRUNCATED ? 2 : 3;
}

static bool better(const struct results_mismatch* m, const struct results_mismatch* best) {
    if (best == NULL) return true;
    if (severity(m->verdict) != severity(best->verdict))
        return severity(m->verdict) > severity(best->verdict);
    return (m->blame == RESULTS_BLAME_WALKER) > (best->blame == RESULTS_BLAME_WALKER);
}

static const struct results_mismatch* choose(const struct results_run* run, enum oracle_layer layer,
                                             uint32_t state) {
    const struct results_mismatch* best = NULL;
    for (size_t i = 0; i < RESULTS_MISMATCHES_KEPT; i++) {
        const struct results_mismatch* m = &run->mismatches[i];
        if (__atomic_load_n(&m->state, __ATOMIC_ACQUIRE) != state || m->layer != (uint32_t)layer)
            continue;
        if (!oracle_is_mismatch((enum oracle_verdict)m->verdict)) continue;
        if (m->blame != RESULTS_BLAME_ORACLE && better(m, best)) best = m;
    }
    return best;
}

bool results_evidence(const struct results_report* report, const struct results_row* row,
                      FILE* out) {
    const struct results_run* run = row->execution->run;
    if (run == NULL) return false;
    const struct results_mismatch* m = choose(run, row->layer, RESULTS_MISMATCH_RESOLVED);
    if (m == NULL) m = choose(run, row->layer, RESULTS_MISMATCH_TAKEN); // the JVM died: ids only
    return m != NULL && evidence_print(report, row->execution, m, false, out);
}

// ---- For other formats ------------------------------------------------------------------------

static void visit_line(const struct results_run* run, const struct line* line, size_t skipped,
                       evidence_visit* visit, void* context) {
    char left[FRAME_TEXT] = "", right[FRAME_TEXT] = "";
    if (line->expected != NULL) frame_text(run, line->expected, true, left);
    if (line->observed != NULL) frame_text(run, line->observed, true, right);
    visit(context, skipped, line->mark, left, right);
}

bool evidence_lines(const struct results_run* run, const struct results_mismatch* mismatch,
                    evidence_visit* visit, void* context) {
    struct alignment* a = align(run, mismatch);
    if (a == NULL) return false;
    size_t skipped = 0;
    for (size_t i = a->count; i-- > 0;) {
        if (!near_difference(a, i)) {
            skipped++;
            continue;
        }
        visit_line(run, &a->lines[i], skipped, visit, context);
        skipped = 0;
    }
    visit(context, skipped, '\0', "", "");
    free(a);
    return true;
}
