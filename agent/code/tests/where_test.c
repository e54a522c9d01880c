// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Where a thread is, told from a made-up thread: its registers, one interpreted frame on its stack,
// its anchor. No code cache is there but an interpreter.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "code.h"
#include "codetables.h"
#include "agent/state/state.h"

#define ID 0x222u
#define OWN_ID 0x111u
#define CODE_BYTES 40
#define FRAME 60u // index of the frame pointer in the stack

struct constant {
    uint64_t pool;
    uint16_t number, length;
    uint32_t unused;
    uint8_t bytecodes[CODE_BYTES];
};
struct thread {
    int32_t state, unused;
    uint64_t anchor[3]; // sp, pc, fp
    uint64_t stack_base, stack_size;
};

static struct constant constant, own_constant;
static uint64_t method[1], own_method[1];
static uint64_t stack[100];
static struct thread thread;
static ucontext_t context;
static struct code_place interpreter;
static uint64_t pool, holder, ids[] = {2, OWN_ID, ID};

static void place_field(enum layout_field field, size_t offset, size_t width) {
    code.layout.field[field].offset = (uint16_t)offset;
    code.layout.field[field].width = (uint8_t)width;
}

static void lay_out(void) {
    place_field(LAYOUT_CONST_METHOD, 0, 8);
    place_field(LAYOUT_CONSTANTS, offsetof(struct constant, pool), 8);
    place_field(LAYOUT_ID_NUMBER, offsetof(struct constant, number), 2);
    place_field(LAYOUT_CODE_SIZE, offsetof(struct constant, length), 2);
    place_field(LAYOUT_POOL_HOLDER, 0, 8);
    place_field(LAYOUT_HOLDER_IDS, 0, 8);
    place_field(LAYOUT_THREAD_STATE, offsetof(struct thread, state), 4);
    place_field(LAYOUT_THREAD_ANCHOR, offsetof(struct thread, anchor), 16);
    place_field(LAYOUT_ANCHOR_SP, 0, 8);
    place_field(LAYOUT_ANCHOR_PC, 8, 8);
    place_field(LAYOUT_ANCHOR_FP, 16, 8);
    place_field(LAYOUT_STACK_BASE, offsetof(struct thread, stack_base), 8);
    place_field(LAYOUT_STACK_SIZE, offsetof(struct thread, stack_size), 8);
    code.const_method_size = offsetof(struct constant, bytecodes);
}

static uint64_t bytecode(uint32_t bci) {
    return (uintptr_t)constant.bytecodes + bci;
}

#if defined(__x86_64__)
enum { SP = REG_RSP, FP = REG_RBP, BCP = REG_R13, METHOD = REG_RBX };
#elif defined(__aarch64__)
enum { SP = 31, FP = 29, BCP = 22, METHOD = 12 };
#endif

static void set_register(int which, uint64_t value) {
#if defined(__x86_64__)
    context.uc_mcontext.gregs[which] = (greg_t)value;
#elif defined(__aarch64__)
    if (which == SP) context.uc_mcontext.sp = value;
    else context.uc_mcontext.regs[which] = value;
#endif
}

// Interpreted, at bci 9: the register says so, and the frame keeps the bci of its last call, 5.
static void open_thread(void) {
    memset(&code, 0, sizeof code);
    lay_out();
    code.interpreter = (struct code_range){0x7000000, 0x7010000};
    code.usable = true;
    pool = (uintptr_t)&holder;
    holder = (uintptr_t)ids;
    constant = (struct constant){.pool = (uintptr_t)&pool, .number = 1, .length = CODE_BYTES};
    own_constant = (struct constant){.pool = (uintptr_t)&pool, .number = 0};
    method[0] = (uintptr_t)&constant;
    own_method[0] = (uintptr_t)&own_constant;
    agent.methods = oracle_methods_open();
    oracle_methods_bind(agent.methods, ID, 5);
    oracle_methods_bind(agent.methods, OWN_ID, ORACLE_OWN);
    thread = (struct thread){.state = 8, // in Java
                             .stack_base = (uintptr_t)(stack + 100),
                             .stack_size = sizeof stack};
    memset(stack, 0, sizeof stack);
    stack[FRAME - 3] = (uintptr_t)method;
    stack[FRAME - 8] = bytecode(5);
    memset(&context, 0, sizeof context);
    set_register(SP, (uintptr_t)(stack + 40));
    set_register(FP, (uintptr_t)(stack + FRAME));
    set_register(BCP, bytecode(9));
    interpreter = (struct code_place){.kind = RESULTS_CODE_INTERPRETER};
}

static void close_thread(void) {
    oracle_methods_close(agent.methods);
    agent.methods = NULL;
}

TestSuite(where, .init = open_thread, .fini = close_thread);

static struct oracle_place where(enum results_code_kind kind) {
    struct oracle_place found;
    const struct code_place place = {.kind = kind};
    memset(&found, 0xa5, sizeof found);
    code_where((const char*)&thread, &place, &context, false, &found);
    return found;
}

static void is_at(int32_t bci, const char* why) {
    struct oracle_place found = where(RESULTS_CODE_INTERPRETER);
    cr_expect_eq(found.kind, ORACLE_PLACE_INTERPRETED, "%s", why);
    cr_expect_eq(found.method, ID, "%s", why);
    cr_expect_eq(found.bci, bci, "%s: %d", why, found.bci);
}

static void is_unknown(enum results_code_kind kind, const char* why) {
    cr_expect_eq(where(kind).kind, ORACLE_PLACE_UNKNOWN, "%s", why);
}

Test(where, the_register_says_which_bytecode_is_executed) {
    is_at(9, "the register");
    set_register(BCP, bytecode(CODE_BYTES - 1));
    is_at(CODE_BYTES - 1, "the last byte");
}

Test(where, without_the_register_the_frame_keeps_the_bytecode_of_its_last_call) {
    set_register(BCP, bytecode(CODE_BYTES));
    is_at(5, "one behind the code");
    set_register(BCP, (uintptr_t)stack);
    is_at(5, "a sender's sp");
    stack[FRAME - 8] = 0;
    stack[FRAME - 7] = bytecode(6);
    is_at(6, "release 8");
    stack[FRAME - 7] = 0;
    is_unknown(RESULTS_CODE_INTERPRETER, "neither");
}

Test(where, what_is_no_interpreted_frame_is_not_believed) {
    set_register(FP, (uintptr_t)(stack + FRAME) + 4);
    is_unknown(RESULTS_CODE_INTERPRETER, "not aligned");
    set_register(FP, (uintptr_t)(stack + 99));
    is_unknown(RESULTS_CODE_INTERPRETER, "at the stack's end");
    set_register(FP, (uintptr_t)(stack + 30));
    is_unknown(RESULTS_CODE_INTERPRETER, "below the stack pointer");
    set_register(FP, (uintptr_t)(stack + FRAME));
    stack[FRAME - 3] = 8;
    is_unknown(RESULTS_CODE_INTERPRETER, "no Method");
    stack[FRAME - 3] = (uintptr_t)method;
    constant.number = 7;
    is_unknown(RESULTS_CODE_INTERPRETER, "a method without an id");
    constant.number = 1;
    set_register(SP, (uintptr_t)(stack + 100));
    is_unknown(RESULTS_CODE_INTERPRETER, "not on its stack");
}

Test(where, a_frame_that_is_being_made_holds_what_lay_there_before) {
    set_register(SP, (uintptr_t)(stack + FRAME - 7));
    is_unknown(RESULTS_CODE_INTERPRETER, "one word is missing");
    set_register(METHOD, (uintptr_t)method);
    is_unknown(RESULTS_CODE_INTERPRETER, "a program's method is entered");
    set_register(METHOD, (uintptr_t)own_method);
    cr_expect_eq(where(RESULTS_CODE_INTERPRETER).kind, ORACLE_PLACE_OWN);
    set_register(SP, (uintptr_t)(stack + FRAME - 8));
    is_at(9, "made");
}

// What lies in the four youngest words of a stack: the frame pointer that a callee saved, so many
// words above its caller's stack pointer, and the return address. The frame there is a method's.
#define LARGE 1200u // words
static uint32_t under(uintptr_t return_address, size_t frame_words) {
    static uint64_t large[LARGE];
    memset(large, 0, sizeof large);
    large[0] = (uintptr_t)&large[2] + frame_words * sizeof large[0];
    large[1] = return_address;
    if (frame_words < LARGE) {
        large[2 + frame_words - 3] = (uintptr_t)method;
        large[2 + frame_words - 8] = bytecode(5);
    }
    return code_under((uintptr_t)large, (uintptr_t)&large[4], (uintptr_t)&large[LARGE], false);
}

Test(where, an_interpreted_frame_of_more_than_1024_words_is_large) {
    cr_expect_eq(under(0x7000100, 1025), 1u << RESULTS_UNDER_LARGE);
    cr_expect_eq(under(0x7000100, 1024), 0);
    cr_expect_eq(under(0x7000100, LARGE - 4), 1u << RESULTS_UNDER_LARGE);
    cr_expect_eq(under(0x7000100, LARGE), 0, "the frame is not on the stack");
    cr_expect_eq(under(0x7000100, (size_t)-1), 0, "the frame is below its stack pointer");
    cr_expect_eq(under(0x8000100, 1025), 0, "another return address");
    constant.number = 7;
    cr_expect_eq(under(0x7000100, 1025), 0, "no method");
}

Test(where, an_adapter_leads_to_the_method_in_its_register) {
    set_register(METHOD, (uintptr_t)own_method);
    cr_expect_eq(where(RESULTS_CODE_ADAPTER).kind, ORACLE_PLACE_OWN);
    set_register(METHOD, (uintptr_t)method);
    is_unknown(RESULTS_CODE_ADAPTER, "the program's");
    set_register(METHOD, 0x1238);
    is_unknown(RESULTS_CODE_ADAPTER, "nothing");
}

Test(where, the_frame_of_a_native_method_has_no_bytecode) {
    stack[FRAME - 3] = (uintptr_t)own_method;
    struct oracle_place found = where(RESULTS_CODE_INTERPRETER);
    cr_expect_eq(found.kind, ORACLE_PLACE_NATIVE);
    cr_expect_eq(found.method, OWN_ID);
    cr_expect_eq(found.bci, ORACLE_BCI_NATIVE);
}

Test(where, a_natives_signature_handler_is_called_with_the_natives_frame) {
    static const char names[][40] = {"native signature handlers", "native invokers"};
    struct code_place handler = {.kind = RESULTS_CODE_STUB, .name = names[0]};
    struct oracle_place found;
    code.jvm[0] = (struct code_range){(uintptr_t)names, (uintptr_t)(names + 2)};
    code.jvm_count = 1;
    constant.length = 0;
    code_where((const char*)&thread, &handler, &context, true, &found);
    cr_expect_eq(found.kind, ORACLE_PLACE_NATIVE);
    cr_expect_eq(found.method, ID);
    handler.name = names[1];
    code_where((const char*)&thread, &handler, &context, false, &found);
    cr_expect_eq(found.kind, ORACLE_PLACE_UNKNOWN, "another stub");
    handler.name = "native signature handlers";
    code_where((const char*)&thread, &handler, &context, false, &found);
    cr_expect_eq(found.kind, ORACLE_PLACE_UNKNOWN, "the name is not libjvm's");
}

Test(where, a_thread_that_left_java_is_where_its_anchor_says) {
    thread.state = 6; // in the VM
    is_unknown(RESULTS_CODE_JVM, "no anchor");
    thread.anchor[0] = (uintptr_t)(stack + 44);
    thread.anchor[1] = 0x7000100;
    thread.anchor[2] = (uintptr_t)(stack + FRAME);
    set_register(FP, 1);
    struct oracle_place found = where(RESULTS_CODE_JVM);
    cr_expect_eq(found.kind, ORACLE_PLACE_INTERPRETED);
    cr_expect_eq(found.method, ID);
    cr_expect_eq(found.bci, 5, "the register is another's by now");
    thread.anchor[1] = 0;
    stack[43] = 0x7000100;
    cr_expect_eq(where(RESULTS_CODE_NATIVE).bci, 5, "the pc is the return address");
    thread.anchor[1] = 0x6000000;
    is_unknown(RESULTS_CODE_JVM, "an anchor in no Java code");
}

Test(where, the_anchors_stack_pointer_is_there_while_the_thread_is_out_of_java) {
    cr_expect_eq(code_anchor_sp((const char*)&thread), 0);
    thread.anchor[0] = (uintptr_t)(stack + 44);
    cr_expect_eq(code_anchor_sp((const char*)&thread), (uintptr_t)(stack + 44));
    cr_expect_eq(code_anchor_sp(NULL), 0);
}

Test(where, an_anchor_without_a_stack_pointer_or_a_pc_cannot_be_walked) {
    const char* here = (const char*)&thread;
    thread.state = 6; // in the VM
    cr_expect_eq(code_anchor_lacks(here), CODE_LACKS_SP);
    thread.anchor[0] = (uintptr_t)(stack + 44);
    cr_expect_eq(code_anchor_lacks(here), CODE_LACKS_PC, "interpreted code calls the VM so");
    thread.anchor[1] = 0x7000100;
    cr_expect_eq(code_anchor_lacks(here), CODE_LACKS_NOTHING);
    thread.anchor[0] = 0;
    cr_expect_eq(code_anchor_lacks(here), CODE_LACKS_SP);
    thread.state = 8; // in Java
    cr_expect_eq(code_anchor_lacks(here), CODE_LACKS_NOTHING, "it needs no anchor there");
    cr_expect_eq(code_anchor_lacks(NULL), CODE_LACKS_NOTHING);
    place_field(LAYOUT_ANCHOR_PC, 0, 0);
    thread.state = 6;
    cr_expect_eq(code_anchor_lacks(here), CODE_LACKS_NOTHING, "not known");
}

Test(where, compiled_code_tells_its_method) {
    struct oracle_place found;
    struct code_place place = {.kind = RESULTS_CODE_C2, .method = (const char*)method};
    code_where((const char*)&thread, &place, &context, false, &found);
    cr_expect_eq(found.kind, ORACLE_PLACE_COMPILED);
    cr_expect_eq(found.method, ID);
    place =
        (struct code_place){.kind = RESULTS_CODE_NATIVE_WRAPPER, .method = (const char*)own_method};
    code_where((const char*)&thread, &place, &context, false, &found);
    cr_expect_eq(found.kind, ORACLE_PLACE_NATIVE);
    cr_expect_eq(found.method, OWN_ID);
    place.method = NULL;
    code_where((const char*)&thread, &place, &context, false, &found);
    cr_expect_eq(found.kind, ORACLE_PLACE_UNKNOWN);
}

static enum oracle_place_kind native_caller(enum results_code_kind kind, bool stands) {
    struct oracle_place found;
    const struct code_place place = {.kind = kind, .frame_stands = stands};
    code_native_caller((const char*)&thread, &place, &context, &found);
    return found.kind;
}

static enum oracle_place_kind wrapper_caller(bool stands) {
    return native_caller(RESULTS_CODE_NATIVE_WRAPPER, stands);
}

// Below the interpreted frame: a native method's, which it called.
static void call_native(void) {
    stack[44] = (uintptr_t)(stack + FRAME);
    stack[45] = 0x7000100;
}

// Our own natives call natives of the JVM's, as the program does.
Test(where, a_wrapper_is_called_by_the_method_whose_frame_its_frame_pointer_leads_to) {
    call_native();
    set_register(FP, (uintptr_t)(stack + 44));
    cr_expect_eq(wrapper_caller(true), ORACLE_PLACE_INTERPRETED);
    cr_expect_eq(wrapper_caller(false), ORACLE_PLACE_UNKNOWN, "its frame is not made yet");
    own_constant.length = CODE_BYTES;
    stack[FRAME - 3] = (uintptr_t)own_method;
    cr_expect_eq(wrapper_caller(true), ORACLE_PLACE_OWN);
    stack[45] = 0x6000000;
    cr_expect_eq(wrapper_caller(true), ORACLE_PLACE_UNKNOWN, "no Java code called");
    stack[45] = 0x7000100;
    set_register(FP, (uintptr_t)(stack + 39));
    cr_expect_eq(wrapper_caller(true), ORACLE_PLACE_UNKNOWN, "below the stack pointer");
    set_register(FP, (uintptr_t)(stack + 99));
    cr_expect_eq(wrapper_caller(true), ORACLE_PLACE_UNKNOWN, "at the stack's end");
}

Test(where, an_interpreted_native_is_called_by_the_method_whose_frame_its_own_leads_to) {
    call_native();
    set_register(FP, (uintptr_t)(stack + 44));
    cr_expect_eq(native_caller(RESULTS_CODE_INTERPRETER, false), ORACLE_PLACE_INTERPRETED);
    own_constant.length = CODE_BYTES;
    stack[FRAME - 3] = (uintptr_t)own_method;
    cr_expect_eq(native_caller(RESULTS_CODE_INTERPRETER, false), ORACLE_PLACE_OWN);
}

Test(where, a_native_that_left_java_is_called_by_the_method_below_its_anchors_frame) {
    call_native();
    set_register(FP, 1);
    cr_expect_eq(native_caller(RESULTS_CODE_JVM, false), ORACLE_PLACE_UNKNOWN, "no anchor");
    thread.state = 6; // in the VM
    thread.anchor[0] = (uintptr_t)(stack + 42);
    thread.anchor[1] = 0x7000100;
    thread.anchor[2] = (uintptr_t)(stack + 44);
    cr_expect_eq(native_caller(RESULTS_CODE_JVM, false), ORACLE_PLACE_INTERPRETED);
    thread.anchor[1] = 0x6000000;
    cr_expect_eq(native_caller(RESULTS_CODE_JVM, false), ORACLE_PLACE_UNKNOWN,
                 "an anchor in no Java code");
}

Test(where, a_glance_tells_compiled_code_without_its_method) {
    struct oracle_place found;
    struct code_place place = {.kind = RESULTS_CODE_C2, .method = (const char*)method};
    code_where((const char*)&thread, &place, &context, true, &found);
    cr_expect_eq(found.kind, ORACLE_PLACE_COMPILED);
    cr_expect_eq(found.method, 0);
}

// Their ids are addresses of words that hold their Method*, as they are up to release 25.
Test(where, a_glance_tells_wrappers_of_our_natives_from_others_once_all_are_known) {
    static uintptr_t own_word, other_word;
    struct oracle_place found;
    struct code_place place = {.kind = RESULTS_CODE_NATIVE_WRAPPER,
                               .method = (const char*)own_method};
    own_word = (uintptr_t)own_method;
    other_word = (uintptr_t)method;
    ids[1] = (uintptr_t)&own_word;
    ids[2] = (uintptr_t)&other_word;
    oracle_methods_bind(agent.methods, ids[1], ORACLE_OWN);
    oracle_methods_bind(agent.methods, ids[2], ORACLE_FOREIGN);
    code_where((const char*)&thread, &place, &context, true, &found);
    cr_expect_eq(found.kind, ORACLE_PLACE_NATIVE);
    cr_expect_eq(found.method, ids[1], "nothing is known: found as by no glance");
    code_methods(&ids[1], 1);
    code_where((const char*)&thread, &place, &context, true, &found);
    cr_expect_eq(found.kind, ORACLE_PLACE_OWN);
    place.method = (const char*)method;
    code_where((const char*)&thread, &place, &context, true, &found);
    cr_expect_eq(found.kind, ORACLE_PLACE_NATIVE);
    cr_expect_eq(found.method, 0);
    // An inlined push that was compiled by itself is ours; inlined, it is the method's.
    agent.inlined = true;
    place = (struct code_place){.kind = RESULTS_CODE_C1_1, .method = (const char*)own_method};
    code_where((const char*)&thread, &place, &context, true, &found);
    cr_expect_eq(found.kind, ORACLE_PLACE_OWN);
    place.method = (const char*)method;
    code_where((const char*)&thread, &place, &context, true, &found);
    cr_expect_eq(found.kind, ORACLE_PLACE_MERGED);
    cr_expect_eq(found.method, 0);
    agent.inlined = false;
}

Test(where, a_glance_at_code_with_inlined_pushes_tells_nothing_until_all_of_ours_are_known) {
    static uintptr_t word;
    struct oracle_place found;
    struct code_place place = {.kind = RESULTS_CODE_C2, .method = (const char*)own_method};
    agent.inlined = true;
    word = (uintptr_t)own_method;
    ids[1] = (uintptr_t)&word;
    oracle_methods_bind(agent.methods, ids[1], ORACLE_OWN);
    code_where((const char*)&thread, &place, &context, true, &found);
    cr_expect_eq(found.kind, ORACLE_PLACE_OWN, "found as by no glance");
    agent.inlined = false;
}
