// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"

// Splits `text`, and joins it again with each word between bars.
static void splits(const char* text, bool whole, const char* wanted) {
    struct words words = {0};
    cr_expect_eq(words_split(&words, text), whole, "%s", text);
    char joined[256] = "|";
    for (size_t i = 0; i < words.count; i++) {
        strcat(joined, words.list[i]);
        strcat(joined, "|");
    }
    cr_expect_str_eq(joined, wanted);
    if (words.list != NULL) cr_expect_null(words.list[words.count]);
    words_free(&words);
}

Test(words, are_parted_by_blanks_that_are_not_quoted) {
    splits(NULL, true, "|");
    splits("  \t", true, "|");
    splits("-Xint", true, "|-Xint|");
    splits(" -a  -b\n-c ", true, "|-a|-b|-c|");
    splits("-Dx='a b' \"c d\"e", true, "|-Dx=a b|c de|");
    splits("a\\ b '\\'", true, "|a b|\\|");
    splits("''", true, "||");
    splits("a 'b c", false, "|a|");
}

static void joins(const char* word, const char* wanted) {
    char* copy = strdup(word);
    char* text = words_join(&copy, 1);
    cr_expect_str_eq(text, wanted);
    struct words back = {0};
    cr_expect(words_split(&back, text));
    cr_assert_eq(back.count, 1);
    cr_expect_str_eq(back.list[0], word, "it reads back");
    words_free(&back);
    free(text);
    free(copy);
}

Test(words, are_quoted_so_that_they_read_back) {
    joins("/usr/bin/java", "/usr/bin/java");
    joins("", "''");
    joins("a b", "'a b'");
    joins("$(rm)", "'$(rm)'");
    joins("it's", "'it'\\''s'");
}

Test(words, grow_beyond_any_first_guess) {
    struct words words = {0};
    for (int i = 0; i < 1000; i++) words_add(&words, "word%d", i);
    cr_expect_eq(words.count, 1000);
    cr_expect_str_eq(words.list[999], "word999");
    cr_expect_null(words.list[1000]);
    words_free(&words);
}
