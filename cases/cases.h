// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Lets native code of a case ask the agent for a check of the calling thread, and find what else
// the agent exports.
#ifndef CASES_CASES_H
#define CASES_CASES_H

// At a call in C that Java called: the agent may then hold the walker against GetStackTrace, and
// GetStackTrace against the trace stack, with this call on top. Often it does nothing: how often it
// checks is its own matter. Does nothing where no agent is loaded, and where the thread is not in
// native code. Not between Get...Critical and its release, nor with an exception pending.
void case_check(void);

// The function that the agent exports under this name (agent/agent.h); NULL: there is no agent, or
// no such function. Not for handlers.
void* case_agent_function(const char* name);

#endif
