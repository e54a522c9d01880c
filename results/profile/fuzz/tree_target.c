// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: a run's call tree, or anything else. What is refused is refused with the file's name
// and leaves nothing behind. What is taken is consistent, is read the same when it is written
// again, and keeps its sums when it is cut.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tree.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void must(bool right) {
    if (!right) abort();
}

static void check(const struct results_tree* tree) {
    uint64_t self[RESULTS_TREE_SIDES] = {0};
    must(tree->count != 0 && tree->count <= tree->room && tree->name_count <= tree->name_room);
    must(tree->nodes[0].depth == 0 && tree->nodes[0].name == RESULTS_TREE_NAMELESS);
    for (size_t i = 0; i < tree->count; i++) {
        const struct results_tree_node* node = &tree->nodes[i];
        must(node->name == RESULTS_TREE_NAMELESS || node->name < tree->name_count);
        if (i != 0) must(node->depth != 0 && node->depth <= tree->nodes[i - 1].depth + 1);
        for (int side = 0; side < RESULTS_TREE_SIDES; side++) {
            self[side] += node->self[side];
            must(node->total[side] <= tree->nodes[0].total[side]);
        }
    }
    must(memcmp(self, tree->nodes[0].total, sizeof self) == 0);
}

static void compare(const struct results_tree* a, const struct results_tree* b) {
    must(a->count == b->count && a->name_count == b->name_count && a->paths == b->paths);
    for (size_t i = 0; i < a->name_count; i++) must(strcmp(a->names[i], b->names[i]) == 0);
    for (size_t i = 0; i < a->count; i++) {
        const struct results_tree_node *x = &a->nodes[i], *y = &b->nodes[i];
        must(x->depth == y->depth && x->name == y->name);
        must(memcmp(x->total, y->total, sizeof x->total) == 0);
    }
}

static void cut(struct results_tree* tree, size_t most) {
    uint64_t total[RESULTS_TREE_SIDES];
    memcpy(total, tree->nodes[0].total, sizeof total);
    must(results_tree_cut(tree, most));
    must(tree->count <= (most < 2 ? 2 : most));
    check(tree);
    must(memcmp(total, tree->nodes[0].total, sizeof total) == 0);
    must(results_tree_check(tree) == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const struct results_tree empty;
    static int fd = -1;
    struct results_tree tree, again;
    char error[200] = "", path[32];
    if (fd < 0) fd = memfd_create("tree", 0);
    must(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    if (results_tree_read(path, &tree, error, sizeof error) != 0) {
        must(memcmp(&tree, &empty, sizeof empty) == 0);
        must(strncmp(error, path, strlen(path)) == 0 && error[strlen(path)] == ':');
        return 0;
    }
    check(&tree);
    must(results_tree_write(&tree, path) == 0);
    must(results_tree_read(path, &again, error, sizeof error) == 0);
    compare(&tree, &again);
    results_tree_free(&again);
    for (size_t most = tree.count - 1; most > 0 && most < tree.count; most /= 2) cut(&tree, most);
    results_tree_free(&tree);
    return 0;
}
