// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// One JDK: its walker, names, WhiteBox, modes, JFR, and what perf needs.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor_parts.h"
#include "runner/job/job.h"
#include "runner/options/options.h"

static bool has_flag(const struct jdk* jdk, const char* name) {
    char line[80];
    snprintf(line, sizeof line, "\n%s\n", name);
    return strstr(jdk->flags, line) != NULL;
}

static void judge_walker(const struct symbols_table* table, struct doctor_line* line) {
    doctor_add(line, table->exports ? DOCTOR_OK : DOCTOR_MISSING, "walker");
    doctor_find(line, table->exports
                          ? "AsyncGetCallTrace is exported"
                          : "libjvm.so does not export AsyncGetCallTrace: nothing can be "
                            "asked");
    if (!table->exports)
        doctor_remedy(line, "a HotSpot JVM; other walkers: plumbline list walkers");
}

static void judge_symbols(const struct symbols_table* table, struct doctor_line* line) {
    doctor_add(line, table->names ? DOCTOR_OK : DOCTOR_NOTE, "symbols");
    doctor_find(line, table->names ? "libjvm.so has its table of names (.symtab)"
                                   : "libjvm.so has no table of names (.symtab): reports give its "
                                     "functions as offsets");
    if (!table->names)
        doctor_remedy(line, "a build that is not stripped; openjdk's configure has "
                            "--with-native-debug-symbols=internal");
}

// Gives whether the user interrupted.
static bool judge_whitebox(const struct home* home, const struct jdk* jdk,
                           struct doctor_line* line) {
    const struct options options = {.seed = 1};
    const struct case_info test = {.needs_whitebox = true};
    const struct command command = {
        .home = home, .jdk = jdk, .options = &options, .mode = &modes[MODE_TIERED], .test = &test};
    struct ability* ability = base_must(calloc(1, sizeof *ability));
    bool built = access(home->boot, R_OK) == 0;
    const char* why = built ? ability_lacks(ability, &command) : "its classes were not built";
    doctor_add(line, why == NULL ? DOCTOR_OK : DOCTOR_NOTE, "WhiteBox");
    doctor_find(line, "%.200s%s", why == NULL ? "there" : why,
                why == NULL ? "" : ": cases that need it are left out (SKIP)");
    if (why != NULL) doctor_remedy(line, built ? "none; another build of the JDK" : "make all");
    bool interrupted = ability->interrupted;
    free(ability);
    return interrupted;
}

static void judge_modes(const struct jdk* jdk, struct doctor_line* line) {
    const char* flag;
    size_t used = 0, missing = 0;
    char names[200] = "";
    for (int i = 0; i < MODE_COUNT; i++) {
        if (*jdk->flags == '\0' || modes_missing(&modes[i], jdk->flags, &flag) == 0) continue;
        missing++;
        int more = snprintf(names + used, sizeof names - used, " %s", modes[i].name);
        if (more > 0 && (size_t)more < sizeof names - used) used += (size_t)more;
    }
    doctor_add(line, missing == 0 ? DOCTOR_OK : DOCTOR_NOTE, "modes");
    if (missing == 0) doctor_find(line, "the JVM has the flags of all %d", MODE_COUNT);
    else
        doctor_find(line, "of %d the JVM lacks%s: their rows are left out (SKIP)", MODE_COUNT,
                    names);
    if (missing != 0) doctor_remedy(line, "none; another build of the JDK");
}

static void judge_jfr(const struct jdk* jdk, struct doctor_line* line) {
    bool there = has_flag(jdk, "StartFlightRecording");
    doctor_add(line, there ? DOCTOR_OK : DOCTOR_NOTE, "JFR");
    doctor_find(line, there ? "there: --profiler jfr" : "not there: --profiler jfr cannot be had");
    if (!there) doctor_remedy(line, "none; another build of the JDK");
}

// Of the JVM: the map of its code's names. Of the machine: perf itself.
static void judge_perf_map(const struct jdk* jdk, struct doctor_line* line) {
    bool map = has_flag(jdk, "DumpPerfMapAtExit"), pointer = has_flag(jdk, "PreserveFramePointer");
    char path[PATH_MAX];
    bool tool = home_on_path("perf", path);
    doctor_add(line, map && pointer && tool ? DOCTOR_OK : DOCTOR_NOTE, "perf");
    doctor_find(line, "%s; the JVM %s, and %s; Plumbline itself needs none of them",
                tool ? "the program perf is there" : "there is no program perf",
                map ? "writes perf's map of its code (DumpPerfMapAtExit)"
                    : "writes no map of its code for perf",
                pointer ? "can keep frame pointers" : "cannot keep frame pointers");
    if (!tool) doctor_remedy(line, "to look beside Plumbline: apt install linux-perf");
    else if (!map) doctor_remedy(line, "to name compiled code: JDK 17 or later, or an agent");
}

size_t doctor_examine(const struct home* home, const char* directory,
                      struct doctor_line lines[DOCTOR_LINES], bool* interrupted) {
    char error[PATH_MAX + 256];
    struct jdk* jdk = base_must(calloc(1, sizeof *jdk));
    size_t count = 0;
    doctor_add(&lines[count], DOCTOR_OK, "JVM");
    if (jdk_find(directory, home->jdks, jdk, error, sizeof error) != 0) {
        *interrupted = jdk->interrupted;
        lines[count].grade = DOCTOR_MISSING;
        doctor_find(&lines[count], "%.300s", error);
        doctor_remedy(&lines[count++], strstr(error, "cannot be started") != NULL
                                           ? "a JDK made for this system: its loader is not here "
                                             "(readelf -l bin/java)"
                                           : "--jdk DIR: the directory above bin/java");
    } else {
        doctor_find(&lines[count++], "%s (%.200s)", jdk->version, jdk->vm);
        const struct symbols_table table =
            symbols_table(jdk->home, "libjvm.so", "AsyncGetCallTrace");
        judge_walker(&table, &lines[count++]);
        judge_symbols(&table, &lines[count++]);
        *interrupted = judge_whitebox(home, jdk, &lines[count++]);
        judge_modes(jdk, &lines[count++]);
        judge_jfr(jdk, &lines[count++]);
        judge_perf_map(jdk, &lines[count++]);
    }
    free(jdk);
    return count;
}
