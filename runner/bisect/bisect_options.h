// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The arguments of `plumbline bisect` and `plumbline bisect-step`: their own options are read here,
// all others are options of `validate` and read there.
#ifndef RUNNER_BISECT_OPTIONS_H
#define RUNNER_BISECT_OPTIONS_H

#include "bisect_sought.h"
#include "runner/options/options.h"

#define BISECT_ERROR 1e-3   // of the whole bisection
#define BISECT_SPREAD 1.25  // in odds, between runs of one build on one machine
#define BISECT_SECONDS 20.0 // of one JVM, where rates are sought; then another one is started
#define BISECT_LIMIT 300.0  // seconds for one build and question
// Seconds at the start of each JVM that are not counted: a starting JVM behaves like another
// program.
#define BISECT_WARM 2.0
// The rates where JVMs are the trials and no rates are given: a good build may fail now and then, a
// bad one fails nearly always.
#define BISECT_WHOLE_GOOD 0.01
#define BISECT_WHOLE_BAD 0.9

struct bisect_options {
    struct options run;     // of each JVM; jdk: of bisect-step
    const char* list;       // of builds
    const char *good, *bad; // ends, by path or last part of it; NULL: the list's
    struct bisect_sought sought;
    double error, spread, limit, warm, dispersion;
    bool given; // the rates are given and not measured
    double good_rate, bad_rate;
    bool go_on;          // --resume
    struct words repeat; // the options that a step takes over, as they were given
    struct words rest;   // the words that `run` was read from
};

enum bisect_command { BISECT_WHOLE_COMMAND, BISECT_STEP_COMMAND };
// 0 and *options complete (its texts are the call's words); -1 after --help, which was printed; or
// RUNNER_EXIT_USAGE after a message. It never ends the process. Free *options either way.
int bisect_options_parse(enum bisect_command command, const struct base_call* call,
                         struct bisect_options* options);
void bisect_options_free(struct bisect_options* options);

#endif
