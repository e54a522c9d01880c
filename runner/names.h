// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Names in the lists of cases/ to what they stand for: each gives one bit, or 0 where there is no
// such name. Names are `length` bytes and need no end.
#ifndef RUNNER_NAMES_H
#define RUNNER_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t names_bit(const char* name, size_t length);

uint32_t names_walking(const char* name, size_t length);  // a walking error: 1 << oracle_verdict
uint32_t names_mismatch(const char* name, size_t length); // the same, or attribution
uint32_t names_layer(const char* name, size_t length);    // 1 << enum oracle_layer
uint32_t names_mode(const char* name, size_t length);     // 1 << enum mode_id
uint32_t names_scope(const char* name, size_t length);    // 1 << enum options_scope

// Names joined by `by`; 0 if any of them is none.
uint32_t names_bits(const char* names, size_t length, char by, names_bit* bit);

// Releases "N", "N-" or "N-M": the first and the last, INT_MAX for no end. False: malformed.
bool names_releases(const char* text, size_t length, long* first, long* last);

#endif
