// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A call tree as a file of the run, and its reader. The file is ours, but may be cut, of another
// version or nobody's: nothing in it is trusted. Names are the program's, with any byte in them, so
// each goes with its length.
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tree.h"

#define HEAD "plumbline-tree 1"
#define NAMES_MAX (1u << 22)
#define NAME_MAX_BYTES (1u << 16)
#define NODES_MAX (1u << 21)
#define DEPTH_MAX (1u << 16) // as the deepest stack that is read

// ---- Adding ------------------------------------------------------------------------------------

bool results_tree_add_name(struct results_tree* tree, const char* text, size_t length) {
    if (!profile_grow((void**)&tree->names, tree->name_count, &tree->name_room,
                      sizeof *tree->names))
        return false;
    char* copy = strndup(text, length);
    if (copy == NULL) return false;
    tree->names[tree->name_count++] = copy;
    return true;
}

bool results_tree_add_node(struct results_tree* tree, const struct results_tree_node* node) {
    if (!profile_grow((void**)&tree->nodes, tree->count, &tree->room, sizeof *tree->nodes))
        return false;
    tree->nodes[tree->count++] = *node;
    return true;
}

void results_tree_free(struct results_tree* tree) {
    for (size_t i = 0; i < tree->name_count; i++) free(tree->names[i]);
    free(tree->names);
    free(tree->nodes);
    *tree = (struct results_tree){0};
}

// ---- A node's line -----------------------------------------------------------------------------

const char* results_tree_line(const struct results_tree_node* node, char text[RESULTS_TREE_LINE]) {
    char name[16] = "-";
    if (node->name != RESULTS_TREE_NAMELESS) snprintf(name, sizeof name, "%" PRIu32, node->name);
    snprintf(text, RESULTS_TREE_LINE, "%" PRIu32 " %s %" PRIu64 " %" PRIu64 " %" PRIu64,
             node->depth, name, node->self[RESULTS_TREE_TRUTH], node->self[RESULTS_TREE_SAMPLED],
             node->self[RESULTS_TREE_GIVEN]);
    return text;
}

// Digits alone, `stop` behind them, and no more than `most`; goes behind the stop.
static bool take_digits(const char** at, char stop, uint64_t most, uint64_t* value) {
    char* end;
    if (**at < '0' || **at > '9') return false;
    errno = 0;
    unsigned long long n = strtoull(*at, &end, 10);
    if (errno != 0 || n > most || *end != stop) return false;
    *value = n;
    *at = stop == '\0' ? end : end + 1;
    return true;
}

static bool take_name(const char** at, uint64_t* name) {
    *name = RESULTS_TREE_NAMELESS;
    if (**at != '-') return take_digits(at, ' ', NAMES_MAX, name);
    if ((*at)[1] != ' ') return false;
    *at += 2;
    return true;
}

const char* results_tree_take_line(struct results_tree* tree, const char* line) {
    struct results_tree_node node = {0};
    uint64_t depth, name;
    if (!take_digits(&line, ' ', DEPTH_MAX, &depth) || !take_name(&line, &name))
        return "a node is \"DEPTH NAME TRUTH SAMPLED GIVEN\"";
    for (int side = 0; side < RESULTS_TREE_SIDES; side++)
        if (!take_digits(&line, side + 1 < RESULTS_TREE_SIDES ? ' ' : '\0', UINT32_MAX,
                         &node.self[side]))
            return "a node is \"DEPTH NAME TRUTH SAMPLED GIVEN\"";
    bool first = tree->count == 0, nameless = name == RESULTS_TREE_NAMELESS;
    if (first != (depth == 0)) return "the first node, and no other, is the root";
    if (first && !nameless) return "the root has a name";
    const struct results_tree_node* before = first ? NULL : &tree->nodes[tree->count - 1];
    if (!first && depth > (uint64_t)before->depth + 1) return "a node has no parent";
    if (tree->count > 1 && before->name == RESULTS_TREE_NAMELESS && depth > before->depth)
        return "a rest has children";
    if (!nameless && name >= tree->name_count) return "a node's name is not known";
    if (tree->count >= NODES_MAX) return "there are too many nodes";
    node.depth = (uint32_t)depth;
    node.name = (uint32_t)name;
    return results_tree_add_node(tree, &node) ? NULL : "no memory";
}

const char* results_tree_check(struct results_tree* tree) {
    if (tree->count == 0) return "there is no root";
    if (!profile_tree_sum(tree)) return "no memory";
    const uint64_t* all = tree->nodes[0].total;
    if (all[RESULTS_TREE_SAMPLED] != all[RESULTS_TREE_GIVEN])
        return "not every instant that led to a stack has one of each";
    for (size_t i = 0; i < tree->count; i++)
        if (tree->nodes[i].self[RESULTS_TREE_SAMPLED] > tree->nodes[i].self[RESULTS_TREE_TRUTH])
            return "more instants led to a stack than there are";
    return NULL;
}

// ---- The file ----------------------------------------------------------------------------------

int results_tree_write(const struct results_tree* tree, const char* path) {
    char text[RESULTS_TREE_LINE];
    FILE* out = fopen(path, "w");
    if (out == NULL) return -1;
    fprintf(out, HEAD "\npaths %" PRIu64 "\n", tree->paths);
    for (size_t i = 0; i < tree->name_count; i++)
        fprintf(out, "name %zu %s\n", strlen(tree->names[i]), tree->names[i]);
    for (size_t i = 0; i < tree->count; i++)
        fprintf(out, "node %s\n", results_tree_line(&tree->nodes[i], text));
    fprintf(out, "end %zu\n", tree->count);
    bool whole = !ferror(out);
    return fclose(out) == 0 && whole ? 0 : -1;
}

// A line up to its end, which it lacks then. False: the file ends, or the line is no text.
static bool next_line(FILE* in, char** line, size_t* room) {
    ssize_t length = getline(line, room, in);
    if (length <= 0 || (*line)[length - 1] != '\n') return false;
    (*line)[length - 1] = '\0';
    return strlen(*line) == (size_t)length - 1;
}

// "LENGTH TEXT": behind the first line of the text may be others.
static const char* read_name(FILE* in, struct results_tree* tree, const char* at) {
    uint64_t length;
    if (!take_digits(&at, ' ', NAME_MAX_BYTES, &length)) return "a name is \"name LENGTH TEXT\"";
    char* text = malloc(length + 2);
    if (text == NULL) return "no memory";
    size_t have = strlen(at) + 1; // with its newline, which may be the name's
    bool whole = have <= length + 1;
    if (whole) {
        memcpy(text, at, have - 1);
        text[have - 1] = '\n';
        whole = fread(text + have, 1, length + 1 - have, in) == length + 1 - have &&
                text[length] == '\n' && memchr(text, '\0', length) == NULL;
    }
    const char* wrong = !whole                                      ? "a name has another length"
                        : tree->name_count >= NAMES_MAX             ? "there are too many names"
                        : results_tree_add_name(tree, text, length) ? NULL
                                                                    : "no memory";
    free(text);
    return wrong;
}

static const char* read_all(FILE* in, struct results_tree* tree, char** line, size_t* room) {
    const char* wrong = NULL;
    uint64_t nodes;
    if (!next_line(in, line, room) || strcmp(*line, HEAD) != 0)
        return "it does not begin with \"" HEAD "\"";
    while (wrong == NULL) {
        if (!next_line(in, line, room)) return ferror(in) ? "cannot read" : "the end is missing";
        const char* at = *line;
        if (strncmp(at, "node ", 5) == 0) wrong = results_tree_take_line(tree, at + 5);
        else if (strncmp(at, "name ", 5) == 0) wrong = read_name(in, tree, at + 5);
        else if (strncmp(at, "paths ", 6) == 0) {
            at += 6;
            wrong = take_digits(&at, '\0', INT64_MAX, &tree->paths) ? NULL : "no count";
        } else break;
    }
    if (wrong != NULL) return wrong;
    const char* at = *line + 4;
    if (strncmp(*line, "end ", 4) != 0 || !take_digits(&at, '\0', NODES_MAX, &nodes))
        return "no line of this format";
    if (nodes != tree->count) return "some of its nodes are missing";
    return getc(in) == EOF ? results_tree_check(tree) : "there is something behind the end";
}

int results_tree_read(const char* path, struct results_tree* tree, char* error, size_t error_size) {
    char* line = NULL;
    size_t room = 0;
    *tree = (struct results_tree){0};
    FILE* in = fopen(path, "r");
    const char* wrong = in == NULL ? strerror(errno) : read_all(in, tree, &line, &room);
    if (in != NULL) fclose(in);
    free(line);
    if (wrong == NULL) return 0;
    snprintf(error, error_size, "%s: %s", path, wrong);
    results_tree_free(tree);
    return -1;
}
