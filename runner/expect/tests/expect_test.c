// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// From made-up rows to lines, and back through the reader: what is proposed holds.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/options/options.h"
#include "expect_parts.h"

static struct results_past row(const char* test, const char* version, enum oracle_layer layer,
                               uint64_t judged, uint64_t truncated) {
    struct results_past past = {.mode = "c1",
                                .scope = "app",
                                .date = "2026-11-20",
                                .verdict = "FAIL",
                                .layer = layer,
                                .judged = judged};
    snprintf(past.case_name, sizeof past.case_name, "%s", test);
    snprintf(past.version, sizeof past.version, "%s", version);
    snprintf(past.vm, sizeof past.vm, "VM %s+9-Debian-1", version);
    past.mismatch[ORACLE_TRUNCATED] = truncated;
    return past;
}

static struct results_past async(const char* version, uint64_t judged, uint64_t truncated) {
    return row("a", version, ORACLE_LAYER_ASYNC, judged, truncated);
}

// The text that is proposed; the next call overwrites it.
static const char* proposed(struct proposal propose, const struct results_past* rows,
                            size_t count) {
    static char text[8000];
    memset(text, 0, sizeof text);
    FILE* out = fmemopen(text, sizeof text - 1, "w");
    cr_assert_not_null(out);
    if (propose.spread == 0) propose.spread = 1.5;
    for (size_t i = 0; i < count; i++) proposal_take(&propose, &rows[i]);
    proposal_print(&propose, out);
    fclose(out);
    cr_expect_not(propose.failed);
    proposal_free(&propose);
    return text;
}

static size_t lines_in(const char* text) {
    size_t count = 0;
    for (; (text = strstr(text, " measured=")) != NULL; text++) count++;
    return count;
}

static void says(const char* text, const char* wanted) {
    cr_expect(strstr(text, wanted) != NULL, "\"%s\" is not in: %s", wanted, text);
}

// The ceiling of the first line that begins so.
static double ceiling(const char* text, const char* key) {
    const char* at = strstr(text, key);
    cr_assert_not_null(at, "%s: %s", key, text);
    return atof(at + strlen(key)) / 100;
}

Test(propose, rows_within_the_general_limit_get_no_line) {
    struct results_past rows[] = {async("17.0.19", 10000, 150), async("21.0.1", 10000, 0)};
    cr_expect_eq(lines_in(proposed((struct proposal){.spread = 0}, rows, 2)), 0);
    rows[0].mismatch[ORACLE_TRUNCATED] = 250;
    cr_expect_eq(lines_in(proposed((struct proposal){.spread = 0}, rows, 2)), 1);
    struct results_past once = row("a", "17", ORACLE_LAYER_GST, 90000, 1);
    cr_expect_eq(lines_in(proposed((struct proposal){.spread = 0}, &once, 1)), 1, "limit 0");
}

Test(propose, counts_are_summed_over_runs_of_a_release) {
    struct results_past rows[] = {async("17.0.18", 1000, 300), async("25.0.3", 1000, 500),
                                  async("17.0.19", 2000, 500)};
    const char* text = proposed((struct proposal){.spread = 0}, rows, 3);
    says(text, "[17 a]\nc1 async truncated = ");
    says(text, "measured=2026-11-20,17.0.19+9,800/3000 finding=EXPLAIN");
    says(text, "[25 a]\n");
    says(text, "25.0.3+9,500/1000");
    cr_expect_eq(lines_in(text), 2);
}

Test(propose, a_ceiling_is_above_the_upper_end_and_the_highest_run) {
    struct results_past rows[] = {async("17", 100000, 10000), async("17", 1000, 300)};
    const char* text = proposed((struct proposal){.spread = 1}, rows, 2);
    double both = ceiling(text, "truncated = ");
    double own = oracle_interval(300, 1000, 0.95).high; // 2 * 0.05 / 2 rows
    cr_expect_geq(both, own);
    cr_expect_leq(both, own * 1.1, "two digits: %g of %g", both, own);
    struct results_past same[] = {async("17", 50000, 5000), async("17", 50000, 5000)};
    double pooled = ceiling(proposed((struct proposal){.spread = 1}, same, 2), "truncated = ");
    cr_expect_leq(pooled, 0.11);
    cr_expect_gt(pooled, 0.10);
    double spread = ceiling(proposed((struct proposal){.spread = 2}, same, 2), "truncated = ");
    cr_expect_float_eq(spread, 2 * 0.103 / (1 + 0.103), 0.01, "%g", spread);
}

Test(propose, more_rows_make_ceilings_wider) {
    struct results_past rows[40];
    for (int i = 0; i < 40; i++) {
        char name[8];
        snprintf(name, sizeof name, "a%02d", i);
        rows[i] = row(name, "17", ORACLE_LAYER_ASYNC, 1000, 100);
    }
    double many = ceiling(proposed((struct proposal){.spread = 1}, rows, 40), "truncated = ");
    double one = ceiling(proposed((struct proposal){.spread = 1}, rows, 1), "truncated = ");
    cr_expect_gt(many, one);
}

Test(propose, no_ceiling_is_all) {
    struct results_past rows[] = {async("17", 1000, 995)};
    double high = ceiling(proposed((struct proposal){.spread = 1.5}, rows, 1), "truncated = ");
    cr_expect_lt(high, 1);
    cr_expect_gt(high, 0.995);
}

Test(propose, the_most_frequent_verdicts_get_lines_until_the_rest_is_within_the_limit) {
    struct results_past past = async("17", 10000, 3000);
    past.mismatch[ORACLE_MISSING] = 500;
    past.mismatch[ORACLE_PHANTOM] = 60;
    past.mismatch[ORACLE_WRONG_BCI] = 5;
    past.mismatch[ORACLE_ATTRIBUTION] = 6000;
    const char* text = proposed((struct proposal){.spread = 0}, &past, 1);
    says(text, "c1 async truncated = ");
    says(text, "c1 async missing = ");
    says(text, "c1 async attribution = ");
    cr_expect_eq(lines_in(text), 3, "%s", text);
    past.mismatch[ORACLE_ATTRIBUTION] = 2000;
    cr_expect_eq(lines_in(proposed((struct proposal){.spread = 0}, &past, 1)), 2, "under 25 %%");
}

Test(propose, what_a_control_must_show_gets_no_line) {
    struct case_info test = {.name = (char[]){"a"}, .expect = (char[]){"truncated@async"}};
    struct cases cases = {&test, 1};
    struct results_past past = async("17", 10000, 3000);
    cr_expect_eq(lines_in(proposed((struct proposal){.cases = &cases}, &past, 1)), 0);
    past.mismatch[ORACLE_MISSING] = 500;
    const char* text = proposed((struct proposal){.cases = &cases}, &past, 1);
    cr_expect_eq(lines_in(text), 1);
    says(text, "c1 async missing = ");
}

Test(propose, neighbouring_releases_are_merged_where_asked_and_alike) {
    struct results_past rows[] = {async("17", 10000, 3000), async("21", 10000, 3500),
                                  async("25", 10000, 8000)};
    cr_expect_eq(lines_in(proposed((struct proposal){.spread = 0}, rows, 3)), 3);
    const char* text = proposed((struct proposal){.merge = 1.5}, rows, 3);
    cr_expect_eq(lines_in(text), 2, "%s", text);
    says(text, "[17-21 a]\n");
    says(text, "3500/10000");
    says(text, "[25 a]\n");
    // 21 was measured, and needs no line: 17 and 25 are no neighbours.
    rows[1] = async("21", 10000, 0);
    rows[2] = async("25", 10000, 3000);
    cr_expect_eq(lines_in(proposed((struct proposal){.merge = 1.5}, rows, 3)), 2);
}

Test(propose, small_ceilings_need_no_finding_and_reasons_of_today_are_kept) {
    struct results_past small = row("a", "17", ORACLE_LAYER_GST, 1000000, 1);
    says(proposed((struct proposal){.spread = 0}, &small, 1), "why=1 run\n");
    struct ceiling line = {.cases = (char[]){"a"},
                           .first = 11,
                           .last = 17,
                           .modes = MODES_ALL,
                           .layers = 1u << ORACLE_LAYER_ASYNC,
                           .verdicts = 1u << ORACLE_TRUNCATED,
                           .scopes = 1u << OPTIONS_SCOPE_APP,
                           .bug = (char[]){"JDK-1"},
                           .finding = (char[]){"1"}};
    struct ceilings known = {&line, 1};
    struct results_past past = async("17", 10000, 3000);
    says(proposed((struct proposal){.ceilings = &known}, &past, 1), " bug=JDK-1 finding=1\n");
    past = async("21", 10000, 3000);
    says(proposed((struct proposal){.ceilings = &known}, &past, 1), " finding=EXPLAIN\n");
}

// The rate of 300 in 10000, drawn again a hundred times, must stay under its ceiling.
Test(propose, what_is_proposed_is_well_formed_and_lets_the_same_rate_pass) {
    struct results_past rows[] = {async("17", 10000, 300), row("b", "17", ORACLE_LAYER_GST, 5, 5)};
    rows[1].mismatch[ORACLE_TRUNCATED] = 4;
    char path[64], error[256] = "";
    snprintf(path, sizeof path, "/tmp/plumbline-propose-%d", (int)getpid());
    FILE* out = fopen(path, "w");
    cr_assert_not_null(out);
    fputs(proposed((struct proposal){.spread = 0}, rows, 2), out);
    fclose(out);
    struct ceilings read;
    cr_assert_eq(ceilings_read(path, &read, error, sizeof error), 0, "%s", error);
    unlink(path);
    cr_assert_eq(read.count, 2);
    cr_expect_str_eq(read.list[0].cases, "a");
    cr_expect_geq(read.list[0].limit.rate, 0.035);
    cr_expect_lt(read.list[0].limit.rate, 0.06);
    ceilings_free(&read);
}

static int parse(int count, char** words, struct expect_options* options) {
    char* argv[8] = {(char[]){"expect"}};
    for (int i = 0; i < count; i++) argv[i + 1] = words[i];
    FILE* kept = stderr;
    stderr = fopen("/dev/null", "w");
    const struct base_call call = {.argc = count + 1, .argv = argv, .stays = true};
    int status = expect_parse(&call, options);
    fclose(stderr);
    stderr = kept;
    return status;
}

#define PARSE(...)                                                                                 \
    parse((int)(sizeof(char*[]){__VA_ARGS__} / sizeof(char*)), (char*[]){__VA_ARGS__}, &options)

Test(propose, options_are_checked) {
    struct expect_options options;
    char from[] = "--from", a[] = "out/a", b[] = "out/b", merge[] = "--merge=2",
         bad[] = "--spread=0.5", worse[] = "--merge=x";
    cr_expect_eq(PARSE(from, a, b, merge), 0);
    cr_assert_eq(options.run_count, 2);
    cr_expect_str_eq(options.runs[1], "out/b");
    cr_expect_float_eq(options.merge, 2, 1e-9);
    cr_expect_float_eq(options.spread, 1.5, 1e-9);
    free(options.runs);
    cr_expect_eq(PARSE(merge), RUNNER_EXIT_USAGE, "no run");
    free(options.runs);
    cr_expect_eq(PARSE(a), RUNNER_EXIT_USAGE, "no --from");
    free(options.runs);
    cr_expect_eq(PARSE(from, a, bad), RUNNER_EXIT_USAGE);
    free(options.runs);
    cr_expect_eq(PARSE(from, a, worse), RUNNER_EXIT_USAGE);
    free(options.runs);
}
