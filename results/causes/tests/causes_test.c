// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The file of known causes: what is read, what is refused, and what fits what.
#include <criterion/criterion.h>

#include "causes.h"
#include "parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int read_text(const char* text, struct results_causes* causes, char* error) {
    char path[] = "/tmp/causes-XXXXXX";
    int file = mkstemp(path);
    cr_assert(write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    int result = results_causes_read(path, causes, error, 200);
    unlink(path);
    return result;
}

#define ENDS "title = t\nfinding = 1\nshown = s\n"

static struct results_facts facts_of(enum oracle_verdict verdict, enum results_code_kind kind) {
    struct results_facts facts = {.offset = 0};
    facts.value[RESULTS_FACT_LAYER] = ORACLE_LAYER_ASYNC;
    facts.value[RESULTS_FACT_VERDICT] = (uint8_t)verdict;
    facts.value[RESULTS_FACT_KIND] = (uint8_t)kind;
    return facts;
}

static const struct results_cause* crash(const struct results_causes* causes, const char* function,
                                         const char* asked, int release) {
    return results_causes_crash(causes,
                                &(struct results_crash){.function = function,
                                                        .asked = asked,
                                                        .release = release,
                                                        .processor = RESULTS_PROCESSOR_X86_64});
}

Test(causes, a_crash_is_known_by_its_function_and_release) {
    struct results_causes causes;
    char error[200] = "";
    cr_assert_eq(read_text("[one]\n" ENDS "signature = verdict=truncated\n"
                           "[two]\n" ENDS "releases = 17-25\ncrash = frame::first  frame::sender "
                           "frame::last@Some::ldiv\n"
                           "signature = verdict=missing\n",
                           &causes, error),
                 0, "%s", error);
    const struct results_cause* two = results_causes_find(&causes, "two");
    cr_expect_eq(crash(&causes, "frame::sender(RegisterMap*) const+0x4", NULL, 17), two);
    cr_expect_eq(crash(&causes, "frame::first() const", NULL, 17), two, "the other one");
    cr_expect_null(crash(&causes, "frame::sender(RegisterMap*)", NULL, 11), "release");
    cr_expect_null(crash(&causes, "frame::sender_for(RegisterMap*)", NULL, 17), "longer");
    cr_expect_null(crash(&causes, "frame::sende", NULL, 17), "shorter");
    cr_expect_null(crash(&causes, "(frame)", NULL, 17), "a cause without crash");
    const char* last = "frame::last(int)+0x1";
    cr_expect_eq(crash(&causes, last, "Some::ldiv+0x1a", 17), two, "asked there");
    cr_expect_eq(crash(&causes, "frame::first()", "Some::lrem+0x1a", 17), two);
    cr_expect_null(crash(&causes, last, "Some::lrem+0x1a", 17), "asked elsewhere");
    cr_expect_null(crash(&causes, last, "Some::ldiv2+0x1a", 17), "longer");
    cr_expect_null(crash(&causes, last, NULL, 17), "not known where");
    results_causes_free(&causes);
}

Test(causes, a_crash_may_be_one_processors_alone) {
    struct results_causes causes;
    char error[200] = "";
    cr_assert_eq(read_text("[one]\n" ENDS "crash-processor = aarch64\ncrash = frame::first\n",
                           &causes, error),
                 0, "%s", error);
    struct results_crash it = {
        .function = "frame::first()", .release = 25, .processor = RESULTS_PROCESSOR_AARCH64};
    cr_expect_eq(results_causes_crash(&causes, &it), &causes.list[1]);
    it.processor = RESULTS_PROCESSOR_X86_64;
    cr_expect_null(results_causes_crash(&causes, &it));
    results_causes_free(&causes);
}

Test(causes, first_that_fits_wins) {
    struct results_causes causes;
    char error[200] = "";
    cr_assert_eq(read_text("[one]\n" ENDS "signature = verdict=truncated under=deopt\n"
                           "[two]\n" ENDS "releases = 17-25\nbug = JDK-1\n"
                           "signature = verdict=truncated+missing code=compiled\n"
                           "signature = name=Safepoint*|_olling offset=0-3\n",
                           &causes, error),
                 0, "%s", error);
    cr_assert_eq(causes.count, 3);
    struct results_facts f = facts_of(ORACLE_TRUNCATED, RESULTS_CODE_C2);
    cr_expect_eq(results_causes_decide(&causes, &f, 17, RESULTS_COLLECTOR_G1), 2);
    cr_expect_eq(results_causes_decide(&causes, &f, 11, RESULTS_COLLECTOR_G1), 0, "the release");
    f.under = 1u << RESULTS_UNDER_DEOPT | 1u << RESULTS_UNDER_ENTRY;
    cr_expect_eq(results_causes_decide(&causes, &f, 17, RESULTS_COLLECTOR_G1), 1);
    f = facts_of(ORACLE_PHANTOM, RESULTS_CODE_STUB);
    snprintf(f.name, sizeof f.name, "SafepointBlob");
    cr_expect_eq(results_causes_decide(&causes, &f, 17, RESULTS_COLLECTOR_G1), 2);
    f.offset = 4;
    cr_expect_eq(results_causes_decide(&causes, &f, 17, RESULTS_COLLECTOR_G1), 0, "the offset");
    f.offset = 3;
    snprintf(f.name, sizeof f.name, "polling");
    cr_expect_eq(results_causes_decide(&causes, &f, 25, RESULTS_COLLECTOR_G1), 2);
    snprintf(f.name, sizeof f.name, "polling2");
    cr_expect_eq(results_causes_decide(&causes, &f, 25, RESULTS_COLLECTOR_G1), 0, "the name");
    cr_expect_str_eq(results_causes_find(&causes, "two")->bug, "JDK-1");
    results_causes_free(&causes);
}

Test(causes, collectors_and_what_must_not_lie_under) {
    struct results_causes causes;
    char error[200] = "";
    cr_assert_eq(read_text("[z]\n" ENDS
                           "signature = collector=zgc+g1 not-under=entry all-under=deopt+after\n",
                           &causes, error),
                 0, "%s", error);
    struct results_facts f = facts_of(ORACLE_MISSING, RESULTS_CODE_JVM);
    f.under = 1u << RESULTS_UNDER_DEOPT;
    cr_expect_eq(results_causes_decide(&causes, &f, 17, RESULTS_COLLECTOR_Z), 0, "not all");
    f.under = 1u << RESULTS_UNDER_DEOPT | 1u << RESULTS_UNDER_AFTER;
    cr_expect_eq(results_causes_decide(&causes, &f, 17, RESULTS_COLLECTOR_Z), 1);
    cr_expect_eq(results_causes_decide(&causes, &f, 17, RESULTS_COLLECTOR_SERIAL), 0);
    f.under |= 1u << RESULTS_UNDER_ENTRY;
    cr_expect_eq(results_causes_decide(&causes, &f, 17, RESULTS_COLLECTOR_Z), 0);
    results_causes_free(&causes);
}

Test(causes, joint_names_of_code) {
    struct results_causes causes;
    char error[200] = "";
    cr_assert_eq(
        read_text("[c]\n" ENDS "signature = code=c1+stub caller=compiled\n", &causes, error), 0,
        "%s", error);
    for (int kind = 0; kind < RESULTS_CODE_KIND_COUNT; kind++) {
        struct results_facts f = facts_of(ORACLE_MISSING, (enum results_code_kind)kind);
        f.value[RESULTS_FACT_CALLER] = RESULTS_CODE_C2;
        bool fits =
            (kind >= RESULTS_CODE_C1_1 && kind <= RESULTS_CODE_C1_3) || kind == RESULTS_CODE_STUB;
        cr_expect_eq(results_causes_decide(&causes, &f, 17, RESULTS_COLLECTOR_G1), fits);
        f.value[RESULTS_FACT_CALLER] = RESULTS_CODE_INTERPRETER;
        cr_expect_eq(results_causes_decide(&causes, &f, 17, RESULTS_COLLECTOR_G1), 0);
    }
    results_causes_free(&causes);
}

Test(causes, the_projects_own_file_is_good) {
    struct results_causes causes;
    char error[300] = "";
    cr_expect_eq(results_causes_read("cases/causes.ini", &causes, error, sizeof error), 0, "%s",
                 error);
    cr_expect_gt(causes.count, 10);
    results_causes_free(&causes);
}

Test(causes, refusals_name_the_line) {
    static const struct {
        const char *text, *wanted;
    } wrong[] = {
        {"[a]\n" ENDS "signature = verdict=none\n", ":5: no such fact or value: \"verdict=none\""},
        {"[a]\n" ENDS "signature = colour=red\n", "colour=red"},
        {"[a]\n" ENDS "signature = under\n", "\"under\""},
        {"[a]\n" ENDS "signature = \n", "an empty signature"},
        {"[a]\n" ENDS "signature = offset=9-3\n", "offset=9-3"},
        {"[a]\n" ENDS "signature = offset=-1\n", "offset=-1"},
        {"[a]\n" ENDS "signature = offset=0-4294967296\n", "offset=0-4294967296"},
        {"[a]\n" ENDS, "[a] needs title, finding, shown, and a signature or a crash"},
        {"[a]\n" ENDS "crash-processor = vax\ncrash = f\n", "no processor: \"vax\""},
        {"[a]\nshown = s\nfinding = 1\nsignature = verdict=missing\n", "[a] needs title"},
        {"[a]\n" ENDS "releases = x\n", "no releases: \"x\""},
        {"[a]\n" ENDS "releases = 21-17\n", "no releases"},
        {"[a]\n" ENDS "releases = -8\n", "no releases"},
        {"[a]\n" ENDS "releases = 0\n", "no releases"},
        {"[a]\n" ENDS "releases =\n", "no releases"},
        {"[a]\n" ENDS "releases = 8 -17\n", "no releases"},
        {"[a]\n" ENDS "releases = 66666666666666666668\n", "no releases"},
        {"[a]\n" ENDS "releases = 8-2147483648\n", "no releases"},
        {"[a]\nrate = 5\n", "unknown key \"rate\""},
        {"[A]\ntitle = t\n", "small letters"},
        {"[unexplained]\ntitle = t\n", "twice the cause"},
        {"[a]\n" ENDS "signature = verdict=missing\n[b]\n" ENDS
         "signature = verdict=missing\n[a]\ntitle = t\n",
         "twice the cause \"a\""},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct results_causes causes;
        char error[200] = "";
        cr_expect_eq(read_text(wrong[i].text, &causes, error), -1, "%s", wrong[i].text);
        cr_expect(strstr(error, wrong[i].wanted) != NULL, "%s", error);
        cr_expect_eq(causes.count, 0);
    }
    struct results_causes causes;
    char error[200];
    cr_expect_eq(results_causes_read("/nowhere/causes.ini", &causes, error, sizeof error), -1);
    cr_expect(strstr(error, "/nowhere/causes.ini: No such file") != NULL, "%s", error);
}

Test(causes, every_value_has_a_bit_and_a_text_that_reads_back) {
    for (int f = 0; f < RESULTS_FACT_COUNT; f++) {
        enum results_fact fact = (enum results_fact)f;
        uint32_t values = 0;
        for (; strcmp(results_fact_text(fact, values), "?") != 0; values++) {
            const char* text = results_fact_text(fact, values);
            int back = facts_value(fact, text, strlen(text));
            cr_expect_eq(back, (int)values, "%s=%s", results_fact_word(fact), text);
        }
        cr_expect(values > 1 && values <= FACTS_VALUES_MAX, "%s", results_fact_word(fact));
    }
}

Test(causes, facts_in_words) {
    char text[RESULTS_FACTS_TEXT];
    struct results_facts f = facts_of(ORACLE_TRUNCATED, RESULTS_CODE_JVM);
    f.under = 1u << RESULTS_UNDER_DEOPT | 1u << RESULTS_UNDER_ENTRY;
    snprintf(f.name, sizeof f.name, "libjvm.so");
    f.value[RESULTS_FACT_LOST] = RESULTS_LOST_3;
    cr_expect_str_eq(results_facts_text(&f, text),
                     "layer=async verdict=truncated place=youngest lost=3 code=jvm "
                     "under=deopt+entry name=libjvm.so");
}

Test(causes, facts_are_read_back) {
    char text[RESULTS_FACTS_TEXT], again[RESULTS_FACTS_TEXT];
    struct results_facts f = facts_of(ORACLE_MISSING, RESULTS_CODE_STUB), back;
    f.under = 1u << RESULTS_UNDER_BARRIER | 1u << RESULTS_UNDER_AFTER;
    f.offset = 17;
    snprintf(f.name, sizeof f.name, "method entry point (kind = zerolocals)");
    for (int i = RESULTS_FACT_STATE; i < RESULTS_FACT_COUNT; i++) f.value[i] = 1;
    results_facts_read(results_facts_text(&f, text), &back);
    cr_expect_arr_eq(&back, &f, sizeof f, "%s / %s", text, results_facts_text(&back, again));
    results_facts_read("name=a b=c", &back);
    cr_expect_str_eq(back.name, "a b=c");
    results_facts_read("verdict=green colour=red under=sea+deopt =", &back);
    cr_expect_eq(back.under, 1u << RESULTS_UNDER_DEOPT);
    cr_expect_eq(back.value[RESULTS_FACT_VERDICT], 0);
}

Test(facts, a_name_without_an_end_is_printed_as_far_as_it_goes) {
    struct {
        struct results_facts f;
        char behind[8];
    } piece = {.behind = "behind"};
    char text[RESULTS_FACTS_TEXT];
    memset(piece.f.name, 'x', sizeof piece.f.name);
    results_facts_text(&piece.f, text);
    const char* name = strstr(text, " name=");
    cr_assert_not_null(name);
    cr_expect_eq(strlen(name), strlen(" name=") + RESULTS_FACT_NAME - 1);
    cr_expect_eq(strspn(name + strlen(" name="), "x"), RESULTS_FACT_NAME - 1);
}
