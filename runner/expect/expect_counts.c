// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Rows of runs as counts by subject.
#include "expect_parts.h"

#include <stdlib.h>
#include <string.h>

#include "runner/jdk/jdk.h"

// ---- Names --------------------------------------------------------------------------------------

#define WORD_MOST 32 // bytes of a version, or of a profiler's name

// A line ends its words with blanks, and `measured=` has a list. Nothing that speaks to a terminal
// goes into a file.
static bool is_odd(char c) {
    return (unsigned char)c <= ' ' || c == '\x7f' || c == ',' || c == ';';
}

static void make_word(char* text) {
    for (char* c = text; *c != '\0'; c++)
        if (is_odd(*c)) *c = '_';
}

static bool is_word(const char* text) {
    const char* end = text;
    while (*end != '\0' && !is_odd(*end)) end++;
    return end != text && *end == '\0' && end - text <= WORD_MOST;
}

// The place of a name in a list, at whose end it is put where it is new.
static size_t place_of(char*** list, size_t* count, const char* name) {
    for (size_t i = *count; i-- > 0;)
        if (strcmp((*list)[i], name) == 0) return i;
    *list = base_must(realloc(*list, (*count + 1) * sizeof(char*)));
    (*list)[*count] = base_must(strdup(name));
    return (*count)++;
}

// By the name under which its rates are measured. One that is no longer described has its own.
static size_t profiler_of(struct expect* expect, const struct results_past* past) {
    if (past->profiler[0] == '\0') return EXPECT_NO_PROFILER;
    const struct profiler* p = profilers_find(&expect->lists->profilers, past->profiler);
    return place_of(&expect->profilers, &expect->profiler_count,
                    p != NULL ? profilers_measured(p) : past->profiler);
}

// "17.0.19+10" of "OpenJDK 64-Bit Server VM 17.0.19+10-1-deb12u2-Debian"; the version where there
// is no such number (8).
static void build_text(const struct results_past* past, char* text, size_t size) {
    const char* last = strrchr(past->vm, ' ');
    last = last != NULL ? last + 1 : past->vm;
    const char* plus = strchr(last, '+');
    size_t length = plus != NULL ? (size_t)(plus - last) + 1 + strspn(plus + 1, "0123456789") : 0;
    if (length == 0) snprintf(text, size, "%.*s", WORD_MOST, past->version);
    else snprintf(text, size, "%.*s", length < WORD_MOST ? (int)length : WORD_MOST, last);
    make_word(text);
}

static size_t release_of(struct expect* expect, const struct results_past* past) {
    int feature = jdk_feature(past->version);
    size_t i = 0;
    while (i < expect->release_count && expect->releases[i].feature != feature) i++;
    if (i == expect->release_count) {
        expect->releases = base_must(
            realloc(expect->releases, (expect->release_count + 1) * sizeof *expect->releases));
        expect->releases[expect->release_count++] = (struct expect_release){.feature = feature};
    }
    struct expect_release* release = &expect->releases[i];
    build_text(past, release->version, sizeof release->version);
    if (strcmp(release->date, past->date) < 0)
        snprintf(release->date, sizeof release->date, "%s", past->date);
    return i;
}

// ---- Counts -------------------------------------------------------------------------------------

static bool is_healthy(const struct results_past* past) {
    static const char* const dead[] = {"CRASH", "XCRASH", "HANG", "HARNESS", "SKIP"};
    for (size_t i = 0; i < sizeof dead / sizeof dead[0]; i++)
        if (strcmp(past->verdict, dead[i]) == 0) return false;
    return past->judged + past->answered != 0;
}

// What of the row no line can have; NULL: nothing.
static const char* unnameable(const struct results_past* past) {
    char measured[sizeof past->date + 2];
    int length = snprintf(measured, sizeof measured, "%s,1", past->date);
    if (jdk_feature(past->version) == 0) return past->version;
    if (!ceilings_may_name(past->case_name)) return past->case_name;
    if (past->profiler[0] != '\0' && !is_word(past->profiler)) return past->profiler;
    return ceilings_may_measure(measured, (size_t)length) ? NULL : past->date;
}

static bool can_be_named(struct expect* expect, const struct results_past* past) {
    const char* culprit = unnameable(past);
    if (culprit == NULL) return true;
    expect->unnamed++;
    snprintf(expect->unnamed_name, sizeof expect->unnamed_name, "%s", culprit);
    make_word(expect->unnamed_name);
    return false;
}

static uint64_t control_of(const struct expect* expect, const struct results_past* past, int mode) {
    struct results_expected expected[ORACLE_LAYER_COUNT];
    const struct case_info* test = cases_find(&expect->lists->cases, past->case_name);
    if (test == NULL) return 0;
    controls_for(test->expect, &expect->lists->causes, &modes[mode], jdk_feature(past->version),
                 expected);
    return expected[past->layer].control;
}

static void count_causes(struct expect* expect, const struct results_past* past,
                         struct expect_row* row) {
    const struct results_causes* causes = &expect->lists->causes;
    expect->without += !past->by_cause;
    if (past->by_cause) expect->judged += past->judged;
    for (size_t i = 0; i < past->cause_count; i++) {
        const struct results_past_cause* cause = &past->causes[i];
        uint32_t index = lists_cause(causes, cause->name, strlen(cause->name));
        if (index != RESULTS_UNEXPLAINED) {
            row->events[index] += cause->count;
        } else if (strcmp(cause->name, causes->list[RESULTS_UNEXPLAINED].name) == 0) {
            expect->unexplained += cause->count;
        } else {
            expect->unknown += cause->count;
            strcpy(expect->unknown_name, cause->name);
            make_word(expect->unknown_name);
        }
    }
}

static bool is_wanted(const struct expect_only* only, const struct results_past* past, int mode) {
    if (only->modes != 0 && (only->modes >> mode & 1u) == 0) return false;
    return only->test == NULL || strcmp(only->test, past->case_name) == 0;
}

void expect_take(void* context, const struct results_past* past) {
    struct expect* expect = context;
    int mode = modes_find(past->mode, strlen(past->mode));
    uint32_t scope = names_scope(past->scope, strlen(past->scope));
    if (mode < 0 || scope == 0 || !is_healthy(past)) return;
    if (!is_wanted(&expect->only, past, mode) || !can_be_named(expect, past)) return;
    size_t count = expect->row_count;
    if ((count & (count - 1)) == 0) // room for the next power of two
        expect->rows =
            base_must(realloc(expect->rows, (count == 0 ? 1 : 2 * count) * sizeof *expect->rows));
    struct expect_row* row = &expect->rows[expect->row_count++];
    *row =
        (struct expect_row){.scope = __builtin_ctz(scope),
                            .mode = mode,
                            .layer = past->layer,
                            .release = release_of(expect, past),
                            .test = place_of(&expect->tests, &expect->test_count, past->case_name),
                            .profiler = profiler_of(expect, past),
                            .judged = past->judged,
                            .answered = past->answered,
                            .signals = past->signals,
                            .control = control_of(expect, past, mode)};
    count_causes(expect, past, row);
    // A profiler gives no codes.
    if (past->layer != ORACLE_LAYER_PROFILER)
        memcpy(row->events + EXPECT_REFUSALS, past->refused, sizeof past->refused);
    row->events[EXPECT_ATTRIBUTION] = past->mismatch[ORACLE_ATTRIBUTION];
    // Of a profiler nothing is held against transitions: it may choose where its samples are.
    if (past->layer != ORACLE_LAYER_PROFILER) row->events[EXPECT_TRANSITION] = past->transition;
    row->events[EXPECT_SILENT] = past->silent;
    row->events[EXPECT_CUT] = past->cut;
    row->events[EXPECT_EMPTY] = past->empty;
}

void expect_subject(unsigned subject, enum results_subject* kind, uint32_t* index) {
    *kind =
        subject < EXPECT_REFUSALS ? RESULTS_SUBJECT_CAUSE
        : subject < EXPECT_ATTRIBUTION
            ? RESULTS_SUBJECT_REFUSAL
            : (enum results_subject)(subject - EXPECT_ATTRIBUTION + RESULTS_SUBJECT_ATTRIBUTION);
    *index = *kind == RESULTS_SUBJECT_CAUSE     ? subject
             : *kind == RESULTS_SUBJECT_REFUSAL ? subject - EXPECT_REFUSALS
                                                : 0;
}

uint64_t expect_trials(const struct expect_row* row, unsigned subject) {
    if (subject == EXPECT_SILENT) return row->signals;
    bool answers =
        (subject >= EXPECT_REFUSALS && subject < EXPECT_ATTRIBUTION) || subject == EXPECT_EMPTY;
    return answers ? row->answered : row->judged;
}

// ---- Order --------------------------------------------------------------------------------------

static int compare_releases(const void* left, const void* right) {
    const struct expect_release *a = left, *b = right;
    return a->feature - b->feature;
}

// By scope, layer, release, mode, profiler, then case.
static int compare_rows(const void* left, const void* right) {
    const struct expect_row *a = left, *b = right;
    int order = a->scope - b->scope;
    if (order == 0) order = (int)a->layer - (int)b->layer;
    if (order == 0) order = (a->release > b->release) - (a->release < b->release);
    if (order == 0) order = a->mode - b->mode;
    if (order == 0) order = (a->profiler > b->profiler) - (a->profiler < b->profiler);
    return order != 0 ? order : (a->test > b->test) - (a->test < b->test);
}

void expect_sort(struct expect* expect) {
    size_t count = expect->release_count;
    struct expect_release* sorted = base_must(calloc(count + 1, sizeof *sorted));
    if (count != 0) memcpy(sorted, expect->releases, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_releases);
    for (size_t i = 0; i < expect->row_count; i++) {
        int feature = expect->releases[expect->rows[i].release].feature;
        size_t place = 0;
        while (sorted[place].feature != feature) place++;
        expect->rows[i].release = place;
    }
    free(expect->releases);
    expect->releases = sorted;
    if (expect->row_count != 0)
        qsort(expect->rows, expect->row_count, sizeof *expect->rows, compare_rows);
}

void expect_free(struct expect* expect) {
    for (size_t i = 0; i < expect->test_count; i++) free(expect->tests[i]);
    for (size_t i = 0; i < expect->profiler_count; i++) free(expect->profilers[i]);
    free(expect->tests);
    free(expect->profilers);
    free(expect->releases);
    free(expect->rows);
}
