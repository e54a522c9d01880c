// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// For fuzzers: what each format of a report promises, whatever is reported. A promise that is
// broken ends the process.
#ifndef RESULTS_FORMATS_PROMISES_H
#define RESULTS_FORMATS_PROMISES_H

#include "formats.h"

// Writes the report in every format, and checks it: JSON and XML can be read, CSV has as many cells
// in every line, a page has no scripts but its own, Markdown is not too long, and what is for a
// terminal is plain.
void promises_keep(struct results_saved* saved);
// No control characters but tabs and the ends of lines.
void promises_plain(const char* text);

#endif
