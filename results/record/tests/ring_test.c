// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The ring: pieces come whole and in their order, and what a dead JVM left of it is read as far as
// it makes sense.
#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "record_made.h"

static void* put(const struct results_ring* ring, size_t size, uint8_t with) {
    void* piece = results_ring_reserve(ring, size);
    if (piece == NULL) return NULL;
    memset(piece, with, size);
    results_ring_publish(piece, size);
    return piece;
}

// The next piece has that size and is filled with that.
static void comes(struct results_ring_reader* reader, size_t size, uint8_t with) {
    size_t found = 0;
    const uint8_t* piece = results_ring_next(reader, &found);
    cr_assert_not_null(piece);
    cr_assert_eq(found, size);
    for (size_t i = 0; i < size; i++) cr_assert_eq(piece[i], with);
}

// Nothing comes, at this call and at another.
static void ends(struct results_ring_reader* reader) {
    size_t size;
    cr_expect_null(results_ring_next(reader, &size));
    cr_expect_null(results_ring_next(reader, &size));
}

static struct results_ring_reader read_from(const struct results_ring* ring, bool abandoned) {
    return (struct results_ring_reader){
        .ring = *ring, .next = ring->ends->read, .abandoned = abandoned};
}

Test(ring, pieces_come_in_their_order_and_whole) {
    struct results_ring ring = made_ring(4096);
    struct results_ring_reader reader = read_from(&ring, false);
    ends(&reader);
    for (int lap = 0; lap < 50; lap++) { // the sizes fit the memory's end in no way
        cr_assert_not_null(put(&ring, 1, 11));
        cr_assert_not_null(put(&ring, 1000, 22));
        cr_assert_not_null(put(&ring, 77, 33));
        comes(&reader, 1, 11);
        comes(&reader, 1000, 22);
        comes(&reader, 77, 33);
        ends(&reader);
        results_ring_release(&reader);
    }
    made_ring_free(&ring);
}

Test(ring, what_finds_no_room_is_refused_and_room_comes_back) {
    struct results_ring ring = made_ring(1024);
    struct results_ring_reader reader = read_from(&ring, false);
    int held = 0;
    cr_expect_null(results_ring_reserve(&ring, 257), "more than a quarter");
    cr_expect_null(results_ring_reserve(&ring, 0));
    while (put(&ring, 200, (uint8_t)held) != NULL) held++;
    cr_expect_eq(held, 4);
    comes(&reader, 200, 0);
    results_ring_release(&reader);
    cr_expect_null(put(&ring, 250, 9), "of 1024 bytes 832 are taken, and 192 stand at the end");
    comes(&reader, 200, 1);
    results_ring_release(&reader);
    cr_expect_not_null(put(&ring, 250, 9));
    comes(&reader, 200, 2);
    comes(&reader, 200, 3);
    comes(&reader, 250, 9);
    made_ring_free(&ring);
}

Test(ring, a_piece_that_is_being_filled_holds_back_those_after_it) {
    struct results_ring ring = made_ring(1024);
    struct results_ring_reader reader = read_from(&ring, false);
    void* piece = results_ring_reserve(&ring, 16);
    put(&ring, 8, 2);
    ends(&reader);
    memset(piece, 1, 16);
    results_ring_publish(piece, 16);
    comes(&reader, 16, 1);
    comes(&reader, 8, 2);
    made_ring_free(&ring);
}

Test(ring, pieces_stay_until_they_are_released) {
    struct results_ring ring = made_ring(1024);
    struct results_ring_reader reader = read_from(&ring, false);
    for (uint8_t i = 0; i < 4; i++) cr_assert_not_null(put(&ring, 200, i));
    for (uint8_t i = 0; i < 4; i++) comes(&reader, 200, i);
    cr_expect_null(put(&ring, 200, 9), "what was read takes its room still");
    struct results_ring_reader again = read_from(&ring, false);
    for (uint8_t i = 0; i < 4; i++) comes(&again, 200, i);
    results_ring_release(&reader);
    again = read_from(&ring, false);
    ends(&again);
    for (size_t i = 0; i < ring.size; i++) cr_assert_eq(ring.bytes[i], 0, "byte %zu", i);
    cr_expect_not_null(put(&ring, 200, 9));
    comes(&reader, 200, 9);
    made_ring_free(&ring);
}

// ---- Abandoned --------------------------------------------------------------------------------

Test(ring, of_an_abandoned_one_unfinished_pieces_are_passed_over_and_counted) {
    struct results_ring ring = made_ring(1024);
    put(&ring, 8, 1);
    memset(results_ring_reserve(&ring, 100), 0xff, 40); // its thread died on the way
    put(&ring, 9, 2);
    results_ring_reserve(&ring, 8);
    results_ring_reserve(&ring, 16);
    put(&ring, 10, 3);
    results_ring_reserve(&ring, 8);
    struct results_ring_reader reader = read_from(&ring, true);
    comes(&reader, 8, 1);
    comes(&reader, 9, 2);
    comes(&reader, 10, 3);
    ends(&reader);
    cr_expect_eq(reader.unfinished, 4);
    made_ring_free(&ring);
}

static uint64_t* word_before(void* piece) {
    return (uint64_t*)piece - 1;
}

Test(ring, of_an_abandoned_one_pieces_that_were_only_reserved_hide_nothing) {
    struct results_ring ring = made_ring(1024);
    put(&ring, 8, 1);
    *word_before(results_ring_reserve(&ring, 100)) = 0; // as before its first word is written
    put(&ring, 9, 2);
    *word_before(results_ring_reserve(&ring, 8)) = 0;
    struct results_ring_reader reader = read_from(&ring, false);
    comes(&reader, 8, 1);
    ends(&reader);
    cr_expect_eq(reader.unfinished, 0);
    reader = read_from(&ring, true);
    comes(&reader, 8, 1);
    comes(&reader, 9, 2);
    ends(&reader);
    cr_expect_eq(reader.unfinished, 2);
    made_ring_free(&ring);
}

Test(ring, of_an_abandoned_one_a_piece_only_reserved_may_lie_around_its_end) {
    struct results_ring ring = made_ring(1024);
    struct results_ring_reader reader = read_from(&ring, false);
    for (uint8_t i = 0; i < 4; i++) put(&ring, 200, i);
    for (uint8_t i = 0; i < 4; i++) comes(&reader, 200, i);
    results_ring_release(&reader);
    uint64_t* piece = word_before(results_ring_reserve(&ring, 250));
    cr_assert_eq((uint8_t*)piece, ring.bytes, "behind the end");
    *piece = *(uint64_t*)(void*)(ring.bytes + 4 * 208) = 0; // nor is the skipped end told of
    put(&ring, 9, 7);
    reader = read_from(&ring, true);
    comes(&reader, 9, 7);
    ends(&reader);
    cr_expect_eq(reader.unfinished, 1);
    made_ring_free(&ring);
}

// The writer dies while it clears what it has released: the tail is the old one.
Test(ring, of_an_abandoned_one_half_cleared_pieces_are_not_read) {
    for (size_t cleared = 0; cleared <= 3 * 208; cleared += 8) {
        struct results_ring ring = made_ring(1024);
        struct results_ring_reader reader = read_from(&ring, false);
        for (uint8_t i = 0; i < 4; i++) put(&ring, 200, 0x80 | i);
        for (uint8_t i = 0; i < 3; i++) comes(&reader, 200, 0x80 | i);
        uint8_t before[1024];
        memcpy(before, ring.bytes, sizeof before);
        results_ring_release(&reader);
        memcpy(ring.bytes + cleared, before + cleared, sizeof before - cleared);
        ring.ends->tail = 0;
        reader = read_from(&ring, true);
        comes(&reader, 200, 0x83);
        ends(&reader);
        cr_expect_eq(reader.unfinished, 0);
        made_ring_free(&ring);
    }
}

// ---- Hostile ----------------------------------------------------------------------------------

// The reader ends, and every piece on the way lies inside; how many there were.
static unsigned walk(const struct results_ring* ring) {
    struct results_ring_reader reader = read_from(ring, true);
    unsigned count = 0;
    size_t size;
    for (const uint8_t* piece; (piece = results_ring_next(&reader, &size)) != NULL; count++) {
        cr_assert(piece >= ring->bytes && size <= ring->size &&
                  piece + size <= ring->bytes + ring->size);
        cr_assert_lt(count, ring->size / 8);
        volatile uint8_t sum = 0; // the sanitizers look on
        for (size_t i = 0; i < size; i++) sum = (uint8_t)(sum + piece[i]);
    }
    return count;
}

// A ring in which a good piece is followed by this word, and that by others.
static void ends_at(uint64_t word, const char* what) {
    struct results_ring ring = made_ring(1024);
    put(&ring, 8, 1);
    *word_before(put(&ring, 8, 2)) = word;
    put(&ring, 8, 3);
    cr_expect_eq(walk(&ring), 1, "%s", what);
    made_ring_free(&ring);
}

Test(ring, words_that_fit_nowhere_end_the_walk) {
    ends_at(0 << 2 | 1, "a piece of no bytes");
    ends_at(1008 << 2 | 1, "a piece that reaches past the end");
    ends_at((uint64_t)-1 & ~UINT64_C(2), "a piece of all bytes");
    ends_at(UINT64_MAX, "unfinished, of all bytes");
    ends_at(1000 << 2 | 2, "an end to skip that is not the end");
    ends_at((uint64_t)-8 << 2 | 2, "a step back");
    ends_at(8 << 2, "of no kind");
}

Test(ring, ends_that_make_no_sense_end_the_walk) {
    static const uint64_t values[] = {
        0, 1, 7, 8, 1016, 1020, 1023, 1024, UINT32_MAX, UINT64_MAX - 7, UINT64_MAX, 1ull << 63};
    struct results_ring ring = made_ring(1024);
    for (int i = 0; i < 4; i++) put(&ring, 200, 0xff);
    const size_t count = sizeof values / sizeof values[0];
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            for (size_t k = 0; k < count; k++) {
                *ring.ends = (struct results_ring_ends){values[i], values[j], values[k]};
                cr_expect_leq(walk(&ring), 128);
            }
    made_ring_free(&ring);
}

Test(ring, no_bytes_lead_the_walk_outside) {
    struct results_ring ring = made_ring(4096);
    uint64_t state = 88172645463325252u;
    for (int n = 0; n < 20000; n++) {
        for (size_t i = 0; i < ring.size / 8; i++) {
            state ^= state << 13, state ^= state >> 7, state ^= state << 17;
            // Mostly small sizes, and so many zeros that the walk comes far.
            ((uint64_t*)(void*)ring.bytes)[i] = state >> 60 < 8 ? 0 : state >> (state & 63);
        }
        ring.ends->head = state & 0xffff;
        ring.ends->read = ring.ends->tail = ring.ends->head - (state >> 20 & 4095);
        walk(&ring);
    }
    made_ring_free(&ring);
}

// ---- Together ---------------------------------------------------------------------------------

#define WRITERS 3
#define EACH 20000u

static struct results_ring shared;
static uint64_t refused, interrupted; // atomic

struct message {
    uint32_t writer, n, length;
    uint8_t body[];
};

// A message whose bytes tell whether it came whole.
static HANDLER_SAFE bool send(uint32_t writer, uint32_t n) {
    uint32_t length = n * 7 % 300;
    struct message* m = results_ring_reserve(&shared, sizeof *m + length);
    if (m == NULL) return false;
    m->writer = writer;
    m->n = n;
    m->length = length;
    for (uint32_t i = 0; i < length; i++) m->body[i] = (uint8_t)(n + i);
    results_ring_publish(m, sizeof *m + length);
    return true;
}

static void* write_all(void* context) {
    uint32_t writer = (uint32_t)(uintptr_t)context;
    for (uint32_t n = 0; n < EACH;) {
        if (send(writer, n)) {
            n++;
            continue;
        }
        __atomic_fetch_add(&refused, 1, __ATOMIC_RELAXED);
        sched_yield();
    }
    return NULL;
}

// A handler on a thread that may just be writing.
static void on_alarm(int signal) {
    (void)signal;
    static uint32_t n, busy;
    if (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE)) return; // on two threads at once
    if (send(WRITERS, n)) n++;
    __atomic_fetch_add(&interrupted, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
}

static bool is_whole(const struct message* m, size_t size) {
    if (size != sizeof *m + m->length) return false;
    for (uint32_t i = 0; i < m->length; i++)
        if (m->body[i] != (uint8_t)(m->n + i)) return false;
    return true;
}

Test(ring, threads_and_handlers_write_while_one_reads) {
    pthread_t threads[WRITERS];
    uint32_t next[WRITERS + 1] = {0};
    const struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
    shared = made_ring(8192);
    struct results_ring_reader reader = read_from(&shared, false);
    signal(SIGALRM, on_alarm);
    for (uintptr_t i = 0; i < WRITERS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, write_all, (void*)i), 0);
    setitimer(ITIMER_REAL, &often, NULL);
    for (uint32_t got = 0; got < WRITERS * EACH;) {
        size_t size;
        const struct message* m = results_ring_next(&reader, &size);
        if (m == NULL) {
            sched_yield();
            continue;
        }
        cr_assert(m->writer <= WRITERS && is_whole(m, size));
        cr_assert_eq(m->n, next[m->writer], "writer %u", m->writer);
        next[m->writer]++;
        got += m->writer < WRITERS;
        results_ring_release(&reader);
    }
    setitimer(ITIMER_REAL, &never, NULL);
    for (int i = 0; i < WRITERS; i++) pthread_join(threads[i], NULL);
    cr_expect_gt(interrupted, 0);
    cr_expect_gt(next[WRITERS], 0);
    cr_expect_eq(reader.unfinished, 0);
    made_ring_free(&shared);
}
