// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The room's inside: the reader's own state, between going through the blocks (record_read.c) and
// what the records define (record_define.c).
#ifndef RESULTS_RECORD_READ_H
#define RESULTS_RECORD_READ_H

#include "record_sample.h"
#include "record_write.h"

struct record_property {
    char *name, *value;
};
#define RECORD_PROPERTIES_MAX 256u

// Pointers by index, NULL: not defined. Grows to the largest index.
struct record_table {
    void** items;
    uint32_t room;
};

// A settlement of accusations, and where GetStackTrace's frames lie where they were recorded.
struct record_settlement {
    uint32_t slot, epoch, blame, count;
    struct results_sample_frame* witness; // NULL where count is 0
};

// Where samples lie in the file.
struct record_place {
    size_t offset;        // of a block's frame
    uint64_t first, last; // the least and the greatest number among its samples
    uint64_t before;      // samples in earlier blocks
};

struct results_record {
    const uint8_t* bytes;
    size_t size;
    bool mapped; // ours to unmap
    bool ended;  // an end block was read
    struct record_lists lists;
    struct record_table methods;          // struct results_method
    struct record_table sites;            // struct oracle_sites
    struct record_table rewritten;        // struct results_method, by number: code and names only
    const struct results_method** sorted; // methods that are defined, by id and number
    uint32_t sorted_count;
    struct record_settlement* settlements; // by slot and epoch
    size_t settlement_count, settlement_room;
    struct record_place* places; // of blocks that hold samples, in file order
    size_t place_count, place_room;
    struct record_property properties[RECORD_PROPERTIES_MAX];
    size_t property_count;
    struct results_problem problems[RESULTS_PROBLEMS_KEPT];
    uint64_t problem_count;
    struct results_record_sizes sizes;
    uint32_t undefined;  // the greatest index of a method that is referred to and not defined
    uint64_t next_block; // the number of the block that would come next
    uint64_t last_ns;    // the last block's time
    size_t whole_end;    // where the last whole block ends
    uint64_t in_vain;    // bytes read and unpacked of what were no whole blocks
    bool memory;         // there was none
};

// How many methods are defined, and each of them, n < that, in the order of id and number.
uint32_t results_record_methods(const struct results_record* record);
const struct results_method* results_record_nth_method(const struct results_record* record,
                                                       uint32_t n);
// A method by index; never NULL, but perhaps not `defined`.
const struct results_method* results_record_method(const struct results_record* record,
                                                   uint32_t index);
// The call sites of that index; NULL: not defined.
const struct oracle_sites* results_record_sites(const struct results_record* record,
                                                uint32_t index);

__attribute__((format(printf, 3, 4))) void record_problem(struct results_record* record,
                                                          uint64_t offset, const char* format, ...);

// What one record defines, settlements among it. False: it makes no sense.
bool record_define(struct results_record* record, enum record_type type, struct record_in* in);
// When all is defined: gives rewritten methods their code and names, and makes methods and
// settlements found by their keys. 0, or -1 without memory.
int record_link(struct results_record* record);
// record_table.c. The place of that index in the table, which grows; NULL where there can be none,
// or without memory. Indexes may be anything: an unused one costs a pointer.
void** record_place(struct results_record* record, struct record_table* table, uint32_t index);
// What is there; NULL: not defined.
void* record_item(const struct record_table* table, uint32_t index);
// Room for `count` things of that size in an array. False without memory.
bool record_room(void** array, size_t* room, size_t count, size_t size);
// Room for one more thing of that size in an array. False without memory.
bool record_grow(void** array, size_t count, size_t* room, size_t size);
// The record refers to a method of that index, which is not defined (yet). 0: to none.
void record_note_undefined(struct results_record* record, uint32_t index);
// What was said of the accusations of that slot and epoch; NULL: nothing.
const struct record_settlement* record_settled(const struct results_record* record, uint32_t slot,
                                               uint32_t epoch);
void record_undefine(struct results_record* record);

#endif
