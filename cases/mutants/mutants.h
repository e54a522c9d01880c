// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Mutants of a libjvm.so: copies in which one instruction of a walker is wrong on purpose. A site
// is an instruction of a function that only walkers use. x86-64 only. Nothing here is thread-safe.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MUTANTS_CODE 15  // bytes of the longest instruction of x86
#define MUTANTS_TEXT 160 // room for an instruction in words; capstone gives at most 32 + 160
#define MUTANTS_NAME 96
#define MUTANTS_TRAP 0xcc // int3

// KIND(NAME, "name", what is changed)
#define MUTANTS_KINDS(KIND)                                                                        \
    KIND(BRANCH, "branch", "the condition of a jcc, setcc or cmov is inverted")                    \
    KIND(CONSTANT, "constant", "the constant of a cmp or test is one higher or lower")             \
    KIND(CALL, "call", "a direct call is left out, and gives 0")                                   \
    KIND(FIELD, "field", "the offset of a field is eight bytes higher or lower")

enum mutants_kind {
#define MUTANTS_ENUM(name, text, meaning) MUTANTS_##name,
    MUTANTS_KINDS(MUTANTS_ENUM)
#undef MUTANTS_ENUM
        MUTANTS_KIND_COUNT
};

#define MUTANTS_ALL ((1u << MUTANTS_KIND_COUNT) - 1)

struct mutants_mutant {
    enum mutants_kind kind;
    uint64_t address; // of the instruction, as the library's symbols have it
    uint64_t place;   // of its bytes in the file
    uint64_t into;    // bytes from the start of the function
    size_t size;      // bytes of the instruction
    uint8_t before[MUTANTS_CODE];
    uint8_t after[MUTANTS_CODE]; // as many bytes
    char function[MUTANTS_NAME]; // without parameters
};

// A zeroed list is empty. Mutants are in the order of their addresses, then of their kinds.
struct mutants_list {
    struct mutants_mutant* mutants;
    size_t count;
    size_t functions; // walkers' functions found
    bool has_symtab;  // false: the library was stripped, and only exported functions are found
};

// The name of a kind, or its meaning.
const char* mutants_kind_name(enum mutants_kind kind);
const char* mutants_kind_meaning(enum mutants_kind kind);

// The set of kinds (1u << kind) that a list separated by commas names. 0: a name is unknown, or
// there is none.
unsigned mutants_read_kinds(const char* text);

// Is this symbol a function that only walkers use? Takes mangled names, and those of clones that
// a compiler splits off (.cold, .part.0, .isra.0, .constprop.0). Then `name` gets the plain name
// with the suffix of the clone.
bool mutants_is_walker(const char* symbol, char name[MUTANTS_NAME]);

// Makes of one instruction the mutant of that kind: true, and `after` has `size` bytes. False: the
// instruction is no site of the kind. `framed`: rbp holds the frame's address, so what it points
// at is no field.
bool mutants_spoil(enum mutants_kind kind, const uint8_t* before, size_t size, bool framed,
                   uint8_t after[MUTANTS_CODE]);

// Writes an instruction in words. Bytes that are none give "?".
void mutants_words(const uint8_t* code, size_t size, uint64_t address, char text[MUTANTS_TEXT]);

// Finds all mutants of these kinds (a set) in the library. 0, or -1 and `error` says why; then the
// list is empty. The caller frees the list with mutants_free.
int mutants_find(const char* library, unsigned kinds, struct mutants_list* list, char* error,
                 size_t error_size);

void mutants_free(struct mutants_list* list);

// Puts the list in a random order that the seed determines. The first N of it are a sample; a
// larger sample of the same seed begins with a smaller one.
void mutants_shuffle(struct mutants_list* list, uint64_t seed);

// Writes to `path` a copy of the library with these mutants' bytes in it: `after`, or a trap at
// each mutant's first byte. A file there is replaced at once, or stays as it was. 0, or -1 and
// `error` says why: also if the library's bytes are not those of `before`.
int mutants_write(const char* library, const struct mutants_mutant* mutants, size_t count,
                  bool traps, const char* path, char* error, size_t error_size);
