// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// seeds DIRECTORY: small records, as files and as blocks, for record_target.c to begin with.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record_write.h"
#include "results/record/record.h"

struct seed {
    const char* directory;
    FILE *file, *blocks;
    struct record_unpacker* unpacker;
};

static int write_frame(void* context, const void* bytes, size_t size) {
    struct seed* seed = context;
    const uint8_t* content;
    size_t content_size, taken;
    if (record_frame_unpack(seed->unpacker, bytes, size, &content, &content_size, &taken) !=
        RECORD_FRAME_RIGHT)
        return -1;
    fwrite(bytes, 1, size, seed->file);
    fwrite(content, 1, content_size, seed->blocks);
    return 0;
}

static const struct oracle_code* code(void* context, uint32_t number) {
    static struct oracle_code* made;
    (void)context, (void)number;
    if (made == NULL) made = calloc(1, sizeof *made + sizeof made->ranges[0]);
    if (made == NULL) abort();
    made->length = 50;
    made->range_count = 1;
    made->ranges[0].end = 6;
    return made;
}

// A stack of `depth` entries, one of them with a gap, and what a walker may say of it.
static int put_sample(struct results_recorder* recorder, uint32_t depth, int what) {
    struct results_sample_slot slots[64] = {{0}};
    struct results_sample_frame frames[64] = {{0}};
    static struct results_mismatch evidence;
    static const struct oracle_site calls[] = {{0, 2}, {10, 2}, {20, ORACLE_CALLS_ANY}};
    static const struct oracle_sites sites = {2, ORACLE_METHOD_STARTS, 50, 3, calls};
    const struct oracle_sites* known[64];
    static const uint8_t layers[] = {
        ORACLE_LAYER_ASYNC,     ORACLE_LAYER_ASYNC,    ORACLE_LAYER_ASYNC,  ORACLE_LAYER_SAFEPOINT,
        ORACLE_LAYER_STRUCTURE, ORACLE_LAYER_SANDWICH, ORACLE_LAYER_GROUND, ORACLE_LAYER_GST};
    struct results_sample s = {.time_ns = 1000u * depth,
                               .thread_id = 7,
                               .pc = 0x1234,
                               .layer = layers[what],
                               .verdict = what == 0 ? ORACLE_AGREE : ORACLE_WRONG_METHOD,
                               .context_known = true,
                               .context = {.in_transition_allowed = true},
                               .slots = slots,
                               .frames = frames,
                               .witness = frames};
    for (uint32_t i = 0; i < depth; i++) {
        uint32_t number = 1 + (depth - i) % 5;
        slots[s.slot_count++] = (struct results_sample_slot){.kind = RESULTS_SLOT_ENTRY,
                                                             .id = 0x100 * number,
                                                             .number = number,
                                                             .position = 9000 - i * 10};
        frames[s.frame_count++] = (struct results_sample_frame){0x100 * number, number, 10};
        if (i != 1) continue;
        slots[s.slot_count++] = (struct results_sample_slot){.kind = RESULTS_SLOT_GAP, .id = 0x77};
        slots[s.slot_count++] = (struct results_sample_slot){.kind = RESULTS_SLOT_CALL, .bci = 10};
        frames[s.frame_count++] = (struct results_sample_frame){0x77, ORACLE_FOREIGN, 0};
    }
    s.count = (int32_t)s.frame_count;
    if (what == 1) frames[0].id = 0x666;
    if (what == 3 || what == 5) s.witness_count = s.frame_count / 2;
    if (what == 5) s.third = frames;
    if (what == 5) s.third_count = s.frame_count;
    evidence.register_count = 17;
    evidence.stack_count = 8;
    evidence.byte_count = 32;
    if (what == 4) {
        s.sites = known;
        s.root = ORACLE_ROOT_STARTED;
        for (uint32_t i = 0; i < s.frame_count; i++) known[i] = i % 4 != 3 ? &sites : NULL;
    }
    if (what != 0) s.evidence = &evidence;
    s.owner_known = what == 2 || what == 6;
    s.owner = (struct oracle_owner){0x100, 9000, false};
    s.owner_number = 1;
    return results_recorder_sample(recorder, &s);
}

static void put_record(struct results_recorder* recorder) {
    static const struct results_insertion insertion = {0, 6, 0};
    static const struct results_line line = {3, 4};
    static uint64_t values[RESULTS_COUNTERS];
    const struct results_names names = {"A.b()V", "A.java", 1, 1, &insertion, &line};
    values[3] = 5;
    results_recorder_property(recorder, "jvm.version", "0");
    results_recorder_head(recorder, 0);
    for (int what = 0; what < 8; what++)
        for (uint32_t depth = 1; depth < 20; depth += 6) put_sample(recorder, depth, what);
    results_recorder_names(recorder, 1, &names);
    results_recorder_counters(recorder, 5, values, true);
    results_recorder_settled(recorder, 1, 2, RESULTS_BLAME_WALKER);
    results_recorder_flush(recorder, 9, false);
    results_recorder_flush(recorder, 9, true);
}

static FILE* open_seed(const char* directory, const char* name, char first) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE* file = fopen(path, "w");
    if (file == NULL || fputc(first, file) == EOF) {
        perror(path);
        exit(1);
    }
    return file;
}

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    struct seed seed = {.directory = argv[1], .unpacker = record_unpacker_open()};
    const struct results_recorder_options options = {&seed, write_frame, code, NULL};
    seed.file = open_seed(argv[1], "file", 1);
    seed.blocks = open_seed(argv[1], "blocks", 0);
    struct results_recorder* recorder = results_recorder_open(&options);
    if (recorder == NULL || seed.unpacker == NULL) return 1;
    put_record(recorder);
    results_recorder_close(recorder);
    record_unpacker_close(seed.unpacker);
    return fclose(seed.file) != 0 || fclose(seed.blocks) != 0;
}
