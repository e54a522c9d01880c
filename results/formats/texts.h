// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The texts of the lists by index, in the form that take_counts and take_word ask for.
#ifndef RESULTS_FORMATS_TEXTS_H
#define RESULTS_FORMATS_TEXTS_H

const char* texts_verdict(int index);     // enum oracle_verdict
const char* texts_layer(int index);       // enum oracle_layer
const char* texts_refusal(int index);     // enum oracle_refusal
const char* texts_undecided(int index);   // enum results_undecided
const char* texts_row_verdict(int index); // enum results_row_verdict
const char* texts_code(int index);        // enum results_code_kind
const char* texts_region(int index);      // enum results_region
const char* texts_vote(int index);        // enum results_vote

#endif
