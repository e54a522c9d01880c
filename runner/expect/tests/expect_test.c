// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// From made-up runs to lines, and back through the reader: what is written holds.
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "expect_parts.h"
#include "oracle/oracle.h"
#include "runner/options/options.h"
#include "made_up.h"

// ---- Made-up runs -------------------------------------------------------------------------------

// Numbers that look random and are always the same.
static double uniform(uint64_t* seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*seed >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t* seed) {
    return sqrt(-2 * log(uniform(seed))) * cos(2 * M_PI * uniform(seed));
}

static uint64_t poisson(uint64_t* seed, double mean) {
    if (mean > 500) return (uint64_t)fmax(0, mean + sqrt(mean) * normal(seed) + 0.5);
    uint64_t k = 0;
    for (double left = exp(-mean), p = uniform(seed); p > left; k++) p *= uniform(seed);
    return k;
}

struct made {
    struct expect expect;
    struct lists lists;
    struct case_info control;
    struct expect_lines lines;
    uint64_t seed;
    char text[60000];
};

static void begin(struct made* made) {
    memset(made, 0, sizeof *made);
    made->seed = 7;
    made->lists.causes = *made_causes();
    static char name[] = "control", shows[] = "thawed@async";
    made->control = (struct case_info){.name = name, .expect = shows};
    made->lists.cases = (struct cases){&made->control, 1};
    made->expect = (struct expect){.lists = &made->lists, .merge = EXPECT_MERGE};
}

static struct results_past row(const char* test, int feature, const char* mode, uint64_t judged) {
    struct results_past past = {.scope = "app",
                                .date = "2026-11-22",
                                .verdict = "PASS",
                                .layer = ORACLE_LAYER_ASYNC,
                                .judged = judged,
                                .answered = judged,
                                .by_cause = true};
    snprintf(past.case_name, sizeof past.case_name, "%s", test);
    snprintf(past.mode, sizeof past.mode, "%s", mode);
    snprintf(past.version, sizeof past.version, "%d.0.1", feature);
    snprintf(past.vm, sizeof past.vm, "VM %d.0.1+9-Debian-1", feature);
    return past;
}

static void put_cause(struct results_past* past, const char* name, uint64_t count) {
    struct results_past_cause* cause = &past->causes[past->cause_count++];
    snprintf(cause->name, sizeof cause->name, "%s", name);
    cause->count = count;
}

// `runs` runs of a case: the cause `name` at this rate, with this spread.
static void run_case(struct made* made, struct results_past past, const char* name, double rate,
                     double spread, int runs) {
    for (int i = 0; i < runs; i++) {
        past.cause_count = 0;
        double here = rate * exp(spread * normal(&made->seed));
        put_cause(&past, name, poisson(&made->seed, here * (double)past.judged));
        expect_take(&made->expect, &past);
    }
}

static void run_cases(struct made* made, int cases, int feature, const char* mode, double rate,
                      double spread) {
    for (int c = 0; c < cases; c++) {
        char name[8];
        snprintf(name, sizeof name, "c%02d", c);
        run_case(made, row(name, feature, mode, 20000), "thawed", rate, spread, 6);
    }
}

static const char* finish(struct made* made) {
    FILE* out = fmemopen(made->text, sizeof made->text - 1, "w");
    cr_assert_not_null(out);
    expect_sort(&made->expect);
    expect_make_lines(&made->expect, &made->lines);
    expect_print(&made->expect, &made->lines, out);
    fclose(out);
    return made->text;
}

static void end(struct made* made) {
    free(made->lines.list);
    expect_free(&made->expect);
}

static void says(const char* text, const char* wanted) {
    cr_expect(strstr(text, wanted) != NULL, "\"%s\" is not in: %s", wanted, text);
}

static void says_not(const char* text, const char* wanted) {
    cr_expect(strstr(text, wanted) == NULL, "\"%s\" is in: %s", wanted, text);
}

// ---- Statistics ---------------------------------------------------------------------------------

// By simulation.
static void noise_is(double rate) {
    uint64_t seed = 11;
    double sum = 0, squares = 0, mean, variance;
    const int many = 200000;
    for (int i = 0; i < many; i++) {
        double x = log(fmax(0.5, (double)poisson(&seed, rate)));
        sum += x;
        squares += x * x;
    }
    expect_noise(rate, &mean, &variance);
    cr_expect_float_eq(mean, sum / many, 0.01, "%g: %g and %g", rate, mean, sum / many);
    cr_expect_float_eq(variance, squares / many - sum * sum / many / many, 0.01, "%g: %g", rate,
                       variance);
}

Test(expect_fit, the_noise_of_counting_is_that_of_poisson_counts_with_a_half_for_none) {
    noise_is(0.1);
    noise_is(1);
    noise_is(5);
    noise_is(100);
    noise_is(450);
}

// Points of 40 cases with 8 runs each; the cases' means spread by `between`.
static size_t draw(struct expect_point points[320], double rate, double between, double within,
                   double trials) {
    uint64_t seed = 3;
    for (size_t i = 0, c = 0; c < 40; c++) {
        double mean = rate * exp(between * normal(&seed));
        for (int run = 0; run < 8; run++, i++) {
            double here = mean * exp(within * normal(&seed)) * trials;
            points[i] = (struct expect_point){(double)poisson(&seed, here), trials, c};
        }
    }
    return 320;
}

static void within_is(double rate, double spread, double trials, double low, double high) {
    struct expect_point points[320];
    size_t count = draw(points, rate, 1, spread, trials);
    double found = sqrt(expect_within(points, count));
    cr_expect_geq(found, low, "%g of %g in %g: %g", rate, spread, trials, found);
    cr_expect_leq(found, high, "%g of %g in %g: %g", rate, spread, trials, found);
}

Test(expect_fit, the_spread_between_runs_is_without_the_cases_and_without_the_noise) {
    within_is(0.01, 0.5, 1e6, 0.45, 0.6);
    within_is(0.01, 0.5, 1e4, 0.45, 0.6);
    within_is(0.001, 1, 1e4, 0.85, 1.25);
    within_is(0.01, 0, 1e4, EXPECT_SPREAD_LEAST, EXPECT_SPREAD_LEAST);
    within_is(0.0001, 0, 1e4, EXPECT_SPREAD_LEAST, 0.4);
}

static void over_is(double rate, double spread, double trials) {
    struct expect_point points[320];
    size_t count = draw(points, rate, 0, spread, trials);
    struct expect_fit fit = expect_over(points, count, 0.0625);
    cr_expect_float_eq(fit.mean, log(rate), 0.2, "%g: %g", rate, exp(fit.mean));
    cr_expect_float_eq(sqrt(fit.variance), spread, 0.2, "%g: %g", spread, sqrt(fit.variance));
}

Test(expect_fit, mean_and_spread_over_all_runs_are_found_again) {
    over_is(0.01, 0.5, 1e5);
    over_is(0.001, 1, 1e4);
    over_is(0.1, 0.25, 1e4);
    over_is(0.0003, 0.8, 1e4); // three events a run
}

Test(expect_fit, a_case_of_few_events_has_a_wide_ceiling) {
    struct expect_point many[4] = {{100, 1e4, 0}, {110, 1e4, 0}, {90, 1e4, 0}, {95, 1e4, 0}};
    struct expect_point few[4] = {{1, 1e4, 0}, {0, 1e4, 0}, {0, 1e4, 0}, {0, 1e4, 0}};
    struct expect_point none[2] = {{0, 1e4, 0}, {0, 1e4, 0}};
    struct expect_fit fit = expect_of_case(many, 4, 0.0625);
    cr_expect_float_eq(exp(fit.mean), 0.0098, 0.0005);
    cr_expect_float_eq(fit.variance, 0.0625 * 1.25 + 1 / 395.0, 1e-9);
    fit = expect_of_case(few, 4, 0.0625);
    cr_expect_float_eq(exp(fit.mean), 2.5e-5, 5e-6);
    cr_expect_gt(fit.variance, 1);
    fit = expect_of_case(none, 2, 0.0625);
    cr_expect_float_eq(exp(fit.mean), 2.5e-5, 1e-9, "half an event of both runs");
}

// ---- Lines --------------------------------------------------------------------------------------

// As validate reads it.
static void read_back(const char* text, struct ceilings* read) {
    char error[256] = "";
    cr_assert_eq(ceilings_read(made_text(text), made_causes(), read, error, sizeof error), 0, "%s",
                 error);
}

Test(expect_lines, cases_that_are_alike_share_a_general_line) {
    struct made made;
    begin(&made);
    run_cases(&made, 12, 17, "c1", 0.003, 0.4);
    const char* text = finish(&made);
    cr_expect_eq(made.lines.count, 1, "%s", text);
    says(text, "\n[17 *]\nc1 async thawed = 0.");
    says(text, " runs=72 measured=2026-11-22,17.0.1+9\n");
    cr_expect_float_eq(made.lines.list[0].fit.mean, log(0.003), 0.2);
    cr_expect_float_eq(sqrt(made.lines.list[0].fit.variance), 0.4, 0.12);
    end(&made);
}

Test(expect_lines, a_case_that_the_general_line_does_not_hold_has_its_own) {
    struct made made;
    begin(&made);
    run_cases(&made, 12, 17, "c1", 0.003, 0.3);
    run_case(&made, row("much", 17, "c1", 20000), "thawed", 0.2, 0.3, 6);
    run_case(&made, row("little", 17, "c1", 20000), "thawed", 0, 0, 6);
    const char* text = finish(&made);
    cr_expect_eq(made.lines.count, 3, "%s", text);
    says(text, "[17 much]\nc1 async thawed = ");
    says(text, "[17 little]\nc1 async thawed = "); // else its lack would be a bug that has gone
    cr_expect_float_eq(made.lines.list[0].fit.mean, log(0.003), 0.2, "%s", text);
    end(&made);
}

Test(expect_lines, a_subject_that_was_never_seen_has_no_line) {
    struct made made;
    begin(&made);
    run_cases(&made, 12, 17, "c1", 0.003, 0.3);
    run_cases(&made, 12, 21, "c1", 0, 0);
    run_cases(&made, 12, 17, "c2", 0, 0);
    const char* text = finish(&made);
    cr_expect_eq(made.lines.count, 1, "%s", text);
    says(text, "[17 *]\nc1 async thawed = ");
    end(&made);
}

Test(expect_lines, of_modes_and_neighbouring_releases_are_joined_where_their_means_agree) {
    struct made made;
    begin(&made);
    run_cases(&made, 12, 17, "c1", 0.003, 0.3);
    run_cases(&made, 12, 17, "c2", 0.003, 0.3);
    run_cases(&made, 12, 21, "c1", 0.003, 0.3);
    run_cases(&made, 12, 21, "c2", 0.003, 0.3);
    run_cases(&made, 12, 25, "c1", 0.03, 0.3);
    run_cases(&made, 12, 25, "c2", 0.003, 0.3);
    const char* text = finish(&made);
    cr_expect_eq(made.lines.count, 3, "%s", text);
    says(text, "[17-21 *]\nc1,c2 async thawed = 0.");
    says(text, " runs=288 measured=2026-11-22,21.0.1+9\n");
    says(text, "[25 *]\n");
    end(&made);
}

Test(expect_lines, releases_are_no_neighbours_where_one_between_them_was_measured) {
    struct made made;
    begin(&made);
    run_cases(&made, 12, 17, "c1", 0.003, 0.3);
    run_cases(&made, 12, 21, "c1", 0, 0);
    run_cases(&made, 12, 25, "c1", 0.003, 0.3);
    const char* text = finish(&made);
    cr_expect_eq(made.lines.count, 2, "%s", text);
    says(text, "[17 *]\n");
    says(text, "[25 *]\n");
    end(&made);
}

Test(expect_lines, of_layers_that_agree_are_joined) {
    struct made made;
    begin(&made);
    for (int c = 0; c < 4; c++) {
        char name[8];
        snprintf(name, sizeof name, "c%d", c);
        struct results_past past = row(name, 17, "c1", 100000);
        past.refused[ORACLE_REFUSAL_DEOPT] = 200;
        expect_take(&made.expect, &past);
        past.layer = ORACLE_LAYER_STRUCTURE;
        expect_take(&made.expect, &past);
        past.layer = ORACLE_LAYER_SANDWICH;
        past.refused[ORACLE_REFUSAL_DEOPT] = 900;
        expect_take(&made.expect, &past);
    }
    const char* text = finish(&made);
    cr_expect_eq(made.lines.count, 2, "%s", text);
    says(text, "c1 async,structure refused.deopt = 0.2");
    says(text, "c1 sandwich refused.deopt = 0.9");
    end(&made);
}

// The same spread of all: of a rare code the general line is enough, of a frequent one it would let
// half of the answers pass.
Test(expect_lines, a_wide_general_line_for_refusals_leaves_each_case_its_own) {
    struct made made;
    begin(&made);
    for (int c = 0; c < 12; c++) {
        char name[8];
        snprintf(name, sizeof name, "c%d", c);
        struct results_past past = row(name, 17, "c1", 50000);
        past.answered = 100000;
        past.refused[ORACLE_REFUSAL_DEOPT] = (uint64_t)(2000 << (c % 3));
        past.refused[ORACLE_REFUSAL_GC_ACTIVE] = (uint64_t)(10 << (c % 3));
        expect_take(&made.expect, &past);
    }
    const char* text = finish(&made);
    says(text, "[17 c0]\nc1 async refused.deopt = 2");
    says(text, "[17 c2]\nc1 async refused.deopt = 8");
    says(text, "c1 async refused.GC_active = 0.02");
    cr_expect_eq(made.lines.count, 14, "%s", text);
    end(&made);
}

// Many cases that do not vary know nothing of one whose code is compiled in one of two ways.
Test(expect_lines, a_case_with_two_rates_has_a_line_that_holds_both) {
    struct made made;
    begin(&made);
    run_cases(&made, 20, 17, "c2", 0.001, 0.1);
    struct results_past past = row("twofold", 17, "c2", 10000);
    for (int i = 0; i < 2; i++) {
        past.cause_count = 0;
        put_cause(&past, "thawed", i == 0 ? 3 : 3000);
        expect_take(&made.expect, &past);
    }
    finish(&made);
    const struct expect_line* last = &made.lines.list[made.lines.count - 1];
    cr_assert_neq(last->test, EXPECT_ANY, "%s", made.text);
    double mean = exp(last->fit.mean), spread = sqrt(last->fit.variance);
    cr_expect_gt(oracle_excess(3000, 10000, mean, spread), 0.01, "%g, %g", mean, spread);
    cr_expect_gt(oracle_deficit(3, 10000, mean, spread), 0.01, "%g, %g", mean, spread);
    cr_expect_gt(spread, 2);
    end(&made);
}

Test(expect_lines, what_a_control_must_show_has_none_and_other_causes_have) {
    struct made made;
    begin(&made);
    struct results_past past = row("control", 17, "c1", 10000);
    put_cause(&past, "thawed", 5000);
    put_cause(&past, "linker", 100);
    expect_take(&made.expect, &past);
    const char* text = finish(&made);
    cr_expect_eq(made.lines.count, 1, "%s", text);
    says(text, "[17 control]\nc1 async linker = 1%");
    end(&made);
}

Test(expect_lines, are_of_the_wanted_rows_alone) {
    struct made made;
    begin(&made);
    made.expect.only = (struct expect_only){.test = "c01", .modes = 1u << MODE_C2};
    run_cases(&made, 3, 17, "c2", 0.01, 0.3);
    run_cases(&made, 3, 17, "c1", 0.01, 0.3);
    const char* text = finish(&made);
    cr_expect_eq(made.expect.row_count, 6, "six runs of c01 in c2");
    says(text, "[17 c01]\nc2 async thawed");
    says_not(text, "c1 ");
    end(&made);
}

Test(expect_lines, refusals_are_of_all_answers) {
    struct made made;
    begin(&made);
    for (int c = 0; c < 4; c++) {
        char name[8];
        snprintf(name, sizeof name, "c%d", c);
        struct results_past past = row(name, 17, "c1", 50000);
        past.answered = 100000;
        past.refused[ORACLE_REFUSAL_DEOPT] = 2000;
        past.refused[ORACLE_REFUSAL_OTHER] = 2000;
        past.transition = 5000;
        expect_take(&made.expect, &past);
    }
    const char* text = finish(&made);
    says(text, "c1 async refused.deopt = 2");
    says(text, "c1 async transition = 10");
    says_not(text, "other_code");
    cr_expect_eq(made.lines.count, 6, "one of each case besides: %s", text);
    end(&made);
}

Test(expect_lines, attribution_has_lines_only_above_its_limit) {
    struct made made;
    begin(&made);
    for (int c = 0; c < 4; c++) {
        char name[8];
        snprintf(name, sizeof name, "c%d", c);
        struct results_past past = row(name, 17, "c1", 10000);
        past.mismatch[ORACLE_ATTRIBUTION] = c == 3 ? 4000 : 1000;
        expect_take(&made.expect, &past);
    }
    const char* text = finish(&made);
    cr_expect_eq(made.lines.count, 1, "%s", text);
    says(text, "[17 c3]\nc1 async attribution = 40%");
    end(&made);
}

Test(expect_lines, dead_jvms_and_unknown_causes_are_left_out_and_told) {
    struct made made;
    begin(&made);
    struct results_past past = row("a", 17, "c1", 10000);
    put_cause(&past, "unexplained", 12);
    put_cause(&past, "elsewhere", 34);
    expect_take(&made.expect, &past);
    past = row("a", 17, "c2", 10000);
    put_cause(&past, "thawed", 100);
    snprintf(past.verdict, sizeof past.verdict, "CRASH");
    expect_take(&made.expect, &past);
    past = row("a", 17, "int", 10000);
    past.by_cause = false;
    expect_take(&made.expect, &past);
    const char* text = finish(&made);
    cr_expect_eq(made.lines.count, 0, "%s", text);
    says(text, "no cause: 12 of 10000 judged");
    says(text, "34 of causes that causes.ini does not have, as \"elsewhere\"");
    says(text, "; 1 rows are of older runs");
    end(&made);
}

// A results.json may say anything; validate must be able to read what is made of it.
Test(expect_lines, rows_that_no_line_can_name_are_left_out_and_told) {
    struct made made;
    static const char* const tests[] = {
        "",     "a b",    "[a]", "a\n[17 b]",
        "a*",   "a?",     "a\\", "a\033[31m",
        "name", "a-name", NULL,  "of-more-than-forty-one-bytes----------------"};
    const size_t count = sizeof tests / sizeof tests[0];
    begin(&made);
    for (size_t i = 0; i < count; i++) {
        struct results_past past = row(tests[i] != NULL ? tests[i] : "b", 17, "c1", 10000);
        if (i == 8) snprintf(past.version, sizeof past.version, "PASS");
        if (i == 9) snprintf(past.date, sizeof past.date, "2026\n11");
        if (i == 10) snprintf(past.profiler, sizeof past.profiler, "a profiler");
        put_cause(&past, "thawed", 500);
        expect_take(&made.expect, &past);
        cr_expect_eq(made.expect.unnamed, i + 1, "\"%s\"", past.case_name);
    }
    const char* text = finish(&made);
    cr_expect_eq(made.lines.count, 0, "%s", text);
    says(text, "; Left out: 12 rows that no line can name, such as one with \"of-more-than-f");
    end(&made);
}

// inih takes lines of less than 200 bytes.
Test(expect_lines, of_long_versions_are_short_enough_for_the_reader) {
    struct made made;
    begin(&made);
    for (int m = 0; m < MODE_COUNT; m++)
        for (int layer = ORACLE_LAYER_ASYNC; layer <= ORACLE_LAYER_SANDWICH; layer++) {
            struct results_past past = row("a", 17, modes[m].name, 10000);
            memset(past.version, '7', sizeof past.version - 1);
            memcpy(past.version, "17\n,;", 5);
            past.vm[0] = '\0';
            past.layer = (enum oracle_layer)layer;
            snprintf(past.scope, sizeof past.scope, "none");
            past.refused[ORACLE_REFUSAL_NOT_WALKABLE_JAVA] = 500;
            expect_take(&made.expect, &past);
        }
    const char* text = finish(&made);
    says(text, ",17___777");
    struct ceilings read;
    read_back(text, &read);
    uint32_t bits = 0;
    for (size_t i = 0; i < read.count; i++) bits |= read.list[i].modes;
    cr_expect_eq(bits, MODES_ALL);
    ceilings_free(&read);
    end(&made);
}

static const struct results_ceiling* of_cause(const struct results_expected* expected,
                                              uint32_t cause) {
    for (size_t i = 0; i < expected->ceiling_count; i++)
        if (expected->ceilings[i].subject == RESULTS_SUBJECT_CAUSE &&
            expected->ceilings[i].index == cause)
            return &expected->ceilings[i];
    return NULL;
}

// Every run that was measured passes its own ceilings, as the row's rule will ask.
Test(expect_lines, are_read_back_and_hold_all_runs) {
    struct made made;
    begin(&made);
    run_cases(&made, 12, 17, "c1", 0.003, 0.5);
    run_cases(&made, 12, 17, "c2", 0.0001, 0.5);
    run_cases(&made, 12, 17, "tiered", 0.00002, 0.5);
    run_case(&made, row("much", 17, "c1", 20000), "thawed", 0.2, 0.3, 6);
    run_case(&made, row("some", 17, "c2", 20000), "linker", 0.01, 0.3, 6);
    const char* text = finish(&made);
    struct ceilings read;
    read_back(text, &read);
    cr_expect_eq(read.count, made.lines.count);
    size_t asked = 0;
    for (size_t i = 0; i < made.expect.row_count; i++) {
        const struct expect_row* r = &made.expect.rows[i];
        const struct ceilings_row at = {made.expect.tests[r->test], &modes[r->mode], "app", 17,
                                        NULL};
        struct ceilings_room room;
        struct results_expected expected[ORACLE_LAYER_COUNT] = {{0}};
        ceilings_for(&read, &at, &room, expected);
        for (uint32_t c = 1; c < made_causes()->count; c++) {
            const struct results_ceiling* ceiling = of_cause(&expected[r->layer], c);
            cr_expect(ceiling != NULL || r->events[c] == 0, "%s: cause %u", at.test, c);
            if (ceiling == NULL) continue;
            asked++;
            cr_expect_gt(oracle_excess(r->events[c], r->judged, ceiling->mean, ceiling->spread),
                         1e-5, "%s %s", at.test, at.mode->name);
        }
    }
    cr_expect_gt(asked, 200);
    ceilings_free(&read);
    end(&made);
}

Test(expect_lines, of_many_modes_are_short_enough_for_the_reader) {
    struct made made;
    begin(&made);
    for (int m = 0; m < MODE_COUNT; m++) run_cases(&made, 3, 17, modes[m].name, 0.01, 0.1);
    const char* text = finish(&made);
    for (const char* line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
        if (*line != ';') cr_expect_lt(strcspn(line, "\n"), 180, "%.200s", line);
    struct ceilings read;
    read_back(text, &read);
    uint32_t bits = 0;
    for (size_t i = 0; i < read.count; i++) bits |= read.list[i].modes;
    cr_expect_eq(bits, MODES_ALL);
    ceilings_free(&read);
    end(&made);
}

// ---- The command --------------------------------------------------------------------------------

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

Test(expect_command, options_are_checked) {
    struct expect_options options;
    char a[] = "out/a", b[] = "out/b", merge[] = "--merge=2", file[] = "--write=x.ini",
         bad[] = "--merge=0.5", worse[] = "--merge=x";
    cr_expect_eq(PARSE(a, b, merge, file), 0);
    cr_assert_eq(options.run_count, 2);
    cr_expect_str_eq(options.runs[1], "out/b");
    cr_expect_str_eq(options.write, "x.ini");
    cr_expect_float_eq(options.merge, 2, 1e-9);
    free(options.runs);
    char more[] = "--update=y.ini";
    cr_expect_eq(PARSE(a, more), 0);
    cr_expect_str_eq(options.update, "y.ini");
    free(options.runs);
    cr_expect_eq(PARSE(a, more, file), RUNNER_EXIT_USAGE, "one of both");
    free(options.runs);
    char mode[] = "--modes=c2,zgc", none[] = "--modes=c9", one[] = "--case=mixed";
    cr_expect_eq(PARSE(a, mode, one), 0);
    cr_expect_eq(options.only.modes, 1u << MODE_C2 | 1u << MODE_ZGC);
    cr_expect_str_eq(options.only.test, "mixed");
    free(options.runs);
    cr_expect_eq(PARSE(a, none), RUNNER_EXIT_USAGE);
    free(options.runs);
    cr_expect_eq(PARSE(merge), RUNNER_EXIT_USAGE, "no run");
    free(options.runs);
    cr_expect_eq(PARSE(a, bad), RUNNER_EXIT_USAGE);
    free(options.runs);
    cr_expect_eq(PARSE(a, worse), RUNNER_EXIT_USAGE);
    free(options.runs);
}

// ---- A file that goes on (--update)
// ---------------------------------------------------------------

#define HEAD "; about this file\n\n"

// Updates a file of this text with the runs. Gives its new text, which the reader takes.
static const char* update(struct made* made, const char* before, struct expect_changes* changes) {
    char path[] = "/tmp/plumbline-expect-XXXXXX", error[300] = "";
    struct ceilings ceilings;
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, before, strlen(before)), (ssize_t)strlen(before));
    cr_assert_eq(ceilings_read(path, &made->lists.causes, &ceilings, error, sizeof error), 0, "%s",
                 error);
    made->expect.before = &ceilings;
    expect_sort(&made->expect);
    expect_make_lines(&made->expect, &made->lines);
    cr_assert_eq(expect_update(&made->expect, &made->lines, path, changes, error, sizeof error), 0,
                 "%s", error);
    ceilings_free(&ceilings);
    FILE* in = fopen(path, "re");
    cr_assert_not_null(in);
    size_t length = fread(made->text, 1, sizeof made->text - 1, in);
    made->text[length] = '\0';
    fclose(in);
    close(fd);
    cr_assert_eq(ceilings_read(path, &made->lists.causes, &ceilings, error, sizeof error), 0, "%s",
                 error);
    ceilings_free(&ceilings);
    unlink(path);
    return made->text;
}

static void run_rate(struct made* made, const char* test, const char* mode, uint64_t events) {
    struct results_past past = row(test, 17, mode, 20000);
    put_cause(&past, "thawed", events);
    expect_take(&made->expect, &past);
}

#define OF_BOTH "c1,c2 async thawed = 1% spread=0.40 runs=8 measured=2026-11-20,17.0.1+9\n"

Test(expect_update, lines_that_hold_the_runs_stay_as_they_are) {
    const char* text = HEAD "[17 a]\n" OF_BOTH "\n[17 b]\n" OF_BOTH;
    struct expect_changes changes;
    struct made made;
    begin(&made);
    run_rate(&made, "a", "c1", 190);
    run_rate(&made, "b", "c2", 230);
    cr_expect_str_eq(update(&made, text, &changes), text);
    cr_expect_eq(changes.added + changes.replaced + changes.joined, 0);
    end(&made);
}

Test(expect_update, a_line_that_does_not_goes_on_with_them) {
    struct expect_changes changes;
    struct made made;
    begin(&made);
    run_rate(&made, "a", "c1", 1400); // 7 %: 4.9 spreads off
    const char* text =
        update(&made,
               HEAD "[17 a]\n; kept\n" OF_BOTH "c2 async deopt-caller = 2% spread=0.3 runs=4 "
                    "measured=2026-11-20,17.0.1+9\n\n[17 b]\n" OF_BOTH,
               &changes);
    cr_expect_eq(changes.added, 1);
    cr_expect_eq(changes.replaced, 0);
    // Of nine runs: exp((8 log 1 + log 7) / 9) = 1.242, sqrt(0.16 * 8/9 + 1.95^2 * 8/81) = 0.72.
    says(text, HEAD "[17 a]\n; kept\n" OF_BOTH "c2 async deopt-caller = 2% spread=0.3 runs=4 ");
    says(text,
         "\nc1 async thawed = 1.25% spread=0.72 runs=9 measured=2026-11-22,17.0.1+9\n\n[17 b]");
    cr_expect_eq(made.lines.count, 1);
    cr_expect_eq(made.lines.list[0].unlike, 0);
    end(&made);
}

Test(expect_update, the_same_line_is_replaced_and_sections_of_one_name_are_joined) {
    struct expect_changes changes;
    struct made made;
    begin(&made);
    run_rate(&made, "a", "c1", 1400);
    const char* text =
        update(&made,
               "[17 a]\nc1  async thawed=1% runs=8 spread=0.40 measured=2026-11-20,17.0.1+9\n"
               "c1 async thawed = 3% spread=0.40 runs=8 measured=2026-11-20,17.0.1+9 scope=all\n"
               "\n[17 b]\n" OF_BOTH "\n[17 a]\nc2 async thawed = 2% spread=0.40 runs=8 "
               "measured=2026-11-20,17.0.1+9\n",
               &changes);
    cr_expect_eq(changes.added, 0);
    cr_expect_eq(changes.replaced, 1);
    cr_expect_eq(changes.joined, 1);
    says(text, "[17 a]\nc1 async thawed = 1.25% spread=0.72 runs=9 measured=2026-11-22,17.0.1+9\n"
               "c1 async thawed = 3% ");
    says(text, "scope=all\nc2 async thawed = 2% spread=0.40 runs=8 measured=2026-11-20,17.0.1+9\n\n"
               "[17 b]\n" OF_BOTH);
    end(&made);
}

Test(expect_update, runs_too_unlike_for_one_line_are_told) {
    struct expect_changes changes;
    struct made made;
    begin(&made);
    run_rate(&made, "a", "c1", 16000);
    update(&made, "[17 a]\nc1 async thawed = 0.02% spread=0.30 runs=40 measured=2026-11-20,x\n",
           &changes);
    cr_assert_eq(made.lines.count, 1);
    cr_expect_float_eq(made.lines.list[0].unlike, 0.8, 1e-9);
    cr_expect_eq(made.lines.list[0].runs, 41);
    end(&made);
}

Test(expect_update, what_was_never_measured_has_lines_as_without_a_file) {
    struct expect_changes changes;
    struct made made;
    begin(&made);
    for (int i = 0; i < 3; i++) {
        run_rate(&made, "a", "zgc", 200);
        run_rate(&made, "b", "zgc", 200);
        run_rate(&made, "c", "zgc", 200);
        run_rate(&made, "c", "c1", 200); // c1 was measured, in other cases
    }
    const char* text = update(&made,
                              "[17 *]\nc1 async deopt-caller = 1% spread=0.40 runs=8 "
                              "measured=2026-11-20,x\n\n[17 a]\n" OF_BOTH,
                              &changes);
    says(text, "[17 *]\nc1 async deopt-caller = 1% spread=0.40 runs=8 measured=2026-11-20,x\n"
               "zgc async thawed = 1% spread=");
    says(text, "\n[17 c]\nc1 async thawed = 1% spread=");
    cr_expect_eq(changes.added, 2);
    end(&made);
}

Test(expect_update, a_file_that_cannot_be_read_is_named) {
    struct expect_changes changes;
    struct expect_lines none = {0};
    char error[300] = "";
    struct made made;
    begin(&made);
    cr_expect_eq(
        expect_update(&made.expect, &none, "/nowhere/x.ini", &changes, error, sizeof error), -1);
    cr_expect_str_eq(error, "/nowhere/x.ini: No such file or directory");
    end(&made);
}

// ---- Profilers ----------------------------------------------------------------------------------

Test(expect, a_profiler_has_lines_of_its_own_or_with_one_of_the_same_walker) {
    static char names[2][8] = {"same", "other"};
    struct profiler same = {.name = names[0], .measured = names[1]};
    struct made made;
    begin(&made);
    made.lists.profilers = (struct profilers){&same, 1};
    for (int i = 0; i < 4; i++) {
        struct results_past past = row("c", 17, "c1", 1000);
        past.layer = ORACLE_LAYER_PROFILER;
        snprintf(past.profiler, sizeof past.profiler, "%s",
                 i % 2 == 0 ? "jfr"
                 : i == 1   ? "same"
                            : "other");
        past.signals = 2000;
        past.silent = i % 2 == 0 ? 400 : 0;
        past.cut = i % 2 == 0 ? 0 : 70;
        past.empty = past.refused[1] = 5;
        past.transition = 300;
        past.mismatch[ORACLE_ATTRIBUTION] = 40;
        put_cause(&past, "thawed", i % 2 == 0 ? 10 : 50);
        expect_take(&made.expect, &past);
    }
    const char* text = finish(&made);
    says(text, "c1 profiler thawed = 1% spread=");
    says(text, "c1 profiler thawed = 5% spread=");
    says(text, "c1 profiler silent = 20% spread=");
    says(text, "c1 profiler silent = 0.0125% spread="); // never: half an event of 4000
    says(text, "c1 profiler cut = 7% spread=");
    says(text, "c1 profiler empty = 0.5% spread=");
    says(text, "c1 profiler attribution = 4% spread=");
    says(text, " profiler=jfr\n");
    says(text, " profiler=other\n");
    says_not(text, "profiler=same");
    says_not(text, "refused");
    says_not(text, "transition =");
    end(&made);
}
