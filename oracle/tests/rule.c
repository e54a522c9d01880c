// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "rule.h"

#define FIRST_ID 0x1000u

uintptr_t rule_id_of(uint32_t number) {
    if (number == RULE_NAMELESS) return 0;
    if (number == RULE_SHARED || number == RULE_SHARED_CONSTRUCTOR) number--;
    return FIRST_ID + (uintptr_t)number * 8;
}

enum rule_kind rule_kind_of(uintptr_t id) {
    if (id == RULE_FOREIGN_ID || id == RULE_NATIVE_ID) return RULE_FOREIGN;
    if (id == RULE_OWN_ID) return RULE_OWN;
    return id >= FIRST_ID && id < FIRST_ID + RULE_METHODS * 8 ? RULE_INSTRUMENTED : RULE_UNKNOWN;
}

// ---- Reading a trace ----------------------------------------------------------------------------

// The state after reading frames[0, at).
struct reading {
    const struct rule_stack* stack;
    const struct oracle_frame* frames;
    uint32_t count;             // of frames
    uint32_t end;               // the frames of the base begin here
    uint32_t at;                // the next frame
    uint32_t entry;             // entries that have no frame yet
    uint32_t above;             // instrumented frames without an entry that are still to come
    bool open;                  // the trace may end early
    bool strict;                // a caller in its push sequence never counts as an entry's frame
    bool through;               // foreign frames may stand above frames without an entry
    bool instrumented, foreign; // such a frame has been seen
    uint32_t upcalls;
    uint32_t upcalls_max;
};

static bool is_before_push(const struct oracle_frame* frame) {
    return frame->bci >= 0 && frame->bci < RULE_PUSH_LENGTH;
}

static bool is_inserted(const struct oracle_frame* frame) {
    return rule_kind_of(frame->method) == RULE_INSTRUMENTED &&
           (is_before_push(frame) ||
            (frame->bci >= RULE_POP && frame->bci < RULE_POP + RULE_PUSH_LENGTH));
}

// Our own frames in the middle: push or pop is inlined into the method below them.
static bool stands_on_inserted(struct reading r) {
    while (r.at < r.count && rule_kind_of(r.frames[r.at].method) == RULE_OWN) r.at++;
    return r.at < r.count && is_inserted(&r.frames[r.at]);
}

static bool reads(struct reading r);

static bool reads_instrumented(struct reading r, const struct oracle_frame* frame) {
    struct reading next = r;
    next.at++;
    next.instrumented = true;
    if (r.above > 0) {
        next.above--;
        return (r.through || !r.foreign) && reads(next);
    }
    // A caller in its push sequence has not pushed yet.
    bool upcall = is_before_push(frame) && (r.instrumented || r.foreign);
    if (r.entry > 0 && rule_id_of(r.stack->entries[r.entry - 1]) == frame->method &&
        !(upcall && r.strict)) {
        struct reading taken = next;
        taken.entry--;
        if (reads(taken)) return true;
    }
    next.upcalls++;
    return upcall && next.upcalls <= r.upcalls_max && reads(next);
}

static bool reads(struct reading r) {
    if (r.at == r.end) return r.open || (r.entry == 0 && r.above == 0);
    const struct oracle_frame* frame = &r.frames[r.at];
    switch (rule_kind_of(frame->method)) {
    case RULE_INSTRUMENTED: return reads_instrumented(r, frame);
    case RULE_FOREIGN:
        r.foreign = true;
        r.at++;
        return reads(r);
    case RULE_OWN:
        if (r.instrumented) {
            if (!stands_on_inserted(r)) return false;
        } else {
            r.foreign = false; // what stands above ours was called by it
        }
        r.at++;
        return reads(r);
    case RULE_UNKNOWN: break;
    }
    return false;
}

// The callers in their push sequence that are taken not to have pushed.
enum upcalls { UPCALLS_NONE, UPCALLS_ALL, UPCALLS_ANY };

// Whether the trace can be read with any number of its oldest frames, up to the base, left out.
static bool can_read(const struct rule_stack* stack, const struct rule_trace* trace, uint32_t above,
                     enum upcalls upcalls) {
    for (uint32_t base = 0; base <= trace->base && base <= trace->count; base++) {
        struct reading r = {.stack = stack,
                            .frames = trace->frames,
                            .count = trace->count,
                            .end = trace->count - base,
                            .entry = stack->count,
                            .above = above,
                            .open = trace->full && base == 0,
                            .through = stack->beyond != 0,
                            .strict = upcalls == UPCALLS_ALL,
                            .upcalls_max = upcalls == UPCALLS_NONE ? 0 : UINT32_MAX};
        if (reads(r)) return true;
    }
    return false;
}

// ---- Judging ------------------------------------------------------------------------------------

static bool any_unknown(const struct rule_trace* trace) {
    for (uint32_t i = 0; i < trace->count; i++)
        if (rule_kind_of(trace->frames[i].method) == RULE_UNKNOWN) return true;
    return false;
}

// The methods of the youngest entries are unknown, so only the old end is compared.
// oracle/README.md makes no claim about the beginning of the base and about callers before their
// push in this case.
static enum rule_class judge_overflow(const struct rule_stack* stack,
                                      const struct rule_trace* trace) {
    if (trace->base != 0) return RULE_NO_CLAIM;
    if (any_unknown(trace)) return RULE_MISMATCH;
    if (trace->full) return RULE_UNDECIDED;
    for (uint32_t above = 0; above <= trace->count; above++) {
        if (!can_read(stack, trace, above, UPCALLS_NONE)) continue;
        return above <= stack->beyond + 1 ? RULE_AGREE : RULE_UNDECIDED;
    }
    for (uint32_t i = 0; i < trace->count; i++)
        if (is_before_push(&trace->frames[i])) return RULE_NO_CLAIM;
    return RULE_MISMATCH;
}

static bool any_nameless(const struct rule_stack* stack) {
    for (uint32_t i = 0; i < stack->count; i++)
        if (rule_id_of(stack->entries[i]) == 0) return true;
    return false;
}

enum rule_class rule_judge(const struct rule_stack* stack, const struct rule_trace* trace) {
    if (any_nameless(stack)) return RULE_NO_CLAIM;
    if (stack->beyond != 0) return judge_overflow(stack, trace);
    if (can_read(stack, trace, 0, UPCALLS_NONE)) return RULE_AGREE;
    for (uint32_t above = 0; above <= trace->transition_allowed; above++)
        if (can_read(stack, trace, above, UPCALLS_ALL)) return RULE_TRANSITION;
    if (trace->transition_allowed && can_read(stack, trace, 1, UPCALLS_NONE))
        return RULE_TRANSITION;
    // oracle/README.md makes no claim if one caller at bci 0 has pushed and another has not.
    for (uint32_t above = 0; above <= trace->transition_allowed; above++)
        if (can_read(stack, trace, above, UPCALLS_ANY)) return RULE_NO_CLAIM;
    return RULE_MISMATCH;
}

// ---- Mending ------------------------------------------------------------------------------------

// Whether the entries [0, entry), with any constructors left out, are the frames from `at` on.
static bool mends(const struct rule_stack* stack, const struct rule_trace* trace, uint32_t entry,
                  uint32_t at) {
    while (at < trace->count && (rule_kind_of(trace->frames[at].method) == RULE_FOREIGN ||
                                 rule_kind_of(trace->frames[at].method) == RULE_OWN))
        at++;
    if (entry == 0) return trace->count - at <= trace->base;
    uint32_t number = stack->entries[entry - 1];
    if (at < trace->count && trace->frames[at].method == rule_id_of(number) &&
        mends(stack, trace, entry - 1, at + 1))
        return true;
    return number >= RULE_CONSTRUCTORS && mends(stack, trace, entry - 1, at);
}

bool rule_can_mend(const struct rule_stack* stack, const struct rule_trace* trace) {
    if (stack->beyond != 0 || any_nameless(stack) || trace->full) return false;
    return !can_read(stack, trace, 0, UPCALLS_NONE) && mends(stack, trace, stack->count, 0);
}

// ---- Classes ------------------------------------------------------------------------------------

enum rule_class rule_class_of(enum oracle_verdict verdict) {
    if (verdict == ORACLE_AGREE) return RULE_AGREE;
    if (verdict == ORACLE_TRANSITION) return RULE_TRANSITION;
    return oracle_is_mismatch(verdict) ? RULE_MISMATCH : RULE_UNDECIDED;
}

const char* rule_text(enum rule_class class) {
    static const char* const texts[] = {"agree", "transition", "mismatch", "undecided", "no claim"};
    return texts[class];
}
