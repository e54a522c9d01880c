// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The walkers that the agent has descriptions of: walkers.ini, beside it. Only their names and what
// they are about concern the runner.
#ifndef RUNNER_WALKERS_H
#define RUNNER_WALKERS_H

#include <stdbool.h>

// Calls `print` for each walker, in the file's order. 0, or -1 if the file cannot be read.
int walkers_each(const char* path, void (*print)(const char* name, const char* about));

// Is there one of this name? Also true where the file cannot be read: the agent will say so.
bool walkers_known(const char* path, const char* name);

#endif
