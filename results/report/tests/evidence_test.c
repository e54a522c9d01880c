// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// One mismatch as text: out of the record, with the names that the record has.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "record_made.h"
#include "synthetic.h"
#include "rows.h"

static void expect_in(const char* text, const char* wanted) {
    cr_expect(strstr(text, wanted) != NULL, "\"%s\" is not in:\n%s", wanted, text);
}

// ---- Of a row ---------------------------------------------------------------------------------

struct evidence {
    const struct results_report* report;
    const struct results_row* row;
    bool found;
};

static void print_evidence(const void* what, FILE* out) {
    struct evidence* evidence = *(struct evidence* const*)what;
    evidence->found = results_evidence(evidence->report, evidence->row, out);
}

// What is shown of the layer's row of an execution with that record, which is then closed.
static char* evidence_of_layer(struct results_record* record, enum oracle_layer layer,
                               bool* found) {
    struct results_run* run = synthetic_run(20000);
    struct results_execution execution = synthetic_execution(run, "int");
    struct results_report report = {.executions = &execution, .execution_count = 1};
    struct results_row row;
    execution.record = record;
    cr_assert_eq(results_report_open(&report), 0);
    results_row_judge(&execution, layer, &row);
    struct evidence evidence = {&report, &row, false}, *pointer = &evidence;
    char* text = synthetic_output(print_evidence, &pointer);
    *found = evidence.found;
    results_report_free(&report);
    results_record_close(record);
    free(run);
    return text;
}

static char* evidence_of_record(struct results_record* record, bool* found) {
    return evidence_of_layer(record, ORACLE_LAYER_ASYNC, found);
}

static char* evidence_of(const struct synthetic_mismatch* mismatch, bool* found) {
    return evidence_of_record(synthetic_record(NULL, mismatch), found);
}

static struct synthetic_mismatch mismatch; // as a test makes it

Test(evidence, a_missing_frame_stands_alone_on_the_expected_side) {
    synthetic_mismatch(&mismatch, ORACLE_LAYER_ASYNC, 6);
    bool found;
    char* text = evidence_of(&mismatch, &found);
    cr_expect(found);
    const char* line = strstr(text, "Demo.m2");
    cr_assert_not_null(line, "%s", text);
    cr_expect_not_null(memchr(line, '<', strcspn(line, "\n")), "%s", text);
    cr_expect_null(strstr(line + 1, "Demo.m2"), "observed does not have it: %s", text);
    cr_expect_null(strchr(text, '|'), "the others are equal: %s", text);
    free(text);
}

Test(evidence, a_recursion_with_frames_in_excess_shows_them_at_the_young_end) {
    synthetic_mismatch(&mismatch, ORACLE_LAYER_ASYNC, 6);
    for (int i = 0; i < 6; i++) mismatch.slots[i] = mismatch.slots[5];
    for (int i = 0; i < 5; i++) mismatch.frames[i] = mismatch.frames[4];
    mismatch.sample.slot_count = 3;
    bool found;
    char* text = evidence_of(&mismatch, &found);
    const char* first = text + 1; // behind the heading's two lines, the cause and the counts
    for (int i = 0; i < 4; i++) first = strchr(first, '\n') + 1;
    cr_expect_eq(first[strspn(first, " ")], '>', "%s", text);
    cr_expect_eq(strchr(first, '\n')[1 + strspn(strchr(first, '\n') + 1, " ")], '>', "%s", text);
    free(text);
}

// Facing each other, two frames say that one stands where the other is to be.
Test(evidence, stacks_of_two_depths_that_share_nothing_do_not_face_each_other) {
    for (int longer = 0; longer < 2; longer++) {
        synthetic_mismatch(&mismatch, ORACLE_LAYER_ASYNC, 6);
        // Expected m0, m1, m2 and observed m4; or m0, and m4, m5.
        mismatch.sample.slot_count = longer ? 1 : 3;
        mismatch.frames[0] = mismatch.frames[3];
        mismatch.frames[1] = mismatch.frames[4];
        mismatch.sample.frame_count = longer ? 2 : 1;
        bool found;
        char* text = evidence_of(&mismatch, &found);
        cr_expect_null(strchr(text, '|'), "%s", text);
        const char *young = strstr(text, "Demo.m0"), *observed = strstr(text, "> Demo.m4");
        cr_assert(young != NULL && observed != NULL, "%s", text);
        cr_expect_not_null(memchr(young, '<', strcspn(young, "\n")), "%s", text);
        // The shorter side is never behind "more lines".
        cr_expect_eq(young < observed, longer == 1, "%s", text);
        free(text);
    }
}

Test(evidence, stacks_of_one_depth_face_each_other) {
    synthetic_mismatch(&mismatch, ORACLE_LAYER_ASYNC, 6);
    mismatch.sample.slot_count = 2;
    mismatch.frames[0] = mismatch.frames[3];
    mismatch.frames[1] = mismatch.frames[4];
    mismatch.sample.frame_count = 2;
    bool found;
    char* text = evidence_of(&mismatch, &found);
    expect_in(text, "| Demo.m4");
    expect_in(text, "| Demo.m5");
    free(text);
}

Test(evidence, frames_that_the_trace_stack_cannot_know_are_no_difference) {
    synthetic_mismatch(&mismatch, ORACLE_LAYER_ASYNC, 6);
    mismatch.sample.slot_count--; // the oldest is below the instrumented ones
    mismatch.frames[4].number = ORACLE_FOREIGN;
    bool found;
    char* text = evidence_of(&mismatch, &found);
    const char* oldest = strstr(text, "Demo.m5");
    cr_assert_not_null(oldest, "%s", text);
    cr_expect_eq(memcmp(oldest - 2, ". ", 2), 0, "%s", text);
    free(text);
}

Test(evidence, a_frame_that_cannot_be_there_is_shown) {
    synthetic_mismatch(&mismatch, ORACLE_LAYER_STRUCTURE, 6);
    mismatch.sample.slot_count = 0;
    for (int i = 0; i < 5; i++) mismatch.frames[i].number = ORACLE_FOREIGN;
    mismatch.sample.verdict = mismatch.sample.judgement.verdict = ORACLE_IMPOSSIBLE_ROOT;
    mismatch.sample.judgement.difference = 4;
    bool found;
    char* text =
        evidence_of_layer(synthetic_record(NULL, &mismatch), ORACLE_LAYER_STRUCTURE, &found);
    const char *oldest = strstr(text, "Demo.m5"), *caller = strstr(text, "Demo.m4");
    cr_assert(oldest != NULL && caller != NULL, "%s", text);
    cr_expect_eq(memcmp(oldest - 2, "! ", 2), 0, "%s", text);
    cr_expect_eq(memcmp(caller - 2, ". ", 2), 0, "%s", text);
    free(text);
}

Test(evidence, ids_are_shown_where_a_dead_jvm_left_no_names) {
    synthetic_mismatch(&mismatch, ORACLE_LAYER_ASYNC, 4);
    mismatch.nameless = true;
    mismatch.slots[2].id = 0; // which the number did not have yet
    bool found;
    char* text = evidence_of(&mismatch, &found);
    cr_expect(found);
    expect_in(text, "method id 0x103");
    expect_in(text, "method number 0x3");
    free(text);
}

Test(evidence, of_traces_beyond_all_room_a_window_around_the_difference_is_read) {
    synthetic_mismatch(&mismatch, ORACLE_LAYER_ASYNC, SYNTHETIC_DEPTH);
    bool found;
    char* text = evidence_of(&mismatch, &found);
    cr_expect(found);
    expect_in(text, "expected: 512 frames, from 0");
    expect_in(text, "Demo.m2");
    free(text);
    memmove(mismatch.frames + 2, mismatch.frames + 1, 398 * sizeof mismatch.frames[0]);
    mismatch.sample.judgement.difference = 400;
    text = evidence_of(&mismatch, &found);
    expect_in(text, "expected: 512 frames, from 256");
    free(text);
    mismatch.sample.judgement.difference = UINT32_MAX;
    text = evidence_of(&mismatch, &found);
    cr_expect(found);
    expect_in(text, "observed: 511 frames, from 255, differs at 4294967295");
    free(text);
    cr_expect_str_eq(evidence_blame_text(99), "?");
}

// How often `mark` stands between the two sides.
static int marks(const char* text, char mark) {
    int count = 0;
    for (const char* line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        count += strlen(line) > 65 && memcmp(line, "  ", 2) == 0 && line[65] == mark;
    }
    return count;
}

// Windows of 256: a frame that is missing shifts what the two of them end with.
Test(evidence, what_faces_the_end_of_a_window_is_no_difference) {
    bool found;
    synthetic_mismatch(&mismatch, ORACLE_LAYER_ASYNC, SYNTHETIC_DEPTH);
    char* text = evidence_of(&mismatch, &found); // expected 0 to 255; observed without m2, to m256
    cr_expect_eq(marks(text, '<'), 1, "%s", text);
    cr_expect_eq(marks(text, '>'), 0, "%s", text);
    free(text);
    memmove(mismatch.frames + 2, mismatch.frames + 1, 398 * sizeof mismatch.frames[0]);
    mismatch.sample.judgement.difference = 400; // expected m256 to m511, observed from m255 on
    mismatch.frames[400] = mismatch.frames[399];
    text = evidence_of(&mismatch, &found);
    cr_expect_eq(marks(text, '|') + marks(text, '<') + marks(text, '>'), 2, "%s", text);
    free(text);
}

// The text of a phantom of 4 frames, of which the walker said 9.
static char* claimed(bool judged_by_context) {
    struct synthetic_recording* recording = synthetic_record_open(NULL);
    synthetic_mismatch(&mismatch, ORACLE_LAYER_ASYNC, 4);
    mismatch.sample.verdict = ORACLE_PHANTOM;
    mismatch.sample.count = 9;
    mismatch.sample.context_known = judged_by_context;
    synthetic_record_add(recording, &mismatch);
    bool found = false;
    char* text = evidence_of_record(synthetic_record_close(recording), &found);
    cr_expect(found);
    return text;
}

Test(evidence, of_an_answer_with_too_many_frames_says_how_many_there_were_to_be) {
    char* text = claimed(false);
    expect_in(text, "the walker said 9 frames: more than there was room for");
    free(text);
    text = claimed(true); // a walker's frames that are not Java's were left out
    cr_expect_null(strstr(text, "more than there was room for"));
    free(text);
}

Test(evidence, what_is_no_mismatch_or_was_taken_back_is_none) {
    struct synthetic_recording* recording = synthetic_record_open(NULL);
    synthetic_mismatch(&mismatch, ORACLE_LAYER_ASYNC, 4);
    mismatch.vote = RESULTS_VOTE_ALL_DIFFER;
    synthetic_record_add(recording, &mismatch);
    mismatch.vote = RESULTS_VOTE_OPEN;
    mismatch.sample.own = true;
    synthetic_record_add(recording, &mismatch);
    synthetic_mismatch(&mismatch, ORACLE_LAYER_GST, 4); // another row's
    synthetic_record_add(recording, &mismatch);
    synthetic_mismatch(&mismatch, ORACLE_LAYER_ASYNC, 4);
    mismatch.sample.verdict = ORACLE_TRANSITION;
    synthetic_record_add(recording, &mismatch);
    bool found = true;
    char* text = evidence_of_record(synthetic_record_close(recording), &found);
    cr_expect_not(found);
    cr_expect_str_empty(text);
    free(text);
}

Test(evidence, without_a_record_there_is_none) {
    bool found = true;
    char* text = evidence_of_record(NULL, &found);
    cr_expect_not(found);
    cr_expect_str_empty(text);
    free(text);
}

// Records mismatches of such verdicts and votes; which of them is shown, by its number from 1 on.
static uint64_t shown(const enum oracle_verdict* verdicts, const enum results_vote* votes,
                      size_t count) {
    struct synthetic_recording* recording = synthetic_record_open(NULL);
    for (size_t i = 0; i < count; i++) {
        synthetic_mismatch(&mismatch, ORACLE_LAYER_ASYNC, 4);
        mismatch.sample.verdict = (uint8_t)verdicts[i];
        mismatch.vote = votes[i];
        synthetic_record_add(recording, &mismatch);
    }
    struct results_execution execution = {.record = synthetic_record_close(recording)};
    struct results_report report = {.executions = &execution, .execution_count = 1};
    cr_assert_eq(results_report_open(&report), 0);
    uint64_t worst = digest_worst(digest_of(&report, &execution), ORACLE_LAYER_ASYNC);
    results_report_free(&report);
    results_record_close((struct results_record*)(uintptr_t)execution.record);
    return worst;
}

Test(evidence, the_worst_that_was_confirmed_is_shown) {
    const enum results_vote open = RESULTS_VOTE_OPEN, walker = RESULTS_VOTE_AGAINST_WALKER,
                            stack = RESULTS_VOTE_AGAINST_STACK;
    cr_expect_eq(shown((const enum oracle_verdict[]){ORACLE_ATTRIBUTION, ORACLE_TRUNCATED,
                                                     ORACLE_MISSING, ORACLE_MISSING},
                       (const enum results_vote[]){walker, walker, open, walker}, 4),
                 4);
    cr_expect_eq(shown((const enum oracle_verdict[]){ORACLE_ATTRIBUTION, ORACLE_PHANTOM},
                       (const enum results_vote[]){walker, stack}, 2),
                 1);
    cr_expect_eq(shown((const enum oracle_verdict[]){ORACLE_ATTRIBUTION, ORACLE_TRUNCATED},
                       (const enum results_vote[]){walker, open}, 2),
                 2);
    cr_expect_eq(
        shown((const enum oracle_verdict[]){ORACLE_PHANTOM}, (const enum results_vote[]){stack}, 1),
        0);
}

// ---- Traces -----------------------------------------------------------------------------------

Test(evidence, names_give_original_bcis_and_lines) {
    struct made made = made_record(1, 5);
    struct results_record* record = results_record_open(made.bytes, made.size);
    struct results_sample sample = made_sample(4);
    static struct traces traces;
    traces_make(record, &sample, &traces);
    const struct traces_frame *observed = traces.observed.frames,
                              *expected = traces.expected.frames;
    cr_expect_eq(traces.observed.kept, 3);
    cr_expect_eq(traces.expected.kept, 4, "three entries and a gap's frame");
    cr_expect_eq(observed[0].bci, 14);
    cr_expect_eq(observed[0].old_bci, 8, "less the push's 6 bytes");
    cr_expect_eq(observed[0].line, 100);
    cr_expect_eq(expected[2].old_bci, 34, "the call at 44, behind two insertions");
    cr_expect_eq(expected[2].line, 102);
    cr_expect_eq(expected[0].bci, TRACES_BCI_NONE);
    cr_expect_str_eq(observed[2].name, "Made.m1000()V");
    cr_expect_str_eq(observed[1].name, "Made.m777()V", "one that was not rewritten");
    struct results_sample* fetched = results_record_fetch(record, 5);
    cr_assert_not_null(fetched);
    cr_expect_eq(fetched->evidence->registers[3], (uint64_t)3 << 40 | 4);
    results_sample_free(fetched);
    results_record_close(record);
    made_free(&made);
}

Test(evidence, a_pc_in_a_library_is_told_with_its_offset_in_the_function) {
    struct results_sample sample = made_sample(4);
    static struct results_evidence evidence;
    char where[64];
    strcpy(evidence.code_name, "libjvm.so+0x7f24e0");
    sample.evidence = &evidence;
    sample.code_kind = RESULTS_CODE_JVM;
    sample.code_offset = 0x438;
    cr_assert(evidence_where(&sample, where, sizeof where));
    cr_expect_str_eq(where, "libjvm.so+0x7f2918");
    sample.code_kind = RESULTS_CODE_STUB;
    cr_expect_not(evidence_where(&sample, where, sizeof where), "no library's code");
    sample.code_kind = RESULTS_CODE_NATIVE;
    strcpy(evidence.code_name, "[vdso]");
    cr_expect_not(evidence_where(&sample, where, sizeof where), "no function");
    sample.evidence = NULL;
    cr_expect_not(evidence_where(&sample, where, sizeof where), "nothing kept");
}

// What is shown of `mismatch`, the first sample of a run. Freed by the caller.
static char* shown_of(struct results_run* run) {
    struct results_execution execution = synthetic_execution(run, "int");
    struct results_record* record = synthetic_record(NULL, &mismatch);
    execution.record = record;
    struct results_report report = {.executions = &execution, .execution_count = 1};
    cr_assert_eq(results_report_judge(&report), 0);
    char* text = NULL;
    size_t size = 0;
    FILE* out = open_memstream(&text, &size);
    cr_expect(results_show(&report, &execution, 1, false, out));
    fclose(out);
    results_report_free(&report);
    results_record_close(record);
    return text;
}

Test(evidence, a_mismatch_says_its_cause_and_by_which_facts) {
    synthetic_mismatch(&mismatch, ORACLE_LAYER_ASYNC, 6);
    struct results_run* run = synthetic_run(20000);
    strcpy(run->cause_names[2], "deopt");
    mismatch.sample.cause = 2;
    mismatch.evidence.facts.under = 1u << RESULTS_UNDER_DEOPT;
    strcpy(mismatch.evidence.facts.name, "libjvm.so");
    char* text = shown_of(run);
    const char* line = strstr(text, "  cause: deopt; facts: ");
    cr_assert(line != NULL, "%s", text);
    cr_expect(strstr(line, "under=deopt") != NULL &&
                  strstr(line, "under=deopt") < strchr(line, '\n'),
              "%s", text);
    free(text);
    free(run);
}

Test(evidence, a_walker_that_died_has_no_traces_and_nobody_else_to_blame) {
    synthetic_mismatch(&mismatch, ORACLE_LAYER_HOSTILE, 6);
    mismatch.sample.verdict = ORACLE_DIED;
    struct results_run* run = synthetic_run(20000);
    char* text = shown_of(run);
    expect_in(text, "hostile: died");
    expect_in(text, "a context that was changed on purpose");
    cr_expect(strstr(text, "expected:") == NULL && strstr(text, "blame") == NULL, "%s", text);
    free(text);
    free(run);
}
