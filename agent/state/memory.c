// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// How much memory the agent holds. The linker gives the agent these functions in place of libc's
// (--wrap in GNUmakefile), so that what its static libraries take is counted as well. Nothing in a
// signal handler takes memory (make check-handler).
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "state.h"

void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* old, size_t size);
void __real_free(void* memory);
char* __real_strdup(const char* text);
void* __real_mmap(void* at, size_t size, int protection, int flags, int fd, off_t offset);

void* __wrap_malloc(size_t size);
void* __wrap_calloc(size_t count, size_t size);
void* __wrap_realloc(void* old, size_t size);
void __wrap_free(void* memory);
char* __wrap_strdup(const char* text);
int __wrap_asprintf(char** text, const char* format, ...) __attribute__((format(printf, 2, 3)));
void* __wrap_mmap(void* at, size_t size, int protection, int flags, int fd, off_t offset);

static uint64_t held, mapped; // atomic
static bool shown;            // atomic: both are in the run's file, and kept there

// `bytes` may be "negative": both counters wrap.
static void hold(uint64_t bytes) {
    __atomic_fetch_add(&held, bytes, __ATOMIC_RELAXED);
    if (__atomic_load_n(&shown, __ATOMIC_ACQUIRE)) agent_count(&agent.run->memory, bytes);
}

// What malloc gave is longer than what was asked for, and is given back by its address alone.
static void* hold_block(void* block) {
    if (block != NULL) hold(malloc_usable_size(block));
    return block;
}

void agent_memory_show(void) {
    agent_count(&agent.run->memory, __atomic_load_n(&held, __ATOMIC_RELAXED));
    agent_count(&agent.run->mapped, __atomic_load_n(&mapped, __ATOMIC_RELAXED));
    __atomic_store_n(&shown, true, __ATOMIC_RELEASE);
}

void* __wrap_malloc(size_t size) {
    return hold_block(__real_malloc(size));
}

void* __wrap_calloc(size_t count, size_t size) {
    return hold_block(__real_calloc(count, size));
}

void* __wrap_realloc(void* old, size_t size) {
    size_t before = old != NULL ? malloc_usable_size(old) : 0;
    void* block = __real_realloc(old, size);
    if (block == NULL && size != 0) return NULL; // `old` stays
    hold(-(uint64_t)before);
    return hold_block(block);
}

void __wrap_free(void* memory) {
    if (memory != NULL) hold(-(uint64_t)malloc_usable_size(memory));
    __real_free(memory);
}

char* __wrap_strdup(const char* text) {
    return hold_block(__real_strdup(text));
}

int __wrap_asprintf(char** text, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(text, format, arguments);
    va_end(arguments);
    if (length >= 0) hold_block(*text);
    return length;
}

static void hold_mapping(uint64_t bytes) {
    __atomic_fetch_add(&mapped, bytes, __ATOMIC_RELAXED);
    if (__atomic_load_n(&shown, __ATOMIC_ACQUIRE)) agent_count(&agent.run->mapped, bytes);
}

// Trace stacks and buffers serve the next thread: what is unmapped elsewhere are files. The run's
// file and what is read from disk are no memory of ours.
void* __wrap_mmap(void* at, size_t size, int protection, int flags, int fd, off_t offset) {
    void* memory = __real_mmap(at, size, protection, flags, fd, offset);
    if (memory != MAP_FAILED && (flags & MAP_ANONYMOUS) != 0) hold_mapping(size);
    return memory;
}

void agent_unmap(void* memory, size_t size) {
    if (munmap(memory, size) == 0) hold_mapping(-(uint64_t)size);
}

size_t agent_whole_pages(size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page;
}
