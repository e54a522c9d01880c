// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: bytes that a reader of records must bear. The lowest two bits of the first byte say
// what follows:
//   0  blocks without their frames, as `lz4 -d` gives them. They get frames whose checksums are
//      right, so that what is inside is tried.
//   1  a record file, which tries the container.
//   2  pieces of the ring, as a JVM that wrote where it should not may have left them: each is two
//      bytes of size, then so many bytes.
//   3  a whole ring: its ends, then its memory.
// What pieces become must be a record of which nothing is wrong. All that is read is judged and
// shown, in plain text.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record_write.h"
#include "results/record/record.h"
#include "results/report/report.h"

#define JUDGED_MAX 6 // samples of an input: a map of methods is large

enum input { INPUT_BLOCKS, INPUT_FILE, INPUT_PIECES, INPUT_RING };

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void must(bool right) {
    if (!right) abort();
}

// ---- Reading ----------------------------------------------------------------------------------

struct state {
    struct results_record* record;
    struct results_replay* replay;
    unsigned judged;
};

// What is printed of a sample does not steer a terminal.
static void show(const struct state* state, uint64_t sequence) {
    char* text = NULL;
    size_t size;
    FILE* out = open_memstream(&text, &size);
    must(out != NULL);
    const struct results_execution execution = {
        .case_name = "case", .mode = "mode", .scope = "scope", .record = state->record};
    const struct results_report report = {.executions = &execution, .execution_count = 1};
    must(results_show(&report, &execution, sequence, true, out));
    must(fclose(out) == 0);
    for (size_t i = 0; i < size; i++)
        must(((unsigned char)text[i] >= ' ' && text[i] != 0x7f) || strchr("\n\t", text[i]) != NULL);
    must(strlen(text) == size);
    free(text);
}

static void on_sample(void* context, const struct results_sample* sample, bool lost) {
    struct state* state = context;
    struct oracle_judgement judgement;
    (void)lost;
    if (state->judged++ >= JUDGED_MAX) return;
    (void)results_replay_judge(state->replay, state->record, sample, &judgement);
    must(results_record_blame(state->record, sample) <= RESULTS_BLAME_ORACLE);
    must(results_record_vote(state->record, sample) < RESULTS_VOTE_COUNT);
    show(state, sample->sequence);
}

// Whether nothing is wrong with it.
static bool read_all(const uint8_t* bytes, size_t size, uint32_t off) {
    struct state state = {.record = results_record_open(bytes, size),
                          .replay = results_replay_open(off)};
    const struct results_record_visitor visitor = {.context = &state, .sample = on_sample};
    const struct results_problem* problems;
    must(state.record != NULL && state.replay != NULL);
    must(results_record_each(state.record, &visitor) == 0);
    size_t count = results_record_problems(state.record, &problems);
    for (size_t i = 0; i < count; i++) // each names a place
        must(problems[i].offset <= size && problems[i].text[0] != '\0');
    results_replay_close(state.replay);
    results_record_close(state.record);
    return count == 0;
}

// ---- Blocks -----------------------------------------------------------------------------------

// The block at `at` into a frame behind `file`; how many bytes of the input it takes.
static size_t add_block(const uint8_t* at, size_t left, uint8_t* file, size_t* used, size_t room) {
    uint8_t* block = malloc(left);
    uint32_t length =
        (uint32_t)at[24] | (uint32_t)at[25] << 8 | (uint32_t)at[26] << 16 | (uint32_t)at[27] << 24;
    must(block != NULL);
    if (length > left - RECORD_BLOCK_HEAD_BYTES)
        length = (uint32_t)(left - RECORD_BLOCK_HEAD_BYTES);
    size_t size = RECORD_BLOCK_HEAD_BYTES + length;
    memcpy(block, at, size);
    for (unsigned i = 0; i < 4; i++) {
        block[i] = (uint8_t)(RECORD_BLOCK_MAGIC >> 8 * i);
        block[24 + i] = (uint8_t)(length >> 8 * i);
    }
    if (block[4] != RESULTS_RECORD_OLDEST) block[4] = RESULTS_RECORD_VERSION;
    block[5] = 0;
    *used += record_frame_pack(block, size, file + *used, room - *used);
    free(block);
    return size;
}

static void read_blocks(const uint8_t* data, size_t size, uint32_t off) {
    // Each block takes at least its head of the input, and its frame little more.
    size_t room = 4096 + record_frame_bound(size) + size / RECORD_BLOCK_HEAD_BYTES * 64, used = 0;
    uint8_t* file = malloc(room);
    must(file != NULL);
    for (size_t at = 0; size - at >= RECORD_BLOCK_HEAD_BYTES;)
        at += add_block(data + at, size - at, file, &used, room);
    (void)read_all(file, used, off);
    free(file);
}

// ---- Pieces -----------------------------------------------------------------------------------

struct record_bytes {
    uint8_t* list;
    size_t size;
};

static int keep(void* context, const void* bytes, size_t size) {
    struct record_bytes* all = context;
    all->list = realloc(all->list, all->size + size);
    must(all->list != NULL);
    memcpy(all->list + all->size, bytes, size);
    all->size += size;
    return 0;
}

static struct results_recorder* begin(struct record_bytes* bytes) {
    const struct results_recorder_options options = {.context = bytes, .write = keep};
    struct results_recorder* recorder = results_recorder_open(&options);
    must(recorder != NULL && results_recorder_head(recorder, 0) == 0);
    return recorder;
}

static void record(struct results_recorder* recorder, const void* piece, size_t size) {
    size_t before = results_recorder_pending(recorder);
    int result = results_recorder_piece(recorder, piece, size);
    must(result == 0 || result == 1);
    must(result == 0 || results_recorder_pending(recorder) == before);
}

static void finish(struct results_recorder* recorder, struct record_bytes* bytes, uint32_t off) {
    must(results_recorder_flush(recorder, 1, true) == 0);
    results_recorder_close(recorder);
    must(read_all(bytes->list, bytes->size, off));
    free(bytes->list);
}

static void read_pieces(const uint8_t* data, size_t size, uint32_t off) {
    struct record_bytes bytes = {.list = NULL};
    struct results_recorder* recorder = begin(&bytes);
    while (size >= 2) {
        size_t wanted = (size_t)data[0] | (size_t)data[1] << 8;
        data += 2;
        size -= 2;
        if (wanted > size) wanted = size;
        uint8_t* piece = malloc(wanted + (wanted == 0)); // aligned, and of exactly that size
        must(piece != NULL);
        memcpy(piece, data, wanted);
        record(recorder, piece, wanted);
        free(piece);
        data += wanted;
        size -= wanted;
    }
    finish(recorder, &bytes, off);
}

// ---- A ring -----------------------------------------------------------------------------------

static void read_ring(const uint8_t* data, size_t size, uint32_t off) {
    struct record_bytes bytes = {.list = NULL};
    struct results_ring_ends ends;
    struct results_ring ring = {.ends = &ends, .size = 64};
    if (size < sizeof ends) return;
    memcpy(&ends, data, sizeof ends);
    data += sizeof ends;
    size -= sizeof ends;
    while (ring.size < size) ring.size *= 2;
    ring.bytes = calloc(1, ring.size);
    must(ring.bytes != NULL);
    memcpy(ring.bytes, data, size);
    struct results_recorder* recorder = begin(&bytes);
    struct results_ring_reader reader = {.ring = ring, .next = ends.read, .abandoned = true};
    size_t pieces = 0, piece_size;
    for (const uint8_t* piece; (piece = results_ring_next(&reader, &piece_size)) != NULL;) {
        must(piece_size <= ring.size && piece + piece_size <= ring.bytes + ring.size);
        must(++pieces <= ring.size / 8);
        record(recorder, piece, piece_size);
    }
    must(reader.unfinished <= ring.size / 8);
    finish(recorder, &bytes, off);
    free(ring.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size < 2) return 0;
    uint32_t off = data[0] >> 2 & ((1u << ORACLE_RULE_COUNT) - 1);
    switch ((enum input)(data[0] & 3)) {
    case INPUT_BLOCKS: read_blocks(data + 1, size - 1, off); break;
    case INPUT_FILE: (void)read_all(data + 1, size - 1, off); break;
    case INPUT_PIECES: read_pieces(data + 1, size - 1, off); break;
    case INPUT_RING: read_ring(data + 1, size - 1, off); break;
    }
    return 0;
}
