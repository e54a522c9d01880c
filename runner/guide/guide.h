// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The ways to find one's way: the usage, the first minute, manual pages and the shells' completion.
// All of them are made of the table of commands (main.c) and the commands' own tables of options.
#ifndef RUNNER_GUIDE_H
#define RUNNER_GUIDE_H

#include "runner/base/base.h"

// plumbline --help. `commands` ends with one that has no name.
void guide_usage(const struct base_command* commands, FILE* out);
// Complains that there is no such command or option, with the nearest one, on standard error.
void guide_no_command(const struct base_command* commands, const char* name);
// plumbline alone: the JDKs that are here, and three commands to try. `program` is the name by
// which it was called.
void guide_first(const char* program, FILE* out);
// The examples of a command, a line each, for the end of its --help; NULL: it has none. Static
// text.
const char* guide_examples(const char* command);

// plumbline make-page [COMMAND], not for users: prints the manual page of the command, or of
// plumbline itself, in the macros of man(7).
int guide_page_command(const struct base_call* call);
// plumbline complete WORD..., not for users: prints what the last word may become, one candidate a
// line. The line "/" stands for directories, "*" for all files.
int guide_complete_command(const struct base_call* call);

#endif
