// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The page as text.
#include <inttypes.h>
#include <string.h>

#include "oracle/oracle.h"
#include "profile_parts.h"

#define LABEL 26 // width of the table's first column
#define CELL 30  // and of the others
#define BESIDE 3 // profilers beside each other: a terminal of 116 columns

// ---- The hottest method -------------------------------------------------------------------------

// results/profile calls what is in no instrumented method by a name with a bracket at its start.
static bool is_method(const struct results_share* share) {
    return share->name[0] != '(';
}

// The shares are sorted by the truth, then by the profiler, then by name.
const char* profile_hottest_truth(const struct results_profile* p) {
    for (size_t i = 0; i < p->share_count; i++)
        if (is_method(&p->shares[i]) && p->shares[i].truth_self != 0) return p->shares[i].name;
    return "";
}

const char* profile_hottest_given(const struct results_profile* p) {
    const struct results_share* hottest = NULL;
    for (size_t i = 0; i < p->share_count; i++)
        if (is_method(&p->shares[i]) &&
            (hottest == NULL || p->shares[i].given_self > hottest->given_self))
            hottest = &p->shares[i];
    return hottest != NULL && hottest->given_self != 0 ? hottest->name : "";
}

// ---- One sentence -------------------------------------------------------------------------------

static double percent(uint64_t n, uint64_t of) {
    return of == 0 ? 0 : 100.0 * (double)n / (double)of;
}

static void print_end(const struct profile_part* part, FILE* out) {
    switch (part->end) {
    case RESULTS_END_EXITED:
        if (part->status != 0) fprintf(out, " The program's exit status was %d.", part->status);
        break;
    case RESULTS_END_SIGNALLED:
        fprintf(out, " The JVM died of signal %d after %.1f s.", part->status, part->seconds);
        break;
    case RESULTS_END_TIMED_OUT:
        fprintf(out, " The JVM was killed at its time limit, after %.1f s.", part->seconds);
        break;
    case RESULTS_END_INTERRUPTED: fprintf(out, " It was interrupted."); break;
    case RESULTS_END_SKIPPED:
    case RESULTS_END_FAILED: break;
    }
}

static void print_trust(const struct results_profile* p, FILE* out) {
    uint64_t judged = results_judged(&p->layer), right = results_profile_right(p);
    const char *truth = profile_hottest_truth(p), *given = profile_hottest_given(p);
    const struct results_distance* whole = &p->distance[RESULTS_DISTANCE_WHOLE];
    if (judged == 0) {
        fprintf(out, " None of its samples could be judged: nothing is said of it.");
        return;
    }
    struct oracle_interval interval = oracle_interval(right, judged, 0.95);
    fprintf(out, " %.1f %% [%.1f, %.1f] of its stacks are right.", percent(right, judged),
            100 * interval.low, 100 * interval.high);
    uint64_t inlined = p->layer.verdict[ORACLE_ATTRIBUTION];
    if (inlined != 0)
        fprintf(out, " %.1f %% are right but for the inlined methods at the top (attribution).",
                percent(inlined, judged));
    if (p->silent != 0)
        fprintf(out, " %.1f %% of its signals led to no sample, and it does not say so.",
                percent(p->silent, p->instants));
    if (p->stacks == 0) return;
    fprintf(out, " Its profile is %.1f %% [%.1f, %.1f] off. %s", 100 * whole->value,
            100 * whole->low, 100 * whole->high,
            *truth == '\0'              ? "No instrumented method was hot."
            : strcmp(truth, given) == 0 ? "It names the hottest method."
                                        : "It names another hottest method.");
}

static void print_sentence(const struct profile_part* part, FILE* out) {
    fprintf(out, "%s: %s.", part->name, results_row_verdict_text(part->verdict));
    if (!part->ran) {
        fprintf(out, " It did not run.");
    } else {
        if (part->judged) print_trust(&part->profile, out);
        else fprintf(out, " Its samples could not be judged.");
        print_end(part, out);
    }
    fputc('\n', out);
    if (part->why[0] != '\0') fprintf(out, "    %s\n", part->why);
}

// ---- The table ----------------------------------------------------------------------------------

struct block { // of parts beside each other
    const struct profile_page* page;
    size_t first, end;
    FILE* out;
};

// A row's count and the count that it is of, of one profile.
struct cell {
    uint64_t n, of;
};
typedef struct cell cell_of(const struct results_profile* profile, uint32_t index);

static void cell_text(struct cell cell, bool interval, char text[CELL]) {
    if (cell.of == 0 || cell.n > cell.of) {
        snprintf(text, CELL, "%" PRIu64, cell.n);
    } else if (!interval) {
        snprintf(text, CELL, "%" PRIu64 " %.1f %%", cell.n, percent(cell.n, cell.of));
    } else {
        struct oracle_interval i = oracle_interval(cell.n, cell.of, 0.95);
        snprintf(text, CELL, "%" PRIu64 " %.1f %% [%.1f, %.1f]", cell.n, percent(cell.n, cell.of),
                 100 * i.low, 100 * i.high);
    }
}

static void print_row(const struct block* block, const char* label, cell_of* of, uint32_t index,
                      bool interval) {
    fprintf(block->out, "  %-*s", LABEL, label);
    for (size_t i = block->first; i < block->end; i++) {
        const struct profile_part* part = &block->page->parts[i];
        char text[CELL] = "-";
        if (part->judged) cell_text(of(&part->profile, index), interval, text);
        if (i + 1 < block->end) fprintf(block->out, " %-*s", CELL - 1, text);
        else fprintf(block->out, " %s", text);
    }
    fputc('\n', block->out);
}

static struct cell signals(const struct results_profile* p, uint32_t index) {
    (void)index;
    return (struct cell){p->instants + p->unrecorded, 0};
}
static struct cell unrecorded(const struct results_profile* p, uint32_t index) {
    (void)index;
    return (struct cell){p->unrecorded, 0};
}
static struct cell delivered(const struct results_profile* p, uint32_t index) {
    (void)index;
    return (struct cell){p->fits[RESULTS_FIT_JOINED], p->instants};
}
static struct cell lost_as_told(const struct results_profile* p, uint32_t index) {
    (void)index;
    return (struct cell){p->lost - p->excess, p->instants};
}
static struct cell lost_silently(const struct results_profile* p, uint32_t index) {
    (void)index;
    return (struct cell){p->silent, p->instants};
}
static struct cell coalesced(const struct results_profile* p, uint32_t index) {
    (void)index;
    return (struct cell){p->coalesced, 0};
}
static struct cell fitting(const struct results_profile* p, uint32_t index) {
    return (struct cell){p->fits[index], p->samples};
}
static struct cell judged(const struct results_profile* p, uint32_t index) {
    (void)index;
    return (struct cell){results_judged(&p->layer), 0};
}
static struct cell right(const struct results_profile* p, uint32_t index) {
    (void)index;
    return (struct cell){results_profile_right(p), results_judged(&p->layer)};
}
static struct cell with_verdict(const struct results_profile* p, uint32_t index) {
    return (struct cell){p->layer.verdict[index], results_judged(&p->layer)};
}
static struct cell with_cause(const struct results_profile* p, uint32_t index) {
    return (struct cell){p->layer.cause[index], results_judged(&p->layer)};
}
static struct cell errors(const struct results_profile* p, uint32_t index) {
    (void)index;
    return (struct cell){results_mismatched(&p->layer), results_judged(&p->layer)};
}
static struct cell cut(const struct results_profile* p, uint32_t index) {
    (void)index;
    return (struct cell){p->truncated, results_judged(&p->layer)};
}
static struct cell empty(const struct results_profile* p, uint32_t index) {
    (void)index;
    return (struct cell){p->layer.verdict[ORACLE_REFUSED], p->fits[RESULTS_FIT_JOINED]};
}
static struct cell biased(const struct results_profile* p, uint32_t index) {
    (void)index;
    return (struct cell){p->biased, p->fits[RESULTS_FIT_JOINED]};
}
static struct cell biased_right(const struct results_profile* p, uint32_t index) {
    uint64_t of = 0;
    (void)index;
    for (int v = 0; v < ORACLE_VERDICT_COUNT; v++)
        if (RESULTS_JUDGED >> v & 1u) of += p->biased_verdict[v];
    return (struct cell){p->biased_verdict[ORACLE_AGREE] + p->biased_verdict[ORACLE_TRANSITION],
                         of};
}

// Right at the instant, or at the walk, which is later.
static struct cell biased_walked(const struct results_profile* p, uint32_t index) {
    struct cell cell = biased_right(p, index);
    return (struct cell){cell.n + p->biased_later, cell.of};
}

static bool any(const struct block* block, cell_of* of, uint32_t index) {
    for (size_t i = block->first; i < block->end; i++)
        if (block->page->parts[i].judged && of(&block->page->parts[i].profile, index).n != 0)
            return true;
    return false;
}

static void print_distance(const struct block* block, const char* label,
                           enum results_distance_kind which) {
    fprintf(block->out, "  %-*s", LABEL, label);
    for (size_t i = block->first; i < block->end; i++) {
        const struct profile_part* part = &block->page->parts[i];
        const struct results_distance* d = &part->profile.distance[which];
        char text[CELL] = "-";
        if (part->judged && part->profile.stacks != 0)
            snprintf(text, CELL, "%.1f %% [%.1f, %.1f]", 100 * d->value, 100 * d->low,
                     100 * d->high);
        if (i + 1 < block->end) fprintf(block->out, " %-*s", CELL - 1, text);
        else fprintf(block->out, " %s", text);
    }
    fputc('\n', block->out);
}

static void print_head(const struct block* block) {
    fprintf(block->out, "\n%-*s", LABEL + 2, "");
    for (size_t i = block->first; i < block->end; i++)
        if (i + 1 < block->end) fprintf(block->out, " %-*s", CELL - 1, block->page->parts[i].name);
        else fprintf(block->out, " %s\n", block->page->parts[i].name);
}

static void print_accounts(const struct block* block) {
    fprintf(block->out, "Accounts, in %% of the signals\n");
    print_row(block, "signals on Java threads", signals, 0, false);
    if (any(block, unrecorded, 0))
        print_row(block, "not recorded, in no rate", unrecorded, 0, false);
    print_row(block, "delivered", delivered, 0, true);
    print_row(block, "lost, and it says so", lost_as_told, 0, true);
    print_row(block, "lost silently", lost_silently, 0, true);
    if (any(block, coalesced, 0)) print_row(block, "coalesced: no signal", coalesced, 0, false);
    for (uint32_t f = RESULTS_FIT_JOINED + 1; f < RESULTS_FIT_COUNT; f++)
        if (f != RESULTS_FIT_FOREIGN && any(block, fitting, f))
            print_row(block, results_fit_text((enum results_fit)f), fitting, f, false);
}

static void print_verdicts(const struct block* block) {
    char label[LABEL + 1];
    fprintf(block->out, "Stacks, in %% of those judged\n");
    print_row(block, "judged", judged, 0, false);
    print_row(block, "right", right, 0, true);
    print_row(block, "attribution", with_verdict, ORACLE_ATTRIBUTION, true);
    print_row(block, "walking errors", errors, 0, true);
    for (uint32_t i = 1; i <= RESULTS_CAUSES; i++) { // the unexplained ones last
        uint32_t cause = i == RESULTS_CAUSES ? RESULTS_UNEXPLAINED : i;
        snprintf(label, sizeof label, "  %s", results_profile_cause(block->page->causes, cause));
        if (any(block, with_cause, cause)) print_row(block, label, with_cause, cause, true);
    }
    if (any(block, cut, 0)) print_row(block, "say that they are cut", cut, 0, false);
    if (any(block, empty, 0)) print_row(block, "without frames", empty, 0, false);
    if (!any(block, biased, 0)) return;
    print_row(block, "say that they are biased", biased, 0, false);
    print_row(block, "  right at the instant", biased_right, 0, true);
    print_row(block, "  or else at the walk", biased_walked, 0, true);
}

static void print_block(const struct block* block) {
    print_head(block);
    print_accounts(block);
    print_verdicts(block);
    fprintf(block->out, "The profile is off by (total variation of self time)\n");
    print_distance(block, "in all", RESULTS_DISTANCE_WHOLE);
    print_distance(block, "  by its stacks", RESULTS_DISTANCE_WALK);
    print_distance(block, "  by the choice of samples", RESULTS_DISTANCE_CHOICE);
}

// ---- The page -----------------------------------------------------------------------------------

static bool names_inlined(const struct profile_page* page) {
    for (size_t i = 0; i < page->count; i++)
        if (page->parts[i].judged && page->parts[i].profile.layer.verdict[ORACLE_ATTRIBUTION] != 0)
            return true;
    return false;
}

static void print_page(const struct profile_page* page, FILE* out) {
    fprintf(out, "How far to trust each profiler on %s\n%s %s\n\n", page->program, page->vm,
            page->jdk);
    for (size_t i = 0; i < page->count; i++) print_sentence(&page->parts[i], out);
    if (page->count > 1)
        fprintf(out,
                "\nEach profiler had a JVM run and instants of its own, so no sample of one is "
                "paired with one of\nanother. Their intervals can be compared.\n");
    if (names_inlined(page))
        fprintf(out, "\nAttribution: the compiled frame is right, and its debug information names "
                     "another of the methods that\nare inlined in it. Instrumented code has more "
                     "of it than bare code: each push is inlined, too.\nThe distances of profiles "
                     "have it in them. With -XX:+UnlockDiagnosticVMOptions "
                     "-XX:+DebugNonSafepoints compiled code\nhas debug information between "
                     "safepoints, too: async-profiler switches it on, JFR does not.\n");
    for (size_t i = 0; i < page->count; i += BESIDE) {
        struct block block = {page, i, i + BESIDE < page->count ? i + BESIDE : page->count, out};
        print_block(&block);
    }
    for (size_t i = 0; i < page->count; i++) {
        if (!page->parts[i].judged) continue;
        fprintf(out, "\n%s (%s)\n", page->parts[i].name, page->parts[i].about);
        results_profile_print_paired(&page->parts[i].profile, out);
        results_profile_print_shares(&page->parts[i].profile, out);
    }
}

void profile_page_print(const struct profile_page* page, FILE* out) {
    struct output_plain plain;
    print_page(page, output_plain_open(&plain));
    output_plain_close(&plain, out);
}
