// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// How often a thread checks itself.
#include <criterion/criterion.h>
#include <stdlib.h>

#include "agent/state/state.h"
#include "parts.h"

static const struct agent_rate rate = {.share = 0.06, .share_first = 0.2};

static double share_after(uint64_t checks, bool bench) {
    agent.run = calloc(1, sizeof *agent.run);
    agent.options.bench = bench;
    agent.run->layers[ORACLE_LAYER_GST].answered = checks;
    double share = check_share(&rate);
    free(agent.run);
    agent.run = NULL;
    agent.options.bench = false;
    return share;
}

Test(checks, make_haste_until_a_row_has_enough) {
    cr_expect_eq(share_after(0, false), 0.2);
    cr_expect_eq(share_after(RESULTS_MINIMUM_CHECKS, false), 0.2, "safepoint's may be refused");
    cr_expect_eq(share_after(2 * RESULTS_MINIMUM_CHECKS, false), 0.06);
}

Test(checks, make_no_haste_in_a_bench) {
    cr_expect_eq(share_after(0, true), 0.06);
}
