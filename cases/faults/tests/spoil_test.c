// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "spoil.h"

// Traces are written "method@bci method@bci ...", youngest first.
#define ROOM 16
struct trace {
    struct fault_frame frames[ROOM];
    int32_t count;
};

static struct trace parse(const char* text) {
    struct trace trace = {.count = 0};
    int used, bci;
    unsigned long method;
    for (; sscanf(text, " %lu@%d%n", &method, &bci, &used) == 2; text += used)
        trace.frames[trace.count++] = (struct fault_frame){.method = method, .bci = bci};
    return trace;
}

static const char* print(const struct trace* trace) {
    static char text[512];
    int used = 0;
    text[0] = '\0';
    for (int32_t i = 0; i < trace->count; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%lu@%d", i == 0 ? "" : " ",
                         (unsigned long)trace->frames[i].method, trace->frames[i].bci);
    return text;
}

static struct spoil_methods methods;
static struct spoil_thread self, other;
static bool in_call = true;

// Spoils `before` with this fault. False: it is not eligible.
static bool spoil(const char* fault, const char* before, int32_t room, struct trace* after) {
    struct fault_rule rules[FAULT_RULES_MAX];
    char error[160];
    cr_assert_eq(fault_read(fault, rules, error, sizeof error), 1, "%s", error);
    *after = parse(before);
    struct spoil_input input = {.rule = &rules[0],
                                .frames = after->frames,
                                .count = after->count,
                                .room = room,
                                .in_call = in_call,
                                .methods = &methods,
                                .thread = &self,
                                .other = &other};
    struct spoil_choice choice;
    if (!spoil_choose(&input, &choice)) return false;
    after->count = spoil_apply(&choice, &self, after->frames, after->count);
    return true;
}

// The fault makes each of the answers in `wanted`, parted by |, and no other.
static void makes(const char* fault, const char* before, const char* wanted) {
    unsigned found = 0, all = 0;
    char answers[512];
    snprintf(answers, sizeof answers, "|%s|", wanted);
    for (const char* c = wanted; *c != '\0'; c++) all += *c == '|';
    for (int i = 0; i < 400; i++) {
        struct trace after;
        char text[520];
        cr_assert(spoil(fault, before, ROOM, &after), "%s is not eligible: %s", before, fault);
        snprintf(text, sizeof text, "|%s|", print(&after));
        const char* at = strstr(answers, text);
        cr_assert(at != NULL, "%s makes %s of %s", fault, print(&after), before);
        unsigned index = 0;
        for (const char* c = answers; c < at; c++) index += *c == '|';
        found |= 1u << index;
    }
    cr_expect_eq(found, (1u << (all + 1)) - 1, "%s makes only %x of: %s", fault, found, wanted);
}

static void cannot(const char* fault, const char* before, int32_t room) {
    struct trace after;
    cr_expect(!spoil(fault, before, room, &after), "%s makes %s of %s", fault, print(&after),
              before);
    struct trace same = parse(before);
    cr_expect_eq(memcmp(&same.frames, &after.frames, sizeof same.frames), 0, "%s has changed %s",
                 fault, before);
}

static void learn(struct spoil_thread* thread, const char* text) {
    struct trace trace = parse(text);
    spoil_learn(&methods, thread, trace.frames, trace.count);
}

static void forget(void) {
    memset(&methods, 0, sizeof methods);
    memset(&self, 0, sizeof self);
    memset(&other, 0, sizeof other);
}

Test(spoil, frames_are_dropped_where_the_fault_says, .init = forget) {
    makes("drop-youngest", "1@5 2@6 3@7", "2@6 3@7");
    makes("drop-middle", "1@5 2@6 3@7 4@8", "1@5 3@7 4@8|1@5 2@6 4@8");
    makes("truncate", "1@5 2@6 3@7", "1@5 2@6");
    cannot("drop-youngest", "1@5", ROOM);
    cannot("drop-middle", "1@5 2@6", ROOM);
    cannot("truncate", "1@5", ROOM);
}

Test(spoil, cut_leaves_the_youngest_frames, .init = forget) {
    makes("cut", "1@5 2@6 3@7", "1@5|1@5 2@6");
    makes("cut=2", "1@5 2@6 3@7", "1@5 2@6");
    cannot("cut=3", "1@5 2@6 3@7", ROOM);
    cannot("cut", "1@5", ROOM);
}

Test(spoil, a_frame_is_repeated_where_there_is_room, .init = forget) {
    makes("repeat", "1@5 2@6", "1@5 1@5 2@6|1@5 2@6 2@6");
    cannot("repeat", "1@5 2@6", 2);
}

Test(spoil, only_frames_of_different_methods_change_places, .init = forget) {
    makes("swap", "1@5 2@6", "2@6 1@5");
    makes("swap", "1@5 1@6 2@7", "2@7 1@6 1@5|1@5 2@7 1@6");
}

Test(spoil, ids_become_null_or_dangling, .init = forget) {
    char nobody[64];
    makes("null-id", "1@5 2@-3", "0@5 2@-3|1@5 0@-3");
    snprintf(nobody, sizeof nobody, "%lu@5", (unsigned long)spoil_dangling());
    makes("dangling-id", "1@5", nobody);
    cr_expect_neq(spoil_dangling(), 0u);
    cr_expect_eq(*(const uintptr_t*)spoil_dangling(), 0u);
}

Test(spoil, a_callers_bci_moves_by_one_and_the_youngests_does_not, .init = forget) {
    makes("bci-next", "1@5 2@6 3@7", "1@5 2@7 3@7|1@5 2@6 3@8");
    makes("bci-next", "1@5 2@-3 3@7", "1@5 2@-3 3@8");
    cannot("bci-next", "1@5 2@-3", ROOM);
    cannot("bci-next", "1@5", ROOM);
}

Test(spoil, another_call_site_is_one_that_was_seen, .init = forget) {
    cannot("bci-other", "1@5 2@6", ROOM);
    learn(&self, "9@1 2@6 2@8");
    learn(&self, "2@30 1@5"); // the youngest is at no call
    makes("bci-other", "1@5 2@6", "1@5 2@8");
    makes("bci-other", "1@5 2@7", "1@5 2@6|1@5 2@8");
    cannot("bci-other", "2@6 3@7", ROOM);
}

Test(spoil, a_bci_out_of_range_is_above_any_methods_code, .init = forget) {
    for (int i = 0; i < 100; i++) {
        struct trace after;
        cr_assert(spoil("bci-range", "1@5 2@-3", ROOM, &after));
        cr_assert_geq(after.frames[0].bci, 65536);
        cr_assert_eq(after.frames[1].bci, -3);
    }
    cannot("bci-range", "2@-3", ROOM);
}

Test(spoil, a_native_frame_becomes_a_java_one_and_a_java_one_native, .init = forget) {
    makes("flip-native", "1@5 2@-3", "1@-3 2@-3|1@5 2@0");
}

Test(spoil, a_foreign_method_comes_from_earlier_answers_and_not_from_this_one, .init = forget) {
    cannot("foreign", "1@5 2@6", ROOM);
    learn(&other, "1@5 2@6 3@7");
    makes("foreign", "1@5 2@6", "1@5 3@7 2@6");
    makes("foreign", "1@5 2@6 4@1", "1@5 3@7 2@6 4@1|1@5 2@6 3@7 4@1");
    cannot("foreign", "1@5 2@6", 2);
    cannot("foreign", "1@5", ROOM);
    cannot("foreign", "1@5 2@6 3@7", ROOM);
}

Test(spoil, a_stale_caller_has_called_on_this_thread_and_returned, .init = forget) {
    learn(&other, "1@5 7@6 8@7");
    cannot("stale-caller", "1@5 2@6", ROOM);
    learn(&self, "1@5 3@6 2@7");
    makes("stale-caller", "1@5 2@6", "1@5 3@6 2@6");
    learn(&self, "1@5 4@6 2@7"); // the newest that is not running
    makes("stale-caller", "1@5 2@6", "1@5 4@6 2@6");
    makes("stale-caller", "1@5 4@6", "1@5 3@6 4@6");
    cannot("stale-caller", "1@5 2@6", 2);
}

Test(spoil, the_newest_callers_replace_the_oldest, .init = forget) {
    char text[32];
    for (int i = 0; i < 3 * SPOIL_CALLERS; i++) {
        snprintf(text, sizeof text, "1@5 %d@6", 100 + i);
        learn(&self, text);
    }
    snprintf(text, sizeof text, "1@5 %d@6 2@6", 99 + 3 * SPOIL_CALLERS);
    makes("stale-caller", "1@5 2@6", text);
}

Test(spoil, an_extra_youngest_frame_was_seen_above_the_youngest, .init = forget) {
    learn(&other, "3@6 1@7");
    cannot("extra-youngest", "1@5 2@6", ROOM);
    learn(&self, "3@6 1@7 2@8");
    makes("extra-youngest", "1@5 2@6", "3@6 1@5 2@6");
    makes("extra-youngest", "2@5", "1@7 2@5");
    learn(&self, "4@-3 1@7");
    makes("extra-youngest", "1@5 2@6", "3@6 1@5 2@6"); // a native one proves nothing
    learn(&self, "4@0 1@7");
    makes("extra-youngest", "1@5 2@6", "4@0 1@5 2@6");
    cannot("extra-youngest", "1@5 2@6", 2);
    cannot("extra-youngest", "3@5 2@6", ROOM);
}

Test(spoil, an_extra_caller_has_returned_and_stands_at_bci_0, .init = forget) {
    cannot("extra-caller-bci0", "1@5 2@6", ROOM);
    learn(&self, "1@5 3@6 2@7");
    makes("extra-caller-bci0", "1@5 2@6 4@7", "1@5 3@0 2@6 4@7|1@5 2@6 3@0 4@7");
    cannot("extra-caller-bci0", "1@5", ROOM);
    cannot("extra-caller-bci0", "1@5 3@6", ROOM);
    cannot("extra-caller-bci0", "1@5 2@6", 2);
}

Test(spoil, the_native_that_most_methods_call_is_put_on_top, .init = forget) {
    char text[32];
    cannot("own-on-top", "1@5 2@6", ROOM);
    for (int i = 0; i < 100; i++) {
        snprintf(text, sizeof text, "7@-3 %d@6", 1000 + 8 * i);
        learn(&self, text);
        snprintf(text, sizeof text, "9@-3 %d@6", 1000 + 8 * (i % 4));
        learn(&self, text);
        snprintf(text, sizeof text, "5@1 %d@6", 1000 + 8 * i); // no native
        learn(&self, text);
    }
    makes("own-on-top", "1@5 2@6", "7@-3 1@5 2@6");
    cannot("own-on-top", "9@-3 2@6", ROOM);
    cannot("own-on-top", "1@5 2@6", 2);
}

Test(spoil, without_such_a_native_the_java_method_that_most_call_is_put_on_top, .init = forget) {
    char text[32];
    for (int i = 0; i < 100; i++) {
        snprintf(text, sizeof text, "7@-3 %d@6", 1000 + 8 * (i % 4));
        learn(&self, text);
        snprintf(text, sizeof text, "5@%d %d@6", i, 1000 + 8 * i);
        learn(&self, text);
    }
    makes("own-on-top", "1@5 2@6", "5@99 1@5 2@6");
    cannot("own-on-top", "5@5 2@6", ROOM); // no method stands above itself
}

Test(spoil, a_native_that_few_methods_call_is_not_put_on_top, .init = forget) {
    learn(&self, "7@-3 1@6");
    learn(&self, "7@-3 2@6");
    cannot("own-on-top", "1@5 2@6", ROOM);
}

Test(spoil, another_threads_answer_is_copied_whole, .init = forget) {
    cannot("other-thread", "1@5 2@6", ROOM);
    learn(&other, "3@5 4@6 5@7");
    makes("other-thread", "1@5 2@6", "3@5 4@6 5@7");
    cannot("other-thread", "3@5 4@6 5@7", ROOM);
    cannot("other-thread", "1@5 2@6", 2);
    other.version++; // it is being written
    cannot("other-thread", "1@5 2@6", ROOM);
}

Test(spoil, a_count_is_higher_than_the_room_and_no_frame_is_written, .init = forget) {
    for (int i = 0; i < 100; i++) {
        struct trace after;
        cr_assert(spoil("too-many", "1@5 2@6", 2, &after));
        cr_assert(after.count > 2 && after.count <= 4, "%d", after.count);
        cr_assert_eq(after.frames[0].method, 1);
        cr_assert_eq(after.frames[1].method, 2);
    }
}

Test(spoil, a_call_into_native_code_loses_its_two_youngest_frames, .init = forget) {
    makes("young-native", "1@-3 2@6 3@7", "3@6");
    makes("young-native", "1@-3 2@-3 3@0 4@9", "3@1 4@9");
    cannot("young-native", "1@5 2@6 3@7", ROOM);
    cannot("young-native", "1@-3 2@6 3@-3", ROOM);
    cannot("young-native", "1@-3 2@6", ROOM);
    in_call = false;
    cannot("young-native", "1@-3 2@6 3@7", ROOM);
}

Test(spoil, every_code_is_given_or_the_one_asked_for, .init = forget) {
    unsigned seen = 0;
    struct trace after;
    for (int i = 0; i < 1000; i++) {
        cr_assert(spoil("refuse", "1@5", ROOM, &after));
        cr_assert(after.count <= 0 && after.count > -FAULT_CODES, "%d", after.count);
        seen |= 1u << -after.count;
    }
    cr_expect_eq(seen, (1u << FAULT_CODES) - 1);
    cr_assert(spoil("refuse=-5", "1@5", ROOM, &after));
    cr_expect_eq(after.count, -5);
}

Test(spoil, more_methods_than_there_is_room_for_are_not_remembered, .init = forget) {
    for (uintptr_t i = 1; i <= 2 * SPOIL_METHODS; i++) {
        struct fault_frame frames[2] = {{.method = 8 * i, .bci = 1}, {.method = 8 * i, .bci = 2}};
        spoil_learn(&methods, &self, frames, 2);
    }
    cr_expect_leq(methods.count, (uint32_t)SPOIL_METHODS / 2);
    cr_expect_geq(methods.count, (uint32_t)SPOIL_METHODS / 2 - 64);
}

Test(spoil, an_answer_too_long_to_keep_is_not_kept_in_part, .init = forget) {
    static struct fault_frame frames[SPOIL_KEPT + 1];
    for (int i = 0; i <= SPOIL_KEPT; i++) frames[i].method = 1;
    learn(&other, "3@5 4@6");
    spoil_learn(&methods, &other, frames, SPOIL_KEPT + 1);
    makes("other-thread", "1@5 2@6", "3@5 4@6");
}

// ---- Rates ------------------------------------------------------------------------------------

static void falls(double rate, unsigned low, unsigned high) {
    uint64_t random = spoil_seed(1, 2);
    unsigned count = 0;
    for (int i = 0; i < 1000000; i++) count += spoil_coin(&random, rate);
    cr_expect(count >= low && count <= high, "%u of a million at %g", count, rate);
}

// Four standard deviations on either side.
Test(spoil, a_coin_falls_as_often_as_its_rate_says) {
    falls(1, 1000000, 1000000);
    falls(0.5, 498000, 502000);
    falls(0.01, 9602, 10398);
    falls(0.001, 874, 1126);
}
