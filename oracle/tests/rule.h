// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The rule of oracle/README.md once more, as naively as it can be written: lists, and every way of
// reading a trace tried. Slow, and shares no line with the oracle: where the two differ, one is
// wrong. It knows ids by their value alone (rule_kind_of).
#ifndef RULE_H
#define RULE_H

#include "oracle/oracle.h"

#define RULE_METHODS 32u            // numbers 1 to this - 1
#define RULE_SHARED 2u              // this number has the jmethodID of the number before it, as has
#define RULE_SHARED_CONSTRUCTOR 22u // this one
#define RULE_CONSTRUCTORS 20u       // numbers from here on are constructors
#define RULE_NAMELESS 19u           // this number's jmethodID is not known yet
#define RULE_CODE_LENGTH 64
#define RULE_PUSH_LENGTH 6 // the push sequence, from 0 on
#define RULE_FOREIGN_ID 0x70u
#define RULE_NATIVE_ID 0x78u
#define RULE_OWN_ID 0x80u
#define RULE_STRANGE_ID 0x90u // nobody ever announced it

enum rule_kind { RULE_FOREIGN, RULE_OWN, RULE_UNKNOWN, RULE_INSTRUMENTED };

enum rule_class {
    RULE_AGREE,
    RULE_TRANSITION,
    RULE_MISMATCH,
    RULE_UNDECIDED,
    RULE_NO_CLAIM // the page says nothing that this could go by
};

// What the trace stack holds.
struct rule_stack {
    const uint32_t* entries; // numbers, oldest first
    uint32_t count;
    uint32_t beyond;
};

// An observed trace.
struct rule_trace {
    const struct oracle_frame* frames; // youngest first
    uint32_t count;
    uint32_t base;
    bool full;               // the buffer's end, not the stack's
    bool transition_allowed; // asked asynchronously
};

uintptr_t rule_id_of(uint32_t number);
enum rule_kind rule_kind_of(uintptr_t id);
enum rule_class rule_judge(const struct rule_stack* stack, const struct rule_trace* trace);
// Whether some entries less, all constructors, would be exactly the instrumented frames of a trace
// that is not cut; false too where none has to go.
bool rule_can_mend(const struct rule_stack* stack, const struct rule_trace* trace);
// A verdict of the oracle, as one of the above.
enum rule_class rule_class_of(enum oracle_verdict verdict);
const char* rule_text(enum rule_class class);

#endif
