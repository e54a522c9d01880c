// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The classes of a JDK's run-time image, read without a JVM: from lib/modules, or from JDK 8's
// rt.jar.
#ifndef RUNNER_CLASSES_H
#define RUNNER_CLASSES_H

#include <stddef.h>
#include <stdint.h>

// Called for each class. Path and bytes live until it returns. It gives 0 to go on; else it fills
// `error`, and the visit ends.
typedef int classes_visitor(void* context, const char* path, const uint8_t* bytes, size_t length,
                            char* error, size_t error_size);

// Visits the classes of the JDK (or JRE) whose home is `home`. Paths are
// "MODULE/PACKAGE/NAME.class" (of rt.jar without a module) and never lead upwards. 0, or -1 with
// the reason, which names the file, in `error`.
int classes_each(const char* home, classes_visitor* visit, void* context, char* error,
                 size_t error_size);

#endif
