// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "lists.h"
#include "runner/options/options.h"

// What is expected in this mode and release, as "layer:verdict+verdict ", ? behind what may be.
static void expects(const char* words, enum mode_id mode, int feature, const char* wanted) {
    struct results_expected expected[ORACLE_LAYER_COUNT];
    char why[80] = "", text[256] = "";
    cr_assert(controls_valid(words, why, sizeof why), "%s: %s", words, why);
    memset(expected, 0xa5, sizeof expected); // a dirty struct: nothing may stay from before
    controls_for(words, &modes[mode], feature, expected);
    for (int l = 0; l < ORACLE_LAYER_COUNT; l++) {
        if (expected[l].verdicts == 0) continue;
        sprintf(text + strlen(text), "%s:", oracle_layer_text((enum oracle_layer)l));
        for (int v = 0; v < ORACLE_VERDICT_COUNT; v++)
            if (expected[l].verdicts & 1u << v)
                sprintf(text + strlen(text), "%s+", oracle_verdict_text((enum oracle_verdict)v));
        sprintf(text + strlen(text) - 1, "%s ", expected[l].required ? "" : "?");
    }
    cr_expect_str_eq(text, wanted, "\"%s\" in %s on %d: \"%s\"", words, modes[mode].name, feature,
                     text);
}

Test(expect, names_verdicts_by_layer) {
    expects("", MODE_INT, 17, "");
    expects("truncated@async", MODE_INT, 17, "async:truncated ");
    expects(" truncated@safepoint,async  invalid_id@gst ", MODE_C2, 17,
            "gst:invalid_id safepoint:truncated async:truncated ");
    expects("truncated+missing@async", MODE_INT, 17, "async:truncated+missing ");
    expects("truncated@async truncated+phantom@sandwich", MODE_INT, 17,
            "async:truncated sandwich:truncated+phantom ");
}

Test(expect, a_question_mark_is_for_what_need_not_show) {
    expects("truncated@safepoint,async?,sandwich?", MODE_INT, 17,
            "safepoint:truncated async:truncated? sandwich:truncated? ");
}

Test(expect, holds_in_the_modes_and_releases_that_it_names) {
    expects("truncated@async modes=c1,c2", MODE_INT, 17, "");
    expects("truncated@async modes=c1,c2", MODE_C2, 17, "async:truncated ");
    expects("truncated@async release=21", MODE_INT, 17, "");
    expects("truncated@async release=21", MODE_INT, 21, "async:truncated ");
    expects("truncated@async release=21", MODE_INT, 22, "");
    expects("truncated@async release=21-", MODE_INT, 99, "async:truncated ");
    expects("truncated@async release=11-21", MODE_INT, 22, "");
    expects("truncated@async release=11-21 modes=int", MODE_INT, 11, "async:truncated ");
    expects("truncated@async release=11-21 modes=int", MODE_C1, 11, "");
    // Each for what stands before it.
    expects("truncated@async release=8 missing@async release=9- phantom@gst", MODE_INT, 8,
            "gst:phantom async:truncated ");
    expects("truncated@async release=8 missing@async release=9- phantom@gst", MODE_INT, 9,
            "gst:phantom async:missing ");
}

Test(expect, a_word_for_readers_asks_for_nothing) {
    expects("crash", MODE_INT, 17, "");
    expects("hang", MODE_INT, 17, "");
}

static void refuses(const char* words, const char* culprit) {
    char why[80] = "";
    cr_expect_not(controls_valid(words, why, sizeof why), "%s", words);
    cr_expect_str_eq(why, culprit, "%s: %s", words, why);
}

Test(expect, what_is_malformed_is_named) {
    refuses("explosion", "explosion");
    refuses("truncated", "truncated");
    refuses("truncated@", "truncated@");
    refuses("@async", "@async");
    refuses("truncated+@async", "truncated+@async");
    refuses("truncated@async,", "truncated@async,");
    refuses("truncated@?", "truncated@?");
    refuses("truncated@async??", "truncated@async??");
    refuses("truncated@nowhere", "truncated@nowhere");
    refuses("agree@async", "agree@async");
    refuses("attribution@async", "attribution@async");
    refuses("truncated@async crash", "crash");
    refuses("truncated@async modes=", "modes=");
    refuses("truncated@async modes=c3", "modes=c3");
    refuses("truncated@async modesty=c1", "modesty=c1");
    refuses("truncated@async =", "=");
    refuses("truncated@async release=", "release=");
    refuses("truncated@async release= 8", "release=");
    refuses("truncated@async release=0", "release=0");
    refuses("truncated@async release=new", "release=new");
    refuses("truncated@async release=-8", "release=-8");
    refuses("truncated@async release=9-8", "release=9-8");
    refuses("truncated@async release=8-x", "release=8-x");
    refuses("truncated@async release=8-9-10", "release=8-9-10");
    refuses("modes=c1 truncated@async", "modes=c1");
}
