// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The rule of oracle/README.md, implemented a second time and as naively as possible: with lists,
// trying every way of reading a trace. It is slow and shares no line with the oracle: if the two
// differ, one is wrong. It tells the kinds of ids by their value alone (rule_kind_of).
#ifndef RULE_H
#define RULE_H

#include "oracle/oracle.h"

#define RULE_METHODS 32u // numbers 1 to this - 1
// These two numbers share the jmethodID of the number before them.
#define RULE_SHARED 2u
#define RULE_SHARED_CONSTRUCTOR 22u
#define RULE_CONSTRUCTORS 20u // numbers from here on are constructors
#define RULE_NAMELESS 19u     // this number's jmethodID is unknown
#define RULE_CODE_LENGTH 64
#define RULE_PUSH_LENGTH 6 // the push sequence is [0, 6)
#define RULE_POP 50        // the pop sequence is [50, 56)
#define RULE_FOREIGN_ID 0x70u
#define RULE_NATIVE_ID 0x78u
#define RULE_OWN_ID 0x80u
#define RULE_STRANGE_ID 0x90u // never announced

enum rule_kind { RULE_FOREIGN, RULE_OWN, RULE_UNKNOWN, RULE_INSTRUMENTED };

enum rule_class {
    RULE_AGREE,
    RULE_TRANSITION,
    RULE_MISMATCH,
    RULE_UNDECIDED,
    RULE_NO_CLAIM // oracle/README.md makes no claim that could be checked here
};

// The contents of the trace stack.
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
    bool full;               // the trace ends because the buffer was full
    bool transition_allowed; // the sample is asynchronous
};

// The jmethodID of a method's number; 0 for RULE_NAMELESS.
uintptr_t rule_id_of(uint32_t number);
enum rule_kind rule_kind_of(uintptr_t id);
// The verdict of the rule on the trace.
enum rule_class rule_judge(const struct rule_stack* stack, const struct rule_trace* trace);
// Whether dropping some entries, all of constructors, would leave exactly the instrumented frames
// of the trace. False if none has to be dropped, and false for a full trace.
bool rule_can_mend(const struct rule_stack* stack, const struct rule_trace* trace);
// The class of a verdict of the oracle.
enum rule_class rule_class_of(enum oracle_verdict verdict);
const char* rule_text(enum rule_class class);

#endif
