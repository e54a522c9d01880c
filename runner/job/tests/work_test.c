// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <string.h>

#include "job_parts.h"

static struct results_execution said(const char* text) {
    struct results_execution execution = {.units = 0};
    FILE* file = fmemopen((void*)(uintptr_t)text, strlen(text), "r");
    cr_assert_not_null(file);
    work_read(file, &execution);
    fclose(file);
    return execution;
}

Test(work, the_last_line_of_it_counts) {
    struct results_execution e =
        said("hello\nunits 3 seconds 1\nunits 12 seconds 2.5 late 8\nbye\n");
    cr_expect_eq(e.work, RESULTS_WORK_DONE);
    cr_expect_eq(e.units, 12u);
    cr_expect_eq(e.unit_seconds, 2.5);
}

Test(work, no_units_are_no_work) {
    cr_expect_eq(said("units 0 seconds 1\n").work, RESULTS_WORK_NONE);
    cr_expect_eq(said("unit 5\n").work, RESULTS_WORK_NONE);
    cr_expect_eq(said("units 7\n").work, RESULTS_WORK_DONE, "its time is not known");
}

// A count beyond 2^63 would go into results.json as a negative one, which nobody reads.
Test(work, numbers_that_cannot_be_are_not_taken) {
    static const char* const lines[] = {
        "units -5 seconds 1\n", "units 99999999999999999999 seconds 1\n", "units 5 seconds nan\n",
        "units 5 seconds -1\n", "units 5 seconds 1e999\n"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct results_execution e = said(lines[i]);
        cr_expect_eq(e.work, RESULTS_WORK_NONE, "%s", lines[i]);
        cr_expect_eq(e.units, 0u, "%s", lines[i]);
    }
    cr_expect_eq(said("units 12 seconds 1\nunits -5 seconds 1\n").units, 12u);
}
