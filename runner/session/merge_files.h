// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#ifndef RUNNER_MERGE_FILES_H
#define RUNNER_MERGE_FILES_H

// Makes the directory `to` with the plain files of `from`: hard links, or copies on another file
// system. 0, or -1 with errno set.
int merge_files(const char* from, const char* to);

#endif
