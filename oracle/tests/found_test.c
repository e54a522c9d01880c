// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Errors that random programs (program_test.c) found, each as its smallest case.
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "rule.h"

#define CONSTRUCTOR RULE_CONSTRUCTORS

static struct oracle_stack stack;
static struct oracle_methods* methods;
static struct oracle_code* codes[2];

static struct oracle_code* make_code(bool may_vanish) {
    struct oracle_code* code = malloc(sizeof *code + sizeof code->ranges[0]);
    cr_assert_not_null(code);
    *code = (struct oracle_code){.length = 10, .may_vanish = may_vanish, .range_count = 1};
    code->ranges[0] = (struct oracle_range){0, 6}; // begins with its push
    return code;
}

static void open_all(void) {
    cr_assert_eq(oracle_stack_init(&stack, 32), 0);
    methods = oracle_methods_open();
    cr_assert_not_null(methods);
    codes[0] = make_code(false);
    codes[1] = make_code(true);
    for (uint32_t n = 1; n < RULE_METHODS; n++) {
        if (rule_id_of(n) != 0) oracle_methods_bind(methods, rule_id_of(n), n);
        oracle_methods_describe(methods, n, codes[n >= CONSTRUCTOR]);
    }
    oracle_methods_bind(methods, RULE_FOREIGN_ID, ORACLE_FOREIGN);
}

static void close_all(void) {
    oracle_methods_close(methods);
    oracle_stack_free(&stack);
    free(codes[0]);
    free(codes[1]);
}

TestSuite(found, .init = open_all, .fini = close_all);

// A frame of the method `number` at `bci`. Number 0: a method that is not instrumented.
#define AT(number, bci)                                                                            \
    { (number) != 0 ? rule_id_of(number) : RULE_FOREIGN_ID, bci, 0 }
#define STRANGE                                                                                    \
    { RULE_STRANGE_ID, 7, 0 }

static void expect(const struct oracle_frame* frames, size_t count, uint32_t base,
                   enum oracle_verdict verdict) {
    struct oracle_context context = {.base = base, .in_transition_allowed = true};
    struct oracle_judgement judgement;
    oracle_judge(&stack, methods, frames, (uint32_t)count, &context, &judgement);
    cr_expect_eq(judgement.verdict, verdict, "%s, expected %s",
                 oracle_verdict_text(judgement.verdict), oracle_verdict_text(verdict));
}
#define EXPECT(verdict, base, ...)                                                                 \
    expect((const struct oracle_frame[]){__VA_ARGS__},                                             \
           sizeof((const struct oracle_frame[]){__VA_ARGS__}) / sizeof(struct oracle_frame), base, \
           verdict)

Test(found, an_unpushed_caller_with_a_pushed_one_of_the_same_method_below_is_in_transition) {
    oracle_push(&stack, 3, 1);
    oracle_push(&stack, 4, 2);
    EXPECT(ORACLE_TRANSITION, 0, AT(4, 7), AT(3, 0), AT(3, 7));
    EXPECT(ORACLE_TRANSITION, 0, AT(5, 0), AT(4, 7), AT(3, 0), AT(3, 7));
    EXPECT(ORACLE_PHANTOM, 0, AT(4, 7), AT(3, 7), AT(3, 7));
    EXPECT(ORACLE_AGREE, 0, AT(4, 7), AT(3, 0)); // a bci that the walker did not know
}

Test(found, of_equal_entries_mending_keeps_the_one_that_no_push_will_drop) {
    struct oracle_context context = {0};
    const struct oracle_frame alive[] = {AT(CONSTRUCTOR, 7), AT(3, 7)};
    oracle_push(&stack, 3, 10);
    oracle_push(&stack, CONSTRUCTOR, 20);
    oracle_push(&stack, 4, 30);
    oracle_pop(&stack, 4);
    oracle_push(&stack, CONSTRUCTOR, 20 + 2 * ORACLE_POSITION_SLACK); // vanishes
    cr_assert(oracle_mend(&stack, methods, alive, 2, &context));
    oracle_push(&stack, 4, 30);
    cr_expect_eq(stack.unwound, 0);
    cr_expect_eq(oracle_stack_depth(&stack), 3);
}

Test(found, a_base_frame_of_the_oldest_entrys_method_does_not_hide_what_can_be_mended) {
    oracle_push(&stack, CONSTRUCTOR, 1);
    oracle_push(&stack, 3, 2);
    oracle_push(&stack, CONSTRUCTOR, 3); // vanished
    // As at a check in a push: nothing is in transition.
    struct oracle_context context = {.base = 2};
    struct oracle_judgement judgement;
    const struct oracle_frame frames[] = {AT(3, 7), AT(CONSTRUCTOR, 7), AT(0, 7),
                                          AT(CONSTRUCTOR, 7)};
    cr_expect_eq(oracle_judge(&stack, methods, frames, 4, &context, &judgement), ORACLE_MISSING,
                 "%s", oracle_verdict_text(judgement.verdict));
    cr_expect(oracle_mend(&stack, methods, frames, 4, &context));
}

static void overflow(void) {
    stack.capacity = 2;
    for (uint32_t n = 3; n <= 6; n++) oracle_push(&stack, n, n);
    cr_assert_eq(stack.beyond, 2);
}

Test(found, in_an_overflowed_stack_a_strange_id_that_may_be_the_bases_accuses_nobody) {
    overflow();
    EXPECT(ORACLE_AGREE, 2, AT(6, 7), AT(5, 7), AT(4, 7), AT(3, 7), STRANGE, AT(3, 7));
    // The base has become smaller; it is unknown by how much.
    EXPECT(ORACLE_UNDECIDED, 3, AT(6, 7), AT(5, 7), AT(4, 7), AT(3, 7), STRANGE, AT(3, 7));
    EXPECT(ORACLE_INVALID_ID, 2, AT(6, 7), STRANGE, AT(4, 7), AT(3, 7), AT(0, 7), AT(3, 7));
}

Test(found, in_an_overflowed_stack_unpushed_callers_accuse_nobody) {
    overflow();
    EXPECT(ORACLE_UNDECIDED, 0, AT(7, 7), AT(6, 7), AT(7, 0), AT(5, 7), AT(4, 7), AT(7, 0),
           AT(3, 7));
    EXPECT(ORACLE_MISSING, 0, AT(6, 7), AT(5, 7), AT(3, 7));
}
