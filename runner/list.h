// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline list: what there is to choose from.
#ifndef RUNNER_LIST_H
#define RUNNER_LIST_H

// Prints one of the lists, one entry a line, its name first. Returns the exit status.
int list_run(int argc, char** argv);

#endif
