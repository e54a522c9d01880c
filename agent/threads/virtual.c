// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "threads.h"

#include "agent/state/state.h"
#include "parts.h"

#define FIRST_RELEASE 21

static jclass virtual_class; // java.lang.BaseVirtualThread, a global reference
static struct mount_end end_of_frames;

void virtual_learn(JNIEnv* env) {
    if (agent.release < FIRST_RELEASE) return;
    jclass class = (*env)->FindClass(env, "jdk/internal/vm/Continuation");
    if (class != NULL) {
        end_of_frames.enter_special = (uintptr_t)(*env)->GetStaticMethodID(
            env, class, "enterSpecial", "(Ljdk/internal/vm/Continuation;ZZ)V");
        (*env)->ExceptionClear(env);
        end_of_frames.run = (uintptr_t)(*env)->GetMethodID(env, class, "run", "()V");
    }
    (*env)->ExceptionClear(env);
    (*env)->DeleteLocalRef(env, class);
    class = (*env)->FindClass(env, "java/lang/BaseVirtualThread");
    if (class != NULL) virtual_class = (*env)->NewGlobalRef(env, class);
    (*env)->ExceptionClear(env);
    (*env)->DeleteLocalRef(env, class);
}

HANDLER_SAFE uint32_t virtual_own_frames(const struct oracle_frame* frames, uint32_t count) {
    return mount_own_frames(frames, count, &end_of_frames);
}

// Release 21 has a second way to be on the carrier, for a moment and without events
// (VirtualThread.switchToCarrierThread, when a timed wait begins): GetStackTrace of the current
// thread is the carrier's there. Only the JDK's own methods run in it.
bool virtual_is_itself(struct agent_thread* t) {
    jthread now = NULL;
    if (t->mount != MOUNT_MOUNTED || agent.options.scope != AGENT_SCOPE_ALL) return true;
    if (virtual_class == NULL ||
        (*agent.jvmti)->GetCurrentThread(agent.jvmti, &now) != JVMTI_ERROR_NONE)
        return true;
    bool itself = (*t->env)->IsInstanceOf(t->env, now, virtual_class);
    (*t->env)->DeleteLocalRef(t->env, now);
    return itself;
}
