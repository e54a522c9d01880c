// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A fake JVM for the agent's tests: a walker and a GetStackTrace that answer from texts, youngest
// frame first, one letter a frame.
#ifndef AGENT_TESTS_FAKEJVM_H
#define AGENT_TESTS_FAKEJVM_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

// The walker's answer; volatile, because the compiler assumes that raise() does not come back to a
// file that sets it.
extern const char* volatile fake_walker_text;
// So many more frames than it has are what the walker says it has.
extern volatile int32_t fake_walker_claims;
extern volatile bool fake_walker_knows_no_bci; // of its youngest frame: -1
extern const char* fake_gst_text;              // GetStackTrace's answer
extern uint32_t fake_gst_asked;                // how often it was asked

// The jmethodID that a letter stands for.
uintptr_t fake_id(char letter); // of '0': null
// Makes the fake walker the one that samples are taken with. Every frame has bci 6.
void fake_walker_open(void);

jvmtiError JNICALL fake_get_stack_trace(jvmtiEnv* env, jthread of, jint start, jint max,
                                        jvmtiFrameInfo* frames, jint* count);
// Says that there is no such thread, which then has no name.
jvmtiError JNICALL fake_get_thread_info(jvmtiEnv* env, jthread thread, jvmtiThreadInfo* info);
jvmtiError JNICALL fake_deallocate(jvmtiEnv* env, unsigned char* memory);
jobject JNICALL fake_global_ref(JNIEnv* env, jobject object);

// HotSpot's thread, of which nothing is known but its state, a number of JavaThreadState.
const char* fake_hotspot_thread(const volatile int32_t* state);

// HotSpot's thread, in the VM, with that stack pointer and no pc in its anchor. One at a time.
const char* fake_left_thread(uint64_t anchor_sp);

// A JVM whose code cache has one method, which was deoptimised.
struct fake_deoptimised {
    const char* thread; // HotSpot's thread, whose stack ends there; in Java
    uintptr_t handler;  // where callees of the method's frames return to
    const char* owner;  // a Method* with the jmethodID given
};
struct fake_deoptimised fake_deoptimise(const uintptr_t* stack_end, uintptr_t id);

#define FAKE_DEPTH 8 // frames that a walk asks for at most
// Registers the calling thread in an agent with an empty run and the fake walker, in which the
// layers safepoint and gst check every push. `jvmti` is the JVMTI that the agent asks; the caller
// has set agent.methods.
struct agent_thread* fake_thread_begin(const struct jvmtiInterface_1_* jvmti);

#endif
