// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// How two traces differ, in words.
#ifndef RESULTS_RELATION_H
#define RESULTS_RELATION_H

#include <stddef.h>

#include "report.h"

// From a mismatch's verdict, the place of the youngest frame that differs (0 the youngest itself, 1
// its caller, 2 older) and how many instrumented frames the walker lost (negative: has in excess;
// -3 and 3 stand for "or more"): "caller missing", "stops at the youngest frame, 3 or more lost".
void relation_text(enum oracle_verdict verdict, int place, int lost, char* text, size_t size);

#endif
