// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Records of version 1, made here byte by byte: a method brings its code along and is named by
// index, samples have no number, and settlements no witness.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record_read.h"
#include "record_made.h"
#include "record_sample.h"
#include "record_write.h"

static struct made made;
static struct record_out block;   // the records of the open block
static struct record_out payload; // of the record that is being made
static uint64_t blocks;

static void add(enum record_type type) {
    record_put_fixed(&block, type, 1);
    record_put_number(&block, payload.size);
    record_put_bytes(&block, payload.bytes, payload.size);
    payload.size = 0;
}

static void close_block(enum record_block_type type, unsigned version) {
    struct record_out content = {0};
    uint8_t frame[1 << 16];
    record_put_fixed(&content, RECORD_BLOCK_MAGIC, 4);
    record_put_fixed(&content, version, 2);
    record_put_fixed(&content, type, 2);
    record_put_fixed(&content, blocks++, 8);
    record_put_fixed(&content, 0, 8); // its time
    record_put_fixed(&content, block.size, 4);
    record_put_bytes(&content, block.bytes, block.size);
    cr_assert_leq(record_frame_bound(content.size), sizeof frame);
    size_t size = record_frame_pack(content.bytes, content.size, frame, sizeof frame);
    cr_assert_neq(size, 0);
    made_keep(&made, frame, size);
    record_out_free(&content);
    block.size = 0;
}

// Index n is method n of made_sample, the last its foreign one.
#define FOREIGN 10u

static void add_method(uint32_t index, uint64_t id, uint32_t number) {
    record_put_number(&payload, index);
    record_put_number(&payload, id);
    record_put_number(&payload, number == ORACLE_FOREIGN ? 0 : number + 2);
    if (number == ORACLE_FOREIGN) {
        record_put_number(&payload, 0); // no code
    } else {
        record_put_number(&payload, 1 + 100); // bytes of code
        record_put_number(&payload, 0);       // it does not vanish
        record_put_number(&payload, 1);       // one range: [0, 6)
        record_put_number(&payload, 0);
        record_put_number(&payload, 6);
    }
    add(RECORD_METHOD);
}

static void add_names(uint32_t index, const char* name) {
    record_put_number(&payload, index);
    record_put_text(&payload, name);
    record_put_text(&payload, "Made.java");
    record_put_number(&payload, 1); // insertion: [0, 6), old bci 0
    for (int i = 0; i < 3; i++) record_put_number(&payload, i == 1 ? 6 : 0);
    record_put_number(&payload, 1); // line 7 from bci 0 on
    record_put_number(&payload, 0);
    record_put_signed(&payload, 7);
    add(RECORD_NAMES);
}

static uint32_t index_of(void* context, uint64_t id, uint32_t number) {
    (void)context, (void)id;
    return number == ORACLE_FOREIGN ? FOREIGN : number;
}

// Without the number at its end, a single byte of 0.
static void add_sample(uint32_t n, uint32_t slot, uint32_t epoch) {
    const struct record_refers refers = {.method = index_of};
    struct results_sample sample = made_sample(n);
    sample.sequence = 0;
    sample.thread_slot = slot;
    sample.epoch = epoch;
    record_sample_put(&payload, &sample, 0, &refers);
    cr_assert_eq(payload.bytes[payload.size - 1], 0);
    payload.size--;
    add(RECORD_SAMPLE);
}

static void add_settled(uint32_t slot, uint32_t epoch, uint32_t blame) {
    record_put_number(&payload, slot);
    record_put_number(&payload, epoch);
    record_put_number(&payload, blame);
    add(RECORD_SETTLED);
}

// Three blocks of ten samples. Those of the second are accusations of slot 3, one epoch each.
static struct results_record* old_record(void) {
    char name[32];
    close_block(RECORD_BLOCK_HEAD, 1);
    for (uint32_t number = 1; number < 10; number++) add_method(number, 0x1000u * number, number);
    add_method(FOREIGN, 0x777, ORACLE_FOREIGN);
    for (uint32_t n = 0; n < 30; n++) {
        add_sample(n, 3, n);
        if (n % 10 == 9) close_block(RECORD_BLOCK_BATCH, 1);
    }
    for (uint32_t n = 10; n < 13; n++) add_settled(3, n, n - 10);
    for (uint32_t index = 1; index < 10; index++) {
        snprintf(name, sizeof name, "Made.m%u()V", index);
        add_names(index, name);
    }
    close_block(RECORD_BLOCK_END, 1);
    struct results_record* record = results_record_open(made.bytes, made.size);
    cr_assert_not_null(record);
    return record;
}

static void close_old(struct results_record* record) {
    results_record_close(record);
    record_out_free(&block);
    record_out_free(&payload);
    made_free(&made);
}

struct seen {
    uint32_t samples;
    const struct results_record* record;
    struct results_replay* replay;
};

static void see(void* context, const struct results_sample* sample, bool lost) {
    struct seen* seen = context;
    struct oracle_judgement judgement;
    struct results_sample expected = made_sample(seen->samples);
    expected.thread_slot = 3;
    expected.epoch = seen->samples++;
    expected.sequence = seen->samples;
    cr_expect_not(lost);
    cr_expect(made_same(&expected, sample), "sample %u", seen->samples);
    cr_assert(results_replay_judge(seen->replay, seen->record, sample, &judgement));
    cr_expect_eq(judgement.verdict, sample->verdict);
}

Test(version, samples_of_version_1_are_numbered_in_their_order_and_judged_again) {
    struct results_record* record = old_record();
    struct seen seen = {.record = record, .replay = results_replay_open(0)};
    const struct results_record_visitor visitor = {.context = &seen, .sample = see};
    cr_expect(results_record_problem_count(record) == 0);
    cr_assert_eq(results_record_each(record, &visitor), 0);
    cr_expect_eq(seen.samples, 30);
    results_replay_close(seen.replay);
    close_old(record);
}

Test(version, samples_of_version_1_are_found_by_their_numbers) {
    struct results_record* record = old_record();
    static const uint64_t numbers[] = {1, 10, 11, 15, 20, 21, 30};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct results_sample* sample = results_record_fetch(record, numbers[i]);
        cr_assert_not_null(sample);
        cr_expect_eq(sample->sequence, numbers[i]);
        cr_expect_eq(sample->thread_id, numbers[i] - 1);
        results_sample_free(sample);
    }
    cr_expect_null(results_record_fetch(record, 0));
    cr_expect_null(results_record_fetch(record, 31));
    close_old(record);
}

Test(version, methods_of_version_1_bring_their_code_and_are_named_by_index) {
    struct results_record* record = old_record();
    const struct results_method* method = results_record_find(record, 0x4000, 4);
    cr_assert(method != NULL && method->code != NULL && method->named);
    cr_expect_eq(method->code->length, 100);
    cr_expect_eq(method->code->ranges[0].end, 6);
    cr_expect_str_eq(method->names.name, "Made.m4()V");
    cr_expect_eq(method->names.insertions[0].length, 6);
    cr_expect_eq(method->names.lines[0].line, 7);
    method = results_record_find(record, 0x777, ORACLE_FOREIGN);
    cr_assert_not_null(method);
    cr_expect_null(method->code);
    cr_expect_not(method->named);
    close_old(record);
}

static void expect_blame(const struct results_record* record, uint64_t number, uint32_t blame,
                         enum results_vote vote) {
    struct results_sample* sample = results_record_fetch(record, number);
    cr_assert_not_null(sample);
    cr_expect_eq(results_record_blame(record, sample), blame, "%u", (unsigned)number);
    cr_expect_eq(results_record_vote(record, sample), vote, "%u", (unsigned)number);
    results_sample_free(sample);
}

Test(version, settlements_of_version_1_give_the_blame_and_no_vote_without_a_witness) {
    struct results_record* record = old_record();
    expect_blame(record, 11, RESULTS_BLAME_OPEN, RESULTS_VOTE_OPEN);
    expect_blame(record, 12, RESULTS_BLAME_WALKER, RESULTS_VOTE_AGAINST_WALKER);
    expect_blame(record, 13, RESULTS_BLAME_ORACLE, RESULTS_VOTE_OPEN);
    expect_blame(record, 14, RESULTS_BLAME_OPEN, RESULTS_VOTE_OPEN);
    close_old(record);
}

static void expect_version_refused(unsigned version) {
    char words[64];
    close_block(RECORD_BLOCK_HEAD, version);
    struct results_record* record = results_record_open(made.bytes, made.size);
    const struct results_problem* problems;
    cr_assert_gt(results_record_problems(record, &problems), 0);
    snprintf(words, sizeof words, "the block is of version %u; this reads versions 1 to 2",
             version);
    cr_expect_str_eq(problems[0].text, words);
    close_old(record);
    made = (struct made){0};
    blocks = 0;
}

Test(version, others_are_refused_by_their_number) {
    expect_version_refused(0);
    expect_version_refused(3);
    expect_version_refused(UINT16_MAX);
}

// A reader minds the version of each block by itself.
Test(version, blocks_of_both_versions_stand_in_one_record) {
    const struct results_recorder_options options = {.context = &made, .write = made_keep};
    close_block(RECORD_BLOCK_HEAD, 1);
    struct results_recorder* recorder = results_recorder_open(&options);
    cr_assert_eq(results_recorder_head(recorder, 0), 0); // block 0, which comes in the middle here
    struct results_sample sample = made_sample(4);
    sample.sequence = 1000;
    cr_assert_eq(results_recorder_sample(recorder, &sample), 0);
    cr_assert_eq(results_recorder_flush(recorder, 0, true), 0);
    results_recorder_close(recorder);
    struct results_record* record = results_record_open(made.bytes, made.size);
    struct results_sample* found = results_record_fetch(record, 1000);
    cr_assert_not_null(found);
    cr_expect(made_same(&sample, found));
    results_sample_free(found);
    close_old(record);
}
