// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Changes of class files, for the fuzzer (mutator.c) and for what a JVM shall link (mutants.c).
// Each is one change of edit->bytes, whose shape is that of the bytes; it says whether it did
// anything, and its name. Half a change may have been made of one that did nothing: read the shape
// again.
#ifndef INSTRUMENT_FUZZ_MUTATE_H
#define INSTRUMENT_FUZZ_MUTATE_H

#include "edit.h"

// Any change; what it makes is seldom a class that links.
bool mutate_any(struct edit* edit, const char** name);
// A change that mostly leaves a class that links linking, odd as it may look: no class file that
// javac would write.
bool mutate_valid(struct edit* edit, const char** name);

// Of mutate_valid's: inserts a construct of its own (prologues.c), mostly at the method's start,
// where all that its frames need to say is "as at the start".
bool mutate_prologue(struct edit* edit, const struct shape_code* code, const char** name);
// Replaces a constructor's leading call of super() by one in each of two branches.
bool mutate_super(struct edit* edit, const struct shape_code* code);

// What these share (mutate.c).
bool mutate_is_constructor(const struct edit* edit, const struct shape_code* code);
// The method's descriptor, *length bytes of it; NULL if there is none.
const char* mutate_descriptor(const struct edit* edit, const struct shape_code* code,
                              uint32_t* length);
bool mutate_has_frames(const struct edit* edit); // the class's version is 50 or above
// Gives the class a version without frames; false if it has what such versions lack.
bool mutate_make_old(struct edit* edit);
void mutate_grow_stack(struct edit* edit, const struct shape_code* code, uint32_t amount);
// The index of one more local, below 65535; 0 if there is none.
uint32_t mutate_new_local(struct edit* edit, const struct shape_code* code);
// An instruction that the one before falls into, or the first.
uint32_t mutate_fallen_into(struct edit* edit, const struct shape_code* code);
// The index of Throwable's Class entry.
uint32_t mutate_throwable(struct edit* edit);

#endif
