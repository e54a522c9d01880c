// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What a user calls a JDK: its directory, a build tree with an image in it, or an archive.
#ifndef RUNNER_LOCATE_H
#define RUNNER_LOCATE_H

#include <limits.h>
#include <stddef.h>

// Writes the JDK's directory to `home`:
//     a JDK's own directory                      itself
//     a directory with images/jdk                that
//     a source tree with one build/X/images/jdk  that; several: refused, with their names
//     a file                                     the JDK in it, unpacked below `cache` (unpack.h)
// What is none of these is written as it was given: jdk_examine says what is wrong with it. 0, or
// -1 with the reason in `error`.
int locate_jdk(const char* given, const char* cache, char home[PATH_MAX], char* error,
               size_t error_size);

#endif
