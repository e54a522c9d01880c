// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

static void gives(const char* text, const char* wanted) {
    char* plain = plain_copy(text, 1000, false);
    cr_expect_str_eq(plain, wanted);
    free(plain);
}

Test(plain, what_can_be_seen_stays) {
    gives("", "");
    gives(NULL, "");
    gives("a.b.C<T>$1 & \"x\"", "a.b.C<T>$1 & \"x\"");
    gives("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80",
          "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80");
}

Test(plain, what_cannot_be_seen_is_written_out) {
    gives("a\tb\nc\x1b[31m", "a\\u0009b\\u000ac\\u001b[31m");
    gives("\x7f \xc2\x85", "\\u007f \\u0085");
    gives("\xe2\x80\xae txt", "\\u202e txt"); // right to left
    gives("a\xc2\xad"
          "b",
          "a\\u00adb"); // a hyphen that is seen at a line's end only
    gives("a\xe2\x80\x8b"
          "b",
          "a\\u200bb");                                    // zero width
    gives("\xef\xbb\xbf", "\\ufeff");                      // byte order mark
    gives("\xef\xbf\xbe \xef\xbf\xbf", "\\ufffe \\uffff"); // no characters: XML refuses them
    gives("\xf3\xa0\x81\x81", "\\ue0041");                 // a tag
}

Test(plain, what_is_no_utf8_is_written_out_byte_by_byte) {
    gives("\xff", "\\xff");
    gives("\xc3", "\\xc3");                            // cut short
    gives("\xc0\xaf", "\\xc0\\xaf");                   // overlong
    gives("\xe0\x80\xaf", "\\xe0\\x80\\xaf");          // overlong
    gives("\xed\xa0\x80", "\\xed\\xa0\\x80");          // a surrogate, as Java's own encoding has it
    gives("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"); // beyond the last
    gives("\xf0\x9f\x98", "\\xf0\\x9f\\x98");
}

Test(plain, lines_stay_where_they_are_wanted) {
    char* plain = plain_copy("a\n\tb\r", 1000, true);
    cr_expect_str_eq(plain, "a\n\tb\\u000d");
    free(plain);
}

Test(plain, a_long_text_is_cut_and_says_so) {
    char* plain = plain_copy("abcdef", 3, false);
    cr_expect_str_eq(plain, "abc...");
    free(plain);
    plain = plain_copy("ab\xe2\x82\xac", 3, false); // not in the midst of a character
    cr_expect_str_eq(plain, "ab\xe2\x82\xac");
    free(plain);
    plain = plain_copy("abc", 3, false);
    cr_expect_str_eq(plain, "abc");
    free(plain);
}
