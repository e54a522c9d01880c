// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What code a program counter lies in, read in the signal handler from HotSpot's own objects, whose
// layout the structure tables tell (vmstructs.h). No lock, no fault: every step is checked against
// the code cache's bounds before it is made, and whatever is missing, of a size that is not known
// or contradicts itself gives RESULTS_CODE_UNKNOWN.
//
// Why it may be read at all: the code that the interrupted thread runs cannot be freed or moved
// while it runs it, so the blob at its program counter is constant but for its state; the segment
// map's bytes of a blob in use only ever change from one valid chain to another.
#ifndef AGENT_CODE_H
#define AGENT_CODE_H

#include <jvmti.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/oracle.h"
#include "results/record/record.h"

struct code_place {
    enum results_code_kind kind;
    enum results_region region;
    bool frame_stands;       // a compiled method's frame is complete: nothing of it is torn down
    bool osr;                // compiled for a loop that was running
    uint32_t frame_words;    // the frame's size, return address included; 0: not known
    uint32_t offset;         // of the pc
    uint32_t frame_complete; // offset, 0: not known
    uintptr_t begin, end;    // the code; begin 0: not known
    uintptr_t main_end;      // of a method: where its stubs begin
    const char* name;        // as HotSpot has it, to be read by code_name only
    const char* method;      // Method*, NULL: none
};

// Reads the tables and finds the code cache, the interpreter and libjvm, then looks up what is
// known otherwise; whatever does not fit leaves everything `unknown`. Keeps in `text` what came of
// it. After the VM is initialised, on a Java thread.
void code_prepare(jvmtiEnv* jvmti, void* env, char* text, size_t size);
void code_find(uintptr_t pc, struct code_place* place) HANDLER_SAFE;
// Whether the pc lies in the template interpreter; false where that is not known.
bool code_in_interpreter(uintptr_t pc) HANDLER_SAFE;
// The jmethodID of the method that owns the place, 0: none or not known.
uintptr_t code_owner(const struct code_place* place) HANDLER_SAFE;
// The name of the stub, adapter or blob at pc, or of the library with its function's beginning; ""
// for compiled methods and where none is known. Gives the offset of pc from what is named: the
// place's own, or that in the function.
uint32_t code_name(uintptr_t pc, const struct code_place* place, char* text,
                   size_t size) HANDLER_SAFE;

// HotSpot's thread of a JNIEnv, as an address for the next two; NULL: not known.
const char* code_thread(const void* env);
enum results_thread_state code_thread_state(const char* thread) HANDLER_SAFE;
// The machine stack's [low, high). False: not known.
bool code_thread_stack(const char* thread, uintptr_t* low, uintptr_t* high) HANDLER_SAFE;

// The youngest compiled frame of a thread that left Java by the rules (it is in the VM, in native
// code or blocked) and left an anchor: what its pc lies in, and its stack pointer. At most one
// stub's frame lies above it. False: there is none so near, or not known.
bool code_youngest(const char* thread, struct code_place* place, uintptr_t* sp) HANDLER_SAFE;

// JVMTI's DynamicCodeGenerated: stubs have names and ends there that no table tells.
void JNICALL code_on_dynamic(jvmtiEnv* jvmti, const char* name, const void* address, jint length);
// JVMTI's CompiledMethodLoad: does the look-up say the same? Counted in the run's file.
void JNICALL code_on_compiled(jvmtiEnv* jvmti, jmethodID method, jint size, const void* address,
                              jint length, const jvmtiAddrLocationMap* map, const void* info);

// The youngest compiled frame of a thread in Java whose pc is in a library: C++ that compiled code
// called, perhaps through a stub, without leaving an anchor. `sp` and `fp` are the thread's, `end`
// is where its stack ends. The chain of frame pointers must lead to the return address into
// generated code, and no word nearer to `sp` may look like another, but of a stub that makes frames
// as C++ does: so it is not taken in where a function's own frame is not made yet, or given back.
// False: not known.
bool code_under_library(uintptr_t sp, uintptr_t fp, uintptr_t end, struct code_place* place,
                        uintptr_t* caller_sp) HANDLER_SAFE;

#endif
