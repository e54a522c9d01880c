// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/inlining/inlining.h"

static struct inlining* read_text(const char* text) {
    char path[] = "/tmp/inlining-XXXXXX";
    int fd = mkstemp(path);
    cr_assert(fd >= 0);
    cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    struct inlining* inlining = inlining_read(path, NULL);
    unlink(path);
    cr_assert_not_null(inlining);
    return inlining;
}

static void expect(const char* bare, const char* other, enum results_compiler compiler,
                   struct results_inlined wanted) {
    struct inlining *one = read_text(bare), *two = read_text(other);
    struct results_inlined inlined = inlining_compare(one, two, compiler);
    cr_expect_eq(inlined.bare, wanted.bare, "%s", other);
    cr_expect_eq(inlined.compiled, wanted.compiled, "%s", other);
    cr_expect_eq(inlined.kept, wanted.kept, "%s", other);
    inlining_close(one);
    inlining_close(two);
}

#define IDS                                                                                        \
    "<type id='1' name='void'/>\n<klass id='2' name='T' flags='1'/>\n"                             \
    "<method id='10' holder='2' name='a' return='1' bytes='9'/>\n"                                 \
    "<method id='11' holder='2' name='&lt;init&gt;' return='1' arguments='2' bytes='9'/>\n"        \
    "<method id='12' holder='2' name='c' return='1' bytes='9'/>\n"
#define TASK(stamp) "<task compile_id='1' method='T a ()V' bytes='9' stamp='" stamp "'>\n" IDS
#define DONE(stamp) "<task_done success='1' nmsize='1' stamp='" stamp "'/>\n</task>\n"
#define INLINED(bci, id) "<bc code='184' bci='" bci "'/>\n<parse method='" id "'>\n</parse>\n"
#define C1_A(calls) "<parse method='10' stamp='1'>\n" calls "</parse>\n"
#define C2_A(calls) "<parse method='10' uses='9.0' stamp='1'>\n" calls "</parse>\n"

static const char both[] = TASK("1") C1_A(INLINED("3", "11") INLINED("6", "12")) DONE("1");

Test(inlining, sites_are_told_apart_by_caller_position_and_callee) {
    const struct results_inlined all = {2, 2, 2}, one = {2, 2, 1}, none = {2, 2, 0};
    expect(both, both, RESULTS_COMPILER_C1, all);
    expect(both, TASK("1") C1_A(INLINED("3", "11")) DONE("1"), RESULTS_COMPILER_C1, one);
    expect(both, TASK("1") C1_A(INLINED("3", "12") INLINED("6", "11")) DONE("1"),
           RESULTS_COMPILER_C1, none);
    expect(both, TASK("1") C1_A("<bc code='184' bci='3'/>\n<call method='11'/>\n") DONE("1"),
           RESULTS_COMPILER_C1, none);
}

Test(inlining, a_site_in_an_inlined_method_belongs_to_that_method) {
    static const char nested[] = TASK("1")
        C1_A("<bc code='184' bci='3'/>\n<parse method='11'>\n" INLINED("5", "12") "</parse>\n")
            DONE("1");
    expect(nested, nested, RESULTS_COMPILER_C1, (struct results_inlined){2, 2, 2});
    expect(nested, both, RESULTS_COMPILER_C1, (struct results_inlined){2, 2, 1});
}

Test(inlining, the_compilers_are_apart) {
    static const char c2[] = TASK("1") C2_A(INLINED("3", "11")) DONE("1");
    expect(c2, c2, RESULTS_COMPILER_C2, (struct results_inlined){1, 1, 1});
    expect(c2, c2, RESULTS_COMPILER_C1, (struct results_inlined){0, 0, 0});
    expect(c2, both, RESULTS_COMPILER_C2, (struct results_inlined){1, 0, 0});
}

Test(inlining, only_the_last_compilation_of_a_method_counts) {
    static const char later[] =
        TASK("2") C1_A(INLINED("3", "11")) DONE("2") TASK("1") C1_A(INLINED("6", "12")) DONE("1");
    expect(later, later, RESULTS_COMPILER_C1, (struct results_inlined){1, 1, 1});
    expect(both, later, RESULTS_COMPILER_C1, (struct results_inlined){2, 2, 1});
}

Test(inlining, a_failed_attempt_and_a_failed_compilation_count_for_nothing) {
    static const char retried[] = TASK("1")
        C1_A(INLINED("3", "11")) "<failure reason='retry'/>\n" C1_A(INLINED("6", "12")) DONE("1");
    static const char failed[] =
        TASK("1") C1_A(INLINED("3", "11")) "<task_done success='0' stamp='1'/>\n</task>\n";
    expect(retried, both, RESULTS_COMPILER_C1, (struct results_inlined){1, 1, 1});
    expect(both, retried, RESULTS_COMPILER_C1, (struct results_inlined){2, 2, 1});
    expect(both, failed, RESULTS_COMPILER_C1, (struct results_inlined){2, 0, 0});
}

Test(inlining, a_late_inlining_is_placed_by_its_caller) {
    static const char late[] = TASK("1")
        C2_A("<bc code='184' bci='3'/>\n") "<late_inline method='11' inline_id='1'>\n<jvms bci='3' "
                                           "method='10'/>\n"
                                           "<jvms bci='7' method='12'/>\n</late_inline>\n<parse "
                                           "method='11' uses='1.0'>\n</parse>\n" DONE("1");
    static const char early[] = TASK("1") C2_A(INLINED("3", "11")) DONE("1");
    expect(late, early, RESULTS_COMPILER_C2, (struct results_inlined){1, 1, 1});
}

Test(inlining, what_plumbline_adds_is_no_site) {
    static const char with_push[] =
        TASK("1") "<klass id='3' name='plumbline/Trace' flags='1'/>\n"
                  "<method id='13' holder='3' name='push' return='1' bytes='9'/>\n" C1_A(
                      INLINED("3", "13") INLINED("6", "12")) DONE("1");
    expect(with_push, with_push, RESULTS_COMPILER_C1, (struct results_inlined){1, 1, 1});
}

Test(inlining, hidden_classes_have_one_name_in_all_runs) {
#define HIDDEN(name)                                                                               \
    TASK("1")                                                                                      \
    "<klass id='3' name='" name "' flags='1'/>\n"                                                  \
    "<method id='13' holder='3' name='f' return='1' bytes='9'/>\n" C1_A(INLINED("3", "13"))        \
        DONE("1")
    const struct results_inlined kept = {1, 1, 1};
    expect(HIDDEN("T$$Lambda$14/0x0000000800c03000"), HIDDEN("T$$Lambda$3/0x0000000800c04000"),
           RESULTS_COMPILER_C1, kept);
    expect(HIDDEN("T$$Lambda/0x00000000560"), HIDDEN("T$$Lambda/0x0000000057"), RESULTS_COMPILER_C1,
           kept);
    expect(HIDDEN("java.lang.invoke.LambdaForm$MH/0x1"),
           HIDDEN("java.lang.invoke.LambdaForm$DMH/7"), RESULTS_COMPILER_C1, kept);
    expect(HIDDEN("T$1"), HIDDEN("T$2"), RESULTS_COMPILER_C1, (struct results_inlined){1, 1, 0});
}

Test(inlining, a_log_cut_anywhere_can_be_read) {
    for (size_t length = 0; length < sizeof both; length++) {
        char cut[sizeof both];
        snprintf(cut, sizeof cut, "%.*s", (int)length, both);
        struct inlining* inlining = read_text(cut);
        struct results_inlined inlined = inlining_compare(inlining, inlining, RESULTS_COMPILER_C1);
        cr_expect(inlined.bare == 0 || inlined.bare == 2, "%zu", length);
        inlining_close(inlining);
    }
}

Test(inlining, a_missing_log_is_told) {
    cr_expect_null(inlining_read("/nonexistent/compilation.log", NULL));
}
