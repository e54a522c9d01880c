// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The effect of each fault on an array of frames.
#include "spoil.h"

#define BCI_RANGE_FIRST 65536 // a method's code has at most 65535 bytes
#define TRIES 32

static const uintptr_t nothing[2];

uintptr_t spoil_dangling(void) {
    return (uintptr_t)&nothing[0];
}

// ---- Memory -----------------------------------------------------------------------------------

static void learn_site(struct spoil_method* place, int32_t bci) {
    for (int i = 0; i < SPOIL_SITES; i++) {
        int32_t free = 0;
        if (__atomic_load_n(&place->sites[i], __ATOMIC_RELAXED) == bci + 1) return;
        if (__atomic_compare_exchange_n(&place->sites[i], &free, bci + 1, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED) ||
            free == bci + 1)
            return;
    }
}

static uint32_t hash(uintptr_t method) {
    return (uint32_t)((uint64_t)method * 0x9e3779b97f4a7c15ull >> 40) & (SPOIL_METHODS - 1);
}

// The method's place; NULL if it has none.
static const struct spoil_method* find(const struct spoil_methods* methods, uintptr_t method) {
    for (uint32_t i = hash(method);; i = (i + 1) & (SPOIL_METHODS - 1)) {
        uintptr_t there = __atomic_load_n(&methods->places[i].method, __ATOMIC_RELAXED);
        if (there == method) return &methods->places[i];
        if (there == 0) return NULL;
    }
}

static struct spoil_method* find_or_add(struct spoil_methods* methods, uintptr_t method) {
    for (uint32_t i = hash(method);; i = (i + 1) & (SPOIL_METHODS - 1)) {
        uintptr_t there = __atomic_load_n(&methods->places[i].method, __ATOMIC_RELAXED);
        if (there == method) return &methods->places[i];
        if (there != 0) continue;
        // Half of the places stay free, so that every search ends. The count grows before the
        // entry of `order` is written: a reader takes 0 there as not yet written.
        if (__atomic_load_n(&methods->count, __ATOMIC_RELAXED) >= SPOIL_METHODS / 2 - 64)
            return NULL;
        if (__atomic_compare_exchange_n(&methods->places[i].method, &there, method, false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            uint32_t n = __atomic_fetch_add(&methods->count, 1, __ATOMIC_RELAXED);
            if (n < SPOIL_METHODS / 2)
                __atomic_store_n(&methods->order[n], i + 1, __ATOMIC_RELAXED);
            return &methods->places[i];
        }
        if (there == method) return &methods->places[i];
    }
}

// A reader that meets this sees an odd version, or another version after its copy than before it.
static void keep(struct spoil_thread* thread, const struct fault_frame* frames, int32_t count) {
    uint32_t version = thread->version;
    if (count > SPOIL_KEPT) return; // no thread ever got half of it as an answer
    __atomic_store_n(&thread->version, version + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    for (int32_t i = 0; i < count; i++) thread->kept[i] = frames[i];
    __atomic_store_n(&thread->kept_count, count, __ATOMIC_RELAXED);
    __atomic_store_n(&thread->version, version + 2, __ATOMIC_RELEASE);
}

// Copies the kept answer of another thread. 0: there is none, or it is being written.
static int32_t copy_kept(const struct spoil_thread* from, struct fault_frame* to) {
    uint32_t version = __atomic_load_n(&from->version, __ATOMIC_ACQUIRE);
    int32_t count = __atomic_load_n(&from->kept_count, __ATOMIC_RELAXED);
    if (version % 2 != 0 || count <= 0 || count > SPOIL_KEPT) return 0;
    for (int32_t i = 0; i < count; i++) to[i] = from->kept[i];
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return __atomic_load_n(&from->version, __ATOMIC_RELAXED) == version ? count : 0;
}

static void learn_caller(struct spoil_thread* thread, const struct fault_frame* caller) {
    for (uint32_t i = 0; i < thread->caller_count; i++)
        if (thread->callers[i].method == caller->method) return;
    thread->callers[thread->caller_next] = *caller;
    thread->caller_next = (thread->caller_next + 1) % SPOIL_CALLERS;
    if (thread->caller_count < SPOIL_CALLERS) thread->caller_count++;
}

// Counts the callers of methods that are on top.
static void learn_top(struct spoil_methods* methods, struct spoil_method* place, int32_t top_bci,
                      uintptr_t caller) {
    uint64_t bit = (uint64_t)1 << ((uint64_t)caller * 0x9e3779b97f4a7c15ull >> 58);
    uint64_t callers = __atomic_or_fetch(&place->callers, bit, __ATOMIC_RELAXED);
    uint32_t* most_called = &methods->most_called[top_bci != FAULT_BCI_NATIVE];
    uint32_t most = __atomic_load_n(most_called, __ATOMIC_RELAXED);
    __atomic_store_n(&place->bci, top_bci, __ATOMIC_RELAXED);
    uint64_t others =
        most == 0 ? 0 : __atomic_load_n(&methods->places[most - 1].callers, __ATOMIC_RELAXED);
    if (__builtin_popcountll(callers) > __builtin_popcountll(others))
        __atomic_store_n(most_called, (uint32_t)(place - methods->places) + 1, __ATOMIC_RELAXED);
}

static void learn_call(struct spoil_thread* thread, const struct fault_frame* callee) {
    uintptr_t caller = callee[1].method;
    if (callee->bci < 0 || caller == 0 || callee->method == 0) return;
    thread->calls[hash(caller) & (SPOIL_CALLS - 1)] = (struct spoil_call){caller, *callee};
}

void spoil_learn(struct spoil_methods* methods, struct spoil_thread* thread,
                 const struct fault_frame* frames, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (frames[i].method == 0) continue;
        struct spoil_method* place = find_or_add(methods, frames[i].method);
        if (place != NULL && i > 0 && frames[i].bci >= 0) learn_site(place, frames[i].bci);
        if (place != NULL && i == 0 && count > 1)
            learn_top(methods, place, frames[0].bci, frames[1].method);
        if (i + 1 < count) learn_call(thread, &frames[i]);
    }
    if (count > 1 && frames[1].method != 0) learn_caller(thread, &frames[1]);
    keep(thread, frames, count);
}

// ---- Choosing ---------------------------------------------------------------------------------

static bool contains(const struct spoil_input* in, uintptr_t method) {
    for (int32_t i = 0; i < in->count; i++)
        if (in->frames[i].method == method) return true;
    return false;
}

// Chooses among the frames from `first` on that have a bci, each with the same chance.
static bool choose_with_bci(const struct spoil_input* in, int32_t first, struct spoil_choice* c) {
    int32_t found = 0;
    for (int32_t i = first; i < in->count; i++)
        if (in->frames[i].bci >= 0 && spoil_below(&in->thread->random, ++found) == 0) c->at = i;
    if (found == 0) return false;
    c->frame = in->frames[c->at];
    return true;
}

static bool choose_swap(const struct spoil_input* in, struct spoil_choice* c) {
    int32_t found = 0;
    c->at = spoil_below(&in->thread->random, in->count);
    for (int32_t i = 0; i < in->count; i++)
        if (in->frames[i].method != in->frames[c->at].method &&
            spoil_below(&in->thread->random, ++found) == 0)
            c->with = i;
    return found != 0;
}

static bool choose_foreign(const struct spoil_input* in, struct spoil_choice* c) {
    uint32_t count = __atomic_load_n(&in->methods->count, __ATOMIC_RELAXED);
    if (in->count < 2 || in->count >= in->room || count == 0) return false;
    if (count > SPOIL_METHODS / 2) count = SPOIL_METHODS / 2;
    for (int i = 0; i < TRIES; i++) {
        uint32_t place =
            __atomic_load_n(&in->methods->order[spoil_below(&in->thread->random, (int32_t)count)],
                            __ATOMIC_RELAXED);
        if (place == 0) continue;
        const struct spoil_method* method = &in->methods->places[place - 1];
        if (contains(in, method->method)) continue;
        int32_t site = __atomic_load_n(&method->sites[0], __ATOMIC_RELAXED);
        c->frame = (struct fault_frame){.method = method->method, .bci = site > 0 ? site - 1 : 0};
        c->at = 1 + spoil_below(&in->thread->random, in->count - 1);
        return true;
    }
    return false;
}

static bool choose_stale(const struct spoil_input* in, struct spoil_choice* c) {
    const struct spoil_thread* thread = in->thread;
    if (in->count >= in->room) return false;
    for (uint32_t i = 1; i <= thread->caller_count; i++) {
        uint32_t at = (thread->caller_next + SPOIL_CALLERS - i) % SPOIL_CALLERS;
        if (contains(in, thread->callers[at].method)) continue;
        c->frame = thread->callers[at];
        c->at = 1;
        return true;
    }
    return false;
}

static bool choose_callee(const struct spoil_input* in, struct spoil_choice* c) {
    uintptr_t caller = in->frames[0].method;
    const struct spoil_call* call = &in->thread->calls[hash(caller) & (SPOIL_CALLS - 1)];
    if (in->count >= in->room || caller == 0 || call->caller != caller) return false;
    c->frame = call->callee;
    return true;
}

static bool choose_caller(const struct spoil_input* in, struct spoil_choice* c) {
    if (in->count < 2 || !choose_stale(in, c)) return false;
    c->at = 1 + spoil_below(&in->thread->random, in->count - 1);
    c->frame.bci = 0;
    return true;
}

// The native method that many call, or else the Java method. A native method calls no other by
// itself, so the youngest must be a Java method.
static bool choose_most_called(const struct spoil_input* in, struct spoil_choice* c) {
    if (in->count >= in->room || in->frames[0].bci == FAULT_BCI_NATIVE) return false;
    for (int i = 0; i < 2; i++) {
        uint32_t most = __atomic_load_n(&in->methods->most_called[i], __ATOMIC_RELAXED);
        if (most == 0) continue;
        const struct spoil_method* place = &in->methods->places[most - 1];
        if (place->method == in->frames[0].method) continue;
        uint64_t callers = __atomic_load_n(&place->callers, __ATOMIC_RELAXED);
        int32_t bci = __atomic_load_n(&place->bci, __ATOMIC_RELAXED);
        c->frame = (struct fault_frame){.method = place->method, .bci = bci};
        if (__builtin_popcountll(callers) >= SPOIL_MANY) return true;
    }
    return false;
}

// Another known call site of the frame's method; negative: none is known.
static int32_t other_site(const struct spoil_input* in, const struct fault_frame* frame) {
    const struct spoil_method* place = find(in->methods, frame->method);
    if (frame->bci < 0 || place == NULL) return -1;
    int32_t found = 0, bci = -1;
    for (int i = 0; i < SPOIL_SITES; i++) {
        int32_t site = __atomic_load_n(&place->sites[i], __ATOMIC_RELAXED);
        if (site != 0 && site - 1 != frame->bci && spoil_below(&in->thread->random, ++found) == 0)
            bci = site - 1;
    }
    return bci;
}

static bool choose_other_site(const struct spoil_input* in, struct spoil_choice* c) {
    int32_t found = 0;
    for (int32_t i = 1; i < in->count; i++) {
        int32_t bci = other_site(in, &in->frames[i]);
        if (bci < 0 || spoil_below(&in->thread->random, ++found) != 0) continue;
        c->at = i;
        c->frame = (struct fault_frame){.method = in->frames[i].method, .bci = bci};
    }
    return found != 0;
}

static bool choose_other_thread(const struct spoil_input* in, struct spoil_choice* c) {
    if (in->other == NULL || in->other == in->thread) return false;
    c->count = copy_kept(in->other, in->thread->copy);
    if (c->count == 0 || c->count > in->room) return false;
    if (c->count != in->count) return true;
    for (int32_t i = 0; i < c->count; i++)
        if (in->thread->copy[i].method != in->frames[i].method ||
            in->thread->copy[i].bci != in->frames[i].bci)
            return true;
    return false;
}

static bool choose_frame(const struct spoil_input* in, struct spoil_choice* c) {
    c->at = spoil_below(&in->thread->random, in->count);
    c->frame = in->frames[c->at];
    return true;
}

static bool choose_id(const struct spoil_input* in, uintptr_t id, struct spoil_choice* c) {
    choose_frame(in, c);
    c->frame.method = id;
    return true;
}

static bool choose_flip(const struct spoil_input* in, struct spoil_choice* c) {
    choose_frame(in, c);
    c->frame.bci = c->frame.bci == FAULT_BCI_NATIVE ? 0 : FAULT_BCI_NATIVE;
    return true;
}

static bool choose_range(const struct spoil_input* in, struct spoil_choice* c) {
    if (!choose_with_bci(in, 0, c)) return false;
    c->frame.bci = BCI_RANGE_FIRST + spoil_below(&in->thread->random, BCI_RANGE_FIRST);
    return true;
}

static bool choose_cut(const struct spoil_input* in, struct spoil_choice* c) {
    if (in->count < 2) return false;
    c->count =
        in->rule->has_value ? in->rule->value : 1 + spoil_below(&in->thread->random, in->count - 1);
    return c->count < in->count;
}

// One less is a bci of the same code; one more might lie behind it.
static bool choose_young_native(const struct spoil_input* in, struct spoil_choice* c) {
    if (!in->in_call || in->count < 3 || in->frames[0].bci != FAULT_BCI_NATIVE ||
        in->frames[2].bci < 0)
        return false;
    c->frame = in->frames[2];
    c->frame.bci += c->frame.bci > 0 ? -1 : 1;
    return true;
}

static bool choose_code(const struct spoil_input* in, struct spoil_choice* c) {
    c->count =
        in->rule->has_value ? in->rule->value : -spoil_below(&in->thread->random, FAULT_CODES);
    return true;
}

bool spoil_choose(const struct spoil_input* in, struct spoil_choice* c) {
    *c = (struct spoil_choice){.fault = in->rule->fault};
    switch (in->rule->fault) {
    case FAULT_DROP_YOUNGEST:
    case FAULT_TRUNCATE: c->count = in->count - 1; return in->count >= 2;
    case FAULT_DROP_MIDDLE:
        c->at = in->count < 3 ? 0 : 1 + spoil_below(&in->thread->random, in->count - 2);
        return in->count >= 3;
    case FAULT_CUT: return choose_cut(in, c);
    case FAULT_REPEAT: return in->count < in->room && choose_frame(in, c);
    case FAULT_SWAP: return choose_swap(in, c);
    case FAULT_FOREIGN: return choose_foreign(in, c);
    case FAULT_STALE_CALLER: return choose_stale(in, c);
    case FAULT_EXTRA_YOUNGEST: return choose_callee(in, c);
    case FAULT_EXTRA_CALLER: return choose_caller(in, c);
    case FAULT_OWN_ON_TOP: return choose_most_called(in, c);
    case FAULT_NULL_ID: return choose_id(in, 0, c);
    case FAULT_DANGLING_ID: return choose_id(in, spoil_dangling(), c);
    case FAULT_BCI_NEXT:
        if (!choose_with_bci(in, 1, c)) return false;
        c->frame.bci++;
        return true;
    case FAULT_BCI_OTHER: return choose_other_site(in, c);
    case FAULT_BCI_RANGE: return choose_range(in, c);
    case FAULT_FLIP_NATIVE: return choose_flip(in, c);
    case FAULT_REFUSE: return choose_code(in, c);
    case FAULT_OTHER_THREAD: return choose_other_thread(in, c);
    case FAULT_TOO_MANY:
        c->count = in->room + 1 + spoil_below(&in->thread->random, in->room);
        return true;
    case FAULT_YOUNG_NATIVE: return choose_young_native(in, c);
    case FAULT_CRASH:
    case FAULT_SPIN: return true;
    case FAULT_TRUST_SP:
    case FAULT_TRUST_ENV: break; // before the call, whatever is answered
    case FAULT_REVIVE: break;    // of refusals
    case FAULT_COUNT: break;
    }
    return false;
}

// ---- Applying ---------------------------------------------------------------------------------

static int32_t drop(struct fault_frame* frames, int32_t count, int32_t at) {
    for (int32_t i = at; i + 1 < count; i++) frames[i] = frames[i + 1];
    return count - 1;
}

static int32_t insert(struct fault_frame* frames, int32_t count, int32_t at,
                      struct fault_frame frame) {
    for (int32_t i = count; i > at; i--) frames[i] = frames[i - 1];
    frames[at] = frame;
    return count + 1;
}

int32_t spoil_apply(const struct spoil_choice* c, const struct spoil_thread* thread,
                    struct fault_frame* frames, int32_t count) {
    struct fault_frame moved;
    switch (c->fault) {
    case FAULT_DROP_YOUNGEST:
    case FAULT_DROP_MIDDLE: return drop(frames, count, c->at);
    case FAULT_TRUNCATE:
    case FAULT_CUT:
    case FAULT_TOO_MANY:
    case FAULT_REFUSE: return c->count;
    case FAULT_REPEAT:
    case FAULT_FOREIGN:
    case FAULT_STALE_CALLER:
    case FAULT_EXTRA_YOUNGEST:
    case FAULT_EXTRA_CALLER:
    case FAULT_OWN_ON_TOP: return insert(frames, count, c->at, c->frame);
    case FAULT_SWAP:
        moved = frames[c->at];
        frames[c->at] = frames[c->with];
        frames[c->with] = moved;
        return count;
    case FAULT_NULL_ID:
    case FAULT_DANGLING_ID:
    case FAULT_BCI_NEXT:
    case FAULT_BCI_OTHER:
    case FAULT_BCI_RANGE:
    case FAULT_FLIP_NATIVE: frames[c->at] = c->frame; return count;
    case FAULT_OTHER_THREAD:
        for (int32_t i = 0; i < c->count; i++) frames[i] = thread->copy[i];
        return c->count;
    case FAULT_YOUNG_NATIVE: frames[2] = c->frame; return drop(frames, drop(frames, count, 0), 0);
    case FAULT_TRUST_SP:
    case FAULT_TRUST_ENV:
    case FAULT_REVIVE:
    case FAULT_CRASH:
    case FAULT_SPIN:
    case FAULT_COUNT: break;
    }
    return count;
}
