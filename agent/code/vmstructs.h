// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Reader of the structure tables that libjvm exports for the serviceability agent: they tell where
// fields lie in HotSpot's own objects. It only reads tables; the caller must know how an offset may
// be used. Not for handlers: look the offsets up once and keep them.
#ifndef AGENT_VMSTRUCTS_H
#define AGENT_VMSTRUCTS_H

#include <stdbool.h>
#include <stdint.h>

// One of the tables: rows of `stride` bytes, the last of which has the name NULL. libjvm also
// exports where each column stands in a row. Source: VMStructEntry and its like in HotSpot's
// share/runtime/vmStructs.hpp.
struct vmstructs_table {
    const char* rows;
    uint64_t stride;
    uint64_t column[6];
};

struct vmstructs {
    struct vmstructs_table fields, types, ints;
};

struct vmstructs_field {
    const char* type; // as written in HotSpot ("address", "u2", "int"); "" where not exported
    bool is_static;
    uint64_t offset; // in the object, unless static
    void* address;   // of a static field
};

// Opens the tables through `symbol`, which gives the address of an exported symbol or NULL. False
// where a table is missing: *v must not be used then.
bool vmstructs_open(struct vmstructs* v, void* (*symbol)(const char* name));
// False: there is no such field.
bool vmstructs_field(const struct vmstructs* v, const char* type, const char* name,
                     struct vmstructs_field* field);
// The size of a type in bytes, 0: not listed.
uint64_t vmstructs_size(const struct vmstructs* v, const char* type);
// The value of an integer constant. False: there is no such constant.
bool vmstructs_int(const struct vmstructs* v, const char* name, int32_t* value);
// How many bytes a field of that type takes, for the types of the fields that we read: integers by
// their names, enumerations by the type table, pointers. 0: not known.
uint32_t vmstructs_width(const struct vmstructs* v, const char* type);

#endif
