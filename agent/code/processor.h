// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What differs between processors, behind one face: the registers of a ucontext_t, the words of an
// interpreted frame, and how HotSpot's compilers and C++ enter and leave functions. Private to this
// room. What looks at bytes is compiled everywhere, so the tests of all processors run on each:
// x86.c, arm64.c. Of each function the name processor_X is this processor's.
#ifndef AGENT_CODE_PROCESSOR_H
#define AGENT_CODE_PROCESSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#include "oracle/oracle.h"
#include "results/record/record.h"

// ---- Instructions -----------------------------------------------------------------------------

// Whether straight code from here on tears a compiled method's frame down and returns.
struct processor_exit {
    bool leaves;      // it does, and its first instruction is part of the exit
    bool frees_frame; // the stack pointer is still to be moved behind the frame: it stands as a
                      // whole
    bool restores_fp; // the caller's frame pointer is still to be restored
};

#define PROCESSOR_FUNCTIONS(p)                                                                     \
    /* Knows only the instructions that HotSpot's compilers emit before a return, in releases 8 to \
     * 27. Code with anything else before the return is not an exit. An exit by jump (a rethrow)   \
     * is seen only while the frame is being freed; p_leaves_by_jump sees its last instructions.   \
     */                                                                                            \
    struct processor_exit p##_exit(const uint8_t* code, size_t size) HANDLER_SAFE;                 \
    /* Whether the instruction there leaves with the frame given back, by a jump: of a rethrow, or \
     * on the way to the handler of the poll before a return. What tells so may lie right before.  \
     * `before`: that many bytes can be read there. */                                             \
    bool p##_leaves_by_jump(const uint8_t* code, size_t before, size_t size) HANDLER_SAFE;         \
    /* Whether a frame of so many words stands as a whole at the beginning of that exit. */        \
    bool p##_stands(const struct processor_exit* exit, uint32_t frame_words) HANDLER_SAFE;         \
    /* Of the first bytes of a C++ function: where the instruction ends that sets the frame        \
     * pointer; 0: there is none. */                                                               \
    uint32_t p##_frame_set(const uint8_t* first, size_t size) HANDLER_SAFE;                        \
    /* Whether it aligns the stack before that. */                                                 \
    bool p##_aligns(const uint8_t* first, size_t size) HANDLER_SAFE;                               \
    /* Whether a C++ function has given its frame pointer back at pc. */                           \
    bool p##_frame_gone(uintptr_t pc) HANDLER_SAFE;                                                \
    /* Whether the instruction before pc is a call through a pointer. */                           \
    bool p##_called_pointer(uintptr_t pc) HANDLER_SAFE;                                            \
    /* Whether the instruction before pc is a system call. */                                      \
    bool p##_system_call(uintptr_t pc) HANDLER_SAFE;                                               \
    /* code_in_call_stub */                                                                        \
    bool p##_call_stub(uintptr_t pc) HANDLER_SAFE;                                                 \
    /* Whether the interpreter's code before pc has given a frame back, and goes on from there. */ \
    bool p##_given_back(uintptr_t pc) HANDLER_SAFE;                                                \
    /* Whether pc is in an entry of a linkage table that no unwind table tells as a function. */   \
    bool p##_linkage(uintptr_t pc) HANDLER_SAFE;                                                   \
    /* Whether the interpreter, from there on, is still to store the sender's stack pointer in a   \
     * frame to which the frame pointer leads already. */                                          \
    bool p##_half_made(const uint8_t* code, size_t size) HANDLER_SAFE;                             \
    /* code_jumps_away, of the bytes from there on; *gives: and code_gives_back. */                \
    bool p##_slow_path(const uint8_t* code, size_t size, bool* gives) HANDLER_SAFE;                \
    /* code_pops_more, of the bytes from there on. */                                              \
    bool p##_pops_more(const uint8_t* code, size_t size) HANDLER_SAFE;                             \
    /* The length of the first instruction, whose displacement and immediate are made zero; 0:     \
     * none is known there. */                                                                     \
    size_t p##_shape(uint8_t* code, size_t size) HANDLER_SAFE;

PROCESSOR_FUNCTIONS(x86)
PROCESSOR_FUNCTIONS(arm64)

// As much of an x86-64 decoder as a handler needs: it tells how long an instruction is, and whether
// a method is being left. It gives no names; the reports disassemble.

struct x86_instruction {
    uint8_t length;
    uint8_t map;       // of the opcode: 0 one byte, 1 0F, 2 0F38, 3 0F3A; more: EVEX's own maps
    uint8_t opcode;    // its last byte
    uint8_t operands;  // where displacement and immediate begin; == length: there are none
    bool wide;         // REX.W
    bool vector;       // VEX or EVEX
    uint8_t modrm, at; // `at`: where the ModRM byte stands, 0: there is none
};

// Decodes the instruction at code[0, size). False where the bytes are no instruction in 64-bit
// mode, or one that is not known, or one that is longer than `size`.
bool x86_decode(const uint8_t* code, size_t size, struct x86_instruction* instruction) HANDLER_SAFE;

// ---- This processor ---------------------------------------------------------------------------

// Words of an interpreted frame, from its frame pointer (HotSpot's frame_x86.hpp and
// frame_aarch64.hpp). The bcp moved by one word when the mirror was added in release 9, and on
// aarch64 by another one in 20. No other word at these places is an address in a method's
// bytecodes, so all are tried.
#define PROCESSOR_FRAME_METHOD (-3)
#define PROCESSOR_FRAME_WORDS 8 // below the frame pointer, once the frame is made

#if defined(__x86_64__)

#define processor_exit_of x86_exit
#define processor_leaves_by_jump x86_leaves_by_jump
#define processor_stands x86_stands
#define processor_frame_set x86_frame_set
#define processor_aligns x86_aligns
#define processor_frame_gone x86_frame_gone
#define processor_called_pointer x86_called_pointer
#define processor_system_call x86_system_call
#define processor_call_stub x86_call_stub
#define processor_given_back x86_given_back
#define processor_linkage x86_linkage
#define processor_half_made x86_half_made
#define processor_slow_path x86_slow_path
#define processor_pops_more x86_pops_more
#define processor_shape x86_shape

#define PROCESSOR_FRAME_BCPS                                                                       \
    { -8, -7 }
// A call pushes the return address. Of C++ that has set its frame pointer, the caller's stack
// pointer lies behind the return address.
#define PROCESSOR_HAS_LR 0

static inline uint64_t processor_register(const void* ucontext, int which) {
    return (uint64_t)((const ucontext_t*)ucontext)->uc_mcontext.gregs[which];
}
#define processor_pc(ucontext) processor_register(ucontext, REG_RIP)
#define processor_sp(ucontext) processor_register(ucontext, REG_RSP)
#define processor_fp(ucontext) processor_register(ucontext, REG_RBP)
#define processor_bcp(ucontext) processor_register(ucontext, REG_R13)
#define processor_method(ucontext) processor_register(ucontext, REG_RBX)
#define processor_lr(ucontext) ((void)(ucontext), (uintptr_t)0)
// Only where there is an lr.
#define processor_sender_sp(ucontext, release) ((void)(ucontext), (void)(release), (uintptr_t)0)

static inline void processor_set_register(void* ucontext, int which, uint64_t value) {
    ((ucontext_t*)ucontext)->uc_mcontext.gregs[which] = (greg_t)value;
}
#define processor_set_pc(ucontext, value) processor_set_register(ucontext, REG_RIP, value)
#define processor_set_sp(ucontext, value) processor_set_register(ucontext, REG_RSP, value)
#define processor_set_fp(ucontext, value) processor_set_register(ucontext, REG_RBP, value)

// The code address in a return address.
#define processor_code(word) ((uintptr_t)(word))

#define PROCESSOR_REGISTERS NGREG
#define processor_registers(ucontext) (((const ucontext_t*)(ucontext))->uc_mcontext.gregs)

#elif defined(__aarch64__)

#define processor_exit_of arm64_exit
#define processor_leaves_by_jump arm64_leaves_by_jump
#define processor_stands arm64_stands
#define processor_frame_set arm64_frame_set
#define processor_aligns arm64_aligns
#define processor_frame_gone arm64_frame_gone
#define processor_called_pointer arm64_called_pointer
#define processor_system_call arm64_system_call
#define processor_call_stub arm64_call_stub
#define processor_given_back arm64_given_back
#define processor_linkage arm64_linkage
#define processor_half_made arm64_half_made
#define processor_slow_path arm64_slow_path
#define processor_pops_more arm64_pops_more
#define processor_shape arm64_shape

#define PROCESSOR_FRAME_BCPS                                                                       \
    { -8, -9, -7 }
// A call leaves the return address in x30, and C++ saves it with x29 at the lower end of its frame,
// so that the caller's stack pointer cannot be told from there.
#define PROCESSOR_HAS_LR 1

// Of HotSpot's interpreter: rbcp is x22, rmethod x12 (assembler_aarch64.hpp), the sender's stack
// pointer x19 from release 20 on, and x13 before (templateInterpreterGenerator_aarch64.cpp).
#define processor_context(ucontext) (((const ucontext_t*)(ucontext))->uc_mcontext)
#define processor_pc(ucontext) (processor_context(ucontext).pc)
#define processor_sp(ucontext) (processor_context(ucontext).sp)
#define processor_fp(ucontext) (processor_context(ucontext).regs[29])
#define processor_bcp(ucontext) (processor_context(ucontext).regs[22])
#define processor_method(ucontext) (processor_context(ucontext).regs[12])
#define processor_lr(ucontext) (processor_context(ucontext).regs[30])
#define processor_sender_sp(ucontext, release)                                                     \
    (processor_context(ucontext).regs[(release) >= 20 ? 19 : 13])

#define processor_set_context(ucontext) (((ucontext_t*)(ucontext))->uc_mcontext)
#define processor_set_pc(ucontext, value) (processor_set_context(ucontext).pc = (value))
#define processor_set_sp(ucontext, value) (processor_set_context(ucontext).sp = (value))
#define processor_set_fp(ucontext, value) (processor_set_context(ucontext).regs[29] = (value))

// C++ that was compiled with branch protection (libjvm of Debian from 21 on) signs the return
// addresses that it saves: their upper bits are no address. XPACLRI removes them from x30; as a
// hint it does nothing where the processor signs nothing.
static inline uintptr_t processor_code(uintptr_t word) {
    register uintptr_t x30 __asm__("x30") = word;
    __asm__("hint #7" : "+r"(x30));
    return x30;
}

#define PROCESSOR_REGISTERS 34 // regs[31], sp, pc and pstate stand in this order
#define processor_registers(ucontext) (processor_context(ucontext).regs)

#else
#error "tell here what this processor's registers, frames and instructions are"
#endif

#endif
