// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// From an instruction to its mutant. Capstone says where the parts of an instruction are; the place
// of the opcode, which it does not say, is behind the prefixes.
#include <capstone/capstone.h>
#include <stdio.h>
#include <string.h>

#include "mutants.h"

#define REX 0x40
#define FIELD_STEP 8 // bytes: the next field of a pointer's size

static csh engine; // opened at the first use, and kept

static bool open_engine(void) {
    if (engine != 0) return true;
    if (cs_open(CS_ARCH_X86, CS_MODE_64, &engine) != CS_ERR_OK) return engine = 0, false;
    return cs_option(engine, CS_OPT_DETAIL, CS_OPT_ON) == CS_ERR_OK;
}

static size_t opcode_at(const uint8_t* code, size_t size) {
    static const uint8_t prefixes[] = {0x66, 0x67, 0xf2, 0xf3, 0x2e, 0x36, 0x3e, 0x26, 0x64, 0x65};
    size_t at = 0;
    while (at < size && memchr(prefixes, code[at], sizeof prefixes) != NULL) at++;
    if (at < size && (code[at] & 0xf0) == REX) at++;
    return at;
}

// The byte that holds the condition in its lower half: 7x of a short jump; of 0f 4x, 0f 8x and 0f
// 9x the second. -1: no such instruction. The low bit of a condition inverts it.
static int condition_at(const uint8_t* code, size_t size) {
    size_t at = opcode_at(code, size);
    if (at < size && (code[at] & 0xf0) == 0x70) return (int)at;
    if (at + 1 >= size || code[at] != 0x0f) return -1;
    uint8_t group = code[at + 1] & 0xf0;
    return group == 0x40 || group == 0x80 || group == 0x90 ? (int)at + 1 : -1;
}

static bool spoil_branch(const uint8_t* code, size_t size, uint8_t* after) {
    int at = condition_at(code, size);
    if (at < 0) return false;
    after[at] = code[at] ^ 1;
    return true;
}

static bool spoil_call(const uint8_t* code, size_t size, uint8_t* after) {
    // xor eax, eax; nop dword ptr [rax]
    static const uint8_t gives_0[] = {0x31, 0xc0, 0x0f, 0x1f, 0x00};
    if (size != sizeof gives_0 || code[0] != 0xe8) return false;
    memcpy(after, gives_0, sizeof gives_0);
    return true;
}

// Adds `step` to the little-endian signed number at `at`, or takes it away where the number would
// leave its range.
static void move_number(uint8_t* code, size_t at, size_t size, int64_t step) {
    int64_t value = code[at + size - 1] >= 0x80 ? -1 : 0;
    for (size_t i = size; i-- > 0;) value = (int64_t)((uint64_t)value << 8 | code[at + i]);
    int64_t highest = size < 8 ? ((int64_t)1 << (8 * size - 1)) - 1 : INT64_MAX;
    uint64_t moved = (uint64_t)(value > highest - step ? value - step : value + step);
    for (size_t i = 0; i < size; i++) code[at + i] = (uint8_t)(moved >> 8 * i);
}

static bool spoil_constant(const cs_insn* insn, uint8_t* after) {
    const cs_x86_encoding* encoding = &insn->detail->x86.encoding;
    if (insn->id != X86_INS_CMP && insn->id != X86_INS_TEST) return false;
    // The immediate is the last part of an instruction. Capstone 4 does not always say its place.
    const cs_x86* x86 = &insn->detail->x86;
    if (x86->op_count != 2 || x86->operands[1].type != X86_OP_IMM || encoding->imm_size == 0 ||
        encoding->imm_size > 4)
        return false;
    move_number(after, (size_t)insn->size - encoding->imm_size, encoding->imm_size, 1);
    return true;
}

static bool is_object(x86_reg base, bool framed) {
    if (base == X86_REG_INVALID || base == X86_REG_RIP || base == X86_REG_RSP) return false;
    return !framed || base != X86_REG_RBP;
}

static bool spoil_field(const cs_insn* insn, bool framed, uint8_t* after) {
    const cs_x86* x86 = &insn->detail->x86;
    if (insn->id == X86_INS_NOP || x86->encoding.disp_size != 1 || x86->encoding.disp_offset == 0)
        return false;
    for (int i = 0; i < x86->op_count; i++) {
        const cs_x86_op* operand = &x86->operands[i];
        if (operand->type != X86_OP_MEM || !is_object(operand->mem.base, framed)) continue;
        if ((int8_t)after[x86->encoding.disp_offset] != operand->mem.disp) return false;
        move_number(after, x86->encoding.disp_offset, 1, FIELD_STEP);
        return true;
    }
    return false;
}

bool mutants_spoil(enum mutants_kind kind, const uint8_t* before, size_t size, bool framed,
                   uint8_t after[MUTANTS_CODE]) {
    memcpy(after, before, size);
    if (kind == MUTANTS_BRANCH) return spoil_branch(before, size, after);
    if (kind == MUTANTS_CALL) return spoil_call(before, size, after);
    cs_insn* insn = NULL;
    if (!open_engine() || cs_disasm(engine, before, size, 0, 1, &insn) != 1) return false;
    bool done =
        kind == MUTANTS_CONSTANT ? spoil_constant(insn, after) : spoil_field(insn, framed, after);
    cs_free(insn, 1);
    return done;
}

void mutants_words(const uint8_t* code, size_t size, uint64_t address, char text[MUTANTS_TEXT]) {
    cs_insn* insn = NULL;
    size_t count = open_engine() ? cs_disasm(engine, code, size, address, 0, &insn) : 0;
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && used < MUTANTS_TEXT; i++)
        used += (size_t)snprintf(text + used, MUTANTS_TEXT - used, "%s%s%s%s", i > 0 ? "; " : "",
                                 insn[i].mnemonic, insn[i].op_str[0] != '\0' ? " " : "",
                                 insn[i].op_str);
    if (count == 0) snprintf(text, MUTANTS_TEXT, "?");
    cs_free(insn, count);
}
