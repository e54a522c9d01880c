// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The class-file load hook: which classes are instrumented, and how those already loaded are
// reached.
#ifndef AGENT_HOOK_H
#define AGENT_HOOK_H

#include <jni.h>
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "oracle/oracle.h"

void JNICALL hook_class_file_load(jvmtiEnv* jvmti, JNIEnv* env, jclass redefined, jobject loader,
                                  const char* name, jobject protection_domain, jint length,
                                  const unsigned char* bytes, jint* new_length,
                                  unsigned char** new_bytes);
// At VMInit: announces every class there is and, in scope all, has them come through the hook.
void hook_loaded_classes(JNIEnv* env);

// Whether this JVM, as far as it came, may have prepared classes and told nobody.
bool hook_misses_classes(void) HANDLER_SAFE;
// In the handler: the walker gave `id`, which is no announced method's. Whether it may be of a
// class of whose preparation the JVM told nobody.
bool hook_may_have_missed(uintptr_t id) HANDLER_SAFE;
// Then announces the classes that nobody announced. Housekeeping thread only.
void hook_missed_classes(JNIEnv* env);

#endif
