// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// seeds DIRECTORY: a small record as a file, as blocks, as pieces (together, and some alone) and as
// a ring, for record_target.c to begin with. The first byte of each says which it is.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pieces.h"
#include "record_write.h"
#include "results/record/record.h"

#define RING_BYTES (1u << 16)
#define ALONE_BYTES 2600u // pieces below it are seeds of their own

struct seed {
    const char* directory;
    FILE *file, *blocks, *pieces;
    struct record_unpacker* unpacker;
    struct results_recorder* recorder;
    struct results_ring ring;
};

static void must(bool right) {
    if (right) return;
    perror("seeds");
    exit(1);
}

static FILE* open_seed(const char* directory, const char* name, char first) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE* file = fopen(path, "w");
    must(file != NULL && fputc(first, file) != EOF);
    return file;
}

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

// ---- Pieces -----------------------------------------------------------------------------------

static void write_piece(FILE* file, const void* piece, size_t size) {
    must(size < 1u << 16);
    fputc((int)(size & 0xff), file);
    fputc((int)(size >> 8), file);
    fwrite(piece, 1, size, file);
}

static void write_alone(const char* directory, unsigned number, const void* piece, size_t size) {
    char name[32];
    snprintf(name, sizeof name, "piece-%u", number);
    FILE* file = open_seed(directory, name, 2);
    write_piece(file, piece, size);
    must(fclose(file) == 0);
}

// What the ring holds goes to the record and to the pieces. The ring stays as it is.
static void record_pieces(const struct seed* seed) {
    struct results_ring_reader reader = {.ring = seed->ring, .next = seed->ring.ends->read};
    size_t size;
    unsigned number = 0;
    for (const void* piece; (piece = results_ring_next(&reader, &size)) != NULL; number++) {
        must(results_recorder_piece(seed->recorder, piece, size) == 0);
        write_piece(seed->pieces, piece, size);
        if (size < ALONE_BYTES) write_alone(seed->directory, number, piece, size);
    }
}

static void put_settled(const struct results_ring* ring, uint32_t slot, uint32_t blame,
                        uint32_t count) {
    const struct results_settled_piece settled = {
        .kind = RESULTS_PIECE_SETTLED, .thread_slot = slot, .blame = blame, .count = count};
    static const struct results_sample_frame witness[8] = {{0x200, 2, 10}, {0x100, 1, 10}};
    must(count <= 8 && pieces_settled(ring, &settled, witness));
}

// ---- What they are of -------------------------------------------------------------------------

static void put_definitions(const struct results_ring* ring) {
    static const struct oracle_site calls[] = {{0, 2}, {10, 2}, {20, ORACLE_CALLS_ANY}};
    static const struct oracle_sites sites = {2, ORACLE_METHOD_STARTS, 50, 3, calls, 0};
    static const struct results_insertion insertion = {0, 6, 0};
    static const struct results_line line = {3, 4};
    static const struct results_names names = {"A.b()V", "A.java", 1, 1, &insertion, &line};
    struct oracle_code* code = calloc(1, sizeof *code + sizeof code->ranges[0]);
    must(code != NULL);
    code->length = 50;
    code->range_count = 1;
    code->ranges[0].end = 6;
    for (uint32_t number = 1; number < 6; number++)
        must(results_rewritten_piece(ring, number, code, &names) == 0);
    must(results_sites_piece(ring, 1, &sites) == 0);
    free(code);
}

// What stood at 0x1234, in two processors' code.
static void put_evidence(struct results_evidence* evidence, int processor) {
    static const uint32_t registers[RESULTS_PROCESSOR_COUNT] = {
#define REGISTERS(name, text, count) count,
        RESULTS_PROCESSORS(REGISTERS)
#undef REGISTERS
    };
    static const uint8_t code[RESULTS_PROCESSOR_COUNT][8] = {
        {0x55, 0x48, 0x89, 0xe5, 0x48, 0x8b, 0x06, 0xc3},  // push, mov, mov, ret
        {0xfd, 0x7b, 0xbf, 0xa9, 0xfd, 0x03, 0x00, 0x91}}; // stp, mov
    strcpy(evidence->thread_name, "main");
    strcpy(evidence->code_name, "libjvm.so+0x1234");
    evidence->register_count = registers[processor];
    evidence->stack_count = 8;
    evidence->byte_count = 32;
    evidence->bytes_at = 0x1230;
    for (size_t i = 0; i < 32; i++) evidence->bytes[i] = code[processor][i % 8];
    evidence->again_count[0] = 5;
    evidence->again_same[0] = 1;
    evidence->again_count[1] = -5;
    evidence->facts.under = 1;
}

// A stack of `depth` entries, one of them with a gap, and what a walker may say of it.
static void put_kind(const struct results_ring* ring, uint32_t depth, int what) {
    struct results_sample_slot slots[64] = {{0}};
    struct results_sample_frame frames[64] = {{0}};
    uint32_t sites[64];
    static struct results_evidence evidence;
    static uint64_t sequence;
    static const uint8_t layers[] = {
        ORACLE_LAYER_ASYNC,     ORACLE_LAYER_ASYNC,    ORACLE_LAYER_ASYNC,  ORACLE_LAYER_SAFEPOINT,
        ORACLE_LAYER_STRUCTURE, ORACLE_LAYER_SANDWICH, ORACLE_LAYER_GROUND, ORACLE_LAYER_GST};
    struct results_sample s = {.sequence = ++sequence,
                               .time_ns = 1000u * depth,
                               .thread_id = 7,
                               .thread_slot = depth % 4,
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
    put_evidence(&evidence, what % 2);
    if (what == 4) {
        s.sites = sites;
        s.root = ORACLE_ROOT_STARTED;
        for (uint32_t i = 0; i < s.frame_count; i++) sites[i] = i % 4 != 3;
    }
    if (what != 0) s.evidence = &evidence;
    s.owner_known = what == 2 || what == 6;
    s.owner = (struct oracle_owner){.method = 0x100, .position = 9000, .held = 5};
    s.owner_number = 1;
    must(pieces_sample(ring, &s));
}

static void put_record(struct seed* seed) {
    static uint64_t values[RESULTS_COUNTERS];
    static const struct results_names names = {.name = "F.g()V"};
    must(results_recorder_property(seed->recorder, "jvm.version", "0") == 0);
    must(results_recorder_head(seed->recorder, 0) == 0);
    put_definitions(&seed->ring);
    for (int what = 0; what < 8; what++)
        for (uint32_t depth = 1; depth < 14; depth += 6) put_kind(&seed->ring, depth, what);
    put_settled(&seed->ring, 1, RESULTS_BLAME_WALKER, 0);
    put_settled(&seed->ring, 3, RESULTS_BLAME_ORACLE, 2);
    must(results_ring_reserve(&seed->ring, 24) != NULL); // which nobody fills
    record_pieces(seed);
    values[3] = 5;
    must(results_recorder_names(seed->recorder, 1, &names) == 0);
    must(results_recorder_counters(seed->recorder, 5, values, true) == 0);
    must(results_recorder_flush(seed->recorder, 9, false) == 0);
    must(results_recorder_flush(seed->recorder, 9, true) == 0);
}

// ---- Files ------------------------------------------------------------------------------------

// The ring as record_target.c reads it: the ends, then as much of the memory as is in use.
static void write_ring(const char* directory, const struct results_ring* ring) {
    FILE* file = open_seed(directory, "ring", 3);
    must(ring->ends->head <= RING_BYTES);
    fwrite(ring->ends, sizeof *ring->ends, 1, file);
    fwrite(ring->bytes, 1, ring->ends->head, file);
    must(fclose(file) == 0);
}

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    struct results_ring_ends ends = {.head = 0};
    struct seed seed = {.directory = argv[1],
                        .unpacker = record_unpacker_open(),
                        .ring = {&ends, calloc(1, RING_BYTES), RING_BYTES}};
    const struct results_recorder_options options = {.context = &seed, .write = write_frame};
    seed.blocks = open_seed(argv[1], "blocks", 0);
    seed.file = open_seed(argv[1], "file", 1);
    seed.pieces = open_seed(argv[1], "pieces", 2);
    seed.recorder = results_recorder_open(&options);
    must(seed.recorder != NULL && seed.unpacker != NULL && seed.ring.bytes != NULL);
    put_record(&seed);
    write_ring(argv[1], &seed.ring);
    results_recorder_close(seed.recorder);
    record_unpacker_close(seed.unpacker);
    free(seed.ring.bytes);
    return fclose(seed.file) != 0 || fclose(seed.blocks) != 0 || fclose(seed.pieces) != 0;
}
