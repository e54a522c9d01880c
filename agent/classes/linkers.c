// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Methods of java.lang.invoke, through which a method handle's call goes: a set that only grows, by
// the hash of the id. Walks of early releases end there (cases/causes.ini).
#include <string.h>

#include "agent/state/state.h"
#include "classes.h"

#define LINKERS_PACKAGE "Ljava/lang/invoke/"
#define LINKERS_LAST 15 // no later release needs it
#define LINKERS 65536u  // a power of two; ten times what a JVM has. A full set takes no more
#define LINKERS_TRIED 64u

static uintptr_t linkers[LINKERS]; // atomic

static HANDLER_SAFE uint32_t place_of(uintptr_t id, uint32_t i) {
    return ((uint32_t)((uint64_t)id * UINT64_C(0x9E3779B97F4A7C15) >> 40) + i) & (LINKERS - 1);
}

void linkers_note(const char* signature, const jmethodID* ids, jint count) {
    if (agent.release > LINKERS_LAST ||
        strncmp(signature, LINKERS_PACKAGE, strlen(LINKERS_PACKAGE)) != 0)
        return;
    for (jint i = 0; i < count; i++) {
        for (uint32_t k = 0; k < LINKERS_TRIED; k++) {
            uintptr_t free_place = 0, id = (uintptr_t)ids[i];
            if (__atomic_compare_exchange_n(&linkers[place_of(id, k)], &free_place, id, false,
                                            __ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
                free_place == id)
                break;
        }
    }
}

HANDLER_SAFE bool linkers_have(uintptr_t id) {
    for (uint32_t k = 0; k < LINKERS_TRIED && id != 0; k++) {
        uintptr_t there = __atomic_load_n(&linkers[place_of(id, k)], __ATOMIC_RELAXED);
        if (there == id || there == 0) return there == id;
    }
    return false;
}
