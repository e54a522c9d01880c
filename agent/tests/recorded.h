// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What the agent put into its run's ring, as a record: for tests that run no writer.
#ifndef AGENT_TESTS_RECORDED_H
#define AGENT_TESTS_RECORDED_H

#include "results/record/record.h"

// A record in memory.
struct recorded {
    struct results_record* record;
    void* bytes;
    uint64_t samples, settlements; // pieces of these kinds
};
// Takes all pieces out of agent.run's ring and records them, behind `extra` (NULL: nothing). Fails
// the test where one is malformed.
struct recorded recorded_take(const struct results_sample* extra);
void recorded_free(struct recorded* recorded);

// Calls `see` for each sample of the record.
void recorded_each(const struct results_record* record,
                   void (*see)(void* context, const struct results_sample* sample, bool lost),
                   void* context);

#endif
