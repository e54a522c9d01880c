// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#define BCI_PUSH 3 // of the call, in the sequence [0, 6)
#define BCI_BODY RULE_PUSH_LENGTH
#define BCI_POP (RULE_POP + 3) // in its sequence, which is as long as the push's
#define BCI_HANDLER 57

// ---- Chance -------------------------------------------------------------------------------------

// xorshift64*: the program is a function of its seed alone.
uint32_t program_random(struct program* p, uint32_t limit) {
    p->random ^= p->random >> 12;
    p->random ^= p->random << 25;
    p->random ^= p->random >> 27;
    return (uint32_t)((p->random * UINT64_C(0x2545F4914F6CDD1D)) >> 33) % limit;
}

static bool one_in(struct program* p, uint32_t n) {
    return n != 0 && program_random(p, n) == 0;
}

// ---- Telling ------------------------------------------------------------------------------------

static void tell_frame(char** at, const char* end, uintptr_t id, int32_t bci) {
    switch (rule_kind_of(id)) {
    case RULE_INSTRUMENTED:
        *at += snprintf(*at, (size_t)(end - *at), " %u@%d", (unsigned)(id - 0x1000) / 8, bci);
        break;
    case RULE_FOREIGN: *at += snprintf(*at, (size_t)(end - *at), " ."); break;
    case RULE_OWN: *at += snprintf(*at, (size_t)(end - *at), " !"); break;
    case RULE_UNKNOWN: *at += snprintf(*at, (size_t)(end - *at), " ?"); break;
    }
}

_Noreturn void program_fail(const struct program* p, const char* what,
                            const struct oracle_frame* trace, uint32_t count) {
    static char text[8192];
    char* at = text;
    const char* end = text + sizeof text;
    at += snprintf(at, sizeof text, "entries:");
    for (uint32_t i = p->entry_count; i-- > 0;)
        at += snprintf(at, (size_t)(end - at), " %u", p->entries[i]);
    at += snprintf(at, (size_t)(end - at), " (beyond %u, base %u), trace:", p->beyond, p->base);
    for (uint32_t i = 0; i < count; i++) tell_frame(&at, end, trace[i].method, trace[i].bci);
    at += snprintf(at, (size_t)(end - at), ", real:");
    for (uint32_t i = p->depth; i-- > 0;) {
        tell_frame(&at, end, p->frames[i].id, p->frames[i].bci);
        at += snprintf(at, (size_t)(end - at), "%c", "-exo"[p->frames[i].state]);
    }
    cr_assert(false, "PLUMBLINE_SEED=%lu step %lu: %s; youngest first: %s", (unsigned long)p->seed,
              (unsigned long)p->step, what, text);
    abort(); // cr_assert does not return, but its declaration does not say so
}

// ---- The two stacks -----------------------------------------------------------------------------

uint32_t program_walk(const struct program* p, struct oracle_frame* trace) {
    uint32_t count = 0;
    if (p->native) trace[count++] = (struct oracle_frame){RULE_OWN_ID, ORACLE_BCI_NATIVE, 0};
    for (uint32_t i = p->depth; i-- > 0;)
        trace[count++] = (struct oracle_frame){p->frames[i].id, p->frames[i].bci, 0};
    return count;
}

struct rule_stack program_entries(const struct program* p) {
    return (struct rule_stack){.entries = p->entries, .count = p->entry_count, .beyond = p->beyond};
}

bool program_has_gaps(const struct program* p) {
    for (uint32_t end = oracle_top(&p->stack); end != 0; end = oracle_below(&p->stack, end))
        if (oracle_below(&p->stack, end) != end - 1) return true;
    return false;
}

bool program_is_exact(const struct program* p) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < p->depth; i++) {
        if (p->frames[i].state != PROGRAM_PUSHED) continue;
        if (at < p->entry_count && p->entries[at] != p->frames[i].number) return false;
        at++;
    }
    return at == p->entry_count + p->beyond;
}

bool program_in_transition(const struct program* p) {
    for (uint32_t i = 0; i < p->depth; i++)
        if (p->frames[i].state == PROGRAM_ENTERED || p->frames[i].state == PROGRAM_POPPED)
            return true;
    return false;
}

bool program_in_upcall(const struct program* p) {
    for (uint32_t i = 0; i + 1 < p->depth; i++)
        if (p->frames[i].state == PROGRAM_ENTERED) return true;
    return false;
}

// The entries and `beyond` of the trace stack must equal those of the list.
static void compare(const struct program* p) {
    uint32_t end = oracle_top(&p->stack);
    for (uint32_t i = p->entry_count; i-- > 0; end = oracle_below(&p->stack, end))
        if (end == 0 || p->stack.frames[end - 1].number != p->entries[i])
            program_fail(p, "the trace stack is not the list of entries", NULL, 0);
    if (end != 0 || p->stack.beyond != p->beyond)
        program_fail(p, "the trace stack has more than the list of entries", NULL, 0);
}

static void look(struct program* p) {
    compare(p);
    p->counts.looks++;
    // An entry that was left behind may stand for an equal one with another position.
    if (program_is_exact(p) && !p->blurred) p->excuse = PROGRAM_EXACT;
    else if (p->excuse == PROGRAM_EXACT)
        program_fail(p, "the entries are not the pushed frames", NULL, 0);
    p->counts.inexact += !program_is_exact(p);
    p->look(p);
}

// ---- The list of entries ------------------------------------------------------------------------

static uint32_t slots_used(const struct program* p) {
    uint32_t used = p->entry_count;
    for (uint32_t i = 0; i < p->entry_count; i++) used += p->gaps[i];
    return used;
}

static bool is_too_deep(const struct program* p, uint32_t entry, uint32_t position) {
    return (int32_t)(p->positions[entry] - position) > ORACLE_POSITION_SLACK;
}

// Drops the entries that lie too deep, and the entries above them.
static void unwind_list(struct program* p, uint32_t position) {
    uint32_t count = p->entry_count;
    while (p->entry_count > 0 && is_too_deep(p, p->entry_count - 1, position)) p->entry_count--;
    if (p->entry_count != count) p->beyond = 0;
}

static void push_on_list(struct program* p, uint32_t number, uint32_t position) {
    unwind_list(p, position);
    if (slots_used(p) == p->stack.capacity) {
        p->beyond++;
        p->counts.overflows++;
        return;
    }
    p->positions[p->entry_count] = position;
    p->gaps[p->entry_count] = 0;
    p->entries[p->entry_count++] = number;
}

// The number of entries up to and including the youngest of `number`; 0: there is none.
static uint32_t find_on_list(const struct program* p, uint32_t number) {
    uint32_t at = p->entry_count;
    while (at > 0 && p->entries[at - 1] != number) at--;
    return at;
}

static void pop_on_list(struct program* p, uint32_t number) {
    uint32_t found = find_on_list(p, number);
    if (p->beyond > 0) p->beyond--;
    else if (found > 0) p->entry_count = found - 1;
}

// Drops the entries above the youngest of `number`. Returns whether there is one and only
// constructors were dropped.
static bool caught_on_list(struct program* p, uint32_t number) {
    uint32_t found = find_on_list(p, number);
    bool right = found > 0;
    if (p->beyond > 0) return true;
    for (uint32_t i = found; i < p->entry_count; i++) right &= p->entries[i] >= RULE_CONSTRUCTORS;
    if (found > 0) p->entry_count = found;
    return right;
}

// ---- The agent's natives ------------------------------------------------------------------------

// Captures the gaps that the true trace shows.
static void capture(struct program* p) {
    struct oracle_frame trace[PROGRAM_FRAMES + 1];
    struct oracle_context context = {.base = p->base};
    uint32_t count = program_walk(p, trace);
    p->counts.gaps += oracle_capture(&p->stack, p->methods, trace, count, &context);
    uint32_t entry = p->entry_count;
    for (uint32_t end = oracle_top(&p->stack); end != 0; end = oracle_below(&p->stack, end))
        p->gaps[--entry] = end - 1 - oracle_below(&p->stack, end);
}

// Mends the trace stack by the true trace. oracle_mend must succeed if and only if the rule says
// that mending is possible.
static void mend(struct program* p, const struct oracle_frame* trace, uint32_t count) {
    struct rule_stack entries = program_entries(p);
    struct rule_trace observed = {.frames = trace, .count = count, .base = p->base};
    struct oracle_context context = {.base = p->base};
    bool possible = rule_can_mend(&entries, &observed);
    if (oracle_mend(&p->stack, p->methods, trace, count, &context) != possible)
        program_fail(p, possible ? "not mended" : "mended, though nothing can be", trace, count);
    if (!possible) {
        if (!program_is_exact(p)) p->excuse = PROGRAM_OUT_OF_REACH;
        return;
    }
    p->counts.mended += p->entry_count - oracle_top(&p->stack);
    p->entry_count = oracle_top(&p->stack);
    for (uint32_t i = 0; i < p->entry_count; i++) {
        p->entries[i] = (uint32_t)p->stack.frames[i].number;
        p->positions[i] = p->stack.frames[i].position;
        p->gaps[i] = 0; // forgotten
    }
    entries = program_entries(p);
    if (rule_judge(&entries, &observed) != RULE_AGREE)
        program_fail(p, "mended, but does not agree", trace, count);
    // Mending confuses frames of the base with entries, and numbers that share an id.
    if (program_is_exact(p)) return;
    p->excuse = PROGRAM_OUT_OF_REACH;
    p->blurred = true;
}

// Compares GetStackTrace, which is the true trace, with the trace stack, and mends if necessary.
static enum oracle_verdict check(struct program* p) {
    struct oracle_frame trace[PROGRAM_FRAMES + 1];
    struct oracle_context context = {.base = p->base};
    struct oracle_judgement judgement;
    uint32_t count = program_walk(p, trace);
    p->counts.checks++;
    enum oracle_verdict verdict =
        oracle_judge(&p->stack, p->methods, trace, count, &context, &judgement);
    if (p->excuse == PROGRAM_EXACT && oracle_is_mismatch(verdict) && p->odds.nameless == 0)
        program_fail(p, "the oracle accuses GetStackTrace", trace, count);
    if (verdict == ORACLE_MISSING || verdict == ORACLE_TRUNCATED) mend(p, trace, count);
    return verdict;
}

static void push(struct program* p) {
    struct program_frame* top = &p->frames[p->depth - 1];
    // Frames move when they are compiled, by less than the slack.
    uint32_t position = top->position + program_random(p, ORACLE_POSITION_SLACK / 8);
    top->bci = BCI_PUSH;
    look(p);
    p->native = true;
    look(p);
    oracle_push(&p->stack, top->number, position);
    push_on_list(p, top->number, position);
    top->state = PROGRAM_PUSHED;
    look(p);
    if (one_in(p, p->odds.checks) && check(p) == ORACLE_AGREE && p->beyond == 0 &&
        program_is_exact(p) && one_in(p, p->odds.gaps))
        capture(p);
    look(p);
    p->native = false;
    top->bci = BCI_BODY;
    look(p);
}

static void misfit(struct program* p, uint32_t number) {
    bool right = caught_on_list(p, number);
    if (oracle_caught(&p->stack, p->methods, number) != right)
        program_fail(p, "oracle_caught gives the wrong result", NULL, 0);
    // Only constructors vanish, but a wrong `beyond` may leave entries of other methods behind.
    if (!right && !p->blurred && p->stack.overflow == 0)
        program_fail(p, "the ground layer failed", NULL, 0);
}

// A pop without looks and checks.
static void pop_once(struct program* p, uint32_t number) {
    if (!oracle_fits(&p->stack, number)) misfit(p, number);
    oracle_pop(&p->stack, number);
    pop_on_list(p, number);
}

static void pop(struct program* p) {
    struct program_frame* top = &p->frames[p->depth - 1];
    top->bci = BCI_POP;
    look(p);
    p->native = true;
    look(p);
    if (one_in(p, p->odds.checks)) check(p);
    look(p);
    pop_once(p, top->number);
    top->state = PROGRAM_POPPED;
    look(p);
    p->native = false;
    look(p);
}

// Whether the truth agrees with the entries, because a frame of the base stands for an entry that
// vanished.
static bool agrees(const struct program* p) {
    struct oracle_frame trace[PROGRAM_FRAMES + 1];
    struct rule_stack entries = program_entries(p);
    struct rule_trace observed = {
        .frames = trace, .count = program_walk(p, trace), .base = p->base};
    return rule_judge(&entries, &observed) == RULE_AGREE;
}

static void caught(struct program* p) {
    struct program_frame* top = &p->frames[p->depth - 1];
    top->bci = BCI_HANDLER;
    look(p);
    p->native = true;
    look(p);
    if (!oracle_fits(&p->stack, top->number)) misfit(p, top->number);
    look(p);
    if (oracle_top_may_vanish(&p->stack, p->methods)) check(p);
    bool known = p->beyond == 0 && !program_in_upcall(p) && p->base_left == p->base &&
                 (p->base == 0 || !agrees(p));
    if (!known && p->excuse == PROGRAM_IN_FLIGHT) p->excuse = PROGRAM_OUT_OF_REACH;
    if (p->excuse == PROGRAM_IN_FLIGHT && !program_is_exact(p))
        program_fail(p, "vanished entries are left after caught", NULL, 0);
    look(p);
    p->native = false;
    look(p);
}

// ---- The JVM ------------------------------------------------------------------------------------

static struct program_frame* top_of(struct program* p) {
    return p->depth == 0 ? NULL : &p->frames[p->depth - 1];
}

static struct program_frame* enter(struct program* p, uint32_t number, uintptr_t id) {
    static const uint32_t sizes[] = {0, 3, 20, 2 * ORACLE_POSITION_SLACK}; // 0: inlined
    struct program_frame* caller = top_of(p);
    uint32_t position = caller != NULL ? caller->position : 1000;
    if (caller != NULL && caller->state != PROGRAM_ENTERED &&
        rule_kind_of(caller->id) != RULE_UNKNOWN)
        caller->bci = caller->id == RULE_NATIVE_ID
                          ? ORACLE_BCI_NATIVE
                          : BCI_BODY + (int32_t)program_random(p, BCI_POP - 3 - BCI_BODY);
    struct program_frame* frame = &p->frames[p->depth++];
    *frame = (struct program_frame){.id = id,
                                    .number = number,
                                    .position = position + sizes[program_random(p, 4)],
                                    .state = number != 0 ? PROGRAM_ENTERED : PROGRAM_OUTSIDE,
                                    .bci = id == RULE_NATIVE_ID ? ORACLE_BCI_NATIVE : 0};
    p->counts.calls++;
    return frame;
}

static uint32_t any_number(struct program* p) {
    uint32_t number = 1 + program_random(p, RULE_CONSTRUCTORS - 13); // few, to get recursion
    if (one_in(p, 3)) number = RULE_CONSTRUCTORS + program_random(p, 4);
    if (one_in(p, p->odds.nameless)) number = RULE_NAMELESS;
    return number;
}

static void call(struct program* p) {
    struct program_frame* caller = top_of(p);
    bool constructor = caller != NULL && caller->number >= RULE_CONSTRUCTORS;
    if (constructor && caller->state == PROGRAM_PUSHED && !caller->super_done &&
        p->odds.vanish != 0)
        caller->in_super = one_in(p, 2);
    if (one_in(p, 4)) {
        enter(p, 0, one_in(p, 3) ? RULE_NATIVE_ID : RULE_FOREIGN_ID);
        look(p);
        return;
    }
    uint32_t number = any_number(p);
    // A call of super(). Half of the time it is the same constructor again, as if another instance
    // were created in the arguments.
    if (constructor && caller->in_super)
        number = one_in(p, 2) ? caller->number : RULE_CONSTRUCTORS + program_random(p, 4);
    // A nameless method is seen under another method's id, as in a redefined class.
    enter(p, number, rule_id_of(number == RULE_NAMELESS ? 1 : number));
    look(p);
}

static void end_thread(struct program* p) {
    static const uintptr_t base_ids[] = {
        RULE_FOREIGN_ID, RULE_NATIVE_ID, 0,
        RULE_STRANGE_ID, 0x1000 + 8 * 1, 0x1000 + 8 * RULE_CONSTRUCTORS};
    oracle_stack_reset(&p->stack);
    p->entry_count = p->beyond = p->base = p->depth = 0;
    p->excuse = PROGRAM_EXACT;
    p->blurred = false;
    p->counts.threads++;
    if (one_in(p, p->odds.base)) p->base = 1 + program_random(p, PROGRAM_BASE);
    for (uint32_t i = 0; i < p->base; i++) {
        struct program_frame* frame = enter(p, 0, base_ids[program_random(p, 6)]);
        if (frame->bci == 0) frame->bci = BCI_BODY;
    }
    p->base_left = p->base;
    if (p->base != 0) p->counts.bases++;
    look(p);
}

// Drops the frame on top. `returned`: normally, so the call in the frame below has returned.
static void drop_frame(struct program* p, bool returned) {
    p->depth--;
    if (p->depth < p->base_left) p->base_left = p->depth;
    struct program_frame* top = top_of(p);
    if (returned && top != NULL && top->in_super) {
        top->in_super = false;
        top->super_done = true;
    }
}

// ---- Exceptions ---------------------------------------------------------------------------------

// An exception has arrived in the frame on top. Runs its handlers, of which the last one pops.
// Returns whether one of them catches the exception.
static bool handle(struct program* p) {
    struct program_frame* top = top_of(p);
    top->bci = BCI_HANDLER;
    look(p);
    if (one_in(p, 4)) { // the handler that ends a synchronized block, without `caught`
        p->counts.silent_handlers++;
        look(p);
    }
    if (one_in(p, 5)) {
        caught(p);
        p->counts.catches++;
        return true;
    }
    if (one_in(p, 4) && p->depth + 1 < PROGRAM_FRAMES) { // a finally block that makes a call
        caught(p);
        enter(p, 1, rule_id_of(1));
        push(p);
        pop(p);
        drop_frame(p, false);
        look(p);
    }
    caught(p);
    if (one_in(p, p->odds.lost_pops)) { // the pop and the pop of the handler both overflowed
        p->counts.lost++;
        p->blurred = true;
        p->excuse = PROGRAM_OUT_OF_REACH;
        return false;
    }
    pop(p);
    if (one_in(p, p->odds.lost_pops)) { // the pop ran and then threw, so the handler pops again
        p->counts.lost++;
        p->blurred = true;
        p->excuse = PROGRAM_OUT_OF_REACH;
        p->native = true;
        pop_once(p, top->number);
        p->native = false;
    }
    return false;
}

// Whether the frame on top stops the exception.
static bool stops(struct program* p) {
    struct program_frame* top = top_of(p);
    if (top->state == PROGRAM_PUSHED && !top->in_super) return handle(p);
    if (top->state == PROGRAM_PUSHED) {
        p->counts.vanished++;
        p->excuse = p->excuse == PROGRAM_OUT_OF_REACH ? p->excuse : PROGRAM_IN_FLIGHT;
        return false;
    }
    // The VM drops an exception of an upcall; native code and uninstrumented methods may catch it.
    if (top->state == PROGRAM_OUTSIDE && !one_in(p, 6)) return false;
    if (p->excuse == PROGRAM_IN_FLIGHT) p->excuse = PROGRAM_OUT_OF_REACH;
    p->counts.outside_catches++;
    return true;
}

static void throw(struct program * p) {
    p->counts.throws++;
    while (p->depth != 0 && !stops(p)) {
        drop_frame(p, false);
        look(p);
    }
    if (p->depth == 0) end_thread(p);
}

// The call of push overflowed: the frame leaves without a push.
static void leave_unpushed(struct program* p) {
    p->counts.unpushed++;
    drop_frame(p, false);
    look(p);
    throw(p);
}

// ---- A step -------------------------------------------------------------------------------------

static void leave(struct program* p) {
    struct program_frame* top = top_of(p);
    if (top->state == PROGRAM_PUSHED) pop(p);
    if (top->state == PROGRAM_POPPED && one_in(p, 64)) {
        drop_frame(p, false); // IllegalMonitorStateException
        look(p);
        throw(p);
        return;
    }
    drop_frame(p, true);
    p->counts.returns++;
    look(p);
}

static void begin(struct program* p) {
    struct program_frame* top = top_of(p);
    if (p->depth + 3 < PROGRAM_FRAMES && (top->bci == 0 || top->bci == BCI_PUSH) &&
        one_in(p, p->odds.upcall)) {
        if (one_in(p, 2)) top->bci = BCI_PUSH;
        p->counts.upcalls++;
        call(p);
    } else if (one_in(p, 50)) {
        leave_unpushed(p);
    } else {
        push(p);
    }
}

static void step(struct program* p, uint32_t lean) {
    uint32_t dice = program_random(p, 16);
    bool room = p->depth + 2 < PROGRAM_FRAMES && p->entry_count + 2 < PROGRAM_ENTRIES;
    p->step++;
    if (p->depth == 0 && one_in(p, 3)) end_thread(p);
    else if (p->depth != 0 && top_of(p)->state == PROGRAM_ENTERED) begin(p);
    else if (p->depth == 0 || (room && dice < 5 + lean)) call(p);
    else if (one_in(p, p->odds.throws)) throw(p);
    else leave(p);
}

// ---- A program ----------------------------------------------------------------------------------

// Code with a push sequence at its start and a pop sequence.
static struct oracle_code* make_code(bool may_vanish) {
    struct oracle_code* code = malloc(sizeof *code + 2 * sizeof code->ranges[0]);
    cr_assert_not_null(code);
    *code = (struct oracle_code){
        .length = RULE_CODE_LENGTH, .may_vanish = may_vanish, .range_count = 2};
    code->ranges[0] = (struct oracle_range){0, BCI_BODY};
    code->ranges[1] = (struct oracle_range){RULE_POP, RULE_POP + RULE_PUSH_LENGTH};
    return code;
}

void program_open(struct program* p, uint64_t seed, const struct program_odds* odds,
                  uint32_t capacity, void (*judge)(struct program* program)) {
    *p = (struct program){.seed = seed,
                          .random = seed * UINT64_C(0x9E3779B97F4A7C15) + 1,
                          .odds = *odds,
                          .look = judge};
    cr_assert_eq(oracle_stack_init(&p->stack, capacity), 0);
    p->methods = oracle_methods_open();
    cr_assert_not_null(p->methods);
    p->codes[0] = make_code(false);
    p->codes[1] = make_code(true);
    for (uint32_t n = 1; n < RULE_METHODS; n++) {
        if (rule_id_of(n) != 0) oracle_methods_bind(p->methods, rule_id_of(n), n);
        oracle_methods_describe(p->methods, n, p->codes[n >= RULE_CONSTRUCTORS]);
    }
    oracle_methods_bind(p->methods, RULE_FOREIGN_ID, ORACLE_FOREIGN);
    oracle_methods_bind(p->methods, RULE_NATIVE_ID, ORACLE_FOREIGN);
    oracle_methods_bind(p->methods, RULE_OWN_ID, ORACLE_OWN);
    end_thread(p);
}

void program_close(struct program* p) {
    oracle_methods_close(p->methods);
    oracle_stack_free(&p->stack);
    free(p->codes[0]);
    free(p->codes[1]);
}

void program_run(struct program* p, uint32_t steps) {
    uint32_t lean = program_random(p, 6); // bias to calling, so that all depths are reached
    for (uint32_t i = 0; i < steps; i++) step(p, lean);
    while (p->depth != 0) {
        if (top_of(p)->state == PROGRAM_ENTERED) push(p);
        leave(p);
    }
}
