// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "virtual.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "check.h"
#include "state.h"
#include "thread.h"

// jvmtiCapabilities.can_support_virtual_threads, which a header older than JDK 21 does not name:
// the bit after can_generate_sampled_object_alloc_events. Source: jvmti.h of JDK 21.
#define CAN_SUPPORT_VIRTUAL_THREADS 44

#define FIRST_RELEASE 21
#define MOUNT_EVENT "com.sun.hotspot.events.VirtualThreadMount"

void virtual_want(jvmtiCapabilities* wanted) {
    if (agent.release < FIRST_RELEASE) return;
    unsigned char* bytes = (unsigned char*)wanted;
    bytes[CAN_SUPPORT_VIRTUAL_THREADS / 8] |= 1u << CAN_SUPPORT_VIRTUAL_THREADS % 8;
}

// Arguments of the extension event: JNIEnv*, jthread (the virtual thread).
static void JNICALL on_mount(jvmtiEnv* jvmti, ...) {
    va_list arguments;
    va_start(arguments, jvmti);
    JNIEnv* env = va_arg(arguments, JNIEnv*);
    va_end(arguments);
    if (!thread_is_carrier()) thread_mute(env, true);
}

static void free_parameters(jvmtiExtensionEventInfo* event) {
    for (jint i = 0; i < event->param_count; i++)
        (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)event->params[i].name);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)event->params);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)event->id);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)event->short_description);
}

int virtual_watch(void) {
    jint count = 0, found = -1;
    jvmtiExtensionEventInfo* events = NULL;
    if (agent.release < FIRST_RELEASE) return 0;
    if ((*agent.jvmti)->GetExtensionEvents(agent.jvmti, &count, &events) != JVMTI_ERROR_NONE)
        return -1;
    for (jint i = 0; i < count; i++) {
        if (strcmp(events[i].id, MOUNT_EVENT) == 0) found = events[i].extension_event_index;
        free_parameters(&events[i]);
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)events);
    if (found < 0) return -1;
    if ((*agent.jvmti)->SetExtensionEventCallback(agent.jvmti, found, on_mount) != JVMTI_ERROR_NONE)
        return -1;
    // Unlike other extension events these must be enabled by their number as well.
    jvmtiError error =
        (*agent.jvmti)
            ->SetEventNotificationMode(agent.jvmti, JVMTI_ENABLE, (jvmtiEvent)found, NULL);
    return error == JVMTI_ERROR_NONE ? 0 : -1;
}

// ---- Checks at pushes -------------------------------------------------------------------------

// Continuation.enterSpecial: its frame lies between the oldest of a virtual thread and the youngest
// of its carrier's own, which GetStackTrace of a virtual thread leaves out. Written at VMInit.
static jmethodID enter_special;

void virtual_learn(JNIEnv* env) {
    if (agent.release < FIRST_RELEASE || agent.options.scope != AGENT_SCOPE_APP) return;
    jclass class = (*env)->FindClass(env, "jdk/internal/vm/Continuation");
    if (class != NULL)
        enter_special = (*env)->GetStaticMethodID(env, class, "enterSpecial",
                                                  "(Ljdk/internal/vm/Continuation;ZZ)V");
    // A JVM that does it in another way: then there are no such checks.
    if (enter_special == NULL) (*env)->ExceptionClear(env);
    (*env)->DeleteLocalRef(env, class);
}

// JVMTI waits for a mount or an unmount under way to end, and one of the calling thread's own would
// never end. So checks are made in scope app alone: while a thread is in transition only methods of
// java.lang.VirtualThread and of what it calls run, which the boot loader has loaded and which do
// not push. No method of the application is called there: its task, the scheduler's queue and all
// handlers of its own run before or after, on a thread that has a stable identity.
void virtual_push(JNIEnv* env) {
    if (enter_special == NULL || !agent_layer(ORACLE_LAYER_SAFEPOINT)) return;
    struct agent_thread* t = thread_carrier_slot(env);
    if (t != NULL && --t->countdown == 0) check_carrier(t, (uintptr_t)enter_special);
}
