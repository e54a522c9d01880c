// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The run-time image of a JDK 9 or later: the file lib/modules ("jimage"), read only. Its layout is
// HotSpot's imageFile.hpp, the same as jdk.internal.jimage reads: a header, a redirect table, an
// offset for each entry, the entries' attributes, strings, then the resources. All numbers of the
// header and tables are in the byte order of the machine the image was made for.
//
// The file is hostile input: every offset in it is checked against the file's bounds.
#ifndef RUNNER_IMAGE_H
#define RUNNER_IMAGE_H

#include <stddef.h>
#include <stdint.h>

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

#endif
