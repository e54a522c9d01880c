// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "synthetic.h"

// What a test row changes in a run that would pass.
struct change {
    uint64_t judged;
    uint64_t mismatched;
    uint32_t few;
    uint32_t phase;
    uint32_t record_error;
    enum results_end end;
    int status;
    bool hs_err, program;
    enum results_work work;
    const char* spoiled;
};
static const struct change fine = {.judged = 100000,
                                   .phase = RESULTS_PHASE_ENDED,
                                   .end = RESULTS_END_EXITED,
                                   .work = RESULTS_WORK_DONE};

// The run's row, which keeps nothing of both.
static struct results_row judged_and_freed(const struct results_execution* execution,
                                           struct results_run* run, enum oracle_layer layer) {
    struct results_row row;
    results_row_judge(execution, layer, &row);
    results_row_power(&row);
    row.execution = NULL;
    free(run);
    return row;
}

static void expect(const char* what, struct change change, const char* mode,
                   enum oracle_layer layer, enum results_row_verdict verdict) {
    struct results_run* run = synthetic_run(change.judged - change.mismatched);
    run->phase = change.phase;
    run->record_error = change.record_error;
    run->layers[layer].verdict[ORACLE_PHANTOM] = change.mismatched;
    struct results_execution execution = synthetic_execution(run, mode);
    execution.end = change.end;
    execution.status = change.status;
    execution.hs_err = change.hs_err;
    execution.program = change.program;
    execution.work = change.work;
    execution.few = change.few;
    execution.spoiled = change.spoiled;
    struct results_row row;
    memset(&row, 0xa5, sizeof row);
    results_row_judge(&execution, layer, &row);
    cr_expect_eq(row.verdict, verdict, "%s: %s, not %s (%s)", what,
                 results_row_verdict_text(row.verdict), results_row_verdict_text(verdict),
                 row.reason);
    cr_expect_eq(row.judged, change.judged, "%s: counts are there whatever the end", what);
    cr_expect_eq(row.reason[0] == '\0', verdict == RESULTS_ROW_PASS,
                 "%s: who does not pass says why", what);
    free(run);
}

#define ASYNC ORACLE_LAYER_ASYNC

Test(verdict, unexplained_errors_are_held_against_the_limit_of_layer_and_mode) {
    struct change one = fine, some = fine, more = fine;
    one.mismatched = 1;
    some.mismatched = 30;
    more.mismatched = 50;
    expect("no mismatch", fine, "c2", ASYNC, RESULTS_ROW_PASS);
    expect("0.03 % compiled", some, "c2", ASYNC, RESULTS_ROW_PASS);
    expect("0.05 % compiled", more, "c2", ASYNC, RESULTS_ROW_FAIL);
    expect("0.03 % interpreted", some, "int", ASYNC, RESULTS_ROW_FAIL);
    expect("0.05 % of sandwiches", more, "int", ORACLE_LAYER_SANDWICH, RESULTS_ROW_PASS);
    more.mismatched = 80;
    expect("0.08 % of sandwiches", more, "int", ORACLE_LAYER_SANDWICH, RESULTS_ROW_FAIL);
    expect("one interpreted: the interval still reaches below", one, "int", ASYNC,
           RESULTS_ROW_PASS);
    expect("one at a push", one, "c2", ORACLE_LAYER_GST, RESULTS_ROW_FAIL);
    expect("one against GetStackTrace", one, "int", ORACLE_LAYER_SAFEPOINT, RESULTS_ROW_FAIL);
    expect("0.03 % against it, compiled", some, "c2", ORACLE_LAYER_SAFEPOINT, RESULTS_ROW_PASS);
    expect("one unbalanced pop", one, "c2", ORACLE_LAYER_GROUND, RESULTS_ROW_FAIL);
}

static void transits(const char* mode, const char* name, uint64_t count,
                     enum results_row_verdict verdict) {
    struct results_run* run = synthetic_run(10000 - count);
    run->layers[ASYNC].verdict[ORACLE_TRANSITION] = count;
    struct results_execution execution = synthetic_execution(run, mode);
    struct results_row row;
    if (name != NULL) execution.case_name = name;
    else execution.program = true;
    results_row_judge(&execution, ASYNC, &row);
    cr_expect_eq(row.verdict, verdict, "%s %llu: %s", mode, (unsigned long long)count, row.reason);
    cr_expect_eq(row.judged, 10000, "judged they were");
    cr_expect_eq(strstr(row.reason, "transitions") != NULL, verdict == RESULTS_ROW_FAIL);
    free(run);
}

Test(verdict, transitions_have_a_limit_of_their_own) {
    transits("int", "mixed", 1000, RESULTS_ROW_PASS);
    transits("int", "mixed", 1100, RESULTS_ROW_FAIL);
    transits("int", "recursion", 1100, RESULTS_ROW_FAIL);
    transits("c1", "mixed", 3000, RESULTS_ROW_PASS);
    transits("c1", "mixed", 3200, RESULTS_ROW_FAIL);
    transits("tiered", "recursion", 6500, RESULTS_ROW_PASS);
    transits("tiered", "recursion", 6700, RESULTS_ROW_FAIL);
    transits("tiered", "setup", 8800, RESULTS_ROW_PASS);
    transits("tiered", "setup", 9200, RESULTS_ROW_FAIL);
    transits("int", "setup", 1100, RESULTS_ROW_FAIL);
    transits("tiered", NULL, 5000, RESULTS_ROW_PASS);
    transits("int", NULL, 1100, RESULTS_ROW_FAIL);
}

static struct results_cause one_cause[] = {{.name = "unexplained", .bug = (char*)""},
                                           {.name = "deopt", .bug = (char*)""}};
static const struct results_causes one_causes = {2, one_cause};

static void exact(uint64_t unexplained, uint64_t known, uint64_t of, uint64_t inexact,
                  enum results_row_verdict verdict, const char* note) {
    uint64_t wrong = unexplained + known;
    struct results_run* run = synthetic_run(10000 - wrong - inexact);
    struct results_layer* layer = &run->layers[ORACLE_LAYER_SANDWICH];
    layer->verdict[ORACLE_MISSING] = wrong + inexact;
    layer->exact[ORACLE_MISSING] = wrong;
    layer->exact[ORACLE_AGREE] = of - wrong;
    layer->exact_unexplained = unexplained;
    layer->cause[1] = known; // and never measured here
    strcpy(run->cause_names[1], one_cause[1].name);
    struct results_execution execution = synthetic_execution(run, "c2");
    execution.causes = &one_causes;
    struct results_row row;
    results_row_judge(&execution, ORACLE_LAYER_SANDWICH, &row);
    cr_expect_eq(row.verdict, verdict, "%s: %s", row.reason, results_row_verdict_text(row.verdict));
    cr_expect_eq(row.judged, 10000);
    cr_expect_eq(results_exact_judged(&row), of);
    cr_expect_eq(results_exact_mismatched(&row), wrong);
    cr_expect_str_eq(row.note, note);
    free(run);
}

Test(verdict, exact_sandwiches_have_a_limit_of_their_own) {
    exact(0, 0, 5000, 0, RESULTS_ROW_PASS, "5000 exact");
    // One alone fails no row, however few there are.
    exact(1, 0, 5000, 0, RESULTS_ROW_PASS, "5000 exact, of which 1 wrong, 1 unexplained");
    exact(1, 0, 10, 0, RESULTS_ROW_PASS, "10 exact, of which 1 wrong, 1 unexplained");
    exact(8, 0, 5000, 0, RESULTS_ROW_FAIL, "5000 exact, of which 8 wrong, 8 unexplained");
    exact(0, 0, 5000, 4, RESULTS_ROW_PASS, "5000 exact");  // 0.08 % of those that are not
    exact(0, 0, 5000, 50, RESULTS_ROW_FAIL, "5000 exact"); // 1 % of those that are not
    exact(0, 0, 0, 5, RESULTS_ROW_PASS, "");               // 0.05 %
}

Test(verdict, exact_counts_that_do_not_fit_each_other_are_no_more_than_were_judged) {
    struct results_run* run = synthetic_run(100);
    struct results_layer* layer = &run->layers[ORACLE_LAYER_SANDWICH];
    layer->verdict[ORACLE_AGREE] = 100;
    layer->verdict[ORACLE_MISSING] = layer->exact_unexplained = 7;
    layer->exact[ORACLE_AGREE] = 1;
    struct results_execution execution = synthetic_execution(run, "int");
    struct results_row row;
    results_row_judge(&execution, ORACLE_LAYER_SANDWICH, &row);
    cr_expect_eq(exact_unexplained(&row), 0);
    cr_expect_eq(exact_others(&row), 7);
    layer->exact[ORACLE_MISSING] = 3;
    results_row_judge(&execution, ORACLE_LAYER_SANDWICH, &row);
    cr_expect_eq(exact_unexplained(&row), 3);
    cr_expect_eq(exact_others(&row), 4);
    free(run);
}

// The JVM ended before the error's cause was counted, or in the middle of a count.
Test(verdict, where_all_is_exact_no_error_is_of_what_is_not) {
    struct results_run* run = synthetic_run(1000);
    struct results_layer* layer = &run->layers[ORACLE_LAYER_SANDWICH];
    struct results_execution execution = synthetic_execution(run, "int");
    struct results_row row;
    layer->verdict[ORACLE_AGREE] = 999;
    layer->verdict[ORACLE_MISSING] = layer->exact[ORACLE_MISSING] = 1;
    for (uint64_t right = 999; right <= 1000; right++) {
        layer->exact[ORACLE_AGREE] = right;
        results_row_judge(&execution, ORACLE_LAYER_SANDWICH, &row);
        cr_expect_eq(row.verdict, RESULTS_ROW_PASS, "%s", row.reason);
        cr_expect_eq(exact_others(&row), 1);
        cr_expect_eq(exact_inexact(&row), 0);
        cr_expect_eq(exact_inexact_judged(&row), 0);
    }
    free(run);
}

Test(verdict, exact_errors_of_a_cause_are_held_against_the_general_limit) {
    exact(0, 8, 5000, 0, RESULTS_ROW_PASS, "5000 exact, of which 8 wrong, 0 unexplained");
    exact(0, 8, 9900, 0, RESULTS_ROW_PASS, "9900 exact, of which 8 wrong, 0 unexplained");
    exact(0, 100, 5000, 0, RESULTS_ROW_FAIL, "5000 exact, of which 100 wrong, 0 unexplained");
}

// 40 exact errors are of a cause that was measured. `inexact` and `unexplained` are of none.
static struct results_row beside_known(uint64_t inexact, uint64_t unexplained) {
    static const struct results_ceiling ceiling = {
        .subject = RESULTS_SUBJECT_CAUSE, .index = 1, .mean = 0.004, .spread = 0.5};
    struct results_expected expected[ORACLE_LAYER_COUNT] = {
        [ORACLE_LAYER_SANDWICH] = {.ceilings = &ceiling, .ceiling_count = 1}};
    struct results_run* run = synthetic_run(10000 - 40 - inexact - unexplained);
    struct results_layer* layer = &run->layers[ORACLE_LAYER_SANDWICH];
    layer->verdict[ORACLE_MISSING] = 40 + inexact + unexplained;
    layer->exact[ORACLE_MISSING] = 40 + unexplained;
    layer->exact[ORACLE_AGREE] = 9900 - 40 - unexplained;
    layer->exact_unexplained = unexplained;
    strcpy(run->cause_names[1], one_cause[1].name);
    layer->cause[0] = inexact + unexplained;
    layer->cause[1] = 40;
    struct results_execution execution = synthetic_execution(run, "c2");
    execution.causes = &one_causes;
    execution.expected = expected;
    return judged_and_freed(&execution, run, ORACLE_LAYER_SANDWICH);
}

Test(verdict, exact_errors_of_a_measured_cause_hide_none_of_what_is_not_exact) {
    cr_expect_eq(beside_known(0, 0).verdict, RESULTS_ROW_PASS);
    struct results_row row = beside_known(10, 0); // of 100 that are not exact
    cr_expect_eq(row.verdict, RESULTS_ROW_FAIL);
    cr_expect(strstr(row.reason, "of what is not exact 10/100") != NULL, "%s", row.reason);
}

Test(verdict, exact_errors_of_no_cause_are_no_part_of_a_rows_power) {
    struct results_row none = beside_known(0, 0), exact_ones = beside_known(0, 1);
    cr_expect_eq(exact_ones.unexplained, 1);
    cr_expect_eq(exact_ones.verdict, RESULTS_ROW_PASS);
    cr_expect_eq(exact_ones.notices, none.notices);
    cr_expect_lt(beside_known(1, 0).notices, none.notices);
}

Test(verdict, the_share_of_the_frames_that_were_judged_is_told) {
    struct results_run* run = synthetic_run(10000);
    run->layers[ASYNC].frames_seen = 3000;
    run->layers[ASYNC].frames_judged = 1000;
    struct results_execution execution = synthetic_execution(run, "c2");
    struct results_row row;
    results_row_judge(&execution, ASYNC, &row);
    cr_expect_str_eq(row.note, "33.3 % of the frames judged");
    free(run);
}

static void attributes(const char* mode, uint64_t count, enum results_row_verdict verdict) {
    struct results_run* run = synthetic_run(10000 - count);
    run->layers[ASYNC].verdict[ORACLE_ATTRIBUTION] = count;
    struct results_execution execution = synthetic_execution(run, mode);
    struct results_row row;
    results_row_judge(&execution, ASYNC, &row);
    cr_expect_eq(row.verdict, verdict, "%s %llu: %s", mode, (unsigned long long)count, row.reason);
    cr_expect_eq(row.mismatched, 0, "no walking error");
    cr_expect_eq(row.attribution, count);
    cr_expect_eq(row.judged, 10000, "judged it was");
    cr_expect_eq(row.interval.low, 0);
    cr_expect_eq(strstr(row.reason, "attribution") != NULL, verdict == RESULTS_ROW_FAIL);
    free(run);
}

Test(verdict, attribution_has_a_number_and_a_limit_of_its_own) {
    attributes("c2", 2000, RESULTS_ROW_PASS);
    attributes("c2", 2510, RESULTS_ROW_PASS); // the interval still reaches below 25 %
    attributes("c2", 2700, RESULTS_ROW_FAIL);
    attributes("int", 50, RESULTS_ROW_FAIL); // where nothing is inlined
}

Test(verdict, attribution_that_no_scopes_prove_has_a_stricter_limit_where_scopes_are_read) {
    struct results_run* run = synthetic_run(8000);
    run->layers[ASYNC].verdict[ORACLE_ATTRIBUTION] = 2000;
    run->attribution_unproved = 150;
    struct results_execution execution = synthetic_execution(run, "c2");
    struct results_row row;
    results_row_judge(&execution, ASYNC, &row);
    cr_expect_eq(row.verdict, RESULTS_ROW_PASS, "no scopes are known: %s", row.reason);
    run->scopes_compared = 1;
    results_row_judge(&execution, ASYNC, &row);
    cr_expect_eq(row.verdict, RESULTS_ROW_FAIL);
    cr_expect(strstr(row.reason, "scopes do not prove: 150/10000") != NULL, "%s", row.reason);
    results_row_judge(&execution, ORACLE_LAYER_STRUCTURE, &row);
    cr_expect(strstr(row.reason, "scopes") == NULL, "%s", row.reason);
    run->attribution_unproved = 100; // the interval reaches below 1 %
    results_row_judge(&execution, ASYNC, &row);
    cr_expect_eq(row.verdict, RESULTS_ROW_PASS, "%s", row.reason);
    free(run);
}

Test(verdict, a_profiler_is_held_against_the_limits_of_async) {
    struct change errors = fine;
    errors.mismatched = 30;
    expect("30 in 100,000", errors, "c2", ORACLE_LAYER_PROFILER, RESULTS_ROW_PASS);
    expect("30 in 100,000, int", errors, "int", ORACLE_LAYER_PROFILER, RESULTS_ROW_FAIL);
    errors.mismatched = 90;
    expect("90 in 100,000", errors, "c2", ORACLE_LAYER_PROFILER, RESULTS_ROW_FAIL);
}

Test(verdict, structure_is_held_against_the_limits_of_async) {
    struct change some = fine;
    some.mismatched = 30;
    expect("0.03 % compiled", some, "c2", ORACLE_LAYER_STRUCTURE, RESULTS_ROW_PASS);
    expect("0.03 % interpreted", some, "int", ORACLE_LAYER_STRUCTURE, RESULTS_ROW_FAIL);
    some.mismatched = 0;
    some.judged = RESULTS_MINIMUM_SAMPLES;
    expect("1000 samples", some, "c2", ORACLE_LAYER_STRUCTURE, RESULTS_ROW_PASS);
    some.judged--;
    expect("999 samples", some, "c2", ORACLE_LAYER_STRUCTURE, RESULTS_ROW_INCONCLUSIVE);
}

Test(verdict, a_limit_is_broken_only_by_the_whole_interval) {
    struct change few = fine;
    few.judged = 10000;
    few.mismatched = 3;
    expect("0.03 %", few, "c2", ASYNC, RESULTS_ROW_PASS);
    few.mismatched = 7;
    expect("0.07 %, from 0.028 % on", few, "c2", ASYNC, RESULTS_ROW_PASS);
    few.mismatched = 8;
    expect("0.08 %, from 0.035 % on", few, "c2", ASYNC, RESULTS_ROW_FAIL);
}

// ---- Refusals ---------------------------------------------------------------------------------

static struct results_row refuses(uint64_t judged, enum oracle_refusal code, uint64_t count) {
    struct results_run* run = synthetic_run(judged);
    struct results_layer* layer = &run->layers[ASYNC];
    layer->refused[code] = layer->verdict[ORACLE_REFUSED] = count;
    layer->answered = judged + count;
    struct results_execution execution = synthetic_execution(run, "c2");
    struct results_row row;
    memset(&row, 0xa5, sizeof row);
    results_row_judge(&execution, ASYNC, &row);
    results_row_power(&row);
    free(run);
    return row;
}

static void refused(const char* what, struct results_row row, enum results_row_verdict verdict,
                    const char* reason) {
    cr_expect_eq(row.verdict, verdict, "%s: %s (%s)", what, results_row_verdict_text(row.verdict),
                 row.reason);
    cr_expect(strstr(row.reason, reason) != NULL, "%s: \"%s\" is not in: %s", what, reason,
              row.reason);
}

Test(verdict, refusals_are_an_answer) {
    refused("none", refuses(9000, ORACLE_REFUSAL_DEOPT, 0), RESULTS_ROW_PASS, "");
    refused("1 %", refuses(9900, ORACLE_REFUSAL_DEOPT, 100), RESULTS_ROW_PASS, "");
    refused("1.3 %, from 1.09 % on", refuses(9870, ORACLE_REFUSAL_DEOPT, 130), RESULTS_ROW_FAIL,
            "refused: deopt 130/10000 = 1.30 %");
    refused("half", refuses(5000, ORACLE_REFUSAL_GC_ACTIVE, 5000), RESULTS_ROW_FAIL, "GC_active");
    refused("all, which is no want of samples", refuses(0, ORACLE_REFUSAL_UNKNOWN_JAVA, 8000),
            RESULTS_ROW_FAIL, "unknown_Java 8000/8000 = 100.0 %");
    refused("a code of no list, once", refuses(100000, ORACLE_REFUSAL_OTHER, 1), RESULTS_ROW_FAIL,
            "a code that is in no list");
    refused("half, of threads without an anchor", refuses(5000, ORACLE_REFUSAL_NO_ANCHOR, 5000),
            RESULTS_ROW_PASS, "");
    refused("half, of threads without Java", refuses(5000, ORACLE_REFUSAL_WITHOUT_JAVA, 5000),
            RESULTS_ROW_PASS, "");
    refused("as many of threads with one", refuses(5000, ORACLE_REFUSAL_UNKNOWN_NOT_JAVA, 5000),
            RESULTS_ROW_FAIL, "refused: unknown_not_Java");
    refused("half, at runtime stubs", refuses(5000, ORACLE_REFUSAL_RUNTIME_STUB, 5000),
            RESULTS_ROW_PASS, "");
    refused("half, under deoptimised callers", refuses(5000, ORACLE_REFUSAL_DEOPT_CALLER, 5000),
            RESULTS_ROW_PASS, "");
    refused("half, in system calls", refuses(5000, ORACLE_REFUSAL_SYSTEM_CALL, 5000),
            RESULTS_ROW_PASS, "");
    refused("half, elsewhere in Java", refuses(5000, ORACLE_REFUSAL_UNKNOWN_JAVA, 5000),
            RESULTS_ROW_FAIL, "unknown_Java 5000/10000");
    refused("0.2 % elsewhere", refuses(19960, ORACLE_REFUSAL_NOT_WALKABLE_NOT_JAVA, 40),
            RESULTS_ROW_FAIL, "not_walkable_not_Java 40/20000 = 0.200 %");
    refused("0.2 % of them", refuses(19960, ORACLE_REFUSAL_UNKNOWN_NOT_JAVA, 40), RESULTS_ROW_FAIL,
            "unknown_not_Java 40/20000 = 0.200 %");
    refused("0.1 %", refuses(19980, ORACLE_REFUSAL_UNKNOWN_NOT_JAVA, 20), RESULTS_ROW_PASS, "");
}

Test(verdict, a_refusal_that_is_due_takes_no_power_from_the_others) {
    double power = refuses(5000, ORACLE_REFUSAL_DEOPT, 0).notices_refusals;
    cr_expect_lt(power, 0.05);
    cr_expect_lt(refuses(5000, ORACLE_REFUSAL_NO_ANCHOR, 5000).notices_refusals, power);
}

// ---- Power ------------------------------------------------------------------------------------

// P(at least k of n), by the binomial's own terms.
static double at_least(uint64_t k, uint64_t n, double rate) {
    double below = 0;
    for (uint64_t i = 0; i < k; i++)
        below += exp(lgamma((double)n + 1) - lgamma((double)i + 1) - lgamma((double)(n - i) + 1) +
                     (double)i * log(rate) + (double)(n - i) * log1p(-rate));
    return 1 - below;
}

// The least number of unexplained errors with which such a row is FAIL, by trying.
static uint64_t least_that_fails(uint64_t judged, const char* mode) {
    for (uint64_t wrong = 0;; wrong++) {
        struct results_run* run = synthetic_run(judged - wrong);
        run->layers[ASYNC].verdict[ORACLE_PHANTOM] = wrong;
        struct results_execution execution = synthetic_execution(run, mode);
        struct results_row row;
        results_row_judge(&execution, ASYNC, &row);
        free(run);
        if (row.verdict == RESULTS_ROW_FAIL) return wrong;
    }
}

static void notices(uint64_t judged, uint64_t seen, const char* mode) {
    struct results_run* run = synthetic_run(judged - seen);
    run->layers[ASYNC].verdict[ORACLE_PHANTOM] = seen;
    struct results_execution execution = synthetic_execution(run, mode);
    struct results_row row;
    results_row_judge(&execution, ASYNC, &row);
    results_row_power(&row);
    uint64_t more = least_that_fails(judged, mode) - seen;
    cr_expect_float_eq(at_least(more, judged, row.notices), 0.95, 1e-6, "%s %llu of %llu: %g", mode,
                       (unsigned long long)seen, (unsigned long long)judged, row.notices);
    free(run);
}

Test(verdict, a_row_says_the_least_rate_that_it_would_have_failed_with_95_percent_probability) {
    notices(1000, 0, "c2");
    notices(20000, 0, "c2");
    notices(20000, 9, "c2");
    notices(20000, 0, "int");
    notices(3000, 2, "int");
}

Test(verdict, what_failed_needs_no_more_and_what_judged_nothing_notices_nothing) {
    struct results_run* run = synthetic_run(20000);
    struct results_execution execution = synthetic_execution(run, "c2");
    struct results_row row;
    run->layers[ASYNC].verdict[ORACLE_PHANTOM] = 900;
    results_row_judge(&execution, ASYNC, &row);
    results_row_power(&row);
    cr_expect_eq(row.verdict, RESULTS_ROW_FAIL);
    cr_expect_eq(row.notices, 0);
    memset(&run->layers[ASYNC], 0, sizeof run->layers[ASYNC]);
    results_row_judge(&execution, ASYNC, &row);
    results_row_power(&row);
    cr_expect_eq(row.notices, 1);
    cr_expect_eq(row.notices_refusals, 1);
    free(run);
}

// What was compared with nothing would agree whatever the walker said.
static struct results_row compares(uint64_t frames_judged, uint64_t wrong) {
    struct results_run* run = synthetic_run(100000 - wrong);
    struct results_execution execution = synthetic_execution(run, "c2");
    run->methods_rewritten = frames_judged;
    run->layers[ASYNC].frames_seen = 300000;
    run->layers[ASYNC].frames_judged = frames_judged;
    run->layers[ASYNC].verdict[ORACLE_PHANTOM] = wrong;
    return judged_and_freed(&execution, run, ASYNC);
}

Test(verdict, what_was_compared_with_nothing_passes_for_nothing) {
    struct results_row row = compares(1, 0);
    cr_expect_eq(row.verdict, RESULTS_ROW_PASS);
    cr_expect_lt(row.notices, 0.001);
    row = compares(0, 0);
    cr_expect_eq(row.verdict, RESULTS_ROW_INCONCLUSIVE);
    cr_expect_str_eq(row.reason, "no frame was compared with anything");
    cr_expect_not_null(strstr(row.note, "no method was instrumented"), "%s", row.note);
    cr_expect_eq(row.notices, 1);
    row = compares(0, 3);
    cr_expect_eq(row.verdict, RESULTS_ROW_INCONCLUSIVE, "%s", row.reason);
    cr_expect_eq(row.notices, 1);
    row = compares(0, 900);
    cr_expect_eq(row.verdict, RESULTS_ROW_FAIL);
    cr_expect_eq(row.notices, 0);
}

Test(verdict, a_row_says_which_share_of_refusals_it_would_have_noticed) {
    struct results_row row = refuses(10000, ORACLE_REFUSAL_DEOPT, 0);
    uint64_t needed = 0;
    while (oracle_interval(needed, 10000, 0.95).low <= 0.01) needed++;
    cr_expect_float_eq(at_least(needed, 10000, row.notices_refusals), 0.95, 1e-6);
    cr_expect_lt(row.notices_refusals, 0.015);
}

// A profiler's stack without frames has no limit where none was measured.
Test(verdict, a_profilers_row_notices_missing_frames_by_what_was_measured_alone) {
    static const struct results_ceiling empty = {
        .subject = RESULTS_SUBJECT_EMPTY, .mean = 0.05, .spread = 0.3};
    struct results_expected expected[ORACLE_LAYER_COUNT] = {0};
    struct results_run* run = synthetic_run(95000);
    run->layers[ORACLE_LAYER_PROFILER].answered = 100000;
    run->layers[ORACLE_LAYER_PROFILER].verdict[ORACLE_REFUSED] = 5000;
    struct results_execution execution = synthetic_execution(run, "c2");
    struct results_row row;
    execution.expected = expected;
    for (size_t measured = 0; measured < 2; measured++) {
        expected[ORACLE_LAYER_PROFILER] =
            (struct results_expected){.ceilings = &empty, .ceiling_count = measured};
        results_row_judge(&execution, ORACLE_LAYER_PROFILER, &row);
        results_row_power(&row);
        if (measured == 0) cr_expect_eq(row.notices_refusals, 1);
        else
            cr_expect(row.notices_refusals > 0.05 && row.notices_refusals < 0.2, "%g",
                      row.notices_refusals);
    }
    free(run);
}

Test(verdict, too_little_is_no_pass) {
    struct change few = fine;
    few.judged = RESULTS_MINIMUM_SAMPLES - 1;
    expect("999 samples", few, "c2", ASYNC, RESULTS_ROW_INCONCLUSIVE);
    few.judged++;
    expect("1000 samples", few, "c2", ASYNC, RESULTS_ROW_PASS);
    expect("1000 checks", few, "c2", ORACLE_LAYER_GST, RESULTS_ROW_INCONCLUSIVE);
    few.judged = RESULTS_MINIMUM_CHECKS;
    expect("10000 checks", few, "c2", ORACLE_LAYER_SAFEPOINT, RESULTS_ROW_PASS);
    few.judged = RESULTS_MINIMUM_WALKS - 1;
    expect("299 walks", few, "c2", ORACLE_LAYER_SANDWICH, RESULTS_ROW_INCONCLUSIVE);
    few.judged++;
    expect("300 walks", few, "c2", ORACLE_LAYER_SANDWICH, RESULTS_ROW_PASS);
    few.judged = 0;
    expect("nothing", few, "c2", ASYNC, RESULTS_ROW_INCONCLUSIVE);
    few.judged = few.mismatched = 50;
    expect("few, and all wrong", few, "c2", ASYNC, RESULTS_ROW_FAIL);
}

Test(verdict, where_a_case_has_little_for_a_layer_too_little_is_skipped_and_errors_count) {
    struct change few = fine;
    few.judged = RESULTS_MINIMUM_WALKS - 1;
    few.few = 1u << ORACLE_LAYER_SANDWICH;
    expect("299 walks", few, "c2", ORACLE_LAYER_SANDWICH, RESULTS_ROW_SKIP);
    expect("another layer", few, "c2", ASYNC, RESULTS_ROW_INCONCLUSIVE);
    few.judged++;
    expect("300 walks", few, "c2", ORACLE_LAYER_SANDWICH, RESULTS_ROW_PASS);
    few.judged = few.mismatched = 50;
    expect("few, and all wrong", few, "c2", ORACLE_LAYER_SANDWICH, RESULTS_ROW_FAIL);
}

static const char *asked_in, *spoiled;
static uint64_t uncompared; // frames
static uint32_t died_thread;
static enum results_processor processor = RESULTS_PROCESSOR_AARCH64;

static enum results_row_verdict dies(const char* note, uint32_t in_walker, int release,
                                     uint64_t judged, uint64_t mismatched, const char* says) {
    static struct results_cause causes[] = {{.name = "unexplained"},
                                            {.name = "entry",
                                             .finding = (char*)"14",
                                             .bug = (char*)"",
                                             .crash = (char*)"frame::entry_frame_is_first "
                                                             "frame::sender@Some::ldiv",
                                             .crash_processors = 1u << RESULTS_PROCESSOR_AARCH64,
                                             .first = 11,
                                             .last = 17}};
    static const struct results_causes list = {2, causes};
    struct results_run* run = synthetic_run(judged - mismatched);
    run->layers[ASYNC].verdict[ORACLE_PHANTOM] = mismatched;
    run->layers[ASYNC].frames_seen = uncompared;
    run->threads_now[3].in_walker = in_walker;
    run->threads_now[3].thread_id = 70;
    run->processor = processor;
    struct results_execution execution = synthetic_execution(run, "c1");
    execution.end = RESULTS_END_SIGNALLED;
    execution.status = SIGABRT;
    execution.note = note;
    execution.asked_in = asked_in;
    execution.died_thread = died_thread;
    execution.spoiled = spoiled;
    execution.causes = &list;
    execution.release = release;
    struct results_row row;
    results_row_judge(&execution, ASYNC, &row);
    cr_expect(strstr(row.reason, says) != NULL, "%s: not \"%s\"", row.reason, says);
    free(run);
    return row.verdict;
}

Test(verdict, a_known_crash_in_a_walker_says_nothing_against_the_rest_and_excuses_nothing) {
    const char* known = "SIGSEGV at V  [libjvm.so+0x6c2734]  frame::entry_frame_is_first() const+4";
    const char* other = "SIGSEGV at V  [libjvm.so+0x6c2734]  frame::entry_frame() const+4";
    const char* ours = "SIGSEGV at C  [libx.so+0x6c2734]  frame::entry_frame_is_first() const+4";
    uint32_t async = 1 + ORACLE_LAYER_ASYNC;
    cr_expect_eq(dies(known, async, 17, 100000, 0, ": entry, finding 14"), RESULTS_ROW_XCRASH);
    cr_expect_eq(dies(other, async, 17, 100000, 0, "SIGSEGV"), RESULTS_ROW_CRASH, "a function");
    cr_expect_eq(dies(ours, async, 17, 100000, 0, "SIGSEGV"), RESULTS_ROW_CRASH, "a library");
    cr_expect_eq(dies(known, 0, 17, 100000, 0, "outside"), RESULTS_ROW_CRASH, "in no walker");
    died_thread = 70;
    cr_expect_eq(dies(known, async, 17, 100000, 0, ": entry, finding 14"), RESULTS_ROW_XCRASH);
    died_thread = 71;
    cr_expect_eq(dies(known, async, 17, 100000, 0, "outside"), RESULTS_ROW_CRASH, "a thread");
    died_thread = 0;
    cr_expect_eq(dies(known, async, 21, 100000, 0, "SIGSEGV"), RESULTS_ROW_CRASH, "a release");
    cr_expect_eq(dies(NULL, async, 17, 100000, 0, "SIGABRT"), RESULTS_ROW_CRASH, "no error log");
    cr_expect_eq(dies(known, async, 17, 100000, 80, "unexplained 80"), RESULTS_ROW_FAIL);
    cr_expect_eq(dies(known, async, 17, 999, 0, "999 judged"), RESULTS_ROW_INCONCLUSIVE);
    uncompared = 5;
    cr_expect_eq(dies(known, async, 17, 100000, 0, "; no frame was"), RESULTS_ROW_INCONCLUSIVE);
    uncompared = 0;
    spoiled = "written over";
    cr_expect_eq(dies(known, async, 17, 100000, 0, "written over"), RESULTS_ROW_HARNESS);
    cr_expect_eq(dies(other, async, 17, 100000, 0, "SIGSEGV"), RESULTS_ROW_CRASH);
    spoiled = NULL;
    processor = RESULTS_PROCESSOR_X86_64;
    cr_expect_eq(dies(known, async, 17, 100000, 0, "SIGSEGV"), RESULTS_ROW_CRASH, "a processor");
    cr_expect_eq(results_exit_status(RESULTS_ROW_XCRASH), 0);
}

Test(verdict, a_crash_may_be_known_only_where_the_walker_was_asked_in_one_function) {
    const char* sender = "SIGSEGV at V  [libjvm.so+0x6c6125]  frame::sender(RegisterMap*) const+8";
    uint32_t async = 1 + ORACLE_LAYER_ASYNC;
    asked_in = "Some::ldiv+0x1a";
    cr_expect_eq(dies(sender, async, 17, 100000, 0, ": entry, finding 14"), RESULTS_ROW_XCRASH);
    asked_in = "Some::lrem+0x1a";
    cr_expect_eq(dies(sender, async, 17, 100000, 0, "frame::sender"), RESULTS_ROW_CRASH);
    asked_in = NULL;
    cr_expect_eq(dies(sender, async, 17, 100000, 0, "frame::sender"), RESULTS_ROW_CRASH);
}

Test(verdict, a_jvm_that_left_an_error_log_died_though_it_had_to_be_killed) {
    struct results_run* run = synthetic_run(5000);
    struct results_execution execution = synthetic_execution(run, "int");
    struct results_row row;
    execution.end = RESULTS_END_TIMED_OUT;
    execution.seconds = 60;
    results_row_judge(&execution, ASYNC, &row);
    cr_expect_eq(row.verdict, RESULTS_ROW_HANG);
    execution.hs_err = true;
    results_row_judge(&execution, ASYNC, &row);
    cr_expect_eq(row.verdict, RESULTS_ROW_CRASH);
    cr_expect(strstr(row.reason, "died, and was killed after 60.0 s") != NULL, "%s", row.reason);
    execution.end = RESULTS_END_INTERRUPTED;
    results_row_judge(&execution, ASYNC, &row);
    cr_expect_eq(row.verdict, RESULTS_ROW_CRASH);
    free(run);
}

Test(verdict, a_crash_is_of_the_thread_that_died) {
    struct results_run* run = synthetic_run(5000);
    struct results_execution execution = synthetic_execution(run, "int");
    struct results_row row;
    char text[64] = "";
    run->threads_now[3] = (struct results_thread){
        .in_walker = 1 + ORACLE_LAYER_ASYNC, .thread_id = 70, .asked_at = 0x30};
    run->threads_now[5] = (struct results_thread){
        .in_walker = 1 + ORACLE_LAYER_SANDWICH, .thread_id = 71, .asked_at = 0x50};
    execution.end = RESULTS_END_SIGNALLED;
    execution.status = SIGABRT;
    execution.died_thread = 71;
    execution.asked_in = "Some::ldiv+0x1a";
    results_row_judge(&execution, ASYNC, &row);
    cr_expect(strstr(row.reason, "sandwich, asked at pc 0x50 Some::ldiv+0x1a") != NULL, "%s",
              row.reason);
    cr_expect(results_asked_at_end(&execution, text, sizeof text));
    cr_expect_str_eq(text, "pc 0x50");
    execution.died_thread = 72;
    results_row_judge(&execution, ASYNC, &row);
    cr_expect(strstr(row.reason, "outside the walkers") != NULL, "%s", row.reason);
    cr_expect_not(results_asked_at_end(&execution, text, sizeof text));
    // It died of the walk that it made for another.
    run->other_id = 72;
    run->other_for = 71;
    results_row_judge(&execution, ASYNC, &row);
    cr_expect(strstr(row.reason, "sandwich, asked at pc 0x50") != NULL, "%s", row.reason);
    // Nobody told which thread it was.
    execution.died_thread = 0;
    results_row_judge(&execution, ASYNC, &row);
    cr_expect(strstr(row.reason, "async, asked at pc 0x30") != NULL, "%s", row.reason);
    free(run);
}

Test(verdict, the_end_of_the_jvm_decides_first) {
    struct change c = fine;
    c.end = RESULTS_END_SIGNALLED;
    c.status = SIGABRT;
    expect("died of SIGABRT", c, "c2", ASYNC, RESULTS_ROW_CRASH);
    c.phase = RESULTS_PHASE_CREATED;
    expect("died before the agent was there", c, "c2", ASYNC, RESULTS_ROW_CRASH);
    c.status = SIGKILL;
    expect("somebody else's SIGKILL", c, "c2", ASYNC, RESULTS_ROW_HARNESS);
    c.hs_err = true;
    expect("SIGKILL while it wrote its error log", c, "c2", ASYNC, RESULTS_ROW_CRASH);
    struct change exited = fine;
    exited.status = 134;
    expect("a shell's word for SIGABRT", exited, "c2", ASYNC, RESULTS_ROW_CRASH);
    exited.status = 1;
    exited.hs_err = true;
    expect("left an hs_err file", exited, "c2", ASYNC, RESULTS_ROW_CRASH);
    struct change hung = fine;
    hung.end = RESULTS_END_TIMED_OUT;
    hung.mismatched = 50000;
    expect("time limit", hung, "c2", ASYNC, RESULTS_ROW_HANG);
    struct change stopped = fine;
    stopped.end = RESULTS_END_INTERRUPTED;
    expect("interrupted", stopped, "c2", ASYNC, RESULTS_ROW_INCONCLUSIVE);
    stopped.mismatched = 50000;
    expect("interrupted, but failed already", stopped, "c2", ASYNC, RESULTS_ROW_FAIL);
}

Test(verdict, a_record_without_room_is_the_harness_failure_and_hides_no_error) {
    struct change c = fine;
    c.record_error = ENOSPC;
    expect("no room", c, "c2", ASYNC, RESULTS_ROW_HARNESS);
    c.work = RESULTS_WORK_NONE;
    expect("the last words need room, too", c, "c2", ASYNC, RESULTS_ROW_HARNESS);
    c.mismatched = 500;
    expect("0.5 % wrong", c, "c2", ASYNC, RESULTS_ROW_FAIL);
    c.end = RESULTS_END_SIGNALLED;
    c.status = SIGSEGV;
    expect("a crash", c, "c2", ASYNC, RESULTS_ROW_CRASH);
}

Test(verdict, nothing_is_said_of_counts_that_something_wrote_over_but_a_crash_is_one) {
    struct change c = fine;
    c.spoiled = "written over";
    expect("spoiled", c, "c2", ASYNC, RESULTS_ROW_HARNESS);
    c.mismatched = 500;
    expect("the errors may be none", c, "c2", ASYNC, RESULTS_ROW_HARNESS);
    c.end = RESULTS_END_SIGNALLED;
    c.status = SIGSEGV;
    expect("a crash", c, "c2", ASYNC, RESULTS_ROW_CRASH);
    struct results_run* run = synthetic_run(20000);
    struct results_execution execution = synthetic_execution(run, "c2");
    struct results_row row;
    execution.spoiled = "written over";
    results_row_judge(&execution, ASYNC, &row);
    cr_expect_str_eq(row.reason, "written over");
    cr_expect_null(strstr(row.note, "written over"));
    execution.end = RESULTS_END_SIGNALLED;
    execution.status = SIGSEGV;
    results_row_judge(&execution, ASYNC, &row);
    cr_expect(strstr(row.note, "written over") != NULL, "%s", row.note);
    free(run);
}

Test(verdict, the_harness_own_failures_say_nothing_of_the_jvm) {
    struct change c = fine;
    c.status = 1;
    c.phase = RESULTS_PHASE_REFUSED;
    expect("the agent refused", c, "c2", ASYNC, RESULTS_ROW_HARNESS);
    c.phase = RESULTS_PHASE_CREATED;
    expect("no agent", c, "c2", ASYNC, RESULTS_ROW_HARNESS);
    c.status = 0;
    expect("no agent, and no complaint", c, "c2", ASYNC, RESULTS_ROW_HARNESS);
    c.phase = RESULTS_PHASE_LOADED;
    expect("no JVM", c, "c2", ASYNC, RESULTS_ROW_HARNESS);
    c.phase = RESULTS_PHASE_RUNNING;
    c.status = RESULTS_EXIT_ASSERT;
    expect("our own assertion", c, "c2", ASYNC, RESULTS_ROW_HARNESS);
}

Test(verdict, a_case_must_end_well_and_have_worked_but_a_program_need_not) {
    struct change c = fine;
    c.status = 1;
    expect("the case's check", c, "c2", ASYNC, RESULTS_ROW_FAIL);
    c.program = true;
    expect("a program's status", c, "c2", ASYNC, RESULTS_ROW_PASS);
    struct change idle = fine;
    idle.work = RESULTS_WORK_NONE;
    expect("no unit of work", idle, "c2", ASYNC, RESULTS_ROW_VACUOUS);
    idle.work = RESULTS_WORK_NOT_ASKED;
    expect("nobody asked", idle, "c2", ASYNC, RESULTS_ROW_PASS);
}

Test(verdict, what_was_skipped_says_why) {
    struct results_execution execution = synthetic_execution(NULL, "int");
    execution.end = RESULTS_END_SKIPPED;
    execution.note = "needs JDK 21 or later";
    struct results_row row;
    results_row_judge(&execution, ASYNC, &row);
    cr_expect_eq(row.verdict, RESULTS_ROW_SKIP);
    cr_expect_str_eq(row.reason, execution.note);
    execution.end = RESULTS_END_FAILED;
    results_row_judge(&execution, ASYNC, &row);
    cr_expect_eq(row.verdict, RESULTS_ROW_HARNESS);
}

Test(verdict, a_crash_names_the_layer_whose_walker_it_was_in_and_the_place) {
    struct results_run* run = synthetic_run(5000);
    run->threads_now[700].in_walker = 1 + ORACLE_LAYER_SANDWICH;
    struct results_execution execution = synthetic_execution(run, "int");
    execution.end = RESULTS_END_SIGNALLED;
    execution.status = SIGSEGV;
    execution.note = "V  [libjvm.so+0x8a1c2e]  frame::sender";
    struct results_row row;
    results_row_judge(&execution, ASYNC, &row);
    cr_expect(strstr(row.reason, "SIGSEGV") != NULL, "%s", row.reason);
    cr_expect(strstr(row.reason, "sandwich") != NULL, "%s", row.reason);
    cr_expect(strstr(row.reason, "frame::sender") != NULL, "%s", row.reason);
    cr_expect(strstr(row.reason, "asked at") == NULL, "%s", row.reason);
    run->library_count = 3;
    run->libraries[0] = (struct results_library){0x70000000, 0x70001000, 0x71000000, "gone.so"};
    run->libraries[1] = (struct results_library){0x70000000, 0x70001000, 0x71000000, "libjvm.so"};
    run->libraries[2] = (struct results_library){0x72000000, 0x72000000, 0x73000000, "libc.so.6"};
    run->threads_now[700].asked_at = 0x70001234;
    results_row_judge(&execution, ASYNC, &row);
    cr_expect(strstr(row.reason, ", asked at libjvm.so+0x1234: V") != NULL, "%s", row.reason);
    run->threads_now[700].asked_at = 0x72000010;
    results_row_judge(&execution, ASYNC, &row);
    cr_expect(strstr(row.reason, ", asked at libc.so.6+0x10: V") != NULL, "%s", row.reason);
    run->threads_now[700].asked_at = 0x70000fff; // not its code
    results_row_judge(&execution, ASYNC, &row);
    cr_expect(strstr(row.reason, ", asked at pc 0x70000fff: V") != NULL, "%s", row.reason);
    run->library_count = 100000; // written over
    run->threads_now[700].asked_at = 0x71000000;
    results_row_judge(&execution, ASYNC, &row);
    cr_expect(strstr(row.reason, ", asked at pc 0x71000000: V") != NULL, "%s", row.reason);
    run->threads_now[700].in_walker = 0;
    results_row_judge(&execution, ASYNC, &row);
    cr_expect(strstr(row.reason, "outside the walkers") != NULL, "%s", row.reason);
    free(run);
}

Test(verdict, our_own_code_is_counted_apart) {
    struct results_run* run = synthetic_run(5000);
    run->layers[ASYNC].own[ORACLE_AGREE] = 300;
    run->layers[ASYNC].own[ORACLE_TRUNCATED] = 200;
    struct results_execution execution = synthetic_execution(run, "int");
    struct results_row row;
    results_row_judge(&execution, ASYNC, &row);
    cr_expect_eq(row.verdict, RESULTS_ROW_PASS);
    cr_expect_eq(row.judged, 5000);
    cr_expect_eq(row.mismatched, 0);
    cr_expect_eq(row.own_judged, 500);
    cr_expect_eq(row.own_mismatched, 200);
    free(run);
}

Test(verdict, every_verdict_has_its_text_and_exit_status) {
    static const int statuses[] = {0, 1, 1, 1, 4, 4, 4, 0, 0, 0, 1, 3};
    for (int i = 0; i < RESULTS_ROW_VERDICT_COUNT; i++) {
        cr_expect_eq(results_exit_status((enum results_row_verdict)i), statuses[i], "%s",
                     results_row_verdict_text((enum results_row_verdict)i));
        cr_expect_gt(strlen(results_row_verdict_explanation((enum results_row_verdict)i)), 10);
    }
    cr_expect_str_eq(results_row_verdict_text(RESULTS_ROW_VERDICT_COUNT), "?");
}

// A row of a run that passes, changed by `change`.
static struct results_row aside(enum oracle_layer layer, void (*change)(struct results_run* run)) {
    struct results_run* run = synthetic_run(100000);
    change(run);
    struct results_execution execution = synthetic_execution(run, "c2");
    return judged_and_freed(&execution, run, layer);
}

static void profile(struct results_run* run) {
    strcpy(run->profiler, "jfr");
    run->profiler_samples = run->profiler_joined = 100000;
    run->profiler_lost = 7;
    run->profiler_silent = 11;
    run->profiler_biased = 13;
    run->layers[ORACLE_LAYER_PROFILER].refused[ORACLE_REFUSAL_OTHER] = 5000;
    run->layers[ORACLE_LAYER_PROFILER].verdict[ORACLE_REFUSED] = 5000;
}

static void profile_a_few_astray(struct results_run* run) {
    profile(run);
    run->profiler_unmatched = 60;
    run->profiler_ambiguous = 30;
}

static void profile_astray(struct results_run* run) {
    profile(run);
    run->profiler_unmatched = 200;
}

static void profile_what_is_not_recorded(struct results_run* run) {
    profile_astray(run);
    run->instants = 100300;
    run->instants_recorded = 100000;
}

static void profile_more_than_is_not_recorded(struct results_run* run) {
    profile_astray(run);
    run->instants = 100050;
    run->instants_recorded = 100000;
}

Test(verdict, a_profilers_astray_samples_are_counted_beyond_the_records_gaps) {
    struct results_run* run = calloc(1, sizeof *run);
    cr_assert_not_null(run);
    profile_a_few_astray(run);
    run->profiler_doubled = 5;
    cr_expect_eq(results_astray(run), 95);
    profile_more_than_is_not_recorded(run);
    run->profiler_ambiguous = 0;
    cr_expect_eq(results_astray(run), 155);
    profile_what_is_not_recorded(run);
    cr_expect_eq(results_astray(run), 5);
    free(run);
}

// The record's reader was not asked, so the record does not look full.
Test(verdict, a_profile_that_was_not_read_says_why_and_how_many_signals_wait) {
    struct results_run* run = synthetic_run(100000);
    strcpy(run->profiler, "jfr");
    run->instants = 222;
    struct results_execution execution = synthetic_execution(run, "c2");
    execution.unprofiled = "profiler jfr: profile.stdout.txt: Is a directory";
    struct results_row row;
    results_row_judge(&execution, ORACLE_LAYER_PROFILER, &row);
    cr_expect_eq(row.verdict, RESULTS_ROW_HARNESS);
    cr_expect_str_eq(row.reason, execution.unprofiled);
    cr_expect_str_eq(row.note, "222 signals, none judged");
    free(run);
}

static void profile_foreign(struct results_run* run) {
    profile(run);
    run->profiler_samples += 5000;
    run->profiler_foreign = 5000;
}

static void profile_little(struct results_run* run) {
    profile(run);
    run->layers[ORACLE_LAYER_PROFILER].verdict[ORACLE_AGREE] = 99;
}

static void profile_enough(struct results_run* run) {
    profile(run);
    run->layers[ORACLE_LAYER_PROFILER].verdict[ORACLE_AGREE] = 100;
}

Test(verdict, a_profilers_accounts_are_told_and_frames_that_it_does_not_give_are_no_error) {
    struct results_row row = aside(ORACLE_LAYER_PROFILER, profile);
    cr_expect_eq(row.verdict, RESULTS_ROW_PASS, "%s", row.reason);
    cr_expect_not_null(strstr(row.note, "100000 samples, 7 lost as told, 11 lost silently"), "%s",
                       row.note);
    cr_expect_not_null(strstr(row.note, "13 biased"), "%s", row.note);
    cr_expect_not_null(strstr(row.note, "5000 without frames"), "%s", row.note);
    cr_expect_null(strstr(aside(ASYNC, profile).note, "lost silently"));
    cr_expect_eq(aside(ORACLE_LAYER_PROFILER, profile_enough).verdict, RESULTS_ROW_PASS);
    cr_expect_eq(aside(ORACLE_LAYER_PROFILER, profile_little).verdict, RESULTS_ROW_INCONCLUSIVE);
}

Test(verdict, a_note_has_whole_parts_and_says_what_it_leaves_out) {
    struct results_row row = {0};
    char number[64] = "";
    for (unsigned parts = 1; parts < 100; parts++) {
        rows_note(&row, "%u00000000 are counted", parts);
        cr_assert_lt(strlen(row.note), sizeof row.note);
        const char* last = strrchr(row.note, ';');
        snprintf(number, sizeof number, "%s%u00000000 are counted", parts > 1 ? "; " : "", parts);
        cr_assert(strcmp(last != NULL ? last : row.note, number) == 0 ||
                      (parts > 15 && strcmp(last, "; ...") == 0),
                  "%s", row.note);
    }
    cr_expect_not_null(strstr(row.note, "; 1500000000 are counted; "), "%s", row.note);
    cr_expect_str_eq(strchr(strstr(row.note, "; ..."), '.'), "...", "once, and last");
}

static void profile_half_recorded(struct results_run* run) {
    profile(run);
    run->instants = run->layers[ORACLE_LAYER_PROFILER].asked = 2000;
    run->instants_recorded = 1000;
    run->profiler_silent = 100;
}

Test(verdict, what_a_profiler_loses_silently_is_held_against_the_signals_in_the_record) {
    const struct results_ceiling silent = {.subject = RESULTS_SUBJECT_SILENT};
    struct results_run* run = synthetic_run(100000);
    profile_half_recorded(run);
    struct results_execution execution = synthetic_execution(run, "c2");
    struct results_row row;
    results_row_judge(&execution, ORACLE_LAYER_PROFILER, &row);
    cr_expect_eq(ceilings_events(&row, &silent), 100);
    cr_expect_eq(ceilings_trials(&row, &silent), 1000);
    free(run);
}

static void profile_of_a_bad_day(struct results_run* run) {
    profile(run);
    run->profiler_lost = run->profiler_silent = run->profiler_biased = 1234567;
    run->profiler_truncated = 7654321;
}

Test(verdict, all_of_a_profilers_accounts_have_room_in_the_note) {
    struct results_row row = aside(ORACLE_LAYER_PROFILER, profile_of_a_bad_day);
    cr_expect_not_null(strstr(row.note, "7654321 say that they are cut"), "%s", row.note);
    cr_expect_not_null(strstr(row.note, "; 5000 without frames"), "%s", row.note);
}

Test(verdict, samples_of_no_instant_are_blamed_on_nobody_and_are_no_pass) {
    struct results_row row = aside(ORACLE_LAYER_PROFILER, profile_astray);
    cr_expect_eq(row.verdict, RESULTS_ROW_HARNESS);
    cr_expect_not_null(strstr(row.reason, "no one instant of their thread"), "%s", row.reason);
    row = aside(ORACLE_LAYER_PROFILER, profile_a_few_astray);
    cr_expect_eq(row.verdict, RESULTS_ROW_PASS, "%s", row.reason);
    cr_expect_not_null(strstr(row.note, "90 samples of no instant"), "%s", row.note);
    row = aside(ORACLE_LAYER_PROFILER, profile_what_is_not_recorded);
    cr_expect_eq(row.verdict, RESULTS_ROW_PASS, "%s", row.reason);
    cr_expect_not_null(strstr(row.note, "300 signals are not in the record"), "%s", row.note);
    cr_expect_null(strstr(row.note, "of no instant"), "%s", row.note);
    row = aside(ORACLE_LAYER_PROFILER, profile_more_than_is_not_recorded);
    cr_expect_eq(row.verdict, RESULTS_ROW_HARNESS, "the record's gaps explain 50 of 200");
    cr_expect_eq(aside(ORACLE_LAYER_PROFILER, profile_foreign).verdict, RESULTS_ROW_PASS);
    cr_expect_eq(aside(ASYNC, profile_astray).verdict, RESULTS_ROW_PASS);
}

static void open_some(struct results_run* run) {
    run->layers[ASYNC].verdict[ORACLE_MISSING] = 40;
    run->layers[ASYNC].verdict[ORACLE_ATTRIBUTION] = 10;
    run->confirmed = 47;
}

static void confirm_all(struct results_run* run) {
    run->layers[ASYNC].verdict[ORACLE_MISSING] = run->confirmed = 40;
}

Test(verdict, a_row_says_how_many_mismatches_nobody_voted_on) {
    struct results_row row = aside(ASYNC, open_some);
    cr_expect_eq(row.open, 3);
    cr_expect_eq(row.accusations, 50);
    cr_expect_eq(row.mismatched, 40, "they stay mismatches");
    cr_expect_not_null(strstr(row.note, "3 of 50 mismatches: GetStackTrace had no vote"), "%s",
                       row.note);
    row = aside(ASYNC, confirm_all);
    cr_expect_eq(row.open, 0);
    cr_expect_str_empty(row.note);
}

static void settle_well(struct results_run* run) {
    run->settling_checks = 200;
}

static void settle_badly(struct results_run* run) {
    run->settling_checks = 200;
    run->settling_mismatches = 1;
}

Test(verdict, a_contradiction_in_a_check_that_an_accusation_led_to_fails_gst_alone) {
    struct results_row row = aside(ORACLE_LAYER_GST, settle_badly);
    cr_expect_eq(row.verdict, RESULTS_ROW_FAIL);
    cr_expect_eq(row.judged, 100000, "such checks are none of the sample");
    cr_expect_not_null(strstr(row.reason, "in 1 of 200 checks"), "%s", row.reason);
    cr_expect_eq(aside(ORACLE_LAYER_GST, settle_well).verdict, RESULTS_ROW_PASS);
    cr_expect_eq(aside(ASYNC, settle_badly).verdict, RESULTS_ROW_PASS);
}

static void leave_unread(struct results_run* run) {
    run->structure_frames = 1000;
    run->structure_unread = 25;
}

Test(verdict, a_row_says_what_share_of_frames_had_no_code_to_judge_by) {
    struct results_row row = aside(ORACLE_LAYER_STRUCTURE, leave_unread);
    cr_expect_eq(row.frames, 1000);
    cr_expect_eq(row.unread_frames, 25);
    cr_expect_not_null(strstr(row.note, "code unread: 25 of 1000 frames, 2.5 %"), "%s", row.note);
}

static void notes(struct results_run* run, const char* scope, enum oracle_layer layer,
                  const char* wanted) {
    struct results_execution execution = synthetic_execution(run, "c2");
    struct results_row row;
    execution.scope = scope;
    results_row_judge(&execution, layer, &row);
    if (wanted == NULL) cr_expect_null(strstr(row.note, "no method was"), "%s", row.note);
    else cr_expect_not_null(strstr(row.note, wanted), "%s", row.note);
}

Test(verdict, a_row_says_where_no_method_was_instrumented_and_which_jvms_were_left_out) {
    struct results_run* run = synthetic_run(100000);
    run->phase = RESULTS_PHASE_ENDED;
    run->methods_rewritten = run->classes_seen = 0;
    notes(run, "app", ASYNC, "no method was instrumented: the JVM offered no class");
    notes(run, "none", ASYNC, NULL);
    notes(run, "app", ORACLE_LAYER_SANDWICH, NULL);
    run->classes_seen = 3;
    notes(run, "app", ORACLE_LAYER_GROUND, "no method was instrumented");
    run->methods_rewritten = 3;
    notes(run, "app", ASYNC, NULL);
    run->other_jvms = 2;
    notes(run, "app", ASYNC, "not judged: 2");
    free(run);
}

Test(verdict, sampled_rows_say_how_many_threads_were_not) {
    struct results_run* run = synthetic_run(100000);
    struct results_execution execution = synthetic_execution(run, "c2");
    struct results_row row;
    run->threads_clockless = 3;
    run->threads_slotless = 7;
    results_row_judge(&execution, ASYNC, &row);
    cr_expect_str_eq(row.note, "threads that were not sampled: 3 without a timer (ulimit -i), 7 "
                               "beyond 4096 at a time");
    results_row_judge(&execution, ORACLE_LAYER_GST, &row);
    cr_expect_str_eq(row.note, "");
    free(run);
}
