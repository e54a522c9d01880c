// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The call tree of a run: every path of methods from a thread's root that the truth or the profiler
// has, with how many stacks of each end there.
#include "tree.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

// Beyond so many, a stack ends where its path is not known yet, in that place's rest: some 100 MB.
#define PATHS_MAX RESULTS_TREE_PATHS
#define REST UINT32_MAX // instead of a method

struct step {
    uint32_t parent; // index of the path without its youngest method
    uint32_t method; // index by name, or REST
};
struct profile_path {
    struct step step;
    uint32_t index;
    uint64_t self[RESULTS_TREE_SIDES];
    UT_hash_handle hh;
};

// ---- Adding ------------------------------------------------------------------------------------

static struct profile_path* add_path(struct profile_tree* tree, struct step step) {
    if (!profile_grow((void**)&tree->paths, tree->count, &tree->room, sizeof(void*))) return NULL;
    struct profile_path* path = calloc(1, sizeof *path);
    if (path == NULL) return NULL;
    path->step = step;
    path->index = (uint32_t)tree->count;
    tree->paths[tree->count++] = path;
    HASH_ADD(hh, tree->by_step, step, sizeof path->step, path);
    return path;
}

static struct profile_path* step_down(struct profile_tree* tree, uint32_t parent, uint32_t method) {
    const struct step step = {parent, method};
    struct profile_path* path;
    HASH_FIND(hh, tree->by_step, &step, sizeof step, path);
    return path != NULL ? path : add_path(tree, step);
}

static bool is_known(const struct profile_tree* tree, struct step step) {
    struct profile_path* path;
    HASH_FIND(hh, tree->by_step, &step, sizeof step, path);
    return path != NULL;
}

// The path of a stack, made where there is none yet. NULL: no memory.
static struct profile_path* find(struct profile_tree* tree, const struct profile_stack* stack) {
    if (tree->count == 0 && add_path(tree, (struct step){0, REST}) == NULL) return NULL;
    struct profile_path* at = tree->paths[0];
    for (size_t i = stack->count; i-- > 0 && at != NULL;) {
        if (stack->methods[i] == PROFILE_NO_METHOD) continue;
        uint32_t method = stack->methods[i] - 1;
        // A rest at the root is a path of its own: the root is no parent of itself.
        if (tree->count >= PATHS_MAX && !is_known(tree, (struct step){at->index + 1, method}))
            return step_down(tree, at->index + 1, REST);
        at = step_down(tree, at->index + 1, method);
    }
    return at;
}

static bool same(const struct profile_stack* a, const struct profile_stack* b) {
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->methods, b->methods, a->count * sizeof *a->methods) == 0);
}

bool profile_tree_add(struct profile_tree* tree, const struct profile_stack* truth,
                      const struct profile_stack* given) {
    struct profile_path* path = find(tree, truth);
    if (path == NULL) return false;
    path->self[RESULTS_TREE_TRUTH]++;
    if (given == NULL) return true;
    path->self[RESULTS_TREE_SAMPLED]++;
    if (!same(truth, given)) path = find(tree, given);
    if (path == NULL) return false;
    path->self[RESULTS_TREE_GIVEN]++;
    return true;
}

void profile_tree_close(struct profile_tree* tree) {
    HASH_CLEAR(hh, tree->by_step);
    for (size_t i = 0; i < tree->count; i++) free(tree->paths[i]);
    free(tree->paths);
    *tree = (struct profile_tree){0};
}

// ---- The names of the tree ---------------------------------------------------------------------

struct named {
    const char* text;
    uint32_t method;
};

static int by_text(const void* a, const void* b) {
    const struct named *x = a, *y = b;
    return strcmp(x->text, y->text);
}

// Sorted by text, so that a name's index is its place among its siblings. by_method: the index in
// the tree of each method in it.
static bool take_names(const struct profile_tree* tree, const struct profile_names* names,
                       struct results_tree* to, uint32_t* by_method) {
    uint32_t all = profile_names_count(names);
    struct named* list = calloc((size_t)all + 1, sizeof *list);
    size_t count = 0;
    if (list == NULL) return false;
    for (size_t i = 1; i < tree->count; i++) {
        uint32_t method = tree->paths[i]->step.method;
        if (method == REST || by_method[method] != 0) continue;
        by_method[method] = 1;
        list[count++] = (struct named){profile_names_at(names, method)->text, method};
    }
    qsort(list, count, sizeof *list, by_text);
    bool whole = true;
    for (size_t i = 0; i < count && whole; i++) {
        by_method[list[i].method] = (uint32_t)i;
        whole = results_tree_add_name(to, list[i].text, strlen(list[i].text));
    }
    free(list);
    return whole;
}

// ---- The nodes, siblings by name, the rest last ------------------------------------------------

struct child {
    uint32_t parent, name, path;
};

static int by_parent(const void* a, const void* b) {
    const struct child *x = a, *y = b;
    if (x->parent != y->parent) return x->parent < y->parent ? -1 : 1;
    return (x->name > y->name) - (x->name < y->name);
}

struct laying {
    const struct profile_tree* tree;
    struct results_tree* to;
    struct child* children; // by parent
    size_t* first;          // by path, of its children; one more behind the last
    uint32_t* open;         // children whose own are being laid
    size_t* next;           // by depth
};

static bool add_node(const struct laying* l, uint32_t path, uint32_t name, uint32_t depth) {
    struct results_tree_node node = {.depth = depth, .name = name};
    memcpy(node.self, l->tree->paths[path]->self, sizeof node.self);
    return results_tree_add_node(l->to, &node);
}

// Without recursion: stacks may be thousands of frames deep.
static bool lay(struct laying* l) {
    uint32_t depth = 0;
    l->open[0] = 0;
    l->next[0] = l->first[0];
    if (!add_node(l, 0, RESULTS_TREE_NAMELESS, 0)) return false;
    for (;;) {
        uint32_t path = l->open[depth];
        if (l->next[depth] == l->first[path + 1]) {
            if (depth-- == 0) return true;
            continue;
        }
        const struct child* child = &l->children[l->next[depth]++];
        if (!add_node(l, child->path, child->name, ++depth)) return false;
        l->open[depth] = child->path;
        l->next[depth] = l->first[child->path];
    }
}

static void sort_children(struct laying* l, const uint32_t* by_method) {
    size_t count = l->tree->count;
    for (size_t i = 1; i < count; i++) {
        const struct step* step = &l->tree->paths[i]->step;
        uint32_t name = step->method == REST ? RESULTS_TREE_NAMELESS : by_method[step->method];
        l->children[i - 1] = (struct child){step->parent - 1, name, (uint32_t)i};
    }
    qsort(l->children, count - 1, sizeof *l->children, by_parent);
    size_t at = 0;
    for (size_t path = 0; path <= count; path++) {
        while (at < count - 1 && l->children[at].parent < path) at++;
        l->first[path] = at;
    }
}

static bool lay_all(const struct profile_tree* tree, const struct profile_names* names,
                    struct results_tree* to) {
    size_t count = tree->count;
    uint32_t* by_method = calloc((size_t)profile_names_count(names) + 1, sizeof *by_method);
    struct laying l = {.tree = tree,
                       .to = to,
                       .children = calloc(count, sizeof *l.children),
                       .first = calloc(count + 1, sizeof *l.first),
                       .open = calloc(count, sizeof *l.open),
                       .next = calloc(count, sizeof *l.next)};
    bool whole = by_method != NULL && l.children != NULL && l.first != NULL && l.open != NULL &&
                 l.next != NULL && take_names(tree, names, to, by_method);
    if (whole) sort_children(&l, by_method);
    whole = whole && lay(&l);
    free(by_method);
    free(l.children);
    free(l.first);
    free(l.open);
    free(l.next);
    return whole;
}

bool profile_tree_finish(const struct profile_tree* tree, const struct profile_names* names,
                         struct results_tree* to) {
    const struct results_tree_node root = {.name = RESULTS_TREE_NAMELESS};
    *to = (struct results_tree){.paths = tree->count == 0 ? 0 : tree->count - 1};
    bool whole = tree->count == 0 ? results_tree_add_node(to, &root) : lay_all(tree, names, to);
    if (whole && profile_tree_sum(to) && results_tree_cut(to, RESULTS_TREE_NODES)) return true;
    results_tree_free(to);
    return false;
}
