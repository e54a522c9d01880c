// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "texts.h"

#include "formats.h"

#define NAME(name, text, list)                                                                     \
    const char* texts_##name(int index) {                                                          \
        return text((enum list)index);                                                             \
    }
NAME(verdict, oracle_verdict_text, oracle_verdict)
NAME(layer, oracle_layer_text, oracle_layer)
NAME(refusal, oracle_refusal_text, oracle_refusal)
NAME(undecided, results_undecided_text, results_undecided)
NAME(row_verdict, results_row_verdict_text, results_row_verdict)
NAME(code, results_code_kind_text, results_code_kind)
NAME(region, results_region_text, results_region)
NAME(vote, results_vote_text, results_vote)
#undef NAME
