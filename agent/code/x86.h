// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// As much of an x86-64 decoder as a handler needs: it tells how long an instruction is, and whether
// a method is being left. It gives no names; the reports disassemble.
#ifndef AGENT_X86_H
#define AGENT_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/oracle.h"

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

// Whether straight code from here on tears a compiled method's frame down and returns.
struct x86_exit {
    bool leaves;       // it does, and its first instruction is part of the exit
    bool frees_frame;  // an `add rsp` (or leave) is still to come: the frame stands as a whole
    bool restores_rbp; // a pop of rbp (or leave) is still to come
};
// Knows only the instructions that HotSpot's compilers emit before a return: vzeroupper, add rsp,
// pop rbp and the return polls of releases 8 to 27. Code with anything else before the ret is not
// an exit. An exit by jump (a rethrow) is seen only while the frame is being freed.
struct x86_exit x86_exit(const uint8_t* code, size_t size) HANDLER_SAFE;

#endif
