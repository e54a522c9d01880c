// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The call trees of the rows of layer `profiler`, for the page's flame graphs.
#include <stdlib.h>

#include "page.h"
#include "put.h"
#include "results/profile/profile.h"
#include "take.h"

#define LEAST_NODES 200u // of a tree: below it there is no graph

// Names stand once in a report, by index: "names", and where each is.
struct naming {
    json_t *names, *places;
};

static json_int_t name_place(struct naming* naming, const char* text) {
    char* plain = plain_copy(text, PLAIN_LINE, false);
    const char* name = plain != NULL ? plain : "";
    const json_t* known = json_object_get(naming->places, name);
    json_int_t place = json_integer_value(known);
    if (known == NULL) {
        place = (json_int_t)json_array_size(naming->names);
        json_array_append_new(naming->names, json_string(name));
        json_object_set_new(naming->places, name, json_integer(place));
    }
    free(plain);
    return place;
}

// depth, name (-1: none), and the selfs of the three sides, node after node.
static json_t* nodes_data(const struct results_tree* tree, struct naming* naming) {
    json_t* array = json_array();
    for (size_t i = 0; i < tree->count; i++) {
        const struct results_tree_node* node = &tree->nodes[i];
        bool named = node->name != RESULTS_TREE_NAMELESS;
        json_array_append_new(array, json_integer((json_int_t)node->depth));
        json_array_append_new(
            array, json_integer(named ? name_place(naming, tree->names[node->name]) : -1));
        for (int side = 0; side < RESULTS_TREE_SIDES; side++)
            json_array_append_new(array, json_integer((json_int_t)node->self[side]));
    }
    return array;
}

// What the file says of the row's samples: the accounts and the distances.
static void put_accounts(json_t* object, const json_t* profiler) {
    static const char* const members[] = {"signals", "recorded", "joined", "silent"};
    page_put(object, "profiler", json_string_value(json_object_get(profiler, "name")));
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        put_count(object, members[i],
                  (uint64_t)json_integer_value(json_object_get(profiler, members[i])));
    json_t* distances = json_object();
    for (int d = 0; d < RESULTS_DISTANCE_COUNT; d++) {
        const char* kind = results_distance_text((enum results_distance_kind)d);
        const json_t* from = json_object_get(json_object_get(profiler, "distance"), kind);
        json_t* to = json_object();
        put_real(to, "value", json_number_value(json_object_get(from, "value")));
        put_real(to, "low", json_number_value(json_object_get(from, "low")));
        put_real(to, "high", json_number_value(json_object_get(from, "high")));
        json_object_set_new(distances, kind, to);
    }
    json_object_set_new(object, "distance", distances);
}

static json_t* flame_data(const struct results_row* row, const json_t* profiler,
                          struct naming* naming, size_t most) {
    struct take take = {.path = "", .error = (char[1]){""}, .size = 1};
    struct results_tree tree;
    json_t* object = NULL;
    if (!saved_take_tree(&take, profiler, &tree) || tree.count == 0) return NULL;
    if (results_tree_cut(&tree, most)) {
        object = json_object();
        page_names(object, row->execution);
        put_accounts(object, profiler);
        put_count(object, "paths", tree.paths);
        json_object_set_new(object, "nodes", nodes_data(&tree, naming));
    }
    results_tree_free(&tree);
    return object;
}

static const json_t* profiler_of(const struct results_saved* saved, size_t row) {
    const json_t* rows = json_object_get(saved->json, "runs");
    return json_object_get(json_array_get(rows, row), "profiler");
}

static size_t count_trees(const struct results_saved* saved) {
    size_t count = 0;
    for (size_t i = 0; i < saved->report.row_count; i++)
        count += json_object_get(profiler_of(saved, i), "tree") != NULL;
    return count;
}

void page_flames(json_t* object, const struct results_saved* saved, struct page_room* room) {
    struct naming naming = {json_array(), json_object()};
    json_t* flames = json_array();
    size_t left = count_trees(saved);
    put_count(object, "flame_count", left);
    for (size_t i = 0; i < saved->report.row_count; i++) {
        const json_t* profiler = profiler_of(saved, i);
        if (json_object_get(profiler, "tree") == NULL) continue;
        size_t most = room->flames / left--;
        if (most < LEAST_NODES) continue;
        json_t* flame = flame_data(&saved->report.rows[i], profiler, &naming, most);
        if (flame == NULL) continue;
        room->flames -= json_array_size(json_object_get(flame, "nodes")) / (2 + RESULTS_TREE_SIDES);
        json_array_append_new(flames, flame);
    }
    json_decref(naming.places);
    json_object_set_new(object, "names", naming.names);
    json_object_set_new(object, "flames", flames);
}
