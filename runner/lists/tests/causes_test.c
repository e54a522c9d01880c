// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lists.h"
#include "made_up.h"

static void names(const char* name, uint32_t wanted) {
    cr_expect_eq(lists_cause(made_causes(), name, strlen(name)), wanted, "%s", name);
}

Test(causes, are_found_by_their_whole_names) {
    names("runtime-stub", 1);
    names("linker", 4);
    names("linke", RESULTS_UNEXPLAINED);
    names("linkers", RESULTS_UNEXPLAINED);
    names("", RESULTS_UNEXPLAINED);
    names("unexplained", RESULTS_UNEXPLAINED);
    cr_expect_eq(lists_cause(made_causes(), "thawed@async", 6), 3, "the name has no end");
}

static void explained(char* finding, int wanted) {
    struct results_cause list[] = {{.name = "unexplained"}, {.name = "a", .finding = finding}};
    const struct results_causes causes = {2, list};
    char error[512] = "";
    const char* path = made_text(
        "# Findings\n\n1 and 2 are no headings\n\n## 1. Long division: rbp\n\n### Mode int\n");
    cr_expect_eq(lists_explained(&causes, path, error, sizeof error), wanted, "%s: %s", finding,
                 error);
    if (wanted != 0) cr_expect(strstr(error, finding) != NULL, "%s", error);
}

Test(causes, a_finding_is_the_beginning_of_a_heading) {
    explained((char[]){"1"}, 0);
    explained((char[]){"1-long-division"}, 0);
    explained((char[]){"1-long-division-rbp"}, 0);
    explained((char[]){"mode-int"}, 0);
    explained((char[]){"2"}, -1);
    explained((char[]){"1-long-div"}, -1);
    explained((char[]){"and"}, -1);
}

Test(causes, without_findings_nothing_is_explained) {
    char error[512] = "";
    cr_expect_eq(lists_explained(made_causes(), "/nowhere/findings.md", error, sizeof error), -1);
    cr_expect(strstr(error, "/nowhere/findings.md: No such file") != NULL, "%s", error);
}
