// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The ring's pieces: what is put in comes out as a record, and a piece that makes no sense leaves
// none.
#include <criterion/criterion.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "record_made.h"
#include "record_read.h"

// ---- A record of pieces -----------------------------------------------------------------------

static struct made made;
static struct results_recorder* recorder;
static struct results_ring ring;

static void begin(void) {
    const struct results_recorder_options options = {.context = &made, .write = made_keep};
    recorder = results_recorder_open(&options);
    ring = made_ring(1 << 18);
    cr_assert_not_null(recorder);
    cr_assert_eq(results_recorder_head(recorder, 0), 0);
}

static void end(void) {
    results_recorder_close(recorder);
    made_ring_free(&ring);
    free(made.bytes);
}

TestSuite(piece, .init = begin, .fini = end);

// Records the ring's next piece.
static void record_next(void) {
    size_t size;
    void* piece = made_taken(&ring, &size);
    cr_assert_eq(results_recorder_piece(recorder, piece, size), 0);
    free(piece);
}

// Ends the record and reads it: whole, or the test fails.
static struct results_record* finish(void) {
    cr_assert_eq(results_recorder_flush(recorder, 5, true), 0);
    struct results_record* record = results_record_open(made.bytes, made.size);
    cr_assert_not_null(record);
    cr_assert(results_record_problem_count(record) == 0);
    return record;
}

static void record_sample(const struct results_sample* sample) {
    made_put(&ring, sample);
    record_next();
}

// ---- Samples ----------------------------------------------------------------------------------

static void comes_back(struct results_sample sample, uint64_t number) {
    sample.sequence = number;
    record_sample(&sample);
    cr_assert_eq(results_recorder_flush(recorder, 5, false), 0);
    struct results_record* record = results_record_open(made.bytes, made.size);
    cr_assert_not_null(record);
    struct results_sample* fetched = results_record_fetch(record, number);
    cr_assert_not_null(fetched);
    cr_expect(made_same(&sample, fetched), "number %llu", (unsigned long long)number);
    results_sample_free(fetched);
    results_record_close(record);
}

Test(piece, samples_of_every_shape_come_back) {
    static const struct results_sample_frame traces[] = {
        {0x100, ORACLE_FOREIGN, 3}, {0x200, 4, 8}, {0, ORACLE_UNKNOWN, -3}, {0x300, ORACLE_OWN, 0}};
    static const uint32_t sites[] = {7, 0, 9, 4};
    struct results_sample sample = made_sample(1);
    comes_back(sample, 1);
    comes_back(made_sample(4), 2); // with evidence
    sample = made_sample(4);
    sample.witness = traces;
    sample.witness_count = 4;
    comes_back(sample, 3);
    sample.third = traces + 1;
    sample.third_count = 3;
    comes_back(sample, 4);
    sample.third_count = 0;
    comes_back(sample, 5);
    sample.slot_count = sample.witness_count = 0;
    sample.third = NULL;
    sample.frames = traces;
    sample.frame_count = 4;
    sample.sites = sites;
    sample.root = ORACLE_ROOT_VIRTUAL;
    comes_back(sample, 6);
    sample.evidence = NULL;
    comes_back(sample, 7);
    sample.frame_count = 0;
    comes_back(sample, 8);
    sample.owner_known = sample.owner.osr = sample.own = sample.judgement.believed = true;
    sample.judgement.own = sample.context.depth_limit = true;
    sample.owner.method = 0x100;
    comes_back(sample, UINT64_MAX);
}

Test(piece, the_largest_that_the_ring_takes_comes_back) {
    static struct results_sample_frame frames[4096];
    for (uint32_t i = 0; i < 4096; i++)
        frames[i] = (struct results_sample_frame){UINT64_MAX - i, i % 2, INT32_MIN};
    struct results_sample sample = made_sample(4);
    sample.frames = frames;
    sample.frame_count =
        (uint32_t)(((1 << 16) - sizeof(struct results_sample_piece) -
                    sample.slot_count * sizeof *sample.slots - sizeof *sample.evidence) /
                   sizeof frames[0]);
    comes_back(sample, 1);
}

// ---- Settlements ------------------------------------------------------------------------------

// The recorded walk: 5 frames, of which the youngest is wrong.
static struct results_sample walk(uint32_t slot, uint32_t epoch, uint32_t difference) {
    static const struct results_sample_frame frames[] = {
        {101, 0, 1}, {102, 0, 2}, {103, 0, 3}, {104, 0, 4}, {105, 0, 5}};
    return (struct results_sample){.sequence = 1,
                                   .layer = ORACLE_LAYER_ASYNC,
                                   .verdict = ORACLE_WRONG_METHOD,
                                   .judgement = {.difference = difference},
                                   .thread_slot = slot,
                                   .epoch = epoch,
                                   .frames = frames,
                                   .frame_count = 5};
}

static void settle(uint32_t slot, uint32_t epoch, uint32_t blame, const char* witness) {
    struct results_sample_frame frames[16] = {{0}};
    struct results_settled_piece settled = {
        .kind = RESULTS_PIECE_SETTLED, .thread_slot = slot, .epoch = epoch, .blame = blame};
    for (; *witness != '\0'; witness++)
        frames[settled.count++].id = 100u + (uint64_t)(*witness - '0');
    made_settle(&ring, &settled, frames);
    record_next();
}

static void count_settled(void* context, uint32_t slot, uint32_t epoch, uint32_t blame) {
    uint32_t* counts = context;
    (void)slot, (void)epoch;
    counts[blame]++;
}

Test(piece, votes_are_made_of_a_settlements_witness) {
    static const struct {
        uint32_t blame, difference;
        const char* witness;
        enum results_vote vote;
    } rows[] = {
        {RESULTS_BLAME_OPEN, 0, "", RESULTS_VOTE_OPEN},
        {RESULTS_BLAME_WALKER, 0, "", RESULTS_VOTE_AGAINST_WALKER},
        {RESULTS_BLAME_ORACLE, 0, "", RESULTS_VOTE_OPEN}, // GetStackTrace's frames were not kept
        {RESULTS_BLAME_ORACLE, 0, "2345", RESULTS_VOTE_AGAINST_STACK},
        {RESULTS_BLAME_ORACLE, 0, "9992345", RESULTS_VOTE_AGAINST_STACK}, // it has gone on since
        {RESULTS_BLAME_ORACLE, 0, "345", RESULTS_VOTE_ALL_DIFFER},
        {RESULTS_BLAME_ORACLE, 0, "2945", RESULTS_VOTE_ALL_DIFFER},
        {RESULTS_BLAME_ORACLE, 0, "23459", RESULTS_VOTE_ALL_DIFFER},
        {RESULTS_BLAME_ORACLE, 1, "345", RESULTS_VOTE_AGAINST_STACK},
        {RESULTS_BLAME_ORACLE, 1, "9345", RESULTS_VOTE_AGAINST_STACK},
        {RESULTS_BLAME_ORACLE, 3, "5", RESULTS_VOTE_AGAINST_STACK},
        {RESULTS_BLAME_ORACLE, 3, "4", RESULTS_VOTE_ALL_DIFFER},
        {RESULTS_BLAME_ORACLE, 4, "5", RESULTS_VOTE_ALL_DIFFER}, // there is none below the oldest
        {RESULTS_BLAME_ORACLE, 5, "5", RESULTS_VOTE_ALL_DIFFER},
        {RESULTS_BLAME_ORACLE, UINT32_MAX, "12345", RESULTS_VOTE_ALL_DIFFER},
    };
    const uint32_t count = sizeof rows / sizeof rows[0];
    // In no order of slots and epochs.
    for (uint32_t i = 0; i < count; i++)
        settle(i * 7 % count, i * 11 % 5, rows[i].blame, rows[i].witness);
    struct results_record* record = finish();
    for (uint32_t i = 0; i < count; i++) {
        struct results_sample sample = walk(i * 7 % count, i * 11 % 5, rows[i].difference);
        cr_expect_eq(results_record_blame(record, &sample), rows[i].blame, "row %u", i);
        cr_expect_eq(results_record_vote(record, &sample), rows[i].vote, "row %u", i);
        sample.epoch += 5;
        cr_expect_eq(results_record_vote(record, &sample), RESULTS_VOTE_OPEN, "row %u", i);
        sample.epoch -= 5;
        sample.layer = ORACLE_LAYER_PROFILER;
        cr_expect_eq(results_record_blame(record, &sample), rows[i].blame, "row %u", i);
        cr_expect_eq(results_record_vote(record, &sample), RESULTS_VOTE_OPEN, "row %u", i);
        sample.layer = ORACLE_LAYER_STRUCTURE;
        cr_expect_eq(results_record_blame(record, &sample), RESULTS_BLAME_OPEN, "row %u", i);
        cr_expect_eq(results_record_vote(record, &sample), RESULTS_VOTE_OPEN, "row %u", i);
    }
    uint32_t counts[3] = {0};
    const struct results_record_visitor visitor = {.context = counts, .settled = count_settled};
    cr_assert_eq(results_record_each(record, &visitor), 0);
    cr_expect_eq(counts[RESULTS_BLAME_OPEN], 1);
    cr_expect_eq(counts[RESULTS_BLAME_WALKER], 1);
    cr_expect_eq(counts[RESULTS_BLAME_ORACLE], count - 2);
    results_record_close(record);
}

// ---- Definitions ------------------------------------------------------------------------------

static const struct results_insertion insertions[] = {{0, 6, 0}, {20, 4, 14}};
static const struct results_line lines[] = {{0, 100}, {10, 102}, {40, 99}};
static const struct results_names names = {"A.m(I)V", "A.java", 2, 3, insertions, lines};

static const struct oracle_code* code(void) {
    static struct oracle_code* made_once;
    if (made_once != NULL) return made_once;
    made_once = calloc(1, sizeof *made_once + 2 * sizeof made_once->ranges[0]);
    cr_assert_not_null(made_once);
    made_once->length = 60;
    made_once->may_vanish = true;
    made_once->range_count = 2;
    made_once->ranges[0].end = 6;
    made_once->ranges[1].start = 20;
    made_once->ranges[1].end = 24;
    return made_once;
}

static void record_method(uint32_t number, const struct results_names* of) {
    cr_assert_eq(results_rewritten_piece(&ring, number, code(), of), 0);
    record_next();
}

static void expect_described(const struct results_method* method) {
    cr_assert(method != NULL && method->defined && method->named && method->code != NULL);
    cr_expect_eq(method->code->length, 60);
    cr_expect(method->code->may_vanish);
    cr_assert_eq(method->code->range_count, 2);
    cr_expect_eq(memcmp(method->code->ranges, code()->ranges, 2 * sizeof code()->ranges[0]), 0);
    cr_expect_str_eq(method->names.name, "A.m(I)V");
    cr_expect_str_eq(method->names.source, "A.java");
    cr_assert_eq(method->names.insertion_count, 2);
    cr_expect_eq(memcmp(method->names.insertions, insertions, sizeof insertions), 0);
    cr_assert_eq(method->names.line_count, 3);
    cr_expect_eq(memcmp(method->names.lines, lines, sizeof lines), 0);
}

Test(piece, a_rewritten_method_has_names_and_code_by_its_number) {
    static const struct results_sample_frame frames[] = {{0x100, 4, 3},
                                                         {0x200, 4, 3}, // another class loader's
                                                         {0, 4, 3},
                                                         {0x300, 5, 3},
                                                         {0x100, ORACLE_FOREIGN, 3}};
    static const struct results_names second = {.name = "B.n()V"};
    struct results_sample sample = made_sample(1);
    sample.frames = frames;
    sample.frame_count = 5;
    sample.slot_count = 0;
    record_sample(&sample); // a thread may push before another has told of the method
    record_method(4, &names);
    record_method(4, &second); // nobody is told of twice
    record_method(5, &second);
    struct results_record* record = finish();
    expect_described(results_record_find(record, 0x100, 4));
    expect_described(results_record_find(record, 0x200, 4));
    expect_described(results_record_find(record, 0, 4));
    const struct results_method* other = results_record_find(record, 0x300, 5);
    cr_assert(other != NULL && other->named);
    cr_expect_str_eq(other->names.name, "B.n()V");
    cr_expect_eq(other->names.line_count, 0);
    cr_expect_str_eq(other->names.source, "", "none is told");
    const struct results_method* foreign = results_record_find(record, 0x100, ORACLE_FOREIGN);
    cr_assert_not_null(foreign);
    cr_expect_not(foreign->named, "it is not the rewritten one");
    cr_expect_null(foreign->code);
    cr_expect_eq(results_record_methods(record), 5);
    results_record_close(record);
}

Test(piece, call_sites_come_back_by_their_index) {
    static const struct oracle_site list[] = {{0, 2}, {10, 0}, {10, ORACLE_CALLS_ANY}, {70000, 9}};
    const struct oracle_sites sites = {77, ORACLE_METHOD_STARTS, 80000, 4, list, 0};
    const struct oracle_sites none = {78, ORACLE_METHOD_NATIVE, 0, 0, NULL, 0};
    cr_assert_eq(results_sites_piece(&ring, 1, &none), 0);
    cr_assert_eq(results_sites_piece(&ring, RESULTS_METHODS_MAX - 1, &sites), 0);
    cr_assert_eq(results_sites_piece(&ring, 1, &sites), 0); // told already
    for (int i = 0; i < 3; i++) record_next();
    struct results_record* record = finish();
    const struct oracle_sites* found = results_record_sites(record, RESULTS_METHODS_MAX - 1);
    cr_assert(found != NULL && found->count == 4);
    cr_expect_eq(memcmp(found->sites, list, sizeof list), 0);
    cr_expect_eq(found->name, 77);
    cr_expect_eq(found->flags, ORACLE_METHOD_STARTS);
    cr_expect_eq(found->length, 80000);
    found = results_record_sites(record, 1);
    cr_assert(found != NULL && found->count == 0);
    cr_expect_eq(found->flags, ORACLE_METHOD_NATIVE);
    cr_expect_null(results_record_sites(record, 2));
    cr_expect_null(results_record_sites(record, UINT32_MAX));
    results_record_close(record);
}

Test(piece, definitions_that_find_no_room_are_refused) {
    struct results_ring small = made_ring(256);
    const struct oracle_sites sites = {.name = 1};
    cr_expect_eq(results_rewritten_piece(&small, 4, code(), &names), -1, "more than a quarter");
    while (results_ring_reserve(&small, 8) != NULL) {
    }
    cr_expect_eq(results_sites_piece(&small, 1, &sites), -1);
    made_ring_free(&small);
}

// ---- Malformed --------------------------------------------------------------------------------

static uint8_t* piece; // a good one, of exactly its size
static size_t piece_size;

static void take_piece(void) {
    free(piece);
    piece = made_taken(&ring, &piece_size);
}

// As it is: malformed, and nothing is recorded.
static void refused(const char* what, size_t size) {
    // A copy of exactly that size, so that the sanitizers see what is read behind it.
    uint8_t* copy = malloc(size + (size == 0));
    memcpy(copy, piece, size < piece_size ? size : piece_size);
    if (size > piece_size) memset(copy + piece_size, 0, size - piece_size);
    size_t pending = results_recorder_pending(recorder);
    cr_expect_eq(results_recorder_piece(recorder, copy, size), 1, "%s, %zu bytes", what, size);
    cr_expect_eq(results_recorder_pending(recorder), pending, "%s", what);
    free(copy);
}

// With other bytes at an offset; then they are put back.
static void refused_with(const char* what, size_t at, uint64_t value, size_t size) {
    uint8_t before[8];
    cr_assert_leq(at + size, piece_size);
    memcpy(before, piece + at, size);
    memcpy(piece + at, &value, size); // the machine is little-endian
    refused(what, piece_size);
    memcpy(piece + at, before, size);
}

static void refused_cut_or_longer(void) {
    for (size_t size = 0; size < piece_size; size++) refused("cut", size);
    for (size_t more = 1; more <= 64; more++) refused("longer", piece_size + more);
}

// What the fields of a good piece may not be. What is left over is a good piece still.
static void expect_good(void) {
    cr_expect_eq(results_recorder_piece(recorder, piece, piece_size), 0);
    results_record_close(finish());
    free(piece);
    piece = NULL;
}

#define SAMPLE(member) offsetof(struct results_sample_piece, sample.member)
#define REFUSED(member, value)                                                                     \
    refused_with(#member " " #value, SAMPLE(member), (uint64_t)(value),                            \
                 sizeof((struct results_sample*)NULL)->member)

// A sandwich with evidence and call sites: it has all arrays.
static struct results_sample whole_sample(void) {
    static const struct results_sample_frame trace[] = {{0x100, 3, 3}, {0x200, 4, 8}};
    static const uint32_t sites[] = {1, 2, 0, 0};
    struct results_sample sample = made_sample(4);
    sample.witness = sample.third = trace;
    sample.witness_count = sample.third_count = 2;
    sample.sites = sites;
    sample.owner_known = true;
    sample.owner_number = 1;
    return sample;
}

static void take_sample_piece(void) {
    const struct results_sample sample = whole_sample();
    made_put(&ring, &sample);
    take_piece();
}

Test(piece, a_sample_of_another_size_than_its_counts_say_is_malformed) {
    take_sample_piece();
    refused_cut_or_longer();
    REFUSED(slot_count, 4);
    REFUSED(slot_count, 6);
    REFUSED(slot_count, UINT32_MAX);
    REFUSED(frame_count, 2);
    REFUSED(frame_count, UINT32_MAX);
    REFUSED(witness_count, 3);
    REFUSED(witness_count, UINT32_MAX);
    REFUSED(third_count, 0);
    REFUSED(third_count, UINT32_MAX);
    refused_with("no sites", offsetof(struct results_sample_piece, has_sites), 0, 1);
    refused_with("no evidence", offsetof(struct results_sample_piece, has_evidence), 0, 1);
    expect_good();
}

Test(piece, a_sample_with_numbers_of_no_list_is_malformed) {
    take_sample_piece();
    REFUSED(sequence, 0);
    REFUSED(layer, ORACLE_LAYER_COUNT);
    REFUSED(layer, 255);
    REFUSED(verdict, ORACLE_VERDICT_COUNT);
    REFUSED(verdict, 255);
    REFUSED(judgement.verdict, ORACLE_VERDICT_COUNT);
    REFUSED(judgement.verdict, -1);
    REFUSED(code_kind, RESULTS_CODE_KIND_COUNT);
    REFUSED(region, RESULTS_REGION_COUNT);
    REFUSED(thread_state, RESULTS_THREAD_STATE_COUNT);
    REFUSED(root, ORACLE_ROOT_LAST + 1);
    REFUSED(owner_number, ORACLE_NUMBERS_MAX);
    REFUSED(owner_number, UINT32_MAX - 2);
    expect_good();
}

Test(piece, a_sample_with_a_bool_that_is_none_is_malformed) {
    take_sample_piece();
    REFUSED(own, 37);
    REFUSED(chosen, 37);
    REFUSED(context_known, 37);
    REFUSED(exact, 10);
    REFUSED(instant, 65);
    REFUSED(owner_known, 2);
    REFUSED(owner.osr, 255);
    REFUSED(judgement.own, 37);
    REFUSED(context.depth_limit, 37);
    REFUSED(context.in_transition_allowed, 37);
    REFUSED(judgement.believed, 128);
    refused_with("has_third", offsetof(struct results_sample_piece, has_third), 37, 1);
    refused_with("has_sites", offsetof(struct results_sample_piece, has_sites), 37, 1);
    refused_with("has_evidence", offsetof(struct results_sample_piece, has_evidence), 37, 1);
    expect_good();
}

// The traces: an entry, a gap, the call that ends it, two entries.
Test(piece, a_sample_with_traces_that_are_none_is_malformed) {
    take_sample_piece();
    struct results_sample_room room = results_sample_room((const void*)piece);
    size_t kind = offsetof(struct results_sample_slot, kind), slot = sizeof *made_sample(4).slots;
    size_t number = offsetof(struct results_sample_slot, number);
    size_t of_frame = offsetof(struct results_sample_frame, number);
    refused_with("of no kind", room.slots + kind, 3, 4);
    refused_with("of no kind", room.slots + 4 * slot + kind, UINT32_MAX, 4);
    refused_with("a gap on top", room.slots + kind, RESULTS_SLOT_GAP, 4);
    refused_with("a call on top", room.slots + kind, RESULTS_SLOT_CALL, 4);
    refused_with("a gap that no call ends", room.slots + 2 * slot + kind, RESULTS_SLOT_ENTRY, 4);
    refused_with("two calls", room.slots + 3 * slot + kind, RESULTS_SLOT_CALL, 4);
    refused_with("a gap at the end", room.slots + 4 * slot + kind, RESULTS_SLOT_GAP, 4);
    refused_with("no number", room.slots + number, ORACLE_NUMBERS_MAX, 4);
    refused_with("no number", room.frames + of_frame, ORACLE_NUMBERS_MAX, 4);
    refused_with("no number", room.witness + of_frame, UINT32_MAX - 2, 4);
    refused_with("no number", room.third + of_frame, 1u << 31, 4);
    expect_good();
}

Test(piece, evidence_of_any_bytes_is_read_as_far_as_there_is_room) {
    take_sample_piece();
    struct results_sample_room room = results_sample_room((const void*)piece);
    memset(piece + room.evidence, 0xff, sizeof(struct results_evidence));
    cr_assert_eq(results_recorder_piece(recorder, piece, piece_size), 0);
    struct results_record* record = finish();
    struct results_sample* sample = results_record_fetch(record, 5);
    cr_assert(sample != NULL && sample->evidence != NULL);
    cr_expect_eq(sample->evidence->register_count, RESULTS_REGISTERS_MAX);
    cr_expect_eq(sample->evidence->stack_count, RESULTS_STACK_WORDS);
    cr_expect_eq(sample->evidence->byte_count, RESULTS_CODE_BYTES);
    cr_expect_eq(strlen(sample->evidence->thread_name), sizeof sample->evidence->thread_name - 1);
    cr_expect_eq(strlen(sample->evidence->code_name), sizeof sample->evidence->code_name - 1);
    results_sample_free(sample);
    results_record_close(record);
    free(piece);
}

#define SETTLED(member) offsetof(struct results_settled_piece, member)

Test(piece, a_settlement_that_makes_no_sense_is_malformed) {
    static const struct results_sample_frame witness[] = {{0x100, 3, 3}, {0x200, ORACLE_OWN, 8}};
    const struct results_settled_piece settled = {
        .kind = RESULTS_PIECE_SETTLED, .blame = RESULTS_BLAME_ORACLE, .count = 2};
    made_settle(&ring, &settled, witness);
    take_piece();
    refused_cut_or_longer();
    refused_with("blame", SETTLED(blame), RESULTS_BLAME_ORACLE + 1, 4);
    refused_with("blame", SETTLED(blame), UINT32_MAX, 4);
    refused_with("count", SETTLED(count), 0, 4);
    refused_with("count", SETTLED(count), 3, 4);
    refused_with("count", SETTLED(count), UINT32_MAX, 4);
    refused_with("number", sizeof settled + offsetof(struct results_sample_frame, number),
                 ORACLE_NUMBERS_MAX, 4);
    expect_good();
}

// The words of the piece's head, as results_rewritten_piece puts them.
enum { NUMBER = 1, LENGTH, VANISHES, RANGES, INSERTIONS, LINES, NAME, SOURCE, HEAD_WORDS = 10 };

Test(piece, a_rewritten_method_that_makes_no_sense_is_malformed) {
    cr_assert_eq(results_rewritten_piece(&ring, 4, code(), &names), 0);
    take_piece();
    const size_t ranges = 4 * HEAD_WORDS, line = ranges + 2 * 8 + sizeof insertions;
    const size_t name = line + sizeof lines, source = name + sizeof "A.m(I)V";
    cr_assert_eq(source + sizeof "A.java", piece_size);
    refused_cut_or_longer();
    refused_with("number", 4 * NUMBER, ORACLE_FOREIGN, 4);
    refused_with("number", 4 * NUMBER, ORACLE_NUMBERS_MAX, 4);
    refused_with("number", 4 * NUMBER, ORACLE_OWN, 4);
    refused_with("length", 4 * LENGTH, 23, 4); // an insertion is behind it
    refused_with("length", 4 * LENGTH, UINT32_MAX, 4);
    for (size_t count = RANGES; count <= SOURCE; count++) {
        uint32_t right;
        memcpy(&right, piece + 4 * count, 4);
        refused_with("a count", 4 * count, right - 1, 4);
        refused_with("a count", 4 * count, right + 1, 4);
        refused_with("a count", 4 * count, UINT32_MAX, 4);
    }
    refused_with("a range that ends before it starts", ranges + 4, 0xffffffff, 4);
    refused_with("unsorted ranges", ranges, (uint64_t)30 << 32 | 28, 8);
    refused_with("ranges that overlap", ranges + 8, (uint64_t)24 << 32 | 5, 8);
    refused_with("a range that is turned round", ranges + 8, (uint64_t)20 << 32 | 24, 8);
    refused_with("a line beyond all", line + 4, 1u << 31, 4);
    refused_with("a name without an end", source - 1, 'x', 1);
    refused_with("a name that ends early", name + 2, 0, 1);
    refused_with("a source without an end", piece_size - 1, 'x', 1);
    refused_with("a source that ends early", source, 0, 1);
    expect_good();
}

Test(piece, call_sites_that_make_no_sense_are_malformed) {
    static const struct oracle_site list[] = {{0, 2}, {10, 0}, {20, 9}};
    const struct oracle_sites sites = {77, 0, 30, 3, list, 0};
    cr_assert_eq(results_sites_piece(&ring, 6, &sites), 0);
    take_piece();
    refused_cut_or_longer();
    refused_with("index", 4, 0, 4);
    refused_with("index", 4, RESULTS_METHODS_MAX, 4);
    refused_with("index", 4, UINT32_MAX, 4);
    refused_with("count", 20, 2, 4);
    refused_with("count", 20, 4, 4);
    refused_with("count", 20, UINT32_MAX, 4);
    refused_with("unsorted sites", 24 + sizeof list[0], 30, 4);
    expect_good();
}

Test(piece, of_no_known_kind_is_malformed) {
    for (uint32_t kind = RESULTS_PIECE_SITES + 1; kind != 3; kind *= 3) {
        uint32_t words[64] = {kind};
        cr_expect_eq(results_recorder_piece(recorder, words, sizeof words), 1);
        if (kind > 1u << 30) break;
    }
    cr_expect_eq(results_recorder_pending(recorder), 0);
}
