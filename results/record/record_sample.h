// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The room's inside: one sample's payload, both ways, so that one look tells whether they agree.
#ifndef RESULTS_RECORD_SAMPLE_H
#define RESULTS_RECORD_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record.h"

// ---- Numbers and texts ------------------------------------------------------------------------

// The room's inside: numbers and texts of the record format, written and read. Failures stick, so
// that a whole record is written or read before one asks.

// Bytes that grow. All zero: empty.
struct record_out {
    uint8_t* bytes;
    size_t size, room;
    bool failed; // no memory
};
void record_out_free(struct record_out* out);
void record_put_bytes(struct record_out* out, const void* bytes, size_t size);
void record_put_fixed(struct record_out* out, uint64_t value, unsigned size);
void record_put_number(struct record_out* out, uint64_t value);
void record_put_signed(struct record_out* out, int64_t value);
void record_put_text(struct record_out* out, const char* text); // NULL: empty

// Bytes to be read, somebody else's. What cannot be read is 0, and `failed` set.
struct record_in {
    const uint8_t *at, *end;
    bool failed;
};
uint64_t record_get_fixed(struct record_in* in, unsigned size);
uint64_t record_get_number(struct record_in* in);
uint32_t record_get_u32(struct record_in* in); // fails where it does not fit
int64_t record_get_signed(struct record_in* in);
int32_t record_get_i32(struct record_in* in);
// The next `size` bytes, NULL where there are not so many.
const uint8_t* record_get_bytes(struct record_in* in, size_t size);
// A number of things of which each takes at least `least` bytes: fails where there is no room.
uint32_t record_get_count(struct record_in* in, size_t least);
// A text's bytes and their number.
const char* record_get_text(struct record_in* in, size_t* length);

// ---- Samples ----------------------------------------------------------------------------------

// The index of a method in the record, by what the oracle knew of it. 0 without memory.
struct record_refers {
    uint32_t (*method)(void* context, uint64_t id, uint32_t number);
    void* context;
};

void record_sample_put(struct record_out* out, const struct results_sample* sample,
                       uint64_t block_time_ns, const struct record_refers* refers);
void record_frames_put(struct record_out* out, const struct results_sample_frame* frames,
                       uint32_t count, const struct record_refers* refers);

// Whether gaps stand only between an entry and the call that ends them, as on a trace stack.
bool record_slots_in_order(const struct results_sample_slot* slots, uint32_t count);

// Traces read, with memory of their own. All zero: empty.
struct record_frames {
    struct results_sample_frame* list;
    size_t room;
    bool lost;          // a method of theirs is not defined
    uint32_t undefined; // the greatest index of such a method
    bool memory;        // there was none
};

// A sample read, with memory of its own. All zero: empty.
struct record_sample {
    struct results_sample sample; // the first member: results_sample_free
    struct results_sample_slot* slots;
    struct record_frames frames; // then the witness's, then the third trace's
    uint32_t* sites;
    size_t slots_room, sites_room;
    struct results_evidence* evidence;
    bool lost;          // a method that it refers to is not defined
    uint32_t undefined; // the greatest index of such a method
    bool memory;        // there was none
};
void record_sample_free(struct record_sample* sample);

// What texts of the file's lists mean here: -1 where it is nothing known. By list, by number.
enum record_list {
    RECORD_LIST_LAYERS,
    RECORD_LIST_VERDICTS,
    RECORD_LIST_REFUSALS,
    RECORD_LIST_CODE_KINDS,
    RECORD_LIST_REGIONS,
    RECORD_LIST_THREAD_STATES,
    RECORD_LIST_COUNTERS,
    RECORD_LIST_COUNT
};
#define RECORD_LIST_ENTRIES 1024u
struct record_lists {
    bool known[RECORD_LIST_COUNT]; // it stood in the file; else the numbers are ours
    int16_t ours[RECORD_LIST_COUNT][RECORD_LIST_ENTRIES];
};
// The list's name, how many entries it has here, and an entry's text (`space` may be used for it).
const char* record_list_name(enum record_list list);
uint32_t record_list_count(enum record_list list);
const char* record_list_text(enum record_list list, uint32_t entry,
                             char space[RESULTS_COUNTER_NAME]);
// A number of the file as ours, -1: it has no meaning here.
int32_t record_list_ours(const struct record_lists* lists, enum record_list list, uint32_t number);

// False: it is not a sample, or means nothing here.
bool record_sample_get(struct record_in* in, uint64_t block_time_ns,
                       const struct results_record* record, const struct record_lists* lists,
                       struct record_sample* to);
// A trace, behind the first `at` frames of the list, which grows; how many frames it has. Fails
// where it is none, or without memory.
uint32_t record_frames_get(struct record_in* in, const struct results_record* record,
                           struct record_frames* list, uint32_t at);

#endif
