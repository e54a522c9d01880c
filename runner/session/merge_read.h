// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The description that a session wrote of itself (resume.h), read back for `plumbline merge`.
#ifndef RUNNER_MERGE_READ_H
#define RUNNER_MERGE_READ_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The best state comes first.
enum merge_state { MERGE_FINISHED, MERGE_LEFT_OUT, MERGE_NOT_MADE, MERGE_ELSEWHERE };

struct merge_run {
    char name[320]; // CASE-MODE-SCOPE
    char note[400]; // LEFT_OUT: why
    uint32_t layers;
    enum merge_state state;
    const struct merge_share* share;
    size_t order; // for the caller
};

struct merge_share {
    char directory[PATH_MAX];
    char jdk[PATH_MAX], version[64], vm[256];
    char options[4096]; // the lines that must be equal in all shares
    unsigned long long seed;
    struct merge_run* runs;
    size_t count, room;
};

// Reads DIRECTORY/session, or DIRECTORY/unfinished. 0, or -1 with the reason in `error` and *share
// empty.
int merge_read(const char* directory, struct merge_share* share, char* error, size_t error_size);
void merge_read_free(struct merge_share* share);

#endif
