// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The checks that must hold for every input. A finding is printed and ends the process by abort(),
// so that a fuzzer keeps the input. Not thread-safe.
#ifndef INSTRUMENT_FUZZ_CHECK_H
#define INSTRUMENT_FUZZ_CHECK_H

#include "instrument/instrument.h"

// Rewrites data[0, size) and checks the result:
// - A refusal is one of the list and leaves the result untouched.
// - The description of each method is consistent (insertions, lines, lengths).
// - Without the insertions, each method has its original instructions, jumps and exception ranges
//   (compare.c), and its original frames, lines and variables (tables.c).
// - The result is a class that can be rewritten again, method by method.
// - Another rewriter gives the same bytes, regardless of what it rewrote before.
void check_rewriting(const uint8_t* data, size_t size);

// Counts of everything rewritten so far.
struct check_totals {
    unsigned long classes; // rewritten, not refused
    unsigned long methods; // methods with code in those classes
    unsigned long refused; // refused ones among these methods
};
struct check_totals check_totals(void);

// If `holds` is false, prints `what` as the condition that does not hold and aborts the process.
void check_that(bool holds, const char* what);

// One method before and after rewriting: its code, and the places of the class's parts.
struct shape;
struct shape_code;
struct compared {
    const struct instrument_method* method;
    const uint8_t *old_bytes, *new_bytes;
    const struct shape *old_shape, *new_shape;
    const struct shape_code *old_parts, *new_parts;
    const uint8_t *old_code, *new_code;
};
// Checks the instructions, jumps and exception ranges of one method.
void compare_method(const struct compared* compared);
// After compare_method, for the method compared last: the new bci to which a jump to the
// instruction at an original bci leads, or COMPARE_NOWHERE if there is no such instruction.
#define COMPARE_NOWHERE 0xffffffffu
uint32_t compare_landing(uint32_t bci);
// After compare_method: the new bci of the instruction itself.
uint32_t compare_own(const struct compared* compared, uint32_t bci);

// Checks frames, lines and variables. Call compare_method first.
void compare_tables(const struct compared* compared);

#endif
