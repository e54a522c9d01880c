// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The table of spoiled contexts.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "synthetic.h"

// The table of a run with these questions, all with the first change.
static char* table_of(struct results_hostile questions) {
    struct results_run* run = synthetic_run(20000);
    run->hostile[1] = questions;
    char* text = synthetic_table(hostile_print, run, "c2");
    free(run);
    return text;
}

static void holds(const char* text, const char* wanted) {
    cr_expect(strstr(text, wanted) != NULL, "no \"%s\" in: %s", wanted, text);
}

Test(hostile, what_did_not_come_back_died_hung_or_ended_the_jvm) {
    char* text = table_of((struct results_hostile){
        .asked = 1000, .answered = 990, .frames = 495, .died = 6, .hung = 3});
    holds(text, "      1000      50.0 %       6       3       1  10/1000 = 1.00 % [0.48, 1.83]");
    holds(text, "  c2");
    holds(text, "         10/1000");
    free(text);
}

Test(hostile, answers_that_are_more_than_the_questions_are_none_that_are_missing) {
    char* text = table_of((struct results_hostile){.asked = 5, .answered = 7, .frames = 7});
    holds(text, "  0/5 < ");
    cr_expect_null(strstr(text, "1844674407"), "%s", text);
    free(text);
}
