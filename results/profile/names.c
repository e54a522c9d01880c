// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "parts.h"

// No jmethodID lies here: user addresses end below 2^47.
#define ID_BASE 0x504c000000000000u
#define OWN_PREFIX "plumbline.Trace."

struct entry {
    struct profile_name name;
    uint32_t index;
    UT_hash_handle hh;
};
struct profile_names {
    const struct results_record* record;
    struct entry* by_text;
    struct entry** list;
    size_t count, room;
    uint32_t* by_number; // index + 1 of the method that was rewritten under the number
    uint32_t numbers;
};

uint64_t profile_id(uint32_t index) {
    return ID_BASE + index;
}

uint32_t profile_index(uint64_t id) {
    return id >= ID_BASE && id - ID_BASE < UINT32_MAX ? (uint32_t)(id - ID_BASE) : UINT32_MAX;
}

// The end of "class.method" is the parenthesis; the class ends at the last point before it.
void profile_normalise(const char* name, char* to, size_t size) {
    const char* descriptor = strchr(name, '(');
    const char* method = descriptor != NULL ? descriptor : name + strlen(name);
    while (method > name && *method != '.') method--;
    const char* end = method;
    while (end > name && isxdigit((unsigned char)end[-1])) end--;
    if (end - name >= 2 && end[-1] == 'x' && end[-2] == '0') end -= 2;
    // The digits, and what parts them from the class: '/', '+' or '.'.
    bool hidden = end > name + 1 && end < method && strchr("/+.", end[-1]) != NULL;
    // JFR may give both: "Foo$$Lambda+0x0000000800c03000/1234567".
    if (hidden) {
        char rest[PROFILE_NAME_BYTES];
        snprintf(rest, sizeof rest, "%.*s%s", (int)(end - 1 - name), name, method);
        // A digit behind the mark must be there, so a class "Foo.Bar" is left as it is.
        bool digits = isdigit((unsigned char)*end) != 0;
        if (digits) {
            profile_normalise(rest, to, size);
            return;
        }
    }
    snprintf(to, size, "%s", name);
}

static uint32_t add(struct profile_names* names, const char* text, bool unknown) {
    struct entry* entry;
    HASH_FIND_STR(names->by_text, text, entry);
    if (entry != NULL) return entry->index;
    if (!profile_grow((void**)&names->list, names->count, &names->room, sizeof(void*)) ||
        names->count >= UINT32_MAX - 1)
        return UINT32_MAX;
    entry = calloc(1, sizeof *entry);
    char* copy = strdup(text);
    if (entry == NULL || copy == NULL) {
        free(entry);
        free(copy);
        return UINT32_MAX;
    }
    bool own = strncmp(text, OWN_PREFIX, sizeof OWN_PREFIX - 1) == 0;
    entry->name = (struct profile_name){
        .text = copy, .number = own ? ORACLE_OWN : ORACLE_FOREIGN, .unknown = unknown};
    entry->index = (uint32_t)names->count;
    names->list[names->count++] = entry;
    HASH_ADD_KEYPTR(hh, names->by_text, entry->name.text, strlen(entry->name.text), entry);
    return entry->index;
}

uint32_t profile_names_of_text(struct profile_names* names, const char* text) {
    char normal[PROFILE_NAME_BYTES];
    profile_normalise(text, normal, sizeof normal);
    return add(names, normal, false);
}

static bool is_rewritten(const struct profile_names* names, uint32_t number) {
    return number != ORACLE_FOREIGN && number != ORACLE_OWN && number != ORACLE_UNKNOWN &&
           number < names->numbers;
}

static uint32_t add_unknown(struct profile_names* names, uint64_t id, uint32_t number) {
    char text[64];
    snprintf(text, sizeof text, "?%llx/%x", (unsigned long long)id, number);
    return add(names, text, true);
}

uint32_t profile_names_of_method(struct profile_names* names, uint64_t id, uint32_t number) {
    if (is_rewritten(names, number) && names->by_number[number] != 0)
        return names->by_number[number] - 1;
    const struct results_method* method = results_record_find(names->record, id, number);
    // What was of the VM's own numbers when it was recorded may have been announced since.
    if (method == NULL || !method->named || method->names.name == NULL)
        method = results_record_find(names->record, id, ORACLE_FOREIGN);
    if (method == NULL || !method->named || method->names.name == NULL)
        return add_unknown(names, id, number);
    return profile_names_of_text(names, method->names.name);
}

const struct profile_name* profile_names_at(const struct profile_names* names, uint32_t index) {
    return &names->list[index]->name;
}

void profile_names_native(struct profile_names* names, uint64_t id) {
    uint32_t index = profile_index(id);
    if (index < names->count) names->list[index]->name.native = true;
}

uint32_t profile_names_count(const struct profile_names* names) {
    return (uint32_t)names->count;
}

static bool add_rewritten(struct profile_names* names, uint32_t number) {
    const struct results_names* of = results_record_rewritten(names->record, number);
    if (of == NULL || of->name == NULL) return true;
    uint32_t index = profile_names_of_text(names, of->name);
    if (index == UINT32_MAX) return false;
    struct profile_name* name = &names->list[index]->name;
    if (name->bearers++ == 0) name->number = number;
    names->by_number[number] = index + 1;
    return true;
}

struct profile_names* profile_names_open(const struct results_record* record) {
    struct profile_names* names = calloc(1, sizeof *names);
    if (names == NULL) return NULL;
    names->record = record;
    names->numbers = results_record_numbers(record);
    names->by_number = calloc((size_t)names->numbers + 1, sizeof *names->by_number);
    bool whole = names->by_number != NULL;
    for (uint32_t n = 0; whole && n < names->numbers; n++) whole = add_rewritten(names, n);
    if (whole) return names;
    profile_names_close(names);
    return NULL;
}

void profile_names_close(struct profile_names* names) {
    if (names == NULL) return;
    HASH_CLEAR(hh, names->by_text);
    for (size_t i = 0; i < names->count; i++) {
        free(names->list[i]->name.text);
        free(names->list[i]);
    }
    free(names->list);
    free(names->by_number);
    free(names);
}
