// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Random choices that a seed repeats: xorshift64 (G. Marsaglia, "Xorshift RNGs", 2003).
#ifndef AGENT_RANDOM_H
#define AGENT_RANDOM_H

#include <stdint.h>

// A state for one of several streams of the same seed; never 0.
static inline uint64_t random_seed(uint64_t seed, uint64_t stream) {
    uint64_t state = (seed + 1) * 0x9e3779b97f4a7c15ull ^ stream << 32;
    return state != 0 ? state : 1;
}

// Uniform in [0, limit), limit > 0.
static inline uint32_t random_below(uint64_t* state, uint32_t limit) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)((*state >> 32) * limit >> 32);
}

#endif
