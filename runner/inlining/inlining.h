// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// How far the judged code is from production's: which call sites that the JIT inlines in the bare
// program it also inlines in the instrumented one. README.md defines the measure.
//
// The JVM's own log of its compilations tells (-XX:+LogCompilation). It is read line by line, each
// line an element: a log that was cut, or was never put together, gives what it has.
#ifndef RUNNER_INLINING_H
#define RUNNER_INLINING_H

#include "results/report/report.h"

// The log's name in a run's directory.
#define INLINING_LOG "compilation.log"

// The call sites inlined in the last compilation of each method by each compiler.
struct inlining;
// Reads a log. `record`: of the same run, where its program was instrumented; it tells which
// positions in rewritten code stand for which original ones. NULL: nothing was rewritten. Gives
// NULL with errno set where the file cannot be read. The caller closes it; closing NULL does
// nothing.
struct inlining* inlining_read(const char* path, const struct results_record* record);
void inlining_close(struct inlining* inlining);

// Of the call sites that `bare` has from this compiler: how many `other` has as well.
struct results_inlined inlining_compare(const struct inlining* bare, const struct inlining* other,
                                        enum results_compiler compiler);

// Fills `inlined` of executions in other scopes than none, where the same case and mode was run in
// scope none and both runs left a log.
void inlining_fill(struct results_execution* executions, size_t count);

#endif
