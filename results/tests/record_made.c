// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "record_made.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

const struct oracle_code* made_code(void* context, uint32_t number) {
    static struct oracle_code* code;
    (void)context;
    if (code == NULL) {
        code = calloc(1, sizeof *code + sizeof code->ranges[0]);
        cr_assert_not_null(code);
        code->length = 100;
        code->range_count = 1;
        code->ranges[0].end = 6;
    }
    return number < 10 ? code : NULL;
}

static const struct results_mismatch* made_evidence(uint32_t n) {
    static struct results_mismatch m;
    memset(&m, 0, sizeof m);
    strcpy(m.thread_name, "worker");
    strcpy(m.code_name, "StubRoutines (1)");
    m.sp = 0x7fff0000 + n;
    m.register_count = 17;
    for (uint32_t i = 0; i < 17; i++) m.registers[i] = (uint64_t)i << 40 | n;
    m.stack_at = m.sp;
    m.stack_count = 20;
    for (uint32_t i = 0; i < 20; i++) m.stack_words[i] = ~(uint64_t)i;
    m.bytes_at = 0x4000;
    m.byte_count = 100;
    memset(m.bytes, 0x90, 100);
    m.again_count[0] = -5;
    m.again_same[1] = 1;
    return &m;
}

struct results_sample made_sample(uint32_t n) {
    static struct results_sample_slot slots[8];
    static struct results_sample_frame frames[8];
    uint32_t young = 3 + n % 7;
    bool mismatch = n % 5 == 4;
    // Oldest last: `young`, a gap frame and the call, method 2, method 1.
    slots[0] = (struct results_sample_slot){
        .kind = RESULTS_SLOT_ENTRY, .id = 0x1000u * young, .number = young, .position = 9000 + n};
    slots[1] = (struct results_sample_slot){.kind = RESULTS_SLOT_GAP, .id = 0x777, .bci = 5};
    slots[2] = (struct results_sample_slot){.kind = RESULTS_SLOT_CALL, .bci = 44};
    slots[3] = (struct results_sample_slot){
        .kind = RESULTS_SLOT_ENTRY, .id = 0x2000, .number = 2, .position = 5000};
    slots[4] = (struct results_sample_slot){
        .kind = RESULTS_SLOT_ENTRY, .id = 0x1000, .number = 1, .position = 4000};
    frames[0] = (struct results_sample_frame){0x1000u * young, young, (int32_t)(10 + n % 50)};
    frames[1] = (struct results_sample_frame){0x777, ORACLE_FOREIGN, 5};
    frames[2] = (struct results_sample_frame){0x2000, 2, 44};
    frames[3] = (struct results_sample_frame){0x1000, 1, 60};
    // The mismatch: method 2 is missing.
    if (mismatch) frames[2] = frames[3];
    return (struct results_sample){
        .time_ns = 1000000 + n * 50000ull,
        .pc = 0x7f0000001000 + n,
        .thread_id = n,
        .layer = ORACLE_LAYER_ASYNC,
        .verdict = mismatch ? ORACLE_MISSING : ORACLE_AGREE,
        .code_kind = RESULTS_CODE_C2,
        .region = RESULTS_REGION_BODY,
        .thread_state = RESULTS_THREAD_IN_JAVA,
        .chosen = !mismatch,
        .context_known = true,
        .count = mismatch ? 3 : 4,
        .context = {.in_transition_allowed = true},
        .judgement = {.verdict = mismatch ? ORACLE_MISSING : ORACLE_AGREE,
                      .expected = 3,
                      .observed = mismatch ? 2 : 3,
                      .difference = mismatch ? 2 : 0},
        .slot_count = 5,
        .frame_count = mismatch ? 3 : 4,
        .slots = slots,
        .frames = frames,
        .evidence = mismatch ? made_evidence(n) : NULL};
}

int made_keep(void* context, const void* bytes, size_t size) {
    struct made* made = context;
    made->bytes = realloc(made->bytes, made->size + size);
    cr_assert_not_null(made->bytes);
    memcpy(made->bytes + made->size, bytes, size);
    made->size += size;
    return 0;
}

static int keep(void* context, const void* bytes, size_t size) {
    struct made* made = context;
    cr_assert_lt(made->frames, MADE_FRAMES);
    made->starts[made->frames] = made->size;
    made->samples_in[made->frames++] = made->pending;
    made->pending = 0;
    made_keep(made, bytes, size);
    made->starts[made->frames] = made->size;
    return 0;
}

static struct results_recorder* name_all; // to which `met` gives names

static void met(void* context, uint32_t index, uint64_t id, uint32_t number) {
    static const struct results_insertion insertions[] = {{0, 6, 0}, {20, 4, 14}};
    static const struct results_line lines[] = {{0, 100}, {10, 102}, {40, 99}};
    char name[32];
    (void)context, (void)number;
    snprintf(name, sizeof name, "Made.m%llx()V", (unsigned long long)id);
    const struct results_names names = {name, "Made.java", 2, 3, insertions, lines};
    results_recorder_names(name_all, index, &names);
}

struct made made_record(uint32_t blocks, uint32_t each) {
    struct made made = {0};
    uint64_t values[RESULTS_COUNTERS] = {0};
    const struct results_recorder_options options = {&made, keep, made_code, met};
    struct results_recorder* r = results_recorder_open(&options);
    uint32_t n = 0;
    cr_assert_not_null(r);
    name_all = r;
    results_recorder_property(r, "jvm.version", "17.0.15+6");
    results_recorder_head(r, 0);
    for (uint32_t block = 0; block < blocks; block++) {
        for (uint32_t i = 0; i < each; i++, made.pending++) {
            struct results_sample sample = made_sample(n++);
            cr_assert_eq(results_recorder_sample(r, &sample), 0);
        }
        values[0] = values[1] = n;
        results_recorder_counters(r, n * 50000ull, values, block % 4 == 0);
        results_recorder_flush(r, n * 50000ull, false);
    }
    results_recorder_flush(r, n * 50000ull, true);
    results_recorder_close(r);
    return made;
}

void made_free(struct made* made) {
    free(made->bytes);
}
