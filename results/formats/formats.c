// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Which format? Text and JSON are what validate wrote; the others have files of their own.
#include <errno.h>

#include "saved.h"
#include "take.h"

ORACLE_LIST_TEXTS(results_format_text, enum results_format, RESULTS_FORMATS, ORACLE_LIST_TEXT)

static int text_write(struct results_saved* const* saved, size_t count, FILE* out) {
    for (size_t i = 0; i < count; i++) {
        if (i != 0) fprintf(out, "\n");
        results_table(&saved[i]->report, out);
    }
    if (count > 1)
        fprintf(out, "\n%s: %zu reports\n", results_row_verdict_text(saved_verdict(saved, count)),
                count);
    return 0;
}

static int json_write(struct results_saved* const* saved, size_t count, FILE* out) {
    json_t* whole = saved[0]->json;
    if (count == 1) {
        json_incref(whole);
    } else {
        json_t* reports = json_array();
        for (size_t i = 0; i < count; i++) json_array_append(reports, saved[i]->json);
        const char* verdict = results_row_verdict_text(saved_verdict(saved, count));
        whole = json_pack("{s:i, s:s, s:o}", "schema", TAKE_SCHEMA, "verdict", verdict, "reports",
                          reports);
    }
    int result = whole == NULL ? -1 : json_dumpf(whole, out, JSON_INDENT(2));
    json_decref(whole);
    fprintf(out, "\n");
    return result;
}

int results_write(enum results_format format, struct results_saved* const* saved, size_t count,
                  FILE* out) {
    static saved_writer* const writers[] = {
        [RESULTS_FORMAT_TEXT] = text_write,   [RESULTS_FORMAT_JSON] = json_write,
        [RESULTS_FORMAT_JUNIT] = junit_write, [RESULTS_FORMAT_MARKDOWN] = markdown_write,
        [RESULTS_FORMAT_HTML] = html_write,   [RESULTS_FORMAT_CSV] = csv_write,
    };
    if ((unsigned)format >= RESULTS_FORMAT_COUNT || count == 0) {
        errno = EINVAL;
        return -1;
    }
    errno = 0;
    int result = writers[format](saved, count, out);
    if (fflush(out) != 0 || ferror(out)) result = -1;
    if (result != 0 && errno == 0) errno = ENOMEM;
    return result == 0 ? 0 : -1;
}
