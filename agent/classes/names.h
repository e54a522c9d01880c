// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The tables behind names_*, for names.c, names_text.c and sites.c. classes.h has what other rooms
// ask of them.
#ifndef AGENT_NAMES_H
#define AGENT_NAMES_H

#include <jni.h>
#include <stdint.h>
#include <uthash.h>

#include "instrument/instrument.h"
#include "oracle/oracle.h"

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
    const char* name; // internal form; the key, together with the loader
    const char* source;
    int64_t loader_id;
    struct rewritten_class* next; // of the same name
    uint32_t method_count;
    struct rewritten_method* methods; // sorted by name and descriptor
    UT_hash_handle hh;
};

// The rewritten method of that number, NULL where there is none. Any thread, no lock.
const struct rewritten_method* names_numbered(uint32_t number);
// The name of one of the runtime class's own methods, NULL where the id is none of theirs.
const char* names_of_own(uint64_t id);
// The class of an announced method, as a local reference that the caller deletes; NULL where the
// class is gone or not known.
jclass names_owner(JNIEnv* env, uintptr_t id);
// Tells the oracle what is known of the method's call sites (oracle_methods_describe_sites), under
// the lock of the tables. *sites must live as long as the agent.
void names_describe_sites(uintptr_t id, const struct oracle_sites* sites);

#endif
