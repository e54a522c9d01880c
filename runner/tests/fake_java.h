// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A JDK made up for tests. Its bin/java is a link to the test binary itself, which, started by that
// name, plays a JVM with the agent in it: it fills the run's file and ends as the main class's name
// asks. See fake_java.c for the names.
#ifndef RUNNER_TESTS_FAKE_JAVA_H
#define RUNNER_TESTS_FAKE_JAVA_H

#include <sys/types.h>

#include "runner/base/base.h"

// Writes the text to directory/name, and makes the directories that this needs.
void fake_file(const char* directory, const char* name, const char* text, mode_t mode);

// Makes a directory with jdk/, cases.ini and an agent in it, and *home pointing there. The path is
// the caller's until the next call.
const char* fake_make(struct home* home);
void fake_remove(const char* directory);
// Makes a JDK of this name in the house at whose first question the user interrupts.
void fake_interrupting(const char* directory, const char* name);

// Runs a command in that house; the formatted line is its words, from its name on, as for a shell.
int fake_call(int (*command)(const struct base_call* call), const struct home* home,
              const char* format, ...) __attribute__((format(printf, 3, 4)));

#endif
