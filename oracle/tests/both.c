// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "both.h"

#include <criterion/criterion.h>

#define NO_RULE (1u << ORACLE_RULE_COUNT) // the short pass takes no trace where a rule is off

static bool tell_the_same(const struct oracle_judgement* a, const struct oracle_judgement* b) {
    return a->verdict == b->verdict && a->expected == b->expected && a->observed == b->observed &&
           a->difference == b->difference && a->gap_frames == b->gap_frames &&
           a->caller_bcis == b->caller_bcis && a->own == b->own && a->believed == b->believed;
}

enum oracle_verdict judge_both(const struct oracle_stack* stack,
                               const struct oracle_methods* methods,
                               const struct oracle_frame* frames, uint32_t count,
                               const struct oracle_context* context,
                               struct oracle_judgement* judgement) {
    struct oracle_context without = *context;
    struct oracle_judgement by_long;
    without.off |= NO_RULE;
    oracle_judge(stack, methods, frames, count, &without, &by_long);
    oracle_judge(stack, methods, frames, count, context, judgement);
    cr_assert(tell_the_same(judgement, &by_long),
              "%s of %u/%u frames, %u in gaps, %u at calls; by the long pass %s, %u/%u, %u, %u",
              oracle_verdict_text(judgement->verdict), judgement->observed, judgement->expected,
              judgement->gap_frames, judgement->caller_bcis, oracle_verdict_text(by_long.verdict),
              by_long.observed, by_long.expected, by_long.gap_frames, by_long.caller_bcis);
    const struct oracle_trace trace = {frames, count};
    struct oracle_judgement by_short;
    enum oracle_own own = oracle_is_own(stack, methods, frames, count, &context->place);
    if (oracle_agrees(stack, methods, &trace, context, own, &by_short))
        cr_assert(tell_the_same(judgement, &by_short), "the short pass agrees, not with %s",
                  oracle_verdict_text(judgement->verdict));
    return judgement->verdict;
}
