// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Class loaders: an id for each, whether its classes are the application's, and whether code it
// loads can see the runtime class.
#ifndef AGENT_LOADERS_H
#define AGENT_LOADERS_H

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

// At VMInit: finds the platform loader.
void loaders_init(JNIEnv* env);
// The loader's id, the same as long as it lives; 0 for the boot loader.
int64_t loaders_id(jobject loader);
int64_t loaders_id_of(JNIEnv* env, jclass klass);
// Neither the boot nor the platform loader's.
bool loaders_is_app(JNIEnv* env, jobject loader);
// Whether classes of this loader can resolve the runtime class. The first question per loader runs
// the loader's own loadClass, here and not inside the first instrumented method, where the code of
// a loader written in Java would stand on the stack above a method that has not pushed yet.
bool loaders_see_runtime(JNIEnv* env, jobject loader);
// Lets the named module of this package (internal form of a class name in it), if any, read the
// runtime class's module. Needs JDK 9.
void loaders_open_module(JNIEnv* env, jobject loader, const char* class_name);
// The same for every module there is.
void loaders_open_all_modules(JNIEnv* env);

#endif
