// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// HotSpot's exported structure tables, and the fields that the agent reads. Private to this room.
#ifndef AGENT_LAYOUT_H
#define AGENT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "oracle/oracle.h"
#include "parts.h"

// ---- The tables -------------------------------------------------------------------------------

// Reader of the structure tables that libjvm exports for the serviceability agent: they tell where
// fields lie in HotSpot's own objects. It only reads tables; the caller must know how an offset may
// be used. Not for handlers: look the offsets up once and keep them.

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
// where a table is missing, or has rows or texts that cannot be read: *v must not be used then.
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

// ---- Fields -----------------------------------------------------------------------------------

// The fields of HotSpot's objects that the agent reads, and where they lie in this JVM. Names and
// types changed over the releases: of a field with two names the first that exists is taken.
// Private to this room.

// NAME, the widths that are understood (a sum of 1, 2, 4, 8; 16: any, an embedded object), then the
// two places where the field may stand, as type and field.
#define LAYOUT_FIELDS(F)                                                                           \
    F(HEAP_MEMORY, 16, "CodeHeap", "_memory", NULL, NULL)                                          \
    F(HEAP_MAP, 16, "CodeHeap", "_segmap", NULL, NULL)                                             \
    F(HEAP_SHIFT, 4, "CodeHeap", "_log2_segment_size", NULL, NULL)                                 \
    F(SPACE_LOW, 8, "VirtualSpace", "_low", NULL, NULL)                                            \
    F(SPACE_HIGH, 8, "VirtualSpace", "_high", NULL, NULL)                                          \
    F(SPACE_FLOOR, 8, "VirtualSpace", "_low_boundary", NULL, NULL)                                 \
    F(SPACE_CEILING, 8, "VirtualSpace", "_high_boundary", NULL, NULL)                              \
    F(BLOCK_LENGTH, 4 | 8, "HeapBlock::Header", "_length", NULL, NULL)                             \
    F(BLOCK_USED, 1, "HeapBlock::Header", "_used", NULL, NULL)                                     \
    F(ARRAY_LENGTH, 4, "GrowableArrayBase", "_len", "GenericGrowableArray", "_len")                \
    F(ARRAY_DATA, 8, "GrowableArray<int>", "_data", NULL, NULL)                                    \
    F(STUBS_BUFFER, 8, "StubQueue", "_stub_buffer", NULL, NULL)                                    \
    F(STUBS_LIMIT, 4, "StubQueue", "_buffer_limit", NULL, NULL)                                    \
    F(BLOB_NAME, 8, "CodeBlob", "_name", NULL, NULL)                                               \
    F(BLOB_KIND, 1, "CodeBlob", "_kind", NULL, NULL)                                               \
    F(BLOB_SIZE, 4, "CodeBlob", "_size", NULL, NULL)                                               \
    F(BLOB_FRAME_COMPLETE, 2 | 4, "CodeBlob", "_frame_complete_offset", NULL, NULL)                \
    F(BLOB_FRAME_SIZE, 4, "CodeBlob", "_frame_size", NULL, NULL)                                   \
    F(BLOB_CODE_BEGIN, 8, "CodeBlob", "_code_begin", NULL, NULL)                                   \
    F(BLOB_CODE_END, 8, "CodeBlob", "_code_end", NULL, NULL)                                       \
    F(BLOB_CODE_OFFSET, 4, "CodeBlob", "_code_offset", NULL, NULL)                                 \
    F(BLOB_DATA_OFFSET, 4, "CodeBlob", "_data_offset", NULL, NULL)                                 \
    F(METHOD_OWNER, 8, "nmethod", "_method", "CompiledMethod", "_method")                          \
    F(METHOD_LEVEL, 1 | 4, "nmethod", "_comp_level", NULL, NULL)                                   \
    F(METHOD_COMPILE_ID, 4, "nmethod", "_compile_id", NULL, NULL)                                  \
    F(METHOD_STUBS, 4, "nmethod", "_stub_offset", NULL, NULL)                                      \
    F(METHOD_EXCEPTION, 4, "nmethod", "_exception_offset", NULL, NULL)                             \
    F(METHOD_ENTRY_BCI, 4, "nmethod", "_entry_bci", NULL, NULL)                                    \
    F(METHOD_ENTRY, 8, "nmethod", "_verified_entry_point", NULL, NULL)                             \
    F(METHOD_ENTRY_OFFSET, 2, "nmethod", "_verified_entry_offset", NULL, NULL)                     \
    F(METHOD_OSR_ENTRY, 8, "nmethod", "_osr_entry_point", NULL, NULL)                              \
    F(METHOD_DEOPT, 8, "CompiledMethod", "_deopt_handler_begin", "nmethod",                        \
      "_deopt_handler_begin")                                                                      \
    F(METHOD_DEOPT_OFFSET, 4, "nmethod", "_deoptimize_offset", "nmethod", "_deopt_handler_offset") \
    F(METHOD_DEOPT_ENTRY, 2 | 4, "nmethod", "_deopt_handler_entry_offset", NULL, NULL)             \
    F(METHOD_DEOPT_MH, 8, "CompiledMethod", "_deopt_mh_handler_begin", "nmethod",                  \
      "_deopt_mh_handler_begin")                                                                   \
    F(METHOD_DEOPT_MH_OFFSET, 4, "nmethod", "_deoptimize_mh_offset", "nmethod",                    \
      "_deopt_mh_handler_offset")                                                                  \
    F(METHOD_SCOPES, 4, "nmethod", "_scopes_data_offset", NULL, NULL)                              \
    F(METHOD_SCOPES_BEGIN, 8, "CompiledMethod", "_scopes_data_begin", NULL, NULL)                  \
    F(METHOD_PCS, 4, "nmethod", "_scopes_pcs_offset", NULL, NULL)                                  \
    F(METHOD_DEPENDENCIES, 4, "nmethod", "_dependencies_offset", NULL, NULL)                       \
    F(METHOD_METADATA, 4, "nmethod", "_metadata_offset", NULL, NULL)                               \
    F(METHOD_IMMUTABLE, 8, "nmethod", "_immutable_data", NULL, NULL)                               \
    F(METHOD_IMMUTABLE_SIZE, 4, "nmethod", "_immutable_data_size", NULL, NULL)                     \
    F(BLOB_MUTABLE, 8, "CodeBlob", "_mutable_data", NULL, NULL)                                    \
    F(BLOB_MUTABLE_SIZE, 4, "CodeBlob", "_mutable_data_size", NULL, NULL)                          \
    F(BLOB_RELOCATIONS, 4, "CodeBlob", "_relocation_size", NULL, NULL)                             \
    F(PC_OFFSET, 4, "PcDesc", "_pc_offset", NULL, NULL)                                            \
    F(PC_SCOPE, 4, "PcDesc", "_scope_decode_offset", NULL, NULL)                                   \
    F(CONST_METHOD, 8, "Method", "_constMethod", NULL, NULL)                                       \
    F(CONSTANTS, 8, "ConstMethod", "_constants", NULL, NULL)                                       \
    F(ID_NUMBER, 2, "ConstMethod", "_method_idnum", NULL, NULL)                                    \
    F(POOL_HOLDER, 8, "ConstantPool", "_pool_holder", NULL, NULL)                                  \
    F(CODE_SIZE, 2, "ConstMethod", "_code_size", NULL, NULL)                                       \
    F(HOLDER_IDS, 8, "InstanceKlass", "_methods_jmethod_ids", NULL, NULL)                          \
    F(THREAD_STATE, 4, "JavaThread", "_thread_state", NULL, NULL)                                  \
    F(THREAD_ANCHOR, 16, "JavaThread", "_anchor", NULL, NULL)                                      \
    F(ANCHOR_SP, 8, "JavaFrameAnchor", "_last_Java_sp", NULL, NULL)                                \
    F(ANCHOR_PC, 8, "JavaFrameAnchor", "_last_Java_pc", NULL, NULL)                                \
    F(ANCHOR_FP, 8, "JavaFrameAnchor", "_last_Java_fp", NULL, NULL)                                \
    F(STACK_BASE, 8, "JavaThread", "_stack_base", "Thread", "_stack_base")                         \
    F(STACK_SIZE, 8, "JavaThread", "_stack_size", "Thread", "_stack_size")

enum layout_field {
#define LAYOUT_ENUM(name, widths, type, field, other_type, other_field) LAYOUT_##name,
    LAYOUT_FIELDS(LAYOUT_ENUM)
#undef LAYOUT_ENUM
        LAYOUT_COUNT
};

struct layout {
    struct {
        uint16_t offset;
        uint8_t width; // 0: absent, or of a width that is not understood; 16: an embedded object
    } field[LAYOUT_COUNT];
};

// Looks all fields up.
void layout_read(struct layout* layout, const struct vmstructs* v);
// "CodeHeap._segmap": for messages.
const char* layout_name(enum layout_field field);

static inline bool layout_has(const struct layout* layout, enum layout_field field) {
    return layout->field[field].width != 0;
}

// The address of a field of the object at `base`.
static inline const char* layout_at(const struct layout* layout, const char* base,
                                    enum layout_field field) {
    return base + layout->field[field].offset;
}

// By width. An embedded object, or a field that is absent, has no value.
extern const uint64_t layout_masks[17];

// The field's value, zero-extended; 0 where it is absent. The object must be readable. No branch:
// in a handler the processor has forgotten where branches go, and a wrong guess costs as much as a
// line that is not in the nearest cache. A field lies at a multiple of its width (it is a member of
// a C++ object), so inside one aligned word, and so on one page.
static HANDLER_SAFE MEMORY_FOREIGN uint64_t layout_get(const struct layout* layout,
                                                       const char* base, enum layout_field field) {
    uintptr_t at = (uintptr_t)base + layout->field[field].offset;
    uint64_t word = *(const volatile uint64_t*)(at & ~(uintptr_t)7);
    return word >> (at & 7) * 8 & layout_masks[layout->field[field].width];
}

#endif
