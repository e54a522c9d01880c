// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Compares traces with each other. Traces are written youngest first, one letter a method; 0 is the
// null id.
#include <string.h>

#include <criterion/criterion.h>

#include "oracle/oracle.h"

#define FRAMES_MAX 32

struct trace {
    struct oracle_frame frames[FRAMES_MAX];
    uint32_t count;
};

// Parses a trace: each letter is a frame, a digit after it its bci (0 without a digit), n marks a
// native frame, and - one before its first instruction. "a3bn" is a at bci 3, called by the native
// b.
static struct trace trace_of(const char* text) {
    struct trace trace = {.count = 0};
    for (; *text != '\0'; text++) {
        if (*text >= '1' && *text <= '9') trace.frames[trace.count - 1].bci = *text - '0';
        else if (*text == '-') trace.frames[trace.count - 1].bci = ORACLE_BCI_ENTRY;
        else if (*text == 'n') trace.frames[trace.count - 1].bci = ORACLE_BCI_NATIVE;
        else trace.frames[trace.count++].method = *text == '0' ? 0 : (uintptr_t)*text;
    }
    return trace;
}

// ---- Compare ------------------------------------------------------------------------------------

static void compares(const char* accused_text, const char* witness_text, bool depth_limit,
                     enum oracle_verdict expected, uint32_t difference) {
    struct trace accused = trace_of(accused_text);
    struct trace witness = trace_of(witness_text);
    struct oracle_judgement judgement;
    memset(&judgement, 0x55, sizeof(judgement));
    enum oracle_verdict verdict = oracle_compare(accused.frames, accused.count, witness.frames,
                                                 witness.count, depth_limit, &judgement);
    cr_expect_eq(verdict, expected, "%s against %s: %s, expected %s", accused_text, witness_text,
                 oracle_verdict_text(verdict), oracle_verdict_text(expected));
    cr_expect_eq(judgement.verdict, verdict);
    cr_expect_eq(judgement.difference, difference, "%s against %s: at %u", accused_text,
                 witness_text, judgement.difference);
    cr_expect_eq(judgement.expected, witness.count);
    cr_expect_eq(judgement.observed, accused.count);
    cr_expect_not(judgement.own);
}

Test(compare, equal_traces_agree) {
    compares("", "", false, ORACLE_AGREE, 0);
    compares("a3bnc1", "a3bnc1", false, ORACLE_AGREE, 0);
    compares("abc", "abc", true, ORACLE_AGREE, 0);
}

Test(compare, a_frame_before_its_first_instruction_is_at_bci_0_for_the_witness) {
    const struct trace accused = trace_of("a2b-c-"), witness = trace_of("a2bc");
    struct oracle_judgement judgement;
    oracle_compare(accused.frames, accused.count, witness.frames, witness.count, false, &judgement);
    cr_expect_eq(judgement.verdict, ORACLE_AGREE);
    cr_expect_eq(judgement.entry_bcis, 2, "it is counted");
    compares("ab-", "ab1", false, ORACLE_WRONG_BCI, 1);
    compares("ab", "ab-", false, ORACLE_WRONG_BCI, 1);
    compares("ab-", "abn", false, ORACLE_WRONG_KIND, 1);
}

Test(compare, each_shape_has_its_verdict) {
    compares("ab", "abcd", false, ORACLE_TRUNCATED, 2);
    compares("", "ab", false, ORACLE_TRUNCATED, 0);
    compares("aa", "aaaa", false, ORACLE_TRUNCATED, 2);
    compares("abd", "abcd", false, ORACLE_MISSING, 2);
    compares("d", "abcd", false, ORACLE_MISSING, 0);
    compares("abxcd", "abcd", false, ORACLE_PHANTOM, 2);
    compares("abcdx", "abcd", false, ORACLE_PHANTOM, 4);
    compares("a", "", false, ORACLE_PHANTOM, 0);
    compares("abxd", "abcd", false, ORACLE_WRONG_METHOD, 2);
    compares("ac", "abcd", false, ORACLE_WRONG_METHOD, 1);
    compares("ba", "ab", false, ORACLE_WRONG_METHOD, 0);
}

Test(compare, a_null_id_weighs_most) {
    compares("a0c", "abc", false, ORACLE_INVALID_ID, 1);
    compares("0", "abc", false, ORACLE_INVALID_ID, 0);
    compares("a0c", "a0c", false, ORACLE_INVALID_ID, 1);
    compares("axc0", "abc", false, ORACLE_INVALID_ID, 3);
    compares("ax0c0", "abc", true, ORACLE_INVALID_ID, 2);
}

Test(compare, the_kind_weighs_more_than_the_bci) {
    compares("an", "a", false, ORACLE_WRONG_KIND, 0);
    compares("a", "an", false, ORACLE_WRONG_KIND, 0);
    compares("ab3", "ab4", false, ORACLE_WRONG_BCI, 1);
    compares("a3bn", "a4b", false, ORACLE_WRONG_KIND, 1);
    compares("a3", "a4b", false, ORACLE_TRUNCATED, 1);
}

Test(compare, a_full_buffer_is_compared_as_far_as_it_goes) {
    compares("ab", "abcd", true, ORACLE_AGREE, 0);
    compares("abcd", "ab", true, ORACLE_PHANTOM, 2); // the witness's buffer was not full
    compares("acd", "abcd", true, ORACLE_MISSING, 1);
    compares("axbcd", "abcd", true, ORACLE_PHANTOM, 1);
    compares("ab3", "ab4c", true, ORACLE_WRONG_BCI, 1);
}

Test(compare, full_buffers_of_equal_size_that_start_to_differ_are_told_apart) {
    compares("abde", "abcd", true, ORACLE_MISSING, 2);
    compares("abxc", "abcd", true, ORACLE_PHANTOM, 2);
    compares("abxd", "abcd", true, ORACLE_WRONG_METHOD, 2);
}

// `owner`: the letter of the method that owns the youngest compiled frame; 0: none is known.
static void holds_of(char owner, const char* before_text, const char* between_text,
                     const char* after_text, enum oracle_verdict expected, uint32_t difference) {
    struct trace before = trace_of(before_text);
    struct trace between = trace_of(between_text);
    struct trace after = trace_of(after_text);
    struct oracle_judgement judgement;
    memset(&judgement, 0x55, sizeof(judgement));
    const struct oracle_trace traces[] = {{before.frames, before.count},
                                          {between.frames, between.count},
                                          {after.frames, after.count}};
    enum oracle_verdict verdict =
        oracle_compare_held(&traces[0], &traces[1], &traces[2], (uintptr_t)owner, &judgement);
    cr_expect_eq(verdict, expected, "%s, %s, %s: %s", before_text, between_text, after_text,
                 oracle_verdict_text(verdict));
    cr_expect_eq(judgement.verdict, verdict);
    cr_expect_eq(judgement.difference, difference);
}

static void holds(const char* before_text, const char* between_text, const char* after_text,
                  enum oracle_verdict expected, uint32_t difference) {
    holds_of(0, before_text, between_text, after_text, expected, difference);
}

Test(compare, of_two_mismatches_the_worse_is_judged) {
    holds_of('m', "xmcd", "abmcd", "mcd", ORACLE_ATTRIBUTION, 0);
    holds_of('m', "xmcd", "abmcd", "mc", ORACLE_WRONG_METHOD, 0);
    holds_of('m', "mc", "abmcd", "xmcd", ORACLE_WRONG_METHOD, 0);
    holds_of('m', "abmcd", "abmcd", "xmcd", ORACLE_ATTRIBUTION, 0);
}

Test(compare, frames_under_the_youngest_compiled_one_are_no_scopes_of_it) {
    holds_of('m', "m2cd", "abm1cd", "m2cd", ORACLE_ATTRIBUTION, 0);
    holds_of('m', "amcd", "mcd", "amcd", ORACLE_ATTRIBUTION, 0);
    holds_of('m', "m2d", "abm1cd", "m2d", ORACLE_MISSING, 0);   // its caller is lost
    holds_of('m', "m2xcd", "m1cd", "m2xcd", ORACLE_PHANTOM, 1); // or invented
    holds_of('m', "m2c3d", "m1c4d", "m2c3d", ORACLE_WRONG_BCI, 0);
    holds_of('m', "mcd", "mmcd", "mcd", ORACLE_MISSING, 1);      // an activation of its own is lost
    holds_of('m', "mmcd", "mcd", "mmcd", ORACLE_ATTRIBUTION, 1); // one too many may be a scope
    holds_of('m', "cd", "abmcd", "cd", ORACLE_MISSING, 0);       // the frame itself is lost
    holds_of('x', "m2cd", "m1cd", "m2cd", ORACLE_WRONG_BCI, 0);  // is not there
    holds_of('m', "0mcd", "mcd", "0mcd", ORACLE_INVALID_ID, 0);
    holds_of('m', "xmcd", "ambmcd", "xmcd", ORACLE_UNDECIDED, 0); // inlined into itself, or lost
    holds_of('m', "xmd", "ambmcd", "xmd", ORACLE_WRONG_METHOD, 0);
}

// A native method is no scope of any, so debug information explains no frame of the wrong kind.
Test(compare, a_frame_of_the_wrong_kind_is_walking) {
    holds_of('m', "xnm1c2", "x3m1c2", "xnm1c2", ORACLE_WRONG_KIND, 0);
    holds_of('m', "x3m1c2", "xnm1c2", "x3m1c2", ORACLE_WRONG_KIND, 0);
}

Test(compare, below_the_youngest_compiled_frame_bci_0_of_the_witness_may_be_the_entry) {
    holds_of('m', "m1l2c-", "x3m1l2c", "m1l2c-", ORACLE_ATTRIBUTION, 0);
    holds_of('m', "m1l2c", "x3m1l2c-", "m1l2c", ORACLE_MISSING, 0);
}

Test(compare, of_a_thread_that_stands_still_all_three_traces_are_equal) {
    holds("ab1c", "ab1c", "ab1c", ORACLE_AGREE, 0);
    holds("bc", "abc", "abc", ORACLE_MISSING, 0);
    holds("abc", "abc", "bc", ORACLE_MISSING, 0);
    holds("abc", "abc", "ab", ORACLE_TRUNCATED, 2);
    holds("a1bc", "a2bc", "a1bc", ORACLE_WRONG_BCI, 0);
    holds("ab1c", "ab2c", "ab2c", ORACLE_WRONG_BCI, 1);
    holds("xabc", "abc", "yabc", ORACLE_PHANTOM, 0);
    holds("ab", "abc", "b", ORACLE_TRUNCATED, 2); // the first that errs is the accused
}

// ---- Sandwich -----------------------------------------------------------------------------------

static void sandwiches(const char* before_text, const char* between_text, const char* after_text,
                       enum oracle_verdict expected, uint32_t difference) {
    struct trace before = trace_of(before_text);
    struct trace between = trace_of(between_text);
    struct trace after = trace_of(after_text);
    struct oracle_judgement judgement;
    memset(&judgement, 0x55, sizeof(judgement));
    enum oracle_verdict verdict =
        oracle_sandwich(before.frames, before.count, between.frames, between.count, after.frames,
                        after.count, &judgement);
    cr_expect_eq(verdict, expected, "%s, %s, %s: %s, expected %s", before_text, between_text,
                 after_text, oracle_verdict_text(verdict), oracle_verdict_text(expected));
    cr_expect_eq(judgement.verdict, verdict);
    cr_expect_eq(judgement.difference, difference, "%s, %s, %s: at %u", before_text, between_text,
                 after_text, judgement.difference);
}

Test(sandwich, the_shared_part_found_between_agrees) {
    sandwiches("abc", "abc", "abc", ORACLE_AGREE, 0);
    sandwiches("xbc", "ybc", "zbc", ORACLE_AGREE, 0);
    sandwiches("abc", "vwxabc", "abc", ORACLE_AGREE, 0);
    sandwiches("ab1c", "zb2c", "ab2c", ORACLE_AGREE, 0);
    sandwiches("c", "abc", "abc", ORACLE_AGREE, 0);
}

Test(sandwich, walks_that_share_nothing_decide_nothing) {
    sandwiches("ab", "ab", "ac", ORACLE_UNDECIDED, 0);
    sandwiches("", "ab", "ab", ORACLE_UNDECIDED, 0);
    sandwiches("a1", "a1", "a2", ORACLE_UNDECIDED, 0);
}

Test(sandwich, a_thread_that_moved_on_decides_nothing) {
    sandwiches("ab1c", "zb2c", "ab1c", ORACLE_UNDECIDED, 0);
    sandwiches("ab1c1", "zb1c2", "ab1c1", ORACLE_UNDECIDED, 0);
    sandwiches("ab1c", "b2c", "ab1c", ORACLE_UNDECIDED, 0);
    sandwiches("ab1c", "ab2c", "ab1c", ORACLE_UNDECIDED, 0); // though every method agrees
    sandwiches("a1b9c9", "a1b2c2", "a1b9c9", ORACLE_UNDECIDED, 0);
    sandwiches("abnc", "ab2c", "abnc", ORACLE_UNDECIDED, 0);
    sandwiches("ab-c", "abc", "ab-c", ORACLE_AGREE, 0); // the same place
}

Test(sandwich, each_shape_has_its_verdict) {
    sandwiches("ab", "abcd", "ab", ORACLE_TRUNCATED, 2);
    sandwiches("ab", "xabcd", "zab", ORACLE_TRUNCATED, 2);
    sandwiches("abd", "abcd", "abd", ORACLE_MISSING, 1);
    sandwiches("abxcd", "abcd", "abxcd", ORACLE_PHANTOM, 2);
    sandwiches("abcd", "cd", "abcd", ORACLE_PHANTOM, 1);
    sandwiches("abxd", "abcd", "abxd", ORACLE_WRONG_METHOD, 2);
    sandwiches("ab", "", "ab", ORACLE_PHANTOM, 1);
    sandwiches("abcdx", "abcd", "abcdx", ORACLE_PHANTOM, 4);
}

Test(sandwich, a_lost_root_is_truncated_also_where_the_thread_called_something_else_between) {
    sandwiches("xab1", "yb2c", "xab1", ORACLE_TRUNCATED, 3);
    sandwiches("xab1", "b1c", "xab1", ORACLE_TRUNCATED, 3);
    sandwiches("xab1", "yb1c", "xab1", ORACLE_WRONG_METHOD, 2);    // one call, two callees
    sandwiches("xab1d", "ab2cd", "xab1d", ORACLE_WRONG_METHOD, 2); // the oldest frame is there
}

Test(sandwich, a_null_id_that_both_walks_gave_is_invalid) {
    sandwiches("a0c", "abc", "a0c", ORACLE_INVALID_ID, 1);
    sandwiches("0c", "0c", "0c", ORACLE_INVALID_ID, 0);
    sandwiches("xa0c", "xa0c", "ya0c", ORACLE_INVALID_ID, 2);
    sandwiches("a0c", "abc", "abc", ORACLE_AGREE, 0);
}

Test(sandwich, the_trace_stack_tells_scopes_from_walking_errors) {
    static const struct {
        enum oracle_verdict given, first, second, wanted;
    } rows[] = {
        {ORACLE_PHANTOM, ORACLE_AGREE, ORACLE_AGREE, ORACLE_PHANTOM},
        {ORACLE_PHANTOM, ORACLE_ATTRIBUTION, ORACLE_AGREE, ORACLE_ATTRIBUTION},
        {ORACLE_MISSING, ORACLE_AGREE, ORACLE_ATTRIBUTION, ORACLE_ATTRIBUTION},
        {ORACLE_MISSING, ORACLE_UNDECIDED, ORACLE_ATTRIBUTION, ORACLE_ATTRIBUTION},
        {ORACLE_MISSING, ORACLE_UNDECIDED, ORACLE_AGREE, ORACLE_UNDECIDED},
        {ORACLE_TRUNCATED, ORACLE_MISSING, ORACLE_ATTRIBUTION, ORACLE_TRUNCATED},
        {ORACLE_TRUNCATED, ORACLE_UNDECIDED, ORACLE_WRONG_BCI, ORACLE_TRUNCATED},
        {ORACLE_AGREE, ORACLE_ATTRIBUTION, ORACLE_ATTRIBUTION, ORACLE_AGREE},
        {ORACLE_UNDECIDED, ORACLE_ATTRIBUTION, ORACLE_AGREE, ORACLE_UNDECIDED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        cr_expect_eq(oracle_sandwich_by_stack(rows[i].given, rows[i].first, rows[i].second),
                     rows[i].wanted, "row %zu", i);
}
