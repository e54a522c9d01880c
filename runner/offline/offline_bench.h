// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// How fast the instrumenter is: all classes of a JDK, from memory to memory, on one thread. Half of
// `make bench-instrument`, whose other half rewrites the very same classes with another library
// (.checks/bench-instrument).
#ifndef RUNNER_OFFLINE_BENCH_H
#define RUNNER_OFFLINE_BENCH_H

// Passes after the first; the warm time is their median.
#define OFFLINE_BENCH_PASSES 9

// Loads the classes of the JDK whose home is `jdk` into memory, and writes them to the file
// `classes`, each behind its length (4 bytes, big-endian). Rewrites all with a new rewriter (cold),
// then OFFLINE_BENCH_PASSES times again (warm), and prints a line "name value" for each: classes,
// bytes, methods, cold_seconds, warm_seconds, buffers_kilobytes (what the process's memory grew
// by). Gives the exit status.
int offline_bench_run(const char* jdk, const char* classes);

#endif
