// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: a results.json, or anything else in its place, beside records that are whole (`runs`
// beside the fuzzer). What is refused is refused with words that name it. What is taken is reported
// in every format, and whatever its texts are, each report is one of its format: JSON and XML can
// be read, CSV has as many cells in every line, a page has no scripts but its own, and nothing that
// is for a terminal steers it.
#include <jansson.h>
#include <libxml/parser.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerInitialize(int* argc, char*** argv);

static char directory[64], path[96], runs[96];

static void clean(void) {
    unlink(path);
    unlink(runs);
    rmdir(directory);
}

int LLVMFuzzerInitialize(int* argc, char*** argv) {
    char place[PATH_MAX], *fuzzer = realpath((*argv)[0], NULL);
    (void)argc;
    if (fuzzer == NULL) abort();
    snprintf(place, sizeof place, "%.*s/runs", (int)(strrchr(fuzzer, '/') - fuzzer), fuzzer);
    free(fuzzer);
    strcpy(directory, "/tmp/plumbline-fuzz-XXXXXX");
    if (mkdtemp(directory) == NULL || atexit(clean) != 0) abort();
    snprintf(path, sizeof path, "%s/results.json", directory);
    snprintf(runs, sizeof runs, "%s/runs", directory);
    if (symlink(place, runs) != 0) abort();
    return 0;
}

static void put(const uint8_t* data, size_t size) {
    FILE* file = fopen(path, "w");
    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0) abort();
}

static void must(bool right) {
    if (!right) abort();
}

// ---- What each format promises ----------------------------------------------------------------

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
static void check_plain(const char* text) {
    for (const char* at = text; *at != '\0'; at++)
        must(((unsigned char)*at >= ' ' && *at != 0x7f) || *at == '\n' || *at == '\t');
}

static void check(enum results_format format, const char* text, size_t length) {
    must(strlen(text) == length);
    switch (format) {
    case RESULTS_FORMAT_TEXT: check_plain(text); break;
    case RESULTS_FORMAT_JSON: check_json(text, length); break;
    case RESULTS_FORMAT_JUNIT: check_xml(text, length); break;
    case RESULTS_FORMAT_MARKDOWN:
        check_plain(text);
        must(length <= MARKDOWN_BYTES);
        break;
    case RESULTS_FORMAT_HTML:
        must(count_text(text, "<script") == SCRIPTS && count_text(text, "</script") == SCRIPTS);
        break;
    case RESULTS_FORMAT_CSV: check_csv(text); break;
    case RESULTS_FORMAT_COUNT: break;
    }
}

static void write_all(struct results_saved* saved) {
    for (int format = 0; format < RESULTS_FORMAT_COUNT; format++) {
        char* text = NULL;
        size_t length;
        FILE* out = open_memstream(&text, &length);
        must(out != NULL);
        must(results_write((enum results_format)format, &saved, 1, out) == 0);
        must(fclose(out) == 0);
        check((enum results_format)format, text, length);
        free(text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    char error[512] = "";
    put(data, size);
    struct results_saved* saved = results_saved_read(directory, error, sizeof error);
    if (saved == NULL) {
        if (strstr(error, "results.json") == NULL) abort();
        return 0;
    }
    write_all(saved);
    results_saved_free(saved);
    return 0;
}
