// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What tests of the agent need of a JVM: a walker and a GetStackTrace that answer from texts,
// youngest first, a letter a frame.
#ifndef AGENT_TESTS_FAKEJVM_H
#define AGENT_TESTS_FAKEJVM_H

#include <jvmti.h>
#include <stdint.h>

// What the walker answers; volatile: raise() is said not to come back to a file that sets it.
extern const char* volatile fake_walker_text;
extern const char* fake_gst_text; // what GetStackTrace answers
extern uint32_t fake_gst_asked;

// The jmethodID that a letter stands for.
uintptr_t fake_id(char letter);
// Makes the fake walker the one that samples are taken with. Every frame has bci 6.
void fake_walker_open(void);

jvmtiError JNICALL fake_get_stack_trace(jvmtiEnv* env, jthread of, jint start, jint max,
                                        jvmtiFrameInfo* frames, jint* count);
// There is no such thread, which then goes without a name.
jvmtiError JNICALL fake_get_thread_info(jvmtiEnv* env, jthread thread, jvmtiThreadInfo* info);
jvmtiError JNICALL fake_deallocate(jvmtiEnv* env, unsigned char* memory);
jobject JNICALL fake_global_ref(JNIEnv* env, jobject object);

#define FAKE_DEPTH 8 // frames that a walk asks for at most
// The calling thread registered in an agent with an empty run and the fake walker, whose every push
// the layers safepoint and gst check. `jvmti` is asked; agent.methods stands already.
struct agent_thread* fake_thread_begin(const struct jvmtiInterface_1_* jvmti);

#endif
