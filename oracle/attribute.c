// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Tells attribution from walking errors. Let F be the youngest physical frame, a complete frame of
// compiled code of a method M. F stands for M and for the methods inlined into M at this point. The
// walker reads these scopes from debug information; it finds F's caller by walking. So the walk was
// right if and only if the trace shows below F exactly the frames that are below F.
//
// In the trace, F ends at a frame of M. On the trace stack, F's entries are the youngest ones that
// were pushed from F. Their position identifies them: all calls out of one compiled frame leave
// from the same stack pointer, and older frames lie deeper by at least two words. Only F's entries
// are left out of the comparison; an entry pushed from another position counts as below F.
#include "gaps.h"
#include "place.h"

// The number of frames of M that are tried as the end of F in the trace. By default a method is
// inlined into itself at most once, so few candidates are enough.
#define ENDS_MAX 8
#define HELD_MAX 32 // bits of oracle_owner.held

static HANDLER_SAFE uintptr_t id_at(const struct oracle_stack* stack,
                                    const struct oracle_methods* methods, uint32_t end) {
    return oracle_methods_id(methods, stack->frames[end - 1].number);
}

// Finds the entries that belong to F: the oldest ends at *from, and the youngest below them at
// *end; without any, both are the same. False: F does not belong to M, or that cannot be known.
static HANDLER_SAFE bool leave_frame(const struct oracle_stack* stack,
                                     const struct oracle_methods* methods,
                                     const struct oracle_owner* owner, uint32_t* from,
                                     uint32_t* end) {
    uintptr_t oldest = 0;
    uint32_t at = oracle_top(stack);
    *from = at;
    for (; at != 0 && stack->frames[at - 1].position == owner->position;
         at = oracle_below(stack, at)) {
        oldest = id_at(stack, methods, at);
        if (oldest == 0) return false;
        *from = at;
    }
    *end = at;
    // Entries of F with unknown positions would look like its caller's. There are none if the
    // oldest entry found is M's own, because F can have no older one.
    bool whole = oldest != 0 && oldest == owner->method;
    if (at != 0 && stack->frames[at - 1].position == 0 && !whole) return false;
    // A method that is not instrumented never pushes.
    if (oracle_methods_number(methods, owner->method) == ORACLE_FOREIGN) return true;
    // Without entries M is in transition, and no method inlined into it is running.
    bool none = at == oracle_top(stack);
    if (!owner->osr) return none || oldest == owner->method;
    // M pushed when it was interpreted; its loop has been compiled since.
    if (at == 0 || id_at(stack, methods, at) != owner->method) return none;
    *from = at;
    *end = oracle_below(stack, at);
    return true;
}

// What is compared, and what was found.
struct boundary {
    const struct oracle_stack* stack;
    const struct oracle_methods* methods;
    const struct oracle_frame* frames;
    uint32_t count;
    const struct oracle_context* context;
    uintptr_t owner;
    uint32_t shown;      // F's frames in the trace; ORACLE_SHOWN_UNKNOWN: any that end with M's
    uint32_t held;       // which numbers of entries F may hold; 0: not known
    bool partial;        // F is being set up or torn down
    uint32_t wrong_from; // frames from here on may not lie below F: a wrong bci is there
    bool ends_early;     // found: below F the walk is right as far as it goes
    bool believed;       // found: as oracle_judgement's
    uint32_t inner_frames, inner_entries; // found: F's
};

// An instrumented frame right below F must be that of the entry at `end`, unless the VM called F on
// that frame's behalf. This spares most judgements.
static HANDLER_SAFE bool may_end_at(const struct boundary* b, uint32_t at, uint32_t end) {
    if (at + 1 == b->count) return true;
    uintptr_t next = b->frames[at + 1].method;
    uint32_t number = oracle_methods_number(b->methods, next);
    if (number == ORACLE_FOREIGN || number == ORACLE_OWN || number == ORACLE_UNKNOWN) return true;
    bool is = end != 0 ? id_at(b->stack, b->methods, end) == next : b->context->base != 0;
    return is || place_of_upcall(b->methods, &b->frames[at]) != PLACE_REFUTES;
}

// Whether frame `at` of the trace may be F's oldest: where the debug information is known, one
// alone may; else all of M.
static HANDLER_SAFE bool may_be_last(const struct boundary* b, uint32_t at) {
    return b->frames[at].method == b->owner &&
           (b->shown == ORACLE_SHOWN_UNKNOWN || at + 1 == b->shown);
}

// Does the trace show, right below frame `at`, the oldest `length` frames of the gap above `end`,
// and then the caller's frame, standing at its call?
static HANDLER_SAFE bool shows_oldest(struct boundary* b, uint32_t at, uint32_t end,
                                      uint32_t length) {
    uint32_t left = b->count - at - 1, differs;
    struct gap gap = {.frames = &b->stack->frames[end + 1],
                      .count = length,
                      .seen = &b->frames[at + 1],
                      .seen_count = left < length ? left : length,
                      .open = b->context->depth_limit,
                      .root = true}; // where the frames seen end early, the trace ends
    enum oracle_verdict verdict = gaps_compare(&gap, &differs);
    b->ends_early = b->ends_early || verdict == ORACLE_TRUNCATED;
    if (verdict != ORACLE_AGREE || left <= length) return verdict == ORACLE_AGREE;
    const struct oracle_frame* caller = &b->frames[at + 1 + length];
    return end != 0 && caller->method == id_at(b->stack, b->methods, end) &&
           caller->bci == b->stack->frames[end].bci;
}

// If the gap of F's oldest entry, which ends at `from`, was captured, does the trace show what lies
// below F down to the caller's entry? If M is instrumented, that is the whole gap. Else M is one of
// the gap's frames, and any of M's may be F's.
static HANDLER_SAFE bool shows_gap(struct boundary* b, uint32_t at, uint32_t from, uint32_t end) {
    if (from == end || !gaps_captured(b->stack, from) ||
        !oracle_has_rule(b->context, ORACLE_RULE_GAPS))
        return true;
    uint32_t length = from - 2 - end;
    if (id_at(b->stack, b->methods, from) == b->owner) return shows_oldest(b, at, end, length);
    bool found = false;
    for (uint32_t older = 0; older < length; older++) {
        if (b->stack->frames[end + 1 + older].id != b->owner) continue;
        if (shows_oldest(b, at, end, older)) return true;
        found = true;
    }
    return !found;
}

// Does F, ending at frame `at` of the trace, leave exactly the entries below `end`? F's oldest
// entry ends at `from`; without any, `from` is `end`.
static HANDLER_SAFE bool ends_at(struct boundary* b, uint32_t at, uint32_t from, uint32_t end) {
    struct oracle_stack older = *b->stack;
    // Our natives do not stand on top of the rest: F is compiled code, and stands above it.
    struct oracle_context exact = {.base = b->context->base,
                                   .depth_limit = b->context->depth_limit,
                                   .place = {.kind = ORACLE_PLACE_COMPILED, .method = b->owner},
                                   .off = b->context->off,
                                   .above = b->frames[at].method};
    struct oracle_judgement judgement;
    if (!may_end_at(b, at, end) || !shows_gap(b, at, from, end)) return false;
    older.next = older.frames + end;
    oracle_judge(&older, b->methods, b->frames + at + 1, b->count - at - 1, &exact, &judgement);
    b->ends_early = b->ends_early || judgement.verdict == ORACLE_TRUNCATED;
    b->believed = judgement.believed;
    return judgement.verdict == ORACLE_AGREE || judgement.verdict == ORACLE_TRANSITION;
}

// ---- Inlined pushes -----------------------------------------------------------------------------

// Without positions the boundary between F's entries and those below is not known, only where it
// can be: on top, where no method of F has pushed or all have popped; below M's youngest entry; or
// below M's next one, because a method is inlined into itself at most once. For an M that is not
// instrumented: below any of the youngest entries. Where it is known which entries the code may
// hold at all (`held`), the others are left out. What is found is certain if no younger entry that
// was left in might have been the last of F: else the walk may have lost what is between the two.

// Does F, ending at one of M's frames in the trace, leave exactly the entries below `end`?
static HANDLER_SAFE bool ends_above(struct boundary* b, uint32_t from, uint32_t end) {
    uint32_t tried = 0;
    for (uint32_t at = 0; at < b->count && at < ORACLE_SCOPES_MAX && tried < ENDS_MAX; at++) {
        if (!may_be_last(b, at)) continue;
        tried++;
        if (b->wrong_from > at || !ends_at(b, at, from, end)) continue;
        b->inner_frames = at + 1;
        return true;
    }
    return false;
}

static HANDLER_SAFE bool may_hold(const struct boundary* b, uint32_t entries) {
    return b->held == 0 || (entries < HELD_MAX && (b->held >> entries & 1u) != 0);
}

// AGREE: the mismatch is none of attribution.
static HANDLER_SAFE enum oracle_verdict find_boundary(struct boundary* b) {
    bool foreign = oracle_methods_number(b->methods, b->owner) == ORACLE_FOREIGN;
    bool certain = b->held != 0 || !foreign;
    uint32_t passed = 0, mine = 0, end = oracle_top(b->stack);
    if (ends_above(b, end, end)) return ORACLE_ATTRIBUTION;
    if (b->partial) return ORACLE_AGREE;
    for (; end != 0 && passed < ORACLE_SCOPES_MAX; passed++) {
        uint32_t from = end;
        uintptr_t id = id_at(b->stack, b->methods, from);
        end = oracle_below(b->stack, from);
        if (id == 0) return ORACLE_AGREE;
        if (!foreign && id != b->owner) continue;
        mine++;
        b->inner_entries = passed + 1;
        if (may_hold(b, passed + 1)) {
            if (ends_above(b, from, end)) return certain ? ORACLE_ATTRIBUTION : ORACLE_UNDECIDED;
            certain = false;
        }
        if (mine == (foreign ? ENDS_MAX : 2)) break;
    }
    return ORACLE_AGREE;
}

// Both at once: the scopes of F differ, and the walk ends early below F. The error is the second.
static HANDLER_SAFE void call_truncated(struct oracle_judgement* judgement, uint32_t count) {
    if (judgement->verdict == ORACLE_WRONG_BCI) return;
    judgement->verdict = ORACLE_TRUNCATED;
    judgement->difference = count;
}

static HANDLER_SAFE bool attribute_inlined(struct boundary* b, struct oracle_judgement* judgement) {
    enum oracle_verdict found = find_boundary(b);
    if (found != ORACLE_AGREE) {
        judgement->verdict = found;
        judgement->inner_frames = b->inner_frames;
        judgement->inner_entries = b->inner_entries;
        judgement->believed = b->believed;
    } else if (b->ends_early) {
        call_truncated(judgement, b->count);
    }
    return found != ORACLE_AGREE;
}

static HANDLER_SAFE bool attribute_by_position(struct boundary* b, const struct oracle_owner* owner,
                                               struct oracle_judgement* judgement) {
    uint32_t from, end, tried = 0;
    if (!leave_frame(b->stack, b->methods, owner, &from, &end)) return false;
    for (uint32_t at = 0; at < b->count && at < ORACLE_SCOPES_MAX && tried < ENDS_MAX; at++) {
        // Our natives are never inlined: above F they would be physical frames.
        if (oracle_methods_number(b->methods, b->frames[at].method) == ORACLE_OWN) return false;
        if (!may_be_last(b, at)) continue;
        tried++;
        // A wrong bci below F is a walking error.
        if (b->wrong_from > at || !ends_at(b, at, from, end)) continue;
        judgement->verdict = ORACLE_ATTRIBUTION;
        judgement->believed = b->believed;
        return true;
    }
    if (b->ends_early) call_truncated(judgement, b->count);
    return false;
}

bool oracle_attribute(const struct oracle_stack* stack, const struct oracle_methods* methods,
                      const struct oracle_frame* frames, uint32_t count,
                      const struct oracle_context* context, const struct oracle_owner* owner,
                      struct oracle_judgement* judgement) {
    enum oracle_verdict verdict = judgement->verdict;
    struct boundary b = {.stack = stack,
                         .methods = methods,
                         .frames = frames,
                         .count = count,
                         .context = context,
                         .owner = owner->method,
                         .shown = owner->shown,
                         .held = owner->held,
                         .partial = owner->position == ORACLE_POSITION_PARTIAL,
                         .wrong_from = verdict == ORACLE_WRONG_BCI ? judgement->difference : 0};
    if (!oracle_may_be_scopes(verdict) || !oracle_has_rule(context, ORACLE_RULE_ATTRIBUTION))
        return false;
    if (stack->beyond != 0 || owner->method == 0 || owner->position == 0) return false;
    // What the trace says of F is not what F's debug information says.
    if (owner->shown == ORACLE_SHOWN_OTHER) return false;
    return owner->position >= ORACLE_POSITION_INLINED ? attribute_inlined(&b, judgement)
                                                      : attribute_by_position(&b, owner, judgement);
}
