// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "oracle.h"

static HANDLER_SAFE bool is_same(const struct oracle_frame* a, const struct oracle_frame* b) {
    return a->method == b->method && a->bci == b->bci;
}

// How many of the trace's frames from `at` on are the scopes from `from` on, in order.
static HANDLER_SAFE uint32_t run_of(const struct oracle_trace* trace, uint32_t at,
                                    const struct oracle_trace* scopes, uint32_t from) {
    uint32_t n = 0;
    while (at + n < trace->count && from + n < scopes->count &&
           is_same(&trace->frames[at + n], &scopes->frames[from + n]))
        n++;
    return n;
}

HANDLER_SAFE uint32_t oracle_scopes_shown(const struct oracle_trace* trace,
                                          const struct oracle_trace* scopes,
                                          const struct oracle_context* context) {
    uint32_t same = run_of(trace, 0, scopes, 0);
    if (scopes->count == 0 || (same == trace->count && context->depth_limit))
        return ORACLE_SHOWN_UNKNOWN;
    return same == scopes->count ? same : ORACLE_SHOWN_OTHER;
}

HANDLER_SAFE enum oracle_verdict oracle_judge_scopes(const struct oracle_trace* trace,
                                                     const struct oracle_trace* scopes,
                                                     struct oracle_judgement* judgement) {
    uint32_t same = run_of(trace, 0, scopes, 0);
    judgement->verdict = ORACLE_WRONG_METHOD;
    judgement->difference = same;
    judgement->believed = false;
    for (uint32_t at = 1; at < trace->count; at++)
        if (run_of(trace, at, scopes, 0) == scopes->count) {
            judgement->verdict = ORACLE_PHANTOM;
            return judgement->verdict;
        }
    for (uint32_t from = 1; from < scopes->count; from++)
        if (run_of(trace, 0, scopes, from) == scopes->count - from)
            judgement->verdict = ORACLE_MISSING;
    if (judgement->verdict == ORACLE_WRONG_METHOD && same < trace->count && same < scopes->count &&
        trace->frames[same].method == scopes->frames[same].method)
        judgement->verdict = ORACLE_WRONG_BCI;
    return judgement->verdict;
}
