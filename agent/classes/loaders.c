// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "parts.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/state/state.h"
#include "classes.h"

// A loader's tag: its id in the upper bits, and what is known of it in the lowest two.
enum { SEES_UNKNOWN, SEES_RUNTIME, SEES_NOT, SEES_ASKED };
#define TAG_ID_SHIFT 2
#define TAG_KNOWN 3

static jweak platform_loader;
// A loader's tag is read and changed under it, by all threads that load classes.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t last_id;

#define OWN_REFERENCES 64 // of our calls

void loaders_expect_references(JNIEnv* env, jint count) {
    (void)(*env)->EnsureLocalCapacity(env, count + OWN_REFERENCES);
}

void loaders_init(JNIEnv* env) {
    jclass class_loader = (*env)->FindClass(env, "java/lang/ClassLoader");
    jmethodID system = (*env)->GetStaticMethodID(env, class_loader, "getSystemClassLoader",
                                                 "()Ljava/lang/ClassLoader;");
    jmethodID parent =
        (*env)->GetMethodID(env, class_loader, "getParent", "()Ljava/lang/ClassLoader;");
    jobject loader = (*env)->CallStaticObjectMethod(env, class_loader, system);
    // The platform (or extension) loader is the system loader's last ancestor but the boot loader.
    while (!(*env)->ExceptionCheck(env) && loader != NULL) {
        jobject older = (*env)->CallObjectMethod(env, loader, parent);
        // -Xcheck:jni wants it asked after each call.
        if ((*env)->ExceptionCheck(env) || older == NULL) break;
        loader = older;
    }
    (*env)->ExceptionClear(env);
    if (loader != NULL) platform_loader = (*env)->NewWeakGlobalRef(env, loader);
    (*env)->DeleteLocalRef(env, class_loader);
}

// A tag in which this is known instead.
static int64_t known(int64_t tag, int64_t what) {
    return (tag & ~(int64_t)TAG_KNOWN) | what;
}

// The loader's tag as it was. Where `from` is known of the loader, `to` is from now on.
static int64_t change_tag(jobject loader, int64_t from, int64_t to) {
    jlong old = 0;
    if (loader == NULL) return SEES_RUNTIME;
    pthread_mutex_lock(&lock);
    (*agent.jvmti)->GetTag(agent.jvmti, loader, &old);
    int64_t tag = old != 0 ? old : ++last_id << TAG_ID_SHIFT | SEES_UNKNOWN;
    int64_t new = (tag & TAG_KNOWN) == from ? known(tag, to) : tag;
    if (new != old) (*agent.jvmti)->SetTag(agent.jvmti, loader, new);
    pthread_mutex_unlock(&lock);
    return tag;
}

static int64_t tag_of(jobject loader) {
    return change_tag(loader, SEES_UNKNOWN, SEES_UNKNOWN);
}

int64_t loaders_id(jobject loader) {
    return tag_of(loader) >> TAG_ID_SHIFT;
}

int64_t loaders_id_of(JNIEnv* env, jclass klass) {
    jobject loader = NULL;
    if ((*agent.jvmti)->GetClassLoader(agent.jvmti, klass, &loader) != JVMTI_ERROR_NONE) return -1;
    int64_t id = loaders_id(loader);
    (*env)->DeleteLocalRef(env, loader);
    return id;
}

bool loaders_is_app(JNIEnv* env, jobject loader) {
    return loader != NULL && !(*env)->IsSameObject(env, loader, platform_loader);
}

// Class.forName("plumbline.Trace", false, loader): also makes the JVM remember the answer for the
// loader, so that it is not asked again.
static bool ask_loader(JNIEnv* env, jobject loader) {
    jthrowable pending = (*env)->ExceptionOccurred(env);
    (*env)->ExceptionClear(env);
    jclass class_class = (*env)->FindClass(env, "java/lang/Class");
    jmethodID for_name =
        (*env)->GetStaticMethodID(env, class_class, "forName",
                                  "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;");
    jstring name = (*env)->NewStringUTF(env, "plumbline.Trace");
    jobject found =
        (*env)->CallStaticObjectMethod(env, class_class, for_name, name, JNI_FALSE, loader);
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ExceptionClear(env);
        found = NULL;
    }
    bool same = found != NULL && (*env)->IsSameObject(env, found, runtime_class());
    (*env)->DeleteLocalRef(env, found);
    (*env)->DeleteLocalRef(env, name);
    (*env)->DeleteLocalRef(env, class_class);
    if (pending != NULL) (*env)->Throw(env, pending);
    return same;
}

static __thread bool asking; // the calling thread asks a loader

static int64_t ask(JNIEnv* env, jobject loader, int64_t tag) {
    const bool before = asking;
    asking = true;
    tag = known(tag, ask_loader(env, loader) ? SEES_RUNTIME : SEES_NOT);
    asking = before;
    pthread_mutex_lock(&lock);
    (*agent.jvmti)->SetTag(agent.jvmti, loader, tag);
    pthread_mutex_unlock(&lock);
    return tag;
}

// A loader answers within milliseconds. But it may wait for a lock that this thread holds, or for a
// class that this thread initialises. So one thread waits so long, and then the classes of the
// loader stay as they were until it has answered.
#define AWAIT_US 200
#define AWAIT_TURNS 500

static int64_t await_answer(jobject loader) {
    for (uint32_t i = 0; i < AWAIT_TURNS; i++) {
        const int64_t tag = tag_of(loader);
        if ((tag & TAG_KNOWN) != SEES_ASKED) return tag;
        usleep(AWAIT_US);
    }
    return change_tag(loader, SEES_ASKED, SEES_NOT);
}

bool loaders_see_runtime(JNIEnv* env, jobject loader) {
    int64_t tag = change_tag(loader, SEES_UNKNOWN, SEES_ASKED);
    if ((tag & TAG_KNOWN) == SEES_UNKNOWN) tag = ask(env, loader, tag);
    // A loader may load classes in order to answer: a thread that asks waits for nobody.
    else if ((tag & TAG_KNOWN) == SEES_ASKED && !asking) tag = await_answer(loader);
    return (tag & TAG_KNOWN) == SEES_RUNTIME;
}

// A module's tag says that it has been opened.
static void open_module(jobject module) {
    jlong opened = 0;
    if (module == NULL) return;
    (*agent.jvmti)->GetTag(agent.jvmti, module, &opened);
    if (opened != 0) return;
    (*agent.jvmti)->SetTag(agent.jvmti, module, 1);
    (*agent.jvmti)->AddModuleReads(agent.jvmti, module, runtime_module());
}

void loaders_open_module(JNIEnv* env, jobject loader, const char* class_name) {
    char package[1024];
    const char* slash = strrchr(class_name, '/');
    jobject module = NULL;
    if (agent.release < 9 || slash == NULL || runtime_module() == NULL) return;
    snprintf(package, sizeof package, "%.*s", (int)(slash - class_name), class_name);
    if ((*agent.jvmti)->GetNamedModule(agent.jvmti, loader, package, &module) == JVMTI_ERROR_NONE)
        open_module(module);
    (*env)->DeleteLocalRef(env, module);
}

void loaders_open_all_modules(JNIEnv* env) {
    jint count = 0;
    jobject* modules = NULL;
    if (agent.release < 9 || runtime_module() == NULL) return;
    if ((*agent.jvmti)->GetAllModules(agent.jvmti, &count, &modules) != JVMTI_ERROR_NONE) return;
    loaders_expect_references(env, count);
    for (jint i = 0; i < count; i++) {
        open_module(modules[i]);
        (*env)->DeleteLocalRef(env, modules[i]);
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)modules);
}
