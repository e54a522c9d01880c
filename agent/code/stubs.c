// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "parts.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define STUBS_MAX 8192 // a JVM makes about 500 at its start, and then vtable stubs and adapters

static struct stub stubs[STUBS_MAX];
static uint32_t used; // atomic
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void stubs_add(const char* name, uintptr_t begin, size_t length) {
    pthread_mutex_lock(&lock);
    if (used < STUBS_MAX) {
        struct stub* s = &stubs[used];
        s->begin = begin;
        s->end = begin + length;
        snprintf(s->name, sizeof s->name, "%s", name);
        __atomic_store_n(&used, used + 1, __ATOMIC_RELEASE); // partner: stubs_name
    }
    pthread_mutex_unlock(&lock);
}

void stubs_forget(void) {
    pthread_mutex_lock(&lock);
    __atomic_store_n(&used, 0, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
}

// Code may have been freed and its place used again: of equal ranges the newest counts.
HANDLER_SAFE bool stubs_name(uintptr_t pc, char* text, size_t size) {
    uint32_t count = __atomic_load_n(&used, __ATOMIC_ACQUIRE);
    const struct stub* best = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const struct stub* s = &stubs[i];
        if (pc < s->begin || pc >= s->end) continue;
        if (best == NULL || s->end - s->begin <= best->end - best->begin) best = s;
    }
    if (best == NULL) return false;
    size_t length = size < STUBS_NAME ? size : STUBS_NAME;
    memcpy(text, best->name, length);
    text[length - 1] = '\0';
    return true;
}

const struct stub* stubs_at(uint32_t index) {
    return index < __atomic_load_n(&used, __ATOMIC_ACQUIRE) ? &stubs[index] : NULL;
}
