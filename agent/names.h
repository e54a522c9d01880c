// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What the agent knows of classes and methods: the numbers, maps and lines of rewritten ones, the
// jmethodIDs of all. Names are never asked of the JVM for a class that may be gone: rewritten
// methods carry theirs from the class file, others hold their class weakly.
#ifndef AGENT_NAMES_H
#define AGENT_NAMES_H

#include <jni.h>
#include <stdbool.h>

#include "instrument/instrument.h"
#include "results/record/record.h"

// Prepares the tables. 0, or -1 without memory.
int names_open(void);
// The class was rewritten, for a loader told by its id (loaders.h): remembers its methods by
// number.
void names_rewritten(const struct instrument_class* rewritten, int64_t loader_id);
// The class is prepared (or was loaded before the agent): makes its jmethodIDs exist and announces
// them, with their numbers where the class was rewritten.
void names_prepared(JNIEnv* env, jclass klass);
// The same for a class that may have been announced before: whether it was not, and is now.
bool names_missed(JNIEnv* env, jclass klass);
// The class is being redefined, and what it becomes was rewritten: its jmethodIDs, which the new
// methods take over, are announced with the numbers of these.
void names_redefined(jclass klass, const struct instrument_class* rewritten);
// An id that was never announced stands for a frame of the rewritten method `number`, as far as the
// trace stack tells. If the JVM says that it names such a method, it is announced: true. For ids
// that GetStackTrace has just given for the calling thread.
bool names_obsolete(jmethodID id, uint32_t number);
// The runtime class's own methods are announced as such.
void names_own(jmethodID id, const char* name);
// The class of an announced method, as a local reference; NULL where it is gone or not known.
jclass names_owner(JNIEnv* env, uintptr_t id);
// Keeps what is known of the method's call sites (oracle_methods_describe_sites).
void names_describe_sites(uintptr_t id, const struct oracle_sites* sites);
// Completes a kept frame: name, source file, original bci, line. Housekeeping thread only.
void names_resolve(JNIEnv* env, struct results_frame* frame);
// Names, insertions and lines of a method, in one piece of memory that the caller frees. `number` as
// the oracle gave it. env NULL: without asking the JVM, so only what was rewritten; any thread then,
// else not in a handler. NULL where nothing is known.
struct results_names* names_describe(JNIEnv* env, uint64_t id, uint32_t number);
// Keeps a text in the run's text area; its offset, 0 where there is no room. Housekeeping thread
// only.
uint32_t names_keep_text(const char* text);

#endif
