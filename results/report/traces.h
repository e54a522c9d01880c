// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The two traces of a recorded sample, expected and observed, with the names that the record has.
#ifndef RESULTS_REPORT_TRACES_H
#define RESULTS_REPORT_TRACES_H

#include "report.h"

#define TRACES_FRAMES 256 // of each trace: a longer one is cut to a window around the difference

struct traces_frame {
    const char* name;   // "class.method(descriptor)", the record's; NULL: not known
    const char* source; // the source file's name, the record's; NULL: not known
    uint64_t id;        // jmethodID, or the method's number where `numbered`
    int32_t bci;        // as the walker gave it; TRACES_BCI_NONE: an expected frame has none
    int32_t old_bci;    // in the original class file
    uint32_t line;      // of the source, 0: not known
    bool numbered;
    bool instrumented; // the method pushes and pops
};
#define TRACES_BCI_NONE INT32_MIN

// One side. Youngest frame first.
struct traces_side {
    uint32_t count; // frames of the whole trace
    uint32_t first; // the window begins at this one
    uint32_t kept;  // frames in the window
    struct traces_frame frames[TRACES_FRAMES];
};
struct traces {
    struct traces_side expected, observed;
};

// Fills both sides. The expected one is the trace stack, or the witness where there is one.
void traces_make(const struct results_record* record, const struct results_sample* sample,
                 struct traces* traces);
// The name of the method that owns the code the sample was in; NULL: none, or not known.
const char* traces_owner(const struct results_record* record, const struct results_sample* sample);

#endif
