// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The printed comparison: worse items first, then better ones, clusters that may be
// chance, and rows that cannot be compared.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "comparison.h"

ORACLE_LIST_TEXTS(compare_kind_text, enum compare_kind, COMPARE_KINDS, ORACLE_LIST_TEXT)
ORACLE_LIST_TEXTS(compare_outcome_text, enum compare_outcome, COMPARE_OUTCOMES, ORACLE_LIST_TEXT)

// ---- Words ------------------------------------------------------------------------------------

// Was this verdict of the side's run i printed already?
static bool is_told(const struct compare_row* row, size_t first, size_t i) {
    for (size_t j = first; j < i; j++)
        if (strcmp(row->verdicts[j], row->verdicts[i]) == 0) return true;
    return false;
}

const char* compare_verdicts(const struct compare* compare, const struct compare_row* row,
                             size_t side, char text[COMPARE_VERDICTS]) {
    size_t first = side == 0 ? 0 : compare->sides[0].run_count;
    size_t end = first + compare->sides[side].run_count, used = 0;
    text[0] = '\0';
    for (size_t i = first; i < end && used + 1 < COMPARE_VERDICTS; i++) {
        size_t count = 0;
        if (row->verdicts[i][0] == '\0' || is_told(row, first, i)) continue;
        for (size_t j = i; j < end; j++) count += strcmp(row->verdicts[j], row->verdicts[i]) == 0;
        int more = snprintf(text + used, COMPARE_VERDICTS - used, "%s%s", used == 0 ? "" : ", ",
                            row->verdicts[i]);
        used += more < 0 ? 0 : (size_t)more;
        if (end - first == 1 || used + 1 >= COMPARE_VERDICTS) continue;
        more = snprintf(text + used, COMPARE_VERDICTS - used, " %zu", count);
        used += more < 0 ? 0 : (size_t)more;
    }
    return text;
}

const char* compare_novelty(const struct compare_item* item) {
    if (item->kind != COMPARE_CLUSTER) return "";
    bool sure = item->outcome != COMPARE_SAME;
    if (item->events[0] == 0) return sure ? "new" : "seen only in B, may be chance";
    if (item->events[1] == 0) return sure ? "gone" : "seen only in A, may be chance";
    return "";
}

// ---- Items ------------------------------------------------------------------------------------

static void print_place(const struct compare_item* item, FILE* out) {
    if (item->kind == COMPARE_CLUSTER) {
        fprintf(out, "  cluster %s", item->what);
        size_t rows = 0;
        for (const struct compare_cell* cell = item->cells; cell != NULL; cell = cell->next) rows++;
        const struct compare_row* row = item->cells->row;
        fprintf(out, "\n      in %s/%s/%s", row->case_name, row->mode, row->scope);
        if (rows > 1) fprintf(out, " and %zu more", rows - 1);
        return;
    }
    const struct compare_row* row = item->cells->row;
    const char* kind = item->kind == COMPARE_REFUSAL ? "refused: "
                       : item->kind == COMPARE_CAUSE ? "cause: "
                                                     : "";
    fprintf(out, "  %s  %s%s", row->key, kind, item->what);
}

static void print_side(const struct compare* compare, const struct compare_item* item, int side,
                       FILE* out) {
    char rate[RESULTS_RATE_TEXT];
    fprintf(out, "      %c  %s", 'A' + side,
            results_rate_text(item->events[side], item->trials[side], rate));
    if (compare->sides[side].run_count > 1)
        fprintf(out, ", runs %.4g to %.4g %%", 100 * item->low[side], 100 * item->high[side]);
    fputc('\n', out);
}

static void print_item(const struct compare* compare, const struct compare_item* item, FILE* out) {
    print_place(item, out);
    const char* novelty = compare_novelty(item);
    fprintf(out, "   p = %.2g (this test alone %.2g)%s%s\n", item->adjusted, item->p,
            *novelty == '\0' ? "" : "   ", novelty);
    print_side(compare, item, 0, out);
    print_side(compare, item, 1, out);
}

static int compare_sure(const void* left, const void* right) {
    const struct compare_item *const *a = left, *const *b = right;
    if ((*a)->adjusted != (*b)->adjusted) return (*a)->adjusted < (*b)->adjusted ? -1 : 1;
    if ((*a)->p != (*b)->p) return (*a)->p < (*b)->p ? -1 : 1;
    return strcmp((*a)->key, (*b)->key);
}

typedef bool item_test(const struct compare_item* item);

static bool is_worse(const struct compare_item* item) {
    return item->outcome == COMPARE_WORSE;
}
static bool is_better(const struct compare_item* item) {
    return item->outcome == COMPARE_BETTER;
}
static bool is_chance(const struct compare_item* item) {
    return item->outcome == COMPARE_SAME && item->tested && *compare_novelty(item) != '\0';
}
static bool is_same(const struct compare_item* item) {
    return item->outcome == COMPARE_SAME && item->tested && *compare_novelty(item) == '\0';
}

// Prints the surest first, at most `most` of them, and counts the rest.
static void print_items(const struct compare* compare, const char* title, item_test* wanted,
                        size_t most, FILE* out) {
    struct compare_item *item, *next, **list;
    size_t count = 0;
    list = calloc(HASH_COUNT(compare->items) + 1, sizeof *list);
    if (list == NULL) return;
    HASH_ITER(hh, compare->items, item, next) if (wanted(item)) list[count++] = item;
    if (count != 0) {
        qsort(list, count, sizeof *list, compare_sure);
        fprintf(out, "\n%s\n", title);
        for (size_t i = 0; i < count && i < most; i++) print_item(compare, list[i], out);
        if (count > most) fprintf(out, "  and %zu more (--all)\n", count - most);
    }
    free(list);
}

// ---- Rows -------------------------------------------------------------------------------------

static void print_deaths(const struct compare* compare, FILE* out) {
    struct compare_row *row, *next;
    char a[COMPARE_VERDICTS], b[COMPARE_VERDICTS];
    if (compare->deaths == 0) return;
    fprintf(out, "\nWORSE: the JVM dies where it did not\n");
    HASH_ITER(hh, compare->rows, row, next)
    if (compare_is_death(compare, row))
        fprintf(out, "  %s   A %s   B %s\n", row->key, compare_verdicts(compare, row, 0, a),
                compare_verdicts(compare, row, 1, b));
}

static void print_rows(const struct compare* compare, FILE* out) {
    struct compare_row *row, *next;
    char a[COMPARE_VERDICTS], b[COMPARE_VERDICTS];
    bool title = false;
    HASH_ITER(hh, compare->rows, row, next) {
        compare_verdicts(compare, row, 0, a);
        compare_verdicts(compare, row, 1, b);
        bool common = compare_is_common(compare, row);
        if (common && strcmp(a, b) == 0) continue;
        if (!title) fprintf(out, "\nRows with other verdicts, and rows that cannot be compared\n");
        title = true;
        fprintf(out, "  %s   A %s   B %s%s\n", row->key, *a == '\0' ? "has no such row" : a,
                *b == '\0' ? "has no such row" : b, common ? "" : "   not compared");
    }
}

// ---- The whole --------------------------------------------------------------------------------

static void print_head(const struct compare* compare, FILE* out) {
    for (int s = 0; s < 2; s++) {
        const struct compare_side* side = &compare->sides[s];
        fprintf(out, "%c  %s (%s), %zu run%s: %s%s\n", 'A' + s, side->version, side->vm,
                side->run_count, side->run_count == 1 ? "" : "s", side->path,
                side->mixed ? "   WARNING: its runs are of several JVMs" : "");
    }
    fprintf(out, "%zu rows compared; tests: %zu of errors (of %zu), %zu of refusals (of %zu)",
            compare->common, compare->tests[COMPARE_ERRORS], compare->candidates[COMPARE_ERRORS],
            compare->tests[COMPARE_REFUSALS], compare->candidates[COMPARE_REFUSALS]);
    fprintf(out, ", each family at level %g\n", compare->options.level);
    if (!compare->by_runs) fprintf(out, "Not counted are tests with too few events to tell\n");
    if (compare->by_runs)
        fprintf(out, "Runs are permuted: %s %" PRIu64 " assignments; p is for all tests together\n",
                compare->complete ? "all" : "always the same",
                compare->assignments[COMPARE_ERRORS]);
    else if (compare->options.spread >= 0)
        fprintf(out, "One run a side: spread %g between runs allowed for; p is Holm's\n",
                compare->options.spread);
    else
        fprintf(out, "One run a side: the spread measured between runs allowed for; p is Holm's\n");
    if (compare->uneven > COMPARE_UNEVEN)
        fprintf(out,
                "WARNING: one side's runs judged %.1f times what the other's did. Longer runs, or "
                "a machine\nwith more to do, have other rates: make runs of equal length, A's and "
                "B's in turn\n",
                compare->uneven);
    if (compare->ways != 0)
        fprintf(
            out,
            "WARNING: %zu rows were instrumented in different ways (%s; %s): their\nrates differ "
            "for that reason, too\n",
            compare->ways, compare->way[0], compare->way[1]);
    if (compare->without_causes != 0)
        fprintf(out, "Causes are not compared: %zu rows are of runs that do not tell them\n",
                compare->without_causes);
    if (compare->runs_needed != 0)
        fprintf(out, "Nothing is claimed: it needs %zu runs a side\n", compare->runs_needed);
}

static void print_verdict(const struct compare* compare, FILE* out) {
    const struct compare* c = compare;
    fputc('\n', out);
    if (compare_status(c) == RUNNER_EXIT_FAIL)
        fprintf(out, "B is worse: %zu differences, %zu of refusals, %zu rows with new deaths",
                c->worse[COMPARE_ERRORS], c->worse[COMPARE_REFUSALS], c->deaths);
    else if (c->common == 0) fprintf(out, "INCONCLUSIVE: no row was judged on both sides");
    else if (compare_lacks_causes(c)) fprintf(out, "INCONCLUSIVE: runs do not tell causes");
    else if (c->runs_needed != 0)
        fprintf(out, "INCONCLUSIVE: needs %zu runs a side", c->runs_needed);
    else fprintf(out, "B is not worse");
    if (c->better[COMPARE_ERRORS] != 0) fprintf(out, "; better in %zu", c->better[COMPARE_ERRORS]);
    if (c->better[COMPARE_REFUSALS] != 0)
        fprintf(out, "; %zu fewer refusals", c->better[COMPARE_REFUSALS]);
    fputc('\n', out);
}

#define SHOWN_BY_CHANCE 10 // of what says little

void compare_text(const struct compare* compare, FILE* out) {
    bool all = compare->options.all;
    print_head(compare, out);
    print_deaths(compare, out);
    print_items(compare, "WORSE: more often in B", is_worse, SIZE_MAX, out);
    print_items(compare, "BETTER: less often in B", is_better, SIZE_MAX, out);
    print_items(compare, "Clusters seen on one side only, by chance as far as can be told",
                is_chance, all ? SIZE_MAX : SHOWN_BY_CHANCE, out);
    if (all) print_items(compare, "The same", is_same, SIZE_MAX, out);
    print_rows(compare, out);
    print_verdict(compare, out);
}
