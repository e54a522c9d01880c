// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <ctype.h>
#include <errno.h>
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

// ---- Findings ---------------------------------------------------------------------------------

// A heading as the anchor that Markdown makes of it: "## 1. Long division" is 1-long-division.
static bool read_anchor(const char* heading, char* anchor, size_t size) {
    if (*heading != '#') return false;
    size_t used = 0;
    for (heading += strspn(heading, "# "); *heading != '\0' && used + 1 < size; heading++)
        if (isalnum((unsigned char)*heading) || *heading == '-' || *heading == '_')
            anchor[used++] = (char)tolower((unsigned char)*heading);
        else if (*heading == ' ') anchor[used++] = '-';
    anchor[used] = '\0';
    return true;
}

static bool has_heading(FILE* file, const char* finding) {
    char line[512], anchor[512];
    size_t length = strlen(finding);
    rewind(file);
    while (fgets(line, sizeof line, file) != NULL)
        if (read_anchor(line, anchor, sizeof anchor) && strncmp(anchor, finding, length) == 0 &&
            (anchor[length] == '\0' || anchor[length] == '-'))
            return true;
    return false;
}

// Does the file at `path` (findings.md) have a heading for the `finding` of each cause? A finding
// is the beginning of a heading, as its anchor: 1, mode-int. 0, or -1 with the first that has none
// in `error`.
static int find_headings(const struct results_causes* causes, const char* path, char* error,
                         size_t error_size) {
    FILE* file = fopen(path, "r");
    if (file == NULL) return base_reason(-1, error, error_size, "%s: %s", path, strerror(errno));
    int result = 0;
    for (size_t i = 1; i < causes->count && result == 0; i++) {
        const struct results_cause* cause = &causes->list[i];
        if (has_heading(file, cause->finding)) continue;
        snprintf(error, error_size, "%s has no heading \"%s\" (cause %s)", path, cause->finding,
                 cause->name);
        result = -1;
    }
    fclose(file);
    return result;
}

static void explained(char* finding, int wanted) {
    struct results_cause list[] = {{.name = "unexplained"}, {.name = "a", .finding = finding}};
    const struct results_causes causes = {2, list};
    char error[512] = "";
    const char* path = made_text(
        "# Findings\n\n1 and 2 are no headings\n\n## 1. Long division: rbp\n\n### Mode int\n");
    cr_expect_eq(find_headings(&causes, path, error, sizeof error), wanted, "%s: %s", finding,
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
    cr_expect_eq(find_headings(made_causes(), "/nowhere/findings.md", error, sizeof error), -1);
    cr_expect(strstr(error, "/nowhere/findings.md: No such file") != NULL, "%s", error);
}

Test(causes, those_of_the_project_are_explained_in_findings_md) {
    struct results_causes causes;
    char error[512] = "";
    cr_assert_eq(results_causes_read("cases/causes.ini", &causes, error, sizeof error), 0, "%s",
                 error);
    cr_expect_gt(causes.count, 1);
    cr_expect_eq(find_headings(&causes, "cases/findings.md", error, sizeof error), 0, "%s", error);
    results_causes_free(&causes);
}
