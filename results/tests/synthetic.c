// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "synthetic.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct results_run* synthetic_run(uint64_t judged) {
    struct results_run* run = calloc(1, sizeof *run);
    if (run == NULL) abort();
    synthetic_fill(run, judged);
    return run;
}

void synthetic_fill(struct results_run* run, uint64_t judged) {
    run->phase = RESULTS_PHASE_ENDED;
    strcpy(run->walker, "AsyncGetCallTrace");
    run->classes_seen = run->classes_rewritten = 1;
    run->methods_rewritten = 10;
    for (int i = 0; i < ORACLE_LAYER_COUNT; i++) {
        run->layers[i].asked = run->layers[i].answered = judged;
        if (i != ORACLE_LAYER_GROUND) run->layers[i].verdict[ORACLE_AGREE] = judged;
    }
    // As the agent counts it: pops that were right stand with their threads.
    run->layers[ORACLE_LAYER_GROUND].asked = run->layers[ORACLE_LAYER_GROUND].answered = 0;
    run->threads_now[3].ground_checks = judged / 2;
    run->threads_now[RESULTS_THREADS - 1].ground_checks = judged - judged / 2;
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

// ---- Mismatches -------------------------------------------------------------------------------

#define FIRST_ID 0x100u // of Demo.m0
#define OTHERS_ID 0x9000u
#define OTHERS 16

static const char* others[OTHERS]; // names of the ids from OTHERS_ID on

uint64_t synthetic_method(const char* name) {
    unsigned i = 0;
    while (i < OTHERS && others[i] != NULL && strcmp(others[i], name) != 0) i++;
    if (i == OTHERS) abort();
    others[i] = name;
    return OTHERS_ID + i;
}

void synthetic_mismatch(struct synthetic_mismatch* m, enum oracle_layer layer, uint32_t depth) {
    *m = (struct synthetic_mismatch){.sample = {.layer = (uint8_t)layer,
                                                .verdict = ORACLE_MISSING,
                                                .thread_id = 77,
                                                .pc = 0x1234,
                                                .count = (int32_t)depth - 1,
                                                .slot_count = depth,
                                                .judgement = {.verdict = ORACLE_MISSING,
                                                              .expected = depth,
                                                              .observed = depth - 1,
                                                              .difference = 2}},
                                     .evidence = {.thread_name = "worker-0"}};
    for (uint32_t i = 0; i < depth; i++) {
        m->slots[i] = (struct results_sample_slot){
            .kind = RESULTS_SLOT_ENTRY, .id = FIRST_ID + i, .number = 1 + i};
        if (i == 2) continue;
        m->frames[m->sample.frame_count++] =
            (struct results_sample_frame){FIRST_ID + i, 1 + i, (int32_t)i + 7};
    }
}

void synthetic_context(struct synthetic_mismatch* m) {
    static const uint8_t code[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xec, 0x10, 0xc9, 0xc3};
    struct results_evidence* e = &m->evidence;
    m->sample.code_kind = RESULTS_CODE_C2;
    m->sample.region = RESULTS_REGION_BODY;
    m->sample.thread_state = RESULTS_THREAD_IN_JAVA;
    m->sample.code_offset = 4;
    e->frame_complete = 8;
    e->code_size = 32;
    e->owner = synthetic_method("Demo.owner()V");
    e->bytes_at = m->sample.pc - 4;
    e->byte_count = sizeof code;
    memcpy(e->bytes, code, sizeof code);
    e->sp = 0x7f00;
    e->register_count = 23;
    e->registers[15] = e->sp; // rsp
    e->stack_at = e->sp - 8;
    e->stack_count = 2;
    e->stack_words[1] = 0xcafe0001;
    e->again_count[0] = 5;
    e->again_same[0] = 1;
    e->again_count[1] = -5;
}

// ---- Records ----------------------------------------------------------------------------------

struct synthetic_recording {
    struct results_recorder* recorder;
    FILE* file;
    char path[4200];
    bool hidden;    // nobody is to find the file
    bool nameless;  // as the mismatch that is being added
    uint64_t count; // of mismatches
    struct results_ring_ends ends;
    uint64_t ring[1 << 10]; // for pieces
};

static void check(bool right) {
    if (right) return;
    perror("synthetic record");
    abort();
}

static int write_block(void* context, const void* bytes, size_t size) {
    const struct synthetic_recording* r = context;
    return fwrite(bytes, 1, size, r->file) == size ? 0 : -1;
}

static void name_of(uint64_t id, char name[256]) {
    if (id >= OTHERS_ID) snprintf(name, 256, "%s", others[id - OTHERS_ID]);
    else snprintf(name, 256, "Demo.m%u(I)V", (unsigned)(id - FIRST_ID));
}

static void met(void* context, uint32_t index, uint64_t id, uint32_t number) {
    struct synthetic_recording* r = context;
    char name[256];
    (void)number;
    if (r->nameless || id < FIRST_ID) return;
    name_of(id, name);
    const struct results_names names = {.name = name, .source = "Demo.java"};
    results_recorder_names(r->recorder, index, &names);
}

struct synthetic_recording* synthetic_record_open(const char* path) {
    static unsigned records;
    struct synthetic_recording* r = calloc(1, sizeof *r);
    check(r != NULL);
    r->hidden = path == NULL;
    if (path != NULL) snprintf(r->path, sizeof r->path, "%s", path);
    else
        snprintf(r->path, sizeof r->path, "/tmp/plumbline-synthetic-%d-%u", (int)getpid(),
                 records++);
    r->file = fopen(r->path, "w");
    check(r->file != NULL);
    const struct results_recorder_options options = {r, write_block, met};
    r->recorder = results_recorder_open(&options);
    check(r->recorder != NULL && results_recorder_head(r->recorder, 0) == 0);
    return r;
}

// Out of the ring into the record, as the writer does it.
static void record_pieces(struct synthetic_recording* r) {
    struct results_ring_reader reader = {.ring = {&r->ends, (uint8_t*)r->ring, sizeof r->ring},
                                         .next = r->ends.read};
    size_t size;
    for (const void* piece; (piece = results_ring_next(&reader, &size)) != NULL;)
        check(results_recorder_piece(r->recorder, piece, size) == 0);
    results_ring_release(&reader);
}

// A rewritten method m<i>: its push takes the bcis 0 to 6, and all of it stands on line 100 + i.
static void add_method(struct synthetic_recording* r, uint32_t number) {
    static const struct oracle_code code = {.length = 1000};
    static const struct results_insertion push = {0, 7, 0};
    const struct results_line line = {0, 99 + number};
    const struct results_ring ring = {&r->ends, (uint8_t*)r->ring, sizeof r->ring};
    char name[256];
    name_of(FIRST_ID + number - 1, name);
    const struct results_names names = {name, "Demo.java", 1, 1, &push, &line};
    check(results_rewritten_piece(&ring, number, &code, &names) == 0);
    record_pieces(r);
}

// What GetStackTrace is to have said: the settlement that gives the vote.
static void add_vote(struct synthetic_recording* r, const struct synthetic_mismatch* m) {
    const struct results_sample* s = &m->sample;
    struct results_settled_piece* piece;
    struct {
        struct results_settled_piece head;
        struct results_sample_frame witness[SYNTHETIC_DEPTH];
    } whole = {.head = {.kind = RESULTS_PIECE_SETTLED,
                        .thread_slot = s->thread_slot,
                        .epoch = (uint32_t)r->count,
                        .blame = m->vote == RESULTS_VOTE_AGAINST_WALKER ? RESULTS_BLAME_WALKER
                                                                        : RESULTS_BLAME_ORACLE}};
    if (m->vote == RESULTS_VOTE_OPEN) return;
    piece = &whole.head;
    if (m->vote == RESULTS_VOTE_ALL_DIFFER) piece->count = 1; // of no method
    if (m->vote == RESULTS_VOTE_AGAINST_STACK) {
        piece->count = s->frame_count;
        memcpy(whole.witness, m->frames, s->frame_count * sizeof *m->frames);
    }
    size_t size = sizeof *piece + piece->count * sizeof *m->frames;
    check(results_recorder_piece(r->recorder, piece, size) == 0);
}

void synthetic_record_add(struct synthetic_recording* r, const struct synthetic_mismatch* m) {
    struct results_sample sample = m->sample;
    r->count++;
    r->nameless = m->nameless;
    for (uint32_t i = 0; i < sample.slot_count && !m->nameless; i++)
        if (m->slots[i].number != ORACLE_FOREIGN) add_method(r, m->slots[i].number);
    for (uint32_t i = 0; i < sample.frame_count && !m->nameless; i++)
        if (m->frames[i].number != ORACLE_FOREIGN) add_method(r, m->frames[i].number);
    if (sample.sequence == 0) sample.sequence = r->count;
    sample.epoch = (uint32_t)r->count;
    sample.slots = m->slots;
    sample.frames = m->frames;
    sample.evidence = &m->evidence;
    check(results_recorder_sample(r->recorder, &sample) == 0);
    add_vote(r, m);
}

struct results_record* synthetic_record_close(struct synthetic_recording* r) {
    check(results_recorder_flush(r->recorder, 1, true) == 0);
    results_recorder_close(r->recorder);
    check(fclose(r->file) == 0);
    struct results_record* record = results_record_open_file(r->path);
    check(record != NULL && results_record_problem_count(record) == 0);
    if (r->hidden) unlink(r->path);
    free(r);
    return record;
}

struct results_record* synthetic_record(const char* path, const struct synthetic_mismatch* m) {
    struct synthetic_recording* recording = synthetic_record_open(path);
    synthetic_record_add(recording, m);
    return synthetic_record_close(recording);
}

// ---- Clusters ---------------------------------------------------------------------------------

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

struct table {
    void (*print)(const struct results_report* report, FILE* out);
    const struct results_report* report;
};

static void print_table(const void* what, FILE* out) {
    const struct table* table = what;
    table->print(table->report, out);
}

char* synthetic_table(void (*print)(const struct results_report* report, FILE* out),
                      const struct results_run* run, const char* mode) {
    struct results_execution execution = synthetic_execution(run, mode);
    const struct results_report report = {.executions = &execution, .execution_count = 1};
    return synthetic_output(print_table, &(struct table){print, &report});
}
