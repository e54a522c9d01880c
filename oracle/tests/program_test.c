// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Random programs (program.h), judged after every step. The verdict on the true trace must be the
// one that the list of real frames gives; the verdict on a lie, a changed trace, must be the one
// that the rule (rule.h) gives.
//   PLUMBLINE_SEED=n      begins with this seed; a failure prints the seed that repeats it
//   PLUMBLINE_PROGRAMS=n  runs this many programs in each test
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/logging.h>

#include "both.h"
#include "program.h"

#define TRACE_MAX (PROGRAM_FRAMES + 4)
// Programs in each test. Under a sanitizer one second becomes ten.
#if defined(__SANITIZE_ADDRESS__)
#define PROGRAMS 30
#else
#define PROGRAMS 150
#endif
#define STEPS 400          // in each program
#define LIES_ALL_ONE_IN 97 // all lies are told at one look in 97; a few lies at the others

static uint64_t lies_told, lies_refuted, cuts_told;

// ---- Judging ------------------------------------------------------------------------------------

static enum oracle_verdict ask(const struct program* p, const struct oracle_frame* trace,
                               uint32_t count, bool full) {
    struct oracle_context context = {
        .base = p->base, .depth_limit = full, .in_transition_allowed = true};
    struct oracle_judgement judgement;
    return judge_both(&p->stack, p->methods, trace, count, &context, &judgement);
}

static enum rule_class expect(const struct program* p, const struct oracle_frame* trace,
                              uint32_t count, bool full) {
    struct rule_stack entries = program_entries(p);
    struct rule_trace observed = {
        .frames = trace, .count = count, .base = p->base, .full = full, .transition_allowed = true};
    return rule_judge(&entries, &observed);
}

static void differ(const struct program* p, const struct oracle_frame* trace, uint32_t count,
                   enum oracle_verdict verdict, enum rule_class expected) {
    static char text[128];
    snprintf(text, sizeof text, "called %s, expected %s", oracle_verdict_text(verdict),
             rule_text(expected));
    program_fail(p, text, trace, count);
}

// ---- The truth ----------------------------------------------------------------------------------

// The verdict that the list of real frames gives, if the entries are exact. With a base there is no
// claim about a frame in transition, because it may be taken for a frame of a base that has become
// smaller.
static enum rule_class truth_of(const struct program* p) {
    if (p->odds.nameless != 0) return RULE_NO_CLAIM;
    if (p->beyond != 0) return p->base == 0 && !program_in_upcall(p) ? RULE_AGREE : RULE_NO_CLAIM;
    if (!program_in_transition(p)) return RULE_AGREE;
    return p->base == 0 ? RULE_TRANSITION : RULE_NO_CLAIM;
}

// Captured gaps tell more than the rule does: they reveal more lies, and they tell which of two
// readings is right if the trace was cut or may end in the base.
static bool is_told_apart(const struct program* p, enum rule_class expected, enum rule_class class,
                          bool full) {
    return expected == RULE_AGREE && class == RULE_TRANSITION && (full || p->base != 0) &&
           program_has_gaps(p);
}

static void judge_truth(const struct program* p, const struct oracle_frame* trace, uint32_t count) {
    enum oracle_verdict verdict = ask(p, trace, count, false);
    enum rule_class class = rule_class_of(verdict);
    enum rule_class expected = expect(p, trace, count, false);
    // A frame may be taken for that of an entry that vanished. Its gap then differs from the
    // entry's.
    bool stale = !program_is_exact(p) && class == RULE_MISMATCH && program_has_gaps(p);
    if (expected != RULE_NO_CLAIM && class != expected && !stale &&
        !is_told_apart(p, expected, class, false))
        differ(p, trace, count, verdict, expected);
    if (!program_is_exact(p)) return;
    expected = truth_of(p);
    if (expected != RULE_NO_CLAIM && class != expected) differ(p, trace, count, verdict, expected);
    // The truth is never a mismatch, even if other facts are unknown.
    if (class == RULE_MISMATCH) differ(p, trace, count, verdict, RULE_AGREE);
}

// ---- Lies ---------------------------------------------------------------------------------------

struct lie {
    struct oracle_frame frames[TRACE_MAX];
    uint32_t count;
    bool full;
};

enum { DROP, DUPLICATE, SWAP, SWAP_ANY, REPLACE, INSERT, CUT, TAIL, FULL, WAYS };

static struct oracle_frame any_frame(struct program* p) {
    static const uintptr_t others[] = {RULE_FOREIGN_ID, RULE_NATIVE_ID, RULE_OWN_ID,
                                       RULE_STRANGE_ID, 0};
    uint32_t number = 1 + program_random(p, RULE_METHODS - 1);
    uintptr_t id = number == RULE_NAMELESS || program_random(p, 3) == 0
                       ? others[program_random(p, 5)]
                       : rule_id_of(number);
    return (struct oracle_frame){id, (int32_t)program_random(p, 3) * 10, 0};
}

static void insert(struct lie* lie, uint32_t at, struct oracle_frame frame) {
    memmove(lie->frames + at + 1, lie->frames + at, (lie->count - at) * sizeof frame);
    lie->frames[at] = frame;
    lie->count++;
}

static void erase(struct lie* lie, uint32_t at) {
    lie->count--;
    memmove(lie->frames + at, lie->frames + at + 1, (lie->count - at) * sizeof lie->frames[0]);
}

// Makes one change at `at`, where the lie has a frame.
static void tell(struct program* p, struct lie* lie, uint32_t way, uint32_t at) {
    struct oracle_frame frame = lie->frames[at];
    uint32_t other = way == SWAP ? (at + 1) % lie->count : program_random(p, lie->count);
    switch (way) {
    case DROP: erase(lie, at); break;
    case DUPLICATE: insert(lie, at, frame); break;
    case SWAP:
    case SWAP_ANY:
        lie->frames[at] = lie->frames[other];
        lie->frames[other] = frame;
        break;
    case REPLACE: lie->frames[at] = any_frame(p); break;
    case INSERT: insert(lie, at, any_frame(p)); break;
    case CUT: lie->count = at; break;
    case TAIL:
        while (at-- > 0) erase(lie, 0);
        break;
    default: lie->count = at, lie->full = true; break;
    }
}

// Judges a trace with one or two changes. Such a trace may still be true.
static void judge_lie(const struct program* p, const struct lie* lie) {
    enum rule_class expected = expect(p, lie->frames, lie->count, lie->full);
    if (expected == RULE_NO_CLAIM) return;
    enum oracle_verdict verdict = ask(p, lie->frames, lie->count, lie->full);
    enum rule_class class = rule_class_of(verdict);
    lies_told++;
    lies_refuted += class == RULE_MISMATCH;
    bool refuted = expected <= RULE_TRANSITION && class == RULE_MISMATCH && program_has_gaps(p);
    if (class != expected && !refuted && !is_told_apart(p, expected, class, lie->full))
        differ(p, lie->frames, lie->count, verdict, expected);
}

// Judges the truth as cut by a full buffer, which is right.
static void judge_cut(const struct program* p, const struct lie* lie) {
    enum oracle_verdict verdict = ask(p, lie->frames, lie->count, true);
    cuts_told++;
    if (program_is_exact(p) && oracle_is_mismatch(verdict))
        differ(p, lie->frames, lie->count, verdict, RULE_AGREE);
}

static void judge_one_lie(struct program* p, const struct lie* truth, uint32_t way, uint32_t at) {
    struct lie lie = *truth;
    tell(p, &lie, way, at);
    if (way == FULL) judge_cut(p, &lie);
    judge_lie(p, &lie);
    if (lie.count == 0 || lie.count + 1 >= TRACE_MAX) return;
    tell(p, &lie, program_random(p, WAYS), program_random(p, lie.count));
    judge_lie(p, &lie);
}

static void judge_lies(struct program* p, const struct lie* truth) {
    if (truth->count == 0) return;
    if (p->counts.looks % LIES_ALL_ONE_IN != 0) {
        judge_one_lie(p, truth, program_random(p, WAYS), program_random(p, truth->count));
        return;
    }
    for (uint32_t way = 0; way < WAYS; way++)
        for (uint32_t at = 0; at < truth->count; at++) judge_one_lie(p, truth, way, at);
}

// Whether the frame has an entry and must be read as the frame of that entry.
static bool has_entry(const struct program* p, uint32_t at) {
    if (p->base != 0 || p->beyond != 0 || p->odds.nameless != 0 || !program_is_exact(p))
        return false;
    return at >= p->native && p->frames[p->depth - 1 + p->native - at].state == PROGRAM_PUSHED;
}

// Judges a trace in which only the bci of one frame is wrong.
static void judge_bci(struct program* p, const struct lie* truth) {
    struct oracle_judgement judgement;
    struct oracle_context context = {.in_transition_allowed = true};
    if (truth->count == 0) return;
    uint32_t at = program_random(p, truth->count);
    if (!has_entry(p, at)) return;
    struct lie lie = *truth;
    bool native = program_random(p, 2) == 0;
    lie.frames[at].bci = native ? ORACLE_BCI_NATIVE : RULE_CODE_LENGTH;
    lies_told++;
    enum oracle_verdict verdict =
        judge_both(&p->stack, p->methods, lie.frames, lie.count, &context, &judgement);
    if (verdict != (native ? ORACLE_WRONG_KIND : ORACLE_WRONG_BCI) || judgement.difference != at)
        differ(p, lie.frames, lie.count, verdict, RULE_MISMATCH);
}

// A bci within the code may be right. Whatever it is, both passes must say the same.
static void judge_any_bci(struct program* p, const struct lie* truth) {
    struct lie lie = *truth;
    if (truth->count == 0) return;
    lie.frames[program_random(p, truth->count)].bci = (int32_t)program_random(p, RULE_CODE_LENGTH);
    ask(p, lie.frames, lie.count, false);
}

static void judge(struct program* p) {
    struct lie truth = {0};
    truth.count = program_walk(p, truth.frames);
    judge_truth(p, truth.frames, truth.count);
    judge_bci(p, &truth);
    judge_any_bci(p, &truth);
    judge_lies(p, &truth);
}

// ---- The tests ----------------------------------------------------------------------------------

static uint64_t number_in(const char* name, uint64_t otherwise) {
    const char* text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 0) : otherwise;
}

// Printed if the tests run with --verbose.
static void report(const struct program_counts* counts) {
    cr_log_info("looks %lu, of these inexact %lu; lies %lu, of these refuted %lu; cuts %lu",
                (unsigned long)counts->looks, (unsigned long)counts->inexact,
                (unsigned long)lies_told, (unsigned long)lies_refuted, (unsigned long)cuts_told);
}

static struct program_counts run(const struct program_odds* odds, uint32_t capacity,
                                 uint64_t programs) {
    struct program_counts sum = {0};
    uint64_t first = number_in("PLUMBLINE_SEED", 1);
    for (uint64_t seed = first; seed < first + programs; seed++) {
        struct program program;
        program_open(&program, seed, odds, capacity, judge);
        program_run(&program, STEPS);
        const uint64_t* from = (const uint64_t*)&program.counts;
        for (size_t i = 0; i < sizeof sum / sizeof *from; i++) ((uint64_t*)&sum)[i] += from[i];
        program_close(&program);
    }
    report(&sum);
    return sum;
}

// A model in which nothing happens would be green too, so each test checks that the events it is
// for have happened.
#define HAPPENED(what) cr_assert(counts.what > 2 || programs < PROGRAMS, #what)

Test(program, the_truth_is_never_a_mismatch_and_a_lie_is_what_the_rule_says, .timeout = 120) {
    uint64_t programs = number_in("PLUMBLINE_PROGRAMS", PROGRAMS);
    struct program_odds odds = {.throws = 6, .upcall = 12, .base = 4, .checks = 8, .gaps = 1};
    struct program_counts counts = run(&odds, PROGRAM_ENTRIES, programs);
    cr_assert_eq(counts.inexact, 0);
    cr_assert_gt(lies_refuted, lies_told / 4);
    cr_assert_gt(cuts_told, counts.looks / 20);
    HAPPENED(returns);
    HAPPENED(catches);
    HAPPENED(unpushed);
    HAPPENED(threads);
    HAPPENED(bases);
    HAPPENED(upcalls);
    HAPPENED(gaps);
    HAPPENED(silent_handlers);
    HAPPENED(outside_catches);
}

Test(program, entries_of_constructors_that_vanished_leave_where_the_page_says, .timeout = 120) {
    uint64_t programs = number_in("PLUMBLINE_PROGRAMS", PROGRAMS);
    struct program_odds odds = {
        .throws = 3, .vanish = 1, .upcall = 30, .base = 6, .checks = 4, .gaps = 4};
    struct program_counts counts = run(&odds, PROGRAM_ENTRIES, programs);
    cr_assert_gt(counts.inexact, 0);
    cr_assert_lt(counts.inexact, counts.looks / 2);
    HAPPENED(vanished);
    HAPPENED(mended);
    HAPPENED(outside_catches);
}

Test(program, an_overflowed_stack_is_judged_as_far_as_it_is_known, .timeout = 120) {
    uint64_t programs = number_in("PLUMBLINE_PROGRAMS", PROGRAMS);
    struct program_odds odds = {.throws = 12, .upcall = 40, .base = 6, .checks = 8, .gaps = 1};
    struct program_counts counts = run(&odds, 6, programs);
    cr_assert_eq(counts.inexact, 0);
    HAPPENED(overflows);
    HAPPENED(gaps);
}

Test(program, constructors_may_vanish_from_an_overflowed_stack, .timeout = 120) {
    uint64_t programs = number_in("PLUMBLINE_PROGRAMS", PROGRAMS);
    struct program_odds odds = {.throws = 8, .vanish = 1, .checks = 16};
    struct program_counts counts = run(&odds, 6, programs);
    HAPPENED(overflows);
    HAPPENED(vanished);
}

Test(program, entries_whose_pop_was_lost_are_repaired_by_the_list, .timeout = 120) {
    uint64_t programs = number_in("PLUMBLINE_PROGRAMS", PROGRAMS);
    struct program_odds odds = {.throws = 5, .lost_pops = 20, .base = 6, .checks = 16};
    struct program_counts counts = run(&odds, PROGRAM_ENTRIES, programs);
    HAPPENED(lost);
}

Test(program, methods_whose_id_is_not_known_make_no_mismatch_of_the_truth, .timeout = 120) {
    uint64_t programs = number_in("PLUMBLINE_PROGRAMS", PROGRAMS);
    struct program_odds odds = {.throws = 6, .nameless = 6, .checks = 16};
    struct program_counts counts = run(&odds, PROGRAM_ENTRIES, programs);
    cr_assert_eq(counts.inexact, 0);
    HAPPENED(calls);
}
