// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fake_java.h"
#include "runner/session/session.h"
#include "soak_parts.h"

// ---- Draws --------------------------------------------------------------------------------------

static struct lists lists;
static struct home home;
static const char* place;
static const int features[] = {17, 21};

static void open_house(void) {
    char error[256];
    place = fake_make(&home);
    cr_assert_eq(lists_read(&lists, LISTS_CASES | LISTS_PROGRAMS, &home, error, sizeof error), 0,
                 "%s", error);
}

static void close_house(void) {
    lists_free(&lists);
    fake_remove(place);
}

static struct soak_choice choice(void) {
    return (struct soak_choice){
        .lists = &lists, .features = features, .jdk_count = 2, .longest = 60, .load = 1, .seed = 7};
}

static char* text_of(const struct soak_draw* draw) {
    struct words words = {0};
    soak_words(draw, &words);
    char* text = words_join(words.list, words.count);
    words_free(&words);
    return text;
}

Test(soak, a_seed_and_a_number_repeat_a_round, .init = open_house, .fini = close_house) {
    struct soak_choice from = choice();
    size_t alike = 0;
    for (uint64_t number = 1; number <= 100; number++) {
        struct soak_draw one, again, other;
        soak_draw(&from, number, &one);
        soak_draw(&from, number, &again);
        soak_draw(&from, number + 1, &other);
        char *text = text_of(&one), *repeated = text_of(&again), *next = text_of(&other);
        cr_expect_str_eq(text, repeated);
        cr_expect_eq(one.jdk, again.jdk);
        alike += strcmp(text, next) == 0;
        free(text);
        free(repeated);
        free(next);
    }
    cr_expect_eq(alike, 0);
    struct soak_draw here, there;
    soak_draw(&from, 1, &here);
    from.seed = 8;
    soak_draw(&from, 1, &there);
    cr_expect_neq(here.seed, there.seed);
    from.load = 6;
    soak_draw(&from, 1, &here);
    cr_expect_eq(here.seed, there.seed);
    cr_expect(here.timeout >= 6 * there.timeout - 1, "a loaded machine: %g", here.timeout);
}

// What one of 4,000 rounds lacks is not drawn at all.
Test(soak, all_there_is_is_drawn_and_validate_takes_it, .init = open_house, .fini = close_house) {
    const struct soak_choice from = choice();
    size_t drawn_modes[MODE_COUNT] = {0}, jdks[2] = {0}, program = 0, later = 0, heap = 0,
           files = 0;
    size_t survive = 0, part = 0, depth = 0, interval = 0, none = 0, all = 0, wall = 0, native = 0;
    size_t brief = 0;
    for (uint64_t number = 1; number <= 4000; number++) {
        struct soak_draw d;
        struct words words = {0};
        struct options options;
        soak_draw(&from, number, &d);
        words_add(&words, "plumbline validate");
        words_add_option(&words, "--jdk", "/jdk");
        soak_words(&d, &words);
        const struct base_call call = {
            .argc = (int)words.count, .argv = words.list, .home = &home, .stays = true};
        char* text = text_of(&d);
        cr_assert_eq(options_parse(OPTIONS_VALIDATE, &call, &options), 0, "%s", text);
        cr_expect_str_eq(options.cases, plan_entry_name(&d.what));
        cr_expect_eq(options.modes, 1u << (d.what.mode - modes));
        cr_expect_eq(options.programs, d.what.program != NULL);
        cr_expect(!options_more_time(&options), "%s", text);
        free(text);
        words_free(&words);
        drawn_modes[d.what.mode - modes]++;
        jdks[d.jdk]++;
        program += d.what.program != NULL;
        if (d.what.program == NULL) {
            cr_expect(d.seconds >= 4 && d.seconds <= 60, "%g", d.seconds);
            brief += d.seconds < 15.5; // the middle between 4 and 60 is their geometric mean
            cr_expect(strcmp(plan_entry_name(&d.what), "new") != 0 || features[d.jdk] == 21);
            later += strcmp(plan_entry_name(&d.what), "new") == 0;
        }
        heap += d.heap != 0;
        cr_expect(d.heap == 0 || d.what.program == NULL, "a program's heap is its own");
        files += d.files != 0;
        survive += d.survive;
        part += d.part;
        depth += d.depth != 0;
        interval += d.interval != 0;
        none += strcmp(d.what.scope, "none") == 0;
        all += strcmp(d.what.scope, "all") == 0;
        wall += strcmp(d.source, "wall") == 0;
        native += strcmp(d.push, "native") == 0;
    }
    for (size_t m = 0; m < MODE_COUNT; m++) cr_expect_gt(drawn_modes[m], 100, "%s", modes[m].name);
    cr_expect_gt(jdks[0], 1800);
    cr_expect_gt(jdks[1], 1800);
    // Shares, each within six standard deviations or more of its own.
    cr_expect(program > 300 && program < 700, "%zu", program);
    cr_expect(later > 600 && later < 1200, "%zu", later);
    cr_expect(brief > 1500 && brief < 2000, "%zu", brief);
    cr_expect(heap > 1500 && heap < 2000, "%zu", heap);
    size_t quarters[] = {files, survive, part, interval, none, all, wall, native};
    for (size_t i = 0; i < sizeof quarters / sizeof *quarters; i++)
        cr_expect(quarters[i] > 800 && quarters[i] < 1200, "%zu: %zu", i, quarters[i]);
    cr_expect(depth > 350 && depth < 650, "%zu", depth);
}

static void choose(struct soak_choice* from, const char* globs) {
    char error[256];
    free(from->chosen);
    cr_assert_eq(soak_choose(from, globs, error, sizeof error), 0, "%s", error);
}

Test(soak, globs_choose_and_what_no_jdk_can_run_is_not_drawn, .init = open_house,
     .fini = close_house) {
    struct soak_choice from = choice();
    choose(&from, "ne?,absent");
    for (uint64_t number = 1; number <= 200; number++) {
        struct soak_draw d;
        soak_draw(&from, number, &d);
        const char* name = plan_entry_name(&d.what);
        cr_expect(strcmp(name, "new") == 0 || strcmp(name, "absent") == 0, "%s", name);
        cr_expect(strcmp(name, "absent") == 0 || d.jdk == 1, "17 has no \"new\"");
    }
    from.jdk_count = 1;
    choose(&from, "new");
    cr_expect(!soak_can_draw(&from));
    choose(&from, "crash"); // of no preset
    cr_expect(!soak_can_draw(&from));
    choose(&from, "new,pass");
    cr_expect(soak_can_draw(&from));
    free(from.chosen);
    char error[256];
    cr_expect_eq(soak_choose(&from, "pass,crush", error, sizeof error), RUNNER_EXIT_USAGE);
    cr_expect_str_eq(error,
                     "--cases: no case and no program matches \"crush\" (plumbline list cases, "
                     "plumbline list programs); did you mean \"crash\"?");
}

// ---- The ledger ---------------------------------------------------------------------------------

static struct soak_entry entry_of(uint64_t number, enum soak_outcome outcome) {
    struct soak_entry entry = {.seed = 7,
                               .number = number,
                               .began = "2026-11-28T05:10:00Z",
                               .version = "17.0.99",
                               .name = "mixed",
                               .mode = "tiered",
                               .scope = "app",
                               .options = "--cases mixed",
                               .seconds = 12.5,
                               .outcome = outcome,
                               .waiting = 3,
                               .threads = 4,
                               .lives = 2};
    entry.layer[ORACLE_LAYER_ASYNC] =
        (struct soak_count){.judged = 1000, .mismatched = 20, .unexplained = 1};
    entry.memory[SOAK_AGENT] =
        (struct soak_memory){.peak = 4096, .first = 2048, .last = 3072, .span = 36};
    return entry;
}

struct seen {
    struct soak_entry list[256];
    size_t count;
};

static void see(void* context, const struct soak_entry* entry) {
    struct seen* seen = context;
    cr_assert_lt(seen->count, sizeof seen->list / sizeof *seen->list);
    seen->list[seen->count++] = *entry;
}

static void path_in_house(char path[128]) {
    snprintf(path, 128, "%s/ledger", place);
}

static void append(const char* path, const char* text) {
    FILE* file = fopen(path, "a");
    cr_assert_not_null(file);
    fputs(text, file);
    cr_assert_eq(fclose(file), 0);
}

static char* whole_file(const char* path) {
    char* text = NULL;
    size_t room = 0;
    FILE* file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    cr_assert_gt(getdelim(&text, &room, '\0', file), 0);
    fclose(file);
    return text;
}

Test(soak, the_ledger_gives_back_what_was_added, .init = open_house, .fini = close_house) {
    char path[128], error[512];
    static struct seen seen;
    seen.count = 0;
    path_in_house(path);
    cr_assert_eq(soak_ledger_read(path, see, &seen, error, sizeof error), 0, "none is there yet");
    struct soak_entry one = entry_of(1, SOAK_RIGHT), two = entry_of(2, SOAK_DIED);
    strcpy(two.reason, "async CRASH: SIGSEGV at \"x\"\n\t\xc3\xa9");
    for (int turn = 0; turn < 2; turn++) {
        int fd = soak_ledger_open(path);
        cr_assert_geq(fd, 0);
        cr_assert_eq(soak_ledger_add(fd, turn == 0 ? &one : &two), 0);
        close(fd);
    }
    cr_assert_eq(soak_ledger_read(path, see, &seen, error, sizeof error), 0, "%s", error);
    cr_assert_eq(seen.count, 2);
    cr_expect_eq(seen.list[0].number, 1);
    cr_expect_eq(seen.list[0].seconds, 12.5);
    cr_expect_eq(seen.list[0].layer[ORACLE_LAYER_ASYNC].mismatched, 20);
    cr_expect_eq(seen.list[0].memory[SOAK_AGENT].span, 36);
    cr_expect_str_eq(seen.list[1].reason, two.reason);
    // What was read, written once more, is the same file.
    char again[160], *first, *second;
    snprintf(again, sizeof again, "%s.again", path);
    int fd = soak_ledger_open(again);
    for (size_t i = 0; i < seen.count; i++) cr_assert_eq(soak_ledger_add(fd, &seen.list[i]), 0);
    close(fd);
    first = whole_file(path);
    second = whole_file(again);
    cr_expect_str_eq(first, second);
    free(first);
    free(second);
}

Test(soak, a_line_that_a_kill_cut_off_goes, .init = open_house, .fini = close_house) {
    char path[128], error[512];
    static struct seen seen;
    seen.count = 0;
    struct soak_entry one = entry_of(1, SOAK_RIGHT), two = entry_of(2, SOAK_HUNG);
    path_in_house(path);
    int fd = soak_ledger_open(path);
    cr_assert_eq(soak_ledger_add(fd, &one), 0);
    close(fd);
    append(path, "{\"seed\":7,\"round\":2,\"out");
    cr_assert_eq(soak_ledger_read(path, see, &seen, error, sizeof error), 0, "%s", error);
    cr_assert_eq(seen.count, 1);
    fd = soak_ledger_open(path);
    cr_assert_eq(soak_ledger_add(fd, &two), 0);
    close(fd);
    seen.count = 0;
    cr_assert_eq(soak_ledger_read(path, see, &seen, error, sizeof error), 0, "%s", error);
    cr_assert_eq(seen.count, 2);
    cr_expect_eq(seen.list[1].outcome, SOAK_HUNG);
}

Test(soak, what_is_no_ledger_is_named, .init = open_house, .fini = close_house) {
    static const char* const wrong[] = {
        "{\"round\":3}\n", "{\"round\":3,\"outcome\":\"fine\",\"seconds\":1}\n",
        "{\"round\":0,\"outcome\":\"right\",\"seconds\":1}\n",
        "{\"round\":3,\"outcome\":\"right\",\"seconds\":-1}\n", "no JSON\n", "[1]\n", "\n",
        // No ends of lines, and no line of ours that was cut off.
        "no JSON", "{\"a\":1}", "{\"seeds", "{\"round\":4,\"outcome\":\"right\",\"seconds\":1}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char path[128], error[512] = "", begins[160];
        static struct seen seen;
        seen.count = 0;
        path_in_house(path);
        unlink(path);
        append(path, "{\"round\":3,\"outcome\":\"right\",\"seconds\":1}\n");
        append(path, wrong[i]);
        snprintf(begins, sizeof begins, "%s:2: ", path);
        cr_expect_eq(soak_ledger_read(path, see, &seen, error, sizeof error), -1, "%s", wrong[i]);
        cr_expect(strncmp(error, begins, strlen(begins)) == 0, "%s", error);
    }
    cr_expect_eq(soak_ledger_open(place), -1, "a directory");
    cr_expect_eq(errno, EISDIR);
    cr_expect_eq(soak_ledger_open("/dev/null"), -1, "a device");
    cr_expect_eq(errno, EINVAL);
}

// ---- One row -----------------------------------------------------------------------------------

Test(soak, a_death_is_ours_where_our_frame_died) {
    static const struct {
        const char* reason;
        enum soak_outcome outcome;
    } of[] = {
        {"ended by SIGABRT, outside the walkers: SIGSEGV at C  [libplumbline.so+0x3a85a]  x+0x52",
         SOAK_OURS},
        {"ended by SIGABRT, in the walker of layer async, asked at libplumbline.so+0x3a85a: "
         "SIGSEGV "
         "at V  [libjvm.so+0x5dcbdf]",
         SOAK_DIED},
        {"ended by SIGABRT, outside the walkers", SOAK_DIED}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct results_row row = {.layer = ORACLE_LAYER_ASYNC, .verdict = RESULTS_ROW_CRASH};
        snprintf(row.reason, sizeof row.reason, "%s", of[i].reason);
        cr_expect_eq(soak_outcome_of(&row), of[i].outcome, "%s", of[i].reason);
    }
}

Test(soak, layers_without_ceilings_show_an_error_by_one_mismatch) {
    for (unsigned l = 0; l < ORACLE_LAYER_COUNT; l++) {
        struct results_row row = {.layer = (enum oracle_layer)l, .verdict = RESULTS_ROW_FAIL};
        bool exact = l == ORACLE_LAYER_GROUND || l == ORACLE_LAYER_GST ||
                     l == ORACLE_LAYER_SAFEPOINT || l == ORACLE_LAYER_SURVIVE;
        cr_expect_eq(soak_outcome_of(&row), SOAK_BEYOND);
        row.cause[RESULTS_UNEXPLAINED] = 1;
        cr_expect_eq(soak_outcome_of(&row), exact ? SOAK_TRUTH : SOAK_BEYOND, "%s",
                     oracle_layer_text((enum oracle_layer)l));
    }
}

Test(soak, what_a_stopped_round_had_shown_is_kept) {
    for (unsigned o = 0; o < SOAK_OUTCOME_COUNT; o++)
        if (soak_is_kept((enum soak_outcome)o))
            cr_expect_gt(o, SOAK_STOPPED, "%s", soak_outcome_text(o));
}

// ---- The sum ------------------------------------------------------------------------------------

static char* printed(const struct soak_sum* sum) {
    char* text = NULL;
    size_t size;
    FILE* out = open_memstream(&text, &size);
    soak_sum_print(sum, out);
    fclose(out);
    return text;
}

// Whether a line of the text begins so.
static bool has_line(const char* text, const char* line) {
    size_t length = strlen(line);
    for (const char* at = text; at != NULL; at = strchr(at, '\n')) {
        if (*at == '\n') at++;
        if (strncmp(at, line, length) == 0) return true;
        if (*at == '\0') return false;
    }
    return false;
}

Test(soak, a_ledger_adds_up) {
    struct soak_sum sum = {.next = 0};
    for (uint64_t number = 1; number <= 144; number++) {
        struct soak_entry entry = entry_of(number, number == 9 ? SOAK_DIED : SOAK_RIGHT);
        if (number > 72) strcpy(entry.version, "1.8.0_504");
        if (number == 9) strcpy(entry.reason, "async CRASH: why");
        soak_sum_add(&sum, &entry);
    }
    cr_expect_eq(sum.next, 145);
    cr_expect_eq(sum.layer[ORACLE_LAYER_ASYNC].judged, 144000);
    cr_expect_eq(sum.layer[ORACLE_LAYER_ASYNC].unexplained, 144);
    cr_expect_eq(soak_sum_status(&sum), RUNNER_EXIT_FAIL);
    char* text = printed(&sum);
    cr_expect(has_line(text, "0.50 JVM-hours in 144 rounds\n"), "%s", text);
    const char *old = strstr(text, "\n1.8.0_504 "), *new = strstr(text, "\n17.0.99 ");
    cr_expect(old != NULL && new != NULL&& old < new, "releases in their order: %s", text);
    cr_expect(strstr(text, "17.0.99                0.25       72 1\n") != NULL, "%s", text);
    // 144 times 1 MB in 36 s.
    cr_expect(strstr(text, "agent, blocks          4.0 MB  +100.00 MB an hour in 1.44 h\n") != NULL,
              "%s", text);
    cr_expect(strstr(text, "command, resident      0.0 MB  not known\n") != NULL, "%s", text);
    cr_expect(strstr(text, "the agent grows most in: mixed +100.00 MB an hour in 1.44 h\n") != NULL,
              "%s", text);
    cr_expect(strstr(text, "died              1         9  async CRASH: why\n") != NULL, "%s",
              text);
    free(text);
    soak_sum_free(&sum);
}

Test(soak, the_status_is_that_of_the_worst_round) {
    static const struct {
        enum soak_outcome outcome;
        int status;
    } of[] = {{SOAK_LEFT_OUT, RUNNER_EXIT_INCONCLUSIVE},
              {SOAK_STOPPED, RUNNER_EXIT_INCONCLUSIVE},
              {SOAK_RIGHT, RUNNER_EXIT_PASS},
              {SOAK_BEYOND, RUNNER_EXIT_PASS},
              {SOAK_DIED_KNOWN, RUNNER_EXIT_PASS},
              {SOAK_HARNESS, RUNNER_EXIT_HARNESS},
              {SOAK_TRUTH, RUNNER_EXIT_FAIL},
              {SOAK_HUNG, RUNNER_EXIT_FAIL},
              {SOAK_DIED, RUNNER_EXIT_FAIL},
              {SOAK_OURS, RUNNER_EXIT_FAIL}};
    struct soak_sum sum = {.next = 0};
    cr_expect_eq(soak_sum_status(&sum), RUNNER_EXIT_INCONCLUSIVE);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct soak_entry entry = entry_of(i + 1, of[i].outcome);
        soak_sum_add(&sum, &entry);
        cr_expect_eq(soak_sum_status(&sum), of[i].status, "%s", soak_outcome_text(of[i].outcome));
    }
    soak_sum_free(&sum);
}

// ---- A round's memory ---------------------------------------------------------------------------

static struct soak_round round_of(const char* name) {
    struct soak_round made = {.child = {.pid = getpid()}, .entry = {.number = 1}};
    made.draw = (struct soak_draw){
        .what = {.test = cases_find(&lists.cases, name), .mode = &modes[MODE_INT], .scope = "app"},
        .seconds = 10};
    snprintf(made.out, sizeof made.out, "%s/made", place);
    return made;
}

// As if a second had passed, and so many since the JVM's start.
static void look(struct soak_round* round, double since) {
    round->looked = 0;
    if (round->run != NULL) round->started = launch_now() - since;
    soak_round_look(round);
}

static struct results_run* running(const char* name) {
    char path[160];
    snprintf(path, sizeof path, "%s/made/runs/%s-int-app", place, name);
    cr_assert_eq(output_make_directories(path), 0);
    strcat(path, "/run.plumbline");
    struct results_run* run = results_run_create(path);
    cr_assert_not_null(run);
    return run;
}

Test(soak_round, memory_is_watched_while_the_jvm_runs, .init = open_house, .fini = close_house) {
    struct soak_round round = round_of("pass");
    const struct soak_memory* memory = round.entry.memory;
    look(&round, 0);
    cr_expect_null(round.run, "no file yet");
    struct results_run* run = running("pass");
    look(&round, 0);
    cr_expect_null(round.run, "no JVM has begun");
    run->phase = RESULTS_PHASE_RUNNING;
    run->pid = (uint32_t)getpid();
    run->memory = 9 << 20;
    run->mapped = 3 << 20;
    look(&round, 0);
    cr_assert_not_null(round.run);
    cr_expect_eq(memory[SOAK_AGENT].peak, 9 << 10);
    cr_expect_eq(memory[SOAK_AGENT].first, 0, "it has just begun");
    run->memory = 5 << 20;
    look(&round, 4.5);
    run->memory = 6 << 20;
    look(&round, 64.5);
    cr_expect_eq(memory[SOAK_AGENT].peak, 9 << 10);
    cr_expect_eq(memory[SOAK_AGENT].first, 5 << 10);
    cr_expect_eq(memory[SOAK_AGENT].last, 6 << 10);
    cr_expect_float_eq(memory[SOAK_AGENT].span, 60, 0.5);
    cr_expect_eq(memory[SOAK_MAPPED].last, 3 << 10);
    cr_expect_gt(memory[SOAK_JVM].last, 1000, "this process");
    cr_expect_gt(memory[SOAK_RUNNER].last, 1000);
    run->memory = 50 << 20;
    run->pid = 0; // there is no such process: the command reads the record
    look(&round, 80);
    cr_expect_eq(memory[SOAK_AGENT].last, 6 << 10);
    run->phase = RESULTS_PHASE_ENDED;
    run->pid = (uint32_t)getpid();
    look(&round, 90);
    cr_expect_eq(memory[SOAK_AGENT].last, 6 << 10);
    results_run_unmap(run);
}

// Seconds that a round's command may take, whose JVM may take 100.
static double limit_of(const struct program* program) {
    static struct jdk jdk = {.version = "17.0.99"};
    struct soak_round round = round_of("pass");
    round.child.pid = 0;
    round.draw.timeout = 100;
    round.draw.what.program = program;
    if (program != NULL) round.draw.what.test = NULL;
    snprintf(home.executable, sizeof home.executable, "/bin/true");
    cr_assert_eq(soak_round_start(&round, &home, &jdk, place), 0);
    while (!launch_poll(&round.child)) launch_wait(0.1);
    return round.child.deadline - round.child.started;
}

// It makes its input, runs without Plumbline, and then with it; a hang of the last is the JVM's.
Test(soak_round, a_listed_program_may_take_its_time_three_times, .init = open_house,
     .fini = close_house) {
    launch_prepare();
    cr_expect_float_eq(limit_of(&lists.programs.list[0]) - limit_of(NULL), 200, 1e-3);
}

// The command, too, leaves that out of its JVM's time, and then says what hung.
Test(soak_round, its_command_outlives_a_jvm_that_stays_stopped, .init = open_house,
     .fini = close_house) {
    launch_prepare();
    cr_expect_gt(limit_of(NULL), 100 + LAUNCH_STOPPED);
}

// As launch_poll leaves it behind a freeze of 1000 seconds.
Test(soak_round, a_freeze_is_no_time_of_a_jvm) {
    double now = launch_now();
    struct soak_round round = {.child = {.pid = 1, .started = now - 1010}, .started = now - 1009};
    cr_expect_float_eq(soak_round_seconds(&round), 1009, 1);
    round.child.started += 1000;
    cr_expect_float_eq(soak_round_seconds(&round), 10, 1);
    round.started = 0;
    cr_expect_eq(soak_round_seconds(&round), 0, "the JVM has not begun");
}

// What a round that hung says of itself, whose methods pushed `ago` seconds before its last sight.
static char* hung(double ago) {
    cr_redirect_stdout();
    fake_call(
        validate_command, &home,
        "validate --jdk %s/jdk --cases hang --modes int --seconds 1 --timeout 1 --more-time no "
        "--out %s/made",
        place, place);
    static struct soak_round round;
    round = round_of("hang");
    round.looked = launch_now();
    round.pushed = ago > 0 ? round.looked - ago : 0;
    soak_round_end(&round);
    cr_expect_eq(round.entry.outcome, SOAK_HUNG);
    return round.entry.reason;
}

Test(soak_round, a_jvm_that_still_works_is_told_from_one_that_hangs, .init = open_house,
     .fini = close_house) {
    cr_expect_not_null(strstr(hung(5), "it may be slow"));
    cr_expect_null(strstr(hung(100), "it may be slow"));
    cr_expect_null(strstr(hung(0), "it may be slow"));
}

Test(soak_round, pushes_are_seen, .init = open_house, .fini = close_house) {
    struct soak_round round = round_of("pass");
    struct results_run* run = running("pass");
    run->phase = RESULTS_PHASE_RUNNING;
    run->pid = (uint32_t)getpid();
    look(&round, 0);
    cr_expect_eq(round.pushed, 0);
    run->threads_now[7].ground_checks = 5;
    look(&round, 1);
    double pushed = round.pushed;
    cr_expect_gt(pushed, 0);
    look(&round, 2);
    cr_expect_eq(round.pushed, pushed, "none since");
    results_run_unmap(run);
}

// ---- The command --------------------------------------------------------------------------------

static void read_all(FILE* file, char* text, size_t size) {
    fflush(NULL);
    text[fread(text, 1, size - 1, file)] = '\0';
}

// A session of this case, to be what every round leaves; and a "plumbline" that leaves it, after
// some words of shell.
static void make_plumbline(const char* name, const char* words) {
    char script[1024];
    cr_redirect_stdout();
    fake_call(
        validate_command, &home,
        "validate --jdk %s/jdk --cases %s --modes int --seconds 1 --timeout %d --more-time no "
        "--out %s/made",
        place, name, strcmp(name, "hang") == 0 ? 1 : 30, place);
    snprintf(script, sizeof script,
             "#!/bin/sh\n%s\nwhile [ \"$1\" != --out ]; do shift; done\ncp -r %s/made \"$2\"\n",
             words, place);
    fake_file(place, "plumbline", script, 0755);
    snprintf(home.executable, sizeof home.executable, "%s/plumbline", place);
}

static int soak_once(const char* options) {
    return fake_call(soak_command, &home, "soak --jdk %s/jdk --out %s/soak --cases pass %s", place,
                     place, options);
}

static struct soak_entry last_entry(size_t* count) {
    char path[128], error[512];
    struct seen* seen = calloc(1, sizeof *seen);
    snprintf(path, sizeof path, "%s/soak/ledger", place);
    cr_assert_eq(soak_ledger_read(path, see, seen, error, sizeof error), 0, "%s", error);
    cr_assert_gt(seen->count, 0u);
    struct soak_entry last = seen->list[seen->count - 1];
    *count = seen->count;
    free(seen);
    return last;
}

static bool kept(uint64_t number) {
    char path[160];
    snprintf(path, sizeof path, "%s/soak/rounds/%06llu/results.json", place,
             (unsigned long long)number);
    return access(path, F_OK) == 0;
}

#define ONE_ROUND "--hours 0.000001 --jobs 1"

Test(soak_command, an_interruption_before_the_first_round_is_no_fault_of_the_harness,
     .init = open_house, .fini = close_house, .timeout = 60) {
    cr_redirect_stdout();
    cr_redirect_stderr();
    fake_interrupting(place, "one");
    cr_expect_eq(fake_call(soak_command, &home, "soak --jdk %s/one --out %s/soak", place, place),
                 RUNNER_EXIT_INCONCLUSIVE);
}

Test(soak_command, rounds_add_up_and_what_is_right_leaves_no_files, .init = open_house,
     .fini = close_house) {
    size_t count;
    make_plumbline("pass", ":");
    cr_expect_eq(soak_once(ONE_ROUND), RUNNER_EXIT_PASS);
    cr_expect_eq(soak_once(ONE_ROUND), RUNNER_EXIT_PASS);
    struct soak_entry entry = last_entry(&count);
    cr_expect_eq(count, 2);
    cr_expect_eq(entry.number, 2);
    cr_expect_eq(entry.outcome, SOAK_RIGHT);
    cr_expect_str_eq(entry.version, "17.0.99");
    cr_expect_str_eq(entry.name, "pass");
    cr_expect_eq(entry.layer[ORACLE_LAYER_ASYNC].judged, 20000);
    cr_expect_gt(entry.seconds, 0);
    cr_expect(!kept(1) && !kept(2));
    cr_expect_eq(soak_once("--hours 0"), RUNNER_EXIT_PASS, "the ledger alone");
    last_entry(&count);
    cr_expect_eq(count, 2);
}

Test(soak_command, a_ledger_can_be_printed_while_a_soak_goes_on, .init = open_house,
     .fini = close_house) {
    make_plumbline("pass", ":");
    char out[128], lock[160];
    snprintf(out, sizeof out, "%s/other", place);
    snprintf(lock, sizeof lock, "%s/.lock", out);
    cr_assert_eq(mkdir(out, 0755), 0);
    int file = open(lock, O_RDWR | O_CREAT, 0644); // another soak's
    cr_assert_eq(flock(file, LOCK_EX), 0);
    cr_redirect_stderr();
    cr_expect_eq(fake_call(soak_command, &home, "soak --out %s --hours 0", out),
                 RUNNER_EXIT_INCONCLUSIVE, "no rounds yet");
    cr_expect_eq(
        fake_call(soak_command, &home, "soak --jdk %s/jdk --out %s " ONE_ROUND, place, out),
        RUNNER_EXIT_HARNESS, "two soaks");
    close(file);
}

Test(soak_command, what_a_killed_soak_left_of_a_round_is_not_taken_for_it, .init = open_house,
     .fini = close_house) {
    make_plumbline("pass", ":");
    cr_expect_eq(soak_once(ONE_ROUND), RUNNER_EXIT_PASS);
    char command[256];
    snprintf(command, sizeof command, "cp -r %s/made %s/soak/rounds/000002", place, place);
    cr_assert_eq(system(command), 0);
    make_plumbline("pass", "exit 3");
    cr_redirect_stderr();
    cr_expect_eq(soak_once(ONE_ROUND), RUNNER_EXIT_HARNESS);
}

Test(soak_command, what_a_ledger_says_changes_no_terminal, .init = open_house,
     .fini = close_house) {
    char path[160], text[8192];
    snprintf(path, sizeof path, "%s/ledger", place);
    struct soak_entry entry = entry_of(1, SOAK_DIED);
    strcpy(entry.reason, "async CRASH: \x1b[2J");
    int fd = soak_ledger_open(path);
    cr_assert_eq(soak_ledger_add(fd, &entry), 0);
    close(fd);
    cr_redirect_stdout();
    cr_expect_eq(fake_call(soak_command, &home, "soak --out %s --hours 0", place),
                 RUNNER_EXIT_FAIL);
    read_all(cr_get_redirected_stdout(), text, sizeof text);
    cr_expect_not_null(strstr(text, "async CRASH: \\u001b[2J"), "%s", text);
    cr_expect_null(strchr(text, '\x1b'));
}

Test(soak_command, what_is_wrong_is_kept_and_named, .init = open_house, .fini = close_house) {
    static const struct {
        const char *name, *words;
        enum soak_outcome outcome;
        int status;
        const char* reason;
    } of[] = {{"crash", ":", SOAK_DIED, RUNNER_EXIT_FAIL, "SIG"},
              {"hang", ":", SOAK_HUNG, RUNNER_EXIT_FAIL, "HANG"},
              {"starved-wrong", ":", SOAK_TRUTH, RUNNER_EXIT_FAIL, "gst FAIL"},
              {"mismatch", ":", SOAK_BEYOND, RUNNER_EXIT_PASS, "gst FAIL"}, // of a known cause
              {"check", ":", SOAK_BEYOND, RUNNER_EXIT_PASS, "FAIL"},
              {"pass", "kill -SEGV $$", SOAK_OURS, RUNNER_EXIT_FAIL, "signal 11"},
              {"pass", "echo no room >&2; exit 3", SOAK_HARNESS, RUNNER_EXIT_HARNESS, "no room"},
              {"pass", "exit 3", SOAK_HARNESS, RUNNER_EXIT_HARNESS, "results.json"}};
    cr_redirect_stderr();
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char path[128];
        size_t count;
        snprintf(path, sizeof path, "%s/made", place);
        output_remove(path);
        make_plumbline(of[i].name, of[i].words);
        cr_expect_eq(soak_once(ONE_ROUND), of[i].status, "%s", of[i].name);
        struct soak_entry entry = last_entry(&count);
        cr_expect_eq(entry.outcome, of[i].outcome, "%s: %s", of[i].name,
                     soak_outcome_text(entry.outcome));
        cr_expect(strstr(entry.reason, of[i].reason) != NULL, "%s: %s", of[i].name, entry.reason);
        if (strcmp(of[i].words, ":") == 0) cr_expect(kept(i + 1), "%s", of[i].name);
        snprintf(path, sizeof path, "%s/soak/rounds/%06zu.txt", place, i + 1);
        cr_expect_eq(access(path, F_OK), 0, "%s", of[i].name);
    }
}

Test(soak_command, a_round_can_have_few_descriptors, .init = open_house, .fini = close_house) {
    make_plumbline("pass", "sleep 0.2; ulimit -n >>\"$(dirname \"$0\")/later\"");
    cr_expect_eq(soak_once("--hours 0.000001 --jobs 4 --seed 3"), RUNNER_EXIT_PASS);
    char path[128];
    snprintf(path, sizeof path, "%s/later", place);
    char* text = whole_file(path);
    cr_expect(has_line(text, "256\n"), "%s", text);
    free(text);
}

Test(soak_command, rounds_without_a_jvm_end_it, .init = open_house, .fini = close_house) {
    make_plumbline("new", ":"); // 17 cannot run it
    cr_redirect_stderr();
    cr_expect_eq(soak_once("--hours 1 --jobs 8"), RUNNER_EXIT_HARNESS);
    char text[4096];
    read_all(cr_get_redirected_stderr(), text, sizeof text);
    cr_expect(strstr(text, "50 rounds one after the other had no JVM") != NULL, "%s", text);
}

Test(soak_command, the_user_can_stop_it, .init = open_house, .fini = close_house) {
    make_plumbline("pass", "trap 'exit 4' TERM; kill -INT $PPID; sleep 30 & wait");
    double before = launch_now();
    cr_expect_eq(soak_once("--hours 1 --jobs 2"), RUNNER_EXIT_INCONCLUSIVE);
    cr_expect_lt(launch_now() - before, 25);
}

Test(soak_command, wrong_usage_is_named, .init = open_house, .fini = close_house) {
    static const char* const wrong[] = {"--hours -1",  "--hours x",  "--jobs 0", "--jobs 65",
                                        "--seconds 3", "--out \"\"", "--seed x", "--colour"};
    make_plumbline("pass", ":");
    cr_redirect_stderr();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_expect_eq(soak_once(wrong[i]), RUNNER_EXIT_USAGE, "%s", wrong[i]);
    cr_expect_eq(fake_call(soak_command, &home, "soak --jdk %s/jdk --out %s/soak --cases crash",
                           place, place),
                 RUNNER_EXIT_USAGE, "of no preset");
    cr_expect_eq(soak_once("--hours 0"), RUNNER_EXIT_INCONCLUSIVE, "no ledger");
    cr_expect_eq(fake_call(soak_command, &home, "soak --jdk /nowhere --out %s/soak", place),
                 RUNNER_EXIT_HARNESS);
}
