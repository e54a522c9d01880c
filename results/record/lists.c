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
TEXTS(moment, RESULTS_MOMENTS)
TEXTS(undecided, RESULTS_UNDECIDED)
TEXTS(vote, RESULTS_VOTES)
EXPLANATIONS(vote, RESULTS_VOTES)
TEXTS(outcome, RESULTS_OUTCOMES)
ORACLE_LIST_TEXTS(results_distance_text, enum results_distance_kind, RESULTS_DISTANCES,
                  ORACLE_LIST_TEXT)

enum results_outcome results_outcome_of(enum oracle_verdict verdict) {
    if (verdict == ORACLE_AGREE || verdict == ORACLE_TRANSITION) return RESULTS_OUTCOME_RIGHT;
    if (verdict == ORACLE_ATTRIBUTION) return RESULTS_OUTCOME_ATTRIBUTION;
    if (verdict == ORACLE_REFUSED) return RESULTS_OUTCOME_REFUSED;
    return oracle_is_walking_error(verdict) ? RESULTS_OUTCOME_WRONG : RESULTS_OUTCOME_UNDECIDED;
}
