// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The parts of the command behind the door: images, jars, rewriting, arguments.
#ifndef RUNNER_INSTRUMENT_PARTS_H
#define RUNNER_INSTRUMENT_PARTS_H

#include "instrument/instrument.h"
#include "runner/base/base.h"

// ---- image.c -----------------------------------------------------------------------------------
// The run-time image of a JDK 9 or later: the file lib/modules ("jimage"), read only. Its layout is
// HotSpot's imageFile.hpp, the same as jdk.internal.jimage reads: a header, a redirect table, an
// offset for each entry, the entries' attributes, strings, then the resources. All numbers of the
// header and tables are in the byte order of the machine the image was made for.
//
// The file is hostile input: every offset in it is checked against the file's bounds.

struct image_class {
    const char* path; // "java.base/java/lang/Object.class"
    const uint8_t* bytes;
    size_t length;
};

struct image;

// Maps the file into memory. NULL with a reason that names the file: it cannot be read, is no
// image, or has compressed resources (jlink --compress), which are not supported.
struct image* image_open(const char* path, char* error, size_t error_size);
void image_close(struct image* image);

// The classes, in the order in which they lie in the file. Texts and bytes live until image_close.
const struct image_class* image_classes(const struct image* image, size_t* count);

// ---- classes.c ---------------------------------------------------------------------------------
// The classes of a JDK's run-time image, read without a JVM: from lib/modules, or from JDK 8's
// rt.jar.

// Called for each class. Path and bytes live until it returns. It gives 0 to go on; else it fills
// `error`, and the visit ends.
typedef int classes_visitor(void* context, const char* path, const uint8_t* bytes, size_t length,
                            char* error, size_t error_size);

// Visits the classes of the JDK (or JRE) whose home is `home`. Paths are
// "MODULE/PACKAGE/NAME.class" (of rt.jar without a module) and never lead upwards. 0, or -1 with
// the reason, which names the file, in `error`.
int classes_each(const char* home, classes_visitor* visit, void* context, char* error,
                 size_t error_size);

// ---- jar.c -------------------------------------------------------------------------------------
// Jars, through libzip: read an entry, replace an entry. Entries that are not replaced keep their
// order, times and comments.

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

// ---- rewrite.c ---------------------------------------------------------------------------------
// Rewriting outside a JVM, one class after the other: the instrumenter with the numbers and
// exclusions that the agent gives it, the map of numbers, and counts. No files here: bytes in,
// bytes out, and text to streams.

struct rewrite_counts {
    // Each class is counted as one of the four.
    uint64_t classes, classes_rewritten, classes_bare, classes_excluded, classes_refused;
    // Each method with code, of a class neither excluded nor refused, is counted as one of the two.
    uint64_t methods, methods_rewritten, methods_refused;
    uint64_t class_reasons[INSTRUMENT_REFUSAL_COUNT], method_reasons[INSTRUMENT_REFUSAL_COUNT];
    uint64_t bytes_in, bytes_out; // of classes
    double seconds;               // spent in the instrumenter
};

struct rewrite {
    struct instrument* instrument;
    uint32_t last_number;
    FILE* map;      // a line "number class.method descriptor" for each rewritten method; or NULL
    FILE* refusals; // a line for each class and method that was refused; or NULL
    struct rewrite_counts counts;
};

// Numbers begin at 1. 0, or -1 without memory.
int rewrite_init(struct rewrite* rewrite);
void rewrite_free(struct rewrite* rewrite);

// Rewrites a class; `path` is for messages only. Gives the new bytes, which belong to the
// instrumenter until the next call, and their length in *length. Gives the same bytes if the class
// stays unchanged: refused, excluded, or without a method that could be rewritten. Only rewritten
// classes take numbers.
const uint8_t* rewrite_class(struct rewrite* rewrite, const char* path, const uint8_t* bytes,
                             size_t* length);

// Prints one count a line, its name first; `seconds` is the time of the whole command.
void rewrite_report(const struct rewrite_counts* counts, double seconds, FILE* out);

double rewrite_clock(void); // seconds, monotonic

// ---- instrument_command.c ----------------------------------------------------------------------
// The arguments of plumbline instrument.

struct instrument_command_options {
    const char *in, *out;
    bool report;
};

// 0 and *options complete; else as arguments_parse.
int instrument_command_parse(const struct base_call* call,
                             struct instrument_command_options* options);
int instrument_command_run(const struct instrument_command_options* options);

#endif
