// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Judging, as rows. Stacks and traces are written youngest first, one character a frame:
//   a to z   an instrumented method
//   *        (stack) an instrumented method whose jmethodID is unknown
//   -        (stack) a captured gap frame, which is no entry; a gap without one is not captured
//   .        (trace) a method that is not instrumented
//   !        (trace) our own push or pop
//   ?        (trace) an id that was never announced
//   0        (trace) the null id
#include <string.h>

#include <criterion/criterion.h>

#include "both.h"
#include "oracle/oracle.h"

#define FRAMES_MAX 64
#define FOREIGN_ID 0x70u
#define OWN_ID 0x80u
#define STRANGE_ID 0x90u
#define WILD_NUMBER 500u

static struct oracle_stack stack;
static struct oracle_methods* methods;
static struct oracle_frame frames[FRAMES_MAX];

static uintptr_t id_of(char c) {
    if (c == '.') return FOREIGN_ID;
    if (c == '!') return OWN_ID;
    if (c == '?') return STRANGE_ID;
    if (c == '0') return 0;
    return (uintptr_t)(0x1000 + (c - 'a') * 8);
}

static uint32_t number_of(char c) {
    return c == '*' ? WILD_NUMBER : (uint32_t)(c - 'a') + 1;
}

static void open_all(void) {
    static const struct oracle_code code = {.length = 20};
    cr_assert_eq(oracle_stack_init(&stack, FRAMES_MAX), 0);
    methods = oracle_methods_open();
    cr_assert_not_null(methods);
    for (char c = 'a'; c <= 'z'; c++) {
        oracle_methods_bind(methods, id_of(c), number_of(c));
        oracle_methods_describe(methods, number_of(c), &code);
    }
    oracle_methods_bind(methods, FOREIGN_ID, ORACLE_FOREIGN);
    oracle_methods_bind(methods, OWN_ID, ORACLE_OWN);
}

static void close_all(void) {
    oracle_methods_close(methods);
    oracle_stack_free(&stack);
}

static void load_stack(const char* entries) {
    uint32_t gap = 0;
    oracle_stack_reset(&stack);
    for (size_t i = strlen(entries); i-- > 0;) {
        if (entries[i] == '-') {
            gap += gap == 0 ? 2 : 1; // the first frame comes with the slot of the call
            stack.frames[oracle_top(&stack) + gap - 1] = (struct oracle_slot){.id = FOREIGN_ID};
            continue;
        }
        if (gap != 0) stack.frames[oracle_top(&stack)] = (struct oracle_slot){0};
        stack.frames[oracle_top(&stack) + gap].id = number_of(entries[i]);
        stack.frames[oracle_top(&stack) + gap].gap = gap;
        oracle_set_top(&stack, oracle_top(&stack) + gap + 1);
        gap = 0;
    }
}

static uint32_t load_trace(const char* trace) {
    uint32_t count = (uint32_t)strlen(trace);
    for (uint32_t i = 0; i < count; i++)
        frames[i] = (struct oracle_frame){.method = id_of(trace[i])};
    return count;
}

// Options: T allows a frame in transition, D is depth_limit, B1 to B9 the base, V1 to V9 `beyond`.
static struct oracle_context options(const char* text) {
    struct oracle_context context = {0};
    for (; *text != '\0'; text++) {
        if (*text == 'T') context.in_transition_allowed = true;
        if (*text == 'D') context.depth_limit = true;
        if (*text == 'B') context.base = (uint32_t)(text[1] - '0');
        if (*text == 'V') stack.beyond = (uint32_t)(text[1] - '0');
    }
    return context;
}

#define NOWHERE 99

struct row {
    const char *entries, *trace, *options;
    enum oracle_verdict verdict;
    uint32_t difference;
};

static void check_rows(const struct row* rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct row* row = &rows[i];
        struct oracle_judgement judgement;
        load_stack(row->entries);
        struct oracle_context context = options(row->options);
        memset(&judgement, 0x55, sizeof(judgement));
        enum oracle_verdict verdict =
            judge_both(&stack, methods, frames, load_trace(row->trace), &context, &judgement);
        cr_expect_eq(verdict, row->verdict, "stack %s trace %s %s: %s, expected %s", row->entries,
                     row->trace, row->options, oracle_verdict_text(verdict),
                     oracle_verdict_text(row->verdict));
        cr_expect_eq(judgement.verdict, verdict);
        if (row->difference != NOWHERE)
            cr_expect_eq(judgement.difference, row->difference, "stack %s trace %s %s: at %u",
                         row->entries, row->trace, row->options, judgement.difference);
    }
}
#define CHECK(...)                                                                                 \
    check_rows((const struct row[]){__VA_ARGS__},                                                  \
               sizeof((const struct row[]){__VA_ARGS__}) / sizeof(struct row))

TestSuite(judge, .init = open_all, .fini = close_all);

Test(judge, the_same_frames_agree) {
    CHECK({"", "", "", ORACLE_AGREE, 0}, {"a", "a", "", ORACLE_AGREE, 0},
          {"abc", "abc", "", ORACLE_AGREE, 0}, {"abc", "abc", "T", ORACLE_AGREE, 0},
          {"aaaa", "aaaa", "T", ORACLE_AGREE, 0}, {"ababab", "ababab", "T", ORACLE_AGREE, 0});
}

Test(judge, uninstrumented_frames_may_stand_anywhere) {
    CHECK({"abc", ".a..b.c...", "", ORACLE_AGREE, 0}, {"", "...", "", ORACLE_AGREE, 0},
          {"abc", "...abc", "T", ORACLE_AGREE, 0});
}

Test(judge, captured_gap_frames_are_no_entries) {
    CHECK({"a--b-c---", "a..b.c...", "", ORACLE_AGREE, 0}, {"a--b", "ab", "", ORACLE_MISSING, 1},
          {"a--b-c", "a.c", "", ORACLE_MISSING, 2});
}

Test(judge, our_own_natives_are_left_out_on_top_and_nowhere_else) {
    CHECK({"abc", "!abc", "", ORACLE_AGREE, 0}, {"abc", "!!abc", "T", ORACLE_AGREE, 0},
          {"", "!", "", ORACLE_AGREE, 0}, {"bc", "!abc", "T", ORACLE_TRANSITION, 0},
          {"abc", "a!bc", "T", ORACLE_PHANTOM, 1}, {"bc", "a!bc", "T", ORACLE_PHANTOM, 1},
          {"abc", "abc!", "", ORACLE_PHANTOM, 3});
}

Test(judge, one_frame_on_top_may_be_in_transition_where_that_is_allowed) {
    CHECK({"bc", "abc", "T", ORACLE_TRANSITION, 0}, {"", "a", "T", ORACLE_TRANSITION, 0},
          {"bc", "abc", "", ORACLE_PHANTOM, 0}, {"", "a", "", ORACLE_PHANTOM, 0},
          {"c", "abc", "T", ORACLE_PHANTOM, NOWHERE}, {"bc", "a.bc", "T", ORACLE_TRANSITION, 0},
          {"bc", "abc.", "T", ORACLE_TRANSITION, 0});
}

Test(judge, a_frame_in_transition_has_called_nothing_of_its_own_accord) {
    CHECK({"bc", ".abc", "T", ORACLE_PHANTOM, NOWHERE},
          {"bc", "!.abc", "T", ORACLE_PHANTOM, NOWHERE}, {"", "..a", "T", ORACLE_PHANTOM, NOWHERE});
}

Test(judge, recursion_is_counted_right) {
    CHECK({"aaa", "aaaa", "T", ORACLE_TRANSITION, 0}, {"aaa", "aaaa", "", ORACLE_PHANTOM, 3},
          {"aaa", "aaaaa", "T", ORACLE_PHANTOM, NOWHERE}, {"aaa", "aa", "T", ORACLE_TRUNCATED, 2},
          {"aab", "aaab", "T", ORACLE_TRANSITION, 0}, {"aaab", "aab", "T", ORACLE_MISSING, 2},
          {"abab", "babab", "T", ORACLE_TRANSITION, 0}, {"abab", "bab", "", ORACLE_MISSING, 0});
}

Test(judge, missing_oldest_frames_are_a_truncation) {
    CHECK({"abcd", "ab", "", ORACLE_TRUNCATED, 2}, {"abcd", "", "T", ORACLE_TRUNCATED, 0},
          {"abcd", "...", "T", ORACLE_TRUNCATED, 3}, {"abcd", "zab", "T", ORACLE_TRUNCATED, 3},
          {"abcd", "!.ab", "T", ORACLE_TRUNCATED, 4}, {"abcd", "z", "T", ORACLE_TRUNCATED, 1});
}

Test(judge, a_hole_above_the_oldest_frame_is_a_missing_frame) {
    CHECK({"abcd", "acd", "", ORACLE_MISSING, 1}, {"abcd", "acd", "T", ORACLE_MISSING, 1},
          {"abcd", "bcd", "T", ORACLE_MISSING, 0}, {"abcd", "d", "T", ORACLE_MISSING, 0},
          {"abcd", "zabd", "T", ORACLE_MISSING, 3}, {"abcd", "a..d", "", ORACLE_MISSING, 3});
}

Test(judge, a_hole_in_a_truncated_trace_is_a_wrong_method) {
    CHECK({"abcd", "ac", "", ORACLE_WRONG_METHOD, 1}, {"abcd", "b", "", ORACLE_WRONG_METHOD, 0});
}

Test(judge, inserted_instrumented_frames_are_phantoms) {
    CHECK({"abc", "abzc", "T", ORACLE_PHANTOM, 2}, {"abc", "abcz", "T", ORACLE_PHANTOM, 3},
          {"abc", "azbzc", "", ORACLE_PHANTOM, 1}, {"abc", "yabzc", "T", ORACLE_PHANTOM, 3});
}

Test(judge, another_method_in_a_place_is_a_wrong_method) {
    CHECK({"abc", "azc", "", ORACLE_WRONG_METHOD, 1}, {"abc", "azc", "T", ORACLE_WRONG_METHOD, 1},
          {"abc", "zbc", "", ORACLE_WRONG_METHOD, 0}, {"abc", "yzbc", "T", ORACLE_WRONG_METHOD, 1},
          {"abc", "xyz", "T", ORACLE_WRONG_METHOD, NOWHERE},
          {"abc", "cba", "T", ORACLE_WRONG_METHOD, NOWHERE});
}

Test(judge, with_a_frame_allowed_in_transition_a_replaced_top_frame_is_a_missing_one) {
    CHECK({"abc", "zbc", "T", ORACLE_MISSING, 1});
}

Test(judge, an_id_that_is_null_or_unknown_is_invalid) {
    CHECK({"abc", "a0c", "", ORACLE_INVALID_ID, 1}, {"abc", "?bc", "T", ORACLE_INVALID_ID, 0},
          {"abc", "abc?", "", ORACLE_INVALID_ID, 3}, {"abc", "ab0", "T", ORACLE_INVALID_ID, 2},
          {"", "0", "T", ORACLE_INVALID_ID, 0}, {"abc", "a0c0", "", ORACLE_INVALID_ID, 1},
          {"abc", "zac?", "T", ORACLE_INVALID_ID, 3}, {"abc", "azc0", "", ORACLE_INVALID_ID, 3});
}

Test(judge, an_entry_of_unknown_id_takes_any_one_frame) {
    CHECK({"a*c", "azc", "", ORACLE_AGREE, 0}, {"a*c", "a.c", "", ORACLE_AGREE, 0},
          {"*bc", "zbc", "T", ORACLE_AGREE, 0}, {"ab*", "abz", "", ORACLE_AGREE, 0},
          {"ab*", "ab.", "", ORACLE_AGREE, 0}, {"a*c", "aac", "", ORACLE_AGREE, 0},
          {"a*c", "acc", "", ORACLE_AGREE, 0}, {"a**c", "a.zc", "", ORACLE_AGREE, 0},
          {"a**c", "az.c", "", ORACLE_AGREE, 0}, {"a*c", "a.z.c", "", ORACLE_AGREE, 0},
          {"*bc", "yzbc", "T", ORACLE_TRANSITION, 0}, {"*", "x", "T", ORACLE_AGREE, 0});
}

Test(judge, an_entry_of_unknown_id_excuses_what_differs_from_it_on) {
    CHECK({"a*c", "ac", "", ORACLE_UNDECIDED, NOWHERE},
          {"a*c", "ayzc", "T", ORACLE_UNDECIDED, NOWHERE},
          {"a*c", "a0c", "", ORACLE_UNDECIDED, NOWHERE},
          {"a*cd", "azd", "", ORACLE_UNDECIDED, NOWHERE},
          {"ab*", "ab", "", ORACLE_UNDECIDED, NOWHERE},
          {"*bc", "0bc", "T", ORACLE_UNDECIDED, NOWHERE});
}

Test(judge, an_entry_of_unknown_id_takes_no_frame_from_another_gap) {
    CHECK({"ab*c", "a.bc", "", ORACLE_UNDECIDED, NOWHERE},
          {"ab*c", "abc.", "", ORACLE_UNDECIDED, NOWHERE},
          {"a*c", "za0c", "T", ORACLE_UNDECIDED, NOWHERE});
}

Test(judge, an_entry_of_unknown_id_excuses_nothing_above_it) {
    CHECK({"abc*", "azc.", "", ORACLE_WRONG_METHOD, 1}, {"abc*", "acz", "T", ORACLE_MISSING, 1},
          {"ab*", "0b.", "T", ORACLE_INVALID_ID, 0});
}

Test(judge, frames_of_the_base_are_left_out_whatever_they_are) {
    CHECK({"ab", "abx0?", "B3", ORACLE_AGREE, 0}, {"ab", "ab..", "B2", ORACLE_AGREE, 0},
          {"ab", "ab", "B3", ORACLE_AGREE, 0}, {"", "0?x", "B3", ORACLE_AGREE, 0},
          {"ab", "zabxy", "TB2", ORACLE_TRANSITION, 0}, {"ab", "ab..xy", "B2", ORACLE_AGREE, 0},
          {"", "zx", "TB1", ORACLE_TRANSITION, 0}, {"aa", "aaaa", "B2", ORACLE_AGREE, 0});
}

Test(judge, above_the_base_the_rule_holds) {
    CHECK({"ab", "abzx", "B1", ORACLE_PHANTOM, 2}, {"abc", "acxy", "B2", ORACLE_MISSING, 1},
          {"ab", "zb??", "B2", ORACLE_WRONG_METHOD, 0}, {"ab", "?b?", "B1", ORACLE_INVALID_ID, 0},
          {"abc", "ab", "B2", ORACLE_TRUNCATED, 2}, {"ab", "ab?xy", "B2", ORACLE_INVALID_ID, 2});
}

Test(judge, without_the_oldest_frame_the_base_is_taken_to_be_complete) {
    CHECK({"abc", "ab?", "B1", ORACLE_TRUNCATED, 2}, {"abc", "abx", "B1", ORACLE_TRUNCATED, 2},
          {"abc", "zab?x", "TB2", ORACLE_TRUNCATED, 3},
          {"abc", "ab??", "B1", ORACLE_INVALID_ID, 2});
}

Test(judge, a_full_buffer_is_compared_as_far_as_it_goes) {
    CHECK({"abcd", "ab", "D", ORACLE_AGREE, 0}, {"abcd", "zab", "TD", ORACLE_TRANSITION, 0},
          {"abcd", "..", "TD", ORACLE_AGREE, 0}, {"aaaa", "aa", "TD", ORACLE_AGREE, 0},
          {"abcd", "abcd", "D", ORACLE_AGREE, 0});
}

Test(judge, a_full_buffer_still_shows_what_differs) {
    CHECK({"abcde", "acd", "D", ORACLE_MISSING, 1}, {"abcde", "azbcd", "D", ORACLE_PHANTOM, 1},
          {"abcde", "azcd", "D", ORACLE_WRONG_METHOD, 1},
          {"abcde", "xyz", "TD", ORACLE_WRONG_METHOD, NOWHERE},
          {"abcde", "ab0", "D", ORACLE_INVALID_ID, 2}, {"ab", "abz", "D", ORACLE_PHANTOM, 2},
          {"abcde", "axbycd", "D", ORACLE_WRONG_METHOD, 1});
}

Test(judge, an_overflowed_stack_is_compared_from_its_old_end) {
    CHECK({"abc", "yzabc", "V2", ORACLE_AGREE, 0}, {"abc", "xyzabc", "TV2", ORACLE_AGREE, 0},
          {"abc", "zabc", "V2", ORACLE_AGREE, 0}, {"abc", "yz.abc", "V2", ORACLE_AGREE, 0},
          {"aaa", "aaaaa", "V2", ORACLE_AGREE, 0}, {"abc", "wxyzabc", "V2", ORACLE_UNDECIDED, 0},
          {"abc", "yzab", "DV2", ORACLE_UNDECIDED, NOWHERE},
          {"abc", "yzabcx", "V2B1", ORACLE_AGREE, 0},
          {"abc", "yzac", "V2B1", ORACLE_UNDECIDED, NOWHERE});
}

Test(judge, gaps_and_unknown_ids_count_on_an_overflowed_stack_too) {
    CHECK({"abc", ".y.zabc", "V2", ORACLE_AGREE, 0}, {"a*c", "za.c", "V1", ORACLE_AGREE, 0},
          {"a*c", "za.c", "TV1", ORACLE_AGREE, 0}, {"a*c", "yza.c", "TV1", ORACLE_AGREE, 0},
          {"abc", "y?abc", "DV2", ORACLE_INVALID_ID, 1},
          {"abc", "abyxxc", "V2", ORACLE_WRONG_METHOD, NOWHERE});
}

Test(judge, the_known_part_of_an_overflowed_stack_must_agree) {
    CHECK({"abc", "yzab", "V2", ORACLE_TRUNCATED, 4}, {"abc", "y", "V2", ORACLE_TRUNCATED, 1},
          {"abcd", "yzacd", "V2", ORACLE_MISSING, 3}, {"abc", "yzabxc", "V2", ORACLE_PHANTOM, 4},
          {"abc", "yzaxc", "V2", ORACLE_WRONG_METHOD, 3},
          {"abc", "y?abc", "V2", ORACLE_INVALID_ID, 1}, {"abc", "", "TV2", ORACLE_TRUNCATED, 0});
}

// ---- Bytecode indices ---------------------------------------------------------------------------

static const struct oracle_code* code_of_b(void) {
    static union {
        struct oracle_code code;
        char room[sizeof(struct oracle_code) + 2 * sizeof(struct oracle_range)];
    } b;
    b.code.length = 20;
    b.code.range_count = 2;
    b.code.ranges[0] = (struct oracle_range){0, 4};
    b.code.ranges[1] = (struct oracle_range){10, 14};
    return &b.code;
}

static struct oracle_place interpreted(char method, int32_t bci) {
    return (struct oracle_place){ORACLE_PLACE_INTERPRETED, bci, id_of(method)};
}

// Judges the trace bc, with b at `bci`, against the stack bc. `known`: that is where the thread is.
static struct oracle_judgement judge_b_at(int32_t bci, bool known) {
    struct oracle_context context = {.in_transition_allowed = true};
    if (known) context.place = interpreted('b', bci);
    struct oracle_judgement judgement;
    oracle_methods_describe(methods, number_of('b'), code_of_b());
    load_stack("bc");
    uint32_t count = load_trace("bc");
    frames[0].bci = bci;
    judge_both(&stack, methods, frames, count, &context, &judgement);
    return judgement;
}

Test(judge, a_bci_inside_the_code_agrees_and_others_do_not) {
    const struct {
        int32_t bci;
        enum oracle_verdict verdict;
    } rows[] = {{0, ORACLE_AGREE},       {-1, ORACLE_AGREE},     {19, ORACLE_AGREE},
                {20, ORACLE_WRONG_BCI},  {-2, ORACLE_WRONG_BCI}, {INT32_MAX, ORACLE_WRONG_BCI},
                {-3, ORACLE_WRONG_KIND}, {-4, ORACLE_WRONG_BCI}, {INT32_MIN, ORACLE_WRONG_BCI}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_assert_eq(judge_b_at(rows[i].bci, false).verdict, rows[i].verdict, "%d", rows[i].bci);
}

Test(judge, the_youngest_wrong_bci_is_told) {
    struct oracle_context context = {0};
    struct oracle_judgement judgement;
    load_stack("abc");
    uint32_t count = load_trace("a.bc");
    frames[3].bci = ORACLE_BCI_NATIVE;
    cr_assert_eq(judge_both(&stack, methods, frames, count, &context, &judgement),
                 ORACLE_WRONG_KIND);
    cr_assert_eq(judgement.difference, 3);
    frames[2].bci = ORACLE_BCI_NATIVE;
    judge_both(&stack, methods, frames, count, &context, &judgement);
    cr_assert_eq(judgement.difference, 2);
}

Test(judge, uninstrumented_frames_may_be_native) {
    struct oracle_context context = {0};
    struct oracle_judgement judgement;
    load_stack("a");
    uint32_t count = load_trace(".a");
    frames[0].bci = ORACLE_BCI_NATIVE;
    cr_assert_eq(judge_both(&stack, methods, frames, count, &context, &judgement), ORACLE_AGREE);
}

Test(judge, wrong_frames_weigh_more_than_a_wrong_bci) {
    struct oracle_context context = {0};
    struct oracle_judgement judgement;
    load_stack("abc");
    uint32_t count = load_trace("ab");
    frames[0].bci = ORACLE_BCI_NATIVE;
    cr_assert_eq(judge_both(&stack, methods, frames, count, &context, &judgement),
                 ORACLE_TRUNCATED);
}

Test(judge, the_code_that_was_pushed_counts_where_numbers_share_an_id) {
    static const struct oracle_code longer = {.length = 100};
    struct oracle_context context = {0};
    struct oracle_judgement judgement;
    oracle_methods_describe(methods, number_of('b'), code_of_b());
    oracle_methods_bind(methods, id_of('b'), 77);
    oracle_methods_describe(methods, 77, &longer);
    load_stack("bc");
    uint32_t count = load_trace("bc");
    frames[0].bci = 50;
    cr_assert_eq(judge_both(&stack, methods, frames, count, &context, &judgement),
                 ORACLE_WRONG_BCI);
    stack.frames[1].id = 77;
    cr_assert_eq(judge_both(&stack, methods, frames, count, &context, &judgement), ORACLE_AGREE);
}

// ---- The judgement beside the verdict -----------------------------------------------------------

Test(judge, an_inserted_sequence_is_our_own_where_the_place_is_known) {
    const struct {
        int32_t bci;
        bool own;
    } rows[] = {{0, true},  {3, true},   {4, false},  {9, false}, {10, true},
                {13, true}, {14, false}, {19, false}, {-1, false}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cr_assert_eq(judge_b_at(rows[i].bci, true).own, rows[i].own, "%d", rows[i].bci);
        cr_assert_not(judge_b_at(rows[i].bci, false).own, "%d", rows[i].bci);
    }
}

// ---- Where the thread is ------------------------------------------------------------------------

static struct oracle_judgement judge_at(const char* entries, const char* trace,
                                        struct oracle_place place) {
    struct oracle_context context = {.in_transition_allowed = true, .place = place};
    struct oracle_judgement judgement;
    oracle_methods_describe(methods, number_of('b'), code_of_b());
    load_stack(entries);
    judge_both(&stack, methods, frames, load_trace(trace), &context, &judgement);
    return judgement;
}

static const struct oracle_place unknown = {0}, in_own = {.kind = ORACLE_PLACE_OWN};

static struct oracle_place in_code_of(char method, enum oracle_place_kind kind) {
    return (struct oracle_place){kind, ORACLE_BCI_NATIVE, id_of(method)};
}

Test(judge, where_nothing_is_known_our_own_frame_on_top_makes_a_sample_our_own) {
    cr_assert(judge_at("bc", "!bc", unknown).own);
    cr_assert(judge_at("c", "!bc", unknown).own);
    cr_assert_not(judge_at("bc", ".bc", unknown).own);
    cr_assert_not(judge_at("c", "bc", unknown).own);
    cr_assert_not(judge_at("", "", unknown).own);
    cr_assert_not(judge_at("b", "0b", unknown).own);
}

Test(judge, a_thread_in_our_own_code_is_that_whatever_the_trace_says) {
    cr_assert(judge_at("bc", "bc", in_own).own);
    cr_assert(judge_at("bc", "c", in_own).own);
    cr_assert(judge_at("bc", "bc", in_code_of('!', ORACLE_PLACE_NATIVE)).own);
    cr_assert(judge_at("c", "bc", interpreted('b', 0)).own, "in transition, before its push");
    cr_assert(judge_at("bc", ".bc", interpreted('b', 12)).own);
}

// Four places that are not our own code, and refute push and pop on top.
Test(judge, our_own_frame_on_top_of_a_thread_that_is_elsewhere_is_a_phantom) {
    const struct oracle_place places[] = {interpreted('b', 5), interpreted('.', 5),
                                          in_code_of('b', ORACLE_PLACE_COMPILED),
                                          in_code_of('.', ORACLE_PLACE_NATIVE)};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct oracle_judgement judgement = judge_at("bc", "!bc", places[i]);
        cr_expect_eq(judgement.verdict, ORACLE_PHANTOM, "%zu", i);
        cr_expect_not(judgement.own, "%zu", i);
        cr_expect_eq(judgement.difference, 0, "%zu", i);
        cr_expect_eq(judge_at("bc", "bc", places[i]).verdict, ORACLE_AGREE, "%zu", i);
    }
    cr_expect_eq(judge_at("bc", "!bc", in_own).verdict, ORACLE_AGREE);
    cr_expect_eq(judge_at("bc", "!bc", interpreted('b', 2)).verdict, ORACLE_AGREE);
}

static enum oracle_verdict on_top(struct oracle_place place) {
    return judge_at("c", "bc", place).verdict;
}

// The code of b has inserted ranges [0, 4), [10, 14): a return may stand at 14.
Test(judge, an_interpreted_frame_in_transition_stands_at_its_entry_or_exit) {
    for (int32_t bci = 0; bci < 20; bci++) {
        bool may = bci < 4 || (bci >= 10 && bci <= 14);
        cr_expect_eq(on_top(interpreted('b', bci)), may ? ORACLE_TRANSITION : ORACLE_PHANTOM, "%d",
                     bci);
    }
    cr_expect_eq(on_top(interpreted('d', 0)), ORACLE_PHANTOM, "another method");
    cr_expect_eq(on_top(interpreted('.', 0)), ORACLE_PHANTOM, "not instrumented");
    cr_expect_eq(on_top(unknown), ORACLE_TRANSITION);
    cr_expect_eq(on_top(in_own), ORACLE_TRANSITION);
    cr_expect_eq(on_top(in_code_of('.', ORACLE_PLACE_NATIVE)), ORACLE_PHANTOM);
    cr_expect_eq(on_top(in_code_of('!', ORACLE_PLACE_NATIVE)), ORACLE_TRANSITION);
}

// b on top of a thread in compiled code of `owner`, at `bci`.
static enum oracle_verdict on_top_of(char owner, int32_t bci) {
    struct oracle_context context = {.in_transition_allowed = true,
                                     .place = in_code_of(owner, ORACLE_PLACE_COMPILED)};
    struct oracle_judgement judgement;
    oracle_methods_describe(methods, number_of('b'), code_of_b());
    load_stack("cd");
    uint32_t count = load_trace("bcd");
    frames[0].bci = bci;
    return judge_both(&stack, methods, frames, count, &context, &judgement);
}

Test(judge, a_compiled_frame_in_transition_is_the_codes_own_or_inlined_there) {
    cr_expect_eq(on_top_of('b', 7), ORACLE_TRANSITION, "its frame is there");
    cr_expect_eq(on_top_of('c', 2), ORACLE_TRANSITION, "inlined, about to push");
    cr_expect_eq(on_top_of('d', 14), ORACLE_TRANSITION, "inlined deeper, about to return");
    cr_expect_eq(on_top_of('c', -1), ORACLE_TRANSITION);
    cr_expect_eq(on_top_of('c', 7), ORACLE_PHANTOM, "inlined, in the middle");
    cr_expect_eq(on_top_of('e', 2), ORACLE_PHANTOM, "the code's own frame is not there");
}

Test(judge, a_transition_that_only_the_walker_speaks_for_is_marked) {
    cr_expect(judge_at("c", "bc", unknown).believed);
    cr_expect_not(judge_at("c", "bc", interpreted('b', 14)).believed);
    cr_expect_not(judge_at("bc", "bc", unknown).believed);
}

Test(judge, entries_and_instrumented_frames_are_counted) {
    struct oracle_context context = {.in_transition_allowed = true, .base = 1};
    struct oracle_judgement judgement;
    load_stack("abc");
    judge_both(&stack, methods, frames, load_trace("!za.b.cx"), &context, &judgement);
    cr_assert_eq(judgement.verdict, ORACLE_TRANSITION);
    cr_assert_eq(judgement.expected, 3);
    cr_assert_eq(judgement.observed, 4);
    context.base = 0;
    judge_both(&stack, methods, frames, load_trace("a.b"), &context, &judgement);
    cr_assert_eq(judgement.verdict, ORACLE_TRUNCATED);
    cr_assert_eq(judgement.expected, 3);
    cr_assert_eq(judgement.observed, 2);
}

Test(judge, an_entry_that_takes_an_uninstrumented_frame_is_counted_as_compared) {
    struct oracle_context context = {0};
    struct oracle_judgement judgement;
    load_stack("a**c*");
    judge_both(&stack, methods, frames, load_trace("a.zc."), &context, &judgement);
    cr_assert_eq(judgement.verdict, ORACLE_AGREE);
    cr_assert_eq(judgement.expected, 5);
    cr_assert_eq(judgement.observed, 3);
}

// Describes c as a method with these flags.
static void describe_c(uint32_t flags) {
    static struct oracle_sites c;
    c.flags = flags;
    oracle_methods_describe_sites(methods, id_of('c'), &c);
}

// The stack is "ca": a has called b, and the VM runs c on b's behalf before b pushes.
static enum oracle_verdict judge_upcall(int32_t bci, bool described) {
    struct oracle_context context = {0};
    struct oracle_judgement judgement;
    if (described) oracle_methods_describe(methods, number_of('b'), code_of_b());
    load_stack("ca");
    uint32_t count = load_trace("!cba");
    frames[2].bci = bci;
    return judge_both(&stack, methods, frames, count, &context, &judgement);
}

Test(judge, a_caller_in_its_push_sequence_has_not_pushed) {
    cr_expect_eq(judge_upcall(0, true), ORACLE_TRANSITION);
    cr_expect_eq(judge_upcall(3, true), ORACLE_TRANSITION);
    cr_expect_eq(judge_upcall(12, true), ORACLE_PHANTOM);
    cr_expect_eq(judge_upcall(ORACLE_BCI_ENTRY, true), ORACLE_TRANSITION);
}

// A walk that loses the older b, under a younger one of the same method that has not pushed.
Test(judge, a_caller_in_its_push_sequence_is_not_taken_for_an_older_one_of_its_method) {
    struct oracle_context context = {0};
    struct oracle_judgement judgement;
    oracle_methods_describe(methods, number_of('b'), code_of_b());
    load_stack("cba");
    uint32_t count = load_trace("!cba");
    frames[2].bci = 0;
    cr_expect_eq(judge_both(&stack, methods, frames, count, &context, &judgement), ORACLE_AGREE);
    count = load_trace("!cbba");
    frames[2].bci = 0;
    frames[3].bci = 7;
    cr_expect_eq(judge_both(&stack, methods, frames, count, &context, &judgement),
                 ORACLE_TRANSITION);
}

Test(judge, a_caller_before_its_push_is_passed_over_under_a_method_that_the_vm_calls) {
    describe_c(ORACLE_METHOD_UPCALL);
    cr_expect_eq(judge_upcall(0, true), ORACLE_TRANSITION);
    describe_c(0);
    cr_expect_eq(judge_upcall(0, true), ORACLE_PHANTOM);
    cr_expect_eq(judge_upcall(3, true), ORACLE_PHANTOM);
    describe_c(ORACLE_METHOD_OPAQUE);
    cr_expect_eq(judge_upcall(0, true), ORACLE_TRANSITION, "unknown");
}

// Where pushes are inlined our own frames stand between c and b, whose push is under way.
static enum oracle_verdict judge_inlined(const char* entries, const char* trace, int32_t bci) {
    struct oracle_context context = {0};
    struct oracle_judgement judgement;
    oracle_methods_describe(methods, number_of('b'), code_of_b());
    load_stack(entries);
    uint32_t count = load_trace(trace);
    frames[strchr(trace, 'b') - trace].bci = bci;
    return judge_both(&stack, methods, frames, count, &context, &judgement);
}

Test(judge, the_vm_may_call_on_behalf_of_a_method_into_which_its_push_is_inlined) {
    cr_expect_eq(judge_inlined("ca", "c!!ba", 0), ORACLE_TRANSITION);
    cr_expect_eq(judge_inlined("cba", "c!!ba", 0), ORACLE_AGREE, "it has pushed");
    cr_expect_eq(judge_inlined("ca", ".c!!ba", 3), ORACLE_TRANSITION);
    cr_expect_eq(judge_inlined("cba", "c!!ba", 12), ORACLE_AGREE, "it pops");
    cr_expect_eq(judge_inlined("ca", "c!!ba", 12), ORACLE_PHANTOM, "it pops, and has no entry");
    cr_expect_eq(judge_inlined("ca", "c!!ba", 7), ORACLE_PHANTOM, "its body is not ours");
    cr_expect_eq(judge_inlined("cba", "c!!ba", 7), ORACLE_PHANTOM);
    cr_expect_eq(judge_inlined("cba", "cb!!a", 0), ORACLE_PHANTOM, "a is not in its push");
    cr_expect_eq(judge_inlined("cb", "cb!", 0), ORACLE_PHANTOM, "nothing is below");
    describe_c(0);
    cr_expect_eq(judge_inlined("ca", "c!!ba", 0), ORACLE_PHANTOM, "the VM does not call c");
    cr_expect_eq(judge_inlined("cba", "c!!ba", 0), ORACLE_PHANTOM);
    describe_c(ORACLE_METHOD_UPCALL);
    cr_expect_eq(judge_inlined("ca", "c!!ba", 0), ORACLE_TRANSITION);
}

// The same stack, but b has popped, and the VM runs c on b's behalf at b's return.
static enum oracle_verdict judge_registering(int32_t bci, uint32_t length, const char* trace) {
    static union {
        struct oracle_code code;
        char room[sizeof(struct oracle_code) + 2 * sizeof(struct oracle_range)];
    } b;
    struct oracle_context context = {0};
    struct oracle_judgement judgement;
    b.code.length = length;
    b.code.range_count = 2;
    b.code.ranges[0] = (struct oracle_range){0, 6};
    b.code.ranges[1] = (struct oracle_range){6, 12};
    oracle_methods_describe(methods, number_of('b'), &b.code);
    load_stack(trace[1] == 'b' ? "a" : "ca");
    uint32_t count = load_trace(trace);
    frames[strchr(trace, 'b') - trace].bci = bci;
    return judge_both(&stack, methods, frames, count, &context, &judgement);
}

Test(judge, a_caller_at_a_return_that_ends_its_code_has_popped) {
    cr_expect_eq(judge_registering(12, 13, "!cba"), ORACLE_TRANSITION);
    cr_expect_eq(judge_registering(11, 13, "!cba"), ORACLE_PHANTOM);
    cr_expect_eq(judge_registering(12, 14, "!cba"), ORACLE_PHANTOM, "more code follows");
    cr_expect_eq(judge_registering(12, 13, "!ba"), ORACLE_PHANTOM, "it calls nothing");
}

Test(judge, only_code_that_pushes_first_can_be_met_before_its_push) {
    cr_expect_eq(judge_upcall(0, false), ORACLE_PHANTOM);
}
