// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "parts.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LASTING_MAX 16
static struct { uintptr_t begin, end; } lasting[LASTING_MAX];
static uint32_t lasting_count; // atomic

void memory_lasts(uintptr_t begin, uintptr_t end) {
    uint32_t n = lasting_count;
    if (n == LASTING_MAX) return;
    lasting[n].begin = begin;
    lasting[n].end = end;
    __atomic_store_n(&lasting_count, n + 1, __ATOMIC_RELEASE); // partner: is_lasting
}

static HANDLER_SAFE bool is_lasting(uintptr_t at) {
    for (uint32_t i = 0; i < __atomic_load_n(&lasting_count, __ATOMIC_ACQUIRE); i++)
        if (at >= lasting[i].begin && at < lasting[i].end) return true;
    return false;
}

// rt_sigprocmask copies the new mask in before it looks at `how`, and no kernel knows -1 as `how`.
// So EFAULT says that the eight bytes cannot be read, and EINVAL that they can. Nothing is changed
// either way. A null mask would mean that there is none, so the first page counts as not readable.
// Where system calls are dear, as in some virtual machines, a question takes 10 microseconds.
static HANDLER_SAFE bool word_readable(uintptr_t at) {
    if (at < MEMORY_PAGE) return false;
    if (is_lasting(at)) return true;
    errno = 0;
    syscall(SYS_rt_sigprocmask, -1, at & ~(uintptr_t)7, NULL, 8);
    return errno == EINVAL;
}

HANDLER_SAFE bool memory_readable(const void* at, size_t size) {
    uintptr_t from = (uintptr_t)at, end = from + size;
    if (at == NULL || end < from) return false;
    for (uintptr_t page = from & ~(uintptr_t)(MEMORY_PAGE - 1); page < end; page += MEMORY_PAGE)
        if (!word_readable(page)) return false;
    return true;
}

HANDLER_SAFE bool memory_known(struct memory_pages* pages, const void* at, size_t size) {
    uintptr_t first = (uintptr_t)at & ~(uintptr_t)(MEMORY_PAGE - 1);
    uintptr_t last = ((uintptr_t)at + size - 1) & ~(uintptr_t)(MEMORY_PAGE - 1);
    if (size == 0 || first != last) return memory_readable(at, size);
    for (uint32_t i = 0; i < MEMORY_PAGES; i++)
        if (pages->page[i] == first && first != 0) return true;
    if (!memory_readable(at, size)) return false;
    pages->page[pages->next++ % MEMORY_PAGES] = first;
    return true;
}

#if MEMORY_CHECKED
static HANDLER_SAFE MEMORY_FOREIGN void copy(char* to, const volatile char* from, size_t size) {
    for (size_t i = 0; i < size; i++) to[i] = from[i];
}
#else
#define copy memcpy
#endif

HANDLER_SAFE size_t memory_copy(void* to, const void* at, size_t size) {
    uintptr_t from = (uintptr_t)at;
    size_t copied = 0;
    while (copied < size && from + copied >= from) {
        size_t piece = MEMORY_PAGE - ((from + copied) & (MEMORY_PAGE - 1));
        if (piece > size - copied) piece = size - copied;
        if (!word_readable(from + copied)) break;
        copy((char*)to + copied, (const void*)(from + copied), piece);
        copied += piece;
    }
    return copied;
}

// Never looks beyond the text's end: the bytes behind it may not be readable.
HANDLER_SAFE bool memory_text(char* to, size_t size, const char* at) {
    to[0] = '\0';
    for (size_t i = 0; at != NULL && i < size; i++) {
        bool new_page = i == 0 || ((uintptr_t)(at + i) & (MEMORY_PAGE - 1)) == 0;
        if (new_page && !word_readable((uintptr_t)(at + i))) break;
        copy(to + i, at + i, 1);
        if (to[i] == '\0') return true;
        if (to[i] < ' ' || to[i] > '~') break;
        if (i + 1 == size) {
            to[i] = '\0';
            return true;
        }
    }
    to[0] = '\0';
    return false;
}
