// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: an expectations.ini that was edited, cut, or is another file. What is taken has lines
// that each hold for something, at rates between 0 and 1, and lines that are found again by what
// they are for; what is refused says why.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lists.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void must(bool right) {
    if (!right) abort();
}

// The lines name real causes. The fuzzer runs where make does.
static const struct results_causes* known_causes(void) {
    static struct results_causes causes;
    char error[512];
    must(causes.count != 0 ||
         results_causes_read("cases/causes.ini", &causes, error, sizeof error) == 0);
    return &causes;
}

static void is_sound(const struct ceilings* all, const struct ceiling* line) {
    char name[CEILINGS_SUBJECT_TEXT];
    enum results_subject subject;
    uint32_t index;
    must(line->cases != NULL && line->cases[0] != '\0' && line->first <= line->last);
    must(line->modes != 0 && line->layers != 0 && line->scopes != 0);
    must(line->limit.mean >= 0 && line->limit.mean <= 1);
    must(line->limit.spread >= 0 && line->limit.spread <= CEILINGS_SPREAD_MAX);
    ceilings_subject_text(known_causes(), line->limit.subject, line->limit.index, name);
    must(ceilings_subject(known_causes(), name, strlen(name), &subject, &index));
    must(subject == line->limit.subject && index == line->limit.index);
    // A row of its own case finds it, or a line that is more specific.
    enum oracle_layer layer = (enum oracle_layer)__builtin_ctz(line->layers);
    const struct ceilings_row row = {
        line->cases, &modes[__builtin_ctz(line->modes)],
        options_scope_text((enum options_scope)__builtin_ctz(line->scopes)), (int)line->first,
        line->profiler};
    must(ceilings_is_general(line) || ceilings_line(all, &row, layer, subject, index) != NULL);
    static struct ceilings_room room;
    static struct results_expected expected[ORACLE_LAYER_COUNT];
    memset(expected, 0, sizeof expected);
    ceilings_for(all, &row, &room, expected);
    for (size_t i = 0; i < expected[layer].ceiling_count; i++)
        must(expected[layer].ceilings[i].mean >= 0 && expected[layer].ceilings[i].mean <= 1);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    struct ceilings ceilings;
    char path[64], error[512] = "";
    int file = memfd_create("ceilings", MFD_CLOEXEC);
    must(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (ceilings_read(path, known_causes(), &ceilings, error, sizeof error) != 0) {
        must(error[0] != '\0' && ceilings.count == 0);
    } else {
        for (size_t i = 0; i < ceilings.count; i++) is_sound(&ceilings, &ceilings.list[i]);
        ceilings_free(&ceilings);
    }
    close(file);
    return 0;
}
