// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Recorded samples judged again: each layer's verdict is given back, and hangs on what was
// recorded.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "record_made.h"
#include "record_sample.h"

static struct results_sample odd; // what a record is made of

struct again {
    struct results_replay* replay;
    const struct results_record* record;
    uint32_t judged, differ, verdicts[ORACLE_VERDICT_COUNT];
};

static void judge_again(void* context, const struct results_sample* sample, bool lost) {
    struct again* again = context;
    struct oracle_judgement judgement;
    cr_assert(!lost);
    cr_assert(results_replay_judge(again->replay, again->record, sample, &judgement));
    again->judged++;
    again->differ += judgement.verdict != sample->verdict;
    again->verdicts[judgement.verdict]++;
}

static struct again replay(const struct results_record* record, uint32_t off) {
    struct again again = {.replay = results_replay_open(off), .record = record};
    const struct results_record_visitor visitor = {&again, judge_again, NULL, NULL};
    cr_assert_eq(results_record_each(record, &visitor), 0);
    results_replay_close(again.replay);
    return again;
}

Test(replay, gives_the_verdicts_again) {
    struct made made = made_record(4, 50);
    struct results_record* record = results_record_open(made.bytes, made.size);
    struct again again = replay(record, 0);
    cr_expect_eq(again.judged, 200);
    cr_expect_eq(again.differ, 0);
    cr_expect_eq(again.verdicts[ORACLE_MISSING], 40);
    results_record_close(record);
    made_free(&made);
}

// Methods below 10 are as made_methods has them; 10 is a constructor.
static struct results_record* record_of_odd(struct made* made) {
    static const struct oracle_code constructor = {.length = 100, .may_vanish = true};
    static const struct results_names names = {.name = "Made.<init>()V"};
    const struct results_recorder_options options = {made, made_keep, NULL};
    struct results_recorder* r = results_recorder_open(&options);
    results_recorder_head(r, 0);
    made_methods(r);
    made_method(r, 10, &constructor, &names);
    results_recorder_sample(r, &odd);
    results_recorder_flush(r, 5, true);
    results_recorder_close(r);
    return results_record_open(made->bytes, made->size);
}

static void gives(uint32_t off, enum oracle_verdict verdict) {
    struct made made = {0};
    struct results_record* record = record_of_odd(&made);
    struct again again = replay(record, off);
    cr_expect_eq(again.judged, 1);
    cr_expect_eq(again.verdicts[verdict], 1, "rules off %x", off);
    results_record_close(record);
    free(made.bytes);
}

Test(replay, a_rule_left_out_changes_what_hangs_on_it) {
    static struct results_sample_frame frames[8];
    struct results_sample made = made_sample(1);
    memcpy(frames, made.frames, sizeof frames);
    odd = made;
    odd.frames = frames;
    gives(0, ORACLE_AGREE);
    frames[1].id = 0x778; // another method in the gap
    gives(0, ORACLE_WRONG_METHOD);
    gives(1u << ORACLE_RULE_GAPS, ORACLE_AGREE);
    frames[1].id = 0x777;
    frames[2].bci = 45; // not where the call was made
    gives(0, ORACLE_WRONG_BCI);
    gives(1u << ORACLE_RULE_GAPS, ORACLE_AGREE);
    gives(1u << ORACLE_RULE_BCI, ORACLE_AGREE);
    frames[2].bci = 44;
    memmove(frames + 1, frames, 4 * sizeof frames[0]);
    frames[0] = (struct results_sample_frame){0x9000, 9, 3}; // entered, not yet pushed
    odd.frame_count = odd.count = 5;
    gives(0, ORACLE_TRANSITION);
    gives(1u << ORACLE_RULE_TRANSITION, ORACLE_PHANTOM);
}

// The fuzzer found it: there was no room yet, and clang's UBSan minds an offset of 0 from NULL
// (gcc's does not).
Test(replay, a_record_may_begin_with_an_empty_trace_stack) {
    odd = made_sample(1);
    odd.slot_count = 0;
    gives(0, ORACLE_PHANTOM);
}

Test(replay, an_id_that_changes_hands_is_as_it_was_for_each_sample) {
    struct made made = {0};
    const struct results_recorder_options options = {&made, made_keep, NULL};
    struct results_recorder* r = results_recorder_open(&options);
    struct results_sample_frame frames[8];
    results_recorder_head(r, 0);
    made_methods(r);
    for (int i = 0; i < 6; i++) {
        struct results_sample sample = made_sample(1);
        memcpy(frames, sample.frames, sizeof frames);
        sample.frames = frames;
        // The gap's method is foreign, then not announced, then foreign again.
        frames[1].number = i % 2 == 1 ? ORACLE_UNKNOWN : ORACLE_FOREIGN;
        sample.verdict = i % 2 == 1 ? ORACLE_INVALID_ID : ORACLE_AGREE;
        results_recorder_sample(r, &sample);
    }
    results_recorder_flush(r, 5, true);
    results_recorder_close(r);
    struct results_record* record = results_record_open(made.bytes, made.size);
    struct again again = replay(record, 0);
    cr_expect_eq(again.judged, 6);
    cr_expect_eq(again.differ, 0);
    cr_expect_eq(again.verdicts[ORACLE_INVALID_ID], 3);
    results_record_close(record);
    free(made.bytes);
}

static void keep_verdict(void* context, const struct results_sample* sample, bool lost) {
    struct again* again = context;
    judge_again(again, sample, lost);
    cr_expect_eq(sample->root, ORACLE_ROOT_STARTED);
}

// Two methods, the younger called by name 5 from bci 8 of the older, with which a thread begins.
Test(replay, structure_is_judged_by_the_call_sites_that_were_known) {
    static const struct oracle_site calls[] = {{8, 5}};
    static const struct oracle_sites sites[] = {
        {4, ORACLE_METHOD_STARTS, 20, 1, calls, 0}, {5, 0, 30, 0, NULL, 0}, {6, 0, 30, 0, NULL, 0}};
    static const struct results_sample_frame frames[] = {{0x100, 0, 3}, {0x200, 0, 8}};
    enum { NONE, OLDER, YOUNGER, OTHER };
    static const uint32_t known[3][2] = {{YOUNGER, OLDER}, {OTHER, OLDER}, {NONE, OLDER}};
    static const enum oracle_verdict verdicts[] = {ORACLE_AGREE, ORACLE_IMPOSSIBLE_CALL,
                                                   ORACLE_UNDECIDED};
    struct made made = {0};
    const struct results_recorder_options options = {&made, made_keep, NULL};
    struct results_recorder* r = results_recorder_open(&options);
    results_recorder_head(r, 0);
    for (uint32_t i = 0; i < 3; i++) made_sites(r, OLDER + i, &sites[i]);
    for (int i = 0; i < 9; i++) {
        struct results_sample sample = {.layer = ORACLE_LAYER_STRUCTURE,
                                        .verdict = (uint8_t)verdicts[i % 3],
                                        .context_known = true,
                                        .count = 2,
                                        .frame_count = 2,
                                        .frames = frames,
                                        .sites = known[i % 3],
                                        .root = ORACLE_ROOT_STARTED};
        cr_assert_eq(results_recorder_sample(r, &sample), 0);
    }
    results_recorder_flush(r, 5, true);
    results_recorder_close(r);
    struct results_record* record = results_record_open(made.bytes, made.size);
    struct again again = {.replay = results_replay_open(0), .record = record};
    const struct results_record_visitor visitor = {&again, keep_verdict, NULL, NULL};
    cr_assert_eq(results_record_each(record, &visitor), 0);
    cr_expect_eq(again.judged, 9);
    cr_expect_eq(again.differ, 0);
    results_replay_close(again.replay);
    results_record_close(record);
    free(made.bytes);
}

Test(replay, the_vm_calls_few_methods_by_itself) {
    static const char* const called[] = {
        "Loaders$Held.<clinit>()V",
        "java.lang.ClassLoader.loadClass(Ljava/lang/String;)Ljava/lang/Class;",
        "a.b.OddException.<init>(Ljava/lang/String;)V",
        "java.lang.ref.Finalizer.register(Ljava/lang/Object;)V"};
    static const char* const not_called[] = {"Deep.again(I)I",   "java.util.ArrayList.<init>()V",
                                             "A.loadClasses()V", "<clinit>.run()V",
                                             "Error.make()V",    "A.toError.<init>x()V"};
    for (size_t i = 0; i < sizeof called / sizeof called[0]; i++)
        cr_expect(results_called_by_vm(called[i]), "%s", called[i]);
    for (size_t i = 0; i < sizeof not_called / sizeof not_called[0]; i++)
        cr_expect_not(results_called_by_vm(not_called[i]), "%s", not_called[i]);
}

static void refuse(void* context, const struct results_sample* sample, bool lost) {
    struct again* again = context;
    struct oracle_judgement judgement;
    cr_assert(!lost);
    again->judged += !results_replay_judge(again->replay, again->record, sample, &judgement);
}

static void cannot_be_judged(const char* why) {
    struct made made = {0};
    struct results_record* record = record_of_odd(&made);
    struct again again = {.replay = results_replay_open(0), .record = record};
    const struct results_record_visitor visitor = {&again, refuse, NULL, NULL};
    cr_assert_eq(results_record_each(record, &visitor), 0);
    cr_expect_eq(again.judged, 1, "%s", why);
    results_replay_close(again.replay);
    results_record_close(record);
    free(made.bytes);
}

static void takes(struct results_sample_frame* to, uint32_t i, uint64_t id, int32_t bci) {
    to[i] = (struct results_sample_frame){id, id == 0 ? ORACLE_UNKNOWN : ORACLE_FOREIGN, bci};
}

// ---- Sandwich -----------------------------------------------------------------------------------

static struct results_sample_frame before[3], between[3], after[3];

// Both walks share C and B and stand in A at different places; GetStackTrace found the thread in D.
static void make_sandwich(void) {
    takes(before, 0, 0xa, 3);
    takes(before, 1, 0xb, 8);
    takes(before, 2, 0xc, 5);
    memcpy(between, before, sizeof between);
    memcpy(after, before, sizeof after);
    takes(after, 0, 0xa, 4);
    takes(between, 0, 0xd, 1);
    odd = (struct results_sample){.layer = ORACLE_LAYER_SANDWICH,
                                  .context_known = true,
                                  .count = 3,
                                  .frame_count = 3,
                                  .frames = before,
                                  .witness_count = 3,
                                  .witness = between,
                                  .third_count = 3,
                                  .third = after};
}

Test(replay, a_sandwich_is_judged_by_all_its_three_traces) {
    make_sandwich();
    gives(0, ORACLE_AGREE);
    takes(between, 1, 0xe, 8); // GetStackTrace has no B
    gives(0, ORACLE_WRONG_METHOD);
    takes(after, 1, 0xb, 9); // but then the walks do not share B either
    gives(0, ORACLE_AGREE);
    takes(after, 2, 0xc, 6);
    gives(0, ORACLE_UNDECIDED);
    make_sandwich();
    odd.third_count = 0;
    gives(0, ORACLE_UNDECIDED);
    make_sandwich();
    takes(before, 1, 0, 8);
    takes(after, 1, 0, 8);
    gives(0, ORACLE_INVALID_ID);
    make_sandwich();
    odd.witness = between + 2;
    odd.witness_count = 1;
    gives(0, ORACLE_PHANTOM);
}

Test(replay, an_exact_sandwich_has_three_equal_traces) {
    make_sandwich();
    odd.exact = true;
    gives(0, ORACLE_WRONG_METHOD); // in its youngest frame, which other sandwiches leave alone
    takes(between, 0, 0xa, 3);
    gives(0, ORACLE_WRONG_BCI); // after
    takes(after, 0, 0xa, 3);
    gives(0, ORACLE_AGREE);
    takes(before, 2, 0xc, 6);
    takes(after, 2, 0xc, 6);
    gives(0, ORACLE_WRONG_BCI);
    odd.exact = false;
    gives(0, ORACLE_UNDECIDED); // it has moved on
}

Test(replay, a_sandwich_without_its_third_trace_cannot_be_judged) {
    make_sandwich();
    odd.third = NULL;
    odd.third_count = 0;
    cannot_be_judged("as files had it before");
    make_sandwich();
    odd.context_known = false;
    cannot_be_judged("not told by what");
    make_sandwich();
    odd.frame_count = 0;
    cannot_be_judged("a walk without frames is no answer");
}

static uint32_t any_method(void* context, uint64_t id, uint32_t number) {
    (void)context, (void)id, (void)number;
    return 1;
}

static bool is_read(const struct results_record* record, const uint8_t* bytes, size_t size) {
    static const struct record_lists lists;
    struct record_sample sample = {0};
    uint8_t* copy = malloc(size + (size == 0)); // exactly so large, for the sanitizers
    cr_assert_not_null(copy);
    memcpy(copy, bytes, size);
    struct record_in in = {copy, copy + size, false};
    bool right = record_sample_get(&in, 0, record, &lists, &sample);
    if (right) cr_expect_eq(sample.sample.third_count, 3);
    record_sample_free(&sample);
    free(copy);
    return right;
}

Test(replay, a_third_trace_that_is_cut_off_or_claims_too_much_is_refused) {
    const struct record_refers refers = {.method = any_method};
    struct made made = made_record(1, 5);
    struct results_record* record = results_record_open(made.bytes, made.size);
    struct record_out out = {0};
    make_sandwich();
    record_sample_put(&out, &odd, 0, &refers);
    cr_assert(!out.failed);
    // Behind it its number, which samples of version 1 lack, where the thread was (unknown), and
    // what its youngest frame may hold.
    size_t end = out.size - 3;
    for (size_t size = 0; size < end; size++)
        cr_expect(!is_read(record, out.bytes, size), "%zu bytes", size);
    cr_expect(is_read(record, out.bytes, end));
    cr_expect(is_read(record, out.bytes, out.size));
    size_t count_at = end - 7; // three frames of two bytes behind it
    cr_assert_eq(out.bytes[count_at], 3);
    // The two numbers behind it would pass for a fourth frame.
    for (int count = 5; count < 128; count++) {
        out.bytes[count_at] = (uint8_t)count;
        cr_expect(!is_read(record, out.bytes, out.size), "%d frames", count);
    }
    record_put_number(&out, 7); // what a later version may have behind it
    out.bytes[count_at] = 3;
    cr_expect(is_read(record, out.bytes, out.size));
    record_out_free(&out);
    results_record_close(record);
    made_free(&made);
}

// ---- Checks at a push ---------------------------------------------------------------------------

Test(replay, gst_is_judged_by_the_trace_stack) {
    static struct results_sample_frame frames[8];
    odd = made_sample(1);
    memcpy(frames, odd.frames, 4 * sizeof frames[0]);
    odd.layer = ORACLE_LAYER_GST;
    odd.context.in_transition_allowed = false;
    odd.frames = frames;
    gives(0, ORACLE_AGREE);
    odd.frame_count = 2;
    gives(0, ORACLE_TRUNCATED);
    odd.context.depth_limit = true;
    gives(0, ORACLE_AGREE);
    odd.context.depth_limit = false;
    odd.frame_count = 4;
    odd.slots += 3; // the youngest entry and its gap were popped
    odd.slot_count -= 3;
    gives(0, ORACLE_PHANTOM);
    odd.frame_count = 0;
    odd.count = 0;
    gives(0, ORACLE_TRUNCATED);
}

Test(replay, safepoint_is_judged_by_getstacktrace) {
    make_sandwich();
    odd.layer = ORACLE_LAYER_SAFEPOINT;
    odd.third = NULL;
    odd.third_count = 0;
    odd.witness = before;
    gives(0, ORACLE_AGREE);
    odd.witness = after;
    gives(0, ORACLE_WRONG_BCI);
    odd.witness = before;
    odd.frame_count = odd.count = 2;
    gives(0, ORACLE_TRUNCATED);
    odd.context.depth_limit = true;
    gives(0, ORACLE_AGREE);
    odd.context.depth_limit = false;
    odd.frame_count = 0; // no frames younger than instrumentation
    odd.count = 0;
    gives(0, ORACLE_TRUNCATED);
}

// ---- Ground -------------------------------------------------------------------------------------

static void leave(uint32_t number) {
    odd.owner_known = true;
    odd.owner.method = number < 10 ? 0x1000u * number : 0; // an id is not always known
    odd.owner_number = number;
}

Test(replay, ground_is_judged_by_the_stack_and_the_method_that_did_not_fit) {
    static struct results_sample_slot slots[5];
    odd = made_sample(1); // entries 4, 2, 1
    memcpy(slots, odd.slots, sizeof slots);
    odd.slots = slots;
    odd.layer = ORACLE_LAYER_GROUND;
    cannot_be_judged("as files had it before: the method is not told");
    leave(2);
    gives(0, ORACLE_WRONG_METHOD); // 4 left without a pop
    leave(4);
    gives(0, ORACLE_AGREE);
    leave(9);
    gives(0, ORACLE_WRONG_METHOD); // an entry that is nowhere
    odd.beyond = 1;
    gives(0, ORACLE_AGREE);
    odd.beyond = 0;
    slots[0].number = 10;
    leave(2);
    gives(0, ORACLE_AGREE); // a constructor may leave so
    leave(1);
    gives(0, ORACLE_WRONG_METHOD); // 2 may not
    leave(10);
    gives(0, ORACLE_AGREE);
    odd.slot_count = 0;
    gives(0, ORACLE_WRONG_METHOD);
    leave(2);
    odd.owner_number = ORACLE_FOREIGN;
    cannot_be_judged("no entry has that number");
}
