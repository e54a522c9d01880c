// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Values out of a results.json, which may be cut short, of another version or nobody's: the first
// thing that is not as it must be is put in words with its place, and from then on every value is
// zero, so that a reader asks once, at the end.
#ifndef RESULTS_TAKE_H
#define RESULTS_TAKE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TAKE_PLACE 64
// results.json as it is written, and the oldest that is read: README.md says how they differ.
#define TAKE_SCHEMA 3
#define TAKE_SCHEMA_OLDEST 1

struct take {
    const char* path; // of the file
    char* error;      // receives the words
    size_t size;
    char place[TAKE_PLACE]; // "runs[3]", "" at the top
    bool failed;
};

// All of the file, the caller's. NULL: take->failed, and the words say why.
json_t* take_file(struct take* take);

// Says that something is wrong at the place; the first call counts.
__attribute__((format(printf, 2, 3))) void take_fail(struct take* take, const char* format, ...);

// Members that must be there. Texts and references are the object's.
const char* take_text(struct take* take, const json_t* object, const char* key);
uint64_t take_count(struct take* take, const json_t* object, const char* key);
double take_number(struct take* take, const json_t* object, const char* key); // finite, >= 0
const json_t* take_list(struct take* take, const json_t* object, const char* key);
const json_t* take_object(struct take* take, const json_t* object, const char* key);
// Members that older files lack: "" or 0 then, but not where they are there and of another type.
const char* take_text_if(struct take* take, const json_t* object, const char* key);
uint64_t take_count_if(struct take* take, const json_t* object, const char* key);
double take_number_if(struct take* take, const json_t* object, const char* key);

// A text that must be there and fit `size` bytes.
void take_copy(struct take* take, const json_t* object, const char* key, char* text, size_t size);

// Counts by name, {"truncated": 3}: into counts[i] where name(i) is the key. A name that is not in
// the list is refused: its count would be lost.
void take_counts(struct take* take, const json_t* object, const char* key,
                 const char* (*name)(int index), int list, uint64_t* counts);
// The index of the member's text in a list; 0 and a failure where it is not in it.
int take_word(struct take* take, const json_t* object, const char* key,
              const char* (*name)(int index), int list);

#endif
