// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "made_up.h"
#include "instrument_parts.h"

static struct rewrite rewrite;
static char *map, *refusals;
static size_t map_size, refusals_size;

static void open_all(void) {
    cr_assert_eq(rewrite_init(&rewrite), 0);
    rewrite.map = open_memstream(&map, &map_size);
    rewrite.refusals = open_memstream(&refusals, &refusals_size);
}

static void close_all(void) {
    fclose(rewrite.map);
    fclose(rewrite.refusals);
    free(map);
    free(refusals);
    rewrite_free(&rewrite);
}

TestSuite(rewrite, .init = open_all, .fini = close_all);

// Rewrites the class; what the streams hold then is in `map` and `refusals`.
static bool changes(const struct made_class* class) {
    size_t length = class->length;
    const uint8_t* bytes = rewrite_class(&rewrite, "file", class->bytes, &length);
    fflush(rewrite.map);
    fflush(rewrite.refusals);
    if (bytes != class->bytes) return length > class->length;
    cr_expect_eq(length, class->length);
    return false;
}

Test(rewrite, rewritten_methods_are_mapped_and_numbered_from_class_to_class) {
    struct made_class a = made_class("p/q/A", "m", MADE_RETURN);
    struct made_class b = made_class("B", "n", MADE_RETURN);
    cr_expect(changes(&a));
    cr_expect(changes(&b));
    cr_expect_str_eq(map, "1 p.q.A.m ()V\n2 B.n ()V\n");
    cr_expect_eq(rewrite.counts.classes, 2);
    cr_expect_eq(rewrite.counts.classes_rewritten, 2);
    cr_expect_eq(rewrite.counts.methods_rewritten, 2);
    cr_expect_eq(rewrite.counts.bytes_in, a.length + b.length);
    cr_expect_gt(rewrite.counts.bytes_out, rewrite.counts.bytes_in);
}

Test(rewrite, a_name_with_blanks_and_line_ends_stays_on_its_line) {
    struct made_class a = made_class("A b", "x\ny\\", MADE_RETURN);
    cr_expect(changes(&a));
    cr_expect_str_eq(map, "1 A\\x20b.x\\x0ay\\x5c ()V\n");
}

Test(rewrite, an_excluded_class_is_as_it_was_and_takes_no_number) {
    struct made_class trace = made_class("plumbline/Trace", "m", MADE_RETURN);
    struct made_class a = made_class("A", "m", MADE_RETURN);
    cr_expect_not(changes(&trace));
    cr_expect(changes(&a));
    cr_expect_str_eq(map, "1 A.m ()V\n");
    cr_expect_eq(rewrite.counts.classes_excluded, 1);
    cr_expect_eq(rewrite.counts.methods, 1);
}

Test(rewrite, a_class_without_code_is_as_it_was) {
    struct made_class a = made_class("A", "m", 0);
    cr_expect_not(changes(&a));
    cr_expect_eq(rewrite.counts.classes_bare, 1);
    cr_expect_eq(rewrite.counts.methods, 0);
    cr_expect_eq(map_size, 0);
}

Test(rewrite, a_refused_class_is_as_it_was_and_counted_by_reason) {
    struct made_class a = made_class("A", "m", MADE_RETURN);
    a.length--;
    cr_expect_not(changes(&a));
    cr_expect_eq(rewrite.counts.classes_refused, 1);
    cr_expect_eq(rewrite.counts.class_reasons[INSTRUMENT_MALFORMED], 1);
    cr_expect_str_eq(refusals, "refused malformed file\n");
}

Test(rewrite, a_refused_method_is_counted_by_reason_and_not_in_the_map) {
    struct made_class a = made_class("p/A", "m", MADE_BAD);
    cr_expect_not(changes(&a));
    cr_expect_eq(rewrite.counts.methods_refused, 1);
    cr_expect_eq(rewrite.counts.method_reasons[INSTRUMENT_BAD_CODE], 1);
    cr_expect_eq(map_size, 0);
    cr_expect_str_eq(refusals, "refused bad_code p.A.m ()V\n");
}

Test(rewrite, numbers_that_run_out_refuse_the_class) {
    struct made_class a = made_class("p/A", "m", MADE_RETURN);
    rewrite.last_number = UINT32_MAX - 1;
    cr_expect_not(changes(&a));
    cr_expect_eq(rewrite.counts.class_reasons[INSTRUMENT_NUMBERS], 1);
}

Test(rewrite, the_report_has_every_count_and_each_reason_that_occurred) {
    static const char* const wanted[] = {
        "classes                          9\n",   "classes_rewritten                5\n",
        "classes_nothing_to_rewrite       1\n",   "classes_excluded                 1\n",
        "classes_refused                  2\n",   "classes_refused_version          2\n",
        "methods                          70\n",  "methods_rewritten                67\n",
        "methods_refused                  3\n",   "methods_refused_code_too_large   3\n",
        "bytes_in                         1000",  "bytes_out                        1200\n",
        "seconds_rewriting                0.500", "seconds                          2.000\n"};
    char* text;
    size_t size;
    FILE* out = open_memstream(&text, &size);
    struct rewrite_counts counts = {9, 5, 1, 1, 2, 70, 67, 3, {0}, {0}, 1000000, 1200, 0.5};
    counts.class_reasons[INSTRUMENT_VERSION] = 2;
    counts.method_reasons[INSTRUMENT_CODE_TOO_LARGE] = 3;
    rewrite_report(&counts, 2, out);
    fclose(out);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        cr_expect_not_null(strstr(text, wanted[i]), "\"%s\" is not in: %s", wanted[i], text);
    cr_expect_null(strstr(text, "malformed"), "%s", text);
    cr_expect_not_null(strstr(text, "megabytes_per_second             2.0\n"), "%s", text);
    free(text);
}
