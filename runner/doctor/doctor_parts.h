// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The parts of the doctor behind the door.
#ifndef RUNNER_DOCTOR_PARTS_H
#define RUNNER_DOCTOR_PARTS_H

#include <sys/resource.h>

#include "doctor.h"
#include "runner/jdk/jdk.h"

// ---- look.c ------------------------------------------------------------------------------------
// What the machine says of itself. No judgement.

enum doctor_perf {
    DOCTOR_PERF_ALL,  // per-thread CPU clocks, in the kernel, too
    DOCTOR_PERF_USER, // in user code only
    DOCTOR_PERF_NONE
};

#define DOCTOR_UNKNOWN (-100) // of `paranoid`: the file cannot be read

struct doctor_machine {
    enum doctor_perf perf;
    int perf_error;  // errno of perf_event_open where it is NONE; 0: it was not tried
    int paranoid;    // kernel.perf_event_paranoid, or DOCTOR_UNKNOWN
    long processors; // that this process may use
    double quota;    // of processors, by the control group; 0: none
    double load;     // of the last minute; below 0: not known
    uint64_t memory; // bytes that are available; 0: not known
    rlim_t files, file_size, space, pending;
    char core_pattern[128]; // empty: not known
    char container[32];     // its kind; empty: none is noticed
    bool proc, sys;         // are these file systems there?
};

// Reads ROOT/proc, ROOT/sys and so on. Where root is not empty perf_event_open is not tried: `perf`
// is what the kernel's documentation says of the paranoid level, for a user without capabilities.
void doctor_look(const char* root, struct doctor_machine* machine);

// ---- judge.c -----------------------------------------------------------------------------------
// Lines, of what was seen.

enum doctor_grade {
    DOCTOR_OK,
    DOCTOR_NOTE,   // at a cost
    DOCTOR_MISSING // without it no JDK can be judged
};

struct doctor_line {
    enum doctor_grade grade;
    const char* subject; // static
    char finding[320];
    char remedy[200]; // empty: none is needed
};

#define DOCTOR_LINES 16
// The machine's lines; gives their number.
size_t doctor_judge(const struct doctor_machine* machine, struct doctor_line lines[DOCTOR_LINES]);

// Adds a line.
void doctor_add(struct doctor_line* line, enum doctor_grade grade, const char* subject);
void doctor_find(struct doctor_line* line, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
void doctor_remedy(struct doctor_line* line, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// ---- examine.c ---------------------------------------------------------------------------------

// The lines of one JDK; gives their number. It is started, a few times. *interrupted: the user
// interrupted that, and the lines say nothing of the JDK.
size_t doctor_examine(const struct home* home, const char* directory,
                      struct doctor_line lines[DOCTOR_LINES], bool* interrupted);

#endif
