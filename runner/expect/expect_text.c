// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Lines as expectations.ini has them.
#include "expect_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// inih reads lines of less than 200 bytes; the list of modes is cut before.
#define LINE_TEXT 198
#define MODES_TEXT 60

static void print_subject(const struct expect* expect, unsigned subject, FILE* out) {
    char text[CEILINGS_SUBJECT_TEXT];
    enum results_subject kind;
    uint32_t index;
    expect_subject(subject, &kind, &index);
    fputs(ceilings_subject_text(&expect->lists->causes, kind, index, text), out);
}

// The first modes of `bits` that fit, one at least, as text. Gives the bits of the others.
static uint32_t modes_text(uint32_t bits, char text[MODES_TEXT], size_t room) {
    size_t used = 0;
    for (int m = 0; m < MODE_COUNT; m++) {
        if ((bits >> m & 1u) == 0) continue;
        if (used != 0 && used + strlen(modes[m].name) + 2 > room) break;
        used += (size_t)snprintf(text + used, MODES_TEXT - used, "%s%s", used == 0 ? "" : ",",
                                 modes[m].name);
        bits &= ~(1u << m);
    }
    return bits;
}

// Upwards, in the third digit: a ceiling is not to become smaller by being printed.
static double rounded_mean(double percent) {
    double unit = pow(10, floor(log10(percent)) - 2);
    return fmin(100, ceil(percent / unit - 1e-9) * unit);
}

// All of it behind the modes.
static void print_rest(const struct expect* expect, const struct expect_line* line, FILE* out) {
    const struct expect_release* release = &expect->releases[line->last];
    for (int l = 0, n = 0; l < ORACLE_LAYER_COUNT; l++)
        if ((line->layers >> l & 1u) != 0)
            fprintf(out, "%s%s", n++ == 0 ? "" : ",", oracle_layer_text((enum oracle_layer)l));
    fputc(' ', out);
    print_subject(expect, line->subject, out);
    fprintf(out, " = %.6g%% spread=%.2f runs=%zu measured=%s,%s",
            rounded_mean(100 * exp(line->fit.mean)),
            fmin(CEILINGS_SPREAD_MAX, ceil(100 * sqrt(line->fit.variance)) / 100), line->runs,
            release->date, release->version);
    if (line->scope != OPTIONS_SCOPE_APP)
        fprintf(out, " scope=%s", options_scope_text((enum options_scope)line->scope));
    if (line->profiler != EXPECT_NO_PROFILER)
        fprintf(out, " profiler=%s", expect->profilers[line->profiler]);
}

static bool same_section(const struct expect_line* a, const struct expect_line* b) {
    return a->test == b->test && a->first == b->first && a->last == b->last;
}

void expect_print_line(const struct expect* expect, const struct expect_line* line, FILE* out) {
    char *rest = NULL, text[MODES_TEXT];
    size_t size = 0;
    FILE* in = base_must(open_memstream(&rest, &size));
    print_rest(expect, line, in);
    fclose(in);
    size_t room = size < LINE_TEXT ? LINE_TEXT - size : 0;
    if (room > MODES_TEXT) room = MODES_TEXT;
    for (uint32_t bits = line->modes; bits != 0;) {
        bits = modes_text(bits, text, room);
        fprintf(out, "%s %s\n", text, rest);
    }
    free(rest);
}

char* expect_section(const struct expect* expect, const struct expect_line* line) {
    const char* test = line->test == EXPECT_ANY ? "*" : expect->tests[line->test];
    int first = expect->releases[line->first].feature, last = expect->releases[line->last].feature;
    return first == last ? base_text("%d %s", first, test)
                         : base_text("%d-%d %s", first, last, test);
}

static void print_section(const struct expect* expect, const struct expect_line* line, FILE* out) {
    char* name = expect_section(expect, line);
    fprintf(out, "\n[%s]\n", name);
    free(name);
}

void expect_print_unnamed(const struct expect* expect, const char* before, FILE* out) {
    if (expect->unnamed == 0) return;
    fprintf(out, "%sLeft out: %zu rows that no line can name, such as one with \"%.60s\".\n",
            before, expect->unnamed, expect->unnamed_name);
}

static void print_head(const struct expect* expect, const struct expect_lines* lines, FILE* out) {
    fprintf(out,
            "; SPDX-FileCopyrightText: 2026 The Plumbline authors\n"
            "; SPDX-License-Identifier: MIT\n;\n"
            "; How often known errors, refusals, attribution and transitions were seen on healthy "
            "JDKs. README.md explains the\n; lines. `plumbline expect` wrote them: %zu lines, of "
            "%zu rows of runs.\n",
            lines->count, expect->row_count);
    fprintf(out, "; Walking errors that have no cause: %llu of %llu judged.\n",
            (unsigned long long)expect->unexplained, (unsigned long long)expect->judged);
    if (expect->without != 0)
        fprintf(out, "; %zu rows are of older runs, which say nothing of causes.\n",
                expect->without);
    expect_print_unnamed(expect, "; ", out);
    if (expect->unknown != 0)
        fprintf(out, "; Left out: %llu of causes that causes.ini does not have, as \"%s\".\n",
                (unsigned long long)expect->unknown, expect->unknown_name);
}

void expect_print(const struct expect* expect, const struct expect_lines* lines, FILE* out) {
    print_head(expect, lines, out);
    for (size_t i = 0; i < lines->count; i++) {
        const struct expect_line* line = &lines->list[i];
        if (i == 0 || !same_section(line - 1, line)) print_section(expect, line, out);
        expect_print_line(expect, line, out);
    }
}
