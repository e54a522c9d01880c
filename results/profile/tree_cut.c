// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A call tree's totals, and a tree with fewer nodes: cold ones are folded into their parents' rest.
#include <stdlib.h>
#include <string.h>

#include "tree.h"

#define APART 10 // a stack that the profiler has elsewhere counts as so many

uint32_t* profile_tree_parents(const struct results_tree* tree) {
    uint32_t* parents = calloc(tree->count + 1, sizeof *parents);
    if (parents == NULL) return NULL;
    // The parent is the node before, or a node above that one.
    for (uint32_t i = 1; i < tree->count; i++) {
        uint32_t at = i - 1;
        while (at != 0 && tree->nodes[at].depth >= tree->nodes[i].depth) at = parents[at];
        parents[i] = at;
    }
    return parents;
}

bool profile_tree_sum(struct results_tree* tree) {
    uint32_t* parents = profile_tree_parents(tree);
    if (parents == NULL) return false;
    for (size_t i = 0; i < tree->count; i++)
        memcpy(tree->nodes[i].total, tree->nodes[i].self, sizeof tree->nodes[i].total);
    for (size_t i = tree->count; i-- > 1;)
        for (int side = 0; side < RESULTS_TREE_SIDES; side++)
            tree->nodes[parents[i]].total[side] += tree->nodes[i].total[side];
    free(parents);
    return true;
}

// ---- What is kept ------------------------------------------------------------------------------

struct weight {
    uint64_t weight; // never above the parent's
    uint32_t node;
};

struct cutting {
    struct results_tree* tree;
    uint32_t* parents;
    struct weight* order;                 // the heaviest first, and a parent before its children
    size_t ordinary;                      // of order: nodes that are no rest. They come first
    uint32_t* rank;                       // by node, its place in order
    uint64_t (*rest)[RESULTS_TREE_SIDES]; // by node, what is folded into its rest
    bool* has_rest;
    uint32_t* open; // kept nodes whose descendants are being put, the root first
    size_t kept;    // so many of order
};

static bool is_rest(const struct results_tree* tree, size_t node) {
    return node != 0 && tree->nodes[node].name == RESULTS_TREE_NAMELESS;
}

static int heaviest(const void* a, const void* b) {
    const struct weight *x = a, *y = b;
    if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
    return x->node < y->node ? -1 : 1;
}

static uint64_t most_of(const uint64_t counts[RESULTS_TREE_SIDES]) {
    uint64_t most = 0;
    for (int side = 0; side < RESULTS_TREE_SIDES; side++)
        if (counts[side] > most) most = counts[side];
    return most;
}

// Paths with many stacks on any side, and those in which profiler and truth differ: a tree that
// lost the small errors would show none.
static void weigh(struct cutting* c) {
    const struct results_tree* tree = c->tree;
    for (size_t i = tree->count; i-- > 0;) {
        const struct results_tree_node* node = &tree->nodes[i];
        uint64_t a = node->self[RESULTS_TREE_SAMPLED], b = node->self[RESULTS_TREE_GIVEN];
        c->order[i].node = (uint32_t)i;
        c->order[i].weight += a > b ? a - b : b - a; // apart, in the whole subtree
        if (i != 0) c->order[c->parents[i]].weight += c->order[i].weight;
    }
    for (size_t i = 0; i < tree->count; i++) {
        c->order[i].weight = 1 + APART * c->order[i].weight + most_of(tree->nodes[i].total);
        if (is_rest(tree, i)) c->order[i].weight = 0;
        else c->ordinary++;
    }
    qsort(c->order, tree->count, sizeof *c->order, heaviest);
    for (size_t i = 0; i < tree->count; i++) c->rank[c->order[i].node] = (uint32_t)i;
}

static bool is_kept(const struct cutting* c, size_t node) {
    return c->rank[node] < c->kept;
}

// How many nodes there are if so many of order are kept. It does not fall where `kept` grows.
static size_t size_of(struct cutting* c, size_t kept) {
    size_t size = c->kept = kept;
    memset(c->has_rest, 0, c->tree->count * sizeof *c->has_rest);
    for (size_t i = 1; i < c->tree->count; i++) {
        uint32_t parent = c->parents[i];
        if (is_kept(c, i) || !is_kept(c, parent) || c->has_rest[parent]) continue;
        c->has_rest[parent] = true;
        size++;
    }
    return size;
}

static void choose(struct cutting* c, size_t most) {
    size_t low = 1, high = c->ordinary;
    while (low < high) {
        size_t middle = low + (high - low + 1) / 2;
        if (size_of(c, middle) <= most) low = middle;
        else high = middle - 1;
    }
    size_of(c, low);
}

// ---- The smaller tree --------------------------------------------------------------------------

static void fold(struct cutting* c) {
    // By node, the youngest kept one above it. A parent comes before its children.
    uint32_t* above = c->parents;
    for (size_t i = 1; i < c->tree->count; i++) {
        if (!is_kept(c, above[i])) above[i] = above[above[i]];
        if (is_kept(c, i)) continue;
        for (int side = 0; side < RESULTS_TREE_SIDES; side++)
            c->rest[above[i]][side] += c->tree->nodes[i].self[side];
    }
}

// The rest is the last child: it comes where the node's last descendant has been put.
static size_t put_rest(const struct cutting* c, uint32_t node, struct results_tree_node* to) {
    if (!c->has_rest[node]) return 0;
    *to = (struct results_tree_node){.depth = c->tree->nodes[node].depth + 1,
                                     .name = RESULTS_TREE_NAMELESS};
    memcpy(to->self, c->rest[node], sizeof to->self);
    return 1;
}

static void rebuild(struct cutting* c, struct results_tree_node* to) {
    struct results_tree* tree = c->tree;
    uint32_t* open = c->open;
    size_t count = 0, opened = 0;
    for (uint32_t i = 0; i < tree->count; i++) {
        if (!is_kept(c, i)) continue;
        while (opened != 0 && tree->nodes[open[opened - 1]].depth >= tree->nodes[i].depth)
            count += put_rest(c, open[--opened], &to[count]);
        to[count++] = tree->nodes[i];
        open[opened++] = i;
    }
    while (opened != 0) count += put_rest(c, open[--opened], &to[count]);
    free(tree->nodes);
    tree->nodes = to;
    tree->count = tree->room = count;
}

static bool drop_names(struct results_tree* tree) {
    uint32_t* now = calloc(tree->name_count + 1, sizeof *now);
    if (now == NULL) return false;
    for (size_t i = 0; i < tree->count; i++)
        if (tree->nodes[i].name != RESULTS_TREE_NAMELESS) now[tree->nodes[i].name] = 1;
    uint32_t count = 0;
    for (size_t i = 0; i < tree->name_count; i++) {
        if (now[i] == 0) {
            free(tree->names[i]);
            continue;
        }
        now[i] = count;
        tree->names[count++] = tree->names[i];
    }
    tree->name_count = count;
    for (size_t i = 0; i < tree->count; i++)
        if (tree->nodes[i].name != RESULTS_TREE_NAMELESS)
            tree->nodes[i].name = now[tree->nodes[i].name];
    free(now);
    return true;
}

bool results_tree_cut(struct results_tree* tree, size_t most) {
    if (most < 2) most = 2;
    if (tree->count <= most) return true;
    struct cutting c = {.tree = tree,
                        .parents = profile_tree_parents(tree),
                        .order = calloc(tree->count, sizeof *c.order),
                        .rank = calloc(tree->count, sizeof *c.rank),
                        .open = calloc(tree->count, sizeof *c.open),
                        .rest = calloc(tree->count, sizeof *c.rest),
                        .has_rest = calloc(tree->count, sizeof *c.has_rest)};
    struct results_tree_node* to = calloc(most, sizeof *to);
    bool whole = c.parents != NULL && c.order != NULL && c.rank != NULL && c.open != NULL &&
                 c.rest != NULL && c.has_rest != NULL && to != NULL;
    if (whole) {
        weigh(&c);
        choose(&c, most);
        fold(&c);
        rebuild(&c, to);
        whole = drop_names(tree) && profile_tree_sum(tree);
    } else free(to);
    free(c.parents);
    free(c.order);
    free(c.rank);
    free(c.open);
    free(c.rest);
    free(c.has_rest);
    return whole;
}
