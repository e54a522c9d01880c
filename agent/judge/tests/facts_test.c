// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The facts of a mismatch as the trace stack and the machine tell them.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "agent/classes/classes.h"
#include "agent/state/state.h"
#include "agent/threads/threads.h"
#include "fakejvm.h"
#include "parts.h"

static struct agent_thread* thread;

static void open_run(void) {
    agent.run = calloc(1, sizeof *agent.run);
    agent.methods = oracle_methods_open();
    agent.causes = (struct results_causes){.count = 0};
    thread = calloc(1, sizeof *thread);
    cr_assert(agent.run != NULL && agent.methods != NULL && thread != NULL);
    cr_assert_eq(oracle_stack_init(&thread->stack, 64), 0);
    for (uint32_t n = 1; n < 8; n++) oracle_methods_bind(agent.methods, 100 + n, n);
    oracle_methods_bind(agent.methods, 200, ORACLE_FOREIGN);
}

static void close_run(void) {
    oracle_stack_free(&thread->stack);
    oracle_methods_close(agent.methods);
    free(agent.run);
    free(thread);
}

TestSuite(facts, .init = open_run, .fini = close_run);

static struct results_facts facts_of(const struct oracle_judgement* j,
                                     const struct oracle_frame* frames, uint32_t count) {
    struct results_facts facts;
    facts_decide(thread,
                 &(struct facts_case){.layer = ORACLE_LAYER_SAFEPOINT,
                                      .judgement = j,
                                      .frames = frames,
                                      .count = count,
                                      .stack = RESULTS_STACK_TRUNCATED},
                 &facts);
    return facts;
}

Test(facts, the_answer_tells_place_loss_and_id) {
    struct oracle_frame frames[] = {{.method = 101}, {.method = 0}, {.method = 200}};
    struct oracle_judgement j = {
        .verdict = ORACLE_INVALID_ID, .expected = 3, .observed = 1, .difference = 1};
    struct results_facts f = facts_of(&j, frames, 3);
    cr_expect_eq(f.value[RESULTS_FACT_LAYER], ORACLE_LAYER_SAFEPOINT);
    cr_expect_eq(f.value[RESULTS_FACT_VERDICT], ORACLE_INVALID_ID);
    cr_expect_eq(f.value[RESULTS_FACT_STACK], RESULTS_STACK_TRUNCATED);
    cr_expect_eq(f.value[RESULTS_FACT_PLACE], RESULTS_PLACE_CALLER);
    cr_expect_eq(f.value[RESULTS_FACT_LOST], RESULTS_LOST_2);
    cr_expect_eq(f.value[RESULTS_FACT_ID], RESULTS_ID_NULL);
    agent.recoded = true;
    cr_expect_eq(facts_of(&j, frames, 3).value[RESULTS_FACT_ID], RESULTS_ID_NULL_RECODED);
    frames[1].method = 999;
    cr_expect_eq(facts_of(&j, frames, 3).value[RESULTS_FACT_ID], RESULTS_ID_UNANNOUNCED);
    agent.redefined = true;
    cr_expect_eq(facts_of(&j, frames, 3).value[RESULTS_FACT_ID], RESULTS_ID_REDEFINED);
    cr_expect_eq(f.value[RESULTS_FACT_OLDEST], RESULTS_OLDEST_FOREIGN);
    cr_expect_eq(f.value[RESULTS_FACT_KIND], RESULTS_CODE_NONE);
    j.expected = 0;
    j.observed = 9;
    j.difference = 7;
    f = facts_of(&j, frames, 1);
    cr_expect_eq(f.value[RESULTS_FACT_LOST], RESULTS_LOST_M3);
    cr_expect_eq(f.value[RESULTS_FACT_PLACE], RESULTS_PLACE_OLDER);
    cr_expect_eq(f.value[RESULTS_FACT_ID], RESULTS_ID_NONE);
    cr_expect_eq(f.value[RESULTS_FACT_OLDEST], RESULTS_OLDEST_INSTRUMENTED);
}

Test(facts, the_oldest_frame_may_be_a_method_handles) {
    static const struct oracle_sites opaque = {.flags = ORACLE_METHOD_OPAQUE};
    struct oracle_frame frames[] = {{.method = 101}, {.method = 200}};
    struct oracle_judgement j = {.verdict = ORACLE_MISSING};
    const jmethodID linker = (jmethodID)(uintptr_t)200, other = (jmethodID)(uintptr_t)101;
    agent.release = 16;
    linkers_note("Ljava/lang/invoke/LambdaForm;", &linker, 1);
    cr_expect_eq(facts_of(&j, frames, 2).value[RESULTS_FACT_OLDEST], RESULTS_OLDEST_FOREIGN);
    agent.release = 11;
    linkers_note("Ljava/lang/invoker/Case;", &other, 1);
    linkers_note("Ljava/lang/invoke/LambdaForm;", &linker, 1);
    cr_expect_eq(facts_of(&j, frames, 2).value[RESULTS_FACT_OLDEST], RESULTS_OLDEST_LINKER);
    cr_expect_eq(facts_of(&j, frames, 1).value[RESULTS_FACT_OLDEST], RESULTS_OLDEST_INSTRUMENTED);
    oracle_methods_bind(agent.methods, 201, ORACLE_FOREIGN);
    cr_expect_eq(oracle_methods_describe_sites(agent.methods, 201, &opaque), 0);
    frames[1].method = 201;
    cr_expect_eq(facts_of(&j, frames, 2).value[RESULTS_FACT_OLDEST], RESULTS_OLDEST_OPAQUE);
    frames[1].method = 999;
    cr_expect_eq(facts_of(&j, frames, 2).value[RESULTS_FACT_OLDEST], RESULTS_OLDEST_NONE);
    cr_expect_eq(facts_of(&j, frames, 0).value[RESULTS_FACT_OLDEST], RESULTS_OLDEST_NONE);
}

Test(facts, the_cause_is_that_of_the_first_signature_that_fits) {
    struct results_cause list[3] = {{.name = "unexplained"}, {.name = "a"}, {.name = "b"}};
    struct oracle_frame frames[] = {{.method = 101}};
    struct oracle_judgement j = {.verdict = ORACLE_PHANTOM};
    struct results_facts facts;
    for (int i = 1; i < 3; i++) {
        struct results_signature* s = &list[i].signatures[0];
        memset(s->allowed, 0xff, sizeof s->allowed);
        s->offset_last = UINT32_MAX;
        list[i].signature_count = 1;
        list[i].last = 99;
    }
    list[1].signatures[0].allowed[RESULTS_FACT_VERDICT] = 1u << ORACLE_MISSING;
    agent.causes = (struct results_causes){3, list};
    struct facts_case c = {
        .layer = ORACLE_LAYER_GST, .judgement = &j, .frames = frames, .count = 1};
    cr_expect_eq(facts_decide(thread, &c, &facts), 2);
    j.verdict = ORACLE_MISSING;
    cr_expect_eq(facts_decide(thread, &c, &facts), 1);
    agent.causes.count = 1;
    cr_expect_eq(facts_decide(thread, &c, &facts), RESULTS_UNEXPLAINED);
    facts_count(thread, ORACLE_LAYER_GST, ORACLE_MISSING, 1);
    facts_count(thread, ORACLE_LAYER_GST, ORACLE_ATTRIBUTION, 1);
    facts_count(thread, ORACLE_LAYER_GST, ORACLE_UNDECIDED, 1);
    cr_expect_eq(agent.run->layers[ORACLE_LAYER_GST].cause[1], 1, "walking errors alone");
}

Test(facts, errors_of_one_cause_that_follow_each_other_are_one_burst) {
    struct results_layer* gst = &agent.run->layers[ORACLE_LAYER_GST];
    uint64_t* began = thread->burst_ns[ORACLE_LAYER_GST];
    for (int i = 0; i < 3; i++) facts_count(thread, ORACLE_LAYER_GST, ORACLE_MISSING, 1);
    cr_expect_eq(gst->cause[1], 3);
    cr_expect_eq(gst->bursts[1], 1);
    facts_count(thread, ORACLE_LAYER_GST, ORACLE_MISSING, 2);
    cr_expect_eq(gst->bursts[2], 1, "another cause");
    began[1] -= RESULTS_BURST_NS;
    facts_count(thread, ORACLE_LAYER_GST, ORACLE_MISSING, 1);
    cr_expect_eq(gst->bursts[1], 2, "as long as the burst may last, after it began");
}

// ---- The machine --------------------------------------------------------------------------------

#if defined(__aarch64__)
#define IN_CALL_STUB RESULTS_FRAME_CALL_STUB
#else
#define IN_CALL_STUB RESULTS_FRAME_PARTIAL // not told there
#endif

static uint8_t frame_at(enum results_region region, const uint32_t* pc) {
    static const struct oracle_frame frames[] = {{.method = 101}};
    static const struct oracle_judgement j = {.verdict = ORACLE_MISSING};
    const struct code_place place = {.kind = RESULTS_CODE_C1_1, .region = region};
    struct results_facts facts;
    facts_decide(thread,
                 &(struct facts_case){.layer = ORACLE_LAYER_ASYNC,
                                      .judgement = &j,
                                      .frames = frames,
                                      .count = 1,
                                      .place = &place,
                                      .pc = (uintptr_t)pc},
                 &facts);
    return facts.value[RESULTS_FACT_FRAME];
}

Test(facts, the_stub_of_a_static_call_lies_behind_a_methods_code) {
    // mov x0, x1; isb; movz and movk of x12 and x8; br x8
    static const uint32_t code[] = {0xaa0103e0, 0xd5033fdf, 0xd283f50c, 0xf2ac080c, 0xf2c00aac,
                                    0xd29f3a88, 0xf2a3bbc8, 0xf2c00aa8, 0xd61f0100, 0xaa0103e0};
    cr_expect_eq(frame_at(RESULTS_REGION_AFTER, code + 1), IN_CALL_STUB);
    cr_expect_eq(frame_at(RESULTS_REGION_AFTER, code + 8), IN_CALL_STUB);
    cr_expect_eq(frame_at(RESULTS_REGION_AFTER, code), RESULTS_FRAME_PARTIAL);
    cr_expect_eq(frame_at(RESULTS_REGION_BODY, code + 1), RESULTS_FRAME_PARTIAL);
}

#if defined(__aarch64__)
// What is said of the stack pointer of the compiled code that called code of this kind, which has
// made its frame.
static uint8_t pointer_at(enum results_code_kind kind) {
    static const struct oracle_frame frames[] = {{.method = 101}};
    static const struct oracle_judgement j = {.verdict = ORACLE_TRUNCATED};
    _Alignas(16) uintptr_t stack[64] = {0};
    const struct fake_deoptimised fake = fake_deoptimise(stack + 64, 300);
    const struct code_place place = {.kind = kind};
    ucontext_t context = {.uc_mcontext = {.sp = (uintptr_t)stack, .pc = (uintptr_t)frames}};
    struct results_facts facts;
    context.uc_mcontext.regs[29] = (uintptr_t)&stack[2];
    stack[2] = (uintptr_t)&stack[20];
    stack[3] = context.uc_mcontext.regs[30] = fake.handler;
    thread->hotspot = fake.thread;
    facts_decide(thread,
                 &(struct facts_case){.layer = ORACLE_LAYER_ASYNC,
                                      .judgement = &j,
                                      .frames = frames,
                                      .count = 1,
                                      .place = &place,
                                      .pc = (uintptr_t)frames,
                                      .ucontext = &context},
                 &facts);
    cr_expect_eq(facts.value[RESULTS_FACT_CALLER], RESULTS_CODE_C2);
    cr_expect_eq(facts.value[RESULTS_FACT_CHAIN], RESULTS_CHAIN_OWN);
    return facts.value[RESULTS_FACT_POINTER];
}

Test(facts, nothing_tells_the_stack_pointer_of_code_that_called_a_library) {
    cr_expect_eq(pointer_at(RESULTS_CODE_JVM), RESULTS_POINTER_RECORD);
    cr_expect_eq(pointer_at(RESULTS_CODE_NATIVE), RESULTS_POINTER_RECORD);
    cr_expect_eq(pointer_at(RESULTS_CODE_INTERPRETER), RESULTS_POINTER_NONE);
}
#endif

// ---- The stack under a walk's end ---------------------------------------------------------------

// Where four compiled frames pushed from. All frames are smaller than the distance of a push.
static const uint32_t pushed_from[] = {0, 6, 12, 16}; // words, youngest first
#define FIRST_LOST 12u
#define WRAPPER_WORDS 10u
#define INTERPRETED_WORDS 18u // from a push's frame up to its caller's, if the interpreter ran it

// What a walk that gave two frames says of a stack on which a deoptimised frame's callee returns at
// the word of that number.
static uint32_t under_of(uint32_t word) {
    _Alignas(16) uintptr_t stack[64] = {0}; // the facts' own frames lie below it
    const struct oracle_frame frames[] = {{.method = 101}, {.method = 102}};
    const struct oracle_judgement j = {
        .verdict = ORACLE_TRUNCATED, .expected = 4, .observed = 2, .difference = 2};
    const struct fake_deoptimised fake = fake_deoptimise(stack + 64, 300);
    oracle_methods_bind(agent.methods, 300, ORACLE_OWN);
    thread->hotspot = fake.thread;
    attribution_learn(&(struct code_place){
        .kind = RESULTS_CODE_NATIVE_WRAPPER, .frame_words = WRAPPER_WORDS, .method = fake.owner});
    for (uint32_t i = 4; i-- > 0;)
        oracle_push(&thread->stack, i + 1, natives_position((uintptr_t)&stack[pushed_from[i]]));
    stack[word] = fake.handler;
    uint32_t under = facts_of(&j, frames, 2).under;
    for (uint32_t i = 1; i <= 4; i++) oracle_pop(&thread->stack, i);
    return under;
}

Test(facts, a_deoptimised_caller_is_found_under_a_push_through_the_wrapper) {
    uint32_t pointer = FIRST_LOST + WRAPPER_WORDS + MACHINE_ENTRY_WORDS;
    cr_expect_eq(under_of(pointer - 1), 1u << RESULTS_UNDER_DEOPT);
}

Test(facts, a_deoptimised_caller_is_found_under_a_push_that_the_interpreter_ran) {
    uint32_t pointer = FIRST_LOST + INTERPRETED_WORDS;
    cr_expect_eq(under_of(pointer - 1), 1u << RESULTS_UNDER_DEOPT, "its callee is compiled");
    cr_expect_eq(under_of(pointer - 4), 1u << RESULTS_UNDER_DEOPT, "its callee is interpreted");
    cr_expect_eq(under_of(pointer), 0, "an older frame's");
}
