// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The constant pool (JVMS 4.4): where its entries are, and the entries that the inserted code
// needs. Existing entries keep their index; new ones follow the last.
#ifndef INSTRUMENT_POOL_H
#define INSTRUMENT_POOL_H

#include "buffer.h"
#include "instrument.h"
#include "reader.h"

// The attributes whose names the rewriter knows.
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
    POOL_NAME_UNREAD, // not looked at yet
    POOL_NAME_OTHER,  // none of ours, or no Utf8 entry at all
#define POOL_NAME_ENUM(name, text) POOL_NAME_##name,
    POOL_NAMES(POOL_NAME_ENUM)
#undef POOL_NAME_ENUM
};

struct pool {
    const uint8_t* bytes; // the class file
    uint32_t* offsets;    // by index: where the entry's tag is; 0: no entry
    uint8_t* names;       // by index: enum pool_name, filled when asked
    uint32_t count;       // constant_pool_count as read
    struct buffer added;  // the new entries' bytes
    uint32_t added_count;
};

// Indexes of what the inserted code refers to.
struct pool_symbols {
    uint16_t push, pop, caught; // Methodref
    uint16_t throwable;         // Class; 0 below version 50
    uint16_t frames;            // Utf8 "StackMapTable"; 0 below version 50
    uint16_t next_integer;      // the Integer entry of the next number above 32767
};

// Memory for any pool. False without it; pool_close is due either way.
bool pool_open(struct pool* pool);
void pool_close(struct pool* pool);

// Reads the pool at the reader (from constant_pool_count on). `bytes` is the start of the class
// file.
bool pool_parse(struct pool* pool, const uint8_t* bytes, struct reader* reader);

// The text of a Utf8 entry, or of the Utf8 entry that a Class entry names; text NULL if it is not
// one.
struct instrument_text pool_utf8(const struct pool* pool, uint32_t index);
struct instrument_text pool_class(const struct pool* pool, uint32_t index);
// Which known attribute name the entry holds.
enum pool_name pool_name_of(struct pool* pool, uint32_t index);
// Of a Fieldref, Methodref, InterfaceMethodref, Dynamic or InvokeDynamic: the name and the type of
// its NameAndType. False if it is none of these.
bool pool_member(const struct pool* pool, uint32_t index, struct instrument_text* name,
                 struct instrument_text* descriptor);

// Of a Fieldref, Methodref or InterfaceMethodref: the class it names; text NULL if it is none.
struct instrument_text pool_member_class(const struct pool* pool, uint32_t index);
// Whether loading the constant can run code: a class, a method's handle or type, a dynamic one.
bool pool_is_resolved(const struct pool* pool, uint32_t index);

// Adds what inserted code needs, and an Integer for each of the numbers in [first, first + count)
// that sipush cannot hold.
enum instrument_refusal pool_add_symbols(struct pool* pool, uint16_t major, uint32_t first,
                                         uint32_t count, struct pool_symbols* symbols);

bool text_equals(struct instrument_text text, const char* other);

#endif
