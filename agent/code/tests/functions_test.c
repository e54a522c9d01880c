// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "parts.h"

// The name that library_function must give for the function at `begin`.
static void expect_function(uintptr_t address, uintptr_t begin) {
    char text[96], expected[96];
    Dl_info info;
    cr_assert_neq(dladdr((void*)begin, &info), 0);
    const char* slash = strrchr(info.dli_fname, '/');
    snprintf(expected, sizeof expected, "%s+0x%zx", slash != NULL ? slash + 1 : info.dli_fname,
             begin - (uintptr_t)info.dli_fbase);
    uint32_t offset;
    cr_assert(library_function(address, text, sizeof text, &offset));
    cr_expect_str_eq(text, expected);
    cr_expect_eq(offset, address - begin);
}

Test(functions, addresses_in_a_function_lead_to_its_beginning) {
    library_refresh();
    uintptr_t begin = (uintptr_t)qsort;
    expect_function(begin, begin);
    expect_function(begin + 5, begin);
    uintptr_t other = (uintptr_t)strtoul;
    expect_function(other + 1, other);
}

Test(functions, what_is_no_librarys_code_has_no_name) {
    static int data;
    char text[32];
    uint32_t offset = 1;
    library_refresh();
    cr_expect_not(library_function((uintptr_t)&data, text, sizeof text, &offset));
    cr_expect_eq(offset, 0u);
    cr_expect_not(library_function(0, text, sizeof text, &offset));
    cr_expect_not(library_function(UINTPTR_MAX, text, sizeof text, &offset));
}

Test(functions, names_are_cut_to_fit) {
    char text[6];
    uint32_t offset;
    library_refresh();
    cr_assert(library_function((uintptr_t)qsort, text, sizeof text, &offset));
    cr_expect_eq(strlen(text), 5);
}

Test(functions, refreshing_again_changes_nothing) {
    char before[96], after[96];
    uint32_t offset;
    library_refresh();
    cr_assert(library_function((uintptr_t)qsort, before, sizeof before, &offset));
    library_refresh();
    cr_assert(library_function((uintptr_t)qsort, after, sizeof after, &offset));
    cr_expect_str_eq(before, after);
}
