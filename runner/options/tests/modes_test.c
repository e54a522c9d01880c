// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "runner/base/base.h"

static void has_flags(enum mode_id mode, const char* known, uint64_t seed, const char* wanted) {
    struct words words = {0};
    modes_flags(&modes[mode], known, seed, &words);
    char* text = words_join(words.list, words.count);
    cr_expect_str_eq(text, wanted, "%s: %s", modes[mode].name, text);
    free(text);
    words_free(&words);
}

static void lacks(enum mode_id mode, const char* known, const char* wanted) {
    const char* name = "";
    size_t length = modes_missing(&modes[mode], known, &name);
    cr_expect(length == strlen(wanted) && memcmp(name, wanted, length) == 0, "%s with %s: %.*s",
              modes[mode].name, known, (int)length, name);
}

Test(modes, a_flag_that_may_be_missing_is_left_out_where_it_is) {
    has_flags(MODE_INT, "", 1, "-Xint");
    has_flags(MODE_NOCOMPRESSED, "\nUseCompressedOops\nUseCompressedClassPointers\n", 1,
              "-XX:-UseCompressedOops -XX:-UseCompressedClassPointers");
    has_flags(MODE_NOCOMPRESSED, "\nUseCompressedOops\n", 1, "-XX:-UseCompressedOops");
    has_flags(MODE_NOCOMPRESSED, "", 1, "-XX:-UseCompressedOops");
}

Test(modes, stress_takes_the_flags_that_are_there_and_the_seed) {
    has_flags(MODE_STRESS, "\nStressLCM\nStressSeed\nStressLC\n", 4294967297,
              "-XX:+UnlockDiagnosticVMOptions -XX:+StressLCM -XX:StressSeed=1");
    has_flags(MODE_STRESS, "\nStressLCMX\nXStressGCM\n", 1, "-XX:+UnlockDiagnosticVMOptions");
}

Test(modes, a_mode_is_missing_where_a_flag_that_it_needs_is_or_all_of_them_are) {
    lacks(MODE_INT, "\nx\n", "");
    lacks(MODE_TIERED, "\nx\n", "");
    lacks(MODE_ZGC, "\nx\n", "UseZGC");
    lacks(MODE_ZGC, "\nUseZGC\n", "");
    lacks(MODE_NOCOMPRESSED, "\nUseCompressedClassPointers\n", "UseCompressedOops");
    lacks(MODE_NOCOMPRESSED, "\nUseCompressedOops\n", "");
    lacks(MODE_STRESS, "\nStressGCM\n", "");
    lacks(MODE_STRESS, "\nStress\nStressSeed\nUnlockDiagnosticVMOptions\n", "StressLCM");
}

Test(modes, are_found_by_their_whole_name) {
    cr_expect_eq(modes_find("comp", 4), MODE_COMP);
    cr_expect_eq(modes_find("compress", 8), -1);
    cr_expect_eq(modes_find("com", 3), -1);
}
