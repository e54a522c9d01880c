// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "doctor_parts.h"
#include "fake_java.h"
#include "runner/job/job.h"

// ---- A made-up machine --------------------------------------------------------------------------

static char root[] = "/tmp/plumbline-doctor-XXXXXX";

static void put(const char* name, const char* text) {
    fake_file(root, name, text, 0644);
}

static void open_root(void) {
    cr_assert_not_null(mkdtemp(root));
}

static void close_root(void) {
    cr_expect_eq(output_remove(root), 0);
}

static struct doctor_machine look(void) {
    struct doctor_machine machine;
    doctor_look(root, &machine);
    return machine;
}

Test(doctor, the_paranoid_level_says_what_perf_events_are_allowed, .init = open_root,
     .fini = close_root) {
    static const struct {
        const char* level;
        enum doctor_perf perf;
    } rows[] = {{"-1\n", DOCTOR_PERF_ALL},
                {"1\n", DOCTOR_PERF_ALL},
                {"2\n", DOCTOR_PERF_USER},
                {"4\n", DOCTOR_PERF_NONE}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        put("proc/sys/kernel/perf_event_paranoid", rows[i].level);
        struct doctor_machine machine = look();
        cr_expect_eq(machine.perf, rows[i].perf, "level %s", rows[i].level);
        cr_expect_eq(machine.paranoid, atoi(rows[i].level));
    }
}

Test(doctor, an_empty_root_leaves_everything_unknown, .init = open_root, .fini = close_root) {
    struct doctor_machine machine = look();
    cr_expect_eq(machine.paranoid, DOCTOR_UNKNOWN);
    cr_expect_eq(machine.perf, DOCTOR_PERF_NONE);
    cr_expect_lt(machine.load, 0);
    cr_expect_eq(machine.memory, 0);
    cr_expect_str_eq(machine.container, "");
    cr_expect_not(machine.proc);
    cr_expect_not(machine.sys);
}

Test(doctor, control_groups_of_both_versions_limit_processors_and_memory, .init = open_root,
     .fini = close_root) {
    put("proc/meminfo", "MemTotal: 100 kB\nMemAvailable:    8000000 kB\n");
    put("proc/loadavg", "1.25 0.5 0.1 1/2 3\n");
    struct doctor_machine machine = look();
    cr_expect_eq(machine.memory, 8000000ull << 10);
    cr_expect_eq(machine.quota, 0);
    cr_expect_float_eq(machine.load, 1.25, 1e-9);
    put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000\n");
    put("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "1000000\n");
    machine = look();
    cr_expect_float_eq(machine.quota, 0.5, 1e-9);
    cr_expect_eq(machine.memory, 1000000);
    put("sys/fs/cgroup/cpu.max", "max 100000\n");
    put("sys/fs/cgroup/memory.max", "max\n");
    machine = look();
    cr_expect_eq(machine.quota, 0, "version 2 comes first");
    cr_expect_eq(machine.memory, 8000000ull << 10);
    put("sys/fs/cgroup/cpu.max", "150000 100000\n");
    machine = look();
    cr_expect_float_eq(machine.quota, 1.5, 1e-9);
}

Test(doctor, containers_are_known_by_their_marks, .init = open_root, .fini = close_root) {
    put("run/.containerenv", "");
    cr_expect_str_eq(look().container, "Podman");
    put(".dockerenv", "");
    cr_expect_str_eq(look().container, "Docker");
}

// ---- Lines --------------------------------------------------------------------------------------

static struct doctor_machine good(void) {
    return (struct doctor_machine){.perf = DOCTOR_PERF_ALL,
                                   .paranoid = 1,
                                   .processors = 4,
                                   .load = 0.5,
                                   .memory = 8ull << 30,
                                   .files = 4096,
                                   .file_size = RLIM_INFINITY,
                                   .space = RLIM_INFINITY,
                                   .pending = 4096,
                                   .core_pattern = "core",
                                   .proc = true,
                                   .sys = true};
}

// The machine's line of this subject has this grade and this text; a shortage has a remedy.
static void expect_line(struct doctor_machine machine, const char* subject, enum doctor_grade grade,
                        const char* text) {
    struct doctor_line lines[DOCTOR_LINES];
    size_t count = doctor_judge(&machine, lines), found = 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(lines[i].subject, subject) != 0) {
            cr_expect_eq(lines[i].grade, DOCTOR_OK, "%s: %s", lines[i].subject, lines[i].finding);
            continue;
        }
        found++;
        cr_expect_eq(lines[i].grade, grade, "%s: %s", subject, lines[i].finding);
        cr_expect(strstr(lines[i].finding, text) != NULL, "\"%s\" is not in: %s", text,
                  lines[i].finding);
        cr_expect_eq(lines[i].remedy[0] == '\0', grade == DOCTOR_OK, "%s: %s", subject,
                     lines[i].remedy);
    }
    cr_expect_eq(found, 1, "%s", subject);
}

#define WITH(field, value, ...)                                                                    \
    do {                                                                                           \
        struct doctor_machine machine = good();                                                    \
        machine.field = value;                                                                     \
        expect_line(machine, __VA_ARGS__);                                                         \
    } while (0)

Test(doctor, one_processor_is_no_plural) {
    struct doctor_machine machine = good();
    struct doctor_line lines[DOCTOR_LINES];
    machine.processors = 1;
    machine.load = 2;
    size_t count = doctor_judge(&machine, lines), found = 0;
    for (size_t i = 0; i < count; i++)
        found += strncmp(lines[i].finding, "2.00 in the last minute, on 1 processor:", 40) == 0;
    cr_expect_eq(found, 1);
}

Test(doctor, each_shortage_has_its_line_and_its_remedy) {
    expect_line(good(), "perf events", DOCTOR_OK, "each thread has a clock of its own");
    WITH(perf, DOCTOR_PERF_USER, "perf events", DOCTOR_NOTE, "user code only");
    WITH(perf, DOCTOR_PERF_NONE, "perf events", DOCTOR_NOTE, "CPU timers");
    WITH(processors, 1, "processors", DOCTOR_NOTE, "1: ");
    WITH(quota, 1.5, "processors", DOCTOR_NOTE, "4, of which the control group allows 1.5");
    WITH(load, 3.0, "load", DOCTOR_NOTE, "3.00");
    WITH(load, -1, "load", DOCTOR_NOTE, "not known");
    WITH(memory, 1ull << 28, "memory", DOCTOR_NOTE, "0.3 GB");
    WITH(space, 1ull << 32, "memory", DOCTOR_NOTE, "ulimit -v");
    WITH(files, 256, "limits", DOCTOR_NOTE, "256 open files");
    WITH(file_size, 1 << 20, "limits", DOCTOR_MISSING, "1048576 bytes");
    WITH(file_size, sizeof(struct results_run) - 1, "limits", DOCTOR_MISSING, "a run's file");
    WITH(file_size, sizeof(struct results_run), "limits", DOCTOR_NOTE, "prints more");
    WITH(file_size, 4 * LAUNCH_LOG, "limits", DOCTOR_OK, "suffice");
    WITH(sys, false, "surroundings", DOCTOR_NOTE, "/sys");
    WITH(proc, false, "surroundings", DOCTOR_MISSING, "/proc");
}

Test(doctor, pending_signals_count_only_where_timers_need_them) {
    WITH(pending, 16, "limits", DOCTOR_OK, "suffice");
    struct doctor_machine machine = good();
    struct doctor_line lines[DOCTOR_LINES];
    machine.pending = 16;
    machine.perf = DOCTOR_PERF_NONE;
    machine.perf_error = EACCES;
    size_t count = doctor_judge(&machine, lines), notes = 0;
    for (size_t i = 0; i < count; i++) notes += lines[i].grade == DOCTOR_NOTE;
    cr_expect_eq(notes, 2);
    cr_expect(strstr(lines[0].finding, "Permission denied") != NULL, "%s", lines[0].finding);
}

Test(doctor, a_kernel_without_perf_events_has_no_setting_for_them) {
    struct doctor_machine machine = good();
    struct doctor_line lines[DOCTOR_LINES];
    machine.perf = DOCTOR_PERF_NONE;
    machine.perf_error = ENOSYS;
    machine.paranoid = 2;
    doctor_judge(&machine, lines);
    cr_expect(strstr(lines[0].finding, "not there") != NULL, "%s", lines[0].finding);
    cr_expect(strstr(lines[0].remedy, "sysctl") == NULL, "%s", lines[0].remedy);
}

Test(doctor, a_program_that_takes_core_files_is_named) {
    struct doctor_machine machine = good();
    strcpy(machine.core_pattern, "|/usr/lib/systemd/systemd-coredump %P");
    expect_line(machine, "core files", DOCTOR_NOTE, "systemd-coredump");
}

// ---- The command --------------------------------------------------------------------------------

Test(doctor, a_jdk_without_a_walker_cannot_be_judged, .timeout = 60) {
    struct home home;
    const char* directory = fake_make(&home);
    cr_redirect_stdout();
    cr_expect_eq(fake_call(doctor_command, &home, "doctor --jdk %s/jdk", directory),
                 RUNNER_EXIT_HARNESS);
    fake_remove(directory);
}

Test(doctor, without_a_jdk_the_status_is_the_harness_s, .timeout = 60) {
    struct home home;
    const char* directory = fake_make(&home);
    cr_redirect_stdout();
    cr_expect_eq(fake_call(doctor_command, &home, "doctor --jdk %s/nowhere", directory),
                 RUNNER_EXIT_HARNESS);
    fake_remove(directory);
}

Test(doctor, an_interruption_ends_it, .timeout = 60) {
    struct home home;
    char* text = NULL;
    size_t size = 0;
    const char* directory = fake_make(&home);
    fake_interrupting(directory, "one");
    FILE* out = stdout;
    stdout = open_memstream(&text, &size);
    cr_assert_not_null(stdout);
    int status =
        fake_call(doctor_command, &home, "doctor --jdk %s/one --jdk %s/jdk", directory, directory);
    fclose(stdout);
    stdout = out;
    cr_expect_eq(status, RUNNER_EXIT_INCONCLUSIVE);
    cr_expect_not_null(strstr(text, "\nInterrupted.\n"), "%s", text);
    cr_expect_null(strstr(text, "MISSING JVM"), "%s", text);
    cr_expect_null(strstr(text, "/jdk\n"), "it goes on with the next: %s", text);
    free(text);
    fake_remove(directory);
}

Test(doctor, prints_no_control_characters, .timeout = 60) {
    struct home home;
    char* text = NULL;
    size_t size = 0;
    const char* directory = fake_make(&home);
    FILE* out = stdout;
    stdout = open_memstream(&text, &size);
    cr_assert_not_null(stdout);
    int status = fake_call(doctor_command, &home, "doctor --jdk %s/\033[31m", directory);
    fclose(stdout);
    stdout = out;
    cr_expect_eq(status, RUNNER_EXIT_HARNESS);
    cr_expect(strstr(text, "/\\u001b[31m\n") != NULL, "%s", text);
    cr_expect(strchr(text, '\033') == NULL, "%s", text);
    free(text);
    fake_remove(directory);
}

Test(doctor, wrong_usage_is_refused) {
    struct home home;
    const char* directory = fake_make(&home);
    cr_redirect_stderr();
    cr_expect_eq(fake_call(doctor_command, &home, "doctor now"), RUNNER_EXIT_USAGE);
    cr_expect_eq(fake_call(doctor_command, &home, "doctor --jkd x"), RUNNER_EXIT_USAGE);
    fake_remove(directory);
}
