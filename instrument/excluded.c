// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The classes that are never rewritten, with the reasons. A name that ends in '*' is a prefix.
#include <string.h>

#include "instrument.h"

static const struct exclusion {
    const char* name;
    const char* reason;
} exclusions[] = {
    {INSTRUMENT_RUNTIME_CLASS, "the runtime class that inserted code calls"},
    {"jdk/internal/misc/Unsafe", "the runtime class calls it"},
    {"sun/misc/Unsafe", "the runtime class calls it on release 8"},
    {"sun/reflect/Generated*", "generated accessors, from loaders that skip verification"},
    {"jdk/internal/reflect/Generated*", "generated accessors, from loaders that skip verification"},
    // The interpreter of JDK 8 recognises Reference.get by its name. With UseFastAccessorMethods
    // (which -Xint sets) and any collector except G1 it takes the method for a getter and reads the
    // field index from the place where a getter has it. Any other code there crashes it.
    {"java/lang/ref/Reference", "the interpreter of JDK 8 knows its code by name"},
    {"java/lang/VirtualThread*", "runs inside mount and unmount transitions"},
    {"java/lang/BaseVirtualThread", "runs inside mount and unmount transitions"},
    {"java/lang/ThreadBuilders$BoundVirtualThread", "runs inside mount and unmount transitions"},
    {"jdk/internal/vm/Continuation*", "switches the stacks that are being traced"},
};

const char* instrument_excluded(const char* name, size_t length) {
    for (size_t i = 0; i < sizeof exclusions / sizeof *exclusions; i++) {
        size_t known = strlen(exclusions[i].name);
        bool prefix = exclusions[i].name[known - 1] == '*';
        if (prefix ? length < --known : length != known) continue;
        if (memcmp(name, exclusions[i].name, known) == 0) return exclusions[i].reason;
    }
    return NULL;
}
