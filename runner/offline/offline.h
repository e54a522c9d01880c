// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline instrument IN OUT: rewrites classes without a JVM, for inspection and for proofs.
//
//   IN                                OUT
//   a class file                      a class file
//   a jar                             a jar; entries that are no classes are copied
//   a JDK's home: lib/modules         a directory, MODULE/PACKAGE/NAME.class
//   a JDK 8's home: jre/lib/rt.jar    a directory, PACKAGE/NAME.class
//
// Beside it OUT.map says which number each rewritten method pushes: a line
// "number class.method descriptor" each. A class that is refused is written as it was.
#ifndef RUNNER_OFFLINE_H
#define RUNNER_OFFLINE_H

#include <stdbool.h>

struct offline_options {
    const char *in, *out;
    bool report;
};

// Reads the arguments after the subcommand's name (argv[0] is that name); as options_parse.
int offline_parse(int argc, char** argv, bool stay, struct offline_options* options);

// Does it, and gives the exit status: RUNNER_EXIT_PASS, or RUNNER_EXIT_HARNESS when a file could
// not be read or written, which is said on standard error. A file that was to be written is then
// as it was, or not there; a directory holds what was written so far.
int offline_run(const struct offline_options* options);

#endif
