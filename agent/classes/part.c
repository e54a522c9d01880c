// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "agent/state/state.h"
#include "parts.h"

// FNV-1a, 64 bits (G. Fowler, L. C. Noll, K.-P. Vo). The length stands in front, so that no two
// triples of texts are the same bytes.
#define PRIME UINT64_C(0x100000001b3)
#define BASIS UINT64_C(0xcbf29ce484222325)

static uint64_t add_text(uint64_t hash, struct instrument_text text) {
    hash = (hash ^ text.length) * PRIME;
    for (uint32_t i = 0; i < text.length; i++) hash = (hash ^ (uint8_t)text.text[i]) * PRIME;
    return hash;
}

// The finalizer of splitmix64 (S. Vigna): each bit of the result depends on each bit of the value.
static uint64_t mix(uint64_t value) {
    value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
    return value ^ value >> 31;
}

bool part_chosen(uint64_t seed, uint32_t density, struct instrument_text class_name,
                 struct instrument_text name, struct instrument_text descriptor) {
    uint64_t texts = add_text(add_text(add_text(BASIS, class_name), name), descriptor);
    // The seed is mixed first: else the parts of two seeds near each other would be alike.
    uint64_t drawn = mix(texts ^ mix(seed + UINT64_C(0x9e3779b97f4a7c15)));
    return (drawn >> 32) * RESULTS_DENSITY_FULL >> 32 < density;
}
