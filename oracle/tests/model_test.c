// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A model of a thread: random programs of calls, returns and exceptions, which change the trace
// stack as instrumented code does. After every step the true trace must be judged right, and the
// same trace with a random change must be judged wrong.
#include <string.h>

#include <criterion/criterion.h>

#include "oracle/oracle.h"

#define DEPTH_MAX 60   // frames of the modelled machine stack
#define PROGRAMS 300   // each with its own seed
#define STEPS 400      // in each program
#define LIES 4         // after each step
#define METHODS_ALL 6u // few, so that recursion is common
#define FOREIGN_ID 0x70u
#define OWN_ID 0x80u

struct model {
    uint64_t seed;
    struct oracle_stack stack;
    struct oracle_methods* methods;
    uintptr_t machine[DEPTH_MAX + 2]; // ids of the frames, oldest first
    int32_t site[DEPTH_MAX + 2];      // where each makes its call
    bool pushed[DEPTH_MAX + 2];
    uint32_t depth;
    uint32_t agreed, transitions, lies;
};

// xorshift64*: the program is a function of its seed alone.
static uint32_t below(struct model* model, uint32_t limit) {
    model->seed ^= model->seed >> 12;
    model->seed ^= model->seed << 25;
    model->seed ^= model->seed >> 27;
    return (uint32_t)((model->seed * UINT64_C(0x2545F4914F6CDD1D)) >> 33) % limit;
}

static uintptr_t id_of(uint32_t number) {
    return number * (uintptr_t)8 + 0x1000;
}

static uint32_t number_of(uintptr_t id) {
    return id < 0x1000 ? 0 : (uint32_t)((id - 0x1000) / 8);
}

static void open_model(struct model* model, uint64_t seed) {
    *model = (struct model){.seed = seed * UINT64_C(0x9E3779B97F4A7C15) + 1};
    cr_assert_eq(oracle_stack_init(&model->stack, DEPTH_MAX * 6), 0);
    model->methods = oracle_methods_open();
    cr_assert_not_null(model->methods);
    for (uint32_t n = 1; n <= METHODS_ALL; n++) oracle_methods_bind(model->methods, id_of(n), n);
    oracle_methods_bind(model->methods, FOREIGN_ID, ORACLE_FOREIGN);
    oracle_methods_bind(model->methods, OWN_ID, ORACLE_OWN);
}

static void close_model(struct model* model) {
    oracle_methods_close(model->methods);
    oracle_stack_free(&model->stack);
}

// ---- The truth, judged without the oracle's code ------------------------------------------------

// Copies the ids of the instrumented frames of a trace, youngest first, and returns their number.
static uint32_t strip(const struct oracle_frame* trace, uint32_t count, uintptr_t* ids) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (number_of(trace[i].method) != 0) ids[kept++] = trace[i].method;
    return kept;
}

static uint32_t entries(const struct model* model, uintptr_t* ids) {
    uint32_t kept = 0;
    for (uint32_t i = model->depth; i-- > 0;)
        if (model->pushed[i]) ids[kept++] = model->machine[i];
    return kept;
}

// Is the trace the entries, or the entries and one frame on top?
static bool may_be_true(const struct model* model, const struct oracle_frame* trace,
                        uint32_t count) {
    uintptr_t seen[DEPTH_MAX + 8], known[DEPTH_MAX + 2];
    uint32_t seen_count = strip(trace, count, seen);
    uint32_t known_count = entries(model, known);
    if (seen_count < known_count || seen_count > known_count + 1) return false;
    return memcmp(seen + (seen_count - known_count), known, known_count * sizeof(*known)) == 0;
}

// ---- Judging a step ---------------------------------------------------------------------------

static uint32_t walk(const struct model* model, bool in_native, struct oracle_frame* trace) {
    uint32_t count = 0;
    if (in_native) trace[count++] = (struct oracle_frame){OWN_ID, ORACLE_BCI_NATIVE, 0};
    for (uint32_t i = model->depth; i-- > 0;)
        trace[count++] = (struct oracle_frame){model->machine[i], model->site[i], 0};
    return count;
}

static enum oracle_verdict verdict_of(const struct model* model, const struct oracle_frame* trace,
                                      uint32_t count) {
    struct oracle_context context = {.in_transition_allowed = true};
    struct oracle_judgement judgement;
    return oracle_judge(&model->stack, model->methods, trace, count, &context, &judgement);
}

static uint32_t insert(struct oracle_frame* trace, uint32_t count, uint32_t at, uintptr_t id) {
    memmove(trace + at + 1, trace + at, (count - at) * sizeof(*trace));
    trace[at] = (struct oracle_frame){id, 0, 0};
    return count + 1;
}

// Makes one random change: drops, duplicates, swaps, inserts or replaces a frame, or cuts the end
// off. Returns the new length.
static uint32_t lie(struct model* model, struct oracle_frame* trace, uint32_t count) {
    uint32_t at = below(model, count);
    uint32_t other = below(model, count);
    struct oracle_frame frame = trace[at];
    switch (below(model, 6)) {
    case 0:
        memmove(trace + at, trace + at + 1, (count - at - 1) * sizeof(*trace));
        return count - 1;
    case 1: return insert(trace, count, at, frame.method);
    case 2:
        trace[at] = trace[other];
        trace[other] = frame;
        return count;
    case 3: return insert(trace, count, at, id_of(1 + below(model, METHODS_ALL)));
    case 4: trace[at].method = id_of(1 + below(model, METHODS_ALL)); return count;
    default: return at;
    }
}

static void judge_lies(struct model* model, const struct oracle_frame* truth, uint32_t count) {
    struct oracle_frame trace[DEPTH_MAX + 8];
    for (uint32_t i = 0; i < LIES && count != 0; i++) {
        memcpy(trace, truth, count * sizeof(*truth));
        uint32_t lied = lie(model, trace, count);
        if (may_be_true(model, trace, lied)) continue;
        enum oracle_verdict verdict = verdict_of(model, trace, lied);
        cr_assert(oracle_is_mismatch(verdict), "a lie is called %s", oracle_verdict_text(verdict));
        model->lies++;
    }
}

static void judge_step(struct model* model, bool in_native, enum oracle_verdict expected) {
    struct oracle_frame trace[DEPTH_MAX + 8];
    uint32_t count = walk(model, in_native, trace);
    enum oracle_verdict verdict = verdict_of(model, trace, count);
    cr_assert_eq(verdict, expected, "the truth is called %s, expected %s",
                 oracle_verdict_text(verdict), oracle_verdict_text(expected));
    if (verdict == ORACLE_AGREE) model->agreed++;
    if (verdict == ORACLE_TRANSITION) model->transitions++;
    judge_lies(model, trace, count);
}

// ---- The program --------------------------------------------------------------------------------

// Captures the gaps, as the agent does at some pushes.
static void capture(struct model* model) {
    struct oracle_frame trace[DEPTH_MAX + 8];
    struct oracle_context context = {0};
    uint32_t count = walk(model, true, trace);
    oracle_capture(&model->stack, model->methods, trace, count, &context);
}

static void call(struct model* model) {
    bool foreign = below(model, 3) == 0;
    uint32_t number = 1 + below(model, METHODS_ALL);
    if (model->depth != 0) model->site[model->depth - 1] = 1 + (int32_t)below(model, 9);
    model->site[model->depth] = 0;
    model->pushed[model->depth] = false;
    model->machine[model->depth++] = foreign ? FOREIGN_ID : id_of(number);
    if (foreign) return;
    judge_step(model, false, ORACLE_TRANSITION);
    judge_step(model, true, ORACLE_TRANSITION);
    oracle_push(&model->stack, number, model->depth * 100000);
    model->pushed[model->depth - 1] = true;
    if (below(model, 2) == 0) capture(model);
    judge_step(model, true, ORACLE_AGREE);
}

// A return, or an exception passing: the catch-all handler pops and rethrows.
static void leave(struct model* model) {
    uint32_t top = model->depth - 1;
    if (model->pushed[top]) {
        judge_step(model, true, ORACLE_AGREE);
        cr_assert(oracle_pop(&model->stack, number_of(model->machine[top])));
        model->pushed[top] = false;
        judge_step(model, true, ORACLE_TRANSITION);
        judge_step(model, false, ORACLE_TRANSITION);
    }
    model->depth--;
}

static void run_program(struct model* model) {
    uint32_t lean = 1 + below(model, 8); // bias to calling, so that all depths are reached
    for (uint32_t step = 0; step < STEPS; step++) {
        uint32_t dice = below(model, 16);
        if (model->depth < DEPTH_MAX && dice < 4 + lean) call(model);
        else if (dice < 15 && model->depth != 0) leave(model);
        else // thrown here, caught some frames below
            for (uint32_t n = below(model, model->depth + 1); n > 0; n--) leave(model);
        judge_step(model, false, ORACLE_AGREE);
    }
    while (model->depth != 0) leave(model);
}

Test(model, the_truth_is_called_true_and_a_lie_never, .timeout = 120) {
    uint64_t agreed = 0;
    uint64_t transitions = 0;
    uint64_t lies = 0;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        struct model model;
        open_model(&model, seed);
        run_program(&model);
        cr_assert_eq(oracle_top(&model.stack), 0, "seed %lu", (unsigned long)seed);
        cr_assert_eq(model.stack.misfit + model.stack.unwound, 0, "seed %lu", (unsigned long)seed);
        agreed += model.agreed;
        transitions += model.transitions;
        lies += model.lies;
        close_model(&model);
    }
    // A model in which nothing happens would be green too.
    cr_assert_gt(agreed, PROGRAMS * STEPS);
    cr_assert_gt(transitions, PROGRAMS * STEPS / 2);
    cr_assert_gt(lies, PROGRAMS * STEPS);
}
