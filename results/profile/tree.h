// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Inside the room: how the call tree of a run (struct results_tree) is made, stack by stack.
#ifndef RESULTS_PROFILE_TREE_H
#define RESULTS_PROFILE_TREE_H

#include "parts.h"

struct profile_path;
struct profile_tree {
    struct profile_path** paths; // by index; [0] is the root
    size_t count, room;
    struct profile_path* by_step; // uthash, by parent and method
};

// Adds an instant's true stack, and the profiler's (NULL: it gave none). False: no memory.
bool profile_tree_add(struct profile_tree* tree, const struct profile_stack* truth,
                      const struct profile_stack* given);
// Makes the tree, cut to RESULTS_TREE_NODES. False without memory, and *to is empty.
bool profile_tree_finish(const struct profile_tree* tree, const struct profile_names* names,
                         struct results_tree* to);
void profile_tree_close(struct profile_tree* tree);

// The index of each node's parent; of the root 0. The caller's; NULL without memory.
uint32_t* profile_tree_parents(const struct results_tree* tree);
// Fills the totals from the selfs. False: no memory.
bool profile_tree_sum(struct results_tree* tree);

#endif
