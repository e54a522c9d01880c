// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "threads.h"

#include <execinfo.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "agent/code/code.h"
#include "agent/state/state.h"

// Whether the thread's first function is the JVM's: only libc, which starts every thread, lies
// under it. A thread that attached itself has its own code there.
static bool is_made_by_jvm(void) {
    void* frames[64];
    const uintptr_t jvm = library_code((uintptr_t)(*agent.jvmti)->GetStackTrace);
    const uintptr_t threads = library_code((uintptr_t)pthread_create);
    const uintptr_t libc = library_code((uintptr_t)getenv);
    int count = backtrace(frames, 64);
    int at = count;
    if (count == 64 || jvm == 0) return false;
    while (at > 0 && library_code((uintptr_t)frames[at - 1]) != jvm) {
        const uintptr_t library = library_code((uintptr_t)frames[--at]);
        if (library == 0 || (library != threads && library != libc)) return false;
    }
    return at > 0 && at < count;
}

// Whether it is one of the VM's own threads, in which the VM may call any method first.
static bool is_of_the_vm(const char* name) {
    static const char* const names[] = {"Attach Listener", "Signal Dispatcher", "Service Thread",
                                        "Notification",    "C1 CompilerThread", "C2 CompilerThread",
                                        "JVMCI",           "Monitor Deflation", "DestroyJavaVM"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0) return true;
    return false;
}

static bool is_launched(const char* thread_name) {
    char* launcher = NULL;
    if ((*agent.jvmti)->GetSystemProperty(agent.jvmti, "sun.java.launcher", &launcher) !=
        JVMTI_ERROR_NONE)
        return false;
    bool standard = strcmp(launcher, "SUN_STANDARD") == 0;
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)launcher);
    return standard && strcmp(thread_name, "main") == 0;
}

void thread_learn_root(struct agent_thread* t, bool first) {
    enum oracle_root root = ORACLE_ROOT_ANY;
    if (t == NULL || !agent_layer(ORACLE_LAYER_STRUCTURE) || t->base != 0) return;
    if (t->mount != MOUNT_NONE) return; // only its virtual threads are judged
    if (first && is_launched(t->name)) root = ORACLE_ROOT_LAUNCHING;
    if (!first && !is_of_the_vm(t->name) && is_made_by_jvm()) root = ORACLE_ROOT_STARTED;
    t->root = (uint32_t)root;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->first_method = 0; // it was found right while the root was not known
}
