// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The layer `structure`, as rows. A trace is written youngest first as "method@bci ...", with bci n
// for a native frame. In the program, run() and main() call work() and the native method jni();
// work calls leaf, itself, and any method through a handle.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "oracle/oracle.h"

#define FRAMES_MAX 16

enum { NAME_LEAF = ORACLE_NAME_FIRST, NAME_WORK, NAME_JNI, NAME_RUN, NAME_MAIN, NAME_OTHER };

// The caller calls work() at 3 and jni() at 6; at 10 it may load a class.
static const struct oracle_site caller_sites[] = {
    {3, NAME_WORK}, {6, NAME_JNI}, {10, ORACLE_CALLS_VM}};
static const struct oracle_site work_sites[] = {
    {2, NAME_LEAF}, {9, ORACLE_CALLS_ANY}, {12, ORACLE_CALLS_VM}, {15, NAME_WORK}};
static const struct oracle_sites caller = {NAME_RUN, ORACLE_METHOD_STARTS, 20, 3, caller_sites, 0};
static const struct oracle_sites launched = {NAME_MAIN, ORACLE_METHOD_LAUNCHED, 20,
                                             2,         caller_sites,           0};
static const struct oracle_sites work = {NAME_WORK, 0, 30, 4, work_sites, 0};
static const struct oracle_sites leaf = {NAME_LEAF, 0, 8, 0, NULL, 0};
static const struct oracle_sites other = {NAME_OTHER, 0, 8, 0, NULL, 0};
static const struct oracle_sites jni = {NAME_JNI, ORACLE_METHOD_NATIVE, 0, 0, NULL, 0};
static const struct oracle_sites upcall = {NAME_OTHER, ORACLE_METHOD_UPCALL, 8, 0, NULL, 0};
static const struct oracle_sites mounts = {NAME_OTHER, ORACLE_METHOD_MOUNTS, 20,
                                           3,          caller_sites,         0};
static const struct oracle_sites early = {NAME_OTHER, ORACLE_METHOD_LAUNCHING, 20, 3, caller_sites,
                                          0};
static const struct oracle_sites opaque = {.flags = ORACLE_METHOD_OPAQUE};

static const struct {
    const char* name;
    const struct oracle_sites* sites;
} known[] = {
    {"run", &caller},  {"main", &launched}, {"work", &work},   {"leaf", &leaf},
    {"other", &other}, {"jni", &jni},       {"vm", &upcall},   {"opaque", &opaque},
    {"unread", NULL},  {"enter", &mounts},  {"early", &early},
};
#define KNOWN (sizeof known / sizeof known[0])

static struct oracle_methods* methods;
static struct oracle_frame frames[FRAMES_MAX];

static uintptr_t id_of(const char* name, size_t length) {
    for (size_t i = 0; i < KNOWN; i++)
        if (strlen(known[i].name) == length && memcmp(known[i].name, name, length) == 0)
            return 0x1000 + 8 * i;
    return length == 0 ? 0 : 0x9000; // the null id, or one that was never announced
}

static void open_all(void) {
    methods = oracle_methods_open();
    cr_assert_not_null(methods);
    for (size_t i = 0; i < KNOWN; i++) {
        cr_assert_eq(oracle_methods_bind(methods, 0x1000 + 8 * i, ORACLE_FOREIGN), 0);
        if (known[i].sites == NULL) continue;
        cr_assert_eq(oracle_methods_describe_sites(methods, 0x1000 + 8 * i, known[i].sites), 0);
    }
}

static void close_all(void) {
    oracle_methods_close(methods);
}

TestSuite(structure, .init = open_all, .fini = close_all);

static uint32_t load(const char* trace) {
    uint32_t count = 0;
    while (*trace != '\0') {
        size_t length = strcspn(trace, "@");
        const char* bci = trace + length + 1;
        frames[count].method = id_of(trace, length);
        frames[count++].bci = *bci == 'n' ? ORACLE_BCI_NATIVE : atoi(bci);
        trace = bci + strcspn(bci, " ");
        trace += *trace == ' ';
    }
    return count;
}

static struct oracle_judgement judged(const char* trace, enum oracle_root root, uint32_t base,
                                      bool limit) {
    struct oracle_context context = {.base = base, .depth_limit = limit};
    struct oracle_judgement judgement;
    oracle_structure(methods, frames, load(trace), &context, root, &judgement);
    return judgement;
}

static void expect(const char* trace, enum oracle_verdict verdict, uint32_t difference) {
    struct oracle_judgement j = judged(trace, ORACLE_ROOT_STARTED, 0, false);
    cr_expect_eq(j.verdict, verdict, "%s is called %s, expected %s", trace,
                 oracle_verdict_text(j.verdict), oracle_verdict_text(verdict));
    cr_expect_eq(j.difference, difference, "%s: at %u", trace, j.difference);
}

// ---- Calls --------------------------------------------------------------------------------------

Test(structure, a_trace_that_can_be_is_right) {
    expect("leaf@5 work@2 run@3", ORACLE_AGREE, 0);
    expect("work@29 run@3", ORACLE_AGREE, 0);
    expect("leaf@0 work@2 work@15 work@15 run@3", ORACLE_AGREE, 0);
    expect("run@7", ORACLE_AGREE, 0);
    cr_expect_eq(judged("leaf@5 work@2 run@3", ORACLE_ROOT_ANY, 0, false).expected, 2);
    cr_expect_eq(judged("", ORACLE_ROOT_STARTED, 0, false).verdict, ORACLE_AGREE);
}

Test(structure, a_caller_beside_its_call_is_impossible) {
    expect("leaf@5 work@3 run@3", ORACLE_IMPOSSIBLE_CALL, 1);
    expect("leaf@5 work@2 run@4", ORACLE_IMPOSSIBLE_CALL, 2);
}

Test(structure, a_caller_at_another_call_is_impossible) {
    expect("leaf@5 work@15 run@3", ORACLE_IMPOSSIBLE_CALL, 1);
    expect("work@5 run@6", ORACLE_IMPOSSIBLE_CALL, 1);
}

Test(structure, a_frame_lost_or_swapped_or_put_in_is_impossible) {
    expect("leaf@5 run@3", ORACLE_IMPOSSIBLE_CALL, 1);
    expect("leaf@5 run@3 work@2", ORACLE_IMPOSSIBLE_CALL, 1);
    expect("leaf@5 other@1 work@2 run@3", ORACLE_IMPOSSIBLE_CALL, 1);
    expect("leaf@5 leaf@5 work@2 run@3", ORACLE_IMPOSSIBLE_CALL, 1);
}

Test(structure, a_caller_outside_its_code_is_impossible) {
    expect("leaf@5 work@30 run@3", ORACLE_IMPOSSIBLE_CALL, 1);
    expect("leaf@5 work@-2 run@3", ORACLE_IMPOSSIBLE_CALL, 1);
}

Test(structure, an_instruction_that_names_nothing_is_left_by_what_the_vm_calls_only) {
    expect("vm@1 work@12 run@3", ORACLE_AGREE, 0);
    expect("leaf@1 work@12 run@3", ORACLE_IMPOSSIBLE_CALL, 1);
    expect("vm@1 work@2 run@3", ORACLE_AGREE, 0); // a call may load a class, too
    expect("vm@1 work@3 run@3", ORACLE_IMPOSSIBLE_CALL, 1);
}

Test(structure, the_vm_may_call_before_the_first_instruction) {
    expect("vm@1 work@0 run@3", ORACLE_AGREE, 0);
    expect("vm@1 work@-1 run@3", ORACLE_AGREE, 0);
}

Test(structure, a_caller_at_the_walkers_fallback_of_0_is_impossible) {
    expect("leaf@1 work@0 run@3", ORACLE_IMPOSSIBLE_CALL, 1);
    expect("leaf@1 work@-1 run@3", ORACLE_IMPOSSIBLE_CALL, 1);
}

Test(structure, a_handle_calls_anything) {
    expect("other@1 work@9 run@3", ORACLE_AGREE, 0);
    expect("vm@1 work@9 run@3", ORACLE_AGREE, 0);
}

Test(structure, native_code_calls_anything) {
    expect("other@1 jni@n run@6", ORACLE_AGREE, 0);
    expect("jni@n run@6", ORACLE_AGREE, 0);
    expect("other@1 jni@n run@3", ORACLE_IMPOSSIBLE_CALL, 2);
}

// ---- Single frames ------------------------------------------------------------------------------

Test(structure, a_frame_of_the_wrong_kind_is_found) {
    expect("leaf@n work@2 run@3", ORACLE_WRONG_KIND, 0);
    expect("jni@0 run@6", ORACLE_WRONG_KIND, 0);
    expect("leaf@1 work@n run@3", ORACLE_WRONG_KIND, 1);
    expect("other@1 jni@3 run@6", ORACLE_WRONG_KIND, 1);
}

Test(structure, the_youngest_frame_must_be_in_its_code) {
    expect("leaf@8 work@2 run@3", ORACLE_WRONG_BCI, 0);
    expect("leaf@-2 work@2 run@3", ORACLE_WRONG_BCI, 0);
    expect("leaf@-1 work@2 run@3", ORACLE_AGREE, 0);
}

Test(structure, an_id_of_no_method_is_invalid) {
    expect("@1 work@2 run@3", ORACLE_INVALID_ID, 0);
    expect("leaf@1 strange@2 run@3", ORACLE_INVALID_ID, 1);
}

// ---- Unknown methods ----------------------------------------------------------------------------

Test(structure, a_method_not_read_is_not_judged_and_the_rest_is) {
    expect("unread@1 work@2 run@3", ORACLE_UNDECIDED, 0);
    expect("leaf@1 unread@2 run@3", ORACLE_UNDECIDED, 0);
    expect("leaf@1 opaque@99 run@3", ORACLE_UNDECIDED, 0);
    expect("leaf@1 work@2 unread@3", ORACLE_UNDECIDED, 0);
    expect("unread@1 leaf@1 work@3 run@3", ORACLE_IMPOSSIBLE_CALL, 2);
    expect("unread@1 leaf@1 work@3 unread@3", ORACLE_IMPOSSIBLE_CALL, 2);
    expect("unread@1 other@1", ORACLE_IMPOSSIBLE_ROOT, 1);
}

Test(structure, the_base_is_not_judged) {
    cr_expect_eq(judged("leaf@1 work@2 other@1", ORACLE_ROOT_STARTED, 1, false).verdict,
                 ORACLE_AGREE);
    cr_expect_eq(judged("leaf@1 work@3 other@1", ORACLE_ROOT_STARTED, 1, false).verdict,
                 ORACLE_IMPOSSIBLE_CALL);
    cr_expect_eq(judged("leaf@1", ORACLE_ROOT_STARTED, 5, false).verdict, ORACLE_AGREE);
}

// ---- The oldest frame ---------------------------------------------------------------------------

Test(structure, the_oldest_frame_is_one_that_the_thread_can_start_with) {
    expect("leaf@1 work@2", ORACLE_IMPOSSIBLE_ROOT, 1);
    expect("leaf@1", ORACLE_IMPOSSIBLE_ROOT, 0);
    expect("work@1 main@3", ORACLE_IMPOSSIBLE_ROOT, 1);
    cr_expect_eq(judged("work@1 main@3", ORACLE_ROOT_LAUNCHED, 0, false).verdict, ORACLE_AGREE);
    cr_expect_eq(judged("work@1 run@3", ORACLE_ROOT_LAUNCHED, 0, false).verdict,
                 ORACLE_IMPOSSIBLE_ROOT);
}

Test(structure, before_main_the_launchers_thread_makes_threads) {
    cr_expect_eq(judged("work@1 early@3", ORACLE_ROOT_LAUNCHING, 0, false).verdict, ORACLE_AGREE);
    cr_expect_eq(judged("work@1 main@3", ORACLE_ROOT_LAUNCHING, 0, false).verdict, ORACLE_AGREE);
    cr_expect_eq(judged("work@1 early@3", ORACLE_ROOT_LAUNCHED, 0, false).verdict,
                 ORACLE_IMPOSSIBLE_ROOT);
    cr_expect_eq(judged("work@1 run@3", ORACLE_ROOT_LAUNCHING, 0, false).verdict,
                 ORACLE_IMPOSSIBLE_ROOT);
    expect("work@1 early@3", ORACLE_IMPOSSIBLE_ROOT, 1);
}

Test(structure, the_frames_of_a_virtual_thread_begin_with_the_continuations) {
    cr_expect_eq(judged("work@1 enter@3", ORACLE_ROOT_VIRTUAL, 0, false).verdict, ORACLE_AGREE);
    cr_expect_eq(judged("work@1 run@3", ORACLE_ROOT_VIRTUAL, 0, false).verdict,
                 ORACLE_IMPOSSIBLE_ROOT);
    cr_expect_eq(judged("work@1", ORACLE_ROOT_VIRTUAL, 0, false).verdict, ORACLE_IMPOSSIBLE_ROOT);
    expect("work@1 enter@3", ORACLE_IMPOSSIBLE_ROOT, 1);
    cr_expect_eq(oracle_method_flags("jdk/internal/vm/Continuation", "enter",
                                     "(Ljdk/internal/vm/Continuation;Z)V", false),
                 ORACLE_METHOD_MOUNTS);
    cr_expect_eq(oracle_method_flags("a/Continuation", "enter", "()V", false), 0);
}

Test(structure, a_thread_that_native_code_made_starts_with_anything) {
    cr_expect_eq(judged("leaf@1 work@2", ORACLE_ROOT_ANY, 0, false).verdict, ORACLE_AGREE);
}

Test(structure, a_full_buffer_has_no_oldest_frame) {
    cr_expect_eq(judged("leaf@1 work@2", ORACLE_ROOT_STARTED, 0, true).verdict, ORACLE_AGREE);
}

// ---- Frames judged before -----------------------------------------------------------------------

static struct oracle_judgement judged_again(const char* trace, uint32_t frames_known) {
    struct oracle_context context = {.known = frames_known};
    struct oracle_judgement judgement;
    oracle_structure(methods, frames, load(trace), &context, ORACLE_ROOT_STARTED, &judgement);
    return judgement;
}

Test(structure, frames_judged_before_are_not_judged_again_but_as_callers_of_new_ones) {
    cr_expect_eq(judged_again("leaf@1 work@2 other@1 leaf@1", 2).verdict, ORACLE_IMPOSSIBLE_CALL);
    cr_expect_eq(judged_again("leaf@1 work@2 work@15 leaf@1 leaf@1", 3).verdict, ORACLE_AGREE);
    cr_expect_eq(judged_again("leaf@1 work@2 work@15 run@3", 2).expected, 3);
    cr_expect_eq(judged_again("leaf@1 work@2 work@14 run@3", 2).difference, 2);
    cr_expect_eq(judged_again("leaf@1 work@2 work@14 run@3", 1).verdict, ORACLE_IMPOSSIBLE_CALL);
    cr_expect_eq(judged_again("leaf@1 work@3 run@3", 2).verdict, ORACLE_IMPOSSIBLE_CALL);
    cr_expect_eq(judged_again("leaf@9 work@2 run@3", 2).verdict, ORACLE_WRONG_BCI);
    cr_expect_eq(judged_again("leaf@1 work@2 run@3", 9).verdict, ORACLE_AGREE);
}

// ---- The table of upcalls -----------------------------------------------------------------------

static bool is_upcall(const char* class_name, const char* name, const char* descriptor) {
    return (oracle_method_flags(class_name, name, descriptor, false) & ORACLE_METHOD_UPCALL) != 0;
}

Test(structure, what_the_vm_calls_is_told_by_its_names) {
    cr_expect(is_upcall("a/B", "<clinit>", "()V"));
    cr_expect(is_upcall("a/Loader", "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;"));
    cr_expect(is_upcall("java/lang/invoke/MethodHandleNatives", "linkCallSite", "()V"));
    cr_expect_not(is_upcall("a/Loader", "loadClass", "()V"));
    cr_expect_not(is_upcall("a/B", "<init>", "()V"));
    cr_expect_not(is_upcall("a/B", "register", "(Ljava/lang/Object;)V"));
    cr_expect(oracle_method_flags("a/E", "<init>", "()V", true) & ORACLE_METHOD_UPCALL);
    const char* trace = "()[Ljava/lang/StackTraceElement;";
    cr_expect(oracle_method_flags("a/E", "getStackTrace", trace, true) & ORACLE_METHOD_UPCALL);
    cr_expect_not(oracle_method_flags("a/E", "getStackTrace", "()V", true));
    cr_expect_not(is_upcall("java/lang/Thread", "getStackTrace", trace));
    cr_expect_not(oracle_method_flags("a/E", "run", "(I)V", true));
    cr_expect_eq(oracle_method_flags("a/B", "run", "()V", false), ORACLE_METHOD_STARTS);
    // The option that begins a recording: in the first thread, before main.
    cr_expect_eq(oracle_method_flags("jdk/jfr/internal/dcmd/AbstractDCmd", "execute", "()V", false),
                 ORACLE_METHOD_LAUNCHED);
    cr_expect_eq(oracle_method_flags("a/B", "main", "([Ljava/lang/String;)V", false),
                 ORACLE_METHOD_LAUNCHED | ORACLE_METHOD_MAIN);
    cr_expect_eq(oracle_method_flags("java/lang/System", "getProperty",
                                     "(Ljava/lang/String;)Ljava/lang/String;", false),
                 ORACLE_METHOD_LAUNCHING);
    cr_expect_eq(oracle_method_flags("java/lang/Thread", "<init>",
                                     "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V", false),
                 ORACLE_METHOD_LAUNCHING);
    cr_expect_eq(oracle_method_flags("a/Thread", "<init>", "(I)V", false), 0);
}

// ---- Describing ---------------------------------------------------------------------------------

Test(structure, descriptions_survive_the_tables_growth) {
    for (uintptr_t id = 1; id < 100000; id++) {
        cr_assert_eq(oracle_methods_bind(methods, id << 20, ORACLE_FOREIGN), 0);
        if (id % 7 == 0) oracle_methods_describe_sites(methods, id << 20, id % 2 ? &leaf : &other);
    }
    for (uintptr_t id = 1; id < 100000; id++) {
        const struct oracle_sites* expected = id % 7 ? NULL : id % 2 ? &leaf : &other;
        cr_assert_eq(oracle_methods_sites(methods, id << 20), expected);
    }
}

Test(structure, only_announced_methods_are_described_and_opaque_ones_stay_so) {
    cr_expect_eq(oracle_methods_describe_sites(methods, 0, &leaf), -1);
    cr_expect_eq(oracle_methods_describe_sites(methods, 0x7777, &leaf), -1);
    cr_expect_null(oracle_methods_sites(methods, 0));
    cr_expect_null(oracle_methods_sites(methods, 0x7777));
    uintptr_t id = id_of("opaque", 6);
    cr_expect_eq(oracle_methods_describe_sites(methods, id, &leaf), 0);
    cr_expect_eq(oracle_methods_sites(methods, id), &opaque);
}
