// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Lets native code of a case ask the agent for a check of the calling thread, and find what else
// the agent exports. And AsyncGetCallTrace's types.
#ifndef CASES_CASES_H
#define CASES_CASES_H

#include <jni.h>

// ---- The agent ----------------------------------------------------------------------------------

// At a call in C that Java called: the agent may then hold the walker against GetStackTrace, and
// GetStackTrace against the trace stack, with this call on top. Often it does nothing: how often it
// checks is its own matter. Does nothing where no agent is loaded, and where the thread is not in
// native code. Not between Get...Critical and its release, nor with an exception pending.
void case_check(void);

// The function that the agent exports under this name (agent/agent.h); NULL: there is no agent, or
// no such function. Not for handlers.
void* case_agent_function(const char* name);

// ---- AsyncGetCallTrace --------------------------------------------------------------------------
// No header declares it. Source: HotSpot's share/prims/forte.cpp, the same in every release from 8
// to 27.

struct agct_frame {
    jint bci; // AGCT_NATIVE: a native method
    jmethodID method;
};
enum { AGCT_NATIVE = -3 };
struct agct_trace {
    JNIEnv* env;
    jint count; // of frames; <= 0: a code
    struct agct_frame* frames;
};
typedef void agct_walker(struct agct_trace* trace, jint depth, void* ucontext);

#endif
