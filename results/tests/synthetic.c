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

char* synthetic_output(void (*print)(const void* what, FILE* out), const void* what) {
    char* text = NULL;
    size_t size = 0;
    FILE* out = open_memstream(&text, &size);
    if (out == NULL) abort();
    print(what, out);
    fclose(out);
    return text;
}
