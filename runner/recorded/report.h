// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline report: what earlier runs found, in one of several formats. It judges nothing.
#ifndef RUNNER_REPORT_H
#define RUNNER_REPORT_H

#include "results/formats/formats.h"

struct report_options {
    char** runs; // output directories of validate or run; argv's
    int run_count;
    enum results_format format;
    const char* out; // NULL: standard output
};

// As options_parse: what is wrong is said on standard error and ends the process, or is returned if
// `stay`.
int report_parse(int argc, char** argv, bool stay, struct report_options* options);

// Writes the report. The exit status is that of the runs' worst verdict, as validate's; 3 where a
// run cannot be read or the report not be written, which is said with the file's name.
int report_run(const struct report_options* options);

#endif
