// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A call tree as JSON: {"paths", "names", "nodes"}, a line of text for each node.
#include <limits.h>

#include "put.h"
#include "results/profile/profile.h"

static json_t* tree_json(const struct results_tree* tree) {
    json_t *object = json_object(), *names = json_array(), *nodes = json_array();
    char line[RESULTS_TREE_LINE];
    put_count(object, "paths", tree->paths);
    for (size_t i = 0; i < tree->name_count; i++)
        json_array_append_new(names, put_string(tree->names[i]));
    for (size_t i = 0; i < tree->count; i++)
        json_array_append_new(nodes, json_string(results_tree_line(&tree->nodes[i], line)));
    json_object_set_new(object, "names", names);
    json_object_set_new(object, "nodes", nodes);
    return object;
}

void detail_tree(json_t* object, const struct results_execution* execution) {
    struct results_tree tree;
    char path[PATH_MAX], error[PATH_MAX];
    if (execution->directory == NULL) return;
    snprintf(path, sizeof path, "%s/" RESULTS_TREE_FILE, execution->directory);
    if (results_tree_read(path, &tree, error, sizeof error) != 0) return; // an older run
    json_object_set_new(object, "tree", tree_json(&tree));
    results_tree_free(&tree);
}
