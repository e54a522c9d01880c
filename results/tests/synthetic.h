// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Runs made up for tests, and records of mismatches.
#ifndef RESULTS_TESTS_SYNTHETIC_H
#define RESULTS_TESTS_SYNTHETIC_H

#include "results/formats/formats.h"

// A run in phase ENDED whose every layer has judged `judged` and found nothing. Freed by free().
struct results_run* synthetic_run(uint64_t judged);
// The same in a run's file that is new.
void synthetic_fill(struct results_run* run, uint64_t judged);
// An execution of it that ended well.
struct results_execution synthetic_execution(const struct results_run* run, const char* mode);

// ---- Mismatches -------------------------------------------------------------------------------

#define SYNTHETIC_DEPTH 512
// A mismatch to be recorded. The pointers of `sample` mean nothing: its arrays are these.
struct synthetic_mismatch {
    struct results_sample sample;
    struct results_evidence evidence;
    struct results_sample_slot slots[SYNTHETIC_DEPTH];
    struct results_sample_frame frames[SYNTHETIC_DEPTH];
    enum results_vote vote; // what becomes of the accusation
    bool nameless;          // the JVM died before it told any name
};
// Makes one of two traces of `depth` frames Demo.m0 .. Demo.m<depth-1>, youngest first; the
// observed one lacks frame 2. Method m<i> has the id 0x100 + i and the number 1 + i.
void synthetic_mismatch(struct synthetic_mismatch* mismatch, enum oracle_layer layer,
                        uint32_t depth);
// Gives it what its thread was at: C2's code.
void synthetic_context(struct synthetic_mismatch* mismatch);
// The id of a method of that name that is not instrumented. The text outlives the test.
uint64_t synthetic_method(const char* name);

// Writes a record of mismatches, as an agent and its writer would. `path` NULL: into no file that
// anybody finds.
struct synthetic_recording;
struct synthetic_recording* synthetic_record_open(const char* path);
// Their numbers are 1, 2, ..., but for those that have one.
void synthetic_record_add(struct synthetic_recording* recording,
                          const struct synthetic_mismatch* mismatch);
// Ends it and reads it: results_record_close.
struct results_record* synthetic_record_close(struct synthetic_recording* recording);
// All three, for one mismatch.
struct results_record* synthetic_record(const char* path,
                                        const struct synthetic_mismatch* mismatch);

// ---- Clusters ---------------------------------------------------------------------------------

// Makes the run's cluster `index`: of layer async, in a body, at a mov, the caller missing.
struct results_cluster* synthetic_cluster(struct results_run* run, size_t index,
                                          enum oracle_verdict verdict, enum results_code_kind kind,
                                          uint64_t count);
// What a report of one run in that mode has in the table that `print` prints; freed by free().
char* synthetic_table(void (*print)(const struct results_report* report, FILE* out),
                      const struct results_run* run, const char* mode);
// What `print` wrote, as text; freed by free().
char* synthetic_output(void (*print)(const void* what, FILE* out), const void* what);

#endif
