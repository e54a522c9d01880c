// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Walking or attribution? Let F be the youngest physical frame: compiled code of a method M, and
// complete. F stands for M and for the methods inlined into it at this point. Which these are, the
// walker reads from debug information; where F's caller is, it finds by walking. So the walk was
// right if, and only if, what the trace shows below F is what is below F.
//
// In the trace F ends at a frame of M. On the trace stack F's entries are the youngest ones that
// were pushed from F, which their position tells: all calls out of one compiled frame leave from
// the same stack pointer, and older frames lie deeper by two words at least. They are all that is
// left out: an entry pushed from elsewhere counts as below F.
#include "oracle.h"

// How many frames of M are tried as the end of F in the trace: a method is inlined into itself
// once by default, and a trace that shows more has few to try.
#define ENDS_MAX 8
// Scopes that one physical frame may show: inlining ends at 9 levels (C1) or 15 (C2), and 100 with
// what is forced.
#define SCOPES_MAX 128

static HANDLER_SAFE uintptr_t id_at(const struct oracle_stack* stack,
                                    const struct oracle_methods* methods, uint32_t end) {
    return oracle_methods_id(methods, (uint32_t)stack->frames[end - 1].method);
}

// The entries that belong to F: *end is where those below begin. False: F is not M's, or that
// cannot be known.
static HANDLER_SAFE bool leave_frame(const struct oracle_stack* stack,
                                     const struct oracle_methods* methods,
                                     const struct oracle_owner* owner, uint32_t* end) {
    uintptr_t oldest = 0;
    uint32_t at = stack->top;
    for (; at != 0 && stack->frames[at - 1].position == owner->position;
         at = stack->previous[at - 1]) {
        oldest = id_at(stack, methods, at);
        if (oldest == 0) return false;
    }
    *end = at;
    // Entries of F whose positions are not known look like its caller's. Only its own method's, the
    // oldest that it can have, tells that there are none.
    bool whole = oldest != 0 && oldest == owner->method;
    if (at != 0 && stack->frames[at - 1].position == 0 && !whole) return false;
    // A method that is not instrumented never pushes.
    if (oracle_methods_number(methods, owner->method) == ORACLE_FOREIGN) return true;
    // None: the owner is in transition, and nothing that is inlined into it is running.
    bool none = at == stack->top;
    if (!owner->osr) return none || oldest == owner->method;
    // The owner pushed when it was interpreted; the loop in it has been compiled since.
    if (at == 0 || id_at(stack, methods, at) != owner->method) return none;
    *end = stack->previous[at - 1];
    return true;
}

// Does the trace from frame `first` on agree with the trace stack below `end`?
static HANDLER_SAFE bool agrees_below(const struct oracle_stack* stack,
                                      const struct oracle_methods* methods,
                                      const struct oracle_frame* frames, uint32_t count,
                                      const struct oracle_context* context, uint32_t end) {
    struct oracle_stack older = *stack;
    struct oracle_context exact = {
        .base = context->base, .depth_limit = context->depth_limit, .off = context->off};
    struct oracle_judgement judgement;
    older.top = end;
    return oracle_judge(&older, methods, frames, count, &exact, &judgement) == ORACLE_AGREE;
}

bool oracle_attribute(const struct oracle_stack* stack, const struct oracle_methods* methods,
                      const struct oracle_frame* frames, uint32_t count,
                      const struct oracle_context* context, const struct oracle_owner* owner,
                      struct oracle_judgement* judgement) {
    uint32_t end;
    uint32_t tried = 0;
    enum oracle_verdict verdict = judgement->verdict;
    // An id that is no method's, or a native method's frame, is never debug information.
    if (verdict < ORACLE_TRUNCATED || verdict > ORACLE_WRONG_BCI) return false;
    if (!oracle_has_rule(context, ORACLE_RULE_ATTRIBUTION)) return false;
    if (stack->beyond != 0 || owner->method == 0 || owner->position == 0) return false;
    if (!leave_frame(stack, methods, owner, &end)) return false;
    for (uint32_t at = 0; at < count && at < SCOPES_MAX && tried < ENDS_MAX; at++) {
        if (frames[at].method != owner->method) continue;
        tried++;
        // A wrong bci below F is a walking error like any other.
        if (verdict == ORACLE_WRONG_BCI && judgement->difference > at) continue;
        if (!agrees_below(stack, methods, frames + at + 1, count - at - 1, context, end)) continue;
        judgement->verdict = ORACLE_ATTRIBUTION;
        return true;
    }
    return false;
}
