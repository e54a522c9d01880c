// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What a profiler wrote about a run, held against the truth of that run, sample by sample and as a
// profile. It works after the JVM's death, on the run's file, its record and the text that
// ProfileReader makes of the profiler's file (README.md has the format). An instant is a sample of
// layer async that was taken where the profiler's own signal handler ran (struct results_sample).
#ifndef RESULTS_PROFILE_PROFILE_H
#define RESULTS_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "oracle/oracle.h"
#include "results/causes/causes.h"
#include "results/record/record.h"

// ---- The profiler's file -----------------------------------------------------------------------

enum results_profile_flag {
    RESULTS_PROFILE_VIRTUAL = 1, // its thread is a virtual one
    RESULTS_PROFILE_FAILED = 2,  // the profiler gives no frames
    RESULTS_PROFILE_BIASED = 4,  // it says itself that the frames are not of the sample's time
    // It says that older frames are missing: its own flag, or the oldest frame
    // is async-profiler's "break_..." or "unknown".
    RESULTS_PROFILE_TRUNCATED = 8,
    // It may stand for ticks at which the thread slept and was sent no signal: its time may be one
    // of these, and its stack is the thread's last one again (async-profiler's wall clock).
    RESULTS_PROFILE_REPEATS = 16,
    // A frame's method has no name in the file: its class was unloaded before that was written.
    RESULTS_PROFILE_NAMELESS = 32
};

struct results_profile_frame {
    uint32_t method; // an index into the file's names
    int32_t bci;     // ORACLE_BCI_NATIVE of native methods
};

struct results_profile_sample {
    int64_t begin_ticks, end_ticks;
    uint64_t java_thread;
    uint32_t thread; // of the operating system
    uint32_t flags;  // bits of enum results_profile_flag
    size_t first;    // of its frames, youngest first
    uint32_t count;
    uint32_t all; // frames, with those of libraries, which are passed over
    // Index + 1 of the function that it shows above its youngest Java frame; 0: none.
    uint32_t above;
};

// A Java thread's name, which may be "". A thread that was given another has one more.
struct results_profile_thread {
    uint64_t java_thread;
    char* name;
};

// All of it, in the file's order.
struct results_profile_file {
    size_t name_count, name_room;
    char** names; // "class.method(descriptor)" by index
    size_t sample_count, sample_room;
    struct results_profile_sample* samples;
    size_t frame_count, frame_room;
    struct results_profile_frame* frames;
    size_t thread_count, thread_room;
    struct results_profile_thread* threads;
    uint64_t lost; // samples that the profiler says it lost
};

// Reads ProfileReader's text; what is malformed, or incomplete, is refused. 0, or -1 with
// "FILE:LINE: reason" in `error` and *file empty. Freed by results_profile_file_free.
int results_profile_read(const char* path, struct results_profile_file* file, char* error,
                         size_t error_size);
void results_profile_file_free(struct results_profile_file* file);

// ---- Call trees --------------------------------------------------------------------------------
// The profiles by path: every path of methods from a thread's root that the truth or the profiler
// has, in one tree, with how many stacks of each end there. It is what flame graphs are drawn of.
// Methods that are not instrumented are passed over, as in the shares.

// NAME, text, explanation.
#define RESULTS_TREE_SIDE_LIST(S)                                                                  \
    S(TRUTH, "truth", "the true stacks of all instants whose truth is known")                      \
    S(SAMPLED, "sampled", "the true stacks of those of them that led to a stack")                  \
    S(GIVEN, "given", "the profiler's stacks of the same instants")
#define RESULTS_TREE_SIDE_ENUM(name, ...) RESULTS_TREE_##name,
enum results_tree_side { RESULTS_TREE_SIDE_LIST(RESULTS_TREE_SIDE_ENUM) RESULTS_TREE_SIDES };

// Nodes of a run's tree; colder ones are folded into their parents' rest. At 1,500 pixels a graph
// shows some thousand at once.
#define RESULTS_TREE_NODES 10000u
// Paths that are told apart while a tree is made: some 100 MB. Of a stack with another path, what
// is not known yet goes to the rest.
#define RESULTS_TREE_PATHS 500000u
#define RESULTS_TREE_FILE "profile.tree" // its name in the run's directory

#define RESULTS_TREE_NAMELESS UINT32_MAX // a node's name: the root, and below it the rest
// Total is self and the totals of the children: the nodes behind it, until one that is no deeper.
struct results_tree_node {
    uint32_t depth; // the root, and no other, has 0
    uint32_t name;  // index into the tree's names
    uint64_t self[RESULTS_TREE_SIDES], total[RESULTS_TREE_SIDES];
};
// The nodes in preorder. A path ends in one node at most, but for the rest: what was folded into
// its parent's has no path of its own. All zero is an empty tree, which has no root yet.
struct results_tree {
    struct results_tree_node* nodes;
    size_t count, room;
    char** names;
    size_t name_count, name_room;
    uint64_t paths; // that there were before any was folded
};

// Put a name, or a node with depth, name and self, behind the last. False: no memory.
bool results_tree_add_name(struct results_tree* tree, const char* text, size_t length);
bool results_tree_add_node(struct results_tree* tree, const struct results_tree_node* node);
// "DEPTH NAME TRUTH SAMPLED GIVEN": name and self; NAME is "-" where there is none. Into `text`.
#define RESULTS_TREE_LINE 128
const char* results_tree_line(const struct results_tree_node* node, char text[RESULTS_TREE_LINE]);
// Adds the node of such a line, which may be anybody's. NULL, or what is wrong with it.
const char* results_tree_take_line(struct results_tree* tree, const char* line);
// Call it behind the last node: fills the totals. NULL, or what is wrong with the tree: no root,
// or more stacks sampled than there are, or not as many given.
const char* results_tree_check(struct results_tree* tree);
// Folds the coldest nodes until there are `most` at most (2 at least). A stack that the profiler
// has on another path counts as ten. The sums of every node that stays are what they were. False
// without memory: the tree is good for results_tree_free alone.
bool results_tree_cut(struct results_tree* tree, size_t most);
void results_tree_free(struct results_tree* tree);
// The text of README.md. 0, or -1 with errno set; what is not whole is no tree to its reader.
int results_tree_write(const struct results_tree* tree, const char* path);
// What is malformed, or incomplete, is refused. 0, or -1 with "FILE: reason" in `error` and *tree
// empty.
int results_tree_read(const char* path, struct results_tree* tree, char* error, size_t error_size);

// ---- Judging -----------------------------------------------------------------------------------

// Where a sample of the profiler belongs. NAME, text, explanation.
#define RESULTS_FITS(F)                                                                            \
    F(JOINED, "joined", "in exactly one instant of its thread, as its only sample")                \
    F(DOUBLED, "doubled", "in an instant that has had a sample")                                   \
    F(UNMATCHED, "unmatched", "in no instant of its thread")                                       \
    F(AMBIGUOUS, "ambiguous", "in two instants of its thread")                                     \
    F(FOREIGN, "foreign", "of a thread that the record does not know")                             \
    F(STRAY, "stray", "at a signal on a thread that the agent did not know then")                  \
    F(REPEATED, "repeated", "of ticks at which the thread slept and was sent no signal")
#define RESULTS_FIT_ENUM(name, ...) RESULTS_FIT_##name,
enum results_fit { RESULTS_FITS(RESULTS_FIT_ENUM) RESULTS_FIT_COUNT };

// A method in the profiles. Self time is the youngest instrumented frame's; total time is that of
// every instrumented method of a stack, once.
struct results_share {
    const char* name;
    uint64_t truth_self, truth_total;     // of all instants whose truth is known
    uint64_t sampled_self, sampled_total; // of those of them that led to a stack
    uint64_t given_self, given_total;     // what the profiler's stacks say of the same
};

struct results_profile {
    char profiler[64];
    uint64_t instants;   // that the record has
    uint64_t unrecorded; // signals for which the record had no room: in no rate
    uint64_t coalesced;  // expirations of its timers that became no signal of their own
    uint64_t fits[RESULTS_FIT_COUNT], samples, lost, silent, excess;
    struct results_layer layer; // as it was added to the run
    uint64_t paired[RESULTS_OUTCOME_COUNT][RESULTS_OUTCOME_COUNT];
    // Of the biased ones those in our own code have no verdict: biased_own.
    uint64_t biased, biased_own, biased_verdict[ORACLE_VERDICT_COUNT];
    uint64_t biased_later; // of its mismatches: true of a later moment, when the thread had left
                           // its youngest frames. The walk of such a sample is later
    uint64_t truncated;    // of those that are not biased: they say that older frames are missing
    uint64_t shared;
    uint64_t truths, stacks; // instants whose truth is known; those of them that led to a stack
    struct results_distance distance[RESULTS_DISTANCE_COUNT];
    struct results_share* shares; // by truth_self, then by name
    size_t share_count;
    void* names; // theirs
    struct results_tree tree;
};

struct results_profile_options {
    const struct results_causes* causes; // NULL: every walking error is unexplained
    int release;                         // of Java, for the causes
    enum results_collector collector;
    // A stack of so many frames of all kinds was cut there, and the file does not say so. 0: it
    // does, or none is.
    uint32_t depth;
};

// Joins and judges. Fills the layer `profiler` and the profiler's fields of `run`, counts
// mismatches in its clusters, and puts each as a sample of that layer behind the record, the file
// at `record`. 0, or -1 with a reason in `error` and *profile empty; the run and the record are
// untouched unless it was the record that could not be written. A run is judged once: a second time
// is refused.
int results_profile_judge(struct results_run* run, const char* record,
                          const struct results_profile_file* file,
                          const struct results_profile_options* options,
                          struct results_profile* profile, char* error, size_t error_size);
void results_profile_free(struct results_profile* profile);

const char* results_fit_text(enum results_fit fit);

// Samples that agree with the truth or are in transition, out of results_judged(&profile->layer).
uint64_t results_profile_right(const struct results_profile* profile);
// The name of a cause by its index in layer.cause. `causes` are those that it was judged by.
const char* results_profile_cause(const struct results_causes* causes, uint32_t index);
// One page: accounts, verdicts, the two walkers beside each other, the profile.
void results_profile_print(const struct results_profile* profile,
                           const struct results_causes* causes, FILE* out);
// Its part with the profiler beside AsyncGetCallTrace at the same instants.
void results_profile_print_paired(const struct results_profile* profile, FILE* out);
// Its last part: distances, the hottest methods of both sides, those hidden and invented most.
void results_profile_print_shares(const struct results_profile* profile, FILE* out);

#endif
