// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "comparison.h"
#include "runner/base/base.h"

// ---- Sides made up in memory ------------------------------------------------------------------

static struct compare begin(size_t a, size_t b) {
    struct compare compare = {.options = {.spread = 0, .level = 0.05}};
    compare_begin(&compare, (const size_t[2]){a, b});
    return compare;
}

static struct results_past row_of(const char* mode, uint64_t judged) {
    struct results_past row = {.judged = judged, .answered = judged, .layer = ORACLE_LAYER_ASYNC};
    strcpy(row.case_name, "mixed");
    strcpy(row.mode, mode);
    strcpy(row.scope, "app");
    strcpy(row.verdict, "PASS");
    return row;
}

static void add(struct compare* compare, size_t run, enum oracle_verdict verdict, uint64_t count,
                uint64_t judged) {
    struct results_past row = row_of("c2", judged);
    row.mismatch[verdict] = count;
    compare_add(compare, run, &row);
}

static void add_verdict(struct compare* compare, size_t run, const char* mode,
                        const char* verdict) {
    struct results_past row = row_of(mode, 1000);
    strcpy(row.verdict, verdict);
    compare_add(compare, run, &row);
}

static void add_cluster(struct compare* compare, size_t run, const char* name, uint64_t count) {
    const struct results_past_part part = {.layer = ORACLE_LAYER_ASYNC,
                                           .verdict = ORACLE_MISSING,
                                           .code = "jvm",
                                           .region = "none",
                                           .instruction = "",
                                           .name = name,
                                           .relation = "caller missing",
                                           .case_name = "mixed",
                                           .mode = "c2",
                                           .scope = "app",
                                           .count = count};
    compare_add_part(compare, run, &part);
}

static const struct compare_item* find(const struct compare* compare, enum compare_kind kind,
                                       const char* what) {
    struct compare_item *item, *next;
    HASH_ITER(hh, compare->items, item, next)
    if (item->kind == kind && strstr(item->what, what) != NULL) return item;
    cr_assert_fail("no item %s", what);
    return NULL;
}

static char* text_of(const struct compare* compare) {
    char* text = NULL;
    size_t size;
    FILE* out = open_memstream(&text, &size);
    compare_text(compare, out);
    fclose(out);
    return text;
}

static void says(const struct compare* compare, const char* wanted) {
    char* text = text_of(compare);
    cr_expect(strstr(text, wanted) != NULL, "\"%s\" is not in:\n%s", wanted, text);
    free(text);
}

Test(compare, rows_that_were_instrumented_in_different_ways_are_told) {
    for (int differ = 0; differ < 2; differ++) {
        struct compare compare = begin(1, 1);
        struct results_past row = row_of("c2", 1000);
        strcpy(row.way, "push inline, density 100%");
        compare_add(&compare, 0, &row);
        strcpy(row.way, differ ? "push native, density 100%" : "push inline, density 100%");
        compare_add(&compare, 1, &row);
        row.way[0] = '\0'; // of a version that does not tell
        strcpy(row.mode, "c1");
        compare_add(&compare, 0, &row);
        compare_add(&compare, 1, &row);
        compare_judge(&compare);
        cr_expect_eq(compare.ways, (size_t)differ);
        if (differ)
            says(&compare, "1 rows were instrumented in different ways (push inline, density 100%; "
                           "push native, density 100%)");
        compare_close(&compare);
    }
}

// ---- One run a side ---------------------------------------------------------------------------

Test(compare, more_errors_in_b_are_worse_and_fewer_are_better) {
    for (size_t worse = 0; worse < 2; worse++) {
        struct compare compare = begin(1, 1);
        add(&compare, worse, ORACLE_TRUNCATED, 40, 30001);
        add(&compare, 1 - worse, ORACLE_TRUNCATED, 12, 34567);
        compare_judge(&compare);
        const struct compare_item* item = find(&compare, COMPARE_VERDICT, "truncated");
        cr_expect_eq(item->outcome, worse ? COMPARE_WORSE : COMPARE_BETTER);
        cr_expect_float_eq(item->p, 9.605949589304894e-06, 1e-10);
        cr_expect_eq(compare.tests[COMPARE_ERRORS], 2, "walking errors and one verdict");
        cr_expect_float_eq(item->adjusted, 2 * item->p, 1e-12);
        cr_expect_eq(compare_status(&compare), worse ? RUNNER_EXIT_FAIL : RUNNER_EXIT_PASS);
        says(&compare, worse ? "WORSE: more" : "BETTER: less");
        says(&compare, "12/34567 = 0.035 %");
        says(&compare, worse ? "B is worse: 2 differences" : "B is not worse; better in 2");
        compare_close(&compare);
    }
}

Test(compare, the_number_of_tests_is_accounted_for) {
    struct compare compare = begin(1, 1);
    add(&compare, 0, ORACLE_TRUNCATED, 0, 20000);
    add(&compare, 1, ORACLE_TRUNCATED, 7, 20000);
    compare_judge(&compare);
    cr_expect_eq(compare.worse[COMPARE_ERRORS], 2, "0.0156 twice");
    compare_close(&compare);
    compare = begin(1, 1);
    const char* const modes[] = {"int", "c1", "c2"};
    for (int i = 0; i < 3; i++) {
        struct results_past row = row_of(modes[i], 20000);
        compare_add(&compare, 0, &row);
        row.mismatch[ORACLE_PHANTOM] = 7;
        compare_add(&compare, 1, &row);
    }
    compare_judge(&compare);
    cr_expect_eq(compare.candidates[COMPARE_ERRORS], 6);
    cr_expect_eq(compare_status(&compare), RUNNER_EXIT_PASS, "0.0156 six times");
    compare_close(&compare);
}

// Tests that could not tell anything, whatever side their events were on, are not counted.
Test(compare, what_was_seen_once_takes_no_strength_from_the_rest) {
    struct compare compare = begin(1, 1);
    add(&compare, 0, ORACLE_MISSING, 2, 20000);
    add(&compare, 1, ORACLE_MISSING, 18, 20000);
    for (int i = 0; i < 100; i++) {
        char name[16];
        snprintf(name, sizeof name, "f%d", i);
        add_cluster(&compare, 1, name, 1);
    }
    compare_judge(&compare);
    cr_expect_eq(compare.candidates[COMPARE_ERRORS], 102);
    cr_expect_eq(compare.tests[COMPARE_ERRORS], 2);
    cr_expect_eq(compare.worse[COMPARE_ERRORS], 2, "%zu", compare.worse[COMPARE_ERRORS]);
    cr_expect_eq(find(&compare, COMPARE_CLUSTER, "f7")->adjusted, 1);
    says(&compare, "tests: 2 of errors (of 102)");
    compare_close(&compare);
}

Test(compare, a_spread_between_runs_is_allowed_for) {
    for (int allowed = 0; allowed < 2; allowed++) {
        struct compare compare = begin(1, 1);
        compare.options.spread = allowed ? -1 : 0;
        add(&compare, 0, ORACLE_ATTRIBUTION, 149, 6898);
        add(&compare, 1, ORACLE_ATTRIBUTION, 155, 4550);
        compare_judge(&compare);
        cr_expect_eq(compare_status(&compare), allowed ? RUNNER_EXIT_PASS : RUNNER_EXIT_FAIL);
        compare_close(&compare);
    }
}

Test(compare, more_refusals_in_b_are_worse_and_fewer_are_better) {
    for (size_t worse = 0; worse < 2; worse++) {
        struct compare compare = begin(1, 1);
        for (size_t run = 0; run < 2; run++) {
            struct results_past row = row_of("c2", 10000);
            row.refused[ORACLE_REFUSAL_DEOPT] = run == worse ? 500 : 0;
            compare_add(&compare, run, &row);
        }
        compare_judge(&compare);
        const struct compare_item* item = find(&compare, COMPARE_REFUSAL, "deopt");
        cr_expect_eq(item->outcome, worse ? COMPARE_WORSE : COMPARE_BETTER);
        cr_expect_eq(compare_status(&compare), worse ? RUNNER_EXIT_FAIL : RUNNER_EXIT_PASS);
        says(&compare, worse ? "B is worse: 0 differences, 1 of refusals"
                             : "B is not worse; 1 fewer refusals");
        compare_close(&compare);
    }
}

// ---- Causes -------------------------------------------------------------------------------------

static struct compare of_causes(const char* wanted, bool tells) {
    struct compare compare = begin(1, 1);
    compare.options.cause = wanted;
    for (size_t run = 0; run < 2; run++) {
        struct results_past row = row_of("c2", 100000);
        row.by_cause = tells || run == 1;
        row.cause_count = 2;
        row.causes[0] = (struct results_past_cause){"unexplained", run == 0 ? 100 : 0};
        row.causes[1] = (struct results_past_cause){"thawed", run == 0 ? 0 : 100};
        row.mismatch[ORACLE_TRUNCATED] = 100;
        row.refused[ORACLE_REFUSAL_DEOPT] = run * 500;
        compare_add(&compare, run, &row);
    }
    compare_judge(&compare);
    return compare;
}

Test(compare, a_cause_that_took_the_place_of_another_is_found_although_the_verdict_is_the_same) {
    struct compare compare = of_causes(NULL, true);
    cr_expect_eq(find(&compare, COMPARE_VERDICT, "truncated")->outcome, COMPARE_SAME);
    cr_expect_eq(find(&compare, COMPARE_CAUSE, "thawed")->outcome, COMPARE_WORSE);
    cr_expect_eq(find(&compare, COMPARE_CAUSE, "unexplained")->outcome, COMPARE_BETTER);
    cr_expect_eq(compare_status(&compare), RUNNER_EXIT_FAIL);
    says(&compare, "mixed/c2/app async  cause: thawed");
    compare_close(&compare);
}

Test(compare, of_one_cause_looks_at_nothing_else) {
    struct compare compare = of_causes("thawed", true);
    cr_expect_eq(HASH_COUNT(compare.items), 1);
    cr_expect_eq(find(&compare, COMPARE_CAUSE, "thawed")->outcome, COMPARE_WORSE);
    compare_close(&compare);
    compare = of_causes("unexplained", true);
    cr_expect_eq(compare_status(&compare), RUNNER_EXIT_PASS);
    says(&compare, "B is not worse; better in 1");
    compare_close(&compare);
    compare = of_causes("refused.deopt", true);
    cr_expect_eq(HASH_COUNT(compare.items), 1);
    cr_expect_eq(find(&compare, COMPARE_REFUSAL, "deopt")->outcome, COMPARE_WORSE);
    compare_close(&compare);
}

Test(compare, runs_that_do_not_tell_causes_are_not_compared_by_cause) {
    struct compare compare = of_causes(NULL, false);
    cr_expect_eq(find(&compare, COMPARE_CAUSE, "thawed")->outcome, COMPARE_SAME);
    says(&compare, "Causes are not compared: 1 rows");
    compare_close(&compare);
    compare = of_causes("thawed", false);
    cr_expect_eq(compare_status(&compare), RUNNER_EXIT_INCONCLUSIVE, "which is no pass");
    compare_close(&compare);
}

Test(compare, rows_of_one_side_are_said_and_nothing_in_common_is_inconclusive) {
    struct compare compare = begin(1, 1);
    add_verdict(&compare, 0, "c1", "PASS");
    add_verdict(&compare, 1, "c2", "PASS");
    compare_judge(&compare);
    cr_expect_eq(compare_status(&compare), RUNNER_EXIT_INCONCLUSIVE);
    says(&compare, "mixed/c1/app async   A PASS   B has no such row   not compared");
    says(&compare, "mixed/c2/app async   A has no such row   B PASS   not compared");
    says(&compare, "INCONCLUSIVE: no row");
    compare_close(&compare);
}

static int status_of_verdicts(const char* a, const char* b) {
    struct compare compare = begin(1, 1);
    if (*a != '\0') add_verdict(&compare, 0, "c2", a);
    if (*b != '\0') add_verdict(&compare, 1, "c2", b);
    compare_judge(&compare);
    int status = compare_status(&compare);
    compare_close(&compare);
    return status;
}

Test(compare, a_death_that_a_had_none_of_is_worse) {
    cr_expect_eq(status_of_verdicts("PASS", "CRASH"), RUNNER_EXIT_FAIL);
    cr_expect_eq(status_of_verdicts("VACUOUS", "HANG"), RUNNER_EXIT_FAIL);
    cr_expect_eq(status_of_verdicts("CRASH", "HANG"), RUNNER_EXIT_PASS);
    cr_expect_eq(status_of_verdicts("CRASH", "PASS"), RUNNER_EXIT_PASS);
    cr_expect_eq(status_of_verdicts("PASS", "VACUOUS"), RUNNER_EXIT_PASS);
    cr_expect_eq(status_of_verdicts("SKIP", "CRASH"), RUNNER_EXIT_PASS, "A never ran it");
    cr_expect_eq(status_of_verdicts("", "CRASH"), RUNNER_EXIT_INCONCLUSIVE);
}

// ---- Clusters ---------------------------------------------------------------------------------

Test(compare, clusters_meet_by_function) {
    struct compare compare = begin(1, 1);
    for (size_t run = 0; run < 2; run++) {
        add(&compare, run, ORACLE_MISSING, 40, 10000);
        add_cluster(&compare, run, "SharedRuntime::ldiv", 20);
        add_cluster(&compare, run, "(thread in_vm)", 20);
    }
    compare_judge(&compare);
    cr_expect_eq(HASH_COUNT(compare.items), 4, "walking errors, missing, two clusters");
    cr_expect_eq(find(&compare, COMPARE_CLUSTER, "ldiv")->events[1], 20);
    compare_close(&compare);
}

// B's JDK has no symbols: A's functions are not gone, and B's places not new.
Test(compare, clusters_that_one_build_cannot_name_meet_without_names) {
    struct compare compare = begin(1, 1);
    for (size_t run = 0; run < 2; run++) {
        add(&compare, run, ORACLE_MISSING, 60, 10000);
        add_cluster(&compare, run, run == 0 ? "SharedRuntime::ldiv" : "libjvm.so+0x1234", 20);
        add_cluster(&compare, run, run == 0 ? "SharedRuntime::lrem" : "libjvm.so+0x5678", 20);
        add_cluster(&compare, run, "(thread in_vm)", 20);
    }
    compare_judge(&compare);
    cr_expect_eq(HASH_COUNT(compare.items), 4);
    const struct compare_item* item = find(&compare, COMPARE_CLUSTER, "jvm (no symbol)");
    cr_expect_eq(item->events[0], 40);
    cr_expect_eq(item->events[1], 40);
    cr_expect_eq(find(&compare, COMPARE_CLUSTER, "(thread in_vm)")->events[0], 20);
    cr_expect_eq(compare.worse[COMPARE_ERRORS] + compare.better[COMPARE_ERRORS], 0);
    compare_close(&compare);
}

Test(compare, a_cluster_is_new_or_gone_only_if_chance_is_ruled_out) {
    const struct {
        uint64_t a, b;
        const char* novelty;
    } rows[] = {{0, 30, "new"},
                {0, 3, "seen only in B, may be chance"},
                {30, 0, "gone"},
                {2, 0, "seen only in A, may be chance"},
                {5, 30, ""}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct compare compare = begin(1, 1);
        add(&compare, 0, ORACLE_MISSING, rows[i].a, 30000);
        add(&compare, 1, ORACLE_MISSING, rows[i].b, 30000);
        add_cluster(&compare, 0, "f", rows[i].a);
        add_cluster(&compare, 1, "f", rows[i].b);
        compare_judge(&compare);
        cr_expect_str_eq(compare_novelty(find(&compare, COMPARE_CLUSTER, " f: ")), rows[i].novelty);
        says(&compare, rows[i].novelty);
        compare_close(&compare);
    }
}

// B saw more of the row that has the cluster often, and has it no more often there.
Test(compare, a_cluster_is_held_against_what_its_rows_let_expect) {
    struct compare compare = begin(1, 1);
    for (size_t run = 0; run < 2; run++) {
        struct results_past often = row_of("c2", run == 0 ? 1000 : 100000);
        struct results_past seldom = row_of("c1", 100000);
        compare_add(&compare, run, &often);
        compare_add(&compare, run, &seldom);
        struct results_past_part part = {.layer = ORACLE_LAYER_ASYNC,
                                         .verdict = ORACLE_PHANTOM,
                                         .code = "c2",
                                         .region = "body",
                                         .instruction = "mov",
                                         .name = "",
                                         .relation = "",
                                         .case_name = "mixed",
                                         .mode = "c2",
                                         .scope = "app",
                                         .count = run == 0 ? 10 : 1000};
        compare_add_part(&compare, run, &part);
        part.mode = "c1";
        part.count = 10;
        compare_add_part(&compare, run, &part);
    }
    compare_judge(&compare);
    const struct compare_item* item = find(&compare, COMPARE_CLUSTER, "c2/body at mov");
    cr_expect_gt(item->p, 0.5, "%g", item->p);
    cr_expect_lt(oracle_fisher(item->events, item->trials), 1e-9, "what pooling would have said");
    compare_close(&compare);
}

// ---- Several runs a side ----------------------------------------------------------------------

Test(compare, sides_that_were_made_otherwise_are_warned_of) {
    for (int longer = 0; longer < 2; longer++) {
        struct compare compare = begin(1, 1);
        add(&compare, 0, ORACLE_MISSING, 5, 10000);
        add(&compare, 1, ORACLE_MISSING, 5, longer ? 20000 : 14000);
        compare_judge(&compare);
        char* text = text_of(&compare);
        cr_expect_eq(strstr(text, "WARNING: one side's runs judged 2.0 times") != NULL, longer);
        free(text);
        compare_close(&compare);
    }
}

static struct compare runs_a_side(size_t runs, uint64_t more) {
    struct compare compare = begin(runs, runs);
    for (size_t run = 0; run < 2 * runs; run++)
        add(&compare, run, ORACLE_TRUNCATED, 10 + run % 3 + (run < runs ? 0 : more), 10000);
    compare_judge(&compare);
    return compare;
}

Test(compare, four_runs_a_side_can_tell) {
    struct compare compare = runs_a_side(4, 60);
    cr_expect_eq(compare_status(&compare), RUNNER_EXIT_FAIL);
    cr_expect_eq(compare.assignments[COMPARE_ERRORS], 70);
    cr_expect_float_eq(find(&compare, COMPARE_VERDICT, "truncated")->adjusted, 2 / 70.0, 1e-12);
    says(&compare, "Runs are permuted: all 70 assignments");
    says(&compare, "4 runs: ");
    compare_close(&compare);
    compare = runs_a_side(4, 0);
    cr_expect_eq(compare_status(&compare), RUNNER_EXIT_PASS);
    compare_close(&compare);
}

Test(compare, three_runs_a_side_claim_nothing_and_say_what_is_needed) {
    struct compare compare = runs_a_side(3, 600);
    cr_expect_eq(compare_status(&compare), RUNNER_EXIT_INCONCLUSIVE);
    cr_expect_eq(compare.runs_needed, 4);
    cr_expect_eq(compare.worse[COMPARE_ERRORS], 0);
    says(&compare, "INCONCLUSIVE: needs 4 runs a side");
    compare_close(&compare);
}

Test(compare, a_run_without_the_row_is_left_out_of_it) {
    struct compare compare = begin(5, 4);
    for (size_t run = 0; run < 9; run++) {
        if (run != 2) add(&compare, run, ORACLE_PHANTOM, run < 5 ? 3 + run % 2 : 90, 10000);
        else add_verdict(&compare, run, "int", "PASS");
    }
    compare_judge(&compare);
    cr_expect_eq(compare_status(&compare), RUNNER_EXIT_FAIL);
    char text[COMPARE_VERDICTS];
    cr_expect_str_eq(compare_verdicts(&compare, compare.rows, 0, text), "PASS 4");
    compare_close(&compare);
}

// ---- How often it is wrong --------------------------------------------------------------------

static uint64_t random_state;

static double next_uniform(void) {
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return ((double)((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

static double next_normal(void) {
    return sqrt(-2 * log(next_uniform())) * cos(2 * M_PI * next_uniform());
}

// Events of a Poisson process, by its waiting times; large means by the normal distribution.
static uint64_t next_events(double mean) {
    if (mean > 200) return (uint64_t)fmax(0, round(mean + sqrt(mean) * next_normal()));
    uint64_t count = 0;
    for (double left = mean + log(next_uniform()); left > 0; left += log(next_uniform())) count++;
    return count;
}

// `mixed`, JDK 17, as measured (README.md): rates of 7,000 samples, and how far their logarithms
// lie apart from run to run.
struct measured {
    int what; // an enum oracle_verdict, or ~enum oracle_refusal
    double interpreted, compiled, spread;
};
static const struct measured measured[] = {
    {ORACLE_TRUNCATED, 0, 0.0003, 0.25},
    {ORACLE_MISSING, 0, 0.0018, 0.25},
    {ORACLE_ATTRIBUTION, 0, 0.007, 0.5},
    {~ORACLE_REFUSAL_UNKNOWN_NOT_JAVA, 0.036, 0.007, 0.4},
    {~ORACLE_REFUSAL_NOT_WALKABLE_NOT_JAVA, 0, 0.015, 0.15},
    {~ORACLE_REFUSAL_UNKNOWN_JAVA, 0.003, 0.06, 0.05},
    {~ORACLE_REFUSAL_NOT_WALKABLE_JAVA, 0.09, 0.01, 0.2},
    {~ORACLE_REFUSAL_DEOPT, 0, 0.0033, 1.0},
};

static struct results_past simulated_row(bool compiled, double judged, double fault) {
    struct results_past row = row_of(compiled ? "tiered" : "int", (uint64_t)judged);
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
        const struct measured* one = &measured[i];
        double spread = compiled ? one->spread : 0.1;
        double rate = compiled ? one->compiled : one->interpreted;
        rate *= exp(spread * next_normal() - spread * spread / 2);
        if (one->what == ORACLE_TRUNCATED) rate += fault;
        uint64_t events = next_events(rate * judged);
        if (one->what < 0) row.refused[~one->what] = events;
        else row.mismatch[one->what] = events;
    }
    return row;
}

static struct compare simulated(size_t runs, double judged, double fault) {
    struct compare compare = begin(runs, runs);
    compare.options.spread = -1;
    for (size_t run = 0; run < 2 * runs; run++)
        for (int compiled = 0; compiled < 2; compiled++) {
            double length = judged * (0.7 + 0.6 * next_uniform());
            struct results_past row =
                simulated_row(compiled, round(length), run < runs ? 0 : fault);
            compare_add(&compare, run, &row);
        }
    compare_judge(&compare);
    return compare;
}

struct outcomes {
    int errors, refusals, found;
};

static struct outcomes simulate(int pairs, size_t runs, double judged, double fault) {
    struct outcomes outcomes = {0};
    random_state = 20261120;
    for (int i = 0; i < pairs; i++) {
        struct compare compare = simulated(runs, judged, fault);
        outcomes.errors += compare.worse[COMPARE_ERRORS] + compare.better[COMPARE_ERRORS] != 0;
        outcomes.refusals +=
            compare.worse[COMPARE_REFUSALS] + compare.better[COMPARE_REFUSALS] != 0;
        outcomes.found += compare_status(&compare) == RUNNER_EXIT_FAIL;
        compare_close(&compare);
    }
    cr_log_info("%d pairs of %zu runs of %g: errors differ in %d, refusals in %d, worse %d\n",
                pairs, runs, judged, outcomes.errors, outcomes.refusals, outcomes.found);
    return outcomes;
}

Test(compare, of_2000_simulated_pairs_of_one_jvm_at_most_5_percent_differ) {
    const double lengths[] = {7000, 120000};
    for (int i = 0; i < 2; i++) {
        struct outcomes outcomes = simulate(2000, 1, lengths[i], 0);
        cr_expect_leq(outcomes.errors, 100, "%d", outcomes.errors);
        cr_expect_leq(outcomes.refusals, 100, "%d", outcomes.refusals);
    }
}

Test(compare, of_simulated_groups_of_runs_of_one_jvm_at_most_5_percent_differ) {
    // 12 of the 252 assignments are the most that the level lets pass: 143 are expected, and the
    // number found has a standard deviation of 12.
    struct outcomes outcomes = simulate(3000, 5, 7000, 0);
    cr_expect_leq(outcomes.errors, 178, "%d", outcomes.errors);
    cr_expect_leq(outcomes.refusals, 178, "%d", outcomes.refusals);
}

Test(compare, a_fault_of_1_in_1000_is_found_in_95_of_100_simulated_pairs) {
    cr_expect_geq(simulate(200, 1, 120000, 0.001).found, 190);
    cr_expect_geq(simulate(100, 5, 40000, 0.001).found, 95);
}

// ---- Options ----------------------------------------------------------------------------------

#define PARSE(options, ...)                                                                        \
    compare_parse(                                                                                 \
        &(struct base_call){                                                                       \
            .argc = (int)(sizeof((const char*[]){"compare", __VA_ARGS__}) / sizeof(char*)),        \
            .argv = (char*[]){(char[]){"compare"}, __VA_ARGS__, NULL},                             \
            .stays = true},                                                                        \
        options)

Test(compare, options_are_taken_and_wrong_ones_refused) {
    struct compare_options options;
    char a[] = "a", b[] = "b", c[] = "c", all[] = "--all", level[] = "--level=0.01";
    char json[] = "--json=x", spread[] = "--spread=0.3";
    cr_assert_eq(PARSE(&options, a, level, b, all, json, spread), 0);
    cr_expect_str_eq(options.paths[0], "a");
    cr_expect_str_eq(options.paths[1], "b");
    cr_expect_eq(options.level, 0.01);
    cr_expect_eq(options.spread, 0.3);
    cr_expect_str_eq(options.json, "x");
    cr_expect(options.all);
    cr_assert_eq(PARSE(&options, a, b), 0);
    cr_expect_eq(options.level, 0.05);
    cr_expect_lt(options.spread, 0, "as measured");
    char bad_level[] = "--level=1", no_level[] = "--level=0", text[] = "--level=x";
    char bad_spread[] = "--spread=-1", no_json[] = "--json=", unknown[] = "--al1", empty[] = "";
    cr_expect_eq(PARSE(&options, a), RUNNER_EXIT_USAGE);
    cr_expect_eq(PARSE(&options, a, b, c), RUNNER_EXIT_USAGE);
    cr_expect_eq(PARSE(&options, a, empty), RUNNER_EXIT_USAGE);
    cr_expect_eq(PARSE(&options, a, b, bad_level), RUNNER_EXIT_USAGE);
    cr_expect_eq(PARSE(&options, a, b, no_level), RUNNER_EXIT_USAGE);
    cr_expect_eq(PARSE(&options, a, b, text), RUNNER_EXIT_USAGE);
    cr_expect_eq(PARSE(&options, a, b, bad_spread), RUNNER_EXIT_USAGE);
    cr_expect_eq(PARSE(&options, a, b, no_json), RUNNER_EXIT_USAGE);
    cr_expect_eq(PARSE(&options, a, b, unknown), RUNNER_EXIT_USAGE);
}
