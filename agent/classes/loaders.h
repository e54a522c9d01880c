// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// For hook.c and names.c. classes.h has the rest of loaders.c.
#ifndef AGENT_LOADERS_H
#define AGENT_LOADERS_H

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

// The loader's id, which stays the same as long as the loader lives; 0 for the boot loader.
int64_t loaders_id(jobject loader);
int64_t loaders_id_of(JNIEnv* env, jclass klass);
// Whether the loader is neither the boot loader nor the platform loader.
bool loaders_is_app(JNIEnv* env, jobject loader);
// Whether classes of this loader can resolve the runtime class. The first question per loader runs
// the loader's own loadClass here. Otherwise it would run inside the first instrumented method, and
// the code of a loader written in Java would stand on the stack above a method that has not pushed
// yet.
bool loaders_see_runtime(JNIEnv* env, jobject loader);
// Lets the named module of this package (internal form of a class name in it), if there is one,
// read the runtime class's module. Does nothing before JDK 9.
void loaders_open_module(JNIEnv* env, jobject loader, const char* class_name);

#endif
