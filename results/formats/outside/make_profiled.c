// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "make_profiled.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "results/profile/profile.h"

#define STARTED 500000000u
#define APART_NS 50000u
#define DEPTH_MAX 256

struct making {
    const struct make_profiled* wanted;
    char path[4200];
    FILE *record, *text;
    struct results_recorder* recorder;
    uint64_t state, written;
    struct results_ring_ends ends;
    uint64_t ring[1 << 9]; // for pieces
};

static void check(bool right, const char* what) {
    if (right) return;
    perror(what);
    exit(1);
}

static uint32_t below(struct making* m, uint32_t n) {
    m->state = m->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((m->state >> 32) * n >> 32);
}

static const char* place(struct making* m, const char* directory, const char* name) {
    snprintf(m->path, sizeof m->path, "%.4000s/%s", directory, name);
    return m->path;
}

// ---- Methods -----------------------------------------------------------------------------------

// The first ones would be markup, the script's end, and a line's end.
static void name_of(uint32_t method, char name[128]) {
    static const char* const evil[] = {"evil.</script><script>alert(5)//.m()V",
                                       "evil.<img src=x onerror=alert(6)>.m()V", "evil.a\nb.m()V"};
    if (method >= 3 && method < 6) snprintf(name, 128, "%s", evil[method - 3]);
    else if (method == 0) snprintf(name, 128, "java.lang.Thread.run()V");
    else
        snprintf(name, 128, "org.example.service%u.Handler%u.process%u(Ljava/lang/String;I)V",
                 method % 7, method % 41, method);
}

static uint64_t id_of(uint32_t method) {
    return 0x10000u + method;
}

static void add_method(struct making* m, uint32_t method) {
    static const struct oracle_code code = {.length = 1000};
    static const struct results_insertion push = {0, 7, 0};
    const struct results_line line = {0, 100};
    const struct results_ring ring = {&m->ends, (uint8_t*)m->ring, sizeof m->ring};
    struct results_ring_reader reader = {.ring = ring, .next = m->ends.read};
    char name[128];
    size_t size;
    name_of(method, name);
    const struct results_names names = {name, "Handler.java", 1, 1, &push, &line};
    check(results_rewritten_piece(&ring, method + 1, &code, &names) == 0, "method");
    for (const void* piece; (piece = results_ring_next(&reader, &size)) != NULL;)
        check(results_recorder_piece(m->recorder, piece, size) == 0, "record");
    results_ring_release(&reader);
    fprintf(m->text, "m %u ", method);
    // As ProfileReader writes them: what would end the line is replaced.
    for (const char* c = name; *c != '\0'; c++) fputc(*c == '\n' ? ' ' : *c, m->text);
    fputc('\n', m->text);
}

// ---- Stacks ------------------------------------------------------------------------------------

// From each method a few others are called, the first of them mostly. Oldest first.
static uint32_t walk(struct making* m, uint32_t stack[DEPTH_MAX]) {
    uint32_t most = m->wanted->depth, depth = 1 + below(m, most / 2) + below(m, most - most / 2);
    stack[0] = 0;
    for (uint32_t i = 1; i < depth; i++) {
        uint32_t turn = below(m, 100), callee = turn < 80 ? 0 : turn < 92 ? 1 : turn < 97 ? 2 : 3;
        stack[i] = 1 + (stack[i - 1] * 13 + callee * 29 + i * 5) % (m->wanted->methods - 1);
    }
    return depth;
}

static void write_instant(struct making* m, uint32_t n, const uint32_t* stack, uint32_t depth) {
    struct results_sample_slot slots[DEPTH_MAX];
    struct results_sample_frame frames[DEPTH_MAX];
    uint64_t time = 1000000 + (uint64_t)n * APART_NS;
    for (uint32_t i = 0; i < depth; i++) {
        uint32_t method = stack[depth - 1 - i];
        slots[i] = (struct results_sample_slot){.kind = RESULTS_SLOT_ENTRY,
                                                .id = id_of(method),
                                                .number = method + 1,
                                                .position = 9000 - i};
        frames[i] = (struct results_sample_frame){id_of(method), method + 1, 50};
    }
    const struct results_sample sample = {
        .sequence = n + 1,
        .time_ns = time,
        .thread_id = 100 + n % 4,
        .java_thread = 20 + n % 4,
        .window_begin_ns = time - 1000,
        .window_end_ns = time + 1000,
        .instant = true,
        .chosen = true,
        .layer = ORACLE_LAYER_ASYNC,
        .verdict = ORACLE_AGREE,
        .code_kind = RESULTS_CODE_C2,
        .region = RESULTS_REGION_BODY,
        .thread_state = RESULTS_THREAD_IN_JAVA,
        .context_known = true,
        .count = (int32_t)depth,
        .context = {.in_transition_allowed = true},
        .judgement = {.verdict = ORACLE_AGREE, .expected = depth, .observed = depth},
        .slot_count = depth,
        .frame_count = depth,
        .slots = slots,
        .frames = frames};
    check(results_recorder_sample(m->recorder, &sample) == 0, "record");
}

static void write_sample(struct making* m, uint32_t n, const uint32_t* stack, uint32_t depth) {
    uint64_t ticks = 1000000 + (uint64_t)n * APART_NS + STARTED;
    uint32_t fate = below(m, 50);
    fprintf(m->text, "s %" PRIu64 " %" PRIu64 " %u %u - -", ticks, ticks + 40, 100 + n % 4,
            20 + n % 4);
    for (uint32_t i = depth; i-- > 0;) {
        if (fate == 1 && i + 2 == depth) continue; // the caller is missing
        uint32_t method =
            fate == 2 && i + 1 == depth ? 1 + stack[i] % (m->wanted->methods - 1) : stack[i];
        fprintf(m->text, " %u:50:1:j", method);
    }
    fputc('\n', m->text);
    m->written++;
}

static int write_block(void* context, const void* bytes, size_t size) {
    return fwrite(bytes, 1, size, context) == size ? 0 : -1;
}

static void write_all(struct making* m) {
    uint32_t stack[DEPTH_MAX];
    fprintf(m->text, "plumbline-profile 1\n");
    for (uint32_t method = 0; method < m->wanted->methods; method++) add_method(m, method);
    for (uint32_t n = 0; n < m->wanted->samples; n++) {
        uint32_t depth = walk(m, stack);
        write_instant(m, n, stack, depth);
        if (n % 5 != 4) write_sample(m, n, stack, depth);
    }
    fprintf(m->text, "end %" PRIu64 "\n", m->written);
    check(results_recorder_flush(m->recorder, 1000, true) == 0, "record");
}

// ---- The run -----------------------------------------------------------------------------------

static void judge(struct making* m, const char* directory, struct results_run* run) {
    struct results_profile_file file;
    struct results_profile profile;
    const struct results_profile_options options = {.release = 25};
    char error[512], record[4200];
    snprintf(record, sizeof record, "%.4000s/run.lz4", directory);
    if (results_profile_read(place(m, directory, "samples"), &file, error, sizeof error) != 0 ||
        results_profile_judge(run, record, &file, &options, &profile, error, sizeof error) != 0) {
        fprintf(stderr, "make_runs: %s\n", error);
        exit(1);
    }
    check(results_tree_write(&profile.tree, place(m, directory, RESULTS_TREE_FILE)) == 0, m->path);
    results_profile_file_free(&file);
    results_profile_free(&profile);
    unlink(place(m, directory, "samples"));
}

struct results_run* make_profiled(const char* directory, const struct make_profiled* wanted) {
    struct making* m = calloc(1, sizeof *m);
    check(m != NULL && wanted->depth <= DEPTH_MAX, "make_profiled");
    m->wanted = wanted;
    m->state = wanted->seed;
    struct results_run* run = results_run_create(place(m, directory, "run.plumbline"));
    check(run != NULL, m->path);
    run->phase = RESULTS_PHASE_ENDED;
    strcpy(run->walker, "AsyncGetCallTrace");
    strcpy(run->profiler, "made-up");
    run->profiler_clock = 1;
    run->started_ns = STARTED;
    run->sequence = run->instants = run->recorded = wanted->samples;
    m->text = fopen(place(m, directory, "samples"), "w");
    check(m->text != NULL, m->path);
    m->record = fopen(place(m, directory, "run.lz4"), "w");
    check(m->record != NULL, m->path);
    const struct results_recorder_options options = {m->record, write_block, NULL};
    m->recorder = results_recorder_open(&options);
    check(m->recorder != NULL && results_recorder_head(m->recorder, 0) == 0, "record");
    write_all(m);
    results_recorder_close(m->recorder);
    check(fclose(m->record) == 0 && fclose(m->text) == 0, directory);
    judge(m, directory, run);
    free(m);
    return run;
}
