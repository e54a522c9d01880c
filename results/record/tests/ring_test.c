// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

#include "ring.h"

static void* put(struct ring* ring, size_t size, uint8_t with) {
    void* piece = ring_reserve(ring, size);
    if (piece == NULL) return NULL;
    memset(piece, with, size);
    ring_publish(piece, size);
    return piece;
}

// The next piece has that size and is filled with that.
static void comes(struct ring* ring, size_t size, uint8_t with) {
    size_t found = 0;
    const uint8_t* piece = ring_peek(ring, &found);
    cr_assert_not_null(piece);
    cr_assert_eq(found, size);
    for (size_t i = 0; i < size; i++) cr_assert_eq(piece[i], with);
    ring_release(ring, size);
}

Test(ring, pieces_come_in_their_order_and_whole) {
    struct ring ring;
    size_t size;
    cr_assert_eq(ring_open(&ring, 4096), 0);
    cr_expect_null(ring_peek(&ring, &size));
    for (int lap = 0; lap < 50; lap++) { // the sizes fit the memory's end in no way
        cr_assert_not_null(put(&ring, 1, 11));
        cr_assert_not_null(put(&ring, 1000, 22));
        cr_assert_not_null(put(&ring, 77, 33));
        comes(&ring, 1, 11);
        comes(&ring, 1000, 22);
        comes(&ring, 77, 33);
        cr_expect_null(ring_peek(&ring, &size));
    }
    ring_close(&ring);
}

Test(ring, what_finds_no_room_is_refused_and_room_comes_back) {
    struct ring ring;
    int held = 0;
    cr_assert_eq(ring_open(&ring, 1024), 0);
    cr_expect_null(ring_reserve(&ring, 257), "more than a quarter");
    cr_expect_null(ring_reserve(&ring, 0));
    while (put(&ring, 200, (uint8_t)held) != NULL) held++;
    cr_expect_eq(held, 4);
    comes(&ring, 200, 0);
    cr_expect_null(put(&ring, 250, 9), "of 1024 bytes 832 are taken, and 192 stand at the end");
    comes(&ring, 200, 1);
    cr_expect_not_null(put(&ring, 250, 9));
    comes(&ring, 200, 2);
    comes(&ring, 200, 3);
    comes(&ring, 250, 9);
    ring_close(&ring);
}

Test(ring, a_piece_that_is_being_filled_holds_back_those_after_it) {
    struct ring ring;
    size_t size;
    cr_assert_eq(ring_open(&ring, 1024), 0);
    void* piece = ring_reserve(&ring, 16);
    put(&ring, 8, 2);
    cr_expect_null(ring_peek(&ring, &size));
    memset(piece, 1, 16);
    ring_publish(piece, 16);
    comes(&ring, 16, 1);
    comes(&ring, 8, 2);
    ring_close(&ring);
}

// ---- Together ---------------------------------------------------------------------------------

#define WRITERS 3
#define EACH 20000u

static struct ring shared;
static uint64_t refused, interrupted; // atomic

struct message {
    uint32_t writer, n, length;
    uint8_t body[];
};

// A message whose bytes tell whether it came whole.
static HANDLER_SAFE bool send(uint32_t writer, uint32_t n) {
    uint32_t length = n * 7 % 300;
    struct message* m = ring_reserve(&shared, sizeof *m + length);
    if (m == NULL) return false;
    m->writer = writer;
    m->n = n;
    m->length = length;
    for (uint32_t i = 0; i < length; i++) m->body[i] = (uint8_t)(n + i);
    ring_publish(m, sizeof *m + length);
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
    cr_assert_eq(ring_open(&shared, 8192), 0);
    signal(SIGALRM, on_alarm);
    for (uintptr_t i = 0; i < WRITERS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, write_all, (void*)i), 0);
    setitimer(ITIMER_REAL, &often, NULL);
    for (uint32_t got = 0; got < WRITERS * EACH;) {
        size_t size;
        const struct message* m = ring_peek(&shared, &size);
        if (m == NULL) {
            sched_yield();
            continue;
        }
        cr_assert(m->writer <= WRITERS && is_whole(m, size));
        cr_assert_eq(m->n, next[m->writer], "writer %u", m->writer);
        next[m->writer]++;
        got += m->writer < WRITERS;
        ring_release(&shared, size);
    }
    setitimer(ITIMER_REAL, &never, NULL);
    for (int i = 0; i < WRITERS; i++) pthread_join(threads[i], NULL);
    cr_expect_gt(interrupted, 0);
    cr_expect_gt(next[WRITERS], 0);
}
