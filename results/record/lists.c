// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The texts of the lists in record.h.
#include "record.h"

#define TEXTS(list, LIST)                                                                          \
    ORACLE_LIST_TEXTS(results_##list##_text, enum results_##list, LIST, ORACLE_LIST_TEXT)
#define EXPLANATIONS(list, LIST)                                                                   \
    ORACLE_LIST_TEXTS(results_##list##_explanation, enum results_##list, LIST, ORACLE_LIST_MORE)

TEXTS(phase, RESULTS_PHASES)
TEXTS(undecided, RESULTS_UNDECIDED)
TEXTS(vote, RESULTS_VOTES)
EXPLANATIONS(vote, RESULTS_VOTES)
