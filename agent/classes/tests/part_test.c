// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "parts.h"
#include "results/record/record.h"

static struct instrument_text text(const char* bytes) {
    return (struct instrument_text){bytes, (uint32_t)strlen(bytes)};
}

static bool chosen(uint64_t seed, uint32_t density, const char* name) {
    return part_chosen(seed, density, text("a/Class"), text(name), text("()V"));
}

#define METHODS 20000

static double count(uint64_t seed, uint32_t density) {
    uint32_t number = 0;
    char name[16];
    for (int i = 0; i < METHODS; i++) {
        snprintf(name, sizeof name, "m%d", i);
        number += chosen(seed, density, name);
    }
    return number;
}

// Five standard deviations of the binomial.
Test(part, has_the_size_that_was_asked_for) {
    cr_expect_eq(count(1, RESULTS_DENSITY_FULL), METHODS);
    cr_expect_float_eq(count(1, 500000), METHODS / 2.0, 5 * 71.0);
    cr_expect_float_eq(count(1, 100000), METHODS / 10.0, 5 * 43.0);
    cr_expect_float_eq(count(7, 1000), METHODS / 1000.0, 5 * 5.0);
}

// The choice is part of what a seed repeats: these must never change.
Test(part, is_fixed_by_the_seed_and_the_names) {
    static const char* const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    unsigned one = 0, again = 0;
    for (unsigned i = 0; i < 8; i++) one |= (unsigned)chosen(1, 500000, names[i]) << i;
    for (unsigned i = 8; i-- > 0;) again |= (unsigned)chosen(1, 500000, names[i]) << i;
    cr_expect_eq(one, again);
    cr_expect_eq(one, 0x9u, "%#x", one);
}

// Two parts of independent seeds share 25 % of all at 50 %.
Test(part, of_another_seed_is_another_one) {
    for (uint64_t seed = 2; seed < 6; seed++) {
        double shared = 0;
        char name[16];
        for (int i = 0; i < METHODS; i++) {
            snprintf(name, sizeof name, "m%d", i);
            shared += chosen(1, 500000, name) && chosen(seed, 500000, name);
        }
        cr_expect_float_eq(shared, METHODS / 4.0, 5 * 61.0, "seed %d", (int)seed);
    }
}

Test(part, grows_with_the_density) {
    char name[16];
    for (int i = 0; i < METHODS; i++) {
        snprintf(name, sizeof name, "m%d", i);
        if (chosen(3, 100000, name)) cr_assert(chosen(3, 200000, name), "%s", name);
    }
}

Test(part, tells_class_name_and_descriptor_apart) {
    double same = 0;
    char name[16];
    for (int i = 0; i < METHODS; i++) {
        snprintf(name, sizeof name, "m%d", i);
        same += part_chosen(1, 500000, text("a/B"), text(name), text("()V")) ==
                part_chosen(1, 500000, text("a/Bm"), text(name + 1), text("()V"));
    }
    cr_expect_float_eq(same, METHODS / 2.0, 5 * 71.0);
}
