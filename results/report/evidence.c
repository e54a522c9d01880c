// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// One mismatch for a person to look at: expected frames left, observed frames right, aligned by the
// longest sequence of methods that both have.
#include "rows.h"

#include <stdlib.h>
#include <string.h>

#define CONTEXT 3    // equal lines printed around a difference
#define LINES_MAX 40 // of one mismatch: enough for the shape, not a page of recursion
#define COLUMN 62    // characters of one side
#define FRAME_TEXT 384

// ---- Texts ------------------------------------------------------------------------------------

static void frame_place(const struct traces_frame* frame, char* text, size_t size) {
    int used = 0;
    if (frame->bci == ORACLE_BCI_NATIVE) {
        snprintf(text, size, " native");
        return;
    }
    if (frame->bci != TRACES_BCI_NONE) used = snprintf(text, size, " @%d", frame->old_bci);
    if (frame->line != 0 && used >= 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, " %s:%u",
                 frame->source != NULL ? frame->source : "line", frame->line);
}

// "class.method @bci File.java:line". A text too long for the column loses the front of its class,
// which says least.
static void frame_text(const struct traces_frame* frame, bool descriptor, char text[FRAME_TEXT]) {
    char name[FRAME_TEXT - 100], place[96] = "";
    const char* known = frame->name;
    if (known != NULL)
        snprintf(name, sizeof name, "%.*s", (int)(descriptor ? strlen(known) : strcspn(known, "(")),
                 known);
    else
        snprintf(name, sizeof name, "%s 0x%llx", frame->numbered ? "method number" : "method id",
                 (unsigned long long)frame->id);
    frame_place(frame, place, sizeof place);
    size_t room = COLUMN > strlen(place) ? COLUMN - strlen(place) : 0;
    size_t cut = strlen(name) > room && !descriptor ? strlen(name) - room : 0;
    snprintf(text, FRAME_TEXT, "%s%s%s", cut != 0 ? "~" : "", name + (cut != 0 ? cut + 1 : 0),
             place);
}

// ---- Alignment --------------------------------------------------------------------------------

static bool same_method(const struct traces_frame* a, const struct traces_frame* b) {
    if (a->name != NULL && b->name != NULL) return strcmp(a->name, b->name) == 0;
    return a->id == b->id && a->numbered == b->numbered;
}

static bool same_frame(const struct traces_frame* a, const struct traces_frame* b) {
    if (!same_method(a, b)) return false;
    return a->bci == TRACES_BCI_NONE || b->bci == TRACES_BCI_NONE || a->old_bci == b->old_bci;
}

struct line {
    const struct traces_frame* expected; // NULL: only observed
    const struct traces_frame* observed; // NULL: only expected
    // ' ' equal, '|' differ, '<' and '>' one side only, '.' not compared, or with a frame that was
    // not kept, '!' cannot be there
    char mark;
};

struct alignment {
    enum oracle_layer layer;
    uint32_t impossible; // layer structure: index of the observed frame that cannot be there
    struct traces traces;
    struct line lines[2 * TRACES_FRAMES]; // oldest first
    size_t count;
    // longest[i][j]: methods shared, in order, by the youngest i expected and j observed frames.
    uint16_t longest[TRACES_FRAMES + 1][TRACES_FRAMES + 1];
};

static void find_longest(struct alignment* a) {
    const struct traces* t = &a->traces;
    for (uint32_t i = 1; i <= t->expected.kept; i++)
        for (uint32_t j = 1; j <= t->observed.kept; j++) {
            uint16_t without = a->longest[i - 1][j] > a->longest[i][j - 1] ? a->longest[i - 1][j]
                                                                           : a->longest[i][j - 1];
            bool same = same_method(&t->expected.frames[i - 1], &t->observed.frames[j - 1]);
            uint16_t with = same ? (uint16_t)(a->longest[i - 1][j - 1] + 1) : 0;
            a->longest[i][j] = with > without ? with : without;
        }
}

// The trace stack knows only methods that push; others may stand between and under them. The layers
// that compare a walker with GetStackTrace compare all.
static bool compared(const struct alignment* a, const struct traces_frame* observed) {
    bool by_trace_stack = a->layer == ORACLE_LAYER_ASYNC || a->layer == ORACLE_LAYER_GST ||
                          a->layer == ORACLE_LAYER_STRUCTURE;
    return !by_trace_stack || observed->instrumented;
}

static bool is_pair(const struct line* line) {
    return line->expected != NULL && line->observed != NULL;
}

static char mark_of(const struct alignment* a, const struct line* line) {
    if (line->observed == NULL) return '<';
    if (line->expected != NULL) return same_frame(line->expected, line->observed) ? ' ' : '|';
    return compared(a, line->observed) ? '>' : '.';
}

// Stacks of different depths with no method in common: no frame stands in the place of another.
static bool share_nothing(const struct alignment* a) {
    uint32_t expected = a->traces.expected.kept, observed = a->traces.observed.kept;
    return expected != observed && a->longest[expected][observed] == 0;
}

// From the oldest frames on, as stacks grow: of a recursion's equal frames, the ones in excess are
// the youngest. Of two that share nothing the longer one first, so that the shorter one is printed.
static void make_lines(struct alignment* a) {
    const struct traces_frame *expected = a->traces.expected.frames,
                              *observed = a->traces.observed.frames;
    uint32_t i = a->traces.expected.kept, j = a->traces.observed.kept;
    bool apart = share_nothing(a), expected_first = i > j;
    while (i > 0 || j > 0) {
        struct line* line = &a->lines[a->count++];
        bool left = i > 0, right = j > 0;
        if (apart) {
            left = left && (expected_first || !right);
            right = !left;
        } else if (left && right && !same_method(&expected[i - 1], &observed[j - 1])) {
            bool loses = a->longest[i - 1][j - 1] < a->longest[i][j];
            // To make them face each other would lose a pair, or mean nothing: leave out one.
            if (loses || !compared(a, &observed[j - 1])) {
                left = loses && a->longest[i - 1][j] >= a->longest[i][j - 1];
                right = !left;
            }
        }
        line->expected = left ? &expected[--i] : NULL;
        line->observed = right ? &observed[--j] : NULL;
        line->mark = mark_of(a, line);
        if (right && a->layer == ORACLE_LAYER_STRUCTURE &&
            a->traces.observed.first + j == a->impossible)
            line->mark = '!';
    }
}

static bool cut_at_its_old_end(const struct traces_side* side) {
    return side->first + side->kept < side->count;
}

// The two windows need not end at the same frame: behind the outermost pair, what stands alone on
// one side may face a frame that the other side's window leaves out.
static void leave_out_what_faces_a_cut(struct alignment* a) {
    const struct traces_side *expected = &a->traces.expected, *observed = &a->traces.observed;
    size_t oldest = 0, youngest = a->count;
    while (oldest < a->count && !is_pair(&a->lines[oldest])) oldest++;
    if (oldest == a->count) return; // nothing in common: all of it is the difference
    while (!is_pair(&a->lines[youngest - 1])) youngest--;
    for (size_t i = 0; i < a->count; i++) {
        struct line* line = &a->lines[i];
        const struct traces_side* other = line->expected == NULL ? expected : observed;
        bool cut = (i < oldest && cut_at_its_old_end(other)) || (i >= youngest && other->first > 0);
        if (cut && line->mark != '!') line->mark = '.';
    }
}

// NULL without memory.
static struct alignment* align(const struct results_record* record,
                               const struct results_sample* sample) {
    struct alignment* a = calloc(1, sizeof *a);
    if (a == NULL) return NULL;
    a->layer = (enum oracle_layer)sample->layer;
    a->impossible = oracle_is_mismatch((enum oracle_verdict)sample->verdict)
                        ? sample->judgement.difference
                        : UINT32_MAX;
    traces_make(record, sample, &a->traces);
    find_longest(a);
    make_lines(a);
    leave_out_what_faces_a_cut(a);
    return a;
}

// ---- Printing ---------------------------------------------------------------------------------

static void print_line(const struct line* line, FILE* out) {
    char left[FRAME_TEXT] = "", right[FRAME_TEXT] = "";
    if (line->expected != NULL) frame_text(line->expected, false, left);
    if (line->observed != NULL) frame_text(line->observed, false, right);
    if (line->mark == '|' && strcmp(left, right) == 0) { // overloads: only descriptors differ
        frame_text(line->expected, true, left);
        frame_text(line->observed, true, right);
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
static void print_lines(const struct alignment* a, FILE* out) {
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
        print_line(&a->lines[i], out);
    }
    print_gap(&left_out, out);
}

const char* evidence_blame_text(uint32_t blame) {
    static const char* const texts[] = {"blame still open", "the trace stack was confirmed",
                                        "the trace stack was contradicted"};
    return blame < sizeof texts / sizeof texts[0] ? texts[blame] : "?";
}

static void print_heading(const struct results_execution* execution, const struct results_sample* s,
                          FILE* out) {
    const char* thread = s->evidence != NULL ? s->evidence->thread_name : "";
    bool mismatch = oracle_is_mismatch((enum oracle_verdict)s->verdict);
    fprintf(out, "\n%s %s-%s-%s/%llu\n", mismatch ? "mismatch" : "sample", execution->case_name,
            execution->mode, execution->scope, (unsigned long long)s->sequence);
    fprintf(out, "%s %s %s %s: %s, thread \"%s\" (%u), pc 0x%llx", execution->case_name,
            execution->mode, execution->scope, oracle_layer_text((enum oracle_layer)s->layer),
            oracle_verdict_text((enum oracle_verdict)s->verdict), thread, s->thread_id,
            (unsigned long long)s->pc);
    if (mismatch && s->layer != ORACLE_LAYER_HOSTILE)
        fprintf(out, ", %s", evidence_blame_text(results_record_blame(execution->record, s)));
    // Three parties only where the walker was held against the trace stack in a signal handler.
    if (mismatch && s->layer == ORACLE_LAYER_ASYNC)
        fprintf(out, ", vote %s", results_vote_text(results_record_vote(execution->record, s)));
    fprintf(out, ", %.6f s after the start\n", (double)s->time_ns / 1e9);
}

void evidence_cause_name(const struct results_execution* execution, uint32_t cause,
                         char text[RESULTS_CAUSE_NAME]) {
    const char* list = results_record_property(execution->record, "causes");
    snprintf(text, RESULTS_CAUSE_NAME, cause == RESULTS_UNEXPLAINED ? "unexplained" : "number %u",
             cause);
    for (uint32_t i = 0; list != NULL && i < cause; i++)
        list = (list = strchr(list, ',')) != NULL ? list + 1 : NULL;
    if (list == NULL && execution->run != NULL && cause < RESULTS_CAUSES)
        list = execution->run->cause_names[cause];
    int length = list != NULL ? (int)strcspn(list, ",") : 0;
    if (length > 0 && length < RESULTS_CAUSE_NAME)
        snprintf(text, RESULTS_CAUSE_NAME, "%.*s", length, list);
}

// By which facts a mismatch was booked, and under which cause.
static void print_cause(const struct results_execution* execution, const struct results_sample* s,
                        FILE* out) {
    char facts[RESULTS_FACTS_TEXT], cause[RESULTS_CAUSE_NAME];
    if (!oracle_is_walking_error((enum oracle_verdict)s->verdict) || s->evidence == NULL) return;
    evidence_cause_name(execution, s->cause, cause);
    fprintf(out, "  cause: %s; facts: %s\n", cause, results_facts_text(&s->evidence->facts, facts));
}

static void print_counts(const struct traces* traces, uint32_t difference, FILE* out) {
    char left[64], right[64];
    snprintf(left, sizeof left, "expected: %u frames, from %u", traces->expected.count,
             traces->expected.first);
    snprintf(right, sizeof right, "observed: %u frames, from %u, differs at %u",
             traces->observed.count, traces->observed.first, difference);
    fprintf(out, "  %-*s   %s\n", COLUMN, left, right);
}

// An answer with too many frames is kept in part, and cannot be judged again.
static void print_too_many(const struct results_sample* s, FILE* out) {
    if (s->verdict == ORACLE_PHANTOM && !s->context_known && s->count > (int64_t)s->frame_count)
        fprintf(out, "  the walker said %d frames: more than there was room for\n", s->count);
}

static bool print(const struct results_report* report, const struct results_execution* execution,
                  const struct results_sample* sample, bool whole, FILE* out) {
    struct alignment* alignment = align(execution->record, sample);
    if (alignment == NULL) return false;
    print_heading(execution, sample, out);
    print_cause(execution, sample, out);
    if (sample->layer == ORACLE_LAYER_HOSTILE) {
        // No answer, so no traces.
        fprintf(out, "  the walker was asked about a context that was changed on purpose; pc, "
                     "registers and stack are those of its end\n");
    } else {
        print_counts(&alignment->traces, sample->judgement.difference, out);
        print_too_many(sample, out);
        print_lines(alignment, out);
    }
    context_print(report, execution->record, sample, whole, out);
    free(alignment);
    return true;
}

const struct results_execution* results_execution_named(const struct results_report* report,
                                                        const char* name) {
    char text[512];
    for (size_t i = 0; i < report->execution_count; i++) {
        const struct results_execution* e = &report->executions[i];
        snprintf(text, sizeof text, "%s-%s-%s", e->case_name, e->mode, e->scope);
        if (strcmp(text, name) == 0) return e;
    }
    return NULL;
}

const char* results_report_vm(const struct results_report* report) {
    for (size_t i = 0; i < report->execution_count; i++)
        if (report->executions[i].record != NULL)
            return results_record_property(report->executions[i].record, "jvm.version");
    return NULL;
}

bool results_show(const struct results_report* report, const struct results_execution* execution,
                  uint64_t sequence, bool whole, FILE* out) {
    struct plain_stream stream;
    struct results_sample* sample =
        execution->record != NULL ? results_record_fetch(execution->record, sequence) : NULL;
    if (sample == NULL) return false;
    bool printed = print(report, execution, sample, whole, plain_open(&stream, out));
    plain_close(&stream);
    results_sample_free(sample);
    return printed;
}

// ---- For other formats ------------------------------------------------------------------------

static void visit_line(const struct line* line, size_t skipped, evidence_visit* visit,
                       void* context) {
    char left[FRAME_TEXT] = "", right[FRAME_TEXT] = "";
    if (line->expected != NULL) frame_text(line->expected, true, left);
    if (line->observed != NULL) frame_text(line->observed, true, right);
    visit(context, skipped, line->mark, left, right);
}

bool evidence_lines(const struct results_record* record, const struct results_sample* sample,
                    evidence_visit* visit, void* context, struct evidence_counts* counts) {
    struct alignment* a = align(record, sample);
    *counts = (struct evidence_counts){0};
    if (a == NULL) return false;
    counts->expected = a->traces.expected.count;
    counts->observed = a->traces.observed.count;
    size_t skipped = 0;
    for (size_t i = a->count; i-- > 0;) {
        if (!near_difference(a, i)) {
            skipped++;
            continue;
        }
        visit_line(&a->lines[i], skipped, visit, context);
        skipped = 0;
    }
    visit(context, skipped, '\0', "", "");
    free(a);
    return true;
}
