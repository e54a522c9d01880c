// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What the files of this room ask of each other. classes.h has what other rooms ask.
#ifndef AGENT_CLASSES_PARTS_H
#define AGENT_CLASSES_PARTS_H

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>
#include <uthash.h>

#include "instrument/instrument.h"
#include "oracle/oracle.h"

// ---- Names -------------------------------------------------------------------------------------

// The tables behind names_*, for names.c, names_text.c and sites.c. classes.h has what other rooms
// ask of them.

// A rewritten method. Everything it points at lives as long as the agent.
struct rewritten_method {
    const char* name;
    const char* descriptor;
    const struct rewritten_class* owner;
    const struct instrument_insertion* insertions;
    const struct instrument_line* lines;
    uint32_t insertion_count, line_count;
    uint32_t number; // 0: not rewritten, so foreign
};

struct rewritten_class {
    char* key;        // the loader's id, then the name: a program may load a class by thousands
    const char* name; // internal form; in the key
    const char* source;
    struct rewritten_class* next;       // of the same key
    struct rewritten_class* next_asked; // of those that the JVM has not taken yet
    bool loaded_before; // by the agent's own retransformation: a version without pushes ran
    uint32_t method_count;
    struct rewritten_method* methods; // sorted by name and descriptor
    UT_hash_handle hh;
};

// The rewritten method of that number, NULL where there is none. Any thread, no lock.
const struct rewritten_method* names_numbered(uint32_t number);
// The name of one of the runtime class's own methods, and its descriptor; NULL where the id is none
// of theirs.
const char* names_of_own(uint64_t id, const char** descriptor);
// The class of an announced method, as a local reference that the caller deletes; NULL where the
// class is gone or not known.
jclass names_owner(JNIEnv* env, uintptr_t id);
// Tells the oracle what is known of the method's call sites (oracle_methods_describe_sites), under
// the lock of the tables. *sites must live as long as the agent.
void names_describe_sites(uintptr_t id, const struct oracle_sites* sites);

// ---- Loaders -----------------------------------------------------------------------------------

// For hook.c and names.c. classes.h has the rest of loaders.c.

// The loader's id, which stays the same as long as the loader lives; 0 for the boot loader.
int64_t loaders_id(jobject loader);
int64_t loaders_id_of(JNIEnv* env, jclass klass);
// Whether the loader is neither the boot loader nor the platform loader.
bool loaders_is_app(JNIEnv* env, jobject loader);
// Whether classes of this loader can resolve the runtime class. The first question per loader runs
// the loader's own loadClass here. Otherwise it would run inside the first instrumented method, and
// the code of a loader written in Java would stand on the stack above a method that has not pushed
// yet. Other threads wait for the answer, a tenth of a second at most. False as well where there is
// none yet: for classes that the loader loads in order to answer, and behind that wait.
bool loaders_see_runtime(JNIEnv* env, jobject loader);
// Lets the named module of this package (internal form of a class name in it), if there is one,
// read the runtime class's module. Does nothing before JDK 9.
void loaders_open_module(JNIEnv* env, jobject loader, const char* class_name);

// ---- The part of the methods that is instrumented ----------------------------------------------

// Whether this method is in the part: with a probability of `density` in a million, decided by the
// seed and the three texts alone. So it is the same in every JVM and whatever the order of loading,
// and a class that is defined or redefined again has the same part.
bool part_chosen(uint64_t seed, uint32_t density, struct instrument_text class_name,
                 struct instrument_text name, struct instrument_text descriptor);

// ---- Classes that others write anew ------------------------------------------------------------

// Whether JFR puts code around the bodies of this class's methods while it records, outside of what
// every agent has made of them: a method is on the stack then without having pushed.
bool hook_wrapped_by_jfr(const char* name);

// ---- Call sites --------------------------------------------------------------------------------

// For hook.c alone. classes.h has the rest of sites.c.

// The class's code is about to change: from now on nobody judges by its call sites, because frames
// of the old code may live on.
void sites_forget(jclass klass);

#endif
