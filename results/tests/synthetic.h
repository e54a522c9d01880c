// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Runs made up for tests.
#ifndef RESULTS_TESTS_SYNTHETIC_H
#define RESULTS_TESTS_SYNTHETIC_H

#include "results/formats/formats.h"

// A run in phase ENDED whose every layer has judged `judged` and found nothing. Freed by free().
struct results_run* synthetic_run(uint64_t judged);
// An execution of it that ended well.
struct results_execution synthetic_execution(const struct results_run* run, const char* mode);
// Puts a text into the run's text area; its offset.
uint32_t synthetic_text(struct results_run* run, const char* text);
// Keeps a resolved mismatch of two traces of `depth` frames m0 .. m<depth-1>, youngest first; the
// observed one lacks frame 2.
void synthetic_mismatch(struct results_run* run, enum oracle_layer layer, uint32_t depth);
// Gives the mismatch of synthetic_mismatch, of C2's code, what its thread was at.
void synthetic_context(struct results_run* run);
// Makes the run's cluster `index`: of layer async, in a body, at a mov, the caller missing.
struct results_cluster* synthetic_cluster(struct results_run* run, size_t index,
                                          enum oracle_verdict verdict, enum results_code_kind kind,
                                          uint64_t count);
// What `print` wrote, as text; freed by free().
char* synthetic_output(void (*print)(const void* what, FILE* out), const void* what);

#endif
