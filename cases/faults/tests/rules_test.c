// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <string.h>

#include "faults.h"

static void reads(const char* text, enum fault fault, double rate, uint64_t seed) {
    struct fault_rule rules[FAULT_RULES_MAX];
    char error[160] = "";
    cr_assert_eq(fault_read(text, rules, error, sizeof error), 1, "%s: %s", text, error);
    cr_expect_eq(rules[0].fault, fault, "%s", text);
    cr_expect_eq(rules[0].rate, rate, "%s: %g", text, rules[0].rate);
    cr_expect_eq(rules[0].seed, seed, "%s", text);
}

Test(rules, a_fault_may_have_a_rate_and_a_seed) {
    reads("truncate", FAULT_TRUNCATE, 1, 1);
    reads("truncate:0.01", FAULT_TRUNCATE, 0.01, 1);
    reads("other-thread:1e-3:7", FAULT_OTHER_THREAD, 0.001, 7);
}

Test(rules, every_name_of_the_list_is_read) {
    static const char* const names[] = {"drop-youngest",  "drop-middle",
                                        "truncate",       "cut",
                                        "repeat",         "swap",
                                        "foreign",        "stale-caller",
                                        "extra-youngest", "extra-caller-bci0",
                                        "own-on-top",     "null-id",
                                        "dangling-id",    "bci-next",
                                        "bci-other",      "bci-range",
                                        "flip-native",    "refuse",
                                        "other-thread",   "too-many",
                                        "young-native",   "trust-sp",
                                        "trust-env",      "revive",
                                        "crash",          "spin"};
    cr_assert_eq(sizeof names / sizeof names[0], (size_t)FAULT_COUNT);
    for (int i = 0; i < FAULT_COUNT; i++) reads(names[i], (enum fault)i, 1, 1);
}

static void has_value(const char* text, int32_t value) {
    struct fault_rule rules[FAULT_RULES_MAX];
    char error[160] = "";
    cr_assert_eq(fault_read(text, rules, error, sizeof error), 1, "%s: %s", text, error);
    cr_expect(rules[0].has_value);
    cr_expect_eq(rules[0].value, value, "%s", text);
}

Test(rules, cut_and_refuse_take_a_value) {
    has_value("cut=5:0.1", 5);
    has_value("refuse=-10", -10);
    has_value("refuse=0:0.5", 0);
}

Test(rules, several_faults_are_parted_by_commas) {
    struct fault_rule rules[FAULT_RULES_MAX];
    char error[160];
    cr_assert_eq(fault_read("swap:0.1,spin:0.5:3", rules, error, sizeof error), 2);
    cr_expect_eq(rules[0].fault, FAULT_SWAP);
    cr_expect_eq(rules[1].fault, FAULT_SPIN);
    cr_expect_eq(rules[1].seed, 3u);
}

static void refuses(const char* text, const char* why) {
    struct fault_rule rules[FAULT_RULES_MAX];
    char error[160] = "";
    cr_expect_eq(fault_read(text, rules, error, sizeof error), -1, "%s was read", text);
    cr_expect(strstr(error, why) != NULL, "%s: %s", text, error);
}

Test(rules, a_text_that_is_not_a_fault_is_refused_and_named) {
    refuses("", "no such fault");
    refuses("truncat", "\"truncat\": no such fault");
    refuses("swap:0", "the rate");
    refuses("swap:1.5", "the rate");
    refuses("swap:x", "the rate");
    refuses("swap:nan", "the rate");
    refuses("swap:", "the rate");
    refuses("swap:1:", "the seed");
    refuses("swap:1:-1", "the seed");
    refuses("swap=1", "does not take this value");
    refuses("cut=0", "does not take this value");
    refuses("cut=", "does not take this value");
    refuses("refuse=1", "does not take this value");
    refuses("refuse=-11", "does not take this value");
    refuses("swap,,swap", "no such fault");
    refuses("swap,swap,swap,swap,swap,swap,swap,swap,swap,swap,swap,swap,swap,swap,swap,swap,swap",
            "too many");
}
