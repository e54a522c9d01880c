// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Ceilings: what was measured on healthy JDKs passes, more fails, and a bug that has gone is told.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "synthetic.h"

#define BIT(verdict) (1u << ORACLE_##verdict)

// Of `judged` samples of layer async, mode c1: counts by verdict, and what is known of them.
struct seen {
    uint64_t judged, truncated, missing, attribution;
    struct results_ceiling ceilings[2];
    uint32_t control; // verdicts that the case must show
    bool failed;      // its own check
};

static struct results_row judged(const struct seen* seen) {
    static struct results_execution execution;
    static struct results_expected expected[ORACLE_LAYER_COUNT];
    struct results_row row;
    uint64_t wrong = seen->truncated + seen->missing + seen->attribution;
    struct results_run* run = synthetic_run(seen->judged - wrong);
    uint64_t* counts = run->layers[ORACLE_LAYER_ASYNC].verdict;
    counts[ORACLE_TRUNCATED] = seen->truncated;
    counts[ORACLE_MISSING] = seen->missing;
    counts[ORACLE_ATTRIBUTION] = seen->attribution;
    execution = synthetic_execution(run, "c1");
    memset(expected, 0, sizeof expected);
    expected[ORACLE_LAYER_ASYNC] =
        (struct results_expected){.verdicts = seen->control,
                                  .required = seen->control != 0,
                                  .ceilings = seen->ceilings,
                                  .ceiling_count = (size_t)(seen->ceilings[0].verdicts != 0) +
                                                   (size_t)(seen->ceilings[1].verdicts != 0)};
    execution.expected = expected;
    execution.status = seen->failed;
    memset(&row, 0xa5, sizeof row);
    results_row_judge(&execution, ORACLE_LAYER_ASYNC, &row);
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

#define TRUNCATED                                                                                  \
    { .verdicts = BIT(TRUNCATED), .rate = 0.40 }
#define KNOWN                                                                                      \
    { .verdicts = BIT(TRUNCATED), .rate = 0.40, .floor = 0.03, .bug = "JDK-8303444" }

Test(ceilings, a_rate_at_or_under_its_ceiling_passes) {
    gives("under", (struct seen){2000, .truncated = 700, .ceilings = {TRUNCATED}}, RESULTS_ROW_PASS,
          "");
    gives("at", (struct seen){2000, .truncated = 800, .ceilings = {TRUNCATED}}, RESULTS_ROW_PASS,
          "");
    gives("over, within the interval",
          (struct seen){2000, .truncated = 830, .ceilings = {TRUNCATED}}, RESULTS_ROW_PASS, "");
    gives("just over the interval of 95 %, within that of 99 %",
          (struct seen){2000, .truncated = 850, .ceilings = {TRUNCATED}}, RESULTS_ROW_FAIL,
          "above what was measured");
    gives("none, which is nobody's bug", (struct seen){2000, .ceilings = {TRUNCATED}},
          RESULTS_ROW_PASS, "");
    gives("without a ceiling", (struct seen){2000, .truncated = 700}, RESULTS_ROW_FAIL,
          "lies above the limit of 2 %");
}

Test(ceilings, an_interval_above_its_ceiling_fails) {
    gives("over", (struct seen){2000, .truncated = 900, .ceilings = {TRUNCATED}}, RESULTS_ROW_FAIL,
          "above what was measured: truncated 900/2000 = 45.0 % [42.8, 47.2], ceiling 40 %");
    gives("a known bug that grew", (struct seen){2000, .truncated = 900, .ceilings = {KNOWN}},
          RESULTS_ROW_FAIL, "ceiling 40 %");
    gives("a ceiling below the general limit",
          (struct seen){20000, .truncated = 100,
                        .ceilings = {{.verdicts = BIT(TRUNCATED), .rate = 0.001}}},
          RESULTS_ROW_FAIL, "ceiling 0.1 %");
}

Test(ceilings, each_verdict_is_held_against_its_own_and_the_rest_against_the_limit) {
    struct results_ceiling missing = {.verdicts = BIT(MISSING), .rate = 0.10};
    struct results_ceiling both = {.verdicts = BIT(TRUNCATED) | BIT(MISSING), .rate = 0.40};
    gives("both under",
          (struct seen){2000, .truncated = 700, .missing = 150, .ceilings = {TRUNCATED, missing}},
          RESULTS_ROW_PASS, "");
    gives("one over",
          (struct seen){2000, .truncated = 10, .missing = 300, .ceilings = {TRUNCATED, missing}},
          RESULTS_ROW_FAIL, "missing 300/2000");
    gives("one without",
          (struct seen){2000, .truncated = 700, .missing = 150, .ceilings = {TRUNCATED}},
          RESULTS_ROW_FAIL, "of what is not expected lies above the limit of 2 %");
    gives("one without, within the limit",
          (struct seen){2000, .truncated = 700, .missing = 30, .ceilings = {TRUNCATED}},
          RESULTS_ROW_PASS, "");
    gives("their sum over",
          (struct seen){2000, .truncated = 500, .missing = 400, .ceilings = {both}},
          RESULTS_ROW_FAIL, "truncated or missing 900/2000");
    gives("their sum under",
          (struct seen){2000, .truncated = 400, .missing = 300, .ceilings = {both}},
          RESULTS_ROW_PASS, "");
}

Test(ceilings, a_known_bug_is_an_expected_failure) {
    gives("seen", (struct seen){2000, .truncated = 700, .ceilings = {KNOWN}}, RESULTS_ROW_XFAIL,
          "JDK-8303444: truncated 700/2000");
    gives("not seen, in too few to say that it has gone",
          (struct seen){1100, .ceilings = {{.verdicts = BIT(TRUNCATED),
                                            .rate = 0.1,
                                            .floor = 0.005,
                                            .bug = "JDK-1"}}},
          RESULTS_ROW_XFAIL, "JDK-1: truncated 0/1100");
    gives("too few", (struct seen){400, .truncated = 100, .ceilings = {KNOWN}},
          RESULTS_ROW_INCONCLUSIVE, "400 judged");
    gives("the case's own check",
          (struct seen){2000, .truncated = 700, .ceilings = {KNOWN}, .failed = true},
          RESULTS_ROW_FAIL, "own check");
}

// 0 of n is under the floor f at 0.999 where (1 - f)^n < 0.001.
Test(ceilings, a_known_bug_has_gone_where_the_floor_would_have_shown_it_999_times_in_1000) {
    struct results_ceiling bug = {
        .verdicts = BIT(TRUNCATED), .rate = 0.4, .floor = 0.005, .bug = "JDK-1"};
    gives("0.995^1378 = 0.0010006", (struct seen){1378, .ceilings = {bug}}, RESULTS_ROW_XFAIL, "");
    gives("0.995^1379 = 0.0009956", (struct seen){1379, .ceilings = {bug}}, RESULTS_ROW_XPASS,
          "JDK-1 seems mended: truncated 0/1379");
    gives("a few are left", (struct seen){20000, .truncated = 40, .ceilings = {bug}},
          RESULTS_ROW_XPASS, "seems mended");
    bug.floor = 0;
    gives("never, without a floor", (struct seen){90000, .ceilings = {bug}}, RESULTS_ROW_XFAIL, "");
    cr_expect_eq(results_exit_status(RESULTS_ROW_XPASS), 0, "told, and no failure");
    cr_expect_eq(results_exit_status(RESULTS_ROW_XPASS_CONTROL), 1);
}

Test(ceilings, one_bug_of_two_that_has_gone_is_told_and_failures_come_first) {
    struct results_ceiling missing = {
        .verdicts = BIT(MISSING), .rate = 0.1, .floor = 0.01, .bug = "JDK-2"};
    gives("one gone", (struct seen){4000, .truncated = 700, .ceilings = {KNOWN, missing}},
          RESULTS_ROW_XPASS, "JDK-8303444: truncated 700/4000");
    gives("and named", (struct seen){4000, .truncated = 700, .ceilings = {KNOWN, missing}},
          RESULTS_ROW_XPASS, "; JDK-2 seems mended: missing 0/4000");
    gives("the other too frequent",
          (struct seen){4000, .truncated = 2000, .ceilings = {KNOWN, missing}}, RESULTS_ROW_FAIL,
          "truncated 2000/4000");
}

Test(ceilings, attribution_has_a_ceiling_of_its_own_in_the_place_of_its_limit) {
    struct results_ceiling own = {.verdicts = BIT(ATTRIBUTION), .rate = 0.60};
    gives("over the limit", (struct seen){2000, .attribution = 1000}, RESULTS_ROW_FAIL,
          "attribution: the interval lies above the limit of 25 %");
    gives("under the ceiling", (struct seen){2000, .attribution = 1000, .ceilings = {own}},
          RESULTS_ROW_PASS, "");
    gives("over the ceiling", (struct seen){2000, .attribution = 1400, .ceilings = {own}},
          RESULTS_ROW_FAIL, "attribution 1400/2000");
    struct seen seen = {2000, .truncated = 10, .attribution = 1000, .ceilings = {own}};
    struct results_row row = judged(&seen);
    cr_expect_eq(row.known, 0, "it is no walking error");
    cr_expect_float_eq(row.attribution_limit, 0.60, 1e-12);
}

Test(ceilings, what_a_control_is_to_show_has_no_ceiling) {
    gives(
        "more than the ceiling",
        (struct seen){2000, .truncated = 1500, .ceilings = {TRUNCATED}, .control = BIT(TRUNCATED)},
        RESULTS_ROW_XFAIL, "found, as it must be");
    gives("a bug's ceiling on a lost control",
          (struct seen){2000, .ceilings = {KNOWN}, .control = BIT(TRUNCATED)},
          RESULTS_ROW_XPASS_CONTROL, "the control was not found");
    gives("another verdict's ceiling",
          (struct seen){2000, .truncated = 1500, .missing = 300,
                        .ceilings = {{.verdicts = BIT(MISSING), .rate = 0.2}},
                        .control = BIT(TRUNCATED)},
          RESULTS_ROW_XFAIL, "found, as it must be");
}

Test(ceilings, a_whole_of_known_bugs_and_mended_ones_passes_and_says_so) {
    struct results_ceiling bug = {
        .verdicts = BIT(TRUNCATED), .rate = 0.4, .floor = 0.005, .bug = "JDK-1"};
    struct results_expected expected[ORACLE_LAYER_COUNT] = {
        [ORACLE_LAYER_ASYNC] = {.ceilings = &bug, .ceiling_count = 1}};
    struct results_run* run = synthetic_run(20000);
    struct results_execution execution = synthetic_execution(run, "c1");
    execution.layers = 1u << ORACLE_LAYER_ASYNC | 1u << ORACLE_LAYER_GST;
    execution.expected = expected;
    struct results_report report = {.executions = &execution, .execution_count = 1, .planned = 1};
    cr_assert_eq(results_report_judge(&report), 0);
    cr_expect_eq(report.verdict, RESULTS_ROW_PASS);
    cr_expect(strstr(report.summary, "1 XPASS, 1 PASS") != NULL, "%s", report.summary);
    cr_expect(strstr(report.summary, "JDK-1 seems mended") != NULL, "%s", report.summary);
    results_report_free(&report);
    free(run);
}
