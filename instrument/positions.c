// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Questions about the result: original positions, lines, and texts of refusals.
#include "instrument.h"

const char* instrument_refusal_text(enum instrument_refusal refusal) {
    static const char* const texts[] = {
#define REFUSAL_TEXT(name, text, explanation) [INSTRUMENT_##name] = text,
        INSTRUMENT_REFUSALS(REFUSAL_TEXT)
#undef REFUSAL_TEXT
    };
    return (unsigned)refusal < INSTRUMENT_REFUSAL_COUNT ? texts[refusal] : "unknown";
}

const char* instrument_refusal_explanation(enum instrument_refusal refusal) {
    static const char* const explanations[] = {
#define REFUSAL_EXPLANATION(name, text, explanation) [INSTRUMENT_##name] = explanation,
        INSTRUMENT_REFUSALS(REFUSAL_EXPLANATION)
#undef REFUSAL_EXPLANATION
    };
    return (unsigned)refusal < INSTRUMENT_REFUSAL_COUNT ? explanations[refusal] : "no such refusal";
}

uint32_t instrument_old_bci(const struct instrument_insertion* insertions, uint32_t count,
                            uint32_t new_bci) {
    uint32_t inserted = 0;
    for (uint32_t i = 0; i < count && insertions[i].start <= new_bci; i++) {
        if (new_bci - insertions[i].start < insertions[i].length) return insertions[i].old_bci;
        inserted += insertions[i].length;
    }
    return new_bci - inserted;
}

// The same answer as HotSpot's: the first of the entries at this very bci; if there is none, the
// last of the entries at the nearest bci before it.
uint32_t instrument_line_of(const struct instrument_line* lines, uint32_t count, uint32_t old_bci) {
    uint32_t line = 0;
    for (uint32_t i = 0; i < count && lines[i].old_bci <= old_bci; i++) {
        if (lines[i].old_bci == old_bci) return lines[i].line;
        line = lines[i].line;
    }
    return line;
}
