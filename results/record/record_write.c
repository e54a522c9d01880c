// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The recorder: records into a block, the block into a frame. The agent links this file, so it
// needs libc, the oracle's lists and lz4, and nothing else.
#include "record_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record_read.h"

#define METHODS_FIRST 4096u // slots of the first table of methods, a power of two

// What the file defines already, by id and number: a method, with its index; call sites, by their
// index as an id; a rewritten method, by its number as an id.
#define SITES (UINT32_MAX - 2)
#define REWRITTEN (UINT32_MAX - 3)
_Static_assert(REWRITTEN >= ORACLE_NUMBERS_MAX && SITES < ORACLE_UNKNOWN, "these are no numbers");
struct met {
    uint64_t id;
    uint32_t number;
    uint32_t index; // 0: an empty slot
};

struct results_recorder {
    struct results_recorder_options options;
    struct record_out block;  // the records of the open block
    struct record_out record; // the payload of the record that is being made
    struct record_out content, frame;
    struct met* methods;
    uint32_t slots, used, method_count;
    uint64_t sequence;
    uint64_t block_time_ns; // what times in the open block are relative to
    uint64_t last[RESULTS_COUNTERS];
    bool failed;
};

struct results_recorder* results_recorder_open(const struct results_recorder_options* options) {
    struct results_recorder* r = calloc(1, sizeof *r);
    if (r == NULL) return NULL;
    r->options = *options;
    r->slots = METHODS_FIRST;
    r->methods = calloc(r->slots, sizeof *r->methods);
    if (r->methods != NULL) return r;
    free(r);
    return NULL;
}

void results_recorder_close(struct results_recorder* r) {
    if (r == NULL) return;
    record_out_free(&r->block);
    record_out_free(&r->record);
    record_out_free(&r->content);
    record_out_free(&r->frame);
    free(r->methods);
    free(r);
}

size_t results_recorder_pending(const struct results_recorder* r) {
    return r->block.size;
}

// ---- Blocks -----------------------------------------------------------------------------------

static int fail(struct results_recorder* r) {
    r->failed = true;
    return -1;
}

// The open block as one frame to where it goes; the next one is open then.
static int close_block(struct results_recorder* r, enum record_block_type type, uint64_t time_ns) {
    if (r->failed) return -1;
    r->content.size = 0;
    record_put_fixed(&r->content, RECORD_BLOCK_MAGIC, 4);
    record_put_fixed(&r->content, RESULTS_RECORD_VERSION, 2);
    record_put_fixed(&r->content, type, 2);
    record_put_fixed(&r->content, r->sequence, 8);
    record_put_fixed(&r->content, r->block_time_ns, 8);
    record_put_fixed(&r->content, r->block.size, 4);
    record_put_bytes(&r->content, r->block.bytes, r->block.size);
    size_t bound = record_frame_bound(r->content.size);
    if (r->frame.room < bound) {
        record_out_free(&r->frame);
        r->frame.bytes = malloc(bound);
        if (r->frame.bytes == NULL) return fail(r);
        r->frame.room = bound;
    }
    size_t packed = r->content.failed ? 0
                                      : record_frame_pack(r->content.bytes, r->content.size,
                                                          r->frame.bytes, r->frame.room);
    if (packed == 0 || r->options.write(r->options.context, r->frame.bytes, packed) != 0)
        return fail(r);
    r->sequence++;
    r->block.size = 0;
    r->block_time_ns = time_ns;
    return 0;
}

int results_block_write(int file, const void* bytes, size_t size) {
    for (const char* at = bytes; size > 0;) {
        ssize_t written = write(file, at, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return -1;
        at += written;
        size -= (size_t)written;
    }
    return 0;
}

int results_recorder_flush(struct results_recorder* r, uint64_t time_ns, bool end) {
    if (r->block.size == 0 && !end) {
        r->block_time_ns = time_ns;
        return r->failed ? -1 : 0;
    }
    return close_block(r, end ? RECORD_BLOCK_END : RECORD_BLOCK_BATCH, time_ns);
}

// ---- Records ----------------------------------------------------------------------------------

// The payload made in `from` as a record of the open block.
static int add_from(struct results_recorder* r, enum record_type type, struct record_out* from) {
    if (r->failed || from->failed) return fail(r);
    record_put_fixed(&r->block, type, 1);
    record_put_number(&r->block, from->size);
    record_put_bytes(&r->block, from->bytes, from->size);
    return r->block.failed ? fail(r) : 0;
}

// The same for r->record; the block is closed where it has grown.
static int add(struct results_recorder* r, enum record_type type) {
    if (add_from(r, type, &r->record) != 0) return -1;
    return r->block.size < RESULTS_BLOCK_CLOSED
               ? 0
               : close_block(r, RECORD_BLOCK_BATCH, r->block_time_ns);
}

int results_recorder_property(struct results_recorder* r, const char* name, const char* value) {
    r->record.size = 0;
    record_put_text(&r->record, name);
    record_put_text(&r->record, value);
    return add_from(r, RECORD_PROPERTY, &r->record);
}

int results_recorder_head(struct results_recorder* r, uint64_t time_ns) {
    char space[RESULTS_COUNTER_NAME];
    for (int list = 0; list < RECORD_LIST_COUNT; list++) {
        uint32_t count = record_list_count((enum record_list)list);
        r->record.size = 0;
        record_put_text(&r->record, record_list_name((enum record_list)list));
        record_put_number(&r->record, count);
        for (uint32_t i = 0; i < count; i++)
            record_put_text(&r->record, record_list_text((enum record_list)list, i, space));
        if (add_from(r, RECORD_LIST, &r->record) != 0) return -1;
    }
    return close_block(r, RECORD_BLOCK_HEAD, time_ns);
}

// ---- Methods ----------------------------------------------------------------------------------

static uint32_t slot_of(const struct results_recorder* r, uint64_t id, uint32_t number) {
    uint64_t hash = (id ^ (uint64_t)number << 32 ^ number) * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= hash >> 29;
    hash *= UINT64_C(0xD6E8FEB86659FD93);
    uint32_t at = (uint32_t)(hash >> 32) & (r->slots - 1);
    while (r->methods[at].index != 0 &&
           (r->methods[at].id != id || r->methods[at].number != number))
        at = (at + 1) & (r->slots - 1);
    return at;
}

static bool grow_methods(struct results_recorder* r) {
    struct met* old = r->methods;
    uint32_t slots = r->slots;
    if (r->used + 1 >= RESULTS_METHODS_MAX) return false;
    if (r->used < slots / 2) return true;
    r->methods = calloc((size_t)slots * 2, sizeof *r->methods);
    if (r->methods == NULL) {
        r->methods = old;
        return false;
    }
    r->slots = slots * 2;
    for (uint32_t i = 0; i < slots; i++)
        if (old[i].index != 0) r->methods[slot_of(r, old[i].id, old[i].number)] = old[i];
    free(old);
    return true;
}

static uint64_t number_to_file(uint32_t number) {
    switch (number) {
    case ORACLE_FOREIGN: return RECORD_NUMBER_FOREIGN;
    case ORACLE_UNKNOWN: return RECORD_NUMBER_UNKNOWN;
    case ORACLE_OWN: return RECORD_NUMBER_OWN;
    default: return (uint64_t)number + RECORD_NUMBER_FIRST;
    }
}

// What is met for the first time gets the index. False: there is no room.
static bool remember(struct results_recorder* r, uint64_t id, uint32_t number, uint32_t index) {
    if (!grow_methods(r)) {
        r->failed = true;
        return false;
    }
    r->methods[slot_of(r, id, number)] = (struct met){id, number, index};
    r->used++;
    return true;
}

// Defines in the open block, before the record that is being made. A first sample may bring
// thousands of definitions: the block is closed where it has grown, and times keep what they count
// from.
static void define(struct results_recorder* r, enum record_type type,
                   struct record_out* definition) {
    add_from(r, type, definition);
    record_out_free(definition);
    if (r->block.size >= RESULTS_BLOCK_CLOSED) close_block(r, RECORD_BLOCK_BATCH, r->block_time_ns);
}

static bool is_rewritten(uint32_t number) {
    return number != ORACLE_FOREIGN && number != ORACLE_OWN && number != ORACLE_UNKNOWN;
}

static uint32_t refer_method(void* context, uint64_t id, uint32_t number) {
    struct results_recorder* r = context;
    struct record_out definition = {0};
    uint32_t at = slot_of(r, id, number), index = r->method_count + 1;
    if (r->methods[at].index != 0) return r->methods[at].index;
    if (!remember(r, id, number, index)) return 0;
    r->method_count = index;
    record_put_number(&definition, index);
    record_put_number(&definition, id);
    record_put_number(&definition, number_to_file(number));
    record_put_number(&definition, 0); // its code is that of its number
    define(r, RECORD_METHOD, &definition);
    if (r->options.met != NULL && !is_rewritten(number))
        r->options.met(r->options.context, index, id, number);
    return index;
}

static bool is_defined(const struct results_recorder* r, uint64_t id, uint32_t what) {
    return r->methods[slot_of(r, id, what)].index != 0;
}

static void put_insertions(struct record_out* out, const struct results_names* names) {
    uint32_t last = 0;
    record_put_number(out, names->insertion_count);
    for (uint32_t i = 0; i < names->insertion_count; i++) {
        const struct results_insertion* insertion = &names->insertions[i];
        record_put_number(out, insertion->start - last);
        record_put_number(out, insertion->length);
        record_put_number(out, insertion->old_bci);
        last = insertion->start;
    }
}

static void put_names(struct record_out* out, const struct results_names* names) {
    uint32_t bci = 0, line = 0;
    record_put_text(out, names->name);
    record_put_text(out, names->source);
    put_insertions(out, names);
    record_put_number(out, names->line_count);
    for (uint32_t i = 0; i < names->line_count; i++) {
        record_put_number(out, names->lines[i].bci - bci);
        record_put_signed(out, (int64_t)names->lines[i].line - (int64_t)line);
        bci = names->lines[i].bci;
        line = names->lines[i].line;
    }
}

int results_recorder_names(struct results_recorder* r, uint32_t index,
                           const struct results_names* names) {
    struct record_out out = {0};
    record_put_number(&out, index);
    put_names(&out, names);
    int result = add_from(r, RECORD_NAMES, &out);
    record_out_free(&out);
    return result;
}

int record_put_rewritten(struct results_recorder* r, const struct record_rewritten* m) {
    uint32_t end = 0;
    if (is_defined(r, m->number, REWRITTEN)) return r->failed ? -1 : 0;
    if (!remember(r, m->number, REWRITTEN, 1)) return -1;
    r->record.size = 0;
    record_put_number(&r->record, m->number);
    record_put_number(&r->record, 1 + (uint64_t)m->length);
    record_put_number(&r->record, m->may_vanish);
    record_put_number(&r->record, m->range_count);
    for (uint32_t i = 0; i < m->range_count; i++) {
        record_put_number(&r->record, m->ranges[i].start - end);
        record_put_number(&r->record, m->ranges[i].end - m->ranges[i].start);
        end = m->ranges[i].end;
    }
    put_names(&r->record, &m->names);
    return add(r, RECORD_REWRITTEN);
}

int record_put_sites(struct results_recorder* r, uint32_t index, const struct oracle_sites* sites) {
    uint32_t last = 0;
    if (is_defined(r, index, SITES)) return r->failed ? -1 : 0;
    if (!remember(r, index, SITES, 1)) return -1;
    r->record.size = 0;
    record_put_number(&r->record, index);
    record_put_number(&r->record, sites->name);
    record_put_number(&r->record, sites->flags);
    record_put_number(&r->record, sites->length);
    record_put_number(&r->record, sites->count);
    for (uint32_t i = 0; i < sites->count; i++) {
        record_put_number(&r->record, sites->sites[i].bci - last);
        record_put_number(&r->record, sites->sites[i].callee);
        last = sites->sites[i].bci;
    }
    return add(r, RECORD_SITES);
}

int record_put_behind(struct results_recorder* r, const struct results_record* record) {
    for (uint32_t i = 1; i < record->methods.room; i++) {
        const struct results_method* method = record->methods.items[i];
        if (method == NULL) continue;
        r->method_count = i;
        if (method->defined && !remember(r, method->id, method->number, i)) return -1;
    }
    // Samples of the record may refer to methods whose blocks are lost: nobody else gets their
    // indexes.
    if (record->undefined > r->method_count) r->method_count = record->undefined;
    for (uint32_t i = 0; i < record->sites.room; i++)
        if (record->sites.items[i] != NULL && !remember(r, i, SITES, 1)) return -1;
    for (uint32_t i = 0; i < record->rewritten.room; i++)
        if (record->rewritten.items[i] != NULL && !remember(r, i, REWRITTEN, 1)) return -1;
    r->sequence = record->next_block;
    r->block_time_ns = record->last_ns;
    return 0;
}

// ---- What happens -----------------------------------------------------------------------------

int results_recorder_sample(struct results_recorder* r, const struct results_sample* sample) {
    r->record.size = 0;
    const struct record_refers refers = {refer_method, r};
    record_sample_put(&r->record, sample, r->block_time_ns, &refers);
    return add(r, RECORD_SAMPLE);
}

int results_recorder_counters(struct results_recorder* r, uint64_t time_ns,
                              const uint64_t values[RESULTS_COUNTERS], bool full) {
    uint32_t count = 0, next = 0;
    for (uint32_t i = 0; i < RESULTS_COUNTERS; i++)
        count += full ? values[i] != 0 : values[i] != r->last[i];
    if (count == 0 && !full) return 0;
    r->record.size = 0;
    record_put_signed(&r->record, (int64_t)(time_ns - r->block_time_ns));
    record_put_number(&r->record, full);
    record_put_number(&r->record, count);
    for (uint32_t i = 0; i < RESULTS_COUNTERS; i++) {
        if (full ? values[i] == 0 : values[i] == r->last[i]) continue;
        record_put_number(&r->record, i - next);
        record_put_number(&r->record, values[i]);
        next = i + 1;
    }
    memcpy(r->last, values, sizeof r->last);
    return add(r, RECORD_COUNTERS);
}

int record_put_settled(struct results_recorder* r, const struct results_settled_piece* settled,
                       const struct results_sample_frame* witness) {
    const struct record_refers refers = {refer_method, r};
    r->record.size = 0;
    record_put_number(&r->record, settled->thread_slot);
    record_put_number(&r->record, settled->epoch);
    record_put_number(&r->record, settled->blame);
    record_frames_put(&r->record, witness, settled->count, &refers);
    return add(r, RECORD_SETTLED);
}
