// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What is found by its index in a record, and memory that grows.
#include "record_read.h"

#include <stdlib.h>
#include <string.h>

void** record_place(struct results_record* record, struct record_table* table, uint32_t index) {
    if (index >= RESULTS_METHODS_MAX) return NULL;
    if (index < table->room) return &table->items[index];
    uint32_t room = table->room != 0 ? table->room : 1024;
    while (room <= index) room *= 2;
    void** items = realloc((void*)table->items, room * sizeof *items);
    if (items == NULL) {
        record->memory = true;
        return NULL;
    }
    memset((void*)(items + table->room), 0, (room - table->room) * sizeof *items);
    table->items = items;
    table->room = room;
    return &items[index];
}

void* record_item(const struct record_table* table, uint32_t index) {
    return index < table->room ? table->items[index] : NULL;
}

void record_note_undefined(struct results_record* record, uint32_t index) {
    if (index > record->undefined && index < RESULTS_METHODS_MAX) record->undefined = index;
}

bool record_room(void** array, size_t* room, size_t count, size_t size) {
    if (count <= *room) return true;
    void* grown = realloc(*array, count * size);
    if (grown == NULL) return false;
    *array = grown;
    *room = count;
    return true;
}

bool record_grow(void** array, size_t count, size_t* room, size_t size) {
    return count < *room || record_room(array, room, *room != 0 ? 2 * *room : 64, size);
}

const struct results_method* results_record_method(const struct results_record* record,
                                                   uint32_t index) {
    static const struct results_method none;
    bool known = index != 0 && index < record->methods.room;
    return known && record->methods.items[index] != NULL ? record->methods.items[index] : &none;
}

uint32_t results_record_numbers(const struct results_record* record) {
    return record->rewritten.room;
}

const struct results_names* results_record_rewritten(const struct results_record* record,
                                                     uint32_t number) {
    const struct results_method* method = record_item(&record->rewritten, number);
    return method != NULL && method->named ? &method->names : NULL;
}

uint32_t results_old_bci(const struct results_names* names, uint32_t bci) {
    uint32_t inserted = 0;
    for (uint32_t i = 0; i < names->insertion_count && names->insertions[i].start <= bci; i++) {
        const struct results_insertion* insertion = &names->insertions[i];
        if (bci - insertion->start < insertion->length) return insertion->old_bci;
        inserted += insertion->length;
    }
    return bci - inserted;
}

const struct oracle_sites* results_record_sites(const struct results_record* record,
                                                uint32_t index) {
    return record_item(&record->sites, index);
}
