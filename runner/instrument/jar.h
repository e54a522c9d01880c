// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Jars, through libzip: read an entry, replace an entry. What is not replaced stays as it is, with
// its order, times and comments.
#ifndef RUNNER_JAR_H
#define RUNNER_JAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jar;

// Opens the jar at `path`. Errors are texts in which it goes by `name`. NULL with the reason.
struct jar* jar_open(const char* path, const char* name, char* error, size_t error_size);
// Without writing anything.
void jar_close(struct jar* jar);

size_t jar_count(const struct jar* jar);
// NULL of an entry without a name that can be read.
const char* jar_name(const struct jar* jar, size_t index);

// The entry's bytes, the jar's memory until the next call on it. 0, or -1.
int jar_read(struct jar* jar, size_t index, const uint8_t** bytes, size_t* length, char* error,
             size_t error_size);
// From jar_save on the entry has these bytes (copied here), compressed, and the time it had. 0, or
// -1.
int jar_replace(struct jar* jar, size_t index, const uint8_t* bytes, size_t length, char* error,
                size_t error_size);
// Writes the file anew and closes the jar, whatever comes of it. 0, or -1: the file is as it was.
int jar_save(struct jar* jar, char* error, size_t error_size);

// Whether a name is that of a class.
bool jar_is_class(const char* name);

#endif
