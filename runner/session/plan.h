// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What is to be run: one entry is one JVM run, which yields a row for each layer.
#ifndef RUNNER_PLAN_H
#define RUNNER_PLAN_H

#include <stddef.h>

#include "runner/lists/lists.h"
#include "runner/options/options.h"

struct plan_entry {
    const struct case_info* test;  // NULL: a program
    const struct program* program; // NULL: a case
    const struct mode* mode;
    const char* scope;
    int feature; // not 0: left out, as it needs a JDK of this release or later (< 0: earlier)
};

struct plan {
    struct plan_entry* entries;
    size_t count; // with options->shards: of this share alone
    size_t whole; // of all shares; entries[count..whole) are those of the others
};

// Of the case or the program.
const char* plan_entry_name(const struct plan_entry* entry);
// "CASE-MODE-SCOPE", "PROGRAM-MODE-SCOPE": the run's directory.
#define PLAN_NAME 200
const char* plan_name(const struct plan_entry* entry, char name[PLAN_NAME]);

// Cases x modes x scopes, or with options->programs listed programs x modes x scopes, in the order of
// the lists; with options->further each case also in its own further modes. The other list is not
// asked and may be NULL. What a program needs besides a release may be on one machine and not on the
// other: such runs are in the plan, and whoever makes them leaves them out. 0; or a runner exit status
// with the reason in `error`: a glob that nothing matches, a preset without cases. With
// options->shards the share's entries come first, both parts in the order of the lists. `feature` is
// the JDK's release.
int plan_make(const struct options* options, const struct cases* cases,
              const struct programs* programs, int feature, struct plan* plan, char* error,
              size_t error_size);
void plan_free(struct plan* plan);

#endif
