// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "plain.h"

#include "gaps.h"

struct plain {
    uint32_t position, end; // the next frame, the next entry's end
    uint32_t entries, gap_frames, caller_bcis;
    int64_t call; // the bci at which the next entry must stand, or ANY_BCI
};
#define ANY_BCI INT64_MAX

static HANDLER_COMMON uint32_t number_at(const struct plain_trace* trace, uint32_t position) {
    return oracle_methods_number(trace->methods, trace->frames[position].method);
}

// The frames behind that of the entry `p->end` are those of its captured gap. Goes on behind them.
static HANDLER_COMMON bool pass_gap(const struct plain_trace* trace, struct plain* p) {
    const struct oracle_stack* stack = trace->stack;
    uint32_t call = oracle_below(stack, p->end), count = p->end - 2 - call;
    if (count > trace->count - p->position) return false;
    if (call == 0 && (trace->context->base != 0 || p->position + count != trace->count))
        return false;
    for (uint32_t i = 0; i < count; i++, p->position++) {
        const struct oracle_slot* captured = &stack->frames[p->end - 2 - i];
        const struct oracle_frame* frame = &trace->frames[p->position];
        if (frame->method != captured->id || frame->bci != captured->bci) return false;
        if (number_at(trace, p->position) != ORACLE_FOREIGN) return false;
    }
    p->gap_frames += count;
    p->end = call;
    p->caller_bcis += call != 0;
    p->call = call != 0 ? stack->frames[call].bci : ANY_BCI;
    return true;
}

// Whether the frame is that of the next entry. False also where the general pass must decide.
static HANDLER_COMMON bool takes_entry(const struct plain_trace* trace,
                                       const struct oracle_frame* frame, struct plain* p) {
    const struct oracle_slot* entry = &trace->stack->frames[p->end - 1];
    const struct oracle_numbered* method = oracle_methods_numbered(trace->methods, entry->number);
    if (method == NULL || __atomic_load_n(&method->id, __ATOMIC_ACQUIRE) != frame->method)
        return false;
    uint32_t length = __atomic_load_n(&method->length, __ATOMIC_RELAXED);
    if (frame->bci < 0 || (uint32_t)frame->bci >= length) return false;
    return p->call == ANY_BCI || p->call == frame->bci;
}

bool plain_agrees(const struct plain_trace* trace, struct oracle_judgement* judgement) {
    const struct oracle_stack* stack = trace->stack;
    struct plain p = {.end = oracle_top(stack), .call = ANY_BCI};
    if (stack->beyond != 0 || trace->context->off != 0) return false;
    while (p.position < trace->count) {
        if (p.end != 0 && takes_entry(trace, &trace->frames[p.position], &p)) {
            p.position++;
            p.entries++;
            p.call = ANY_BCI;
            if (!gaps_captured(stack, p.end)) p.end--;
            else if (!pass_gap(trace, &p)) return false;
            continue;
        }
        if (p.call != ANY_BCI) return false;
        if (p.end == 0 && trace->count - p.position <= trace->context->base) break;
        uint32_t number = number_at(trace, p.position);
        bool own = number == ORACLE_OWN && p.entries == 0 && !trace->own_known_absent;
        if (number != ORACLE_FOREIGN && !own) return false;
        p.position++;
    }
    if (p.end != 0) return false;
    judgement->expected = judgement->observed = p.entries;
    judgement->gap_frames = p.gap_frames;
    judgement->caller_bcis = p.caller_bcis;
    return true;
}
