// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The maps between jmethodIDs and numbers.
#include <pthread.h>
#include <stdatomic.h>

#include <criterion/criterion.h>

#include "oracle/oracle.h"

static struct oracle_methods* methods;

static void open_methods(void) {
    methods = oracle_methods_open();
    cr_assert_not_null(methods);
}

static void close_methods(void) {
    oracle_methods_close(methods);
}

TestSuite(methods, .init = open_methods, .fini = close_methods);

Test(methods, an_id_never_announced_is_unknown) {
    cr_assert_eq(oracle_methods_number(methods, 0x1000), ORACLE_UNKNOWN);
    cr_assert_eq(oracle_methods_number(methods, 0), ORACLE_UNKNOWN);
    cr_assert_eq(oracle_methods_id(methods, 7), 0);
    cr_assert_null(oracle_methods_code(methods, 7));
}

Test(methods, an_announced_id_and_its_number_find_each_other) {
    cr_assert_eq(oracle_methods_bind(methods, 0x1000, 7), 0);
    cr_assert_eq(oracle_methods_number(methods, 0x1000), 7);
    cr_assert_eq(oracle_methods_id(methods, 7), 0x1000);
}

Test(methods, a_number_replaces_foreign) {
    oracle_methods_bind(methods, 0x1000, ORACLE_FOREIGN);
    cr_assert_eq(oracle_methods_number(methods, 0x1000), ORACLE_FOREIGN);
    oracle_methods_bind(methods, 0x1000, 7);
    cr_assert_eq(oracle_methods_number(methods, 0x1000), 7);
    cr_assert_eq(oracle_methods_id(methods, 7), 0x1000);
}

Test(methods, foreign_does_not_replace_a_number) {
    oracle_methods_bind(methods, 0x1000, 7);
    cr_assert_eq(oracle_methods_bind(methods, 0x1000, ORACLE_FOREIGN), 0);
    cr_assert_eq(oracle_methods_number(methods, 0x1000), 7);
    cr_assert_eq(oracle_methods_id(methods, 7), 0x1000);
}

Test(methods, our_own_stay_our_own) {
    oracle_methods_bind(methods, 0x1000, ORACLE_OWN);
    oracle_methods_bind(methods, 0x1000, ORACLE_FOREIGN);
    oracle_methods_bind(methods, 0x1000, 7);
    cr_assert_eq(oracle_methods_number(methods, 0x1000), ORACLE_OWN);
    oracle_methods_bind(methods, 0x2000, ORACLE_FOREIGN);
    oracle_methods_bind(methods, 0x2000, ORACLE_OWN);
    cr_assert_eq(oracle_methods_number(methods, 0x2000), ORACLE_OWN);
}

Test(methods, numbers_may_share_an_id_and_the_last_one_is_given) {
    oracle_methods_bind(methods, 0x1000, 7);
    oracle_methods_bind(methods, 0x1000, 8);
    cr_assert_eq(oracle_methods_number(methods, 0x1000), 8);
    cr_assert_eq(oracle_methods_id(methods, 7), 0x1000);
    cr_assert_eq(oracle_methods_id(methods, 8), 0x1000);
}

Test(methods, what_is_out_of_range_is_refused_and_changes_nothing) {
    cr_assert_eq(oracle_methods_bind(methods, 0, 7), -1);
    cr_assert_eq(oracle_methods_bind(methods, 0x1000, ORACLE_NUMBERS_MAX), -1);
    cr_assert_eq(oracle_methods_bind(methods, 0x1000, ORACLE_UNKNOWN), -1);
    cr_assert_eq(oracle_methods_number(methods, 0x1000), ORACLE_UNKNOWN);
    cr_assert_eq(oracle_methods_id(methods, 7), 0);
    cr_assert_eq(oracle_methods_bind(methods, 0x1000, ORACLE_NUMBERS_MAX - 1), 0);
    cr_assert_eq(oracle_methods_id(methods, ORACLE_NUMBERS_MAX - 1), 0x1000);
    cr_assert_eq(oracle_methods_id(methods, ORACLE_NUMBERS_MAX), 0);
    cr_assert_null(oracle_methods_code(methods, ORACLE_NUMBERS_MAX));
}

Test(methods, code_is_kept_for_its_number) {
    static const struct oracle_code code = {.length = 5};
    cr_assert_eq(oracle_methods_describe(methods, 7, &code), 0);
    cr_assert_eq(oracle_methods_code(methods, 7), &code);
    cr_assert_null(oracle_methods_code(methods, 8));
    cr_assert_eq(oracle_methods_describe(methods, 0, &code), -1);
    cr_assert_eq(oracle_methods_describe(methods, ORACLE_OWN, &code), -1);
}

Test(methods, closing_nothing_is_allowed) {
    oracle_methods_close(NULL);
    cr_assert_not_null(methods);
}

// ---- Growth under a reader ----------------------------------------------------------------------

#define GROWTH_METHODS 100000u

static atomic_uint announced; // numbers from 1 to this are bound
static atomic_bool finished;
static atomic_uint wrong;
static atomic_uint rounds;

// Ids of the two kinds that JDKs use: aligned pointers and small consecutive integers.
static uintptr_t id_of(uint32_t number) {
    return number % 2 == 0 ? (uintptr_t)0x7f0000000000 + number * (uintptr_t)8 : number;
}

static void* read_all(void* unused) {
    do {
        uint32_t known = atomic_load(&announced);
        for (uint32_t number = 1; number <= known; number++) {
            if (oracle_methods_number(methods, id_of(number)) != number) wrong++;
            if (oracle_methods_id(methods, number) != id_of(number)) wrong++;
        }
        uint32_t ahead = oracle_methods_number(methods, id_of(known + 1));
        if (ahead != known + 1 && ahead != ORACLE_UNKNOWN) wrong++;
        rounds++;
    } while (!atomic_load(&finished));
    return unused;
}

Test(methods, a_reader_sees_every_announced_id_while_the_table_grows, .timeout = 60) {
    pthread_t reader;
    cr_assert_eq(pthread_create(&reader, NULL, read_all, NULL), 0);
    for (uint32_t number = 1; number <= GROWTH_METHODS; number++) {
        cr_assert_eq(oracle_methods_bind(methods, id_of(number), number), 0);
        atomic_store(&announced, number);
    }
    atomic_store(&finished, true);
    pthread_join(reader, NULL);
    cr_assert_eq(atomic_load(&wrong), 0);
    cr_assert_gt(atomic_load(&rounds), 0);
    cr_assert_eq(oracle_methods_number(methods, id_of(GROWTH_METHODS + 1)), ORACLE_UNKNOWN);
}
