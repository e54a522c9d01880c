// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Properties, lists, methods and names, from records that may hold anything.
#include <stdlib.h>
#include <string.h>

#include "record_read.h"

// A text of the record as one of ours. NULL: none there, or no memory.
static char* copy_text(struct results_record* record, struct record_in* in) {
    size_t length;
    const char* text = record_get_text(in, &length);
    if (text == NULL) return NULL;
    char* copy = malloc(length + 1);
    if (copy == NULL) {
        record->memory = in->failed = true;
        return NULL;
    }
    for (size_t i = 0; i < length; i++) {
        // Names go to a terminal.
        unsigned char c = (unsigned char)text[i];
        copy[i] = c < ' ' || c == 0x7f ? '?' : (char)c;
    }
    copy[length] = '\0';
    return copy;
}

static bool define_property(struct results_record* record, struct record_in* in) {
    char* name = copy_text(record, in);
    char* value = copy_text(record, in);
    if (in->failed || record->property_count == RECORD_PROPERTIES_MAX) {
        free(name);
        free(value);
        return false;
    }
    record->properties[record->property_count++] = (struct record_property){name, value};
    return true;
}

static int find_list(const char* name, size_t length) {
    for (int list = 0; list < RECORD_LIST_COUNT; list++) {
        const char* ours = record_list_name((enum record_list)list);
        if (strlen(ours) == length && memcmp(ours, name, length) == 0) return list;
    }
    return -1;
}

static int16_t find_entry(enum record_list list, const char* text, size_t length, uint32_t likely) {
    char space[RESULTS_COUNTER_NAME];
    uint32_t count = record_list_count(list);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = (likely + i) % count; // most often it stands where it stood
        const char* ours = record_list_text(list, at, space);
        if (strlen(ours) == length && memcmp(ours, text, length) == 0) return (int16_t)at;
    }
    return -1;
}

static bool define_list(struct results_record* record, struct record_in* in) {
    size_t length;
    const char* name = record_get_text(in, &length);
    int list = name != NULL ? find_list(name, length) : -1;
    uint32_t count = record_get_count(in, 1);
    if (in->failed || count > RECORD_LIST_ENTRIES) return false;
    if (list < 0) return true; // of a later version
    struct record_lists* lists = &record->lists;
    memset(lists->ours[list], -1, sizeof lists->ours[list]);
    for (uint32_t i = 0; i < count; i++) {
        const char* text = record_get_text(in, &length);
        if (text != NULL)
            lists->ours[list][i] = find_entry((enum record_list)list, text, length, i);
    }
    lists->known[list] = !in->failed;
    return !in->failed;
}

// ---- Methods ----------------------------------------------------------------------------------

// The method of that index, made where there was none; NULL where there can be none.
static struct results_method* make_method(struct results_record* record, struct record_table* table,
                                          uint32_t index) {
    void** place = record_place(record, table, index);
    if (place == NULL) return NULL;
    if (*place == NULL) *place = calloc(1, sizeof(struct results_method));
    if (*place == NULL) record->memory = true;
    return *place;
}

static bool get_ranges(struct oracle_code* code, struct record_in* in, uint32_t count) {
    uint64_t end = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t start = end + record_get_u32(in);
        end = start + record_get_u32(in);
        if (in->failed || end > code->length) return false;
        code->ranges[i].start = (uint32_t)start;
        code->ranges[i].end = (uint32_t)end;
    }
    code->range_count = count;
    return true;
}

// *code is NULL where the record says that none is known. False: it makes no sense.
static bool get_code(struct results_record* record, struct record_in* in,
                     struct oracle_code** code) {
    uint64_t length = record_get_number(in);
    *code = NULL;
    if (length == 0) return !in->failed;
    bool may_vanish = record_get_number(in) != 0;
    uint32_t count = record_get_count(in, 2);
    if (in->failed || length - 1 > UINT32_MAX) return false;
    struct oracle_code* made = malloc(sizeof *made + count * sizeof made->ranges[0]);
    if (made == NULL) {
        record->memory = true;
        return false;
    }
    made->length = (uint32_t)(length - 1);
    made->may_vanish = may_vanish;
    if (get_ranges(made, in, count)) {
        *code = made;
        return true;
    }
    free(made);
    return false;
}

static bool get_number(struct record_in* in, uint32_t* number) {
    uint64_t value = record_get_number(in);
    if (value == RECORD_NUMBER_FOREIGN) *number = ORACLE_FOREIGN;
    else if (value == RECORD_NUMBER_UNKNOWN) *number = ORACLE_UNKNOWN;
    else if (value == RECORD_NUMBER_OWN) *number = ORACLE_OWN;
    else *number = (uint32_t)(value - RECORD_NUMBER_FIRST);
    return !in->failed && value < (uint64_t)ORACLE_NUMBERS_MAX + RECORD_NUMBER_FIRST;
}

static bool define_method(struct results_record* record, struct record_in* in) {
    uint32_t index = record_get_u32(in), number;
    uint64_t id = record_get_number(in);
    struct oracle_code* code;
    if (!get_number(in, &number) || !get_code(record, in, &code)) return false;
    struct results_method* method =
        index != 0 ? make_method(record, &record->methods, index) : NULL;
    if (method == NULL || method->defined) {
        free(code);
        return false;
    }
    method->defined = true;
    method->id = id;
    method->number = number;
    method->code = code;
    return true;
}

// ---- Names ------------------------------------------------------------------------------------

// A list of things of that size, each at least `least` bytes in the record, and their number. NULL
// without memory.
static void* make_list(struct results_record* record, struct record_in* in, size_t least,
                       size_t size, uint32_t* count) {
    *count = record_get_count(in, least);
    void* list = calloc(*count + 1u, size);
    if (list == NULL) record->memory = in->failed = true;
    return list;
}

static struct results_insertion* get_insertions(struct results_record* record, struct record_in* in,
                                                uint32_t* count) {
    struct results_insertion* list = make_list(record, in, 3, sizeof *list, count);
    uint32_t start = 0;
    for (uint32_t i = 0; list != NULL && i < *count; i++) {
        list[i].start = start += record_get_u32(in);
        list[i].length = record_get_u32(in);
        list[i].old_bci = record_get_u32(in);
    }
    return list;
}

static struct results_line* get_lines(struct results_record* record, struct record_in* in,
                                      uint32_t* count) {
    struct results_line* list = make_list(record, in, 2, sizeof *list, count);
    uint32_t bci = 0, line = 0;
    for (uint32_t i = 0; list != NULL && i < *count; i++) {
        list[i].bci = bci += record_get_u32(in);
        list[i].line = line += (uint32_t)record_get_i32(in);
    }
    return list;
}

static void free_names(const struct results_names* names) {
    free((char*)(uintptr_t)names->name);
    free((char*)(uintptr_t)names->source);
    free((void*)(uintptr_t)names->insertions);
    free((void*)(uintptr_t)names->lines);
}

static bool get_names(struct results_record* record, struct record_in* in,
                      struct results_names* names) {
    names->name = copy_text(record, in);
    names->source = copy_text(record, in);
    names->insertions = get_insertions(record, in, &names->insertion_count);
    names->lines = get_lines(record, in, &names->line_count);
    return !in->failed;
}

static bool name_method(struct results_method* method, bool right,
                        const struct results_names* names) {
    if (method == NULL || method->named || !right) {
        free_names(names);
        return false;
    }
    method->named = true;
    method->names = *names;
    return true;
}

static bool define_names(struct results_record* record, struct record_in* in) {
    struct results_names names = {0};
    uint32_t index = record_get_u32(in);
    bool right = get_names(record, in, &names) && index != 0;
    return name_method(right ? make_method(record, &record->methods, index) : NULL, right, &names);
}

static bool define_rewritten(struct results_record* record, struct record_in* in) {
    struct results_names names = {0};
    struct oracle_code* code;
    uint32_t number = record_get_u32(in);
    if (!get_code(record, in, &code)) return false;
    bool right = get_names(record, in, &names) && code != NULL && number != ORACLE_FOREIGN &&
                 number < ORACLE_NUMBERS_MAX;
    struct results_method* method = right ? make_method(record, &record->rewritten, number) : NULL;
    if (!name_method(method, right, &names)) {
        free(code);
        return false;
    }
    method->code = code;
    return true;
}

// ---- Settlements ------------------------------------------------------------------------------

static bool define_settled(struct results_record* record, struct record_in* in) {
    struct record_settlement one = {.slot = record_get_u32(in), .epoch = record_get_u32(in)};
    struct record_frames frames = {0};
    one.blame = record_get_u32(in);
    if (!in->failed && in->at < in->end) // version 2
        one.count = record_frames_get(in, record, &frames, 0);
    record_note_undefined(record, frames.undefined);
    bool room = record_grow((void**)&record->settlements, record->settlement_count,
                            &record->settlement_room, sizeof one);
    if (!room || frames.memory) record->memory = true;
    if (in->failed || !room || one.blame > RESULTS_BLAME_ORACLE) {
        free(frames.list);
        return false;
    }
    one.witness = frames.list;
    record->settlements[record->settlement_count++] = one;
    return true;
}

// ---- Call sites -------------------------------------------------------------------------------

static bool define_sites(struct results_record* record, struct record_in* in) {
    uint32_t index = record_get_u32(in), bci = 0;
    struct oracle_sites head = {.name = record_get_u32(in), .flags = record_get_u32(in)};
    head.length = record_get_u32(in);
    head.count = record_get_count(in, 2);
    void** place = in->failed || index == 0 ? NULL : record_place(record, &record->sites, index);
    if (place == NULL || *place != NULL) return false;
    struct oracle_sites* sites = malloc(sizeof *sites + head.count * sizeof *sites->sites);
    if (sites == NULL) {
        record->memory = true;
        return false;
    }
    struct oracle_site* list = (struct oracle_site*)(sites + 1);
    *sites = head;
    sites->sites = list;
    for (uint32_t i = 0; i < head.count; i++) {
        bci += record_get_u32(in);
        list[i] = (struct oracle_site){bci, record_get_u32(in)};
    }
    if (!in->failed) *place = sites;
    else free(sites);
    return !in->failed;
}

bool record_define(struct results_record* record, enum record_type type, struct record_in* in) {
    switch (type) {
    case RECORD_PROPERTY: return define_property(record, in);
    case RECORD_LIST: return define_list(record, in);
    case RECORD_METHOD: return define_method(record, in);
    case RECORD_NAMES: return define_names(record, in);
    case RECORD_SITES: return define_sites(record, in);
    case RECORD_REWRITTEN: return define_rewritten(record, in);
    case RECORD_SETTLED: return define_settled(record, in);
    case RECORD_SAMPLE:
    case RECORD_COUNTERS: break;
    }
    return true;
}

static int compare_methods(const void* a, const void* b) {
    const struct results_method* x = *(const struct results_method* const*)a;
    const struct results_method* y = *(const struct results_method* const*)b;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int compare_settlements(const void* a, const void* b) {
    const struct record_settlement *x = a, *y = b;
    if (x->slot != y->slot) return x->slot < y->slot ? -1 : 1;
    return (x->epoch > y->epoch) - (x->epoch < y->epoch);
}

const struct record_settlement* record_settled(const struct results_record* record, uint32_t slot,
                                               uint32_t epoch) {
    const struct record_settlement wanted = {.slot = slot, .epoch = epoch};
    if (record->settlement_count == 0) return NULL;
    return bsearch(&wanted, record->settlements, record->settlement_count, sizeof wanted,
                   compare_settlements);
}

// A rewritten method's code and names are those of its number. They stay the number's.
static void link_method(const struct results_record* record, struct results_method* method) {
    const struct results_method* rewritten = record_item(&record->rewritten, method->number);
    if (rewritten == NULL) return;
    if (method->code == NULL) method->code = rewritten->code;
    if (method->named) return;
    method->named = true;
    method->names = rewritten->names;
}

int record_link(struct results_record* record) {
    uint32_t count = 0;
    record->sorted = calloc(record->methods.room + 1u, sizeof *record->sorted);
    if (record->sorted == NULL) return -1;
    for (uint32_t i = 0; i < record->methods.room; i++) {
        struct results_method* method = record->methods.items[i];
        if (method == NULL || !method->defined) continue;
        link_method(record, method);
        record->sorted[count++] = method;
    }
    record->sorted_count = count;
    qsort((void*)record->sorted, count, sizeof *record->sorted, compare_methods);
    if (record->settlement_count != 0)
        qsort(record->settlements, record->settlement_count, sizeof *record->settlements,
              compare_settlements);
    return 0;
}

const struct results_method* results_record_find(const struct results_record* record, uint64_t id,
                                                 uint32_t number) {
    const struct results_method wanted = {.id = id, .number = number}, *key = &wanted;
    const struct results_method** found =
        bsearch(&key, (const void*)record->sorted, record->sorted_count, sizeof *record->sorted,
                compare_methods);
    return found != NULL ? *found : NULL;
}

uint32_t results_record_methods(const struct results_record* record) {
    return record->sorted_count;
}

const struct results_method* results_record_nth_method(const struct results_record* record,
                                                       uint32_t n) {
    return record->sorted[n];
}

static void free_method(const struct results_record* record, struct results_method* method) {
    const struct results_method* rewritten =
        method->defined ? record_item(&record->rewritten, method->number) : NULL;
    if (rewritten == NULL || method->code != rewritten->code) free((void*)(uintptr_t)method->code);
    if (method->named && (rewritten == NULL || method->names.name != rewritten->names.name))
        free_names(&method->names);
    free(method);
}

static void free_methods(const struct results_record* record, const struct record_table* table) {
    for (uint32_t i = 0; i < table->room; i++)
        if (table->items[i] != NULL) free_method(record, table->items[i]);
}

void record_undefine(struct results_record* record) {
    free_methods(record, &record->methods);
    free_methods(record, &record->rewritten);
    for (uint32_t i = 0; i < record->sites.room; i++) free(record->sites.items[i]);
    for (size_t i = 0; i < record->settlement_count; i++) free(record->settlements[i].witness);
    free((void*)record->methods.items);
    free((void*)record->rewritten.items);
    free((void*)record->sites.items);
    free((void*)record->sorted);
    free(record->settlements);
    free(record->places);
    for (size_t i = 0; i < record->property_count; i++) {
        free(record->properties[i].name);
        free(record->properties[i].value);
    }
}
