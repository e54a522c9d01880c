// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The record: what is written is read again, and whatever is done to the file, what was not hit is.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record_made.h"
#include "record_read.h"
#include "record_write.h"

// ---- What was read ----------------------------------------------------------------------------

#define SEEN_MAX 4096
struct seen {
    uint32_t samples, wrong, lost;
    uint8_t at[SEEN_MAX]; // by thread_id, which is the sample's number
    uint32_t counters;
    uint64_t last[RESULTS_COUNTERS];
};

static void see_sample(void* context, const struct results_sample* sample, bool lost) {
    struct seen* seen = context;
    seen->samples++;
    seen->lost += lost;
    if (sample->thread_id < SEEN_MAX) seen->at[sample->thread_id]++;
    if (lost) return;
    struct results_sample made = made_sample(sample->thread_id);
    seen->wrong += !made_same(&made, sample);
}

static void see_counters(void* context, uint64_t time_ns, bool full,
                         const uint64_t values[RESULTS_COUNTERS]) {
    struct seen* seen = context;
    (void)time_ns, (void)full;
    seen->counters++;
    memcpy(seen->last, values, sizeof seen->last);
}

static struct seen see(const struct results_record* record) {
    struct seen seen = {0};
    const struct results_record_visitor visitor = {&seen, see_sample, see_counters, NULL};
    cr_assert_eq(results_record_each(record, &visitor), 0);
    return seen;
}

// ---- Round trips ------------------------------------------------------------------------------

Test(record, what_is_recorded_is_read_again) {
    struct made made = made_record(20, 50);
    struct results_record* record = results_record_open(made.bytes, made.size);
    cr_assert_not_null(record);
    struct seen seen = see(record);
    cr_expect(results_record_problem_count(record) == 0);
    cr_expect_eq(seen.samples, 1000);
    cr_expect_eq(seen.wrong, 0);
    cr_expect_eq(seen.lost, 0);
    cr_expect_eq(seen.counters, 20);
    cr_expect_eq(seen.last[1], 1000);
    cr_expect_str_eq(results_record_property(record, "jvm.version"), "17.0.15+6");
    cr_expect_null(results_record_property(record, "no.such"));
    results_record_close(record);
    made_free(&made);
}

static struct results_sample odd; // what a round trip is made of
static struct results_recorder* name_all;

static void compare_with_odd(void* context, const struct results_sample* sample, bool lost) {
    int* same = context;
    *same += !lost && made_same(&odd, sample);
}

static void survives(const char* what) {
    struct made made = {0};
    int same = 0;
    const struct results_recorder_options options = {&made, made_keep, NULL};
    struct results_recorder* r = results_recorder_open(&options);
    cr_assert_eq(results_recorder_head(r, 0), 0);
    made_methods(r);
    struct results_sample before = made_sample(1), kept = odd;
    cr_assert_eq(results_recorder_sample(r, &before), 0);
    made_sample(2);
    cr_assert_eq(results_recorder_sample(r, &kept), 0);
    cr_assert_eq(results_recorder_flush(r, 5, true), 0);
    results_recorder_close(r);
    struct results_record* record = results_record_open(made.bytes, made.size);
    const struct results_record_visitor visitor = {&same, compare_with_odd, NULL, NULL};
    cr_assert_eq(results_record_each(record, &visitor), 0);
    cr_expect_eq(same, 1, "%s", what);
    cr_expect(results_record_problem_count(record) == 0, "%s", what);
    results_record_close(record);
    free(made.bytes);
}

Test(record, extreme_values_survive) {
    odd = made_sample(2);
    survives("as it is");
    odd.count = INT32_MIN;
    odd.sequence = UINT64_MAX;
    odd.time_ns = UINT64_MAX;
    odd.pc = UINT64_MAX;
    odd.thread_id = odd.thread_slot = odd.epoch = odd.cluster = odd.beyond = UINT32_MAX;
    odd.context.base = UINT32_MAX;
    survives("the largest numbers");
    odd.own = odd.context.depth_limit = odd.owner_known = true;
    odd.context.place = (struct oracle_place){ORACLE_PLACE_INTERPRETED, 17, 0x3008};
    odd.place_number = 4;
    odd.judgement.own = true;
    odd.owner =
        (struct oracle_owner){.method = 0x3000, .position = 4711, .held = UINT32_MAX, .osr = true};
    odd.owner_number = 3;
    survives("flags and an owner");
    odd.instant = true;
    odd.window_begin_ns = UINT64_MAX - 3;
    odd.window_end_ns = UINT64_MAX - 2;
    odd.java_thread = UINT64_MAX;
    survives("an instant");
    odd.time_ns = 5000;
    odd.window_begin_ns = 4711;
    odd.window_end_ns = 6000;
    odd.layer = ORACLE_LAYER_PROFILER;
    survives("an instant that began before the sample's time, and what the profiler wrote of it");
    odd.window_begin_ns = odd.window_end_ns = odd.java_thread = 0;
    survives("an instant of nothing");
    odd.instant = false;
    odd.slot_count = odd.frame_count = 0;
    survives("no traces");
    static const struct results_sample_frame strange[] = {{0, ORACLE_UNKNOWN, INT32_MIN},
                                                          {UINT64_MAX, ORACLE_OWN, INT32_MAX},
                                                          {0x1000, ORACLE_FOREIGN, -3},
                                                          {0x1000, ORACLE_NUMBERS_MAX - 1, -1}};
    odd.frames = odd.witness = strange;
    odd.frame_count = odd.witness_count = 4;
    survives("strange frames, and a witness");
    odd.third = strange + 1;
    odd.third_count = 3;
    survives("a third trace");
    odd.evidence = NULL;
    survives("a third trace without evidence");
    odd.third_count = 0;
    survives("an empty third trace");
}

Test(record, a_deep_stack_survives) {
    static struct results_sample_slot slots[16384];
    static struct results_sample_frame frames[8192];
    odd = made_sample(2);
    for (uint32_t i = 0; i < 16384; i++)
        slots[i] = (struct results_sample_slot){.kind = RESULTS_SLOT_ENTRY,
                                                .id = 0x1000u * (1 + i % 9),
                                                .number = 1 + i % 9,
                                                .position = UINT32_MAX - i * 40000};
    for (uint32_t i = 0; i < 8192; i++)
        frames[i] = (struct results_sample_frame){0x1000u * (1 + i % 9), 1 + i % 9, (int32_t)i};
    odd.slots = slots;
    odd.slot_count = 16384;
    odd.frames = frames;
    odd.frame_count = 8192;
    survives("deep");
}

static void name_at_length(void* context, uint32_t index, uint64_t id, uint32_t number) {
    static char name[3000];
    (void)context, (void)id, (void)number;
    memset(name, 'n', sizeof name - 1);
    const struct results_names names = {.name = name};
    results_recorder_names(name_all, index, &names);
}

Test(record, a_sample_that_brings_thousands_of_methods_is_read_again) {
    static struct results_sample_frame frames[4000];
    struct made made = {0};
    int same = 0;
    const struct results_recorder_options options = {&made, made_keep, name_at_length};
    name_all = results_recorder_open(&options);
    odd = made_sample(2);
    for (uint32_t i = 0; i < 4000; i++)
        frames[i] = (struct results_sample_frame){0x100000u + i, ORACLE_FOREIGN, (int32_t)i};
    odd.frames = frames;
    odd.frame_count = 4000;
    results_recorder_head(name_all, 0);
    cr_assert_eq(results_recorder_sample(name_all, &odd), 0);
    results_recorder_flush(name_all, 5, true);
    results_recorder_close(name_all);
    struct results_record* record = results_record_open(made.bytes, made.size);
    const struct results_record_visitor visitor = {&same, compare_with_odd, NULL, NULL};
    cr_assert_eq(results_record_each(record, &visitor), 0);
    cr_expect_eq(same, 1);
    cr_expect(results_record_problem_count(record) == 0);
    const struct results_method* last = results_record_find(record, 0x100000 + 3999, 0);
    cr_assert(last != NULL && last->named);
    cr_expect_eq(strlen(last->names.name), 2999);
    results_record_close(record);
    free(made.bytes);
}

Test(record, counters_have_names_of_their_own) {
    char a[RESULTS_COUNTER_NAME], b[RESULTS_COUNTER_NAME];
    for (uint32_t i = 0; i < RESULTS_COUNTERS; i++)
        for (uint32_t j = 0; j < i; j++)
            cr_assert_str_neq(results_counter_name(i, a), results_counter_name(j, b));
    cr_expect_str_eq(results_counter_name(0, a), "ground.asked");
    cr_expect_str_eq(results_counter_name(2, a), "ground.verdict.agree");
    cr_expect_str_eq(results_counter_name(RESULTS_COUNTERS - 1, a), "unrecorded");
}

Test(record, counters_are_taken_in_the_order_of_their_names) {
    static struct results_run run;
    uint64_t values[RESULTS_COUNTERS];
    char name[RESULTS_COUNTER_NAME];
    run.layers[ORACLE_LAYER_ASYNC].refused[ORACLE_REFUSAL_DEOPT] = 71;
    run.layers[ORACLE_LAYER_SANDWICH].own[ORACLE_NO_ANSWER] = 72;
    run.layers[ORACLE_LAYER_GST].undecided[RESULTS_UNDECIDED_MOVED] = 73;
    run.unrecorded = 74;
    run.layers[ORACLE_LAYER_SANDWICH].exact[ORACLE_WRONG_BCI] = 75;
    run.layers[ORACLE_LAYER_GST].frames_judged = 76;
    run.layers[ORACLE_LAYER_SANDWICH].exact_unexplained = 77;
    results_counters_take(&run, values);
    uint32_t found = 0;
    for (uint32_t i = 0; i < RESULTS_COUNTERS; i++) {
        if (values[i] == 0) continue;
        found++;
        results_counter_name(i, name);
        const char* expected = values[i] == 71   ? "async.refused.deopt"
                               : values[i] == 72 ? "sandwich.own.no_answer"
                               : values[i] == 73 ? "gst.undecided.moved"
                               : values[i] == 75 ? "sandwich.exact.wrong_bci"
                               : values[i] == 76 ? "gst.frames_judged"
                               : values[i] == 77 ? "sandwich.exact_unexplained"
                                                 : "unrecorded";
        cr_expect_str_eq(name, expected);
    }
    cr_expect_eq(found, 7);
}

// The group's name begins what stands behind the layer's, and ends there or at a point.
static bool is_named(const char* name, const char* group) {
    const char* point = strchr(name, '.');
    if (point == NULL || strncmp(point + 1, group, strlen(group)) != 0) return false;
    return point[1 + strlen(group)] == '\0' || point[1 + strlen(group)] == '.';
}

static uint32_t in_group(enum results_counter_group group, const char* text) {
    uint32_t count = 0;
    char name[RESULTS_COUNTER_NAME];
    for (uint32_t i = 0; i < RESULTS_COUNTERS; i++) {
        bool of = results_counter_at(i).group == group;
        count += of;
        cr_expect_eq(of, is_named(results_counter_name(i, name), text), "%s is of %s", name, text);
    }
    return count / ORACLE_LAYER_COUNT;
}

Test(record, a_counter_is_of_the_group_that_its_name_says) {
    cr_expect_eq(in_group(RESULTS_COUNTER_ASKED, "asked"), 1);
    cr_expect_eq(in_group(RESULTS_COUNTER_ANSWERED, "answered"), 1);
    cr_expect_eq(in_group(RESULTS_COUNTER_VERDICT, "verdict"), ORACLE_VERDICT_COUNT);
    cr_expect_eq(in_group(RESULTS_COUNTER_REFUSED, "refused"), ORACLE_REFUSAL_COUNT);
    cr_expect_eq(in_group(RESULTS_COUNTER_UNDECIDED, "undecided"), RESULTS_UNDECIDED_COUNT);
    cr_expect_eq(in_group(RESULTS_COUNTER_OWN, "own"), ORACLE_VERDICT_COUNT);
    cr_expect_eq(in_group(RESULTS_COUNTER_EXACT, "exact"), ORACLE_VERDICT_COUNT);
    cr_expect_eq(in_group(RESULTS_COUNTER_EXACT_UNEXPLAINED, "exact_unexplained"), 1);
    cr_expect_eq(in_group(RESULTS_COUNTER_FRAMES_SEEN, "frames_seen"), 1);
    cr_expect_eq(in_group(RESULTS_COUNTER_FRAMES_JUDGED, "frames_judged"), 1);
    struct results_counter own = results_counter_at(RESULTS_COUNTERS_OF_LAYER * ORACLE_LAYER_ASYNC +
                                                    2 + ORACLE_VERDICT_COUNT);
    cr_expect_eq(own.layer, ORACLE_LAYER_ASYNC);
    cr_expect_eq(own.entry, 0);
    struct results_counter last = results_counter_at(RESULTS_COUNTERS - 1);
    cr_expect_eq(last.group, RESULTS_COUNTER_RUN);
    cr_expect_eq(last.layer, ORACLE_LAYER_COUNT);
    cr_expect_eq(last.entry, RESULTS_RUN_COUNTER_COUNT - 1);
}

static bool may_fall(const char* text) {
    char name[RESULTS_COUNTER_NAME];
    for (uint32_t i = 0; i < RESULTS_COUNTERS; i++)
        if (strcmp(results_counter_name(i, name), text) == 0) return results_counter_may_fall(i);
    cr_assert_fail("%s is no counter", text);
    return false;
}

Test(record, amounts_and_mismatches_may_fall_and_nothing_else) {
    uint32_t falling = 0, mismatches = 0;
    for (uint32_t i = 0; i < RESULTS_COUNTERS; i++) falling += results_counter_may_fall(i);
    for (int i = 0; i < ORACLE_VERDICT_COUNT; i++)
        mismatches += oracle_is_mismatch((enum oracle_verdict)i);
    cr_expect_eq(falling, 2 + 2 * mismatches * ORACLE_LAYER_COUNT);
    cr_expect(may_fall("memory") && may_fall("mapped"));
    cr_expect(may_fall("async.verdict.truncated") && may_fall("sandwich.own.wrong_method"));
    cr_expect(!may_fall("async.verdict.agree") && !may_fall("sandwich.exact.truncated"));
    cr_expect(!may_fall("async.asked") && !may_fall("threads"));
}

Test(record, lz4_reads_the_container) {
    struct made made = made_record(10, 40);
    char path[64], command[128], magic[5] = "";
    snprintf(path, sizeof path, "/tmp/plumbline-record-%d.lz4", (int)getpid());
    FILE* file = fopen(path, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(made.bytes, 1, made.size, file), made.size);
    fclose(file);
    snprintf(command, sizeof command, "lz4 -dc %s", path);
    FILE* out = popen(command, "r"); // NOLINT: the path is ours
    size_t size = fread(magic, 1, 4, out), more;
    char rest[4096];
    while ((more = fread(rest, 1, sizeof rest, out)) > 0) size += more;
    cr_expect_eq(pclose(out), 0);
    unlink(path);
    struct results_record* record = results_record_open(made.bytes, made.size);
    struct results_record_sizes sizes;
    results_record_sizes(record, &sizes);
    cr_expect_str_eq(magic, "PLRB");
    cr_expect_eq(size, sizes.content, "all blocks, one after the other");
    cr_expect_lt(sizes.file, sizes.content);
    results_record_close(record);
    made_free(&made);
}

// ---- Numbers ----------------------------------------------------------------------------------

static void count_number(void* context, const struct results_sample* sample, bool lost) {
    uint32_t* times = context;
    (void)lost;
    cr_assert_leq(sample->sequence, 1000);
    times[sample->sequence]++;
}

Test(record, every_sample_is_found_by_its_number_and_no_other) {
    struct made made = made_record(20, 50);
    struct results_record* record = results_record_open(made.bytes, made.size);
    uint32_t times[1001] = {0};
    const struct results_record_visitor visitor = {.context = times, .sample = count_number};
    cr_assert_eq(results_record_each(record, &visitor), 0);
    for (uint64_t number = 1; number <= 1000; number++) {
        const struct results_sample expected = made_sample((uint32_t)number - 1);
        struct results_sample* found = results_record_fetch(record, number);
        cr_assert_not_null(found);
        cr_expect(made_same(&expected, found));
        results_sample_free(found);
        cr_expect_eq(times[number], 1);
    }
    cr_expect_null(results_record_fetch(record, 0));
    cr_expect_null(results_record_fetch(record, 1001));
    cr_expect_null(results_record_fetch(record, UINT64_MAX));
    results_record_close(record);
    made_free(&made);
}

// Numbers are given in handlers on many threads: they need not come in their order.
Test(record, numbers_in_no_order_are_found) {
    struct made made = {0};
    const struct results_recorder_options options = {.context = &made, .write = made_keep};
    struct results_recorder* r = results_recorder_open(&options);
    results_recorder_head(r, 0);
    for (uint32_t i = 0; i < 500; i++) {
        const struct results_sample sample = made_sample(i * 367 % 500);
        cr_assert_eq(results_recorder_sample(r, &sample), 0);
        if (i % 20 == 19) results_recorder_flush(r, 5, false);
    }
    results_recorder_flush(r, 5, true);
    results_recorder_close(r);
    struct results_record* record = results_record_open(made.bytes, made.size);
    for (uint32_t i = 0; i < 500; i++) {
        const struct results_sample expected = made_sample(i);
        struct results_sample* found = results_record_fetch(record, i + 1);
        cr_assert_not_null(found);
        cr_expect(made_same(&expected, found));
        results_sample_free(found);
    }
    results_record_close(record);
    made_free(&made);
}

Test(record, a_sample_whose_block_is_damaged_is_not_found_and_the_others_are) {
    struct made made = made_record(6, 8);
    memset(made.bytes + made.starts[3] + 20, 0x55, 60);
    struct results_record* record = results_record_open(made.bytes, made.size);
    for (uint32_t i = 0; i < 48; i++) {
        struct results_sample* found = results_record_fetch(record, i + 1);
        cr_expect_eq(found != NULL, i < 16 || i >= 24, "sample %u", i);
        results_sample_free(found);
    }
    results_record_close(record);
    made_free(&made);
}

// ---- Damage -----------------------------------------------------------------------------------

static bool is_told_of(const struct results_record* record, size_t from, size_t to) {
    const struct results_problem* list;
    size_t count = results_record_problems(record, &list);
    for (size_t i = 0; i < count; i++)
        if (list[i].offset >= from && list[i].offset <= to && list[i].text[0] != '\0') return true;
    return false;
}

// The samples of frames [first, last) were each read, once.
static bool were_read(const struct made* made, const struct seen* seen, uint32_t first,
                      uint32_t last) {
    uint32_t n = 0;
    for (uint32_t frame = 0; frame < made->frames; frame++)
        for (uint32_t i = 0; i < made->samples_in[frame]; i++, n++)
            if (frame >= first && frame < last && seen->at[n] != 1) return false;
    return true;
}

Test(record, every_prefix_yields_what_was_complete_and_says_where_it_ends) {
    struct made made = made_record(6, 8);
    uint32_t whole = 0;
    for (size_t size = 0; size < made.size; size++) {
        // A copy of exactly that size, so that reading behind it is seen by the sanitizers.
        uint8_t* bytes = malloc(size + (size == 0));
        memcpy(bytes, made.bytes, size);
        while (made.starts[whole + 1] <= size) whole++;
        struct results_record* record = results_record_open(bytes, size);
        cr_assert_not_null(record);
        struct seen seen = see(record);
        cr_assert(were_read(&made, &seen, 0, whole), "of %zu bytes", size);
        cr_assert_eq(seen.wrong + seen.lost, 0);
        cr_assert(results_record_problem_count(record) != 0);
        cr_assert(is_told_of(record, made.starts[whole], size), "of %zu bytes", size);
        results_record_close(record);
        free(bytes);
    }
    made_free(&made);
}

static uint64_t random_state = 88172645463325252u;
static uint32_t random_below(uint32_t n) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 33) % n;
}

// Some bytes at `at` become others; their number.
static size_t change_bytes(uint8_t* bytes, size_t size, size_t at) {
    size_t count = random_below(4) == 0 ? 1 + random_below(300) : 1;
    if (count > size - at) count = size - at;
    for (size_t i = 0; i < count; i++) bytes[at + i] ^= (uint8_t)(1 + random_below(255));
    return count;
}

static uint32_t frame_at(const struct made* made, size_t at) {
    uint32_t frame = 0;
    while (made->starts[frame + 1] <= at) frame++;
    return frame;
}

Test(record, changed_bytes_cost_their_blocks_and_no_others) {
    struct made made = made_record(12, 8);
    uint8_t* bytes = malloc(made.size);
    int harmless = 0;
    for (int n = 0; n < 10000; n++) {
        memcpy(bytes, made.bytes, made.size);
        size_t at = random_below((uint32_t)made.size);
        size_t count = change_bytes(bytes, made.size, at);
        uint32_t first = frame_at(&made, at), last = frame_at(&made, at + count - 1);
        struct results_record* record = results_record_open(bytes, made.size);
        cr_assert_not_null(record);
        struct seen seen = see(record);
        cr_assert(were_read(&made, &seen, 0, first) &&
                      were_read(&made, &seen, last + 1, made.frames),
                  "%d: %zu bytes at %zu", n, count, at);
        cr_assert_eq(seen.wrong, 0, "%d: what a checksum covers is not read wrong", n);
        // A match may be copied from another place where the same stands: that is no damage.
        harmless +=
            were_read(&made, &seen, 0, made.frames) && results_record_problem_count(record) == 0;
        cr_assert(is_told_of(record, made.starts[first], made.starts[last + 1]) ||
                      were_read(&made, &seen, 0, made.frames),
                  "%d: %zu bytes at %zu", n, count, at);
        results_record_close(record);
    }
    cr_expect_lt(harmless, 200);
    free(bytes);
    made_free(&made);
}

Test(record, bytes_taken_out_or_put_in_cost_their_block_and_no_others) {
    struct made made = made_record(12, 8);
    uint8_t* bytes = malloc(made.size + 64);
    for (int n = 0; n < 2000; n++) {
        size_t at = random_below((uint32_t)made.size - 64), count = 1 + random_below(63);
        bool out = n % 2 == 0;
        memcpy(bytes, made.bytes, at);
        if (out) memcpy(bytes + at, made.bytes + at + count, made.size - at - count);
        else memcpy(bytes + at + count, made.bytes + at, made.size - at);
        for (size_t i = 0; !out && i < count; i++) bytes[at + i] = (uint8_t)random_below(256);
        uint32_t first = frame_at(&made, at), last = out ? frame_at(&made, at + count - 1) : first;
        struct results_record* record =
            results_record_open(bytes, out ? made.size - count : made.size + count);
        struct seen seen = see(record);
        cr_assert(were_read(&made, &seen, 0, first) &&
                      were_read(&made, &seen, last + 1, made.frames),
                  "%d: %zu bytes at %zu", n, count, at);
        cr_assert(results_record_problem_count(record) != 0, "%d: %zu bytes at %zu", n, count, at);
        results_record_close(record);
    }
    free(bytes);
    made_free(&made);
}

Test(record, a_block_that_is_gone_is_missed) {
    struct made made = made_record(6, 8);
    size_t gone = made.starts[4] - made.starts[3];
    memmove(made.bytes + made.starts[3], made.bytes + made.starts[4], made.size - made.starts[4]);
    struct results_record* record = results_record_open(made.bytes, made.size - gone);
    cr_expect(is_told_of(record, made.starts[3], made.starts[3]));
    struct seen seen = see(record);
    cr_expect_eq(seen.samples, 40);
    cr_expect_eq(seen.wrong, 0);
    results_record_close(record);
    made_free(&made);
}

// ---- Overlapping frames -------------------------------------------------------------------------

// The heads of frames whose first block reaches to the end of the file, one behind the other: each
// of them begins within all those before.
static uint64_t in_vain_of(size_t size) {
    enum { HEAD = 19 }; // an LZ4 frame's head with the content's size, and its first block's size
    static uint8_t content[200000], frame[210000];
    for (size_t i = 0; i < sizeof content; i++) content[i] = (uint8_t)(i * i * 2654435761u >> 13);
    cr_assert_gt(record_frame_pack(content, sizeof content, frame, sizeof frame), 0);
    uint8_t* bytes = malloc(size);
    cr_assert_not_null(bytes);
    for (size_t i = 0; i < size; i++) bytes[i] = frame[i % HEAD];
    struct results_record* record = results_record_open(bytes, size);
    cr_assert_not_null(record);
    uint64_t in_vain = record->in_vain;
    cr_expect_gt(record->problem_count, 0);
    results_record_close(record);
    free(bytes);
    return in_vain;
}

Test(record, overlapping_frames_cost_no_more_than_a_multiple_of_the_file) {
    const uint64_t once = 2 * RESULTS_BLOCK_MAX + 2 * 300000;
    cr_expect_leq(in_vain_of(100000), 64u * 100000 + once);
    cr_expect_leq(in_vain_of(400000), 64u * 400000 + once, "not sixteen times as much");
    cr_expect_gt(in_vain_of(100000), 1000000, "they do overlap");
}
