// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// One mismatch as text.
#ifndef RESULTS_EVIDENCE_H
#define RESULTS_EVIDENCE_H

#include "results.h"

// Heading, the two traces side by side, and what the thread was at. `whole`: with all of the stack
// that was kept. False without memory.
bool evidence_print(const struct results_report* report, const struct results_execution* execution,
                    const struct results_mismatch* mismatch, bool whole, FILE* out);

// The two traces line by line, youngest first, each side as "class.method(descriptor) @bci
// File.java:line", "" where it has no such frame; `mark` as README.md lists them. Where `skipped`
// is not 0 so many lines without difference were left out before the line, and a mark of 0 is no
// line but the end. False without memory.
typedef void evidence_visit(void* context, size_t skipped, char mark, const char* expected,
                            const char* observed);
bool evidence_lines(const struct results_run* run, const struct results_mismatch* mismatch,
                    evidence_visit* visit, void* context);

// What the interrupted thread was at: code, instruction, registers, stack, the same walk again.
// Nothing for checks at pushes, which have no program counter.
void context_print(const struct results_report* report, const struct results_run* run,
                   const struct results_mismatch* mismatch, bool whole, FILE* out);

// A text of the run's text area, which a dying JVM may have left unfinished; NULL if there is none.
const char* evidence_text_at(const struct results_run* run, uint32_t offset);

#endif
