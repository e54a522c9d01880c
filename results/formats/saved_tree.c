// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Call trees, as detail_tree.c wrote them.
#include "results/profile/profile.h"
#include "saved.h"
#include "take.h"

static void take_names(struct take* take, const json_t* list, struct results_tree* tree) {
    for (size_t i = 0; i < json_array_size(list) && !take->failed; i++) {
        const json_t* name = json_array_get(list, i);
        if (!json_is_string(name)) take_fail(take, "name %zu of its tree is no text", i);
        else if (!results_tree_add_name(tree, json_string_value(name), json_string_length(name)))
            take_fail(take, "no memory");
    }
}

static void take_nodes(struct take* take, const json_t* list, struct results_tree* tree) {
    for (size_t i = 0; i < json_array_size(list) && !take->failed; i++) {
        const char* line = json_string_value(json_array_get(list, i));
        const char* wrong = line == NULL ? "it is no text" : results_tree_take_line(tree, line);
        if (wrong != NULL) take_fail(take, "node %zu of its tree: %s", i, wrong);
    }
}

bool saved_take_tree(struct take* take, const json_t* profiler, struct results_tree* tree) {
    *tree = (struct results_tree){0};
    if (take->failed) return false;
    if (json_object_get(profiler, "tree") == NULL) return true;
    const json_t* object = take_object(take, profiler, "tree");
    tree->paths = take_count(take, object, "paths");
    take_names(take, take_list(take, object, "names"), tree);
    take_nodes(take, take_list(take, object, "nodes"), tree);
    const char* wrong = take->failed ? NULL : results_tree_check(tree);
    if (wrong != NULL) take_fail(take, "its tree: %s", wrong);
    if (take->failed) results_tree_free(tree);
    return !take->failed;
}
