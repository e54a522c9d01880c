// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The plan: which runs a session makes. An entry is one JVM run, which yields a row for each layer.
// A plan can be cut into shares for many machines, and printed. It starts no run.
#ifndef RUNNER_PLAN_H
#define RUNNER_PLAN_H

#include "runner/base/base.h"
#include "runner/lists/lists.h"
#include "runner/options/options.h"

// plumbline plan: prints a line for each run of the plan, for a shell: the same command with
// --shard I/N and --out OUT/I, and behind # the run. Returns the exit status.
int plan_command(const struct base_call* call);

// The names that globs choose from.
struct plan_names {
    const char* (*name)(const void* list, size_t i);
    const void* list;
    size_t count;
    const char *what, *lists; // one of them, and what `plumbline list` calls them: "case", "cases"
};
// Marks, in chosen[0..count), the names that one of the globs matches, which commas separate. 0; or
// an exit status with the reason: a glob that matches none.
int plan_choose(const char* globs, const struct plan_names* names, bool* chosen, char* error,
                size_t error_size);

struct plan_entry {
    const struct case_info* test;  // NULL: a program
    const struct program* program; // NULL: a case
    const struct mode* mode;
    const char* scope;
    int feature; // not 0: left out, because it needs a JDK of this release or later (< 0: or
                 // earlier)
};

struct plan {
    struct plan_entry* entries;
    size_t count; // with options->shards: of this share alone
    size_t whole; // of all shares; entries[count..whole) belong to the others
};

// The name of the case or the program.
const char* plan_entry_name(const struct plan_entry* entry);
// "CASE-MODE-SCOPE" or "PROGRAM-MODE-SCOPE": the name of the run's directory.
#define PLAN_NAME 200
const char* plan_name(const struct plan_entry* entry, char name[PLAN_NAME]);
// "needs JDK 21 or later": the reason why an entry is left out.
#define PLAN_NEEDS 40
const char* plan_needs(const struct plan_entry* entry, char text[PLAN_NEEDS]);

// Cases x modes x scopes in the order of the lists; with options->further each case also in its own
// further modes; a preset's case also in scope all, in the modes that cases.ini gives it, unless
// the user chose scopes; with options->programs listed programs instead of cases. The other list is
// not read and may be NULL. With options->shards the share's entries come first, both parts in the
// order of the lists. A program whose files are missing here is in the plan all the same, as they
// may be on another machine. `feature` is the JDK's release. 0; or an exit status with the reason
// in `error`: a glob that matches nothing, a preset without cases.
int plan_make(const struct options* options, const struct lists* lists, int feature,
              struct plan* plan, char* error, size_t error_size);
void plan_free(struct plan* plan);

#endif
