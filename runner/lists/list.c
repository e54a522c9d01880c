// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The lists, each from where it is defined.
#include "lists.h"

#include <stdio.h>
#include <string.h>

#include "runner/base/base.h"
#include "runner/options/options.h"
#include "oracle/oracle.h"
#include "results/report/report.h"

static void print_entry(const char* name, const char* explanation) {
    printf("%-24s %s\n", name, explanation);
}

static int list_cases(const struct home* home) {
    char error[512];
    struct cases cases;
    if (cases_read(home->cases_list, &cases, error, sizeof error) != 0) {
        runner_complain("%s", error);
        return RUNNER_EXIT_HARNESS;
    }
    for (size_t i = 0; i < cases.count; i++)
        print_entry(cases.list[i].name, cases.list[i].question);
    cases_free(&cases);
    return 0;
}

static int list_programs(const struct home* home) {
    char error[512];
    struct programs programs;
    if (programs_read(home->programs_list, &programs, error, sizeof error) != 0) {
        runner_complain("%s", error);
        return RUNNER_EXIT_HARNESS;
    }
    for (size_t i = 0; i < programs.count; i++)
        print_entry(programs.list[i].name, programs.list[i].question);
    programs_free(&programs);
    return 0;
}

static int list_modes(const struct home* home) {
    (void)home;
    for (int i = 0; i < MODE_COUNT; i++) print_entry(modes[i].name, modes[i].explanation);
    return 0;
}

static int list_layers(const struct home* home) {
    (void)home;
    for (int i = 0; i < ORACLE_LAYER_COUNT; i++)
        print_entry(oracle_layer_text((enum oracle_layer)i),
                    oracle_layer_question((enum oracle_layer)i));
    return 0;
}

static int list_walkers(const struct home* home) {
    if (walkers_each(home->walkers_list, print_entry) == 0) return 0;
    runner_complain("%s cannot be read", home->walkers_list);
    return RUNNER_EXIT_HARNESS;
}

static int list_verdicts(const struct home* home) {
    (void)home;
    for (int i = 0; i < ORACLE_VERDICT_COUNT; i++)
        print_entry(oracle_verdict_text((enum oracle_verdict)i),
                    oracle_verdict_explanation((enum oracle_verdict)i));
    for (int i = 0; i < RESULTS_ROW_VERDICT_COUNT; i++)
        print_entry(results_row_verdict_text((enum results_row_verdict)i),
                    results_row_verdict_explanation((enum results_row_verdict)i));
    return 0;
}

static int list_codes(const struct home* home) {
    (void)home;
    for (int i = 0; i < RESULTS_CODE_KIND_COUNT; i++)
        print_entry(results_code_kind_text((enum results_code_kind)i),
                    results_code_kind_explanation((enum results_code_kind)i));
    return 0;
}

static int list_regions(const struct home* home) {
    (void)home;
    for (int i = 0; i < RESULTS_REGION_COUNT; i++)
        print_entry(results_region_text((enum results_region)i),
                    results_region_explanation((enum results_region)i));
    return 0;
}

static int list_votes(const struct home* home) {
    (void)home;
    for (int i = 0; i < RESULTS_VOTE_COUNT; i++)
        print_entry(results_vote_text((enum results_vote)i),
                    results_vote_explanation((enum results_vote)i));
    return 0;
}

static int list_rules(const struct home* home) {
    (void)home;
    for (int i = 0; i < ORACLE_RULE_COUNT; i++)
        print_entry(oracle_rule_text((enum oracle_rule)i),
                    oracle_rule_explanation((enum oracle_rule)i));
    return 0;
}

static const struct {
    const char* name;
    int (*print)(const struct home* home);
} lists[] = {{"cases", list_cases},   {"programs", list_programs}, {"modes", list_modes},
             {"layers", list_layers}, {"walkers", list_walkers},   {"verdicts", list_verdicts},
             {"codes", list_codes},   {"regions", list_regions},   {"votes", list_votes},
             {"rules", list_rules}};

int list_run(int argc, char** argv) {
    struct home home;
    char error[512];
    if (argc != 2) {
        runner_complain("usage: plumbline list "
                        "cases|programs|modes|layers|walkers|verdicts|codes|regions|votes|rules");
        return RUNNER_EXIT_USAGE;
    }
    if (home_find(&home, error, sizeof error) != 0) {
        runner_complain("%s", error);
        return RUNNER_EXIT_HARNESS;
    }
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (strcmp(argv[1], lists[i].name) == 0) return lists[i].print(&home);
    runner_complain("list: there is no list \"%s\" (plumbline --help)", argv[1]);
    return RUNNER_EXIT_USAGE;
}
