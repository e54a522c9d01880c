// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Names come from the program under test, which may be hostile, and from the memory of a JVM that
// was dying. What is given out here is UTF-8 that XML, JSON, browsers and terminals take, and in
// which nothing is invisible. It is not yet escaped for any of them.
#ifndef RESULTS_PLAIN_H
#define RESULTS_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// The text with whatever is no UTF-8, a control character, or one that changes the direction of
// writing or is not to be seen, as \xNN (a byte) or \uNNNN; line ends and tabs are left where
// `lines`. Cut at about `limit` bytes, with "..." behind it. Freed by the caller; NULL without
// memory. A text of NULL is empty.
char* plain_copy(const char* text, size_t limit, bool lines);
#define PLAIN_LINE 4096 // enough for any name, and a page stays a page

// What is printed to plain_open's stream comes to `out`, plain, its lines left, at plain_close.
// Without memory the stream is `out` itself: a raw report is better than none.
struct plain_stream {
    FILE *in, *out;
    char* text;
    size_t size;
};
FILE* plain_open(struct plain_stream* stream, FILE* out);
void plain_close(struct plain_stream* stream);

#endif
