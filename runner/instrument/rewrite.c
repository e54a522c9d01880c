// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "instrument_parts.h"

#include <inttypes.h>
#include <time.h>

#define MEGABYTE 1e6

double rewrite_clock(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int rewrite_init(struct rewrite* rewrite) {
    *rewrite = (struct rewrite){.instrument = instrument_open()};
    return rewrite->instrument != NULL ? 0 : -1;
}

void rewrite_free(struct rewrite* rewrite) {
    if (rewrite->instrument != NULL) instrument_close(rewrite->instrument);
    rewrite->instrument = NULL;
}

// ---- Names ------------------------------------------------------------------------------------

// Class files may name methods with any characters but . ; [ / so blanks and control characters are
// escaped, to keep one line a line.
static void print_text(struct instrument_text text, FILE* out) {
    for (uint32_t i = 0; i < text.length; i++) {
        unsigned char c = (unsigned char)text.text[i];
        if (c <= ' ' || c == '\\' || c == 0x7F) fprintf(out, "\\x%02x", c);
        else putc(c, out);
    }
}

static void print_method(struct instrument_text class, const struct instrument_method* method,
                         FILE* out) {
    for (uint32_t i = 0; i < class.length; i++) {
        struct instrument_text letter = {class.text + i, 1};
        if (class.text[i] == '/') putc('.', out);
        else print_text(letter, out);
    }
    putc('.', out);
    print_text(method->name, out);
    putc(' ', out);
    print_text(method->descriptor, out);
    putc('\n', out);
}

// ---- One class --------------------------------------------------------------------------------

// Numbers are taken only if the rewritten class is used.
static uint32_t reserve_numbers(void* context, uint32_t count) {
    const struct rewrite* rewrite = context;
    return count < UINT32_MAX - rewrite->last_number ? rewrite->last_number + 1 : 0;
}

static void count_method(struct rewrite* rewrite, struct instrument_text class,
                         const struct instrument_method* method) {
    struct rewrite_counts* counts = &rewrite->counts;
    if (!method->has_code) return;
    counts->methods++;
    if (method->number > rewrite->last_number) rewrite->last_number = method->number;
    if (method->refusal == INSTRUMENT_NONE) {
        counts->methods_rewritten++;
        if (rewrite->map == NULL) return;
        fprintf(rewrite->map, "%" PRIu32 " ", method->number);
        print_method(class, method, rewrite->map);
        return;
    }
    counts->methods_refused++;
    counts->method_reasons[method->refusal]++;
    if (rewrite->refusals == NULL) return;
    struct output_plain plain;
    FILE* out = output_plain_open(&plain);
    fprintf(out, "refused %s ", instrument_refusal_text(method->refusal));
    print_method(class, method, out);
    output_plain_close(&plain, rewrite->refusals);
}

static void count_refused_class(struct rewrite* rewrite, const char* path,
                                enum instrument_refusal refusal) {
    rewrite->counts.classes_refused++;
    rewrite->counts.class_reasons[refusal]++;
    if (rewrite->refusals == NULL) return;
    struct output_plain plain;
    fprintf(output_plain_open(&plain), "refused %s %s\n", instrument_refusal_text(refusal), path);
    output_plain_close(&plain, rewrite->refusals);
}

// Is the rewritten class to be used?
static bool count_class(struct rewrite* rewrite, const struct instrument_class* class) {
    struct rewrite_counts* counts = &rewrite->counts;
    if (instrument_excluded(class->name.text, class->name.length) != NULL) {
        counts->classes_excluded++;
        return false;
    }
    for (uint32_t i = 0; i < class->method_count; i++)
        count_method(rewrite, class->name, &class->methods[i]);
    if (class->instrumented > 0) counts->classes_rewritten++;
    else counts->classes_bare++;
    return class->instrumented > 0;
}

const uint8_t* rewrite_class(struct rewrite* rewrite, const char* path, const uint8_t* bytes,
                             size_t* length) {
    const struct instrument_options options = {.reserve = reserve_numbers, .context = rewrite};
    struct instrument_class class;
    struct rewrite_counts* counts = &rewrite->counts;
    double start = rewrite_clock();
    int result = instrument_rewrite(rewrite->instrument, bytes, *length, &options, &class);
    counts->seconds += rewrite_clock() - start;
    counts->classes++;
    counts->bytes_in += *length;
    if (result != 0) {
        count_refused_class(rewrite, path, (enum instrument_refusal) - result);
    } else if (count_class(rewrite, &class)) {
        *length = class.length;
        bytes = class.bytes;
    }
    counts->bytes_out += *length;
    return bytes;
}

// ---- The report -------------------------------------------------------------------------------

static void line(FILE* out, const char* name, uint64_t count) {
    fprintf(out, "%-32s %" PRIu64 "\n", name, count);
}

static void reasons(FILE* out, const char* of,
                    const uint64_t counts[static INSTRUMENT_REFUSAL_COUNT]) {
    for (int i = 0; i < INSTRUMENT_REFUSAL_COUNT; i++) {
        char name[64];
        if (counts[i] == 0) continue;
        snprintf(name, sizeof name, "%s_refused_%s", of,
                 instrument_refusal_text((enum instrument_refusal)i));
        line(out, name, counts[i]);
    }
}

void rewrite_report(const struct rewrite_counts* counts, double seconds, FILE* out) {
    line(out, "classes", counts->classes);
    line(out, "classes_rewritten", counts->classes_rewritten);
    line(out, "classes_nothing_to_rewrite", counts->classes_bare);
    line(out, "classes_excluded", counts->classes_excluded);
    line(out, "classes_refused", counts->classes_refused);
    reasons(out, "classes", counts->class_reasons);
    line(out, "methods", counts->methods);
    line(out, "methods_rewritten", counts->methods_rewritten);
    line(out, "methods_refused", counts->methods_refused);
    reasons(out, "methods", counts->method_reasons);
    line(out, "bytes_in", counts->bytes_in);
    line(out, "bytes_out", counts->bytes_out);
    fprintf(out, "%-32s %.3f\n", "seconds_rewriting", counts->seconds);
    fprintf(out, "%-32s %.3f\n", "seconds", seconds);
    if (counts->seconds > 0)
        fprintf(out, "%-32s %.1f\n", "megabytes_per_second",
                (double)counts->bytes_in / counts->seconds / MEGABYTE);
}
