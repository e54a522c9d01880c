// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// In front by LD_PRELOAD: a caller that asks the loader (dlsym(RTLD_DEFAULT, ...)) gets our
// AsyncGetCallTrace and not libjvm's. A caller that asks libjvm's handle gets libjvm's. libjvm is
// loaded later, by dlopen. We stand in front of dlopen, too, so nothing is looked up in a handler.
#include <dlfcn.h>
#include <stdlib.h>

#include "front.h"

FRONT_EXPORT void* dlopen(const char* path, int mode);

static void* (*next_dlopen)(const char* path, int mode);

// The JVM may be loaded already, in a program that is linked with it.
static void look(void* handle) {
    if (front_is_found()) return;
    front_walker function = (front_walker)(uintptr_t)dlsym(handle, "AsyncGetCallTrace");
    if (function != NULL && function != AsyncGetCallTrace) front_found(function);
    dlerror(); // forgets our failed look-up: the program must not see it
}

static void find_next(void) {
    next_dlopen = (void* (*)(const char*, int))(uintptr_t)dlsym(RTLD_NEXT, "dlopen");
}

__attribute__((constructor)) static void begin(void) {
    front_open(getenv("PLUMBLINE_FAULT"));
    if (next_dlopen == NULL) find_next();
    look(RTLD_NEXT);
}

// The constructor of another library may call this before ours has run.
void* dlopen(const char* path, int mode) {
    if (next_dlopen == NULL) find_next();
    void* handle = next_dlopen(path, mode);
    if (handle != NULL && path != NULL) look(handle);
    return handle;
}
