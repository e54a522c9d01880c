// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline list.
#include "lists.h"

#include <argp.h>
#include <string.h>

#include "oracle/oracle.h"

#define LISTS                                                                                      \
    "cases|programs|causes|modes|layers|walkers|profilers|verdicts|codes|regions|votes|rules"

static void print_entry(const char* name, const char* explanation) {
    printf("%-24s %s\n", name, explanation);
}

static int list_cases(const struct home* home) {
    char error[512];
    struct lists read = {0};
    int result = lists_read(&read, LISTS_CASES, home, error, sizeof error);
    for (size_t i = 0; result == 0 && i < read.cases.count; i++)
        print_entry(read.cases.list[i].name, read.cases.list[i].question);
    lists_free(&read);
    return result == 0 ? 0 : runner_refuse(RUNNER_EXIT_HARNESS, "%s", error);
}

static int list_causes(const struct home* home) {
    char error[512];
    struct results_causes causes;
    if (results_causes_read(home->causes_list, &causes, error, sizeof error) != 0)
        return runner_refuse(RUNNER_EXIT_HARNESS, "%s", error);
    for (size_t i = 1; i < causes.count; i++)
        print_entry(causes.list[i].name, causes.list[i].title);
    results_causes_free(&causes);
    return 0;
}

static int list_programs(const struct home* home) {
    char error[512];
    struct programs programs;
    if (programs_read(home->programs_list, &programs, error, sizeof error) != 0)
        return runner_refuse(RUNNER_EXIT_HARNESS, "%s", error);
    for (size_t i = 0; i < programs.count; i++)
        print_entry(programs.list[i].name, programs.list[i].question);
    programs_free(&programs);
    return 0;
}

static int list_walkers(const struct home* home) {
    if (walkers_each(home->walkers_list, print_entry) == 0) return 0;
    return runner_refuse(RUNNER_EXIT_HARNESS, "%s cannot be read", home->walkers_list);
}

static void print_profiler(const struct profiler* p) {
    char text[512];
    const char* each = *p->period != '\0' ? ", each " : "";
    const char* home = *p->needs != '\0' ? "; with --profiler-home" : "";
    if (*p->release == '\0')
        snprintf(text, sizeof text, "%s%s%s%s", p->about, each, p->period, home);
    else
        snprintf(text, sizeof text, "%s%s%s; JDK %s%s", p->about, each, p->period, p->release,
                 home);
    print_entry(p->name, text);
}

static int list_profilers(const struct home* home) {
    char error[512];
    struct profilers profilers;
    if (profilers_read(home->profilers_list, &profilers, error, sizeof error) != 0)
        return runner_refuse(RUNNER_EXIT_HARNESS, "%s", error);
    for (size_t i = 0; i < profilers.count; i++) print_profiler(&profilers.list[i]);
    profilers_free(&profilers);
    return 0;
}

static const char* mode_text(unsigned mode) {
    return modes[mode].name;
}

static const char* mode_explanation(unsigned mode) {
    return modes[mode].explanation;
}

// Lists from files, and enumerations; "verdicts" are two of them.
static const struct list {
    const char* name;
    int (*print)(const struct home* home); // NULL: an enumeration
    unsigned count;
    names_text *text, *explanation;
} lists[] = {
    {"cases", list_cases, 0, NULL, NULL},
    {"programs", list_programs, 0, NULL, NULL},
    {"causes", list_causes, 0, NULL, NULL},
    {"modes", NULL, MODE_COUNT, mode_text, mode_explanation},
    {"layers", NULL, ORACLE_LAYER_COUNT, oracle_layer_text, oracle_layer_question},
    {"walkers", list_walkers, 0, NULL, NULL},
    {"profilers", list_profilers, 0, NULL, NULL},
    {"verdicts", NULL, ORACLE_VERDICT_COUNT, oracle_verdict_text, oracle_verdict_explanation},
    {"verdicts", NULL, RESULTS_ROW_VERDICT_COUNT, results_row_verdict_text,
     results_row_verdict_explanation},
    {"codes", NULL, RESULTS_CODE_KIND_COUNT, results_code_kind_text, results_code_kind_explanation},
    {"regions", NULL, RESULTS_REGION_COUNT, results_region_text, results_region_explanation},
    {"votes", NULL, RESULTS_VOTE_COUNT, results_vote_text, results_vote_explanation},
    {"rules", NULL, ORACLE_RULE_COUNT, oracle_rule_text, oracle_rule_explanation},
};

static error_t take_argument(int key, char* text, struct argp_state* state) {
    const char** name = state->input;
    if (key == ARGP_KEY_END && *name == NULL) return arguments_wrong(state, "no list: " LISTS);
    if (key != ARGP_KEY_ARG) return ARGP_ERR_UNKNOWN;
    if (*name != NULL) return arguments_wrong(state, "\"%s\" is one list too many", text);
    *name = text;
    return 0;
}

int list_command(const struct base_call* call) {
    static const struct argp argp = {
        .parser = take_argument,
        .args_doc = LISTS,
        .doc = "Prints the names that options take, each with its meaning."};
    const char* name = NULL;
    char hint[NEAREST_TEXT];
    int status = arguments_parse(&argp, 0, call, &name);
    if (status != 0) return status;
    status = -1;
    struct nearest nearest = {.word = name, .length = strlen(name)};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const struct list* list = &lists[i];
        nearest_offer(&nearest, list->name);
        if (strcmp(name, list->name) != 0) continue;
        status = list->print != NULL ? list->print(call->home) : 0;
        for (unsigned k = 0; k < list->count; k++) print_entry(list->text(k), list->explanation(k));
    }
    if (status >= 0) return status;
    return runner_refuse(RUNNER_EXIT_USAGE, "list: there is no list \"%s\" (plumbline --help)%s",
                         name, nearest_hint(&nearest, hint));
}
