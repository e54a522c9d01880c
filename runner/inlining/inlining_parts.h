// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Private to the room: sets of texts.
#ifndef RUNNER_INLINING_PARTS_H
#define RUNNER_INLINING_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <uthash.h>

#include "inlining.h"

// A set of texts, and what belongs to each. All zero is empty.
struct inlining_text {
    UT_hash_handle hh;
    void* value; // somebody else's, or NULL
    char text[];
};
struct inlining_set {
    struct inlining_text* first;
};
// The member with this text, which is added if it is missing.
struct inlining_text* inlining_add(struct inlining_set* set, const char* text);
struct inlining_text* inlining_find(const struct inlining_set* set, const char* text);
void inlining_empty(struct inlining_set* set);

// What one compilation made: methods parsed and call sites inlined. A call site is "caller bci
// callee", a method "class.name(descriptor)result" with the packages divided by points.
struct inlining_code {
    struct inlining_set methods, sites;
};

// The value of an attribute of the element in `line`, into text; entities are resolved, and what
// has no room is cut. False: it has no such attribute.
bool inlining_attribute(const char* line, const char* name, char* text, size_t size);
// Whether the line begins the element.
bool inlining_is(const char* line, const char* element);
// A class name as in reports, without what differs from run to run: addresses and numbers of hidden
// classes.
void inlining_class(char* name);

#endif
