// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The runtime class plumbline.Trace in the JVM, and its natives: where instrumented code meets the
// trace stack.
#ifndef AGENT_RUNTIME_H
#define AGENT_RUNTIME_H

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

#include "oracle/oracle.h"

#define RUNTIME_CLASS_NAME "plumbline.Trace"

// Defines the class in the boot loader and registers push and pop. 0, or -1 (the JVM refused).
int runtime_define(JNIEnv* env);
// Global references, NULL before runtime_define (and runtime_module before JDK 9).
jclass runtime_class(void);
jobject runtime_module(void);
// Whether a program counter lies in push or pop themselves.
bool runtime_contains(uintptr_t pc) HANDLER_SAFE;
// The position (oracle_slot) of a push whose frame lies at `frame_address`.
static inline uint32_t runtime_position(uintptr_t frame_address) {
    return (uint32_t) - (intptr_t)(frame_address >> 4);
}

#endif
