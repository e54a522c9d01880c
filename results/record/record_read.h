// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The room's inside: the reader's own state, between going through the blocks (record_read.c) and
// what the records define (record_define.c).
#ifndef RESULTS_RECORD_READ_H
#define RESULTS_RECORD_READ_H

#include "record_bytes.h"
#include "record_sample.h"
#include "record_write.h"

struct record_property {
    char *name, *value;
};
#define RECORD_PROPERTIES_MAX 256u

struct results_record {
    const uint8_t* bytes;
    size_t size;
    bool mapped; // ours to unmap
    bool ended;  // an end block was read
    struct record_lists lists;
    struct results_method** methods; // by index, NULL: not defined
    uint32_t method_room;
    const struct results_method** sorted; // those defined, by id and number
    uint32_t sorted_count;
    struct oracle_sites** sites; // by index, NULL: not defined
    uint32_t sites_room;
    struct record_property properties[RECORD_PROPERTIES_MAX];
    size_t property_count;
    struct results_problem problems[RESULTS_PROBLEMS_KEPT];
    uint64_t problem_count;
    struct results_record_sizes sizes;
    bool memory; // there was none
};

__attribute__((format(printf, 3, 4))) void record_problem(struct results_record* record,
                                                          uint64_t offset, const char* format, ...);

// What one record defines. False: it makes no sense.
bool record_define(struct results_record* record, enum record_type type, struct record_in* in);
// When all is defined: makes methods found by id and number. 0, or -1 without memory.
int record_sort_methods(struct results_record* record);
void record_undefine(struct results_record* record);

#endif
