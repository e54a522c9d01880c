// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Ini files with lines as long as inih can read, and longer.
#include <criterion/criterion.h>

#include "causes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST 199 // bytes of a line, of Debian's libinih

static char taken[256]; // the keys, each with a comma

static int take(void* user, const char* section, const char* key, const char* value) {
    cr_expect_eq(user, taken);
    cr_expect_str_eq(section, "s");
    strcat(strcat(taken, key), ",");
    return strcmp(value, "wrong") != 0;
}

// A line of so many bytes with the key, without its end.
static const char* line_of(const char* key, int length) {
    static char text[512];
    int begin = snprintf(text, sizeof text, "%s = ", key);
    memset(text + begin, 'x', (size_t)(length - begin));
    text[length] = '\0';
    return text;
}

// What the reading gives of this text.
static int reads(const char* before, const char* line, const char* behind, char why[64]) {
    char path[] = "/tmp/ini-XXXXXX";
    FILE* file = fdopen(mkstemp(path), "w");
    cr_assert_not_null(file);
    fprintf(file, "[s]\n%s%s%s", before, line, behind);
    fclose(file);
    *taken = '\0';
    strcpy(why, "as it was");
    int result = results_ini_read(path, take, taken, why, 64);
    unlink(path);
    return result;
}

Test(ini, a_line_may_be_as_long_as_inih_can_read) {
    char why[64];
    cr_expect_eq(reads("a = 1\n", line_of("b", MOST), "\nc = 1\n", why), 0);
    cr_expect_str_eq(taken, "a,b,c,");
    cr_expect_eq(reads("a = 1\n", line_of("b", MOST), "", why), 0, "without an end");
    cr_expect_str_eq(taken, "a,b,");
    cr_expect_eq(reads("", line_of("b", MOST), "\nc = wrong\n", why), 3, "lines are counted");
    cr_expect_str_eq(why, "as it was");
}

Test(ini, a_longer_line_is_refused_by_its_own_number) {
    char why[64];
    cr_expect_eq(reads("a = 1\n", line_of("b", MOST + 1), "\nc = 1\n", why), 3);
    cr_expect_str_eq(why, "longer than 199 bytes");
    cr_expect_str_eq(taken, "a,", "nothing of it, or behind it");
    cr_expect_eq(reads("a = 1\n", line_of("b", 400), "", why), 3, "at the end");
    cr_expect_eq(reads("a = wrong\n", line_of("b", 400), "\n", why), 2, "the first wrong line");
    cr_expect_str_eq(why, "as it was");
}

Test(ini, a_section_that_inih_would_cut_is_refused) {
    char why[64], line[80];
    snprintf(line, sizeof line, "[%049d]\n", 0);
    cr_expect_eq(reads("a = 1\n", line, "", why), 0, "as long as it may be");
    cr_expect_str_eq(why, "as it was");
    snprintf(line, sizeof line, " \t[%050d]\n", 0);
    cr_expect_eq(reads("a = 1\n", line, "b = 1\n", why), 3);
    cr_expect_str_eq(why, "a section's name is longer than 49 bytes");
    cr_expect_str_eq(taken, "a,", "nothing of it, or behind it");
    cr_expect_eq(reads("a = wrong\n", line, "", why), 2, "the first wrong line");
}

Test(ini, what_cannot_be_read_has_an_errno) {
    char why[64] = "as it was";
    cr_expect_eq(results_ini_read("/nowhere/a.ini", take, taken, why, sizeof why), -1);
    cr_expect_eq(errno, ENOENT);
    cr_expect_eq(results_ini_read("/tmp", take, taken, why, sizeof why), -1);
    cr_expect_eq(errno, EISDIR);
    cr_expect_str_eq(why, "as it was");
}
