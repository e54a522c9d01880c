// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The texts of the lists by index, in the form that take_counts and take_word ask for.
#ifndef RESULTS_FORMATS_NAMES_H
#define RESULTS_FORMATS_NAMES_H

const char* names_verdict(int index);     // enum oracle_verdict
const char* names_layer(int index);       // enum oracle_layer
const char* names_refusal(int index);     // enum oracle_refusal
const char* names_undecided(int index);   // enum results_undecided
const char* names_row_verdict(int index); // enum results_row_verdict
const char* names_code(int index);        // enum results_code_kind
const char* names_region(int index);      // enum results_region
const char* names_vote(int index);        // enum results_vote

#endif
