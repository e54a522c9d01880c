// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Archives, by libarchive: all formats that it reads, .tar.gz and .zip among them. They may be
// hostile.
#ifndef RUNNER_UNPACK_H
#define RUNNER_UNPACK_H

#include <limits.h>
#include <stddef.h>

// A JDK with all its debug symbols has 2 GB.
#define UNPACK_BYTES (16ll << 30)

// Unpacks the file into a directory of its own below `cache`, unless a file with the same path,
// size and time was unpacked before. Only files, directories and links are made, all of them
// inside. An archive is refused, and leaves nothing, if it has "..", an absolute name or a path
// through a link of its own, if it is broken, or if it has more than UNPACK_BYTES. 0 and
// `directory`; or -1 with the reason in `error`.
int unpack(const char* file, const char* cache, char directory[PATH_MAX], char* error,
           size_t error_size);

#endif
