// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What the files of this room ask of each other. code.h has what other rooms ask.
#ifndef AGENT_CODE_PARTS_H
#define AGENT_CODE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/oracle.h"

// ---- Memory -----------------------------------------------------------------------------------

// Reads memory that may not be mapped, in a handler, without a fault.

// For functions that read it: it is no object of ours, so the sanitizer must not say what may be
// read there, and it would where the function is inlined.
#if defined(__has_feature)
#define MEMORY_CHECKED __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define MEMORY_CHECKED 1
#else
#define MEMORY_CHECKED 0
#endif
#if MEMORY_CHECKED
#define MEMORY_FOREIGN __attribute__((noinline, unused, no_sanitize("address")))
#else
#define MEMORY_FOREIGN inline __attribute__((always_inline))
#endif

// [begin, end) can be read for as long as the agent lives, so the kernel is not asked. For some
// ranges, at the start: further ones are forgotten.
void memory_lasts(uintptr_t begin, uintptr_t end);
// Whether all of [at, at + size) can be read now. One system call a page.
bool memory_readable(const void* at, size_t size) HANDLER_SAFE;
#define MEMORY_PAGE 4096u // the smallest there is: larger pages are asked more often than need be
// Pages that one look-up has found readable, so that it asks for none twice. All zero: none yet.
// Not to be kept longer: pages go away.
#define MEMORY_PAGES 8u
struct memory_pages {
    uintptr_t page[MEMORY_PAGES];
    uint32_t next;
};
// As memory_readable, by what the look-up knows already.
bool memory_known(struct memory_pages* pages, const void* at, size_t size) HANDLER_SAFE;
// Copies as many bytes from `at` on as can be read without a gap, at most `size`. Returns how many.
size_t memory_copy(void* to, const void* at, size_t size) HANDLER_SAFE;
// Copies a text, cut to fit and ended by a NUL. False if it cannot be read or is not printable
// ASCII.
bool memory_text(char* to, size_t size, const char* at) HANDLER_SAFE;
// Whether the text of the JVM's, which can be read, is `wanted`.
static HANDLER_SAFE MEMORY_FOREIGN bool memory_is(const char* text, const char* wanted) {
    for (size_t i = 0;; i++) {
        if (text[i] != wanted[i]) return false;
        if (text[i] == '\0') return true;
    }
}

// ---- Interpreted frames -------------------------------------------------------------------------

// Whether an interpreted frame with a Method* and a bcp of its bytecodes lies at the frame pointer
// fp. `sp` is its stack pointer, `high` the end of the stack.
bool where_is_frame(uintptr_t fp, uintptr_t sp, uintptr_t high) HANDLER_SAFE;

// ---- Libraries --------------------------------------------------------------------------------

// The libraries of this process, for this room. code.h has what other rooms ask of them.

// Writes the library at an address and the beginning of the function around it, which the library's
// unwind table tells, to `text`: "libjvm.so+0x1f2e0". *offset is the address's from that beginning.
// Without such a table: the library alone, and offset 0. False, and offset 0: no library that
// library_refresh has noted lies there.
bool library_function(uintptr_t address, char* text, size_t size, uint32_t* offset) HANDLER_SAFE;
// Where the function around an address begins, and where the next one does or the library's code
// ends. False: no unwind table tells.
bool library_bounds(uintptr_t address, uintptr_t* begin, uintptr_t* end) HANDLER_SAFE;
// code_function of a function whose code is [begin, end).
uint32_t function_shape(uintptr_t begin, uintptr_t end, uintptr_t pc, uint32_t* edge) HANDLER_SAFE;
// Whether such a function aligns its stack before it sets the frame pointer.
bool function_aligns(uintptr_t begin, uintptr_t end) HANDLER_SAFE;
// On the stack [at, end): where the return address of the function lies that called the stub by
// which C++ calls Java; NULL: nowhere. The stub's frame begins with Java's return address into it
// and ends with a saved frame pointer and this one, and the function called through a pointer.
// Saved registers in between, which may point into libjvm as well, are told from it by these two.
const uintptr_t* around_entry_caller(const uintptr_t* at, const uintptr_t* end) HANDLER_SAFE;
// The last such place, the oldest.
const uintptr_t* around_oldest_caller(const uintptr_t* at, const uintptr_t* end) HANDLER_SAFE;

// ---- Stubs ------------------------------------------------------------------------------------

// The names and ends of the VM's stubs, as JVMTI's DynamicCodeGenerated tells them: a blob of stubs
// holds many, and the structure tables name few of them.

#define STUBS_NAME 64

struct stub {
    uintptr_t begin, end;
    char name[STUBS_NAME];
};

// Remembers a stub; drops it where there is no more room.
void stubs_add(const char* name, uintptr_t begin, size_t length);
// Forgets all stubs. No handler may be asking meanwhile.
void stubs_forget(void);
// Copies the name of the smallest stub around pc, cut to fit. False: there is no such stub.
bool stubs_name(uintptr_t pc, char* text, size_t size) HANDLER_SAFE;
// The index-th stub, oldest first; NULL: there are no more.
const struct stub* stubs_at(uint32_t index);

// ---- Code heaps -------------------------------------------------------------------------------

// HotSpot's heaps of generated code: from an address to the blob around it. A heap is cut into
// segments of equal size. Its segment map has a byte for each segment: 0xFF for a free one, 0 at
// the beginning of a block, else how many segments to hop towards that beginning (at most 0xFE at a
// time). A block is a header followed by the blob. Source: HotSpot's share/memory/heap.cpp,
// releases 8 to 27.

#define CODEHEAP_FREE 0xff

// One heap as it is at this instant.
struct codeheap {
    uintptr_t low, high; // what is committed
    const uint8_t* map;
    uint64_t map_length;
    uint32_t segment_shift;
    uint32_t header_size;  // of a block
    uint32_t length_width; // of the header's first field: the block's length in segments
    uint32_t used_offset;  // of the header's flag
};

// The blob of the block in use around pc, and where the block ends. 0: there is none.
uintptr_t codeheap_find(const struct codeheap* heap, uintptr_t pc, uintptr_t* end) HANDLER_COMMON;

#endif
