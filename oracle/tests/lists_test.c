// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The lists of verdicts, refusals and layers.
#include <string.h>

#include <criterion/criterion.h>

#include "oracle/oracle.h"

Test(lists, every_verdict_has_a_text_and_an_explanation_of_its_own) {
    for (int v = 0; v < ORACLE_VERDICT_COUNT; v++) {
        const char* text = oracle_verdict_text((enum oracle_verdict)v);
        cr_assert_neq(strcmp(text, "?"), 0);
        cr_assert_gt(strlen(oracle_verdict_explanation((enum oracle_verdict)v)), strlen("?"));
        for (int w = 0; w < v; w++)
            cr_assert_str_neq(text, oracle_verdict_text((enum oracle_verdict)w));
    }
    cr_assert_str_eq(oracle_verdict_text(ORACLE_WRONG_METHOD), "wrong_method");
    cr_assert_str_eq(oracle_verdict_explanation(ORACLE_TRUNCATED), "the oldest frames are missing");
}

Test(lists, a_value_outside_a_list_is_a_question_mark) {
    cr_assert_str_eq(oracle_verdict_text(ORACLE_VERDICT_COUNT), "?");
    cr_assert_str_eq(oracle_verdict_explanation(ORACLE_VERDICT_COUNT), "?");
    cr_assert_str_eq(oracle_refusal_text(ORACLE_REFUSAL_COUNT), "?");
    cr_assert_str_eq(oracle_layer_text(ORACLE_LAYER_COUNT), "?");
    cr_assert_str_eq(oracle_layer_question(ORACLE_LAYER_COUNT), "?");
}

Test(lists, the_mismatches_are_what_is_wrong_and_nothing_else) {
    for (int v = 0; v < ORACLE_VERDICT_COUNT; v++) {
        bool mismatch = v != ORACLE_AGREE && v != ORACLE_TRANSITION && v != ORACLE_REFUSED &&
                        v != ORACLE_UNDECIDED && v != ORACLE_NO_ANSWER;
        cr_assert_eq(oracle_is_mismatch((enum oracle_verdict)v), mismatch, "%d", v);
    }
}

Test(lists, a_count_and_its_refusal_are_inverse) {
    for (int r = 0; r < ORACLE_REFUSAL_COUNT; r++) {
        if (oracle_refusal_is_due((enum oracle_refusal)r)) continue;
        int code = oracle_refusal_code((enum oracle_refusal)r);
        cr_assert_eq(oracle_refusal_of(code), (enum oracle_refusal)r, "%d", code);
    }
    cr_assert_eq(oracle_refusal_code(ORACLE_REFUSAL_DEOPT), -9);
    cr_assert_str_eq(oracle_refusal_text(ORACLE_REFUSAL_UNKNOWN_JAVA), "unknown_Java");
}

Test(lists, no_number_of_the_walkers_tells_that_a_refusal_is_due) {
    for (int32_t count = -40; count < 40; count++)
        cr_assert_not(oracle_refusal_is_due(oracle_refusal_of(count)), "%d", count);
    cr_assert_eq(oracle_refusal_code(ORACLE_REFUSAL_NO_ANCHOR), -3);
    cr_assert_eq(oracle_refusal_code(ORACLE_REFUSAL_WITHOUT_JAVA), -3);
    cr_assert_eq(oracle_refusal_code(ORACLE_REFUSAL_RUNTIME_STUB), -4);
    cr_assert_eq(oracle_refusal_code(ORACLE_REFUSAL_DEOPT_CALLER), -4);
    cr_assert_eq(oracle_refusal_code(ORACLE_REFUSAL_SYSTEM_CALL), -5);
}

Test(lists, an_unlisted_count_is_the_other_refusal) {
    cr_assert_eq(oracle_refusal_of(1), ORACLE_REFUSAL_OTHER, "an answer with a frame is none");
    cr_assert_eq(oracle_refusal_of(-12), ORACLE_REFUSAL_OTHER);
    cr_assert_eq(oracle_refusal_of(INT32_MIN), ORACLE_REFUSAL_OTHER);
}

Test(lists, the_layers_stand_in_the_order_in_which_they_build_on_each_other) {
    cr_assert_str_eq(oracle_layer_text(ORACLE_LAYER_GROUND), "ground");
    cr_assert_str_eq(oracle_layer_text(ORACLE_LAYER_SANDWICH), "sandwich");
    for (int l = 0; l < ORACLE_LAYER_COUNT; l++)
        cr_assert_gt(strlen(oracle_layer_question((enum oracle_layer)l)), strlen("?"));
}
