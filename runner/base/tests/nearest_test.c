// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <string.h>

#include "runner/base/base.h"

static const char* const names[] = {"int", "c1", "c2", "tiered", "debuginfo", "shenandoah"};

static const char* name_of(unsigned index) {
    return names[index];
}

static void suggests(const char* typed, const char* wanted) {
    char hint[NEAREST_TEXT], text[NEAREST_TEXT] = "";
    names_hint(name_of, sizeof names / sizeof names[0], typed, strlen(typed), hint);
    if (wanted != NULL) snprintf(text, sizeof text, "; did you mean \"%s\"?", wanted);
    cr_expect_str_eq(hint, text, "%s", typed);
}

Test(nearest, a_letter_left_out_inserted_exchanged_or_swapped_is_forgiven) {
    suggests("tierd", "tiered");
    suggests("tieredd", "tiered");
    suggests("tiared", "tiered");
    suggests("teired", "tiered");
    suggests("TIERED", "tiered");
    suggests("shenandaoh", "shenandoah");
}

Test(nearest, of_equally_near_words_the_first_is_taken) {
    suggests("c3", "c1");
}

Test(nearest, a_word_that_resembles_none_gets_no_suggestion) {
    suggests("graal", NULL);
    suggests("", NULL);
    suggests("xxxxxx", NULL);
}

Test(nearest, a_word_that_is_too_long_gets_no_suggestion) {
    char typed[400];
    memset(typed, 't', sizeof typed - 1);
    typed[sizeof typed - 1] = '\0';
    suggests(typed, NULL);
}
