// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Instructions of aarch64, four bytes each. Sources: Arm's Architecture Reference Manual, chapter
// C4; which of them HotSpot emits, build_frame and remove_frame in macroAssembler_aarch64.cpp,
// releases 8 to 27.
#include "parts.h"
#include "processor.h"

#define EXIT_INSTRUCTIONS_MAX 12
#define POLL_PATH_INSTRUCTIONS 3

// An instruction is told by the bits in `mask`.
static HANDLER_SAFE bool is(uint32_t word, uint32_t mask, uint32_t bits) {
    return (word & mask) == bits;
}

static HANDLER_SAFE uint32_t word_at(const uint8_t* code) {
    uint32_t word;
    memcpy(&word, code, sizeof word);
    return word;
}

// Mask and bits.
#define ADD_SP 0xff8003ff, 0x910003ff          // add sp, sp, #n
#define TAKE_FROM_SP 0xff8003ff, 0xd10003ff    // sub sp, sp, #n
#define ADD_SP_REGISTER 0xffe0ffff, 0x8b2063ff // add sp, sp, xN
#define LOAD_PAIR 0xffc07fff, 0xa9407bfd       // ldp x29, x30, [sp, #n]
#define POP_PAIR 0xffc07fff, 0xa8c07bfd        // ldp x29, x30, [sp], #n
#define STORE_PAIR 0xffc07fff, 0xa9007bfd      // stp x29, x30, [sp, #n]
#define PUSH_PAIR 0xffc07fff, 0xa9807bfd       // stp x29, x30, [sp, #n]!
#define SET_FP 0xff8003ff, 0x910003fd          // add x29, sp, #n; mov x29, sp
#define RETURN 0xffffffff, 0xd65f03c0          // ret
#define RETURN_SIGNED 0xfffffbff, 0xd65f0bff   // retaa, retab
#define AUTHENTICATE 0xfffffd9f, 0xd503219f    // hints: autia1716, autiaz, autiasp and so on
#define JUMP 0xfc000000, 0x14000000            // b
#define JUMP_REGISTER 0xfffffc1f, 0xd61f0000   // br xN
#define CALL 0xfc000000, 0x94000000            // bl
#define CALL_REGISTER 0xfffffc1f, 0xd63f0000   // blr xN
#define SYSTEM_CALL 0xffffffff, 0xd4000001     // svc #0
#define BRANCH 0xff000000, 0x54000000          // b.cond
#define BRANCH_ZERO 0x7e000000, 0x34000000     // cbz, cbnz
#define BRANCH_BIT 0x7e000000, 0x36000000      // tbz, tbnz
#define TAKE_POLL 0x9f00001f, 0x10000008       // adr x8
#define TELL_POLL 0xffc003ff, 0xf9000388       // str x8, [x28, #n]

// ---- Exits ------------------------------------------------------------------------------------

enum step {
    STEP_OTHER,
    STEP_FREE,    // add sp
    STEP_RESTORE, // ldp of frame pointer and return address, by the stack pointer
    STEP_POP,     // the same, and the stack pointer moves
    STEP_SIZE,    // a large frame's size to x8
    STEP_AUTHENTICATE,
    STEP_POLL,
    STEP_NEAR, // adrp or add of x8, before a far jump or a poll
    STEP_JUMP,
    STEP_RETURN
};

static const struct {
    uint32_t mask, bits;
    enum step step;
} steps[] = {
    {ADD_SP, STEP_FREE},
    {0xffffffff, 0x8b2863ff, STEP_FREE}, // add sp, sp, x8
    {LOAD_PAIR, STEP_RESTORE},
    {POP_PAIR, STEP_POP},
    {0xff80001f, 0xd2800008, STEP_SIZE}, // movz x8
    {0xff80001f, 0xf2800008, STEP_SIZE}, // movk x8
    {AUTHENTICATE, STEP_AUTHENTICATE},
    {0xfffffc00, 0xdac11000, STEP_AUTHENTICATE}, // autia
    {0xffc003fe, 0xf9400388, STEP_POLL},         // ldr x8 or x9, [x28, #n]
    {0xffe0ffff, 0xeb2063ff, STEP_POLL},         // cmp sp, xN
    {0xff00001f, 0x54000008, STEP_POLL},         // b.hi
    {0x7e00001e, 0x36000008, STEP_POLL},         // tbz, tbnz of x8 or x9
    {0xff00001f, 0xb5000008, STEP_POLL},         // cbnz x8: an exception waits, in a native wrapper
    {0xffffff9f, 0xb940011f, STEP_POLL},         // ldr wzr, [x8] to [x11]
    {0x9f00001e, 0x90000008, STEP_NEAR},         // adrp x8 or x9
    {0xffc003ff, 0x91000108, STEP_NEAR},         // add x8, x8, #n
    {0xffc003ff, 0x91000129, STEP_NEAR},         // add x9, x9, #n
    {JUMP, STEP_JUMP},
    {JUMP_REGISTER, STEP_JUMP},
    {RETURN, STEP_RETURN},
    {RETURN_SIGNED, STEP_RETURN},
};

static HANDLER_SAFE enum step step_of(uint32_t word) {
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        if (is(word, steps[i].mask, steps[i].bits)) return steps[i].step;
    return STEP_OTHER;
}

// Where the poll before a return finds a safepoint wanted, from 17 on: `adr x8; str x8, [x28, #n]`
// tells the poll's address to the thread, and a jump goes to the handler, by `b` or `adrp x8; add;
// br x8`. The frame is gone.
static HANDLER_SAFE bool is_poll_path(const uint8_t* code, size_t size) {
    bool told = false;
    for (uint32_t i = 0; i < POLL_PATH_INSTRUCTIONS && (i + 1) * 4 <= size; i++) {
        uint32_t word = word_at(code + 4 * i);
        if (i == 0 && is(word, TAKE_POLL)) continue;
        if (!told && is(word, TELL_POLL)) told = true;
        else return told && (is(word, JUMP) || step_of(word) == STEP_NEAR);
    }
    return false;
}

// A frame below 528 bytes is left by ldp and add, so it stands as a whole until the add; a larger
// one by add and an ldp that moves the stack pointer by the last two words. A native wrapper polls
// behind its ldp, with the poll's path right there.
HANDLER_SAFE struct processor_exit arm64_exit(const uint8_t* code, size_t size) {
    struct processor_exit found = {0};
    enum step first = STEP_OTHER;
    if (is_poll_path(code, size)) return (struct processor_exit){.leaves = true};
    for (uint32_t i = 0; i < EXIT_INSTRUCTIONS_MAX && (i + 1) * 4 <= size; i++) {
        enum step step = step_of(word_at(code + 4 * i));
        if (i == 0) first = step;
        bool polled = i > 0 && is_poll_path(code + 4 * i, size - 4 * i);
        if (step == STEP_OTHER && !polled) break;
        found.frees_frame |= step == STEP_FREE;
        found.restores_fp |= step == STEP_RESTORE || step == STEP_POP;
        bool tears = found.frees_frame || found.restores_fp;
        if (step == STEP_RETURN || polled || (step == STEP_JUMP && tears)) {
            // Instructions before the first one that tears the frame down still belong to the body.
            bool before = first == STEP_POLL || first == STEP_NEAR;
            found.leaves = !(before && tears);
            return found;
        }
        if (step == STEP_JUMP) break;
    }
    return (struct processor_exit){0};
}

// Whether what lies before code, up to a far jump's first instructions, tells the poll's address.
static HANDLER_SAFE bool ends_poll_path(const uint8_t* code, size_t before) {
    for (uint32_t i = 1; i <= POLL_PATH_INSTRUCTIONS && (i + 1) * 4 <= before; i++) {
        uint32_t word = word_at(code - 4 * i);
        if (is(word, TELL_POLL)) return is(word_at(code - 4 * (i + 1)), TAKE_POLL);
        if (step_of(word) != STEP_NEAR) return false;
    }
    return false;
}

HANDLER_SAFE bool arm64_leaves_by_jump(const uint8_t* code, size_t before, size_t size) {
    if (size < 4 || before < 4) return false;
    enum step step = step_of(word_at(code)), last = step_of(word_at(code - 4));
    if (step != STEP_JUMP && step != STEP_NEAR) return false;
    return (step == STEP_JUMP && (last == STEP_FREE || last == STEP_POP)) ||
           ends_poll_path(code, before);
}

HANDLER_SAFE bool arm64_stands(const struct processor_exit* exit, uint32_t frame_words) {
    (void)frame_words; // the smallest frame is left by ldp and add, too
    return exit->frees_frame;
}

// ---- Functions of C++ ---------------------------------------------------------------------------

// Up to then the return address is in its register, and x29 the caller's.
HANDLER_SAFE uint32_t arm64_frame_set(const uint8_t* first, size_t size) {
    bool saved = false;
    for (uint32_t at = 0; at + 4 <= size; at += 4) {
        uint32_t word = word_at(first + at);
        if (saved && is(word, SET_FP)) return at + 4;
        saved = saved || is(word, STORE_PAIR) || is(word, PUSH_PAIR);
    }
    return 0;
}

// The stack pointer is always a multiple of 16 here, and x29 is set before it is aligned further.
HANDLER_SAFE bool arm64_aligns(const uint8_t* first, size_t size) {
    (void)first, (void)size;
    return false;
}

HANDLER_SAFE bool arm64_frame_gone(uintptr_t pc) {
    uint32_t before = 0, here = 0;
    if (memory_copy(&before, (const void*)(pc - 4), 4) != 4 ||
        memory_copy(&here, (const void*)pc, 4) != 4)
        return false;
    return is(before, LOAD_PAIR) || is(before, POP_PAIR) || is(before, AUTHENTICATE) ||
           is(here, RETURN) || is(here, RETURN_SIGNED);
}

HANDLER_SAFE bool arm64_called_pointer(uintptr_t pc) {
    uint32_t before = 0;
    return memory_copy(&before, (const void*)(pc - 4), 4) == 4 && is(before, CALL_REGISTER);
}

HANDLER_SAFE bool arm64_system_call(uintptr_t pc) {
    uint32_t before = 0;
    return memory_copy(&before, (const void*)(pc - 4), 4) == 4 && is(before, SYSTEM_CALL);
}

struct pattern {
    uint32_t mask, bits;
};

// Whether these instructions stand at the address.
static HANDLER_SAFE bool stand_at(uintptr_t at, const struct pattern* wanted, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word = 0;
        if (memory_copy(&word, (const void*)(at + 4 * i), 4) != 4 ||
            !is(word, wanted[i].mask, wanted[i].bits))
            return false;
    }
    return true;
}

// emit_static_call_stub in macroAssembler_aarch64.cpp, from release 9 on. On 27 its
// last four instructions are a single branch where the code cache is small (modes c1 and c2).
HANDLER_SAFE bool arm64_call_stub(uintptr_t pc) {
    static const struct pattern loads[] = {
        {0xffffffff, 0xd5033fdf}, // isb
        {0xffe0001f, 0xd280000c}, // movz x12, the Method*
        {0xffe0001f, 0xf2a0000c}, // movk x12, lsl #16
        {0xffe0001f, 0xf2c0000c}, // movk x12, lsl #32
    };
    static const struct pattern far[] = {
        {0xffe0001f, 0xd2800008}, // movz x8, the entry
        {0xffe0001f, 0xf2a00008}, // movk x8, lsl #16
        {0xffe0001f, 0xf2c00008}, // movk x8, lsl #32
        {0xffffffff, 0xd61f0100}, // br x8
    };
    static const struct pattern near[] = {{0xfc000000, 0x14000000}}; // b, the entry
    enum { LOADS = 4, FAR = 4, NEAR = 1 };
    for (uint32_t at = 0; at < LOADS + FAR; at++) {
        uintptr_t begin = pc - 4 * at, jump = begin + 4 * LOADS;
        if (!stand_at(begin, loads, LOADS)) continue;
        if (at < LOADS + NEAR && stand_at(jump, near, NEAR)) return true;
        if (stand_at(jump, far, FAR)) return true;
    }
    return false;
}

#define GIVEN_BACK_INSTRUCTIONS 20

// remove_activation and generate_throw_exception in templateInterpreterGenerator_aarch64.cpp: after
// `ldp x29, x30, [sp], #16` straight code goes on, which calls C++ where an exception leaves.
HANDLER_SAFE bool arm64_given_back(uintptr_t pc) {
    for (uint32_t i = 1; i <= GIVEN_BACK_INSTRUCTIONS; i++) {
        uint32_t word = 0;
        if (memory_copy(&word, (const void*)(pc - 4 * i), 4) != 4) return false;
        if (is(word, POP_PAIR)) return true;
        if (is(word, JUMP) || is(word, JUMP_REGISTER) || is(word, RETURN)) return false;
    }
    return false;
}

// The procedure linkage table of the ELF psABI: adrp x16, page; ldr x17, [x16, #n]; add x16, x16,
// #n; br x17.
HANDLER_SAFE bool arm64_linkage(uintptr_t pc) {
    enum { ENTRY = 4 };
    for (uint32_t i = 0; i < ENTRY; i++) {
        uint32_t words[ENTRY];
        if (memory_copy(words, (const void*)(pc - 4 * i), sizeof words) == sizeof words &&
            is(words[0], 0x9f00001f, 0x90000010) && is(words[1], 0xffc003ff, 0xf9400211) &&
            is(words[2], 0xffc003ff, 0x91000210) && words[3] == 0xd61f0220)
            return true;
    }
    return false;
}

#define HALF_MADE_INSTRUCTIONS 16

static HANDLER_SAFE bool goes_elsewhere(uint32_t word);

// generate_fixed_frame in templateInterpreterGenerator_aarch64.cpp: `stp xzr, x13, [sp, #64]` (x19
// from release 20 on) stores last_sp and sender_sp after x29 was set.
HANDLER_SAFE bool arm64_half_made(const uint8_t* code, size_t size) {
    for (uint32_t i = 0; i < HALF_MADE_INSTRUCTIONS && (i + 1) * 4 <= size; i++) {
        uint32_t word = word_at(code + 4 * i);
        if (is(word, 0xffff83ff, 0xa90403ff)) return true;
        if (goes_elsewhere(word) || is(word, SET_FP)) return false;
    }
    return false;
}

// ---- What moves the stack pointer
// -----------------------------------------------------------------

// Instructions: all registers in pairs and as many vectors, saved and restored, and between them.
#define SLOW_PATH_MAX 128u

// Loads and stores of one register or two that move the stack pointer.
static HANDLER_SAFE bool pops(uint32_t word) {
    return is(word, 0x3bc003e0, 0x28c003e0) || // ldp [sp], #n
           is(word, 0xbfe00fe0, 0xb84007e0);   // ldr [sp], #n
}

static HANDLER_SAFE bool pushes(uint32_t word) {
    return is(word, 0x3bc003e0, 0x298003e0) || // stp [sp, #n]!
           is(word, 0xbfe00fe0, 0xb8000fe0);   // str [sp, #n]!
}

static HANDLER_SAFE bool goes_elsewhere(uint32_t word) {
    return is(word, JUMP) || is(word, JUMP_REGISTER) || is(word, CALL) || is(word, CALL_REGISTER) ||
           is(word, BRANCH) || is(word, BRANCH_ZERO) || is(word, BRANCH_BIT) || is(word, RETURN) ||
           is(word, RETURN_SIGNED);
}

HANDLER_SAFE bool arm64_slow_path(const uint8_t* code, size_t size, bool* gives) {
    *gives = false;
    for (uint32_t i = 0; i < SLOW_PATH_MAX && (i + 1) * 4 <= size; i++) {
        uint32_t word = word_at(code + 4 * i);
        bool comes_back = is(word, CALL) || is(word, CALL_REGISTER);
        if (goes_elsewhere(word) && !comes_back) return is(word, JUMP);
        if (is(word, LOAD_PAIR) || is(word, POP_PAIR)) return false; // the method is left
        if (is(word, TAKE_FROM_SP) || pushes(word)) return false;    // it is taken first
        *gives = is(word, ADD_SP) || pops(word);
    }
    return false;
}

HANDLER_SAFE bool arm64_pops_more(const uint8_t* code, size_t size) {
    uint32_t pushed = 0;
    for (size_t at = 0; at + 4 <= size; at += 4) {
        uint32_t word = word_at(code + at);
        if (pops(word) && pushed == 0) return !is(word, POP_PAIR);
        pushed -= pops(word);
        pushed += pushes(word);
        // The frame is given back: nothing was on top of it.
        if (is(word, ADD_SP) || is(word, ADD_SP_REGISTER) || is(word, LOAD_PAIR) ||
            is(word, RETURN) || is(word, RETURN_SIGNED))
            break;
    }
    return false;
}

// ---- Without operands
// -----------------------------------------------------------------------------

static const struct {
    uint32_t mask, bits;
    uint32_t operand; // bits of the displacement or the immediate
} operands[] = {
    {0x7c000000, 0x14000000, 0x03ffffff}, // b, bl
    {0xff000000, 0x54000000, 0x00ffffe0}, // b.cond
    {0x7e000000, 0x34000000, 0x00ffffe0}, // cbz, cbnz
    {0x7e000000, 0x36000000, 0x0007ffe0}, // tbz, tbnz
    {0x1f000000, 0x10000000, 0x60ffffe0}, // adr, adrp
    {0x1f800000, 0x11000000, 0x007ffc00}, // add and sub of an immediate
    {0x1f800000, 0x12800000, 0x007fffe0}, // movn, movz, movk
    {0x3b000000, 0x18000000, 0x00ffffe0}, // ldr of a literal
    {0x3a000000, 0x28000000, 0x003f8000}, // ldp, stp
    {0x3b200000, 0x38000000, 0x001ff000}, // ldr, str with 9 bits
    {0x3b000000, 0x39000000, 0x003ffc00}, // ldr, str with 12 bits
};

HANDLER_SAFE size_t arm64_shape(uint8_t* code, size_t size) {
    if (size < 4) return 0;
    uint32_t word = word_at(code);
    for (size_t i = 0; i < sizeof operands / sizeof operands[0]; i++) {
        if (!is(word, operands[i].mask, operands[i].bits)) continue;
        word &= ~operands[i].operand;
        break;
    }
    memcpy(code, &word, sizeof word);
    return sizeof word;
}
