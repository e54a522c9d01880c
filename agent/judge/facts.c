// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The facts of a mismatch, and its cause. They are told by the trace stack, the machine's registers
// and HotSpot's own objects. The accused tells its answer and nothing else.
#include "parts.h"

#include <string.h>

#include "agent/classes/classes.h"
#include "agent/state/state.h"

#define BLIND_BYTES 32768u // of stack that is looked at where no position is known
// The largest distance of a push's frame below the stack pointer of the compiled code that pushes.
// x86-64: 144 bytes where the interpreter runs the native (128 on 8), 96 through its wrapper.
#define PUSH_BYTES_MOST 144u

static HANDLER_SAFE void set(struct results_facts* facts, enum results_fact fact, uint32_t value) {
    facts->value[fact] = (uint8_t)value;
}

// ---- The answer ---------------------------------------------------------------------------------

static HANDLER_SAFE uint32_t oldest_of(const struct facts_case* c) {
    if (c->count == 0) return RESULTS_OLDEST_NONE;
    uintptr_t id = c->frames[c->count - 1].method;
    uint32_t number = oracle_methods_number(agent.methods, id);
    const struct oracle_sites* sites = oracle_methods_sites(agent.methods, id);
    if (number == ORACLE_UNKNOWN) return RESULTS_OLDEST_NONE;
    if (linkers_have(id)) return RESULTS_OLDEST_LINKER;
    if (number != ORACLE_FOREIGN) return RESULTS_OLDEST_INSTRUMENTED;
    if (sites != NULL && (sites->flags & ORACLE_METHOD_OPAQUE) != 0) return RESULTS_OLDEST_OPAQUE;
    return RESULTS_OLDEST_FOREIGN;
}

static HANDLER_SAFE uint32_t id_of(uintptr_t id) {
    if (id == 0)
        return __atomic_load_n(&agent.recoded, __ATOMIC_RELAXED) ? RESULTS_ID_NULL_RECODED
                                                                 : RESULTS_ID_NULL;
    if (oracle_methods_number(agent.methods, id) != ORACLE_UNKNOWN) return RESULTS_ID_NONE;
    return __atomic_load_n(&agent.redefined, __ATOMIC_RELAXED) ? RESULTS_ID_REDEFINED
                                                               : RESULTS_ID_UNANNOUNCED;
}

static HANDLER_SAFE void tell_answer(const struct facts_case* c, struct results_facts* facts) {
    const struct oracle_judgement* j = c->judgement;
    int64_t lost = (int64_t)j->expected - (int64_t)j->observed + RESULTS_LOST_0;
    set(facts, RESULTS_FACT_LAYER, c->layer);
    set(facts, RESULTS_FACT_VERDICT, j->verdict);
    set(facts, RESULTS_FACT_STACK, c->stack);
    set(facts, RESULTS_FACT_HELD, c->held);
    set(facts, RESULTS_FACT_PLACE, j->difference < 2 ? j->difference : RESULTS_PLACE_OLDER);
    set(facts, RESULTS_FACT_LOST,
        lost < 0                ? 0u
        : lost > RESULTS_LOST_3 ? RESULTS_LOST_3
                                : (uint32_t)lost);
    set(facts, RESULTS_FACT_OLDEST, oldest_of(c));
    if (j->difference < c->count)
        set(facts, RESULTS_FACT_ID, id_of(c->frames[j->difference].method));
}

// ---- Where the walk stopped ---------------------------------------------------------------------

// The address of a push's frame, by its position and that of an address not far from it; 0: not
// known.
static HANDLER_SAFE uintptr_t address_of(uint32_t position, uintptr_t near) {
    if (position == 0) return 0;
    int32_t deeper = (int32_t)(position - natives_position(near)); // than `near`, in 16 bytes
    return near - (uintptr_t)((intptr_t)deeper * 16);
}

static HANDLER_SAFE uint32_t instrumented_in(const struct facts_case* c) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t number = oracle_methods_number(agent.methods, c->frames[i].method);
        n += number != ORACLE_FOREIGN && number != ORACLE_OWN && number != ORACLE_UNKNOWN;
    }
    return n;
}

// While entries move none can be read: structure is judged then, too.
static HANDLER_SAFE uint32_t top_of(const struct agent_thread* t) {
    return t->mending ? 0 : oracle_top(&t->stack);
}

// A part of the machine stack. `most`: its end, if the interpreter ran the push by which it ends.
struct range {
    uintptr_t low, high, most;
};

static HANDLER_SAFE uintptr_t limited(uintptr_t address, uintptr_t least, uintptr_t most) {
    if (address < least) address = least;
    return address < most ? address : most;
}

// The stack between the push of the oldest entry that the trace has, and the push below the first
// that it lacks. One frame of the trace may be in transition and have no entry, so the range begins
// one entry younger. Methods inlined into one frame push from one position: the range ends at the
// next frame's. A push's frame lies below the stack pointer of the frame that pushed: where a frame
// is smaller than that distance, the range ends at the pointer of the first that is lacked, below
// which its callee's return address lies. Unknown positions leave the range open.
static HANDLER_SAFE void find_range(const struct agent_thread* t, const struct facts_case* c,
                                    uintptr_t sp, struct range* r) {
    const struct oracle_stack* stack = &t->stack;
    uint32_t seen = instrumented_in(c), at = 0;
    uintptr_t first_lost = r->low, top = r->high;
    for (uint32_t end = top_of(t); end != 0; end = oracle_below(stack, end), at++) {
        uintptr_t address = address_of(stack->frames[end - 1].position, sp);
        if (address == 0) continue;
        if (at + 2 <= seen && address > r->low) r->low = address;
        if (at == seen && address > first_lost) first_lost = address;
        if (at > seen && address > first_lost) {
            uintptr_t bytes = attribution_push_bytes();
            r->high = limited(address, first_lost + (bytes != 0 ? bytes : PUSH_BYTES_MOST), top);
            r->most = limited(r->high, first_lost + PUSH_BYTES_MOST, top);
            return;
        }
    }
}

static HANDLER_SAFE bool asks_what_is_under(const struct oracle_judgement* j) {
    return j->verdict == ORACLE_TRUNCATED || j->verdict == ORACLE_IMPOSSIBLE_ROOT;
}

static HANDLER_SAFE void tell_under(const struct agent_thread* t, const struct facts_case* c,
                                    struct results_facts* facts) {
    uintptr_t bottom, top;
    uintptr_t sp =
        c->ucontext != NULL ? machine_sp(c->ucontext) : (uintptr_t)__builtin_frame_address(0);
    if (!asks_what_is_under(c->judgement) || !code_thread_stack(t->hotspot, &bottom, &top)) return;
    if (sp < bottom || sp >= top) return;
    // A thread that left Java is walked from its anchor. The word below may be the return address
    // of the call that left.
    uintptr_t anchor = code_anchor_sp(t->hotspot);
    struct range r = {anchor > sp && anchor < top ? anchor - sizeof anchor : sp, top, top};
    find_range(t, c, sp, &r);
    bool blind = r.high == top;
    if (r.low >= r.high) return;
    if (blind && r.high - r.low > BLIND_BYTES) r.high = r.most = r.low + BLIND_BYTES;
    facts->under = code_under(r.low, r.high, top, blind);
    // The native's wrapper is not always there: not before it is compiled, and on 8 and 11 not
    // after WhiteBox has deoptimised all code.
    if (facts->under == 0) facts->under = code_under(r.high, r.most, top, false);
}

// ---- The machine --------------------------------------------------------------------------------

// Whether one of the youngest words is a stack pointer a little older than `sp`, and the frame's
// true one: code that moves the pointer keeps it there.
#define KEPT_WORDS 8
static HANDLER_SAFE bool keeps_older(const struct code_place* place, uintptr_t sp, uintptr_t high) {
    for (uint32_t i = 0; i < KEPT_WORDS && sp + (i + 1) * sizeof sp <= high; i++) {
        uintptr_t word = ((const uintptr_t*)sp)[i];
        if (word > sp && word - sp <= 2 * KEPT_WORDS * sizeof word && word % sizeof word == 0 &&
            code_has_sender(place, word))
            return true;
    }
    return false;
}

// Whether the stack pointer is where the compiled frame at the place pushed from. Where no push of
// this frame is known, its return address tells.
static HANDLER_SAFE uint32_t pointer_of(const struct agent_thread* t,
                                        const struct code_place* place, uintptr_t sp) {
    const struct oracle_stack* stack = &t->stack;
    uint32_t position = attribution_position(sp);
    uintptr_t owner = code_owner(place);
    bool known = !agent.inlined && position != 0 && owner != 0 && !place->osr;
    for (uint32_t end = top_of(t); known && end != 0; end = oracle_below(stack, end)) {
        uint32_t number = stack->frames[end - 1].number;
        if (stack->frames[end - 1].position == position) return RESULTS_POINTER_WHOLE;
        if (oracle_methods_id(agent.methods, number) == owner) return RESULTS_POINTER_MOVED;
    }
    uintptr_t low, high;
    if (!code_thread_stack(t->hotspot, &low, &high)) return RESULTS_POINTER_NONE;
    return code_has_sender(place, sp) && !keeps_older(place, sp, high) ? RESULTS_POINTER_WHOLE
                                                                       : RESULTS_POINTER_MOVED;
}

// The code at the pc as what was called by other code. False: the thread is not in Java.
static HANDLER_SAFE bool called_at(const struct agent_thread* t, uintptr_t pc,
                                   const struct code_place* place, const void* ucontext,
                                   struct code_called* called) {
    uintptr_t low, high;
    if (code_thread_state(t->hotspot) != RESULTS_THREAD_IN_JAVA ||
        !code_thread_stack(t->hotspot, &low, &high))
        return false;
    *called = machine_called(ucontext, pc, place, high);
    return true;
}

static HANDLER_SAFE bool called_of(const struct agent_thread* t, const struct facts_case* c,
                                   struct code_called* called) {
    return called_at(t, c->pc, c->place, c->ucontext, called);
}

HANDLER_SAFE bool facts_in_slow_path(const struct agent_thread* t, uintptr_t pc,
                                     const struct code_place* place, const void* ucontext) {
    struct code_called called;
    struct code_call call;
    if (results_is_compiled(place->kind)) return code_gives_back(pc);
    return called_at(t, pc, place, ucontext, &called) && code_call_of(&called, &call) &&
           results_is_compiled(call.caller.kind) &&
           code_jumps_away(call.caller.begin + call.caller.offset);
}

static HANDLER_SAFE void tell_call(const struct agent_thread* t, const struct facts_case* c,
                                   struct results_facts* facts) {
    struct code_called called;
    struct code_call call;
    if (!called_of(t, c, &called) || !code_call_of(&called, &call)) return;
    set(facts, RESULTS_FACT_CHAIN, call.chain);
    set(facts, RESULTS_FACT_CALLER, call.caller.kind);
    set(facts, RESULTS_FACT_CALLER_REGION, call.caller.region);
    if (call.caller.kind == RESULTS_CODE_INTERPRETER)
        set(facts, RESULTS_FACT_CALLER_CHAIN, call.caller_chain);
    if (!results_is_compiled(call.caller.kind)) return;
    bool moved = code_gives_back(call.caller.begin + call.caller.offset);
    bool record = results_is_library(c->place->kind);
    set(facts, RESULTS_FACT_POINTER,
        call.aligned          ? RESULTS_POINTER_ALIGNED
        : moved               ? RESULTS_POINTER_MOVED
        : call.caller_sp != 0 ? pointer_of(t, &call.caller, call.caller_sp)
        : record              ? RESULTS_POINTER_RECORD
                              : RESULTS_POINTER_NONE);
}

static HANDLER_SAFE void tell_function(const struct agent_thread* t, const struct facts_case* c,
                                       struct results_facts* facts) {
    struct code_called called;
    uint32_t edge, function = code_function(c->pc, &edge);
    if (called_of(t, c, &called))
        function = code_in_handler(&called)   ? RESULTS_FUNCTION_HANDLER
                   : code_calls_java(&called) ? RESULTS_FUNCTION_CALLS_JAVA
                                              : function;
    set(facts, RESULTS_FACT_FUNCTION, function);
    set(facts, RESULTS_FACT_EDGE, edge);
}

static HANDLER_SAFE void tell_machine(const struct agent_thread* t, const struct facts_case* c,
                                      struct results_facts* facts) {
    enum results_code_kind kind = c->place->kind;
    set(facts, RESULTS_FACT_KIND, kind);
    set(facts, RESULTS_FACT_REGION, c->place->region);
    set(facts, RESULTS_FACT_STATE, code_thread_state(t->hotspot));
    facts->offset = code_name(c->pc, c->place, facts->name, sizeof facts->name);
    if (results_is_library(kind)) tell_function(t, c, facts);
    if (results_is_compiled(kind)) {
        bool stands = c->place->frame_stands;
        bool stub = c->place->region == RESULTS_REGION_AFTER && code_in_call_stub(c->pc);
        set(facts, RESULTS_FACT_FRAME,
            stub     ? RESULTS_FRAME_CALL_STUB
            : stands ? RESULTS_FRAME_STANDS
                     : RESULTS_FRAME_PARTIAL);
        bool pushed = stands && kind != RESULTS_CODE_C2 && code_pops_more(c->pc);
        if (stands)
            set(facts, RESULTS_FACT_POINTER,
                code_gives_back(c->pc) ? RESULTS_POINTER_SPILLED
                : pushed               ? RESULTS_POINTER_MOVED
                                       : pointer_of(t, c->place, machine_sp(c->ucontext)));
    } else {
        tell_call(t, c, facts);
        if (kind == RESULTS_CODE_INTERPRETER && code_half_made(c->pc))
            set(facts, RESULTS_FACT_FRAME, RESULTS_FRAME_PARTIAL);
    }
}

// ---- The cause ----------------------------------------------------------------------------------

HANDLER_SAFE uint32_t facts_decide(const struct agent_thread* t, const struct facts_case* c,
                                   struct results_facts* facts) {
    if (c->machine != NULL) *facts = *c->machine;
    else memset(facts, 0, sizeof *facts);
    tell_answer(c, facts);
    if (c->machine == NULL) {
        set(facts, RESULTS_FACT_KIND, RESULTS_CODE_NONE);
        if (c->pc != 0) tell_machine(t, c, facts);
        tell_under(t, c, facts);
    } else if (!asks_what_is_under(c->judgement)) {
        facts->under = 0;
    }
    set(facts, RESULTS_FACT_CHANGE, c->change);
    facts->by = c->by;
    return results_causes_decide(&agent.causes, facts, agent.release, agent.collector);
}

HANDLER_SAFE uint32_t facts_decide_by_stack(struct agent_thread* t, const struct facts_case* c,
                                            const struct oracle_context* context,
                                            struct results_facts* facts) {
    struct oracle_judgement judgement = {.verdict = ORACLE_AGREE};
    struct oracle_owner owner;
    struct facts_case by_stack = *c, itself = *c;
    bool asked = agent_layer(ORACLE_LAYER_ASYNC) && !t->mending;
    if (asked) {
        oracle_judge(&t->stack, agent.methods, c->frames, c->count, context, &judgement);
        if (oracle_is_mismatch(judgement.verdict))
            attribution_decide(t, &(struct oracle_trace){c->frames, c->count}, context, c->place,
                               c->ucontext, &judgement, &owner);
    }
    if (asked) itself.stack = results_stack_of(judgement.verdict);
    if (oracle_is_walking_error(judgement.verdict)) {
        by_stack.layer = ORACLE_LAYER_ASYNC;
        by_stack.judgement = &judgement;
        uint32_t cause = facts_decide(t, &by_stack, facts);
        set(facts, RESULTS_FACT_LAYER, c->layer);
        set(facts, RESULTS_FACT_VERDICT, c->judgement->verdict);
        set(facts, RESULTS_FACT_STACK, itself.stack);
        if (cause != RESULTS_UNEXPLAINED) return cause;
    }
    return facts_decide(t, &itself, facts);
}

HANDLER_SAFE void facts_count(struct agent_thread* t, enum oracle_layer layer,
                              enum oracle_verdict verdict, uint32_t cause) {
    if (!oracle_is_walking_error(verdict)) return;
    uint64_t *began = &t->burst_ns[layer][cause], now = agent_now_ns();
    agent_count(&agent.run->layers[layer].cause[cause], 1);
    if (*began != 0 && now - *began < RESULTS_BURST_NS) return;
    *began = now;
    agent_count(&agent.run->layers[layer].bursts[cause], 1);
}
