// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Call trees: what goes in comes out, on every side; a tree that was cut has lost no stack.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tree.h"

struct made_tree {
    struct results_record* record;
    struct profile_names* names;
    struct profile_tree tree;
    struct results_tree result;
};

static void begin(struct made_tree* m) {
    *m = (struct made_tree){.record = results_record_open("", 0)};
    cr_assert_not_null(m->record);
    m->names = profile_names_open(m->record);
    cr_assert_not_null(m->names);
}

static void finish(struct made_tree* m) {
    cr_assert(profile_tree_finish(&m->tree, m->names, &m->result));
}

static void end(struct made_tree* m) {
    profile_tree_close(&m->tree);
    results_tree_free(&m->result);
    profile_names_close(m->names);
    results_record_close(m->record);
}

// "main run work", the root first.
static struct profile_stack stack_of(struct made_tree* m, const char* text) {
    struct profile_stack stack = {0};
    char copy[200], *rest = copy;
    snprintf(copy, sizeof copy, "%s", text);
    stack.methods = calloc(100, sizeof *stack.methods);
    for (char* word; (word = strsep(&rest, " ")) != NULL;)
        if (*word != '\0') stack.methods[stack.count++] = profile_names_of_text(m->names, word) + 1;
    for (size_t i = 0; i < stack.count / 2; i++) {
        uint32_t other = stack.methods[i];
        stack.methods[i] = stack.methods[stack.count - 1 - i];
        stack.methods[stack.count - 1 - i] = other;
    }
    return stack;
}

static void add(struct made_tree* m, int times, const char* truth, const char* given) {
    struct profile_stack t = stack_of(m, truth), g = stack_of(m, given != NULL ? given : "");
    for (int i = 0; i < times; i++)
        cr_assert(profile_tree_add(&m->tree, &t, given != NULL ? &g : NULL));
    free(t.methods);
    free(g.methods);
}

// The whole tree as text: a line for each node, its name (or -), its selfs and its totals.
static char* print(const struct results_tree* tree) {
    char* text = NULL;
    size_t size;
    FILE* out = open_memstream(&text, &size);
    for (size_t i = 0; i < tree->count; i++) {
        const struct results_tree_node* n = &tree->nodes[i];
        fprintf(out, "%*s%s", (int)n->depth, "",
                n->name == RESULTS_TREE_NAMELESS ? "-" : tree->names[n->name]);
        for (int side = 0; side < RESULTS_TREE_SIDES; side++)
            fprintf(out, " %d/%d", (int)n->self[side], (int)n->total[side]);
        fprintf(out, "\n");
    }
    fclose(out);
    return text;
}

static void looks(const struct results_tree* tree, const char* wanted) {
    char* text = print(tree);
    cr_expect_str_eq(text, wanted);
    free(text);
}

// ---- Making ------------------------------------------------------------------------------------

Test(profile_tree, paths_are_counted_on_each_side_and_siblings_are_sorted) {
    struct made_tree m;
    begin(&m);
    add(&m, 5, "main b work", "main b work");
    add(&m, 2, "main a", NULL);          // lost
    add(&m, 1, "main b work", "main a"); // elsewhere
    add(&m, 1, "main b work", "work");   // cut
    add(&m, 1, "", "");                  // no instrumented method
    finish(&m);
    looks(&m.result, "- 1/10 1/8 1/8\n"
                     " main 0/9 0/7 0/6\n"
                     "  a 2/2 0/0 1/1\n"
                     "  b 0/7 0/7 0/5\n"
                     "   work 7/7 7/7 5/5\n"
                     " work 0/0 0/0 1/1\n");
    cr_expect_eq(m.result.paths, 5);
    cr_expect_null(results_tree_check(&m.result));
    end(&m);
}

Test(profile_tree, a_run_without_stacks_has_a_root) {
    struct made_tree m;
    begin(&m);
    finish(&m);
    looks(&m.result, "- 0/0 0/0 0/0\n");
    cr_expect_null(results_tree_check(&m.result));
    end(&m);
}

Test(profile_tree, recursion_of_thousands_of_frames_is_one_branch) {
    struct made_tree m;
    begin(&m);
    uint32_t method = profile_names_of_text(m.names, "a.B.deep()V") + 1;
    struct profile_stack stack = {.count = 9000};
    stack.methods = calloc(stack.count, sizeof *stack.methods);
    for (size_t i = 0; i < stack.count; i++) stack.methods[i] = method;
    cr_assert(profile_tree_add(&m.tree, &stack, &stack));
    finish(&m);
    cr_expect_eq(m.result.count, 9001);
    cr_expect_eq(m.result.nodes[9000].depth, 9000);
    cr_expect_eq(m.result.nodes[9000].self[RESULTS_TREE_GIVEN], 1);
    cr_expect_eq(m.result.nodes[1].total[RESULTS_TREE_GIVEN], 1);
    cr_expect_eq(m.result.name_count, 1);
    free(stack.methods);
    end(&m);
}

Test(profile_tree, stacks_beyond_the_last_path_are_in_a_rest) {
    struct made_tree m;
    begin(&m);
    uint32_t methods[2];
    struct profile_stack stack = {methods, 2, 2};
    for (uint32_t i = 0; i < 1000; i++) {
        char name[16];
        snprintf(name, sizeof name, "m%u", i);
        profile_names_of_text(m.names, name);
    }
    uint64_t added = 0;
    for (uint32_t a = 1; a <= 501; a++)
        for (uint32_t b = 1; b <= 1000; b++, added++) {
            methods[0] = b, methods[1] = a;
            cr_assert(profile_tree_add(&m.tree, &stack, &stack));
        }
    cr_assert_gt(added, RESULTS_TREE_PATHS);
    finish(&m);
    cr_expect_leq(m.result.count, RESULTS_TREE_NODES);
    for (int side = 0; side < RESULTS_TREE_SIDES; side++)
        cr_expect_eq(m.result.nodes[0].total[side], added);
    cr_expect_geq(m.result.paths, RESULTS_TREE_PATHS - 1);
    end(&m);
}

// ---- Cutting -----------------------------------------------------------------------------------

static uint32_t random_below(uint32_t* state, uint32_t n) {
    *state = *state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)*state * n >> 32);
}

// A random walk: from each method few others are called.
static void walk(uint32_t* state, struct profile_stack* stack) {
    uint32_t path[40], method = 0;
    stack->count = 1 + random_below(state, 39);
    for (size_t i = 0; i < stack->count; i++) {
        path[i] = method + 1;
        uint32_t turn = random_below(state, 10);
        method = (method * 7 + (turn < 6 ? 1 : turn)) % 50;
    }
    for (size_t i = 0; i < stack->count; i++) stack->methods[i] = path[stack->count - 1 - i];
}

static void add_walks(struct made_tree* m, uint32_t count, uint32_t seed) {
    uint32_t truth[40], given[40], state = seed;
    for (uint32_t i = 0; i < 50; i++) {
        char name[16];
        snprintf(name, sizeof name, "a.M%02u.m()V", i);
        profile_names_of_text(m->names, name);
    }
    for (uint32_t i = 0; i < count; i++) {
        struct profile_stack t = {truth, 0, 40}, g = {given, 0, 40};
        walk(&state, &t);
        memcpy(given, truth, sizeof given);
        g.count = t.count;
        uint32_t fate = random_below(&state, 20);
        if (fate == 0) walk(&state, &g);                   // another stack
        if (fate == 1) g.count -= random_below(&state, 2); // the root is cut
        cr_assert(profile_tree_add(&m->tree, &t, fate == 2 ? NULL : &g));
    }
}

// What must hold of every tree.
static void is_sound(const struct results_tree* tree) {
    uint32_t* parents = profile_tree_parents(tree);
    uint64_t(*sum)[RESULTS_TREE_SIDES] = calloc(tree->count, sizeof *sum);
    size_t unsorted = 0, wrong = 0;
    for (size_t i = tree->count; i-- > 0;) {
        for (int side = 0; side < RESULTS_TREE_SIDES; side++) {
            sum[i][side] += tree->nodes[i].self[side];
            wrong += sum[i][side] != tree->nodes[i].total[side];
            if (i != 0) sum[parents[i]][side] += sum[i][side];
        }
    }
    for (size_t i = 1; i < tree->count; i++)
        for (size_t j = i + 1; j < tree->count && tree->nodes[j].depth >= tree->nodes[i].depth; j++)
            if (tree->nodes[j].depth == tree->nodes[i].depth) {
                unsorted += tree->nodes[j].name <= tree->nodes[i].name;
                break;
            }
    cr_expect_eq(wrong, 0, "%zu totals are not self and children", wrong);
    cr_expect_eq(unsorted, 0, "%zu siblings are not sorted, or twice there", unsorted);
    cr_expect_null(results_tree_check((struct results_tree*)(uintptr_t)tree));
    free(sum);
    free(parents);
}

// The node of the same path in another tree; its count: there is none.
static size_t same_path(const struct results_tree* of, const uint32_t* parents, size_t node,
                        const struct results_tree* in) {
    size_t path[64], length = 0, at = 0;
    for (; node != 0; node = parents[node]) path[length++] = node;
    while (length-- > 0) {
        const struct results_tree_node* wanted = &of->nodes[path[length]];
        size_t child = at + 1;
        while (child < in->count && in->nodes[child].depth > in->nodes[at].depth &&
               (in->nodes[child].depth != wanted->depth ||
                in->nodes[child].name == RESULTS_TREE_NAMELESS ||
                strcmp(in->names[in->nodes[child].name], of->names[wanted->name]) != 0))
            child++;
        if (child >= in->count || in->nodes[child].depth <= in->nodes[at].depth) return in->count;
        at = child;
    }
    return at;
}

static void cut_to(size_t most) {
    struct made_tree whole, cut;
    begin(&whole);
    begin(&cut);
    add_walks(&whole, 3000, 7);
    add_walks(&cut, 3000, 7);
    finish(&whole);
    finish(&cut);
    cr_assert_gt(whole.result.count, 2000);
    cr_assert_lt(whole.result.count, RESULTS_TREE_NODES);
    cr_assert(results_tree_cut(&cut.result, most));
    is_sound(&whole.result);
    is_sound(&cut.result);
    cr_expect_leq(cut.result.count, most);
    cr_expect_geq(cut.result.count, most < 2 ? 1 : most - 1);
    cr_expect_eq(cut.result.paths, whole.result.paths);
    uint32_t* parents = profile_tree_parents(&cut.result);
    size_t rests = 0, lost = 0, changed = 0;
    for (size_t i = 0; i < cut.result.count; i++) {
        if (i != 0 && cut.result.nodes[i].name == RESULTS_TREE_NAMELESS) {
            rests++;
            continue;
        }
        size_t at = same_path(&cut.result, parents, i, &whole.result);
        lost += at == whole.result.count;
        changed += at < whole.result.count &&
                   memcmp(cut.result.nodes[i].total, whole.result.nodes[at].total,
                          sizeof cut.result.nodes[i].total) != 0;
    }
    cr_expect_gt(rests, 0);
    cr_expect_eq(lost, 0);
    cr_expect_eq(changed, 0, "%zu nodes have other totals than before", changed);
    free(parents);
    end(&whole);
    end(&cut);
}

Test(profile_tree, a_cut_tree_has_the_sums_of_the_whole) {
    cut_to(2);
    cut_to(3);
    cut_to(50);
    cut_to(1999);
}

Test(profile_tree, a_tree_may_be_cut_again) {
    struct made_tree once, twice;
    begin(&once);
    begin(&twice);
    add_walks(&once, 2000, 3);
    add_walks(&twice, 2000, 3);
    finish(&once);
    finish(&twice);
    cr_assert(results_tree_cut(&once.result, 60));
    cr_assert(results_tree_cut(&twice.result, 900));
    cr_assert(results_tree_cut(&twice.result, 60));
    is_sound(&twice.result);
    cr_expect_leq(twice.result.count, 60);
    cr_expect_eq(memcmp(twice.result.nodes[0].total, once.result.nodes[0].total,
                        sizeof once.result.nodes[0].total),
                 0);
    end(&once);
    end(&twice);
}

Test(profile_tree, differences_go_last) {
    struct made_tree m;
    begin(&m);
    add(&m, 1000, "main hot", "main hot");
    add(&m, 30, "main warm", "main warm");
    add(&m, 4, "main cold x", "main cold y"); // four errors count as much as 80
    finish(&m);
    cr_assert(results_tree_cut(&m.result, 6));
    looks(&m.result, "- 0/1034 0/1034 0/1034\n"
                     " main 0/1034 0/1034 0/1034\n"
                     "  cold 0/4 0/4 0/4\n"
                     "   - 4/4 4/4 4/4\n"
                     "  hot 1000/1000 1000/1000 1000/1000\n"
                     "  - 30/30 30/30 30/30\n");
    cr_expect_eq(m.result.name_count, 3);
    end(&m);
}

// ---- The file ----------------------------------------------------------------------------------

static void path_of(char path[64]) {
    strcpy(path, "/tmp/profile-tree-XXXXXX");
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    close(fd);
}

Test(profile_tree, what_is_written_is_read_again) {
    struct made_tree m;
    struct results_tree again;
    char path[64], error[200] = "";
    path_of(path);
    begin(&m);
    add_walks(&m, 500, 11);
    add(&m, 3, "two\nlines\n \nx", "<script> \xff\xfe \n");
    finish(&m);
    cr_assert_eq(results_tree_write(&m.result, path), 0);
    memset(&again, 0xaa, sizeof again);
    cr_assert_eq(results_tree_read(path, &again, error, sizeof error), 0, "%s", error);
    char *before = print(&m.result), *after = print(&again);
    cr_expect_str_eq(after, before);
    cr_expect_eq(again.paths, m.result.paths);
    free(before);
    free(after);
    results_tree_free(&again);
    unlink(path);
    end(&m);
}

static void refuses(const char* text, const char* why) {
    struct results_tree tree;
    char path[64], error[200] = "";
    path_of(path);
    FILE* out = fopen(path, "w");
    fputs(text, out);
    fclose(out);
    cr_expect_eq(results_tree_read(path, &tree, error, sizeof error), -1, "%s", text);
    cr_expect(strncmp(error, path, strlen(path)) == 0, "%s", error);
    cr_expect(strstr(error, why) != NULL, "\"%s\" is not in \"%s\"", why, error);
    cr_expect_eq(tree.count, 0);
    cr_expect_null(tree.nodes);
    unlink(path);
}

#define HEAD "plumbline-tree 1\n"
#define NAME "name 3 a.b\n"
#define ROOT "node 0 - 0 0 0\n"

Test(profile_tree, what_is_no_tree_is_refused) {
    struct results_tree tree;
    char error[200] = "";
    refuses("", "does not begin");
    refuses("plumbline-tree 2\n" ROOT "end 1\n", "does not begin");
    refuses(HEAD ROOT, "the end is missing");
    refuses(HEAD ROOT "end 1", "the end is missing");
    refuses(HEAD ROOT "end 2\n", "missing");
    refuses(HEAD ROOT "end 1\nx", "behind the end");
    refuses(HEAD "end 0\n", "no root");
    refuses(HEAD ROOT "other 1\n", "no line");
    refuses(HEAD "paths x\n", "no count");
    refuses(HEAD "node 1 - 0 0 0\n", "the root");
    refuses(HEAD ROOT ROOT, "the root");
    refuses(HEAD NAME "node 0 0 0 0 0\n", "the root has a name");
    refuses(HEAD ROOT "node 1 0 0 0 0\n", "not known");
    refuses(HEAD NAME ROOT "node 2 0 0 0 0\n", "no parent");
    refuses(HEAD NAME ROOT "node 1 - 0 0 0\nnode 2 0 0 0 0\n", "a rest has children");
    refuses(HEAD "node 0 - 0 0\n", "a node is");
    refuses(HEAD "node 0 - 0 0 0 0\n", "a node is");
    refuses(HEAD "node 0 - 0 0 -1\n", "a node is");
    refuses(HEAD "node 0 -1 0 0 0\n", "a node is");
    refuses(HEAD "node 0 - 0 0 4294967296\n", "a node is");
    refuses(HEAD "node 0  - 0 0 0\n", "a node is");
    refuses(HEAD "node 70000 - 0 0 0\n", "a node is");
    refuses(HEAD "node 0 - 5 3 2\nend 1\n", "has one of each");
    refuses(HEAD "node 0 - 5 6 6\nend 1\n", "more instants");
    refuses(HEAD "name 4 a.b\n" ROOT "end 1\n", "another length");
    refuses(HEAD "name 2 a.b\n" ROOT "end 1\n", "another length");
    refuses(HEAD "name 99999999 a.b\n", "a name is");
    refuses(HEAD "name 3a.b\n", "a name is");
    refuses(HEAD "name 60000 a.b\n" ROOT "end 1\n", "another length");
    cr_expect_eq(results_tree_read("/nonexistent/tree", &tree, error, sizeof error), -1);
    cr_expect(strstr(error, "/nonexistent/tree: No such file") != NULL, "%s", error);
}

Test(profile_tree, a_file_that_cannot_be_written_is_an_error) {
    struct results_tree tree = {0};
    cr_expect_eq(results_tree_write(&tree, "/nonexistent/tree"), -1);
    cr_expect_eq(results_tree_write(&tree, "/dev/full"), -1);
}
