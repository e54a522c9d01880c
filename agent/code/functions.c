// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Which function an address lies in, for a handler and without symbols: every library carries a
// sorted table of where its functions begin (.eh_frame_hdr), for unwinding. Source: Linux Standard
// Base, Core, "DWARF Extensions".

#include <link.h>
#include <string.h>

#include "agent/state/state.h"
#include "code.h"
#include "parts.h"

#define LIBRARIES_MAX 512
// The table's usual form: four bytes each, signed, from the header's own beginning.
#define TABLE_FORM 0x3b

struct loaded {
    uintptr_t base, begin, end; // [begin, end): its code
    uintptr_t header;           // .eh_frame_hdr, 0: none
    char name[RESULTS_LIBRARY_NAME];
};

static struct loaded libraries[LIBRARIES_MAX];
static uint32_t used; // atomic
static uint64_t changes_seen;

// ---- Noting -----------------------------------------------------------------------------------

static bool is_noted(const struct loaded* l) {
    for (uint32_t i = 0; i < used; i++)
        if (libraries[i].begin == l->begin && libraries[i].end == l->end &&
            strcmp(libraries[i].name, l->name) == 0)
            return true;
    return false;
}

static void read_segments(const struct dl_phdr_info* info, struct loaded* l) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr)* segment = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_GNU_EH_FRAME) l->header = at;
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
        l->begin = at;
        l->end = at + segment->p_memsz;
    }
}

// For the reports, which name addresses by it.
static void publish(const struct loaded* l) {
    uint32_t n = agent.run->library_count;
    if (n >= RESULTS_LIBRARIES) return;
    struct results_library* library = &agent.run->libraries[n];
    library->base = l->base;
    library->low = l->begin;
    library->high = l->end;
    memcpy(library->name, l->name, sizeof l->name);
    __atomic_store_n(&agent.run->library_count, n + 1, __ATOMIC_RELEASE);
}

static int note(struct dl_phdr_info* info, size_t size, void* changes) {
    (void)size;
    if (info->dlpi_adds == changes_seen) return 1;
    *(uint64_t*)changes = info->dlpi_adds;
    const char* slash = strrchr(info->dlpi_name, '/');
    const char* name = slash != NULL ? slash + 1 : info->dlpi_name;
    struct loaded l = {.base = info->dlpi_addr};
    strncpy(l.name, name[0] != '\0' ? name : "program", sizeof l.name - 1);
    read_segments(info, &l);
    if (l.begin == 0 || used >= LIBRARIES_MAX || is_noted(&l)) return 0;
    libraries[used] = l;
    if (agent.run != NULL) publish(&l);
    __atomic_store_n(&used, used + 1, __ATOMIC_RELEASE); // partner: library_function
    return 0;
}

bool library_refresh(void) {
    uint64_t changes = changes_seen;
    dl_iterate_phdr(note, &changes);
    bool loaded = changes != changes_seen;
    changes_seen = changes;
    return loaded;
}

// ---- Looking up -------------------------------------------------------------------------------

struct entry {
    int32_t function, description;
};

// The beginning of the last function at or before `address`, 0: the table does not tell. *next is
// where the next one begins, 0: there is none. The library may be gone, so everything is checked
// before it is read.
static HANDLER_SAFE uintptr_t function_at(uintptr_t header, uintptr_t address, uintptr_t* next) {
    struct {
        uint8_t version, pointer_form, count_form, table_form;
        int32_t pointer;
        uint32_t count;
    } head;
    struct entry e;
    if (header == 0 || memory_copy(&head, (const void*)header, sizeof head) != sizeof head)
        return 0;
    if (head.version != 1 || head.count_form != 0x03 || head.table_form != TABLE_FORM) return 0;
    const struct entry* table = (const struct entry*)(header + sizeof head);
    uint32_t low = 0, high = head.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (memory_copy(&e, &table[middle], sizeof e) != sizeof e) return 0;
        if (header + (intptr_t)e.function <= address) low = middle + 1;
        else high = middle;
    }
    *next = 0;
    if (low < head.count && memory_copy(&e, &table[low], sizeof e) == sizeof e)
        *next = header + (uintptr_t)(intptr_t)e.function;
    if (low == 0 || memory_copy(&e, &table[low - 1], sizeof e) != sizeof e) return 0;
    return header + (uintptr_t)(intptr_t)e.function;
}

static HANDLER_SAFE void append(char* text, size_t size, size_t* at, char c) {
    if (*at + 1 < size) text[(*at)++] = c;
    text[*at] = '\0';
}

static HANDLER_SAFE void append_number(char* text, size_t size, size_t* at, uintptr_t number) {
    bool begun = false;
    append(text, size, at, '+');
    append(text, size, at, '0');
    append(text, size, at, 'x');
    for (int shift = 60; shift >= 0; shift -= 4) {
        unsigned digit = (unsigned)(number >> shift) & 15u;
        begun |= digit != 0 || shift == 0;
        if (begun) append(text, size, at, (char)(digit < 10 ? '0' + digit : 'a' + digit - 10));
    }
}

// The library at an address; NULL: none that was noted. From the newest on: it may lie where
// another library was unloaded.
static HANDLER_SAFE const struct loaded* find_library(uintptr_t address) {
    for (uint32_t i = __atomic_load_n(&used, __ATOMIC_ACQUIRE); i-- > 0;)
        if (address >= libraries[i].begin && address < libraries[i].end) return &libraries[i];
    return NULL;
}

static HANDLER_SAFE bool find_bounds(const struct loaded* l, uintptr_t address, uintptr_t* begin,
                                     uintptr_t* end) {
    *begin = function_at(l->header, address, end);
    if (*begin < l->begin || *begin >= l->end) return false;
    if (*end <= address || *end > l->end) *end = l->end;
    return true;
}

uintptr_t library_code(uintptr_t address) {
    const struct loaded* l = find_library(address);
    return l != NULL ? l->begin : 0;
}

HANDLER_SAFE bool library_bounds(uintptr_t address, uintptr_t* begin, uintptr_t* end) {
    const struct loaded* l = find_library(address);
    return l != NULL && find_bounds(l, address, begin, end);
}

HANDLER_SAFE bool library_function(uintptr_t address, char* text, size_t size, uint32_t* offset) {
    const struct loaded* l = find_library(address);
    uintptr_t begin, end;
    size_t at = 0;
    *offset = 0;
    if (l == NULL) return false;
    for (uint32_t k = 0; k < sizeof l->name && l->name[k] != '\0'; k++)
        append(text, size, &at, l->name[k]);
    if (!find_bounds(l, address, &begin, &end)) return true;
    append_number(text, size, &at, begin - l->base);
    *offset = (uint32_t)(address - begin);
    return true;
}
