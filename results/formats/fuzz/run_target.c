// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: a run's file into which its JVM wrote where it should not, before it died. The first
// byte says how it ended, and what is known of its case. A patch is a part of the file (one byte),
// a place in it (two), a length (one), and so many bytes. What is left is mended, judged and
// reported in every format, and its results.json is read again as the same.
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats.h"
#include "promises.h"
#include "synthetic.h"

#define PATCHES 32
#define FIELD_MAX 512 // the longest text is
#define DIED 7        // the thread that died, in a walker
#define OF(field)                                                                                  \
    { offsetof(struct results_run, field), sizeof((struct results_run*)0)->field }

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// Each large field apart: small ones would hardly be met beside them.
static const struct part {
    size_t begin, size;
} parts[] = {
    {offsetof(struct results_run, phase),
     offsetof(struct results_run, layers) - offsetof(struct results_run, phase)},
    OF(layers),
    OF(waiting),
    OF(hostile),
    OF(survive),
    OF(survive_errors),
    OF(reasons),
    {offsetof(struct results_run, survive_error_count),
     offsetof(struct results_run, coverage) - offsetof(struct results_run, survive_error_count)},
    OF(coverage),
    OF(coverage.stubs),
    OF(clusters),
    OF(threads_now),
    {offsetof(struct results_run, other_id),
     offsetof(struct results_run, ring_ends) - offsetof(struct results_run, other_id)}};
#define PARTS (sizeof parts / sizeof parts[0])

static char directory[64], run_path[96], json_path[96];
static struct results_run* run;
static uint8_t* whole; // as it was before the patches

static void must(bool right) {
    if (!right) abort();
}

static void clean(void) {
    unlink(json_path);
    unlink(run_path);
    rmdir(directory);
}

static void begin(void) {
    if (run != NULL) return;
    strcpy(directory, "/tmp/plumbline-fuzz-XXXXXX");
    must(mkdtemp(directory) != NULL);
    snprintf(run_path, sizeof run_path, "%s/run.plumbline", directory);
    snprintf(json_path, sizeof json_path, "%s/results.json", directory);
    run = results_run_create(run_path);
    whole = malloc(offsetof(struct results_run, ring));
    must(run != NULL && whole != NULL && atexit(clean) == 0);
    synthetic_fill(run, 20000);
    synthetic_cluster(run, 0, ORACLE_MISSING, RESULTS_CODE_C2, 7);
    synthetic_cluster(run, 1, ORACLE_ATTRIBUTION, RESULTS_CODE_C1_3, 9);
    run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_MISSING] = 7;
    run->layers[ORACLE_LAYER_ASYNC].cause[1] = 7;
    strcpy(run->cause_names[1], "known");
    strcpy(run->source, "wall");
    run->waiting[ORACLE_LAYER_ASYNC].answered = 500;
    run->waiting[ORACLE_LAYER_ASYNC].verdict[ORACLE_AGREE] = 500;
    run->threads_now[0] = (struct results_thread){
        .in_walker = 1 + ORACLE_LAYER_ASYNC, .thread_id = DIED, .asked_at = 0x1234};
    run->libraries[0] = (struct results_library){0x1000, 0x1000, 0x2000, "libjvm.so"};
    run->library_count = 1;
    memcpy(whole, run, offsetof(struct results_run, ring));
}

// What the case is for, and what is known of each of its layers.
static void expect(struct results_execution* execution) {
    static char none[] = "", crash[] = "frame::sender";
#define TEXTS .title = none, .finding = none, .bug = none, .shown = none, .profiler = none
    static struct results_cause list[] = {
        {.name = "unexplained", .crash = none, TEXTS},
        {.name = "known", .crash = crash, TEXTS, .crash_processors = 3, .last = INT_MAX}};
#undef TEXTS
    static const struct results_causes causes = {.count = 2, .list = list};
    static const struct results_ceiling ceilings[] = {
        {.subject = RESULTS_SUBJECT_CAUSE, .index = 1, .mean = 1e-3, .spread = 0.5},
        {.subject = RESULTS_SUBJECT_REFUSAL,
         .index = ORACLE_REFUSAL_UNKNOWN_JAVA,
         .mean = 1e-3,
         .spread = 0.5},
        {.subject = RESULTS_SUBJECT_ATTRIBUTION, .mean = 1e-3, .spread = 0.5}};
    static const struct results_wanted wanted[] = {
        {.text = "c2/body", .kinds = 1u << RESULTS_CODE_C2, .regions = 1u << RESULTS_REGION_BODY},
        {.text = "stub=*copy*", .stub = "*copy*"}};
    static struct results_expected expected[ORACLE_LAYER_COUNT];
    for (int layer = 0; layer < ORACLE_LAYER_COUNT; layer++)
        expected[layer] = (struct results_expected){.ceilings = ceilings, .ceiling_count = 3};
    expected[ORACLE_LAYER_ASYNC].control = 1u << 1;
    execution->causes = &causes;
    execution->expected = expected;
    execution->wanted = wanted;
    execution->wanted_count = sizeof wanted / sizeof wanted[0];
}

static struct results_execution execution_of(unsigned how) {
    static const enum results_end ends[] = {RESULTS_END_EXITED, RESULTS_END_SIGNALLED,
                                            RESULTS_END_TIMED_OUT, RESULTS_END_INTERRUPTED};
    struct results_execution execution = synthetic_execution(run, "tiered");
    execution.directory = directory;
    execution.layers = (1u << ORACLE_LAYER_COUNT) - 1;
    execution.release = 25;
    execution.end = ends[how & 3];
    if (execution.end == RESULTS_END_SIGNALLED) execution.status = SIGSEGV;
    execution.hs_err = (how & 4) != 0;
    execution.died_thread = execution.hs_err ? DIED : 0;
    execution.note = execution.hs_err ? "V [libjvm.so+0x1234] frame::sender(RegisterMap*)" : NULL;
    execution.emulated = (how & 8) != 0;
    execution.program = (how & 16) != 0;
    if ((how & 32) == 0) expect(&execution);
    return execution;
}

static bool same_numbers(const struct results_row* a, const struct results_row* b) {
    return a->judged == b->judged && a->mismatched == b->mismatched && a->expected == b->expected &&
           a->known == b->known && a->unexplained == b->unexplained &&
           a->attribution == b->attribution && a->accusations == b->accusations &&
           a->open == b->open && a->own_judged == b->own_judged &&
           a->own_mismatched == b->own_mismatched && a->settling_checks == b->settling_checks &&
           a->settling_mismatches == b->settling_mismatches && a->frames == b->frames &&
           a->unread_frames == b->unread_frames && a->interval.low == b->interval.low &&
           a->interval.high == b->interval.high && a->limit == b->limit &&
           a->notices == b->notices && a->notices_refusals == b->notices_refusals;
}

static void compare_reports(const struct results_report* written,
                            const struct results_report* read) {
    must(written->row_count == read->row_count && written->group_count == read->group_count);
    for (size_t i = 0; i < written->row_count; i++) {
        const struct results_row *a = &written->rows[i], *b = &read->rows[i];
        must(a->layer == b->layer && a->verdict == b->verdict && same_numbers(a, b));
        for (int v = 0; v < ORACLE_VERDICT_COUNT; v++) // refusals are the sum of their codes there
            must(v == ORACLE_REFUSED || a->counts.verdict[v] == b->counts.verdict[v]);
        must(memcmp(a->counts.refused, b->counts.refused, sizeof a->counts.refused) == 0);
        must(memcmp(a->counts.undecided, b->counts.undecided, sizeof a->counts.undecided) == 0);
        must(memcmp(a->cause, b->cause, sizeof a->cause) == 0);
        must(strlen(a->reason) == strlen(b->reason) && strlen(a->note) == strlen(b->note));
    }
    for (size_t i = 0; i < written->group_count; i++)
        must(written->groups[i].count == read->groups[i].count);
}

static void check_text(void (*print)(const struct results_report* report, FILE* out),
                       const struct results_report* report) {
    char* text = NULL;
    size_t size;
    FILE* out = open_memstream(&text, &size);
    must(out != NULL);
    print(report, out);
    must(fclose(out) == 0);
    promises_plain(text);
    free(text);
}

static void report_all(unsigned how) {
    char error[512] = "", asked[512];
    struct results_execution execution = execution_of(how);
    if (results_asked_at_end(&execution, asked, sizeof asked)) execution.asked_in = asked;
    struct results_report report = {.command = "validate",
                                    .directory = directory,
                                    .jdk_home = "/jdk",
                                    .jdk_version = "25",
                                    .jdk_vm = "VM",
                                    .executions = &execution,
                                    .execution_count = 1,
                                    .planned = 1};
    must(results_report_judge(&report) == 0);
    check_text(results_table, &report);
    check_text(results_clusters, &report);
    must(results_json(&report, json_path) == 0);
    struct results_saved* saved = results_saved_read(directory, error, sizeof error);
    if (saved == NULL) fprintf(stderr, "%s\n", error);
    must(saved != NULL);
    compare_reports(&report, results_saved_report(saved));
    results_report_free(&report);
    promises_keep(saved);
    results_saved_free(saved);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    size_t begins[PATCHES], lengths[PATCHES], count = 0;
    if (size == 0) return 0;
    begin();
    unsigned how = *data++;
    size--;
    while (size >= 5 && count < PATCHES) {
        const struct part* part = &parts[data[0] % PARTS];
        size_t at = ((size_t)data[1] | (size_t)data[2] << 8) % part->size, length = data[3];
        data += 4, size -= 4;
        if (length > size) length = size;
        if (length > part->size - at) length = part->size - at;
        memcpy((uint8_t*)run + part->begin + at, data, length);
        begins[count] = part->begin + at;
        lengths[count++] = length;
        data += length, size -= length;
    }
    char first[64] = "";
    must((results_run_mend(run, first, sizeof first) != 0) == (first[0] != '\0'));
    must(results_run_mend(run, first, sizeof first) == 0);
    report_all(how);
    // What was mended may reach beyond its patch.
    while (count-- > 0) {
        size_t begin = begins[count] > FIELD_MAX ? begins[count] - FIELD_MAX : 0;
        size_t end = begins[count] + lengths[count] + FIELD_MAX;
        if (end > offsetof(struct results_run, ring)) end = offsetof(struct results_run, ring);
        memcpy((uint8_t*)run + begin, whole + begin, end - begin);
    }
    return 0;
}
