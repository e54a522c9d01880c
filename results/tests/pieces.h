// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Pieces put into a ring as the agent puts them there. For tests and for the fuzzer's seeds.
#ifndef RESULTS_TESTS_PIECES_H
#define RESULTS_TESTS_PIECES_H

#include "results/record/record.h"

// The sample as a piece of the ring. False: it does not fit.
bool pieces_sample(const struct results_ring* ring, const struct results_sample* sample);
// A settlement, with settled->count frames of GetStackTrace. False: it does not fit.
bool pieces_settled(const struct results_ring* ring, const struct results_settled_piece* settled,
                    const struct results_sample_frame* witness);

#endif
