// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline bug: its options, what it finds in a report, what it writes, and a reproducer in a real
// JVM.
#include <archive.h>
#include <archive_entry.h>
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bug.h"
#include "bug_parts.h"
#include "fake_java.h"
#include "made_up.h"
#include "runner/launch/launch.h"
#include "runner/session/session.h"

static void expect_said(const char* words) {
    static char said[16384];
    fflush(stderr);
    FILE* file = cr_get_redirected_stderr();
    said[fread(said, 1, sizeof said - 1, file)] = '\0';
    cr_expect(strstr(said, words) != NULL, "\"%s\" is not in: %s", words, said);
}

// ---- Options ----------------------------------------------------------------------------------

static int parse(struct bug_options* options, int count, const char* const* words) {
    static char copies[8][96];
    static char* argv[9];
    for (int i = 0; i < count; i++) argv[i] = strcpy(copies[i], words[i]);
    argv[count] = NULL;
    const struct base_call call = {.argc = count, .argv = argv, .stays = true};
    return bug_parse(&call, options);
}
#define PARSE(options, ...)                                                                        \
    parse(options, (int)(sizeof((const char* const[]){"bug", __VA_ARGS__}) / sizeof(char*)),       \
          (const char* const[]){"bug", __VA_ARGS__})

Test(bug_options, one_error_of_one_run_is_taken) {
    struct bug_options options;
    cr_expect_eq(PARSE(&options, "out/a", "--cluster", "3"), 0);
    cr_expect_str_eq(options.run, "out/a");
    cr_expect_eq(options.cluster, 3);
    cr_expect_eq(options.seconds, 20);
    cr_expect_eq(PARSE(&options, "--cause=epilogue", "out/a", "--seconds", "0"), 0);
    cr_expect_str_eq(options.cause, "epilogue");
    cr_expect_eq(options.seconds, 0);
    cr_expect_eq(PARSE(&options, "a", "--mismatch", "stub-indexof-c2-app/17", "--out", "b"), 0);
    cr_expect_str_eq(options.mismatch_run, "stub-indexof-c2-app");
    cr_expect_eq(options.mismatch, 17);
    cr_expect_str_eq(options.out, "b");
}

Test(bug_options, wrong_usage_is_refused, .init = cr_redirect_stderr) {
    struct bug_options options;
    cr_expect_eq(PARSE(&options, "--cluster", "3"), RUNNER_EXIT_USAGE, "no run");
    cr_expect_eq(PARSE(&options, "a"), RUNNER_EXIT_USAGE, "no error");
    cr_expect_eq(PARSE(&options, "a", "b", "--cluster", "1"), RUNNER_EXIT_USAGE, "two runs");
    cr_expect_eq(PARSE(&options, "a", "--cluster", "0"), RUNNER_EXIT_USAGE);
    cr_expect_eq(PARSE(&options, "a", "--cluster", "x"), RUNNER_EXIT_USAGE);
    cr_expect_eq(PARSE(&options, "a", "--cluster", "1", "--cause", "b"), RUNNER_EXIT_USAGE, "two");
    cr_expect_eq(PARSE(&options, "a", "--mismatch", "17"), RUNNER_EXIT_USAGE, "of which run?");
    cr_expect_eq(PARSE(&options, "a", "--mismatch", "/17"), RUNNER_EXIT_USAGE);
    cr_expect_eq(PARSE(&options, "a", "--mismatch", "x-int-app/"), RUNNER_EXIT_USAGE);
    cr_expect_eq(PARSE(&options, "a", "--cluster", "1", "--out", ""), RUNNER_EXIT_USAGE);
    cr_expect_eq(PARSE(&options, "a", "--cluster", "1", "--seconds", "9999"), RUNNER_EXIT_USAGE);
    expect_said("\"17\" is not CASE-MODE-SCOPE/N");
}

// ---- Texts of other files ---------------------------------------------------------------------

Test(bug_known, a_finding_is_a_section_by_its_number_or_by_the_first_words_of_its_heading) {
    const char* path =
        made_text("# All\n\n## 1. One thing\n\nof one\n\n## 11. C2's other, moved\n\n"
                  "of eleven\n### below\n\n## Modes beyond these\nof modes\n");
    char* heading = NULL;
    char* text = bug_finding(path, "1", &heading);
    cr_assert_not_null(text);
    cr_expect_str_eq(text, "\nof one\n\n");
    cr_expect_str_eq(heading, "1. One thing");
    free(text), free(heading);
    text = bug_finding(path, "11", &heading);
    cr_assert_not_null(text);
    cr_expect_str_eq(text, "\nof eleven\n### below\n\n");
    free(text), free(heading);
    text = bug_finding(path, "modes-beyond", &heading);
    cr_assert_not_null(text);
    cr_expect_str_eq(text, "of modes\n");
    free(text), free(heading);
    cr_expect_null(bug_finding(path, "2", &heading));
    cr_expect_null(bug_finding(path, "", &heading));
    cr_expect_null(bug_finding(path, "mode", &heading), "words are whole");
    cr_expect_null(bug_finding("/nonexistent", "1", &heading));
}

Test(bug_known, every_cause_has_its_section) {
    struct results_causes causes;
    char error[256];
    cr_assert_eq(results_causes_read("cases/causes.ini", &causes, error, sizeof error), 0, "%s",
                 error);
    for (size_t i = 1; i < causes.count; i++) {
        char* heading = NULL;
        char* text = bug_finding("cases/findings.md", causes.list[i].finding, &heading);
        cr_expect_not_null(text, "%s: \"%s\"", causes.list[i].name, causes.list[i].finding);
        free(text);
        free(heading);
    }
    results_causes_free(&causes);
}

#define REPRODUCERS "runner/bug/reproducer"

Test(bug_known, every_reproducer_is_of_a_cause_and_says_what_it_does) {
    struct results_causes causes;
    struct dirent** entries;
    char error[256];
    size_t programs = 0;
    cr_assert_eq(results_causes_read("cases/causes.ini", &causes, error, sizeof error), 0, "%s",
                 error);
    int found = scandir(REPRODUCERS, &entries, NULL, alphasort);
    for (int i = 0; i < found; i++) {
        char* dot = strrchr(entries[i]->d_name, '.');
        char* path = base_text("%s/%s", REPRODUCERS, entries[i]->d_name);
        if (dot != NULL && strcmp(dot, ".java") == 0) {
            char* about = bug_program_about(path);
            cr_expect_gt(strlen(about), 80, "%s", path);
            cr_expect_null(strstr(about, "Flags:"));
            cr_expect_null(strstr(about, "SPDX"));
            free(about);
            *dot = '\0';
            cr_expect_not_null(results_causes_find(&causes, entries[i]->d_name), "%s", path);
            programs++;
        }
        free(path);
        free(entries[i]);
    }
    free(entries);
    results_causes_free(&causes);
    cr_expect_geq(programs, 6);
}

Test(bug_known, a_cases_source_is_found_by_its_main_class) {
    char directory[PATH_MAX];
    cr_expect(bug_case_directory("cases", "FrameSize", directory));
    cr_expect_str_eq(directory, "cases/framesize");
    cr_expect_not(bug_case_directory("cases", "NoSuchCase", directory));
}

// ---- A report ---------------------------------------------------------------------------------

static int write_to(void* context, const void* bytes, size_t size) {
    return fwrite(bytes, 1, size, context) == size ? 0 : -1;
}

static struct results_evidence evidence; // of every sample

static struct results_sample sample_of(uint64_t sequence, enum oracle_verdict verdict) {
    static const struct results_sample_slot slot = {
        .kind = RESULTS_SLOT_ENTRY, .id = 0x100, .number = 1, .position = 50};
    static const struct results_sample_frame frame = {0x200, 2, 5};
    return (struct results_sample){.layer = ORACLE_LAYER_ASYNC,
                                   .sequence = sequence,
                                   .cause = verdict == ORACLE_MISSING ? 1 : 0,
                                   .verdict = (uint8_t)verdict,
                                   .judgement = {.verdict = verdict},
                                   .pc = 0x4000,
                                   .count = 1,
                                   .context_known = true,
                                   .slots = &slot,
                                   .slot_count = 1,
                                   .frames = &frame,
                                   .frame_count = 1,
                                   .evidence = &evidence};
}

// A record with sample 4, right; 17, of the first cause; 18, of no cause; 19, attribution; 20, in
// our own code; 21, of a walker that died of a spoiled context.
static void write_record(const char* path) {
    FILE* file = fopen(path, "w");
    cr_assert_not_null(file);
    const struct results_recorder_options options = {file, write_to, NULL};
    struct results_recorder* recorder = results_recorder_open(&options);
    struct results_sample own = sample_of(20, ORACLE_MISSING);
    own.own = true;
    struct results_sample died = sample_of(21, ORACLE_DIED);
    died.layer = ORACLE_LAYER_HOSTILE;
    const struct results_sample samples[] = {sample_of(4, ORACLE_AGREE),
                                             sample_of(17, ORACLE_MISSING),
                                             sample_of(18, ORACLE_TRUNCATED),
                                             sample_of(19, ORACLE_ATTRIBUTION),
                                             own,
                                             died};
    results_recorder_head(recorder, 0);
    results_recorder_property(recorder, "causes", "unexplained,long-division");
    results_recorder_property(recorder, "cpu", "A|B");
    results_recorder_property(recorder, "jvm.version", "25.0.3+9");
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        results_recorder_sample(recorder, &samples[i]);
    results_recorder_flush(recorder, 1, true);
    results_recorder_close(recorder);
    fclose(file);
}

static const struct results_record* made_record(void) {
    char* path = base_text("/tmp/plumbline-bug-%d.lz4", (int)getpid());
    write_record(path);
    const struct results_record* record = results_record_open_file(path);
    cr_assert_not_null(record);
    unlink(path);
    free(path);
    return record;
}

static struct results_execution executions[2];
static struct results_group groups[6];
static struct results_known known[2];
static struct results_row row;
static struct results_causes causes;
static struct results_report report;

static struct results_group group_of(enum oracle_layer layer, enum oracle_verdict verdict,
                                     const char* cause, uint64_t count, uint64_t example) {
    struct results_group group = {
        .layer = layer, .verdict = verdict, .count = count, .judged = 1000};
    snprintf(group.cause, sizeof group.cause, "%s", cause);
    group.example = example != 0 ? &executions[0] : NULL;
    group.example_sequence = example;
    return group;
}

static void make_report(void) {
    char error[256];
    cr_assert_eq(results_causes_read("cases/causes.ini", &causes, error, sizeof error), 0, "%s",
                 error);
    executions[0] = (struct results_execution){.case_name = "one",
                                               .mode = "c1",
                                               .scope = "app",
                                               .causes = &causes,
                                               .record = made_record()};
    executions[1] = (struct results_execution){.case_name = "two", .mode = "c1", .scope = "app"};
    groups[0] = group_of(ORACLE_LAYER_STRUCTURE, ORACLE_MISSING, "long-division", 50, 17);
    groups[1] = group_of(ORACLE_LAYER_ASYNC, ORACLE_MISSING, "long-division", 20, 0);
    groups[2] = group_of(ORACLE_LAYER_ASYNC, ORACLE_MISSING, "long-division", 7, 17);
    groups[3] = group_of(ORACLE_LAYER_ASYNC, ORACLE_TRUNCATED, "unexplained", 3, 18);
    groups[4] = group_of(ORACLE_LAYER_ASYNC, ORACLE_ATTRIBUTION, "", 9, 19);
    groups[5] = group_of(ORACLE_LAYER_HOSTILE, ORACLE_DIED, "unexplained", 2, 21);
    known[0] = (struct results_known){.name = "long-division",
                                      .title = "",
                                      .finding = "",
                                      .bug = "",
                                      .layer = ORACLE_LAYER_ASYNC,
                                      .count = 27,
                                      .judged = 900,
                                      .cases = 1};
    row = (struct results_row){
        .execution = &executions[0], .layer = ORACLE_LAYER_ASYNC, .judged = 400, .attribution = 9};
    const struct results_cause* cause = results_causes_find(&causes, "long-division");
    row.cause[cause - causes.list] = 21;
    row.cause[RESULTS_UNEXPLAINED] = 3;
    report = (struct results_report){.command = "plumbline validate --jdk x",
                                     .jdk_home = "/no/jdk",
                                     .jdk_version = "17.0.99",
                                     .jdk_vm = "Fake VM",
                                     .executions = executions,
                                     .execution_count = 2,
                                     .groups = groups,
                                     .group_count = 6,
                                     .known = known,
                                     .known_count = 1,
                                     .rows = &row,
                                     .row_count = 1};
}

static int find(struct bug_subject* subject, const struct bug_options* options) {
    return bug_find(options, &report, subject);
}

Test(bug_find, a_cluster_gives_its_example_and_its_counts, .init = make_report) {
    struct bug_subject subject;
    const struct bug_options options = {.cluster = 3};
    cr_assert_eq(find(&subject, &options), 0);
    cr_expect_eq(subject.sample->sequence, 17);
    cr_expect_str_eq(subject.cause, "long-division");
    cr_expect_str_eq(subject.name, "long-division");
    cr_assert_eq(subject.count_count, 3, "of the cluster, of the cause, of the example's row");
    cr_expect_eq(subject.counts[0].events, 7);
    cr_expect_eq(subject.counts[0].trials, 1000);
    cr_expect_eq(subject.counts[1].events, 27);
    cr_expect_eq(subject.counts[1].trials, 900);
    cr_expect_eq(subject.counts[2].events, 21);
    cr_expect_eq(subject.counts[2].trials, 400);
    bug_subject_free(&subject);
}

Test(bug_find, a_cause_gives_its_largest_cluster_of_layer_async_that_has_an_example,
     .init = make_report) {
    struct bug_subject subject;
    const struct bug_options options = {.cause = "long-division"};
    cr_assert_eq(find(&subject, &options), 0);
    cr_expect_eq(subject.counts[0].events, 7);
    bug_subject_free(&subject);
}

Test(bug_find, a_mismatch_gives_the_cause_that_its_record_names, .init = make_report) {
    struct bug_subject subject;
    struct bug_options options = {.mismatch = 17, .mismatch_run = "one-c1-app"};
    cr_assert_eq(find(&subject, &options), 0);
    cr_expect_str_eq(subject.cause, "long-division");
    cr_expect_str_eq(subject.name, "one-c1-app-17");
    bug_subject_free(&subject);
    options.mismatch = 18;
    cr_assert_eq(find(&subject, &options), 0);
    cr_expect_str_eq(subject.cause, "unexplained");
    cr_assert_eq(subject.count_count, 1);
    cr_expect_eq(subject.counts[0].events, 3);
    bug_subject_free(&subject);
    options.mismatch = 19;
    cr_assert_eq(find(&subject, &options), 0);
    cr_expect_str_eq(subject.cause, "", "attribution has no cause");
    cr_expect_eq(subject.counts[0].events, 9);
    bug_subject_free(&subject);
}

static void expect_none(const struct bug_options options, const char* words) {
    struct bug_subject subject;
    cr_redirect_stderr();
    make_report();
    cr_expect_eq(find(&subject, &options), RUNNER_EXIT_HARNESS);
    cr_expect_null(subject.sample);
    expect_said(words);
}

Test(bug_find, a_cluster_that_is_not_there_is_named) {
    expect_none((struct bug_options){.cluster = 7}, "there is no cluster 7; there are 6");
}
Test(bug_find, a_cluster_without_an_example_is_refused) {
    expect_none((struct bug_options){.cluster = 2}, "no mismatch of that cluster is recorded");
}
Test(bug_find, a_cause_that_was_not_seen_is_named_with_those_that_were) {
    expect_none((struct bug_options){.cause = "epilogue"},
                "the cause \"epilogue\"; there are: long-division, unexplained");
}
Test(bug_find, a_run_that_is_not_there_is_named) {
    expect_none((struct bug_options){.mismatch = 17, .mismatch_run = "x"}, "there is no run x");
}
Test(bug_find, a_run_without_a_record_is_named) {
    expect_none((struct bug_options){.mismatch = 17, .mismatch_run = "two-c1-app"},
                "the run two-c1-app has no record");
}
Test(bug_find, a_number_that_is_not_recorded_is_named) {
    expect_none((struct bug_options){.mismatch = 5, .mismatch_run = "one-c1-app"},
                "sample 5 of one-c1-app is not recorded");
}
Test(bug_find, a_sample_that_is_right_is_no_bug) {
    expect_none((struct bug_options){.mismatch = 4, .mismatch_run = "one-c1-app"},
                "sample 4 of one-c1-app is no mismatch: agree");
}

Test(bug_find, what_errs_in_plumblines_own_code_is_no_bug) {
    expect_none((struct bug_options){.mismatch = 20, .mismatch_run = "one-c1-app"},
                "sample 20 of one-c1-app is in the code that Plumbline adds");
}

// ---- report.md --------------------------------------------------------------------------------

static const char* printed(struct bug_options options, const struct bug_trial* trial) {
    static char text[65536];
    static struct home home = {.findings = "cases/findings.md", .reproducers = REPRODUCERS};
    struct bug_subject subject;
    FILE* out = tmpfile();
    cr_assert_not_null(out);
    cr_assert_eq(find(&subject, &options), 0);
    const struct base_call call = {.home = &home};
    const struct bug bug = {.call = &call,
                            .options = &options,
                            .subject = &subject,
                            .cause = bug_cause(&causes, subject.cause),
                            .trial = trial};
    bug_report(&bug, out);
    rewind(out);
    text[fread(text, 1, sizeof text - 1, out)] = '\0';
    fclose(out);
    bug_subject_free(&subject);
    return text;
}

static void expect_in(const char* text, const char* words) {
    cr_expect_not_null(strstr(text, words), "\"%s\" is not in: %s", words, text);
}

Test(bug_report, it_has_what_the_tracker_asks_for, .init = make_report) {
    const struct bug_trial trial = {.end = BUG_TRIAL_RAN,
                                    .vm = "Fake VM",
                                    .wrong = 30,
                                    .right = 70,
                                    .refused = 5,
                                    .samples = 105,
                                    .seconds = 4,
                                    .first = 0.25,
                                    .shown = true};
    const char* text = printed((struct bug_options){.cluster = 3}, &trial);
    expect_in(text, "| Affects version | 17.0.99 |");
    expect_in(text, "| Processor | A\\|B |");
    expect_in(text, "| 7/1000 = 0.700 % [");
    expect_in(text, "mismatch one-c1-app/17\n");
    expect_in(text, "\"2. Long division in C1's code: the walk takes another frame's rbp\"");
    expect_in(text, "`SharedRuntime::lrem` or `ldiv`");
    expect_in(text, "reproducer/run.sh JDK");
    expect_in(text, "C1 divides longs by calling a C++ function");
    expect_in(text, "showed wrong traces in 4.0 s on Fake VM: 30/100 = 30.0 % ");
    expect_in(text, "the first after 0.250 s; 5 of 105 samples were refused");
}

Test(bug_report, a_trial_without_a_wrong_trace_says_so_with_its_numbers, .init = make_report) {
    const struct bug_trial trial = {
        .end = BUG_TRIAL_RAN, .vm = "Fake VM", .right = 900, .samples = 900, .seconds = 4};
    const char* text = printed((struct bug_options){.cluster = 3}, &trial);
    expect_in(text, "did NOT show the error in 4.0 s on Fake VM: 0/900 \\< ");
}

Test(bug_report, a_trial_with_a_stray_wrong_trace_did_not_show_the_error, .init = make_report) {
    const struct bug_trial trial = {.end = BUG_TRIAL_RAN,
                                    .vm = "Fake VM",
                                    .wrong = 1,
                                    .right = 59999,
                                    .samples = 60000,
                                    .seconds = 4,
                                    .first = 0.5};
    const char* text = printed((struct bug_options){.cluster = 3}, &trial);
    expect_in(text, "did NOT show the error in 4.0 s on Fake VM: 1/60000 = ");
    expect_in(text, "the first after 0.500 s");
}

Test(bug_report, an_error_of_no_cause_says_that_there_is_no_reproducer, .init = make_report) {
    const struct bug_trial trial = {.end = BUG_TRIAL_NONE};
    const char* text = printed((struct bug_options){.cluster = 4}, &trial);
    expect_in(text, "fits no cause that Plumbline knows");
    expect_in(text, "no stand-alone reproducer: none is written for errors without a known cause");
    text = printed((struct bug_options){.cluster = 5}, &trial);
    expect_in(text, "(attribution)");
}

Test(bug_report, a_walker_that_died_is_not_called_a_wrong_trace, .init = make_report) {
    const struct bug_trial trial = {.end = BUG_TRIAL_NONE};
    const char* text = printed((struct bug_options){.cluster = 6}, &trial);
    expect_in(text, "AsyncGetCallTrace ends in a signal that ends the JVM");
    expect_in(text, "Expected: any answer");
    cr_expect_null(strstr(text, "wrong trace"));
    cr_expect_null(strstr(text, "Left the true stack"));
}

// ---- The package ------------------------------------------------------------------------------

static void add_text(struct bug_package* package, const char* name, const char* text) {
    struct output_file file;
    cr_assert_eq(bug_package_begin(package, name, &file), 0, "%s", package->error);
    fputs(text, file.out);
    cr_expect_eq(bug_package_commit(package, &file), 0, "%s", package->error);
}

static size_t count_entries(const char* path, const char* prefix) {
    struct archive* in = archive_read_new();
    struct archive_entry* entry;
    size_t count = 0;
    archive_read_support_filter_gzip(in);
    archive_read_support_format_tar(in);
    cr_assert_eq(archive_read_open_filename(in, path, 4096), ARCHIVE_OK);
    while (archive_read_next_header(in, &entry) == ARCHIVE_OK) {
        const char* name = archive_entry_pathname(entry);
        cr_expect_eq(strncmp(name, prefix, strlen(prefix)), 0, "%s", name);
        if (strstr(name, "run.sh") != NULL) cr_expect(archive_entry_perm(entry) & 0100, "%s", name);
        count++;
    }
    archive_read_free(in);
    return count;
}

Test(bug_package, the_archive_holds_every_file_under_the_directorys_name) {
    struct bug_package package;
    const char* directory = made_directory();
    cr_assert_eq(bug_package_open(&package, made_path(directory, "p")), 0, "%s", package.error);
    add_text(&package, "report.md", "text\n");
    cr_expect_eq(bug_package_copy(&package, REPRODUCERS "/run.sh", "reproducer/run.sh"), 0);
    cr_expect_eq(bug_package_copy_all(&package, "cases/framesize", "case"), 0);
    cr_expect_eq(bug_package_archive(&package), 0, "%s", package.error);
    cr_expect_eq(count_entries(package.archive, "p/"), package.files.count);
    cr_expect_eq(package.files.count, 3);
    cr_expect_eq(bug_package_copy(&package, "/nonexistent", "x"), -1);
    cr_expect_not_null(strstr(package.error, "/nonexistent: No such file"), "%s", package.error);
    bug_package_close(&package, true);
    made_remove(directory);
}

Test(bug_package, nothing_is_overwritten) {
    struct bug_package package;
    const char* directory = made_directory();
    mkdir(made_path(directory, "a"), 0777);
    cr_expect_eq(bug_package_open(&package, made_path(directory, "a/")), -1);
    cr_expect_not_null(strstr(package.error, "/a: is there already"), "%s", package.error);
    made_write(made_path(directory, "b.tar.gz"), "x", 1);
    cr_expect_eq(bug_package_open(&package, made_path(directory, "b")), -1);
    cr_expect_not_null(strstr(package.error, "/b.tar.gz: is there already"), "%s", package.error);
    cr_expect_neq(access(made_path(directory, "b"), F_OK), 0, "no directory was made");
    made_remove(directory);
}

static void limit_files(rlim_t size) {
    struct rlimit limit;
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = size;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

// Gives up the package, of which nothing may stay.
static void give_up(struct bug_package* package, const char* directory, const char* says) {
    limit_files(RLIM_INFINITY);
    cr_expect_not_null(strstr(package->error, says), "%s", package->error);
    bug_package_close(package, false);
    cr_expect_neq(access(package->path, F_OK), 0);
    cr_expect_neq(access(package->archive, F_OK), 0);
    made_remove(directory);
}

Test(bug_package, a_file_for_which_the_disk_is_too_full_is_named_and_nothing_stays) {
    struct bug_package package;
    const char* directory = made_directory();
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(bug_package_open(&package, made_path(directory, "p")), 0, "%s", package.error);
    add_text(&package, "short", "1234");
    limit_files(100);
    cr_expect_eq(bug_package_copy(&package, REPRODUCERS "/agent.c", "agent.c"), -1);
    give_up(&package, directory, "/p/agent.c: File too large");
}

Test(bug_package, a_report_for_which_the_disk_is_too_full_is_named_and_nothing_stays) {
    struct bug_package package;
    struct output_file file;
    const char* directory = made_directory();
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(bug_package_open(&package, made_path(directory, "p")), 0, "%s", package.error);
    limit_files(100);
    cr_assert_eq(bug_package_begin(&package, "report.md", &file), 0);
    for (int i = 0; i < 10000; i++) fputs("many words\n", file.out);
    cr_expect_eq(bug_package_commit(&package, &file), -1);
    give_up(&package, directory, "/p/report.md: ");
}

Test(bug_package, an_archive_for_which_the_disk_is_too_full_is_named_and_nothing_stays) {
    struct bug_package package;
    const char* directory = made_directory();
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(bug_package_open(&package, made_path(directory, "p")), 0, "%s", package.error);
    add_text(&package, "short", "1234");
    limit_files(20);
    cr_expect_eq(bug_package_archive(&package), -1);
    give_up(&package, directory, "/p.tar.gz: File too large");
}

// ---- The trial --------------------------------------------------------------------------------

Test(bug_trial, the_result_is_the_last_such_line) {
    struct bug_trial trial = {0};
    FILE* file = fopen(made_text("result: nonsense\n    A.b @3\n"
                                 "result: wrong=3 right=5 refused=2 too_deep=1 samples=11 "
                                 "seconds=2.5 first=0.125 shown=1\nthe end\n"),
                       "r");
    cr_expect(bug_trial_read(file, &trial));
    cr_expect_eq(trial.wrong, 3);
    cr_expect_eq(trial.right, 5);
    cr_expect_eq(trial.refused, 2);
    cr_expect_eq(trial.samples, 11);
    cr_expect_float_eq(trial.seconds, 2.5, 1e-9);
    cr_expect_float_eq(trial.first, 0.125, 1e-9);
    cr_expect(trial.shown);
    fclose(file);
    file = fopen(made_text("result: wrong=3 right=5\n"), "r");
    cr_expect_not(bug_trial_read(file, &trial));
    fclose(file);
}

// One trial of a subject of that cause in a package that is removed again.
static struct bug_trial tried(const char* cause, const char* jdk, uint64_t seconds) {
    static struct home home = {.reproducers = REPRODUCERS};
    struct bug_trial trial;
    struct bug_package package;
    struct bug_subject subject = {.report = &report};
    const struct base_call call = {.home = &home};
    const struct bug_options options = {.seconds = seconds, .jdk = NULL};
    const char* directory = made_directory();
    report.jdk_home = jdk;
    snprintf(subject.cause, sizeof subject.cause, "%s", cause);
    launch_prepare();
    cr_assert_eq(bug_package_open(&package, made_path(directory, "p")), 0, "%s", package.error);
    cr_expect_eq(bug_reproduce(&call, &options, &subject, &package, &trial), 0, "%s",
                 package.error);
    cr_expect_eq(package.files.count, trial.end == BUG_TRIAL_NONE ? 0
                                      : trial.end == BUG_TRIAL_RAN || trial.end == BUG_TRIAL_FAILED
                                          ? 4
                                          : 3);
    bug_package_close(&package, false);
    made_remove(directory);
    return trial;
}

Test(bug_trial, a_cause_without_a_reproducer_has_none) {
    cr_expect_eq(tried("obsolete-id", "/no/jdk", 1).end, BUG_TRIAL_NONE);
    cr_expect_eq(tried("", "/no/jdk", 1).end, BUG_TRIAL_NONE);
}

Test(bug_trial, without_its_jdk_the_reproducer_is_there_and_not_tried) {
    struct bug_trial trial = tried("long-division", "/no/jdk", 1);
    cr_expect_eq(trial.end, BUG_TRIAL_NOT);
    cr_expect_not_null(strstr(trial.why, "/no/jdk"), "%s", trial.why);
    cr_expect_eq(tried("long-division", "/no/jdk", 0).end, BUG_TRIAL_NOT);
}

Test(bug_trial, a_jvm_that_gives_no_result_is_a_failure) {
    struct home home;
    char jdk[PATH_MAX];
    const char* directory = fake_make(&home);
    snprintf(jdk, sizeof jdk, "%s/jdk", directory);
    struct bug_trial trial = tried("long-division", jdk, 1);
    cr_expect_eq(trial.end, BUG_TRIAL_FAILED);
    cr_expect_not_null(strstr(trial.why, "reproducer/output.txt"), "%s", trial.why);
    fake_remove(directory);
}

Test(bug_trial, an_interruption_while_the_jdk_is_examined_stops_it) {
    struct home home;
    char jdk[PATH_MAX];
    const char* directory = fake_make(&home);
    fake_interrupting(directory, "one");
    snprintf(jdk, sizeof jdk, "%s/one", directory);
    cr_expect_eq(tried("long-division", jdk, 1).end, BUG_TRIAL_STOPPED);
    fake_remove(directory);
}

Test(bug_trial, without_a_compiler_the_reason_says_so) {
    struct home home;
    char jdk[PATH_MAX];
    const char* directory = fake_make(&home);
    snprintf(jdk, sizeof jdk, "%s/jdk", directory);
    setenv("CC", "no-such-compiler -m64", 1);
    struct bug_trial trial = tried("long-division", jdk, 1);
    cr_expect_eq(trial.end, BUG_TRIAL_FAILED);
    cr_expect_str_eq(trial.why, "run.sh: no C compiler: no-such-compiler is not on the PATH; "
                                "install it, or set CC; see reproducer/output.txt");
    fake_remove(directory);
}

#if defined __x86_64__ // elsewhere C1 divides by an instruction
// The JDK of the javac on the PATH, which the build needs, too.
static bool find_jdk(char jdk[PATH_MAX]) {
    FILE* command = popen("readlink -f \"$(command -v javac)\"", "r");
    bool found = command != NULL && fgets(jdk, PATH_MAX, command) != NULL;
    if (command != NULL) pclose(command);
    char* end = found ? strstr(jdk, "/bin/javac") : NULL;
    if (end != NULL) *end = '\0';
    return end != NULL;
}

Test(bug_trial, long_division_is_shown_by_a_real_jvm) {
    char jdk[PATH_MAX];
    cr_assert(find_jdk(jdk));
    struct bug_trial trial = tried("long-division", jdk, 3);
    cr_assert_eq(trial.end, BUG_TRIAL_RAN, "%s", trial.why);
    cr_expect(trial.shown);
    cr_expect_geq(trial.samples, trial.wrong + trial.right + trial.refused);
    cr_expect_geq(trial.first, 0);
}
#endif

// ---- The command ------------------------------------------------------------------------------

Test(bug_command, a_run_that_is_not_there_is_named, .init = cr_redirect_stderr) {
    struct home home;
    const char* directory = fake_make(&home);
    cr_expect_eq(fake_call(bug_command, &home, "bug /nonexistent/run --cluster 1"),
                 RUNNER_EXIT_HARNESS);
    expect_said("/nonexistent/run/results.json: No such file");
    fake_remove(directory);
}

static void play(const char* words, int status, const char* says) {
    struct home home;
    cr_redirect_stderr();
    cr_redirect_stdout();
    const char* directory = fake_make(&home);
    fake_call(validate_command, &home,
              "validate --jdk %s/jdk --out %s/run --cases mismatch --modes int --timeout 5",
              directory, directory);
    cr_expect_eq(
        fake_call(bug_command, &home, "bug %s/run --out %s/bug %s", directory, directory, words),
        status);
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/bug", directory);
    cr_expect_neq(access(path, F_OK), 0);
    expect_said(says);
    fake_remove(directory);
}

Test(bug_command, a_cause_that_is_none_is_wrong_usage) {
    play("--cause nonsense", RUNNER_EXIT_USAGE, "--cause: there is no cause \"nonsense\"");
}

Test(bug_command, a_mistyped_cause_is_told_the_right_one) {
    play("--cause knwon", RUNNER_EXIT_USAGE, "; did you mean \"known\"?");
}

Test(bug_command, a_run_without_a_record_makes_no_package) {
    play("--mismatch mismatch-int-app/1", RUNNER_EXIT_HARNESS,
         "the run mismatch-int-app has no record");
}

// The function at the sample's pc is named, or not, while a JVM of this version is in the place of
// the JDK that was judged.
static void expect_named(const char* version, bool named) {
    struct home home;
    char jdk[PATH_MAX], *text;
    size_t size;
    const char* directory = fake_make(&home);
    fake_call(validate_command, &home,
              "validate --jdk %s/jdk --out %s/run --cases mismatch --modes int --timeout 5",
              directory, directory);
    snprintf(jdk, sizeof jdk, "%s/jdk", directory);
    snprintf(evidence.facts.name, sizeof evidence.facts.name, "%s", made_jvm(jdk, version));
    evidence.facts.offset = 1;
    write_record(made_path(directory, "run/runs/mismatch-int-app/run.lz4"));
    cr_expect_eq(fake_call(bug_command, &home,
                           "bug %s/run --out %s/bug --mismatch mismatch-int-app/17 --seconds 0",
                           directory, directory),
                 0);
    text = (char*)made_read(made_path(directory, "bug/report.md"), &size);
    cr_expect_not_null(strstr(text, "| Library at the pc | libself.so+0x"), "%s", text);
    cr_expect_eq(strstr(text, "| Function at the pc | made\\_up+0x1 |") != NULL, named, "%s", text);
    free(text);
    fake_remove(directory);
}

Test(bug_command, functions_have_names_while_the_jdk_that_was_judged_is_in_its_place) {
    cr_redirect_stderr();
    cr_redirect_stdout();
    expect_named("25.0.3+9", true);
    expect_named("17.0.19+10", false);
}
