// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The JDK under test: is it there, is it whole enough, and which is it?
#ifndef RUNNER_JDK_H
#define RUNNER_JDK_H

#include <limits.h>
#include <stddef.h>

struct jdk {
    char home[PATH_MAX];
    char java[PATH_MAX + 16];
    char version[64]; // java.version, e.g. "17.0.19"
    char vm[256];     // java.vm.name and java.vm.version
    int feature;      // 8, 11, 17, ...
};

// Examines the directory and runs `java -version` there, under a time limit. What is needed is
// bin/java and a libjvm.so with JVMTI, so a JRE will do. 0, or -1 with what is missing in `error`.
int jdk_examine(const char* directory, struct jdk* jdk, char* error, size_t error_size);

// 8 of "1.8.0_504", 17 of "17.0.19", 27 of "27-ea"; 0 if it is no version.
int jdk_feature(const char* version);

#endif
