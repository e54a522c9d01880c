// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// argv of `plumbline bisect` and `plumbline bisect-step`: their own options; all others are those
// of `validate`, and read there.
#ifndef RUNNER_BISECT_OPTIONS_H
#define RUNNER_BISECT_OPTIONS_H

#include "bisect_sought.h"
#include "runner/options/options.h"
#include "runner/base/base.h"

#define BISECT_ERROR 1e-3   // of the whole bisection
#define BISECT_SPREAD 1.25  // in odds, between runs of one build on one machine
#define BISECT_SECONDS 20.0 // of one JVM, where rates are sought: then another one is started
#define BISECT_LIMIT 300.0  // seconds for one build and question
// A starting JVM is another program than one that runs: so many of its seconds are left out.
#define BISECT_WARM 2.0
// What is taken where JVMs are the trials, and no rates are given: a build that is good may fail
// now and then, one that is bad fails nearly always.
#define BISECT_WHOLE_GOOD 0.01
#define BISECT_WHOLE_BAD 0.9

struct bisect_options {
    struct options run;     // what each JVM is run with; jdk: of bisect-step
    const char* list;       // of builds
    const char *good, *bad; // ends, by path or last part of it; NULL: the list's
    struct bisect_sought sought;
    double error, spread, limit, warm, dispersion;
    bool given; // the rates: measured nowhere
    double good_rate, bad_rate;
    bool go_on;          // --resume
    struct words repeat; // the options that a step takes over, as they were given
    struct words rest;   // what `run` was read from
};

enum bisect_command { BISECT_WHOLE_COMMAND, BISECT_STEP_COMMAND };
// `argv` from the subcommand's name on. 0 and *options complete (its texts are argv's), -1 after
// --help, which was printed; or RUNNER_EXIT_USAGE, and what is wrong was said.
int bisect_options_parse(enum bisect_command command, int argc, char** argv,
                         struct bisect_options* options);
void bisect_options_free(struct bisect_options* options);

#endif
