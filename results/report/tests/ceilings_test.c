// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Ceilings: a cause passes as often as was measured on healthy JDKs, more fails, one that has gone
// is told, and errors of no measured cause are unexplained.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "synthetic.h"

#define ASYNC ORACLE_LAYER_ASYNC

// The list of causes; the runs' own list has them in another order.
enum { DEOPT = 1, INDEXOF, DIVISION, CAUSES };
static struct results_cause list[CAUSES] = {{.name = "unexplained", .bug = (char*)""},
                                            {.name = "deopt", .bug = (char*)"JDK-1"},
                                            {.name = "indexof", .bug = (char*)""},
                                            {.name = "division", .bug = (char*)"JDK-3"}};
static const struct results_causes causes = {CAUSES, list};
static const char* const names[] = {"unexplained", "division", "indexof", "foreign", "deopt"};

// Of `judged` samples of layer async, mode c1: walking errors by cause, and what is known of them.
struct seen {
    uint64_t judged, deopt, indexof, foreign, unexplained, attribution, transition, refused;
    uint64_t bursts; // of indexof; 0: not counted
    uint64_t c1, c2; // of the samples that coverage looked at: in the compilers' code
    struct results_ceiling ceilings[2];
    uint64_t control;
    bool failed; // its own check
    bool no_list;
};

static struct results_run* run_of(const struct seen* seen) {
    uint64_t walking = seen->deopt + seen->indexof + seen->foreign + seen->unexplained;
    struct results_run* run =
        synthetic_run(seen->judged - walking - seen->attribution - seen->transition);
    struct results_layer* layer = &run->layers[ASYNC];
    layer->answered = seen->judged + seen->refused;
    layer->verdict[ORACLE_TRUNCATED] = walking;
    layer->verdict[ORACLE_ATTRIBUTION] = seen->attribution;
    layer->verdict[ORACLE_TRANSITION] = seen->transition;
    layer->refused[ORACLE_REFUSAL_DEOPT] = layer->verdict[ORACLE_REFUSED] = seen->refused;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        strcpy(run->cause_names[i], names[i]);
    run->coverage.code[RESULTS_CODE_C1_3][RESULTS_REGION_BODY].judged = seen->c1;
    run->coverage.code[RESULTS_CODE_C2][RESULTS_REGION_EXIT].refused = seen->c2;
    layer->cause[0] = seen->unexplained;
    layer->cause[2] = seen->indexof;
    layer->bursts[2] = seen->bursts;
    layer->cause[3] = seen->foreign;
    layer->cause[4] = seen->deopt;
    return run;
}

static struct results_row judged(const struct seen* seen) {
    static struct results_execution execution;
    static struct results_expected expected[ORACLE_LAYER_COUNT];
    struct results_row row;
    struct results_run* run = run_of(seen);
    execution = synthetic_execution(run, "c1");
    memset(expected, 0, sizeof expected);
    expected[ASYNC] =
        (struct results_expected){.control = seen->control,
                                  .required = seen->control != 0,
                                  .ceilings = seen->ceilings,
                                  .ceiling_count = (size_t)(seen->ceilings[0].mean > 0) +
                                                   (size_t)(seen->ceilings[1].mean > 0)};
    execution.expected = expected;
    execution.causes = seen->no_list ? NULL : &causes;
    execution.status = seen->failed;
    memset(&row, 0xa5, sizeof row);
    results_row_judge(&execution, ASYNC, &row);
    results_row_power(&row);
    free(run);
    return row;
}

static void gives(const char* what, struct seen seen, enum results_row_verdict verdict,
                  const char* reason) {
    struct results_row row = judged(&seen);
    cr_expect_eq(row.verdict, verdict, "%s: %s, not %s (%s)", what,
                 results_row_verdict_text(row.verdict), results_row_verdict_text(verdict),
                 row.reason);
    cr_expect(strstr(row.reason, reason) != NULL, "%s: \"%s\" is not in: %s", what, reason,
              row.reason);
}

#define CEILING(...)                                                                               \
    { .subject = RESULTS_SUBJECT_CAUSE, __VA_ARGS__ }
#define OF_DEOPT CEILING(.index = DEOPT, .mean = 0.02, .spread = 0.5)
#define OF_INDEXOF CEILING(.index = INDEXOF, .mean = 0.02, .spread = 0.5)

// Of runs whose log rate is normal(log 0.02, 0.5), one in a million has a rate above
// 0.02 * exp(4.753 * 0.5) = 21.5 %: 4.753 standard deviations leave 1e-6.
Test(ceilings, a_cause_fails_where_healthy_runs_have_so_many_once_in_a_million) {
    gives("as measured", (struct seen){20000, .indexof = 400, .ceilings = {OF_INDEXOF}},
          RESULTS_ROW_PASS, "");
    gives("5 times", (struct seen){20000, .indexof = 2000, .ceilings = {OF_INDEXOF}},
          RESULTS_ROW_PASS, "");
    gives("10 times", (struct seen){20000, .indexof = 4200, .ceilings = {OF_INDEXOF}},
          RESULTS_ROW_PASS, "");
    gives("11 times", (struct seen){20000, .indexof = 4500, .ceilings = {OF_INDEXOF}},
          RESULTS_ROW_FAIL, "more than was measured: indexof 4500/20000 = 22.5 %");
    struct results_ceiling sure = CEILING(.index = INDEXOF, .mean = 0.02, .spread = 0);
    gives("without a spread", (struct seen){20000, .indexof = 520, .ceilings = {sure}},
          RESULTS_ROW_FAIL, "measured 2 %, spread 0");
    gives("a bug that grew", (struct seen){20000, .deopt = 4500, .ceilings = {OF_DEOPT}},
          RESULTS_ROW_FAIL, "deopt 4500/20000");
}

// Measured where compilers are mixed: 0.02 %. In C1's code alone 40 %: a row of which an eighth of
// the compiled code is C1's is held against 5 %, of which a million rows have one above 53.8 %.
Test(ceilings, where_compilers_are_mixed_a_cause_may_be_as_frequent_as_c1s_share_of_the_code) {
    const struct results_ceiling mixed =
        CEILING(.index = INDEXOF, .mean = 0.0002, .spread = 0.5, .c1_mean = 0.4, .c1_spread = 0.4);
    struct seen seen = {20000, .indexof = 1000, .c1 = 100, .c2 = 700, .ceilings = {mixed}};
    gives("an eighth is C1's", seen, RESULTS_ROW_PASS, "");
    seen.indexof = 12000;
    gives("more than C1's code explains", seen, RESULTS_ROW_FAIL,
          "measured 0.02 %, spread 0.5, in C1's code alone 40 %, which is 12.5 % of the "
          "compiled code here");
    seen = (struct seen){20000, .indexof = 1000, .c1 = 1, .c2 = 7999, .ceilings = {mixed}};
    gives("hardly any is C1's", seen, RESULTS_ROW_FAIL, "indexof 1000/20000");
    seen = (struct seen){20000, .indexof = 1000, .c1 = 50, .c2 = 40, .ceilings = {mixed}};
    gives("too few samples tell", seen, RESULTS_ROW_FAIL, "indexof 1000/20000");
    seen = (struct seen){20000, .c1 = 100, .c2 = 700, .ceilings = {mixed}};
    gives("what is gone is told by what was measured", seen, RESULTS_ROW_PASS, "");
}

Test(ceilings, errors_of_no_cause_are_held_against_the_limit_whatever_the_known_ones_are) {
    gives("few", (struct seen){20000, .indexof = 400, .unexplained = 10, .ceilings = {OF_INDEXOF}},
          RESULTS_ROW_PASS, "");
    gives("too many",
          (struct seen){20000, .indexof = 400, .unexplained = 30, .ceilings = {OF_INDEXOF}},
          RESULTS_ROW_FAIL, "unexplained 30/20000 = 0.150 %");
    struct seen seen = {20000, .deopt = 7, .indexof = 400, .unexplained = 3,
                        .ceilings = {OF_INDEXOF}};
    struct results_row row = judged(&seen);
    cr_expect_eq(row.known, 400);
    cr_expect_eq(row.unexplained, 10);
    cr_expect_eq(row.mismatched, 410);
    cr_expect_eq(row.cause[DEOPT], 7);
    cr_expect_eq(row.cause[INDEXOF], 400);
    cr_expect_eq(row.cause[RESULTS_UNEXPLAINED], 3);
}

Test(ceilings, a_known_cause_that_was_measured_in_other_cases_only_passes_as_often_and_is_told) {
    struct results_ceiling other = OF_DEOPT;
    other.elsewhere = true;
    struct seen seen = {20000, .deopt = 400, .ceilings = {other}};
    struct results_row row = judged(&seen);
    cr_expect_eq(row.known, 400);
    cr_expect_eq(row.unexplained, 0);
    cr_expect_eq(row.verdict, RESULTS_ROW_XFAIL, "the bug was seen");
    cr_expect(strstr(row.note, "400 deopt, measured in other cases only (2 %)") != NULL, "%s",
              row.note);
    gives("more", (struct seen){20000, .deopt = 4500, .ceilings = {other}}, RESULTS_ROW_FAIL,
          "22.5 % [21.9, 23.1], measured in other cases only 2 %, spread 0.5");
    gives("none has not gone", (struct seen){20000, .ceilings = {other}}, RESULTS_ROW_PASS, "");
    seen.deopt = 0;
    row = judged(&seen);
    cr_expect(strstr(row.note, "deopt") == NULL, "%s", row.note);
}

Test(ceilings, a_refusal_that_was_measured_in_other_rows_only_passes_as_often_and_is_told) {
    const struct results_ceiling other = {.subject = RESULTS_SUBJECT_REFUSAL,
                                          .index = ORACLE_REFUSAL_DEOPT,
                                          .mean = 0.1,
                                          .spread = 0.2,
                                          .elsewhere = true};
    struct seen seen = {18000, .refused = 2000, .ceilings = {other}};
    struct results_row row = judged(&seen);
    cr_expect_eq(row.verdict, RESULTS_ROW_PASS, "%s", row.reason);
    cr_expect(strstr(row.note, "2000/20000 = 10.0 % [9.6, 10.4], measured in other rows only "
                               "(10 %)") != NULL,
              "%s", row.note);
    seen.refused = 20; // what no line would need, either
    row = judged(&seen);
    cr_expect(strstr(row.note, "other rows") == NULL, "%s", row.note);
    gives("more", (struct seen){10000, .refused = 10000, .ceilings = {other}}, RESULTS_ROW_FAIL,
          "measured in other rows only 10 %, spread 0.2");
    gives("no line", (struct seen){18000, .refused = 2000}, RESULTS_ROW_FAIL, "above 1 %");
}

Test(ceilings, a_known_cause_that_was_never_measured_on_the_release_is_unexplained_and_named) {
    gives("more than the limit", (struct seen){20000, .deopt = 30, .ceilings = {OF_INDEXOF}},
          RESULTS_ROW_FAIL,
          "unexplained 30/20000 = 0.150 % [0.101, 0.214], above the limit of 0.03 %; known, but "
          "never measured on this release: 30 deopt");
    gives("less", (struct seen){20000, .deopt = 10}, RESULTS_ROW_PASS, "");
}

Test(ceilings, a_cause_that_is_in_no_list_is_unexplained_and_said) {
    struct seen seen = {20000, .foreign = 30};
    struct results_row row = judged(&seen);
    cr_expect_eq(row.verdict, RESULTS_ROW_FAIL);
    cr_expect_eq(row.cause[RESULTS_UNEXPLAINED], 30);
    cr_expect(strstr(row.note, "cause \"foreign\" is not in the list") != NULL, "%s", row.note);
    seen = (struct seen){20000, .indexof = 30, .ceilings = {OF_INDEXOF}, .no_list = true};
    row = judged(&seen);
    cr_expect_eq(row.verdict, RESULTS_ROW_FAIL, "no list, no known cause");
    cr_expect_eq(row.unexplained, 30);
}

Test(ceilings, a_bug_that_was_seen_is_an_expected_failure_and_no_other_is_named) {
    struct seen both = {20000, .deopt = 400, .ceilings = {OF_DEOPT}};
    gives("seen", both, RESULTS_ROW_XFAIL, "JDK-1: deopt 400/20000 = 2.00 %");
    gives("not seen, in too few to say that it has gone",
          (struct seen){1100, .ceilings = {CEILING(.index = DEOPT, .mean = 0.001, .spread = 0.5)}},
          RESULTS_ROW_PASS, "");
    gives("a cause without a number is no bug",
          (struct seen){20000, .indexof = 400, .ceilings = {OF_INDEXOF}}, RESULTS_ROW_PASS, "");
    both.indexof = 300;
    both.ceilings[1] = (struct results_ceiling)OF_INDEXOF;
    struct results_row row = judged(&both);
    cr_expect(strstr(row.reason, "indexof") == NULL, "%s", row.reason);
    gives("too few", (struct seen){400, .deopt = 10, .ceilings = {OF_DEOPT}},
          RESULTS_ROW_INCONCLUSIVE, "400 judged");
    gives("the case's own check",
          (struct seen){20000, .deopt = 400, .ceilings = {OF_DEOPT}, .failed = true},
          RESULTS_ROW_FAIL, "own check");
}

// Without a spread, 0 of n at 0.5 % has the probability 0.995^n: below 1e-4 from n = 1838 on.
Test(ceilings, a_cause_has_gone_where_healthy_runs_have_so_few_once_in_10000) {
    struct results_ceiling sure = CEILING(.index = DEOPT, .mean = 0.005, .spread = 0);
    gives("0.995^1837 = 0.00010004", (struct seen){1837, .ceilings = {sure}}, RESULTS_ROW_PASS, "");
    gives("0.995^1838 = 0.00009954", (struct seen){1838, .ceilings = {sure}}, RESULTS_ROW_XPASS,
          "JDK-1: gone, or much rarer: deopt 0/1838");
    gives("the same, but rates vary",
          (struct seen){1838, .ceilings = {CEILING(.index = DEOPT, .mean = 0.005, .spread = 1)}},
          RESULTS_ROW_PASS, "");
    gives("under its own name",
          (struct seen){20000, .deopt = 400, .ceilings = {OF_DEOPT, OF_INDEXOF}}, RESULTS_ROW_XPASS,
          "; gone, or much rarer: indexof 0/20000");
    gives("failures come first",
          (struct seen){20000, .unexplained = 90, .ceilings = {OF_DEOPT, OF_INDEXOF}},
          RESULTS_ROW_FAIL, "unexplained 90");
    cr_expect_eq(results_exit_status(RESULTS_ROW_XPASS), 0, "told, and no failure");
    cr_expect_eq(results_exit_status(RESULTS_ROW_XPASS_CONTROL), 1);
}

Test(ceilings, attribution_has_a_measurement_in_the_place_of_its_limit) {
    struct results_ceiling own = {
        .subject = RESULTS_SUBJECT_ATTRIBUTION, .mean = 0.40, .spread = 0.1};
    gives("over the limit", (struct seen){2000, .attribution = 1000}, RESULTS_ROW_FAIL,
          "attribution: the interval lies above the limit of 25 %");
    gives("as measured", (struct seen){2000, .attribution = 900, .ceilings = {own}},
          RESULTS_ROW_PASS, "");
    gives("more", (struct seen){2000, .attribution = 1700, .ceilings = {own}}, RESULTS_ROW_FAIL,
          "attribution 1700/2000");
    struct seen seen = {2000, .attribution = 900, .ceilings = {own}};
    struct results_row row = judged(&seen);
    cr_expect_eq(row.known, 0, "it is no walking error");
}

// One in 600,000 was measured. Anything is more than that; the floors are 0.1 % and 0.05 %.
Test(ceilings, what_was_hardly_ever_measured_is_not_held_closer_than_what_never_was) {
    struct results_ceiling refusals = {.subject = RESULTS_SUBJECT_REFUSAL,
                                       .index = ORACLE_REFUSAL_DEOPT,
                                       .mean = 0.0000017,
                                       .spread = 1.1};
    struct results_ceiling errors = CEILING(.index = INDEXOF, .mean = 0.0000017, .spread = 1.1);
    gives("8", (struct seen){19992, .refused = 8, .ceilings = {refusals}}, RESULTS_ROW_PASS, "");
    gives("200", (struct seen){19800, .refused = 200, .ceilings = {refusals}}, RESULTS_ROW_PASS,
          "");
    gives("260", (struct seen){19740, .refused = 260, .ceilings = {refusals}}, RESULTS_ROW_FAIL,
          "refused: deopt 260/20000");
    gives("8", (struct seen){20000, .indexof = 8, .ceilings = {errors}}, RESULTS_ROW_PASS, "");
    gives("25", (struct seen){20000, .indexof = 25, .ceilings = {errors}}, RESULTS_ROW_FAIL,
          "indexof 25/20000");
    struct seen seen = {20000, .refused = 0, .ceilings = {refusals}};
    cr_expect_gt(judged(&seen).notices_refusals, 0.01);
}

// The limit of this case is 65 %.
Test(ceilings, transitions_that_were_measured_near_the_limit_are_held_by_the_measurement) {
    struct results_ceiling many = {
        .subject = RESULTS_SUBJECT_TRANSITION, .mean = 0.4, .spread = 0.15};
    struct results_ceiling few = {
        .subject = RESULTS_SUBJECT_TRANSITION, .mean = 0.3, .spread = 0.25};
    gives("measured", (struct seen){20000, .transition = 13800, .ceilings = {many}},
          RESULTS_ROW_PASS, "");
    gives("far below", (struct seen){20000, .transition = 13800, .ceilings = {few}},
          RESULTS_ROW_FAIL, "above the limit of 65 %");
    gives("more than that", (struct seen){20000, .transition = 19500, .ceilings = {many}},
          RESULTS_ROW_FAIL, "more than was measured: transition");
}

Test(ceilings, a_burst_of_errors_counts_once) {
    struct results_ceiling rare = CEILING(.index = INDEXOF, .mean = 0.0000017, .spread = 1.1);
    gives("each for itself", (struct seen){5678, .indexof = 23, .bursts = 23, .ceilings = {rare}},
          RESULTS_ROW_FAIL, "indexof 23/5678");
    gives("all at once", (struct seen){5678, .indexof = 23, .bursts = 1, .ceilings = {rare}},
          RESULTS_ROW_PASS, "");
    gives("often", (struct seen){5678, .indexof = 2000, .bursts = 40, .ceilings = {rare}},
          RESULTS_ROW_FAIL, "indexof 2000/5678");
    gives("some were taken back",
          (struct seen){5678, .indexof = 23, .bursts = 30, .ceilings = {rare}}, RESULTS_ROW_FAIL,
          "indexof 23/5678");
}

Test(ceilings, refusals_of_a_code_pass_as_often_as_was_measured) {
    struct results_ceiling deopt = {.subject = RESULTS_SUBJECT_REFUSAL,
                                    .index = ORACLE_REFUSAL_DEOPT,
                                    .mean = 0.05,
                                    .spread = 0.3};
    gives("without a measurement", (struct seen){9500, .refused = 500}, RESULTS_ROW_FAIL,
          "refused: deopt 500/10000 = 5.00 %");
    gives("as measured", (struct seen){9500, .refused = 500, .ceilings = {deopt}}, RESULTS_ROW_PASS,
          "");
    gives("five times", (struct seen){7500, .refused = 2500, .ceilings = {deopt}}, RESULTS_ROW_FAIL,
          "more than was measured: refused: deopt 2500/10000");
    struct seen seen = {9500, .refused = 500, .ceilings = {deopt}};
    struct results_row row = judged(&seen);
    cr_expect_gt(row.notices_refusals, 0.10, "%g", row.notices_refusals);
    cr_expect_lt(row.notices_refusals, 0.20, "%g", row.notices_refusals);
    deopt.index = ORACLE_REFUSAL_GC_ACTIVE;
    gives("another code's", (struct seen){9500, .refused = 500, .ceilings = {deopt}},
          RESULTS_ROW_FAIL, "deopt");
}

Test(ceilings, transitions_are_held_against_a_measurement) {
    struct results_ceiling some = {
        .subject = RESULTS_SUBJECT_TRANSITION, .mean = 0.04, .spread = 0.1};
    gives("as measured", (struct seen){20000, .transition = 800, .ceilings = {some}},
          RESULTS_ROW_PASS, "");
    gives("more", (struct seen){20000, .transition = 2000, .ceilings = {some}}, RESULTS_ROW_FAIL,
          "more than was measured: transition 2000/20000");
}

Test(ceilings, what_a_control_is_to_show_has_no_ceiling) {
    gives("more than was measured",
          (struct seen){20000, .deopt = 15000, .ceilings = {OF_DEOPT}, .control = 1 << DEOPT},
          RESULTS_ROW_XFAIL, "deopt found, as it must be");
    gives("a lost control", (struct seen){20000, .ceilings = {OF_DEOPT}, .control = 1 << DEOPT},
          RESULTS_ROW_XPASS_CONTROL, "the control was not found");
    gives("another cause's ceiling",
          (struct seen){20000, .deopt = 15000, .indexof = 400, .ceilings = {OF_INDEXOF},
                        .control = 1 << DEOPT},
          RESULTS_ROW_XFAIL, "found, as it must be");
    gives("another cause, not measured",
          (struct seen){20000, .deopt = 1500, .indexof = 400, .control = 1 << DEOPT},
          RESULTS_ROW_FAIL, "400 indexof. deopt found");
}

Test(ceilings, a_whole_of_known_bugs_and_lost_ones_passes_and_says_so) {
    struct seen seen = {20000, .deopt = 0};
    struct results_ceiling bug = OF_DEOPT;
    struct results_expected expected[ORACLE_LAYER_COUNT] = {
        [ASYNC] = {.ceilings = &bug, .ceiling_count = 1}};
    struct results_run* run = run_of(&seen);
    struct results_execution execution = synthetic_execution(run, "c1");
    execution.layers = 1u << ASYNC | 1u << ORACLE_LAYER_GST;
    execution.expected = expected;
    execution.causes = &causes;
    struct results_report report = {.executions = &execution, .execution_count = 1, .planned = 1};
    cr_assert_eq(results_report_judge(&report), 0);
    cr_expect_eq(report.verdict, RESULTS_ROW_PASS);
    cr_expect(strstr(report.summary, "1 XPASS, 1 PASS") != NULL, "%s", report.summary);
    cr_expect(strstr(report.summary, "JDK-1: gone, or much rarer") != NULL, "%s", report.summary);
    results_report_free(&report);
    free(run);
}

// A mean of 0.004 % from two runs that lay far apart, in another case 14 %.
Test(ceilings, no_spread_lets_everything_pass) {
    struct results_ceiling wide = CEILING(.index = INDEXOF, .mean = 0.00004, .spread = 4);
    gives("without a bound", (struct seen){5000, .indexof = 5000, .ceilings = {wide}},
          RESULTS_ROW_PASS, "");
    wide.most = results_ceiling_most(RESULTS_SUBJECT_CAUSE, 0.0007, 0.14);
    cr_expect_float_eq(wide.most, 0.021, 1e-9);
    gives("all", (struct seen){5000, .indexof = 5000, .ceilings = {wide}}, RESULTS_ROW_FAIL,
          "measured 0.004 %, spread 4, at most 2.1 %");
    gives("above", (struct seen){5000, .indexof = 140, .ceilings = {wide}}, RESULTS_ROW_FAIL, "");
    gives("below", (struct seen){5000, .indexof = 110, .ceilings = {wide}}, RESULTS_ROW_PASS, "");
}

Test(ceilings, the_bound_is_above_what_was_measured_and_below_all) {
    static const struct {
        double highest, anywhere, most;
    } rows[] = {
        {0.0001, 0.0001, 0.01}, // the floor
        {0.001, 0.5, 0.03},     // 30 times the line's own
        {0.1, 0.1, 0.3},        // 3 times the highest of all
        {0.2, 0.05, 0.2},       // never below a run of its own
        {0.5, 0.5, 0.75},       // half of the way to all
        {0.98, 0.98, 0.99},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        cr_expect_float_eq(
            results_ceiling_most(RESULTS_SUBJECT_CAUSE, rows[i].highest, rows[i].anywhere),
            rows[i].most, 1e-9, "%zu", i);
    cr_expect_float_eq(results_ceiling_most(RESULTS_SUBJECT_REFUSAL, 0.001, 0.001), 0.05, 1e-9);
}

// The general limit of attribution in c1 is 25 %.
Test(ceilings, the_limit_of_attribution_holds_beside_a_wide_line_of_few) {
    struct results_ceiling few = {
        .subject = RESULTS_SUBJECT_ATTRIBUTION, .mean = 0.01, .spread = 4};
    gives("few", (struct seen){5000, .attribution = 1000, .ceilings = {few}}, RESULTS_ROW_PASS, "");
    gives("most", (struct seen){5000, .attribution = 4000, .ceilings = {few}}, RESULTS_ROW_FAIL,
          "attribution: the interval lies above the limit of 25 %");
    few.mean = 0.5;
    gives("where most is measured", (struct seen){5000, .attribution = 4000, .ceilings = {few}},
          RESULTS_ROW_PASS, "");
}
