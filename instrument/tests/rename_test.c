// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <string.h>

#include "instrument/instrument.h"

#define HEAD "\xca\xfe\xba\xbe\0\0\0\x34"
// A Utf8 "a/B", a Long, which takes two indices, a Class of the first, a Utf8 "a/Bc"; and a body.
#define CLASS                                                                                      \
    HEAD "\0\x06\x01\0\x03"                                                                        \
         "a/B"                                                                                     \
         "\x05"                                                                                    \
         "12345678"                                                                                \
         "\x07\0\x01"                                                                              \
         "\x01\0\x04"                                                                              \
         "a/Bc"                                                                                    \
         "body"

static const struct instrument_renaming longer[] = {{"none", "x"}, {"a/B", "long/Name"}};

static size_t renamed(const char* bytes, size_t length, uint8_t* to, size_t size) {
    return instrument_rename((const uint8_t*)bytes, length, longer, 2, to, size);
}

Test(rename, a_text_is_another_and_all_else_stays) {
    static const char expected[] = HEAD "\0\x06\x01\0\x09"
                                        "long/Name"
                                        "\x05"
                                        "12345678"
                                        "\x07\0\x01"
                                        "\x01\0\x04"
                                        "a/Bc"
                                        "body";
    uint8_t to[128];
    cr_assert_eq(renamed(CLASS, sizeof CLASS - 1, to, sizeof to), sizeof expected - 1);
    cr_expect_arr_eq(to, expected, sizeof expected - 1);
}

Test(rename, a_text_may_become_shorter) {
    static const struct instrument_renaming shorter[] = {{"a/Bc", ""}};
    static const char expected[] = HEAD "\0\x06\x01\0\x03"
                                        "a/B"
                                        "\x05"
                                        "12345678"
                                        "\x07\0\x01"
                                        "\x01\0\0"
                                        "body";
    uint8_t to[128];
    cr_assert_eq(
        instrument_rename((const uint8_t*)CLASS, sizeof CLASS - 1, shorter, 1, to, sizeof to),
        sizeof expected - 1);
    cr_expect_arr_eq(to, expected, sizeof expected - 1);
}

Test(rename, a_copy_without_room_is_none) {
    uint8_t to[128];
    size_t whole = sizeof CLASS - 1 + strlen("long/Name") - strlen("a/B");
    for (size_t size = 0; size < whole; size++)
        cr_expect_eq(renamed(CLASS, sizeof CLASS - 1, to, size), 0, "%zu", size);
    cr_expect_eq(renamed(CLASS, sizeof CLASS - 1, to, whole), whole);
}

Test(rename, a_malformed_pool_is_refused) {
    uint8_t to[128];
    size_t pool_ends = sizeof CLASS - 1 - strlen("body");
    for (size_t length = 0; length < pool_ends; length++)
        cr_expect_eq(renamed(CLASS, length, to, sizeof to), 0, "%zu", length);
}
