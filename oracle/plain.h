// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Private to the room: the common case of judging. Nearly every trace agrees, and nothing about it
// is special: each entry has its frame, captured gaps are as they were, and all other frames are of
// methods that are not instrumented. A handler runs with cold caches, so the
// passes of judge.c, which know every rule, take several times as long to find that.
#ifndef ORACLE_PLAIN_H
#define ORACLE_PLAIN_H

#include "oracle.h"

struct plain_trace {
    const struct oracle_stack* stack;
    const struct oracle_methods* methods;
    const struct oracle_frame* frames;
    uint32_t count;
    const struct oracle_context* context;
    bool own_known_absent; // none of our natives can be on top
};

// Whether the trace agrees and is such a one: what judge.c would find, and the judgement's counts
// as it would fill them. False says nothing, and leaves *judgement as it was.
bool plain_agrees(const struct plain_trace* trace,
                  struct oracle_judgement* judgement) HANDLER_COMMON;

#endif
