// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lists.h"
#include "runner/options/options.h"
#include "made_up.h"

#define M " spread=0.5 runs=20 measured=2026-11-22,17.0.19+10"

static struct ceilings given(const char* text) {
    struct ceilings ceilings;
    char error[512] = "";
    cr_assert_eq(ceilings_read(made_text(text), made_causes(), &ceilings, error, sizeof error), 0,
                 "%s", error);
    return ceilings;
}

static void refuses(const char* text, const char* wanted) {
    struct ceilings ceilings;
    char error[512] = "";
    cr_expect_eq(ceilings_read(made_text(text), made_causes(), &ceilings, error, sizeof error), -1,
                 "%s", text);
    cr_expect(strstr(error, wanted) != NULL, "\"%s\" is not in: %s", wanted, error);
    cr_expect_eq(ceilings.count, 0);
}

// What holds for case `test` in a mode and scope of a release, as "layer:subject=mean ...".
static void holds_in(const char* text, const char* test, enum mode_id mode, const char* scope,
                     int feature, const char* wanted) {
    struct ceilings ceilings = given(text);
    struct ceilings_room room;
    struct results_expected expected[ORACLE_LAYER_COUNT];
    char found[512] = "", subject[CEILINGS_SUBJECT_TEXT];
    memset(&room, 0xa5, sizeof room);
    memset(expected, 0, sizeof expected);
    const struct ceilings_row row = {test, &modes[mode], scope, feature, NULL};
    ceilings_for(&ceilings, &row, &room, expected);
    for (int l = 0; l < ORACLE_LAYER_COUNT; l++)
        for (size_t i = 0; i < expected[l].ceiling_count; i++) {
            const struct results_ceiling* c = &expected[l].ceilings[i];
            if (c->elsewhere) continue;
            sprintf(found + strlen(found), "%s:%s=%g ", oracle_layer_text((enum oracle_layer)l),
                    ceilings_subject_text(made_causes(), c->subject, c->index, subject), c->mean);
        }
    cr_expect_str_eq(found, wanted, "%s in %s of %d: \"%s\"", test, modes[mode].name, feature,
                     found);
    ceilings_free(&ceilings);
}

static void holds(const char* text, const char* test, enum mode_id mode, const char* wanted) {
    holds_in(text, test, mode, "app", 17, wanted);
}

Test(ceilings, a_release_that_was_not_measured_has_the_lines_of_the_one_before_it) {
    const char* text =
        "[* mixed]\nc1 async attribution = 3%" M "\n[11 mixed]\nc1 async thawed = 1%" M
        "\n[17-25 mixed]\nc1 async thawed = 2%" M "\n[27 mixed]\nc1 async refused.deopt = 4%" M
        "\n";
    holds_in(text, "mixed", MODE_C1, "app", 28, "async:attribution=0.03 async:refused.deopt=0.04 ");
    holds_in(text, "mixed", MODE_C1, "app", 26, "async:attribution=0.03 async:thawed=0.02 ");
    holds_in(text, "mixed", MODE_C1, "app", 21, "async:attribution=0.03 async:thawed=0.02 ");
    holds_in(text, "mixed", MODE_C1, "app", 16, "async:attribution=0.03 async:thawed=0.01 ");
    holds_in(text, "mixed", MODE_C1, "app", 8, "async:attribution=0.03 async:thawed=0.01 ");
    struct ceilings ceilings = given(text), open = given("[9- mixed]\nc1 async thawed = 1%" M "\n");
    cr_expect_eq(ceilings_release(&ceilings, 22), 17);
    cr_expect_eq(ceilings_release(&ceilings, 9), 11);
    cr_expect_eq(ceilings_release(&ceilings, 40), 27);
    cr_expect_eq(ceilings_release(&open, 8), 9);
    cr_expect_eq(ceilings_release(&open, 40), 9);
    ceilings_free(&ceilings);
    ceilings_free(&open);
}

Test(ceilings, a_line_holds_for_its_modes_layers_and_subject) {
    const char* text = "[17 mixed]\nc1,tiered async thawed = 0.1%" M "\n"
                       "int gst,safepoint linker = 0.001" M "\n";
    holds(text, "mixed", MODE_C1, "async:thawed=0.001 ");
    holds(text, "mixed", MODE_TIERED, "async:thawed=0.001 ");
    holds(text, "mixed", MODE_C2, "");
    holds(text, "mixed", MODE_INT, "gst:linker=0.001 safepoint:linker=0.001 ");
    holds(text, "mixes", MODE_C1, "");
}

Test(ceilings, a_name_that_is_no_glob_is_taken_as_it_stands) {
    holds_in("[17 a\\b]\nc1 async thawed = 2%" M "\n", "a\\b", MODE_C1, "app", 17,
             "async:thawed=0.02 ");
    holds_in("[17 a\\b]\nc1 async thawed = 2%" M "\n", "ab", MODE_C1, "app", 17, "");
}

Test(ceilings, a_subject_is_a_cause_a_code_of_refusal_attribution_or_transition) {
    holds("[17 a]\nc1 async thawed = 1%" M "\nc1 async refused.deopt = 2%" M
          "\nc1 async attribution = 50%" M "\nc1 async transition = 100%" M "\n",
          "a", MODE_C1,
          "async:thawed=0.01 async:refused.deopt=0.02 async:attribution=0.5 "
          "async:transition=1 ");
    struct ceilings e = given("[17 a]\nc1 async refused.deopt = 2%" M "\n");
    cr_assert_eq(e.count, 1);
    cr_expect_eq(e.list[0].limit.subject, RESULTS_SUBJECT_REFUSAL);
    cr_expect_eq(e.list[0].limit.index, ORACLE_REFUSAL_DEOPT);
    cr_expect_float_eq(e.list[0].limit.spread, 0.5, 1e-12);
    cr_expect_eq(e.list[0].runs, 20);
    cr_expect_str_eq(e.list[0].limit.source, "2%" M);
    ceilings_free(&e);
}

// Two runs lie at most 0.707 standard deviations from their mean.
Test(ceilings, a_line_is_bounded_by_its_own_runs_and_by_the_other_cases) {
    struct ceilings e = given(
        "[17 a]\nc1,int async thawed = 0.004% spread=4 runs=2 measured=2026-11-21,17.0.19+10\n"
        "[25 b]\nc1 async thawed = 14%" M "\nc2 async thawed = 90%" M "\n"
        "c1 sandwich thawed = 80%" M "\nc1 async linker = 70%" M "\n");
    cr_assert_eq(e.count, 5);
    cr_expect_float_eq(e.list[0].limit.most, 30 * 0.00004 * exp(4 / sqrt(2)), 1e-6);
    cr_expect_float_eq(e.list[1].limit.most, 0.42, 1e-9);
    cr_expect_float_eq(e.list[2].limit.most, 0.99, 1e-9);
    ceilings_free(&e);
}

Test(ceilings, a_line_holds_for_its_releases) {
    const char* text = "[17 a]\nc1 async thawed = 0.001" M "\n"
                       "[21-25 a]\nc1 async thawed = 0.0005" M "\n"
                       "[26- a]\nc1 async thawed = 0.0002" M "\n";
    holds_in(text, "a", MODE_C1, "app", 17, "async:thawed=0.001 ");
    holds_in(text, "a", MODE_C1, "app", 21, "async:thawed=0.0005 ");
    holds_in(text, "a", MODE_C1, "app", 25, "async:thawed=0.0005 ");
    holds_in(text, "a", MODE_C1, "app", 99, "async:thawed=0.0002 ");
    holds_in("[* a]\nc1 async thawed = 0.001" M "\n", "a", MODE_C1, "app", 8,
             "async:thawed=0.001 ");
}

Test(ceilings, a_line_holds_in_scope_app_unless_it_says_otherwise) {
    const char* text = "[17 a]\nc1 async thawed = 0.001" M "\n"
                       "c1 async linker = 0.0005" M " scope=none,all\n"
                       "c1 async attribution = 0.0002" M " scope=*\n";
    holds_in(text, "a", MODE_C1, "app", 17, "async:thawed=0.001 async:attribution=0.0002 ");
    holds_in(text, "a", MODE_C1, "none", 17, "async:linker=0.0005 async:attribution=0.0002 ");
    holds_in(text, "a", MODE_C1, "all", 17, "async:linker=0.0005 async:attribution=0.0002 ");
}

// What holds for case "a" in c1 under this profiler, as "subject=mean ..."; with ? before a subject
// that was measured elsewhere.
static void holds_under(const char* text, const char* profiler, int feature, const char* wanted) {
    struct ceilings ceilings = given(text);
    struct ceilings_room room;
    struct results_expected expected[ORACLE_LAYER_COUNT] = {0};
    char found[512] = "", subject[CEILINGS_SUBJECT_TEXT];
    const struct ceilings_row row = {"a", &modes[MODE_C1], "app", feature, profiler};
    ceilings_for(&ceilings, &row, &room, expected);
    const struct results_expected* of = &expected[ORACLE_LAYER_PROFILER];
    for (size_t i = 0; i < of->ceiling_count; i++) {
        const struct results_ceiling* c = &of->ceilings[i];
        sprintf(found + strlen(found), "%s%s=%g ", c->elsewhere ? "?" : "",
                ceilings_subject_text(made_causes(), c->subject, c->index, subject), c->mean);
    }
    cr_expect_str_eq(found, wanted, "%s, %d: \"%s\"", profiler, feature, found);
    ceilings_free(&ceilings);
}

Test(ceilings, a_profilers_lines_hold_for_it_alone) {
    const char* text = "[17 a]\nc1 profiler thawed = 0.001" M " profiler=jfr\n"
                       "c1 profiler thawed = 0.002" M " profiler=other\n"
                       "c1 profiler silent = 0.2" M " profiler=jfr\n"
                       "c1 profiler cut = 0.03" M " profiler=other\n"
                       "c1 profiler empty = 0.04" M " profiler=other\n";
    holds_under(text, "jfr", 17, "thawed=0.001 silent=0.2 ");
    holds_under(text, "other", 17, "thawed=0.002 cut=0.03 empty=0.04 ");
    holds_under(text, "jfr-cpu", 17, "");
    // A profiler has releases of its own.
    holds_under("[17 a]\nc1 profiler thawed = 0.001" M " profiler=jfr\n"
                "[27 a]\nc1 async thawed = 0.1" M "\n",
                "jfr", 27, "thawed=0.001 ");
    // Causes of other cases, never of other profilers.
    holds_under("[17 b]\nc1 profiler linker = 0.001" M " profiler=jfr\n"
                "c1 profiler linker = 0.1" M " profiler=other\nc1 profiler silent = 0.1" M
                " profiler=jfr\n",
                "jfr", 17, "?linker=0.001 ");
    refuses("[17 a]\nc1 async thawed = 0.001" M " profiler=jfr\n", "malformed: \"profiler=jfr");
    refuses("[17 a]\nc1 profiler thawed = 0.001" M " profiler=\n", "malformed: \"profiler=");
    refuses("[17 a]\nc1 profiler thawed = 1%" M " profiler=j\nc1 profiler thawed = 2%" M
            " profiler=j\n",
            "twice");
}

// Which of the row's causes were measured in other cases only, as "cause=mean ".
static void holds_elsewhere(const char* text, enum mode_id mode, const char* scope,
                            const char* wanted) {
    struct ceilings ceilings = given(text);
    struct ceilings_room room;
    struct results_expected expected[ORACLE_LAYER_COUNT] = {0};
    char found[512] = "", subject[CEILINGS_SUBJECT_TEXT];
    const struct ceilings_row row = {"a", &modes[mode], scope, 17, NULL};
    ceilings_for(&ceilings, &row, &room, expected);
    const struct results_expected* async = &expected[ORACLE_LAYER_ASYNC];
    for (size_t i = 0; i < async->ceiling_count; i++) {
        const struct results_ceiling* c = &async->ceilings[i];
        if (c->elsewhere)
            sprintf(found + strlen(found), "%s=%g ",
                    ceilings_subject_text(made_causes(), c->subject, c->index, subject), c->mean);
    }
    cr_expect_str_eq(found, wanted, "in %s: \"%s\"", modes[mode].name, found);
    ceilings_free(&ceilings);
}

Test(ceilings, where_compilers_are_mixed_a_cause_with_a_line_has_the_line_of_c1_too) {
    const char* text = "[17 *]\ntiered async thawed = 0.001" M "\nc1 async thawed = 0.002" M "\n"
                       "tiered async linker = 0.003" M "\ntiered gst thawed = 0.001" M "\n"
                       "c1 gst thawed = 0.5" M "\n[17 a]\nc1 async thawed = 0.4" M "\n";
    struct ceilings ceilings = given(text);
    struct ceilings_room room;
    for (enum mode_id mode = MODE_INT; mode <= MODE_DEBUGINFO; mode++) {
        struct results_expected expected[ORACLE_LAYER_COUNT] = {0};
        ceilings_for(&ceilings, &(struct ceilings_row){"a", &modes[mode], "app", 17, NULL}, &room,
                     expected);
        for (int l = 0; l < ORACLE_LAYER_COUNT; l++)
            for (size_t i = 0; i < expected[l].ceiling_count; i++) {
                const struct results_ceiling* c = &expected[l].ceilings[i];
                bool both = mode == MODE_TIERED && l == ORACLE_LAYER_ASYNC && c->mean == 0.001;
                cr_expect_eq(c->c1_mean, both ? 0.4 : 0, "%s %s %g: %g", modes[mode].name,
                             oracle_layer_text((enum oracle_layer)l), c->mean, c->c1_mean);
            }
    }
    ceilings_free(&ceilings);
}

Test(ceilings, a_cause_without_a_line_has_the_highest_of_the_release) {
    const char* text = "[17 b]\nc1 async thawed = 0.001" M "\nc1,c2 async linker = 0.002" M "\n"
                       "[17-25 c]\nc1 async thawed = 0.003" M "\ntiered async thawed = 0.03" M "\n"
                       "[21 d]\nc1 async thawed = 0.5" M "\n";
    holds_elsewhere(text, MODE_C1, "app", "thawed=0.003 linker=0.002 ");
    holds_elsewhere(text, MODE_C1, "all", "thawed=0.003 linker=0.002 ");
    // Another mode's where the own has none; the interpreter's stand alone.
    holds_elsewhere(text, MODE_TIERED, "app", "thawed=0.03 linker=0.002 ");
    holds_elsewhere(text, MODE_INT, "app", "");
    holds_elsewhere("[17 b]\nint async thawed = 0.001" M "\n", MODE_INT, "app", "thawed=0.001 ");
    holds_elsewhere("[17 b]\nint async thawed = 0.001" M "\n", MODE_C1, "app", "");
    // Of its own layer alone, and none where the row has a line, whatever it says.
    holds_elsewhere("[17 b]\nc1 structure thawed = 0.001" M "\n", MODE_C1, "app", "");
    holds_elsewhere("[17 b]\nc1 async thawed = 0.1" M "\n[17 *]\nc1 async thawed = 1e-6" M
                    "\n[17 a]\nint async linker = 1%" M "\n",
                    MODE_C1, "app", "");
    // In a case that was never measured a general line is one among all.
    holds_elsewhere("[17 b]\nc1 async thawed = 0.1" M "\n[17 *]\nc1 async thawed = 1e-6" M
                    "\n[21 a]\nint async linker = 1%" M "\n",
                    MODE_C1, "app", "thawed=0.1 ");
    // GetStackTrace is asked for more.
    struct ceilings ceilings = given("[17 b]\nc1 ground,gst,safepoint thawed = 0.1%" M "\n");
    struct ceilings_room room;
    struct results_expected expected[ORACLE_LAYER_COUNT] = {0};
    ceilings_for(&ceilings, &(struct ceilings_row){"a", &modes[MODE_C1], "app", 17, NULL}, &room,
                 expected);
    cr_expect_eq(expected[ORACLE_LAYER_GROUND].ceiling_count, 0);
    cr_expect_eq(expected[ORACLE_LAYER_GST].ceiling_count, 0);
    cr_expect_eq(expected[ORACLE_LAYER_SAFEPOINT].ceiling_count, 1);
    ceilings_free(&ceilings);
    // Causes alone.
    holds_elsewhere("[17 b]\nc1 async refused.deopt = 1%" M "\nc1 async transition = 1%" M
                    "\nc1 async attribution = 1%" M "\n",
                    MODE_C1, "app", "");
}

Test(ceilings, a_refusal_in_a_row_that_was_never_measured_has_the_highest_of_case_or_scope) {
    const char* text =
        "[17 a]\nc1 async refused.deopt = 2%" M "\nc1,c2 async refused.deopt = 3%" M
        "\ntiered async refused.deopt = 9%" M "\n[17 b]\nc1 async refused.deopt = 50%" M
        "\n[17 *]\nc1 async refused.GC_active = 40%" M "\n";
    holds_elsewhere(text, MODE_C1, "all", "refused.deopt=0.03 ");
    holds_elsewhere(text, MODE_TIERED, "all", "refused.deopt=0.09 ");
    holds_elsewhere(text, MODE_INT, "all", ""); // not in that mode
    // Where a line names the case in the mode and scope, what has no line was seldom.
    holds_elsewhere(text, MODE_C1, "app", "");
    holds_elsewhere("[17 a]\nc1 async refused.deopt = 2%" M "\nc1 async transition = 2%" M
                    " scope=all\n",
                    MODE_C1, "all", "");
    holds_elsewhere("[17 a]\nc1 async refused.deopt = 2%" M "\ntiered async transition = 2%" M
                    " scope=all\n",
                    MODE_C1, "all", "refused.deopt=0.02 ");
    // Another case's in the scope, but the interpreter's stand alone; in scope app no other case's.
    const char* mixed =
        "[17 a]\nc1,int async refused.deopt = 2%" M "\n[17 b]\ntiered async refused.deopt = 5%" M
        " scope=all\ntiered async refused.GC_active = 1%" M " scope=all\n";
    holds_elsewhere(mixed, MODE_C1, "all", "refused.deopt=0.05 refused.GC_active=0.01 ");
    holds_elsewhere(mixed, MODE_INT, "all", "refused.deopt=0.02 ");
    holds_elsewhere(mixed, MODE_C2, "app", "");
    // Of refusals alone, and of the layer.
    holds_elsewhere("[17 a]\nc1 async transition = 2%" M "\nc1 sandwich refused.deopt = 3%" M "\n",
                    MODE_C1, "all", "");
}

// Where its signal arrives, and what it refuses there, is the machine's.
Test(ceilings, what_a_sandwich_refuses_varies_from_machine_to_machine) {
    struct ceilings ceilings =
        given("[17 a]\nc1 sandwich,async refused.deopt = 1%" M "\nc1 sandwich thawed = 1%" M "\n");
    struct ceilings_room room;
    struct results_expected expected[ORACLE_LAYER_COUNT] = {0};
    ceilings_for(&ceilings, &(struct ceilings_row){"a", &modes[MODE_C1], "app", 17, NULL}, &room,
                 expected);
    const struct results_expected* sandwich = &expected[ORACLE_LAYER_SANDWICH];
    cr_assert_eq(sandwich->ceiling_count, 2);
    cr_assert_eq(expected[ORACLE_LAYER_ASYNC].ceiling_count, 1);
    cr_expect_float_eq(expected[ORACLE_LAYER_ASYNC].ceilings[0].spread, 0.5, 1e-12);
    for (size_t i = 0; i < 2; i++) {
        const struct results_ceiling* c = &sandwich->ceilings[i];
        bool refused = c->subject == RESULTS_SUBJECT_REFUSAL;
        cr_expect_float_eq(c->spread, refused ? 0.820061 : 0.5, 1e-6); // of 0.5 and 0.65
        cr_expect_float_eq(c->mean, 0.01, 1e-12);
    }
    ceilings_free(&ceilings);
}

Test(ceilings, the_most_specific_line_holds) {
    // By case, whatever else.
    holds("[17 a]\n* * thawed = 0.0005" M "\n[17 *]\nc1 async thawed = 0.001" M
          "\n[17 b]\nint gst linker = 1%" M "\n",
          "b", MODE_C1, "async:thawed=0.001 ");
    holds("[17 a]\n* async thawed = 0.0005" M "\n[17 *]\nc1 async thawed = 0.001" M "\n", "a",
          MODE_C1, "async:thawed=0.0005 ");
    // By modes, then by layers, then by releases.
    const char* text = "[17 a]\nc1 async thawed = 0.001" M "\nc1,c2 async thawed = 0.0005" M "\n";
    holds(text, "a", MODE_C1, "async:thawed=0.001 ");
    holds(text, "a", MODE_C2, "async:thawed=0.0005 ");
    holds("[17 a]\nc1 async,gst thawed = 0.0005" M "\nc1 async thawed = 0.001" M "\n", "a", MODE_C1,
          "gst:thawed=0.0005 async:thawed=0.001 ");
    holds("[17 a]\nc1 async thawed = 0.0005" M "\n[17- ?]\nc1 async thawed = 0.001" M "\n", "a",
          MODE_C1, "async:thawed=0.0005 ");
    holds("[17 ?]\nc1 async thawed = 0.0005" M "\n[17- *]\nc1 async thawed = 0.001" M
          "\n[17 a]\nint gst linker = 1%" M "\n",
          "a", MODE_C1, "async:thawed=0.0005 ");
    // Lines of other subjects do not compete.
    holds("[17 *]\nc1 async thawed = 0.0005" M "\n[17 a]\nc1 async linker = 0.001" M "\n", "a",
          MODE_C1, "async:thawed=0.0005 async:linker=0.001 ");
}

Test(ceilings, a_bad_line_is_refused_with_file_and_line) {
    refuses("[17 a]\nc1 async thawed = 0.1%" M "\nc1 async sometimes = 0.1%" M "\n",
            ":3: a subject is a known cause, refused.CODE, attribution, transition, silent, cut or "
            "empty, not "
            "\"sometimes\"");
    refuses("[17 a]\nc1 async truncated = 0.1%" M "\n", "not \"truncated\"");
    refuses("[17 a]\nc1 async unexplained = 0.1%" M "\n", "not \"unexplained\"");
    refuses("[17 a]\nc1 async refused.often = 0.1%" M "\n", "not \"refused.often\"");
    refuses("[17 a]\nc1 async refused. = 0.1%" M "\n", "not \"refused.\"");
    refuses("[17 a]\nc1 async refused.other_code = 0.1%" M "\n", "not \"refused.other_code\"");
    refuses("[17 a]\nc1 async thawed+linker = 0.1%" M "\n", "not \"thawed+linker\"");
    refuses("[17 a]\nc1 async * = 0.1%" M "\n", "not \"*\"");
    refuses("[17 a]\nc9 async thawed = 0.1%" M "\n", ":2: there is no mode \"c9\"");
    refuses("[17 a]\nc1 asink thawed = 0.1%" M "\n", "there is no layer \"asink\"");
    refuses("[17 a]\nc1 async thawed more = 0.1%" M "\n", "too much: \"more\"");
    refuses("[17 a]\nc1 async = 0.1%" M "\n", "not \"\"");
    refuses("[17]\nc1 async thawed = 0.1%" M "\n", "a section is [RELEASES CASE]");
    refuses("[17 a b]\nc1 async thawed = 0.1%" M "\n", "a section is [RELEASES CASE]");
    refuses("[17-11 a]\nc1 async thawed = 0.1%" M "\n", "a section is [RELEASES CASE]");
    refuses("[66666666666666666668 a]\nc1 async thawed = 0.1%" M "\n",
            "a section is [RELEASES CASE]");
    refuses("[8-2147483648 a]\nc1 async thawed = 0.1%" M "\n", "a section is [RELEASES CASE]");
    refuses("c1 async thawed = 0.1%" M "\n", "a section is [RELEASES CASE]");
    refuses("[17 a-name-as-long-as-this-would-be-cut-off-by-inih]\nc1 async thawed = 0.1%" M "\n",
            "a section's name is longer than 49 bytes");
    refuses("[17 a]\nnothing\n", ":2: malformed");
    refuses("[17 a]\nc1 async thawed = 0.1%" M " colour=red\n", "malformed: \"colour=red\"");
    refuses("[17 a]\nc1 async thawed = 0.1%" M " scope=some\n", "malformed: \"scope=some\"");
    refuses("[17 a]\nc1 async thawed = 0.1%" M " bug=JDK-1\n", "malformed: \"bug=JDK-1\"");
    refuses("[17 a]\nc1 async thawed = 0.1%" M " finding=1\n", "malformed: \"finding=1\"");
}

Test(ceilings, impossible_numbers_are_refused) {
    refuses("[17 a]\nc1 async thawed = 1.5" M "\n", ":2: the mean is N%");
    refuses("[17 a]\nc1 async thawed = 101%" M "\n", "the mean is N%");
    refuses("[17 a]\nc1 async thawed = 0%" M "\n", "the mean is N%");
    refuses("[17 a]\nc1 async thawed = -1%" M "\n", "the mean is N%");
    refuses("[17 a]\nc1 async thawed = nan%" M "\n", "the mean is N%");
    refuses("[17 a]\nc1 async thawed = 0x1%" M "\n", "the mean is N%");
    refuses("[17 a]\nc1 async thawed = 0.1x" M "\n", "the mean is N%");
#define AT " measured=2026-11-22,17.0.19+10"
    refuses("[17 a]\nc1 async thawed = 1% runs=2" AT "\n", "no spread= in");
    refuses("[17 a]\nc1 async thawed = 1% spread=0 runs=2" AT "\n", "malformed: \"spread=0\"");
    refuses("[17 a]\nc1 async thawed = 1% spread=-1 runs=2" AT "\n", "malformed: \"spread=-1\"");
    refuses("[17 a]\nc1 async thawed = 1% spread=11 runs=2" AT "\n", "malformed: \"spread=11\"");
    refuses("[17 a]\nc1 async thawed = 1% spread=inf runs=2" AT "\n", "malformed: \"spread=inf\"");
    refuses("[17 a]\nc1 async thawed = 1% spread=1 spread=2 runs=2" AT "\n",
            "malformed: \"spread=2\"");
    refuses("[17 a]\nc1 async thawed = 1% spread=1" AT "\n", "no runs= in");
    refuses("[17 a]\nc1 async thawed = 1% spread=1 runs=0" AT "\n", "malformed: \"runs=0\"");
    refuses("[17 a]\nc1 async thawed = 1% spread=1 runs=1.5" AT "\n", "malformed: \"runs=1.5\"");
    refuses("[17 a]\nc1 async thawed = 1% spread=1 runs=2 runs=3" AT "\n", "malformed: \"runs=3\"");
    refuses("[17 a]\nc1 async thawed = 1% spread=1 runs=2\n", "no measured= in");
    refuses("[17 a]\nc1 async thawed = 1% spread=1 runs=2 measured=22.11.2026,17\n",
            "malformed: \"measured=");
    refuses("[17 a]\nc1 async thawed = 1% spread=1 runs=2 measured=2026-13-22,17\n",
            "malformed: \"measured=");
    refuses("[17 a]\nc1 async thawed = 1% spread=1 runs=2 measured=2026-11-22,\n",
            "malformed: \"measured=");
    refuses("[17 a]\nc1 async thawed = 1% spread=1 runs=2 measured=2026-11-22\n",
            "malformed: \"measured=");
}

Test(ceilings, what_is_said_twice_is_refused) {
    refuses("[17 a]\nc1 async thawed = 0.1%" M "\nc1 async thawed = 0.05%" M "\n",
            ":3: stands there twice");
    refuses("[17 a]\nc1 async refused.deopt = 1%" M "\nc1 async refused.deopt = 2%" M "\n",
            ":3: stands there twice");
    refuses("[8-17 a]\nc1 async thawed = 0.1%" M "\n[11-21 a]\nc1 async thawed = 0.05%" M "\n",
            ":4: stands there twice");
    refuses("[11-21 a]\nc1 async thawed = 0.1%" M "\n[11-21 a]\nc1 async thawed = 0.05%" M "\n",
            ":4: stands there twice");
    refuses("[17 a]\nc1 async thawed = 0.1%" M "\n    and more\n", ":3: ");
    struct ceilings e = given("[17 a]\nc1 async refused.deopt = 1%" M
                              "\nc1 async refused.no_Java_frame = 2%" M "\n");
    cr_expect_eq(e.count, 2, "two codes are two subjects");
    ceilings_free(&e);
}

Test(ceilings, a_line_of_fewer_releases_goes_before_one_that_has_them_too) {
    const char* within =
        "[17 a]\nc1 async refused.deopt = 10%" M "\n[11-21 a]\nc1 async refused.deopt = 20%" M "\n";
    const char* without =
        "[11-21 a]\nc1 async refused.deopt = 20%" M "\n[17 a]\nc1 async refused.deopt = 10%" M "\n";
    holds_in(within, "a", MODE_C1, "app", 17, "async:refused.deopt=0.1 ");
    holds_in(without, "a", MODE_C1, "app", 17, "async:refused.deopt=0.1 ");
    holds_in(within, "a", MODE_C1, "app", 11, "async:refused.deopt=0.2 ");
}

Test(ceilings, a_file_that_is_not_there_is_told) {
    struct ceilings ceilings;
    char error[512] = "";
    cr_expect_eq(
        ceilings_read("/nowhere/expectations.ini", made_causes(), &ceilings, error, sizeof error),
        -1);
    cr_expect(strstr(error, "/nowhere/expectations.ini: No such file") != NULL, "%s", error);
}

// ---- The lists that are shipped: unit tests run at the top of the tree --------------------------

static struct lists shipped(void) {
    struct lists lists = {0};
    struct home home = {.causes_list = "cases/causes.ini",
                        .cases_list = "cases/cases.ini",
                        .programs_list = "cases/programs.ini",
                        .expectations = "cases/expectations.ini"};
    char error[512] = "";
    cr_assert_eq(lists_read(&lists, LISTS_CASES | LISTS_PROGRAMS | LISTS_CEILINGS, &home, error,
                            sizeof error),
                 0, "%s", error);
    return lists;
}

// A line of a case that is not there, or was named anew, would hold for nothing.
Test(ceilings, each_of_those_of_the_project_is_for_a_case_or_a_program_that_there_is) {
    struct lists lists = shipped();
    cr_expect_geq(lists.ceilings.count, 1);
    for (size_t i = 0; i < lists.ceilings.count; i++) {
        const struct ceiling* line = &lists.ceilings.list[i];
        bool any = false;
        for (size_t c = 0; c < lists.cases.count; c++)
            any = any || ceilings_names(line, lists.cases.list[c].name);
        for (size_t p = 0; p < lists.programs.count; p++)
            any = any || ceilings_names(line, lists.programs.list[p].name);
        cr_expect(any, "no case is called %s", line->cases);
    }
    lists_free(&lists);
}
