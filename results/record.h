// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The record of a run (FORMAT.md): what happened, in order, in compressed and independent blocks.
// Beside the mapped file of results.h, which has live counters and a few mismatches. results.h
// includes this header; it is a part of the room's door.
//
// Three parts: a sample as both sides see it; the recorder, which the agent's writer thread uses;
// the reader, which trusts nothing that it reads.
#ifndef RESULTS_RECORD_H
#define RESULTS_RECORD_H

#include "results.h"

#define RESULTS_RECORD_VERSION 1u
#define RESULTS_BLOCK_MAX (4u << 20)      // content: what a reader must be ready to hold
#define RESULTS_BLOCK_CLOSED (128u << 10) // a recorder closes a block that is larger
#define RESULTS_METHODS_MAX (1u << 22)    // indexes of methods are below this

// ---- A sample ---------------------------------------------------------------------------------

// A frame with what the oracle knew of its method.
struct results_sample_frame {
    uint64_t id;     // jmethodID
    uint32_t number; // what oracle_methods_number said of the id
    int32_t bci;
};

enum { RESULTS_SLOT_ENTRY, RESULTS_SLOT_GAP, RESULTS_SLOT_CALL };
// A slot of the trace stack, as in oracle_slot.
struct results_sample_slot {
    uint64_t id;       // entry: what oracle_methods_id said of the number; gap: its jmethodID
    uint32_t number;   // entry
    int32_t bci;       // gap, call
    uint32_t position; // entry
    uint32_t kind;     // RESULTS_SLOT_*
};

// One question put to one thread, the walker's answer, and what the oracle judged by. Arrays are
// youngest first and somebody else's.
struct results_sample {
    uint64_t time_ns;
    uint64_t pc; // 0: a check at a push
    uint32_t thread_id, thread_slot, epoch;
    uint8_t layer, verdict;
    uint8_t code_kind, region, thread_state;
    bool own, chosen;      // chosen: as one in N
    bool context_known;    // `context` is what was judged by, so it can be judged again
    bool owner_known;      // `owner` is what oracle_attribute was given; in layer ground the method
                           // that was left or caught an exception, and did not fit
    uint32_t owner_number; // what oracle_methods_number said of owner.method
    int32_t count;         // the walker's
    uint32_t code_offset;
    uint32_t cluster; // index + 1 into the mapped file's clusters, 0: none
    uint32_t beyond;  // oracle_stack.beyond
    struct oracle_context context;
    struct oracle_judgement judgement; // as the oracle gave it; `verdict` is what was counted
    struct oracle_owner owner;
    uint32_t slot_count, frame_count, witness_count, third_count;
    const struct results_sample_slot* slots;
    const struct results_sample_frame* frames;
    const struct results_sample_frame* witness; // where it was not judged by the trace stack
    // Layer sandwich: the walk after the witness, of which `frames` is the walk before. Else NULL.
    const struct results_sample_frame* third;
    // Layer structure: of each of `frames` its call sites, NULL where they were not read yet; and
    // how the thread began (enum oracle_root). NULL in other layers.
    const struct oracle_sites* const* sites;
    uint8_t root;
    // Mismatches: all of the struct but its traces, which may lie outside the memory. NULL: none.
    const struct results_mismatch* evidence;
};
// Of a results_mismatch, the part before its traces.
#define RESULTS_EVIDENCE_SIZE offsetof(struct results_mismatch, expected)

// ---- Counters ---------------------------------------------------------------------------------

// All counters of a run by name, layer by layer ("async.asked", "async.verdict.agree", ...), then
// those of the run and of the record itself.
#define RESULTS_COUNTERS_OF_LAYER                                                                  \
    (2 + 2 * ORACLE_VERDICT_COUNT + ORACLE_REFUSAL_COUNT + RESULTS_UNDECIDED_COUNT)
#define RESULTS_RUN_COUNTERS(C)                                                                    \
    C(stray)                                                                                       \
    C(throttled)                                                                                   \
    C(late)                                                                                        \
    C(unkept)                                                                                      \
    C(overflow)                                                                                    \
    C(unwound)                                                                                     \
    C(misfit) C(vanished) C(gaps) C(gap_frames) C(caller_bcis) C(call_sites) C(threads)            \
        C(base_threads) C(classes_seen) C(classes_rewritten) C(methods_rewritten) C(clusters_lost) \
            C(virtual_judged) C(virtual_mismatched) C(recorded) C(unrecorded)
enum {
#define RESULTS_COUNTER_INDEX(name) RESULTS_COUNTER_##name,
    RESULTS_RUN_COUNTERS(RESULTS_COUNTER_INDEX)
#undef RESULTS_COUNTER_INDEX
        RESULTS_RUN_COUNTER_COUNT
};
#define RESULTS_COUNTERS                                                                           \
    (ORACLE_LAYER_COUNT * RESULTS_COUNTERS_OF_LAYER + RESULTS_RUN_COUNTER_COUNT)

// The name of a counter, for index < RESULTS_COUNTERS. Returns text.
#define RESULTS_COUNTER_NAME 64
const char* results_counter_name(uint32_t index, char text[RESULTS_COUNTER_NAME]);
// Takes all of a run's counters, each as it is at its moment.
void results_counters_take(const struct results_run* run, uint64_t values[RESULTS_COUNTERS]);

// ---- Recording --------------------------------------------------------------------------------

// Names of a method, for one who reads the record. Texts may be NULL.
struct results_insertion {
    uint32_t start, length, old_bci;
};
struct results_line {
    uint32_t bci, line; // bci of the original code
};
struct results_names {
    const char* name; // "class.method(descriptor)"
    const char* source;
    uint32_t insertion_count, line_count;
    const struct results_insertion* insertions; // ascending
    const struct results_line* lines;           // ascending
};

// Where a recorder's blocks go, and whom it asks when it meets a method for the first time.
struct results_recorder_options {
    void* context;
    // A whole block, compressed. 0, or -1: the recorder then gives up and says so by -1 everywhere.
    int (*write)(void* context, const void* bytes, size_t size);
    // What the oracle knows of the number's code; NULL: nothing. Lives as long as the recorder.
    const struct oracle_code* (*code)(void* context, uint32_t number);
    // The method has got this index: names may be given at once or later. May be NULL.
    void (*met)(void* context, uint32_t index, uint64_t id, uint32_t number);
};

// Encodes and compresses. One thread at a time. NULL without memory.
struct results_recorder;
struct results_recorder* results_recorder_open(const struct results_recorder_options* options);
void results_recorder_close(struct results_recorder* recorder);
// Each of these adds to the open block, and closes it where it has grown large. 0, or -1: no
// memory, or a block could not be written; from then on nothing is.
int results_recorder_property(struct results_recorder* recorder, const char* name,
                              const char* value);
// Adds the lists and closes the block as the head: after the properties, before all else.
int results_recorder_head(struct results_recorder* recorder, uint64_t time_ns);
int results_recorder_sample(struct results_recorder* recorder, const struct results_sample* sample);
int results_recorder_names(struct results_recorder* recorder, uint32_t index,
                           const struct results_names* names);
// What changed since the last call, or with `full` all that is not 0.
int results_recorder_counters(struct results_recorder* recorder, uint64_t time_ns,
                              const uint64_t values[RESULTS_COUNTERS], bool full);
int results_recorder_settled(struct results_recorder* recorder, uint32_t thread_slot,
                             uint32_t epoch, uint32_t blame);
// Bytes in the open block.
size_t results_recorder_pending(const struct results_recorder* recorder);
// Closes the open block, if anything is in it; `end`: as the last.
int results_recorder_flush(struct results_recorder* recorder, uint64_t time_ns, bool end);
// Bytes encoded and bytes written, since the recorder was opened.
void results_recorder_sizes(const struct results_recorder* recorder, uint64_t* encoded,
                            uint64_t* written);

// ---- Reading ----------------------------------------------------------------------------------

// A method as the record defines it. `defined` false: its block was lost.
struct results_method {
    bool defined, named;
    uint64_t id;
    uint32_t number; // may be ORACLE_FOREIGN, ORACLE_OWN, ORACLE_UNKNOWN
    const struct oracle_code* code;
    struct results_names names;
};

struct results_record;

// Reads the whole of it once: methods, names, properties, and what is wrong. The bytes are the
// caller's and outlive the record. NULL without memory only: hostile bytes give a record with
// problems.
struct results_record* results_record_open(const void* bytes, size_t size);
// Maps a file and opens it. NULL with errno set.
struct results_record* results_record_open_file(const char* path);
void results_record_close(struct results_record* record);

// What is wrong with the file: where and what, in file order. The text is the record's.
struct results_problem {
    uint64_t offset; // into the file
    char text[120];
};
#define RESULTS_PROBLEMS_KEPT 256
size_t results_record_problems(const struct results_record* record,
                               const struct results_problem** list);
// How many there were, kept or not. Whether the record ends as a run that ended in order does.
uint64_t results_record_problem_count(const struct results_record* record);
bool results_record_is_whole(const struct results_record* record);
// NULL: no such property.
const char* results_record_property(const struct results_record* record, const char* name);
// The nth property from 0, false behind the last.
bool results_record_nth_property(const struct results_record* record, size_t n, const char** name,
                                 const char** value);
// How many methods are defined, and each of them, n < that, in the order of id and number.
uint32_t results_record_methods(const struct results_record* record);
const struct results_method* results_record_nth_method(const struct results_record* record,
                                                       uint32_t n);
// A method by index; never NULL, but perhaps not `defined`.
const struct results_method* results_record_method(const struct results_record* record,
                                                   uint32_t index);
// The method of that id and number; NULL: none.
const struct results_method* results_record_find(const struct results_record* record, uint64_t id,
                                                 uint32_t number);
// Sizes: of the file, of the blocks' content, of samples within it; how many of each.
struct results_record_sizes {
    uint64_t file, content, samples_bytes;
    uint64_t blocks, samples, mismatches, chosen;
};
void results_record_sizes(const struct results_record* record, struct results_record_sizes* sizes);

// What results_record_each calls, in file order; NULL: not asked for. Pointers hold for the call.
struct results_record_visitor {
    void* context;
    // A sample; `lost`: it refers to methods whose definition was lost.
    void (*sample)(void* context, const struct results_sample* sample, bool lost);
    void (*counters)(void* context, uint64_t time_ns, bool full,
                     const uint64_t values[RESULTS_COUNTERS]);
    void (*settled)(void* context, uint32_t thread_slot, uint32_t epoch, uint32_t blame);
};
// 0, or -1 without memory.
int results_record_each(const struct results_record* record,
                        const struct results_record_visitor* visitor);

// ---- Judging again ----------------------------------------------------------------------------

struct results_replay;
// Judges recorded samples with the oracle. `off`: rules left out, bits 1 << enum oracle_rule. NULL
// without memory.
struct results_replay* results_replay_open(uint32_t off);
void results_replay_close(struct results_replay* replay);
// What the oracle says of the sample now, in *judgement. False: it cannot be judged from what the
// record holds (contradictory, or written when less was recorded).
bool results_replay_judge(struct results_replay* replay, const struct results_record* record,
                          const struct results_sample* sample, struct oracle_judgement* judgement);

// ---- Looking ----------------------------------------------------------------------------------

// Brings a recorded sample to the form in which mismatches are printed: m, whose texts go into
// run->text, behind those that are there (both the caller's, zeroed; after run->text_used = 0 the
// texts may be overwritten).
void results_sample_show(const struct results_record* record, const struct results_sample* sample,
                         struct results_run* run, struct results_mismatch* m);
// Prints a mismatch as the report does, with the whole of what was kept. False without memory.
bool results_show(const struct results_report* report, const struct results_execution* execution,
                  const struct results_mismatch* mismatch, FILE* out);

#endif
