// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Classes rewritten without a JVM, for inspection and for proofs: class files, jars, and the
// classes of a JDK, read from its image. The rewriting itself is the top-level room instrument/.
#ifndef RUNNER_INSTRUMENT_H
#define RUNNER_INSTRUMENT_H

#include "runner/base/base.h"

// plumbline instrument IN OUT:
//
//   IN                                OUT
//   a class file                      a class file
//   a jar                             a jar; entries that are no classes are copied
//   a JDK's home: lib/modules         a directory, MODULE/PACKAGE/NAME.class
//   a JDK 8's home: jre/lib/rt.jar    a directory, PACKAGE/NAME.class
//
// Beside it OUT.map says which number each rewritten method pushes: a line
// "number class.method descriptor" each. A class that is refused is written unchanged.
//
// Returns the exit status: RUNNER_EXIT_PASS; or RUNNER_EXIT_HARNESS, after a message, if a file
// could not be read or written. A file that was to be written is then unchanged or missing; a
// directory holds the classes that were written so far.
int instrument_command(const struct base_call* call);

// plumbline bench-instrument JDK CLASSES, not for users: half of `make bench-instrument`, whose
// other half rewrites the same classes with another library (.checks/bench-instrument). It measures
// all classes of a JDK, from memory to memory, on one thread: loads them; writes them to the file
// CLASSES, each behind its length (4 bytes, big-endian); rewrites all with a new rewriter (cold),
// then several times again (warm: the median). Prints a line "name value" for each of classes,
// bytes, methods, refused, cold_seconds, warm_seconds, buffers_kilobytes (the growth of the
// process's memory). Returns the exit status.
int bench_instrument_command(const struct base_call* call);

#endif
