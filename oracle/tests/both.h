// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// oracle_judge decides most traces that agree by a short pass (plain.h), which must say what the
// long one says.
#ifndef BOTH_H
#define BOTH_H

#include "oracle/oracle.h"

// As oracle_judge, once as it is and once without the short pass. Fails the test if the two differ
// in anything that they tell. Returns the verdict.
enum oracle_verdict judge_both(const struct oracle_stack* stack,
                               const struct oracle_methods* methods,
                               const struct oracle_frame* frames, uint32_t count,
                               const struct oracle_context* context,
                               struct oracle_judgement* judgement);

#endif
