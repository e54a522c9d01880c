// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Where a thread is, without asking a walker. Nothing is believed that was not held against
// HotSpot's own objects: a Method* must lead to an announced jmethodID, and a bcp must lie in that
// method's bytecodes.
#include "codetables.h"
#include "parts.h"
#include "processor.h"
#include "agent/state/state.h"

struct method {
    uintptr_t id;
    uintptr_t code; // of the first bytecode
    uint64_t length;
};

// Our own methods: half of all samples are in natives where these push. Their class is the boot
// loader's, so their Method* stay what they are, and need not be looked up again. Atomic.
#define METHODS 8u
static uintptr_t methods[METHODS];
static bool methods_known; // all of them; written before there are samples

static HANDLER_COMMON bool is_method_of_ours(uintptr_t method) {
    for (uint32_t i = 0; i < METHODS; i++)
        if (method != 0 && __atomic_load_n(&methods[i], __ATOMIC_RELAXED) == method) return true;
    return false;
}

// `id`: the method's, which was looked up.
static HANDLER_SAFE void learn_method(uintptr_t method, uintptr_t id) {
    uintptr_t free_place = 0;
    if (id == 0 || oracle_methods_number(agent.methods, id) != ORACLE_OWN) return;
    for (uint32_t i = 0; i < METHODS; i++, free_place = 0)
        if (__atomic_compare_exchange_n(&methods[i], &free_place, method, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED) ||
            free_place == method)
            return;
}

void code_methods(const uintptr_t* ids, size_t count) {
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        uintptr_t method = codetables_method_of(ids[i]);
        if (method != 0) learn_method(method, ids[i]);
        known += is_method_of_ours(method);
    }
    methods_known = known == count;
}

static HANDLER_SAFE bool find_method(uintptr_t address, struct method* m) {
    struct memory_pages unknown = {.next = 0}, *pages = &unknown;
    if (address == 0 || (address & 7) != 0 || code.const_method_size == 0 ||
        !layout_has(&code.layout, LAYOUT_CODE_SIZE))
        return false;
    m->id = codetables_known_owner(address);
    if (m->id != 0) pages = NULL; // the method is alive
    uint64_t constant = codetables_get(pages, address, LAYOUT_CONST_METHOD);
    if (constant == 0 || (constant & 7) != 0) return false;
    if (m->id == 0) m->id = codetables_owner(pages, address);
    learn_method(address, m->id);
    m->code = (uintptr_t)constant + code.const_method_size;
    m->length = codetables_get(pages, constant, LAYOUT_CODE_SIZE);
    return m->id != 0;
}

static HANDLER_SAFE bool is_ours(uintptr_t id) {
    return oracle_methods_number(agent.methods, id) == ORACLE_OWN;
}

static HANDLER_SAFE bool find_bci(const struct method* m, uintptr_t bcp, int32_t* bci) {
    if (bcp < m->code || bcp - m->code >= m->length) return false;
    *bci = (int32_t)(bcp - m->code);
    return true;
}

// By the bcp that the frame keeps.
static HANDLER_SAFE bool kept_bci(const struct method* m, const uintptr_t* frame, int32_t* bci) {
    static const int8_t places[] = PROCESSOR_FRAME_BCPS;
    for (size_t i = 0; i < sizeof places; i++)
        if (find_bci(m, frame[places[i]], bci)) return true;
    return false;
}

static HANDLER_SAFE void set_native(uintptr_t id, struct oracle_place* where) {
    *where =
        (struct oracle_place){.kind = ORACLE_PLACE_NATIVE, .bci = ORACLE_BCI_NATIVE, .method = id};
}

// In the interpreted frame at `fp`, of which `sp` is the stack pointer and `high` the end of the
// stack. `bcp` is the register, 0 where another's: the frame keeps the bcp of its last call.
static HANDLER_SAFE void in_frame(uintptr_t fp, uintptr_t sp, uintptr_t high, uintptr_t bcp,
                                  struct oracle_place* where) {
    struct method m;
    const uintptr_t* frame = (const uintptr_t*)fp;
    bool made = (fp & 7) == 0 && sp < high && fp < high - sizeof *frame && fp >= sp &&
                fp - sp >= PROCESSOR_FRAME_WORDS * sizeof *frame;
    if (made && is_method_of_ours(frame[PROCESSOR_FRAME_METHOD])) {
        where->kind = ORACLE_PLACE_OWN;
        return;
    }
    if (!made || !find_method(frame[PROCESSOR_FRAME_METHOD], &m)) return;
    if (m.length == 0) {
        set_native(m.id, where);
        return;
    }
    if (is_ours(m.id)) {
        where->kind = ORACLE_PLACE_OWN;
        return;
    }
    if (!find_bci(&m, bcp, &where->bci) && !kept_bci(&m, frame, &where->bci)) return;
    where->kind = ORACLE_PLACE_INTERPRETED;
    where->method = m.id;
}

HANDLER_SAFE bool where_is_frame(uintptr_t fp, uintptr_t sp, uintptr_t high) {
    struct oracle_place where = {.kind = ORACLE_PLACE_UNKNOWN};
    in_frame(fp, sp, high, 0, &where);
    return where.kind == ORACLE_PLACE_INTERPRETED;
}

// At the entry of a method whose interpreted frame is being made, or in an adapter to it: a
// register holds its Method*. Only our own natives are of interest: their callers are known for
// sure.
static HANDLER_SAFE void entering(const void* ucontext, struct oracle_place* where) {
    struct method m;
    uintptr_t method = machine_method(ucontext);
    if (is_method_of_ours(method) || (find_method(method, &m) && is_ours(m.id)))
        where->kind = ORACLE_PLACE_OWN;
}

static HANDLER_SAFE enum oracle_place_kind compiled_kind(void) {
    return agent.inlined ? ORACLE_PLACE_MERGED : ORACLE_PLACE_COMPILED;
}

// What a glance tells of the code at a place. False: nothing.
static HANDLER_COMMON bool glance_at(const struct code_place* place, struct oracle_place* where) {
    bool wrapper = place->kind == RESULTS_CODE_NATIVE_WRAPPER;
    bool compiled = results_is_compiled(place->kind);
    // Of compiled code only inlined pushes, compiled by themselves, are ours.
    if (!(wrapper && methods_known) && !(compiled && (methods_known || !agent.inlined)))
        return false;
    where->kind = is_method_of_ours((uintptr_t)place->method) ? ORACLE_PLACE_OWN
                  : wrapper                                   ? ORACLE_PLACE_NATIVE
                                                              : compiled_kind();
    return true;
}

// `id`: of the method that owns the code, 0: not known.
static HANDLER_SAFE void in_code(const struct code_place* place, uintptr_t id,
                                 struct oracle_place* where) {
    if (id == 0) return;
    if (place->kind == RESULTS_CODE_NATIVE_WRAPPER) set_native(id, where);
    else if (is_ours(id)) where->kind = ORACLE_PLACE_OWN;
    else *where = (struct oracle_place){.kind = compiled_kind(), .method = id};
}

static HANDLER_SAFE bool is_method(const struct code_place* place) {
    return results_is_compiled(place->kind) || place->kind == RESULTS_CODE_NATIVE_WRAPPER;
}

// The thread has left Java, and its anchor says from where.
static HANDLER_COMMON void at_anchor(const char* thread, uintptr_t high, bool glance,
                                     struct oracle_place* where) {
    struct code_place place;
    uintptr_t sp, fp;
    if (!codetables_anchor(thread, glance, &place, &sp, &fp)) return;
    if (place.kind == RESULTS_CODE_INTERPRETER) in_frame(fp, sp, high, 0, where);
    else if (glance && glance_at(&place, where)) return;
    else if (is_method(&place) || (codetables_has_left(thread) && codetables_compiled(&place, &sp)))
        in_code(&place, code_owner(&place), where);
}

HANDLER_COMMON void code_where(const char* thread, const struct code_place* place,
                               const void* ucontext, bool glance, struct oracle_place* where) {
    uintptr_t low, high, sp = machine_sp(ucontext);
    struct code_place under;
    *where = (struct oracle_place){.kind = ORACLE_PLACE_UNKNOWN};
    if (!code_thread_stack(thread, &low, &high) || sp < low || sp >= high) return;
    if (place->kind == RESULTS_CODE_INTERPRETER) {
        in_frame(machine_fp(ucontext), sp, high, machine_bcp(ucontext), where);
        if (where->kind == ORACLE_PLACE_UNKNOWN) entering(ucontext, where);
        return;
    }
    if (place->kind == RESULTS_CODE_ADAPTER) {
        entering(ucontext, where);
        return;
    }
    if (glance && glance_at(place, where)) return;
    if (is_method(place)) { // which is alive, because the thread runs it
        if (is_method_of_ours((uintptr_t)place->method)) where->kind = ORACLE_PLACE_OWN;
        else in_code(place, codetables_owner(NULL, (uintptr_t)place->method), where);
        return;
    }
    if (codetables_is_signature(place)) {
        in_frame(machine_fp(ucontext), sp, high, 0, where);
        return;
    }
    at_anchor(thread, high, glance, where);
    const struct code_called called = machine_called(ucontext, machine_pc(ucontext), place, high);
    if (where->kind == ORACLE_PLACE_UNKNOWN && results_is_library(place->kind) &&
        code_thread_state(thread) == RESULTS_THREAD_IN_JAVA &&
        code_under_library(&called, &under, &sp))
        in_code(&under, code_owner(&under), where);
}

// The frame of the native method in which the thread is: two words, as every frame with a frame
// pointer begins. 0: not known.
static HANDLER_SAFE uintptr_t native_frame(const char* thread, const struct code_place* place,
                                           const void* ucontext) {
    struct code_place left;
    uintptr_t sp, fp;
    if (place->kind == RESULTS_CODE_INTERPRETER || codetables_is_signature(place))
        return machine_fp(ucontext);
    if (place->kind == RESULTS_CODE_NATIVE_WRAPPER)
        return place->frame_stands ? machine_fp(ucontext) : 0;
    if (!codetables_anchor(thread, false, &left, &sp, &fp)) return 0;
    if (left.kind == RESULTS_CODE_INTERPRETER) return fp;
    return left.kind == RESULTS_CODE_NATIVE_WRAPPER && left.frame_words >= 2
               ? sp + (left.frame_words - 2) * sizeof fp
               : 0;
}

HANDLER_SAFE void code_native_caller(const char* thread, const struct code_place* place,
                                     const void* ucontext, struct oracle_place* where) {
    uintptr_t low, high, sp = machine_sp(ucontext);
    struct code_place caller;
    *where = (struct oracle_place){.kind = ORACLE_PLACE_UNKNOWN};
    if (!code_thread_stack(thread, &low, &high) || sp < low) return;
    uintptr_t fp = native_frame(thread, place, ucontext);
    if (fp < sp || (fp & 7) != 0 || fp > high - 2 * sizeof fp) return;
    const uintptr_t* frame = (const uintptr_t*)fp;
    code_find(processor_code(frame[1]), &caller);
    if (caller.kind == RESULTS_CODE_INTERPRETER)
        in_frame(frame[0], fp + 2 * sizeof fp, high, 0, where);
    else if (is_method(&caller)) in_code(&caller, code_owner(&caller), where);
}

HANDLER_SAFE uintptr_t code_stub_caller(const char* thread) {
    struct code_place place;
    uintptr_t sp;
    bool anchored;
    return code_youngest(thread, &place, &sp, &anchored) && !anchored ? code_owner(&place) : 0;
}
