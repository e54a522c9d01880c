// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "lists.h"
#include "runner/options/options.h"
#include "made_up.h"

// What is expected in this mode and release, as "layer:cause+cause ", ? behind what may be.
static void expects(const char* words, enum mode_id mode, int feature, const char* wanted) {
    struct results_expected expected[ORACLE_LAYER_COUNT];
    char why[80] = "", text[256] = "";
    cr_assert(controls_valid(words, made_causes(), why, sizeof why), "%s: %s", words, why);
    memset(expected, 0xa5, sizeof expected); // a dirty struct: nothing may stay from before
    controls_for(words, made_causes(), &modes[mode], feature, expected);
    for (int l = 0; l < ORACLE_LAYER_COUNT; l++) {
        if (expected[l].control == 0) continue;
        sprintf(text + strlen(text), "%s:", oracle_layer_text((enum oracle_layer)l));
        for (uint32_t c = 0; c < RESULTS_CAUSES; c++)
            if (expected[l].control >> c & 1u)
                sprintf(text + strlen(text), "%s+", made_causes()->list[c].name);
        sprintf(text + strlen(text) - 1, "%s ", expected[l].required ? "" : "?");
    }
    cr_expect_str_eq(text, wanted, "\"%s\" in %s on %d: \"%s\"", words, modes[mode].name, feature,
                     text);
}

Test(expect, names_causes_by_layer) {
    expects("", MODE_INT, 17, "");
    expects("deopt-caller@async", MODE_INT, 17, "async:deopt-caller ");
    expects(" deopt-caller@safepoint,async  linker@gst ", MODE_C2, 17,
            "gst:linker safepoint:deopt-caller async:deopt-caller ");
    expects("deopt-caller+runtime-stub@async", MODE_INT, 17, "async:runtime-stub+deopt-caller ");
    expects("deopt-caller@async deopt-caller+thawed@sandwich", MODE_INT, 17,
            "async:deopt-caller sandwich:deopt-caller+thawed ");
}

Test(expect, a_question_mark_is_for_what_need_not_show) {
    expects("deopt-caller@safepoint,async?,sandwich?", MODE_INT, 17,
            "safepoint:deopt-caller async:deopt-caller? sandwich:deopt-caller? ");
}

Test(expect, holds_in_the_modes_and_releases_that_it_names) {
    expects("deopt-caller@async modes=c1,c2", MODE_INT, 17, "");
    expects("deopt-caller@async modes=c1,c2", MODE_C2, 17, "async:deopt-caller ");
    expects("deopt-caller@async release=21", MODE_INT, 17, "");
    expects("deopt-caller@async release=21", MODE_INT, 21, "async:deopt-caller ");
    expects("deopt-caller@async release=21", MODE_INT, 22, "");
    expects("deopt-caller@async release=21-", MODE_INT, 99, "async:deopt-caller ");
    expects("deopt-caller@async release=11-21", MODE_INT, 22, "");
    expects("deopt-caller@async release=11-21 modes=int", MODE_INT, 11, "async:deopt-caller ");
    expects("deopt-caller@async release=11-21 modes=int", MODE_C1, 11, "");
    // Each for what stands before it.
    expects("deopt-caller@async release=8 runtime-stub@async release=9- thawed@gst", MODE_INT, 8,
            "gst:thawed async:deopt-caller ");
    expects("deopt-caller@async release=8 runtime-stub@async release=9- thawed@gst", MODE_INT, 9,
            "gst:thawed async:runtime-stub ");
}

Test(expect, a_word_for_readers_asks_for_nothing) {
    expects("crash", MODE_INT, 17, "");
    expects("hang", MODE_INT, 17, "");
}

static void refuses(const char* words, const char* culprit) {
    char why[80] = "";
    cr_expect_not(controls_valid(words, made_causes(), why, sizeof why), "%s", words);
    cr_expect_str_eq(why, culprit, "%s: %s", words, why);
}

Test(expect, what_is_malformed_is_named) {
    refuses("explosion", "explosion");
    refuses("deopt-caller", "deopt-caller");
    refuses("deopt-caller@", "deopt-caller@");
    refuses("@async", "@async");
    refuses("deopt-caller+@async", "deopt-caller+@async");
    refuses("deopt-caller@async,", "deopt-caller@async,");
    refuses("deopt-caller@?", "deopt-caller@?");
    refuses("deopt-caller@async??", "deopt-caller@async??");
    refuses("deopt-caller@nowhere", "deopt-caller@nowhere");
    refuses("truncated@async", "truncated@async");
    refuses("unexplained@async", "unexplained@async");
    refuses("deopt-caller+truncated@async", "deopt-caller+truncated@async");
    refuses("attribution@async", "attribution@async");
    refuses("deopt-caller@async crash", "crash");
    refuses("deopt-caller@async modes=", "modes=");
    refuses("deopt-caller@async modes=c3", "modes=c3");
    refuses("deopt-caller@async modesty=c1", "modesty=c1");
    refuses("deopt-caller@async =", "=");
    refuses("deopt-caller@async release=", "release=");
    refuses("deopt-caller@async release= 8", "release=");
    refuses("deopt-caller@async release=0", "release=0");
    refuses("deopt-caller@async release=new", "release=new");
    refuses("deopt-caller@async release=-8", "release=-8");
    refuses("deopt-caller@async release=9-8", "release=9-8");
    refuses("deopt-caller@async release=8-x", "release=8-x");
    refuses("deopt-caller@async release=8-9-10", "release=8-9-10");
    refuses("modes=c1 deopt-caller@async", "modes=c1");
}
