// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Machine code as text, by capstone: x86-64, and aarch64 where Plumbline itself was built for it.
#ifndef RESULTS_DISASSEMBLE_H
#define RESULTS_DISASSEMBLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define DISASSEMBLE_MNEMONIC 32

// The mnemonic of the instruction that begins with these bytes, of which the last may be missing:
// an instruction's first 8 bytes are all that some records keep. "(bad)" if they begin none, empty
// where there are none.
void disassemble_mnemonic(const uint8_t* bytes, size_t count, char text[DISASSEMBLE_MNEMONIC]);

// The code around `pc`.
struct disassemble_window {
    const uint8_t* bytes;
    size_t count;
    uint64_t at;        // the address of bytes[0]
    uint64_t pc;        // of the instruction to mark
    uint64_t beginning; // an address at which an instruction begins; 0: not known
};

// Prints up to `before` and `after` instructions around the marked one, a line each. Where an
// instruction began before pc is a guess on x86-64 unless `beginning` lies in the window: the
// longest decoding that ends at pc. Prints nothing if pc is outside the window.
void disassemble_print(const struct disassemble_window* window, unsigned before, unsigned after,
                       FILE* out);

#endif
