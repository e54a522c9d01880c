// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// JUnit XML, as Jenkins, GitLab and their like read it: a test suite for each JVM, a test case for
// each of its rows. README.md says what becomes of which verdict; tests/junit.xsd is the schema.
#include <libxml/xmlwriter.h>
#include <stdlib.h>
#include <string.h>

#include "results/report/report.h"
#include "saved.h"

#define TEXT_MAX (16u << 10) // of a row's evidence

struct tally {
    size_t tests, failures, errors, skipped;
    double seconds;
};

struct page {
    xmlTextWriterPtr writer;
    bool failed; // out of memory, or libxml2 refused
};

static void check(struct page* page, int result) {
    if (result < 0) page->failed = true;
}

static void attribute(struct page* page, const char* name, const char* value) {
    char* plain = plain_copy(value, PLAIN_LINE, false);
    check(page, plain == NULL
                    ? -1
                    : xmlTextWriterWriteAttribute(page->writer, BAD_CAST name, BAD_CAST plain));
    free(plain);
}

static void begin(struct page* page, const char* name) {
    check(page, xmlTextWriterStartElement(page->writer, BAD_CAST name));
}

static void end(struct page* page) {
    check(page, xmlTextWriterEndElement(page->writer));
}

static void property(struct page* page, const char* name, const char* value) {
    begin(page, "property");
    attribute(page, "name", name);
    attribute(page, "value", value);
    end(page);
}

static void attribute_count(struct page* page, const char* name, size_t count) {
    char text[32];
    snprintf(text, sizeof text, "%zu", count);
    attribute(page, name, text);
}

static void attribute_seconds(struct page* page, double seconds) {
    char text[32];
    snprintf(text, sizeof text, "%.3f", seconds < 1e9 ? seconds : 1e9);
    attribute(page, "time", text);
}

// ---- Verdicts ---------------------------------------------------------------------------------

// The element that tells a CI server of the verdict: NULL where the row is as it should be. What
// makes `validate` end with another status than 0 is never green.
static const char* element_of(enum results_row_verdict verdict) {
    if (verdict == RESULTS_ROW_SKIP) return "skipped";
    int status = results_exit_status(verdict);
    return status == 0 ? NULL : status == 1 ? "failure" : "error";
}

static void count_row(const struct results_row* row, struct tally* tally) {
    const char* element = element_of(row->verdict);
    tally->tests++;
    if (element == NULL) return;
    tally->failures += strcmp(element, "failure") == 0;
    tally->errors += strcmp(element, "error") == 0;
    tally->skipped += strcmp(element, "skipped") == 0;
}

static void add_tally(struct tally* tally, const struct results_report* report,
                      const struct results_execution* execution) {
    tally->seconds += execution->seconds;
    for (size_t i = 0; i < report->row_count; i++)
        if (report->rows[i].execution == execution) count_row(&report->rows[i], tally);
}

// ---- Rows -------------------------------------------------------------------------------------

// What a person reads in the CI server: the numbers, the reason, one mismatch.
static char* row_text(const struct results_report* report, const struct results_row* row) {
    char *text = NULL, rate[RESULTS_RATE_TEXT], percent[RESULTS_PERCENT_TEXT];
    size_t size = 0;
    FILE* out = open_memstream(&text, &size);
    if (out == NULL) return NULL;
    fprintf(out, "%s%s%s\n", results_row_verdict_text(row->verdict),
            row->reason[0] != '\0' ? ": " : "", row->reason);
    if (row->note[0] != '\0') fprintf(out, "%s\n", row->note);
    for (uint32_t i = 0; i < RESULTS_CAUSES; i++)
        if (row->cause[i] != 0)
            fprintf(out, "of the cause %s %llu\n", results_cause_name(row->execution, i),
                    (unsigned long long)row->cause[i]);
    fprintf(out, "unexplained %s\n", results_rate_text(row->unexplained, row->judged, rate));
    if (row->notices >= 0)
        fprintf(out, "would notice %s\n", results_percent_text(row->notices, percent));
    fprintf(out, "walking errors %s\n", results_rate_text(row->mismatched, row->judged, rate));
    fprintf(out, "attribution %s\n", results_rate_text(row->attribution, row->judged, rate));
    for (int r = 0; r < ORACLE_REFUSAL_COUNT; r++)
        if (row->counts.refused[r] != 0)
            fprintf(out, "refused %s %llu\n", oracle_refusal_text((enum oracle_refusal)r),
                    (unsigned long long)row->counts.refused[r]);
    if (row->mismatched + row->attribution != 0) results_evidence(report, row, out);
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

static void put_text(struct page* page, const char* text) {
    char* plain = plain_copy(text, TEXT_MAX, true);
    check(page, text == NULL || plain == NULL
                    ? -1
                    : xmlTextWriterWriteString(page->writer, BAD_CAST plain));
    free(plain);
}

static void put_row(struct page* page, const struct results_report* report, const char* label,
                    const struct results_row* row) {
    const struct results_execution* execution = row->execution;
    const char* element = element_of(row->verdict);
    char name[512];
    snprintf(name, sizeof name, "jdk-%s.%s", label, execution->case_name);
    begin(page, "testcase");
    attribute(page, "classname", name);
    snprintf(name, sizeof name, "%s %s %s", execution->mode, execution->scope,
             oracle_layer_text(row->layer));
    attribute(page, "name", name);
    attribute_seconds(page, execution->seconds);
    char* text = row_text(report, row);
    begin(page, element != NULL ? element : "system-out");
    if (element != NULL && row->verdict != RESULTS_ROW_SKIP) // Surefire's schema takes none there
        attribute(page, "type", results_row_verdict_text(row->verdict));
    if (element != NULL) attribute(page, "message", row->reason);
    put_text(page, text);
    end(page);
    free(text);
    end(page);
}

// ---- Suites -----------------------------------------------------------------------------------

static void number(struct page* page, const char* layer, const char* what, const char* format,
                   double value) {
    char name[64], text[40];
    snprintf(name, sizeof name, "%s.%s", layer, what);
    snprintf(text, sizeof text, format, value);
    property(page, name, text);
}

// Counts stay whole up to 2^53, and nobody samples so much.
static void row_properties(struct page* page, const struct results_row* row) {
    const char* layer = oracle_layer_text(row->layer);
    double judged = row->judged == 0 ? 1 : (double)row->judged;
    number(page, layer, "judged", "%.0f", (double)row->judged);
    number(page, layer, "mismatches", "%.0f", (double)row->mismatched);
    number(page, layer, "rate", "%.9g", (double)row->mismatched / judged);
    number(page, layer, "low", "%.9g", row->interval.low);
    number(page, layer, "high", "%.9g", row->interval.high);
    number(page, layer, "limit", "%.9g", row->limit);
    number(page, layer, "unexplained", "%.0f", (double)row->unexplained);
    if (row->notices >= 0) number(page, layer, "notices", "%.4g", row->notices);
    number(page, layer, "attribution", "%.0f", (double)row->attribution);
    number(page, layer, "refused", "%.0f", (double)row->counts.verdict[ORACLE_REFUSED]);
    number(page, layer, "undecided", "%.0f", (double)row->counts.verdict[ORACLE_UNDECIDED]);
}

static void report_properties(struct page* page, const struct results_report* report) {
    char seed[32];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)report->seed);
    property(page, "seed", seed);
    property(page, "jdk.version", report->jdk_version);
    property(page, "jdk.vm", report->jdk_vm);
    if (report->plumbline != NULL) property(page, "plumbline", report->plumbline);
}

static void put_properties(struct page* page, const struct results_report* report,
                           const struct results_execution* execution) {
    begin(page, "properties");
    report_properties(page, report);
    property(page, "case", execution->case_name);
    property(page, "mode", execution->mode);
    property(page, "scope", execution->scope);
    for (size_t i = 0; i < report->row_count; i++)
        if (report->rows[i].execution == execution) row_properties(page, &report->rows[i]);
    end(page);
}

static void put_tally(struct page* page, const struct tally* tally, bool skipped) {
    attribute_count(page, "tests", tally->tests);
    attribute_count(page, "failures", tally->failures);
    attribute_count(page, "errors", tally->errors);
    if (skipped) attribute_count(page, "skipped", tally->skipped);
    attribute_seconds(page, tally->seconds);
}

static void put_suite(struct page* page, const struct results_report* report, const char* label,
                      const struct results_execution* execution) {
    char name[512];
    struct tally tally = {0};
    add_tally(&tally, report, execution);
    snprintf(name, sizeof name, "jdk-%s %s %s %s", label, execution->case_name, execution->mode,
             execution->scope);
    begin(page, "testsuite");
    attribute(page, "name", name);
    put_tally(page, &tally, true);
    put_properties(page, report, execution);
    for (size_t i = 0; i < report->row_count; i++)
        if (report->rows[i].execution == execution) put_row(page, report, label, &report->rows[i]);
    end(page);
}

// All rows of a mode and layer together fail by themselves: many rows may each have too little.
static void add_pools(struct tally* tally, const struct results_report* report) {
    for (size_t i = 0; i < report->pool_count; i++) {
        tally->tests++;
        tally->failures += report->pools[i].failed;
    }
}

static void put_pool(struct page* page, const char* label, const struct results_pool* pool) {
    char name[512], text[256], rate[RESULTS_RATE_TEXT], notices[RESULTS_PERCENT_TEXT];
    snprintf(name, sizeof name, "jdk-%s.all", label);
    begin(page, "testcase");
    attribute(page, "classname", name);
    snprintf(name, sizeof name, "%s %s", pool->mode, oracle_layer_text(pool->layer));
    attribute(page, "name", name);
    attribute_seconds(page, 0);
    begin(page, pool->failed ? "failure" : "system-out");
    if (pool->failed) attribute(page, "type", results_row_verdict_text(RESULTS_ROW_FAIL));
    snprintf(text, sizeof text, "unexplained %s, limit %g %%",
             results_rate_text(pool->unexplained, pool->judged, rate), pool->limit * 100);
    if (pool->failed) attribute(page, "message", text);
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "; would notice %s",
             results_percent_text(pool->notices, notices));
    put_text(page, text);
    end(page);
    end(page);
}

static void put_pools(struct page* page, const struct results_report* report, const char* label) {
    char name[512];
    struct tally tally = {0};
    if (report->pool_count == 0) return;
    add_pools(&tally, report);
    snprintf(name, sizeof name, "jdk-%s all rows of a mode and layer", label);
    begin(page, "testsuite");
    attribute(page, "name", name);
    put_tally(page, &tally, true);
    begin(page, "properties");
    report_properties(page, report);
    end(page);
    for (size_t i = 0; i < report->pool_count; i++) put_pool(page, label, &report->pools[i]);
    end(page);
}

static void put_report(struct page* page, struct results_saved* const* saved, size_t count,
                       size_t index) {
    const struct results_report* report = &saved[index]->report;
    char* label = saved_label(saved, count, index);
    if (label == NULL) page->failed = true;
    for (size_t i = 0; label != NULL && i < report->execution_count && !page->failed; i++)
        put_suite(page, report, label, &report->executions[i]);
    if (label != NULL) put_pools(page, report, label);
    free(label);
}

static void put_all(struct page* page, struct results_saved* const* saved, size_t count) {
    struct tally sum = {0};
    for (size_t i = 0; i < count; i++) add_pools(&sum, &saved[i]->report);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < saved[i]->report.execution_count; j++)
            add_tally(&sum, &saved[i]->report, &saved[i]->report.executions[j]);
    check(page, xmlTextWriterStartDocument(page->writer, NULL, "UTF-8", NULL));
    begin(page, "testsuites");
    attribute(page, "name", "plumbline");
    put_tally(page, &sum, false); // the root has no such attribute for skipped ones
    for (size_t i = 0; i < count; i++) put_report(page, saved, count, i);
    end(page);
    check(page, xmlTextWriterEndDocument(page->writer));
}

int junit_write(struct results_saved* const* saved, size_t count, FILE* out) {
    xmlBufferPtr buffer = xmlBufferCreate();
    struct page page = {.writer = buffer != NULL ? xmlNewTextWriterMemory(buffer, 0) : NULL};
    bool good = page.writer != NULL;
    if (good) {
        xmlTextWriterSetIndent(page.writer, 1);
        put_all(&page, saved, count);
        xmlFreeTextWriter(page.writer);
        good = !page.failed;
    }
    if (good) fputs((const char*)xmlBufferContent(buffer), out);
    xmlBufferFree(buffer);
    return good ? 0 : -1;
}
