// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "judge.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "agent/state/state.h"
#include "agent/threads/threads.h"
#include "parts.h"

// jvmtiCapabilities.can_support_virtual_threads, which a header older than JDK 21 does not name:
// the bit after can_generate_sampled_object_alloc_events. Source: jvmti.h of JDK 21.
#define CAN_SUPPORT_VIRTUAL_THREADS 44

#define FIRST_RELEASE 21
#define MOUNT_EVENT "com.sun.hotspot.events.VirtualThreadMount"
#define UNMOUNT_EVENT "com.sun.hotspot.events.VirtualThreadUnmount"

static struct mount_pool pool = MOUNT_POOL(MOUNT_STACKS_MAX);

void mounts_want(jvmtiCapabilities* wanted) {
    if (agent.release < FIRST_RELEASE) return;
    unsigned char* bytes = (unsigned char*)wanted;
    bytes[CAN_SUPPORT_VIRTUAL_THREADS / 8] |= 1u << CAN_SUPPORT_VIRTUAL_THREADS % 8;
}

// ---- Events -----------------------------------------------------------------------------------

// On the virtual thread, before it is first announced as mounted.
static void JNICALL on_start(jvmtiEnv* jvmti, JNIEnv* env, jthread thread) {
    agent_count(&agent.run->virtual_threads, 1);
    struct mount_stack* stack = mount_take(&pool);
    if (stack == NULL) {
        agent_count(&agent.run->virtual_lost, 1);
        return;
    }
    stack->java_thread = thread_java_id(env, thread);
    if ((*jvmti)->SetThreadLocalStorage(jvmti, thread, stack) == JVMTI_ERROR_NONE) return;
    agent_count(&agent.run->virtual_lost, 1);
    mount_give(&pool, stack);
}

// The storage of the thread that is mounted here. Asked for NULL, the current thread, the JVM reads
// one field and waits for nothing.
static struct mount_stack* stored(jvmtiEnv* jvmti) {
    void* stack = NULL;
    return (*jvmti)->GetThreadLocalStorage(jvmti, NULL, &stack) == JVMTI_ERROR_NONE ? stack : NULL;
}

// On the virtual thread, after it is announced as unmounted for the last time.
static void JNICALL on_end(jvmtiEnv* jvmti, JNIEnv* env, jthread thread) {
    struct mount_stack* stack = stored(jvmti);
    struct agent_thread* t = thread_self();
    (void)env;
    // Still mounted: the JVM did not announce the unmount.
    if (stack == NULL || (t != NULL && t->mounted == stack)) return;
    (*jvmti)->SetThreadLocalStorage(jvmti, thread, NULL);
    mount_give(&pool, stack);
}

static void unmount(struct agent_thread* t) {
    if (t->mount != MOUNT_MOUNTED && t->mount != MOUNT_LOST) return;
    mount_close(t);
    // The last chance to settle what the virtual thread's samples are accused of.
    if (t->accused_all != 0) check_pop(t);
    blame_leave(t);
    thread_current = NULL;
    thread_flush(t);
    mount_out(t);
}

// Arguments of both extension events: JNIEnv*, jthread (the virtual thread). They come when the
// thread's mount is over, and before its unmount begins: in neither is it in transition.
static void JNICALL on_mount(jvmtiEnv* jvmti, ...) {
    struct agent_thread* t = thread_self();
    if (t == NULL) return;
    // A platform thread that is no worker of the default scheduler. It may have been judged in the
    // mount that is just over.
    if (t->mount == MOUNT_NONE) {
        thread_carry(t);
        blame_leave(t);
    }
    unmount(t); // nothing, unless an event was lost
    mount_in(t, stored(jvmti));
    if (t->mount != MOUNT_MOUNTED) return;
    thread_current = t;
    if (agent.inlined) thread_reopen(t);
}

static void JNICALL on_unmount(jvmtiEnv* jvmti, ...) {
    struct agent_thread* t = thread_self();
    (void)jvmti;
    if (t != NULL) unmount(t);
}

// ---- Watching ---------------------------------------------------------------------------------

static void free_parameters(jvmtiExtensionEventInfo* event) {
    for (jint i = 0; i < event->param_count; i++)
        (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)event->params[i].name);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)event->params);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)event->id);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)event->short_description);
}

static bool watch_one(jint index, jvmtiExtensionEvent callback) {
    // Unlike other extension events these must be enabled by their number as well.
    return index >= 0 &&
           (*agent.jvmti)->SetExtensionEventCallback(agent.jvmti, index, callback) ==
               JVMTI_ERROR_NONE &&
           (*agent.jvmti)
                   ->SetEventNotificationMode(agent.jvmti, JVMTI_ENABLE, (jvmtiEvent)index, NULL) ==
               JVMTI_ERROR_NONE;
}

int mounts_watch(void) {
    jint count = 0, mount = -1, unmounts = -1;
    jvmtiExtensionEventInfo* events = NULL;
    if (agent.release < FIRST_RELEASE) return 0;
    if ((*agent.jvmti)->GetExtensionEvents(agent.jvmti, &count, &events) != JVMTI_ERROR_NONE)
        return -1;
    for (jint i = 0; i < count; i++) {
        if (strcmp(events[i].id, MOUNT_EVENT) == 0) mount = events[i].extension_event_index;
        if (strcmp(events[i].id, UNMOUNT_EVENT) == 0) unmounts = events[i].extension_event_index;
        free_parameters(&events[i]);
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)events);
    if (!watch_one(mount, on_mount) || !watch_one(unmounts, on_unmount)) return -1;
    for (jint event = VIRTUAL_THREAD_START; event <= VIRTUAL_THREAD_END; event++)
        if ((*agent.jvmti)
                ->SetEventNotificationMode(agent.jvmti, JVMTI_ENABLE, (jvmtiEvent)event, NULL) !=
            JVMTI_ERROR_NONE)
            return -1;
    return 0;
}

jint mounts_callbacks(const jvmtiEventCallbacks* known, union mounts_events* all) {
    memset(all, 0, sizeof *all);
    memcpy(all->all, known, sizeof *known);
    if (agent.release < FIRST_RELEASE) return (jint)sizeof *known;
    all->all[VIRTUAL_THREAD_START - JVMTI_MIN_EVENT_TYPE_VAL] = (void (*)(void))on_start;
    all->all[VIRTUAL_THREAD_END - JVMTI_MIN_EVENT_TYPE_VAL] = (void (*)(void))on_end;
    return (jint)sizeof *all;
}
