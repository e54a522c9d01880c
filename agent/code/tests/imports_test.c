// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Imported functions of loaded libraries, and that a library was loaded.
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "code.h"

static int allocations; // atomic

static void* counting_malloc(size_t size) {
    __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
    return malloc(size);
}

Test(imports, leads_a_librarys_calls_through_the_replacement_and_back) {
    void* zlib = dlopen("libz.so.1", RTLD_NOW);
    cr_assert_not_null(zlib, "%s", dlerror());
    union {
        void* symbol;
        int (*call)(unsigned char*, unsigned long*, const unsigned char*, unsigned long);
    } compress = {dlsym(zlib, "compress")};
    unsigned char to[64];
    unsigned long size = sizeof to;
    cr_expect_eq(library_replace_import("/libz.so", "malloc", (void (*)(void))counting_malloc), 1);
    cr_expect_eq(library_replace_import("/libz.so", "malloc", (void (*)(void))counting_malloc), 0);
    cr_assert_eq(compress.call(to, &size, (const unsigned char*)"aaaa", 4), 0);
    cr_expect_gt(allocations, 0);
    int before = allocations;
    cr_expect_eq(library_replace_import("/libz.so", "malloc", (void (*)(void))malloc), 1);
    size = sizeof to;
    cr_assert_eq(compress.call(to, &size, (const unsigned char*)"aaaa", 4), 0);
    cr_expect_eq(allocations, before);
}

static int loading = 1;

static void* replace_for_ever(void* unused) {
    while (__atomic_load_n(&loading, __ATOMIC_RELAXED))
        library_replace_import("/liblz4.so", "malloc", (void (*)(void))counting_malloc);
    return unused;
}

static void* open_lz4(void) {
    void* lz4 = dlopen("liblz4.so.1", RTLD_LAZY);
    cr_assert_not_null(lz4, "%s", dlerror());
    return lz4;
}

static void allocate_in(void* lz4) {
    union {
        void* symbol;
        void* (*call)(void);
    } create = {dlsym(lz4, "LZ4_createStream")};
    free(create.call());
}

// The linker adds the library's base to each entry of its table. It shows the library before.
Test(imports, a_library_that_is_being_loaded_is_left_alone_until_it_is_loaded, .timeout = 60) {
    pthread_t thread;
    if (dlopen("liblz4.so.1", RTLD_LAZY | RTLD_NOLOAD) != NULL)
        cr_skip_test("a library of this binary has liblz4 loaded for good");
    cr_assert_eq(pthread_create(&thread, NULL, replace_for_ever, NULL), 0);
    for (int i = 0; i < 5000; i++) {
        void* lz4 = open_lz4();
        allocate_in(lz4);
        dlclose(lz4);
    }
    void* lz4 = open_lz4(); // one that stays is replaced for sure
    while (__atomic_load_n(&allocations, __ATOMIC_RELAXED) == 0) allocate_in(lz4);
    __atomic_store_n(&loading, 0, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
}

Test(imports, finds_nothing_where_there_is_nothing) {
    cr_expect_eq(library_replace_import("no such library", "malloc", (void (*)(void))malloc), 0);
    cr_expect_eq(library_replace_import("/libc.so", "no_such_function", (void (*)(void))malloc), 0);
}

Test(imports, a_library_that_is_loaded_is_noticed_once) {
    cr_expect(library_refresh(), "the program's own");
    cr_expect_not(library_refresh());
    cr_assert_not_null(dlopen("libthread_db.so.1", RTLD_LAZY), "%s", dlerror());
    cr_expect(library_refresh());
    cr_expect_not(library_refresh());
}
