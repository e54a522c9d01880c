// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The parts of launch: its time, the terminal, and what children leave behind.
#ifndef RUNNER_LAUNCH_LAUNCH_PARTS_H
#define RUNNER_LAUNCH_LAUNCH_PARTS_H

#include <unistd.h>

#include "launch.h"

// ---- Time ---------------------------------------------------------------------------------------

// Leaves these seconds out of the child's time.
void launch_leave_out(struct launch_child* child, double seconds);

// ---- Terminal -----------------------------------------------------------------------------------

// Is standard input a terminal, and our group the one in its foreground?
bool terminal_is_ours(void);
// Is standard input a terminal, and standard output a pipe, whose reader may use that terminal?
bool terminal_is_shared(void);
// Puts the group into its foreground, wherever we are.
void terminal_give(pid_t group);
// Puts our group there, if `group` is there.
void terminal_take_back(pid_t group);
// To be called now and then while a child with `terminal` lives. If it was stopped (Ctrl-Z), stops
// our group too, and lets the child go on when the shell lets us go on. Gives it the terminal
// whenever our group has it: after `fg`.
void terminal_follow(struct launch_child* child);

// ---- Orphans ------------------------------------------------------------------------------------

// From now on, orphaned descendants become our children.
void orphans_adopt(void);
// When the process began, in clock ticks; 0: not known.
unsigned long long orphans_since(pid_t pid);
// Ends all our children that began at that time or later, and theirs.
void orphans_end(unsigned long long since);

#endif
