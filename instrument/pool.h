// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The constant pool (JVMS 4.4): the places of its entries, and the entries that inserted code
// needs. Existing entries keep their index; new entries follow the last one. Private to the room.
#ifndef INSTRUMENT_POOL_H
#define INSTRUMENT_POOL_H

#include "buffer.h"
#include "instrument.h"
#include "reader.h"

// The names of the attributes that the rewriter knows. Columns: NAME, text.
#define POOL_NAMES(N)                                                                              \
    N(CODE, "Code")                                                                                \
    N(SOURCE_FILE, "SourceFile")                                                                   \
    N(LINES, "LineNumberTable")                                                                    \
    N(LOCALS, "LocalVariableTable")                                                                \
    N(LOCAL_TYPES, "LocalVariableTypeTable")                                                       \
    N(FRAMES, "StackMapTable")                                                                     \
    N(VISIBLE_ANNOTATIONS, "RuntimeVisibleTypeAnnotations")                                        \
    N(INVISIBLE_ANNOTATIONS, "RuntimeInvisibleTypeAnnotations")

enum pool_name {
    POOL_NAME_UNREAD, // the entry has not been compared yet
    POOL_NAME_OTHER,  // another name, or no Utf8 entry
#define POOL_NAME_ENUM(name, text) POOL_NAME_##name,
    POOL_NAMES(POOL_NAME_ENUM)
#undef POOL_NAME_ENUM
};

struct pool {
    const uint8_t* bytes; // the class file, the caller's
    uint32_t* offsets;    // by index: the offset of the entry's tag; 0: no entry
    uint8_t* names;       // by index: enum pool_name, filled on demand
    uint32_t count;       // constant_pool_count as read
    struct buffer added;  // the new entries' bytes
    uint32_t added_count;
};

// The indexes of the added entries to which inserted code and tables refer.
struct pool_symbols {
    uint16_t push, pop, caught; // Methodref
    uint16_t throwable;         // Class; 0 below version 50
    uint16_t frames;            // Utf8 "StackMapTable"; 0 below version 50
    uint16_t next_integer;      // the Integer entry of the next number above 32767
};

// Allocates memory for the largest possible pool. False without memory. Call pool_close either way.
bool pool_open(struct pool* pool);
void pool_close(struct pool* pool);

// Reads the pool at the reader, from constant_pool_count on, and leaves the reader behind it.
// `bytes` is the start of the class file, which must live as long as the pool is used. False if the
// pool is malformed.
bool pool_parse(struct pool* pool, const uint8_t* bytes, struct reader* reader);

// The functions below accept any index, in range or not.

// The text of a Utf8 entry. The text is NULL if the entry is none.
struct instrument_text pool_utf8(const struct pool* pool, uint32_t index);
// The name of the class that a Class entry names. The text is NULL if the entry is none.
struct instrument_text pool_class(const struct pool* pool, uint32_t index);
// The known attribute name that the entry holds.
enum pool_name pool_name_of(struct pool* pool, uint32_t index);
// Gives the name and type of a Fieldref, Methodref, InterfaceMethodref, Dynamic or InvokeDynamic.
// False if the entry is none of these; *name and *descriptor are undefined then.
bool pool_member(const struct pool* pool, uint32_t index, struct instrument_text* name,
                 struct instrument_text* descriptor);

// The class that a Fieldref, Methodref or InterfaceMethodref names. The text is NULL if the entry
// is none of these.
struct instrument_text pool_member_class(const struct pool* pool, uint32_t index);
// Whether loading the constant can run code: a class, a method handle or method type, a dynamic
// constant. True also if there is no entry.
bool pool_is_resolved(const struct pool* pool, uint32_t index);

// Adds the entries that inserted code needs, and an Integer entry for each of the numbers in
// [first, first + count) that sipush cannot hold. Fills *symbols. Returns INSTRUMENT_NONE,
// INSTRUMENT_POOL_FULL or INSTRUMENT_MEMORY.
enum instrument_refusal pool_add_symbols(struct pool* pool, uint16_t major, uint32_t first,
                                         uint32_t count, struct pool_symbols* symbols);

// Whether the text, which may be NULL, equals the string.
bool text_equals(struct instrument_text text, const char* other);

#endif
