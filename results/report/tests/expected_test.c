// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Controls: what is known to be wrong must be found.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "synthetic.h"

#define ASYNC ORACLE_LAYER_ASYNC
#define SAFEPOINT ORACLE_LAYER_SAFEPOINT

// Of 20,000: so many truncated, which is what the case is to show, and so many phantoms, which is
// not.
struct control {
    enum oracle_layer layer;
    uint64_t truncated, phantoms;
    const char* scope;
    bool may, starved, wrong;
};

// The run's own list has another order.
static struct results_cause list[] = {{.name = "unexplained"}, {.name = "cut"}, {.name = "lost"}};

static struct results_row judged(struct control control) {
    static struct results_execution execution;
    static struct results_expected expected[ORACLE_LAYER_COUNT];
    static const struct results_causes causes = {3, list};
    struct results_row row;
    uint64_t total = control.starved ? 200 : 20000;
    struct results_run* run = synthetic_run(total - control.truncated - control.phantoms);
    run->layers[control.layer].verdict[ORACLE_TRUNCATED] = control.truncated;
    run->layers[control.layer].verdict[ORACLE_PHANTOM] = control.phantoms;
    strcpy(run->cause_names[2], "cut");
    run->layers[control.layer].cause[2] = control.truncated;
    run->layers[control.layer].cause[0] = control.phantoms;
    memset(expected, 0, sizeof expected);
    expected[control.layer] =
        (struct results_expected){.control = 1 << 1 | 1 << 2, .required = !control.may};
    execution = synthetic_execution(run, "c2");
    execution.causes = &causes;
    execution.expected = expected;
    if (control.scope != NULL) execution.scope = control.scope;
    if (control.wrong) execution.status = 1;
    memset(&row, 0xa5, sizeof row);
    results_row_judge(&execution, control.layer, &row);
    cr_expect_eq(row.expected, control.truncated);
    cr_expect_eq(row.mismatched, control.truncated + control.phantoms, "counts are what they are");
    free(run);
    return row;
}

static void gives(const char* what, struct control control, enum results_row_verdict verdict,
                  const char* reason) {
    struct results_row row = judged(control);
    cr_expect_eq(row.verdict, verdict, "%s: %s, not %s (%s)", what,
                 results_row_verdict_text(row.verdict), results_row_verdict_text(verdict),
                 row.reason);
    cr_expect(strstr(row.reason, reason) != NULL, "%s: \"%s\" is not in: %s", what, reason,
              row.reason);
}

Test(expected, errors_that_are_found_are_expected_failures) {
    gives("at pushes", (struct control){SAFEPOINT, .truncated = 40}, RESULTS_ROW_XFAIL,
          "cut or lost found, as it must be: 40/20000");
    gives("5 % of samples", (struct control){ASYNC, .truncated = 1000}, RESULTS_ROW_XFAIL,
          "1000/20000");
    gives("of few checks", (struct control){SAFEPOINT, .truncated = 3, .starved = true},
          RESULTS_ROW_XFAIL, "3/200");
    gives("in any scope", (struct control){ASYNC, .truncated = 1000, .scope = "all"},
          RESULTS_ROW_XFAIL, "found");
    cr_expect_eq(results_exit_status(RESULTS_ROW_XFAIL), 0);
}

Test(expected, errors_that_are_not_found_do_not_pass) {
    gives("none at a push", (struct control){.layer = SAFEPOINT}, RESULTS_ROW_XPASS_CONTROL,
          "the control was not found: cut or lost 0/20000");
    gives("no more than the limit forgives", (struct control){ASYNC, .truncated = 10},
          RESULTS_ROW_XPASS_CONTROL, "10/20000");
    gives("but too little was judged", (struct control){.layer = SAFEPOINT, .starved = true},
          RESULTS_ROW_INCONCLUSIVE, "200 judged");
    gives("where it need not show", (struct control){.layer = SAFEPOINT, .may = true},
          RESULTS_ROW_PASS, "");
    gives("where another program runs", (struct control){.layer = SAFEPOINT, .scope = "all"},
          RESULTS_ROW_PASS, "");
    cr_expect_eq(results_exit_status(RESULTS_ROW_XPASS_CONTROL), 1);
}

Test(expected, other_errors_are_failures_still) {
    gives("at pushes", (struct control){SAFEPOINT, .truncated = 100, .phantoms = 40},
          RESULTS_ROW_FAIL, "above the limit of 0.03 %. cut or lost found");
    gives("5 % of samples", (struct control){ASYNC, .truncated = 1000, .phantoms = 1000},
          RESULTS_ROW_FAIL, "unexplained 1000/20000");
    gives("less than the limit", (struct control){ASYNC, .truncated = 1000, .phantoms = 10},
          RESULTS_ROW_XFAIL, "1000/20000");
    gives("instead", (struct control){.layer = SAFEPOINT, .phantoms = 40}, RESULTS_ROW_FAIL,
          "unexplained 40/20000");
    gives("the case's own check", (struct control){SAFEPOINT, .truncated = 50, .wrong = true},
          RESULTS_ROW_FAIL, "own check");
}

Test(expected, one_layers_errors_are_not_expected_of_another) {
    struct results_expected expected[ORACLE_LAYER_COUNT] = {
        [SAFEPOINT] = {.control = 1 << 1, .required = true}};
    struct results_run* run = synthetic_run(20000);
    run->layers[ORACLE_LAYER_GST].verdict[ORACLE_TRUNCATED] = 5;
    struct results_execution execution = synthetic_execution(run, "c2");
    execution.expected = expected;
    struct results_row row;
    results_row_judge(&execution, ORACLE_LAYER_GST, &row);
    cr_expect_eq(row.verdict, RESULTS_ROW_FAIL);
    results_row_judge(&execution, ORACLE_LAYER_GROUND, &row);
    cr_expect_eq(row.verdict, RESULTS_ROW_PASS);
    free(run);
}
