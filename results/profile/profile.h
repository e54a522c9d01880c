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
};

// All of it, in the file's order.
struct results_profile_file {
    size_t name_count, name_room;
    char** names; // "class.method(descriptor)" by index
    size_t sample_count, sample_room;
    struct results_profile_sample* samples;
    size_t frame_count, frame_room;
    struct results_profile_frame* frames;
    uint64_t lost; // samples that the profiler says it lost
};

// Reads ProfileReader's text; what is malformed, or incomplete, is refused. 0, or -1 with
// "FILE:LINE: reason" in `error` and *file empty. Freed by results_profile_file_free.
int results_profile_read(const char* path, struct results_profile_file* file, char* error,
                         size_t error_size);
void results_profile_file_free(struct results_profile_file* file);

// ---- Judging -----------------------------------------------------------------------------------

// Where a sample of the profiler belongs. NAME, text, explanation.
#define RESULTS_FITS(F)                                                                            \
    F(JOINED, "joined", "in exactly one instant of its thread, as its only sample")                \
    F(DOUBLED, "doubled", "in an instant that has had a sample")                                   \
    F(UNMATCHED, "unmatched", "in no instant of its thread")                                       \
    F(AMBIGUOUS, "ambiguous", "in two instants of its thread")                                     \
    F(FOREIGN, "foreign", "of a thread that the record does not know")                             \
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
    uint64_t instants;  // that the record has
    uint64_t coalesced; // expirations of its timers that became no signal of their own
    uint64_t fits[RESULTS_FIT_COUNT], samples, lost, silent, excess;
    struct results_layer layer; // as it was added to the run
    uint64_t paired[RESULTS_OUTCOME_COUNT][RESULTS_OUTCOME_COUNT];
    uint64_t biased, biased_verdict[ORACLE_VERDICT_COUNT];
    uint64_t biased_later; // of its mismatches: true of a later moment, when the thread had left
                           // its youngest frames. The walk of such a sample is later
    uint64_t truncated;    // of those that are not biased: they say that older frames are missing
    uint64_t shared;
    uint64_t truths, stacks; // instants whose truth is known; those of them that led to a stack
    struct results_distance distance[RESULTS_DISTANCE_COUNT];
    struct results_share* shares; // by truth_self, then by name
    size_t share_count;
    void* names; // theirs
};

struct results_profile_options {
    const struct results_causes* causes; // NULL: every walking error is unexplained
    int release;                         // of Java, for the causes
    enum results_collector collector;
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
