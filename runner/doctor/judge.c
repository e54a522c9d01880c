// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "doctor_parts.h"
#include "runner/job/job.h"
#include "runner/launch/launch.h"

void doctor_add(struct doctor_line* line, enum doctor_grade grade, const char* subject) {
    *line = (struct doctor_line){.grade = grade, .subject = subject};
}

void doctor_find(struct doctor_line* line, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line->finding, sizeof line->finding, format, arguments);
    va_end(arguments);
}

void doctor_remedy(struct doctor_line* line, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line->remedy, sizeof line->remedy, format, arguments);
    va_end(arguments);
}

// ---- perf events --------------------------------------------------------------------------------

// On two busy processors a run of 3 s judged 910 samples with perf events, and 40 with CPU timers,
// which expire at the kernel's ticks.
static void no_perf(const struct doctor_machine* machine, const char* level,
                    struct doctor_line* line) {
    // No setting brings them to such a kernel.
    bool absent = machine->perf_error == ENOSYS;
    char state[128] = "not there (an emulator, or a kernel without them)";
    if (!absent)
        snprintf(state, sizeof state, "not allowed%s%s%s", level,
                 machine->perf_error != 0 ? ": " : "",
                 machine->perf_error != 0 ? strerror(machine->perf_error) : "");
    doctor_find(line,
                "%s: CPU timers ask for samples instead, some 20 times fewer; rows need longer "
                "runs",
                state);
    if (absent) doctor_remedy(line, "give validate --seconds 30");
    else if (machine->container[0] != '\0')
        doctor_remedy(line, "start the container with --cap-add PERFMON and a seccomp profile that "
                            "allows perf_event_open; or give validate --seconds 30");
    else
        doctor_remedy(line, "sysctl kernel.perf_event_paranoid=1, or run as root; or give "
                            "validate --seconds 30");
}

static void judge_perf(const struct doctor_machine* machine, struct doctor_line* line) {
    char level[48] = "";
    if (machine->paranoid != DOCTOR_UNKNOWN)
        snprintf(level, sizeof level, " (kernel.perf_event_paranoid is %d)", machine->paranoid);
    doctor_add(line, machine->perf == DOCTOR_PERF_ALL ? DOCTOR_OK : DOCTOR_NOTE, "perf events");
    switch (machine->perf) {
    case DOCTOR_PERF_ALL:
        doctor_find(line, "allowed%s: each thread has a clock of its own", level);
        break;
    case DOCTOR_PERF_USER:
        doctor_find(line,
                    "allowed in user code only%s: threads are not sampled inside system calls",
                    level);
        doctor_remedy(line, "sysctl kernel.perf_event_paranoid=1, or run as root");
        break;
    case DOCTOR_PERF_NONE: no_perf(machine, level, line); break;
    }
}

// ---- Processors and memory ----------------------------------------------------------------------

static void judge_processors(const struct doctor_machine* machine, struct doctor_line* line) {
    bool limited = machine->quota > 0 && machine->quota < (double)machine->processors;
    double number = limited ? machine->quota : (double)machine->processors;
    doctor_add(line, number < 2 ? DOCTOR_NOTE : DOCTOR_OK, "processors");
    if (limited)
        doctor_find(line, "%ld, of which the control group allows %.2g", machine->processors,
                    machine->quota);
    else doctor_find(line, "%ld", machine->processors);
    if (number >= 2) return;
    size_t used = strlen(line->finding);
    snprintf(line->finding + used, sizeof line->finding - used,
             ": compilers, sampler and the cases' threads share them; races are rarer, and there "
             "are fewer samples");
    doctor_remedy(line, "two processors or more; else give validate --seconds 10");
}

static void judge_load(const struct doctor_machine* machine, struct doctor_line* line) {
    bool busy = machine->load > 0.5 * (double)machine->processors;
    doctor_add(line, busy || machine->load < 0 ? DOCTOR_NOTE : DOCTOR_OK, "load");
    if (machine->load < 0) {
        doctor_find(line, "not known: /proc/loadavg cannot be read");
        doctor_remedy(line, "mount /proc");
        return;
    }
    doctor_find(line, "%.2f in the last minute, on %ld processor%s%s", machine->load,
                machine->processors, machine->processors == 1 ? "" : "s",
                busy ? ": rows may have too few samples, and be INCONCLUSIVE" : "");
    if (busy) doctor_remedy(line, "wait, or give validate --more-time yes --jobs 1");
}

// A JVM and its files; see PRESETS.md.
#define MEMORY_LEAST (1ull << 30)

static void judge_memory(const struct doctor_machine* machine, struct doctor_line* line) {
    bool little = machine->memory != 0 && machine->memory < MEMORY_LEAST;
    bool limited = machine->space != RLIM_INFINITY;
    doctor_add(line, little || limited ? DOCTOR_NOTE : DOCTOR_OK, "memory");
    if (machine->memory == 0) doctor_find(line, "not known");
    else doctor_find(line, "%.1f GB available", (double)machine->memory / 1e9);
    size_t used = strlen(line->finding);
    if (limited)
        snprintf(line->finding + used, sizeof line->finding - used,
                 "; ulimit -v is %.1f GB: a JVM reserves more, and may not start",
                 (double)machine->space / 1e9);
    if (limited) doctor_remedy(line, "ulimit -v unlimited");
    else if (little)
        doctor_remedy(line, "1 GB for each JVM: give validate --jobs 1 --vm-options -Xmx256m");
}

// ---- Limits -------------------------------------------------------------------------------------

#define FILES_LEAST 512   // a clock for each thread, and the JVM's own
#define PENDING_LEAST 256 // CPU timers: each holds one
// What a JVM prints is cut at twice LAUNCH_LOG, and may be more before that is seen.
#define FILE_SIZE_ENOUGH (4ull * LAUNCH_LOG)

// The limit of a file's size.
static void judge_size(const struct doctor_machine* machine, struct doctor_line* line) {
    bool none = machine->file_size < sizeof(struct results_run);
    doctor_add(line, none ? DOCTOR_MISSING : DOCTOR_NOTE, "limits");
    doctor_find(line, "a file may have %llu bytes: %s", (unsigned long long)machine->file_size,
                none ? "a run's file has more" : "a run that records or prints more is spoiled");
    doctor_remedy(line, "ulimit -f unlimited");
}

static void judge_limits(const struct doctor_machine* machine, struct doctor_line* line) {
    bool files = machine->files != RLIM_INFINITY && machine->files < FILES_LEAST;
    bool pending = machine->perf == DOCTOR_PERF_NONE && machine->pending != RLIM_INFINITY &&
                   machine->pending < PENDING_LEAST;
    if (machine->file_size != RLIM_INFINITY && machine->file_size < FILE_SIZE_ENOUGH) {
        judge_size(machine, line);
        return;
    }
    doctor_add(line, files || pending ? DOCTOR_NOTE : DOCTOR_OK, "limits");
    if (files) {
        doctor_find(line, "%llu open files: a program's threads need one each, as their clocks",
                    (unsigned long long)machine->files);
        doctor_remedy(line, "ulimit -n 4096");
    } else if (pending) {
        doctor_find(line, "%llu pending signals: a program's threads need one each, as CPU timers",
                    (unsigned long long)machine->pending);
        doctor_remedy(line, "ulimit -i 4096");
    } else {
        doctor_find(line, "open files, size of files and pending signals suffice");
    }
}

// The runner's JVMs write no core themselves; a program that the kernel pipes cores to is asked
// even then.
static void judge_cores(const struct doctor_machine* machine, struct doctor_line* line) {
    bool piped = machine->core_pattern[0] == '|';
    doctor_add(line, piped ? DOCTOR_NOTE : DOCTOR_OK, "core files");
    if (piped) {
        doctor_find(line,
                    "the kernel hands them to %.80s, which may slow the end of a JVM that dies",
                    machine->core_pattern + 1);
        doctor_remedy(line, "none is needed; sysctl kernel.core_pattern=core ends it");
    } else {
        doctor_find(line, "none is written; a JVM that dies leaves its hs_err.log");
    }
}

static void judge_surroundings(const struct doctor_machine* machine, struct doctor_line* line) {
    bool whole = machine->proc && machine->sys;
    doctor_add(line,
               !machine->proc  ? DOCTOR_MISSING
               : !machine->sys ? DOCTOR_NOTE
                               : DOCTOR_OK,
               "surroundings");
    doctor_find(line, "%s%s%s%s",
                machine->container[0] != '\0' ? machine->container : "no container is noticed",
                whole ? "" : "; not mounted:", machine->proc ? "" : " /proc",
                machine->sys ? ""
                             : " /sys: a JVM cannot see the limits of its control group there");
    if (!whole)
        doctor_remedy(line, "%s%s%s", machine->proc ? "" : "mount -t proc proc /proc",
                      machine->proc || machine->sys ? "" : "; ",
                      machine->sys ? "" : "mount -t sysfs sysfs /sys");
}

size_t doctor_judge(const struct doctor_machine* machine, struct doctor_line lines[DOCTOR_LINES]) {
    static void (*const judges[])(const struct doctor_machine* machine,
                                  struct doctor_line* line) = {
        judge_perf,   judge_processors, judge_load,        judge_memory,
        judge_limits, judge_cores,      judge_surroundings};
    size_t count = sizeof judges / sizeof judges[0];
    for (size_t i = 0; i < count; i++) judges[i](machine, &lines[i]);
    return count;
}
