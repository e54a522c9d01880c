// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Archives, by libarchive: whatever it reads, .tar.gz and .zip among it. They may be hostile.
#ifndef RUNNER_UNPACK_H
#define RUNNER_UNPACK_H

#include <limits.h>
#include <stddef.h>

// A JDK with all its debug symbols has 2 GB.
#define UNPACK_BYTES (16ll << 30)

// Unpacks the file into a directory of its own below `cache`, unless that was done before: of a
// file with the same path, size and time. Only files, directories and links are made, and nothing
// outside: no "..", no absolute name, nothing through a link that the archive has made. Such an
// archive, one that is broken, and one of more than UNPACK_BYTES, is refused and leaves nothing.
// 0 and `directory`; or -1 with the reason in `error`.
int unpack(const char* file, const char* cache, char directory[PATH_MAX], char* error,
           size_t error_size);

#endif
