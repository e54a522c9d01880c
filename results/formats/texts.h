// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The texts of the lists by index, texts_verdict(int index), in the form that put_counts,
// take_counts and take_word ask for.
#ifndef RESULTS_FORMATS_TEXTS_H
#define RESULTS_FORMATS_TEXTS_H

#include "results/report/report.h"

#define TEXTS_BY_INDEX(name, text, list)                                                           \
    static inline const char* texts_##name(int index) {                                            \
        return text((enum list)index);                                                             \
    }
TEXTS_BY_INDEX(verdict, oracle_verdict_text, oracle_verdict)
TEXTS_BY_INDEX(layer, oracle_layer_text, oracle_layer)
TEXTS_BY_INDEX(refusal, oracle_refusal_text, oracle_refusal)
TEXTS_BY_INDEX(undecided, results_undecided_text, results_undecided)
TEXTS_BY_INDEX(row_verdict, results_row_verdict_text, results_row_verdict)
TEXTS_BY_INDEX(code, results_code_kind_text, results_code_kind)
TEXTS_BY_INDEX(region, results_region_text, results_region)
TEXTS_BY_INDEX(vote, results_vote_text, results_vote)
#undef TEXTS_BY_INDEX
// The key of struct results_inlined, by compiler.
static inline const char* texts_inlined(unsigned compiler) {
    static const char* const keys[RESULTS_COMPILERS] = {"inlined_c1", "inlined_c2"};
    return keys[compiler];
}

#define TEXTS_ENDS (RESULTS_END_INTERRUPTED + 1)
// How a JVM ended, by enum results_end.
static inline const char* texts_end(int index) {
    static const char* const ends[TEXTS_ENDS] = {
        [RESULTS_END_SKIPPED] = "skipped",     [RESULTS_END_FAILED] = "failed",
        [RESULTS_END_EXITED] = "exited",       [RESULTS_END_SIGNALLED] = "signalled",
        [RESULTS_END_TIMED_OUT] = "timed_out", [RESULTS_END_INTERRUPTED] = "interrupted"};
    return index >= 0 && index < TEXTS_ENDS ? ends[index] : "?";
}

#endif
