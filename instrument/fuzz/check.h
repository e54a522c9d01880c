// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What must hold whatever bytes are rewritten. A finding is printed, and ends the process by
// abort(), so that a fuzzer keeps the input.
#ifndef INSTRUMENT_FUZZ_CHECK_H
#define INSTRUMENT_FUZZ_CHECK_H

#include "instrument/instrument.h"

// Rewrites data[0, size) and looks at what came of it:
// - a refusal is one of the list, and leaves the result alone;
// - the description of each method agrees with itself (insertions, lines, lengths);
// - with what was inserted taken out, each method has the instructions, jumps and exception ranges
//   that it had (compare.c), and so have frames, lines and variables (tables.c);
// - the result is a class as well: it can be rewritten again, method by method;
// - another rewriter, whatever it did before, gives the same bytes.
void check_rewriting(const uint8_t* data, size_t size);

// What has been rewritten so far.
struct check_totals {
    unsigned long classes; // rewritten, not refused
    unsigned long methods; // with code, of those classes
    unsigned long refused; // of these methods
};
struct check_totals check_totals(void);

// Ends the process with that message if `holds` is false.
void check_that(bool holds, const char* what);

// One method before and after: its code, and where the class's parts are.
struct shape;
struct shape_code;
struct compared {
    const struct instrument_method* method;
    const uint8_t *old_bytes, *new_bytes;
    const struct shape *old_shape, *new_shape;
    const struct shape_code *old_parts, *new_parts;
    const uint8_t *old_code, *new_code;
};
void compare_method(const struct compared* compared);
// After compare_method: where a jump to the instruction at an original bci leads (COMPARE_NOWHERE:
// there is none), and where the instruction itself is.
#define COMPARE_NOWHERE 0xffffffffu
uint32_t compare_landing(uint32_t bci);
uint32_t compare_own(const struct compared* compared, uint32_t bci);

// Frames, lines and variables, after compare_method.
void compare_tables(const struct compared* compared);

#endif
