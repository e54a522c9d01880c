// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// In front as lib/server/libjvm.so of a JDK's directory. The fault is the text of libjvm.fault
// beside it. The real libjvm.so is in lib/real, because a JVM finds its home by the name and the
// place of its library. A launcher asks its handle of libjvm for three functions: these are passed
// on. Other callers find the real library's functions by its soname, or in the global scope, where
// this library comes first.
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "front.h"

#define REAL "../real/libjvm.so"
#define FAULT "libjvm.fault"
#define JNI_ERROR (-1)

static char real_path[PATH_MAX];
static void* real;

static void path_beside(const char* name, char path[PATH_MAX]) {
    Dl_info info;
    if (dladdr(real_path, &info) == 0 || info.dli_fname == NULL) front_fail(name, "where am I?");
    const char* slash = strrchr(info.dli_fname, '/');
    int directory = slash != NULL ? (int)(slash - info.dli_fname) + 1 : 0;
    if (snprintf(path, PATH_MAX, "%.*s%s", directory, info.dli_fname, name) >= PATH_MAX)
        front_fail(name, "its path is too long");
}

__attribute__((constructor)) static void begin(void) {
    char path[PATH_MAX], fault[512] = "";
    path_beside(FAULT, path);
    FILE* file = fopen(path, "r");
    if (file == NULL) front_fail(path, strerror(errno));
    if (fgets(fault, sizeof fault, file) == NULL) front_fail(path, "is empty");
    fclose(file);
    fault[strcspn(fault, "\n")] = '\0';
    front_open(fault);
    path_beside(REAL, real_path);
    // Not RTLD_GLOBAL yet: some loaders add us to the global scope only after this function has
    // returned, and the real library would come first.
    real = dlopen(real_path, RTLD_NOW | RTLD_LOCAL);
    if (real == NULL) front_fail(real_path, dlerror());
    front_walker function = (front_walker)(uintptr_t)dlsym(real, "AsyncGetCallTrace");
    if (function == NULL) front_fail(real_path, "has no AsyncGetCallTrace");
    front_found(function);
}

FRONT_EXPORT int32_t JNI_CreateJavaVM(void** vm, void** env, void* arguments);
FRONT_EXPORT int32_t JNI_GetDefaultJavaVMInitArgs(void* arguments);
FRONT_EXPORT int32_t JNI_GetCreatedJavaVMs(void** vms, int32_t room, int32_t* count);

int32_t JNI_CreateJavaVM(void** vm, void** env, void* arguments) {
    dlopen(real_path, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
    int32_t (*function)(void**, void**, void*) =
        (int32_t(*)(void**, void**, void*))(uintptr_t)dlsym(real, "JNI_CreateJavaVM");
    return function != NULL ? function(vm, env, arguments) : JNI_ERROR;
}

int32_t JNI_GetDefaultJavaVMInitArgs(void* arguments) {
    int32_t (*function)(void*) =
        (int32_t(*)(void*))(uintptr_t)dlsym(real, "JNI_GetDefaultJavaVMInitArgs");
    return function != NULL ? function(arguments) : JNI_ERROR;
}

int32_t JNI_GetCreatedJavaVMs(void** vms, int32_t room, int32_t* count) {
    int32_t (*function)(void**, int32_t, int32_t*) =
        (int32_t(*)(void**, int32_t, int32_t*))(uintptr_t)dlsym(real, "JNI_GetCreatedJavaVMs");
    return function != NULL ? function(vms, room, count) : JNI_ERROR;
}
