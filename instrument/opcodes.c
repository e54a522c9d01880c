// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "opcodes.h"

const struct opcode opcode_table[256] = {
#define OPCODE_ROW(code, name, length, kind, pops, pushes)                                         \
    [code] = {length, OPCODE_##kind, pops, pushes},
    OPCODES(OPCODE_ROW)
#undef OPCODE_ROW
};
