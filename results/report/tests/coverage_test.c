// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "synthetic.h"

#define C2 (1u << RESULTS_CODE_C2)
#define BODY (1u << RESULTS_REGION_BODY)

static struct results_cell* cell(struct results_run* run, enum results_code_kind kind,
                                 enum results_region region) {
    return &run->coverage.code[kind][region];
}

static void expect(const char* what, const struct results_run* run, enum oracle_layer layer,
                   enum results_row_verdict verdict, const char* said) {
    static const struct results_wanted wanted[] = {
        {.text = "c2/body", .kinds = C2, .regions = BODY},
        {.text = "stub", .kinds = 1u << RESULTS_CODE_STUB, .regions = UINT32_MAX}};
    struct results_execution execution = synthetic_execution(run, "c2");
    execution.wanted = wanted;
    execution.wanted_count = 2;
    struct results_row row;
    results_row_judge(&execution, layer, &row);
    cr_expect_eq(row.verdict, verdict, "%s: %s", what, results_row_verdict_text(row.verdict));
    bool found = strstr(row.reason, said) != NULL || strstr(row.note, said) != NULL;
    cr_expect(found, "%s: \"%s\" is not in \"%s\" or \"%s\"", what, said, row.reason, row.note);
}

Test(coverage, of_an_empty_cell_makes_the_row_vacuous_and_names_the_cell) {
    struct results_run* run = synthetic_run(5000);
    cell(run, RESULTS_CODE_C2, RESULTS_REGION_BODY)->judged = RESULTS_MINIMUM_CELL - 1;
    cell(run, RESULTS_CODE_C2, RESULTS_REGION_ENTRY)->judged = 1000; // another cell
    cell(run, RESULTS_CODE_STUB, RESULTS_REGION_NONE)->refused = RESULTS_MINIMUM_CELL;
    expect("9", run, ORACLE_LAYER_ASYNC, RESULTS_ROW_VACUOUS, "for c2/body: 9 samples, 10 needed");
    cell(run, RESULTS_CODE_C2, RESULTS_REGION_BODY)->refused = 1;
    expect("10, refusals among them", run, ORACLE_LAYER_ASYNC, RESULTS_ROW_PASS, "");
    cell(run, RESULTS_CODE_STUB, RESULTS_REGION_NONE)->refused = 0;
    expect("no stub", run, ORACLE_LAYER_ASYNC, RESULTS_ROW_VACUOUS, "for stub: 0 samples");
    expect("another layer", run, ORACLE_LAYER_SANDWICH, RESULTS_ROW_PASS, "");
    free(run);
}

static void expect_by_name(const char* what, const struct results_run* run,
                           enum results_row_verdict verdict, const char* said) {
    static const struct results_wanted wanted = {.text = "stub=*CRC32?(_stub*)",
                                                 .stub = "*CRC32?(_stub*)",
                                                 .kinds = 1u << RESULTS_CODE_STUB};
    struct results_execution execution = synthetic_execution(run, "c2");
    execution.wanted = &wanted;
    execution.wanted_count = 1;
    struct results_row row;
    results_row_judge(&execution, ORACLE_LAYER_ASYNC, &row);
    cr_expect_eq(row.verdict, verdict, "%s: %s", what, results_row_verdict_text(row.verdict));
    cr_expect(strstr(row.reason, said) != NULL, "%s: \"%s\"", what, row.reason);
}

Test(coverage, of_a_stub_is_asked_for_by_name) {
    struct results_run* run = synthetic_run(5000);
    struct results_stub* stubs = run->coverage.stubs;
    cell(run, RESULTS_CODE_STUB, RESULTS_REGION_NONE)->judged = 1000;
    strcpy(stubs[3].name, "jint_fill");
    stubs[3].state = RESULTS_STUB_READY;
    stubs[3].cell.judged = 1000;
    strcpy(stubs[9].name, "updateBytesCrc32");
    expect_by_name("none", run, RESULTS_ROW_SKIP,
                   "for stub=*CRC32?(_stub*): this JVM, on this processor");
    stubs[9].state = RESULTS_STUB_READY;
    expect_by_name("not reached", run, RESULTS_ROW_VACUOUS, "for stub=*CRC32?(_stub*): 0 samples");
    stubs[9].cell.judged = RESULTS_MINIMUM_CELL - 3;
    stubs[9].cell.refused = 3;
    expect_by_name("reached", run, RESULTS_ROW_PASS, "");
    strcpy(stubs[9].name, "updateBytesCRC32_stub (stub gen)");
    expect_by_name("27 calls it so", run, RESULTS_ROW_PASS, "");
    // A damaged file: no name has an end.
    memset(stubs[9].name, 'x', sizeof stubs[9].name);
    expect_by_name("damaged", run, RESULTS_ROW_SKIP, "no such stub");
    free(run);
}

Test(coverage, that_nobody_could_tell_is_said_and_not_held_against_the_case) {
    struct results_run* run = synthetic_run(5000);
    expect("nothing recorded", run, ORACLE_LAYER_ASYNC, RESULTS_ROW_PASS, "coverage unknown");
    cell(run, RESULTS_CODE_UNKNOWN, RESULTS_REGION_NONE)->judged = 5000;
    cell(run, RESULTS_CODE_JVM, RESULTS_REGION_NONE)->judged = 50;
    expect("all unknown", run, ORACLE_LAYER_ASYNC, RESULTS_ROW_PASS, "coverage unknown");
    cell(run, RESULTS_CODE_INTERPRETER, RESULTS_REGION_NONE)->judged = 1;
    expect("the tables work", run, ORACLE_LAYER_ASYNC, RESULTS_ROW_VACUOUS, "c2/body");
    free(run);
}

Test(coverage, that_is_unknown_leaves_the_rest_of_the_note) {
    static struct results_cause list[] = {{.name = "unexplained"}};
    static const struct results_causes causes = {1, list};
    static const struct results_wanted wanted = {.text = "c2/body", .kinds = C2, .regions = BODY};
    struct results_run* run = synthetic_run(5000);
    run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_MISSING] = 1;
    run->layers[ORACLE_LAYER_ASYNC].cause[1] = 1;
    strcpy(run->cause_names[1], "foreign");
    run->confirmed = 1;
    struct results_execution execution = synthetic_execution(run, "c2");
    execution.causes = &causes;
    execution.wanted = &wanted;
    execution.wanted_count = 1;
    execution.remark = "slow";
    struct results_row row;
    results_row_judge(&execution, ORACLE_LAYER_ASYNC, &row);
    cr_expect_str_eq(row.note,
                     "cause \"foreign\" is not in the list of causes; coverage unknown; slow");
    free(run);
}

Test(coverage, is_structures_affair_where_there_is_no_async) {
    struct results_run* run = synthetic_run(5000);
    struct results_execution execution = synthetic_execution(run, "c2");
    struct results_row row = {.execution = &execution, .layer = ORACLE_LAYER_STRUCTURE};
    cr_expect_not(coverage_is_of(&row));
    execution.layers = 1u << ORACLE_LAYER_STRUCTURE | 1u << ORACLE_LAYER_SANDWICH;
    cr_expect(coverage_is_of(&row));
    free(run);
}

static void print_table(const void* report, FILE* out) {
    coverage_print(report, out);
}

static char* table_of(struct results_run* run) {
    struct results_execution execution = synthetic_execution(run, "c2");
    struct results_report report = {.executions = &execution, .execution_count = 1};
    return synthetic_output(print_table, &report);
}

Test(coverage, is_printed_as_shares_of_the_samples) {
    struct results_run* run = synthetic_run(5000);
    char* text = table_of(run);
    cr_expect_str_empty(text, "no samples, no table");
    free(text);
    cell(run, RESULTS_CODE_C2, RESULTS_REGION_BODY)->judged = 700;
    cell(run, RESULTS_CODE_C2, RESULTS_REGION_ENTRY)->judged = 50;
    cell(run, RESULTS_CODE_STUB, RESULTS_REGION_NONE)->refused = 250;
    run->coverage.depth[2].judged = 600;
    run->coverage.depth[6].refused = 400;
    text = table_of(run);
    const char* line = strstr(text, "recursion");
    cr_assert_not_null(line, "%s", text);
    char name[16], mode[16], scope[16];
    unsigned samples;
    double c2, stub, entry, body, refused;
    cr_assert_eq(sscanf(line, "%15s %15s %15s %u %lf %lf | %lf %lf | %lf", name, mode, scope,
                        &samples, &c2, &stub, &entry, &body, &refused),
                 9, "%s", text);
    cr_expect_eq(samples, 1000);
    cr_expect_float_eq(c2, 75, 0.01);
    cr_expect_float_eq(stub, 25, 0.01);
    cr_expect_float_eq(entry, 5, 0.01);
    cr_expect_float_eq(body, 70, 0.01);
    cr_expect_float_eq(refused, 25, 0.01);
    cr_expect_not_null(strstr(line, " 4-7 "), "half of the samples lie there: %s", line);
    cr_expect_not_null(strstr(line, " 64-127"), "the deepest: %s", line);
    cr_expect_null(strstr(text, "interpreter"), "no column that nobody needs: %s", text);
    free(text);
    free(run);
}
