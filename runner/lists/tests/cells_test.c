// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "lists.h"
#include "runner/options/options.h"

#define ALL_REGIONS ((1u << RESULTS_REGION_COUNT) - 1)

static struct cells cells_of(const char* words, enum mode_id mode) {
    static struct cells cells; // the list points into it
    char why[80] = "";
    cr_assert(cells_valid(words, why, sizeof why), "%s: %s", words, why);
    cells_for(words, &modes[mode], &cells);
    return cells;
}

static void asks(const char* words, enum mode_id mode, const char* wanted) {
    struct cells cells = cells_of(words, mode);
    char text[256] = "";
    for (size_t i = 0; i < cells.count; i++)
        sprintf(text + strlen(text), "%s%s", i == 0 ? "" : " ", cells.texts[i]);
    cr_expect_str_eq(text, wanted, "\"%s\" in %s: \"%s\"", words, modes[mode].name, text);
}

Test(cells, are_those_of_the_mode) {
    asks("", MODE_INT, "");
    asks("int:interpreter c1:c1_1/body *:stub", MODE_INT, "interpreter stub");
    asks("int:interpreter c1:c1_1/body *:stub", MODE_C1, "c1_1/body stub");
    asks(" int:interpreter  c1:c1_1/body\t*:stub ", MODE_C2, "stub");
}

Test(cells, that_a_mode_cannot_reach_are_not_asked_for) {
    asks("*:c2/body *:c1_3 *:compiled *:vtable_stub *:native", MODE_INT, "native");
    asks("*:c2/body *:c1_3 *:compiled *:vtable_stub", MODE_C1, "compiled vtable_stub");
    asks("*:c2/body *:c1_3 *:compiled *:c1_1+c1_2", MODE_C2, "c2/body compiled");
    asks("*:c2/body *:c1_3 *:compiled", MODE_TIERED, "c2/body c1_3 compiled");
    cr_expect_eq(cells_of("*:compiled", MODE_C2).list[0].kinds, 1u << RESULTS_CODE_C2);
}

Test(cells, name_kinds_and_regions_of_which_any_will_do) {
    struct cells cells = cells_of("*:c1_2+c1_3/entry+exit *:stub", MODE_TIERED);
    cr_assert_eq(cells.count, 2);
    cr_expect_eq(cells.list[0].kinds, 1u << RESULTS_CODE_C1_2 | 1u << RESULTS_CODE_C1_3);
    cr_expect_eq(cells.list[0].regions, 1u << RESULTS_REGION_ENTRY | 1u << RESULTS_REGION_EXIT);
    cr_expect_eq(cells.list[1].regions, ALL_REGIONS);
}

static void refuses(const char* words, const char* culprit) {
    char why[80] = "";
    cr_expect_not(cells_valid(words, why, sizeof why), "%s", words);
    cr_expect_eq(strncmp(why, culprit, strlen(culprit)), 0, "%s: %s", words, why);
}

Test(cells, that_are_malformed_are_named) {
    refuses("c2", "c2");
    refuses("*:stub c4:c2", "c4:c2");
    refuses("*:c3", "*:c3");
    refuses("*:", "*:");
    refuses("*:c2/", "*:c2/");
    refuses("*:c2/middle", "*:c2/middle");
    refuses("*:c2+", "*:c2+");
    refuses("*:+c2", "*:+c2");
    refuses(":c2", ":c2");
    refuses("*:stub *:stub *:stub *:stub *:stub *:stub *:stub *:stub *:stub *:stub *:stub *:stub "
            "*:stub *:stub *:stub *:stub *:jvm",
            "*:jvm (too many)");
}

Test(cells, ask_for_stubs_by_name) {
    struct cells cells = cells_of("c2:stub=*crc32* *:stub", MODE_C2);
    cr_assert_eq(cells.count, 2);
    cr_expect_str_eq(cells.list[0].stub, "*crc32*");
    cr_expect_str_eq(cells.list[0].text, "stub=*crc32*");
    cr_expect_eq(cells.list[0].kinds, 1u << RESULTS_CODE_STUB);
    cr_expect_null(cells.list[1].stub);
    cr_expect_eq(cells_of("c2:stub=*crc32*", MODE_INT).count, 0);
    char why[64] = "";
    cr_expect_not(cells_valid("c2:stub=", why, sizeof why), "no name");
    cr_expect_not(cells_valid("c2:c2=x", why, sizeof why));
    cr_expect_not(cells_valid("x:stub=a", why, sizeof why));
}
