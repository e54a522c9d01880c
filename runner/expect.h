// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What a control must show, as cases.ini writes it: words parted by blanks,
//     VERDICT[+VERDICT]@LAYER[?][,LAYER[?]]  [modes=MODE[,MODE]]  [release=N[-[M]]]
// e.g. "truncated@safepoint,async,sandwich? modes=c1,c2,tiered release=8-27". VERDICT is a walking
// error, + joins those of which any will do; after a layer ? means: may show it, and need not.
// modes= and release= restrict what stands before them, up to the last VERDICT. The one word
// "crash" or "hang" is for readers.
#ifndef RUNNER_EXPECT_H
#define RUNNER_EXPECT_H

#include <stdbool.h>
#include <stddef.h>

#include "modes.h"
#include "results/results.h"

// False if the words are malformed, with the culprit in `why`.
bool expect_valid(const char* words, char* why, size_t why_size);
// Fills the expectation of each layer for this mode and release; empty where there is none. The
// words are valid.
void expect_for(const char* words, const struct mode* mode, int feature,
                struct results_expected expected[ORACLE_LAYER_COUNT]);

#endif
