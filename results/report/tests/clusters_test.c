// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "synthetic.h"

// ---- Words ------------------------------------------------------------------------------------

static void relates(enum oracle_verdict verdict, int place, int lost, const char* wanted) {
    char text[64];
    relation_text(verdict, place, lost, text, sizeof text);
    cr_expect_str_eq(text, wanted);
}

Test(relation, says_in_words_how_two_traces_differ) {
    relates(ORACLE_MISSING, 0, 1, "youngest frame missing");
    relates(ORACLE_MISSING, 1, 1, "caller missing");
    relates(ORACLE_MISSING, 1, 2, "2 frames under the youngest missing");
    relates(ORACLE_MISSING, 2, 3, "3 or more older frames missing");
    relates(ORACLE_MISSING, 1, 0, "caller missing, others in its place");
    relates(ORACLE_TRUNCATED, 0, 3, "no instrumented frame left, 3 or more lost");
    relates(ORACLE_TRUNCATED, 1, 2, "stops at the youngest frame, 2 lost");
    relates(ORACLE_TRUNCATED, 2, 1, "stops further down, 1 lost");
    relates(ORACLE_PHANTOM, 1, -1, "stale caller");
    relates(ORACLE_PHANTOM, 0, -2, "a frame in excess on top, 2 frames in excess");
    relates(ORACLE_PHANTOM, 1, 1, "stale caller, and 1 lost");
    relates(ORACLE_WRONG_BCI, 1, 0, "caller at a wrong bci");
    relates(ORACLE_IMPOSSIBLE_CALL, 1, 0, "caller cannot have made the call");
    relates(ORACLE_IMPOSSIBLE_ROOT, 2, 0, "the oldest frame starts no thread");
    relates(ORACLE_ATTRIBUTION, 0, 1, "1 inlined scope missing");
    relates(ORACLE_ATTRIBUTION, 0, -2, "2 inlined scopes in excess");
    relates(ORACLE_AGREE, 0, 0, "-");
    relates(ORACLE_MISSING, 99, 99, "3 or more older frames missing");
}

Test(relation, every_mismatch_has_words_that_fit) {
    for (int v = ORACLE_MISMATCH_FIRST; v <= ORACLE_MISMATCH_LAST; v++)
        for (int place = 0; place < 3; place++)
            for (int lost = -3; lost <= 3; lost++) {
                char text[64];
                relation_text((enum oracle_verdict)v, place, lost, text, sizeof text);
                cr_expect_gt(strlen(text), 5);
                cr_expect_lt(strlen(text), sizeof text - 1, "cut: %s", text);
            }
}

// ---- Machine code -----------------------------------------------------------------------------

static void print_window(const void* what, FILE* out) {
    disassemble_print(what, 2, 1, out);
}

static void reads(const char* bytes, size_t count, const char* wanted) {
    char text[DISASSEMBLE_MNEMONIC];
    disassemble_mnemonic(RESULTS_PROCESSOR_X86_64, (const uint8_t*)bytes, count, text);
    cr_expect_str_eq(text, wanted);
}

Test(disassemble, gives_the_mnemonic_also_of_an_instruction_cut_off) {
    reads("\x55", 1, "push");
    reads("\x48\x89\xe5", 3, "mov");
    reads("\x48\xb8\x01\x02\x03\x04\x05\x06", 8, "movabs");
    reads("\x06", 1, "(bad)");
    reads("", 0, "");
}

Test(disassemble, reads_the_code_of_another_processor) {
    char text[DISASSEMBLE_MNEMONIC];
    // stp x29, x30, [sp, #-16]!; ret
    static const uint8_t arm[] = {0xfd, 0x7b, 0xbf, 0xa9, 0xc0, 0x03, 0x5f, 0xd6};
    disassemble_mnemonic(RESULTS_PROCESSOR_AARCH64, arm, 4, text);
    cr_expect_str_eq(text, "stp");
    struct disassemble_window window = {arm,    sizeof arm, 0x1000,
                                        0x1004, 0,          RESULTS_PROCESSOR_AARCH64};
    char* printed = synthetic_output(print_window, &window);
    cr_expect_not_null(strstr(printed, "stp x29, x30, [sp, #-0x10]!"), "%s", printed);
    cr_expect_not_null(strstr(printed, "=> 0x1004  c0 03 5f d6"), "%s", printed);
    free(printed);
    disassemble_mnemonic(RESULTS_PROCESSOR_COUNT, arm, 4, text);
    cr_expect_str_empty(text, "a processor that is not known");
}

// What lies before the window's bytes would decode, too.
Test(disassemble, begins_nowhere_before_the_address_0) {
    static const uint8_t arm[] = {0xfd, 0x7b, 0xbf, 0xa9, 0xc0, 0x03, 0x5f, 0xd6};
    struct disassemble_window window = {arm + 3, 5, 1, 2, 0, RESULTS_PROCESSOR_AARCH64};
    char* printed = synthetic_output(print_window, &window);
    cr_expect_not_null(strstr(printed, "=> 0x2  c0 03 5f d6"), "%s", printed);
    cr_expect_null(strstr(printed, "stp"), "%s", printed);
    free(printed);
}

// nop; push rbp; mov rbp, rsp; sub rsp, 16; call +0; leave; ret
static const uint8_t code[] = {0x90, 0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xec,
                               0x10, 0xe8, 0,    0,    0,    0,    0xc9, 0xc3};

Test(disassemble, marks_the_instruction_and_shows_some_around_it) {
    struct disassemble_window window = {code, sizeof code, 0x1000, 0x1009, 0x1000, 0};
    char* text = synthetic_output(print_window, &window);
    const char* mark = strstr(text, "=>");
    cr_assert_not_null(mark, "%s", text);
    cr_expect_eq(strncmp(mark, "=> 0x1009  e8 00 00 00 00", 25), 0, "%s", text);
    cr_expect_not_null(strstr(text, "mov rbp, rsp"), "two before: %s", text);
    cr_expect_null(strstr(text, "push rbp"), "and no more: %s", text);
    cr_expect_not_null(strstr(text, "leave"), "one after: %s", text);
    cr_expect_null(strstr(text, "ret"), "and no more: %s", text);
    free(text);
    window.beginning = 0; // a guess now, and the same
    text = synthetic_output(print_window, &window);
    cr_expect_not_null(strstr(text, "mov rbp, rsp"), "%s", text);
    free(text);
}

Test(disassemble, prints_nothing_for_a_pc_outside) {
    struct disassemble_window window = {code, sizeof code, 0x1000, 0x1010, 0, 0};
    char* text = synthetic_output(print_window, &window);
    cr_expect_str_empty(text);
    free(text);
    window.pc = 0xfff;
    text = synthetic_output(print_window, &window);
    cr_expect_str_empty(text);
    free(text);
    window = (struct disassemble_window){(const uint8_t*)"\x06", 1, 0x1000, 0x1000, 0, 0};
    text = synthetic_output(print_window, &window);
    cr_expect_not_null(strstr(text, "no instruction"), "%s", text);
    free(text);
}

// ---- Groups -----------------------------------------------------------------------------------

static bool upper(void* context, const char* where, char* text, size_t size) {
    if (strncmp(where, "libjvm.so", 9) != 0) return false;
    snprintf(text, size, "%s+0x%s", (const char*)context, where + 12);
    return true;
}
static char function[] = "SharedRuntime<1u, A<B> >::ldiv";

static struct results_report judged(const struct results_execution* executions, size_t count) {
    struct results_report report = {.jdk_home = "/jdk",
                                    .jdk_version = "17",
                                    .jdk_vm = "VM",
                                    .directory = "/out",
                                    .executions = executions,
                                    .execution_count = count,
                                    .planned = count,
                                    .symbol = upper,
                                    .symbol_context = function};
    cr_assert_eq(results_report_judge(&report), 0);
    return report;
}

Test(clusters, that_look_alike_are_one_group_over_all_runs) {
    struct results_run* one = synthetic_run(20000);
    struct results_run* two = synthetic_run(20000);
    one->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_MISSING] = 40;
    two->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_MISSING] = 10;
    synthetic_cluster(one, 7, ORACLE_MISSING, RESULTS_CODE_C2, 25)->instruction[2] = 0xe5;
    synthetic_cluster(one, 9, ORACLE_MISSING, RESULTS_CODE_C2, 5)->instruction[2] = 0xd8;
    synthetic_cluster(one, 10, ORACLE_MISSING, RESULTS_CODE_C1_1, 10);
    synthetic_cluster(two, 4095, ORACLE_MISSING, RESULTS_CODE_C2, 10);
    synthetic_cluster(two, 0, ORACLE_MISSING, RESULTS_CODE_C2, 1)->lost = 2; // another relation
    struct results_execution executions[2] = {synthetic_execution(one, "c2"),
                                              synthetic_execution(two, "tiered")};
    struct results_report report = judged(executions, 2);
    cr_assert_eq(report.group_count, 3, "C2's three are one: mov is mov, %zu", report.group_count);
    const struct results_group* group = &report.groups[0];
    cr_expect_eq(group->count, 40);
    cr_expect_eq(group->of, 50);
    cr_expect_eq(group->judged, 40050, "by the layer in both runs");
    cr_expect_str_eq(group->instruction, "mov");
    cr_expect_str_eq(group->relation, "caller missing");
    cr_assert_eq(group->row_count, 2);
    cr_expect_eq(group->rows[0].count, 30);
    cr_expect_str_eq(group->rows[1].execution->mode, "tiered");
    cr_expect_eq(group->kept, 0);
    cr_expect_null(group->example);
    cr_expect_eq(group->example_sequence, 0);
    results_report_free(&report);
    cr_expect_null(report.groups);
    free(one);
    free(two);
}

Test(clusters, of_attribution_stand_behind_and_share_nothing) {
    struct results_run* run = synthetic_run(20000);
    run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_MISSING] = 4;
    run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_ATTRIBUTION] = 1000;
    synthetic_cluster(run, 1, ORACLE_ATTRIBUTION, RESULTS_CODE_C2, 1000);
    synthetic_cluster(run, 2, ORACLE_MISSING, RESULTS_CODE_C2, 4);
    struct results_execution execution = synthetic_execution(run, "c2");
    struct results_report report = judged(&execution, 1);
    cr_assert_eq(report.group_count, 2);
    cr_expect_eq(report.groups[0].verdict, ORACLE_MISSING);
    cr_expect_eq(report.groups[0].of, 4);
    cr_expect_eq(report.groups[1].of, 1000);
    results_report_free(&report);
    free(run);
}

Test(clusters, of_a_library_are_named_by_function) {
    struct results_run* run = synthetic_run(20000);
    strcpy(synthetic_cluster(run, 1, ORACLE_MISSING, RESULTS_CODE_JVM, 3)->code_name,
           "libjvm.so+0x1");
    strcpy(synthetic_cluster(run, 2, ORACLE_MISSING, RESULTS_CODE_JVM, 3)->code_name,
           "libjvm.so+0x4");
    strcpy(synthetic_cluster(run, 3, ORACLE_MISSING, RESULTS_CODE_NATIVE, 3)->code_name,
           "libz.so+0x4");
    struct results_execution execution = synthetic_execution(run, "c2");
    struct results_report report = judged(&execution, 1);
    cr_assert_eq(report.group_count, 2);
    cr_expect_str_eq(report.groups[0].name, "SharedRuntime<>::ldiv", "two places in it");
    cr_expect_str_empty(report.groups[0].instruction, "which says little in a C++ function");
    cr_expect_eq(report.groups[0].count, 6);
    cr_expect_str_eq(report.groups[1].name, "libz.so+0x4", "what has no symbol keeps its offset");
    results_report_free(&report);
    free(run);
}

// A record of mismatches of the second cluster, each in such a function, on such a thread.
static struct results_record* record_of(const char* const* functions, size_t count,
                                        enum results_thread_state state) {
    static struct synthetic_mismatch mismatch;
    struct synthetic_recording* recording = synthetic_record_open(NULL);
    synthetic_mismatch(&mismatch, ORACLE_LAYER_ASYNC, 4);
    mismatch.sample.code_kind = RESULTS_CODE_JVM;
    mismatch.sample.cluster = 2;
    mismatch.sample.thread_state = (uint8_t)state;
    for (size_t i = 0; i < count; i++) {
        strcpy(mismatch.evidence.code_name, functions[i]);
        synthetic_record_add(recording, &mismatch);
    }
    return synthetic_record_close(recording);
}

static struct results_run* run_of_library_clusters(void) {
    struct results_run* run = synthetic_run(20000);
    synthetic_cluster(run, 1, ORACLE_MISSING, RESULTS_CODE_JVM, 5);
    synthetic_cluster(run, 2, ORACLE_MISSING, RESULTS_CODE_JVM, 3);
    strcpy(synthetic_cluster(run, 3, ORACLE_MISSING, RESULTS_CODE_JVM, 1)->code_name,
           "libjvm.so+0x123");
    strcpy(synthetic_cluster(run, 4, ORACLE_MISSING, RESULTS_CODE_INTERPRETER, 1)->code_name,
           "Interpreter");
    return run;
}

Test(clusters, of_a_library_without_a_name_have_that_of_their_examples) {
    static const char* const functions[] = {"libjvm.so+0x1", "libz.so+0x1"};
    struct results_run* run = run_of_library_clusters();
    struct results_execution execution = synthetic_execution(run, "c2");
    struct results_record* record = record_of(functions, 1, RESULTS_THREAD_UNKNOWN);
    execution.record = record;
    struct results_report report = judged(&execution, 1);
    cr_assert_eq(report.group_count, 3);
    cr_expect_str_eq(report.groups[0].name, "SharedRuntime<>::ldiv");
    cr_expect_eq(report.groups[0].count, 6, "with the one that the handler named");
    cr_expect_str_empty(report.groups[1].name, "nothing kept, nothing known");
    cr_expect_str_empty(report.groups[1].instruction);
    cr_expect_str_eq(report.groups[2].instruction, "mov");
    cr_expect_str_empty(report.groups[2].name, "that it is the interpreter is said already");
    results_report_free(&report);
    results_record_close(record);
    execution.record = record = record_of(functions, 2, RESULTS_THREAD_UNKNOWN);
    report = judged(&execution, 1);
    cr_expect_str_empty(report.groups[0].name, "they do not agree: no name, as the other");
    cr_expect_eq(report.groups[0].count, 8);
    results_report_free(&report);
    results_record_close(record);
    execution.record = record = record_of(functions, 2, RESULTS_THREAD_IN_VM);
    report = judged(&execution, 1);
    cr_expect_str_eq(report.groups[0].name, "(thread in_vm)", "wherever in the VM");
    results_report_free(&report);
    run->clusters[1].thread_state = RESULTS_THREAD_BLOCKED;
    report = judged(&execution, 1);
    cr_expect_str_eq(report.groups[0].name, "(thread blocked)", "the handler knew");
    results_report_free(&report);
    results_record_close(record);
    free(run);
}

Test(clusters, of_more_functions_than_are_told_apart_have_no_name) {
    static const char* const functions[] = {"libjvm.so+0x1", "libjvm.so+0x2", "libjvm.so+0x3",
                                            "libjvm.so+0x4", "libjvm.so+0x5"};
    struct results_run* run = synthetic_run(20000);
    synthetic_cluster(run, 1, ORACLE_MISSING, RESULTS_CODE_JVM, 5);
    struct results_execution execution = synthetic_execution(run, "c2");
    for (size_t count = 4; count <= 5; count++) {
        struct results_record* record = record_of(functions, count, RESULTS_THREAD_UNKNOWN);
        execution.record = record;
        struct results_report report = judged(&execution, 1);
        cr_expect_str_eq(report.groups[0].name, count == 4 ? "SharedRuntime<>::ldiv" : "");
        results_report_free(&report);
        results_record_close(record);
    }
    free(run);
}

Test(clusters, that_are_unfinished_or_impossible_are_left_out) {
    struct results_run* run = synthetic_run(20000);
    synthetic_cluster(run, 1, ORACLE_MISSING, RESULTS_CODE_C2, 3)->ready = 0;
    synthetic_cluster(run, 2, ORACLE_MISSING, RESULTS_CODE_C2, 0);
    synthetic_cluster(run, 3, ORACLE_AGREE, RESULTS_CODE_C2, 3);
    synthetic_cluster(run, 4, ORACLE_MISSING, 250, 3);
    synthetic_cluster(run, 5, ORACLE_MISSING, RESULTS_CODE_C2, 3)->layer = 99;
    struct results_cluster* odd = synthetic_cluster(run, 6, ORACLE_MISSING, RESULTS_CODE_C2, 3);
    odd->instruction_length = 200;
    memset(odd->code_name, 'x', sizeof odd->code_name); // without an end
    run->clusters_lost = 2;
    struct results_execution execution = synthetic_execution(run, "c2");
    struct results_report report = judged(&execution, 1);
    cr_expect_eq(report.group_count, 1);
    cr_expect_eq(strlen(report.groups[0].name), sizeof odd->code_name);
    cr_expect_eq(report.clusters_lost, 2);
    results_report_free(&report);
    free(run);
}

// ---- As text ----------------------------------------------------------------------------------

static void print_clusters(const void* report, FILE* out) {
    results_clusters(report, out);
}

static void print_table(const void* report, FILE* out) {
    results_table(report, out);
}

static void expect_in(const char* text, const char* wanted) {
    cr_expect(strstr(text, wanted) != NULL, "\"%s\" is not in:\n%s", wanted, text);
}

static struct results_run* run_of_one_cluster(void) {
    struct results_run* run = synthetic_run(20000);
    run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_MISSING] = 6;
    synthetic_cluster(run, 11, ORACLE_MISSING, RESULTS_CODE_C2, 6);
    return run;
}

// A mismatch of that cluster.
static const struct synthetic_mismatch* one_of_cluster(enum results_vote vote, uint64_t number) {
    static struct synthetic_mismatch mismatch;
    synthetic_mismatch(&mismatch, ORACLE_LAYER_ASYNC, 6);
    synthetic_context(&mismatch);
    mismatch.sample.cluster = 12;
    mismatch.sample.sequence = number;
    mismatch.vote = vote;
    return &mismatch;
}

Test(clusters, are_the_first_thing_that_a_report_shows) {
    struct results_run* run = run_of_one_cluster();
    struct results_execution execution = synthetic_execution(run, "c2");
    struct results_record* record =
        synthetic_record(NULL, one_of_cluster(RESULTS_VOTE_AGAINST_WALKER, 1));
    execution.record = record;
    struct results_report report = judged(&execution, 1);
    char* text = synthetic_output(print_table, &report);
    const char* head = strstr(text, "Unexplained walking errors by cluster");
    const char* rows = strstr(text, "no answer");
    cr_assert(head != NULL && rows != NULL && head < rows, "%s", text);
    expect_in(text, "async missing: caller missing");
    expect_in(text, "c2 body, at mov\n");
    expect_in(text, " 1. 100.0  6/20006 = 0.030 % [0.011, 0.065]");
    expect_in(text, "recursion/c2 6; of 1 kept: 1 against_walker\n");
    free(text);
    results_report_free(&report);
    results_record_close(record);
    free(run);
}

Test(clusters, have_an_example_with_all_that_the_thread_was_at) {
    struct results_run* run = run_of_one_cluster();
    struct results_execution execution = synthetic_execution(run, "c2");
    struct results_record* record =
        synthetic_record(NULL, one_of_cluster(RESULTS_VOTE_AGAINST_WALKER, 4711));
    execution.record = record;
    struct results_report report = judged(&execution, 1);
    cr_assert_eq(report.group_count, 1);
    cr_expect_eq(report.groups[0].example, &execution);
    cr_expect_eq(report.groups[0].example_sequence, 4711);
    char* text = synthetic_output(print_clusters, &report);
    expect_in(text, "mismatch recursion-c2-app/4711\n");
    expect_in(text, "vote against_walker");
    expect_in(text,
              "at c2, code of Demo.owner()V, +0x4 of 0x20, frame complete at +0x8, region body, "
              "thread in_java");
    expect_in(text, "walked again: 5 frames, the same, -5 (refused)");
    expect_in(text, "=> 0x1234");
    expect_in(text, "rsp 0000000000007f00");
    expect_in(text, "-8:");
    expect_in(text, ">00000000cafe0001");
    expect_in(text, "Demo.m3 @3 Demo.java:103");
    free(text);
    results_report_free(&report);
    results_record_close(record);
    free(run);
}

// Whoever has the votes, the example is one that was confirmed, and none that was taken back.
static void expect_example(const enum results_vote votes[3], uint64_t wanted) {
    struct results_run* run = run_of_one_cluster();
    struct results_execution execution = synthetic_execution(run, "c2");
    struct synthetic_recording* recording = synthetic_record_open(NULL);
    uint64_t counts[RESULTS_VOTE_COUNT] = {0};
    for (uint64_t i = 0; i < 3; i++) {
        synthetic_record_add(recording, one_of_cluster(votes[i], 10 + i));
        counts[votes[i]]++;
    }
    struct results_record* record = synthetic_record_close(recording);
    execution.record = record;
    struct results_report report = judged(&execution, 1);
    const struct results_group* group = &report.groups[0];
    cr_expect_eq(group->kept, 3);
    for (int v = 0; v < RESULTS_VOTE_COUNT; v++) cr_expect_eq(group->votes[v], counts[v]);
    cr_expect_eq(group->example_sequence, wanted);
    cr_expect_eq(group->example, wanted != 0 ? &execution : NULL);
    results_report_free(&report);
    results_record_close(record);
    free(run);
}

Test(clusters, have_an_example_that_stands) {
    const enum results_vote open = RESULTS_VOTE_OPEN, walker = RESULTS_VOTE_AGAINST_WALKER,
                            stack = RESULTS_VOTE_AGAINST_STACK, all = RESULTS_VOTE_ALL_DIFFER;
    expect_example((const enum results_vote[]){open, open, open}, 10);
    expect_example((const enum results_vote[]){open, walker, walker}, 11);
    expect_example((const enum results_vote[]){stack, all, open}, 12);
    expect_example((const enum results_vote[]){all, stack, all}, 0);
}

struct hostile {
    struct results_record* record;
    struct results_sample sample;
    bool whole;
};

static void print_hostile(const void* what, FILE* out) {
    const struct hostile* hostile = what;
    const struct results_report report = {.symbol = upper, .symbol_context = function};
    context_print(&report, hostile->record, &hostile->sample, hostile->whole, out);
}

Test(clusters, with_hostile_evidence_are_read_as_far_as_there_is_room) {
    struct synthetic_mismatch mismatch = *one_of_cluster(RESULTS_VOTE_OPEN, 1);
    struct results_evidence* e = &mismatch.evidence;
    struct hostile hostile = {synthetic_record(NULL, &mismatch), mismatch.sample, true};
    struct results_sample* s = &hostile.sample;
    s->evidence = e;
    e->byte_count = e->register_count = e->stack_count = UINT32_MAX;
    s->code_kind = s->region = s->thread_state = 255;
    memset(e->code_name, 'y', sizeof e->code_name - 1);
    e->owner = s->owner.method = UINT64_MAX;
    s->owner_known = true;
    s->code_offset = UINT32_MAX;
    for (int i = 0; i < 2; i++) {
        hostile.whole = i == 0;
        char* text = synthetic_output(print_hostile, &hostile);
        expect_in(text, "at ? \"yyyy");
        expect_in(text, "thread ?\n");
        free(text);
    }
    s->code_kind = RESULTS_CODE_JVM;
    strcpy(e->code_name, "+");
    char* text = synthetic_output(print_hostile, &hostile);
    expect_in(text, "at jvm \"+\" +0xffffffff");
    free(text);
    results_record_close(hostile.record);
}

Test(clusters, beyond_the_largest_are_in_the_whole_list_only) {
    struct results_run* run = synthetic_run(20000);
    for (unsigned i = 0; i < 13; i++)
        sprintf(synthetic_cluster(run, i, ORACLE_MISSING, RESULTS_CODE_STUB, 100 - i)->code_name,
                "stub %c", 'a' + (int)i);
    struct results_execution execution = synthetic_execution(run, "c2");
    struct results_report report = judged(&execution, 1);
    char* text = synthetic_output(print_table, &report);
    expect_in(text, "stub j");
    expect_in(text, "and 3 smaller ones: see clusters.txt");
    cr_expect_null(strstr(text, "stub k"));
    free(text);
    text = synthetic_output(print_clusters, &report);
    expect_in(text, "  13. 100.0  88/");
    free(text);
    results_report_free(&report);
    free(run);
}
