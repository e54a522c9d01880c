// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Small classes, jars and run-time images, made up for tests.
#ifndef RUNNER_TESTS_MADE_UP_H
#define RUNNER_TESTS_MADE_UP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct made_class {
    uint8_t bytes[512];
    size_t length;
};

// A class of version 52 with one static method ()V, whose code is one instruction: `opcode`, or
// which has none (abstract) where opcode is 0.
struct made_class made_class(const char* name, const char* method, uint8_t opcode);

#define MADE_RETURN 0xB1
#define MADE_BAD 0xFE // no instruction

// A run-time image that holds what is added to it.
struct made_image {
    uint8_t locations[2048], data[8192];
    char strings[2048];
    uint32_t offsets[16];
    uint32_t count, locations_size, strings_size, data_size;
    uint32_t compressed; // says so of the entries to come
};
void made_image_add(struct made_image* image, const char* module, const char* parent,
                    const char* base, const char* extension, const uint8_t* bytes, size_t length);
// Writes it. The length of the file.
size_t made_image_write(const struct made_image* image, const char* path);

// A jar: a manifest, then META-INF/X.SF, then the class p/A (deflated), then p/B (stored), all of
// the same time; with the comment "made up".
#define MADE_JAR_TIME 1000000000
void made_jar_write(const char* path);

// Files, whole. The bytes are the caller's.
void made_write(const char* path, const void* bytes, size_t length);
uint8_t* made_read(const char* path, size_t* length);

// A file of this text, which goes with the process. Its name is the caller's until the next call.
const char* made_text(const char* text);

// Known causes by name, without signatures: unexplained, runtime-stub, deopt-caller, thawed,
// linker. They stay.
struct results_causes;
const struct results_causes* made_causes(void);

// Makes `home` that of a JVM of this version, which has the running binary as libself.so, too.
// Gives the place of the function `made_up` there: "libself.so+0x1234".
const char* made_jvm(const char* home, const char* version);

// A new directory. Its name is the caller's until the next call.
const char* made_directory(void);
// directory/name, the caller's until the fourth call after it.
const char* made_path(const char* directory, const char* name);
void made_remove(const char* directory);

#endif
