// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Constructors that an exception from super() left, as rows. Stacks and traces are written youngest
// first, one character a frame:
//   A to Z   an instrumented constructor
//   a to z   another instrumented method
//   *        (stack) an instrumented method whose jmethodID is unknown
//   -        (stack) a captured gap frame
//   .        (trace) a method that is not instrumented
//   !        (trace) our own push, pop or caught
//   ?        (trace) an id that was never announced
#include <ctype.h>
#include <string.h>

#include <criterion/criterion.h>

#include "oracle/oracle.h"

#define FRAMES_MAX 32
#define FOREIGN_ID 0x70u
#define OWN_ID 0x80u
#define STRANGE_ID 0x90u

static struct oracle_stack stack;
static struct oracle_methods* methods;

static uintptr_t id_of(char c) {
    if (c == '.') return FOREIGN_ID;
    if (c == '!') return OWN_ID;
    return isalpha((unsigned char)c) ? 0x1000 + (uintptr_t)c * 8 : STRANGE_ID;
}

static void open_all(void) {
    static const struct oracle_code plain = {.length = 10},
                                    constructor = {.length = 10, .may_vanish = true};
    cr_assert_eq(oracle_stack_init(&stack, FRAMES_MAX), 0);
    methods = oracle_methods_open();
    cr_assert_not_null(methods);
    for (char c = 'A'; c <= 'z'; c++) {
        if (!isalpha((unsigned char)c)) continue;
        oracle_methods_bind(methods, id_of(c), (uint32_t)c);
        oracle_methods_describe(methods, (uint32_t)c,
                                isupper((unsigned char)c) ? &constructor : &plain);
    }
    oracle_methods_describe(methods, '*', &constructor);
    oracle_methods_bind(methods, FOREIGN_ID, ORACLE_FOREIGN);
    oracle_methods_bind(methods, OWN_ID, ORACLE_OWN);
}

static void close_all(void) {
    oracle_methods_close(methods);
    oracle_stack_free(&stack);
}

TestSuite(mend, .init = open_all, .fini = close_all);

static void load_stack(const char* entries) {
    uint32_t gap = 0;
    oracle_stack_reset(&stack);
    for (size_t i = strlen(entries); i-- > 0;) {
        if (entries[i] == '-') {
            gap += gap == 0 ? 2 : 1; // the first frame comes with the slot of the call
            continue;
        }
        stack.frames[oracle_top(&stack) + gap].id = (uintptr_t)entries[i];
        stack.frames[oracle_top(&stack) + gap].position = 100 + (uint32_t)i;
        stack.frames[oracle_top(&stack) + gap].gap = gap;
        oracle_set_top(&stack, oracle_top(&stack) + gap + 1);
        gap = 0;
    }
}

static void expect_stack(const char* entries) {
    cr_expect_eq(oracle_stack_depth(&stack), strlen(entries), "%s", entries);
    uint32_t end = oracle_top(&stack);
    for (size_t i = 0; i < strlen(entries) && end != 0; end = oracle_below(&stack, end), i++)
        cr_expect_eq(stack.frames[end - 1].number, (uintptr_t)entries[i], "%s", entries);
    cr_expect_eq(end, 0u);
}

// ---- oracle_fits ------------------------------------------------------------------------------

Test(mend, a_pop_fits_the_youngest_entry_only) {
    load_stack("ab");
    cr_expect(oracle_fits(&stack, 'a'));
    cr_expect_not(oracle_fits(&stack, 'b'));
    load_stack("");
    cr_expect_not(oracle_fits(&stack, 'a'));
}

Test(mend, any_pop_fits_an_overflowed_stack) {
    load_stack("ab");
    stack.beyond = 1;
    cr_expect(oracle_fits(&stack, 'z'));
}

// ---- oracle_caught ----------------------------------------------------------------------------

static void expect_caught(const char* before, char method, bool right, const char* after,
                          uint64_t vanished) {
    load_stack(before);
    cr_expect_eq(oracle_caught(&stack, methods, (uint32_t)method), right, "%s", before);
    cr_expect_eq(stack.vanished, vanished, "%s", before);
    cr_expect_eq(stack.unwound + stack.misfit, 0u);
    expect_stack(after);
}

Test(mend, a_handler_drops_the_constructors_above_its_method) {
    expect_caught("ab", 'a', true, "ab", 0);
    expect_caught("Aab", 'a', true, "ab", 1);
    expect_caught("CBAab", 'a', true, "ab", 3);
    expect_caught("BAB", 'A', true, "AB", 1);
}

Test(mend, a_handler_that_drops_another_method_says_so) {
    expect_caught("cab", 'a', false, "ab", 1);
    expect_caught("BcAab", 'a', false, "ab", 3);
    expect_caught("*ab", 'a', true, "ab", 1); // * is known by its number
}

Test(mend, a_handler_of_a_method_that_is_nowhere_drops_nothing) {
    expect_caught("BAb", 'a', false, "BAb", 0);
    expect_caught("", 'a', false, "", 0);
}

Test(mend, a_handler_takes_the_youngest_entry_of_its_method) {
    expect_caught("aba", 'a', true, "aba", 0);
    expect_caught("Baba", 'a', true, "aba", 1);
    expect_caught("AA", 'A', true, "AA", 0); // although the younger one may have vanished
}

Test(mend, a_handler_drops_gap_frames_with_their_entries) {
    expect_caught("A-ab", 'a', true, "ab", 1);
    cr_expect_eq(oracle_top(&stack), 2u);
    expect_caught("Aa-b", 'a', true, "ab", 1);
    cr_expect_eq(oracle_top(&stack), 4u);
}

static void expect_caught_torn(const char* before, char method, bool right, const char* after,
                               uint64_t vanished) {
    load_stack(before);
    stack.torn = 1;
    cr_expect_eq(oracle_caught(&stack, methods, (uint32_t)method), right, "%s", before);
    cr_expect_eq(stack.vanished, vanished, "%s", before);
    expect_stack(after);
}

Test(mend, a_handler_of_a_torn_stack_drops_any_method) {
    expect_caught_torn("cab", 'a', true, "ab", 1);
    expect_caught_torn("BcAcab", 'a', true, "ab", 4);
    expect_caught_torn("aab", 'a', true, "aab", 0); // although the younger one may have vanished
    expect_caught_torn("cb", 'a', false, "cb", 0);
}

Test(mend, a_handler_in_an_overflowed_stack_drops_nothing) {
    load_stack("Aab");
    stack.beyond = 2;
    cr_expect(oracle_caught(&stack, methods, 'a'));
    cr_expect_eq(stack.beyond, 2u);
    expect_stack("Aab");
}

// ---- oracle_top_may_vanish --------------------------------------------------------------------

static bool top_may_vanish(const char* entries, uint32_t beyond) {
    load_stack(entries);
    stack.beyond = beyond;
    return oracle_top_may_vanish(&stack, methods);
}

Test(mend, only_a_constructor_that_is_known_to_be_youngest_and_called_itself_may_vanish) {
    cr_expect(top_may_vanish("AaA", 0));
    cr_expect(top_may_vanish("A-Aa", 0), "also with a gap between");
    cr_expect_not(top_may_vanish("Aa", 0), "no other call of it is under way");
    cr_expect_not(top_may_vanish("ABa", 0));
    cr_expect_not(top_may_vanish("aAA", 0));
    cr_expect_not(top_may_vanish("", 0));
    cr_expect_not(top_may_vanish("AA", 1));
    cr_expect_not(top_may_vanish("##", 0)); // its code is not described
}

// ---- oracle_mend ------------------------------------------------------------------------------

static bool mend(const char* trace, const struct oracle_context* context) {
    struct oracle_frame frames[FRAMES_MAX];
    uint32_t count = (uint32_t)strlen(trace);
    for (uint32_t i = 0; i < count; i++)
        frames[i] = (struct oracle_frame){.method = id_of(trace[i])};
    return oracle_mend(&stack, methods, frames, count, context);
}

static void expect_mended(const char* entries, const char* trace, uint32_t base,
                          const char* after) {
    load_stack(entries);
    struct oracle_context context = {.base = base};
    uint32_t depth = oracle_stack_depth(&stack);
    cr_expect(mend(trace, &context), "%s of %s", entries, trace);
    cr_expect_eq(stack.vanished, depth - strlen(after), "%s", entries);
    expect_stack(after);
}

// Mending is refused, and every word of the stack is as it was.
static void expect_kept(const char* entries, const char* trace, struct oracle_context context,
                        uint32_t beyond) {
    struct oracle_slot frames[FRAMES_MAX];
    for (uint32_t i = 0; i < FRAMES_MAX; i++) stack.frames[i].bci = (int32_t)i - 3;
    load_stack(entries);
    stack.beyond = beyond;
    struct oracle_stack before = stack;
    memcpy(frames, stack.frames, sizeof frames);
    cr_expect_not(mend(trace, &context), "%s of %s", entries, trace);
    cr_expect(oracle_top(&stack) == oracle_top(&before) && stack.beyond == beyond, "%s", entries);
    cr_expect_eq(stack.vanished, 0u);
    cr_expect_eq(memcmp(frames, stack.frames, sizeof frames), 0, "%s of %s", entries, trace);
}
#define EXPECT_KEPT(entries, trace) expect_kept(entries, trace, (struct oracle_context){0}, 0)

Test(mend, constructors_without_a_frame_are_dropped) {
    expect_mended("Aab", "ab", 0, "ab");
    expect_mended("aAb", "ab", 0, "ab");
    expect_mended("abA", "ab", 0, "ab");
    expect_mended("ABCaDb", ".B!.a.b.", 0, "Bab");
    expect_mended("AB", "..", 0, "");
}

Test(mend, of_a_constructor_that_calls_itself_as_many_are_kept_as_there_are_frames) {
    expect_mended("AAAa", "Aa", 0, "Aa");
    expect_mended("AABAa", "AAa", 0, "AAa");
    expect_mended("ABABa", "BAa", 0, "BAa");
}

Test(mend, frames_of_the_base_need_no_entry) {
    expect_mended("Aa", "axy", 2, "a");
    expect_mended("Aa", "ax", 2, "a"); // the base has become smaller
    expect_mended("Aa", "a?", 1, "a");
    expect_kept("Aa", "axy", (struct oracle_context){.base = 1}, 0);
}

Test(mend, entries_that_cannot_vanish_must_have_a_frame) {
    EXPECT_KEPT("Acb", "b");
    EXPECT_KEPT("AcB", "A");
    EXPECT_KEPT("Aab", "ba");
    EXPECT_KEPT("A", "b");
    EXPECT_KEPT("Aa", "");
}

Test(mend, captured_gaps_are_forgotten) {
    expect_mended("A-ab", "ab", 0, "ab");
    expect_mended("a--Ab-", "a..b.", 0, "ab");
    cr_expect_eq(oracle_top(&stack), 2u);
}

Test(mend, frames_must_have_an_entry) {
    EXPECT_KEPT("Aa", "ca");
    EXPECT_KEPT("Aa", "ac");
    EXPECT_KEPT("Aa", "BA");
    EXPECT_KEPT("Aa", "aa");
}

Test(mend, what_is_not_known_is_not_mended) {
    EXPECT_KEPT("*Aa", "a");
    EXPECT_KEPT("A*a", "?a");
    EXPECT_KEPT("Aa", "?a");
    EXPECT_KEPT("Aa", "a?");
    expect_kept("Aa", "a", (struct oracle_context){.depth_limit = true}, 0);
    expect_kept("Aa", "a", (struct oracle_context){0}, 1);
}

Test(mend, a_stack_that_needs_no_mending_is_left_alone) {
    EXPECT_KEPT("Aa", "Aa");
    EXPECT_KEPT("", "");
    EXPECT_KEPT("", ".");
}

Test(mend, a_mended_stack_goes_on_as_any_other) {
    load_stack("Aa");
    struct oracle_context context = {0};
    cr_expect(mend("a", &context));
    oracle_push(&stack, 'b', 0);
    oracle_push(&stack, 'B', 0);
    cr_expect(mend("ba", &context)); // b, in the slot where A was, is kept
    expect_stack("ba");
    cr_expect_eq(stack.vanished, 2u);
    cr_expect(oracle_pop(&stack, 'b'));
    cr_expect(oracle_pop(&stack, 'a'));
    cr_expect_eq(oracle_top(&stack), 0u);
}

// A stack that can be mended gives MISSING or TRUNCATED, so the caller must try mending after both.
static void expect_verdict(const char* entries, const char* trace, enum oracle_verdict verdict) {
    struct oracle_frame frames[FRAMES_MAX];
    struct oracle_context context = {0};
    struct oracle_judgement judgement;
    uint32_t count = (uint32_t)strlen(trace);
    for (uint32_t i = 0; i < count; i++)
        frames[i] = (struct oracle_frame){.method = id_of(trace[i])};
    load_stack(entries);
    cr_expect_eq(oracle_judge(&stack, methods, frames, count, &context, &judgement), verdict,
                 "%s of %s is %s", trace, entries, oracle_verdict_text(judgement.verdict));
    cr_expect(mend(trace, &context), "%s of %s", entries, trace);
    cr_expect_eq(oracle_judge(&stack, methods, frames, count, &context, &judgement), ORACLE_AGREE);
}

Test(mend, what_can_be_mended_looks_missing_or_truncated_and_agrees_then) {
    expect_verdict("Aab", "ab", ORACLE_MISSING);
    expect_verdict("aAb", ".a.b", ORACLE_MISSING);
    expect_verdict("AAb", "Ab", ORACLE_MISSING);
    expect_verdict("aA", "a", ORACLE_TRUNCATED);
    expect_verdict("AA", "A", ORACLE_TRUNCATED);
}
