// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Captured gaps, as rows. Traces are written youngest first, two characters a frame: its method,
// and its bytecode index from 0 to 9, n for a native frame, or - before the first instruction.
//   a to z   instrumented methods
//   . , :    three methods that are not instrumented
//   !        our own push
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "both.h"
#include "oracle/oracle.h"

#define FRAMES_MAX 64
#define OWN_ID 0x80u

static struct oracle_stack stack;
static struct oracle_methods* methods;
static struct oracle_frame frames[FRAMES_MAX];

static uintptr_t id_of(char c) {
    return c == '!' ? OWN_ID : (uintptr_t)c * 8 + 0x1000;
}

static void open_all(void) {
    static const struct oracle_code code = {.length = 10};
    cr_assert_eq(oracle_stack_init(&stack, FRAMES_MAX), 0);
    methods = oracle_methods_open();
    cr_assert_not_null(methods);
    for (char c = 'a'; c <= 'y'; c++) {
        oracle_methods_bind(methods, id_of(c), (uint32_t)c);
        oracle_methods_describe(methods, (uint32_t)c, &code);
    }
    for (const char* c = ".,:"; *c != '\0'; c++)
        oracle_methods_bind(methods, id_of(*c), ORACLE_FOREIGN);
    oracle_methods_bind(methods, OWN_ID, ORACLE_OWN);
}

static void close_all(void) {
    oracle_methods_close(methods);
    oracle_stack_free(&stack);
}

TestSuite(gaps, .init = open_all, .fini = close_all);

static int32_t bci_of(char c) {
    return c == 'n' ? ORACLE_BCI_NATIVE : c == '-' ? ORACLE_BCI_ENTRY : c - '0';
}

static uint32_t load_trace(const char* trace) {
    uint32_t count = (uint32_t)strlen(trace) / 2;
    for (uint32_t i = 0; i < count; i++)
        frames[i] =
            (struct oracle_frame){.method = id_of(trace[2 * i]), .bci = bci_of(trace[2 * i + 1])};
    return count;
}

static void push_all(const char* entries) {
    oracle_stack_reset(&stack);
    for (size_t i = strlen(entries); i-- > 0;) oracle_push(&stack, (uint32_t)entries[i], 0);
}

static uint32_t capture(const char* trace, uint32_t base, bool limit) {
    struct oracle_context context = {.base = base, .depth_limit = limit};
    return oracle_capture(&stack, methods, frames, load_trace(trace), &context);
}

static struct oracle_judgement judged(const char* trace, bool limit) {
    struct oracle_context context = {.in_transition_allowed = true, .depth_limit = limit};
    struct oracle_judgement judgement;
    judge_both(&stack, methods, frames, load_trace(trace), &context, &judgement);
    return judgement;
}

static void expect(const char* trace, enum oracle_verdict verdict, uint32_t difference) {
    struct oracle_judgement j = judged(trace, false);
    cr_expect_eq(j.verdict, verdict, "%s is called %s, expected %s", trace,
                 oracle_verdict_text(j.verdict), oracle_verdict_text(verdict));
    cr_expect_eq(j.difference, difference, "%s: at %u", trace, j.difference);
}

// ---- Comparing ----------------------------------------------------------------------------------

// The stack of most tests. The thread's first frame called c, and c called b. b called a native
// method, that one another method, and that one a; both are not instrumented.
static void capture_usual(void) {
    push_all("abc");
    cr_assert_eq(capture("!na1.2,nb3c4:5", 0, false), 3);
}

Test(gaps, the_same_frames_agree_and_are_counted) {
    capture_usual();
    struct oracle_judgement j = judged("a9.2,nb3c4:5", false);
    cr_expect_eq(j.verdict, ORACLE_AGREE);
    cr_expect_eq(j.gap_frames, 3);
    cr_expect_eq(j.caller_bcis, 2);
    expect(".8a9.2,nb3c4:5", ORACLE_AGREE, 0); // the frames above a are unknown
    expect("x1a9.2,nb3c4:5", ORACLE_TRANSITION, 0);
}

Test(gaps, a_gap_frame_that_is_absent_is_missing) {
    capture_usual();
    expect("a9,nb3c4:5", ORACLE_MISSING, 1);
    expect("a9.2b3c4:5", ORACLE_MISSING, 2);
    expect("a9b3c4:5", ORACLE_MISSING, 1);
}

Test(gaps, a_gap_frame_too_many_is_a_phantom) {
    capture_usual();
    expect("a9.2,n:1b3c4:5", ORACLE_PHANTOM, 3);
    expect("a9.2,nb3:1c4:5", ORACLE_PHANTOM, 4);
    expect("a9.2,nb3c4:5.1", ORACLE_PHANTOM, 6);
}

Test(gaps, another_gap_frame_is_a_wrong_method) {
    capture_usual();
    expect("a9:2,nb3c4:5", ORACLE_WRONG_METHOD, 1);
    expect("a9,n.2b3c4:5", ORACLE_WRONG_METHOD, 1);
}

Test(gaps, another_bci_is_wrong_in_a_gap_and_at_a_call) {
    capture_usual();
    expect("a9.3,nb3c4:5", ORACLE_WRONG_BCI, 1);
    expect("a9.2,nb2c4:5", ORACLE_WRONG_BCI, 3);
    expect("a9.2,nb3c0:5", ORACLE_WRONG_BCI, 4);
    expect("a9.2,nb3c4:6", ORACLE_WRONG_BCI, 5);
    expect("a9.2,nb1c1:6", ORACLE_WRONG_BCI, 3); // the youngest
}

// The VM called the point's method before the comma's began. GetStackTrace said 0 of that.
Test(gaps, a_frame_before_its_first_instruction_was_captured_at_bci_0) {
    push_all("ab");
    cr_assert_eq(capture("!na1.7,0b4:0", 0, false), 2);
    expect("a5.7,-b4:-", ORACLE_AGREE, 0);
    expect("a5.7,0b4:0", ORACLE_AGREE, 0);
    expect("a5.-,0b4:0", ORACLE_WRONG_BCI, 1);
    expect("a5:-", ORACLE_MISSING, 2); // it reaches the thread's first frame
    push_all("ab");
    cr_assert_eq(capture("!na1.7,nb4:0", 0, false), 2);
    expect("a5.7,-b4:0", ORACLE_WRONG_KIND, 2);
}

// It was captured before its class was instrumented, and now looks like an entry's frame.
Test(gaps, a_gap_frame_whose_method_is_instrumented_since_is_a_phantom) {
    capture_usual();
    oracle_methods_bind(methods, id_of(','), 'Z');
    expect("a9.2,nb3c4:5", ORACLE_PHANTOM, 2);
}

Test(gaps, a_native_frame_called_java_is_of_the_wrong_kind) {
    capture_usual();
    expect("a9.2,1b3c4:5", ORACLE_WRONG_KIND, 2);
    expect("a9.n,nb3c4:5", ORACLE_WRONG_KIND, 1);
    expect("a9.2,nbnc4:5", ORACLE_WRONG_KIND, 3);
}

Test(gaps, the_threads_first_frames_are_known_too) {
    capture_usual();
    expect("a9.2,nb3c4", ORACLE_TRUNCATED, 5);
    expect("a9.2,nb3", ORACLE_TRUNCATED, 4);
}

Test(gaps, a_trace_that_reaches_the_threads_first_frame_is_not_truncated) {
    capture_usual();
    expect(":5", ORACLE_MISSING, 1);
    expect("a9:5", ORACLE_MISSING, 2);
    expect("x1a9:5", ORACLE_MISSING, 3);
    expect(":4", ORACLE_TRUNCATED, 1); // the same method elsewhere
    expect("a9.5", ORACLE_TRUNCATED, 2);
}

Test(gaps, a_wrong_entry_comes_before_a_wrong_gap) {
    capture_usual();
    expect("a9.2c4:5", ORACLE_MISSING, 2);
    expect("a9b3c4xy:5", ORACLE_PHANTOM, 3);
}

Test(gaps, a_full_buffer_is_compared_as_far_as_it_goes) {
    capture_usual();
    cr_expect_eq(judged("a9.2", true).verdict, ORACLE_AGREE);
    cr_expect_eq(judged("a9.2,nb3c4", true).verdict, ORACLE_AGREE);
    cr_expect_eq(judged("a9:2b3", true).verdict, ORACLE_WRONG_METHOD);
    cr_expect_eq(judged("a9.3,nb3", true).verdict, ORACLE_WRONG_BCI);
    cr_expect_eq(judged("a9:2", true).verdict, ORACLE_TRANSITION); // may be a newer a
}

Test(gaps, they_go_with_their_entry_and_what_is_pushed_then_has_none) {
    capture_usual();
    cr_expect(oracle_pop(&stack, 'a'));
    expect("b9c4:5", ORACLE_AGREE, 0);
    expect("a9:1b8c4:5", ORACLE_TRANSITION, 0); // a has popped and not left: any gap below
    oracle_push(&stack, 'a', 0);
    expect("a9:1:2b7c4:5", ORACLE_AGREE, 0);
    cr_expect(oracle_pop(&stack, 'a') && oracle_pop(&stack, 'b') && oracle_pop(&stack, 'c'));
    cr_expect_eq(oracle_top(&stack), 0u);
    cr_expect_eq(stack.misfit, 0u);
}

// ---- Capturing ----------------------------------------------------------------------------------

Test(gaps, what_was_captured_stays_and_the_rest_is_added) {
    push_all("bc");
    cr_expect_eq(capture("!nb1.2c3:4", 0, false), 2);
    oracle_push(&stack, 'a', 0);
    cr_expect_eq(capture("!na1,2b5.2c3:4", 0, false), 1);
    cr_expect_eq(capture("!na1,2b5.2c3:4", 0, false), 0);
    expect("a1,2b5.2c3:4", ORACLE_AGREE, 0);
    expect("a1,2b4.2c3:4", ORACLE_WRONG_BCI, 2);
    expect("a1,2b5.2c3:3", ORACLE_WRONG_BCI, 5);
    cr_expect_eq(oracle_stack_depth(&stack), 3);
}

Test(gaps, a_short_walk_captures_what_it_shows_whole) {
    push_all("abc");
    cr_expect_eq(capture("!na1.2b3,1", 0, true), 1);
    expect("a1.2b3:7:8c4", ORACLE_AGREE, 0);
    expect("a1.2b2:7:8c4", ORACLE_WRONG_BCI, 2);
    cr_expect_eq(capture("!na1.2b3,1c4:5", 0, false), 2);
    expect("a1.2b3:7c4:5", ORACLE_WRONG_METHOD, 3);
}

Test(gaps, a_walk_of_another_stack_captures_nothing) {
    push_all("abc");
    cr_expect_eq(capture("!nx1b2c3", 0, false), 0);
    cr_expect_eq(capture("!na1x2c3", 0, false), 0);
    cr_expect_eq(capture("!n.1a2b3c4", 0, false), 0);
    cr_expect_eq(capture("", 0, false), 0);
    cr_expect_eq(capture("!n", 0, false), 0);
    cr_expect_eq(oracle_top(&stack), 3u);
    push_all("");
    cr_expect_eq(capture("!n.1", 0, false), 0);
}

Test(gaps, a_caller_in_its_push_sequence_has_not_pushed) {
    struct oracle_code* code = calloc(1, sizeof *code + sizeof code->ranges[0]);
    cr_assert_not_null(code);
    *code = (struct oracle_code){.length = 40, .range_count = 1};
    code->ranges[0] = (struct oracle_range){0, 6};
    oracle_methods_describe(methods, 'b', code);
    push_all("ab");
    cr_expect_eq(capture("!na1.2b0b7", 0, false), 0);
    cr_expect_eq(capture("!na1.2b3b7", 0, false), 0);
    cr_expect_eq(capture("!na1.2b6", 0, false), 2);
    free(code);
}

Test(gaps, the_base_is_not_captured) {
    push_all("ab");
    cr_expect_eq(capture("!na1.2b3,1", 1, false), 1);
    struct oracle_context context = {.base = 1};
    struct oracle_judgement j;
    cr_expect_eq(oracle_judge(&stack, methods, frames, load_trace("a1.2b3"), &context, &j),
                 ORACLE_AGREE);
}

Test(gaps, an_overflowed_stack_and_one_without_room_capture_nothing) {
    push_all("ab");
    stack.beyond = 1;
    cr_expect_eq(capture("!na1.2b3", 0, false), 0);
    stack.beyond = 0;
    stack.capacity = 8;
    cr_expect_eq(capture("!na1.2b3", 0, false), 0); // 5 slots: 2 entries, 2 calls, 1 frame
    stack.capacity = 10;
    cr_expect_eq(capture("!na1.2b3", 0, false), 2);
    stack.capacity = FRAMES_MAX;
}

// ---- Below the youngest physical frame ----------------------------------------------------------

#define OWNER_POSITION 5

// The youngest physical frame is of a method: how its entries are known, and whether the trace
// shows one frame of the code's debug information.
struct owner_row {
    char owner;
    uint32_t position, shown, held;
};

static const struct owner_row by_debug = {'m', ORACLE_POSITION_INLINED, 1, 0};
static const struct owner_row inlined = {'m', ORACLE_POSITION_INLINED, 0, 0};
static const struct owner_row by_position = {'m', OWNER_POSITION, 0, 0};

static void is(enum oracle_verdict expected, struct owner_row row, const char* trace, bool limit) {
    const struct oracle_owner owner = {
        .method = id_of(row.owner), .position = row.position, .shown = row.shown, .held = row.held};
    const struct oracle_context context = {
        .in_transition_allowed = true,
        .depth_limit = limit,
        .place = {.kind = ORACLE_PLACE_COMPILED, .method = owner.method}};
    struct oracle_judgement j;
    uint32_t count = load_trace(trace);
    oracle_judge(&stack, methods, frames, count, &context, &j);
    oracle_attribute(&stack, methods, frames, count, &context, &owner, &j);
    cr_expect_eq(j.verdict, expected, "%s of %c's is called %s, expected %s", trace, row.owner,
                 oracle_verdict_text(j.verdict), oracle_verdict_text(expected));
}

// The first `inner` entries are pushed from the youngest frame, the others from further down.
static void capture_below(const char* entries, uint32_t inner, const char* trace) {
    oracle_stack_reset(&stack);
    for (uint32_t i = (uint32_t)strlen(entries); i-- > 0;)
        oracle_push(&stack, (uint32_t)entries[i], i < inner ? OWNER_POSITION : OWNER_POSITION - 2);
    cr_assert_eq(capture(trace, 0, false), strlen(entries));
}

static void lies_below_m(struct owner_row row) {
    is(ORACLE_MISSING, row, "m9,nb3c4:5", false);
    is(ORACLE_MISSING, row, "m9b3c4:5", false);
    is(ORACLE_WRONG_METHOD, row, "m9:2,nb3c4:5", false);
    is(ORACLE_PHANTOM, row, "m9.2:1,nb3c4:5", false);
    is(ORACLE_WRONG_BCI, row, "m9.3,nb3c4:5", false);
    is(ORACLE_WRONG_BCI, row, "m9.2,nb2c4:5", false);
}

Test(gaps, a_lie_right_below_the_youngest_frame_is_walking) {
    capture_below("mbc", 1, "!nm1.2,nb3c4:5");
    lies_below_m(by_debug);
    lies_below_m(inlined);
    lies_below_m(by_position);
}

// a is inlined into m, and no frame of the trace is a's.
static void other_scopes_of_m(struct owner_row row) {
    is(ORACLE_ATTRIBUTION, row, "m9.2,nb3c4:5", false);
    is(ORACLE_MISSING, row, "m9,nb3c4:5", false);
    is(ORACLE_MISSING, row, "m9.3,nb3c4:5", false);
    is(ORACLE_MISSING, row, "m9.2,nb2c4:5", false);
    is(ORACLE_TRUNCATED, row, "m9.2", false);
}

Test(gaps, other_scopes_of_the_youngest_frame_do_not_excuse_a_lie_below_it) {
    capture_below("ambc", 2, "!na1m7.2,nb3c4:5");
    other_scopes_of_m(by_debug);
    other_scopes_of_m(inlined);
    other_scopes_of_m(by_position);
    is(ORACLE_ATTRIBUTION, inlined, "x1y1m9.2,nb3c4:5", false);
    is(ORACLE_ATTRIBUTION, inlined, "x1y1m9.2", true);
    is(ORACLE_TRUNCATED, inlined, "x1y1m9.2", false);
    is(ORACLE_WRONG_METHOD, inlined, "x1y1m9,nb3c4:5", false);
}

Test(gaps, a_walk_that_ends_in_the_threads_first_gap_is_truncated) {
    capture_below("am", 2, "!na1m7.2:5");
    is(ORACLE_ATTRIBUTION, by_debug, "m9.2:5", false);
    is(ORACLE_TRUNCATED, by_debug, "m9.2", false);
    is(ORACLE_TRUNCATED, by_position, "m9", false);
    is(ORACLE_MISSING, by_debug, "m9:5", false);
    is(ORACLE_MISSING, by_debug, "m9.3:5", false);
    is(ORACLE_MISSING, by_position, "m9.2:5.1", false);
}

// a and an uninstrumented method are inlined into the point's, whose frame is in a's gap.
Test(gaps, below_an_owner_that_is_not_instrumented_the_older_part_of_the_gap_is_known) {
    const struct owner_row held = {'.', ORACLE_POSITION_INLINED, 0, 1 << 1};
    const struct owner_row positioned = {'.', OWNER_POSITION, 0, 0};
    capture_below("abc", 1, "!na1:7.2,nb3c4:5");
    is(ORACLE_ATTRIBUTION, held, ".9,nb3c4:5", false);
    is(ORACLE_ATTRIBUTION, positioned, ".9,nb3c4:5", false);
    is(ORACLE_MISSING, held, ".9b3c4:5", false);
    is(ORACLE_MISSING, positioned, ".9b3c4:5", false);
    is(ORACLE_MISSING, positioned, ".9,nb2c4:5", false);
    capture_below("abc", 1, "!na1.7.2,nb3c4:5"); // inlined into itself, or called by itself
    is(ORACLE_ATTRIBUTION, positioned, ".9,nb3c4:5", false);
    is(ORACLE_ATTRIBUTION, positioned, ".9.2,nb3c4:5", false);
    is(ORACLE_MISSING, positioned, ".9.2b3c4:5", false);
}

// ---- At random ----------------------------------------------------------------------------------

static uint64_t seed;

static uint32_t below(uint32_t limit) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % limit;
}

// Makes a thread's frames, youngest first: a, b and c are instrumented, the others are not. Returns
// their number.
static uint32_t make_trace(char* trace) {
    uint32_t count = 2 + below(12);
    for (uint32_t i = 0; i < count; i++) {
        trace[2 * i] = i == 0 ? 'a' : "abc.,:"[below(6)];
        trace[2 * i + 1] = (char)('1' + below(8));
    }
    trace[2 * count] = '\0';
    return count;
}

static void push_frames(const char* trace, uint32_t count) {
    oracle_stack_reset(&stack);
    for (uint32_t i = count; i-- > 0;)
        if (trace[2 * i] >= 'a') oracle_push(&stack, (uint32_t)trace[2 * i], 0);
}

// Makes one change below the youngest frame.
static void lie(char* trace, uint32_t count) {
    uint32_t at = 1 + below(count - 1);
    switch (below(3)) {
    case 0: memmove(trace + 2 * at, trace + 2 * at + 2, 2 * (count - at) - 1); break;
    case 1:
        trace[2 * at + 1] = trace[2 * at + 1] == '9' ? '1' : (char)(trace[2 * at + 1] + 1);
        break;
    default: trace[2 * at] = trace[2 * at] == ':' ? '.' : ':'; break;
    }
}

Test(gaps, where_all_gaps_are_captured_every_lie_is_found) {
    char trace[FRAMES_MAX], told[FRAMES_MAX], walk[FRAMES_MAX + 2];
    for (seed = 1; seed < 20000; seed++) {
        uint64_t kept = seed;
        uint32_t count = make_trace(trace);
        push_frames(trace, count);
        snprintf(walk, sizeof walk, "!n%s", trace);
        cr_assert_eq(capture(walk, 0, false), oracle_stack_depth(&stack), "%s", trace);
        cr_assert_eq(judged(trace, false).verdict, ORACLE_AGREE, "%s", trace);
        memcpy(told, trace, sizeof told);
        lie(told, count);
        enum oracle_verdict verdict = judged(told, false).verdict;
        cr_assert(oracle_is_mismatch(verdict), "%s for %s is called %s", told, trace,
                  oracle_verdict_text(verdict));
        seed = kept;
    }
}
