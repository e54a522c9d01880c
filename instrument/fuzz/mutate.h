// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Changes of class files, for the fuzzer (mutator.c) and for the classes that a JVM links
// (mutants.c). Each function makes one change of edit->bytes; edit->shape must be up to date. It
// returns whether it made the change, and gives its name. If it returns false, the bytes may hold
// half a change: restore them, or read the shape again.
#ifndef INSTRUMENT_FUZZ_MUTATE_H
#define INSTRUMENT_FUZZ_MUTATE_H

#include "edit.h"

// Makes any change. The resulting class seldom links.
bool mutate_any(struct edit* edit, const char** name);
// Makes a change after which a class that linked mostly still links, although javac would never
// write such a class file.
bool mutate_valid(struct edit* edit, const char** name);

// One of mutate_valid's changes: inserts a self-contained construct (prologues.c), mostly at the
// method's start, because a frame there only has to say "as at the start".
bool mutate_prologue(struct edit* edit, const struct shape_code* code, const char** name);
// One of mutate_valid's changes: replaces a constructor's leading call of super() by two branches
// with a call each.
bool mutate_super(struct edit* edit, const struct shape_code* code);

// Helpers of these changes (mutate.c).
bool mutate_is_constructor(const struct edit* edit, const struct shape_code* code);
// The method's descriptor, *length bytes long and not terminated; NULL if there is none. It points
// into the class file.
const char* mutate_descriptor(const struct edit* edit, const struct shape_code* code,
                              uint32_t* length);
bool mutate_has_frames(const struct edit* edit); // the class's version is 50 or above
// Gives the class a version below 50. False if its constant pool has entries that such versions
// lack.
bool mutate_make_old(struct edit* edit);
// Adds `amount` to max_stack, up to 65,535.
void mutate_grow_stack(struct edit* edit, const struct shape_code* code, uint32_t amount);
// Adds a local and returns its index, which is below 65,535; 0 if there is no more room.
uint32_t mutate_new_local(struct edit* edit, const struct shape_code* code);
// The bci of a random instruction into which the one before it falls, or 0, the first.
uint32_t mutate_fallen_into(struct edit* edit, const struct shape_code* code);
// The index of Throwable's Class entry, which is added if there is none; 0: no room.
uint32_t mutate_throwable(struct edit* edit);

#endif
