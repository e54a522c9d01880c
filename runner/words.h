// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A growing list of words: a command line in the making. Memory that runs out ends the process with
// a message and the harness's exit status: nothing is running yet that would be lost.
#ifndef RUNNER_WORDS_H
#define RUNNER_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct words {   // all zero: empty
    char** list; // NULL-terminated once anything was added, as execv wants it
    size_t count, room;
};

void words_add(struct words* words, const char* format, ...) __attribute__((format(printf, 2, 3)));
// Splits `text` at blanks; '...' and "..." keep them, \ takes the next character as it is. NULL:
// nothing. False if a quotation is left open; the words before it have been added.
bool words_split(struct words* words, const char* text);
void words_free(struct words* words);

// Writes one word as a shell reads it back.
void words_quote(FILE* out, const char* word);
// The words quoted, with blanks between; the caller frees it.
char* words_join(char* const* list, size_t count);

#endif
