// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Which methods HotSpot calls by itself, by their names alone.
#include <stdio.h>
#include <string.h>

#include "record.h"

#define NAME_BYTES 4096 // of longer names the end is cut off

// A class of this name is taken for a throwable one.
static bool is_throwable(const char* class_name) {
    static const char* const ends[] = {"Exception", "Error", "Throwable"};
    const size_t length = strlen(class_name);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const size_t size = strlen(ends[i]);
        if (length >= size && strcmp(class_name + length - size, ends[i]) == 0) return true;
    }
    return false;
}

bool results_called_by_vm(const char* name) {
    char text[NAME_BYTES];
    const char* descriptor = strchr(name, '(');
    if (descriptor == NULL) return false;
    snprintf(text, sizeof text, "%.*s", (int)(descriptor - name), name);
    char* method = strrchr(text, '.');
    if (method == NULL) return false;
    *method++ = '\0';
    for (char* c = text; *c != '\0'; c++)
        if (*c == '.') *c = '/';
    return (oracle_method_flags(text, method, descriptor, is_throwable(text)) &
            ORACLE_METHOD_UPCALL) != 0;
}
