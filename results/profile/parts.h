// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The room's inside.
#ifndef RESULTS_PROFILE_PARTS_H
#define RESULTS_PROFILE_PARTS_H

#include "profile.h"

// Room for one more item. False: no memory.
bool profile_grow(void** list, size_t count, size_t* room, size_t size);

// ---- Methods by their names --------------------------------------------------------------------
// A profiler tells names, the record tells ids and numbers. Both become an index by name, and an id
// that no jmethodID has.

#define PROFILE_NAME_BYTES 4096 // longer ones are cut

struct profile_name {
    char* text;      // normalised
    uint32_t number; // of the first method that was rewritten under this name; else ORACLE_FOREIGN,
                     // or ORACLE_OWN
    uint32_t bearers; // how many were
    bool unknown;     // the record does not tell the method's name
    bool native;      // the record has a frame of it that is native
};
struct profile_names;
struct profile_names* profile_names_open(const struct results_record* record);
void profile_names_close(struct profile_names* names);
// Indexes, made where there is none yet. UINT32_MAX: no memory.
uint32_t profile_names_of_text(struct profile_names* names, const char* text);
uint32_t profile_names_of_method(struct profile_names* names, uint64_t id, uint32_t number);
const struct profile_name* profile_names_at(const struct profile_names* names, uint32_t index);
// Notes that the method of that id is native; none such: nothing.
void profile_names_native(struct profile_names* names, uint64_t id);
uint32_t profile_names_count(const struct profile_names* names);
// The id of an index and back. UINT32_MAX: it is no such id.
uint64_t profile_id(uint32_t index);
uint32_t profile_index(uint64_t id);
// Hidden classes bear another number in JVMTI than in JFR: it is left out. Into `to`, cut to fit.
void profile_normalise(const char* name, char* to, size_t size);

// ---- The end of a walk -------------------------------------------------------------------------

// What lies below the oldest frame given, in AsyncGetCallTrace's walk at the instant. The frames'
// ids are the profile's. Without memory as where it is not known.
enum results_next profile_next(struct profile_names* names, const struct results_sample* instant,
                               const struct results_sample* given);

// ---- Joining -----------------------------------------------------------------------------------

#define PROFILE_BLANK 0u // the java_thread of an instant whose java.lang.Thread nobody knows

struct profile_instant {
    uint64_t begin_ns, end_ns, java_thread;
    uint32_t thread;
    uint32_t sample; // index + 1 of the sample that joined; 0: none
};
struct profile_join {
    struct profile_instant* instants; // in the record's order
    size_t count, room;
    uint32_t* by_thread;       // indexes, by thread and begin
    uint32_t* by_java;         // by java_thread and begin
    uint64_t longest_blank_ns; // the longest window of a blank one
    uint32_t* threads;         // that the record knows, ascending
    size_t thread_count, thread_room;
    uint32_t* strays; // indexes of the run's, by thread and begin
    size_t stray_count;
    bool memory; // there was none
};
// Takes the instants of the record. 0, or -1 without memory.
int profile_join_open(struct profile_join* join, const struct results_record* record);
void profile_join_close(struct profile_join* join);
// Joins all samples, each to an instant, and counts them by enum results_fit.
void profile_join_all(struct profile_join* join, const struct results_run* run,
                      const struct results_profile_file* file, uint64_t fits[RESULTS_FIT_COUNT]);

// ---- Profiles ----------------------------------------------------------------------------------

#define PROFILE_NO_STACK UINT32_MAX // of an instant
#define PROFILE_NO_METHOD 0u        // a stack without instrumented frames; a method is index + 1

struct profile_pair {
    uint32_t truth, given; // self
};
struct profile_shares {
    struct results_share* by_name; // [0] PROFILE_NO_METHOD
    size_t name_room;
    struct profile_pair* pairs; // of instants whose truth is known
    size_t pair_count, pair_room;
    uint32_t* seen; // by name, the stamp of the stack that it was counted for
    size_t seen_room;
    uint32_t stamp;
};
// One stack: methods youngest first, PROFILE_NO_METHOD where a frame is not instrumented.
struct profile_stack {
    uint32_t* methods;
    size_t count, room;
};
// Adds an instant's true stack, and the profiler's (NULL: it gave none). False: no memory.
bool profile_shares_add(struct profile_shares* shares, const struct profile_stack* truth,
                        const struct profile_stack* given);
// Fills the profile's shares and distances. False: no memory.
bool profile_shares_finish(struct profile_shares* shares, const struct profile_names* names,
                           struct results_profile* profile);
void profile_shares_close(struct profile_shares* shares);

#endif
