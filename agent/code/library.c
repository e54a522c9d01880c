// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "parts.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "code.h"

static void* jvm;

void library_jvm_found(const void* address_inside) {
    Dl_info info;
    if (dladdr(address_inside, &info) != 0 && info.dli_fname != NULL)
        jvm = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

void* library_jvm_symbol(const char* name) {
    void* symbol = jvm != NULL ? dlsym(jvm, name) : NULL;
    return symbol != NULL ? symbol : dlsym(RTLD_DEFAULT, name);
}

// The library that an address lies in, with the last of its directories, and where it begins.
static const char* library_of(const void* address, const void** base) {
    Dl_info info;
    if (dladdr(address, &info) == 0 || info.dli_fname == NULL) return NULL;
    const char* name = info.dli_fname;
    for (const char *slash = strchr(name, '/'), *next; slash != NULL; slash = next) {
        next = strchr(slash + 1, '/');
        if (next != NULL && strchr(next + 1, '/') == NULL) name = slash + 1;
    }
    *base = info.dli_fbase;
    return name;
}

void* library_walker_symbol(const char* name, char* front, size_t size) {
    void* own = jvm != NULL ? dlsym(jvm, name) : NULL;
    void* symbol = dlsym(RTLD_DEFAULT, name);
    const void *base = NULL, *own_base = NULL;
    *front = '\0';
    if (symbol == NULL || symbol == own) return own;
    const char* library = library_of(symbol, &base);
    const char* real = own != NULL ? library_of(own, &own_base) : NULL;
    if (library == NULL || base == own_base) return symbol;
    snprintf(front, size, "of %s%s%s", library, real != NULL ? ", not " : "",
             real != NULL ? real : "");
    return symbol;
}

int library_beside(const char* name, char* path, size_t size) {
    Dl_info info;
    if (dladdr((const void*)(uintptr_t)library_beside, &info) == 0 || info.dli_fname == NULL)
        return -1;
    const char* slash = strrchr(info.dli_fname, '/');
    int directory = slash != NULL ? (int)(slash - info.dli_fname) + 1 : 0;
    int n = snprintf(path, size, "%.*s%s", directory, info.dli_fname, name);
    return n > 0 && (size_t)n < size ? 0 : -1;
}
