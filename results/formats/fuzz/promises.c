// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "promises.h"

#include <jansson.h>
#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>

static void must(bool right) {
    if (!right) abort();
}

#define SCRIPTS 2            // of a page: its data, and what shows them
#define MARKDOWN_BYTES 60000 // RESULTS_FORMATS

static size_t count_text(const char* text, const char* what) {
    size_t count = 0;
    for (const char* at = text; (at = strcasestr(at, what)) != NULL; at++) count++;
    return count;
}

static void check_json(const char* text, size_t length) {
    json_t* json = json_loadb(text, length, 0, NULL);
    must(json != NULL);
    json_decref(json);
}

static void check_xml(const char* text, size_t length) {
    xmlDoc* document = xmlReadMemory(text, (int)length, NULL, NULL,
                                     XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET);
    must(document != NULL);
    xmlFreeDoc(document);
}

// RFC 4180: a quoted cell may have commas and quotes, the latter twice.
static void check_csv(const char* text) {
    size_t commas = 0, wanted = 0;
    bool quoted = false;
    for (const char* at = text; *at != '\0'; at++) {
        if (*at == '"') quoted = !quoted;
        if (quoted) continue;
        commas += *at == ',';
        if (*at != '\n') continue;
        if (wanted == 0) wanted = commas;
        must(commas == wanted);
        commas = 0;
    }
    must(!quoted && wanted != 0 && commas == 0);
}

// No control characters but tabs and the ends of lines.
void promises_plain(const char* text) {
    for (const char* at = text; *at != '\0'; at++)
        must(((unsigned char)*at >= ' ' && *at != 0x7f) || *at == '\n' || *at == '\t');
}

static void check(enum results_format format, const char* text, size_t length) {
    must(strlen(text) == length);
    switch (format) {
    case RESULTS_FORMAT_TEXT: promises_plain(text); break;
    case RESULTS_FORMAT_JSON: check_json(text, length); break;
    case RESULTS_FORMAT_JUNIT: check_xml(text, length); break;
    case RESULTS_FORMAT_MARKDOWN:
        promises_plain(text);
        must(length <= MARKDOWN_BYTES);
        break;
    case RESULTS_FORMAT_HTML:
        must(count_text(text, "<script") == SCRIPTS && count_text(text, "</script") == SCRIPTS);
        break;
    case RESULTS_FORMAT_CSV: check_csv(text); break;
    case RESULTS_FORMAT_COUNT: break;
    }
}

static void write_one(enum results_format format, struct results_saved* saved) {
    char* text = NULL;
    size_t length;
    FILE* out = open_memstream(&text, &length);
    must(out != NULL);
    must(results_write(format, &saved, 1, out) == 0);
    must(fclose(out) == 0);
    check(format, text, length);
    free(text);
}

void promises_keep(struct results_saved* saved) {
    for (int format = 0; format < RESULTS_FORMAT_COUNT; format++)
        write_one((enum results_format)format, saved);
}
