// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Call trees in results.json and on the page.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "results/profile/profile.h"
#include "take.h"
#include "written.h"

static const char* const names[] = {"a.A.main()V", "b\xff.B<script>.m()V", "c.C.m()V"};

// Under the root main; under that `leaves` of the others by turns, leaf i with i + 1 stacks, every
// third of which the profiler has elsewhere.
static struct results_tree tree_of(uint32_t leaves) {
    struct results_tree tree = {.paths = leaves + 5};
    for (size_t i = 0; i < 3; i++)
        cr_assert(results_tree_add_name(&tree, names[i], strlen(names[i])));
    const struct results_tree_node root = {.name = RESULTS_TREE_NAMELESS},
                                   first = {.depth = 1, .name = 0};
    cr_assert(results_tree_add_node(&tree, &root) && results_tree_add_node(&tree, &first));
    for (uint32_t i = 0; i < leaves; i++) {
        struct results_tree_node leaf = {.depth = 2, .name = 1 + i % 2};
        leaf.self[RESULTS_TREE_TRUTH] = i + 1;
        leaf.self[RESULTS_TREE_SAMPLED] = i + 1 - i % 3 / 2;
        leaf.self[RESULTS_TREE_GIVEN] = i % 3 == 0 ? 0 : i + 1 - i % 3 / 2;
        if (i % 3 == 0) tree.nodes[1].self[RESULTS_TREE_GIVEN] += i + 1;
        cr_assert(results_tree_add_node(&tree, &leaf));
    }
    cr_assert_null(results_tree_check(&tree));
    return tree;
}

static void write_tree(const struct written* written, uint32_t leaves) {
    char path[160];
    struct results_tree tree = tree_of(leaves);
    snprintf(path, sizeof path, "%s/" RESULTS_TREE_FILE, written->directories[written->count - 1]);
    cr_assert_eq(results_tree_write(&tree, path), 0);
    results_tree_free(&tree);
}

// One run with a tree of 8 nodes, whose file goes when it has been reported.
static struct results_saved* saved_with_tree(struct written* written) {
    written_open(written);
    struct results_run* run = written_add(written, "mixed", "tiered");
    strcpy(run->profiler, "made-up");
    run->instants_recorded = 30;
    run->profiler_joined = 20;
    run->profiler_silent = 7;
    run->profiler_distance[RESULTS_DISTANCE_WHOLE].value = 0.25;
    write_tree(written, 6);
    written_close(written, "17.0.19");
    char path[160];
    snprintf(path, sizeof path, "%s/" RESULTS_TREE_FILE, written->directories[0]);
    cr_assert_eq(remove(path), 0);
    return written_read(written);
}

static json_t* profiler_of(const struct results_saved* saved) {
    const json_t* rows = json_object_get(saved->json, "runs");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        json_t* profiler = json_object_get(json_array_get(rows, i), "profiler");
        if (profiler != NULL) return profiler;
    }
    cr_assert(false, "no row has a profiler");
    return NULL;
}

Test(tree_json, a_runs_tree_is_in_its_report_and_is_read_back) {
    struct written written;
    struct results_tree tree, made = tree_of(6);
    char error[200] = "";
    struct results_saved* saved = saved_with_tree(&written);
    struct take take = {.path = "x", .error = error, .size = sizeof error};
    cr_assert(saved_take_tree(&take, profiler_of(saved), &tree), "%s", error);
    cr_assert_eq(tree.count, made.count);
    cr_expect_eq(tree.paths, 11);
    for (size_t i = 0; i < tree.count; i++) {
        cr_expect_eq(tree.nodes[i].depth, made.nodes[i].depth);
        cr_expect_eq(tree.nodes[i].name, made.nodes[i].name);
        cr_expect_eq(memcmp(tree.nodes[i].total, made.nodes[i].total, sizeof made.nodes[i].total),
                     0);
    }
    cr_assert_eq(tree.name_count, 3);
    cr_expect_str_eq(tree.names[0], names[0]);
    cr_expect_str_eq(tree.names[1], "b?.B<script>.m()V"); // JSON takes UTF-8 alone
    results_tree_free(&tree);
    results_tree_free(&made);
    results_saved_free(saved);
    written_remove(&written);
}

Test(tree_json, the_page_has_nodes_names_and_accounts) {
    struct written written;
    struct results_saved* saved = saved_with_tree(&written);
    json_t* data = page_data(&saved, 1);
    const json_t* report = json_array_get(json_object_get(data, "reports"), 0);
    cr_expect_eq(json_integer_value(json_object_get(report, "flame_count")), 1);
    const json_t* list = json_object_get(report, "flames");
    cr_assert_eq(json_array_size(list), 1);
    const json_t* flame = json_array_get(list, 0);
    const char *profiler = "", *case_name = "";
    json_int_t recorded = 0, joined = 0, silent = 0, paths = 0;
    double whole = 0;
    cr_assert_eq(json_unpack((json_t*)(uintptr_t)flame,
                             "{s:s, s:s, s:I, s:I, s:I, s:I, s:{s:{s:f}}}", "profiler", &profiler,
                             "case", &case_name, "recorded", &recorded, "joined", &joined, "silent",
                             &silent, "paths", &paths, "distance", "whole", "value", &whole),
                 0);
    cr_expect_str_eq(profiler, "made-up");
    cr_expect_str_eq(case_name, "mixed");
    cr_expect_eq(recorded, 30);
    cr_expect_eq(joined, 20);
    cr_expect_eq(silent, 7);
    cr_expect_eq(paths, 11);
    cr_expect_float_eq(whole, 0.25, 1e-12);
    const json_t* nodes = json_object_get(flame, "nodes");
    cr_assert_eq(json_array_size(nodes), 8 * 5);
    static const json_int_t third[] = {2, 1, 1, 1, 0};
    for (size_t i = 0; i < 5; i++)
        cr_expect_eq(json_integer_value(json_array_get(nodes, 10 + i)), third[i]);
    cr_expect_eq(json_integer_value(json_array_get(nodes, 1)), -1, "the root has no name");
    cr_expect_eq(json_array_size(json_object_get(report, "names")), 3);
    json_decref(data);
    results_saved_free(saved);
    written_remove(&written);
}

Test(tree_json, a_page_has_so_many_nodes_and_loses_no_stack) {
    struct written written;
    written_open(&written);
    for (int i = 0; i < WRITTEN_RUNS; i++) {
        char mode[16];
        snprintf(mode, sizeof mode, "mode%d", i);
        written_add(&written, "mixed", strdup(mode));
        write_tree(&written, 20000);
    }
    written_close(&written, "17.0.19");
    struct results_saved* saved = written_read(&written);
    json_t* data = page_data(&saved, 1);
    const json_t* report = json_array_get(json_object_get(data, "reports"), 0);
    const json_t* flames = json_object_get(report, "flames");
    size_t nodes = 0;
    cr_expect_eq(json_array_size(flames), WRITTEN_RUNS);
    for (size_t i = 0; i < json_array_size(flames); i++) {
        const json_t* list = json_object_get(json_array_get(flames, i), "nodes");
        json_int_t truth = 0;
        for (size_t at = 2; at < json_array_size(list); at += 5)
            truth += json_integer_value(json_array_get(list, at));
        cr_expect_eq(truth, 20000 * 20001 / 2);
        nodes += json_array_size(list) / 5;
    }
    cr_expect_leq(nodes, PAGE_FLAMES);
    cr_expect_gt(nodes, PAGE_FLAMES * 9 / 10);
    json_decref(data);
    results_saved_free(saved);
    for (int i = 0; i < WRITTEN_RUNS; i++) free((void*)(uintptr_t)written.executions[i].mode);
    written_remove(&written);
}

Test(tree_json, a_run_without_a_tree_has_none_on_the_page) {
    struct written written;
    written_open(&written);
    written_add(&written, "mixed", "tiered");
    written_close(&written, "17.0.19");
    struct results_saved* saved = written_read(&written);
    cr_expect_null(json_object_get(profiler_of(saved), "tree"));
    json_t* data = page_data(&saved, 1);
    const json_t* report = json_array_get(json_object_get(data, "reports"), 0);
    cr_expect_eq(json_array_size(json_object_get(report, "flames")), 0);
    json_decref(data);
    results_saved_free(saved);
    written_remove(&written);
}

// Puts the JSON text in place of the tree's member, and reads the file again.
static void refuses(const char* key, const char* member, const char* why) {
    struct written written;
    char path[160], error[400] = "";
    struct results_saved* saved = saved_with_tree(&written);
    json_t* value = json_loads(member, JSON_DECODE_ANY, NULL);
    cr_assert_not_null(value, "%s", member);
    json_object_set_new(json_object_get(profiler_of(saved), "tree"), key, value);
    snprintf(path, sizeof path, "%s/results.json", written.directory);
    cr_assert_eq(json_dump_file(saved->json, path, 0), 0);
    results_saved_free(saved);
    cr_expect_null(results_saved_read(written.directory, error, sizeof error));
    cr_expect(strstr(error, why) != NULL, "\"%s\" is not in \"%s\"", why, error);
    cr_expect(strstr(error, "results.json: runs[") != NULL, "%s", error);
    written_remove(&written);
}

Test(tree_json, a_malformed_tree_is_refused_with_its_place) {
    refuses("nodes", "[]", "its tree: there is no root");
    refuses("nodes", "7", "\"nodes\" is no list");
    refuses("nodes", "[\"0 - 0 0 0\", 5]", "node 1 of its tree: it is no text");
    refuses("nodes", "[\"0 - 0 0 0\", \"1 3 0 0 0\"]", "node 1 of its tree: a node's name");
    refuses("nodes", "[\"0 - 0 0 0\", \"1 0 0 0 0 \"]", "node 1 of its tree: a node is");
    refuses("nodes", "[\"0 - 5 5 4\"]", "its tree: not every instant");
    refuses("names", "[1]", "name 0 of its tree is no text");
    refuses("paths", "-1", "\"paths\"");
}
