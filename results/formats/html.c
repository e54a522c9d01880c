// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The page: results/page/ with the reports in it. Names reach it in two places only, escaped in
// each: the head, which is there without a script too, and the data, which the script puts into the
// page as text.
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "results/report/report.h"

// What lies in results/page/, as bytes (GNUmakefile).
static const char page_html[] = {
#include "page.html.inc"
    0};
static const char page_css[] = {
#include "page.css.inc"
    0};
static const char page_js[] = {
#include "page.js.inc"
    0};

void page_escaped(const char* text, FILE* out) {
    char* plain = plain_copy(text, PLAIN_LINE, false);
    for (const char* c = plain != NULL ? plain : ""; *c != '\0'; c++)
        fprintf(out, strchr("<>&\"'`=", *c) != NULL ? "&#%d;" : "%c", *c);
    free(plain);
}

const char* page_style(void) {
    return page_css;
}

// In JSON these stand in texts only, where \uNNNN means the same: no "</script>", no "<!--".
static int put_data(struct results_saved* const* saved, size_t count, FILE* out) {
    json_t* data = page_data(saved, count);
    char* text = data != NULL ? json_dumps(data, JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;
    json_decref(data);
    if (text == NULL) return -1;
    for (const char* c = text; *c != '\0'; c++)
        fprintf(out, strchr("<>&", *c) != NULL ? "\\u%04x" : "%c", *c);
    free(text);
    return 0;
}

static void put_title(struct results_saved* const* saved, size_t count, FILE* out) {
    fprintf(out, "%s: Plumbline on JDK ", results_row_verdict_text(saved_verdict(saved, count)));
    for (size_t i = 0; i < count && i < 4; i++) {
        char* label = saved_label(saved, count, i);
        fputs(i == 0 ? "" : ", ", out);
        page_escaped(label, out);
        free(label);
    }
    if (count > 4) fputs(", ...", out);
}

// "FAIL: 72 rows" without its verdict, which stands before it already.
static const char* after_verdict(const char* summary, const char* verdict) {
    size_t length = strlen(verdict);
    bool same = strncmp(summary, verdict, length) == 0 && strncmp(summary + length, ": ", 2) == 0;
    return same ? summary + length + 2 : summary;
}

static void put_head(struct results_saved* const* saved, size_t count, FILE* out) {
    const char* verdict = results_row_verdict_text(saved_verdict(saved, count));
    fprintf(out, "<p class=\"verdict v-%s\" id=\"verdict\">%s</p>\n<ul class=\"summaries\">\n",
            verdict, verdict);
    for (size_t i = 0; i < count; i++) {
        const struct results_report* report = &saved[i]->report;
        char* label = saved_label(saved, count, i);
        verdict = results_row_verdict_text(report->verdict);
        fprintf(out, "<li><span class=\"badge v-%s\">%s</span> <strong>JDK ", verdict, verdict);
        page_escaped(label, out);
        fputs("</strong> <span class=\"summary\">", out);
        page_escaped(after_verdict(report->summary, verdict), out);
        fputs("</span> <span class=\"muted\">", out);
        page_escaped(report->jdk_vm, out);
        fprintf(out, ", seed %llu</span></li>\n", (unsigned long long)report->seed);
        free(label);
    }
    fputs("</ul>\n", out);
}

// The template up to its next "@@", which it steps over; what stands there is one letter, and "@@"
// again.
static char put_until_mark(const char** at, FILE* out) {
    const char* mark = strstr(*at, "@@");
    if (mark == NULL) {
        fputs(*at, out);
        return '\0';
    }
    fwrite(*at, 1, (size_t)(mark - *at), out);
    *at = mark + 5;
    return mark[2];
}

int html_write(struct results_saved* const* saved, size_t count, FILE* out) {
    const char* at = page_html;
    int result = 0;
    for (char mark; (mark = put_until_mark(&at, out)) != '\0';) {
        if (mark == 'T') put_title(saved, count, out);
        if (mark == 'H') put_head(saved, count, out);
        if (mark == 'S') fputs(page_css, out);
        if (mark == 'J') fputs(page_js, out);
        if (mark == 'D' && put_data(saved, count, out) != 0) result = -1;
    }
    return result;
}
