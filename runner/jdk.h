// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The JDK under test: is it there, is it whole enough, and which is it?
#ifndef RUNNER_JDK_H
#define RUNNER_JDK_H

#include <limits.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdio.h>

#include "launch.h"
#include "words.h"

// Names of flags: a release build has about 930 of 22 letters, a debug build twice as many.
#define JDK_FLAGS_SIZE (128 * 1024)

struct jdk {
    char home[PATH_MAX];
    char java[PATH_MAX + 16];
    char version[64]; // java.version, e.g. "17.0.19"
    char vm[256];     // java.vm.name and java.vm.version
    int feature;      // 8, 11, 17, ...
    bool interrupted; // it could not be examined, because the user interrupted
    // The names of the -XX flags that this JVM has, each between newlines, as it says itself;
    // empty: it does not say.
    char flags[JDK_FLAGS_SIZE];
};

// Examines the directory and runs `java -version` there, under a time limit. What is needed is
// bin/java and a libjvm.so with JVMTI, so a JRE will do. 0, or -1 with what is missing in `error`.
int jdk_examine(const char* directory, struct jdk* jdk, char* error, size_t error_size);

// Runs java with these words after its name, all that it prints into `output`, under the same time
// limit. 0 and *child says how it ended; or why it did not end by itself: EINTR, the user
// interrupted, or else it could not be started.
int jdk_run(const struct jdk* jdk, const struct words* words, FILE* output,
            struct launch_child* child);

// 8 of "1.8.0_504", 17 of "17.0.19", 27 of "27-ea"; 0 if it is no version.
int jdk_feature(const char* version);

#endif
