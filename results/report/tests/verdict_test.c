// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "synthetic.h"

// What a test row changes in a run that would pass.
struct change {
    uint64_t judged;
    uint64_t mismatched;
    uint32_t few;
    uint32_t phase;
    enum results_end end;
    int status;
    bool hs_err, program;
    enum results_work work;
};
static const struct change fine = {.judged = 100000,
                                   .phase = RESULTS_PHASE_ENDED,
                                   .end = RESULTS_END_EXITED,
                                   .work = RESULTS_WORK_DONE};

static void expect(const char* what, struct change change, const char* mode,
                   enum oracle_layer layer, enum results_row_verdict verdict) {
    struct results_run* run = synthetic_run(change.judged - change.mismatched);
    run->phase = change.phase;
    run->layers[layer].verdict[ORACLE_PHANTOM] = change.mismatched;
    struct results_execution execution = synthetic_execution(run, mode);
    execution.end = change.end;
    execution.status = change.status;
    execution.hs_err = change.hs_err;
    execution.program = change.program;
    execution.work = change.work;
    execution.few = change.few;
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

Test(verdict, rates_are_held_against_the_limit_of_layer_and_mode) {
    struct change one = fine, some = fine, more = fine;
    one.mismatched = 1;
    some.mismatched = 1900;
    more.mismatched = 2200;
    expect("no mismatch", fine, "c2", ASYNC, RESULTS_ROW_PASS);
    expect("1.9 % compiled", some, "c2", ASYNC, RESULTS_ROW_PASS);
    expect("2.2 % compiled", more, "c2", ASYNC, RESULTS_ROW_FAIL);
    expect("1.9 % interpreted", some, "int", ASYNC, RESULTS_ROW_FAIL);
    expect("2.2 % of sandwiches", more, "int", ORACLE_LAYER_SANDWICH, RESULTS_ROW_PASS);
    expect("one interpreted: the interval still reaches below", one, "int", ASYNC,
           RESULTS_ROW_PASS);
    expect("one at a push", one, "c2", ORACLE_LAYER_GST, RESULTS_ROW_FAIL);
    expect("one against GetStackTrace", one, "c2", ORACLE_LAYER_SAFEPOINT, RESULTS_ROW_FAIL);
    expect("one unbalanced pop", one, "c2", ORACLE_LAYER_GROUND, RESULTS_ROW_FAIL);
}

static void exact(uint64_t wrong, uint64_t of, uint64_t inexact, enum results_row_verdict verdict,
                  const char* note) {
    struct results_run* run = synthetic_run(10000 - wrong - inexact);
    struct results_layer* layer = &run->layers[ORACLE_LAYER_SANDWICH];
    layer->verdict[ORACLE_MISSING] = wrong + inexact;
    layer->exact[ORACLE_MISSING] = wrong;
    layer->exact[ORACLE_AGREE] = of - wrong;
    struct results_execution execution = synthetic_execution(run, "c2");
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
    exact(0, 5000, 0, RESULTS_ROW_PASS, "5000 exact");
    exact(1, 5000, 0, RESULTS_ROW_PASS,
          "5000 exact, of which 1 wrong"); // the interval reaches below
    exact(8, 5000, 0, RESULTS_ROW_FAIL, "5000 exact, of which 8 wrong");
    exact(0, 5000, 8, RESULTS_ROW_PASS, "5000 exact");
    exact(0, 5000, 300, RESULTS_ROW_FAIL, "5000 exact"); // 6 % of those that are not
    exact(0, 0, 300, RESULTS_ROW_PASS, "");              // 3 %
}

Test(verdict, exact_errors_that_are_known_do_not_fail_a_row) {
    static const struct results_ceiling ceiling = {.verdicts = 1u << ORACLE_MISSING, .rate = 0.5};
    struct results_expected expected[ORACLE_LAYER_COUNT] = {
        [ORACLE_LAYER_SANDWICH] = {.ceilings = &ceiling, .ceiling_count = 1}};
    struct results_run* run = synthetic_run(9000);
    struct results_layer* layer = &run->layers[ORACLE_LAYER_SANDWICH];
    layer->verdict[ORACLE_MISSING] = layer->exact[ORACLE_MISSING] = 1000;
    struct results_execution execution = synthetic_execution(run, "c2");
    struct results_row row;
    results_row_judge(&execution, ORACLE_LAYER_SANDWICH, &row);
    cr_expect_eq(row.verdict, RESULTS_ROW_FAIL);
    execution.expected = expected;
    results_row_judge(&execution, ORACLE_LAYER_SANDWICH, &row);
    cr_expect_eq(row.verdict, RESULTS_ROW_PASS, "%s", row.reason);
    layer->verdict[ORACLE_PHANTOM] = layer->exact[ORACLE_PHANTOM] = 20; // not the known one
    results_row_judge(&execution, ORACLE_LAYER_SANDWICH, &row);
    cr_expect_eq(row.verdict, RESULTS_ROW_FAIL);
    free(run);
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

Test(verdict, structure_is_held_against_the_limits_of_async) {
    struct change some = fine;
    some.mismatched = 1900;
    expect("1.9 % compiled", some, "c2", ORACLE_LAYER_STRUCTURE, RESULTS_ROW_PASS);
    expect("1.9 % interpreted", some, "int", ORACLE_LAYER_STRUCTURE, RESULTS_ROW_FAIL);
    some.mismatched = 0;
    some.judged = RESULTS_MINIMUM_SAMPLES;
    expect("1000 samples", some, "c2", ORACLE_LAYER_STRUCTURE, RESULTS_ROW_PASS);
    some.judged--;
    expect("999 samples", some, "c2", ORACLE_LAYER_STRUCTURE, RESULTS_ROW_INCONCLUSIVE);
}

Test(verdict, a_limit_is_broken_only_by_the_whole_interval) {
    // 5 of 100: the interval begins at 1.6 %, below the limit of 2 %.
    struct change few = fine;
    few.mismatched = 5;
    few.judged = 1000;
    expect("0.5 %", few, "c2", ASYNC, RESULTS_ROW_PASS);
    few.mismatched = 25;
    expect("2.5 %, from 1.6 % on", few, "c2", ASYNC, RESULTS_ROW_PASS);
    few.mismatched = 60;
    expect("6 %, from 4.6 % on", few, "c2", ASYNC, RESULTS_ROW_FAIL);
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

Test(verdict, the_end_of_the_jvm_decides_first) {
    struct change c = fine;
    c.end = RESULTS_END_SIGNALLED;
    c.status = SIGABRT;
    expect("died of SIGABRT", c, "c2", ASYNC, RESULTS_ROW_CRASH);
    c.phase = RESULTS_PHASE_CREATED;
    expect("died before the agent was there", c, "c2", ASYNC, RESULTS_ROW_CRASH);
    c.status = SIGKILL;
    expect("somebody else's SIGKILL", c, "c2", ASYNC, RESULTS_ROW_HARNESS);
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
    static const int statuses[] = {0, 1, 1, 1, 4, 4, 4, 0, 0, 1, 3};
    for (int i = 0; i < RESULTS_ROW_VERDICT_COUNT; i++) {
        cr_expect_eq(results_exit_status((enum results_row_verdict)i), statuses[i], "%s",
                     results_row_verdict_text((enum results_row_verdict)i));
        cr_expect_gt(strlen(results_row_verdict_explanation((enum results_row_verdict)i)), 10);
    }
    cr_expect_str_eq(results_row_verdict_text(RESULTS_ROW_VERDICT_COUNT), "?");
}
