// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What the files of this room ask of each other.
#ifndef RESULTS_CAUSES_PARTS_H
#define RESULTS_CAUSES_PARTS_H

#include "causes.h"

// A value's bit must fit into results_signature.allowed.
#define FACTS_VALUES_MAX 64u

// The value of a fact by its text, which is not ended; -1: it has no such value.
int facts_value(enum results_fact fact, const char* text, size_t length);

// Reads "WORD=VALUE[+VALUE] ..." into *signature. False with the culprit in `why`.
bool signature_read(const char* words, struct results_signature* signature, char* why, size_t size);
// Whether the facts fit.
bool signature_fits(const struct results_signature* signature, const struct results_facts* facts,
                    enum results_collector collector) HANDLER_SAFE;

#endif
