// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "synthetic.h"

static void print_table(const void* report, FILE* out) {
    observer_print(report, out);
}

static struct results_execution in_scope(const struct results_run* run, const char* scope,
                                         const char* mode, uint64_t units) {
    struct results_execution execution = synthetic_execution(run, mode);
    execution.scope = scope;
    execution.units = units;
    execution.unit_seconds = 2;
    if (strcmp(scope, "none") == 0)
        execution.layers = 1u << ORACLE_LAYER_STRUCTURE | 1u << ORACLE_LAYER_SANDWICH;
    return execution;
}

Test(observer, puts_the_scopes_of_a_case_and_mode_beside_each_other) {
    struct results_run* bare = synthetic_run(5000);
    struct results_run* app = synthetic_run(5000);
    bare->layers[ORACLE_LAYER_STRUCTURE].verdict[ORACLE_IMPOSSIBLE_CALL] = 10;
    bare->layers[ORACLE_LAYER_STRUCTURE].verdict[ORACLE_REFUSED] = 1000;
    app->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_MISSING] = 5;
    app->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_ATTRIBUTION] = 50;
    struct results_execution executions[] = {
        in_scope(bare, "none", "c2", 4000), in_scope(app, "app", "c2", 1000),
        in_scope(bare, "none", "int", 0), in_scope(app, "app", "int", 1000)};
    struct results_report report = {.executions = executions, .execution_count = 4};
    cr_assert_eq(results_report_judge(&report), 0);
    struct observer_cell cells[OBSERVER_SCOPES];
    cr_assert_eq(observer_cells(&report, 0, cells, OBSERVER_SCOPES), 2);
    cr_expect_null(cells[0].async, "scope none has no trace stack");
    cr_expect_eq(cells[0].structure->mismatched, 10);
    cr_expect_eq(cells[0].refused, 1000);
    cr_expect_eq(cells[0].answered, 6010);
    cr_expect_float_eq(cells[0].speed, 2000, 1e-9);
    cr_expect_eq(cells[1].async->mismatched, 5);
    cr_expect_eq(cells[1].async->attribution, 50);
    cr_expect_float_eq(cells[1].relative, 0.25, 1e-9);
    cr_expect_eq(observer_cells(&report, 1, cells, OBSERVER_SCOPES), 0, "told already");
    cr_assert_eq(observer_cells(&report, 2, cells, OBSERVER_SCOPES), 2);
    cr_expect_eq(cells[1].relative, 0, "nothing to compare with");
    char* text = synthetic_output(print_table, &report);
    cr_expect_not_null(strstr(text, "10/5010 = 0.200 %"), "%s", text);
    cr_expect_not_null(strstr(text, "5/5055 = 0.099 %"), "%s", text);
    cr_expect_not_null(strstr(text, "0.25 of none's"), "%s", text);
    free(text);
    results_report_free(&report);
    free(bare);
    free(app);
}

Test(observer, says_nothing_of_one_scope) {
    struct results_run* run = synthetic_run(5000);
    struct results_execution executions[] = {in_scope(run, "app", "c2", 1),
                                             in_scope(run, "app", "int", 1)};
    struct results_report report = {.executions = executions, .execution_count = 2};
    cr_assert_eq(results_report_judge(&report), 0);
    char* text = synthetic_output(print_table, &report);
    cr_expect_str_empty(text);
    free(text);
    results_report_free(&report);
    free(run);
}
