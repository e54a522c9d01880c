// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What a JVM left in its ring when it died comes into its record: nothing is lost, and nothing is
// there twice.
#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record_read.h"
#include "record_made.h"

// ---- A JVM that dies --------------------------------------------------------------------------

static char directory[64], record_path[96];
static struct results_run* run;
static struct results_ring ring;
static struct made made; // the bytes that the writer gave to the file
static struct results_recorder* recorder;
static struct results_ring_reader reader; // the writer's

static void begin(void) {
    const struct results_recorder_options options = {.context = &made, .write = made_keep};
    char path[96];
    strcpy(directory, "/tmp/plumbline-drain-XXXXXX");
    cr_assert_not_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/run.plumbline", directory);
    snprintf(record_path, sizeof record_path, "%s/run.lz4", directory);
    run = results_run_create(path);
    recorder = results_recorder_open(&options);
    cr_assert(run != NULL && recorder != NULL);
    ring = results_run_ring(run);
    reader = (struct results_ring_reader){.ring = ring, .next = ring.ends->read};
    cr_assert_eq(results_recorder_head(recorder, 0), 0);
}

static void end(void) {
    char command[128];
    results_recorder_close(recorder);
    results_run_unmap(run);
    snprintf(command, sizeof command, "rm -r %s", directory);
    cr_expect_eq(system(command), 0); // NOLINT: the path is ours
    made_free(&made);
}

TestSuite(drain, .init = begin, .fini = end);

// The handlers put samples [first, last) into the ring.
static void put(uint32_t first, uint32_t last) {
    for (uint32_t n = first; n < last; n++) {
        const struct results_sample sample = made_sample(n);
        made_put(&ring, &sample);
    }
}

static void put_settled(uint32_t slot, uint32_t epoch) {
    const struct results_settled_piece settled = {.kind = RESULTS_PIECE_SETTLED,
                                                  .thread_slot = slot,
                                                  .epoch = epoch,
                                                  .blame = RESULTS_BLAME_WALKER};
    made_settle(&ring, &settled, NULL);
}

static void put_method(uint32_t number) {
    char name[32];
    snprintf(name, sizeof name, "Made.m%u()V", number);
    const struct results_names names = {.name = name};
    cr_assert_eq(results_rewritten_piece(&ring, number, made_code(), &names), 0);
}

// The writer takes what is there. `write`: its block goes to the file.
static void take(bool write) {
    size_t size;
    for (const void* piece; (piece = results_ring_next(&reader, &size)) != NULL;)
        cr_assert_eq(results_recorder_piece(recorder, piece, size), 0);
    if (write) cr_assert_eq(results_recorder_flush(recorder, 1000, false), 0);
}

static void write_bytes(const void* bytes, size_t size) {
    FILE* file = fopen(record_path, "wb");
    cr_assert_not_null(file);
    if (size != 0) cr_assert_eq(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

struct bytes {
    uint8_t* list;
    size_t size;
};

static struct bytes read_bytes(void) {
    struct bytes bytes = {.list = malloc(1 << 20)};
    FILE* file = fopen(record_path, "rb");
    cr_assert(file != NULL && bytes.list != NULL);
    bytes.size = fread(bytes.list, 1, 1 << 20, file);
    cr_assert_lt(bytes.size, 1u << 20);
    fclose(file);
    return bytes;
}

// ---- What the record says then ----------------------------------------------------------------

#define SAMPLES 64
struct seen {
    uint32_t times[SAMPLES], wrong, lost, settled[3];
    uint64_t last[RESULTS_COUNTERS];
    bool full;
};

static void see_sample(void* context, const struct results_sample* sample, bool lost) {
    struct seen* seen = context;
    struct results_sample expected = made_sample((uint32_t)sample->sequence - 1);
    cr_assert(sample->sequence >= 1 && sample->sequence <= SAMPLES);
    seen->times[sample->sequence - 1]++;
    seen->lost += lost;
    seen->wrong += !lost && !made_same(&expected, sample);
}

static void see_counters(void* context, uint64_t time_ns, bool full,
                         const uint64_t values[RESULTS_COUNTERS]) {
    struct seen* seen = context;
    (void)time_ns;
    seen->full = full;
    memcpy(seen->last, values, sizeof seen->last);
}

static void see_settled(void* context, uint32_t slot, uint32_t epoch, uint32_t blame) {
    struct seen* seen = context;
    cr_expect_eq(blame, RESULTS_BLAME_WALKER);
    cr_expect_eq(epoch, 9);
    seen->settled[slot]++;
}

static struct seen see(const struct results_record* record) {
    struct seen seen = {.wrong = 0};
    const struct results_record_visitor visitor = {&seen, see_sample, see_counters, see_settled};
    cr_assert_eq(results_record_each(record, &visitor), 0);
    return seen;
}

// The record is whole, has each of the first `count` samples once, the run's last counters, and an
// end that says who wrote it.
static void expect_all(uint32_t count) {
    struct results_record* record = results_record_open_file(record_path);
    cr_assert_not_null(record);
    const struct results_problem* problems;
    size_t wrong = results_record_problems(record, &problems);
    cr_assert_eq(wrong, 0, "%s", wrong != 0 ? problems[0].text : "");
    struct seen seen = see(record);
    for (uint32_t i = 0; i < SAMPLES; i++)
        cr_assert_eq(seen.times[i], i < count, "sample %u is there %u times", i, seen.times[i]);
    cr_expect_eq(seen.wrong + seen.lost, 0);
    cr_expect(seen.full);
    cr_expect_eq(seen.last[RESULTS_COUNTERS - 1], run->unrecorded);
    cr_expect_eq(seen.last[ORACLE_LAYER_ASYNC * RESULTS_COUNTERS_OF_LAYER], 4711);
    const char* said = results_record_property(record, "end");
    cr_assert_not_null(said);
    cr_expect_not_null(strstr(said, "the runner wrote"), "%s", said);
    cr_expect_str_eq(results_record_property(record, "source"), "a clock");
    results_record_close(record);
}

static void drained(uint64_t saved, uint64_t spoiled) {
    uint64_t got_saved = 99, got_spoiled = 99;
    cr_assert_eq(results_run_drain(run, record_path, &got_saved, &got_spoiled), 0);
    cr_expect_eq(got_saved, saved, "%llu saved", (unsigned long long)got_saved);
    cr_expect_eq(got_spoiled, spoiled, "%llu spoiled", (unsigned long long)got_spoiled);
}

static void count_something(void) {
    strcpy(run->source, "a clock");
    run->unrecorded = 3;
    run->layers[ORACLE_LAYER_ASYNC].asked = 4711;
}

// ---- Nothing is lost --------------------------------------------------------------------------

// The four stages of a sample: written and released, written, taken, waiting in the ring; and one
// that is being filled. The last block is on the disk as far as `cut` says: bytes of it that are
// missing.
static size_t die_in_the_middle(void) {
    count_something();
    put(0, 10);
    take(true);
    results_ring_release(&reader);
    put(10, 20);
    size_t before = made.size;
    take(true);
    put(20, 30);
    take(false);
    put(30, 35);
    cr_assert_not_null(results_ring_reserve(&ring, 100));
    put(35, 40);
    return made.size - before;
}

Test(drain, whatever_the_last_block_lacks_nothing_is_lost_and_nothing_is_there_twice) {
    size_t block = die_in_the_middle();
    uint8_t* kept = malloc(sizeof *run); // the ring as the JVM left it
    cr_assert_not_null(kept);
    memcpy(kept, run, sizeof *run);
    for (size_t missing = 0; missing <= block; missing += missing < 40 ? 1 : 37) {
        memcpy(run, kept, sizeof *run);
        write_bytes(made.bytes, made.size - missing);
        drained(missing == 0 ? 20 : 30, 1);
        expect_all(40);
    }
    free(kept);
}

Test(drain, a_second_one_does_nothing) {
    die_in_the_middle();
    write_bytes(made.bytes, made.size - 5);
    drained(30, 1);
    struct bytes first = read_bytes();
    cr_expect_eq(run->ring_ends.tail, run->ring_ends.head);
    cr_expect_eq(run->ring_ends.read, run->ring_ends.head);
    drained(0, 0);
    struct bytes second = read_bytes();
    cr_assert_eq(second.size, first.size);
    cr_expect_eq(memcmp(second.list, first.list, first.size), 0);
    free(first.list);
    free(second.list);
}

Test(drain, a_ring_without_pieces_gives_the_record_its_end) {
    count_something();
    put(0, 10);
    take(true);
    results_ring_release(&reader);
    write_bytes(made.bytes, made.size);
    drained(0, 0);
    expect_all(10);
}

Test(drain, a_ring_that_was_half_cleared_gives_what_was_not_written) {
    count_something();
    put(0, 20);
    take(true);
    results_ring_release(&reader);
    run->ring_ends.tail = 0; // the writer died before it had cleared them
    put(20, 25);
    write_bytes(made.bytes, made.size);
    drained(5, 0);
    expect_all(25);
}

Test(drain, a_full_ring_is_drained_whole) {
    count_something();
    uint32_t n = 0;
    for (struct results_sample sample = made_sample(4); n < SAMPLES; n++) {
        sample = made_sample(n);
        made_put(&ring, &sample);
    }
    uint64_t left = ring.size - run->ring_ends.head;
    for (; left > ring.size / 4; left -= ring.size / 4)
        cr_assert_not_null(results_ring_reserve(&ring, ring.size / 4 - 8));
    cr_assert_not_null(results_ring_reserve(&ring, left - 8));
    cr_assert_null(results_ring_reserve(&ring, 1));
    cr_assert_eq(results_recorder_flush(recorder, 1, false), 0);
    write_bytes(made.bytes, made.size);
    drained(SAMPLES, 4);
    expect_all(SAMPLES);
}

Test(drain, definitions_and_settlements_that_the_record_has_are_not_put_again) {
    static const struct oracle_sites sites = {.name = 4};
    count_something();
    for (int i = 0; i < 2; i++) { // written, then not: the record has the first, the ring all
        put_method(7 + (uint32_t)i);
        cr_assert_eq(results_sites_piece(&ring, 1 + (uint32_t)i, &sites), 0);
        put_settled((uint32_t)i, 9);
        put(10 * (uint32_t)i, 10 * (uint32_t)i + 10);
        take(i == 0);
    }
    put_settled(2, 9);
    write_bytes(made.bytes, made.size);
    drained(10, 0);
    expect_all(20);
    struct results_record* record = results_record_open_file(record_path);
    struct seen seen = see(record);
    for (int i = 0; i < 3; i++) cr_expect_eq(seen.settled[i], 1);
    for (uint32_t number = 7; number <= 8; number++) {
        const struct results_method* method = results_record_find(record, 0x1000u * number, number);
        cr_assert(method != NULL && method->named && method->code != NULL);
        cr_expect_eq(method->names.name[strlen("Made.m")], '0' + (char)number);
        cr_expect_not_null(results_record_sites(record, number - 6));
    }
    results_record_close(record);
}

Test(drain, malformed_pieces_are_counted_and_hide_nothing) {
    count_something();
    put(0, 5);
    uint32_t* odd = results_ring_reserve(&ring, 64);
    memset(odd, 0xff, 64);
    results_ring_publish(odd, 64);
    put(5, 10);
    uint32_t* cut = results_ring_reserve(&ring, 12);
    memset(cut, 0, 12); // a sample of 12 bytes
    results_ring_publish(cut, 12);
    put(10, 15);
    write_bytes(made.bytes, made.size);
    drained(15, 2);
    expect_all(15);
}

// ---- Nothing is touched -----------------------------------------------------------------------

static void untouched(const void* bytes, size_t size) {
    struct bytes after = read_bytes();
    cr_assert_eq(after.size, size);
    cr_expect_eq(memcmp(after.list, bytes, size), 0);
    free(after.list);
}

Test(drain, a_record_that_ended_in_order_is_left_as_it_is) {
    put(0, 10);
    take(true);
    cr_assert_eq(results_recorder_flush(recorder, 2000, true), 0);
    put(10, 12); // of a handler that came too late
    write_bytes(made.bytes, made.size);
    drained(0, 0);
    untouched(made.bytes, made.size);
    cr_expect_eq(run->ring_ends.tail, run->ring_ends.head, "the ring is nobody's any more");
}

Test(drain, a_record_that_was_never_begun_is_not_begun) {
    put(0, 10);
    drained(0, 0);
    cr_expect_eq(access(record_path, F_OK), -1, "no file is made");
    write_bytes("", 0);
    drained(0, 0);
    untouched("", 0);
    take(true);
    write_bytes(made.bytes, 20); // cut within the head
    drained(0, 0);
    untouched(made.bytes, 20);
    size_t size;
    reader.next = ring.ends->read;
    cr_expect_not_null(results_ring_next(&reader, &size), "the ring is as it was");
}

Test(drain, a_record_that_is_all_damage_is_left_as_it_is) {
    put(0, 10);
    take(true);
    for (size_t i = 0; i < made.size; i += 7) made.bytes[i] ^= 0x55;
    write_bytes(made.bytes, made.size);
    drained(0, 0);
    untouched(made.bytes, made.size);
}

Test(drain, what_is_no_file_is_an_error) {
    uint64_t saved, spoiled;
    cr_assert_eq(mkdir(record_path, 0777), 0);
    errno = 0;
    cr_expect_eq(results_run_drain(run, record_path, &saved, &spoiled), -1);
    cr_expect_neq(errno, 0);
}

// ---- A disk that is full ----------------------------------------------------------------------

static void limit_files(rlim_t size) {
    struct rlimit limit;
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = size;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

Test(drain, what_a_full_disk_refuses_can_be_drained_later) {
    uint64_t saved, spoiled;
    die_in_the_middle();
    write_bytes(made.bytes, made.size);
    signal(SIGXFSZ, SIG_IGN);
    for (rlim_t more = 0; more < 600; more += 199) {
        limit_files(made.size + more);
        errno = 0;
        cr_assert_eq(results_run_drain(run, record_path, &saved, &spoiled), -1);
        cr_expect_eq(errno, EFBIG);
        cr_expect_eq(run->record_error, (uint32_t)EFBIG, "the report tells of it");
    }
    limit_files(RLIM_INFINITY);
    drained(20, 1);
    expect_all(40);
}

// ---- Damage from elsewhere --------------------------------------------------------------------

static void count_lost(void* context, const struct results_sample* sample, bool lost) {
    uint32_t* found = context; // lost; right; with another's method
    const struct results_sample expected = made_sample((uint32_t)sample->sequence - 1);
    found[0] += lost;
    found[1] += !lost && made_same(&expected, sample);
    found[2] += !lost && !made_same(&expected, sample);
}

// The block that defined the methods is gone; later samples refer to them by index. The methods
// that the runner defines must not become theirs.
Test(drain, a_lost_blocks_indexes_are_given_to_no_other_method) {
    uint32_t found[3] = {0};
    count_something();
    size_t head = made.size;
    put(0, 7); // all methods
    take(true);
    size_t first = made.size;
    put(7, 14);
    take(true);
    results_ring_release(&reader);
    struct results_sample other = made_sample(20);
    static const struct results_sample_frame frames[] = {
        {0x9990, 0, 1}, {0x9991, 0, 2}, {0x9992, 0, 3}, {0x9993, 0, 4}, {0x9994, 0, 5}};
    other.frames = frames;
    other.frame_count = 5;
    other.slot_count = 0;
    made_put(&ring, &other);
    memset(made.bytes + head, 0x77, first - head);
    write_bytes(made.bytes, made.size);
    drained(1, 0);
    struct results_record* record = results_record_open_file(record_path);
    const struct results_record_visitor visitor = {.context = found, .sample = count_lost};
    cr_assert_eq(results_record_each(record, &visitor), 0);
    cr_expect_eq(found[0], 7, "their methods stay unknown");
    cr_expect_eq(found[1], 0);
    cr_expect_eq(found[2], 1, "the drained one, which no made sample is like");
    struct results_sample* drained_one = results_record_fetch(record, 21);
    cr_assert_not_null(drained_one);
    cr_expect(made_same(&other, drained_one));
    results_sample_free(drained_one);
    results_record_close(record);
}
