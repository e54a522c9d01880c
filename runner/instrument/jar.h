// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Jars, through libzip: read an entry, replace an entry. Entries that are not replaced keep their
// order, times and comments.
#ifndef RUNNER_JAR_H
#define RUNNER_JAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jar;

// Opens the jar at `path`. Error texts call it `name`. NULL with the reason.
struct jar* jar_open(const char* path, const char* name, char* error, size_t error_size);
// Closes the jar without writing.
void jar_close(struct jar* jar);

size_t jar_count(const struct jar* jar);
// NULL if the entry's name cannot be read.
const char* jar_name(const struct jar* jar, size_t index);

// The entry's bytes; they belong to the jar until the next call on it. 0, or -1.
int jar_read(struct jar* jar, size_t index, const uint8_t** bytes, size_t* length, char* error,
             size_t error_size);
// Gives the entry these bytes (copied), compressed, from jar_save on; it keeps its time. 0, or -1.
int jar_replace(struct jar* jar, size_t index, const uint8_t* bytes, size_t length, char* error,
                size_t error_size);
// Writes the file anew. 0, or -1: the file is unchanged. Closes the jar either way.
int jar_save(struct jar* jar, char* error, size_t error_size);

// Is it the name of a class?
bool jar_is_class(const char* name);

#endif
