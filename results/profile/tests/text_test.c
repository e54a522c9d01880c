// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The reader's text: what is well-formed is read whole, anything else is refused with file and
// line.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "parts.h"

#define HEAD "plumbline-profile 1\n"
#define NAME "m 0 a.B.run()V\n"

static int read_bytes(const char* text, size_t size, struct results_profile_file* file,
                      char error[200]) {
    char path[] = "/tmp/profile-text-XXXXXX";
    int fd = mkstemp(path);
    cr_assert(fd >= 0);
    cr_assert_eq(write(fd, text, size), (ssize_t)size);
    close(fd);
    error[0] = '\0';
    int result = results_profile_read(path, file, error, 200);
    if (result != 0) cr_expect(strncmp(error, path, strlen(path)) == 0, "%s", error);
    unlink(path);
    return result;
}

static void refuses(const char* text, const char* line_and_reason) {
    struct results_profile_file file;
    char error[200];
    cr_expect_eq(read_bytes(text, strlen(text), &file, error), -1, "%s", text);
    cr_expect(strstr(error, line_and_reason) != NULL, "\"%s\" is not in \"%s\"", line_and_reason,
              error);
    cr_expect_null(file.samples);
    cr_expect_eq(file.name_count, 0);
}

Test(profile_text, a_text_is_read_whole) {
    struct results_profile_file file;
    char error[200];
    const char* text =
        HEAD NAME "s -5 7 42 9 vbt STATE_RUNNABLE 0:3:-1:j 0:0:12:n - 0:1:1:s 0:9:1:t\n"
                  "m 1 a name with blanks\n"
                  "l 3 0 0 12\nl 4 1 1 1\nt 9 a thread: 1\nt 10 \n"
                  "s 9223372036854775807 0 -1 0 f -\n"
                  "s 1 1 0 0 - - 1:65535:0:u\nend 3\n";
    cr_assert_eq(read_bytes(text, strlen(text), &file, error), 0, "%s", error);
    cr_expect_eq(file.sample_count, 3);
    cr_expect_eq(file.lost, 13);
    cr_expect_str_eq(file.names[1], "a name with blanks");
    const struct results_profile_sample* s = file.samples;
    cr_expect_eq(s[0].begin_ticks, -5);
    cr_expect_eq(s[0].end_ticks, 7);
    cr_expect_eq(s[0].thread, 42);
    cr_expect_eq(s[0].java_thread, 9);
    cr_expect_eq(s[0].flags, RESULTS_PROFILE_VIRTUAL | RESULTS_PROFILE_BIASED |
                                 RESULTS_PROFILE_TRUNCATED | RESULTS_PROFILE_NAMELESS);
    cr_assert_eq(s[0].count, 3);
    cr_expect_eq(file.frames[0].bci, 3);
    cr_expect_eq(file.frames[1].bci, ORACLE_BCI_NATIVE);
    cr_expect_eq(file.frames[2].bci, 9);
    cr_expect_eq(s[1].begin_ticks, INT64_MAX);
    cr_expect_eq(s[1].thread, 0);
    cr_expect_eq(s[1].flags, RESULTS_PROFILE_FAILED);
    cr_expect_eq(s[2].first, 3);
    cr_expect_eq(file.frames[3].method, 1);
    cr_assert_eq(file.thread_count, 2);
    cr_expect_eq(file.threads[0].java_thread, 9);
    cr_expect_str_eq(file.threads[0].name, "a thread: 1");
    cr_expect_str_eq(file.threads[1].name, "");
    results_profile_file_free(&file);
}

Test(profile_text, what_is_malformed_is_refused_with_its_line) {
    refuses("", ":0: the end is missing");
    refuses("plumbline-profile 2\n", ":1: it does not begin");
    refuses(HEAD, ":1: the end is missing");
    refuses(HEAD "end 0", ":2: the line is cut");
    refuses(HEAD "x\nend 0\n", ":2: no line");
    refuses(HEAD "end 1\n", ":2: 1 samples were written, and 0");
    refuses(HEAD "end 0\nend 0\n", ":3: there is something behind");
    refuses(HEAD "end x\n", ":2: the end is");
    refuses(HEAD "m 1 a.B.c()V\nend 0\n", ":2: method 1 where 0 is next");
    refuses(HEAD "m 0\nend 0\n", ":2: a method is");
    refuses(HEAD "m\nend 0\n", ":2: no line");
    refuses(HEAD "m 0 \nend 0\n", ":2: a method is");
    refuses(HEAD "m -1 a\nend 0\n", ":2: a method is");
    refuses(HEAD NAME "s 1 1 1 1 - -  0:1:1:j\nend 1\n", ":3: a frame is");
    refuses(HEAD NAME "s 1 1 1 1 - - 1:1:1:j\nend 1\n", ":3: method 1 is not known");
    refuses(HEAD NAME "s 1 1 1 1 - - 0:1:j\nend 1\n", ":3: a frame is");
    refuses(HEAD NAME "s 1 1 1 1 - - 0:1:1:jj\nend 1\n", ":3: a kind is one letter");
    refuses(HEAD NAME "s 1 1 1 1 - - 0:1:1:\nend 1\n", ":3: a kind is one of");
    refuses(HEAD NAME "s 1 1 1 1 - - 0:1:1:x\nend 1\n", ":3: a kind is one of");
    refuses(HEAD NAME "s 1 1 1 1 - - 0:99999999999:1:j\nend 1\n", ":3: a frame is");
    refuses(HEAD NAME "s 1 1 1 1 f - 0:1:1:j\nend 1\n", ":3: a sample that failed");
    refuses(HEAD NAME "s 1 1 1 1 z - 0:1:1:j\nend 1\n", ":3: a sample is");
    refuses(HEAD NAME "s 1 1 1 1 -\nend 1\n", ":3: a sample is");
    refuses(HEAD NAME "s 99999999999999999999 1 1 1 - -\nend 1\n", ":3: a sample is");
    refuses(HEAD NAME "s\nend 1\n", ":3: no line");
    refuses(HEAD "l 1 1 1 -1\nend 0\n", ":2: lost samples are");
    refuses(HEAD "l 1 1 1\nend 0\n", ":2: lost samples are");
    refuses(HEAD "t 2\nend 0\n", ":2: a thread is");
    refuses(HEAD "t 0 a\nend 0\n", ":2: a thread is");
    refuses(HEAD "t 9223372036854775808 a\nend 0\n", ":2: a thread is");
}

Test(profile_text, a_zero_byte_is_refused) {
    struct results_profile_file file;
    char error[200];
    const char text[] = HEAD "m 0 a\0b\nend 0\n";
    cr_expect_eq(read_bytes(text, sizeof text - 1, &file, error), -1);
    cr_expect(strstr(error, ":2: there is a zero byte") != NULL, "%s", error);
}

Test(profile_text, every_cut_of_a_text_is_refused) {
    struct results_profile_file file;
    char error[200];
    const char text[] = HEAD NAME "t 1 a b\ns 1 1 1 1 - - 0:1:1:j\nl 1 1 1 1\nend 1\n";
    for (size_t size = 0; size + 1 < sizeof text; size++)
        cr_expect_eq(read_bytes(text, size, &file, error), -1, "%zu", size);
}

Test(profile_text, no_changed_byte_breaks_the_reader) {
    struct results_profile_file file;
    char error[200], text[] = HEAD NAME "t 1 a b\ns 1 1 1 1 - - 0:1:1:j\nl 1 1 1 1\nend 1\n";
    static const char bytes[] = "\0\n -:0x9\xff";
    for (size_t at = 0; at + 1 < sizeof text; at++)
        for (size_t b = 0; b + 1 < sizeof bytes; b++) {
            char kept = text[at];
            text[at] = bytes[b];
            if (read_bytes(text, sizeof text - 1, &file, error) == 0)
                cr_expect_leq(file.sample_count, 1);
            results_profile_file_free(&file);
            text[at] = kept;
        }
}

Test(profile_text, a_stack_that_async_profiler_broke_off_says_that_it_is_cut) {
    struct results_profile_file file;
    char error[200];
    const char* text =
        HEAD NAME "m 1 break_stack_range()L;\nm 2 start_thread()L;\n"
                  "s 1 1 7 9 - S 0:3:-1:t 1:0:0:s\ns 2 2 7 9 - S 0:3:-1:t 2:0:0:s\n"
                  "m 3 break_a.run()V\nm 4 libx.so.f()L;\n"
                  "s 3 3 7 9 - S 4:0:0:n 3:0:0:j\nm 5 unknown()L;\n"
                  "s 4 4 7 9 - S 0:3:-1:t 5:0:0:n\ns 5 5 7 9 - S 5:0:0:n 0:3:-1:t\nend 5\n";
    cr_assert_eq(read_bytes(text, strlen(text), &file, error), 0, "%s", error);
    cr_expect_eq(file.samples[0].flags, RESULTS_PROFILE_TRUNCATED);
    cr_expect_eq(file.samples[0].count, 1);
    cr_expect_eq(file.samples[1].flags, 0);
    cr_expect_eq(file.samples[2].flags, 0, "a Java method of that name");
    cr_expect_eq(file.samples[2].count, 1, "a C function is no frame");
    cr_expect_eq(file.samples[3].flags, RESULTS_PROFILE_TRUNCATED);
    cr_expect_eq(file.samples[4].flags, 0, "it went on behind it");
    results_profile_file_free(&file);
}

Test(profile_text, a_frame_of_an_unloaded_class_makes_the_sample_nameless) {
    struct results_profile_file file;
    char error[200];
    const char* text = HEAD NAME "m 1 stale_jmethodID()L;\n"
                                 "s 1 2 3 4 - X 0:1:1:j 1:0:0:s 0:1:1:j\n"
                                 "s 2 2 3 4 - X 0:1:1:j -\ns 3 2 3 4 - X 0:1:1:j\nend 3\n";
    cr_assert_eq(read_bytes(text, strlen(text), &file, error), 0, "%s", error);
    cr_assert_eq(file.sample_count, 3);
    cr_expect_eq(file.samples[0].flags, RESULTS_PROFILE_NAMELESS);
    cr_expect_eq(file.samples[0].count, 2);
    cr_expect_eq(file.samples[1].flags, RESULTS_PROFILE_NAMELESS);
    cr_expect_eq(file.samples[2].flags, 0);
    results_profile_file_free(&file);
}
