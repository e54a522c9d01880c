// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Builds made up for tests of bisecting: fake JDKs (fake_java.h), each of which does what its file
// `behaviour` says when it runs the class Bisected:
//     rate R      counts samples for half a second, with mismatches at this rate
//     known P     the same at 20 %; the part P of the mismatches is of the cause "known"
//     crash       is killed by a signal
//     hang        never ends
//     fail        the case ends with exit status 1
//     interrupt   interrupts the runner
//     stop R      stops the runner for six seconds, then as rate R
//     broken      does not even tell its version
#ifndef RUNNER_TESTS_FAKE_BUILDS_H
#define RUNNER_TESTS_FAKE_BUILDS_H

#include "results/report/report.h"

// Makes directory/builds/build-1 to -count, which are good before `first_bad` and bad from there.
void fake_builds_make(const char* directory, unsigned count, unsigned first_bad, const char* good,
                      const char* bad);
void fake_builds_change(const char* directory, unsigned build, const char* behaviour);

// For the JVM, which was started as `java`.
_Noreturn void fake_build_play(const char* java, struct results_run* run);
void fake_build_answer(const char* java);

#endif
