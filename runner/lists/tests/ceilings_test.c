// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lists.h"
#include "runner/options/options.h"
#include "made_up.h"

#define M "measured=2026-11-20,17.0.19+10,1/100000 "

static struct ceilings given(const char* text) {
    struct ceilings ceilings;
    char error[512] = "";
    cr_assert_eq(ceilings_read(made_text(text), &ceilings, error, sizeof error), 0, "%s", error);
    return ceilings;
}

static void refuses(const char* text, const char* wanted) {
    struct ceilings ceilings;
    char error[512] = "";
    cr_expect_eq(ceilings_read(made_text(text), &ceilings, error, sizeof error), -1, "%s", text);
    cr_expect(strstr(error, wanted) != NULL, "\"%s\" is not in: %s", wanted, error);
    cr_expect_eq(ceilings.count, 0);
}

// What holds for case `test` in a mode of release 17, scope app, as "layer:bits=ceiling ..."
static void holds_in(const char* text, const char* test, enum mode_id mode, const char* scope,
                     int feature, const char* wanted) {
    struct ceilings ceilings = given(text);
    struct ceilings_room room;
    struct results_expected expected[ORACLE_LAYER_COUNT];
    char found[512] = "";
    memset(&room, 0xa5, sizeof room);
    memset(expected, 0, sizeof expected);
    const struct ceilings_row row = {test, &modes[mode], scope, feature};
    ceilings_for(&ceilings, &row, &room, expected);
    for (int l = 0; l < ORACLE_LAYER_COUNT; l++) {
        for (size_t i = 0; i < expected[l].ceiling_count; i++) {
            const struct results_ceiling* ceiling = &expected[l].ceilings[i];
            sprintf(found + strlen(found), "%s:", oracle_layer_text((enum oracle_layer)l));
            if (__builtin_popcount(ceiling->verdicts) > 4)
                sprintf(found + strlen(found), "%d", __builtin_popcount(ceiling->verdicts));
            else
                for (int v = 0; v < ORACLE_VERDICT_COUNT; v++)
                    if (ceiling->verdicts & 1u << v)
                        sprintf(found + strlen(found), "%s+",
                                oracle_verdict_text((enum oracle_verdict)v));
            sprintf(found + strlen(found), "=%g ", ceiling->rate);
        }
    }
    cr_expect_str_eq(found, wanted, "%s in %s of %d: \"%s\"", test, modes[mode].name, feature,
                     found);
    ceilings_free(&ceilings);
}

static void holds(const char* text, const char* test, enum mode_id mode, const char* wanted) {
    holds_in(text, test, mode, "app", 17, wanted);
}

Test(ceilings, a_line_holds_for_its_modes_layers_and_verdicts) {
    const char* text = "[17 mixed]\nc1,tiered async truncated = 0.1% " M "why=x\n"
                       "int gst,safepoint phantom+missing = 0.001 " M "why=x\n";
    holds(text, "mixed", MODE_C1, "async:truncated+=0.001 ");
    holds(text, "mixed", MODE_TIERED, "async:truncated+=0.001 ");
    holds(text, "mixed", MODE_C2, "");
    holds(text, "mixed", MODE_INT, "gst:missing+phantom+=0.001 safepoint:missing+phantom+=0.001 ");
    holds(text, "mixes", MODE_C1, "");
}

Test(ceilings, a_line_holds_for_its_releases) {
    const char* text = "[17 a]\nc1 async truncated = 0.001 " M "why=x\n"
                       "[21-25 a]\nc1 async truncated = 0.0005 " M "why=x\n"
                       "[26- a]\nc1 async truncated = 0.0002 " M "why=x\n";
    holds_in(text, "a", MODE_C1, "app", 11, "");
    holds_in(text, "a", MODE_C1, "app", 17, "async:truncated+=0.001 ");
    holds_in(text, "a", MODE_C1, "app", 20, "");
    holds_in(text, "a", MODE_C1, "app", 21, "async:truncated+=0.0005 ");
    holds_in(text, "a", MODE_C1, "app", 25, "async:truncated+=0.0005 ");
    holds_in(text, "a", MODE_C1, "app", 99, "async:truncated+=0.0002 ");
    holds_in("[* a]\nc1 async truncated = 0.001 " M "why=x\n", "a", MODE_C1, "app", 8,
             "async:truncated+=0.001 ");
}

Test(ceilings, a_line_holds_in_scope_app_unless_it_says_otherwise) {
    const char* text = "[17 a]\nc1 async truncated = 0.001 " M "why=x\n"
                       "c1 async missing = 0.0005 " M "scope=none,all why=x\n"
                       "c1 async phantom = 0.0002 " M "scope=* why=x\n";
    holds_in(text, "a", MODE_C1, "app", 17, "async:truncated+=0.001 async:phantom+=0.0002 ");
    holds_in(text, "a", MODE_C1, "none", 17, "async:missing+=0.0005 async:phantom+=0.0002 ");
    holds_in(text, "a", MODE_C1, "all", 17, "async:missing+=0.0005 async:phantom+=0.0002 ");
}

Test(ceilings, the_most_specific_line_holds) {
    const char* line = "async truncated = ";
    char text[600];
    // By case, whatever else.
    snprintf(text, sizeof text,
             "[17 a]\n* * * = 0.0005 " M "why=x\n[17 *]\nc1 %s0.001 " M "why=x\n", line);
    holds(text, "b", MODE_C1, "async:truncated+=0.001 ");
    holds(text, "a", MODE_C1,
          "ground:9=0.0005 gst:9=0.0005 safepoint:9=0.0005 async:9=0.0005 structure:9=0.0005 "
          "sandwich:9=0.0005 ");
    // By modes, then by layers, then by verdicts, then by releases.
    snprintf(text, sizeof text, "[17 a]\nc1 %s0.001 " M "why=x\nc1,c2 %s0.0005 " M "why=x\n", line,
             line);
    holds(text, "a", MODE_C1, "async:truncated+=0.001 ");
    holds(text, "a", MODE_C2, "async:truncated+=0.0005 ");
    holds("[17 a]\nc1 async * = 0.001 " M "why=x\nc1 async missing = 0.0005 " M "why=x\n", "a",
          MODE_C1, "async:8=0.001 async:missing+=0.0005 ");
    holds("[17- a]\nc1 async missing = 0.001 " M
          "why=x\n[17 a]\nc1 async missing+phantom = 0.0005 " M "why=x\n",
          "a", MODE_C1, "async:missing+=0.001 async:phantom+=0.0005 ");
    holds("[17 a]\nc1 async missing = 0.0005 " M "why=x\n[17- ?]\nc1 async missing = 0.001 " M
          "why=x\n",
          "a", MODE_C1, "async:missing+=0.0005 ");
}

Test(ceilings, all_walking_errors_are_one_star_and_attribution_stands_alone) {
    holds("[17 a]\nc1 async * = 0.1% " M "why=x\nc1 async attribution = 50% " M "finding=1 why=x\n",
          "a", MODE_C1, "async:9=0.001 async:attribution+=0.5 ");
    refuses("[17 a]\nc1 async attribution+missing = 0.1% " M "why=x\n", "attribution stands alone");
}

Test(ceilings, the_measurement_gives_a_known_bug_its_floor) {
    struct ceilings e = given(
        "[17 a]\nc1 async missing = 60% measured=2026-11-20,17.0.19+10,500/1000 bug=JDK-1 "
        "finding=1\n"
        "c2 async missing = 60% measured=2026-11-20,17.0.19+10,500/1000 finding=1\n"
        "int async missing = 60% measured=2026-11-20,17.0.19+10,500/1000 bug=JDK-1 floor=30% "
        "finding=1\n"
        "tiered async missing = 60% measured=2026-11-20,17.0.19+10,0/1000 bug=JDK-1 finding=1\n");
    cr_assert_eq(e.count, 4);
    double low = oracle_interval(500, 1000, 0.95).low;
    cr_expect_float_eq(e.list[0].limit.floor, low / 10, 1e-12);
    cr_expect_str_eq(e.list[0].limit.bug, "JDK-1");
    cr_expect_eq(e.list[1].limit.floor, 0, "no bug, no floor");
    cr_expect_null(e.list[1].limit.bug);
    cr_expect_float_eq(e.list[2].limit.floor, 0.3, 1e-12);
    cr_expect_eq(e.list[3].limit.floor, 0, "what was never seen cannot go");
    ceilings_free(&e);
}

Test(ceilings, a_bad_line_is_refused_with_file_and_line) {
    refuses("[17 a]\nc1 async missing = 0.1% " M "why=x\nc1 async sometimes = 0.1% " M "why=x\n",
            ":3: there is no mismatch \"sometimes\"");
    refuses("[17 a]\nc9 async missing = 0.1% " M "why=x\n", ":2: there is no mode \"c9\"");
    refuses("[17 a]\nc1 asink missing = 0.1% " M "why=x\n", "there is no layer \"asink\"");
    refuses("[17 a]\nc1 async missing more = 0.1% " M "why=x\n", "too much: \"more\"");
    refuses("[17 a]\nc1 async = 0.1% " M "why=x\n", "there is no mismatch \"\"");
    refuses("[17]\nc1 async missing = 0.1% " M "why=x\n", "a section is [RELEASES CASE]");
    refuses("[17 a b]\nc1 async missing = 0.1% " M "why=x\n", "a section is [RELEASES CASE]");
    refuses("[17-11 a]\nc1 async missing = 0.1% " M "why=x\n", "a section is [RELEASES CASE]");
    refuses("c1 async missing = 0.1% " M "why=x\n", "a section is [RELEASES CASE]");
    refuses("[17 a-name-as-long-as-this-would-be-cut-off-by-inih]\nc1 async missing = 0.1% " M
            "why=x\n",
            "too long a section");
    refuses("[17 a]\nnothing\n", ":2: malformed");
    refuses("[17 a]\nc1 async missing = 1.5 " M "why=x\n", "the ceiling is a fraction");
    refuses("[17 a]\nc1 async missing = -1% " M "why=x\n", "the ceiling is a fraction");
    refuses("[17 a]\nc1 async missing = 0.1x " M "why=x\n", "the ceiling is a fraction");
    refuses("[17 a]\nc1 async missing = 0.1% " M "colour=red why=x\n", "malformed: \"colour=red\"");
    refuses("[17 a]\nc1 async missing = 0.1% " M "bug= why=x\n", "malformed: \"bug=\"");
    refuses("[17 a]\nc1 async missing = 0.1% " M "bug=1 bug=2\n", "malformed: \"bug=2\"");
    refuses("[17 a]\nc1 async missing = 0.1% " M "scope=some why=x\n", "malformed: \"scope=some\"");
    refuses("[17 a]\nc1 async missing = 0.1% " M "bug=1 floor=0.2%\n", "malformed: \"floor=0.2%\"");
}

Test(ceilings, a_ceiling_is_measured_and_explained) {
    refuses("[17 a]\nc1 async missing = 0.1% why=x\n", "no measured= in");
    refuses("[17 a]\nc1 async missing = 0.1% " M "\n", "none of bug=, finding= and why=");
    refuses("[17 a]\nc1 async missing = 0.11% " M "bug=JDK-1 why=x\n", "above 0.1 %");
    refuses("[17 a]\nc1 async missing = 0.1% measured=2026-11-20,17.0.19+10,2/1000 why=x\n",
            "the ceiling is below what was measured");
    refuses("[17 a]\nc1 async missing = 0.1% measured=2026-11-20,17.0.19+10,2/1 why=x\n",
            "measured= is DATE,BUILD");
    refuses("[17 a]\nc1 async missing = 0.1% measured=20.11.2026,17.0.19+10,0/10 why=x\n",
            "measured= is DATE,BUILD");
    refuses("[17 a]\nc1 async missing = 0.1% measured=2026-11-20,17.0.19+10,0/0 why=x\n",
            "measured= is DATE,BUILD");
    refuses("[17 a]\nc1 async missing = 0.1% measured=2026-11-20,17.0.19+10,0/10k why=x\n",
            "measured= is DATE,BUILD");
}

Test(ceilings, what_is_said_twice_is_refused) {
    refuses("[17 a]\nc1 async missing = 0.1% " M "why=x\nc1 async missing = 0.05% " M "why=x\n",
            ":3: stands there twice");
    refuses("[17 a]\nc1 async missing = 0.1% " M "why=x\n[11-21 a]\nc1 async missing = 0.05% " M
            "why=x\n",
            ":4: stands there twice");
    refuses("[17 a]\nc1 async missing = 0.1% " M "\n    why=x\n", "none of bug=");
    refuses("[17 a]\nc1 async missing = 0.1% " M "why=x\n    and y\n", ":3: ");
}

Test(ceilings, a_file_that_is_not_there_is_told) {
    struct ceilings ceilings;
    char error[512] = "";
    cr_expect_eq(ceilings_read("/nowhere/expectations.ini", &ceilings, error, sizeof error), -1);
    cr_expect(strstr(error, "/nowhere/expectations.ini: No such file") != NULL, "%s", error);
}

static void explained(const char* finding, int wanted) {
    char text[200], findings[80], error[512] = "";
    snprintf(text, sizeof text, "[17 a]\nc1 async missing = 10%% " M "finding=%s\n", finding);
    struct ceilings e = given(text);
    snprintf(findings, sizeof findings, "/tmp/plumbline-findings-%d.md", (int)getpid());
    FILE* out = fopen(findings, "w");
    cr_assert_not_null(out);
    fputs("# Findings\n\n1 and 2 are no headings\n\n## 1. Long division: rbp\n\n### Mode int\n",
          out);
    fclose(out);
    cr_expect_eq(ceilings_explained(&e, findings, error, sizeof error), wanted, "%s: %s", finding,
                 error);
    if (wanted != 0) cr_expect(strstr(error, finding) != NULL, "%s", error);
    unlink(findings);
    ceilings_free(&e);
}

Test(ceilings, a_finding_is_the_beginning_of_a_heading) {
    explained("1", 0);
    explained("1-long-division", 0);
    explained("1-long-division-rbp", 0);
    explained("mode-int", 0);
    explained("2", -1);
    explained("1-long-div", -1);
    explained("and", -1);
}

// The lists that are shipped: unit tests run at the top of the tree.
Test(ceilings, those_of_the_project_are_well_formed_and_explained_in_findings_md) {
    struct ceilings e;
    char error[512] = "";
    cr_assert_eq(ceilings_read("cases/expectations.ini", &e, error, sizeof error), 0, "%s", error);
    cr_expect_eq(ceilings_explained(&e, "cases/findings.md", error, sizeof error), 0, "%s", error);
    ceilings_free(&e);
}

// A line of a case that is not there, or was named anew, would hold for nothing.
Test(ceilings, each_of_those_of_the_project_is_for_a_case_or_a_program_that_there_is) {
    struct ceilings e;
    struct cases cases;
    struct programs programs;
    char error[512] = "";
    cr_assert_eq(ceilings_read("cases/expectations.ini", &e, error, sizeof error), 0, "%s", error);
    cr_assert_eq(cases_read("cases/cases.ini", &cases, error, sizeof error), 0, "%s", error);
    cr_assert_eq(programs_read("cases/programs.ini", &programs, error, sizeof error), 0, "%s",
                 error);
    cr_expect_geq(e.count, 1);
    for (size_t i = 0; i < e.count; i++) {
        bool any = false;
        for (size_t c = 0; c < cases.count; c++)
            any = any || ceilings_names(&e.list[i], cases.list[c].name);
        for (size_t p = 0; p < programs.count; p++)
            any = any || ceilings_names(&e.list[i], programs.list[p].name);
        cr_expect(any, "no case is called %s", e.list[i].cases);
    }
    programs_free(&programs);
    cases_free(&cases);
    ceilings_free(&e);
}
