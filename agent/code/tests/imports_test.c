// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Imported functions of loaded libraries, and that a library was loaded.
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdlib.h>

#include "code.h"

static int allocations;

static void* counting_malloc(size_t size) {
    allocations++;
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
