// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: a record file. The first byte says what follows. Odd: the file itself, which tries the
// container. Even: blocks without their frames, as `lz4 -d` gives them; they get frames whose
// checksums are right, so that what is inside is tried. All that is read is judged and shown.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record_write.h"
#include "results/record/record.h"

#define JUDGED_MAX 6 // samples of an input: a map of methods is large

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

struct state {
    struct results_record* record;
    struct results_replay* replay;
    unsigned judged;
};

static void on_sample(void* context, const struct results_sample* sample, bool lost) {
    static struct results_run* run;
    static struct results_mismatch* mismatch;
    static FILE* nowhere;
    struct state* state = context;
    struct oracle_judgement judgement;
    (void)lost;
    if (state->judged++ >= JUDGED_MAX) return;
    if (run == NULL) run = calloc(1, sizeof *run);
    if (mismatch == NULL) mismatch = calloc(1, sizeof *mismatch);
    if (nowhere == NULL) nowhere = fopen("/dev/null", "w");
    if (run == NULL || mismatch == NULL || nowhere == NULL) abort();
    (void)results_replay_judge(state->replay, state->record, sample, &judgement);
    results_sample_show(state->record, sample, run, mismatch);
    const struct results_execution execution = {
        .case_name = "case", .mode = "mode", .scope = "scope", .run = run};
    const struct results_report report = {0};
    results_show(&report, &execution, mismatch, nowhere);
}

static void read_all(const uint8_t* bytes, size_t size, uint32_t off) {
    struct state state = {.record = results_record_open(bytes, size),
                          .replay = results_replay_open(off)};
    const struct results_record_visitor visitor = {.context = &state, .sample = on_sample};
    const struct results_problem* problems;
    if (state.record == NULL || state.replay == NULL) abort();
    if (results_record_each(state.record, &visitor) != 0) abort();
    size_t count = results_record_problems(state.record, &problems);
    for (size_t i = 0; i < count; i++)
        if (problems[i].offset > size || problems[i].text[0] == '\0') abort(); // names no place
    results_replay_close(state.replay);
    results_record_close(state.record);
}

// The block at `at` into a frame behind `file`; how many bytes of the input it takes.
static size_t add_block(const uint8_t* at, size_t left, uint8_t* file, size_t* used, size_t room) {
    uint8_t* block = malloc(left);
    uint32_t length =
        (uint32_t)at[24] | (uint32_t)at[25] << 8 | (uint32_t)at[26] << 16 | (uint32_t)at[27] << 24;
    if (block == NULL) abort();
    if (length > left - RECORD_BLOCK_HEAD_BYTES)
        length = (uint32_t)(left - RECORD_BLOCK_HEAD_BYTES);
    size_t size = RECORD_BLOCK_HEAD_BYTES + length;
    memcpy(block, at, size);
    for (unsigned i = 0; i < 4; i++) {
        block[i] = (uint8_t)(RECORD_BLOCK_MAGIC >> 8 * i);
        block[24 + i] = (uint8_t)(length >> 8 * i);
    }
    block[4] = RESULTS_RECORD_VERSION;
    block[5] = 0;
    *used += record_frame_pack(block, size, file + *used, room - *used);
    free(block);
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size < 2) return 0;
    uint32_t off = data[0] >> 1 & ((1u << ORACLE_RULE_COUNT) - 1);
    if ((data[0] & 1) != 0) {
        read_all(data + 1, size - 1, off);
        return 0;
    }
    // Each block takes at least its head of the input, and its frame little more.
    size_t room = 4096 + record_frame_bound(size) + size / RECORD_BLOCK_HEAD_BYTES * 64, used = 0;
    uint8_t* file = malloc(room);
    if (file == NULL) abort();
    for (size_t at = 1; size - at >= RECORD_BLOCK_HEAD_BYTES;)
        at += add_block(data + at, size - at, file, &used, room);
    read_all(file, used, off);
    free(file);
    return 0;
}
