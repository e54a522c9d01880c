// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Reports of earlier runs, in one of several formats. They are read, not judged.
#ifndef RUNNER_REPORT_H
#define RUNNER_REPORT_H

#include "results/formats/formats.h"
#include "runner/base/base.h"

struct report_options {
    char** runs; // output directories of validate or run: the call's words
    int run_count;
    enum results_format format;
    const char* out; // NULL: standard output
};

// 0 and *options complete; else as arguments_parse.
int report_parse(const struct base_call* call, struct report_options* options);

// Writes the report. The exit status is that of the runs' worst verdict, as validate's; 3, with a
// message that names the file, if a run cannot be read or the report cannot be written.
int report_run(const struct report_options* options);

#endif
