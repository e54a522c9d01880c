// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "synthetic.h"

#include <stdlib.h>
#include <string.h>

struct results_run* synthetic_run(uint64_t judged) {
    struct results_run* run = calloc(1, sizeof *run);
    if (run == NULL) abort();
    run->phase = RESULTS_PHASE_ENDED;
    run->text_used = 1;
    strcpy(run->walker, "AsyncGetCallTrace");
    for (int i = 0; i < ORACLE_LAYER_COUNT; i++) {
        run->layers[i].asked = run->layers[i].answered = judged;
        if (i != ORACLE_LAYER_GROUND) run->layers[i].verdict[ORACLE_AGREE] = judged;
    }
    // As the agent counts it: pops that were right stand with their threads.
    run->layers[ORACLE_LAYER_GROUND].asked = run->layers[ORACLE_LAYER_GROUND].answered = 0;
    run->threads_now[3].ground_checks = judged / 2;
    run->threads_now[RESULTS_THREADS - 1].ground_checks = judged - judged / 2;
    return run;
}

struct results_execution synthetic_execution(const struct results_run* run, const char* mode) {
    return (struct results_execution){.case_name = "recursion",
                                      .mode = mode,
                                      .scope = "app",
                                      .layers = (1u << ORACLE_LAYER_COUNT) - 1,
                                      .end = RESULTS_END_EXITED,
                                      .work = RESULTS_WORK_DONE,
                                      .seconds = 2.5,
                                      .run = run};
}

uint32_t synthetic_text(struct results_run* run, const char* text) {
    uint32_t offset = run->text_used;
    strcpy(run->text + offset, text);
    run->text_used += (uint32_t)strlen(text) + 1;
    return offset;
}

void synthetic_mismatch(struct results_run* run, enum oracle_layer layer, uint32_t depth) {
    struct results_mismatch* m = &run->mismatches[0];
    *m = (struct results_mismatch){.layer = layer,
                                   .verdict = ORACLE_MISSING,
                                   .thread_id = 77,
                                   .pc = 0x1234,
                                   .expected_count = depth,
                                   .observed_count = depth - 1,
                                   .difference = 2,
                                   .thread_name = "worker-0"};
    uint32_t source = synthetic_text(run, "Demo.java");
    for (uint32_t i = 0; i < depth; i++) {
        char name[32];
        snprintf(name, sizeof name, "Demo.m%u(I)V", i);
        struct results_frame frame = {.id = i,
                                      .bci = (int32_t)i + 7,
                                      .old_bci = (int32_t)i,
                                      .line = 100 + i,
                                      .name = synthetic_text(run, name),
                                      .source = source};
        if (i != 2) m->observed[m->observed_kept++] = frame;
        frame.bci = RESULTS_BCI_NONE;
        m->expected[m->expected_kept++] = frame;
    }
    m->state = RESULTS_MISMATCH_RESOLVED;
}

void synthetic_context(struct results_run* run) {
    static const uint8_t code[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xec, 0x10, 0xc9, 0xc3};
    struct results_mismatch* m = &run->mismatches[0];
    m->code_kind = RESULTS_CODE_C2;
    m->region = RESULTS_REGION_BODY;
    m->thread_state = RESULTS_THREAD_IN_JAVA;
    m->code_offset = 4;
    m->frame_complete = 8;
    m->code_size = 32;
    m->owner.name = synthetic_text(run, "Demo.owner()V");
    m->bytes_at = m->pc - 4;
    m->byte_count = sizeof code;
    memcpy(m->bytes, code, sizeof code);
    m->sp = 0x7f00;
    m->register_count = 23;
    m->registers[15] = m->sp; // rsp
    m->stack_at = m->sp - 8;
    m->stack_count = 2;
    m->stack_words[1] = 0xcafe0001;
    m->again_count[0] = 5;
    m->again_same[0] = 1;
    m->again_count[1] = -5;
}

struct results_cluster* synthetic_cluster(struct results_run* run, size_t index,
                                          enum oracle_verdict verdict, enum results_code_kind kind,
                                          uint64_t count) {
    struct results_cluster* cluster = &run->clusters[index];
    *cluster = (struct results_cluster){.key = index + 1,
                                        .ready = 1,
                                        .layer = ORACLE_LAYER_ASYNC,
                                        .verdict = (uint8_t)verdict,
                                        .code_kind = (uint8_t)kind,
                                        .region = RESULTS_REGION_BODY,
                                        .place = 1,
                                        .lost = 1,
                                        .instruction_length = 3,
                                        .instruction = {0x48, 0x89, 0xe5},
                                        .example = -1,
                                        .count = count};
    return cluster;
}

char* synthetic_output(void (*print)(const void* what, FILE* out), const void* what) {
    char* text = NULL;
    size_t size = 0;
    FILE* out = open_memstream(&text, &size);
    if (out == NULL) abort();
    print(what, out);
    fclose(out);
    return text;
}
