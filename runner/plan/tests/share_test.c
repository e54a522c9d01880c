// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>

#include "share.h"

Test(share, each_share_takes_about_as_long) {
    const double seconds[] = {1, 9, 2, 8, 3, 7, 4, 6, 5, 5};
    unsigned shares[10];
    double sum[4] = {0};
    cr_assert_eq(share_cut(seconds, 10, 3, shares), 0);
    for (int i = 0; i < 10; i++) sum[shares[i]] += seconds[i];
    for (int s = 1; s <= 3; s++) cr_expect(sum[s] >= 16 && sum[s] <= 17, "%d: %g", s, sum[s]);
    cr_expect_eq(sum[0], 0, "shares count from 1");
}

Test(share, as_many_shares_as_runs_have_one_each) {
    const double seconds[] = {0.001, 4, 0.001, 4};
    unsigned shares[4], seen = 0;
    cr_assert_eq(share_cut(seconds, 4, 4, shares), 0);
    for (int i = 0; i < 4; i++) seen |= 1u << shares[i];
    cr_expect_eq(seen, 0x1eu);
}

Test(share, what_is_left_out_takes_no_time_and_what_starts_slowly_takes_more) {
    const struct options options = {.seconds = 4};
    double plain = share_seconds(&options, &modes[MODE_INT], "app", false);
    cr_expect_gt(plain, 4);
    cr_expect_lt(share_seconds(&options, &modes[MODE_INT], "app", true), 0.1);
    cr_expect_gt(share_seconds(&options, &modes[MODE_COMP], "app", false), plain);
    cr_expect_gt(share_seconds(&options, &modes[MODE_INT], "all", false), plain);
}

Test(share, a_program_weighs_what_the_list_says_and_more_where_it_runs_slowly) {
    const struct program quick = {.seconds = 300, .expected = 10};
    const struct program slow = {.seconds = 300, .expected = 30};
    const struct mode* tiered = &modes[MODE_TIERED];
    double plain = share_seconds_of_program(&quick, tiered, "app", false);
    cr_expect_float_eq(share_seconds_of_program(&slow, tiered, "app", false), 3 * plain, 1e-9);
    cr_expect_gt(share_seconds_of_program(&quick, tiered, "all", false), plain);
    cr_expect_gt(share_seconds_of_program(&quick, &modes[MODE_INT], "app", false), plain);
    cr_expect_lt(share_seconds_of_program(&quick, tiered, "app", true), 0.1);
}
