// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "threads.h"

#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "agent/state/state.h"

struct seek {
    uintptr_t address;
    const void* library;
};

static int contains(struct dl_phdr_info* info, size_t size, void* user) {
    struct seek* seek = user;
    (void)size;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr)* p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD || seek->address - info->dlpi_addr - p->p_vaddr >= p->p_memsz)
            continue;
        seek->library = info->dlpi_phdr;
        return 1;
    }
    return 0;
}

// What tells a library from the others; NULL: the address lies in none. dladdr(3) would look
// through all symbols of libjvm and libc as well, which took a tenth of the time of a storm of
// threads.
static const void* library_of(const void* address) {
    struct seek seek = {.address = (uintptr_t)address};
    dl_iterate_phdr(contains, &seek);
    return seek.library;
}

// Whether the thread's first function is the JVM's: only libc, which starts every thread, lies
// under it. A thread that attached itself has its own code there.
static bool is_made_by_jvm(void) {
    void* frames[64];
    const void* jvm = library_of((const void*)(uintptr_t)(*agent.jvmti)->GetStackTrace);
    const void* threads = library_of((const void*)(uintptr_t)pthread_create);
    const void* libc = library_of((const void*)(uintptr_t)getenv);
    int count = backtrace(frames, 64);
    int at = count;
    if (count == 64) return false;
    while (at > 0 && library_of(frames[at - 1]) != jvm) {
        const void* library = library_of(frames[--at]);
        if (library == NULL || (library != threads && library != libc)) return false;
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
    if (first && is_launched(t->name)) root = ORACLE_ROOT_LAUNCHED;
    if (!first && !is_of_the_vm(t->name) && is_made_by_jvm()) root = ORACLE_ROOT_STARTED;
    t->root = (uint32_t)root;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->first_method = 0; // it was found right while the root was not known
}
